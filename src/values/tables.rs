//! Values in tables, below the name in the header.

use super::amount::comparator;
use super::expected::Expected;
use super::flag::is_bar;
use super::measured::{Value, value_at};
use crate::note::Note;

/// Returns the value below a name in the header of a table.
pub(super) fn value_below_header(
    note: &Note<'_>,
    at: usize,
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<Value> {
    let layout = note.layout();
    let line = layout.line_index_of(at);
    let table = layout.table_of(line).filter(|table| table.lines().start == line && table.lines().end > line + 1)?;
    let column = note.column_of_token(at);
    if column >= table.columns() {
        return None;
    }
    let mut below = layout.line_tokens(line + 1);
    let first = below.find(|&cell| note.column_of_token(cell) == column && !is_bar(note, cell))?;
    let (comparator, first) = comparator(note, first, kept).map_or((None, first), |(found, last)| (Some(found), last));
    if !note.is_number(first) {
        return None;
    }
    let mut value = value_at(note, first, expected, (comparator, false), kept)?;
    value.further.extend(further_below(note, (line, column), expected, kept));
    Some(value)
}

/// Returns the values in a column of a table, from the second row below the header on.
fn further_below(
    note: &Note<'_>,
    (head, column): (usize, usize),
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> Vec<Value> {
    let layout = note.layout();
    let Some(table) = layout.table_of(head) else { return Vec::new() };
    let cell = |line: usize| {
        let mut tokens = layout.line_tokens(line);
        let first = tokens.find(|&cell| note.column_of_token(cell) == column && !is_bar(note, cell))?;
        note.is_number(first).then(|| value_at(note, first, expected, (None, false), kept)).flatten()
    };
    (head + 2..table.lines().end).filter_map(cell).collect()
}
