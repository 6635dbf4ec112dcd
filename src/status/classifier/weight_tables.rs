//! Tables of the weights of single words, marks and cues by their position around a mention, computed once per model.

use super::features::{self, DISTANCE_CLASSES, FeatureSink, NEAR_ITEMS, distance_class};
use super::model::{Scores, StatusModel};
use super::sentence_features::{Item, PHRASE_KIND, index_of_stem, symbol};
use super::template::{Reason, SentencePart, Side, Template};

/// The weights of an item at each distance, before and after.
type WeightsByPosition = [[Scores; NEAR_ITEMS]; 2];

/// The weights of a word anywhere before or after a mention, by distance class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DistantWeights {
    pub(super) before: [Scores; DISTANCE_CLASSES],
    pub(super) behind: [Scores; DISTANCE_CLASSES],
}

/// The weight tables of a model.
#[derive(Clone, Debug)]
pub(super) struct WeightTables {
    /// The weights of each stem anywhere in the window, by its index.
    stems: Vec<DistantWeights>,
    /// The weights of each stem, by its index, in each part of a sentence.
    parts: Vec<[Scores; SentencePart::ALL.len()]>,
    /// The weights of each word and mark next to a mention, by its symbol.
    near: Vec<WeightsByPosition>,
    /// The weights of each stem, by its index, and after them of each cue, next to a mention and next to a list.
    kinds: Vec<[WeightsByPosition; 2]>,
}

/// The number of possible feature codes of cues.
const MAX_CUE_CODES: u32 = 1 << 8;

impl WeightTables {
    pub(super) fn new(model: &StatusModel) -> Self {
        let [words, stems] = model.words_and_stems().map(|list| list.count() as u16);
        let all = (0..symbol::RESERVED_END).chain(symbol::STEMS..symbol::STEMS + stems);
        let anywhere = |stem| DistantWeights {
            before: std::array::from_fn(|rough| {
                sum_of_two_weights(model, features::hash_word_at_distance(false, stem, rough))
            }),
            behind: std::array::from_fn(|rough| {
                sum_of_two_weights(model, features::hash_word_at_distance(true, stem, rough))
            }),
        };
        let near = |symbol| {
            weights_at_each_position(|side, far| model.weights(features::hash_adjacent_symbol(side, far, symbol)))
        };
        let kind = |kind| {
            [
                weights_at_each_position(|side, far| model.weights(features::hash_adjacent_kind(side, far, kind))),
                weights_at_each_position(|side, far| model.weights(features::hash_kind_beside_list(side, far, kind))),
            ]
        };
        Self {
            stems: all.clone().map(anywhere).collect(),
            parts: all.clone().map(|stem| SentencePart::ALL.map(|part| model.weights(part.hash_word(stem)))).collect(),
            near: (0..symbol::WORDS + words).map(near).collect(),
            kinds: all.map(u32::from).chain((0..MAX_CUE_CODES).map(|phrase| PHRASE_KIND | phrase)).map(kind).collect(),
        }
    }

    /// Returns the sum of the weights of words anywhere before a mention; the nearest comes first.
    #[inline]
    pub(super) fn sum_distant_before<'a>(&self, items: impl Iterator<Item = &'a Item>) -> Scores {
        let weights =
            items.enumerate().map(|(far, item)| self.stems[usize::from(item.table_index)].before[distance_class(far)]);
        weights.fold(Scores::default(), |sum, more| sum + more)
    }

    /// Returns the sum of the weights of words anywhere after a mention; the nearest comes first.
    #[inline]
    pub(super) fn sum_distant_after<'a>(&self, items: impl Iterator<Item = &'a Item>) -> Scores {
        let weights =
            items.enumerate().map(|(far, item)| self.stems[usize::from(item.table_index)].behind[distance_class(far)]);
        weights.fold(Scores::default(), |sum, more| sum + more)
    }

    /// Returns the weights of the kind of an item next to a mention, and next to a list.
    #[inline]
    fn kind_weights(&self, item: Item) -> &[WeightsByPosition; 2] {
        let place = match item.cue {
            0 if item.has_flag(Item::TERM) => symbol::TERM.into(),
            0 => item.table_index.into(),
            cue => self.stems.len() + usize::from(cue),
        };
        &self.kinds[place]
    }
}

/// Computes the weights at each position.
fn weights_at_each_position(weigh: impl Fn(Side, usize) -> Scores) -> WeightsByPosition {
    Side::BOTH.map(|side| std::array::from_fn(|at| weigh(side, at + 1)))
}

/// Returns the sum of the weights of two features.
fn sum_of_two_weights(model: &StatusModel, hashes: [u64; 2]) -> Scores {
    model.weights(hashes[0]) + model.weights(hashes[1])
}

/// The number of slots of the memo.
const MEMO_SLOTS: usize = 1 << 11;

/// Memoised sums of weights by key: the same groups of features recur from note to note.
#[derive(Clone, Debug, Default)]
pub(super) struct WeightMemo {
    /// The number of the model that the sums belong to.
    model: u64,
    /// The last sum stored in each slot, with its key.
    sums: Vec<(Scores, u64)>,
}

impl WeightMemo {
    /// Clears the memo if it belongs to another model.
    pub(super) fn clear_for_other_model(&mut self, model: &StatusModel) {
        if self.model != model.number || self.sums.is_empty() {
            self.model = model.number;
            self.sums.clear();
            self.sums.resize(MEMO_SLOTS, (Scores::default(), 0));
        }
    }

