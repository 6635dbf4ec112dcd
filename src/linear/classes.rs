//! A linear model that distinguishes a few classes by hashed features, and its trainer.
//!
//! A feature is a hash; its lowest bits are its place among the weights, without a check: features that share a place share
//! their weights, in learning as in use. Weights are whole numbers, so every machine gives the same answer.

use wide::i16x16;

use super::rng::Rng;

/// What a score of one, a factor of e in the odds, is written as.
pub(crate) const ONE: f32 = 16.0;

/// The place of a feature among so many weights, a power of two.
const fn place(feature: u64, places: usize) -> usize {
    (feature ^ feature >> 29) as usize & (places - 1)
}

/// The score of each class: the sum of the weights of all features. Those of many classes are added at once.
pub(crate) fn scores<const N: usize>(weights: &[[i8; N]], features: &[u64]) -> [i32; N] {
    let mut scores = [0; N];
    if N <= 4 {
        for &feature in features {
            let weights = weights[place(feature, weights.len())];
            scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += i32::from(weight));
        }
        return scores;
    }
    let flat = weights.as_flattened();
    // So many that 16 bits hold their sum.
    for features in features.chunks(256) {
        let mut sums = i16x16::ZERO;
        for &feature in features {
            // Behind the weights of most places stand others, which no class takes.
            let lanes = flat.get(place(feature, weights.len()) * N..).unwrap_or_default();
            let lanes = lanes.first_chunk().copied().unwrap_or_else(|| padded(lanes));
            sums += i16x16::from_i8x16(lanes.into());
        }
        let sums = sums.to_array();
        scores.iter_mut().zip(sums).for_each(|(score, sum)| *score += i32::from(sum));
    }
    scores
}

/// Fewer weights than there are lanes, with zeros behind.
#[cold]
fn padded(weights: &[i8]) -> [i8; 16] {
    std::array::from_fn(|class| weights.get(class).copied().unwrap_or_default())
}

/// The class with the highest score; of two, the first.
pub(crate) fn best<const N: usize>(scores: &[i32; N]) -> usize {
    (1..N).fold(0, |best, class| if scores[class] > scores[best] { class } else { best })
}

/// Something to learn from: its features, and the class that it has.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    pub(crate) features: Vec<u64>,
    pub(crate) class: usize,
    /// The document it comes from.
    pub(crate) document: u32,
}

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Training {
    /// How many weights of each class there are, a power of two.
    pub(crate) places: usize,
    pub(crate) epochs: u32,
    pub(crate) rate: f32,
    pub(crate) l2: f32,
    /// A feature that fewer documents have is left out.
    pub(crate) documents: u32,
}

/// Learns the weights of features by gradient descent on the logarithm of what the right class is thought to be worth (`AdaGrad`).
pub(crate) fn train<const N: usize>(examples: &[Example], training: Training) -> Vec<[i8; N]> {
    let frequent = frequent(examples, training);
    let mut weights = vec![[0.0_f32; N]; training.places];
    let mut squares = vec![[0.0_f32; N]; training.places];
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut rng = Rng::new(7);
    let mut places = Vec::new();
    for _ in 0..training.epochs {
        for at in (1..order.len()).rev() {
            order.swap(at, rng.next() as usize % (at + 1));
        }
        for &nth in &order {
            let Example { features, class, .. } = &examples[nth];
            places.clear();
            let all = features.iter().map(|&feature| place(feature, training.places));
            places.extend(all.filter(|&place| frequent[place] >= training.documents));
            let mut scores = [0.0_f32; N];
            for &place in &places {
                scores.iter_mut().zip(weights[place]).for_each(|(score, weight)| *score += weight);
            }
            let highest = scores.iter().copied().fold(f32::MIN, f32::max);
            let odds = scores.map(|score| (score - highest).exp());
            let all: f32 = odds.iter().sum();
            let mut gradient = odds.map(|odds| odds / all);
            gradient[*class] -= 1.0;
            for &place in &places {
                for class in 0..N {
                    let weight = &mut weights[place][class];
                    let gradient = gradient[class] + training.l2 * *weight;
                    squares[place][class] += gradient * gradient;
                    *weight -= training.rate * gradient / (squares[place][class].sqrt() + 1e-3);
                }
            }
        }
    }
    weights.iter().map(|weights| weights.map(|weight| (weight * ONE).round().clamp(-127.0, 127.0) as i8)).collect()
}

/// In how many documents something at each place was seen.
fn frequent(examples: &[Example], training: Training) -> Vec<u32> {
    let mut counts = vec![(0_u32, u32::MAX); training.places];
    for example in examples {
        for &feature in &example.features {
            let (count, last) = &mut counts[place(feature, training.places)];
            *count += u32::from(*last != example.document);
            *last = example.document;
        }
    }
    counts.into_iter().map(|(count, _)| count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_always_so_is_learned() {
        let example = |nth: u32| {
            let class = nth as usize % 3;
            Example { features: vec![1, 100 + class as u64 * 7, u64::from(nth) << 8], class, document: nth }
        };
        let examples: Vec<Example> = (0..300).map(example).collect();
        let training = Training { places: 1 << 10, epochs: 5, rate: 0.2, l2: 1e-5, documents: 2 };
        let weights = train::<3>(&examples, training);
        assert_eq!(weights, train::<3>(&examples, training), "the same each time");
        for example in &examples {
            assert_eq!(best(&scores(&weights, &example.features)), example.class);
        }
    }
}
