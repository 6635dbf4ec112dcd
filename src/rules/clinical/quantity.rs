//! Numbers with what they measure after them: `3-4 cm`, `5 mg`, `2 to 3 weeks`, `45-year-old`, `12 stitches`.
//!
//! The widest family: amount, then unit, time span, dose form or thing counted. What stands between the two decides how
//! sure it is.

use super::amount::{Figure, in_chain};
use super::follow::Follow;
use super::measured::read;
use super::suffix;
use super::value::{Fit, after};
use crate::rules::engine::amounts::{Form, Measured};
use crate::rules::engine::digits::scanned;
use crate::rules::engine::word_sets::{WordSet, says, word_set};
use crate::rules::engine::{Certainty, Findings, View};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Vouches for the amount that begins here, if something after it says what it is.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let first = at;
    if view.token(at + 1).glued() && view.is_word(at + 1) {
        if let Some(last) = suffix::timed(view, at) {
            findings.keep(at, last, Certainty::Sure);
            after(view, last, Fit::Measure, findings);
            return;
        }
        if let Some(last) = suffix::two_units(view, at).or_else(|| suffix::so_often(view, at)) {
            findings.keep(at, last, Certainty::Likely);
            return;
        }
    }
    if view.token(at).glued() && !written_times(view, at) || in_chain(view, at) {
        return;
    }
    let Some(amount) = read(view, at, findings) else { return };
    // 614 l2 5590: a group of digits follows, not litres.
    if scanned(view, amount.last()).is_some() {
        return;
    }
    let Some((last, certainty)) = amount.vouched() else { return };
    if is_chance(view, at, &amount) || certainty == Certainty::Weak && ends_code(view, at) {
        return;
    }
    let first = if view.token(first).glued() { first - 1 } else { first };
    // 3 different probes: the thing counted stands outside.
    let outside = || Follow::read(view, last).or_else(|| Follow::loose(view, last));
    let cue = if last == amount.last() { outside().map_or(at, |follow| follow.last() - 1) } else { at };
    findings.keep_by(cue, first, with_plural_s(view, last), certainty);
    repeated_unit(view, at, findings);
    enumerated_before(view, first, findings);
}

/// `KN-9563 L`, `578437-3 L`: behind a hyphen the last digits of a code.
fn ends_code(view: &View<'_>, at: usize) -> bool {
    const NAMES: Classes =
        Classes::of(&[Class::Measurement, Class::Score, Class::Clinical, Class::Unit, Class::Marker]);
    if at < 2 || !view.is_mark(at - 1, b'-') || !view.joined(at) || !view.joined(at - 1) {
        return false;
    }
    let before = at - 2;
    let letters = view.is_word(before) && view.case(before) == Case::Upper && !view.any(before, NAMES);
    letters || view.number(before).is_some_and(|number| number.digits(0) > 4)
}

/// How often or since when, which is said of anything.
static OFTEN: WordSet = word_set!("clinical-quantity-often");

/// `The code 663 once`, `ext 4471 daily`: how often is said of anything. A number of three digits or more is a dose only where a
/// drug or a unit stands before it.
fn is_chance(view: &View<'_>, at: usize, amount: &Measured) -> bool {
    const DRUGS: Classes = Classes::of(&[Class::Brand, Class::Term, Class::Dose, Class::Unit]);
    const REACH: usize = 6;
    // The most of one number that is digits only is its value.
    let next = amount.last();
    let often = OFTEN.has(view, next);
    if !often || amount.form != Form::Single || amount.most < 100 || view.joined(next) {
        return false;
    }
    // `MMF 500 daily`
    let short = |word: usize| word + 1 == at && view.is(word, Class::Clinical) && view.case(word) == Case::Upper;
    let drug = |word: usize| (view.any(word, DRUGS) || short(word)) && !view.is(word, Class::Stop);
    Figure::at(view, at).is_some_and(|figure| figure.whole(9).is_some())
        && !(at.saturating_sub(REACH)..at).rev().take_while(|&word| !view.border_before(word + 1)).any(drug)
}

/// `250mg-500mg`: the unit written twice tells a range from a code.
fn repeated_unit(view: &View<'_>, at: usize, findings: &mut Findings) {
    let glued_unit = |at: usize| view.is_number(at) && view.token(at + 1).glued() && view.is(at + 1, Class::Unit);
    let twice = glued_unit(at)
        && view.is_mark(at + 2, b'-')
        && view.joined(at + 2)
        && view.joined(at + 3)
        && glued_unit(at + 3)
        && view.bytes(at + 1) == view.bytes(at + 4)
        && !view.token(at + 5).glued();
    if twice {
        findings.keep(at, at + 5, Certainty::Sure);
    }
}

/// `x10` of `5x10 mm`, and `x3`: a number glued to the sign of multiplication.
fn written_times(view: &View<'_>, at: usize) -> bool {
    at > 0 && says!(view, at - 1, "x") && !view.token(at - 1).glued()
}

/// `120s`, `4x4s`
fn with_plural_s(view: &View<'_>, last: usize) -> usize {
    last + usize::from(view.token(last).glued() && says!(view, last, "s"))
}

/// Vouches for the numbers before `first` in an enumeration that ends with a vouched amount: `10, 20, and 30 mg`.
fn enumerated_before(view: &View<'_>, first: usize, findings: &mut Findings) {
    let mut at = first;
    for _ in 0..8 {
        let Some(mut before) = at.checked_sub(1) else { return };
        if !says!(view, before, "," | "#" | "&" | "and" | "or") {
            return;
        }
        if view.is_mark(before, b'#') {
            let Some(more) = before.checked_sub(1) else { return };
            before = more;
        }
        if before == 0 {
            return;
        }
        if view.is_mark(before, b',') {
            before -= 1;
        } else if view.is_mark(before, b'&') || says!(view, before, "and" | "or") {
            before -= 1;
            if view.is_mark(before, b',') && before > 0 {
                before -= 1;
            }
        } else {
            return;
        }
        let plain = Figure::at(view, before).is_some_and(|figure| figure.plain() && figure.number.digits(0) <= 3);
        let free = !view.token(before).glued() && !in_chain(view, before);
        if !plain || !free || before > 0 && view.is(before - 1, Class::Month) {
            return;
        }
        findings.keep(before, before + 1, Certainty::Weak);
        at = before;
    }
}
