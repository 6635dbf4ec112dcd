//! Trains the name model on marked notes: multinomial logistic regression over hashed features, then gradient boosting.
//!
//! The second pass is trained on out-of-fold scores of the first (stacking): for each fold of the notes, the first pass
//! is trained without that fold and scores it.

mod adapt;
mod rows;

use super::context::NoteContext;
use super::dense::{self, DenseRow, LineAndRunScores, RowWriter};
use super::features::{self, LETTER_FEATURES};
use super::grow::{TreeGrowth, TreeTrainingTable, grow_trees};
use super::model::Model;
use super::note_word_counts::NoteWordCounts;
use super::score::{FirstPassScore, LABELS, LOG_ODDS_SCALE, PARTS, SINGLE_TOKEN_PARTS};
use crate::debug::debug_count;
use crate::linear::features::FeatureNumbers;
use crate::linear::rng::Rng;
use crate::linear::sgd::{self, MeanWeights, add_weights, rank_features, softmax_gradient, step_down_gradients};
use rows::{LabelledRows, document_frequencies};

/// The weights of a feature during training.
type Weight = sgd::Weight<LABELS>;

/// The gold label of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum GoldLabel {
    /// Not protected health information.
    NotPhi = 0,
    /// A name.
    Name = 1,
    /// A place or an organisation.
    Place = 2,
    /// A date.
    Date = 3,
    /// Another identifier.
    Other = 4,
    /// An optional mark, which training ignores.
    Ignored = 255,
}

/// Hyperparameters of training.
#[derive(Clone, Copy, Debug)]
pub struct NameTrainingOptions {
    /// The number of passes over the training notes.
    pub epochs: u32,
    /// The learning rate of `AdaGrad`.
    pub rate: f32,
    /// L2 regularisation.
    pub l2: f32,
    /// Dropout of the letters of a word, per mille of its readings.
    pub dropout: u64,
    /// Dropout of conjunctions of tokens, per mille of readings, so that single tokens learn to decide clear cases
    /// alone.
    pub conjunction_dropout: u64,
    /// The minimum document frequency of a feature.
    pub min_documents: u32,
    /// The number of folds for the out-of-fold scores of the second pass.
    pub folds: u32,
    /// The seed of the random number generator.
    pub seed: u64,
    /// Hyperparameters of the trees of the second pass.
    pub growth: TreeGrowth,
}

impl Default for NameTrainingOptions {
    fn default() -> Self {
        Self {
            epochs: 8,
            rate: 0.05,
            l2: 3.0,
            dropout: 300,
            conjunction_dropout: 400,
            min_documents: 5,
            folds: 6,
            seed: 1,
            growth: TreeGrowth::default(),
        }
    }
}

/// The schedule of one fit.
#[derive(Clone, Copy)]
struct FitSchedule {
    /// See [`NameTrainingOptions::conjunction_dropout`].
    conjunction_dropout: u64,
    /// The first epoch of the mean of the weights, which is steadier than the last weights. If training has fewer
    /// epochs, the last weights are used.
    mean_from: u32,
}

/// The features of a marked note.
#[derive(Debug)]
pub struct TrainingNote {
    context: NoteContext,
    word_counts: NoteWordCounts,
    /// The judged tokens, and the end of the features of each.
    judged: Vec<u32>,
    ends: Vec<u32>,
    /// The end of each part of the features of a token, relative to its first feature.
    parts: Vec<[u16; PARTS]>,
    hashes: Vec<u64>,
    token_labels: Vec<GoldLabel>,
    /// Notes of one group are always held out together, and versions of one note count as one.
    fold_group: u32,
    note_index: u32,
}

impl TrainingNote {
    /// Creates a training note; `token_labels` has one item per token.
    pub(super) fn new(
        context: NoteContext,
        word_counts: NoteWordCounts,
        note: &crate::rules::Note<'_>,
        token_labels: Vec<GoldLabel>,
        (fold_group, note_index): (u32, u32),
    ) -> Self {
        let judged: Vec<u32> =
            (0..).zip(&context.token_features).filter(|(_, features)| features.judged).map(|(at, _)| at).collect();
        let (mut hashes, mut ends, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for &at in &judged {
            let first = hashes.len() as u32;
            let read =
                features::add_token_features(&context, &word_counts, note.bytes(at as usize), at as usize, &mut hashes);
            parts.push(read.map(|end| (end - first) as u16));
            ends.push(hashes.len() as u32);
        }
        Self { context, word_counts, judged, ends, parts, hashes, token_labels, fold_group, note_index }
    }
}

/// Trains on marked notes.
pub struct NameTrainer {
    options: NameTrainingOptions,
    start: Option<Model>,
    examples: Vec<TrainingNote>,
    rows: Vec<LabelledRows>,
    numbers: FeatureNumbers,
}

debug_count!(NameTrainer, "examples", |it| it.examples.len());

impl NameTrainer {
    /// Creates a trainer without notes.
    #[must_use]
    pub fn new(options: NameTrainingOptions) -> Self {
        Self { options, start: None, examples: Vec::new(), rows: Vec::new(), numbers: FeatureNumbers::default() }
    }

