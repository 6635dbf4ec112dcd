//! Sums of the weights of single tokens, computed once per word: for the token itself, for its neighbours, and for the
//! tokens around.
//!
//! Words recur, so their sums are memoised across notes. Memoisation does not change a sum, and only sums and hashes
//! are stored.

use super::context::{FeatureKeys, OUTSIDE, TokenFeatures};
use super::features::{self, BAG_OF_WORDS_DISTANCES, NEIGHBOUR_OFFSETS};
use super::memo::{Memo, ValueMemo};
use super::model::{Model, WeightAdder};
use super::score::LABELS;
use crate::vocabulary::prefetch;

/// A sum of weights per label.
pub(super) type LabelSums = [i16; LABELS];

/// The largest distance at which a token has influence.
const MAX_REACH: usize = *BAG_OF_WORDS_DISTANCES.end();
/// One more than the largest distance, on both sides.
const MARGIN: usize = MAX_REACH + 1;
/// The maximum number of sums of a kind that are memoised from one part of a note to the next.
const MAX_REMEMBERED_SUMS: usize = 1 << 17;

/// The sums of weights of a word: for itself, for the tokens after and before it, and for each neighbour.
#[derive(Clone, Copy, Debug, Default)]
struct WordSums {
    own: LabelSums,
    after: LabelSums,
    before: LabelSums,
    near: [LabelSums; NEIGHBOUR_OFFSETS.len()],
}

/// The sums of weights of form, lists and evidence, for the token and for each neighbour: many words share them.
#[derive(Clone, Copy, Debug, Default)]
struct FactSums {
    lists: LabelSums,
    near: [LabelSums; NEIGHBOUR_OFFSETS.len()],
}

/// Where the sums of a token are stored; the few of its measures are stored here.
#[derive(Clone, Copy, Debug, Default)]
struct SumPositions {
    word: u32,
    facts: u32,
    measures: LabelSums,
}

/// Sums of the weights of single tokens under one model, memoised by word.
#[derive(Clone, Debug, Default)]
pub(super) struct SingleTokenSums {
    /// The instance number of the model.
    model: u64,
    words: Memo<WordSums>,
    facts: Memo<FactSums>,
    /// The sums of length and frequency of a word.
    measures: ValueMemo<LabelSums>,
    /// The keys of each token of a part.
    keys: Vec<FeatureKeys>,
    /// The positions of the sums of each token, with [`MAX_REACH`] entries for outside on both sides.
    positions: Vec<SumPositions>,
    /// The sums for each token, with a margin on both sides.
    parts: Vec<SingleTokenParts>,
}

/// The sums of single tokens for one token: its letters, its lists, the tokens before it, those after it, and those
/// around.
pub(super) type SingleTokenParts = [LabelSums; 5];

