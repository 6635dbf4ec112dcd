//! How often a drug is given: `bid`, `q6h`, `every other day`, `1-0-1`, `at 3 pm`, `x2`.

use std::sync::LazyLock;

use super::amount::{self, number_in_words};
use super::spelling::{Spellings, spellings};
use crate::note::{Note, Shape};
use crate::vocabulary::{Class, Classes};

/// Words for spans of time.
const DURATIONS: Classes = Classes::of(&[Class::Duration]);

static FREQUENCIES: LazyLock<Spellings<&'static str>> = LazyLock::new(|| spellings(include_str!("frequencies.txt")));

/// The frequency at a token, and one past its last token. After a dose it may also be a count: `x2`, `1-0-1`.
pub(super) fn frequency(
    note: &Note<'_>,
    at: usize,
    dosed: bool,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<(String, usize)> {
    let listed = FREQUENCIES.longest_spelling(note, at, kept).map(|(listed, last)| (listed.to_owned(), last));
    let of_dose = || parts_of_day(note, at).or_else(|| count_of_doses(note, at)).or_else(|| time_of_day(note, at));
    let counted = interval_frequency(note, at).or_else(|| dosed.then(of_dose).flatten());
    let counted = counted.filter(|&(_, last)| (at..last).all(kept));
    match (listed, counted) {
        (Some(listed), Some(counted)) => Some(if listed.1 >= counted.1 { listed } else { counted }),
        (listed, counted) => listed.or(counted),
    }
}

/// `1-0-1`, `1-0-0-1`: how many in the morning, at noon, in the evening, at night.
fn parts_of_day(note: &Note<'_>, at: usize) -> Option<(String, usize)> {
    let digit =
        |at: usize| note.number(at).is_some_and(|number| number.shape() == Shape::Integer && number.digits(0) == 1);
    let next = |at: &usize| note.is_mark(at + 1, b'-') && note.joined(at + 1) && note.joined(at + 2) && digit(at + 2);
    let last = std::iter::successors(digit(at).then_some(at), |at| next(at).then_some(at + 2)).last()? + 1;
    (matches!(last - at, 5 | 7) && !note.token(last).glued())
        .then(|| ((at..last).map(|at| note.word(at)).collect(), last))
}

/// `at 3 pm`, `Mon/Wed/Fri`, `on Sundays`.
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
    // `sun` and `sat` alone are no days.
    let is_day = days.len() > 1 || days.iter().any(|day| day.len() > 4);
    is_day.then(|| (days.join("/"), last))
}

/// `x2`, `x 3 doses`; `x 3 days` is how long.
fn count_of_doses(note: &Note<'_>, at: usize) -> Option<(String, usize)> {
    let count = note.number(at + 1).filter(|number| number.shape() == Shape::Integer && number.digits(0) < 3)?;
    let doses = matches!(note.word(at + 2), "doses" | "times" | "dose");
    let last = at + 2 + usize::from(doses);
    let counts =
        matches!(note.word(at), "x" | "times") && (doses || !note.any(last, DURATIONS) && !note.token(last).glued());
    counts.then(|| (format!("{} times", count.value(0)), last))
}

/// `q6h`, `every 4-6 hours`, `q 3 days`
fn interval_frequency(note: &Note<'_>, at: usize) -> Option<(String, usize)> {
    if !matches!(note.word(at), "q" | "every" | "each") {
        return None;
    }
    let amount =
        amount::read_amount(note, at + 1, false, |_| true).or_else(|| number_in_words(note, at + 1, |_| true))?;
    let unit_at = amount.last + usize::from(note.is_mark(amount.last, b'-'));
    let unit = match note.word(unit_at) {
        "h" | "hr" | "hrs" | "hour" | "hours" | "hourly" => "hours",
        "d" | "day" | "days" => "days",
        "min" | "mins" | "minute" | "minutes" => "minutes",
        "w" | "wk" | "wks" | "week" | "weeks" => "weeks",
        "month" | "months" | "mo" => "months",
        _ => return None,
    };
    (!note.token(unit_at + 1).glued()).then(|| (format!("every {} {unit}", amount.text), unit_at + 1))
}
