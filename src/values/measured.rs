//! The value after the name of something measured: `Na 138`, `BP: 120/80 mmHg`, `HbA1c of 8.2 % (H)`, a row or a column of a table.

use super::amount::{self, Amount, comparator};
use super::units::Unit;
use crate::note::{Note, Shape};
use crate::text::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// How far a value may stand from its name, in tokens.
const REACH: usize = 12;
/// Words between a name and its value.
const LINKS: Classes = Classes::of(&[Class::Link, Class::Month, Class::Duration]);
/// How values change, beside the words of the list.
const CHANGES: [&str; 9] =
    ["come", "cleared", "climbed", "crept", "jumped", "bumped", "settled", "recovered", "drifted"];

/// Words for a value itself.
pub(super) const LEVELS: [&str; 6] = ["level", "levels", "trough", "peak", "concentration", "reading"];

/// Which values fit a name.
#[derive(Clone, Debug, Default)]
pub(super) struct Expected {
    /// The unit of a value without one.
    unit: Option<Unit>,
    /// The unit of a value without one that lies above or below a number, as no value in the other unit does.
    other: Option<(Unit, bool, f64)>,
    /// Two numbers with a slash are one value.
    pairs: bool,
}

impl Expected {
    /// Reads the column of the list.
    pub(super) fn parse(column: &str) -> Self {
        let (mut expected, pairs) = (Self::default(), column.ends_with("pair"));
        for part in column.split_whitespace() {
            match part.split_once(['<', '>']) {
                Some((unit, bound)) => {
                    let other = Unit::of(unit).zip(bound.parse().ok());
                    expected.other = other.map(|(unit, bound)| (unit, part.contains('>'), bound));
                }
                None => expected.unit = expected.unit.or_else(|| Unit::of(part)),
            }
        }
        Self { pairs, ..expected }
    }

    /// Whether a unit is one in which it may be measured: concentrations in any of a concentration.
    pub(super) fn fits(&self, unit: Unit) -> bool {
        let quotients = || unit.is_quotient() && self.unit.is_some_and(Unit::is_quotient);
        self.is_own(unit) && !unit.is_form() || quotients()
    }

    /// The unit that is meant where a value has none.
    pub(super) fn assumed(&self, number: f64) -> Option<Unit> {
        match self.other {
            Some((unit, true, bound)) if number > bound => Some(unit),
            Some((unit, false, bound)) if number < bound => Some(unit),
            _ => self.unit,
        }
    }

    /// A value in the unit of values without one.
    pub(super) fn to_own(&self, number: f64, unit: Unit) -> Option<f64> {
        unit.convert(number, self.unit?)
    }

    /// Whether a unit is one of those in which it is measured as a rule.
    pub(super) fn is_own(&self, unit: Unit) -> bool {
        let other = || self.other.is_some_and(|(other, ..)| other.fits(unit));
        self.unit.is_none_or(|own| own.fits(unit)) || other()
    }
}

/// A value that stands in a note.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) number: Option<f64>,
    pub(super) unit: Option<Unit>,
    pub(super) comparator: Option<&'static str>,
    pub(super) flag: Option<&'static str>,
    /// Its number, and one past its last token.
    pub(super) first: usize,
    pub(super) last: usize,
}

