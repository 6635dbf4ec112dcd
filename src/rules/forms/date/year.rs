//! Years: `in 2003`, `since 1996`, `CABG 1996`, `class of 1964`, `'03`, `the 1990s`, `2003-04`, `Q3 2004`.

use super::{Cue, date_cue, may_be_year, unit_follows};
use crate::rules::clinical::count::follows_id_cue;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::vocabulary::{Class, Classes};

/// Lists of words that make a four-digit number a value.
const VALUE: Classes = Classes::of(&[Class::Unit, Class::Counted, Class::Dose, Class::Measurement]);

/// The first year that does not indicate an age over 89 by itself: a person who left school in it, at fourteen or
/// later, was born after 1935.
const FIRST: u64 = 1960;

/// Returns the kind of a year on its own.
const fn kind_of_year(year: u64) -> Kind {
    if year < FIRST { Kind::EarlyYear } else { Kind::Year }
}

/// Finds a year at a number.
pub(in crate::rules) fn find_year(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let bytes = note.bytes(at);
    if bytes.len() == 2 {
        find_short_year(note, at, findings);
        return;
    }
    // `1996` and `1996/97`, `1996:`
    if bytes.len() < 4 || bytes.get(4).is_some_and(u8::is_ascii_digit) || !matches!(bytes[0], b'1' | b'2') {
        return;
    }
    let Some(number) = note.number(at) else { return };
    if !may_be_year(number.value(0), number.digits(0)) || number.value(0) < 1900 || number.value(0) > 2050 {
        return;
    }
    let (first, mut last) = (start_of_quarter(note, at), at + 1);
    let year = number.value(0);
    if number.len() == 2 && matches!(number.separator(0), b'/') && matches!(number.digits(1), 2 | 4) {
        findings.remove(first, last, kind_of_year(year), Certainty::Likely);
        return;
    }
    if number.len() > 1 && !matches!(number.separator(0), b',' | b':') {
        return;
    }
    // `1996-98`, `1996 - 1998`
    let mut certain = false;
    if note.is_any_mark(last, b"-/")
        && note.is_number(last + 1)
        && note.same_line(last + 1)
        && let Some(other) = note.number(last + 1).filter(|other| other.len() == 1)
    {
        let short = other.digits(0) == 2 && other.value(0) > number.value(0) % 100 && note.joined(last + 1);
        if short || may_be_year(other.value(0), other.digits(0)) {
            certain = true;
            last += 2;
        }
    }
    // `the 1990s`, `1990's`
    if note.joined(last) && word_is!(note, last, "s" | "'s") {
        certain = true;
        last += 1;
    }
    if unit_follows(note, last) || (note.is_word(last) && note.same_line(last) && note.any(last, VALUE)) {
        return;
    }
    let certainty = if certain || first < at || has_year_cue(note, at) { Certainty::Likely } else { Certainty::Weak };
    // A quarter, a week or a join to other numbers is more specific than a year.
    let kind = if first < at || is_joined_to_numbers(note, at, last) { Kind::MonthYear } else { kind_of_year(year) };
    if kind != Kind::Year || certainty > Certainty::Weak || !follows_id_cue(note, at) {
        findings.remove(first, last, kind, certainty);
    }
}

/// Returns whether the year is joined to other numbers, as in `3-2-2004`, `2004.3`.
fn is_joined_to_numbers(note: &Note<'_>, at: usize, last: usize) -> bool {
    const MARKS: &[u8] = b"-/.,:+_#*|^";
    let before =
        at > 1 && note.joined(at) && note.is_any_mark(at - 1, MARKS) && note.joined(at - 1) && note.is_number(at - 2);
    let behind =
        note.is_any_mark(last, MARKS) && note.joined(last) && note.joined(last + 1) && note.is_number(last + 1);
    before
        || behind
        || note.token(at).glued()
        || note.token(last).glued()
        || note.is_number(last) && note.same_line(last)
}

/// Words before a year.
static DATED: WordSet = word_set!("date-year-dated");

/// Returns whether the context suggests a year.
fn has_year_cue(note: &Note<'_>, at: usize) -> bool {
    if date_cue(note, at) > Cue::None || at == 0 {
        return true;
    }
    if note.is_any_mark(at - 1, b"('") {
        return true;
    }
    let before = at - 1;
    note.is_word(before)
        && note.follows(at)
        && (note.any(before, Classes::of(&[Class::Season, Class::Month, Class::Term, Class::Holiday]))
            || DATED.has(note, before))
}

/// Returns the first token of a quarter, a week or a day number before a year: `Q3 2004`, `3Q 2004`,
/// `third quarter of 2004`.
fn start_of_quarter(note: &Note<'_>, at: usize) -> usize {
    let of = |at: usize| usize::from(at > 0 && note.is_word(at - 1) && word_is!(note, at - 1, "of"));
    let end = at - of(at);
    if end < 2 || !note.follows(end) {
        return at;
    }
    let pair = (note.bytes(end - 2), note.bytes(end - 1));
    let is_quarter = |bytes: &[u8]| bytes.len() == 1 && (b'1'..=b'4').contains(&bytes[0]);
    match pair {
        (b"q" | b"h", digit) if is_quarter(digit) && note.token(end - 1).glued() => end - 2,
        (digit, b"q") if is_quarter(digit) => end - 2,
        (_, b"quarter") if note.is(end - 2, Class::OrdinalWord) => end - 2,
        // `week 43 of 1995`
        (b"week" | b"wk" | b"cw", number) if number.len() <= 2 && note.is_number(end - 1) => end - 1,
        // `day 63 of 2006`
        (b"day", number) if number.len() <= 3 && of(at) == 1 && note.is_number(end - 1) => end - 1,
        _ => at,
    }
}

/// Finds `'03` and `the '90s`.
fn find_short_year(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if at == 0 || !note.joined(at) || !note.is_mark(at - 1, b'\'') {
        return;
    }
    // `5'11` is a height.
    if note.joined(at - 1) && at >= 2 && note.is_number(at - 2) {
        return;
    }
    let mut last = at + 1;
    if note.joined(last) && word_is!(note, last, "s" | "'s") {
        last += 1;
    }
    // `'28` may be in the previous century.
    let kind = note.integer(at).map_or(Kind::EarlyYear, |year| kind_of_year(1900 + year));
    if note.is_mark(last, b'\'') && note.joined(last) {
        // `'93'` is a quotation.
        findings.remove(at - 1, last, kind, Certainty::Weak);
        return;
    }
    findings.remove(at - 1, last, kind, Certainty::Likely);
}
