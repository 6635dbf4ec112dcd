//! Hours and minutes in four figures without a colon, as entries of a chart have them: `0340 turned`, `seen 1415`,
//! `5/20 0700`, `1015 to 1040`.
//!
//! The form alone is that of an extension, a house or a badge. So what stands around it counts: the start of a line, a date
//! or something done before it, other hours near. Words that announce a number or a place never lead to an hour.

use super::count::is_placed;
use crate::bits::bits;
use crate::rules::engine::word_sets::{WordSet, says, word_set};
use crate::rules::engine::{Certainty, Findings, View};
use crate::text::token::{Case, Kind};
use crate::vocabulary::{Class, Classes};

/// How far other hours may stand, in tokens: on both sides together the bits of a number.
const NEAR: usize = 32;
/// What is needed to be believed.
const ENOUGH: usize = 2;

/// Who is rung up has a number of four figures as well.
static CALLS: WordSet = word_set!("clinical-clock-calls");

/// What was done, or began or ended, at an hour. Some of these words are small places too.
static DONE: WordSet = word_set!("clinical-clock-done");

/// Vouches for an hour.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let placed = || !is_dated(view, at) && is_placed(view, at);
    if !is_hour(view, at) || !stands_alone(view, at) || placed() || is_of_street(view, at) {
        return;
    }
    let padded = view.bytes(at)[0] == b'0';
    let mut points = usize::from(padded) + near(view, at);
    if view.token(at).line_start() {
        points += 1 + usize::from(view.is_word(at + 1) && is_plain(view, at + 1));
    } else if at > 0 && view.same_line(at) {
        points += behind(view, at);
    }
    if points >= ENOUGH {
        findings.keep(at, at + 1, Certainty::Weak);
    }
}

/// Whether four figures are hours and minutes.
fn is_hour(view: &View<'_>, at: usize) -> bool {
    view.width(at) == 4 && view.whole(at).is_some_and(|value| value < 2400 && value % 100 < 60)
}

/// Whether nothing is glued to it but another hour: `1900-2200`.
fn stands_alone(view: &View<'_>, at: usize) -> bool {
    if view.token(at).glued() || view.token(at + 1).glued() {
        return false;
    }
    let joint = |mark: usize| view.is_any_mark(mark, b"-/.:,*_#|^=+") && view.joined(mark);
    let before = at > 1 && view.joined(at) && !view.is_any_mark(at - 1, b"(@~>[\"");
    if before && !(view.is_mark(at - 1, b'-') && is_hour(view, at - 2)) && view.token(at - 1).kind != Kind::Symbol {
        return false;
    }
    let behind = joint(at + 1) && view.joined(at + 2) && !(view.is_mark(at + 1, b'-') && is_hour(view, at + 2));
    // More figures behind it are those of a telephone number, three and less those of a chart.
    let more =
        view.is_number(at + 1) && view.same_line(at + 1) && view.width(at + 1) > 3 && !view.is_mark(at + 2, b'/');
    let long = more && view.number(at + 1).is_some_and(|number| number.digits(0) > 3);
    !behind && !long
}

/// Whether a street with a number is written: `1200 Old Quarry Pike`, `0104 Lindgatan 5`.
fn is_of_street(view: &View<'_>, at: usize) -> bool {
    const REACH: usize = 5;
    const STREET: Classes = Classes::of(&[Class::StreetType, Class::State]);
    let words = (at + 1..at + REACH)
        .take_while(|&word| view.same_line(word) && (view.is_word(word) || view.is_mark(word, b',')));
    let foreign = view.case(at + 1) == Case::Capital
        && !view.is(at + 1, Class::Clinical)
        && view.same_line(at + 2)
        && view.whole(at + 2).is_some()
        && (view.ends_line(at + 3) || view.is_mark(at + 3, b','));
    foreign || words.into_iter().any(|word| view.case(word) != Case::Lower && view.any(word, STREET))
}

