//! Values before a name: `98 % saturation`, `30 pack-year history of smoking`, `3 WBC, 0 RBC`, `128/80 BP`.

use super::amount;
use super::expected::Expected;
use super::measured::{Value, value_with_unit};
use super::units::Unit;
use crate::note::Note;
use crate::text::token::Kind;
use crate::vocabulary::Class;

/// How far before a name its value may begin, in tokens.
const MAX_VALUE_DISTANCE: usize = 8;

/// Returns the value before a name, with a unit of the analyte: `30 pack-year history of smoking`, `98 % saturation`.
/// Tokens before `free` belong to another name.
pub(super) fn value_before(
    note: &Note<'_>,
    first: usize,
    free: usize,
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<Value> {
    const BETWEEN: [&str; 9] = ["of", "history", "hx", "a", "current", "daily", "former", "heavy", "day"];
    let near = (free.max(first.saturating_sub(MAX_VALUE_DISTANCE))..first).rev();
    let number = near.clone().take_while(|&at| !note.border_before(at + 1)).find(|&at| note.is_number(at))?;
    let found = value_with_unit(
        note,
        amount::read_single_amount(note, number, expected.is_pair(), kept)?,
        number,
        (expected, None),
        kept,
    )?;
    let joins = |at: usize| BETWEEN.contains(&note.word(at)) || note.is_mark(at, b'-');
    let own = found.unit.is_some_and(|unit| expected.says_unit() && expected.is_own_unit(unit));
    (own && found.end <= first && (found.end..first).all(joins)).then_some(found)
}

/// Returns the value right before a name that ends at `last` (exclusive), if the name's item ends there. Without a
/// unit, it must be a pair with a slash, or one of several numbers before names.
pub(super) fn value_right_before(
    note: &Note<'_>,
    (first, last): (usize, usize),
    free: usize,
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<Value> {
    if note.border_before(first) || !ends_item(note, last) {
        return None;
    }
    let near = (free.max(first.saturating_sub(MAX_VALUE_DISTANCE))..first).rev();
    let number = near.take_while(|&at| !note.border_before(at + 1)).find(|&at| note.is_number(at))?;
    let amount = amount::read_single_amount(note, number, expected.is_pair(), kept)?;
    let value = value_with_unit(note, amount, number, (expected, None), kept)?;
    let own_unit = value.unit.is_some_and(|unit| expected.says_unit() && expected.is_own_unit(unit));
    let sure = own_unit || value.text.contains('/') || is_listed(note, number, last);
    (value.end == first && begins_item(note, number) && sure).then_some(value)
}

/// Returns whether an item of an enumeration may begin at a token.
fn begins_item(note: &Note<'_>, at: usize) -> bool {
    at == 0
        || note.border_before(at)
        || note.is_any_mark(at - 1, b",;:(-")
        || matches!(note.word(at - 1), "and" | "with" | "a" | "showed" | "only")
}

/// Returns whether an item of an enumeration may end before a token.
fn ends_item(note: &Note<'_>, at: usize) -> bool {
    let token = note.token(at);
    token.kind == Kind::End
        || token.border_before()
        || note.is_any_mark(at, b",;.)")
        || matches!(note.word(at), "and" | "with" | "but" | "on")
}

/// Returns whether the previous or the next item is also a number before the name of a measurement.
fn is_listed(note: &Note<'_>, number: usize, last: usize) -> bool {
    let joins = |at: usize| note.is_any_mark(at, b",;") || note.word(at) == "and";
    let after = || {
        let first = last + usize::from(joins(last)) + usize::from(joins(last) && joins(last + 1));
        let name = Unit::read(note, first + 1, |_| true).map_or(first + 1, |(_, end)| end);
        first > last && note.is_number(first) && note.is(name, Class::Measurement)
    };
    let before = || {
        let name = number.checked_sub(2).filter(|_| joins(number - 1))?;
        let reach = (name.saturating_sub(3)..name).rev().find(|&at| note.is_number(at))?;
        let own = (reach + 1..name).all(|at| !note.is_any_mark(at, b",;:"));
        (note.is(name, Class::Measurement) && own).then_some(())
    };
    after() || before().is_some()
}
