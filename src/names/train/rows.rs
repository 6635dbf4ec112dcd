//! The features of marked notes by number, and the gold label of each row of them.

use super::GoldLabel;
use crate::linear::sgd::count_documents;
use crate::names::features::LETTER_FEATURES;
use crate::names::score::{LABELS, LOG_ODDS_SCALE, PARTS};

/// Rows of features with a label each.
#[derive(Default)]
pub(super) struct LabelledRows {
    pub(super) ends: Vec<u32>,
    pub(super) features: Vec<u32>,
    pub(super) parts: Vec<[u16; PARTS]>,
    pub(super) gold: Vec<GoldLabel>,
    /// What the model that is moved says of each row without the features that are learned; empty where none is moved.
    pub(super) rests: Vec<FixedScores>,
    pub(super) group: u32,
    pub(super) note: u32,
}

/// What a model says of a row: its letters, its other features, and what the trees add.
#[derive(Clone, Copy)]
pub(super) struct FixedScores {
    pub(super) letters: [i16; LABELS],
    pub(super) others: [i16; LABELS],
    pub(super) trees: i32,
}

impl LabelledRows {
    /// Takes the weights of features that are learned out of what the model says.
    pub(super) fn subtract_learned_weights(&mut self, weights: &[[i16; LABELS]]) {
        let mut rests = std::mem::take(&mut self.rests);
        for (row, rest) in rests.iter_mut().enumerate() {
            for (nth, &feature) in self.features_of_row(row).iter().enumerate() {
                let weights = weights.get(feature as usize).copied().unwrap_or_default();
                let rest = if nth < LETTER_FEATURES { &mut rest.letters } else { &mut rest.others };
                rest.iter_mut().zip(weights).for_each(|(rest, weight)| *rest -= weight);
            }
        }
        self.rests = rests;
    }

    /// What is said of a row by what is not learned, with its letters or without.
    pub(super) fn fixed_scores_of_row(&self, row: usize, letters: bool) -> [f32; LABELS] {
        let Some(rest) = self.rests.get(row) else { return [0.0; LABELS] };
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

/// In how many notes each of so many features occurs.
pub(super) fn document_frequencies<'a>(rows: impl Iterator<Item = &'a LabelledRows>, features: usize) -> Vec<u32> {
    let mut rows: Vec<&LabelledRows> = rows.collect();
    rows.sort_by_key(|rows| rows.note);
    count_documents(rows.into_iter().map(|rows| (rows.note, &rows.features[..])), features)
}