    /// Stores a sum, replacing the one in its slot.
    #[cold]
    fn store(&mut self, place: usize, sum: Scores, key: u64) {
        if let Some(kept) = self.sums.get_mut(place) {
            *kept = (sum, key);
        }
    }
}

/// Sums the weights of features, separately for each reason.
pub(super) struct WeightSum<'a> {
    pub(super) model: &'a StatusModel,
    pub(super) weighed: &'a WeightTables,
    pub(super) memo: &'a mut WeightMemo,
    pub(super) scores: [Scores; Reason::ALL.len()],
}

impl FeatureSink for WeightSum<'_> {
    #[inline]
    fn add(&mut self, template: Template, hash: u64) {
        self.scores[template.reason() as usize] += self.model.weights(hash);
    }

    #[inline]
    fn add_memoized(&mut self, key: u64, reason: Reason, read: impl FnOnce(&mut Self)) {
        let place = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize % MEMO_SLOTS;
        match self.memo.sums.get(place) {
            Some(&(sum, known)) if known == key => self.scores[reason as usize] += sum,
            _ => {
                let before = self.scores[reason as usize];
                read(self);
                self.memo.store(place, self.scores[reason as usize] - before, key);
            }
        }
    }

    #[inline]
    fn add_word_in_part(&mut self, part: SentencePart, stem: u16) {
        self.scores[part.template().reason() as usize] +=
            self.weighed.parts[usize::from(index_of_stem(stem))][part as usize];
    }

    #[inline]
    fn add_around_mention(&mut self, around: [[Item; NEAR_ITEMS]; 2]) {
        let WeightTables { near, .. } = self.weighed;
        for side in Side::BOTH {
            let all = around[side as usize].into_iter().enumerate().map(|(at, item)| {
                near[usize::from(item.symbol)][side as usize][at]
                    + self.weighed.kind_weights(item)[0][side as usize][at]
            });
            self.scores[side.adjacent_template().reason() as usize] +=
                all.fold(Scores::default(), |sum, more| sum + more);
        }
    }

    #[inline]
    fn add_around_list(&mut self, around: [[Item; NEAR_ITEMS]; 2]) {
        let mut sum = Scores::default();
        for side in Side::BOTH {
            let all = around[side as usize].into_iter().enumerate();
            sum = all.fold(sum, |sum, (at, item)| sum + self.weighed.kind_weights(item)[1][side as usize][at]);
        }
        for at in 0..NEAR_ITEMS - 1 {
            sum += self.model.weights(features::hash_pair_before_list(around[Side::Before as usize], at));
        }
        self.scores[Reason::List as usize] += sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::classifier::sentence_features::{Mention, SentenceFeatures};

    /// Adds up each feature by itself, without tables.
    struct Plain<'a>(&'a StatusModel, [[i16; 8]; Reason::ALL.len()]);

    impl FeatureSink for Plain<'_> {
        fn add(&mut self, template: Template, hash: u64) {
            let weights = self.0.weights(hash).to_array();
            self.1[template.reason() as usize].iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        }
    }

    #[test]
    fn tables_say_what_features_weigh() {
        let item = |symbol, stem, cue, flags| Item { cue, ..Item::new(symbol, stem, flags) };
        let comma = u16::from(b',');
        let mut sentence_features = SentenceFeatures::default();
        sentence_features.begin_note();
        let items = [
            item(symbol::WORDS, symbol::STEMS, 3, Item::PRONOUN),
            item(symbol::WORDS + 1, symbol::STEMS + 1, 0, Item::OTHER_PERSON),
            item(comma, comma, 0, 0),
            item(symbol::TERM, symbol::TERM, 0, Item::TERM),
            item(symbol::WORDS + 1, symbol::STEMS + 1, 0, Item::PATIENT),
        ];
        for item in items {
            sentence_features.push_item(item);
        }
        sentence_features.mentions = vec![Mention { first: 3, end: 4, classified: true, ..Mention::default() }];
        let mut hashes: Vec<u64> = Vec::new();
        features::add_all_features(&sentence_features, 0, &mut hashes);
        let mut learned: Vec<(u64, [i8; 5])> =
            (1..).zip(&hashes).map(|(nth, &hash)| (hash, [nth, -nth, 1, 0, 2])).collect();
        learned.sort_unstable();
        learned.dedup_by_key(|&mut (hash, _)| hash);
        let words = [["no", "fever"], ["no", "fev"]].map(|list| list.map(str::to_owned));
        let file = StatusModel::serialize_model([&words[0], &words[1]], &learned, 11, [0; 5], "{}");
        let model = StatusModel::from_bytes(&file).unwrap();
        let mut expected = Plain(&model, [[0; 8]; Reason::ALL.len()]);
        features::add_sentence_features(&sentence_features, &mut expected);
        features::add_mention_features(&sentence_features, 0, &mut expected);
        let (weighed, mut memo) = (WeightTables::new(&model), WeightMemo::default());
        memo.clear_for_other_model(&model);
        for read in ["added up", "remembered"] {
            let (memo, scores) = (&mut memo, Default::default());
            let mut sum = WeightSum { model: &model, weighed: &weighed, memo, scores };
            features::add_sentence_features(&sentence_features, &mut sum);
            features::add_mention_features(&sentence_features, 0, &mut sum);
            assert_eq!(sum.scores.map(Scores::to_array), expected.1, "{read}");
        }
        assert!(expected.1.iter().all(|scores| *scores != [0; 8]));
    }
}
