//! Digits with glued letters: timed tests `6MWD`, durations in two units `5h42`, frequencies `3x`.

use crate::rules::engine::Note;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::text::token::Case;

/// Tests named by a duration or a number of repetitions: `6MWD`, `10MWT`, `5xSTS`, `9HPT`.
static TIMED: WordSet = word_set!("clinical-suffix-timed");

/// Returns the end (exclusive) of the name of such a test, at its number.
pub(super) fn end_of_timed_test(note: &Note<'_>, at: usize) -> Option<usize> {
    let name = at + 1;
    let written = note.token(name).glued()
        && note.width(at) <= 2
        && note.integer(at).is_some()
        && note.case(name) != Case::Capital
        && TIMED.has(note, name)
        && !note.token(at).glued()
        && !note.token(name + 1).glued();
    written.then_some(name + 1)
}

/// The smaller unit of a duration in two units.
static SMALLER: WordSet = word_set!("clinical-suffix-smaller");

/// Returns the end (exclusive) of a duration in two units, at its first number: `5h42`, `3y4m`, `1h30min`. Number
/// plates have capitals.
pub(super) fn end_of_two_units(note: &Note<'_>, at: usize) -> Option<usize> {
    let small = |at: usize| note.is_word(at) && note.token(at).glued() && note.case(at) == Case::Lower;
    let (unit, second) = (at + 1, at + 2);
    if note.token(at).glued() || !small(unit) || !note.token(second).glued() || note.width(at) > 2 {
        return None;
    }
    let (first, rest) = (note.integer(at)?, note.integer(second)?);
    let below = match note.bytes(unit) {
        b"h" | b"hr" | b"hrs" | b"m" | b"min" => 60,
        b"y" | b"yr" => 12,
        b"mo" => 32,
        b"d" => 24,
        b"w" | b"wk" => 7,
        _ => return None,
    };
    if first > 89 || rest >= below || note.width(second) > 2 {
        return None;
    }
    let last = second + 1;
    if !note.token(last).glued() {
        // Only `5h42` may omit the second unit; `4w3` is a schedule.
        return word_is!(note, unit, "h" | "hr").then_some(last);
    }
    (small(last) && SMALLER.has(note, last) && !note.token(last + 1).glued()).then_some(last + 1)
}

/// Returns the end (exclusive) of a frequency or multiple: `3x`, `10x`.
pub(super) fn end_of_times(note: &Note<'_>, at: usize) -> Option<usize> {
    let times = at + 1;
    let written = word_is!(note, times, "x" | "xuln")
        && note.token(times).glued()
        && (note.case(times) == Case::Lower || note.width(times) > 1)
        && !note.token(at).glued()
        && !note.token(times + 1).glued()
        && !(note.joined(at) && at > 0 && note.is_any_mark(at - 1, b"-/."));
    let few =
        note.number(at).is_some_and(|number| number.len() <= 2 && number.digits(0) <= 2 && !number.has_leading_zero());
    (written && few).then_some(times + 1)
}
