//! Judges by a trained model what a text says of its terms, with what cues say of them as a part of what is seen.
//!
//! A list of cues grows by what was read, and mends nothing that was not: whether "worried about" speaks of the patient's fear,
//! of what may come or of what is there, hangs on the words around, which are many and each rare. So five sums of weights, one
//! a status, judge each mention from cues, words, the list in which it stands, headings and persons. Weights are whole numbers:
//! every machine says the same.
//!
//! `read` puts a sentence into numbers (`scene`), `features` makes features of them, `model` has their weights, `train`
//! learns them.

mod features;
use crate::judgement::hash;
mod model;
mod read;
mod scene;
mod train;

pub use model::StatusModel;
pub(crate) use read::UNLISTED;
pub(crate) use train::Row;
pub use train::{Judged, Passage, StatusOptions, StatusTrainer};

use super::Said;
use super::cues::{CueText, Text};
use super::status::Status;
use crate::vocabulary::Vocabulary;
use features::{FAR, ROUGH, Sink, Template, rough};
use model::{LABELS, Scores};
use read::Words;
pub(super) use read::Sentence;
use scene::{Mention, Scene, symbol};

/// The longest sentence that is judged, in tokens: of a longer one cues alone say something.
const LONGEST: usize = 4096;

/// What a word weighs wherever it stands before or behind a mention, by distance.
#[derive(Clone, Copy, Debug, Default)]
struct Weighed {
    before: [[i16; LABELS]; ROUGH],
    behind: [[i16; LABELS]; ROUGH],
}

/// A model, for one vocabulary.
#[derive(Clone, Debug)]
pub(super) struct Judge {
    model: StatusModel,
    vocabulary: Vocabulary,
    words: Words,
    /// Of each stem, by its place, what it weighs.
    weighed: Vec<Weighed>,
    /// What people are told, by template.
    reasons: Vec<CueText>,
}

/// Room that is used again from note to note.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    scene: Scene,
    /// Weights of pairs of words up to each item, before and behind a mention.
    pairs: Vec<[Scores; 2]>,
    /// What was read, for those who learn: the first term of each sentence, and the sentence.
    kept: Option<Vec<(usize, Scene)>>,
}

/// The place of a stem among those that are weighed.
const fn place(stem: u16) -> usize {
    if stem < symbol::STEMS { stem as usize } else { (stem - symbol::STEMS + symbol::OWN) as usize }
}

/// Adds up what features weigh.
struct Sum<'a> {
    model: &'a StatusModel,
    scores: Scores,
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, _: Template, hash: u64) {
        self.model.add(&mut self.scores, hash);
    }
}

/// Adds up by template what features weigh for one status.
struct Reasons<'a> {
    model: &'a StatusModel,
    status: usize,
    sums: [i32; Template::ALL.len()],
}

impl Sink for Reasons<'_> {
    fn add(&mut self, template: Template, hash: u64) {
        let weight = self.model.weights(hash).map_or(0, |weights| weights[self.status]);
        self.sums[template as usize] += i32::from(weight);
    }
}

impl Judge {
    pub(super) fn new(model: StatusModel, vocabulary: &Vocabulary) -> Self {
        let [words, stems] = model.words();
        let words = Words::new(vocabulary, words, stems);
        let all = (0..symbol::OWN).chain(symbol::STEMS..symbol::STEMS + model.words()[1].by_ref().count() as u16);
        let weighed = all.map(|stem| Weighed {
            before: std::array::from_fn(|rough| weights(&model, features::single(false, stem, rough))),
            behind: std::array::from_fn(|rough| weights(&model, features::single(true, stem, rough))),
        });
        let weighed = weighed.collect();
        let reasons = Template::ALL.iter().map(|template| CueText::new(template.says())).collect();
        Self { words, weighed, reasons, model, vocabulary: vocabulary.clone() }
    }

    /// The digest of the model.
    pub(super) fn digest(&self) -> &str {
        self.model.digest()
    }

    /// Judges the terms of a sentence, of which cues said something already.
    pub(super) fn judge(&self, sentence: &Sentence<'_>, term: usize, room: &mut Room, out: &mut [Said]) {
        let Room { scene, pairs, kept } = room;
        if sentence.tokens.len() > LONGEST {
            return;
        }
        read::read(&self.words, &self.vocabulary, sentence, out, scene);
        if let Some(kept) = kept {
            kept.push((term, scene.clone()));
            return;
        }
        if !scene.mentions.iter().any(|mention| mention.judged) {
            return;
        }
        let mut shared = Sum { model: &self.model, scores: [0; LABELS] };
        features::sentence(scene, &mut shared);
        self.add_pairs(scene, pairs);
        for (nth, &mention) in scene.mentions.iter().enumerate().filter(|(_, mention)| mention.judged) {
            let mut sum = Sum { model: &self.model, scores: shared.scores };
            features::mention(scene, nth, &mut sum);
            self.add_words(scene, mention, pairs, &mut sum.scores);
            self.say(scene, nth, sum.scores, &mut out[usize::from(mention.term)]);
        }
    }

