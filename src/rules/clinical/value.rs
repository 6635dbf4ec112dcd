//! Numbers after the name of what they measure: `sodium 138`, `BP was 128/72`, `EF of 55-60%`, `FiO2 0.4`.
//!
//! From the name, the rule skips the words between a name and its value (is, of, was, down to, interposed dates), reads
//! the value, and continues through an enumeration: `12.3, 11.9 and 10.4`.

use super::amount::{Figure, Shape, in_hyphen_chain};
use super::follow::{UnitKind, UnitPhrase};
use super::measured;
use super::scale::{reads_as_day_on_scale, reads_as_month_and_day};
use crate::rules::engine::amounts::{AmountForm, Measured};
use crate::rules::engine::is_roman_numeral;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// The maximum distance of a value from its name, in tokens.
const MAX_VALUE_DISTANCE: usize = 14;
/// How many further values may follow, each after words.
const MAX_FURTHER_VALUES: usize = 3;
/// The maximum length of an enumeration.
const MAX_SERIES_VALUES: usize = 24;

/// The kind of values that fit a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// Any measurement.
    Measure,
    /// The name is a single letter: the value is short and adjacent.
    Letter,
    /// Scores, grades, stages: short numbers, n/m, n+m, Roman numerals.
    Grade,
    /// Levels and landmarks: short numbers in lists.
    Level,
}

/// Vouches for the values after the name of a measurement.
pub(in crate::rules) fn keep_measurement_values(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let fit = if note.width(at) == 1 { ValueKind::Letter } else { ValueKind::Measure };
    let last = keep_values_after(note, at + 1, fit, findings);
    // `pointed to BUN 37`: capitals next to a value are the name of a test, whatever precedes them.
    let short = note.case(at) == Case::Upper && (2..=5).contains(&note.width(at));
    if short && (at + 1..last.min(at + 4)).any(|value| note.is_number(value)) {
        findings.keep(at, at + 1, Certainty::Likely);
    }
}

/// Vouches for the values after a name that ends before `at`. Returns the end of the last value (exclusive).
pub(super) fn keep_values_after(note: &Note<'_>, at: usize, fit: ValueKind, findings: &mut Findings) -> usize {
    let (mut next, mut end) = (at, at + if fit == ValueKind::Letter { 3 } else { MAX_VALUE_DISTANCE });
    let mut far = false;
    let mut last = at;
    let mut rounds = 0;
    // Only grades are written without digits.
    let in_vain = |next, end| fit != ValueKind::Grade && !note.may_hold_number(next, end);
    if in_vain(next, end) {
        return last;
    }
    while next < end {
        let token = note.token(next);
        if token.gap == Gap::Paragraph {
            return last;
        }
        match token.kind {
            Kind::Number => {
                if let Some(past) = end_of_date_in_passing(note, next, fit) {
                    next = past;
                    far = true;
                    continue;
                }
                // `INR 3.4 8-30`: a day after a value, not a range around it.
                if rounds > 0 && next == last && note.is_mark(next + 1, b'-') && is_day_after_value(note, next) {
                    return last;
                }
                let past = keep_series(note, next, fit, far, findings);
                if past == next || rounds == MAX_FURTHER_VALUES || fit == ValueKind::Letter {
                    return past;
                }
                // `9.8, down from 11.2`; `110 on the right and 95 on the left`
                (last, next, end, far) = (past, past, past + MAX_VALUE_DISTANCE / 2, true);
                rounds += 1;
                if in_vain(next, end) {
                    return last;
                }
                continue;
            }
            Kind::Word if fit == ValueKind::Grade && is_grade(note, next) => {
                return keep_series(note, next, fit, far, findings);
            }
            Kind::Word if word_may_precede_value(note, next, fit) => {}
            Kind::Punct => {
                far |= token.mark() == b',';
                if !mark_may_precede_value(note, next, at) {
                    return last;
                }
            }
            Kind::Word => return last,
            _ => match symbol_may_precede_value(note, next) {
                Some(removed) => far |= removed,
                None => return last,
            },
        }
        next += 1;
    }
    last
}

