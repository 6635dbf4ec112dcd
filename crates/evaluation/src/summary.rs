//! Sums the scores of documents into a [`Report`].

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::Options;
use crate::bootstrap::bootstrap;
use crate::document::ScoredDocument;
use crate::gold::Gold;
use crate::measures::{
    Counts, GroupScores, GroupTally, Labels, Proportion, Scores, Tally, f_beta, share_or_one, sokolova,
};
use crate::mistakes::{Leak, count_leaks_by_form, count_lost_words_by_form};
use crate::predictions::{Concepts, Predictions};
use crate::readability::Readability;
use crate::report::{
    AmbiguousWordScores, ConceptSurvival, DocumentScores, MacroAverage, Report, Row, SpanScores, TokenCounts,
};

/// The maximum number of leaks and lost words listed in a report.
const MAX_LISTED: usize = 200;

/// The sums over all documents.
#[derive(Default)]
struct Sums {
    words: u64,
    token: Tally,
    counts: Counts,
    readability: Readability,
    zero_leak: u64,
    zero_direct: u64,
    held: BTreeMap<String, (u64, u64)>,
    risks: BTreeMap<String, u64>,
}

impl Sums {
    fn new(documents: &BTreeMap<String, ScoredDocument>, options: &Options) -> Self {
        let mut sums = Self::default();
        for document in documents.values() {
            sums.words += document.words;
            sums.token += document.token;
            sums.counts.add(&document.counts);
            sums.readability.add(document.readability);
            sums.zero_leak += u64::from(document.token.missed == 0);
            sums.zero_direct += u64::from(document.direct_leaks == 0);
            for category in &document.present {
                let held = sums.held.entry(category.clone()).or_default();
                held.0 += u64::from(!document.leaked.contains(category));
                held.1 += 1;
            }
            if let Some(risk) = options.document_risk.risk_name(document.leaked.len() as u64) {
                *sums.risks.entry(risk.to_owned()).or_default() += 1;
            }
        }
        sums
    }
}

/// Adds up what the documents have of each group.
fn sums_by_group<T: Copy + Default + AddAssign, S>(
    documents: &BTreeMap<String, ScoredDocument>,
    of: fn(&ScoredDocument) -> &BTreeMap<String, T>,
    scores: impl Fn(T) -> S,
) -> BTreeMap<String, S> {
    let mut sums: BTreeMap<&String, T> = BTreeMap::new();
    for (name, &tally) in documents.values().flat_map(of) {
        *sums.entry(name).or_default() += tally;
    }
    sums.into_iter().map(|(name, tally)| (name.clone(), scores(tally))).collect()
}

