//! What single tokens weigh, added up once for each word: as itself, for its neighbours, and for those around.
//!
//! Words come again and again, so their sums are remembered from note to note. A sum is the same whether it is remembered or
//! not, and only sums and hashes are kept.

use wide::i16x8;

use super::context::{OUTSIDE, TokenFeatures};
use super::features::{self, AROUND, NEAR};
use super::memo::Memo;
use super::model::Model;
use super::score::LABELS;
use crate::vocabulary::prefetch;

/// For each label a sum of weights.
pub(super) type Sum = [i16; LABELS];

/// How far from a token the furthest stands that counts.
const FAR: usize = *AROUND.end();
/// How many rows are remembered from one part of a note to the next.
const MOST: usize = 1 << 17;

/// What a token weighs: by itself, for those after it and before it, and for each neighbour.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
struct Row {
    own: Sum,
    lists: Sum,
    after: Sum,
    before: Sum,
    near: [Sum; NEAR.len()],
}

/// The part of a row that its word says.
#[derive(Clone, Copy, Debug, Default)]
struct WordSums {
    own: Sum,
    after: Sum,
    before: Sum,
    near: [Sum; NEAR.len()],
}

/// The part of a row that its form, its lists and its evidence say: the same for many words.
#[derive(Clone, Copy, Debug, Default)]
struct FactSums {
    lists: Sum,
    near: [Sum; NEAR.len()],
}

/// What words weigh under one model. Most new rows are of a word that was seen otherwise before, so the parts of rows are remembered too.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// Which model.
    model: u64,
    rows: Memo<Row>,
    words: Memo<WordSums>,
    facts: Memo<FactSums>,
    /// The key of each token of a part.
    keys: Vec<u64>,
    /// The row of each, and of so many outside on both sides.
    of: Vec<u32>,
    features: Vec<u64>,
}

/// What single tokens say of one: its letters, its lists, those before it, those after it, and those around.
pub(super) type Parts = [Sum; 5];

impl Rows {
    /// Reads what the tokens of a part weigh; `folded` has their letters. The tables of a large hospital's words are in no
    /// near cache, so each place is asked for while others are read.
    pub(super) fn read<'a>(&mut self, model: &Model, tokens: &[TokenFeatures], folded: impl Fn(usize) -> &'a [u8]) {
        if self.model != model.number() || self.rows.all.len() > MOST {
            self.model = model.number();
            self.rows.clear();
            self.words.clear();
            self.facts.clear();
        }
        self.keys.clear();
        for features_of_token in tokens {
            let key = features_of_token.key();
            self.rows.prefetch(key);
            self.keys.push(key);
        }
        let outside = self.number(model, &OUTSIDE, OUTSIDE.key(), || b"");
        self.of.clear();
        self.of.resize(FAR, outside);
        for (at, features_of_token) in tokens.iter().enumerate() {
            let row = self.number(model, features_of_token, self.keys[at], || folded(at));
            prefetch(&self.rows.all, row as usize);
            prefetch(&self.rows.all[row as usize].near, NEAR.len() - 1);
            self.of.push(row);
        }
        self.of.resize(self.of.len() + FAR, outside);
    }

    /// What single tokens say of one of the part.
    #[inline]
    pub(super) fn parts(&self, at: usize) -> Parts {
        let window: &[u32; 2 * FAR + 1] = self.of[at..=at + 2 * FAR].try_into().expect("as many as it has");
        let row = |place: usize| &self.rows.all[window[place] as usize];
        let (here, mut near, mut around) = (row(FAR), i16x8::ZERO, i16x8::ZERO);
        for far in 1..=NEAR.len() / 2 {
            let (before, after) = (NEAR.len() / 2 - far, NEAR.len() / 2 + far - 1);
            near = near.saturating_add(pair(row(FAR - far).near[before], row(FAR + far).near[after]));
        }
        for far in AROUND {
            around = around.saturating_add(pair(row(FAR - far).after, row(FAR + far).before));
        }
        let ([before, after], [one, mut around]) = (bytemuck::cast(near), bytemuck::cast(around));
        add(&mut around, one);
        [here.own, here.lists, before, after, around]
    }

    /// The number of the row of a token.
    #[inline]
    fn number<'a>(
        &mut self,
        model: &Model,
        features_of_token: &TokenFeatures,
        key: u64,
        folded: impl FnOnce() -> &'a [u8],
    ) -> u32 {
        match self.rows.find(key) {
            Some(row) => row,
            None => self.add(model, features_of_token, key, folded()),
        }
    }

    #[inline(never)]
    fn add(&mut self, model: &Model, features_of_token: &TokenFeatures, key: u64, folded: &[u8]) -> u32 {
        let words = self.word_sums(model, features_of_token, folded);
        let facts = self.fact_sums(model, features_of_token);
        let mut row =
            Row { own: words.own, lists: facts.lists, after: words.after, before: words.before, near: words.near };
        row.near.iter_mut().zip(facts.near).for_each(|(sum, more)| add(sum, more));
        if features_of_token.judged {
            add(&mut row.lists, sum(model, &mut self.features, |sink| features::measures(features_of_token, sink)));
        }
        self.rows.add(key, row)
    }

    fn word_sums(&mut self, model: &Model, token: &TokenFeatures, folded: &[u8]) -> WordSums {
        let key = token.word_key();
        if let Some(known) = self.words.find(key) {
            return self.words.all[known as usize];
        }
        let mut sums = WordSums::default();
        let sink = &mut self.features;
        if token.judged {
            sums.own = sum(model, sink, |sink| features::own(token, folded, sink));
        }
        sums.after = sum(model, sink, |sink| features::before(token, sink));
        sums.before = sum(model, sink, |sink| features::after(token, sink));
        sums.near = NEAR.map(|far| sum(model, sink, |sink| features::word_beside(token, far, sink)));
        self.words.add(key, sums);
        sums
    }

    fn fact_sums(&mut self, model: &Model, token: &TokenFeatures) -> FactSums {
        let key = token.facts_key();
        if let Some(known) = self.facts.find(key) {
            return self.facts.all[known as usize];
        }
        let mut sums = FactSums::default();
        let sink = &mut self.features;
        if token.judged {
            sums.lists = sum(model, sink, |sink| features::facts(token, sink));
        }
        sums.near = NEAR.map(|far| sum(model, sink, |sink| features::facts_beside(token, far, sink)));
        self.facts.add(key, sums);
        sums
    }
}

