//! The complete result of an evaluation, serialisable as JSON. `summary` fills it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bootstrap::Bootstrap;
use crate::gold::Problem;
use crate::measures::{GroupScores, Proportion, Scores, Sokolova};
use crate::mistakes::{Counted, Leak};
use crate::readability::Readability;

/// Counts of tokens.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TokenCounts {
    /// The number of words in the notes.
    pub words: u64,
    /// The number of scored words in required gold spans.
    pub phi: u64,
    /// The number of words outside all gold spans.
    pub nonphi: u64,
    /// The number of generic words in gold spans, which are left out of all counts.
    pub generic: u64,
}

/// Measures of spans.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SpanScores {
    /// The number of scored required gold spans.
    pub gold: u64,
    /// The number of predicted spans.
    pub predicted: u64,
    /// The number of gold spans without a leaked token.
    pub found: u64,
    /// The number of gold spans of which something was removed.
    pub touched: u64,
    /// The number of predicted spans that overlap a gold span.
    pub right: u64,
    /// right / predicted.
    pub precision: f64,
    /// found / gold.
    pub recall: f64,
    /// touched / gold.
    pub recall_touched: f64,
    /// The F1 of precision and recall.
    #[serde(rename = "F1")]
    pub f1: f64,
    /// The F2 of precision and recall.
    #[serde(rename = "F2")]
    pub f2: f64,
    /// The F10 of precision and recall.
    #[serde(rename = "F10")]
    pub f10: f64,
    /// The interval of the recall.
    pub recall_interval: Proportion,
    /// Spans with the same bounds.
    pub exact: Scores,
    /// Spans with any overlap: misses are gold spans, false positives are predicted spans.
    pub partial: Scores,
    /// Spans with the same bounds and category, if the system assigns categories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact_typed: Option<Scores>,
    /// Spans with any overlap and the same category, if the system assigns categories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial_typed: Option<Scores>,
}

/// Words that are PHI in one place of a document but not in another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AmbiguousWordScores {
    /// The number of such words where they are not PHI.
    pub nonphi_tokens: u64,
    /// The proportion of them that was kept.
    pub nonphi_retained: Option<f64>,
    /// The number of such words where they are PHI.
    pub phi_tokens: u64,
    /// The proportion of them that was removed.
    pub phi_recall: Option<f64>,
}

/// Measures of whole documents.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DocumentScores {
    /// The proportion of documents without a leaked token.
    pub zero_leak: Proportion,
    /// The proportion of documents without a leaked token of a direct identifier.
    pub zero_direct_leak: Proportion,
    /// By category, the proportion of documents with this category that leak none of it.
    pub by_category: BTreeMap<String, Proportion>,
    /// The number of documents by risk, from the number of leaked categories: low, medium, high.
    pub risk: BTreeMap<String, u64>,
}

/// One row of the table of documents.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The name of the document.
    pub doc: String,
    /// The number of words.
    pub words: u64,
    /// The number of PHI tokens.
    pub phi: u64,
    /// The number of leaked PHI tokens.
    pub leaked: u64,
    /// The number of leaked PHI tokens of direct identifiers.
    pub leaked_direct: u64,
    /// The number of gold spans with a leaked token.
    pub leaked_spans: u64,
    /// The number of categories with a leaked token.
    pub leaked_categories: u64,
    /// The number of removed words that are not PHI.
    pub lost: u64,
    /// The proportion of other words that was kept.
    pub kept: f64,
    /// The risk, from the number of leaked categories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<String>,
}

/// Concepts that are still coded after scrubbing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConceptSurvival {
    /// The number of documents with known concepts.
    pub documents: u64,
    /// The proportion of mentions that are still coded after scrubbing.
    pub mentions: Proportion,
    /// The proportion of distinct concepts per document that are still coded, summed over documents.
    pub distinct: Proportion,
}

/// The result of an evaluation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The number of documents.
    pub documents: u64,
    /// The counts of tokens.
    pub tokens: TokenCounts,
    /// The token measures: PHI removed, PHI missed, other words removed.
    pub token: Scores,
    /// The token measures with generic words of spans counted like any other.
    pub strict_token: Scores,
    /// The means over the categories.
    pub macro_average: MacroAverage,
    /// The proportion of other words that were kept: specificity, the utility that is left.
    pub retained_nonphi: Proportion,
    /// The span measures.
    pub span: SpanScores,
    /// The measures of ambiguous words.
    pub ambiguous: AmbiguousWordScores,
    /// The document measures.
    pub document: DocumentScores,
    /// The measures by category.
    pub category: BTreeMap<String, GroupScores>,
    /// The measures by category and subtype.
    pub subtype: BTreeMap<String, GroupScores>,
    /// The measures by risk group.
    pub risk: BTreeMap<String, GroupScores>,
    /// The measures by risk group of the nursing-note study.
    pub nursing_risk: BTreeMap<String, GroupScores>,
    /// The measures by kind of noise, for damaged texts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub noise: BTreeMap<String, GroupScores>,
    /// The token measures with categories that must match, by category, if the system assigns categories.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub typed_category: BTreeMap<String, Scores>,
    /// The measures of spans with the same bounds and category, by category.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub typed_span: BTreeMap<String, Scores>,
    /// Sokolova's measures of completely removed categories.
    pub sokolova_category: Sokolova,
    /// Sokolova's measures of completely removed risk groups.
    pub sokolova_risk: Sokolova,
    /// Sokolova's measures in the published interpretation: every category expected, leaked ones found.
    pub sokolova_leaked: Sokolova,
    /// The bootstrap intervals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<Bootstrap>,
    /// The readability of the output.
    pub readability: Readability,
    /// The mean number of masks per sentence.
    pub masks_per_sentence: f64,
    /// The survival of concepts, if the predictions have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concepts: Option<ConceptSurvival>,
    /// The leaks, at most 200.
    pub leaks: Vec<Leak>,
    /// The leaks counted by form.
    pub leak_forms: Vec<Counted>,
    /// Removed words that are not PHI, counted by form, at most 200.
    pub over_scrubbed: Vec<Counted>,
    /// The scores of every document.
    pub per_document: Vec<Row>,
    /// What was left out of the gold standard, with the reason.
    pub problems: Vec<Problem>,
    /// The confidence level of the intervals.
    pub confidence: f64,
    /// Whether generic words counted like any other.
    pub strict: bool,
}

/// Means over the categories of token recall and, if the system assigns categories, of the typed measures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MacroAverage {
    /// The mean token recall.
    pub recall: f64,
    /// The mean typed precision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typed_precision: Option<f64>,
    /// The mean typed recall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typed_recall: Option<f64>,
    /// The mean typed F1.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "typed_F1")]
    pub typed_f1: Option<f64>,
}
