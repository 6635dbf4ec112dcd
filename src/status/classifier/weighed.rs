//! What single words, marks and phrases weigh by where they stand around a mention: added up before anything is judged.

use super::features::{self, NEAR, ROUGH, Sink, rough};
use super::model::{Scores, StatusModel};
use super::sentence_features::{Item, PHRASE, place, symbol};
use super::template::{Part, Reason, Side, Template};

/// What an item weighs at each distance, before and behind.
type Places = [[Scores; NEAR]; 2];

/// What a word weighs wherever it stands before or after a mention, by distance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Anywhere {
    pub(super) before: [Scores; ROUGH],
    pub(super) behind: [Scores; ROUGH],
}

/// The tables of a model.
#[derive(Clone, Debug)]
pub(super) struct Weighed {
    /// Of each stem, by its place.
    stems: Vec<Anywhere>,
    /// Of each stem, by its place, what it weighs in each part of a sentence.
    parts: Vec<[Scores; Part::ALL.len()]>,
    /// Of each word and mark, by its symbol.
    near: Vec<Places>,
    /// Of each stem, by its place, and after them of each phrase, what it weighs beside a mention and beside a list.
    kinds: Vec<[Places; 2]>,
}

/// How many numbers phrases may have.
const PHRASES: u32 = 1 << 8;

impl Weighed {
    pub(super) fn new(model: &StatusModel) -> Self {
        let [words, stems] = model.words().map(|list| list.count() as u16);
        let all = (0..symbol::OWN).chain(symbol::STEMS..symbol::STEMS + stems);
        let anywhere = |stem| Anywhere {
            before: std::array::from_fn(|rough| weights(model, features::single(false, stem, rough))),
            behind: std::array::from_fn(|rough| weights(model, features::single(true, stem, rough))),
        };
        let near = |symbol| places(|side, far| model.weights(features::near(side, far, symbol)));
        let kind = |kind| {
            [
                places(|side, far| model.weights(features::near_kind(side, far, kind))),
                places(|side, far| model.weights(features::beside_list(side, far, kind))),
            ]
        };
        Self {
            stems: all.clone().map(anywhere).collect(),
            parts: all.clone().map(|stem| Part::ALL.map(|part| model.weights(part.feature(stem)))).collect(),
            near: (0..symbol::WORDS + words).map(near).collect(),
            kinds: all.map(u32::from).chain((0..PHRASES).map(|phrase| PHRASE | phrase)).map(kind).collect(),
        }
    }

    /// What words before a mention weigh wherever they stand, the nearest first.
    #[inline]
    pub(super) fn before<'a>(&self, items: impl Iterator<Item = &'a Item>) -> Scores {
        let weights = items.enumerate().map(|(far, item)| self.stems[usize::from(item.place)].before[rough(far)]);
        weights.fold(Scores::default(), |sum, more| sum + more)
    }

    /// What those after it weigh.
    #[inline]
    pub(super) fn behind<'a>(&self, items: impl Iterator<Item = &'a Item>) -> Scores {
        let weights = items.enumerate().map(|(far, item)| self.stems[usize::from(item.place)].behind[rough(far)]);
        weights.fold(Scores::default(), |sum, more| sum + more)
    }

    /// What an item of some kind weighs beside a mention, and beside a list.
    #[inline]
    fn kind(&self, item: Item) -> &[Places; 2] {
        let place = match item.cue {
            0 if item.is(Item::TERM) => symbol::TERM.into(),
            0 => item.place.into(),
            cue => self.stems.len() + usize::from(cue),
        };
        &self.kinds[place]
    }
}

/// What something weighs at each place.
fn places(weigh: impl Fn(Side, usize) -> Scores) -> Places {
    Side::BOTH.map(|side| std::array::from_fn(|at| weigh(side, at + 1)))
}

/// The weights of some features together.
fn weights(model: &StatusModel, hashes: [u64; 2]) -> Scores {
    model.weights(hashes[0]) + model.weights(hashes[1])
}

/// For how many groups of features sums are remembered.
const GROUPS: usize = 1 << 11;

/// What features weigh together that hang on one key: the same comes again and again, from note to note.
#[derive(Clone, Debug, Default)]
pub(super) struct Remembered {
    /// Of which model.
    model: u64,
    /// The last key of each place, and the sum.
    sums: Vec<(Scores, u64)>,
}

impl Remembered {
    /// Forgets what another model said.
    pub(super) fn begin(&mut self, model: &StatusModel) {
        if self.model != model.number || self.sums.is_empty() {
            self.model = model.number;
            self.sums.clear();
            self.sums.resize(GROUPS, (Scores::default(), 0));
        }
    }

