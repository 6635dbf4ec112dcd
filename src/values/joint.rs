//! Two names with two values: `BUN/Cr 22/1.4`, `hemoglobin and hematocrit 9.1 and 27.3`; a name and its value in one
//! token: `SpO2:97`.

use super::amount;
use super::expected::Expected;
use super::measured::Value;
use super::units::Unit;
use crate::note::Note;
use crate::vocabulary::Class;

/// Returns the value of a name that is one of two before two values.
pub(super) fn joint_value(
    note: &Note<'_>,
    (first, last): (usize, usize),
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<Value> {
    let joins = |at: usize| note.is_mark(at, b'/') && note.joined(at) || matches!(note.word(at), "and" | "&");
    if expected.is_pair() {
        None
    } else if let Some(value) = value_in_name(note, (first, last), expected, kept) {
        Some(value)
    } else if joins(last) && note.is(last + 1, Class::Measurement) {
        let [one, _] = two_values(note, last + 2, kept)?;
        Some(one)
    } else if first > 1 && joins(first - 1) && note.is(first - 2, Class::Measurement) {
        let [_, other] = two_values(note, last, kept)?;
        Some(other)
    } else {
        None
    }
}

/// Returns the value in the last token of a name: in `SpO2:97`, that token is `2:97`.
fn value_in_name(
    note: &Note<'_>,
    (first, last): (usize, usize),
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<Value> {
    let at = last.checked_sub(1).filter(|&at| at > first && note.joined(at) && kept(at))?;
    let (_, text) = note.word(at).split_once(':')?;
    let number = text.parse().ok()?;
    let unit = Unit::read(note, last, kept).filter(|&(unit, _)| expected.accepts_unit(unit));
    let last = unit.map_or(last, |(_, end)| end);
    let unit = unit.map(|(unit, _)| unit);
    let text = text.to_owned();
    Some(Value {
        text,
        number: Some(number),
        unit,
        comparator: None,
        flag: None,
        first: at,
        end: last,
        further: Vec::new(),
    })
}

/// Returns the two values after a pair of names that ends at `name_end` (exclusive).
fn two_values(note: &Note<'_>, name_end: usize, kept: impl Fn(usize) -> bool + Copy) -> Option<[Value; 2]> {
    let is_link = |at: usize| note.is_any_mark(at, b":=") || matches!(note.word(at), "of" | "was" | "were" | "are");
    let at = name_end + usize::from(is_link(name_end));
    if !note.is_number(at) || note.border_before(at) || !kept(at) {
        return None;
    }
    let value = |text: String, number: Option<f64>, last: usize| Value {
        text,
        number,
        unit: None,
        comparator: None,
        flag: None,
        first: at,
        end: last,
        further: Vec::new(),
    };
    // `44/52` is one token.
    if let Some((one, other)) = note.word(at).split_once('/') {
        let part = |text: &str| value(text.to_owned(), text.parse().ok(), at + 1);
        return [one, other].iter().all(|text| text.parse::<f64>().is_ok()).then(|| [part(one), part(other)]);
    }
    let one = amount::read_single_amount(note, at, false, kept)?;
    let joined = note.is_mark(one.end, b'/') || note.word(one.end) == "and";
    let other = amount::read_single_amount(note, one.end + 1, false, kept).filter(|_| joined)?;
    let last = other.end;
    Some([value(one.text, one.number, last), value(other.text, other.number, last)])
}
