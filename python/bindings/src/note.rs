//! `notesieve.ScrubbedNote` and what it holds. Offsets count code points; no text of the original is kept.

#![allow(
    clippy::struct_excessive_bools,
    clippy::format_collect,
    reason = "each is an attribute of its own; a repr is short"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use notesieve::Provenance;
use notesieve::concepts::context::Status;
use notesieve::document::{Action, Document, Mention, Reason};
use notesieve::finding::Kind;
use notesieve::span::{CodePoints, Span};
use notesieve::vocabulary::Group;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors;
use crate::pickle::{self, Places, Reduced};
use crate::vocabulary::{Concept, Vocabulary};

/// A term that came out, with its concepts.
#[pyclass(frozen, eq, get_all, module = "notesieve")]
#[derive(Clone, PartialEq)]
pub(crate) struct ConceptMention {
    /// First code point in the de-identified text.
    start: u32,
    /// One past the last code point there.
    end: u32,
    /// First code point in the original.
    source_start: u32,
    /// One past the last code point there.
    source_end: u32,
    /// The code of the best concept.
    code: String,
    /// Its preferred name.
    name: String,
    /// All codes of the term, best source first.
    codes: Vec<String>,
    /// What kind of thing the best concept is.
    group: &'static str,
    /// The note says that it is not there.
    negated: bool,
    /// It might come.
    hypothetical: bool,
    /// It was.
    historical: bool,
    /// Somebody doubts.
    possible: bool,
    /// Somebody else has it.
    family: bool,
    /// Nothing tells which of its meanings a short form has: it has no code.
    ambiguous: bool,
    /// The cue behind each of these, as the list of cues writes it.
    reasons: BTreeMap<&'static str, String>,
}

impl ConceptMention {
    /// The name of its group.
    pub(crate) fn group(&self) -> String {
        self.group.to_owned()
    }
}

/// A mention in a pickle: places, code, name, codes, group, reasons by status, whether it is ambiguous.
type Mentioned = (Places, String, String, Vec<String>, String, BTreeMap<String, String>, bool);

#[pymethods]
impl ConceptMention {
    fn __repr__(&self) -> String {
        let said: String = self.reasons.keys().map(|status| format!(", {status}")).collect();
        let said = if self.ambiguous { said + ", ambiguous" } else { said };
        format!("ConceptMention({}:{}, {:?}, {:?}{said})", self.start, self.end, self.code, self.name)
    }

    /// Whether the note simply says it of its patient: nothing of the others holds.
    #[getter]
    fn affirmed(&self) -> bool {
        self.reasons.is_empty()
    }

    /// What a pickle holds: offsets, and what the vocabulary says of the concept.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, Mentioned>> {
        let Self { start, end, source_start, source_end, code, name, codes, group, ambiguous, reasons, .. } =
            slf.get().clone();
        let places = (source_start, source_end, start, end);
        let reasons = reasons.into_iter().map(|(status, cue)| (status.to_owned(), cue)).collect();
        Ok((slf.get_type().getattr("_restore")?, (places, code, name, codes, group.to_owned(), reasons, ambiguous)))
    }

    /// The mention of a pickle.
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn _restore(
        places: Places,
        code: String,
        name: String,
        codes: Vec<String>,
        group: &str,
        reasons: BTreeMap<String, String>,
        ambiguous: bool,
    ) -> PyResult<Self> {
        let (source_start, source_end, start, end) = places;
        let group = pickle::one_of(Group::ALL.iter().map(|group| group.key()), group)?;
        let known = |(status, cue): (String, String)| Ok((pickle::one_of(Status::KEYS, &status)?, cue));
        let reasons = reasons.into_iter().map(known).collect::<PyResult<BTreeMap<&'static str, String>>>()?;
        let [negated, hypothetical, historical, possible, family] = Status::KEYS.map(|key| reasons.contains_key(key));
        Ok(Self {
            start,
            end,
            source_start,
            source_end,
            code,
            name,
            codes,
            group,
            negated,
            hypothetical,
            historical,
            possible,
            family,
            ambiguous,
            reasons,
        })
    }
}

/// A stretch of the original that did not come out.
#[pyclass(frozen, eq, get_all, module = "notesieve")]
#[derive(Clone, PartialEq)]
pub(crate) struct Removal {
    /// First code point in the original.
    start: u32,
    /// One past the last code point there.
    end: u32,
    /// `NAME`, `DATE`, `AGE`, `LOCATION`, `CONTACT`, `ID`, or `UNLISTED` for what nothing vouches for.
    category: &'static str,
    /// The kind of PHI within the category; `None` if unlisted.
    kind: Option<&'static str>,
    /// First code point in the de-identified text of what stands for it.
    output_start: u32,
    /// One past the last code point there.
    output_end: u32,
}

