//! Values after a name: `Na 138`, `BP: 120/80 mmHg`, `HbA1c of 8.2 % (H)`, a row or a column of a table.

use super::aims::is_aim;
use super::amount::{self, Amount, comparator, is_leader};
use super::expected::Expected;
use super::flag::{flag_at, flag_of_row, is_bar};
use super::units::Unit;
use crate::note::{Note, Shape};
use crate::text::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// The maximum distance from a name to its value, in tokens.
const MAX_VALUE_DISTANCE: usize = 12;
/// The maximum number of words, other than links, between a name and a value with a unit of its own.
const MAX_UNRELATED_WORDS: usize = 3;
/// Words that may stand between a name and its value.
const LINKS: Classes = Classes::of(&[Class::Link, Class::Month, Class::Duration]);
/// Words for changes of a value that the list lacks.
const CHANGES: [&str; 11] =
    ["come", "gone", "running", "cleared", "climbed", "crept", "jumped", "bumped", "settled", "recovered", "drifted"];

/// Words for a value itself.
pub(super) const LEVEL_WORDS: [&str; 6] = ["level", "levels", "trough", "peak", "concentration", "reading"];

/// A value in a note.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) number: Option<f64>,
    pub(super) unit: Option<Unit>,
    pub(super) comparator: Option<&'static str>,
    pub(super) flag: Option<&'static str>,
    /// The token of its number, and its end (exclusive).
    pub(super) first: usize,
    pub(super) end: usize,
    /// Other values of the same name, in the order of the text.
    pub(super) further: Vec<Value>,
}

impl Value {
    /// Gives a unit that is stated once for several values to all of them.
    pub(super) fn share_unit(&mut self) {
        let unit = self.unit.or_else(|| self.further.iter().find_map(|value| value.unit));
        self.unit = unit;
        self.further.iter_mut().for_each(|value| value.unit = value.unit.or(unit));
    }
}

