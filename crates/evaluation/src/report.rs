//! The whole result of an evaluation, ready to be written as JSON. `summary` fills it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bootstrap::Bootstrap;
use crate::gold::Problem;
use crate::measures::{GroupScores, Proportion, Scores, Sokolova};
use crate::mistakes::{Counted, Leak};
use crate::readability::Readability;

/// Numbers of tokens.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TokenCounts {
    /// All words of the notes.
    pub words: u64,
    /// Words of required gold spans that count.
    pub phi: u64,
    /// Words outside all gold spans.
    pub nonphi: u64,
    /// Generic words inside gold spans, left out of all counts.
    pub generic: u64,
}

/// Span measures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SpanScores {
    /// Required gold spans that count.
    pub gold: u64,
    /// Predicted spans.
    pub predicted: u64,
    /// Gold spans of which no token leaked.
    pub found: u64,
    /// Gold spans of which something was removed.
    pub touched: u64,
    /// Predicted spans that overlap a gold span.
    pub right: u64,
    /// right / predicted.
    pub precision: f64,
    /// found / gold.
    pub recall: f64,
    /// touched / gold.
    pub recall_touched: f64,
    /// Of precision and recall.
    #[serde(rename = "F1")]
    pub f1: f64,
    /// Of precision and recall.
    #[serde(rename = "F2")]
    pub f2: f64,
    /// Of precision and recall.
    #[serde(rename = "F10")]
    pub f10: f64,
    /// Of the recall.
    pub recall_interval: Proportion,
    /// Same bounds.
    pub exact: Scores,
    /// Any overlap: what is missed are gold spans, what is false are predicted spans.
    pub partial: Scores,
    /// Same bounds and category, where the system names categories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact_typed: Option<Scores>,
    /// Any overlap with the same category, where the system names categories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial_typed: Option<Scores>,
}

/// Words that are PHI in one place of a document and none in another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ambiguous {
    /// Such words where they are no PHI.
    pub nonphi_tokens: u64,
    /// The share of them that was kept.
    pub nonphi_retained: Option<f64>,
    /// Such words where they are PHI.
    pub phi_tokens: u64,
    /// The share of them that was removed.
    pub phi_recall: Option<f64>,
}

/// Measures of whole documents.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DocumentScores {
    /// Documents without a leaked token.
    pub zero_leak: Proportion,
    /// Documents without a leaked token of a direct identifier.
    pub zero_direct_leak: Proportion,
    /// By category: of the documents that hold it, those without a leak of it.
    pub by_category: BTreeMap<String, Proportion>,
    /// Documents by the number of categories of which something leaked: low, medium, high.
    pub risk: BTreeMap<String, u64>,
}

/// One row of the table of documents.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The document.
    pub doc: String,
    /// Its words.
    pub words: u64,
    /// PHI tokens.
    pub phi: u64,
    /// PHI tokens left.
    pub leaked: u64,
    /// PHI tokens of direct identifiers left.
    pub leaked_direct: u64,
    /// Gold spans with a token left.
    pub leaked_spans: u64,
    /// Categories with a token left.
    pub leaked_categories: u64,
    /// Words removed that are no PHI.
    pub lost: u64,
    /// The share of other words that was kept.
    pub kept: f64,
    /// The risk by the number of categories leaked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<String>,
}

/// Concepts that survived.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConceptSurvival {
    /// Documents whose concepts are known.
    pub documents: u64,
    /// Mentions that are still coded after scrubbing.
    pub mentions: Proportion,
    /// Distinct concepts of a document that are still coded, summed over documents.
    pub distinct: Proportion,
}

/// The result of an evaluation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Documents.
    pub documents: u64,
    /// Numbers of tokens.
    pub tokens: TokenCounts,
    /// Tokens: PHI caught, PHI missed, other words removed.
    pub token: Scores,
    /// The same with the generic words of spans counted like any other.
    pub strict_token: Scores,
    /// Means over the categories.
    pub macro_average: MacroAverage,
    /// Other words that were kept: specificity, the utility that is left.
    pub retained_nonphi: Proportion,
    /// Spans.
    pub span: SpanScores,
    /// Ambiguous words.
    pub ambiguous: Ambiguous,
    /// Documents.
    pub document: DocumentScores,
    /// By category.
    pub category: BTreeMap<String, GroupScores>,
    /// By category and subtype.
    pub subtype: BTreeMap<String, GroupScores>,
    /// By risk group.
    pub risk: BTreeMap<String, GroupScores>,
    /// By the risk groups of the nursing-note study.
    pub nursing_risk: BTreeMap<String, GroupScores>,
    /// By the kind of noise, for damaged texts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub noise: BTreeMap<String, GroupScores>,
    /// Type-strict tokens by category, where the system names categories.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub typed_category: BTreeMap<String, Scores>,
    /// Type-strict spans with the same bounds, by category.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub typed_span: BTreeMap<String, Scores>,
    /// Sokolova's measures of categories wholly removed.
    pub sokolova_category: Sokolova,
    /// Sokolova's measures of risk groups wholly removed.
    pub sokolova_risk: Sokolova,
    /// The published reading: every category expected, those that leaked found.
    pub sokolova_leaked: Sokolova,
    /// Intervals over resampled documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<Bootstrap>,
    /// How the output reads.
    pub readability: Readability,
    /// Masks in a sentence.
    pub masks_per_sentence: f64,
    /// Concepts, where the predictions have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concepts: Option<ConceptSurvival>,
    /// The leaks, at most 200.
    pub leaks: Vec<Leak>,
    /// Leaks by form.
    pub leak_forms: Vec<Counted>,
    /// Words removed that are no PHI, by form, at most 200.
    pub over_scrubbed: Vec<Counted>,
    /// Every document.
    pub per_document: Vec<Row>,
    /// What was left out of the gold standard, and why.
    pub problems: Vec<Problem>,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// Whether generic words counted like any other.
    pub strict: bool,
}

/// Means over categories of token recall, and of the type-strict measures where there are any.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MacroAverage {
    /// Mean token recall.
    pub recall: f64,
    /// Mean type-strict precision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typed_precision: Option<f64>,
    /// Mean type-strict recall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typed_recall: Option<f64>,
    /// Mean type-strict F1.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "typed_F1")]
    pub typed_f1: Option<f64>,
}