/// The value after a name that ends before `at`; only tokens that are `kept` are read.
pub(super) fn value_after(
    note: &Note<'_>,
    at: usize,
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<Value> {
    let (mut next, mut from, mut compared) = (at, false, None);
    while next < at + REACH {
        if !goes_on(note, next, at) {
            return None;
        }
        if let Some((found, last)) = comparator(note, next, kept) {
            compared = Some(found);
            next = last;
            continue;
        }
        let token = note.token(next);
        match token.kind {
            Kind::Number if is_passing(note, next, kept) => {}
            Kind::Number => return value_at(note, next, expected, (compared, from), kept),
            Kind::Punct if matches!(token.mark(), b':' | b'=' | b'(' | b'-' | b'~' | b'#' | b'[' | b'|' | b')') => {
                if token.mark() == b')' && !kept(next - 1) {
                    return None;
                }
            }
            Kind::Punct if token.mark() == b'.' && next == at && note.joined(next) => {}
            Kind::Placeholder => {}
            Kind::Word if is_link(note, next) => from |= note.word(next) == "from",
            _ => return None,
        }
        next += 1;
    }
    None
}

/// Whether a word may stand between a name and its value.
fn is_link(note: &Note<'_>, at: usize) -> bool {
    note.any(at, LINKS) || LEVELS.contains(&note.word(at)) || CHANGES.contains(&note.word(at))
}

/// Whether the text goes on from a name that ends before `name_end` to a token: no sentence, paragraph or list item begins there.
fn goes_on(note: &Note<'_>, at: usize, name_end: usize) -> bool {
    let token = note.token(at);
    let after_sign = at > 0 && (note.is_any_mark(at - 1, b":=|") || at == name_end);
    match token.gap {
        Gap::None | Gap::Space => !token.border_before() || after_sign || token.kind != Kind::Word,
        Gap::Wide => token.kind != Kind::Word || after_sign,
        Gap::Line => !token.border_before() && !(token.kind == Kind::Number && note.is_any_mark(at + 1, b".)")),
        Gap::Paragraph => false,
    }
}

/// Whether a number between a name and its value is a date or a time of day.
fn is_passing(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool + Copy) -> bool {
    let Some(number) = note.number(at) else { return false };
    let before = if at > 0 { note.word(at - 1) } else { "" };
    match number.shape() {
        Shape::Colon | Shape::Slashes => true,
        Shape::Other => !kept(at),
        Shape::Slash => matches!(before, "on" | "in" | "since" | "from" | "at") || !kept(at),
        Shape::Whole if matches!(before, "on" | "in" | "since") => !kept(at) || number.digits(0) == 4,
        _ => false,
    }
}

/// The value whose number stands at a token.
fn value_at(
    note: &Note<'_>,
    first: usize,
    expected: &Expected,
    (comparator, from): (Option<&'static str>, bool),
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<Value> {
    let read =
        |at| amount::read(note, at, expected.pairs, kept).filter(|amount| is_value(note, amount, at, expected, kept));
    let mut amount = read(first)?;
    // The last of `from 1.2 to 1.8` and `1.2 -> 1.8` is the value.
    let mut start = first;
    let falling = note.word(amount.last) == "to" && note.is_number(amount.last + 1);
    if from && (falling || amount.last == first + 3) {
        start = if falling { amount.last + 1 } else { amount.last - 1 };
        amount = read(start)?;
    }
    while let Some((at, later)) = after_arrow(note, amount.last).and_then(|at| Some((at, read(at)?))) {
        (start, amount) = (at, later);
    }
    let Amount { text, number, mut last } = amount;
    let unit = unit_after(note, last, expected, kept).ok()?.map(|(unit, end)| {
        last = end;
        unit
    });
    let beside = flag(note, last, kept).or_else(|| flag_of_row(note, last, kept).map(|flag| (flag, last)));
    let (flag, last) = beside.map_or((None, last), |(flag, end)| (Some(flag), end));
    Some(Value { text, number, unit, comparator, flag, first: start, last })
}

/// An amount of something that is not measured in its unit.
struct Misfit;

/// The unit after a value that ends before `last`, with one past its last token. A letter may be a flag, and a word before a number the
/// name of the next value.
fn unit_after(
    note: &Note<'_>,
    last: usize,
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> Result<Option<(Unit, usize)>, Misfit> {
    let first = last + usize::from(is_bar(note, last));
    let Some((unit, end)) = Unit::read(note, first, kept) else { return Ok(None) };
    let is_word = end == first + 1 && note.is_word(first);
    let is_name =
        is_word && note.gap(first) != Gap::None && (end..end + 2).any(|at| note.is_number(at)) && names(note, end);
    // After something without a unit of its own a letter is more often anything else.
    let letter = is_word && note.width(first) == 1;
    let fits = expected.fits(unit) && (!letter || expected.unit.is_some() || matches!(unit.name(), "C" | "F" | "g"));
    match fits {
        true if !is_name || expected.is_own(unit) => Ok(Some((unit, end))),
        false if is_name || is_word && matches!(note.word(first), "l" | "h" | "a") => Ok(None),
        true => Ok(None),
        false => Err(Misfit),
    }
}

/// Whether a number follows a name at once, or after a sign.
fn names(note: &Note<'_>, at: usize) -> bool {
    note.same_line(at) && (note.is_number(at) || note.is_any_mark(at, b":=<>") && note.is_number(at + 1))
}

/// Whether an amount at a token can be a value: it is no span of time, date, dimension or code.
fn is_value(
    note: &Note<'_>,
    amount: &Amount,
    at: usize,
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> bool {
    let last = amount.last;
    match unit_after(note, last, expected, kept) {
        Ok(Some(_)) => return true,
        Ok(None) => {}
        Err(Misfit) => return false,
    }
    // Up by so much is no value.
    let changed = at > 0 && matches!(note.word(at - 1), "by" | "up" | "down");
    let next = note.token(last);
    if next.glued() && !is_flag(note, last) || changed {
        return false;
    }
    let year = note.number(at).is_some_and(|number| {
        number.shape() == Shape::Whole && number.digits(0) == 4 && (1900..2100).contains(&number.value(0))
    });
    let dated = year && at > 0 && matches!(note.word(at - 1), "in" | "since" | "on");
    let word = note.word(last);
    // `48 H` is high, `48 h` are hours.
    let timed = is_time(word) && (note.width(last) > 1 || note.case(last) == Case::Lower);
    let counted = timed || note.is(last, Class::Counted) && !note.is(last, Class::Measurement);
    // `BP 96/54 HR 62`: a word before a number is the name of the next value.
    let span = next.gap <= Gap::Space && (counted && !names(note, last + 1) || is_times(note, last));
    let product = note.is_mark(last, b'/') && note.joined(last) && note.is_number(last + 1);
    let dashed = note.is_mark(last, b'-') && note.joined(last) && note.joined(last + 1) && note.is_number(last + 1);
    !(dated || span || product || dashed)
}

/// Whether a value is one of a product: `3 x 4`. `x2` says how often it was measured.
fn is_times(note: &Note<'_>, at: usize) -> bool {
    note.word(at) == "x" && note.is_number(at + 1) && !note.token(at + 1).glued()
}

/// Whether a letter glued to a value is a flag: `128L`.
fn is_flag(note: &Note<'_>, at: usize) -> bool {
    matches!(note.word(at), "l" | "h") && note.case(at) != Case::Lower && !note.token(at + 1).glued()
}

/// Whether a word after a number makes it a span of time, an age or a count.
fn is_time(word: &str) -> bool {
    const WORDS: [&str; 28] = [
        "day", "days", "d", "week", "weeks", "wk", "wks", "month", "months", "mo", "mos", "year", "years", "yr", "yrs",
        "y", "hour", "hours", "h", "hr", "hrs", "minutes", "mins", "min", "times", "yo", "st", "th",
    ];
    WORDS.contains(&word)
}

/// The number after an arrow: `1.2 -> 1.8`.
fn after_arrow(note: &Note<'_>, at: usize) -> Option<usize> {
    let drawn = note.is_mark(at, b'-') && note.is_mark(at + 1, b'>') && note.joined(at + 1);
    let sign = matches!(note.word(at), "→" | "⇒");
    let next = if drawn { at + 2 } else { at + usize::from(sign) };
    (next > at && note.is_number(next) && note.same_line(next)).then_some(next)
}

/// The flag in the last cell of the row of a table, as after a range of reference.
fn flag_of_row(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool + Copy) -> Option<&'static str> {
    let layout = note.layout();
    let line = layout.line_of(at.checked_sub(1)?);
    let end = layout.line_tokens(line).end;
    let cell = end - usize::from(is_bar(note, end - 1));
    let alone = cell > at && cell >= 2 && (note.gap(cell - 1) == Gap::Wide || is_bar(note, cell - 2));
    let found = (layout.lines()[line].is_row() && alone).then(|| flag(note, cell - 1, kept)).flatten();
    found.map(|(flag, _)| flag)
}

/// What a laboratory says of a value: `(H)`, `L`, `*`, `high`.
fn flag(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool + Copy) -> Option<(&'static str, usize)> {
    if note.gap(at) > Gap::Wide {
        return None;
    }
    let open = note.is_any_mark(at, b"([");
    let word = at + usize::from(open);
    let closed = !open || note.is_any_mark(word + 1, b")]");
    let capital = note.case(word) == Case::Upper || note.width(word) == 1 && note.case(word) != Case::Lower;
    let found = match note.word(word) {
        "h" | "hi" if capital => "high",
        "l" | "lo" if capital => "low",
        "hh" | "ll" | "crit" if capital => "critical",
        "high" | "elevated" => "high",
        "low" => "low",
        "critical" => "critical",
        "abnormal" | "*" => "abnormal",
        "a" if capital && open => "abnormal",
        _ => return None,
    };
    let last = word + 1 + usize::from(open);
    (closed && !note.token(word + 1).glued() && (at..last).all(kept)).then_some((found, last))
}

/// The value below the name in the head of a table.
pub(super) fn value_below(
    note: &Note<'_>,
    at: usize,
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<Value> {
    let layout = note.layout();
    let line = layout.line_of(at);
    let table = layout.table_of(line).filter(|table| table.lines().start == line && table.lines().end > line + 1)?;
    let column = note.column_of(at);
    if column >= table.columns() {
        return None;
    }
    let mut below = layout.line_tokens(line + 1);
    let first = below.find(|&cell| note.column_of(cell) == column && !is_bar(note, cell))?;
    let (comparator, first) = comparator(note, first, kept).map_or((None, first), |(found, last)| (Some(found), last));
    if !note.is_number(first) {
        return None;
    }
    value_at(note, first, expected, (comparator, false), kept)
}

fn is_bar(note: &Note<'_>, at: usize) -> bool {
    note.is_mark(at, b'|')
}
