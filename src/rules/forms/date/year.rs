//! Years: in 2003, since 1996, CABG 1996, class of 1964, '03, the 1990s, 2003-04, Q3 2004.

use super::{Cue, clinical_after, cue, is_year4};
use crate::rules::clinical::count::is_placed;
use crate::rules::engine::word_sets::{WordSet, says, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, View};
use crate::vocabulary::{Class, Classes};

/// Words that make a number of four digits a value and no year.
const VALUE: Classes = Classes::of(&[Class::Unit, Class::Counted, Class::Dose, Class::Measurement]);

/// The first year that tells no age over 89 by itself: who left school then, at fourteen or later, was born after 1935.
const FIRST: u64 = 1960;

/// What a year alone is.
const fn kind(year: u64) -> Kind {
    if year < FIRST { Kind::EarlyYear } else { Kind::Year }
}

/// Finds a year at a number.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let bytes = view.bytes(at);
    if bytes.len() == 2 {
        short(view, at, findings);
        return;
    }
    // 1996 and 1996/97, 1996:
    if bytes.len() < 4 || bytes.get(4).is_some_and(u8::is_ascii_digit) || !matches!(bytes[0], b'1' | b'2') {
        return;
    }
    let Some(number) = view.number(at) else { return };
    if !is_year4(number.value(0), number.digits(0)) || number.value(0) < 1900 || number.value(0) > 2050 {
        return;
    }
    let (first, mut last) = (quarter(view, at), at + 1);
    let year = number.value(0);
    if number.len() == 2 && matches!(number.mark(0), b'/') && matches!(number.digits(1), 2 | 4) {
        findings.remove(first, last, kind(year), Certainty::Likely);
        return;
    }
    if number.len() > 1 && !matches!(number.mark(0), b',' | b':') {
        return;
    }
    // 1996-98, 1996 - 1998
    let mut certain = false;
    if view.is_any_mark(last, b"-/")
        && view.is_number(last + 1)
        && view.same_line(last + 1)
        && let Some(other) = view.number(last + 1).filter(|other| other.len() == 1)
    {
        let short = other.digits(0) == 2 && other.value(0) > number.value(0) % 100 && view.joined(last + 1);
        if short || is_year4(other.value(0), other.digits(0)) {
            certain = true;
            last += 2;
        }
    }
    // the 1990s, 1990's
    if view.joined(last) && says!(view, last, "s" | "'s") {
        certain = true;
        last += 1;
    }
    if clinical_after(view, last) || (view.is_word(last) && view.same_line(last) && view.any(last, VALUE)) {
        return;
    }
    let certainty = if certain || first < at || speaks(view, at) { Certainty::Likely } else { Certainty::Weak };
    // A quarter, a week, and what is joined to other numbers, tell more than a year.
    let kind = if first < at || is_joined(view, at, last) { Kind::MonthYear } else { kind(year) };
    if kind != Kind::Year || certainty > Certainty::Weak || !is_placed(view, at) {
        findings.remove(first, last, kind, certainty);
    }
}

/// Whether the year is joined to other numbers, as in `3-2-2004`, `2004.3`.
fn is_joined(view: &View<'_>, at: usize, last: usize) -> bool {
    const MARKS: &[u8] = b"-/.,:+_#*|^";
    let before =
        at > 1 && view.joined(at) && view.is_any_mark(at - 1, MARKS) && view.joined(at - 1) && view.is_number(at - 2);
    let behind =
        view.is_any_mark(last, MARKS) && view.joined(last) && view.joined(last + 1) && view.is_number(last + 1);
    before || behind || view.token(at).glued() || view.token(last).glued() || view.is_number(last) && view.follows(last)
}

/// Words before a year in two figures.
static DATED: WordSet = word_set!("date-year-dated");

/// Whether the words around speak for a year.
fn speaks(view: &View<'_>, at: usize) -> bool {
    if cue(view, at) > Cue::None || at == 0 {
        return true;
    }
    if view.is_any_mark(at - 1, b"('") {
        return true;
    }
    let before = at - 1;
    view.is_word(before)
        && view.follows(at)
        && (view.any(before, Classes::of(&[Class::Season, Class::Month, Class::Term, Class::Holiday]))
            || DATED.has(view, before))
}

/// The first token of a quarter before a year: Q3 2004, 3Q 2004, third quarter of 2004.
fn quarter(view: &View<'_>, at: usize) -> usize {
    let of = |at: usize| usize::from(at > 0 && view.is_word(at - 1) && says!(view, at - 1, "of"));
    let end = at - of(at);
    if end < 2 || !view.follows(end) {
        return at;
    }
    let pair = (view.bytes(end - 2), view.bytes(end - 1));
    let is_quarter = |bytes: &[u8]| bytes.len() == 1 && (b'1'..=b'4').contains(&bytes[0]);
    match pair {
        (b"q" | b"h", digit) if is_quarter(digit) && view.token(end - 1).glued() => end - 2,
        (digit, b"q") if is_quarter(digit) => end - 2,
        (_, b"quarter") if view.is(end - 2, Class::OrdinalWord) => end - 2,
        // week 43 of 1995
        (b"week" | b"wk" | b"cw", number) if number.len() <= 2 && view.is_number(end - 1) => end - 1,
        _ => at,
    }
}

/// Finds '03 and the '90s.
fn short(view: &View<'_>, at: usize, findings: &mut Findings) {
    if at == 0 || !view.joined(at) || !view.is_mark(at - 1, b'\'') {
        return;
    }
    // 5'11 is a height.
    if view.joined(at - 1) && at >= 2 && view.is_number(at - 2) {
        return;
    }
    let mut last = at + 1;
    if view.joined(last) && says!(view, last, "s" | "'s") {
        last += 1;
    }
    // '28 may be of the century before.
    let kind = view.whole(at).map_or(Kind::EarlyYear, |year| kind(1900 + year));
    if view.is_mark(last, b'\'') && view.joined(last) {
        // '93' is a quotation.
        findings.remove(at - 1, last, kind, Certainty::Weak);
        return;
    }
    findings.remove(at - 1, last, kind, Certainty::Likely);
}