impl Removal {
    fn of((start, end, output_start, output_end): Places, kind: Option<Kind>) -> Self {
        Self {
            start,
            end,
            category: kind.map_or("UNLISTED", |kind| kind.category().key()),
            kind: kind.map(Kind::key),
            output_start,
            output_end,
        }
    }
}

#[pymethods]
impl Removal {
    fn __repr__(&self) -> String {
        format!("Removal({}:{}, {:?})", self.start, self.end, self.category)
    }

    /// What a pickle holds: offsets and the kind.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (Places, Option<&'static str>)>> {
        let &Self { start, end, kind, output_start, output_end, .. } = slf.get();
        Ok((slf.get_type().getattr("_restore")?, ((start, end, output_start, output_end), kind)))
    }

    /// The removal of a pickle.
    #[staticmethod]
    fn _restore(places: Places, kind: Option<&str>) -> PyResult<Self> {
        Ok(Self::of(places, kind.map(pickle::kind).transpose()?))
    }
}

/// What a rule found, whether or not it was removed.
#[pyclass(frozen, eq, get_all, module = "notesieve")]
#[derive(Clone, PartialEq)]
pub(crate) struct Finding {
    /// First code point in the original.
    start: u32,
    /// One past the last code point there.
    end: u32,
    /// The category of PHI.
    category: &'static str,
    /// The kind within the category.
    kind: &'static str,
    /// The rule.
    rule: &'static str,
    /// 1 weak, 2 likely, 3 sure.
    certainty: u8,
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        format!("Finding({}:{}, {:?}, rule={:?})", self.start, self.end, self.kind, self.rule)
    }

    /// What a pickle holds: offsets, the kind, the rule and its certainty.
    #[allow(clippy::type_complexity, reason = "the arguments of `_restore`")]
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (u32, u32, &'static str, &'static str, u8)>> {
        let &Self { start, end, kind, rule, certainty, .. } = slf.get();
        Ok((slf.get_type().getattr("_restore")?, (start, end, kind, rule, certainty)))
    }

    /// The finding of a pickle.
    #[staticmethod]
    fn _restore(start: u32, end: u32, kind: &str, rule: &str, certainty: u8) -> PyResult<Self> {
        let kind = pickle::kind(kind)?;
        let (category, rule) = (kind.category().key(), pickle::rule(rule)?);
        Ok(Self { start, end, category, kind: kind.key(), rule, certainty })
    }
}

/// The decision on one token.
#[pyclass(frozen, eq, get_all, module = "notesieve")]
#[derive(Clone, PartialEq)]
pub(crate) struct Decision {
    /// First code point in the original.
    start: u32,
    /// One past the last code point there.
    end: u32,
    /// First code point in the de-identified text.
    output_start: u32,
    /// One past the last code point there.
    output_end: u32,
    /// `keep`, `code` or `remove`.
    action: &'static str,
    /// Why.
    reason: &'static str,
    /// The rule behind the reason, if one is.
    rule: Option<&'static str>,
}

#[pymethods]
impl Decision {
    fn __repr__(&self) -> String {
        let rule = self.rule.map(|rule| format!(", rule={rule:?}")).unwrap_or_default();
        format!("Decision({}:{}, {:?}, {:?}{rule})", self.start, self.end, self.action, self.reason)
    }

    /// What a pickle holds: offsets, what was decided, and why.
    #[allow(clippy::type_complexity, reason = "the arguments of `_restore`")]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<Reduced<'py, (Places, &'static str, &'static str, Option<&'static str>)>> {
        let &Self { start, end, output_start, output_end, action, reason, rule } = slf.get();
        Ok((slf.get_type().getattr("_restore")?, ((start, end, output_start, output_end), action, reason, rule)))
    }

    /// The decision of a pickle.
    #[staticmethod]
    fn _restore(places: Places, action: &str, reason: &str, rule: Option<&str>) -> PyResult<Self> {
        let (start, end, output_start, output_end) = places;
        let action = pickle::one_of([Action::Keep, Action::Code, Action::Remove].map(name), action)?;
        let reason = pickle::one_of(Reason::ALL.map(Reason::key), reason)?;
        let rule = rule.map(pickle::rule).transpose()?;
        Ok(Self { start, end, output_start, output_end, action, reason, rule })
    }
}

/// What a decision is called.
const fn name(action: Action) -> &'static str {
    match action {
        Action::Keep => "keep",
        Action::Code => "code",
        Action::Remove => "remove",
    }
}