    /// Creates a trainer without notes that adapts a model instead of training a new one.
    #[must_use]
    pub fn adapting_model(start: Model, options: NameTrainingOptions) -> Self {
        Self { start: Some(start), ..Self::new(options) }
    }

    /// Adds a marked note.
    pub fn add_note(&mut self, mut example: TrainingNote) {
        let hashes = std::mem::take(&mut example.hashes);
        let features = hashes.iter().map(|&hash| self.numbers.number_of_feature(hash)).collect();
        let fixed_scores =
            self.start.as_ref().map(|start| adapt::fixed_scores_of_note(start, &example, &hashes)).unwrap_or_default();
        let gold = example.judged.iter().map(|&at| example.token_labels[at as usize]).collect();
        let ends = std::mem::take(&mut example.ends);
        let parts = std::mem::take(&mut example.parts);
        let TrainingNote { fold_group: group, note_index: note, .. } = example;
        self.rows.push(LabelledRows { ends, features, parts, gold, fixed_scores, group, note });
        self.examples.push(example);
    }

    /// Drops features of too few notes, once all notes were added.
    pub fn drop_rare_features(&mut self) {
        let counts = document_frequencies(self.rows.iter(), self.numbers.hashes().len());
        let places = self.numbers.drop_rare_features(&counts, self.options.min_documents);
        let hashes = self.numbers.hashes();
        let weights: Vec<_> =
            self.start.iter().flat_map(|start| hashes.iter().map(|&hash| start.sum_weights(&[hash]))).collect();
        for rows in &mut self.rows {
            let (mut first, mut kept) = (0, Vec::with_capacity(rows.features.len()));
            for (end, parts) in rows.ends.iter_mut().zip(&mut rows.parts) {
                let (begin, old) = (kept.len(), *parts);
                // The features of letters keep their places, even if dropped.
                for (nth, &feature) in rows.features[first..*end as usize].iter().enumerate() {
                    for (part, _) in parts.iter_mut().zip(old).filter(|&(_, old)| usize::from(old) == nth) {
                        *part = (kept.len() - begin) as u16;
                    }
                    let place = places[feature as usize];
                    if place != u32::MAX || nth < LETTER_FEATURES {
                        kept.push(place);
                    }
                }
                for (part, _) in parts.iter_mut().zip(old).filter(|&(_, old)| usize::from(old) == *end as usize - first)
                {
                    *part = (kept.len() - begin) as u16;
                }
                first = *end as usize;
                *end = kept.len() as u32;
            }
            rows.features = kept;
            rows.subtract_learned_weights(&weights);
        }
    }

    /// Trains on all notes except those of one group.
    pub fn train_without_group(&self, without: Option<u32>, provenance: &str) -> Vec<u8> {
        if let Some(start) = &self.start {
            return self.adapt_model(start, without, provenance);
        }
        self.train_with_each_growth(without, provenance, &[self.options.growth]).swap_remove(0)
    }

    /// Trains on all notes except those of one group; returns one model per tree configuration.
    pub fn train_with_each_growth(
        &self,
        without: Option<u32>,
        provenance: &str,
        growths: &[TreeGrowth],
    ) -> Vec<Vec<u8>> {
        let NameTrainingOptions { folds, .. } = self.options;
        let chosen: Vec<usize> = (0..self.rows.len()).filter(|&nth| Some(self.rows[nth].group) != without).collect();
        let counts = self.document_frequencies(&chosen);
        let mut groups: Vec<u32> = chosen.iter().map(|&nth| self.rows[nth].group).collect();
        groups.sort_unstable();
        groups.dedup();
        // If there is only one group, its notes are distributed over the folds.
        let part = |nth: usize| {
            let rows = &self.rows[nth];
            if groups.len() > 1 {
                groups.binary_search(&rows.group).unwrap_or_default() as u32 % folds.min(groups.len() as u32)
            } else {
                rows.note % folds
            }
        };
        let mut table = TreeTrainingTable::default();
        for held in 0..folds {
            let others: Vec<&LabelledRows> =
                chosen.iter().filter(|&&nth| part(nth) != held).map(|&nth| &self.rows[nth]).collect();
            let weights = self.fit_weights(&others, &counts);
            for &nth in chosen.iter().filter(|&&nth| part(nth) == held) {
                self.add_uncertain_rows(nth, &weights, &mut table);
            }
        }
        let bounds = table.bin_values();
        let trees: Vec<_> =
            growths.iter().map(|&growth| grow_trees(&table, &bounds, growth, self.options.seed)).collect();
        drop(table);
        let all: Vec<&LabelledRows> = chosen.iter().map(|&nth| &self.rows[nth]).collect();
        let weights = self.fit_weights(&all, &counts);
        let values = weights.iter().map(|weight| weight.value);
        let ranked = rank_features(self.numbers.hashes(), values, &counts, LOG_ODDS_SCALE as f32);
        trees.iter().map(|trees| Model::serialize_model(&ranked, trees, provenance)).collect()
    }

    /// Returns in how many notes each feature occurs.
    fn document_frequencies(&self, chosen: &[usize]) -> Vec<u32> {
        document_frequencies(chosen.iter().map(|&nth| &self.rows[nth]), self.numbers.hashes().len())
    }

