//! Drug levels: `digoxin level 2.6`, `tacrolimus 3 mg daily, last trough 7.9`.

use super::expected::Expected;
use super::measured::{LEVEL_WORDS, Value, value_after};
use super::units::Unit;
use crate::note::Note;

/// The maximum distance from a dose to the word for a level, in tokens.
const MAX_LEVEL_DISTANCE: usize = 5;
/// The specimens and fractions in which substances are measured.
const SPECIMENS: [&str; 11] =
    ["blood", "csf", "fecal", "free", "plasma", "salivary", "serum", "stool", "total", "urinary", "urine"];

/// Returns whether a value next to a substance is its level. For an analyte, any value is; for a drug, it needs a unit
/// of concentration, a word for a level, or a specimen before the name.
pub(super) fn is_level(note: &Note<'_>, (first, last): (usize, usize), value: &Value, is_analyte: bool) -> bool {
    let named = || (last..value.first).any(|at| LEVEL_WORDS.contains(&note.word(at)));
    let in_specimen = first > 0 && !note.border_before(first) && SPECIMENS.contains(&note.word(first - 1));
    is_analyte
        || in_specimen
        || value.unit.is_some_and(Unit::is_concentration)
        || value.unit.is_none_or(|unit| !unit.is_dose()) && named()
}

/// Returns the level of a drug after its dose: `3 mg daily, last trough 7.9`.
pub(super) fn level_after(
    note: &Note<'_>,
    from: usize,
    expected: &Expected,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<Value> {
    // `700 mg at night. Level 71 mg/L.`
    let next = from + usize::from(note.is_mark(from, b'.'));
    let opens = next > from && note.same_line(next) && LEVEL_WORDS.contains(&note.word(next));
    let near = (from..from + MAX_LEVEL_DISTANCE).take_while(|&at| !note.sentence_start(at) && !note.border_before(at));
    let named = if opens { next } else { near.into_iter().find(|&at| LEVEL_WORDS.contains(&note.word(at)))? };
    value_after(note, named + 1, expected, kept)
        .filter(|value| value.unit.is_none_or(|unit| unit.is_concentration() || !unit.is_dose()))
}
