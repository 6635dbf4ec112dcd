//! Learns what notes say of their concepts from marked passages: one logistic regression per status.
//!
//! Thresholds are chosen by other passages, which have statuses as often as notes have. Those from which weights are learned are
//! written to show statuses: by them too much would be said.

use std::collections::{BTreeMap, HashMap};

use super::super::Status;
use super::model::{LABELS, StatusModel};
use crate::error::Result;
use crate::linear::features::FeatureNumbers;
use crate::linear::rng::Rng;
use crate::linear::sgd::{
    self, Weight, count_documents, for_each_row_by_epoch, logistic_gradient, step_down_gradients,
};
use crate::text::span::Span;

/// What a weight of 1 is as a whole number.
const WEIGHT_SCALE: f32 = 32.0;
/// How many passages in a row are in one part.
const PASSAGES_PER_BLOCK: usize = 8;

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
    pub epochs: u32,
    /// The first step of each weight.
    pub rate: f32,
    /// How strongly weights are drawn to zero.
    pub l2: f32,
    /// In how many of a thousand readings a feature is left out.
    pub dropout: u64,
    /// In how many passages a word and a feature must occur.
    pub passages: u32,
    /// Of how many models with other seeds the mean is taken.
    pub models: u64,
    /// Into how many parts the passages are divided to choose thresholds.
    pub parts: usize,
    /// At most two to the power of this many buckets of features are written.
    pub buckets: u32,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl Default for StatusOptions {
    fn default() -> Self {
        Self { epochs: 20, rate: 0.1, l2: 0.5, dropout: 300, passages: 2, models: 12, parts: 5, buckets: 13, seed: 1 }
    }
}

/// A mention that is judged, with its features.
#[derive(Debug)]
pub(crate) struct TrainingMention {
    /// The mark that it overlaps: its place among those of the passage, and what it says.
    pub(crate) mark: usize,
    pub(crate) gold: Status,
    /// What cues say.
    pub(crate) cues: Status,
    pub(crate) features: Vec<u64>,
}

/// The cross-validated status of a mark: the model was not trained on its passage.
#[derive(Clone, Copy, Debug)]
pub struct CrossValidatedStatus {
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
    rows: Vec<(usize, TrainingMention)>,
    /// The mentions by which thresholds are chosen.
    calibration: Vec<TrainingMention>,
    /// Features of each mention, by number, and the hashes of the numbers.
    features: Vec<Vec<u32>>,
    numbers: FeatureNumbers,
}

impl StatusTrainer {
    /// Takes what was read of passages: of each mention its passage and what is seen of it; and the words and stems that count.
    pub(crate) fn from_mentions(
        rows: Vec<(usize, TrainingMention)>,
        calibration: Vec<TrainingMention>,
        [words, stems]: [Vec<String>; 2],
        options: StatusOptions,
    ) -> Self {
        let mut trainer =
            Self { options, words, stems, rows, calibration, features: Vec::new(), numbers: FeatureNumbers::default() };
        trainer.number_features();
        trainer
    }

    /// A model that knows words and has no weights: it sees what is to be learned from.
    pub(crate) fn model_without_weights([words, stems]: [&[String]; 2]) -> Result<StatusModel> {
        StatusModel::from_bytes(&StatusModel::serialize_model([words, stems], &[], 0, [0; LABELS], "{}"))
    }

    /// Numbers features, and forgets those of too few passages.
    fn number_features(&mut self) {
        let Self { rows, features, numbers, .. } = self;
        features.extend(
            rows.iter().map(|(_, row)| row.features.iter().map(|&hash| numbers.number_of_feature(hash)).collect()),
        );
        let all = rows.iter().zip(&*features).map(|((passage, _), features)| (*passage as u32, &features[..]));
        let counts = count_documents(all, numbers.hashes().len());
        let places = numbers.drop_rare_features(&counts, self.options.passages);
        for row in features {
            for feature in row.iter_mut() {
                *feature = places[*feature as usize];
            }
            row.retain(|&feature| feature != u32::MAX);
        }
    }

    /// The fold of a mention in cross-validation.
    fn fold_of_row(&self, row: usize) -> usize {
        self.rows[row].0 / PASSAGES_PER_BLOCK % self.options.parts
    }

    /// The scores of each mention by a model that was trained on the other folds.
    fn cross_validated_scores(&self) -> Vec<[f32; LABELS]> {
        let mut scores = vec![[0.0; LABELS]; self.rows.len()];
        for part in 0..self.options.parts {
            let (held, learned): (Vec<usize>, Vec<usize>) =
                (0..self.rows.len()).partition(|&row| self.fold_of_row(row) == part);
            let features = self.ranked_features(&learned);
            let weights: HashMap<u64, [i8; LABELS]> = features.into_iter().collect();
            for row in held {
                for feature in &self.features[row] {
                    if let Some(weights) = weights.get(&self.numbers.hashes()[*feature as usize]) {
                        let pairs = scores[row].iter_mut().zip(weights);
                        pairs.for_each(|(score, &weight)| *score += f32::from(weight) / WEIGHT_SCALE);
                    }
                }
            }
        }
        scores
    }

    /// The mean of some models of some mentions.
    fn fit_ensemble(&self, rows: &[usize]) -> Vec<[f32; LABELS]> {
        let mut mean = vec![[0.0; LABELS]; self.numbers.hashes().len()];
        for nth in 0..self.options.models {
            for (mean, weight) in mean.iter_mut().zip(self.fit_one(rows, self.options.seed + nth)) {
                let pairs = mean.iter_mut().zip(weight.value);
                pairs.for_each(|(mean, value)| *mean += value / self.options.models as f32);
            }
        }
        mean
    }