/// The sum of the weights of some features.
fn sum(model: &Model, features: &mut Vec<u64>, read: impl FnOnce(&mut Vec<u64>)) -> Sum {
    features.clear();
    read(features);
    model.sum(features)
}

/// Two sums that are added to others at once.
#[inline]
fn pair(one: Sum, other: Sum) -> i16x8 {
    bytemuck::cast([one, other])
}

/// Adds a sum to a sum.
#[inline]
fn add(sum: &mut Sum, more: Sum) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.saturating_add(more));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::hash::mix;

    fn token_features() -> Vec<TokenFeatures> {
        let features_of_token =
            |word| TokenFeatures { word, judged: true, is_word: true, width: 4, form: 2 + (word % 3) as u8, ..OUTSIDE };
        (0..9216_u64).map(|nth| features_of_token(mix(nth % 5000, 7, 7))).collect()
    }

    /// A model that weighs some features of these words.
    fn model(token_features: &[TokenFeatures], of: usize) -> Model {
        let mut features = Vec::new();
        for (nth, features_of_token) in token_features.iter().enumerate().filter(|(nth, _)| nth % of == 0) {
            features::own(features_of_token, b"rose", &mut features);
            features::after(features_of_token, &mut features);
            features::beside(features_of_token, NEAR[nth % NEAR.len()], &mut features);
        }
        let weights: Vec<_> = features.iter().map(|&hash| (hash, [hash as i8, 1, -2, (hash >> 9) as i8])).collect();
        Model::from_bytes(&Model::write(&weights, &[], "{}")).unwrap()
    }

    #[test]
    fn what_is_remembered_is_what_is_added_up() {
        let (token_features, mut rows) = (token_features(), Rows::default());
        for of in [3, 4] {
            let model = model(&token_features, of);
            rows.read(&model, &token_features, |_| b"rose");
            let sum = |read: &dyn Fn(&mut Vec<u64>)| {
                let mut features = Vec::new();
                read(&mut features);
                model.sum(&features)
            };
            let at = |at: usize, far: isize| {
                at.checked_add_signed(far).and_then(|at| token_features.get(at)).unwrap_or(&OUTSIDE)
            };
            for (nth, features_of_token) in token_features.iter().enumerate() {
                let mut expected = [[0; LABELS]; 5];
                expected[0] = sum(&|features| features::own(features_of_token, b"rose", features));
                expected[1] = sum(&|features| features::alone(features_of_token, features));
                for far in NEAR {
                    let part = if far < 0 { 2 } else { 3 };
                    add(&mut expected[part], sum(&|features| features::beside(at(nth, far), far, features)));
                }
                for far in AROUND.map(usize::cast_signed) {
                    add(&mut expected[4], sum(&|features| features::before(at(nth, -far), features)));
                    add(&mut expected[4], sum(&|features| features::after(at(nth, far), features)));
                }
                assert_eq!(rows.parts(nth), expected, "{nth}");
            }
        }
    }
}
