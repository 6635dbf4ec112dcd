//! A laboratory's flag next to a value or in the last cell of its row, and the bars between cells.

use crate::note::Note;
use crate::text::token::{Case, Gap};

/// Reads the flag of a value, with its end (exclusive): `(H)`, `L`, `*`, `high`.
pub(super) fn flag_at(
    note: &Note<'_>,
    at: usize,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<(&'static str, usize)> {
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
        "high" | "elevated" | "↑" => "high",
        "low" | "↓" => "low",
        "+" if open => "high",
        "-" if open => "low",
        "critical" => "critical",
        "abnormal" => "abnormal",
        "*" if note.joined(word) || !note.is_word(word + 1) || note.ends_line(word + 1) => "abnormal",
        "a" if capital && open => "abnormal",
        _ => return None,
    };
    let last = word + 1 + usize::from(open);
    (closed && !note.token(word + 1).glued() && (at..last).all(kept)).then_some((found, last))
}

/// Returns the flag in the last cell of a table row, which may follow a reference range.
pub(super) fn flag_of_row(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool + Copy) -> Option<&'static str> {
    let layout = note.layout();
    let line = layout.line_index_of(at.checked_sub(1)?);
    let end = layout.line_tokens(line).end;
    let cell = end - usize::from(is_bar(note, end - 1));
    let alone = cell > at && cell >= 2 && (note.gap(cell - 1) == Gap::Wide || is_bar(note, cell - 2));
    let found = (layout.lines()[line].is_row() && alone).then(|| flag_at(note, cell - 1, kept)).flatten();
    found.map(|(flag, _)| flag)
}

/// Returns whether a token separates the cells of a row.
pub(super) fn is_bar(note: &Note<'_>, at: usize) -> bool {
    note.is_mark(at, b'|')
}
