//! Numbers before what they measure: `3-4 cm`, `5 mg`, `2 to 3 weeks`, `45-year-old`, `12 stitches`.
//!
//! The broadest rule of the grammar: an amount, then a unit, duration, dose form or counted noun. What stands between
//! the two determines the certainty.

use super::amount::{Figure, in_hyphen_chain};
use super::follow::UnitPhrase;
use super::measured::measured_amount_at;
use super::suffix;
use super::value::{ValueKind, keep_values_after};
use crate::rules::engine::amounts::{AmountForm, Measured};
use crate::rules::engine::digits::read_misscanned_number;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Vouches for the amount that begins here if something after it says what it is.
pub(in crate::rules) fn keep_quantity(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let first = at;
    if note.token(at + 1).glued() && note.is_word(at + 1) {
        if let Some(last) = suffix::end_of_timed_test(note, at) {
            findings.keep(at, last, Certainty::Sure);
            keep_values_after(note, last, ValueKind::Measure, findings);
            return;
        }
        if let Some(last) = suffix::end_of_two_units(note, at).or_else(|| suffix::end_of_times(note, at)) {
            findings.keep(at, last, Certainty::Likely);
            return;
        }
    }
    if note.token(at).glued() && !is_glued_to_times_sign(note, at) || in_hyphen_chain(note, at) {
        return;
    }
    let Some(amount) = measured_amount_at(note, at, findings) else { return };
    // `614 l2 5590`: a group of digits follows, not litres.
    if read_misscanned_number(note, amount.last()).is_some() {
        return;
    }
    let Some((last, certainty)) = amount.vouched() else { return };
    if is_unrelated_frequency(note, at, &amount)
        || unit_begins_sentence(note, &amount)
        || certainty == Certainty::Weak && ends_code(note, at)
    {
        return;
    }
    let first = if note.token(first).glued() { first - 1 } else { first };
    // `3 different probes`: the counted noun lies outside the finding.
    let outside = || UnitPhrase::read_after(note, last).or_else(|| UnitPhrase::read_past_ordinary_words(note, last));
    let cue = if last == amount.last() { outside().map_or(at, |follow| follow.last() - 1) } else { at };
    findings.keep_by(cue, first, end_with_plural_s(note, last), certainty);
    keep_range_with_repeated_unit(note, at, findings);
    keep_enumerated_before(note, first, findings);
}

/// Returns whether a number after a hyphen ends a code: `KN-9563 L`, `578437-3 L`.
fn ends_code(note: &Note<'_>, at: usize) -> bool {
    const NAMES: Classes =
        Classes::of(&[Class::Measurement, Class::Score, Class::Clinical, Class::Unit, Class::Marker]);
    if at < 2 || !note.is_mark(at - 1, b'-') || !note.joined(at) || !note.joined(at - 1) {
        return false;
    }
    let before = at - 2;
    let letters = note.is_word(before) && note.case(before) == Case::Upper && !note.any(before, NAMES);
    letters || note.number(before).is_some_and(|number| number.digits(0) > 4)
}

/// Adverbs of frequency or onset, which may follow any number.
static OFTEN: WordSet = word_set!("clinical-quantity-often");

/// Returns whether a frequency follows an unrelated number: `the code 663 once`, `ext 4471 daily`. A number of three or
/// more digits is a dose only after a drug or a unit.
fn is_unrelated_frequency(note: &Note<'_>, at: usize, amount: &Measured) -> bool {
    const DRUGS: Classes = Classes::of(&[Class::Brand, Class::Term, Class::Dose, Class::Unit]);
    const MAX_DISTANCE: usize = 6;
    // For a single integer, `largest` is its value.
    let next = amount.last();
    let often = OFTEN.has(note, next);
    if !often || amount.form != AmountForm::Single || amount.largest < 100 || note.joined(next) {
        return false;
    }
    // `MMF 500 daily`
    let short = |word: usize| word + 1 == at && note.is(word, Class::Clinical) && note.case(word) == Case::Upper;
    let drug = |word: usize| (note.any(word, DRUGS) || short(word)) && !note.is(word, Class::Stop);
    Figure::at(note, at).is_some_and(|figure| figure.integer_up_to(9).is_some())
        && !(at.saturating_sub(MAX_DISTANCE)..at).rev().take_while(|&word| !note.border_before(word + 1)).any(drug)
}

/// Returns whether the next word begins a new sentence after a number of four or more digits:
/// `on call: 3877 Continue lisinopril`.
fn unit_begins_sentence(note: &Note<'_>, amount: &Measured) -> bool {
    let next = amount.last();
    let long = amount.form == AmountForm::Single && amount.largest >= 1000;
    long && note.case(next) == Case::Capital && !note.joined(next) && !note.is(next, Class::Unit)
}

/// Vouches for a range with a repeated unit, which sets it apart from a code: `250mg-500mg`.
fn keep_range_with_repeated_unit(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let glued_unit = |at: usize| note.is_number(at) && note.token(at + 1).glued() && note.is(at + 1, Class::Unit);
    let twice = glued_unit(at)
        && note.is_mark(at + 2, b'-')
        && note.joined(at + 2)
        && note.joined(at + 3)
        && glued_unit(at + 3)
        && note.bytes(at + 1) == note.bytes(at + 4)
        && !note.token(at + 5).glued();
    if twice {
        findings.keep(at, at + 5, Certainty::Sure);
    }
}

/// Returns whether a number is glued to a multiplication sign: the `x10` of `5x10 mm`, `x3`.
fn is_glued_to_times_sign(note: &Note<'_>, at: usize) -> bool {
    at > 0 && word_is!(note, at - 1, "x") && !note.token(at - 1).glued()
}

/// Extends the end over a plural s: `120s`, `4x4s`.
fn end_with_plural_s(note: &Note<'_>, last: usize) -> usize {
    last + usize::from(note.token(last).glued() && word_is!(note, last, "s"))
}

/// Vouches for the numbers before `first` in an enumeration that ends with a vouched amount: `10, 20, and 30 mg`.
fn keep_enumerated_before(note: &Note<'_>, first: usize, findings: &mut Findings) {
    let mut at = first;
    for _ in 0..8 {
        let Some(mut before) = at.checked_sub(1) else { return };
        if !word_is!(note, before, "," | "#" | "&" | "and" | "or") {
            return;
        }
        if note.is_mark(before, b'#') {
            let Some(more) = before.checked_sub(1) else { return };
            before = more;
        }
        if before == 0 {
            return;
        }
        if note.is_mark(before, b',') {
            before -= 1;
        } else if note.is_mark(before, b'&') || word_is!(note, before, "and" | "or") {
            before -= 1;
            if note.is_mark(before, b',') && before > 0 {
                before -= 1;
            }
        } else {
            return;
        }
        let plain = Figure::at(note, before)
            .is_some_and(|figure| figure.is_plain_measurement() && figure.number.digits(0) <= 3);
        let free = !note.token(before).glued() && !in_hyphen_chain(note, before);
        if !plain || !free || before > 0 && note.is(before - 1, Class::Month) {
            return;
        }
        findings.keep(before, before + 1, Certainty::Weak);
        at = before;
    }
}
