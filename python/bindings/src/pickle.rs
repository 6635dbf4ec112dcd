//! Documents as plain Python values and back, for pickles. They hold what came out and offsets, nothing else.

use notesieve::document::{
    Action, Document, Found, Mention, Name, Reason, Reasoned, Removal, TokenDecision, Voucher, Weighed,
};
use notesieve::finding::{Certainty, Kind};
use notesieve::names::{AGAIN, Label, Template};
use notesieve::status::{Assertion, CueText, Status};
use notesieve::text::span::Span;
use notesieve::vocabulary::EntryId;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors;

/// What `__reduce__` gives: a function and its arguments.
pub(crate) type Reduced<'py, Arguments> = (Bound<'py, PyAny>, Arguments);

/// Refuses a file with its digest that is another than a pickle tells, with an exception of this name and of this thing.
pub(crate) fn check_digest(
    py: Python<'_>,
    (file, found): (&str, &str),
    wanted: &str,
    (class, thing): (&str, &str),
) -> PyResult<()> {
    if found == wanted {
        return Ok(());
    }
    let message =
        format!("{file}: has digest {found}, the pickle was made with {wanted}: use the same {thing} on both sides");
    Err(errors::new(py, class, message))
}

/// First code point in the original and one past the last, and the same in the de-identified text.
pub(crate) type Places = (u32, u32, u32, u32);
/// First code point in the original and one past the last.
type Range = (u32, u32);
type MentionState = (Places, u32, bool, Vec<(String, String)>);
type RemovalState = (Places, Option<String>);
type FindingState = (Range, String, String, u8);
type DecisionState = (Places, u8, u8, Option<String>);
type VoucherState = (Range, String, u8);
type JudgementState = (Range, String, f32, Vec<(String, i8, f32)>);
type State = (
    String,
    Vec<MentionState>,
    Vec<RemovalState>,
    Vec<FindingState>,
    Vec<DecisionState>,
    Vec<VoucherState>,
    Vec<JudgementState>,
);

/// The places of two places.
pub(crate) const fn places(source: Span, output: Span) -> Places {
    (source.start, source.end, output.start, output.end)
}

const fn source((start, end, _, _): Places) -> Span {
    Span::new(start, end)
}

const fn output((_, _, start, end): Places) -> Span {
    Span::new(start, end)
}

/// The document as Python values.
pub(crate) fn dump(py: Python<'_>, document: &Document) -> PyResult<Py<PyAny>> {
    let Document { text, concepts, removed, findings, decisions, vouchers, judgements } = document;
    let state: State = (
        text.clone(),
        concepts
            .iter()
            .map(|found| {
                let reasons = found.said.reasons().map(|(status, cue)| (status.to_owned(), cue.to_owned())).collect();
                (places(found.source, found.output), found.entry.0, found.said.ambiguous, reasons)
            })
            .collect(),
        removed
            .iter()
            .map(|removal| (places(removal.source, removal.output), removal.kind.map(|kind| kind.key().to_owned())))
            .collect(),
        findings
            .iter()
            .map(|found| {
                let span = (found.source.start, found.source.end);
                (span, found.kind.key().to_owned(), found.rule.as_str().to_owned(), found.certainty as u8)
            })
            .collect(),
        decisions
            .iter()
            .map(|decision| {
                let rule = decision.rule.map(|rule| rule.as_str().to_owned());
                (places(decision.source, decision.output), decision.action as u8, decision.reason as u8, rule)
            })
            .collect(),
        vouchers
            .iter()
            .map(|voucher| {
                ((voucher.source.start, voucher.source.end), voucher.by.as_str().to_owned(), voucher.certainty)
            })
            .collect(),
        judgements
            .iter()
            .map(|weighed| {
                let reasons = weighed.reasons.iter().map(|reason| (reason.says.to_owned(), reason.far, reason.weight));
                let span = (weighed.source.start, weighed.source.end);
                (span, weighed.label.key().to_owned(), weighed.score, reasons.collect())
            })
            .collect(),
    );
    Ok(state.into_pyobject(py)?.into_any().unbind())
}

