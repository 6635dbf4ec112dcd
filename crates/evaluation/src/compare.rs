//! Statistical comparison of two systems on the same notes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bootstrap::{Random, percentiles};
use crate::document::ScoredDocument;
use crate::error::Result;
use crate::gold::Gold;
use crate::intervals::{Interval, binomial_at_most, chi_squared_tail};
use crate::measures::Tally;
use crate::predictions::Predictions;
use crate::{Options, score_documents};

/// The number of differing tokens below which the exact test is used.
const EXACT_BELOW: u64 = 25;

/// `McNemar`'s test on tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct McNemar {
    /// The number of tokens on which both systems are right.
    pub both_right: u64,
    /// The number of tokens on which only the first is right.
    pub only_first: u64,
    /// The number of tokens on which only the second is right.
    pub only_second: u64,
    /// The number of tokens on which neither is right.
    pub neither: u64,
    /// Whether the p value is exact (binomial), or from the chi-squared statistic with continuity correction.
    pub exact: bool,
    /// The statistic (|b - c| - 1)^2 / (b + c).
    pub statistic: f64,
    /// The two-sided p value.
    pub p: f64,
}

impl McNemar {
    /// Runs the test on the counts of a two-by-two table.
    pub fn new(both_right: u64, only_first: u64, only_second: u64, neither: u64) -> Self {
        let differ = only_first + only_second;
        let statistic = if differ == 0 {
            0.0
        } else {
            let excess = (only_first.abs_diff(only_second) as f64 - 1.0).max(0.0);
            excess * excess / differ as f64
        };
        let exact = differ < EXACT_BELOW;
        let p = match differ {
            0 => 1.0,
            _ if exact => (2.0 * binomial_at_most(only_first.min(only_second), differ, 0.5)).min(1.0),
            _ => chi_squared_tail(statistic),
        };
        Self { both_right, only_first, only_second, neither, exact, statistic, p }
    }
}

/// The difference of a measure, second minus first, with its bootstrap interval over documents.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The value of the first system.
    pub first: f64,
    /// The value of the second system.
    pub second: f64,
    /// The second minus the first.
    pub difference: f64,
    /// The percentile interval of the difference.
    pub interval: Interval,
    /// The two-sided p value: twice the fraction of bootstrap samples on the other side of zero, at most 1.
    pub p: f64,
}

/// The comparison of two systems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The number of documents.
    pub documents: u64,
    /// The test on all scored tokens.
    pub mcnemar: McNemar,
    /// The test on PHI tokens only.
    pub mcnemar_phi: McNemar,
    /// The differences of token precision, recall, F1, F2 and F10.
    pub measures: BTreeMap<String, Difference>,
    /// The number of bootstrap samples.
    pub draws: u32,
    /// The seed.
    pub seed: u64,
}

type Measure = (&'static str, fn(Tally) -> f64);

const MEASURES: [Measure; 5] = [
    ("precision", Tally::precision),
    ("recall", Tally::recall),
    ("F1", |tally| tally.f_measure(1.0)),
    ("F2", |tally| tally.f_measure(2.0)),
    ("F10", |tally| tally.f_measure(10.0)),
];

/// Compares two systems on the same gold standard.
pub fn compare(gold: &Gold, first: &Predictions, second: &Predictions, options: &Options) -> Result<Comparison> {
    let first = score_documents(gold, first, options)?;
    let second = score_documents(gold, second, options)?;
    let pairs: Vec<(&ScoredDocument, &ScoredDocument)> = first.values().zip(second.values()).collect();
    let table = |phi: bool| {
        let mut table = [0_u64; 4];
        for (a, b) in &pairs {
            for ((a, b), is_phi) in a.right.iter().zip(&b.right).zip(&a.phi) {
                if *is_phi || !phi {
                    table[usize::from(!a) * 2 + usize::from(!b)] += 1;
                }
            }
        }
        McNemar::new(table[0], table[1], table[2], table[3])
    };
    Ok(Comparison {
        documents: pairs.len() as u64,
        mcnemar: table(false),
        mcnemar_phi: table(true),
        measures: measure_differences(&pairs, options),
        draws: options.draws,
        seed: options.seed,
    })
}

fn measure_differences(
    pairs: &[(&ScoredDocument, &ScoredDocument)],
    options: &Options,
) -> BTreeMap<String, Difference> {
    let sum = |chosen: &mut dyn Iterator<Item = usize>| {
        let mut sums = (Tally::default(), Tally::default());
        for at in chosen {
            sums.0 += pairs[at].0.token;
            sums.1 += pairs[at].1.token;
        }
        sums
    };
    let whole = sum(&mut (0..pairs.len()));
    let mut random = Random::new(options.seed);
    let resampled: Vec<(Tally, Tally)> = (0..options.draws)
        .filter(|_| !pairs.is_empty())
        .map(|_| sum(&mut (0..pairs.len()).map(|_| random.below(pairs.len() as u64) as usize)))
        .collect();
    let difference = |measure: fn(Tally) -> f64| {
        let (first, second) = (measure(whole.0), measure(whole.1));
        let drawn: Vec<f64> = resampled.iter().map(|(a, b)| measure(*b) - measure(*a)).collect();
        let side = |wanted: fn(&f64) -> bool| drawn.iter().filter(|value| wanted(value)).count();
        let less = side(|&value| value <= 0.0).min(side(|&value| value >= 0.0));
        // With n samples, a fraction below 1 / (n + 1) cannot be shown.
        let p = 2.0 * (less + 1) as f64 / (drawn.len() + 1) as f64;
        let interval = percentiles(drawn, options.confidence);
        Difference { first, second, difference: second - first, interval, p: p.min(1.0) }
    };
    MEASURES.iter().map(|(name, measure)| ((*name).to_owned(), difference(*measure))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Agresti's example of approval ratings: 150 and 86 changed; uncorrected z is 4.17, corrected chi-squared 16.82.
    #[test]
    fn mcnemar_of_a_published_table() {
        let test = McNemar::new(794, 150, 86, 570);
        assert!((test.statistic - 16.8178).abs() < 1e-3 && !test.exact, "{test:?}");
        assert!((test.p - 4.115e-5).abs() < 1e-7, "{test:?}");
    }

    #[test]
    fn mcnemar_with_few_differences_is_exact() {
        let test = McNemar::new(100, 1, 9, 3);
        // 2 (C(10,0) + C(10,1)) / 2^10.
        assert!(test.exact && (test.p - 22.0 / 1024.0).abs() < 1e-12, "{test:?}");
        assert!((McNemar::new(5, 0, 0, 5).p - 1.0).abs() < f64::EPSILON);
        assert!((McNemar::new(5, 4, 4, 5).p - 1.0).abs() < f64::EPSILON);
    }
}
