//! Writes the new text. No other module does.

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

/// Everything that is known of a note when it is written.
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
    /// What the note says of each of them.
    pub said: &'a [Assertion],
    /// What the note says beside some of them, in order.
    pub attributes: &'a TermAttributes,
    /// What the rules found.
    pub findings: &'a Findings,
    /// One decision a token.
    pub decisions: &'a [Decision],
    /// The removed tokens as entities, in order.
    pub entities: &'a [Entity],
    /// The vocabulary that found the terms.
    pub vocabulary: &'a Vocabulary,
    /// How to write.
    pub policy: &'a Policy,
    /// Whether the document tells the decision on each token.
    pub explain: bool,
    /// What dates, numbers and surrogates are made from; `None` where a removal is written from its kind alone.
    pub context: Option<Context<'a>>,
}

debug_count!(Input<'_>, "tokens", |it| it.tokens.len());

/// What is needed to write something else than a tag.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The words of the note.
    pub note: &'a Note<'a>,
    /// Whose note it is.
    pub patient: Option<&'a Patient>,
    /// The secret.
    pub key: Option<&'a Key>,
    /// The latest date of the message of which the text is a field.
    pub latest: Option<Day>,
    /// Whether the text is a date of birth.
    pub birth: bool,
}

/// Writes the note into `out`, whose buffers are emptied first.
pub fn render(input: Input<'_>, out: &mut Document) {
    out.text.clear();
    out.text.reserve(input.source.len());
    out.concepts.clear();
    out.attributes.clear();
    out.removed.clear();
    out.decisions.clear();
    NoteWriter::new(input, out).write_note();
}

/// The latest day that the text of a date names.
pub(crate) fn latest_day_written_in(text: &str) -> Option<Day> {
    date::WrittenDates::parse(text, None)?.days().max()
}

/// Writes a folded word the way the source had it: in capitals, with a first capital or in lower case.
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
