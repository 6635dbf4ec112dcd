//! Numbers in rows: vital signs around a blood pressure in any order and with any separators (`37.4 112 116/72 99%`,
//! `1800 124/70 76 16 37.2 97 RA`), and cells of a table (`BUN    31    28    22`).

#![allow(clippy::items_after_statements, reason = "a list stands where it is asked")]

use super::amount::{Figure, Shape};
use super::count::follows_id_cue;
use super::{delimited, log};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// The maximum distance of vital signs from the blood pressure, in tokens.
const MAX_VITAL_SIGN_DISTANCE: usize = 14;

/// Vouches for the vital signs around the blood pressure at `at`.
pub(in crate::rules) fn keep_vital_signs(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if !is_blood_pressure(note, at) {
        return;
    }
    let mut seen = 0;
    let mut row = [0; 2 * MAX_VITAL_SIGN_DISTANCE];
    let before = (at.saturating_sub(MAX_VITAL_SIGN_DISTANCE)..at).rev().take_while(|&sign| note.same_line(sign + 1));
    for sign in before.take_while(|&sign| continues_vital_signs(note, sign)).filter(|&sign| is_vital_sign(note, sign)) {
        row[seen] = sign;
        seen += 1;
    }
    let behind = (at + 1..=at + MAX_VITAL_SIGN_DISTANCE).take_while(|&sign| note.same_line(sign));
    for sign in behind.take_while(|&sign| continues_vital_signs(note, sign)).filter(|&sign| is_vital_sign(note, sign)) {
        row[seen] = sign;
        seen += 1;
    }
    // A single number next to a pressure may be anything.
    if seen >= 2 {
        // A row of three is not a telephone number either, even if it looks like one.
        let certainty = if seen > 2 { Certainty::Sure } else { Certainty::Weak };
        for &sign in &row[..seen] {
            findings.keep_by(at, sign, sign + 1, certainty);
        }
    }
}

/// Returns whether it is a blood pressure with nothing glued to it: `118/76`.
fn is_blood_pressure(note: &Note<'_>, at: usize) -> bool {
    let written = note.number(at).is_some_and(|number| {
        let (high, low) = (number.value(0), number.value(1));
        number.has_form(2, b'/') && (60..=260).contains(&high) && (20..=150).contains(&low) && high > low
    });
    written && !note.token(at).glued() && !note.token(at + 1).glued()
}

/// Returns whether it may be a pulse, a respiratory rate, a temperature or an oxygen saturation.
fn is_vital_sign(note: &Note<'_>, at: usize) -> bool {
    let Some(figure) = Figure::at(note, at).filter(|figure| !figure.has_leading_zero) else { return false };
    let number = figure.number;
    let free =
        !note.token(at).glued() && (!note.token(at + 1).glued() || word_is!(note, at + 1, "l" | "ra" | "np" | "nc"));
    free && match figure.shape {
        Shape::Integer => (1..=3).contains(&number.digits(0)) && number.value(0) <= 300,
        Shape::Decimal => {
            number.len() == 2
                && number.digits(1) <= 2
                && ((30..=43).contains(&number.value(0)) || (88..=110).contains(&number.value(0)))
        }
        _ => false,
    }
}

/// Words between the vital signs of a row: `98% RA`, `16 irreg`.
static BETWEEN: WordSet = word_set!("clinical-row-between");

/// Returns whether the row continues over the token: a vital sign, a separator, or the oxygen delivery.
fn continues_vital_signs(note: &Note<'_>, at: usize) -> bool {
    match note.token(at).kind {
        Kind::Number => is_vital_sign(note, at) || is_blood_pressure(note, at),
        Kind::Punct => note.is_any_mark(at, b",;|%@") || note.is_mark(at, b'/') && !note.joined(at),
        Kind::Word => BETWEEN.has(note, at),
        Kind::Symbol => true,
        _ => false,
    }
}

/// Lists of words that announce a number other than a value.
const NEVER: Classes = Classes::of(&[
    Class::PhoneKeyword,
    Class::IdKeyword,
    Class::WardNoun,
    Class::StreetType,
    Class::Month,
    Class::State,
]);

