//! Durations over the number of units in a year, a week or a day: `3/52` is three weeks, `6/12` six months, `5/7` five
//! days; and visual acuity in metres, `6/9`.
//!
//! British and Australian notes are full of them, but their form may be that of a date: `3/52` could be a month of a
//! past year. So the context must confirm a duration.

use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::Case;
use crate::vocabulary::Class;

/// How far before the number to look for words that confirm or exclude a duration.
const MAX_CUE_DISTANCE: usize = 8;

/// Words that fix a day: `scheduled for 5/7`.
static FIXED: WordSet = word_set!("clinical-span-fixed");

/// Words that say that something will be repeated.
static AGAIN: WordSet = word_set!("clinical-span-again");

/// Words directly before a duration: how often, and how long from now.
static LEADING: WordSet = word_set!("clinical-span-leading");

/// Words directly before a number of weeks: future events and complaints, which do not date from 1952.
static WEEKS: WordSet = word_set!("clinical-span-weeks");

/// Abbreviations for eyes and their findings.
static EYES: WordSet = word_set!("clinical-span-eyes");

/// Words for visual acuity.
static ACUITY_WORDS: WordSet = word_set!("clinical-span-sight");

/// Vouches for a duration or an acuity, at its number.
pub(in crate::rules) fn keep_time_span(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let acuity = is_acuity_after_label(note, at);
    if acuity || is_duration_fraction(note, at) {
        // `x7/7`
        let first = if note.token(at).glued() { at - 1 } else { at };
        let is_sure = is_time_span_by_next(note, at) || acuity && is_value_of_eye(note, at);
        findings.keep(first, at + 1, if is_sure { Certainty::Sure } else { Certainty::Likely });
    }
}

/// Returns whether one of the words precedes in the same sentence and line, within `far` tokens.
fn has_word_within(note: &Note<'_>, at: usize, far: usize, words: &WordSet) -> bool {
    let before = (at.saturating_sub(far)..at).rev();
    before.take_while(|&word| note.same_line(word + 1) && !note.is_mark(word, b'.')).any(|word| words.has(note, word))
}

/// Words before a day and a month.
static DATING: WordSet = word_set!("clinical-span-dating");

/// Returns whether the number is a visual acuity, a line of the six-metre chart: `VA 6/9 R, 6/12 L`.
fn is_acuity_after_label(note: &Note<'_>, at: usize) -> bool {
    /// The maximum distance of the word before: both eyes may follow, each with and without glasses.
    const MAX_DISTANCE: usize = 14;
    let line = |number: &crate::rules::engine::Number| {
        number.value(0) == 6
            && number.has_form(2, b'/')
            && matches!(number.value(1), 4 | 5 | 6 | 7 | 9 | 12 | 15 | 18 | 24 | 36 | 48 | 60)
    };
    note.number(at).is_some_and(line)
        && at > 0
        && !note.token(at).glued()
        && !note.token(at + 1).glued()
        && !DATING.has(note, at - 1)
        && (has_word_within(note, at, MAX_DISTANCE, &ACUITY_WORDS) || is_value_of_eye(note, at))
}

/// Returns whether the number is the value of an eye, or a word for uncorrected or pinhole acuity follows: `OD: 6/9`,
/// `6/12 unaided`. Otherwise a day of June may stand next to an eye: `phaco OS 6/12`.
fn is_value_of_eye(note: &Note<'_>, at: usize) -> bool {
    let valued = at > 1 && note.same_line(at) && note.is_any_mark(at - 1, b":=") && EYES.has(note, at - 2);
    let next = at + 1;
    let alone = !note.same_line(next) || !note.is_word(next);
    valued && alone || note.same_line(next) && word_is!(note, next, "unaided" | "pinhole")
}

/// Returns whether the number is a duration.
pub(in crate::rules) fn is_duration_fraction(note: &Note<'_>, at: usize) -> bool {
    let Some(number) = note.number(at) else { return false };
    let (count, of) = (number.value(0), number.value(1));
    // `x7/7` is glued to its sign.
    let glued = note.token(at).glued() && !(at > 0 && word_is!(note, at - 1, "x") && !note.token(at - 1).glued());
    let written = matches!(of, 7 | 12 | 24 | 52)
        && number.has_form(2, b'/')
        && !number.has_leading_zero()
        && (1..=2).contains(&number.digits(0))
        && number.digits(1) <= 2
        && count > 0
        && !glued
        && !note.token(at + 1).glued();
    // Hours are written this way in Australia: `pain 2/24 ago`.
    written
        && (is_time_span_by_next(note, at)
            || of != 24 && is_time_span_by_previous(note, at)
            || of == 52 && is_span_of_weeks(note, at)
            || of == 24 && count <= 24 && word_is!(note, at - usize::from(at > 0), "x"))
}

/// Returns whether the next words confirm a duration: `6/12 history of`, `2/7 ago`, `5/7 old.`
fn is_time_span_by_next(note: &Note<'_>, at: usize) -> bool {
    let (next, second) = (at + 1, at + 2);
    let over = !note.is_word(second) && !note.is_number(second);
    note.follows(next)
        && (word_is!(note, next, "ago" | "later" | "hence" | "duration" | "supply" | "course")
            || word_is!(note, next, "history") && (over || word_is!(note, second, "of"))
            || word_is!(note, next, "hx")
            || word_is!(note, next, "old") && (over || note.is(second, Class::PersonNoun)))
}

/// Returns whether the previous words confirm a duration: `TDS 5/7`, `every 3/12`, `on prednisone for 6/12`,
/// `see him in 6/12.`
fn is_time_span_by_previous(note: &Note<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).filter(|_| note.same_line(at)) else { return false };
    // `repeat in 5/12 was normal`: in May of that year.
    let over = !note.is_word(at + 1)
        || !note.same_line(at + 1)
        || word_is!(note, at + 1, "with" | "for" | "please" | "or" | "to" | "if");
    LEADING.has(note, before)
        || word_is!(note, before, "for")
            && !has_word_within(note, before, MAX_CUE_DISTANCE, &FIXED)
            && !note.is(at + 1, Class::IdKeyword)
        || word_is!(note, before, "in") && over && has_word_within(note, before, MAX_CUE_DISTANCE, &AGAIN)
}

/// Words before a month and a year.
static PAST: WordSet = word_set!("clinical-span-past");

/// Returns whether it is a number of weeks, since nothing here dates from 1952: `review 2/52`, `NWB 6/52`, `HPC: 3/52`,
/// `co-amoxiclav 6/52`.
fn is_span_of_weeks(note: &Note<'_>, at: usize) -> bool {
    let colon = usize::from(at > 0 && note.is_mark(at - 1, b':'));
    let Some(before) = (at - colon).checked_sub(1).filter(|_| note.same_line(at)) else { return false };
    let past = PAST.has(note, before);
    WEEKS.has(note, before)
        || note.is(before, Class::Brand) && note.case(before) != Case::Capital
        || !past && has_word_within(note, at, MAX_CUE_DISTANCE, &AGAIN)
}
