//! Bootstrap over documents, because words of one note are not independent, but notes are.

use serde::{Deserialize, Serialize};

use crate::intervals::Interval;
use crate::measures::Tally;

/// A small random number generator (`SplitMix64`). The same seed gives the same numbers on every machine.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a uniform random number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        // Reject the part of the range that would favour small numbers.
        let limit = u64::MAX - u64::MAX % bound;
        loop {
            let drawn = self.next();
            if drawn < limit {
                return drawn % bound;
            }
        }
    }

    /// Shuffles the items.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at as u64 + 1) as usize);
        }
    }
}

/// Returns a quantile of sorted values, interpolated between the two nearest.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = share * last as f64;
    #[allow(clippy::cast_sign_loss)] // The share is at least 0.
    let low = place.floor() as usize;
    let high = (low + 1).min(last);
    sorted[low] + (sorted[high] - sorted[low]) * (place - low as f64)
}

/// Returns the percentile interval of values.
pub(crate) fn percentiles(mut values: Vec<f64>, confidence: f64) -> Interval {
    values.sort_by(f64::total_cmp);
    let tail = (1.0 - confidence) / 2.0;
    Interval { low: quantile(&values, tail), high: quantile(&values, 1.0 - tail) }
}

/// Percentile intervals from bootstrap samples of documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bootstrap {
    /// The number of bootstrap samples.
    pub draws: u32,
    /// The seed.
    pub seed: u64,
    /// The interval of token precision.
    pub precision: Interval,
    /// The interval of token recall.
    pub recall: Interval,
    /// The interval of token F1.
    #[serde(rename = "F1")]
    pub f1: Interval,
    /// The interval of token F2.
    #[serde(rename = "F2")]
    pub f2: Interval,
    /// The interval of token F10.
    #[serde(rename = "F10")]
    pub f10: Interval,
}

/// Returns the sum of one bootstrap sample: as many documents as there are, drawn with replacement.
pub(crate) fn resample_documents(tallies: &[Tally], random: &mut Random) -> Tally {
    let mut sum = Tally::default();
    for _ in 0..tallies.len() {
        sum += tallies[random.below(tallies.len() as u64) as usize];
    }
    sum
}

/// Computes bootstrap intervals from the documents' tallies. `None` without documents or draws.
pub(crate) fn bootstrap(tallies: &[Tally], draws: u32, seed: u64, confidence: f64) -> Option<Bootstrap> {
    if tallies.is_empty() || draws == 0 {
        return None;
    }
    let mut random = Random::new(seed);
    let sums: Vec<Tally> = (0..draws).map(|_| resample_documents(tallies, &mut random)).collect();
    let of = |measure: &dyn Fn(Tally) -> f64| percentiles(sums.iter().map(|sum| measure(*sum)).collect(), confidence);
    Some(Bootstrap {
        draws,
        seed,
        precision: of(&Tally::precision),
        recall: of(&Tally::recall),
        f1: of(&|sum| sum.f_measure(1.0)),
        f2: of(&|sum| sum.f_measure(2.0)),
        f10: of(&|sum| sum.f_measure(10.0)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published test vector of `SplitMix64` for the seed 1234567.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn the_interval_holds_the_value_and_repeats() {
        let tallies: Vec<Tally> = (0..200).map(|at| Tally { tp: 10, fp: at % 3, missed: at % 2 }).collect();
        let found = bootstrap(&tallies, 500, 7, 0.95).unwrap();
        assert_eq!(Some(&found), bootstrap(&tallies, 500, 7, 0.95).as_ref());
        let recall = 2_000.0 / 2_100.0;
        assert!(found.recall.low < recall && recall < found.recall.high && found.recall.high < 1.0);
        // The normal approximation: 1.96 standard errors of the mean fraction of missed tokens.
        assert!((found.recall.high - found.recall.low - 0.0126).abs() < 0.003);
        assert!(bootstrap(&[], 500, 7, 0.95).is_none());
    }
}
