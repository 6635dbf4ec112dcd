//! Maximum scores of scales, which distinguish a score from a month and a day: `MoCA 22/30`, `MoCA 11/23`.

use super::amount::{Figure, Shape};
use crate::rules::engine::Note;
use crate::rules::engine::word_sets::{word_is, word_list};
use crate::vocabulary::Class;

/// Scales whose scores may read as a month and a day, with the maximum score; 0 for those that are scored out of a
/// hundred or less than ten.
static POINTS: &[&str] = word_list!("clinical-scale-points");

/// Returns whether the number may be a month and a day, and not a score out of ten or less.
#[inline]
pub(super) fn reads_as_month_and_day(figure: &Figure) -> bool {
    figure.shape == Shape::Slash
        && (11..=31).contains(&figure.number.value(1))
        && (1..=12).contains(&figure.number.value(0))
}

/// Returns whether a number that may be a month and a day is not a score on the scale named at `scale`: `MoCA 11/23`,
/// `KPS 3/12`. On scales without a known maximum, the second number of a score is a multiple of five.
#[cold]
pub(super) fn reads_as_day_on_scale(note: &Note<'_>, scale: usize, figure: &Figure) -> bool {
    let top = figure.number.value(1);
    // `scored 11/23`, `MoCA score 11/30`
    let scored = word_is!(note, scale, "score" | "scored" | "scores" | "scoring");
    let before = scale.wrapping_sub(1);
    let word = note.word(if scored && note.is(before, Class::Score) { before } else { scale });
    let points = || POINTS.iter().filter_map(|line| line.split_once(' ')).filter(|(scale, _)| *scale == word);
    let counted = |most: Option<u64>| points().any(|(_, points)| most.is_none_or(|most| points.parse() == Ok(most)));
    let five = top.is_multiple_of(5) || matches!(word, "score" | "scored" | "scores" | "scoring");
    !counted(Some(top)) && (counted(None) || !five)
}
