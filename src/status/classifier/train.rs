//! Learns what notes say of their concepts from marked passages: a logistic regression a status, by adaptive gradients.
//!
//! Thresholds are chosen by other passages, which have statuses as often as notes have. Those from which weights are learned are
//! written to show statuses: by them too much would be said.

use std::collections::{BTreeMap, HashMap};

use super::super::Status;
use super::model::{LABELS, StatusModel};
use crate::error::Result;
use crate::linear::rng::Rng;
use crate::text::span::Span;

/// What a weight of 1 is as a whole number.
const ONE: f32 = 32.0;
/// How many passages in a row are in one part.
const BLOCK: usize = 8;

/// A text, and the terms in it with what it says of them.
#[derive(Clone, Debug)]
pub struct Passage {
    /// The text.
    pub text: String,
    /// Terms in bytes of the text; affirmed and the patient's own is the empty set.
    pub marks: Vec<(Span, Status)>,
}

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub struct StatusOptions {
    /// How often all passages are read.
    pub rounds: u32,
    /// The first step of each weight.
    pub rate: f32,
    /// How strongly weights are drawn to zero.
    pub decay: f32,
    /// In how many of a thousand readings a feature is left out.
    pub without: u64,
    /// In how many passages a word and a feature must occur.
    pub passages: u32,
    /// Of how many models with other chance the mean is taken.
    pub models: u64,
    /// Into how many parts the passages are divided to choose thresholds.
    pub parts: usize,
    /// At most two to the power of this many buckets of features are written.
    pub buckets: u32,
    /// Where chance begins.
    pub seed: u64,
}

impl Default for StatusOptions {
    fn default() -> Self {
        Self { rounds: 20, rate: 0.1, decay: 0.5, without: 300, passages: 2, models: 4, parts: 5, buckets: 13, seed: 1 }
    }
}

/// A mention that is judged, with its features.
#[derive(Debug)]
pub(crate) struct Row {
    /// The mark that it overlaps: its place among those of the passage, and what it says.
    pub(crate) mark: usize,
    pub(crate) gold: Status,
    /// What cues say.
    pub(crate) cues: Status,
    pub(crate) features: Vec<u64>,
}

/// What is said of a mark by those who did not learn from its passage.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// The passage, by its place.
    pub passage: usize,
    /// What it says.
    pub gold: Status,
    /// What cues say.
    pub cues: Status,
    /// What the model says.
    pub model: Status,
}

/// Learns from marked passages.
#[derive(Debug)]
pub struct StatusTrainer {
    options: StatusOptions,
    words: Vec<String>,
    stems: Vec<String>,
    /// Of each mention its passage, its mark, and what it says.
    rows: Vec<(usize, Row)>,
    /// The mentions by which thresholds are chosen.
    usual: Vec<Row>,
    /// Features of each mention, by number, and the hashes of the numbers.
    features: Vec<Vec<u32>>,
    hashes: Vec<u64>,
}

/// What a feature weighs.
#[derive(Clone, Copy, Default)]
struct Weight {
    value: [f32; LABELS],
    squares: [f32; LABELS],
}

impl StatusTrainer {
    /// Takes what was read of passages: of each mention its passage and what is seen of it; and the words and stems that count.
    pub(crate) fn of_rows(
        rows: Vec<(usize, Row)>,
        usual: Vec<Row>,
        [words, stems]: [Vec<String>; 2],
        options: StatusOptions,
    ) -> Self {
        let mut trainer = Self { options, words, stems, rows, usual, features: Vec::new(), hashes: Vec::new() };
        trainer.number();
        trainer
    }

    /// A model that knows words and has no weights: it sees what is to be learned from.
    pub(crate) fn reader([words, stems]: [&[String]; 2]) -> Result<StatusModel> {
        StatusModel::from_bytes(&StatusModel::write([words, stems], &[], 0, [0; LABELS], "{}"))
    }

