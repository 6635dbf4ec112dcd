//! Holidays and their eves, days of the week.

use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Case;
use crate::vocabulary::Class;

/// Last words of holiday names. Sorted.
static ENDS: WordSet = word_set!("forms-holiday-ends");

/// First words of holiday names. Sorted.
static BEGINS: WordSet = word_set!("forms-holiday-begins");

/// Words inside holiday names.
static JOINING: WordSet = word_set!("forms-holiday-joining");

/// Finds a holiday: `Christmas Eve`, `Memorial Day weekend`, `New Year's Day`, `the Fourth of July`.
pub(in crate::rules) fn find_holiday(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let mut last = at + 1;
    let mut day = false;
    for _ in 0..5 {
        if !note.follows(last) {
            break;
        }
        let joins = word_is!(note, last, "'s" | "'" | "s") || note.is(last, Class::Holiday) || JOINING.has(note, last);
        let ends = ENDS.has(note, last);
        if !joins && !ends {
            break;
        }
        day |= ends;
        last += 1;
    }
    while last > at + 1
        && (word_is!(note, last - 1, "of" | "the" | "-" | "'") || (word_is!(note, last - 1, "'s") && !day))
    {
        last -= 1;
    }
    // `Memorial` and `labor` are also ordinary words.
    if !note.is(at, Class::Holiday) && !day {
        return;
    }
    let mut first = at;
    while first > 0 && at - first < 3 && note.follows(first) && BEGINS.has(note, first - 1) {
        first -= 1;
    }
    if word_is!(note, first, "." | "de") {
        first = at;
    }
    let name_only = note.width(at) <= 6 && note.case(at) == Case::Lower && !day;
    findings.remove(first, last, Kind::Holiday, if name_only { Certainty::Weak } else { Certainty::Likely });
}

/// Words before a day of the week.
static LEADING: WordSet = word_set!("forms-holiday-leading");

/// Finds a day of the week.
pub(in crate::rules) fn find_weekday(note: &Note<'_>, at: usize, findings: &mut Findings) {
    // `Mon, 5 - Wed, 7 Nov`: the days of a range have only their weekday next to them.
    let day = at + 1 + usize::from(note.is_any_mark(at + 1, b",."));
    let numbered = note.follows(day) && note.integer(day).is_some_and(|value| (1..=31).contains(&value));
    if numbered && note.is_mark(day + 1, b'-') && note.follows(day + 1) && note.is(day + 2, Class::Weekday) {
        findings.remove(at, day + 1, Kind::DayMonth, Certainty::Likely);
        return;
    }
    if note.width(at) >= 6 {
        findings.remove(at, at + 1, Kind::Weekday, Certainty::Likely);
        return;
    }
    // Sun, Sat and Wed are also words; next to a date or after "on" they are days.
    let skip = usize::from(note.is_any_mark(at + 1, b".,")) + 1;
    let dated = note.follows(at + skip)
        && (note.is(at + skip, Class::Month)
            || note.number(at + skip).is_some_and(|number| number.separator(0) == b'/' && number.value(0) <= 31));
    let word_too = word_is!(note, at, "sat" | "sun" | "wed");
    let on = at > 0 && note.follows(at) && LEADING.has(note, at - 1);
    let in_list = (at >= 2 && note.is(at - 2, Class::Weekday) && note.is_any_mark(at - 1, b"/-,"))
        || (note.is_any_mark(at + 1, b"/-") && note.is(at + 2, Class::Weekday));
    let capital = note.case(at) == Case::Capital;
    if in_list || (on || dated) && (capital || !word_too) {
        findings.remove(at, at + 1, Kind::Weekday, Certainty::Likely);
    } else if capital && !word_too && note.same_line(at) && !note.sentence_start(at) {
        findings.remove(at, at + 1, Kind::Weekday, Certainty::Weak);
    }
}