impl SingleTokenSums {
    /// Sums up the weights of the tokens of a part; `folded` returns their letters. The tables for the vocabulary of a
    /// large hospital exceed the near caches, so all slots are prefetched first.
    pub(super) fn sum_weights_of_tokens<'a>(
        &mut self,
        model: &Model,
        tokens: &[TokenFeatures],
        folded: impl Fn(usize) -> &'a [u8],
    ) {
        let most = self.words.all.len().max(self.facts.all.len()).max(self.measures.len());
        if self.model != model.instance_number() || most > MAX_REMEMBERED_SUMS {
            self.model = model.instance_number();
            self.words.clear();
            self.facts.clear();
            self.measures.clear();
        }
        self.keys.clear();
        for token in tokens {
            let keys = token.feature_keys();
            self.words.prefetch(keys.word);
            self.facts.prefetch(keys.facts);
            self.measures.prefetch(keys.measures);
            self.keys.push(keys);
        }
        let outside = self.sum_positions(model, &OUTSIDE, OUTSIDE.feature_keys(), || b"");
        self.positions.clear();
        self.positions.resize(MAX_REACH, outside);
        for (at, token) in tokens.iter().enumerate() {
            let places = self.sum_positions(model, token, self.keys[at], || folded(at));
            // The sums of a word span two cache lines.
            prefetch(&self.words.all, places.word as usize);
            prefetch(&self.words.all[places.word as usize].near, NEIGHBOUR_OFFSETS.len() - 1);
            self.positions.push(places);
        }
        self.positions.resize(self.positions.len() + MAX_REACH, outside);
        self.sum_over_neighbours();
    }

    /// Sums up for each token its own weights and those of the tokens around. Each row is read once.
    fn sum_over_neighbours(&mut self) {
        let Self { words, facts, positions, parts, .. } = self;
        parts.clear();
        parts.resize(positions.len() + 2 * MARGIN, SingleTokenParts::default());
        for (at, &places) in positions.iter().enumerate() {
            let (word, facts) = (&words.all[places.word as usize], &facts.all[places.facts as usize]);
            let Some(window) = parts[at..].first_chunk_mut::<{ 2 * MARGIN + 1 }>() else { break };
            (window[MARGIN][0], window[MARGIN][1]) = (word.own, facts.lists);
            add_sums(&mut window[MARGIN][1], places.measures);
            for far in 1..=NEIGHBOUR_OFFSETS.len() / 2 {
                let (before, after) = (NEIGHBOUR_OFFSETS.len() / 2 - far, NEIGHBOUR_OFFSETS.len() / 2 + far - 1);
                add_sums(&mut window[MARGIN + far][2], word.near[before]);
                add_sums(&mut window[MARGIN + far][2], facts.near[before]);
                add_sums(&mut window[MARGIN - far][3], word.near[after]);
                add_sums(&mut window[MARGIN - far][3], facts.near[after]);
            }
            // The weights of a word for the tokens around start here and end there; the prefix sum below spreads them.
            let (nearest, furthest) = (*BAG_OF_WORDS_DISTANCES.start(), *BAG_OF_WORDS_DISTANCES.end());
            add_sums(&mut window[MARGIN + nearest][4], word.after);
            subtract_sums(&mut window[MARGIN + furthest + 1][4], word.after);
            add_sums(&mut window[MARGIN - furthest][4], word.before);
            subtract_sums(&mut window[MARGIN - nearest + 1][4], word.before);
        }
        let mut around = LabelSums::default();
        for part in parts {
            add_sums(&mut around, part[4]);
            part[4] = around;
        }
    }

    /// Returns the sums of single tokens for a token of the part.
    #[inline]
    pub(super) fn single_token_parts(&self, at: usize) -> &SingleTokenParts {
        &self.parts[at + MAX_REACH + MARGIN]
    }

    /// Returns the positions of the sums of a token.
    #[inline]
    fn sum_positions<'a>(
        &mut self,
        model: &Model,
        token: &TokenFeatures,
        keys: FeatureKeys,
        folded: impl FnOnce() -> &'a [u8],
    ) -> SumPositions {
        let (word, facts) = (self.words.number_of_key(keys.word), self.facts.number_of_key(keys.facts));
        SumPositions {
            word: word.unwrap_or_else(|| self.words.insert(keys.word, word_sums(model, token, folded()))),
            facts: facts.unwrap_or_else(|| self.facts.insert(keys.facts, fact_sums(model, token))),
            measures: self.measures.get_or_insert_with(keys.measures, || measure_sum(model, token)),
        }
    }
}

#[inline(never)]
fn word_sums(model: &Model, token: &TokenFeatures, folded: &[u8]) -> WordSums {
    let own = |sink: &mut WeightAdder<'_>| features::add_letter_features(token, folded, sink);
    WordSums {
        own: if token.judged { sum_weights(model, own) } else { LabelSums::default() },
        after: sum_weights(model, |sink| features::add_word_before(token, sink)),
        before: sum_weights(model, |sink| features::add_word_after(token, sink)),
        near: NEIGHBOUR_OFFSETS.map(|far| sum_weights(model, |sink| features::add_neighbour_word(token, far, sink))),
    }
}