/// Returns whether a mark may stand between a value and its name, which ends before `name_end`.
#[inline]
fn mark_may_precede_value(note: &Note<'_>, at: usize, name_end: usize) -> bool {
    match note.token(at).mark() {
        b',' | b':' | b'=' | b'<' | b'>' | b'~' | b'(' | b'#' | b'-' | b'+' | b'[' | b'"' => true,
        b'.' => at == name_end && note.joined(at) && note.follows(at + 1),
        // `MoCA (11/23): 22/30`
        b')' => note.is_number(at - 1),
        _ => false,
    }
}

/// Symbols that may stand between a name and its value.
static SIGNS: WordSet = word_set!("clinical-value-signs");

/// Returns whether a token other than a word, number or mark may stand between a name and its value; `Some(true)` for a
/// date that an earlier scrub removed.
#[cold]
fn symbol_may_precede_value(note: &Note<'_>, at: usize) -> Option<bool> {
    match note.token(at).kind {
        Kind::Placeholder => (note.word(at) == "[date]").then_some(true),
        // `pt.'s sats`; `temp. 98.6`: the period of an abbreviation may precede the value.
        Kind::Possessive => Some(false),
        Kind::Symbol => SIGNS.has(note, at).then_some(false),
        _ => None,
    }
}

/// Returns whether a month and a day, joined by a hyphen, directly follow a value that does not lie between them.
#[inline(never)]
fn is_day_after_value(note: &Note<'_>, at: usize) -> bool {
    let (Some(month), Some(day)) = (note.integer(at), note.integer(at + 2)) else { return false };
    let value = at.checked_sub(1).and_then(|value| note.number(value)).and_then(crate::rules::engine::Number::decimal);
    note.joined(at + 1)
        && note.joined(at + 2)
        && (1..=12).contains(&month)
        && (13..=31).contains(&day)
        && value.is_some_and(|value| value < month as f64 || value > day as f64)
}

/// Returns whether the word may stand between a name and its value.
fn word_may_precede_value(note: &Note<'_>, at: usize, fit: ValueKind) -> bool {
    const LINKS: Classes = Classes::of(&[Class::Link, Class::Measurement, Class::Month]);
    const GRADE_LINKS: Classes = Classes::of(&[Class::Link, Class::Score, Class::Measurement]);
    match fit {
        ValueKind::Letter => word_is!(note, at, "is" | "was" | "of"),
        // `taken in the middle of January was 14.2`
        ValueKind::Measure => {
            note.any(at, LINKS) || word_is!(note, at, "i" | "t") && word_is!(note, at - 1, "troponin")
        }
        ValueKind::Grade => note.any(at, GRADE_LINKS),
        ValueKind::Level => note.any(at, Classes::of(&[Class::Link, Class::Level])),
    }
}

/// Returns the end (exclusive) of a date between a name and its value; another rule decides about the date.
fn end_of_date_in_passing(note: &Note<'_>, at: usize, fit: ValueKind) -> Option<usize> {
    if in_hyphen_chain(note, at) || fit == ValueKind::Grade && is_date_after_scale(note, at) {
        return Some(at + 1);
    }
    let before_on = word_is!(note, at.wrapping_sub(1), "on" | "in" | "since" | "from" | "by");
    (before_on && is_date_after_word(note, at)).then_some(at + 1)
}

/// Returns whether the number after such a preposition is a date or a year.
#[cold]
fn is_date_after_word(note: &Note<'_>, at: usize) -> bool {
    Figure::at(note, at).is_some_and(|figure| figure.is_year() || figure.looks_like_date())
        || note.is(at + 1, Class::Month)
}

fn is_grade(note: &Note<'_>, at: usize) -> bool {
    // Fast rejection by the first two letters (their low five bits, where a is 1), which rule out nearly every word.
    const FIRST: u32 = 1 << 9 | 1 << 22 | 1 << 24;
    const SECOND: u32 = FIRST | 0b11111;
    let [first, second, ..] = note.key(at).to_le_bytes();
    FIRST >> (first & 31) & SECOND >> (second & 31) & 1 != 0 && is_roman_numeral(note.bytes(at))
}