/// Turns all offsets of a document into code points. What is written may have letters that the note has not: names of concepts,
/// surrogates.
pub(crate) fn to_code_points(source: &str, document: &mut Document) {
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

/// Provenance in a pickle.
pub(crate) type Origins = (String, String, Option<String>, String, Option<String>);

/// What made a note or a batch.
#[derive(Clone)]
pub(crate) struct Origin {
    /// The vocabulary that its terms are of.
    pub(crate) vocabulary: Vocabulary,
    /// Version, lists, choices, key.
    pub(crate) provenance: Arc<Provenance>,
}

impl Origin {
    /// What a pickle holds beside the vocabulary.
    pub(crate) fn dump(&self) -> Origins {
        let Provenance { version, vocabulary_digest, model_digest, policy_digest, key_fingerprint } =
            Provenance::clone(&self.provenance);
        (version, vocabulary_digest, model_digest, policy_digest, key_fingerprint)
    }

    /// The origin of a pickle.
    pub(crate) fn load(vocabulary: Vocabulary, origins: Origins) -> Self {
        let (version, vocabulary_digest, model_digest, policy_digest, key_fingerprint) = origins;
        let provenance =
            Arc::new(Provenance { version, vocabulary_digest, model_digest, policy_digest, key_fingerprint });
        Self { vocabulary, provenance }
    }
}

/// Provenance as Python values.
pub(crate) fn provenance<'py>(py: Python<'py>, provenance: &Provenance) -> PyResult<Bound<'py, PyDict>> {
    let Provenance { version, vocabulary_digest, model_digest, policy_digest, key_fingerprint } = provenance;
    let values = PyDict::new(py);
    values.set_item("version", version)?;
    values.set_item("vocabulary_digest", vocabulary_digest)?;
    values.set_item("model_digest", model_digest)?;
    values.set_item("policy_digest", policy_digest)?;
    values.set_item("key_fingerprint", key_fingerprint)?;
    Ok(values)
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

    /// The document; its offsets are code points.
    pub(crate) const fn document(&self) -> &Arc<Document> {
        &self.document
    }
}

/// The text of a document whose offsets are code points, with the code of each term behind it in brackets.
pub(crate) fn coded(vocabulary: &notesieve::Vocabulary, document: &Document) -> String {
    let text = &document.text;
    let mut out = String::with_capacity(text.len() + 24 * document.concepts.len());
    let mut written = 0;
    let mut points = 0;
    let mut letters = text.char_indices();
    for found in &document.concepts {
        // The byte offset of the code point at which the term ends.
        let skip = (found.output.end - points) as usize;
        let end = letters.nth(skip.saturating_sub(1)).map_or(text.len(), |(at, letter)| at + letter.len_utf8());
        points = found.output.end;
        out.push_str(&text[written..end]);
        if let Some(id) = vocabulary.entry_concepts(found.entry).next().filter(|_| !found.said.ambiguous) {
            out.push_str(" [");
            out.push_str(&vocabulary.curie(id));
            out.push(']');
        }
        written = end;
    }
    out.push_str(&text[written..]);
    out
}

/// A mention with the concepts of its term.
pub(crate) fn mention(vocabulary: &Vocabulary, mention: &Mention) -> ConceptMention {
    let core = &vocabulary.core;
    let said = mention.said;
    // Where nothing tells what a short form means it has no code.
    let ids = core.entry_concepts(mention.entry).filter(|_| !said.ambiguous);
    let codes: Vec<String> = ids.map(|id| core.curie(id)).collect();
    let best = core.entry_concepts(mention.entry).next().filter(|_| !said.ambiguous);
    ConceptMention {
        start: mention.output.start,
        end: mention.output.end,
        source_start: mention.source.start,
        source_end: mention.source.end,
        code: codes.first().cloned().unwrap_or_default(),
        name: best.map(|id| core.preferred(id)).unwrap_or_default(),
        codes,
        group: best.map_or(Group::Other, |_| core.entry_group(mention.entry)).key(),
        negated: said.status.has(Status::NEGATED),
        hypothetical: said.status.has(Status::HYPOTHETICAL),
        historical: said.status.has(Status::HISTORICAL),
        possible: said.status.has(Status::POSSIBLE),
        family: said.status.has(Status::FAMILY),
        ambiguous: said.ambiguous,
        reasons: said.reasons().map(|(status, cue)| (status, cue.to_owned())).collect(),
    }
}

#[pymethods]
impl ScrubbedNote {
    /// The de-identified text.
    #[getter]
    fn text(&self) -> &str {
        &self.document.text
    }

