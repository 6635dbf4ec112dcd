//! Postal codes: after a state or a city, ZIP+4, after a keyword, British and Canadian forms.

use crate::rules::engine::word_sets::word_is;
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Finds a postal code at its first number.
pub(in crate::rules) fn find_zip(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if note.token(at).glued() {
        find_alphanumeric_code(note, at, findings);
        return;
    }
    if note.integer(at).is_none() || note.width(at) != 5 {
        return;
    }
    let figures = |at: usize| note.is_number(at) && note.joined(at);
    let plus_four = note.is_mark(at + 1, b'-') && note.joined(at + 1) && figures(at + 2) && note.width(at + 2) == 4;
    let last = at + 1 + 2 * usize::from(plus_four);
    if note.token(last).glued() || (note.is_mark(last, b'-') && note.joined(last) && note.joined(last + 1)) {
        return;
    }
    let certainty = zip_cue_before(note, at).or_else(|| plus_four.then_some(Certainty::Likely));
    if let Some(certainty) = certainty {
        findings.remove(at, last, Kind::Zip, certainty);
    }
}

/// Returns the certainty if a keyword, a state or a town precedes five digits.
fn zip_cue_before(note: &Note<'_>, at: usize) -> Option<Certainty> {
    let passes = |at: usize| note.is_any_mark(at, b",.:#-(") || word_is!(note, at, "code" | "is" | "usa" | "us");
    let before =
        (at.saturating_sub(4)..at).rev().take_while(|&before| note.gap(before + 1) <= crate::text::token::Gap::Line);
    let before = before.into_iter().find(|&before| !passes(before))?;
    if word_is!(note, before, "zip" | "zipcode" | "postal" | "postcode" | "plz") {
        return Some(Certainty::Sure);
    }
    // CA is calcium and a state, PA a projection; the five digits decide.
    let capital = note.capitalised(before);
    let comma = before > 0 && note.is_mark(before - 1, b',') && note.width(before) == 2;
    let state = note.is(before, Class::State) && (capital || comma || note.width(before) > 3);
    let city = note.is(before, Class::City) && !note.any(before, Classes::of(&[Class::Unit, Class::IdKeyword]));
    let part = note.is(before, Class::PlacePart) && !note.is(before, Class::Stop);
    let known = (state || capital && (city || part)) && !note.is(before, Class::CodeSystem);
    (known || comma && state).then_some(Certainty::Likely)
}

/// Finds `K1A 0B1`, `SW1A 1AA` at the first number.
fn find_alphanumeric_code(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(first) = at.checked_sub(1).filter(|&first| note.is_word(first) && note.width(first) <= 2) else { return };
    let digits = note.width(at);
    if digits > 2 || note.case(first) != Case::Upper {
        return;
    }
    let letter = |at: usize| note.is_word(at) && note.token(at).glued() && note.width(at) == 1;
    let lettered = letter(at + 1);
    let mut next = at + 1 + usize::from(lettered);
    let spaced = !note.joined(next);
    let dash = note.is_mark(next, b'-') && note.joined(next);
    next += usize::from(dash);
    let tail = next + 1;
    if !note.is_number(next) || !note.same_line(next) || note.width(next) != 1 || !note.token(tail).glued() {
        return;
    }
    let canadian = lettered
        && (spaced || dash)
        && digits == 1
        && note.width(first) == 1
        && letter(tail)
        && note.is_number(tail + 1)
        && note.token(tail + 1).glued()
        && note.width(tail + 1) == 1
        && !note.token(tail + 2).glued();
    let british = note.is_word(tail)
        && note.width(tail) == 2
        && spaced
        && note.case(tail) == Case::Upper
        && !note.is(tail, Class::Unit)
        && !note.token(tail + 1).glued();
    if canadian || british {
        findings.remove(first, tail + 1 + usize::from(canadian), Kind::Zip, Certainty::Likely);
    }
}