/// Returns whether the number is the value of an abbreviation, on a line of at least three such pairs:
/// `VCI 107  PRI 112  WMI 105`.
fn is_value_in_line_of_pairs(note: &Note<'_>, at: usize) -> bool {
    const MAX_DISTANCE: usize = 24;
    let pair = |at: usize| {
        at > 0
            && is_number_cell(note, at)
            && note.same_line(at)
            && note.case(at - 1) == Case::Upper
            && (2..=6).contains(&note.width(at - 1))
            && !note.any(at - 1, NEVER)
    };
    if !pair(at) {
        return false;
    }
    let before = (at.saturating_sub(MAX_DISTANCE)..at).rev().take_while(|&other| note.same_line(other + 1));
    let after = (at + 1..(at + MAX_DISTANCE).min(note.len())).take_while(|&other| note.same_line(other));
    before.chain(after).filter(|&other| pair(other)).count() >= 2
}

/// Vouches for a number in a row of numeric cells or of abbreviations with values, in a log, and in delimited text.
pub(in crate::rules) fn keep_table_cell(note: &Note<'_>, at: usize, findings: &mut Findings) {
    delimited::keep_delimited_cells(note, at, findings);
    if is_number_cell(note, at) && log::is_log_value(note, at) {
        findings.keep(at, at + 1, Certainty::Likely);
        return;
    }
    if is_value_in_line_of_pairs(note, at) {
        findings.keep_by(at - 1, at, at + 1, Certainty::Weak);
        return;
    }
    if !(is_number_cell(note, at) && (is_after_gap_or_line(note, at) || is_after_gap_or_line(note, at + 1)))
        || note.token(at).line_start()
    {
        return;
    }
    const MAX_LINE_TOKENS: usize = 40;
    let first = (at.saturating_sub(MAX_LINE_TOKENS)..at)
        .rev()
        .find(|&word| note.ends_line(word + 1))
        .map_or(at.saturating_sub(MAX_LINE_TOKENS), |end| end + 1);
    let last = (at + 1..at + MAX_LINE_TOKENS).find(|&word| note.ends_line(word)).unwrap_or(at + MAX_LINE_TOKENS);
    let (mut cells, mut other) = (0, false);
    for word in first..last.min(note.len()) {
        other |= note.is_word(word) && note.any(word, NEVER);
        let apart = is_after_gap_or_line(note, word) || is_after_gap_or_line(note, word + 1) || word == first;
        cells += usize::from(apart && is_number_cell(note, word));
        // Digits of a date or an identifier.
        other |= note.is_number(word)
            && note.width(word) > 5
            && note.number(word).is_some_and(|number| number.digits(0) > 4);
    }
    if cells >= 3 && !other && !follows_id_cue(note, at) {
        let signed = note.is_any_mark(at.wrapping_sub(1), b"-+") && note.joined(at);
        findings.keep(at - usize::from(signed), at + 1, Certainty::Weak);
    }
}

/// Returns whether a wide gap or a table line precedes the token.
fn is_after_gap_or_line(note: &Note<'_>, at: usize) -> bool {
    let signed = note.is_any_mark(at, b"-+") && note.joined(at + 1);
    note.gap(at) == Gap::Wide
        || note.is_mark(at, b'|')
        || at > 0 && (note.is_mark(at - 1, b'|') || note.is_any_mark(at - 1, b"-+") && note.gap(at - 1) == Gap::Wide)
        || signed && note.gap(at) == Gap::Wide
}

/// Returns whether it is a number of at most three digits, optionally with a decimal part.
fn is_number_cell(note: &Note<'_>, at: usize) -> bool {
    let Some(figure) = Figure::at(note, at) else { return false };
    let fits = match figure.shape {
        Shape::Integer => figure.number.digits(0) <= 3 && (!figure.has_leading_zero || figure.number.digits(0) == 1),
        Shape::Decimal => figure.number.len() == 2 && figure.number.digits(0) <= 3 && figure.number.digits(1) <= 2,
        _ => false,
    };
    fits && !note.token(at).glued() && !note.token(at + 1).glued()
}
