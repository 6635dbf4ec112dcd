//! Markup as layout: names of elements stay, `<br/>`, values of attributes go, `alt="rose brown"`, and so do layout characters,
//! `&nbsp;`, and escapes of HL7, `\.br\`. What markup divides are words of their own unless it stands inside one.

use crate::policy::ORDINARY;
use crate::rules::engine::names::NAMES;
use crate::rules::engine::word_sets::{WordSet, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Case;
use crate::vocabulary::Class;

/// Elements of HTML.
pub(super) static ELEMENTS: WordSet = word_set!("forms-markup-elements");

/// Attributes whose values are layout: `class`, `width`.
static LAYOUT: WordSet = word_set!("forms-markup-layout");

/// Attributes whose values are what somebody wrote: `alt`, `title`. A name on neither list is a word like another.
static ATTRIBUTES: WordSet = word_set!("forms-markup-attributes");

/// Letters of escapes of HL7 for marks and highlighting.
static STYLES: WordSet = word_set!("forms-markup-styles");

/// Commands of escapes of HL7 for the layout of a page.
static COMMANDS: WordSet = word_set!("forms-markup-commands");

/// How many tokens a tag may have.
const LONGEST: usize = 64;

/// Finds a tag at its bracket, and an escape of HL7 at its backslash.
pub(in crate::rules) fn find_markup_values(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if note.is_mark(at, b'\\') {
        if let Some(end) = end_of_hl7_escape(note, at) {
            (at + 1..end)
                .filter(|&part| note.is_word(part))
                .for_each(|part| findings.keep(part, part + 1, Certainty::Sure));
        }
        return;
    }
    let name = at + 1 + usize::from(note.is_mark(at + 1, b'/'));
    if !note.joined(name) || !note.is_word(name) || !ELEMENTS.has(note, name) {
        return;
    }
    let heading = usize::from(note.token(name + 1).glued() && note.is_number(name + 1) && note.width(name + 1) == 1);
    let Some(end) = (name + 1..name + LONGEST).take_while(|&end| end < note.len()).find(|&end| note.is_mark(end, b'>'))
    else {
        return;
    };
    findings.keep(name, name + 1 + heading, Certainty::Sure);
    for equals in (name + 2..end).filter(|&equals| note.is_mark(equals, b'=') && note.is_word(equals - 1)) {
        if LAYOUT.has(note, equals - 1) || ATTRIBUTES.has(note, equals - 1) {
            findings.keep(equals - 1, equals, Certainty::Sure);
        }
        let quote = equals + 1;
        let last = (quote + 1..end).find(|&last| note.key(last) == note.key(quote)).unwrap_or(end);
        if note.is_any_mark(quote, b"\"'") && last > quote + 1 && !LAYOUT.has(note, equals - 1) {
            findings.remove(quote + 1, last, Kind::OtherId, Certainty::Sure);
        }
    }
}

/// One past an escape of HL7 that begins with a backslash: `\.br\`, `\H\`, `\T\`.
pub(in crate::rules) fn end_of_hl7_escape(note: &Note<'_>, at: usize) -> Option<usize> {
    let word = at + 1 + usize::from(note.is_mark(at + 1, b'.'));
    let named = if word == at + 1 { STYLES.has(note, word) } else { COMMANDS.has(note, word) };
    let close = word + 1 + usize::from(note.token(word + 1).glued() && note.is_number(word + 1));
    let joined = (at + 1..=close).all(|part| note.joined(part));
    (note.is_mark(at, b'\\') && named && joined && note.is_mark(close, b'\\')).then_some(close + 1)
}

/// Whether a backslash opens or closes an escape of HL7.
pub(in crate::rules) fn is_hl7_escape(note: &Note<'_>, at: usize) -> bool {
    end_of_hl7_escape(note, at).is_some()
        || (1..5).any(|back| at >= back && end_of_hl7_escape(note, at - back) == Some(at + 1))
}

/// Whether markup between two words divides words of their own: both are listed, and together they are no name.
pub(in crate::rules) fn divides_words(note: &Note<'_>, left: usize, right: usize) -> bool {
    let whole = |at: usize| {
        note.any(at, ORDINARY)
            && (note.width(at) > 2 || note.width(at) == 2 && (note.case(at) == Case::Upper || note.is(at, Class::Stop)))
    };
    if !whole(left) || !whole(right) {
        return false;
    }
    !joins_to_name(note, left, right)
}

/// Whether two words without what stands between them are a name.
pub(in crate::rules) fn joins_to_name(note: &Note<'_>, left: usize, right: usize) -> bool {
    let mut joined = [0; 32];
    let (one, other) = (note.bytes(left), note.bytes(right));
    let Some(joined) = joined.get_mut(..one.len() + other.len()) else { return false };
    joined[..one.len()].copy_from_slice(one);
    joined[one.len()..].copy_from_slice(other);
    std::str::from_utf8(joined).is_ok_and(|joined| note.classes_of(joined).any(NAMES))
}
