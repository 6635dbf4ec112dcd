//! Holidays and their eves, days of the week, seasons of a year.

use super::date::{is_year4, spoken};
use super::{Certainty, Findings, Kind, View};
use crate::rules::word_sets::{WordSet, says};
use crate::token::{Case, Kind as Token};
use crate::vocabulary::Class;

/// What the name of a holiday ends with. Sorted.
#[rustfmt::skip]
static ENDS: WordSet = WordSet::new(&[
    "day", "days", "dinner", "eve", "friday", "holiday", "monday", "morning", "night", "party", "season", "sunday", "tuesday",
    "wednesday", "week", "weekend",
]);

/// What it begins with. Sorted.
static BEGINS: WordSet =
    WordSet::new(&[".", "cinco", "de", "good", "martin", "new", "rosh", "saint", "st", "st.", "yom"]);

/// Finds a holiday: Christmas Eve, Memorial Day weekend, New Year's Day, the Fourth of July.
pub(super) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut last = at + 1;
    let mut day = false;
    for _ in 0..5 {
        if !view.follows(last) {
            break;
        }
        let joins = says!(view, last, "'s" | "'" | "s")
            || view.is(last, Class::Holiday)
            || says!(view, last, "luther" | "jr" | "king" | "king's" | "of" | "the" | "-");
        let ends = ENDS.has(view, last);
        if !joins && !ends {
            break;
        }
        day |= ends;
        last += 1;
    }
    while last > at + 1 && (says!(view, last - 1, "of" | "the" | "-" | "'") || (says!(view, last - 1, "'s") && !day)) {
        last -= 1;
    }
    // Memorial and labor are words of their own.
    if !view.is(at, Class::Holiday) && !day {
        return;
    }
    let mut first = at;
    while first > 0 && at - first < 3 && view.follows(first) && BEGINS.has(view, first - 1) {
        first -= 1;
    }
    if says!(view, first, "." | "de") {
        first = at;
    }
    let name_only = view.width(at) <= 6 && view.case(at) == Case::Lower && !day;
    findings.remove(first, last, Kind::Holiday, if name_only { Certainty::Weak } else { Certainty::Likely });
}

/// Finds a day of the week.
pub(super) fn find_weekday(view: &View<'_>, at: usize, findings: &mut Findings) {
    let word = view.bytes(at);
    // Mon, 5 - Wed, 7 Nov: the days of a range have only their weekday beside them.
    let day = at + 1 + usize::from(view.is_any_mark(at + 1, b",."));
    let numbered = view.follows(day) && view.whole(day).is_some_and(|value| (1..=31).contains(&value));
    if numbered && view.is_mark(day + 1, b'-') && view.follows(day + 1) && view.is(day + 2, Class::Weekday) {
        findings.remove(at, day + 1, Kind::DayMonth, Certainty::Likely);
        return;
    }
    let full = word.len() >= 6;
    if full {
        findings.remove(at, at + 1, Kind::Weekday, Certainty::Likely);
        return;
    }
    // Sun, Sat and Wed are words; beside a date or after "on" they are days.
    let skip = usize::from(view.is_any_mark(at + 1, b".,")) + 1;
    let date_after = view.follows(at + skip)
        && (view.is(at + skip, Class::Month)
            || view
                .number(at + skip)
                .is_some_and(|number| number.len() > 1 && number.mark(0) == b'/' && number.value(0) <= 31));
    let ends = matches!(word, b"sat" | b"sun" | b"wed");
    let on = at > 0
        && view.follows(at)
        && says!(view, at - 1, "on" | "last" | "next" | "this" | "every" | "until" | "since" | "by");
    let in_list = (at >= 2 && view.is(at - 2, Class::Weekday) && view.is_any_mark(at - 1, b"/-,"))
        || (view.is_any_mark(at + 1, b"/-") && view.is(at + 2, Class::Weekday));
    let capital = view.case(at) == Case::Capital;
    let dated = date_after && (!ends || view.capitalised(at));
    if dated || in_list || (on && (capital || !ends)) {
        findings.remove(at, at + 1, Kind::Weekday, Certainty::Likely);
    } else if capital && view.same_line(at) && (!ends && !view.sentence_start(at) || ends && is_planned(view, at)) {
        findings.remove(at, at + 1, Kind::Weekday, Certainty::Weak);
    }
}

/// `on Mon or Sun`, `the clinic is Sat, 3 pm`, `Wed's bath`: short forms that are words too, where only a day stands.
fn is_planned(view: &View<'_>, at: usize) -> bool {
    let next = at + 1;
    let before = at.wrapping_sub(1);
    let possessive = view.token(next).kind == Token::Possessive;
    let joined = says!(view, before, "or" | "and" | "to" | "through" | "thru" | "til" | "till" | "&");
    let days = joined && at > 1 && view.is(at - 2, Class::Weekday);
    let visit = says!(view, before, "is" | "the" | "was" | "for") && !says!(view, at, "sun")
        || says!(view, before, "is" | "was") && view.is_mark(next, b',');
    let value = view.is_number(next) || view.is_any_mark(next, b"%:=<>");
    (possessive || days || visit && !value) && view.case(before) != Case::Upper
}

/// Finds a season of a year: spring 2004, the summer of '03, last winter.
pub(super) fn find_season(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut next = at + 1;
    for _ in 0..3 {
        if !view.follows(next)
            || !(view.is_any_mark(next, b",'/-") || says!(view, next, "of" | "the" | "term" | "semester" | "season"))
        {
            break;
        }
        next += 1;
    }
    let apostrophe = view.is_mark(next - 1, b'\'');
    let year = view.follows(next)
        && (view.number(next).is_some_and(|number| {
            number.len() == 1 && (is_year4(number.value(0), number.digits(0)) || (apostrophe && number.digits(0) == 2))
        }) || spoken::year(view, next).is_some_and(|end| end > next + 1));
    if year {
        let last = spoken::year(view, next).filter(|_| !view.is_number(next)).unwrap_or(next + 1);
        findings.remove(at, last, Kind::Season, Certainty::Likely);
        return;
    }
    let fall = says!(view, at, "fall");
    let before = at.wrapping_sub(1);
    let cue = at > 0
        && view.follows(at)
        && says!(view, before, "last" | "this" | "next" | "early" | "late" | "previous" | "past" | "mid" | "since");
    let in_the = at >= 2
        && says!(view, before, "the")
        && says!(view, at - 2, "in" | "during" | "of" | "over" | "since" | "until");
    let told = cue || in_the || (at > 0 && says!(view, before, "in") && view.follows(at));
    // "last fall" and "since the fall" are as often an injury, and so is `Mechanical Fall`.
    if told && !fall {
        findings.remove(at, at + 1, Kind::Season, Certainty::Likely);
    } else if view.case(at) == Case::Capital && !view.sentence_start(at) && (told || !fall) {
        findings.remove(at, at + 1, Kind::Season, Certainty::Weak);
    }
}
