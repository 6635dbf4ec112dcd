//! Times of day: `10:30`, `at 14.30`, `7 p.m.`, `at 0800`, `1430 hours`, `6 o'clock`. They are nobody's.

use super::amount::{Figure, Shape};
use super::follow::{Follow, What};
use crate::rules::engine::word_sets::{WordSet, says, word_set};
use crate::rules::engine::{Certainty, Findings, View};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Words before hours and minutes in four digits.
static LEADING: WordSet = word_set!("clinical-time-leading");

/// Vouches for a time of day.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let bytes = view.bytes(at);
    match bytes.len() {
        1 | 2 => hour(view, at, findings),
        3.. if bytes.contains(&b':') => clock(view, at, findings),
        4 | 5 if bytes.contains(&b'.') => dotted(view, at, findings),
        4 => military(view, at, findings),
        _ => {}
    }
}

/// `10:30`, `22:15:08`
fn clock(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some(figure) = Figure::at(view, at) else { return };
    let number = &figure.number;
    let minutes = (1..number.len()).all(|part| number.digits(part) == 2 && number.value(part) < 60);
    if figure.shape == Shape::Colon && number.len() <= 3 && number.value(0) <= 24 && number.digits(0) <= 2 && minutes {
        let (first, mut last) = (at, at + 1);
        // 2:00AM is one cluster.
        if let Some(follow) = Follow::read(view, last).filter(|follow| follow.what == What::Clock) {
            last = follow.last();
        } else if view.token(last).glued() && says!(view, last, "a" | "p" | "h" | "hrs" | "hr" | "z") {
            last += 1;
        }
        findings.keep(first, last, Certainty::Likely);
    }
}

/// `14.30 hrs`, `10.00 am`, `at 14.30`: hours and minutes with a point between them.
fn dotted(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some(number) = view.number(at).filter(|number| number.is(2, b'.')) else { return };
    let clock =
        number.value(0) < 24 && (1..=2).contains(&number.digits(0)) && number.digits(1) == 2 && number.value(1) < 60;
    if !clock || view.token(at).glued() {
        return;
    }
    let next = at + 1;
    if view.same_line(next) && says!(view, next, "am" | "pm" | "hrs" | "hours" | "h") {
        findings.keep(at, next + 1, Certainty::Likely);
    } else if at > 0 && matches!(view.bytes(at - 1), b"at" | b"@") && view.same_line(at) && !view.token(next).glued() {
        findings.keep(at, next, Certainty::Weak);
    }
}

/// `2, 5, 8 and 11 o'clock` is the quantity rule's; here `6 o' clock`, written in two.
fn hour(view: &View<'_>, at: usize, findings: &mut Findings) {
    if says!(view, at + 1, "o") && view.is_mark(at + 2, b'\'') && says!(view, at + 3, "clock") {
        findings.keep(at, at + 4, Certainty::Likely);
    }
}

/// What is noted behind an hour.
const NOTED: Classes = Classes::of(&[Class::Clinical, Class::Measurement]);

/// What nothing but a time of day follows, of four figures.
static NAMING: WordSet = word_set!("clinical-time-naming");

/// `0800`, `1430 hours`: hours and minutes in four digits, never what could be a year.
fn military(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some(value) = view.whole(at) else { return };
    if value >= 2400 || value % 100 >= 60 || view.token(at).glued() {
        return;
    }
    let hours = says!(view, at + 1, "hours" | "hour" | "hrs" | "hr" | "h") && view.same_line(at + 1);
    // `1430-1500 hr`, but `110-4-1036 hr`
    let chained = at > 1 && view.joined(at) && view.is_any_mark(at - 1, b"-/.") && view.width(at - 2) != 4;
    if hours && !chained {
        findings.keep(at, at + 2, Certainty::Likely);
        return;
    }
    let padded = view.bytes(at)[0] == b'0';
    // `0730 handover`, `0412 SVE`: a line that begins with the time.
    let shorthand = || view.case(at + 1) == Case::Upper && view.any(at + 1, NOTED);
    let heads = padded
        && stands_free(view, at)
        && view.token(at).line_start()
        && (view.case(at + 1) == Case::Lower || shorthand())
        && view.same_line(at + 1);
    if heads && !view.token(at + 1).glued() {
        findings.keep(at, at + 1, Certainty::Weak);
        return;
    }
    let Some(before) = at.checked_sub(1) else { return };
    let led = match view.bytes(before) {
        _ if NAMING.has(view, before) => true,
        b"and" | b"to" | b"or" | b"-" => before > 0 && view.width(before - 1) == 4 && view.is_number(before - 1),
        // A number with a zero before it is no count and no year: `due 0800`, `out 0600`.
        _ if padded && LEADING.has(view, before) => stands_free(view, at),
        _ => false,
    };
    // `EVT 0821`, `lapsed 0710`: what is done, at an hour before ten.
    if padded && !led && acts(view, before) && view.same_line(at) && !view.joined(at) && stands_free(view, at) {
        findings.keep(at, at + 1, Certainty::Weak);
        return;
    }
    if led && value < 1900 && !view.token(at + 1).glued() && (padded || goes_on(view, at + 1)) {
        findings.keep(at, at + 1, if padded { Certainty::Likely } else { Certainty::Weak });
    }
}

/// Whether no more figures follow, as of a telephone number: `rang 0161 496`.
fn stands_free(view: &View<'_>, at: usize) -> bool {
    let next = at + 1;
    let goes_on = view.is_number(next)
        || view.is_any_mark(next, b"-/.") && view.joined(next) && view.joined(next + 1) && view.is_number(next + 1);
    !goes_on && !view.token(next).glued()
}

/// Whether the word is something done, and announces no number.
fn acts(view: &View<'_>, at: usize) -> bool {
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
    view.any(at, DONE) && !view.any(at, ANNOUNCES)
}

/// Words behind a time of day, which no street has for its name.
static FOLLOWING: WordSet = word_set!("clinical-time-following");

/// Whether the text goes on after a time of day: no word that a street could have for its name.
fn goes_on(view: &View<'_>, at: usize) -> bool {
    !view.is_word(at) || FOLLOWING.has(view, at)
}