/// The document of such values.
pub(crate) fn load(state: &Bound<'_, PyAny>) -> PyResult<Document> {
    let (text, concepts, removed, findings, decisions, vouchers, judgements): State = state.extract()?;
    Ok(Document {
        text,
        concepts: concepts.into_iter().map(load_mention).collect::<PyResult<_>>()?,
        removed: removed.into_iter().map(load_removal).collect::<PyResult<_>>()?,
        findings: findings.into_iter().map(load_finding).collect::<PyResult<_>>()?,
        decisions: decisions.into_iter().map(load_decision).collect::<PyResult<_>>()?,
        vouchers: vouchers.into_iter().map(load_voucher).collect::<PyResult<_>>()?,
        judgements: judgements.into_iter().map(load_judgement).collect::<PyResult<_>>()?,
    })
}

fn load_mention((places, entry, ambiguous, reasons): MentionState) -> PyResult<Mention> {
    let mut said = Assertion { ambiguous, ..Assertion::default() };
    for (status, cue) in reasons {
        said.assert(Status::from_key(&status).ok_or_else(foreign)?, CueText::new(&cue));
    }
    Ok(Mention { source: source(places), output: output(places), entry: EntryId(entry), said })
}

fn load_removal((places, kind): RemovalState) -> PyResult<Removal> {
    let kind = kind.map(|key| self::kind(&key)).transpose()?;
    Ok(Removal { source: source(places), output: output(places), kind })
}

fn load_finding(((start, end), key, rule, certainty): FindingState) -> PyResult<Found> {
    Ok(Found {
        source: Span::new(start, end),
        kind: kind(&key)?,
        rule: named(&rule)?,
        certainty: match certainty {
            1 => Certainty::Weak,
            2 => Certainty::Likely,
            _ => Certainty::Sure,
        },
    })
}

fn load_decision((places, action, reason, rule): DecisionState) -> PyResult<TokenDecision> {
    let actions = [Action::Keep, Action::Code, Action::Remove];
    Ok(TokenDecision {
        source: source(places),
        output: output(places),
        action: actions.into_iter().find(|&known| known as u8 == action).ok_or_else(foreign)?,
        reason: Reason::ALL.iter().copied().find(|&known| known as u8 == reason).ok_or_else(foreign)?,
        rule: rule.map(|name| named(&name)).transpose()?,
    })
}

fn load_voucher(((start, end), by, certainty): VoucherState) -> PyResult<Voucher> {
    Ok(Voucher {
        source: Span::new(start, end),
        by: Name::voucher(&by).or_else(|| Name::detector(&by)).ok_or_else(foreign)?,
        certainty,
    })
}

fn load_judgement(((start, end), label, score, reasons): JudgementState) -> PyResult<Weighed> {
    let reasons = reasons
        .into_iter()
        .map(|(says, far, weight)| Ok(Reasoned { says: template_text(&says)?, far, weight }))
        .collect::<PyResult<_>>()?;
    let label = Label::ALL.into_iter().find(|known| known.key() == label).ok_or_else(foreign)?;
    Ok(Weighed { source: Span::new(start, end), label, score, reasons })
}

pub(crate) fn foreign() -> PyErr {
    PyValueError::new_err(
        "the pickle was made by another version of notesieve; load it with that version, or scrub the notes again",
    )
}

/// One of the names that this version has.
pub(crate) fn one_of(known: impl IntoIterator<Item = &'static str>, name: &str) -> PyResult<&'static str> {
    known.into_iter().find(|&known| known == name).ok_or_else(foreign)
}

pub(crate) fn kind(key: &str) -> PyResult<Kind> {
    Kind::from_key(key).ok_or_else(foreign)
}

fn template_text(words: &str) -> PyResult<&'static str> {
    one_of(Template::ALL.iter().map(|template| template.says()).chain([AGAIN]), words)
}

fn named(rule: &str) -> PyResult<Name> {
    Name::rule(rule).or_else(|| Name::detector(rule)).ok_or_else(foreign)
}

pub(crate) fn rule(name: &str) -> PyResult<&'static str> {
    named(name).map(Name::as_str)
}