/// Vouches for one value after another. Returns the end of the last one (exclusive).
fn keep_series(note: &Note<'_>, first: usize, fit: ValueKind, far: bool, findings: &mut Findings) -> usize {
    let mut at = first;
    let mut last = first;
    for item in 0..MAX_SERIES_VALUES {
        if item > 0 && note.gap(at) > Gap::Line {
            break;
        }
        let Some((end, certainty)) = end_of_value(note, at, fit, item > 0, far, findings) else { break };
        // `February 11`: a number after a month is a day.
        if at > 0 && note.is(at - 1, Class::Month) {
            break;
        }
        // `BP128/72`: the name is glued to its value.
        let named = item == 0 && note.token(at).glued() && !note.token(at - 1).glued() && note.is_word(at - 1);
        findings.keep(at - usize::from(named), end, certainty);
        last = end;
        // `12.3 (high), 11.9`: a word in parentheses may follow a value.
        let Some(next) = next_in_series(note, end, fit) else { break };
        at = next;
    }
    last
}

/// Words between the values of an enumeration.
static JOINING: WordSet = word_set!("clinical-value-joining");

/// Returns the next value of an enumeration.
fn next_in_series(note: &Note<'_>, end: usize, fit: ValueKind) -> Option<usize> {
    let mut at = end;
    while at < end + 4 && note.follows(at) {
        let token = note.token(at);
        let between = match token.kind {
            Kind::Punct => matches!(
                token.mark(),
                b',' | b';' | b'/' | b'&' | b'(' | b')' | b'<' | b'>' | b'=' | b'~' | b'#' | b'+' | b'-'
            ),
            Kind::Word if fit == ValueKind::Grade && at > end && is_grade(note, at) => return Some(at),
            Kind::Word => {
                let key = note.key(at);
                JOINING.has(note, at) || fit != ValueKind::Measure && word_is!(note, at, key, "of")
            }
            Kind::Number if at > end => return Some(at),
            _ => false,
        };
        if !between {
            return None;
        }
        at += 1;
    }
    None
}

/// Returns whether a month and a day follow the name of a scale: `MoCA 11/23`.
#[inline]
fn is_date_after_scale(note: &Note<'_>, at: usize) -> bool {
    Figure::at(note, at)
        .is_some_and(|figure| reads_as_month_and_day(&figure) && reads_as_day_of_scale(note, at, &figure))
}

/// The same, for a number that reads as a month and a day; finds the nearest scale name before it.
#[cold]
fn reads_as_day_of_scale(note: &Note<'_>, at: usize, figure: &Figure) -> bool {
    let scale = (at.saturating_sub(MAX_VALUE_DISTANCE)..at).rev().find(|&scale| note.is(scale, Class::Score));
    scale.is_some_and(|scale| reads_as_day_on_scale(note, scale, figure))
}

/// Returns the end (exclusive) of the value that begins here, with its certainty. The value is `another` one of a
/// series, or `far` from its name. For the first value of a series, the caller has checked that it is not in a hyphen
/// chain.
fn end_of_value(
    note: &Note<'_>,
    at: usize,
    fit: ValueKind,
    another: bool,
    far: bool,
    findings: &mut Findings,
) -> Option<(usize, Certainty)> {
    if fit == ValueKind::Grade && note.is_word(at) {
        return is_grade(note, at).then_some((at + 1, Certainty::Likely));
    }
    let figure = Figure::at(note, at)?;
    // `9/10`, `5/5` and `8/8` are scores after the name of one.
    if figure.shape == Shape::Slashes
        && figure.number.len() <= 8
        && figure.has_short_parts()
        && !figure.looks_like_date()
    {
        return Some((at + 1, Certainty::Likely));
    }
    if figure.shape == Shape::Colon {
        let number = &figure.number;
        let round = number.len() == 2 && number.digits(1) <= 6 && number.value(1).is_multiple_of(10);
        return (figure.has_short_parts() || round && number.digits(0) <= 3).then_some((at + 1, Certainty::Likely));
    }
    if another && in_hyphen_chain(note, at) {
        return None;
    }
    let amount = measured::measured_amount_at(note, at, findings)?;
    // `EF 10342`; `lot BUN297293`
    if figure.number.digits(0) > 4 && at > 0 && (note.token(at).glued() || SHORT.has(note, at - 1)) {
        return None;
    }
    // Numbers that ran together: no percentage is 19980.9%.
    if amount.largest > measured::MAX_PERCENT && note.is_mark(amount.last(), b'%') {
        return None;
    }
    if let Some((last, Certainty::Likely)) = amount.vouched() {
        return Some((last, Certainty::Likely));
    }
    let certainty = certainty_of_value(note, at, fit, &figure, &amount, another || far)?;
    let mut last = end_of_glued_unit(note, amount.last())?;
    if fit == ValueKind::Grade {
        last = end_of_composite_score(note, last);
    }
    Some((last, certainty))
}

