//! `notesieve.ScrubbedNote` and its parts. Offsets count code points; no text of the original is kept.

mod decision;
mod mention;
mod origin;

use std::sync::Arc;

use notesieve::document::{Action, Document};
use notesieve::text::span::{CodePoints, Span};
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(crate) use decision::{Decision, Finding, Removal, action_name};
pub(crate) use mention::{ConceptMention, mention_with_concepts};
pub(crate) use origin::{Origin, ProvenanceJson, provenance_as_dict};

use crate::errors;
use crate::pickle::{self, Reduced};
use crate::vocabulary::{Concept, Vocabulary};

/// Converts all offsets of a document to code points. The output may have non-ASCII letters that the note lacks: in
/// names of concepts or in surrogates.
pub(crate) fn convert_offsets_to_code_points(source: &str, document: &mut Document) {
    if source.is_ascii() && document.text.is_ascii() {
        return;
    }
    let mut before = CodePoints::new(source);
    let mut after = CodePoints::new(&document.text);
    let mut both = |source: &mut Span, output: &mut Span| {
        *source = before.convert_span(*source);
        *output = after.convert_span(*output);
    };
    for mention in &mut document.concepts {
        both(&mut mention.source, &mut mention.output);
    }
    for removal in document.removed.iter_mut().rev() {
        both(&mut removal.source, &mut removal.output);
    }
    for decision in &mut document.decisions {
        both(&mut decision.source, &mut decision.output);
    }
    for finding in document.findings.iter_mut().rev() {
        finding.source = before.convert_span(finding.source);
    }
    for voucher in &mut document.vouchers {
        voucher.source = before.convert_span(voucher.source);
    }
    for weighed in &mut document.judgements {
        weighed.source = before.convert_span(weighed.source);
    }
}

/// A de-identified note.
#[pyclass(frozen, module = "notesieve")]
#[derive(Clone)]
pub(crate) struct ScrubbedNote {
    document: Arc<Document>,
    origin: Origin,
}

impl ScrubbedNote {
    /// Wraps a document whose offsets are code points.
    pub(crate) const fn new(document: Arc<Document>, origin: Origin) -> Self {
        Self { document, origin }
    }

    /// Returns the document, whose offsets are code points.
    pub(crate) const fn document(&self) -> &Arc<Document> {
        &self.document
    }
}

/// Returns the text of a document whose offsets are code points, with the code of each term after it in brackets.
pub(crate) fn text_with_codes(vocabulary: &notesieve::Vocabulary, document: &Document) -> String {
    let text = &document.text;
    let mut out = String::with_capacity(text.len() + 24 * document.concepts.len());
    let mut written = 0;
    let mut points = 0;
    let mut letters = text.char_indices();
    for found in &document.concepts {
        // The byte offset of the end of the term.
        let skip = (found.output.end - points) as usize;
        let end = letters.nth(skip.saturating_sub(1)).map_or(text.len(), |(at, letter)| at + letter.len_utf8());
        points = found.output.end;
        out.push_str(&text[written..end]);
        if let Some(id) = vocabulary.entry_concepts(found.entry).next().filter(|_| !found.assertion.ambiguous) {
            out.push_str(" [");
            out.push_str(&vocabulary.curie(id));
            out.push(']');
        }
        written = end;
    }
    out.push_str(&text[written..]);
    out
}

/// The attributes of a mention in its dictionary.
const FIELDS: &str = "start end code name codes group value number unit comparator flag dose route frequency further negated \
                      hypothetical historical possible family ambiguous reasons";

/// Returns some attributes of an object as a dictionary.
fn attributes_as_dict<'py>(object: &Bound<'py, PyAny>, names: &str) -> PyResult<Bound<'py, PyDict>> {
    let item = PyDict::new(object.py());
    names.split(' ').try_for_each(|name| item.set_item(name, object.getattr(name)?))?;
    Ok(item)
}

#[pymethods]
impl ScrubbedNote {
    /// The de-identified text.
    #[getter]
    fn text(&self) -> &str {
        &self.document.text
    }

    /// The de-identified text with the code of each term after it in brackets.
    #[getter]
    fn coded_text(&self) -> String {
        text_with_codes(&self.origin.vocabulary.core, &self.document)
    }

    /// The terms in the de-identified text, in order.
    #[getter]
    fn concepts(&self) -> Vec<ConceptMention> {
        self.document
            .concepts
            .iter()
            .map(|found| mention_with_concepts(&self.origin.vocabulary, &self.document, found))
            .collect()
    }

    /// The best concept of each term, without repetition, in order of first mention.
    #[getter]
    fn codes(&self) -> Vec<Concept> {
        let core = &self.origin.vocabulary.core;
        let mut seen = std::collections::HashSet::new();
        let clear = self.document.concepts.iter().filter(|found| !found.assertion.ambiguous);
        let best = clear.filter_map(|found| core.entry_concepts(found.entry).next());
        best.filter(|id| seen.insert(*id)).filter_map(|id| Concept::of(core, id)).collect()
    }

    /// What was removed, in order.
    #[getter]
    fn removed(&self) -> Vec<Removal> {
        self.document.removed.iter().map(Removal::from).collect()
    }

