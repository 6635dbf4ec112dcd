//! Numbers in logs: a column under the name of a measurement, and lines that begin with times of day (`06:15  104`).

use super::amount::{Figure, Shape};
use crate::rules::engine::Note;
use crate::vocabulary::{Class, Classes};

/// The minimum number of other lines nearby that begin with a time.
const MIN_OTHER_LINES: usize = 2;
/// The maximum distance of those lines.
const MAX_LINE_DISTANCE: usize = 4;

/// Returns whether a short number is a value in a log.
pub(super) fn is_log_value(note: &Note<'_>, at: usize) -> bool {
    is_on_timed_line(note, at) || is_below_measurement_header(note, at)
}

/// Returns whether a number follows the time at the start of its line, as on other lines nearby.
fn is_on_timed_line(note: &Note<'_>, at: usize) -> bool {
    if !(at > 0 && line_begins_with_time(note, at - 1)) {
        return false;
    }
    let layout = note.layout();
    let line = layout.line_index_of(at);
    let near = line.saturating_sub(MAX_LINE_DISTANCE)..(line + MAX_LINE_DISTANCE + 1).min(layout.lines().len());
    let logged = |&other: &usize| {
        let tokens = layout.line_tokens(other);
        other != line
            && tokens.len() > 1
            && line_begins_with_time(note, tokens.start)
            && note.is_number(tokens.start + 1)
    };
    near.filter(logged).count() >= MIN_OTHER_LINES
}

/// Returns whether a line begins with a time of day at this token.
fn line_begins_with_time(note: &Note<'_>, at: usize) -> bool {
    let Some(figure) = Figure::at(note, at).filter(|_| note.token(at).line_start()) else { return false };
    let number = figure.number;
    match figure.shape {
        Shape::Colon => {
            number.has_form(2, b':') && number.value(0) < 24 && number.digits(1) == 2 && number.value(1) < 60
        }
        Shape::Integer => number.digits(0) == 4 && number.value(0) < 2400 && number.value(0) % 100 < 60,
        _ => false,
    }
}

/// Returns whether the column header above a number names a measurement or a dose, in a table without columns of
/// identifiers or places.
fn is_below_measurement_header(note: &Note<'_>, at: usize) -> bool {
    const MEASURED: Classes = Classes::of(&[Class::Measurement, Class::Dose]);
    const NEVER: Classes = Classes::of(&[Class::IdKeyword, Class::PhoneKeyword, Class::WardNoun, Class::AgeCue]);
    let layout = note.layout();
    if layout.tables().is_empty() {
        return false;
    }
    let line = layout.line_index_of(at);
    let Some(table) = layout.table_of(line).filter(|table| table.lines().start < line) else { return false };
    let of_others = |column| layout.header_cell(table, column).any(|word| note.any(word, NEVER));
    let measured = layout.header_cell(table, note.column_of_token(at)).any(|word| note.any(word, MEASURED));
    measured && !(0..table.columns()).any(of_others)
}
