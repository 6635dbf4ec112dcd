//! Frequencies of drugs: `bid`, `q6h`, `every other day`, `3x tgl.`, `1-0-1`, `at 3 pm`, `on days 1 and 8`, `x2`.

use std::sync::LazyLock;

use super::amount::{self, number_in_words};
use super::spelling::{Spellings, spellings};
use super::units::Unit;
use crate::note::{Note, Shape};
use crate::text::bundled_list;
use crate::vocabulary::{Class, Classes};

/// Words for durations.
const DURATIONS: Classes = Classes::of(&[Class::Duration]);
/// The row of the list that is appended to a frequency, or is one by itself.
pub(super) const AS_NEEDED: &str = "as needed";

static FREQUENCIES: LazyLock<Spellings<&'static str>> = LazyLock::new(|| spellings(bundled_list!("frequencies.txt")));
/// The parts of intervals and counts, in the order of their list: words that begin or join them, then durations.
static PARTS: LazyLock<Spellings<&'static str>> = LazyLock::new(|| spellings(bundled_list!("intervals.txt")));

/// Reads the frequency at a token, with its end (exclusive). After a dose it may also be a count: `x2`, `1-0-1`.
pub(super) fn frequency(
    note: &Note<'_>,
    at: usize,
    dosed: bool,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<(String, usize)> {
    let listed = FREQUENCIES.longest_spelling(note, at, kept).filter(|&(listed, _)| listed != AS_NEEDED);
    let listed = listed.map(|(listed, last)| (listed.to_owned(), last));
    let of_dose = || {
        let parts = parts_of_day(note, at).or_else(|| count_of_doses(note, at)).or_else(|| span_after_count(note, at));
        let named = parts.or_else(|| named_parts_of_day(note, at)).or_else(|| days_of_course(note, at));
        named.or_else(|| clock_times(note, at)).or_else(|| time_of_day(note, at))
    };
    let timed = || interval_frequency(note, at).or_else(|| times_in_span(note, at, kept));
    let counted = timed().or_else(|| dosed.then(of_dose).flatten());
    let counted = counted.filter(|&(_, last)| (at..last).all(kept));
    match (listed, counted) {
        (Some(listed), Some(counted)) => Some(if listed.1 >= counted.1 { listed } else { counted }),
        (listed, counted) => listed.or(counted),
    }
}

/// Returns the end (exclusive) of `prn` or `as needed`.
pub(super) fn as_needed(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool) -> Option<usize> {
    FREQUENCIES.longest_spelling(note, at, kept).filter(|&(listed, _)| listed == AS_NEEDED).map(|(_, last)| last)
}

/// Returns the end (exclusive) of the part of a frequency with a name.
fn end_of_part(note: &Note<'_>, at: usize, name: &str) -> Option<usize> {
    PARTS.longest_spelling(note, at, |_| true).filter(|&(part, _)| part == name).map(|(_, last)| last)
}
/// Reads the numbers for morning, noon, evening and night: `1-0-1`, `1-0-0-1`.
fn parts_of_day(note: &Note<'_>, at: usize) -> Option<(String, usize)> {
    let digit =
        |at: usize| note.number(at).is_some_and(|number| number.shape() == Shape::Integer && number.digits(0) == 1);
    let next = |at: &usize| note.is_mark(at + 1, b'-') && note.joined(at + 1) && note.joined(at + 2) && digit(at + 2);
    let last = std::iter::successors(digit(at).then_some(at), |at| next(at).then_some(at + 2)).last()? + 1;
    (matches!(last - at, 5 | 7) && !note.token(last).glued())
        .then(|| ((at..last).map(|at| note.word(at)).collect(), last))
}

/// Reads an enumeration of parts of the day: `matin, midi et soir`, `with breakfast and dinner`.
fn named_parts_of_day(note: &Note<'_>, at: usize) -> Option<(String, usize)> {
    const NAMES: [&str; 4] = ["morning", "noon", "evening", "night"];
    let is_preposition = |note: &Note<'_>, at: usize| end_of_part(note, at, "on").is_some() || note.word(at) == "en";
    let part_at = |at: usize| PARTS.longest_spelling(note, at, |_| true).filter(|(part, _)| NAMES.contains(part));
    let begins = |at: usize| (at..at + 3).find(|&at| !is_preposition(note, at)).unwrap_or(at);
    let (first, mut last) = part_at(begins(at))?;
    let mut parts = vec![first];
    loop {
        let joined = note.is_any_mark(last, b",/&+-") || end_of_part(note, last, "and").is_some();
        let second = last + usize::from(joined);
        let next = begins(second + usize::from(joined && end_of_part(note, second, "and").is_some()));
        let Some((part, end)) = part_at(next).filter(|(part, _)| note.same_line(next) && !parts.contains(part)) else {
            break;
        };
        parts.push(part);
        last = end;
    }
    (parts.len() > 1).then(|| (times_in(&parts.len().to_string(), "daily"), last))
}

/// Reads two or more clock times: `at 0800 and 2000`, `8am and 8pm`, `ore 8 e 20`. A single one may be when a dose was
/// given.
fn clock_times(note: &Note<'_>, at: usize) -> Option<(String, usize)> {
    let named = end_of_part(note, at, "at").or_else(|| (note.word(at) == "ore").then_some(at + 1));
    let time_at = |at: usize| {
        let number = note.number(at).filter(|number| matches!(number.shape(), Shape::Integer | Shape::Colon))?;
        let half = matches!(note.word(at + 1), "am" | "pm" | "uhr" | "h" | "hrs").then_some(at + 2);
        let is_clock = number.shape() == Shape::Colon || number.digits(0) == 4 && number.value(0) < 2400;
        let is_hour = number.value(0) <= 24 && (half.is_some() || named.is_some());
        (is_clock || is_hour).then(|| (note.word(at), half.unwrap_or(at + 1)))
    };
    let (first, mut last) = time_at(named.unwrap_or(at))?;
    let mut times = vec![first];
    while note.is_any_mark(last, b",&/") || end_of_part(note, last, "and").is_some() {
        let next = last + 1 + usize::from(end_of_part(note, last + 1, "and").is_some());
        let Some((time, end)) = time_at(next).filter(|_| note.same_line(next)) else { break };
        times.push(time);
        last = end;
    }
    (times.len() > 1 && !note.token(last).glued()).then(|| (format!("at {}", times.join(", ")), last))
}

/// Reads a time of day or days of the week: `at 3 pm`, `Mon/Wed/Fri`, `on Sundays`.
fn time_of_day(note: &Note<'_>, at: usize) -> Option<(String, usize)> {
    let half = |at: usize| ["am", "pm"].into_iter().find(|&half| note.word(at) == half);
    if note.word(at) == "at"
        && let (Some(hour), Some(half)) = (note.number(at + 1).filter(|hour| hour.value(0) <= 12), half(at + 2))
        && matches!(hour.shape(), Shape::Integer | Shape::Colon)
    {
        return Some((format!("at {} {half}", note.word(at + 1)), at + 3));
    }
    let first = at + usize::from(note.word(at) == "on");
    let (mut last, mut days) = (first, Vec::new());
    while note.is(last, Class::Weekday) && note.is_word(last) {
        days.push(note.word(last));
        let joined = note.is_any_mark(last + 1, b"/,-&") || note.word(last + 1) == "and";
        let comma = note.is_mark(last + 1, b',') && note.word(last + 2) == "and";
        let next = last + 1 + usize::from(joined) + usize::from(comma);
        last = if note.is(next, Class::Weekday) && next > last + 1 { next } else { last + 1 };
    }
    // `sun` or `sat` alone is not a day.
    let is_day = days.len() > 1 || days.iter().any(|day| day.len() > 4);
    is_day.then(|| (days.join("/"), last))
}

/// Reads a number of doses: `x2`, `x 3 doses`; `x 3 days` is a duration.
fn count_of_doses(note: &Note<'_>, at: usize) -> Option<(String, usize)> {
    let count = note.number(at + 1).filter(|number| number.shape() == Shape::Integer && number.digits(0) < 3)?;
    let doses = matches!(note.word(at + 2), "doses" | "times" | "dose");
    let last = at + 2 + usize::from(doses);
    let is_time = |part: &str| SPANS.contains(&part) || is_span(part);
    let spans = note.any(last, DURATIONS)
        || PARTS.longest_spelling(note, last, |_| true).is_some_and(|(part, _)| is_time(part));
    let times = matches!(note.word(at), "x" | "×" | "times");
    // `x 3/j`, `x 2 daily`
    if let Some((span, end)) =
        PARTS.longest_spelling(note, at + 2, |_| true).filter(|&(span, _)| times && is_span(span))
    {
        return Some((times_in(note.word(at + 1), span), end));
    }
    let counts = times && (doses || !spans && !note.token(last).glued());
    counts.then(|| (format!("{} times", count.value(0)), last))
}

/// Reads an interval: `q6h`, `every 4-6 hours`, `q 3 days`, `alle 8 Stunden`, `q9pm`.
fn interval_frequency(note: &Note<'_>, at: usize) -> Option<(String, usize)> {
    let first = if note.word(at) == "q" { at + 1 } else { end_of_part(note, at, "every")? };
    let amount =
        amount::read_amount(note, first, false, |_| true).or_else(|| number_in_words(note, first, |_| true))?;
    let half = note.word(amount.end);
    if matches!(half, "am" | "pm") && !note.token(amount.end + 1).glued() {
        return Some((format!("at {} {half}", amount.text), amount.end + 1));
    }
    // `q12`
    let bare =
        note.word(at) == "q" && !note.token(amount.end).glued() && amount.number.is_some_and(|hours| hours > 1.0);
    let counted = end_of_restatement(note, amount.end);
    let unit_at = counted + usize::from(note.is_mark(counted, b'-'));
    let named = PARTS.longest_spelling(note, unit_at, |_| true).filter(|(unit, _)| SPANS.contains(unit));
    let (unit, last) = named.or_else(|| bare.then_some(("hours", amount.end)))?;
    match (amount.text.as_str(), unit) {
        ("24", "hours") => Some(("daily".to_owned(), last)),
        (number, unit) => Some((format!("every {number} {unit}"), last)),
    }
}

/// Reads an interval whose unit is an adverb after the number: `4 hourly`, `4-6 hourly`, `3-monthly`.
fn span_after_count(note: &Note<'_>, at: usize) -> Option<(String, usize)> {
    let amount = amount::read_amount(note, at, false, |_| true).or_else(|| number_in_words(note, at, |_| true))?;
    let span_at = amount.end + usize::from(note.is_mark(amount.end, b'-'));
    let span = match note.word(span_at) {
        "hourly" | "hrly" | "stündlich" | "stdl" => "hours",
        "weekly" | "wöchentlich" => "weeks",
        "monthly" | "monatlich" => "months",
        _ => return None,
    };
    let several = amount.number.is_none_or(|count| count > 1.0);
    (several && !note.token(span_at + 1).glued()).then(|| (format!("every {} {span}", amount.text), span_at + 1))
}

/// The units of intervals.
const SPANS: [&str; 5] = ["minutes", "hours", "days", "weeks", "months"];

/// Reads a number of times per period: `3x daily`, `two times per week`, `2 x tgl.`
fn times_in_span(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool + Copy) -> Option<(String, usize)> {
    let count = amount::read_amount(note, at, false, kept).or_else(|| number_in_words(note, at, kept))?;
    let counted = end_of_restatement(note, count.end);
    let few = count.number.is_some_and(|count| count <= 12.0);
    // `5 days a week`
    if let Some((span, last)) = end_of_part(note, counted, "days").and_then(|at| PARTS.longest_spelling(note, at, kept))
        && span == "weekly"
    {
        return Some((format!("{} days {span}", count.text), last));
    }
    // `3/j`
    let slashed = || (few && note.is_mark(counted, b'/')).then_some(counted);
    let times = end_of_part(note, counted, "times").or_else(slashed)?;
    // `3 x 1 tgl.`
    let each =
        note.number(times).filter(|each| each.shape() == Shape::Integer && each.value(0) <= 4).map(|_| times + 1);
    let span = PARTS.longest_spelling(note, each.unwrap_or(times), kept).filter(|&(span, _)| is_span(span));
    let is_amount = |last: usize| {
        note.token(last).glued() || Unit::read(note, last, |_| true).is_some_and(|(unit, _)| !unit.is_dose_form())
    };
    let (span, last) = span.or_else(|| Some(("daily", each.filter(|&last| few && !is_amount(last))?)))?;
    Some((times_in(&count.text, span), last))
}

/// Returns whether a part of a frequency is a period in which doses are counted.
fn is_span(part: &str) -> bool {
    matches!(part, "daily" | "weekly" | "monthly")
}

/// Returns a number of times per period as results show it.
fn times_in(count: &str, span: &str) -> String {
    match count {
        "1" => span.to_owned(),
        "2" => format!("twice {span}"),
        "3" => format!("three times {span}"),
        "4" => format!("four times {span}"),
        "5" => format!("five times {span}"),
        count => format!("{count} times {span}"),
    }
}

/// Returns the end (exclusive) of a number in brackets that restates the one before it: `2 (two) times daily`,
/// `every four (4) hours`.
pub(super) fn end_of_restatement(note: &Note<'_>, at: usize) -> usize {
    let is_number = |at: usize| {
        note.is_number(at) || number_in_words(note, at, |_| true).is_some() || note.is(at, Class::NumberWord)
    };
    let restated = note.is_mark(at, b'(') && is_number(at + 1) && note.is_mark(at + 2, b')');
    at + 3 * usize::from(restated)
}

/// Reads the duration of an infusion: `over 30 min`.
pub(super) fn time_of_infusion(
    note: &Note<'_>,
    at: usize,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<(String, usize)> {
    let first = end_of_part(note, at, "over")?;
    let amount = amount::read_amount(note, first, false, kept).or_else(|| number_in_words(note, first, kept))?;
    let (span, last) = PARTS.longest_spelling(note, amount.end, kept)?;
    let span = if amount.text == "1" { span.trim_end_matches('s') } else { span };
    matches!(span, "minute" | "minutes" | "hour" | "hours").then(|| (format!("over {} {span}", amount.text), last))
}

/// Reads the days of a course on which doses are given: `on days 1, 8 and 15`, `at weeks 0, 2 and 6`.
fn days_of_course(note: &Note<'_>, at: usize) -> Option<(String, usize)> {
    let first = at + usize::from(matches!(note.word(at), "on" | "at"));
    let unit = note.word(first);
    let is_unit = |word: &str| matches!(word, "days" | "weeks" | "hours" | "months");
    let after = first > at && note.is_number(first);
    if !after && !matches!(unit, "days" | "weeks") {
        return None;
    }
    let (mut last, mut numbers) = (first + usize::from(!after), Vec::new());
    while note.number(last).is_some_and(|number| number.shape() == Shape::Integer && number.digits(0) < 3) {
        numbers.push(note.word(last));
        let comma = usize::from(note.is_mark(last + 1, b','));
        let joined = comma + usize::from(matches!(note.word(last + 1 + comma), "and" | "&"));
        let next = last + 1 + joined;
        last = if joined > 0 && note.is_number(next) { next } else { last + 1 };
        if joined == 0 {
            break;
        }
    }
    // `at 6, 24 and 48 hours`
    let (unit, last) = if after && numbers.len() > 1 { (note.word(last), last + 1) } else { (unit, last) };
    (!numbers.is_empty() && is_unit(unit)).then(|| (format!("{unit} {}", numbers.join(", ")), last))
}