    /// Adds the second-pass rows of a note that was held out from these weights.
    fn add_uncertain_rows(&self, nth: usize, weights: &[Weight], table: &mut TreeTrainingTable) {
        let (example, rows) = (&self.examples[nth], &self.rows[nth]);
        let mut word_counts = example.word_counts.clone();
        let mut first = vec![FirstPassScore::NOT_PHI; example.context.token_features.len()];
        for (row, &at) in example.judged.iter().enumerate() {
            let mut from = 0;
            let sums = rows.parts[row].map(|end| {
                let part = &rows.features_of_row(row)[from..usize::from(end)];
                from = usize::from(end);
                sgd::label_scores(weights, part).map(|sum| (sum * LOG_ODDS_SCALE as f32).round() as i16)
            });
            first[at as usize] = FirstPassScore::from_parts_as_at_inference(sums);
            word_counts.add_score(at as usize, first[at as usize].total);
        }
        let mut sections = LineAndRunScores::default();
        sections.sum_scores(&example.context, &first);
        let seen =
            RowWriter { context: &example.context, word_counts: &word_counts, sections: &sections, first: &first };
        let mut row = DenseRow::new();
        for (&at, &gold) in example.judged.iter().zip(&rows.gold) {
            let first = &first[at as usize];
            if gold != GoldLabel::Ignored && dense::is_uncertain(first) {
                seen.write_row(at as usize, &mut row);
                table.add_row(
                    &row,
                    first.total,
                    gold != GoldLabel::NotPhi,
                    example.context.token_at(at as usize).is_unlisted(),
                );
            }
        }
    }

    /// Fits the weights of the first pass, with dropout of letters and of conjunctions.
    fn fit_weights(&self, rows: &[&LabelledRows], counts: &[u32]) -> Vec<Weight> {
        let NameTrainingOptions { epochs, conjunction_dropout, .. } = self.options;
        let course = FitSchedule { conjunction_dropout, mean_from: epochs / 2 };
        self.fit_weights_from(vec![Weight::default(); counts.len()], rows, counts, course)
    }

    /// Fits weights from given initial values.
    fn fit_weights_from(
        &self,
        mut weights: Vec<Weight>,
        rows: &[&LabelledRows],
        counts: &[u32],
        course: FitSchedule,
    ) -> Vec<Weight> {
        let NameTrainingOptions { l2, seed, epochs, .. } = self.options;
        // Regularisation is equal for all features, however rare, so it is divided by their occurrences.
        let mut seen = vec![0_u32; counts.len()];
        for &feature in rows.iter().flat_map(|rows| &rows.features) {
            if let Some(seen) = seen.get_mut(feature as usize) {
                *seen += 1;
            }
        }
        for (weight, seen) in weights.iter_mut().zip(seen) {
            weight.l2 = l2 / seen.max(1) as f32;
        }
        let (mut order, mut rng) = ((0..rows.len()).collect::<Vec<_>>(), Rng::new(seed));
        let mut mean = MeanWeights::new(counts.len());
        for epoch in 0..epochs {
            rng.shuffle(&mut order);
            for &nth in &order {
                self.take_steps_over_note(rows[nth], counts, course.conjunction_dropout, &mut weights, &mut rng);
            }
            if epoch >= course.mean_from {
                mean.add_epoch(&weights);
            }
        }
        mean.write_mean_to(&mut weights);
        weights
    }

    /// Takes a gradient step for each row of a note.
    fn take_steps_over_note(
        &self,
        rows: &LabelledRows,
        counts: &[u32],
        conjunction_dropout: u64,
        weights: &mut [Weight],
        rng: &mut Rng,
    ) {
        let NameTrainingOptions { rate, dropout, min_documents, .. } = self.options;
        let mut features = Vec::new();
        for row in 0..rows.ends.len() {
            let gold = rows.gold[row];
            if gold == GoldLabel::Ignored {
                continue;
            }
            let leave = if rng.happens_per_mille(dropout) { LETTER_FEATURES } else { 0 };
            let end = if conjunction_dropout > 0 && rng.happens_per_mille(conjunction_dropout) {
                usize::from(rows.parts[row][SINGLE_TOKEN_PARTS - 1])
            } else {
                rows.features_of_row(row).len()
            };
            features.clear();
            let mut rest = rows.fixed_scores_of_row(row, leave == 0);
            for &feature in &rows.features_of_row(row)[leave..end] {
                match counts.get(feature as usize) {
                    Some(&count) if count >= min_documents => features.push(feature),
                    // Too rare in these notes: its weights stay fixed.
                    Some(_) => add_weights(&mut rest, weights[feature as usize].value),
                    None => {}
                }
            }
            let mut scores = sgd::label_scores(weights, &features);
            add_weights(&mut scores, rest);
            let gradient = softmax_gradient(scores, (gold as usize).checked_sub(1));
            // Rows that are already right are skipped.
            if gradient.iter().any(|gradient| gradient.abs() >= 0.004) {
                step_down_gradients(weights, &features, gradient.map(Some), rate);
            }
        }
    }
}