    /// Goes on behind a sentence.
    pub(super) fn pass(
        &self,
        text: Text<'_>,
        tokens: std::ops::Range<usize>,
        terms: usize,
        section: Status,
        room: &mut Room,
    ) {
        room.scene.pass(section.bits());
        room.scene.lead.apart |= read::apart(text, tokens.start);
        if let Some(lead) = read::lead(&self.words, text, tokens, terms == 0) {
            room.scene.lead = lead;
        }
    }

    /// Adds up what pairs of words weigh, from the beginning of the sentence to each item.
    fn add_pairs(&self, scene: &Scene, pairs: &mut Vec<[Scores; 2]>) {
        pairs.clear();
        let mut sums = [[0; LABELS]; 2];
        pairs.push(sums);
        let mut before = symbol::NONE;
        for (at, item) in scene.items.iter().enumerate() {
            let behind = scene.items.get(at + 1).map_or(symbol::NONE, |item| item.stem);
            self.model.add(&mut sums[0], features::pair(false, before, item.stem));
            self.model.add(&mut sums[1], features::pair(true, item.stem, behind));
            pairs.push(sums);
            before = item.stem;
        }
    }

    /// Adds what words weigh wherever they stand; the same as their features.
    fn add_words(&self, scene: &Scene, mention: Mention, pairs: &[[Scores; 2]], scores: &mut Scores) {
        let (first, last) = (usize::from(mention.first), usize::from(mention.last));
        let (from, to) = (first.saturating_sub(FAR), scene.items.len().min(last + FAR));
        let mut add = |weights: &[i16; LABELS]| {
            scores.iter_mut().zip(weights).for_each(|(score, &weight)| *score += i32::from(weight));
        };
        for (far, item) in scene.items[from..first].iter().rev().enumerate() {
            add(&self.weighed[place(item.stem)].before[rough(far)]);
        }
        for (far, item) in scene.items[last..to].iter().enumerate() {
            add(&self.weighed[place(item.stem)].behind[rough(far)]);
        }
        for (status, score) in scores.iter_mut().enumerate() {
            *score += pairs[first][0][status] - pairs[from][0][status];
            *score += pairs[to][1][status] - pairs[last][1][status];
        }
    }

    /// Says what the scores say, with a cue as its reason where one says the same.
    fn say(&self, scene: &Scene, nth: usize, scores: Scores, said: &mut Said) {
        for (place, score) in scores.into_iter().enumerate() {
            let has = said.status.has(Status::at(place));
            match score > i32::from(self.model.thresholds[place]) {
                true if !has => said.add(place, self.reason(scene, nth, place)),
                false if has => said.remove(place),
                _ => {}
            }
        }
    }

    /// What weighed most.
    #[cold]
    fn reason(&self, scene: &Scene, nth: usize, status: usize) -> CueText {
        let mut reasons = Reasons { model: &self.model, status, sums: [0; Template::ALL.len()] };
        features::read(scene, nth, &mut reasons);
        // Templates that are told by the same words count together.
        let all = Template::ALL.iter().map(|template| {
            let same = Template::ALL.iter().filter(|other| other.says() == template.says());
            (same.map(|&other| reasons.sums[other as usize]).sum::<i32>(), *template as usize)
        });
        let most = all.max_by_key(|&(sum, template)| (sum, std::cmp::Reverse(template)));
        most.and_then(|(_, template)| self.reasons.get(template)).copied().unwrap_or_default()
    }
}

impl Room {
    /// Begins a note.
    pub(super) fn reset(&mut self) {
        self.scene.reset();
    }

    /// Keeps what is read instead of judging it.
    pub(super) fn keeping() -> Self {
        Self { kept: Some(Vec::new()), ..Self::default() }
    }

    /// What was kept: of each term that is judged its features.
    pub(super) fn features(self) -> Vec<(usize, Vec<u64>)> {
        let kept = self.kept.unwrap_or_default();
        let of_scene = |(term, scene): (usize, Scene)| {
            let judged: Vec<usize> = (0..scene.mentions.len()).filter(|&nth| scene.mentions[nth].judged).collect();
            judged.into_iter().map(move |nth| {
                let mut features = Vec::new();
                features::read(&scene, nth, &mut features);
                (term + usize::from(scene.mentions[nth].term), features)
            })
        };
        kept.into_iter().flat_map(of_scene).collect()
    }
}

/// The weights of some features together.
fn weights(model: &StatusModel, hashes: [u64; 2]) -> [i16; LABELS] {
    let mut scores = [0; LABELS];
    hashes.iter().for_each(|&hash| model.add(&mut scores, hash));
    scores.map(|score| score as i16)
}
