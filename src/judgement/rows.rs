//! What single tokens weigh, added up once for each word: as itself, beside others of each class, and around.
//!
//! Words come again and again, so their sums are remembered from note to note. A sum is the same whether it is remembered or
//! not, and only sums and hashes are kept.

use wide::i16x8;

use super::context::Sight;
use super::features::{self, AROUND, NEAR};
use super::hash::mix;
use super::model::Model;
use super::score::LABELS;

/// For each label a sum of weights.
pub(super) type Sum = [i16; LABELS];

/// How many words are remembered; powers of two.
const WORDS: usize = 1 << 14;
const NEIGHBOURS: usize = 1 << 15;

/// What a token weighs by itself, and for those further away.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Alone {
    key: u64,
    pub(super) own: Sum,
    pub(super) lists: Sum,
    pub(super) around: Around,
}

/// What a token weighs for those behind it, and for those before it.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
pub(super) struct Around(pub(super) [i16; 2 * LABELS]);

/// What a token weighs for neighbours of one class, by how far they are.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Beside {
    key: u64,
    sums: [Sum; NEAR.len()],
    /// Which of them are added up.
    known: u8,
}

/// What words weigh under one model.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// Which model.
    model: u64,
    alone: Vec<Alone>,
    beside: Vec<Beside>,
    features: Vec<u64>,
}

impl Rows {
    /// Forgets what was learned from another model.
    pub(super) fn begin(&mut self, model: &Model) {
        if self.model != model.number() || self.alone.is_empty() {
            self.model = model.number();
            self.alone.clear();
            self.alone.resize(WORDS, Alone::default());
            self.beside.clear();
            self.beside.resize(NEIGHBOURS, Beside::default());
        }
    }

    /// What a token weighs by itself.
    #[inline]
    pub(super) fn alone(&mut self, model: &Model, sight: &Sight, key: u64, folded: &[u8]) -> &Alone {
        let key = mix(key, sight.shape(), u64::from(sight.sentence_start)) | 1;
        let mut place = (key >> 32) as usize % WORDS;
        if self.alone[place].key != key {
            // Of two words with one place the later has it, the other the place beside.
            if self.alone[place ^ 1].key == key {
                place ^= 1;
            } else {
                self.alone[place ^ 1] = self.alone[place];
                self.alone[place] = self.add_up(model, sight, key, folded);
            }
        }
        &self.alone[place]
    }

    #[inline(never)]
    fn add_up(&mut self, model: &Model, sight: &Sight, key: u64, folded: &[u8]) -> Alone {
        let mut all = Alone { key, ..Alone::default() };
        if sight.judged {
            all.own = self.sum(model, |features| features::own(sight, folded, features));
            all.lists = self.sum(model, |features| features::alone(sight, features));
        }
        let before = self.sum(model, |features| features::before(sight, features));
        let behind = self.sum(model, |features| features::behind(sight, features));
        all.around.0[..LABELS].copy_from_slice(&before);
        all.around.0[LABELS..].copy_from_slice(&behind);
        all
    }

    /// What a token weighs for one of a class that stands `NEAR[nth]` from where the latter sees it.
    #[inline]
    pub(super) fn beside(
        &mut self,
        model: &Model,
        (there, key): (&Sight, u64),
        nth: usize,
        other_line: bool,
        class: u8,
    ) -> Sum {
        let key = mix(key, u64::from(class) << 1 | u64::from(other_line), 1) | 1;
        let mut place = (key >> 32) as usize % NEIGHBOURS;
        if self.beside[place].key != key {
            if self.beside[place ^ 1].key == key {
                place ^= 1;
            } else {
                self.beside[place ^ 1] = self.beside[place];
                self.beside[place] = Beside { key, ..Beside::default() };
            }
        }
        let beside = &self.beside[place];
        if beside.known >> nth & 1 != 0 {
            return beside.sums[nth];
        }
        let sum = self.sum(model, |features| features::beside(there, NEAR[nth], other_line, class, features));
        let beside = &mut self.beside[place];
        beside.known |= 1 << nth;
        beside.sums[nth] = sum;
        sum
    }

    fn sum(&mut self, model: &Model, read: impl FnOnce(&mut Vec<u64>)) -> Sum {
        self.features.clear();
        read(&mut self.features);
        model.sum(&self.features)
    }
}

/// What is said by those in a window of [`FAR`] tokens on both sides of one.
#[inline]
pub(super) fn around(window: &[Around]) -> Sum {
    let (mut before, mut behind) = (i16x8::ZERO, i16x8::ZERO);
    for far in AROUND {
        if let (Some(one), Some(other)) = (window.get(FAR - far), window.get(FAR + far)) {
            before = before.saturating_add(i16x8::from(one.0));
            behind = behind.saturating_add(i16x8::from(other.0));
        }
    }
    let (before, behind) = (before.to_array(), behind.to_array());
    std::array::from_fn(|label| before[label].saturating_add(behind[LABELS + label]))
}

/// How far from a token the furthest stands that counts.
pub(super) const FAR: usize = *AROUND.end();

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::context::OUTSIDE;

    fn sights() -> Vec<Sight> {
        let sight = |word| Sight { word, judged: true, is_word: true, width: 4, form: 2 + (word % 3) as u8, ..OUTSIDE };
        (0..3 * WORDS as u64).map(|nth| sight(mix(nth % 5000, 7, 7))).collect()
    }

    /// A model that weighs some features of these words.
    fn model(sights: &[Sight], of: usize) -> Model {
        let mut features = Vec::new();
        for (nth, sight) in sights.iter().enumerate().filter(|(nth, _)| nth % of == 0) {
            features::own(sight, b"rose", &mut features);
            features::behind(sight, &mut features);
            features::beside(sight, NEAR[nth % NEAR.len()], false, 3, &mut features);
        }
        let weights: Vec<_> = features.iter().map(|&hash| (hash, [hash as i8, 1, -2, (hash >> 9) as i8])).collect();
        Model::from_bytes(&Model::write(&weights, &[], "{}")).unwrap()
    }

    #[test]
    fn what_is_remembered_is_what_is_added_up() {
        let (sights, mut rows) = (sights(), Rows::default());
        for of in [3, 4] {
            let model = model(&sights, of);
            rows.begin(&model);
            let sum = |read: &dyn Fn(&mut Vec<u64>)| {
                let mut features = Vec::new();
                read(&mut features);
                model.sum(&features)
            };
            for (nth, sight) in sights.iter().enumerate() {
                let alone = *rows.alone(&model, sight, sight.key(), b"rose");
                assert_eq!(alone.own, sum(&|features| features::own(sight, b"rose", features)), "{nth}");
                assert_eq!(alone.lists, sum(&|features| features::alone(sight, features)), "{nth}");
                let behind = sum(&|features| features::behind(sight, features));
                assert_eq!(alone.around.0[LABELS..], behind, "{nth}");
                let far = nth % NEAR.len();
                let beside = rows.beside(&model, (sight, sight.key()), far, false, 3);
                assert_eq!(beside, sum(&|features| features::beside(sight, NEAR[far], false, 3, features)), "{nth}");
            }
        }
    }

    #[test]
    fn those_around_count_by_their_side() {
        let mut window = [Around::default(); 2 * FAR + 1];
        for (nth, around) in (0..).zip(&mut window) {
            around.0 = [nth, 0, 0, 0, 0, 100 * nth, 0, 0];
        }
        // Before: 4 to 7 tokens back, that is the places 3 to 0; behind: the places 11 to 14.
        assert_eq!(super::around(&window), [3 + 2 + 1, 100 * (11 + 12 + 13 + 14), 0, 0]);
    }
}
