//! What single tokens weigh, added up once for each word: as itself, for its neighbours, and for those around.
//!
//! Words come again and again, so their sums are remembered from note to note. A sum is the same whether it is remembered or
//! not, and only sums and hashes are kept.

use super::context::{OUTSIDE, TokenFeatures};
use super::features::{self, AROUND, NEAR};
use super::memo::Memo;
use super::model::{Adder, Model};
use super::score::LABELS;
use crate::vocabulary::prefetch;

/// For each label a sum of weights.
pub(super) type Sum = [i16; LABELS];

/// How far from a token the furthest stands that counts.
const FAR: usize = *AROUND.end();
/// One more than how far what a token says of others reaches, on both sides.
const MARGIN: usize = FAR + 1;
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
    /// What is said of each, with a margin on both sides.
    parts: Vec<Parts>,
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
        self.add_up();
    }

    /// Gives each token what it says by itself and what others say of it: each row is read once.
    fn add_up(&mut self) {
        let Self { rows, of, parts, .. } = self;
        parts.clear();
        parts.resize(of.len() + 2 * MARGIN, Parts::default());
        for (at, &row) in of.iter().enumerate() {
            let row = &rows.all[row as usize];
            let Some(window) = parts[at..].first_chunk_mut::<{ 2 * MARGIN + 1 }>() else { break };
            (window[MARGIN][0], window[MARGIN][1]) = (row.own, row.lists);
            for far in 1..=NEAR.len() / 2 {
                let (before, after) = (NEAR.len() / 2 - far, NEAR.len() / 2 + far - 1);
                add(&mut window[MARGIN + far][2], row.near[before]);
                add(&mut window[MARGIN - far][3], row.near[after]);
            }
            // What a word says of those around begins here and ends there; below, all is added up from left to right.
            let (nearest, furthest) = (*AROUND.start(), *AROUND.end());
            add(&mut window[MARGIN + nearest][4], row.after);
            subtract(&mut window[MARGIN + furthest + 1][4], row.after);
            add(&mut window[MARGIN - furthest][4], row.before);
            subtract(&mut window[MARGIN - nearest + 1][4], row.before);
        }
        let mut around = Sum::default();
        for part in parts {
            add(&mut around, part[4]);
            part[4] = around;
        }
    }

    /// What single tokens say of one of the part.
    #[inline]
    pub(super) fn parts(&self, at: usize) -> &Parts {
        &self.parts[at + FAR + MARGIN]
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
            add(&mut row.lists, sum(model, |sink| features::measures(features_of_token, sink)));
        }
        self.rows.add(key, row)
    }

    fn word_sums(&mut self, model: &Model, token: &TokenFeatures, folded: &[u8]) -> WordSums {
        let key = token.word_key();
        if let Some(known) = self.words.find(key) {
            return self.words.all[known as usize];
        }
        let mut sums = WordSums::default();
        if token.judged {
            sums.own = sum(model, |sink| features::own(token, folded, sink));
        }
        sums.after = sum(model, |sink| features::before(token, sink));
        sums.before = sum(model, |sink| features::after(token, sink));
        sums.near = NEAR.map(|far| sum(model, |sink| features::word_beside(token, far, sink)));
        self.words.add(key, sums);
        sums
    }

    fn fact_sums(&mut self, model: &Model, token: &TokenFeatures) -> FactSums {
        let key = token.facts_key();
        if let Some(known) = self.facts.find(key) {
            return self.facts.all[known as usize];
        }
        let mut sums = FactSums::default();
        if token.judged {
            sums.lists = sum(model, |sink| features::facts(token, sink));
        }
        sums.near = NEAR.map(|far| sum(model, |sink| features::facts_beside(token, far, sink)));
        self.facts.add(key, sums);
        sums
    }
}

/// The sum of the weights of some features.
fn sum(model: &Model, read: impl FnOnce(&mut Adder<'_>)) -> Sum {
    let mut adder = model.adder();
    read(&mut adder);
    adder.sums()
}

/// Adds a sum to a sum. Some hundred weights of a byte never come near what 16 bits hold.
#[inline]
fn add(sum: &mut Sum, more: Sum) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.wrapping_add(more));
}

/// Takes a sum from a sum.
#[inline]
fn subtract(sum: &mut Sum, less: Sum) {
    sum.iter_mut().zip(less).for_each(|(sum, less)| *sum = sum.wrapping_sub(less));
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
                assert_eq!(*rows.parts(nth), expected, "{nth}");
            }
        }
    }
}
