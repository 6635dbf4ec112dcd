//! Counts, proportions computed from them, and the measures of Sokolova and others (2011), for which a document is a
//! set of labels, not a bag of words.
//!
//! The four formulas of the latter are applied in two ways. `protected` compares the labels in a document with those
//! that the system removed completely: high EMR and LF, low HL and OE are good. `leaked` is the published
//! interpretation: every label is expected, and a label is output if any of it leaked: low EMR and LF, high HL and OE
//! are good.

use std::collections::BTreeSet;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::intervals::{Interval, clopper_pearson, rule_of_three};

/// Returns the F measure that weighs recall `beta` times as much as precision.
pub fn f_beta(precision: f64, recall: f64, beta: f64) -> f64 {
    let square = beta * beta;
    if precision * recall == 0.0 {
        return 0.0;
    }
    (1.0 + square) * precision * recall / (square * precision + recall)
}

/// Returns a proportion; 1 if `whole` is 0, since nothing went wrong.
pub(crate) fn share_or_one(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// Counts of true positives, false positives and false negatives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The amount of PHI that was removed.
    pub tp: u64,
    /// The amount that was removed but is not PHI.
    pub fp: u64,
    /// The amount of PHI that was left.
    #[serde(rename = "fn")]
    pub missed: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.tp += other.tp;
        self.fp += other.fp;
        self.missed += other.missed;
    }
}

impl Tally {
    /// Counts one PHI token or span.
    pub(crate) fn count_gold(&mut self, caught: bool) {
        if caught {
            self.tp += 1;
        } else {
            self.missed += 1;
        }
    }

    /// Returns the total amount of PHI.
    pub fn gold_count(self) -> u64 {
        self.tp + self.missed
    }

    /// Returns the precision.
    pub fn precision(self) -> f64 {
        share_or_one(self.tp, self.tp + self.fp)
    }

    /// Returns the recall.
    pub fn recall(self) -> f64 {
        share_or_one(self.tp, self.gold_count())
    }

    /// Returns the F measure.
    pub fn f_measure(self, beta: f64) -> f64 {
        f_beta(self.precision(), self.recall(), beta)
    }

    /// Returns all measures with their intervals.
    pub fn scores(self, confidence: f64) -> Scores {
        Scores {
            counts: self,
            precision: self.precision(),
            recall: self.recall(),
            f1: self.f_measure(1.0),
            f2: self.f_measure(2.0),
            f10: self.f_measure(10.0),
            precision_interval: clopper_pearson(self.tp, self.tp + self.fp, confidence),
            recall_interval: clopper_pearson(self.tp, self.gold_count(), confidence),
        }
    }
}

/// A [`Tally`] with the measures computed from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scores {
    /// The counts.
    #[serde(flatten)]
    pub counts: Tally,
    /// tp / (tp + fp).
    pub precision: f64,
    /// tp / (tp + missed).
    pub recall: f64,
    /// The harmonic mean of precision and recall.
    #[serde(rename = "F1")]
    pub f1: f64,
    /// The F measure that weighs recall twice as much as precision.
    #[serde(rename = "F2")]
    pub f2: f64,
    /// The F measure that weighs recall ten times as much as precision.
    #[serde(rename = "F10")]
    pub f10: f64,
    /// The Clopper-Pearson interval of the precision.
    pub precision_interval: Interval,
    /// The Clopper-Pearson interval of the recall.
    pub recall_interval: Interval,
}

/// A proportion with its counts and its exact interval.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Proportion {
    /// The numerator.
    pub part: u64,
    /// The denominator.
    pub whole: u64,
    /// The proportion.
    pub value: f64,
    /// The Clopper-Pearson interval.
    pub interval: Interval,
    /// If nothing failed, the upper bound of the failure rate by the rule of three.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_of_three: Option<f64>,
}

