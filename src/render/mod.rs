//! Renders the new text. No other module writes it.

mod date;
mod fill;
mod people;
mod plan;
mod surrogate;
mod tag;
mod writer;

use crate::calendar::Day;
use crate::debug::debug_count;
use crate::decide::Decision;
use crate::document::Document;
use crate::entities::Entity;
use crate::key::Key;
use crate::patient::Patient;
use crate::policy::Policy;
use crate::rules::{Findings, Note};
use crate::status::Assertion;
use crate::terms::Match;
use crate::text::normalize::Normalized;
use crate::text::token::{Case, Token};
use crate::values::TermAttributes;
use crate::vocabulary::Vocabulary;
use writer::NoteWriter;

pub use fill::TagSurrogates;
pub use surrogate::syllables;

/// Everything known about a note when it is rendered.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The note.
    pub source: &'a str,
    /// Its folded form.
    pub normalized: &'a Normalized,
    /// Its tokens.
    pub tokens: &'a [Token],
    /// The terms in it.
    pub matches: &'a [Match],
    /// The status of each term.
    pub assertions: &'a [Assertion],
    /// The attributes of some terms, in order.
    pub attributes: &'a TermAttributes,
    /// The findings.
    pub findings: &'a Findings,
    /// One decision per token.
    pub decisions: &'a [Decision],
    /// The removed tokens as entities, in order.
    pub entities: &'a [Entity],
    /// The vocabulary that found the terms.
    pub vocabulary: &'a Vocabulary,
    /// The policy.
    pub policy: &'a Policy,
    /// Whether the document has the decision on each token.
    pub explain: bool,
    /// The context for dates, numbers and surrogates; `None` where replacements depend on the kind alone.
    pub context: Option<Context<'a>>,
}

debug_count!(Input<'_>, "tokens", |it| it.tokens.len());

/// What is needed for replacements other than tags.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The note.
    pub note: &'a Note<'a>,
    /// The patient of the note.
    pub patient: Option<&'a Patient>,
    /// The secret key.
    pub key: Option<&'a Key>,
    /// The latest date of the message that the text is a field of.
    pub latest: Option<Day>,
    /// Whether the text is a date of birth.
    pub birth: bool,
}

/// Renders the note into `out`, whose buffers are cleared first.
pub fn render(input: Input<'_>, out: &mut Document) {
    out.text.clear();
    out.text.reserve(input.source.len());
    out.concepts.clear();
    out.attributes.clear();
    out.removed.clear();
    out.decisions.clear();
    NoteWriter::new(input, out).write_note();
}

/// Returns the latest day in the text of a date.
pub(crate) fn latest_day_written_in(text: &str) -> Option<Day> {
    date::WrittenDates::parse(text, None)?.days().max()
}

/// Writes a folded word in the letter case of the source: in capitals, capitalised or in lower case.
fn write_cased(folded: &str, case: Case, out: &mut String) {
    match case {
        Case::Upper => out.extend(folded.chars().map(|letter| letter.to_ascii_uppercase())),
        Case::Capital => {
            let mut letters = folded.chars();
            out.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
            out.push_str(letters.as_str());
        }
        Case::Lower | Case::Mixed => out.push_str(folded),
    }
}