    /// Keeps a sum in place of another.
    #[cold]
    fn keep(&mut self, place: usize, sum: Scores, key: u64) {
        if let Some(kept) = self.sums.get_mut(place) {
            *kept = (sum, key);
        }
    }
}

/// Adds up what features weigh, apart by what people are told of them.
pub(super) struct Sum<'a> {
    pub(super) model: &'a StatusModel,
    pub(super) weighed: &'a Weighed,
    pub(super) remembered: &'a mut Remembered,
    pub(super) scores: [Scores; Reason::ALL.len()],
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, template: Template, hash: u64) {
        self.scores[template.reason() as usize] += self.model.weights(hash);
    }

    #[inline]
    fn together(&mut self, key: u64, reason: Reason, read: impl FnOnce(&mut Self)) {
        let place = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize % GROUPS;
        match self.remembered.sums.get(place) {
            Some(&(sum, known)) if known == key => self.scores[reason as usize] += sum,
            _ => {
                let before = self.scores[reason as usize];
                read(self);
                self.remembered.keep(place, self.scores[reason as usize] - before, key);
            }
        }
    }

    #[inline]
    fn part(&mut self, part: Part, stem: u16) {
        self.scores[part.template().reason() as usize] += self.weighed.parts[usize::from(place(stem))][part as usize];
    }

    #[inline]
    fn add_around_mention(&mut self, around: [[Item; NEAR]; 2]) {
        let Weighed { near, .. } = self.weighed;
        for side in Side::BOTH {
            let all = around[side as usize].into_iter().enumerate().map(|(at, item)| {
                near[usize::from(item.symbol)][side as usize][at] + self.weighed.kind(item)[0][side as usize][at]
            });
            self.scores[side.near().reason() as usize] += all.fold(Scores::default(), |sum, more| sum + more);
        }
    }

    #[inline]
    fn add_around_enumeration(&mut self, around: [[Item; NEAR]; 2]) {
        let mut sum = Scores::default();
        for side in Side::BOTH {
            let all = around[side as usize].into_iter().enumerate();
            sum = all.fold(sum, |sum, (at, item)| sum + self.weighed.kind(item)[1][side as usize][at]);
        }
        for at in 0..NEAR - 1 {
            sum += self.model.weights(features::list_two(around[Side::Before as usize], at));
        }
        self.scores[Reason::List as usize] += sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::classifier::sentence_features::{Mention, SentenceFeatures};

    /// Adds up each feature by itself.
    struct Plain<'a>(&'a StatusModel, [[i16; 8]; Reason::ALL.len()]);

    impl Sink for Plain<'_> {
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
        sentence_features.reset();
        let items = [
            item(symbol::WORDS, symbol::STEMS, 3, Item::PRONOUN),
            item(symbol::WORDS + 1, symbol::STEMS + 1, 0, Item::ELSE),
            item(comma, comma, 0, 0),
            item(symbol::TERM, symbol::TERM, 0, Item::TERM),
            item(symbol::WORDS + 1, symbol::STEMS + 1, 0, Item::PATIENT),
        ];
        for item in items {
            sentence_features.push(item);
        }
        sentence_features.mentions = vec![Mention { first: 3, last: 4, judged: true, ..Mention::default() }];
        let mut hashes: Vec<u64> = Vec::new();
        features::read(&sentence_features, 0, &mut hashes);
        let mut learned: Vec<(u64, [i8; 5])> =
            (1..).zip(&hashes).map(|(nth, &hash)| (hash, [nth, -nth, 1, 0, 2])).collect();
        learned.sort_unstable();
        learned.dedup_by_key(|&mut (hash, _)| hash);
        let words = [["no", "fever"], ["no", "fev"]].map(|list| list.map(str::to_owned));
        let file = StatusModel::write([&words[0], &words[1]], &learned, 11, [0; 5], "{}");
        let model = StatusModel::from_bytes(&file).unwrap();
        let mut expected = Plain(&model, [[0; 8]; Reason::ALL.len()]);
        features::sentence(&sentence_features, &mut expected);
        features::mention(&sentence_features, 0, &mut expected);
        let (weighed, mut remembered) = (Weighed::new(&model), Remembered::default());
        remembered.begin(&model);
        for read in ["added up", "remembered"] {
            let (remembered, scores) = (&mut remembered, Default::default());
            let mut sum = Sum { model: &model, weighed: &weighed, remembered, scores };
            features::sentence(&sentence_features, &mut sum);
            features::mention(&sentence_features, 0, &mut sum);
            assert_eq!(sum.scores.map(Scores::to_array), expected.1, "{read}");
        }
        assert!(expected.1.iter().all(|scores| *scores != [0; 8]));
    }
}
