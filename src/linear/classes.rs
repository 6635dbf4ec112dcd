//! A linear model that distinguishes a few classes by hashed features, and its trainer.
//!
//! Weights are integers, so every machine gives the same answer.

use bytemuck::Pod;
use wide::i16x16;

use super::features::FeatureNumbers;
use super::rng::Rng;
use super::sgd::{self, Weight, count_documents, for_each_row_by_epoch, step_down_gradients};
use super::table::WeightTable;

/// The number that stands for a log-odds of one.
pub(crate) const SCORE_SCALE: f32 = 16.0;

/// Returns the score of each class: the sum of the weights of all features. All classes, at most sixteen, are summed at
/// once.
pub(crate) fn class_scores<const N: usize>(table: &WeightTable<[i8; N]>, features: &[u64]) -> [i32; N]
where
    [i8; N]: Pod,
{
    let mut scores = [0; N];
    // In chunks whose sums fit into 16 bits.
    for features in features.chunks(256) {
        for &feature in features {
            table.prefetch(feature);
        }
        let mut sums = i16x16::ZERO;
        for &feature in features {
            let Some(bucket) = table.bucket_of_hash(feature) else { continue };
            let (slot, found) = bucket.find_slot(feature);
            let mut lanes = [0; 16];
            let weights = bucket.weights[slot];
            lanes[..N].copy_from_slice(&weights);
            sums += i16x16::from_i8x16(lanes.into()) & i16x16::splat(-i16::from(found));
        }
        let sums = sums.to_array();
        scores.iter_mut().zip(sums).for_each(|(score, sum)| *score += i32::from(sum));
    }
    scores
}

/// Returns the class with the highest score; of two, the first.
pub(crate) fn best_class<const N: usize>(scores: &[i32; N]) -> usize {
    (1..N).fold(0, |best, class| if scores[class] > scores[best] { class } else { best })
}

/// A training example: its features and its class.
#[derive(Clone, Debug)]
pub(crate) struct ClassExample {
    pub(crate) features: Vec<u64>,
    pub(crate) class: usize,
    /// The document that it comes from.
    pub(crate) document: u32,
}

/// Hyperparameters of training.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClassTrainingOptions {
    /// The maximum number of buckets, as a power of two; the least important features are dropped.
    pub(crate) buckets: u32,
    pub(crate) epochs: u32,
    pub(crate) rate: f32,
    pub(crate) l2: f32,
    /// Dropout of features, per mille each time an example is seen.
    pub(crate) dropout: u64,
    /// The minimum document frequency of a feature.
    pub(crate) documents: u32,
}

/// Trains the weights of features.
pub(crate) fn train_classes<const N: usize>(
    examples: &[&ClassExample],
    training: ClassTrainingOptions,
) -> WeightTable<[i8; N]>
where
    [i8; N]: Pod,
{
    let mut numbers = FeatureNumbers::default();
    let mut rows: Vec<Vec<u32>> = examples
        .iter()
        .map(|example| example.features.iter().map(|&feature| numbers.number_of_feature(feature)).collect())
        .collect();
    let documents = examples.iter().map(|example| example.document);
    let counts = count_documents(documents.zip(rows.iter().map(Vec::as_slice)), numbers.hashes().len());
    let kept = numbers.drop_rare_features(&counts, training.documents);
    for row in &mut rows {
        row.retain_mut(|feature| {
            *feature = kept[*feature as usize];
            *feature != u32::MAX
        });
    }
    let counts: Vec<u32> = counts.into_iter().filter(|&count| count >= training.documents).collect();
    let mut weights = vec![Weight::<N> { l2: training.l2, ..Weight::default() }; numbers.hashes().len()];
    let mut seen = Vec::new();
    for_each_row_by_epoch((0..rows.len()).collect(), training.epochs, &mut Rng::new(7), |rng, _, row| {
        seen.clear();
        seen.extend(rows[row].iter().filter(|_| !rng.happens_per_mille(training.dropout)));
        let gradient = log_loss_gradient(sgd::label_scores(&weights, &seen), examples[row].class);
        step_down_gradients(&mut weights, &seen, gradient.map(Some), training.rate);
    });
    let shown = 1.0 - training.dropout as f32 / 1000.0;
    let weights = weights.into_iter().map(|weight| weight.value.map(|value| value * shown));
    WeightTable::from_ranked_features(
        sgd::rank_features(numbers.hashes(), weights, &counts, SCORE_SCALE).into_iter(),
        training.buckets,
    )
}

/// Returns the gradient of the log loss, given the gold class.
fn log_loss_gradient<const N: usize>(scores: [f32; N], class: usize) -> [f32; N] {
    let highest = scores.iter().copied().fold(f32::MIN, f32::max);
    let odds = scores.map(|score| (score - highest).exp());
    let all: f32 = odds.iter().sum();
    let mut gradient = odds.map(|odds| odds / all);
    gradient[class] -= 1.0;
    gradient
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::hash::mix_three;

    #[test]
    fn what_is_always_so_is_learned() {
        let example = |nth: u32| {
            let class = nth as usize % 3;
            ClassExample {
                features: [1, 100 + class as u64 * 7, u64::from(nth) << 8].map(|one| mix_three(one, 0, 0)).to_vec(),
                class,
                document: nth,
            }
        };
        let examples: Vec<ClassExample> = (0..300).map(example).collect();
        let training = ClassTrainingOptions { buckets: 7, epochs: 5, rate: 0.2, l2: 1e-5, dropout: 0, documents: 2 };
        let examples: Vec<&ClassExample> = examples.iter().collect();
        let weights = train_classes::<3>(&examples, training);
        assert_eq!(weights.as_bytes(), train_classes::<3>(&examples, training).as_bytes(), "the same each time");
        for example in &examples {
            assert_eq!(best_class(&class_scores(&weights, &example.features)), example.class);
        }
    }
}