impl Proportion {
    /// Creates the proportion `part / whole`.
    pub fn new(part: u64, whole: u64, confidence: f64) -> Self {
        Self {
            part,
            whole,
            value: share_or_one(part, whole),
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
    /// Predicted spans with a category, except those over optional text.
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
        self.generic += other.generic;
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
    /// The PHI tokens that were removed and missed.
    pub(crate) tokens: Tally,
    /// The gold spans without a leaked token, and the others.
    pub(crate) spans: Tally,
}

impl AddAssign for GroupTally {
    fn add_assign(&mut self, other: Self) {
        self.tokens += other.tokens;
        self.spans += other.spans;
    }
}

impl GroupTally {
    /// Returns the measures with their intervals.
    pub(crate) fn scores(self, words: u64, confidence: f64) -> GroupScores {
        let per_words = |count: u64| if words == 0 { 0.0 } else { count as f64 * 10_000.0 / words as f64 };
        GroupScores {
            tokens: self.tokens.gold_count(),
            token_leaks: self.tokens.missed,
            token_recall: self.tokens.recall(),
            token_interval: clopper_pearson(self.tokens.tp, self.tokens.gold_count(), confidence),
            spans: self.spans.gold_count(),
            span_leaks: self.spans.missed,
            span_recall: self.spans.recall(),
            span_interval: clopper_pearson(self.spans.tp, self.spans.gold_count(), confidence),
            leaks_per_10000_words: per_words(self.tokens.missed),
            rule_of_three: (self.tokens.missed == 0 && self.tokens.tp > 0).then(|| rule_of_three(self.tokens.tp)),
        }
    }
}

/// Counts and measures of one category, subtype or group.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GroupScores {
    /// The number of PHI tokens.
    pub tokens: u64,
    /// The number of leaked PHI tokens.
    pub token_leaks: u64,
    /// The proportion of tokens removed.
    pub token_recall: f64,
    /// The Clopper-Pearson interval of the token recall.
    pub token_interval: Interval,
    /// The number of gold spans.
    pub spans: u64,
    /// The number of gold spans with a leaked token.
    pub span_leaks: u64,
    /// The proportion of spans removed completely.
    pub span_recall: f64,
    /// The Clopper-Pearson interval of the span recall.
    pub span_interval: Interval,
    /// The number of leaked tokens per 10,000 words of text.
    pub leaks_per_10000_words: f64,
    /// If nothing leaked, the upper bound of the leak rate by the rule of three.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_of_three: Option<f64>,
}

/// The denominator of the Hamming loss of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HammingBase {
    /// The number of all labels.
    #[default]
    Labels,
    /// The number of labels in either set of the document.
    Present,
}

/// A set of labels.
pub type Labels = BTreeSet<String>;

/// Sokolova's four measures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sokolova {
    /// The number of documents.
    #[serde(rename = "docs")]
    pub documents: u64,
    /// The number of labels.
    pub labels: u64,
    /// Exact match ratio: the proportion of documents whose sets are equal.
    #[serde(rename = "EMR")]
    pub exact_match_ratio: f64,
    /// Labelling F: the mean of 2 |in & out| / (|in| + |out|).
    #[serde(rename = "LF")]
    pub labelling_f: f64,
    /// Hamming loss: the mean proportion of labels that are in only one set.
    #[serde(rename = "HL")]
    pub hamming_loss: f64,
    /// One-error: the proportion of documents whose top label is not in the second set.
    #[serde(rename = "OE")]
    pub one_error: f64,
}

/// Computes the measures of pairs of label sets. `order` lists the labels, the riskiest first; a document's top label
/// is the first label of `order` in its first set. Documents with an empty first set are left out of the one-error.
pub fn sokolova(documents: &[(Labels, Labels)], order: &[String], base: HammingBase) -> Sokolova {
    if documents.is_empty() {
        return Sokolova { labels: order.len() as u64, ..Sokolova::default() };
    }
    let (mut equal, mut labelling, mut hamming) = (0_u64, 0.0, 0.0);
    let (mut with_label, mut top_missed) = (0_u64, 0_u64);
    for (first, second) in documents {
        equal += u64::from(first == second);
        let both = first.intersection(second).count();
        let either = first.union(second).count();
        labelling += if either == 0 { 1.0 } else { 2.0 * both as f64 / (first.len() + second.len()) as f64 };
        let of = match base {
            HammingBase::Labels => order.len(),
            HammingBase::Present => either,
        };
        hamming += (either - both) as f64 / of.max(1) as f64;
        // A label outside `order` is less risky than every label in it.
        let top = order.iter().find(|label| first.contains(*label)).or_else(|| first.first());
        if let Some(top) = top {
            with_label += 1;
            top_missed += u64::from(!second.contains(top));
        }
    }
    let count = documents.len() as f64;
    Sokolova {
        documents: documents.len() as u64,
        labels: order.len() as u64,
        exact_match_ratio: equal as f64 / count,
        labelling_f: labelling / count,
        hamming_loss: hamming / count,
        one_error: if with_label == 0 { 0.0 } else { top_missed as f64 / with_label as f64 },
    }
}

#[cfg(test)]
mod tests;
