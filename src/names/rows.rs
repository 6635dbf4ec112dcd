//! What single tokens weigh, added up once for each word: as itself, for its neighbours, and for those around.
//!
//! Words come again and again, so their sums are remembered from note to note. A sum is the same whether it is remembered or
//! not, and only sums and hashes are kept.

use wide::i16x8;

use super::context::{OUTSIDE, TokenFeatures};
use super::features::{self, AROUND, NEAR};
use super::model::Model;
use super::score::LABELS;
use crate::vocabulary::prefetch;

/// For each label a sum of weights.
pub(super) type Sum = [i16; LABELS];

/// How far from a token the furthest stands that counts.
const FAR: usize = *AROUND.end();
/// How many rows are remembered from one part of a note to the next.
const MOST: usize = 1 << 17;
/// For how many rows there are places at first.
const FEW: usize = 1 << 10;

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

/// Where a row stands.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    key: u64,
    /// One more than the number of the row; none has zero.
    row: u32,
}

/// What words weigh under one model.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// Which model.
    model: u64,
    all: Vec<Row>,
    /// A power of two of places; a row stands at the place of the highest bits of its key or after.
    places: Vec<Place>,
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
        if self.model != model.number() || self.all.len() > MOST || self.all.is_empty() {
            self.model = model.number();
            self.all.clear();
            self.places.clear();
            self.places.resize(2 * FEW, Place::default());
        }
        self.keys.clear();
        for features_of_token in tokens {
            let key = features_of_token.key();
            prefetch(&self.places, (key >> 32) as usize & (self.places.len() - 1));
            self.keys.push(key);
        }
        let outside = self.number(model, &OUTSIDE, OUTSIDE.key(), || b"");
        self.of.clear();
        self.of.resize(FAR, outside);
        for (at, features_of_token) in tokens.iter().enumerate() {
            let row = self.number(model, features_of_token, self.keys[at], || folded(at));
            prefetch(&self.all, row as usize);
            prefetch(&self.all[row as usize].near, NEAR.len() - 1);
            self.of.push(row);
        }
        self.of.resize(self.of.len() + FAR, outside);
    }

    /// What single tokens say of one of the part.
    #[inline]
    pub(super) fn parts(&self, at: usize) -> Parts {
        let window: &[u32; 2 * FAR + 1] = self.of[at..=at + 2 * FAR].try_into().expect("as many as it has");
        let row = |place: usize| &self.all[window[place] as usize];
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
        let place = self.place(key);
        match self.places[place].row {
            0 => self.add(model, features_of_token, key, folded()),
            row => row - 1,
        }
    }

    /// Where the row of a key stands, or would stand.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut place = (key >> 32) as usize & mask;
        while self.places[place].row != 0 && self.places[place].key != key {
            place = (place + 1) & mask;
        }
        place
    }

    #[inline(never)]
    fn add(&mut self, model: &Model, features_of_token: &TokenFeatures, key: u64, folded: &[u8]) -> u32 {
        let mut row = Row::default();
        if features_of_token.judged {
            row.own = self.sum(model, |features| features::own(features_of_token, folded, features));
            row.lists = self.sum(model, |features| features::alone(features_of_token, features));
        }
        row.after = self.sum(model, |features| features::before(features_of_token, features));
        row.before = self.sum(model, |features| features::after(features_of_token, features));
        for (far, sum) in NEAR.into_iter().zip(&mut row.near) {
            *sum = self.sum(model, |features| features::beside(features_of_token, far, features));
        }
        self.all.push(row);
        if 2 * self.all.len() > self.places.len() {
            let more = vec![Place::default(); 2 * self.places.len()];
            for old in std::mem::replace(&mut self.places, more).into_iter().filter(|old| old.row != 0) {
                let place = self.place(old.key);
                self.places[place] = old;
            }
        }
        let place = self.place(key);
        self.places[place] = Place { key, row: self.all.len() as u32 };
        self.all.len() as u32 - 1
    }

    fn sum(&mut self, model: &Model, read: impl FnOnce(&mut Vec<u64>)) -> Sum {
        self.features.clear();
        read(&mut self.features);
        model.sum(&self.features)
    }
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
        (0..9 * FEW as u64).map(|nth| features_of_token(mix(nth % 5000, 7, 7))).collect()
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