    /// The de-identified text with the code of each term behind it in brackets.
    #[getter]
    fn coded_text(&self) -> String {
        coded(&self.origin.vocabulary.core, &self.document)
    }

    /// The terms in the de-identified text, in order.
    #[getter]
    fn concepts(&self) -> Vec<ConceptMention> {
        self.document.concepts.iter().map(|found| mention(&self.origin.vocabulary, found)).collect()
    }

    /// The best concept of each term, without repetition, in order of first mention.
    #[getter]
    fn codes(&self) -> Vec<Concept> {
        let core = &self.origin.vocabulary.core;
        let mut seen = std::collections::HashSet::new();
        let clear = self.document.concepts.iter().filter(|found| !found.said.ambiguous);
        let best = clear.filter_map(|found| core.entry_concepts(found.entry).next());
        best.filter(|id| seen.insert(*id)).filter_map(|id| Concept::of(core, id)).collect()
    }

    /// What did not come out, in order.
    #[getter]
    fn removed(&self) -> Vec<Removal> {
        self.document
            .removed
            .iter()
            .map(|removal| Removal::of(pickle::places(removal.source, removal.output), removal.kind))
            .collect()
    }

    /// What the rules found.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        self.document
            .findings
            .iter()
            .map(|finding| Finding {
                start: finding.source.start,
                end: finding.source.end,
                category: finding.kind.category().key(),
                kind: finding.kind.key(),
                rule: finding.rule,
                certainty: finding.certainty as u8,
            })
            .collect()
    }

    /// The decision on every token; empty if the note was scrubbed with `explain=False`.
    #[getter]
    fn decisions(&self) -> Vec<Decision> {
        self.document
            .decisions
            .iter()
            .map(|decision| Decision {
                start: decision.source.start,
                end: decision.source.end,
                output_start: decision.output.start,
                output_end: decision.output.end,
                action: name(decision.action),
                reason: decision.reason.key(),
                rule: decision.rule,
            })
            .collect()
    }

    /// What made the note: version, digests of vocabulary and policy, fingerprint of the key.
    #[getter]
    fn provenance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        provenance(py, &self.origin.provenance)
    }

    /// What speaks for and against the token at a code point of the original, and what was decided.
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
            lines.push(format!("  judged   {:<+6.1}  {}", weighed.score, weighed.label));
            for reason in &weighed.reasons {
                let place = match reason.far {
                    0 => String::new(),
                    far @ ..0 => format!(" ({} before it)", far.unsigned_abs()),
                    far => format!(" ({far} behind it)"),
                };
                lines.push(format!("           {:<+6.1}  {}{place}", reason.weight, reason.says));
            }
        }
        Ok(lines.join("\n"))
    }

    /// Everything as plain Python values, for JSON.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let note = PyDict::new(py);
        note.set_item("text", &self.document.text)?;
        let concepts = PyList::empty(py);
        for found in self.concepts() {
            let item = PyDict::new(py);
            item.set_item("start", found.start)?;
            item.set_item("end", found.end)?;
            item.set_item("code", found.code)?;
            item.set_item("name", found.name)?;
            item.set_item("codes", found.codes)?;
            item.set_item("group", found.group)?;
            for status in Status::KEYS {
                item.set_item(status, found.reasons.contains_key(status))?;
            }
            item.set_item("ambiguous", found.ambiguous)?;
            item.set_item("reasons", found.reasons)?;
            concepts.append(item)?;
        }
        note.set_item("concepts", concepts)?;
        let removed = PyList::empty(py);
        for removal in self.removed() {
            let item = PyDict::new(py);
            item.set_item("start", removal.start)?;
            item.set_item("end", removal.end)?;
            item.set_item("category", removal.category)?;
            item.set_item("kind", removal.kind)?;
            removed.append(item)?;
        }
        note.set_item("removed", removed)?;
        Ok(note)
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("notesieve.display")?.call_method1("note_html", (slf,))
    }

    /// What a pickle holds: the new text, offsets, kinds and codes; no text of the original.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (Vocabulary, Py<PyAny>, Origins)>> {
        let ScrubbedNote { document, origin } = slf.get();
        let state = pickle::dump(slf.py(), document)?;
        Ok((slf.get_type().getattr("_restore")?, (origin.vocabulary.clone(), state, origin.dump())))
    }

    /// The note of a pickle.
    #[staticmethod]
    fn _restore(vocabulary: Vocabulary, state: &Bound<'_, PyAny>, origins: Origins) -> PyResult<Self> {
        Ok(Self { document: Arc::new(pickle::load(state)?), origin: Origin::load(vocabulary, origins) })
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