/// Returns the certainty that a number is a value of such a name if nothing after it decides; `weak` if it is far from
/// the name.
#[inline]
fn certainty_of_value(
    note: &Note<'_>,
    at: usize,
    fit: ValueKind,
    figure: &Figure<'_>,
    amount: &Measured,
    weak: bool,
) -> Option<Certainty> {
    let certainty = if weak { Certainty::Weak } else { Certainty::Likely };
    Some(match (fit, figure.shape) {
        (ValueKind::Grade, Shape::Slash) if figure.number.digits(1) <= 2 && figure.number.digits(0) <= 2 => {
            if is_date_after_scale(note, at) {
                return None;
            }
            Certainty::Likely
        }
        (ValueKind::Level, Shape::Slash) if figure.number.digits(1) <= 2 => Certainty::Weak,
        (ValueKind::Grade | ValueKind::Level, Shape::Integer) if amount.largest <= 999 && !figure.has_leading_zero => {
            certainty
        }
        (ValueKind::Grade, Shape::Decimal) if amount.largest <= 100 => certainty,
        (ValueKind::Grade | ValueKind::Level, _) => return None,
        (_, Shape::Slash) if figure.looks_like_date() => return None,
        // `633/23-02342` is not a blood pressure.
        (_, Shape::Slash) if amount.largest > 999 => return None,
        (_, Shape::Slash) if figure.number.digits(0) <= 3 && figure.number.digits(1) <= 3 => Certainty::Likely,
        (ValueKind::Letter, _) if amount.largest > 299 || amount.form == AmountForm::Product => return None,
        (ValueKind::Letter, Shape::Decimal) => certainty,
        (ValueKind::Letter, _) if figure.is_plain_measurement() => Certainty::Weak,
        (_, Shape::Integer) if (5..=6).contains(&figure.number.digits(0)) && !figure.has_leading_zero => {
            Certainty::Weak
        }
        (_, Shape::Integer) if figure.is_year() && !weak => Certainty::Weak,
        _ if figure.is_plain_measurement() => certainty,
        _ => return None,
    })
}

/// Names whose values have at most four digits: percentages, blood sugars, scores. `EF 10342` is not one.
static SHORT: WordSet = word_set!("clinical-value-short");

/// Returns the end (exclusive) of what is glued to a value: the s of `120s`, the k of `234k`, the C of `37C`. `None` if
/// the letters are unknown.
fn end_of_glued_unit(note: &Note<'_>, at: usize) -> Option<usize> {
    if !note.token(at).glued() {
        return Some(at);
    }
    match UnitPhrase::read_after(note, at) {
        Some(follow)
            if matches!(
                follow.what,
                UnitKind::Unit | UnitKind::Duration | UnitKind::Dose | UnitKind::Years | UnitKind::Counted
            ) =>
        {
            Some(follow.last())
        }
        _ if matches!(note.bytes(at), [letter] if b"abcdefhklmsx".contains(letter)) => {
            (!note.token(at + 1).glued()).then_some(at + 1)
        }
        _ => None,
    }
}

/// Returns the end (exclusive) of a score that is a sum or a share: `3+4=7`, `4+/5`, `8 out of 10`.
fn end_of_composite_score(note: &Note<'_>, mut at: usize) -> usize {
    for _ in 0..3 {
        let mut next = at;
        while next < at + 3 && note.is_any_mark(next, b"+-=/(") {
            next += 1;
        }
        if word_is!(note, next, "out") && word_is!(note, next + 1, "of") {
            next += 2;
        } else if word_is!(note, next, "of") {
            next += 1;
        }
        let small = next > at && note.number(next).is_some_and(|number| number.digits(0) <= 2 && number.len() <= 2);
        if !small || in_hyphen_chain(note, next) {
            break;
        }
        at = next + 1;
    }
    at
}
