//! The features of marked notes by number, and the gold label of each row.

use super::GoldLabel;
use crate::linear::sgd::count_documents;
use crate::names::features::LETTER_FEATURES;
use crate::names::score::{LABELS, LOG_ODDS_SCALE, PARTS};

/// Rows of features with one label each.
#[derive(Default)]
pub(super) struct LabelledRows {
    pub(super) ends: Vec<u32>,
    pub(super) features: Vec<u32>,
    pub(super) parts: Vec<[u16; PARTS]>,
    pub(super) gold: Vec<GoldLabel>,
    /// Of an adapted model: its scores for each row without the trained features; otherwise empty.
    pub(super) fixed_scores: Vec<FixedScores>,
    pub(super) group: u32,
    pub(super) note: u32,
}

/// The fixed scores of a model for a row: of letters, of other features, and of the trees.
#[derive(Clone, Copy)]
pub(super) struct FixedScores {
    pub(super) letters: [i16; LABELS],
    pub(super) others: [i16; LABELS],
    pub(super) trees: i32,
}

impl LabelledRows {
    /// Subtracts the weights of trained features from the fixed scores.
    pub(super) fn subtract_learned_weights(&mut self, weights: &[[i16; LABELS]]) {
        let mut rests = std::mem::take(&mut self.fixed_scores);
        for (row, rest) in rests.iter_mut().enumerate() {
            for (nth, &feature) in self.features_of_row(row).iter().enumerate() {
                let weights = weights.get(feature as usize).copied().unwrap_or_default();
                let rest = if nth < LETTER_FEATURES { &mut rest.letters } else { &mut rest.others };
                rest.iter_mut().zip(weights).for_each(|(rest, weight)| *rest -= weight);
            }
        }
        self.fixed_scores = rests;
    }

    /// Returns the fixed scores of a row, with or without those of its letters.
    pub(super) fn fixed_scores_of_row(&self, row: usize, letters: bool) -> [f32; LABELS] {
        let Some(rest) = self.fixed_scores.get(row) else { return [0.0; LABELS] };
        std::array::from_fn(|label| {
            let letters = if letters { i32::from(rest.letters[label]) } else { 0 };
            (letters + i32::from(rest.others[label]) + rest.trees) as f32 / LOG_ODDS_SCALE as f32
        })
    }

    pub(super) fn features_of_row(&self, row: usize) -> &[u32] {
        let first = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.features[first as usize..self.ends[row] as usize]
    }
}

/// Returns in how many notes each feature occurs.
pub(super) fn document_frequencies<'a>(rows: impl Iterator<Item = &'a LabelledRows>, features: usize) -> Vec<u32> {
    let mut rows: Vec<&LabelledRows> = rows.collect();
    rows.sort_by_key(|rows| rows.note);
    count_documents(rows.into_iter().map(|rows| (rows.note, &rows.features[..])), features)
}
