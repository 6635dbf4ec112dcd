//! Reference ranges after their value: `Sodium 131 L 135-145`, `K 5.6 (3.5 - 5.0)`, `HGB,8.1,g/dL,12.0-16.0`.

use super::NON_CLINICAL_CUES;
use super::amount::{Figure, Shape};
use crate::rules::engine::word_sets::{WordSet, word_set};
use crate::rules::engine::{Certainty, Findings, Note, Number};
use crate::text::token::{Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// The maximum distance of a value from its range, in tokens: a unit, a flag, brackets.
const MAX_VALUE_DISTANCE: usize = 10;

/// The maximum distance of a test name from its value, in tokens.
const MAX_NAME_DISTANCE: usize = 4;

/// The maximum factor by which a value may lie outside its range, and the maximum ratio of the ends of a range.
const MAX_OUTSIDE_FACTOR: u64 = 8;
const MAX_END_RATIO: u64 = 30;

/// Words between a value and its range, other than units: flags, `ref`, `normal`.
static BETWEEN: WordSet = word_set!("clinical-range-between");

/// Words that announce a range: `ref`, `normal`.
static ANNOUNCING: WordSet = word_set!("clinical-range-announcing");

/// Lists of test names.
const TESTS: Classes = Classes::of(&[Class::Measurement, Class::Marker, Class::Score]);

/// Vouches for a range and the value before it, at the lower end. No end may have four digits, as years, telephone
/// numbers and social security numbers do.
pub(in crate::rules) fn keep_reference_range(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let high = at + 2;
    let chained = at > 0 && note.joined(at) && note.is_any_mark(at - 1, b"-/.:")
        || note.joined(high + 1) && note.is_any_mark(high + 1, b"-/:") && note.is_number(high + 2);
    let written = note.is_mark(at + 1, b'-')
        && note.same_line(high)
        && note.joined(at + 1) == note.joined(high)
        && ![at, high, high + 1].iter().any(|&at| note.token(at).glued());
    if !written || chained {
        return;
    }
    let (Some(low), Some(top)) = (value_in_thousandths(note, at), value_in_thousandths(note, high)) else { return };
    if low < top
        && (low == 0 || top <= MAX_END_RATIO * low)
        && !(may_be_month_and_day(note, at, high) && !is_range_set_apart(note, at))
        && let Some(value) = value_before_range(note, at, [low, top])
        && has_test_name_before(note, value)
    {
        findings.keep(value, value + 1, Certainty::Likely);
        findings.keep(at, high + 1, Certainty::Sure);
    }
}

/// Returns whether two integers may be a month and a day: `K 4.1 3-12`.
fn may_be_month_and_day(note: &Note<'_>, low: usize, high: usize) -> bool {
    let day = |at: usize| note.integer(at).is_some_and(|value| (1..=31).contains(&value));
    let month = |at: usize| note.integer(at).is_some_and(|value| (1..=12).contains(&value));
    day(low) && day(high) && (month(low) || month(high))
}

/// Returns whether a range is bracketed, in a column of its own, or after a word for it; dates are not.
fn is_range_set_apart(note: &Note<'_>, at: usize) -> bool {
    let colon = usize::from(at > 0 && note.is_mark(at - 1, b':'));
    at > 0
        && (note.is_any_mark(at - 1, b"([|")
            || note.gap(at) == Gap::Wide
            || ANNOUNCING.has(note, at - 1 - colon.min(at - 1)))
}

/// Returns a value in thousandths.
fn value_in_thousandths(note: &Note<'_>, at: usize) -> Option<u64> {
    let figure = Figure::at(note, at)?;
    let number: &Number = figure.number;
    match figure.shape {
        Shape::Integer if number.digits(0) <= 3 && (!figure.has_leading_zero || number.digits(0) == 1) => {
            Some(1000 * number.value(0))
        }
        Shape::Decimal if number.len() == 2 && number.digits(0) <= 3 && number.digits(1) <= 3 => {
            Some(1000 * number.value(0) + number.value(1) * 10_u64.pow(3 - number.digits(1) as u32))
        }
        _ => None,
    }
}

/// Returns the value before a range, with only its unit and its flag in between.
fn value_before_range(note: &Note<'_>, range: usize, [low, top]: [u64; 2]) -> Option<usize> {
    for at in (range.saturating_sub(MAX_VALUE_DISTANCE)..range).rev() {
        if !note.same_line(at + 1) {
            return None;
        }
        let goes_on = match note.token(at).kind {
            // `10^3/uL`
            Kind::Number if note.joined(at + 1) && note.is_any_mark(at + 1, b"*^/") => true,
            Kind::Number if at > 0 && note.joined(at) && note.is_any_mark(at - 1, b"*^") => true,
            Kind::Number => {
                let value = value_in_thousandths(note, at)?;
                let fits =
                    value * MAX_OUTSIDE_FACTOR >= low && value <= MAX_OUTSIDE_FACTOR * top && !note.token(at).glued();
                return fits.then_some(at);
            }
            Kind::Word => note.is(at, Class::Unit) || BETWEEN.has(note, at) || note.token(at).glued(),
            Kind::Punct => note.is_any_mark(at, b"([,;|:%*^/.=<>"),
            Kind::Symbol => true,
            _ => false,
        };
        if !goes_on {
            return None;
        }
    }
    None
}

/// Returns whether the name of a test precedes a value.
fn has_test_name_before(note: &Note<'_>, value: usize) -> bool {
    let name = (value.saturating_sub(MAX_NAME_DISTANCE)..value)
        .rev()
        .take_while(|&at| note.same_line(at + 1))
        .find(|&at| note.is_word(at) && note.width(at) > 1 || note.is(at, Class::Measurement));
    name.is_some_and(|name| note.any(name, TESTS) && !note.any(name, NON_CLINICAL_CUES))
}