/// How many hours stand near: one counts where it has a colon or a zero before it.
fn near(view: &View<'_>, at: usize) -> usize {
    let clock = |word: usize| {
        word != at
            && !view.token(word).glued()
            && !view.token(word + 1).glued()
            && (is_hour(view, word) && !is_placed(view, word)
                || view.number(word).is_some_and(|number| number.is(2, b':') && number.digits(1) == 2))
    };
    let sure = |word: usize| view.width(word) != 4 || view.bytes(word)[0] == b'0' || view.token(word).line_start();
    let first = at.saturating_sub(NEAR);
    let hours = bits(view.numbers_near(first)).map(|place| first + place).filter(|&word| clock(word));
    hours.map(|word| 1 + usize::from(sure(word))).sum::<usize>().min(ENOUGH + 1) / 2
}

/// Words that lead to an hour.
static LEADING: WordSet = word_set!("clinical-clock-leading");

/// What speaks for an hour by what stands before it on its line.
fn behind(view: &View<'_>, at: usize) -> usize {
    const PLAIN: Classes = Classes::of(&[
        Class::Clinical,
        Class::PersonVerb,
        Class::HumanVerb,
        Class::Measurement,
        Class::English,
        Class::Literature,
        Class::Term,
        Class::Acronym,
        Class::Stop,
        Class::Duration,
        Class::Link,
    ]);
    const NEVER: Classes = Classes::of(&[Class::City, Class::State, Class::PlacePart]);
    const MEDICINE: Classes = Classes::of(&[Class::Clinical, Class::Measurement, Class::Acronym]);
    const NAMES: Classes =
        NEVER.or(Classes::of(&[Class::Surname, Class::FirstName, Class::PersonNoun, Class::Credential]));
    let before = at - 1;
    let plain = usize::from(is_plain(view, at + 1));
    match view.token(before).kind {
        Kind::Number => 2 * usize::from(is_dated(view, at)),
        Kind::Own => 2,
        Kind::Punct if view.is_any_mark(before, b"@~>(;:,.") => 1,
        Kind::Symbol => 1,
        Kind::Word if CALLS.has(view, before) => 0,
        Kind::Word if LEADING.has(view, before) => 1 + plain,
        Kind::Word if view.any(before, MONTHS) || view.case(before) == Case::Lower && DONE.has(view, before) => {
            1 + plain
        }
        Kind::Word if view.case(before) == Case::Lower && view.any(before, PLAIN) && !view.any(before, NEVER) => {
            1 + plain
        }
        // `RSI 1342 ketamine`, `Appt 1410`: no name, and a clause goes on.
        Kind::Word if view.any(before, MEDICINE) && !view.any(before, NAMES) => 2 * plain,
        Kind::Word if view.case(before) == Case::Upper && view.any(before, PLAIN) && !view.any(before, NEVER) => plain,
        _ => 0,
    }
}

/// Whether a date stands right before: `5/20 0700`, `2020/Dec/08 1115`.
fn is_dated(view: &View<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).filter(|_| view.same_line(at)) else { return false };
    let dated = view.number(before).is_some_and(|number| number.len() > 1 && matches!(number.mark(0), b'/' | b'-'));
    let day = before > 1 && view.is_number(before) && view.is_any_mark(before - 1, b"-/") && view.joined(before);
    dated || day
}

/// Days that hours stand behind.
const MONTHS: Classes = Classes::of(&[Class::Weekday]);

/// Whether a clause is over, or goes on in small letters: no name of a street follows, and nobody's.
fn is_plain(view: &View<'_>, at: usize) -> bool {
    const KNOWN: Classes =
        Classes::of(&[Class::Clinical, Class::Measurement, Class::Stop, Class::English, Class::Literature]);
    const NEVER: Classes = Classes::of(&[Class::StreetType, Class::City]);
    let small = || {
        let free = view.any(at, Classes::of(&[Class::Stop, Class::Clinical])) || !view.any(at, NEVER);
        view.case(at) == Case::Lower && view.any(at, KNOWN) && free
    };
    let over = view.is_any_mark(at, b".,;:)]") && !view.joined(at + 1);
    view.ends_line(at) || over || view.is_word(at) && (small() || says!(view, at, "w" | "by"))
}