/// Returns the value after a name that ends at `at` (exclusive); only tokens that are `kept` are read.
pub(super) fn value_after(
    note: &Note<'_>,
    at: usize,
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<Value> {
    let (mut next, mut from, mut compared, mut strangers, mut stated) = (at, false, None, 0, None);
    let mut reach = at + MAX_VALUE_DISTANCE;
    // Most names have no number nearby.
    if !note.may_hold_number(at, reach) && !(at..reach).any(|at| note.is_mark(at, b'.') && is_leader(note, at)) {
        return None;
    }
    while next < reach && strangers <= MAX_UNRELATED_WORDS {
        if !continues_to(note, next, at) {
            return None;
        }
        if let Some((found, last)) = comparator(note, next, kept) {
            compared = Some(found);
            next = last;
            continue;
        }
        if let Some((of_name, last)) = end_of_qualifier(note, next, at).filter(|&(_, last)| (next..last).all(kept)) {
            (stated, next) = (of_name, last);
            continue;
        }
        let token = note.token(next);
        match token.kind {
            Kind::Number if is_date_or_time(note, next, kept) => {}
            Kind::Number => {
                let value = value_at(note, next, expected, (compared, from), kept)?;
                let alone = token.gap == Gap::Wide || note.is_any_mark(next - 1, b":=");
                let precise = expected.says_unit() && value.text.contains('.');
                let typed = alone || precise || value.unit.is_some() || expected.is_pair() && value.text.contains('/');
                let unit = value.unit.or_else(|| expected.accepted_unit(stated?));
                return (strangers == 0 || typed).then_some(Value { unit, ..value });
            }
            Kind::Punct if matches!(token.mark(), b':' | b'=' | b'(' | b'-' | b'~' | b'#' | b'[' | b'|' | b')') => {
                if token.mark() == b')' && !kept(next - 1) {
                    return None;
                }
            }
            // `PEEP +5`
            Kind::Punct | Kind::Symbol if note.word(next) == "+" && note.joined(next + 1) => {}
            // `Pulse ........ 121`
            Kind::Punct if is_leader(note, next) => reach += 1,
            Kind::Punct if token.mark() == b'.' && next == at && note.joined(next) => {}
            // `Smoking: quit in 2009, 20 pack-years`
            Kind::Punct if token.mark() == b',' && expected.needs_unit() => {}
            Kind::Placeholder => {}
            Kind::Word if is_aim(note, next) => return None,
            Kind::Word if is_link(note, next) => from |= note.word(next) == "from",
            Kind::Word if expected.says_unit() && note.case(next) == Case::Lower && note.follows(next) => {
                strangers += 1;
            }
            _ => return None,
        }
        next += 1;
    }
    None
}

/// Returns the unit stated in a qualifier of a name, if any, and the end (exclusive) of the qualifier: `(calc)`,
/// `(mmol/L)`, `,RANDOM` before the next cell.
fn end_of_qualifier(note: &Note<'_>, at: usize, name_end: usize) -> Option<(Option<Unit>, usize)> {
    if let Some((unit, last)) = unit_of_name(note, at) {
        return Some((Some(unit), last));
    }
    let words = (at + 1..at + 4).take_while(|&at| note.is_word(at) && note.same_line(at)).count();
    let last = at + 1 + words;
    let bracketed = note.is_mark(at, b'(') && note.is_mark(last, b')');
    // `Calcium i.S. 2,18`: in serum.
    let specimen = note.word(at) == "i" && note.is_mark(at + 1, b'.') && note.width(at + 2) == 1;
    if specimen && at == name_end && note.is_mark(at + 3, b'.') && note.joined(at + 2) && note.joined(at + 3) {
        return Some((None, at + 4));
    }
    let in_cell =
        || note.is_mark(at, b',') && at == name_end && (note.gap(last) == Gap::Wide || note.is_mark(last, b':'));
    // `BP(!) 160/95`
    if note.is_mark(at, b'(') && note.is_mark(at + 1, b'!') && note.is_mark(at + 2, b')') {
        return Some((None, at + 3));
    }
    (words > 0 && (bracketed || in_cell())).then_some((None, last + usize::from(bracketed)))
}

/// Returns the unit in brackets after a name, and the end (exclusive) of the brackets: `glucose (mmol/L): 6.1`.
fn unit_of_name(note: &Note<'_>, at: usize) -> Option<(Unit, usize)> {
    let (unit, end) = Unit::read(note, at + 1, |_| true).filter(|_| note.is_any_mark(at, b"(["))?;
    note.is_any_mark(end, b")]").then_some((unit, end + 1))
}

/// Returns whether a word may stand between a name and its value.
fn is_link(note: &Note<'_>, at: usize) -> bool {
    // `BP L arm 142/84`
    let is_side = matches!(note.word(at), "l" | "r" | "arm" | "leg") && (at..at + 3).any(|at| note.is_number(at));
    let is_hour = is_side || matches!(note.word(at), "am" | "pm") && at > 0 && note.is_number(at - 1);
    is_hour || note.any(at, LINKS) || LEVEL_WORDS.contains(&note.word(at)) || CHANGES.contains(&note.word(at))
}

/// Returns whether the text continues from a name that ends at `name_end` (exclusive) to a token: no sentence,
/// paragraph or list item begins there.
fn continues_to(note: &Note<'_>, at: usize, name_end: usize) -> bool {
    let token = note.token(at);
    let after_sign = at > 0 && (note.is_any_mark(at - 1, b":=|") || at == name_end);
    match token.gap {
        Gap::None | Gap::Space => !token.border_before() || after_sign || token.kind != Kind::Word,
        Gap::Wide => token.kind != Kind::Word || after_sign,
        Gap::Line => !token.border_before() && !(token.kind == Kind::Number && note.is_any_mark(at + 1, b".)")),
        Gap::Paragraph => false,
    }
}

/// Returns whether a number between a name and its value is a date or a time of day.
pub(super) fn is_date_or_time(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool + Copy) -> bool {
    let Some(number) = note.number(at) else { return false };
    let before = if at > 0 { note.word(at - 1) } else { "" };
    match number.shape() {
        Shape::Colon | Shape::Slashes => true,
        Shape::Other => !kept(at),
        Shape::Slash => matches!(before, "on" | "in" | "since" | "from" | "at") || !kept(at),
        Shape::Integer if matches!(before, "on" | "in" | "since") => !kept(at) || number.digits(0) == 4,
        Shape::Integer if before == "at" => number.digits(0) == 4,
        // `Cortisol 8 AM 14.2`
        Shape::Integer => matches!(note.word(at + 1), "am" | "pm") && number.value(0) <= 12,
        _ => false,
    }
}

/// Returns the value whose number is at a token. In `from 1.2 to 1.8` and `1.2 -> 1.8`, the last number is the value.
pub(super) fn value_at(
    note: &Note<'_>,
    first: usize,
    expected: &Expected,
    (comparator, from): (Option<&'static str>, bool),
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<Value> {
    let amount = if from {
        amount::read_single_amount(note, first, expected.is_pair(), kept)
    } else {
        amount::read_amount(note, first, expected.is_pair(), kept)
    };
    let mut value = value_with_unit(note, amount?, first, (expected, comparator), kept)?;
    let mut earlier = Vec::new();
    let to = |last: usize| (from && (note.word(last) == "to" || note.is_mark(last, b'-'))).then_some(last + 1);
    while let Some(at) = number_after_arrow(note, value.end).or_else(|| to(value.end)).filter(|&at| note.is_number(at))
    {
        let Some(later) = amount::read_single_amount(note, at, expected.is_pair(), kept)
            .and_then(|amount| value_with_unit(note, amount, at, (expected, None), kept))
        else {
            break;
        };
        earlier.push(std::mem::replace(&mut value, later));
    }
    for before in &mut earlier {
        before.unit = before.unit.or(value.unit);
    }
    Some(Value { further: earlier, ..value })
}

/// Returns the value of an amount that begins at `first`, with its unit and flag.
pub(super) fn value_with_unit(
    note: &Note<'_>,
    amount: Amount,
    first: usize,
    (expected, comparator): (&Expected, Option<&'static str>),
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<Value> {
    if !is_value(note, &amount, first, expected, kept) {
        return None;
    }
    let Amount { text, number, end: mut last } = amount;
    if text.contains('\'') {
        return Some(Value {
            text,
            number,
            unit: Unit::of("inch"),
            comparator,
            flag: None,
            first,
            end: last,
            further: Vec::new(),
        });
    }
    let mut unit = unit_after(note, last, expected, kept).ok()?;
    last = unit.map_or(last, |(_, end)| end);
    let after = end_of_reference_range(note, last).filter(|&end| (last..end).all(kept)).unwrap_or(last);
    let mut beside = flag_at(note, last, kept).or_else(|| flag_at(note, after, kept));
    // `4.6  H  g/dL`, `9.8 (12-16) g/dL`
    if let (None, true) = (unit, beside.is_some() || after > last) {
        let from = beside.map_or(after, |(_, end)| end);
        unit = unit_after(note, from, expected, kept).ok().flatten();
        last = unit.map_or(last, |(_, end)| end);
        beside = beside.map(|(flag, end)| (flag, end.max(last)));
    }
    let beside = beside.or_else(|| flag_of_row(note, last, kept).map(|flag| (flag, last)));
    let (flag, last) = beside.map_or((None, last), |(flag, end)| (Some(flag), end));
    let unit = unit.map(|(unit, _)| unit);
    let (text, number) = if expected.is_grouped_by_points(&text, unit) {
        (text.replace('.', ""), number.map(|number| number * 1000.0))
    } else {
        (text, number)
    };
    Some(Value { text, number, unit, comparator, flag, first, end: last, further: Vec::new() })
}

/// Returns the end (exclusive) of a reference range in brackets: `(3.5-5.1)`, `[<125]`.
fn end_of_reference_range(note: &Note<'_>, at: usize) -> Option<usize> {
    let open = note.is_any_mark(at, b"([") && note.gap(at) <= Gap::Space;
    let is_part =
        |at: usize| note.is_number(at) || note.is_any_mark(at, b"<>=-") || note.token(at).kind == Kind::Symbol;
    let parts = (at + 1..at + 8).take_while(|&at| open && is_part(at)).count();
    (parts > 0 && note.is_any_mark(at + 1 + parts, b")]")).then_some(at + 2 + parts)
}

/// The unit after an amount does not fit the name.
struct Misfit;

/// Returns the unit after a value that ends at `last` (exclusive), with its own end. A letter may be a flag, and a word
/// before a number the next name.
fn unit_after(
    note: &Note<'_>,
    last: usize,
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> Result<Option<(Unit, usize)>, Misfit> {
    let first = last + usize::from(is_bar(note, last));
    let Some((unit, end)) = Unit::read(note, first, kept) else { return Ok(None) };
    let unit = expected.unit_as_meant(unit);
    let is_word = end == first + 1 && note.is_word(first);
    let is_name = is_word
        && note.gap(first) != Gap::None
        && (end..end + 2).any(|at| note.is_number(at))
        && is_followed_by_value(note, end);
    // After a name without a unit, a letter is rarely a unit.
    let letter = is_word && note.width(first) == 1;
    let fits =
        expected.accepts_unit(unit) && (!letter || expected.says_unit() || matches!(unit.name(), "C" | "F" | "g"));
    match fits {
        true if !is_name || expected.is_own_unit(unit) => Ok(Some((unit, end))),
        false if is_name || is_word && matches!(note.word(first), "l" | "h" | "a") => Ok(None),
        true => Ok(None),
        false => Err(Misfit),
    }
}

/// Returns whether a number follows a name directly, or after a sign.
fn is_followed_by_value(note: &Note<'_>, at: usize) -> bool {
    note.same_line(at) && (note.is_number(at) || note.is_any_mark(at, b":=<>") && note.is_number(at + 1))
}

/// Returns whether an amount may be a value, and not a duration, date, dimension or code.
fn is_value(
    note: &Note<'_>,
    amount: &Amount,
    at: usize,
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> bool {
    let last = amount.end;
    match unit_after(note, last, expected, kept) {
        Ok(Some(_)) => return true,
        Ok(None) => {}
        Err(Misfit) => return false,
    }
    // A change is not a value.
    let changed = at > 0 && matches!(note.word(at - 1), "by" | "up" | "down");
    let next = note.token(last);
    let on_air = note.word(last) == "ra" && !note.token(last + 1).glued();
    if next.glued() && !is_flag(note, last) && !on_air || changed {
        return false;
    }
    let year = note.number(at).is_some_and(|number| {
        number.shape() == Shape::Integer && number.digits(0) == 4 && (1900..2100).contains(&number.value(0))
    });
    let dated = year && at > 0 && matches!(note.word(at - 1), "in" | "since" | "on");
    let word = note.word(last);
    // In `48 H` the letter is a flag, in `48 h` the unit is hours.
    let timed = is_time(word) && (note.width(last) > 1 || note.case(last) == Case::Lower);
    // `38.2 degrees`
    let degrees = word == "degrees" && expected.assumed_unit(37.0).is_some_and(|unit| unit.name() == "C");
    let counted = timed || note.is(last, Class::Counted) && !note.is(last, Class::Measurement) && !degrees;
    // `BP 96/54 HR 62`: a word before a number is the next name.
    let span = next.gap <= Gap::Space && (counted && !is_followed_by_value(note, last + 1) || is_factor(note, last));
    let product = note.is_mark(last, b'/') && note.joined(last) && note.is_number(last + 1);
    let dashed = note.is_mark(last, b'-') && note.joined(last) && note.joined(last + 1) && note.is_number(last + 1);
    !(dated || span || product || dashed)
}

/// Returns whether a value is a factor of a product: `3 x 4`. In `x2`, the number is how often it was measured.
fn is_factor(note: &Note<'_>, at: usize) -> bool {
    note.word(at) == "x" && note.is_number(at + 1) && !note.token(at + 1).glued()
}

/// Returns whether a letter attached to a value is a flag: `128L`.
fn is_flag(note: &Note<'_>, at: usize) -> bool {
    matches!(note.word(at), "l" | "h") && note.case(at) != Case::Lower && !note.token(at + 1).glued()
}

/// Returns whether a word after a number makes it a duration, an age or a count.
fn is_time(word: &str) -> bool {
    const WORDS: [&str; 29] = [
        "day", "days", "d", "week", "weeks", "wk", "wks", "month", "months", "mo", "mos", "year", "years", "yr", "yrs",
        "y", "hour", "hours", "h", "hr", "hrs", "minute", "minutes", "mins", "min", "times", "yo", "st", "th",
    ];
    WORDS.contains(&word)
}

/// Returns the number after an arrow: `1.2 -> 1.8`, `1.2 > 1.8`.
pub(super) fn number_after_arrow(note: &Note<'_>, at: usize) -> Option<usize> {
    let drawn = note.is_mark(at, b'-') && note.is_mark(at + 1, b'>') && note.joined(at + 1);
    let sign = matches!(note.word(at), "→" | "⇒");
    // Between two numbers, a greater-than sign is an arrow.
    let pointed = note.is_mark(at, b'>') && at > 0 && note.is_number(at - 1) && note.joined(at) == note.joined(at + 1);
    let next = if drawn { at + 2 } else { at + usize::from(sign || pointed) };
    (next > at && note.is_number(next) && note.same_line(next)).then_some(next)
}
