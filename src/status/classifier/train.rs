//! Trains the status classifier on marked passages: one logistic regression per status.
//!
//! Thresholds are calibrated on separate passages, in which statuses are as frequent as in notes. The training passages
//! were written to show statuses, so thresholds chosen on them would assert too many.

use std::collections::{BTreeMap, HashMap};

use super::super::Status;
use super::model::{LABELS, StatusModel};
use crate::error::{Error, Result};
use crate::linear::features::FeatureNumbers;
use crate::linear::rng::Rng;
use crate::linear::sgd::{
    self, Weight, count_documents, for_each_row_by_epoch, logistic_gradient, step_down_gradients,
};
use crate::text::span::Span;

/// The integer that represents a weight of 1.
const WEIGHT_SCALE: f32 = 32.0;
/// The number of consecutive passages that stay in one fold.
const PASSAGES_PER_BLOCK: usize = 8;

/// A text and the terms in it with their statuses.
#[derive(Clone, Debug)]
pub struct Passage {
    /// The text.
    pub text: String,
    /// Byte spans of terms; the empty set means affirmed and the patient's own.
    pub marks: Vec<(Span, Status)>,
}

impl Passage {
    /// The passages of a TOML file: tables with lists of `sentences`, in which each term is `{term|status}`; and their tables.
    pub fn read_toml(toml: &str) -> Result<Vec<(String, Self)>> {
        #[derive(serde::Deserialize)]
        struct Table {
            sentences: Vec<String>,
        }
        let tables: BTreeMap<String, Table> = toml::from_str(toml).map_err(|error| Error::Policy(error.to_string()))?;
        let marked = tables.iter().flat_map(|(name, table)| table.sentences.iter().map(move |marked| (name, marked)));
        let read = marked.map(|(name, marked)| Some((name.clone(), Self::read_marks(marked)?)));
        let read: Option<_> = read.collect();
        read.ok_or_else(|| Error::Policy("a mark is not closed, is empty or has an unknown status".to_owned()))
    }

    fn read_marks(marked: &str) -> Option<Self> {
        let (mut text, mut marks) = (String::new(), Vec::new());
        let mut parts = marked.split('{');
        text.push_str(parts.next().filter(|first| !first.contains('}'))?);
        for part in parts {
            let (inside, after) = part.split_once('}').filter(|(_, after)| !after.contains('}'))?;
            let (term, status) = inside.split_once('|').unwrap_or((inside, ""));
            let all: Option<Vec<Status>> = status.split_whitespace().map(Status::from_key).collect();
            let status = all?.into_iter().fold(Status::default(), |all, one| all | one);
            let start = text.len() as u32;
            text.push_str(Some(term).filter(|term| !term.trim().is_empty())?);
            marks.push((Span::new(start, text.len() as u32), status));
            text.push_str(after);
        }
        Some(Self { text, marks })
    }
}

/// The hyperparameters of training.
#[derive(Clone, Copy, Debug)]
pub struct StatusOptions {
    /// The number of passes over all passages.
    pub epochs: u32,
    /// The initial learning rate of each weight.
    pub rate: f32,
    /// The strength of L2 regularisation.
    pub l2: f32,
    /// The probability that a feature is dropped, in thousandths.
    pub dropout: u64,
    /// The minimum number of passages in which a word or feature must occur.
    pub min_passages: u32,
    /// The number of models with different seeds that are averaged.
    pub models: u64,
    /// The number of folds of cross-validation.
    pub folds: usize,
    /// The binary logarithm of the maximum number of feature buckets written.
    pub log2_buckets: u32,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl Default for StatusOptions {
    fn default() -> Self {
        Self {
            epochs: 20,
            rate: 0.1,
            l2: 0.5,
            dropout: 300,
            min_passages: 2,
            models: 12,
            folds: 5,
            log2_buckets: 13,
            seed: 1,
        }
    }
}

/// A classified mention with its features.
#[derive(Debug)]
pub(crate) struct TrainingMention {
    /// The index, within the passage, of the mark that it overlaps, and the marked status.
    pub(crate) mark: usize,
    pub(crate) gold: Status,
    /// The status asserted by cues.
    pub(crate) cues: Status,
    pub(crate) features: Vec<u64>,
}

/// The cross-validated status of a mark: the model was not trained on its passage.
#[derive(Clone, Copy, Debug)]
pub struct CrossValidatedStatus {
    /// The index of the passage.
    pub passage: usize,
    /// The marked status.
    pub gold: Status,
    /// The status asserted by cues.
    pub cues: Status,
    /// The status predicted by the model.
    pub model: Status,
}

/// Trains models on marked passages.
#[derive(Debug)]
pub struct StatusTrainer {
    options: StatusOptions,
    words: Vec<String>,
    stems: Vec<String>,
    /// The mentions, each with the index of its passage.
    rows: Vec<(usize, TrainingMention)>,
    /// The mentions on which thresholds are chosen.
    calibration: Vec<TrainingMention>,
    /// The features of each mention, numbered, and the hashes by number.
    features: Vec<Vec<u32>>,
    numbers: FeatureNumbers,
}

impl StatusTrainer {
    /// Creates a trainer from mentions, each with the index of its passage, and the words and stems that get features
    /// of their own.
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

