//! Markup as layout: keeps names of elements, `<br/>`, layout entities, `&nbsp;`, and HL7 escapes, `\.br\`, and removes
//! values of attributes, `alt="rose brown"`. Markup separates words unless it is inside one.

use crate::policy::ORDINARY;
use crate::rules::engine::names::NAMES;
use crate::rules::engine::word_sets::{WordSet, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Case;
use crate::vocabulary::Class;

/// HTML elements.
pub(super) static ELEMENTS: WordSet = word_set!("forms-markup-elements");

/// Attributes with layout values: `class`, `width`.
static LAYOUT: WordSet = word_set!("forms-markup-layout");

/// Attributes with text values: `alt`, `title`. An attribute on neither list is an ordinary word.
static ATTRIBUTES: WordSet = word_set!("forms-markup-attributes");

/// Letters of HL7 escapes for marks and highlighting.
static STYLES: WordSet = word_set!("forms-markup-styles");

/// HL7 escape commands for page layout.
static COMMANDS: WordSet = word_set!("forms-markup-commands");

/// The maximum number of tokens of a tag.
const MAX_TAG_TOKENS: usize = 64;

/// Finds a tag at its bracket, and an HL7 escape at its backslash.
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
    let Some(end) =
        (name + 1..name + MAX_TAG_TOKENS).take_while(|&end| end < note.len()).find(|&end| note.is_mark(end, b'>'))
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

/// Returns the end (exclusive) of an HL7 escape that begins with this backslash: `\.br\`, `\H\`, `\T\`.
pub(in crate::rules) fn end_of_hl7_escape(note: &Note<'_>, at: usize) -> Option<usize> {
    let word = at + 1 + usize::from(note.is_mark(at + 1, b'.'));
    let named = if word == at + 1 { STYLES.has(note, word) } else { COMMANDS.has(note, word) };
    let close = word + 1 + usize::from(note.token(word + 1).glued() && note.is_number(word + 1));
    let joined = (at + 1..=close).all(|part| note.joined(part));
    (note.is_mark(at, b'\\') && named && joined && note.is_mark(close, b'\\')).then_some(close + 1)
}

/// Returns whether a backslash opens or closes an HL7 escape.
pub(in crate::rules) fn is_hl7_escape(note: &Note<'_>, at: usize) -> bool {
    end_of_hl7_escape(note, at).is_some()
        || (1..5).any(|back| at >= back && end_of_hl7_escape(note, at - back) == Some(at + 1))
}

/// Returns whether markup separates two words: both are listed, and joined they are not a name.
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

/// Returns whether two words form a name without the text between them.
pub(in crate::rules) fn joins_to_name(note: &Note<'_>, left: usize, right: usize) -> bool {
    let mut joined = [0; 32];
    let (one, other) = (note.bytes(left), note.bytes(right));
    let Some(joined) = joined.get_mut(..one.len() + other.len()) else { return false };
    joined[..one.len()].copy_from_slice(one);
    joined[one.len()..].copy_from_slice(other);
    std::str::from_utf8(joined).is_ok_and(|joined| note.classes_of(joined).any(NAMES))
}
