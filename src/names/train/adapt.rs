//! Adapts a trained model to the marked notes of a site.
//!
//! A few notes can correct the weights of the features that they have, but not determine all weights. So the weights
//! start at those of the model, regularisation draws them back there instead of to zero, and `AdaGrad` starts with
//! shorter steps. The scores of features that are too rare in the notes, and those of the trees, stay fixed: weights
//! move where the whole model is wrong, not where a part of it alone would be. The trees do not change.

use super::rows::{FixedScores, LabelledRows, document_frequencies};
use super::{FitSchedule, NameTrainer, TrainingNote, Weight};
use crate::linear::sgd::rank_features;
use crate::names::dense::{DenseRow, LineAndRunScores, RowWriter, is_uncertain};
use crate::names::model::Model;
use crate::names::score::{FirstPassScore, LABELS, LOG_ODDS_SCALE};
use crate::names::trees::RowBlock;

/// The initial sum of squared gradients, in place of that of the original training: it shortens the first steps.
const PRIOR_SQUARED_GRADIENT: f32 = 4.0;

impl NameTrainer {
    /// Adapts a model to all notes except those of one group.
    pub(super) fn adapt_model(&self, start: &Model, without: Option<u32>, provenance: &str) -> Vec<u8> {
        let rows: Vec<&LabelledRows> = self.rows.iter().filter(|rows| Some(rows.group) != without).collect();
        let counts = document_frequencies(rows.iter().copied(), self.numbers.hashes().len());
        let begin: Vec<Weight> =
            self.numbers.hashes().iter().map(|&hash| weight_of_model(start.sum_weights(&[hash]))).collect();
        let course = FitSchedule { conjunction_dropout: 0, mean_from: u32::MAX };
        let moved = self.fit_weights_from(begin, &rows, &counts, course);
        let values = moved.iter().map(|weight| weight.value);
        let ranked = rank_features(self.numbers.hashes(), values, &counts, LOG_ODDS_SCALE as f32);
        let changed: Vec<_> = ranked
            .into_iter()
            .filter(|&(hash, weights)| start.sum_weights(&[hash]) != weights.map(i16::from))
            .collect();
        start.serialize_with_weights(&changed, provenance)
    }
}

fn weight_of_model(weights: [i16; LABELS]) -> Weight {
    let value = weights.map(|weight| f32::from(weight) / LOG_ODDS_SCALE as f32);
    Weight { value, start: value, squares: [PRIOR_SQUARED_GRADIENT; LABELS], l2: 0.0 }
}

/// Returns the scores of a model for each row of a note. The letters of unlisted words do not count: it must make no
/// difference which unlisted words a note has.
pub(super) fn fixed_scores_of_note(start: &Model, example: &TrainingNote, hashes: &[u64]) -> Vec<FixedScores> {
    let TrainingNote { context, judged, ends, parts, .. } = example;
    let mut word_counts = example.word_counts.clone();
    let mut first = vec![FirstPassScore::NOT_PHI; context.token_features.len()];
    let mut begin = 0;
    for ((&at, &end), parts) in judged.iter().zip(ends).zip(parts) {
        let mut from = begin;
        let mut said = parts.map(|part| {
            let part = begin + usize::from(part);
            start.sum_weights(&hashes[std::mem::replace(&mut from, part)..part])
        });
        if context.token_at(at as usize).is_unlisted() {
            said[0] = [0; LABELS];
        }
        first[at as usize] = FirstPassScore::from_parts_as_at_inference(said);
        word_counts.add_score(at as usize, first[at as usize].total);
        begin = end as usize;
    }
    let mut sections = LineAndRunScores::default();
    sections.sum_scores(context, &first);
    let seen = RowWriter { context, word_counts: &word_counts, sections: &sections, first: &first };
    let mut row = DenseRow::new();
    let rest = |&at: &u32| {
        let (at, first) = (at as usize, first[at as usize]);
        let mut trees = 0;
        if is_uncertain(&first) {
            seen.write_row(at, &mut row);
            let mut block = RowBlock::new();
            block.add_row(&row);
            trees = start.tree_scores(&block)[0];
        }
        let [letters, others @ ..] = first.parts;
        FixedScores { letters, others: std::array::from_fn(|label| others.iter().map(|part| part[label]).sum()), trees }
    };
    judged.iter().map(rest).collect()
}