    /// Returns a model with a word list but no weights, to compute the features of the training data.
    pub(crate) fn model_without_weights([words, stems]: [&[String]; 2]) -> Result<StatusModel> {
        StatusModel::from_bytes(&StatusModel::serialize_model([words, stems], &[], 0, [0; LABELS], "{}"))
    }

    /// Numbers features, and drops those that occur in too few passages.
    fn number_features(&mut self) {
        let Self { rows, features, numbers, .. } = self;
        features.extend(
            rows.iter().map(|(_, row)| row.features.iter().map(|&hash| numbers.number_of_feature(hash)).collect()),
        );
        let all = rows.iter().zip(&*features).map(|((passage, _), features)| (*passage as u32, &features[..]));
        let counts = count_documents(all, numbers.hashes().len());
        let places = numbers.drop_rare_features(&counts, self.options.min_passages);
        for row in features {
            for feature in row.iter_mut() {
                *feature = places[*feature as usize];
            }
            row.retain(|&feature| feature != u32::MAX);
        }
    }

    /// Returns the fold of a mention in cross-validation.
    fn fold_of_row(&self, row: usize) -> usize {
        self.rows[row].0 / PASSAGES_PER_BLOCK % self.options.folds
    }

    /// Returns the scores of each mention by a model trained on the other folds.
    fn cross_validated_scores(&self) -> Vec<[f32; LABELS]> {
        let mut scores = vec![[0.0; LABELS]; self.rows.len()];
        for part in 0..self.options.folds {
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

    /// Returns the mean weights of several models fitted to some mentions.
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
                // A confidently correct prediction has nothing to teach.
                (gradient.abs() >= 0.002).then_some(gradient)
            });
            step_down_gradients(&mut weights, &kept, gradients, rate / (1.0 + 0.3 * epoch as f32));
        });
        weights
    }

    /// Returns the number of passages in which each feature occurs, at least 1.
    fn passage_frequencies(&self, rows: &[usize]) -> Vec<u32> {
        let rows = rows.iter().map(|&row| (self.rows[row].0 as u32, &self.features[row][..]));
        let counts = count_documents(rows, self.numbers.hashes().len());
        counts.into_iter().map(|count| count.max(1)).collect()
    }

    /// Returns the features of a model fitted to some mentions, with integer weights, the most important first, as many
    /// as are written.
    fn ranked_features(&self, rows: &[usize]) -> Vec<(u64, [i8; LABELS])> {
        let weights = self.fit_ensemble(rows).into_iter();
        let mut ranked =
            sgd::rank_features(self.numbers.hashes(), weights, &self.passage_frequencies(rows), WEIGHT_SCALE);
        ranked.truncate(8 << self.options.log2_buckets);
        ranked
    }

    /// Returns the status of each mark by a model trained on other passages; the thresholds are those of the final
    /// model.
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

    /// Returns the scores of the calibration mentions by a model trained on all passages.
    fn calibration_scores(&self, ranked: &[(u64, [i8; LABELS])]) -> Vec<[f32; LABELS]> {
        let weights: HashMap<u64, [i8; LABELS]> = ranked.iter().copied().collect();
        let score = |row: &TrainingMention| {
            row.features.iter().filter_map(|feature| weights.get(feature)).fold([0.0; LABELS], |sum, weights| {
                std::array::from_fn(|status| sum[status] + f32::from(weights[status]) / WEIGHT_SCALE)
            })
        };
        self.calibration.iter().map(score).collect()
    }

    /// Returns for each status the threshold that maximises F1 on the calibration mentions, smoothed over neighbouring
    /// thresholds, with a small penalty on the distance from zero to break near-ties.
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

    /// Trains the final model on all passages.
    pub fn train_model(&self, provenance: &str) -> Vec<u8> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        let ranked = self.ranked_features(&all);
        let thresholds = self.choose_thresholds(&self.calibration_scores(&ranked));
        let words = [&self.words[..], &self.stems[..]];
        StatusModel::serialize_model(words, &ranked, self.options.log2_buckets, thresholds, provenance)
    }

    /// Returns the number of training mentions.
    pub const fn mention_count(&self) -> usize {
        self.rows.len()
    }
}