impl Report {
    /// Sums the scores of all documents.
    pub(crate) fn new(
        gold: &Gold,
        predictions: &Predictions,
        documents: &BTreeMap<String, ScoredDocument>,
        options: &Options,
    ) -> Self {
        let confidence = options.confidence;
        let sums = Sums::new(documents, options);
        let counts = sums.counts;
        let by = |of| sums_by_group(documents, of, |tally: GroupTally| tally.scores(sums.words, confidence));
        let typed = |of| sums_by_group(documents, of, |tally: Tally| tally.scores(confidence));
        let typed_category = typed(|document| &document.typed);
        let category = by(|document| &document.category);
        let mut strict = sums.token;
        strict += counts.generic;
        let tallies: Vec<Tally> = documents.values().map(|document| document.token).collect();
        let mut leaks: Vec<Leak> = documents.values().flat_map(|document| document.leaks.iter().cloned()).collect();
        let leak_forms = count_leaks_by_form(&leaks);
        leaks.truncate(MAX_LISTED);
        let mut over_scrubbed = count_lost_words_by_form(documents, &gold.notes, options);
        over_scrubbed.truncate(MAX_LISTED);
        let (of_category, of_risk, of_leaks) = label_sets(documents, options);
        Self {
            documents: documents.len() as u64,
            tokens: TokenCounts {
                words: sums.words,
                phi: sums.token.gold_count(),
                nonphi: counts.nonphi,
                generic: counts.generic.gold_count(),
            },
            token: sums.token.scores(confidence),
            strict_token: strict.scores(confidence),
            macro_average: macro_average(&category, &typed_category),
            retained_nonphi: Proportion::new(counts.nonphi - sums.token.fp, counts.nonphi, confidence),
            span: span_scores(&counts, predictions.has_categories(), confidence),
            ambiguous: ambiguous_scores(&counts),
            document: document_scores(&sums, documents.len() as u64, confidence),
            category,
            subtype: by(|document| &document.subtype),
            risk: by(|document| &document.risk),
            nursing_risk: by(|document| &document.nursing),
            noise: by(|document| &document.noise),
            typed_category,
            typed_span: typed(|document| &document.typed_spans),
            sokolova_category: sokolova(&of_category, &options.labels, options.hamming),
            sokolova_risk: sokolova(&of_risk, &options.risk.order, options.hamming),
            sokolova_leaked: sokolova(&of_leaks, &options.labels, options.hamming),
            bootstrap: bootstrap(&tallies, options.draws, options.seed, confidence),
            readability: sums.readability,
            masks_per_sentence: sums.readability.masks_per_sentence(),
            concepts: concept_survival(&predictions.concepts, confidence),
            leaks,
            leak_forms,
            over_scrubbed,
            per_document: documents.iter().map(|(doc, document)| document_row(doc, document, options)).collect(),
            problems: gold.problems.clone(),
            confidence,
            strict: options.strict,
        }
    }
}

fn macro_average(category: &BTreeMap<String, GroupScores>, typed: &BTreeMap<String, Scores>) -> MacroAverage {
    let mean = |values: Vec<f64>| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    // A category that only the system uses has no recall.
    let known: Vec<&Scores> = typed.values().filter(|scores| scores.counts.gold_count() > 0).collect();
    let typed = |of: fn(&Scores) -> f64| mean(known.iter().map(|scores| of(scores)).collect());
    MacroAverage {
        recall: mean(category.values().map(|scores| scores.token_recall).collect()).unwrap_or(1.0),
        typed_precision: typed(|scores| scores.precision),
        typed_recall: typed(|scores| scores.recall),
        typed_f1: typed(|scores| scores.f1),
    }
}

type Sets = Vec<(Labels, Labels)>;

/// Returns three pairs of label sets per document: categories protected, risk groups protected, categories leaked.
fn label_sets(documents: &BTreeMap<String, ScoredDocument>, options: &Options) -> (Sets, Sets, Sets) {
    let (mut of_category, mut of_risk, mut of_leaks) = (Vec::new(), Vec::new(), Vec::new());
    let all: Labels = options.labels.iter().cloned().collect();
    for document in documents.values() {
        let mut kept: Labels = document.present.difference(&document.leaked).cloned().collect();
        let named = document.predicted_categories.difference(&document.present);
        kept.extend(named.cloned());
        of_category.push((document.present.clone(), kept));
        let kept = document.present_risk.difference(&document.leaked_risk).cloned().collect();
        of_risk.push((document.present_risk.clone(), kept));
        of_leaks.push((all.clone(), document.leaked.clone()));
    }
    (of_category, of_risk, of_leaks)
}

