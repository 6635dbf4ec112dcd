//! Scores, grades and stages: `Apgars 8 and 9`, `GCS 15`, `stage IIIA`, `3/6 murmur`, `2+ edema`, `Gleason 3+4=7`.

use super::amount::{Figure, Shape};
use super::value::{Fit, after};
use crate::rules::{Certainty, Findings, View};
use crate::token::Kind;
use crate::vocabulary::Class;

/// Vouches for what follows the name of a score.
pub(in crate::rules) fn named(view: &View<'_>, at: usize, findings: &mut Findings) {
    // Ann Arbor stage
    if at > 1 && view.word(at - 1) == "arbor" && view.word(at - 2) == "ann" {
        findings.keep(at - 2, at, Certainty::Likely);
    }
    after(view, at + 1, Fit::Grade, findings);
}

/// Vouches for what follows the name of a level or landmark.
pub(in crate::rules) fn level(view: &View<'_>, at: usize, findings: &mut Findings) {
    let number = at + 1 + usize::from(view.is_mark(at + 1, b'#'));
    // The day after an operation, not a ward.
    if view.bytes(at) == b"pod" && view.whole(number).is_some_and(|day| day < 100) && !view.token(number + 1).glued() {
        findings.keep(if view.token(number).glued() { at } else { number }, number + 1, Certainty::Sure);
    }
    after(view, at + 1, Fit::Level, findings);
}

/// How many words may stand between a grade and what is graded.
const REACH: usize = 5;

/// Vouches for grades by their form: `2+`, `+2`, `4+/5`, `5-/5`; and for `n/m` with a graded noun near it.
pub(in crate::rules) fn form(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some(figure) = Figure::at(view, at) else { return };
    let joined_mark = |at: usize, marks: &[u8]| view.is_any_mark(at, marks) && view.joined(at);
    let small = |at: usize| view.number(at).is_some_and(|number| number.digits(0) == 1 && number.len() <= 2);
    let whole = |at: usize| small(at) && view.number(at).is_some_and(|number| number.digits(1) <= 2);
    if !small(at) || view.token(at).glued() {
        return;
    }
    let next = at + 1;
    // 4+/5 and 1+/1+; a bare 2+; +2/4
    if joined_mark(next, b"+-") && joined_mark(next + 1, b"/") && whole(next + 2) && view.joined(next + 2) {
        let plus = usize::from(joined_mark(next + 3, b"+-"));
        findings.keep(at, next + 3 + plus, Certainty::Likely);
    } else if figure.shape == Shape::Whole && joined_mark(next, b"+") && !view.joined(next + 1) {
        findings.keep(at, next + 1, Certainty::Likely);
    } else if figure.shape == Shape::Whole && joined_mark(next, b"+") && !view.is_number(next + 1) {
        findings.keep(at, next + 1, Certainty::Weak);
    } else if let Some(cue) = signed(view, at) {
        findings.keep_by(cue, at, next, Certainty::Likely);
    } else if figure.shape == Shape::Slash
        && scale(&figure)
        && let Some(graded) = graded_near(view, at)
    {
        findings.keep_by(graded, at, next, Certainty::Likely);
    }
}

/// Whether the second number may be the top of a scale; 4/98 is a month.
fn scale(figure: &Figure) -> bool {
    let top = figure.number.value(1);
    figure.number.digits(1) <= 2 && (top <= 30 || top.is_multiple_of(10))
}

/// What makes a grade of a number behind a sign: the sign of `+2`; for the station of the head in `4 cm/80%/-2` what stands before.
fn signed(view: &View<'_>, at: usize) -> Option<usize> {
    let sign = at.checked_sub(1).filter(|_| view.joined(at))?;
    if view.is_mark(sign, b'+') {
        return (!view.is_number(sign.wrapping_sub(1))).then_some(sign);
    }
    let station = view.is_mark(sign, b'-') && view.joined(sign) && view.is_mark(sign.wrapping_sub(1), b'/');
    if station { sign.checked_sub(2) } else { None }
}

/// What is graded, if it stands within a few words, in the same sentence.
fn graded_near(view: &View<'_>, at: usize) -> Option<usize> {
    let stops = |at: usize| view.token(at).kind == Kind::End || view.is_any_mark(at, b".;:");
    let mut next = at + 1;
    while next <= at + REACH && !stops(next) && !view.border_before(next) {
        if view.is(next, Class::Score) {
            return Some(next);
        }
        next += 1;
    }
    let mut before = at;
    for _ in 0..REACH {
        if before == 0 || view.border_before(before) {
            return None;
        }
        before -= 1;
        if view.is(before, Class::Score) {
            return Some(before);
        }
        if stops(before) && !view.is_mark(before, b':') {
            return None;
        }
    }
    None
}
