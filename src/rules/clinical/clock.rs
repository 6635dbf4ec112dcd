//! Times of day in four digits without a colon, as in chart entries: `0340 turned`, `seen 1415`, `5/20 0700`,
//! `1015 to 1040`.
//!
//! The form alone may be an extension, a house number or a badge. So the context counts: the start of a line, a date or
//! an action before it, other times nearby. A number never counts as a time after words that announce an identifier or
//! a place.

use super::count::follows_id_cue;
use crate::bits::indices_of_bits;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::{Case, Kind};
use crate::vocabulary::{Class, Classes};

/// How far to look for other times, in tokens; both sides together fit a 64-bit mask.
const MAX_TIME_DISTANCE: usize = 32;
/// The number of points needed to vouch.
const MIN_POINTS: usize = 2;

/// Words for calling a person, which may precede a four-digit extension.
static CALLS: WordSet = word_set!("clinical-clock-calls");

/// Actions, beginnings and endings before a time. Some of these words are small places too.
static DONE: WordSet = word_set!("clinical-clock-done");

/// Vouches for a time.
pub(in crate::rules) fn keep_four_digit_time(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let placed = || !follows_date(note, at) && follows_id_cue(note, at);
    if !is_hours_and_minutes(note, at) || !is_unglued(note, at) || placed() || is_house_number(note, at) {
        return;
    }
    let padded = note.bytes(at)[0] == b'0';
    // `CABG 2003` is a year unless other times are nearby.
    let hours = count_hours_near(note, at);
    if may_be_year(note, at) && hours == 0 {
        return;
    }
    let mut points = usize::from(padded) + hours;
    if note.token(at).line_start() {
        points += 1 + usize::from(note.is_word(at + 1) && continues_in_lower_case(note, at + 1));
    } else if at > 0 && note.same_line(at) {
        points += evidence_before(note, at);
    }
    if points >= MIN_POINTS {
        findings.keep(at, at + 1, Certainty::Weak);
    }
}

/// Returns whether four digits are hours and minutes.
fn is_hours_and_minutes(note: &Note<'_>, at: usize) -> bool {
    note.width(at) == 4 && note.integer(at).is_some_and(|value| value < 2400 && value % 100 < 60)
}

/// Returns whether four digits may also be a year: three past eight in the evening, or 2003.
fn may_be_year(note: &Note<'_>, at: usize) -> bool {
    note.width(at) == 4 && note.integer(at).is_some_and(|value| (1900..2060).contains(&value))
}

/// Returns whether nothing but another time is joined to it: `1900-2200`.
fn is_unglued(note: &Note<'_>, at: usize) -> bool {
    if note.token(at).glued() || note.token(at + 1).glued() {
        return false;
    }
    let joint = |mark: usize| note.is_any_mark(mark, b"-/.:,*_#|^=+") && note.joined(mark);
    let before = at > 1 && note.joined(at) && !note.is_any_mark(at - 1, b"(@~>[\"");
    if before
        && !(note.is_mark(at - 1, b'-') && is_hours_and_minutes(note, at - 2))
        && note.token(at - 1).kind != Kind::Symbol
    {
        return false;
    }
    let behind =
        joint(at + 1) && note.joined(at + 2) && !(note.is_mark(at + 1, b'-') && is_hours_and_minutes(note, at + 2));
    // A further group of more than three digits belongs to a telephone number; shorter numbers are chart values.
    let more =
        note.is_number(at + 1) && note.same_line(at + 1) && note.width(at + 1) > 3 && !note.is_mark(at + 2, b'/');
    let long = more && note.number(at + 1).is_some_and(|number| number.digits(0) > 3);
    !behind && !long
}

/// Returns whether it is a house number: `1200 Old Quarry Pike`, `0104 Lindgatan 5`.
fn is_house_number(note: &Note<'_>, at: usize) -> bool {
    const MAX_DISTANCE: usize = 5;
    const STREET: Classes = Classes::of(&[Class::StreetType, Class::State]);
    let words = (at + 1..at + MAX_DISTANCE)
        .take_while(|&word| note.same_line(word) && (note.is_word(word) || note.is_mark(word, b',')));
    let foreign = note.case(at + 1) == Case::Capital
        && !note.is(at + 1, Class::Clinical)
        && note.same_line(at + 2)
        && note.integer(at + 2).is_some()
        && (note.ends_line(at + 3) || note.is_mark(at + 3, b','));
    foreign || words.into_iter().any(|word| note.case(word) != Case::Lower && note.any(word, STREET))
}

