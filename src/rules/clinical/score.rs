//! Scores, grades and stages: `Apgars 8 and 9`, `GCS 15`, `stage IIIA`, `3/6 murmur`, `2+ edema`, `Gleason 3+4=7`.

use super::amount::{Figure, Shape};
use super::scale::{reads_as_day_on_scale, reads_as_month_and_day};
use super::value::{ValueKind, keep_values_after};
use crate::rules::engine::is_roman_numeral;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Vouches for the values after the name of a score.
pub(in crate::rules) fn keep_named_score(note: &Note<'_>, at: usize, findings: &mut Findings) {
    // Ann Arbor stage
    if at > 1 && word_is!(note, at - 1, "arbor") && word_is!(note, at - 2, "ann") {
        findings.keep(at - 2, at, Certainty::Likely);
    }
    // `AUDIT-C 5`, `HAM-D 22`: a suffix of the scale name.
    let short = note.is_mark(at + 1, b'-') && note.joined(at + 1) && note.joined(at + 2) && note.width(at + 2) <= 4;
    let name = if short && note.is_word(at + 2) && !is_roman_numeral(note.bytes(at + 2)) { at + 3 } else { at + 1 };
    // `UPDRS-III 34`: a part of the scale.
    let part = short && is_roman_numeral(note.bytes(at + 2)) && note.is_number(at + 3) && note.same_line(at + 3);
    let last = keep_values_after(note, if part { at + 3 } else { name }, ValueKind::Grade, findings);
    if part && last > at + 3 {
        findings.keep(at + 1, at + 3, Certainty::Likely);
    }
}

/// Vouches for the values after the name of a level or landmark.
pub(in crate::rules) fn keep_level(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let number = at + 1 + usize::from(note.is_mark(at + 1, b'#'));
    // The day after an operation, not a ward.
    if note.bytes(at) == b"pod" && note.integer(number).is_some_and(|day| day < 100) && !note.token(number + 1).glued()
    {
        findings.keep(if note.token(number).glued() { at } else { number }, number + 1, Certainty::Sure);
    }
    keep_values_after(note, at + 1, ValueKind::Level, findings);
}

/// The maximum number of words between a grade and what is graded.
const MAX_WORDS_BETWEEN: usize = 5;

/// Vouches for grades by their form: `2+`, `+2`, `4+/5`, `5-/5`; and for `n/m` near a graded noun.
pub(in crate::rules) fn keep_grade_by_form(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(figure) = Figure::at(note, at) else { return };
    if let Some((first, certainty)) = grade_by_form(note, at, &figure) {
        findings.keep(first, at + 1, certainty);
        return;
    }
    let joined_mark = |at: usize, marks: &[u8]| note.is_any_mark(at, marks) && note.joined(at);
    let small = |at: usize| note.number(at).is_some_and(|number| number.digits(0) == 1 && number.len() <= 2);
    let whole = |at: usize| small(at) && note.number(at).is_some_and(|number| number.digits(1) <= 2);
    if !small(at) || note.token(at).glued() {
        return;
    }
    let next = at + 1;
    if figure.shape == Shape::Slash && graded_noun_stands_before(note, at, &figure) {
        findings.keep_by(at - 1, at, next, Certainty::Likely);
        return;
    }
    // `4+/5` and `1+/1+`; a bare `2+`; `+2/4`
    if joined_mark(next, b"+-") && joined_mark(next + 1, b"/") && whole(next + 2) && note.joined(next + 2) {
        let plus = usize::from(joined_mark(next + 3, b"+-"));
        findings.keep(at, next + 3 + plus, Certainty::Likely);
    } else if figure.shape == Shape::Integer && joined_mark(next, b"+") && !note.joined(next + 1) {
        findings.keep(at, next + 1, Certainty::Likely);
    } else if figure.shape == Shape::Integer && joined_mark(next, b"+") && !note.is_number(next + 1) {
        findings.keep(at, next + 1, Certainty::Weak);
    } else if let Some(cue) = start_of_signed_grade(note, at) {
        findings.keep_by(cue, at, next, Certainty::Likely);
    } else if figure.shape == Shape::Slash
        && may_be_top_of_scale(&figure)
        && let Some(graded) = graded_noun_near(note, at)
        && !(reads_as_month_and_day(&figure) && reads_as_day_on_scale(note, graded, &figure))
    {
        // `3/6 systolic murmur` is unambiguous; `on 3/4 strength training` is not.
        let heard = |word: usize| word_is!(note, word, "systolic" | "diastolic" | "holosystolic" | "ejection");
        let noun = (next..next + 2).find(|&word| !heard(word)).unwrap_or(next + 2);
        let dated =
            at > 0 && (note.is(at - 1, Class::DateCue) || word_is!(note, at - 1, "on" | "seen" | "u" | "since"));
        let sure = figure.number.value(1) == 6 && word_is!(note, noun, "murmur" | "murmurs") && !dated;
        let certainty = if sure { Certainty::Sure } else { Certainty::Likely };
        findings.keep_by(graded, at, next, certainty);
    }
}

