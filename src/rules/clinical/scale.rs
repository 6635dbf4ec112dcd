//! The points of scales, which tell a score from a month and a day: `MoCA 22/30`, `MoCA 11/23`.

use super::amount::{Figure, Shape};
use crate::rules::engine::Note;
use crate::rules::engine::word_sets::{word_is, word_list};
use crate::vocabulary::Class;

/// Scales whose scores could be read as a month and a day, with the most that can be scored; those that are told in hundredths or have
/// less than ten points have 0.
static POINTS: &[&str] = word_list!("clinical-scale-points");

/// Whether the number reads as a month and a day that are no score of ten points or less.
#[inline]
pub(super) fn reads_as_month_and_day(figure: &Figure) -> bool {
    figure.shape == Shape::Slash
        && (11..=31).contains(&figure.number.value(1))
        && (1..=12).contains(&figure.number.value(0))
}

/// Whether what reads as a month and a day is no share of the points of that scale: `MoCA 11/23`, `KPS 3/12`; of scales that nobody
/// counted the points go in fives. `scale`: the name of the scale.
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
