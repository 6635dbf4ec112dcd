//! Stochastic gradient descent with `AdaGrad`, and quantisation of the learned weights.

use super::rng::Rng;

/// The weights of a feature, one per label.
#[derive(Clone, Copy)]
pub(crate) struct Weight<const N: usize> {
    pub(crate) value: [f32; N],
    /// The value towards which L2 regularisation draws the weights.
    pub(crate) start: [f32; N],
    /// The accumulated squared gradients of `AdaGrad`.
    pub(crate) squares: [f32; N],
    /// The strength of L2 regularisation per occurrence of the feature.
    pub(crate) l2: f32,
}

impl<const N: usize> Default for Weight<N> {
    fn default() -> Self {
        Self { value: [0.0; N], start: [0.0; N], squares: [0.0; N], l2: 0.0 }
    }
}

/// Returns the score of each label: the sum of the weights of the features.
pub(crate) fn label_scores<const N: usize>(weights: &[Weight<N>], features: &[u32]) -> [f32; N] {
    let mut sum = [0.0; N];
    for weight in features.iter().filter_map(|&feature| weights.get(feature as usize)) {
        add_weights(&mut sum, weight.value);
    }
    sum
}

pub(crate) fn add_weights<const N: usize>(sum: &mut [f32; N], more: [f32; N]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// Returns the gradient of the softmax log loss; without a gold label, that of the implicit class with score zero.
pub(crate) fn softmax_gradient<const N: usize>(scores: [f32; N], gold: Option<usize>) -> [f32; N] {
    let highest = scores.iter().copied().fold(0.0, f32::max);
    let odds = scores.map(|score| (score - highest).exp());
    let all = odds.iter().sum::<f32>() + (-highest).exp();
    let mut gradient = odds.map(|odds| odds / all);
    if let Some(label) = gold {
        gradient[label] -= 1.0;
    }
    gradient
}

/// Returns the gradient of the logistic log loss of one label.
pub(crate) fn logistic_gradient(score: f32, holds: bool) -> f32 {
    1.0 / (1.0 + f32::exp(-score)) - f32::from(u8::from(holds))
}

/// Takes one `AdaGrad` step for the labels that have a gradient.
pub(crate) fn step_down_gradients<const N: usize>(
    weights: &mut [Weight<N>],
    features: &[u32],
    gradients: [Option<f32>; N],
    rate: f32,
) {
    for &feature in features {
        let weight = &mut weights[feature as usize];
        for (label, gradient) in gradients.into_iter().enumerate() {
            let Some(gradient) = gradient else { continue };
            let gradient = gradient + weight.l2 * (weight.value[label] - weight.start[label]);
            weight.squares[label] += gradient * gradient;
            weight.value[label] -= rate * gradient / (weight.squares[label].sqrt() + 1e-3);
        }
    }
}

/// Visits all rows in a new random order each epoch.
pub(crate) fn for_each_row_by_epoch(
    mut order: Vec<usize>,
    epochs: u32,
    rng: &mut Rng,
    mut each: impl FnMut(&mut Rng, u32, usize),
) {
    for epoch in 0..epochs {
        rng.shuffle(&mut order);
        for &row in &order {
            each(rng, epoch, row);
        }
    }
}

/// The mean of the weights after several epochs, which is steadier than the weights after the last.
pub(crate) struct MeanWeights<const N: usize> {
    sums: Vec<[f32; N]>,
    epochs: f32,
}

impl<const N: usize> MeanWeights<N> {
    /// Creates an empty mean for a number of features.
    pub(crate) fn new(features: usize) -> Self {
        Self { sums: vec![[0.0; N]; features], epochs: 0.0 }
    }

    /// Adds the weights after an epoch.
    pub(crate) fn add_epoch(&mut self, weights: &[Weight<N>]) {
        self.sums.iter_mut().zip(weights).for_each(|(sum, weight)| add_weights(sum, weight.value));
        self.epochs += 1.0;
    }

    /// Replaces the weights by the mean, if any epoch was added.
    pub(crate) fn write_mean_to(self, weights: &mut [Weight<N>]) {
        if self.epochs > 0.0 {
            for (weight, sum) in weights.iter_mut().zip(self.sums) {
                weight.value = sum.map(|sum| sum / self.epochs);
            }
        }
    }
}

/// Returns in how many documents each feature occurs. Rows of one document must be adjacent; feature numbers above the
/// range belong to dropped features and are ignored.
pub(crate) fn count_documents<'a>(rows: impl Iterator<Item = (u32, &'a [u32])>, features: usize) -> Vec<u32> {
    let mut counts = vec![(0, u32::MAX); features];
    for (document, row) in rows {
        for &feature in row {
            if let Some((count, last)) = counts.get_mut(feature as usize) {
                *count += u32::from(*last != document);
                *last = document;
            }
        }
    }
    counts.into_iter().map(|(count, _)| count).collect()
}

/// Returns features with their weights quantised to integers (`one` stands for 1), the most important first.
pub(crate) fn rank_features<const N: usize>(
    hashes: &[u64],
    weights: impl Iterator<Item = [f32; N]>,
    counts: &[u32],
    one: f32,
) -> Vec<(u64, [i8; N])> {
    let mut ranked: Vec<(f32, u64, [i8; N])> = hashes
        .iter()
        .zip(weights)
        .zip(counts)
        .filter_map(|((&hash, weights), &count)| {
            let whole = weights.map(|value| (value * one).round().clamp(-127.0, 127.0) as i8);
            let most = weights.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
            (whole != [0; N]).then_some((most * (count as f32).sqrt(), hash, whole))
        })
        .collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    ranked.into_iter().map(|(_, hash, weights)| (hash, weights)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_always_holds_is_learned_the_same_each_time() {
        // Features 0 to 2 determine the label, feature 3 is always there, feature 4 has no label.
        let learn = || {
            let mut weights = vec![Weight::<3>::default(); 5];
            for_each_row_by_epoch((0..40).collect(), 5, &mut Rng::new(1), |_, _, row| {
                let label = (row % 4 < 3).then_some(row % 4);
                let features = [label.unwrap_or(4) as u32, 3];
                let gradient = softmax_gradient(label_scores(&weights, &features), label);
                step_down_gradients(&mut weights, &features, gradient.map(Some), 0.2);
            });
            weights
        };
        let weights = learn();
        for label in 0..3 {
            let found = label_scores(&weights, &[label as u32, 3]);
            assert!((0..3).all(|other| found[other] <= found[label]) && found[label] > 0.0, "{label}: {found:?}");
        }
        assert!(label_scores(&weights, &[4, 3]).iter().all(|&score| score < 0.0));
        let values = |weights: Vec<Weight<3>>| weights.into_iter().map(|weight| weight.value);
        let hashes = [11, 12, 13, 14, 15];
        let ranked_once = rank_features(&hashes, values(weights), &[9; 5], 32.0);
        assert_eq!(ranked_once, rank_features(&hashes, values(learn()), &[9; 5], 32.0));
        assert_ne!(ranked_once, []);
    }
}