/// Returns 1 if there are at least two times nearby, or one that has a colon, a leading zero or begins a line;
/// otherwise 0.
fn count_hours_near(note: &Note<'_>, at: usize) -> usize {
    let clock = |word: usize| {
        word != at
            && !note.token(word).glued()
            && !note.token(word + 1).glued()
            && (is_hours_and_minutes(note, word) && !may_be_year(note, word) && !follows_id_cue(note, word)
                || note.number(word).is_some_and(|number| number.has_form(2, b':') && number.digits(1) == 2))
    };
    let sure = |word: usize| note.width(word) != 4 || note.bytes(word)[0] == b'0' || note.token(word).line_start();
    let first = at.saturating_sub(MAX_TIME_DISTANCE);
    let hours = indices_of_bits(note.number_bits_from(first)).map(|place| first + place).filter(|&word| clock(word));
    hours.map(|word| 1 + usize::from(sure(word))).sum::<usize>().min(MIN_POINTS + 1) / 2
}

/// Words before a time.
static LEADING: WordSet = word_set!("clinical-clock-leading");

/// Returns the points for a time from the token before it.
fn evidence_before(note: &Note<'_>, at: usize) -> usize {
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
    let plain = usize::from(continues_in_lower_case(note, at + 1));
    match note.token(before).kind {
        Kind::Number => 2 * usize::from(follows_date(note, at)),
        Kind::Placeholder => 2,
        Kind::Punct if note.is_any_mark(before, b"@~>(;:,.") => 1,
        Kind::Symbol => 1,
        Kind::Word if CALLS.has(note, before) => 0,
        Kind::Word if LEADING.has(note, before) => 1 + plain,
        Kind::Word if note.any(before, WEEKDAYS) || note.case(before) == Case::Lower && DONE.has(note, before) => {
            1 + plain
        }
        Kind::Word if note.case(before) == Case::Lower && note.any(before, PLAIN) && !note.any(before, NEVER) => {
            1 + plain
        }
        // `RSI 1342 ketamine`, `Appt 1410`: not a name, and the clause continues.
        Kind::Word if note.any(before, MEDICINE) && !note.any(before, NAMES) => 2 * plain,
        Kind::Word if note.case(before) == Case::Upper && note.any(before, PLAIN) && !note.any(before, NEVER) => plain,
        _ => 0,
    }
}

/// Returns whether a date directly precedes: `5/20 0700`, `2020/Dec/08 1115`.
fn follows_date(note: &Note<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).filter(|_| note.same_line(at)) else { return false };
    let dated =
        note.number(before).is_some_and(|number| number.len() > 1 && matches!(number.separator(0), b'/' | b'-'));
    let day = before > 1 && note.is_number(before) && note.is_any_mark(before - 1, b"-/") && note.joined(before);
    dated || day
}

/// Lists of days, which may precede a time.
const WEEKDAYS: Classes = Classes::of(&[Class::Weekday]);

/// Returns whether the clause ends or continues in lower case, so that no name of a street or person follows.
fn continues_in_lower_case(note: &Note<'_>, at: usize) -> bool {
    const KNOWN: Classes =
        Classes::of(&[Class::Clinical, Class::Measurement, Class::Stop, Class::English, Class::Literature]);
    const NEVER: Classes = Classes::of(&[Class::StreetType, Class::City]);
    let small = || {
        let free = note.any(at, Classes::of(&[Class::Stop, Class::Clinical])) || !note.any(at, NEVER);
        note.case(at) == Case::Lower && note.any(at, KNOWN) && free
    };
    let over = note.is_any_mark(at, b".,;:)]") && !note.joined(at + 1);
    note.ends_line(at) || over || note.is_word(at) && (small() || word_is!(note, at, "w" | "by"))
}
