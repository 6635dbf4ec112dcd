//! Counts, and the shares that are computed from them.

use serde::{Deserialize, Serialize};

use crate::intervals::{Interval, clopper_pearson, rule_of_three};

/// The F measure that weighs recall `beta` times as much as precision.
pub fn f_beta(precision: f64, recall: f64, beta: f64) -> f64 {
    let square = beta * beta;
    if precision * recall == 0.0 {
        return 0.0;
    }
    (1.0 + square) * precision * recall / (square * precision + recall)
}

/// A share; of nothing it is 1, since nothing went wrong.
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// What was found rightly, wrongly, and what was missed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// PHI that was removed.
    pub tp: u64,
    /// What was removed without being PHI.
    pub fp: u64,
    /// PHI that was left.
    #[serde(rename = "fn")]
    pub missed: u64,
}

impl Tally {
    /// Adds one piece of PHI.
    pub(crate) fn count(&mut self, caught: bool) {
        if caught {
            self.tp += 1;
        } else {
            self.missed += 1;
        }
    }

    /// Adds the counts of another document.
    pub(crate) fn add(&mut self, other: Self) {
        self.tp += other.tp;
        self.fp += other.fp;
        self.missed += other.missed;
    }

    /// The pieces of PHI.
    pub fn gold(self) -> u64 {
        self.tp + self.missed
    }

    /// Precision.
    pub fn precision(self) -> f64 {
        share(self.tp, self.tp + self.fp)
    }

    /// Recall.
    pub fn recall(self) -> f64 {
        share(self.tp, self.gold())
    }

    /// The F measure.
    pub fn f(self, beta: f64) -> f64 {
        f_beta(self.precision(), self.recall(), beta)
    }

    /// All measures with their intervals.
    pub fn scores(self, confidence: f64) -> Scores {
        Scores {
            counts: self,
            precision: self.precision(),
            recall: self.recall(),
            f1: self.f(1.0),
            f2: self.f(2.0),
            f10: self.f(10.0),
            precision_interval: clopper_pearson(self.tp, self.tp + self.fp, confidence),
            recall_interval: clopper_pearson(self.tp, self.gold(), confidence),
        }
    }
}

/// A [`Tally`] with what follows from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scores {
    /// The counts.
    #[serde(flatten)]
    pub counts: Tally,
    /// tp / (tp + fp).
    pub precision: f64,
    /// tp / (tp + fn).
    pub recall: f64,
    /// The harmonic mean of precision and recall.
    #[serde(rename = "F1")]
    pub f1: f64,
    /// Recall counts twice.
    #[serde(rename = "F2")]
    pub f2: f64,
    /// Recall counts ten times.
    #[serde(rename = "F10")]
    pub f10: f64,
    /// Clopper-Pearson.
    pub precision_interval: Interval,
    /// Clopper-Pearson.
    pub recall_interval: Interval,
}

/// A share with its counts and its exact interval.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Proportion {
    /// How many.
    pub part: u64,
    /// Out of how many.
    pub whole: u64,
    /// The share.
    pub value: f64,
    /// Clopper-Pearson.
    pub interval: Interval,
    /// Where nothing failed: the rule of three's bound of the share that may fail all the same.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_of_three: Option<f64>,
}

impl Proportion {
    /// `part` of `whole`.
    pub fn new(part: u64, whole: u64, confidence: f64) -> Self {
        Self {
            part,
            whole,
            value: share(part, whole),
            interval: clopper_pearson(part, whole, confidence),
            rule_of_three: (part == whole && whole > 0).then(|| rule_of_three(whole)),
        }
    }
}

/// Counts of spans and of tokens that do not fit a [`Tally`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) nonphi: u64,
    pub(crate) generic: Tally,
    pub(crate) spans: u64,
    pub(crate) found: u64,
    pub(crate) touched: u64,
    pub(crate) predicted: u64,
    pub(crate) predicted_right: u64,
    pub(crate) predicted_optional: u64,
    pub(crate) predicted_exact: u64,
    /// Predicted spans with a category, those over optional text left out.
    pub(crate) claimed: u64,
    pub(crate) exact_typed: u64,
    pub(crate) partial_typed_gold: u64,
    pub(crate) partial_typed_predicted: u64,
    pub(crate) ambiguous_nonphi: u64,
    pub(crate) ambiguous_nonphi_lost: u64,
    pub(crate) ambiguous_phi: u64,
    pub(crate) ambiguous_phi_caught: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.nonphi += other.nonphi;
        self.generic.add(other.generic);
        self.spans += other.spans;
        self.found += other.found;
        self.touched += other.touched;
        self.predicted += other.predicted;
        self.predicted_right += other.predicted_right;
        self.predicted_optional += other.predicted_optional;
        self.predicted_exact += other.predicted_exact;
        self.claimed += other.claimed;
        self.exact_typed += other.exact_typed;
        self.partial_typed_gold += other.partial_typed_gold;
        self.partial_typed_predicted += other.partial_typed_predicted;
        self.ambiguous_nonphi += other.ambiguous_nonphi;
        self.ambiguous_nonphi_lost += other.ambiguous_nonphi_lost;
        self.ambiguous_phi += other.ambiguous_phi;
        self.ambiguous_phi_caught += other.ambiguous_phi_caught;
    }
}