    /// Numbers features, and forgets those of too few passages.
    fn number(&mut self) {
        let mut counts: HashMap<u64, (u32, usize)> = HashMap::new();
        for (passage, row) in &self.rows {
            for &feature in &row.features {
                let (count, last) = counts.entry(feature).or_insert((0, usize::MAX));
                *count += u32::from(*last != *passage);
                *last = *passage;
            }
        }
        let mut numbers: HashMap<u64, u32> = HashMap::new();
        for (_, row) in &self.rows {
            let stays = row.features.iter().filter(|feature| counts[feature].0 >= self.options.passages);
            let numbered = stays.map(|&feature| {
                *numbers.entry(feature).or_insert_with(|| {
                    self.hashes.push(feature);
                    self.hashes.len() as u32 - 1
                })
            });
            self.features.push(numbered.collect());
        }
    }

    /// The part of a mention.
    fn part(&self, row: usize) -> usize {
        self.rows[row].0 / BLOCK % self.options.parts
    }

    /// What each mention scores by what others teach than its part.
    fn scores(&self) -> Vec<[f32; LABELS]> {
        let mut scores = vec![[0.0; LABELS]; self.rows.len()];
        for part in 0..self.options.parts {
            let (held, learned): (Vec<usize>, Vec<usize>) =
                (0..self.rows.len()).partition(|&row| self.part(row) == part);
            let features = self.ranked(&learned);
            let weights: HashMap<u64, [i8; LABELS]> = features.into_iter().collect();
            for row in held {
                for feature in &self.features[row] {
                    if let Some(weights) = weights.get(&self.hashes[*feature as usize]) {
                        let pairs = scores[row].iter_mut().zip(weights);
                        pairs.for_each(|(score, &weight)| *score += f32::from(weight) / ONE);
                    }
                }
            }
        }
        scores
    }

    /// The mean of some models of some mentions.
    fn fit(&self, rows: &[usize]) -> Vec<[f32; LABELS]> {
        let mut mean = vec![[0.0; LABELS]; self.hashes.len()];
        for nth in 0..self.options.models {
            for (mean, weight) in mean.iter_mut().zip(self.fit_one(rows, self.options.seed + nth)) {
                let pairs = mean.iter_mut().zip(weight.value);
                pairs.for_each(|(mean, value)| *mean += value / self.options.models as f32);
            }
        }
        mean
    }

    fn fit_one(&self, rows: &[usize], seed: u64) -> Vec<Weight> {
        let StatusOptions { rounds, rate, decay, without, .. } = self.options;
        let counts = self.counts(rows);
        let mut weights = vec![Weight::default(); self.hashes.len()];
        let (mut order, mut chance, mut kept) = (rows.to_vec(), Rng::new(seed), Vec::new());
        for round in 0..rounds {
            for at in (1..order.len()).rev() {
                order.swap(at, (chance.next() % (at as u64 + 1)) as usize);
            }
            let rate = rate / (1.0 + 0.3 * round as f32);
            for &row in &order {
                kept.clear();
                kept.extend(self.features[row].iter().copied().filter(|_| chance.next() % 1000 >= without));
                let mut scores = [0.0; LABELS];
                for &feature in &kept {
                    let pairs = scores.iter_mut().zip(weights[feature as usize].value);
                    pairs.for_each(|(score, value)| *score += value);
                }
                for (status, score) in scores.into_iter().enumerate() {
                    let gold = f32::from(u8::from(self.rows[row].1.gold.has(Status::at(status))));
                    let gradient = 1.0 / (1.0 + f32::exp(-score)) - gold;
                    // What is judged right already teaches nothing.
                    if gradient.abs() < 0.002 {
                        continue;
                    }
                    for &feature in &kept {
                        let weight = &mut weights[feature as usize];
                        let value = &mut weight.value[status];
                        let gradient = gradient + decay / counts[feature as usize] as f32 * *value;
                        weight.squares[status] += gradient * gradient;
                        *value -= rate * gradient / (weight.squares[status].sqrt() + 1e-3);
                    }
                }
            }
        }
        weights
    }

    /// In how many passages each feature occurs.
    fn counts(&self, rows: &[usize]) -> Vec<u32> {
        let mut counts = vec![(0, usize::MAX); self.hashes.len()];
        for &row in rows {
            for &feature in &self.features[row] {
                let (count, last) = &mut counts[feature as usize];
                *count += u32::from(*last != self.rows[row].0);
                *last = self.rows[row].0;
            }
        }
        counts.into_iter().map(|(count, _)| count.max(1)).collect()
    }