fn span_scores(counts: &Counts, typed: bool, confidence: f64) -> SpanScores {
    let (precision, recall) =
        (share_or_one(counts.predicted_right, counts.predicted), share_or_one(counts.found, counts.spans));
    let judged = counts.predicted - counts.predicted_optional;
    let scores = |tp: u64, predicted: u64, missed: u64| Tally { tp, fp: predicted, missed }.scores(confidence);
    let partial = Tally {
        tp: counts.touched,
        fp: counts.predicted - counts.predicted_right,
        missed: counts.spans - counts.touched,
    };
    SpanScores {
        gold: counts.spans,
        predicted: counts.predicted,
        found: counts.found,
        touched: counts.touched,
        right: counts.predicted_right,
        precision,
        recall,
        recall_touched: share_or_one(counts.touched, counts.spans),
        f1: f_beta(precision, recall, 1.0),
        f2: f_beta(precision, recall, 2.0),
        f10: f_beta(precision, recall, 10.0),
        recall_interval: Proportion::new(counts.found, counts.spans, confidence),
        exact: scores(
            counts.predicted_exact,
            judged.saturating_sub(counts.predicted_exact),
            counts.spans.saturating_sub(counts.predicted_exact),
        ),
        partial: partial.scores(confidence),
        exact_typed: typed.then(|| {
            let exact = counts.exact_typed;
            scores(exact, counts.claimed.saturating_sub(exact), counts.spans - exact)
        }),
        partial_typed: typed.then(|| {
            let wrong = counts.claimed.saturating_sub(counts.partial_typed_predicted);
            scores(counts.partial_typed_gold, wrong, counts.spans - counts.partial_typed_gold)
        }),
    }
}

fn ambiguous_scores(counts: &Counts) -> AmbiguousWordScores {
    let some = |part: u64, whole: u64| (whole > 0).then(|| share_or_one(part, whole));
    let nonphi = counts.ambiguous_nonphi;
    AmbiguousWordScores {
        nonphi_tokens: nonphi,
        nonphi_retained: some(nonphi - counts.ambiguous_nonphi_lost, nonphi),
        phi_tokens: counts.ambiguous_phi,
        phi_recall: some(counts.ambiguous_phi_caught, counts.ambiguous_phi),
    }
}

fn document_scores(sums: &Sums, documents: u64, confidence: f64) -> DocumentScores {
    let held = sums.held.iter();
    DocumentScores {
        zero_leak: Proportion::new(sums.zero_leak, documents, confidence),
        zero_direct_leak: Proportion::new(sums.zero_direct, documents, confidence),
        by_category: held
            .map(|(category, (safe, all))| (category.clone(), Proportion::new(*safe, *all, confidence)))
            .collect(),
        risk: sums.risks.clone(),
    }
}

fn concept_survival(concepts: &BTreeMap<String, Concepts>, confidence: f64) -> Option<ConceptSurvival> {
    if concepts.is_empty() {
        return None;
    }
    let (mut mentions, mut kept_mentions, mut distinct, mut kept_distinct) = (0, 0, 0, 0);
    for Concepts { original, kept } in concepts.values() {
        let mut counts: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for code in original {
            counts.entry(code).or_default().0 += 1;
        }
        for code in kept {
            // Ignore concepts that occur only in the scrubbed text.
            if let Some(count) = counts.get_mut(code.as_str()) {
                count.1 += 1;
            }
        }
        for (before, after) in counts.into_values() {
            mentions += before;
            kept_mentions += after.min(before);
            distinct += 1;
            kept_distinct += u64::from(after > 0);
        }
    }
    Some(ConceptSurvival {
        documents: concepts.len() as u64,
        mentions: Proportion::new(kept_mentions, mentions, confidence),
        distinct: Proportion::new(kept_distinct, distinct, confidence),
    })
}

fn document_row(doc: &str, document: &ScoredDocument, options: &Options) -> Row {
    let nonphi = document.counts.nonphi;
    Row {
        doc: doc.to_owned(),
        words: document.words,
        phi: document.token.gold_count(),
        leaked: document.token.missed,
        leaked_direct: document.direct_leaks,
        leaked_spans: document.leaks.len() as u64,
        leaked_categories: document.leaked.len() as u64,
        lost: document.token.fp,
        kept: share_or_one(nonphi - document.token.fp, nonphi),
        risk: options.document_risk.risk_name(document.leaked.len() as u64).map(str::to_owned),
    }
}