/// Tokens and spans of one category, subtype or group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct GroupTally {
    /// PHI tokens caught and missed.
    pub(crate) tokens: Tally,
    /// Gold spans of which no token leaked, and the others.
    pub(crate) spans: Tally,
}

impl GroupTally {
    /// Adds the counts of another document.
    pub(crate) fn add(&mut self, other: Self) {
        self.tokens.add(other.tokens);
        self.spans.add(other.spans);
    }

    /// The shares with their intervals.
    pub(crate) fn scores(self, words: u64, confidence: f64) -> GroupScores {
        let per_words = |count: u64| if words == 0 { 0.0 } else { count as f64 * 10_000.0 / words as f64 };
        GroupScores {
            tokens: self.tokens.gold(),
            token_leaks: self.tokens.missed,
            token_recall: self.tokens.recall(),
            token_interval: clopper_pearson(self.tokens.tp, self.tokens.gold(), confidence),
            spans: self.spans.gold(),
            span_leaks: self.spans.missed,
            span_recall: self.spans.recall(),
            span_interval: clopper_pearson(self.spans.tp, self.spans.gold(), confidence),
            leaks_per_10000_words: per_words(self.tokens.missed),
            rule_of_three: (self.tokens.missed == 0 && self.tokens.tp > 0).then(|| rule_of_three(self.tokens.tp)),
        }
    }
}

/// Tokens and spans of one category, subtype or group, with what follows from their numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GroupScores {
    /// PHI tokens.
    pub tokens: u64,
    /// PHI tokens left in the text.
    pub token_leaks: u64,
    /// The share of tokens removed.
    pub token_recall: f64,
    /// Clopper-Pearson.
    pub token_interval: Interval,
    /// Gold spans.
    pub spans: u64,
    /// Gold spans with a token left.
    pub span_leaks: u64,
    /// The share of spans wholly removed.
    pub span_recall: f64,
    /// Clopper-Pearson.
    pub span_interval: Interval,
    /// Leaked tokens in 10,000 words of text.
    pub leaks_per_10000_words: f64,
    /// Where nothing leaked: the rule of three's bound of the share that may leak all the same.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_of_three: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f_measures_by_hand() {
        assert!((f_beta(0.5, 1.0, 2.0) - 2.5 / 3.0).abs() < 1e-12);
        assert!((f_beta(0.5, 1.0, 10.0) - 50.5 / 51.0).abs() < 1e-12);
        assert!(f_beta(0.0, 1.0, 1.0).abs() < f64::EPSILON);
    }

    /// The re-implementation of the local-context SVM prints the confusion matrix 9,013 / 625 / 243 / 158,838 and
    /// P 97.37, R 93.52, F 95.41; which cell is which is garbled. One reading gives these figures.
    #[test]
    fn the_cells_of_the_svm_study() {
        let reading = |tp, fp, missed| {
            let tally = Tally { tp, fp, missed };
            [tally.precision(), tally.recall(), tally.f(1.0)].map(|share| (share * 1e4).round() / 100.0)
        };
        let printed = [97.37, 93.52, 95.41];
        let cells = [9_013, 625, 243, 158_838];
        let mut readings = Vec::new();
        for tp in cells {
            for fp in cells {
                for missed in cells {
                    let distinct = tp != fp && fp != missed && tp != missed;
                    if distinct && reading(tp, fp, missed).iter().zip(printed).all(|(a, b)| (a - b).abs() < 0.006) {
                        readings.push((tp, fp, missed));
                    }
                }
            }
        }
        assert_eq!(readings, [(9_013, 243, 625)], "625 were missed, 243 were removed without being PHI");
    }
}