    /// What some mentions teach, in whole numbers, the most important features first, as many as are written.
    fn ranked(&self, rows: &[usize]) -> Vec<(u64, [i8; LABELS])> {
        let counts = self.counts(rows);
        let weights = self.fit(rows);
        let mut ranked: Vec<(f32, u64, [i8; LABELS])> = Vec::new();
        for ((&hash, weights), &count) in self.hashes.iter().zip(weights).zip(&counts) {
            let whole = weights.map(|weight| (weight * ONE).round().clamp(-127.0, 127.0) as i8);
            let most = weights.iter().fold(0.0_f32, |most, weight| most.max(weight.abs()));
            if whole != [0; LABELS] {
                ranked.push((most * (count as f32).sqrt(), hash, whole));
            }
        }
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        ranked.truncate(8 << self.options.buckets);
        ranked.into_iter().map(|(_, hash, weights)| (hash, weights)).collect()
    }

    /// For each mark of the passages what is said of it by what other passages teach. The thresholds are those of all.
    pub fn folds(&self) -> Vec<Judged> {
        let scores = self.scores();
        let all: Vec<usize> = (0..self.rows.len()).collect();
        let thresholds = self.thresholds(&self.usual_scores(&self.ranked(&all)));
        let mut marks: BTreeMap<(usize, usize), Judged> = BTreeMap::new();
        for ((passage, row), scores) in self.rows.iter().zip(&scores) {
            let says = (0..LABELS).filter(|&status| scores[status] * ONE > f32::from(thresholds[status]));
            let model = says.fold(Status::default(), |all, status| all | Status::at(status));
            let fresh = Judged { passage: *passage, gold: row.gold, cues: Status::default(), model: Status::default() };
            let judged = marks.entry((*passage, row.mark)).or_insert(fresh);
            judged.cues |= row.cues;
            judged.model |= model;
        }
        marks.into_values().collect()
    }

    /// What the other mentions score by a model of all.
    fn usual_scores(&self, ranked: &[(u64, [i8; LABELS])]) -> Vec<[f32; LABELS]> {
        let weights: HashMap<u64, [i8; LABELS]> = ranked.iter().copied().collect();
        let score = |row: &Row| {
            row.features.iter().filter_map(|feature| weights.get(feature)).fold([0.0; LABELS], |sum, weights| {
                std::array::from_fn(|status| sum[status] + f32::from(weights[status]) / ONE)
            })
        };
        self.usual.iter().map(score).collect()
    }

    /// For each status the threshold at which F1 of the other mentions is highest, smoothed over those beside it and nearer to zero
    /// where it is the same within chance.
    fn thresholds(&self, scores: &[[f32; LABELS]]) -> [i16; LABELS] {
        std::array::from_fn(|status| {
            let f1 = |threshold: i16| {
                let (mut right, mut wrong) = (0_u32, 0_u32);
                for (row, scores) in self.usual.iter().zip(scores) {
                    let says = scores[status] * ONE > f32::from(threshold);
                    let is = row.gold.has(Status::at(status));
                    right += u32::from(says && is);
                    wrong += u32::from(says != is);
                }
                2.0 * right as f32 / (2.0 * right as f32 + wrong as f32).max(1.0)
            };
            let smooth = |threshold: i16| (-3..=3).map(|near| f1(threshold + 4 * near)).sum::<f32>() / 7.0;
            let worth = |threshold: i16| smooth(threshold) - 0.002 * f32::from(threshold.abs()) / ONE;
            let all = (-96_i16..=96).step_by(4);
            all.max_by(|&one, &other| worth(one).total_cmp(&worth(other))).unwrap_or_default()
        })
    }

    /// The model of all passages.
    pub fn train(&self, provenance: &str) -> Vec<u8> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        let ranked = self.ranked(&all);
        let thresholds = self.thresholds(&self.usual_scores(&ranked));
        let words = [&self.words[..], &self.stems[..]];
        StatusModel::write(words, &ranked, self.options.buckets, thresholds, provenance)
    }

    /// How many mentions there are to learn from.
    pub const fn mentions(&self) -> usize {
        self.rows.len()
    }
}