    fn fit_one(&self, rows: &[usize], seed: u64) -> Vec<Weight<LABELS>> {
        let StatusOptions { rate, l2, dropout, .. } = self.options;
        let weight = |count| Weight { l2: l2 / count as f32, ..Weight::default() };
        let mut weights: Vec<Weight<LABELS>> = self.passage_frequencies(rows).into_iter().map(weight).collect();
        let mut kept = Vec::new();
        for_each_row_by_epoch(rows.to_vec(), self.options.epochs, &mut Rng::new(seed), |rng, epoch, row| {
            kept.clear();
            kept.extend(self.features[row].iter().copied().filter(|_| !rng.happens_per_mille(dropout)));
            let scores = sgd::label_scores(&weights, &kept);
            let gold = self.rows[row].1.gold;
            let gradients = std::array::from_fn(|status| {
                let gradient = logistic_gradient(scores[status], gold.contains(Status::from_index(status)));
                // What is judged right already teaches nothing.
                (gradient.abs() >= 0.002).then_some(gradient)
            });
            step_down_gradients(&mut weights, &kept, gradients, rate / (1.0 + 0.3 * epoch as f32));
        });
        weights
    }

    /// In how many passages each feature occurs.
    fn passage_frequencies(&self, rows: &[usize]) -> Vec<u32> {
        let rows = rows.iter().map(|&row| (self.rows[row].0 as u32, &self.features[row][..]));
        let counts = count_documents(rows, self.numbers.hashes().len());
        counts.into_iter().map(|count| count.max(1)).collect()
    }

    /// The features of a model of some mentions, with integer weights, the most important first, as many as are written.
    fn ranked_features(&self, rows: &[usize]) -> Vec<(u64, [i8; LABELS])> {
        let weights = self.fit_ensemble(rows).into_iter();
        let mut ranked =
            sgd::rank_features(self.numbers.hashes(), weights, &self.passage_frequencies(rows), WEIGHT_SCALE);
        ranked.truncate(8 << self.options.buckets);
        ranked
    }

    /// The status of each mark by a model that was trained on other passages; the thresholds are those of all passages.
    pub fn cross_validate(&self) -> Vec<CrossValidatedStatus> {
        let scores = self.cross_validated_scores();
        let all: Vec<usize> = (0..self.rows.len()).collect();
        let thresholds = self.choose_thresholds(&self.calibration_scores(&self.ranked_features(&all)));
        let mut marks: BTreeMap<(usize, usize), CrossValidatedStatus> = BTreeMap::new();
        for ((passage, row), scores) in self.rows.iter().zip(&scores) {
            let says = (0..LABELS).filter(|&status| scores[status] * WEIGHT_SCALE > f32::from(thresholds[status]));
            let model = says.fold(Status::default(), |all, status| all | Status::from_index(status));
            let fresh = CrossValidatedStatus {
                passage: *passage,
                gold: row.gold,
                cues: Status::default(),
                model: Status::default(),
            };
            let judged = marks.entry((*passage, row.mark)).or_insert(fresh);
            judged.cues |= row.cues;
            judged.model |= model;
        }
        marks.into_values().collect()
    }

    /// The scores of the calibration mentions by a model of all passages.
    fn calibration_scores(&self, ranked: &[(u64, [i8; LABELS])]) -> Vec<[f32; LABELS]> {
        let weights: HashMap<u64, [i8; LABELS]> = ranked.iter().copied().collect();
        let score = |row: &TrainingMention| {
            row.features.iter().filter_map(|feature| weights.get(feature)).fold([0.0; LABELS], |sum, weights| {
                std::array::from_fn(|status| sum[status] + f32::from(weights[status]) / WEIGHT_SCALE)
            })
        };
        self.calibration.iter().map(score).collect()
    }

    /// For each status the threshold at which F1 of the other mentions is highest, smoothed over those beside it and nearer to zero
    /// where it is the same within chance.
    fn choose_thresholds(&self, scores: &[[f32; LABELS]]) -> [i16; LABELS] {
        std::array::from_fn(|status| {
            let f1 = |threshold: i16| {
                let (mut right, mut wrong) = (0_u32, 0_u32);
                for (row, scores) in self.calibration.iter().zip(scores) {
                    let says = scores[status] * WEIGHT_SCALE > f32::from(threshold);
                    let is = row.gold.contains(Status::from_index(status));
                    right += u32::from(says && is);
                    wrong += u32::from(says != is);
                }
                2.0 * right as f32 / (2.0 * right as f32 + wrong as f32).max(1.0)
            };
            let smooth = |threshold: i16| (-3..=3).map(|near| f1(threshold + 4 * near)).sum::<f32>() / 7.0;
            let worth = |threshold: i16| smooth(threshold) - 0.002 * f32::from(threshold.abs()) / WEIGHT_SCALE;
            let all = (-96_i16..=96).step_by(4);
            all.max_by(|&one, &other| worth(one).total_cmp(&worth(other))).unwrap_or_default()
        })
    }

    /// The model of all passages.
    pub fn train_model(&self, provenance: &str) -> Vec<u8> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        let ranked = self.ranked_features(&all);
        let thresholds = self.choose_thresholds(&self.calibration_scores(&ranked));
        let words = [&self.words[..], &self.stems[..]];
        StatusModel::serialize_model(words, &ranked, self.options.buckets, thresholds, provenance)
    }

    /// How many mentions there are to learn from.
    pub const fn mention_count(&self) -> usize {
        self.rows.len()
    }
}
