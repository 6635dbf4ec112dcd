//! Flats, suites and post boxes, with their number.

use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Case;

/// Words for parts of a building, before a number.
static UNITS: WordSet = word_set!("place-flat-units");

/// Extends the end over the parts of a building after a street: `., Apt 4B`, `#12`, `Suite 300`.
pub(super) fn extend_over_flat(note: &Note<'_>, street_end: usize) -> usize {
    let mut at = street_end;
    while note.is_any_mark(at, b".,") && note.same_line(at + 1) {
        at += 1;
    }
    if !UNITS.has(note, at) || !note.same_line(at) {
        return street_end;
    }
    at += 1;
    while note.is_any_mark(at, b".#") {
        at += 1;
    }
    let part = |at: usize| (note.is_number(at) || note.is_word(at) && note.width(at) == 1) && note.same_line(at);
    let end = (at..at + 3).find(|&at| !part(at)).unwrap_or(at + 3);
    if end > at { end } else { street_end }
}

/// Finds an address without a street at its number: `Apt. 864`, `Suite 340`, `P.O. Box 12`.
pub(in crate::rules) fn find_flat(note: &Note<'_>, number: usize, findings: &mut Findings) {
    let Some(mut at) = number.checked_sub(1) else { return };
    while note.is_any_mark(at, b"#.:") && at > 0 && note.follows(at + 1) {
        at -= 1;
    }
    let first = match () {
        () if !note.same_line(number) => return,
        () if word_is!(note, at, "box") => start_of_post_box(note, at),
        // `flat` also describes a shape or a rhythm.
        () if word_is!(note, at, "flat") => (note.case(at) == Case::Capital && !note.sentence_start(at)).then_some(at),
        () => word_is!(note, at, "apartment" | "apt" | "ste" | "suite").then_some(at),
    };
    if let Some(first) = first {
        let letter = note.token(number + 1).glued() && note.width(number + 1) == 1;
        let end = extend_over_flat(note, number + 1 + usize::from(letter));
        findings.remove(first, end, Kind::Street, Certainty::Likely);
    }
}

/// Returns the start of `P.O.`, `PO` or `Post Office` before the word `box`.
fn start_of_post_box(note: &Note<'_>, at: usize) -> Option<usize> {
    let (mut first, mut letters) = (at, 0);
    while first > 0 && letters < 2 && note.same_line(first) {
        let before = first - 1;
        match note.word(before) {
            "p" | "o" => letters += 1,
            "po" | "post" | "office" => letters = 2,
            "." => {}
            _ => return None,
        }
        first = before;
    }
    (letters == 2).then_some(first)
}