    /// The findings of the rules.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        self.document.findings.iter().map(Finding::from).collect()
    }

    /// The decision on every token; empty if the note was scrubbed with `explain=False`.
    #[getter]
    fn decisions(&self) -> Vec<Decision> {
        self.document.decisions.iter().map(Decision::from).collect()
    }

    /// Provenance of the note: version, digests of vocabulary and policy, fingerprint of the key.
    #[getter]
    fn provenance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        provenance_as_dict(py, &self.origin.provenance)
    }

    /// Explain the decision on the token at a code point of the original: the evidence for and against removing it.
    fn explain(&self, py: Python<'_>, offset: u32) -> PyResult<String> {
        let holds = |span: Span| span.start <= offset && offset < span.end;
        let Some(decision) = self.document.decisions.iter().find(|decision| holds(decision.source)) else {
            let message = if self.document.decisions.is_empty() {
                "the note has no decisions: scrub it with explain=True".to_owned()
            } else {
                format!("no token stands at code point {offset} of the original")
            };
            return Err(errors::new(py, "NoteError", message));
        };
        let certainty = |weight: u8| ["listed", "weak", "likely", "sure"][usize::from(weight.min(3))];
        let (from, to) = (decision.output.start, decision.output.end);
        let outcome = match decision.action {
            Action::Keep => format!("kept ({}), {from}:{to} of the output", decision.reason.key()),
            Action::Code => format!("kept as a term, {from}:{to} of the output"),
            Action::Remove => format!("removed ({}), {from}:{to} of the output stands for it", decision.reason.key()),
        };
        let mut lines = vec![format!("{}:{} {outcome}", decision.source.start, decision.source.end)];
        let mut against: Vec<_> = self.document.findings.iter().filter(|found| holds(found.source)).collect();
        against.sort_by_key(|found| std::cmp::Reverse(found.certainty));
        for found in against {
            let weight = certainty(found.certainty as u8);
            lines.push(format!("  against  {weight:<6}  {} ({})", found.rule, found.kind.key()));
        }
        let mut vouchers: Vec<_> = self.document.vouchers.iter().filter(|voucher| holds(voucher.source)).collect();
        vouchers.sort_by_key(|voucher| std::cmp::Reverse(voucher.certainty));
        for voucher in vouchers {
            lines.push(format!("  for      {:<6}  {}", certainty(voucher.certainty), voucher.by));
        }
        for weighed in self.document.judgements.iter().filter(|weighed| holds(weighed.source)) {
            lines.push(format!("  judged   {:<+6.1}  {}", weighed.score, weighed.label.key()));
            for reason in &weighed.reasons {
                let place = match reason.offset {
                    0 => String::new(),
                    far @ ..0 => format!(" ({} before it)", far.unsigned_abs()),
                    far => format!(" ({far} behind it)"),
                };
                lines.push(format!("           {:<+6.1}  {}{place}", reason.weight, reason.description));
            }
        }
        Ok(lines.join("\n"))
    }

    /// Return the kept tokens that the model scores highest as identifiers, most likely first.
    #[pyo3(signature = (most = 20))]
    fn suspicious<'py>(&self, py: Python<'py>, most: usize) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let Document { decisions, judgements, .. } = &*self.document;
        if decisions.is_empty() && !self.document.text.is_empty() {
            let message = "the note has no decisions: scrub it with explain=True".to_owned();
            return Err(errors::new(py, "NoteError", message));
        }
        let kept = |source: Span| {
            let nth = decisions.partition_point(|decision| decision.source.end <= source.start);
            decisions.get(nth).filter(|decision| decision.action != Action::Remove)
        };
        let mut found: Vec<_> = judgements.iter().filter_map(|judged| Some((judged, kept(judged.source)?))).collect();
        found.sort_by(|(one, _), (other, _)| other.score.total_cmp(&one.score));
        let told = found.into_iter().take(most).map(|(judged, decision)| {
            let item = PyDict::new(py);
            item.set_item("start", decision.source.start)?;
            item.set_item("end", decision.source.end)?;
            item.set_item("output_start", decision.output.start)?;
            item.set_item("output_end", decision.output.end)?;
            item.set_item("label", judged.label.key())?;
            item.set_item("log_odds", judged.score)?;
            item.set_item("reason", decision.reason.key())?;
            Ok(item)
        });
        told.collect()
    }

    /// Return everything as plain Python values, for JSON.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let note = PyDict::new(py);
        note.set_item("text", &self.document.text)?;
        let concepts =
            self.concepts().into_iter().map(|found| attributes_as_dict(Bound::new(py, found)?.as_any(), FIELDS));
        note.set_item("concepts", concepts.collect::<PyResult<Vec<_>>>()?)?;
        let removed = self
            .removed()
            .into_iter()
            .map(|found| attributes_as_dict(Bound::new(py, found)?.as_any(), "start end category kind"));
        note.set_item("removed", removed.collect::<PyResult<Vec<_>>>()?)?;
        Ok(note)
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("notesieve.display")?.call_method1("note_html", (slf,))
    }

    /// Pickle the de-identified text, offsets, kinds and codes; no text of the original.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (Vocabulary, String, ProvenanceJson)>> {
        let ScrubbedNote { document, origin } = slf.get();
        let state = pickle::to_state(&**document)?;
        Ok((slf.get_type().getattr("_restore")?, (origin.vocabulary.clone(), state, origin.provenance_json())))
    }

    /// Restore a note from a pickle.
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn _restore(vocabulary: Vocabulary, state: &str, provenance: ProvenanceJson) -> PyResult<Self> {
        Ok(Self {
            document: Arc::new(pickle::from_state(state)?),
            origin: Origin::from_provenance_json(vocabulary, &provenance)?,
        })
    }

    fn __str__(&self) -> &str {
        &self.document.text
    }

    fn __repr__(&self) -> String {
        format!(
            "ScrubbedNote({} characters, {} concepts, {} removed)",
            self.document.text.chars().count(),
            self.document.concepts.len(),
            self.document.removed.len()
        )
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().document == self.document)
    }
}
