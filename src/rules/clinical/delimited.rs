//! Cells of delimited text whose unit begins with a number: `9.8,10*3/uL,4.0-11.0,H`, `7.4;10^9/L`.

use crate::rules::engine::word_sets::word_is;
use crate::rules::engine::{Certainty, Findings, Note, Number};
use crate::text::token::Gap;

/// Cell separators.
const SEPARATORS: &[u8] = b",;|";

/// Vouches for the value, its unit and the cells after it, at the number that begins the unit.
pub(super) fn keep_delimited_cells(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if !(note.is_any_mark(at + 1, b"*^") && note.joined(at + 1) && note.joined(at + 2)) {
        return;
    }
    let Some(number) = note.number(at) else { return };
    let glued = holds_value_and_ten(number);
    if !(glued || number.has_form(1, b' ') && number.value(0) == 10) {
        return;
    }
    let exponent = note.integer(at + 2).is_some_and(|exponent| matches!(exponent, 3 | 6 | 9 | 12));
    let per = note.is_mark(at + 3, b'/') && word_is!(note, at + 4, "ul" | "l" | "mcl" | "ml");
    if !exponent || !per {
        return;
    }
    let first = if glued { at } else { value_before_unit(note, at).unwrap_or(at) };
    findings.keep(first, end_of_reference_cells(note, at + 5), Certainty::Likely);
}

/// Returns whether a number is a value and, after a comma, the 10 of a unit: `9.8,10`.
fn holds_value_and_ten(number: &Number) -> bool {
    let last = number.len() - 1;
    let short = (0..last).all(|part| number.digits(part) <= 3);
    let marked = number.separator(last.wrapping_sub(1)) == b',' && (last == 1 || number.separator(0) == b'.');
    (1..=2).contains(&last) && short && marked && number.value(last) == 10 && number.digits(last) == 2
}

/// Returns the value in the cell before a unit.
fn value_before_unit(note: &Note<'_>, at: usize) -> Option<usize> {
    let value = at.checked_sub(2)?;
    let short = note.number(value).is_some_and(|number| number.len() <= 2 && number.digits(0) <= 4);
    (short && note.is_any_mark(at - 1, SEPARATORS) && note.same_line(at)).then_some(value)
}

/// Returns the end (exclusive) of the cells for the reference range and the flag after a unit that ends before `at`.
fn end_of_reference_cells(note: &Note<'_>, at: usize) -> usize {
    let separated =
        |at: usize| note.is_any_mark(at, SEPARATORS) && note.gap(at) <= Gap::Space && note.same_line(at + 1);
    let short = |at: usize| note.number(at).is_some_and(|number| number.len() <= 2 && number.digits(0) <= 4);
    let range = separated(at) && short(at + 1) && note.is_mark(at + 2, b'-') && short(at + 3);
    let last = if range { at + 4 } else { at };
    let flag = separated(last) && word_is!(note, last + 1, "h" | "l" | "hh" | "ll" | "n");
    if flag && note.ends_line(last + 2) { last + 2 } else { last }
}
