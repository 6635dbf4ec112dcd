//! What single words, marks and phrases weigh by where they stand around a mention: added up before anything is judged.

use super::features::{self, NEAR, PHRASE, ROUGH, Sink};
use super::model::{Scores, StatusModel};
use super::scene::symbol;
use super::template::{Reason, Side, Template};

/// What an item weighs at each distance, before and behind.
type Places = [[Scores; NEAR]; 2];

/// What a word weighs wherever it stands before or behind a mention, by distance.
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
    /// Of each word and mark, by its symbol.
    near: Vec<Places>,
    /// Of each stem, by its place, and behind them of each phrase, what it weighs beside a mention and beside a list.
    kinds: Vec<[Places; 2]>,
}

/// How many numbers phrases may have.
const PHRASES: u32 = 1 << 8;

/// The place of a stem among those that are weighed.
const fn place(stem: u16) -> usize {
    if stem < symbol::STEMS { stem as usize } else { (stem - symbol::STEMS + symbol::OWN) as usize }
}

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
            near: (0..symbol::WORDS + words).map(near).collect(),
            kinds: all.map(u32::from).chain((0..PHRASES).map(|phrase| PHRASE | phrase)).map(kind).collect(),
        }
    }

    /// What a stem weighs wherever it stands.
    #[inline]
    pub(super) fn anywhere(&self, stem: u16) -> &Anywhere {
        &self.stems[place(stem)]
    }

    /// What an item of some kind weighs beside a mention, and beside a list.
    #[inline]
    fn kind(&self, kind: u32) -> &[Places; 2] {
        let place = if kind < PHRASE { place(kind as u16) } else { self.stems.len() + (kind - PHRASE) as usize };
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

/// Adds up what features weigh, apart by what people are told of them.
#[derive(Clone, Copy)]
pub(super) struct Sum<'a> {
    pub(super) model: &'a StatusModel,
    pub(super) weighed: &'a Weighed,
    pub(super) scores: [Scores; Reason::SAYS.len()],
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, template: Template, hash: u64) {
        self.scores[template.reason() as usize] += self.model.weights(hash);
    }

    #[inline]
    fn near(&mut self, side: Side, far: usize, symbol: u16) {
        self.scores[side.near().reason() as usize] += self.weighed.near[usize::from(symbol)][side as usize][far - 1];
    }

    #[inline]
    fn near_kind(&mut self, side: Side, far: usize, kind: u32) {
        self.scores[side.near().reason() as usize] += self.weighed.kind(kind)[0][side as usize][far - 1];
    }

    #[inline]
    fn beside_list(&mut self, side: Side, far: usize, kind: u32) {
        self.scores[side.list().reason() as usize] += self.weighed.kind(kind)[1][side as usize][far - 1];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concepts::context::judged::scene::{Item, Mention, Scene};

    #[test]
    fn tables_say_what_features_weigh() {
        let item = |symbol, stem, cue, flags| Item { symbol, stem, cue, flags };
        let comma = u16::from(b',');
        let mut scene = Scene::default();
        scene.reset();
        scene.items = vec![
            item(symbol::WORDS, symbol::STEMS, 3, 0),
            item(comma, comma, 0, 0),
            item(symbol::TERM, symbol::TERM, 0, Item::TERM),
            item(symbol::WORDS + 1, symbol::STEMS + 1, 0, 0),
        ];
        scene.phrases = vec![0];
        scene.mentions = vec![Mention { first: 2, last: 3, judged: true, ..Mention::default() }];
        let mut hashes: Vec<u64> = Vec::new();
        features::mention(&scene, 0, &mut hashes);
        let mut learned: Vec<(u64, [i8; 5])> =
            (1..).zip(&hashes).map(|(nth, &hash)| (hash, [nth, -nth, 1, 0, 2])).collect();
        learned.sort_unstable();
        learned.dedup_by_key(|&mut (hash, _)| hash);
        let words = [["no", "fever"], ["no", "fev"]].map(|list| list.map(str::to_owned));
        let file = StatusModel::write([&words[0], &words[1]], &learned, 11, [0; 5], "{}");
        let model = StatusModel::from_bytes(&file).unwrap();
        let expected = hashes.iter().fold(Scores::default(), |sum, &hash| sum + model.weights(hash));
        let mut sum = Sum { model: &model, weighed: &Weighed::new(&model), scores: Default::default() };
        features::mention(&scene, 0, &mut sum);
        let found = sum.scores.into_iter().fold(Scores::default(), |sum, scores| sum + scores);
        assert_eq!(found.to_array(), expected.to_array());
        assert_ne!(expected.to_array(), [0; 8]);
    }
}
