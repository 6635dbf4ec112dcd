//! Moves a model that was learned elsewhere towards the marked notes of a site.
//!
//! Few notes can say where the weights of the features that they have should go, not what all weights should be. So the
//! weights begin as those of the model, are drawn back to them instead of to zero, and no step is as long as the first
//! steps from nothing. The second pass, which says how the judgements of neighbours hang together, stays as it is.

use super::{OWN, Rows, Trainer, Weight, ranked};
use crate::judgement::model::Model;
use crate::judgement::score::{LABELS, ONE};

/// What stands for the gradients that the model has seen where it was learned: it shortens the first steps.
const SEEN: f32 = 4.0;

impl Trainer {
    /// A model that starts as another and is moved towards all notes but those of one group.
    pub fn adapt(&self, start: &Model, without: Option<u32>, provenance: &str) -> Vec<u8> {
        let rows: Vec<&Rows> = self.rows.iter().filter(|rows| Some(rows.group) != without).collect();
        let counts = super::count(rows.iter().copied(), self.numbers.hashes.len());
        let begin: Vec<Weight> = self.numbers.hashes.iter().map(|&hash| from(start.sum(&[hash]))).collect();
        let moved = self.fit_from(begin, &rows, &counts, (self.options.rounds, OWN));
        let ranked = ranked(&self.numbers.hashes, &moved, &counts);
        let changed: Vec<_> =
            ranked.into_iter().filter(|&(hash, weights)| start.sum(&[hash]) != weights.map(i16::from)).collect();
        start.changed(&changed, provenance)
    }
}

fn from(weights: [i16; LABELS]) -> Weight {
    let value = weights.map(|weight| f32::from(weight) / ONE as f32);
    Weight { value, start: value, squares: [SEEN; LABELS], decay: 0.0 }
}