#[inline(never)]
fn fact_sums(model: &Model, token: &TokenFeatures) -> FactSums {
    let facts = |sink: &mut WeightAdder<'_>| features::add_form_and_list_features(token, sink);
    FactSums {
        lists: if token.judged { sum_weights(model, facts) } else { LabelSums::default() },
        near: NEIGHBOUR_OFFSETS
            .map(|far| sum_weights(model, |sink| features::add_neighbour_form_and_lists(token, far, sink))),
    }
}

#[inline(never)]
fn measure_sum(model: &Model, token: &TokenFeatures) -> LabelSums {
    if token.judged {
        sum_weights(model, |sink| features::add_length_and_frequency(token, sink))
    } else {
        LabelSums::default()
    }
}

/// Returns the sum of the weights of some features.
fn sum_weights(model: &Model, read: impl FnOnce(&mut WeightAdder<'_>)) -> LabelSums {
    let mut adder = model.weight_adder();
    read(&mut adder);
    adder.label_sums()
}

/// Adds a sum to a sum. A few hundred weights of one byte fit easily into 16 bits.
#[inline]
fn add_sums(sum: &mut LabelSums, more: LabelSums) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.wrapping_add(more));
}

/// Subtracts a sum from a sum.
#[inline]
fn subtract_sums(sum: &mut LabelSums, less: LabelSums) {
    sum.iter_mut().zip(less).for_each(|(sum, less)| *sum = sum.wrapping_sub(less));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::hash::mix_three;

    fn token_features() -> Vec<TokenFeatures> {
        let features_of_token =
            |word| TokenFeatures { word, judged: true, is_word: true, width: 4, form: 2 + (word % 3) as u8, ..OUTSIDE };
        (0..9216_u64).map(|nth| features_of_token(mix_three(nth % 5000, 7, 7))).collect()
    }

    /// Returns a model with weights for some features of these words.
    fn model(token_features: &[TokenFeatures], of: usize) -> Model {
        let mut features = Vec::new();
        for (nth, features_of_token) in token_features.iter().enumerate().filter(|(nth, _)| nth % of == 0) {
            features::add_letter_features(features_of_token, b"rose", &mut features);
            features::add_word_after(features_of_token, &mut features);
            features::add_neighbour(features_of_token, NEIGHBOUR_OFFSETS[nth % NEIGHBOUR_OFFSETS.len()], &mut features);
        }
        let weights: Vec<_> = features.iter().map(|&hash| (hash, [hash as i8, 1, -2, (hash >> 9) as i8])).collect();
        Model::from_bytes(&Model::serialize_model(&weights, &[], "{}")).unwrap()
    }

    #[test]
    fn what_is_remembered_is_what_is_added_up() {
        let (token_features, mut rows) = (token_features(), SingleTokenSums::default());
        for of in [3, 4] {
            let model = model(&token_features, of);
            rows.sum_weights_of_tokens(&model, &token_features, |_| b"rose");
            let sum = |read: &dyn Fn(&mut Vec<u64>)| {
                let mut features = Vec::new();
                read(&mut features);
                model.sum_weights(&features)
            };
            let at = |at: usize, far: isize| {
                at.checked_add_signed(far).and_then(|at| token_features.get(at)).unwrap_or(&OUTSIDE)
            };
            for (nth, features_of_token) in token_features.iter().enumerate() {
                let mut expected = [[0; LABELS]; 5];
                expected[0] = sum(&|features| features::add_letter_features(features_of_token, b"rose", features));
                expected[1] = sum(&|features| features::add_own_features_beyond_letters(features_of_token, features));
                for far in NEIGHBOUR_OFFSETS {
                    let part = if far < 0 { 2 } else { 3 };
                    add_sums(
                        &mut expected[part],
                        sum(&|features| features::add_neighbour(at(nth, far), far, features)),
                    );
                }
                for far in BAG_OF_WORDS_DISTANCES.map(usize::cast_signed) {
                    add_sums(&mut expected[4], sum(&|features| features::add_word_before(at(nth, -far), features)));
                    add_sums(&mut expected[4], sum(&|features| features::add_word_after(at(nth, far), features)));
                }
                assert_eq!(*rows.single_token_parts(nth), expected, "{nth}");
            }
        }
    }
}