/// Returns the start and the certainty of an unambiguous form: gestational age in weeks and days, `29+1`, a signed
/// value, `-7.4`, or a rate, `@ 40`.
fn grade_by_form(note: &Note<'_>, at: usize, figure: &Figure) -> Option<(usize, Certainty)> {
    let number = figure.number;
    if note.token(at).glued() || note.token(at + 1).glued() || note.is_any_mark(at + 1, b"-/") && note.joined(at + 1) {
        return None;
    }
    let sign = at.checked_sub(1).filter(|&sign| note.is_any_mark(sign, b"+-@"))?;
    let before = sign.checked_sub(1)?;
    if note.is_mark(sign, b'@') {
        return is_rate_after_at_sign(note, at, figure).then_some((at, Certainty::Weak));
    }
    if !note.joined(at) {
        return None;
    }
    if let Some(weeks) = note.integer(before) {
        // `38+4`, `38+4/40`
        let forty = number.has_form(2, b'/') && number.digits(0) == 1 && number.value(1) == 40;
        let days = if forty { Some(number.value(0)) } else { figure.integer_up_to(1) };
        let pregnancy = note.is_mark(sign, b'+')
            && note.joined(sign)
            && (if forty { 4..=43 } else { 20..=43 }).contains(&weeks)
            && days.is_some_and(|days| days <= 6)
            && !note.token(before).glued()
            && !(before > 0 && note.joined(before) && note.is_any_mark(before - 1, b"+-/"));
        return pregnancy.then_some((before, if forty { Certainty::Sure } else { Certainty::Likely }));
    }
    let short = number.digits(0) <= 3 && number.digits(1) <= 2 && !figure.has_leading_zero;
    // `I/O +640.`, but not `+44 20`
    let whole = figure.shape == Shape::Integer
        && note.is_mark(sign, b'+')
        && !note.is_number(at + 1)
        && !note.is_mark(at + 1, b'(');
    let signed = short && (figure.shape == Shape::Decimal || whole) && !note.joined(sign) && !note.is_number(before);
    signed.then_some((at, Certainty::Weak))
}

/// Returns whether it is a rate, a flow or a depth, not an hour, a bed or a house: `40 ml @ 83`, `feeds @ 40,`.
fn is_rate_after_at_sign(note: &Note<'_>, at: usize, figure: &Figure) -> bool {
    const PLACES: Classes = Classes::of(&[Class::WardNoun, Class::Facility, Class::PersonNoun, Class::PhoneKeyword]);
    let short = figure.number.digits(0) <= 3
        && !figure.has_leading_zero
        && matches!(figure.shape, Shape::Integer | Shape::Decimal);
    let over = !note.is_number(at + 1) && (!note.is_word(at + 1) || note.case(at + 1) == Case::Lower);
    short && over && note.same_line(at) && !note.any(at - 2, PLACES)
}

/// Abbreviations of muscles, whose strength is graded out of five.
static MUSCLES: WordSet = word_set!("clinical-score-muscles");

/// Nouns for shares of a whole: positive lymph nodes, cores, points of the feet.
static SHARES: WordSet = word_set!("clinical-score-shares");

/// Nouns for scores out of ten.
static TENTHS: WordSet = word_set!("clinical-score-tenths");

/// Returns whether the word directly before the number takes such a grade: `APB 4/5`, `mood 3/10`.
fn graded_noun_stands_before(note: &Note<'_>, at: usize, figure: &Figure) -> bool {
    let Some(before) = at.checked_sub(1).filter(|_| note.same_line(at)) else { return false };
    let part = figure.number.value(0) <= figure.number.value(1) && figure.number.value(1) <= 40;
    if part && SHARES.has(note, before) {
        return true;
    }
    match figure.number.value(1) {
        // Fifths of the fetal head palpable, and the Allred score.
        5 if word_is!(note, before, "ceph" | "cephalic") => figure.number.value(0) <= 5,
        8 if word_is!(note, before, "er" | "pr" | "allred") => {
            figure.number.value(0) <= 8 && note.case(before) == Case::Upper
        }
        5 => figure.number.value(0) <= 5 && MUSCLES.has(note, before) && note.case(before) == Case::Upper,
        10 => figure.number.value(0) <= 10 && TENTHS.has(note, before),
        _ => false,
    }
}

/// Returns whether the second number may be the top of a scale; `4/98` is a month.
fn may_be_top_of_scale(figure: &Figure) -> bool {
    let top = figure.number.value(1);
    figure.number.digits(1) <= 2 && (top <= 30 || top.is_multiple_of(10))
}

/// Returns the token that makes a number after a sign a grade: the sign of `+2`; for the fetal station in
/// `4 cm/80%/-2`, the token before the slash.
fn start_of_signed_grade(note: &Note<'_>, at: usize) -> Option<usize> {
    let sign = at.checked_sub(1).filter(|_| note.joined(at))?;
    if note.is_mark(sign, b'+') {
        return (!note.is_number(sign.wrapping_sub(1))).then_some(sign);
    }
    let station = note.is_mark(sign, b'-') && note.joined(sign) && note.is_mark(sign.wrapping_sub(1), b'/');
    if station { sign.checked_sub(2) } else { None }
}

/// Returns the graded noun within a few words in the same sentence.
fn graded_noun_near(note: &Note<'_>, at: usize) -> Option<usize> {
    let stops = |at: usize| note.is_any_mark(at, b".;:");
    let mut next = at + 1;
    while next <= at + MAX_WORDS_BETWEEN && !stops(next) && !note.border_before(next) {
        if note.is(next, Class::Score) {
            return Some(next);
        }
        next += 1;
    }
    let mut before = at;
    for _ in 0..MAX_WORDS_BETWEEN {
        if before == 0 || note.border_before(before) {
            return None;
        }
        before -= 1;
        if note.is(before, Class::Score) {
            return Some(before);
        }
        if stops(before) && !note.is_mark(before, b':') {
            return None;
        }
    }
    None
}
