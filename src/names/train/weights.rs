//! The weights of features, and the steps by which they are learned.

use super::Gold;
use crate::names::score::{LABELS, ONE};

/// The weights of a feature, one a label.
#[derive(Clone, Copy, Default)]
pub(super) struct Weight {
    pub(super) value: [f32; LABELS],
    /// To what the weights are drawn.
    pub(super) start: [f32; LABELS],
    pub(super) squares: [f32; LABELS],
    /// How strongly the weights are drawn there each time the feature is seen.
    pub(super) decay: f32,
}

pub(super) fn sum(weights: &[Weight], features: &[u32]) -> [f32; LABELS] {
    let mut sum = [0.0; LABELS];
    for weight in features.iter().filter_map(|&feature| weights.get(feature as usize)) {
        add(&mut sum, weight.value);
    }
    sum
}

pub(super) fn add(sum: &mut [f32; LABELS], more: [f32; LABELS]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// One step down the gradient of the logarithm of what the label is thought to be worth, `rest` by what is not learned.
pub(super) fn step(weights: &mut [Weight], features: &[u32], rest: [f32; LABELS], gold: Gold, rate: f32) {
    let mut scores = sum(weights, features);
    add(&mut scores, rest);
    let highest = scores.iter().copied().fold(0.0, f32::max);
    let odds = scores.map(|score| (score - highest).exp());
    let all = odds.iter().sum::<f32>() + (-highest).exp();
    let mut gradient = odds.map(|odds| odds / all);
    if gold != Gold::Nothing {
        gradient[gold as usize - 1] -= 1.0;
    }
    // What is judged right already teaches nothing.
    if gradient.iter().all(|gradient| gradient.abs() < 0.004) {
        return;
    }
    for &feature in features {
        let weight = &mut weights[feature as usize];
        for label in 0..LABELS {
            let gradient = gradient[label] + weight.decay * (weight.value[label] - weight.start[label]);
            weight.squares[label] += gradient * gradient;
            weight.value[label] -= rate * gradient / (weight.squares[label].sqrt() + 1e-3);
        }
    }
}

/// Features with their weights in whole numbers, the most important first.
pub(super) fn ranked(hashes: &[u64], weights: &[Weight], counts: &[u32]) -> Vec<(u64, [i8; LABELS])> {
    let mut ranked: Vec<(f32, u64, [i8; LABELS])> = hashes
        .iter()
        .zip(weights)
        .zip(counts)
        .filter_map(|((&hash, weight), &count)| {
            let whole = weight.value.map(|value| (value * ONE as f32).round().clamp(-127.0, 127.0) as i8);
            let most = weight.value.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
            (whole != [0; LABELS]).then_some((most * (count as f32).sqrt(), hash, whole))
        })
        .collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    ranked.into_iter().map(|(_, hash, weights)| (hash, weights)).collect()
}
