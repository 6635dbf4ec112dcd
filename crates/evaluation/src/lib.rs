//! Evaluation of de-identifiers: compares their output with gold standards and measures leaks and lost text.
//!
//! The crate is independent of the scrubbing pipeline: it works on texts, marked spans and removed spans of any origin
//! and knows no rules or vocabularies. Offsets are code points, as in every gold format.
//!
//! ```
//! use notesieve_evaluation::{Gold, GoldSpan, Options, PredictedSpan, Predictions, evaluate};
//!
//! let mut gold = Gold::default();
//! gold.notes.insert("a".into(), "Seen by Dr. Quill on 3/4/05.".into());
//! gold.spans.insert("a".into(), vec![GoldSpan::new(12, 17, "NAME/DOCTOR"), GoldSpan::new(21, 27, "DATE/DATE")]);
//! let mut predictions = Predictions::default();
//! predictions.spans.insert("a".into(), vec![PredictedSpan { start: 12, end: 17, ..PredictedSpan::default() }]);
//! let report = evaluate(&gold, &predictions, &Options::default())?;
//! assert_eq!((report.token.counts.tp, report.token.counts.missed), (1, 3));
//! # Ok::<(), notesieve_evaluation::Error>(())
//! ```

pub mod agreement;
mod bootstrap;
pub mod compare;
mod document;
mod error;
mod formats;
mod gold;
mod groups;
mod intervals;
mod label_map;
mod measures;
mod mistakes;
mod predictions;
mod readability;
mod report;
pub mod sampling;
mod summary;
#[cfg(test)]
mod tests;
mod tokens;

use std::collections::BTreeMap;

pub use agreement::{Agreement, agreement, majority_gold};
pub use bootstrap::Bootstrap;
pub use compare::{Comparison, compare};
pub use error::{Error, Result};
pub use formats::Format;
pub use gold::{Gold, GoldSpan, Notes, Problem};
pub use groups::{DocumentRisk, Groups};
pub use intervals::{Interval, clopper_pearson, rule_of_three};
pub use label_map::{CATEGORIES, LabelMap, is_optional, label_maps};
pub use measures::{GroupScores, HammingBase, Labels, Proportion, Scores, Sokolova, Tally, f_beta, sokolova};
pub use mistakes::{Counted, Leak};
pub use predictions::{Concepts, PredictedSpan, Predictions};
pub use readability::Readability;
pub use report::Report;
pub use tokens::GenericWords;

use serde::{Deserialize, Serialize};

use document::ScoredDocument;

/// Options for scoring.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Whether to count generic words in a span ("Hospital", "Street") like any other word, as the i2b2 scorers do.
    pub strict: bool,
    /// The generic words.
    pub generic: GenericWords,
    /// The denominator of the Hamming loss.
    pub hamming: HammingBase,
    /// The categories used as labels of Sokolova's measures, the riskiest first.
    pub labels: Vec<String>,
    /// The risk groups; the first contains the direct identifiers.
    pub risk: Groups,
    /// The risk groups of the nursing-note study.
    pub nursing: Groups,
    /// The thresholds for documents of medium and high risk.
    pub document_risk: DocumentRisk,
    /// The confidence level of all intervals.
    pub confidence: f64,
    /// The number of bootstrap samples; 0 omits bootstrap intervals.
    pub draws: u32,
    /// The seed of all random draws.
    pub seed: u64,
    /// Whether to show the text of leaks and their context. Gold text is PHI.
    pub with_context: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            strict: false,
            generic: GenericWords::default(),
            hamming: HammingBase::Labels,
            labels: CATEGORIES.map(str::to_owned).to_vec(),
            risk: Groups::identifying(),
            nursing: Groups::nursing(),
            document_risk: DocumentRisk::default(),
            confidence: 0.95,
            draws: 1_000,
            seed: 1,
            with_context: false,
        }
    }
}

/// Scores predictions against a gold standard.
pub fn evaluate(gold: &Gold, predictions: &Predictions, options: &Options) -> Result<Report> {
    let documents = score_documents(gold, predictions, options)?;
    Ok(Report::new(gold, predictions, &documents, options))
}

/// Scores each document. Predictions for a document that the gold standard lacks are an error: a misspelt name would
/// score as "nothing removed". Documents that the gold standard left out with a problem are skipped.
fn score_documents(
    gold: &Gold,
    predictions: &Predictions,
    options: &Options,
) -> Result<BTreeMap<String, ScoredDocument>> {
    if !(options.confidence > 0.0 && options.confidence < 1.0) {
        return Err(Error::Option("the confidence must lie between 0 and 1".to_owned()));
    }
    if gold.notes.is_empty() {
        // Proportions of zero notes are 1 and would look like a good result.
        let problem = "has no note that can be scored".to_owned();
        return Err(Error::Gold { file: "the gold standard".to_owned(), line: 0, problem });
    }
    let unknown = predictions.spans.keys().find(|doc| !gold.notes.contains_key(*doc));
    if let (Some(doc), true) = (unknown, gold.problems.is_empty()) {
        return Err(Error::Option(format!("predictions for the document `{doc}`, which the gold standard has not")));
    }
    if let Some((doc, _)) = predictions.spans.iter().find(|(_, spans)| spans.iter().any(|span| span.start > span.end)) {
        return Err(Error::Option(format!("a predicted span of `{doc}` ends before it starts")));
    }
    let typed = predictions.has_categories();
    let score = |doc: &String, text: &String| {
        let spans = gold.spans.get(doc).map_or(&[][..], Vec::as_slice);
        let predicted = predictions.spans.get(doc).map_or(&[][..], Vec::as_slice);
        let mut document = document::score_document(text, spans, predicted, typed, options);
        let kept = predictions.kept.get(doc).map_or(&[][..], Vec::as_slice);
        for leak in &mut document.leaks {
            leak.doc.clone_from(doc);
            leak.set_reason_from_kept(kept);
        }
        document
    };
    Ok(gold.notes.iter().map(|(doc, text)| (doc.clone(), score(doc, text))).collect())
}
