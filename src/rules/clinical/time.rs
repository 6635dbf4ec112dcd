//! Times of day, which identify nobody: `10:30`, `at 14.30`, `7 p.m.`, `at 0800`, `1430 hours`, `6 o'clock`.

use super::amount::{Figure, Shape};
use super::follow::{UnitKind, UnitPhrase};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Words before hours and minutes in four digits.
static LEADING: WordSet = word_set!("clinical-time-leading");

/// Vouches for a time of day.
pub(in crate::rules) fn keep_time_of_day(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let bytes = note.bytes(at);
    match bytes.len() {
        1 | 2 => keep_hour(note, at, findings),
        3.. if bytes.contains(&b':') => keep_colon_time(note, at, findings),
        4 | 5 if bytes.contains(&b'.') => keep_dotted_time(note, at, findings),
        4 => keep_military_time(note, at, findings),
        _ => {}
    }
}

/// Vouches for `10:30`, `22:15:08`.
fn keep_colon_time(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(figure) = Figure::at(note, at) else { return };
    let number = &figure.number;
    let minutes = (1..number.len()).all(|part| number.digits(part) == 2 && number.value(part) < 60);
    if figure.shape == Shape::Colon && number.len() <= 3 && number.value(0) <= 24 && number.digits(0) <= 2 && minutes {
        let (first, mut last) = (at, at + 1);
        // `2:00AM` is one cluster.
        if let Some(follow) = UnitPhrase::read_after(note, last).filter(|follow| follow.what == UnitKind::Clock) {
            last = follow.last();
        } else if note.token(last).glued() && word_is!(note, last, "a" | "p" | "h" | "hrs" | "hr" | "z") {
            last += 1;
        }
        findings.keep(first, last, Certainty::Likely);
    }
}

/// Vouches for hours and minutes with a period between them: `14.30 hrs`, `10.00 am`, `at 14.30`.
fn keep_dotted_time(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(number) = note.number(at).filter(|number| number.has_form(2, b'.')) else { return };
    let clock =
        number.value(0) < 24 && (1..=2).contains(&number.digits(0)) && number.digits(1) == 2 && number.value(1) < 60;
    if !clock || note.token(at).glued() {
        return;
    }
    let next = at + 1;
    if note.same_line(next) && word_is!(note, next, "am" | "pm" | "hrs" | "hours" | "h") {
        findings.keep(at, next + 1, Certainty::Likely);
    } else if at > 0 && matches!(note.bytes(at - 1), b"at" | b"@") && note.same_line(at) && !note.token(next).glued() {
        findings.keep(at, next, Certainty::Weak);
    }
}

/// Vouches for `6 o' clock`, written as two words; the quantity rule handles `2, 5, 8 and 11 o'clock`.
fn keep_hour(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if word_is!(note, at + 1, "o") && note.is_mark(at + 2, b'\'') && word_is!(note, at + 3, "clock") {
        findings.keep(at, at + 4, Certainty::Likely);
    }
}

/// Lists of words noted after a time.
const NOTED: Classes = Classes::of(&[Class::Clinical, Class::Measurement]);

/// Words that only a time follows, if the number has four digits.
static NAMING: WordSet = word_set!("clinical-time-naming");

/// Vouches for hours and minutes in four digits that cannot be a year: `0800`, `1430 hours`.
fn keep_military_time(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(value) = note.integer(at) else { return };
    if value >= 2400 || value % 100 >= 60 || note.token(at).glued() {
        return;
    }
    let hours = word_is!(note, at + 1, "hours" | "hour" | "hrs" | "hr" | "h") && note.same_line(at + 1);
    // `1430-1500 hr`, but not `110-4-1036 hr`
    let chained = at > 1 && note.joined(at) && note.is_any_mark(at - 1, b"-/.") && note.width(at - 2) != 4;
    if hours && !chained {
        findings.keep(at, at + 2, Certainty::Likely);
        return;
    }
    let padded = note.bytes(at)[0] == b'0';
    // `0730 handover`, `0412 SVE`: a line that begins with the time.
    let shorthand = || note.case(at + 1) == Case::Upper && note.any(at + 1, NOTED);
    let heads = padded
        && no_figures_follow(note, at)
        && note.token(at).line_start()
        && (note.case(at + 1) == Case::Lower || shorthand())
        && note.same_line(at + 1);
    if heads && !note.token(at + 1).glued() {
        findings.keep(at, at + 1, Certainty::Weak);
        return;
    }
    let Some(before) = at.checked_sub(1) else { return };
    let led = match note.bytes(before) {
        _ if NAMING.has(note, before) => true,
        b"and" | b"to" | b"or" | b"-" => before > 0 && note.width(before - 1) == 4 && note.is_number(before - 1),
        // A number with a leading zero is neither a count nor a year: `due 0800`, `out 0600`.
        _ if padded && LEADING.has(note, before) => no_figures_follow(note, at),
        _ => false,
    };
    // `EVT 0821`, `lapsed 0710`: an action before a time earlier than ten.
    if padded
        && !led
        && is_action_word(note, before)
        && note.same_line(at)
        && !note.joined(at)
        && no_figures_follow(note, at)
    {
        findings.keep(at, at + 1, Certainty::Weak);
        return;
    }
    if led && value < 1900 && !note.token(at + 1).glued() && (padded || text_continues_after_time(note, at + 1)) {
        findings.keep(at, at + 1, if padded { Certainty::Likely } else { Certainty::Weak });
    }
}

/// Returns whether no more digits follow, as they would in a telephone number: `rang 0161 496`.
fn no_figures_follow(note: &Note<'_>, at: usize) -> bool {
    let next = at + 1;
    let goes_on = note.is_number(next)
        || note.is_any_mark(next, b"-/.") && note.joined(next) && note.joined(next + 1) && note.is_number(next + 1);
    !goes_on && !note.token(next).glued()
}

/// Returns whether the word is an action and does not announce an identifier or a place.
fn is_action_word(note: &Note<'_>, at: usize) -> bool {
    const DONE: Classes = Classes::of(&[Class::Clinical, Class::PersonVerb, Class::HumanVerb]);
    const ANNOUNCES: Classes = Classes::of(&[
        Class::IdKeyword,
        Class::PhoneKeyword,
        Class::WardNoun,
        Class::StreetType,
        Class::State,
        Class::Title,
        Class::PlacePart,
        Class::City,
    ]);
    note.any(at, DONE) && !note.any(at, ANNOUNCES)
}

/// Words after a time of day that are not street names.
static FOLLOWING: WordSet = word_set!("clinical-time-following");

/// Returns whether the text continues after a time of day with a word that is not a street name.
fn text_continues_after_time(note: &Note<'_>, at: usize) -> bool {
    !note.is_word(at) || FOLLOWING.has(note, at)
}
