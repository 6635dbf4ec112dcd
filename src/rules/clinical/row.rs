//! Numbers in rows: vital signs in any order and separation around a blood pressure (`37.4 112 116/72 99%`,
//! `1800 124/70 76 16 37.2 97 RA`), and cells of a table (`BUN    31    28    22`).

#![allow(clippy::items_after_statements, reason = "a list stands where it is asked")]

use super::amount::{Figure, Shape};
use super::count::is_placed;
use crate::rules::engine::word_sets::{WordSet, says, word_set};
use crate::rules::engine::{Certainty, Findings, View};
use crate::text::token::{Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// How many signs stand before and behind a blood pressure at most, in tokens.
const REACH: usize = 14;

/// Vouches for the vital signs around the blood pressure at `at`.
pub(in crate::rules) fn vital(view: &View<'_>, at: usize, findings: &mut Findings) {
    if !is_pressure(view, at) {
        return;
    }
    let mut seen = 0;
    let mut row = [0; 2 * REACH];
    let before = (at.saturating_sub(REACH)..at).rev().take_while(|&sign| view.same_line(sign + 1));
    for sign in before.take_while(|&sign| goes_on(view, sign)).filter(|&sign| is_sign(view, sign)) {
        row[seen] = sign;
        seen += 1;
    }
    let behind = (at + 1..=at + REACH).take_while(|&sign| view.same_line(sign));
    for sign in behind.take_while(|&sign| goes_on(view, sign)).filter(|&sign| is_sign(view, sign)) {
        row[seen] = sign;
        seen += 1;
    }
    // One number beside a pressure may be anything.
    if seen >= 2 {
        // With three it is no telephone number either, though it may look like one.
        let certainty = if seen > 2 { Certainty::Sure } else { Certainty::Weak };
        for &sign in &row[..seen] {
            findings.keep_by(at, sign, sign + 1, certainty);
        }
    }
}

/// `118/76`, with nothing glued to it.
fn is_pressure(view: &View<'_>, at: usize) -> bool {
    let written = view.number(at).is_some_and(|number| {
        let (high, low) = (number.value(0), number.value(1));
        number.is(2, b'/') && (60..=260).contains(&high) && (20..=150).contains(&low) && high > low
    });
    written && !view.token(at).glued() && !view.token(at + 1).glued()
}

/// A pulse, a rate, a temperature, a share of oxygen.
fn is_sign(view: &View<'_>, at: usize) -> bool {
    let Some(figure) = Figure::at(view, at).filter(|figure| !figure.padded) else { return false };
    let number = figure.number;
    let free =
        !view.token(at).glued() && (!view.token(at + 1).glued() || says!(view, at + 1, "l" | "ra" | "np" | "nc"));
    free && match figure.shape {
        Shape::Whole => (1..=3).contains(&number.digits(0)) && number.value(0) <= 300,
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

/// Whether the row goes on over the token: a sign, what separates two, how oxygen is given.
fn goes_on(view: &View<'_>, at: usize) -> bool {
    match view.token(at).kind {
        Kind::Number => is_sign(view, at) || is_pressure(view, at),
        Kind::Punct => view.is_any_mark(at, b",;|%@") || view.is_mark(at, b'/') && !view.joined(at),
        Kind::Word => BETWEEN.has(view, at),
        Kind::Symbol => true,
        _ => false,
    }
}

/// Vouches for a number in a row of cells that are numbers.
pub(in crate::rules) fn cell(view: &View<'_>, at: usize, findings: &mut Findings) {
    if !(is_cell(view, at) && (is_apart(view, at) || is_apart(view, at + 1))) || view.token(at).line_start() {
        return;
    }
    const NEVER: Classes = Classes::of(&[
        Class::PhoneKeyword,
        Class::IdKeyword,
        Class::WardNoun,
        Class::StreetType,
        Class::Month,
        Class::State,
    ]);
    const LINE: usize = 40;
    let first = (at.saturating_sub(LINE)..at)
        .rev()
        .find(|&word| view.ends_line(word + 1))
        .map_or(at.saturating_sub(LINE), |end| end + 1);
    let last = (at + 1..at + LINE).find(|&word| view.ends_line(word)).unwrap_or(at + LINE);
    let (mut cells, mut other) = (0, false);
    for word in first..last.min(view.len()) {
        other |= view.is_word(word) && view.any(word, NEVER);
        let apart = is_apart(view, word) || is_apart(view, word + 1) || word == first;
        cells += usize::from(apart && is_cell(view, word));
        // Figures that belong to a date or to an identifier.
        other |= view.is_number(word)
            && view.width(word) > 5
            && view.number(word).is_some_and(|number| number.digits(0) > 4);
    }
    if cells >= 3 && !other && !is_placed(view, at) {
        let signed = view.is_any_mark(at.wrapping_sub(1), b"-+") && view.joined(at);
        findings.keep(at - usize::from(signed), at + 1, Certainty::Weak);
    }
}

/// Whether a gap or a line of a table stands before the token.
fn is_apart(view: &View<'_>, at: usize) -> bool {
    let signed = view.is_any_mark(at, b"-+") && view.joined(at + 1);
    view.gap(at) == Gap::Wide
        || view.is_mark(at, b'|')
        || at > 0 && (view.is_mark(at - 1, b'|') || view.is_any_mark(at - 1, b"-+") && view.gap(at - 1) == Gap::Wide)
        || signed && view.gap(at) == Gap::Wide
}

/// Whether a number of at most three figures stands there, with a point perhaps.
fn is_cell(view: &View<'_>, at: usize) -> bool {
    let Some(figure) = Figure::at(view, at) else { return false };
    let fits = match figure.shape {
        Shape::Whole => figure.number.digits(0) <= 3 && (!figure.padded || figure.number.digits(0) == 1),
        Shape::Decimal => figure.number.len() == 2 && figure.number.digits(0) <= 3 && figure.number.digits(1) <= 2,
        _ => false,
    };
    fits && !view.token(at).glued() && !view.token(at + 1).glued()
}
