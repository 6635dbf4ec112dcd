//! Dictated quantities in words: `nine point four`, `one forty over ninety two`, `three by two centimetres`,
//! `six milligrams`, `ten out of ten`, `forty one years old`.
//!
//! Number words are ordinary words; in speech without punctuation, the model takes them for parts of adjacent names.
//! Ages over 89 and telephone numbers have rules of their own, which take precedence.

use super::date::number_words::{is_birth_word, number_below_hundred, read_cardinal};
use crate::rules::clinical::count::follows_id_cue;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::vocabulary::{Class, Classes};

/// Lists of units in words.
const UNITS: Classes = Classes::of(&[Class::Unit, Class::Dose, Class::Sized]);

/// Units of an age.
static AGED: WordSet = word_set!("forms-spoken-quantity-aged");

/// The maximum age that is kept.
const MAX_KEPT_AGE: u64 = 89;

/// How far before a quantity to look for words that exclude it, in tokens.
const MAX_CUE_DISTANCE: usize = 5;

/// Vouches for the number words and connectives of a quantity, at its first word, unless an identifier cue precedes, or
/// an address or further number words follow.
pub(in crate::rules) fn keep_spoken_quantity(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if at > 0 && note.is(at - 1, Class::NumberWord) && note.same_line(at) {
        return;
    }
    let Some((value, end)) = spoken_number(note, at) else { return };
    let last = end_of_blood_pressure(note, value, end)
        .or_else(|| end_of_size(note, end))
        .or_else(|| end_of_share(note, value, end))
        .or_else(|| is_spoken_age(note, value, end).then_some(end))
        .or_else(|| end_of_decimal(note, end))
        .or_else(|| is_quantity_unit(note, end).then_some(end));
    let Some(last) = last.filter(|&last| is_quantity_complete(note, last)) else { return };
    let told = (at.saturating_sub(MAX_CUE_DISTANCE)..at).rev().take_while(|&word| note.same_line(word + 1));
    if !follows_id_cue(note, at) && !told.into_iter().any(|word| is_birth_word(note, word)) {
        findings.keep(at, last, Certainty::Sure);
    }
}

/// Returns whether no further number and no street follows: `nine point four point forty one`, `forty foot drive`.
fn is_quantity_complete(note: &Note<'_>, last: usize) -> bool {
    const ON: Classes = Classes::of(&[Class::NumberWord, Class::OrdinalWord]);
    let goes_on = note.follows(last) && (note.any(last, ON) || note.is_number(last) || word_is!(note, last, "point"));
    let street = (last..last + 3).take_while(|&at| note.same_line(at)).any(|at| note.is(at, Class::StreetType));
    !goes_on && !street
}

/// Returns a number, including `one forty`, and its end (exclusive).
fn spoken_number(note: &Note<'_>, at: usize) -> Option<(u64, usize)> {
    let (value, end) = read_cardinal(note, at)?;
    match read_cardinal(note, end).filter(|_| note.follows(end)) {
        Some((rest @ 10..=99, end)) if (1..=2).contains(&value) => Some((100 * value + rest, end)),
        _ => Some((value, end)),
    }
}

/// Returns the end (exclusive) of a blood pressure: `one forty over ninety two`.
fn end_of_blood_pressure(note: &Note<'_>, value: u64, over: usize) -> Option<usize> {
    let (low, end) = number_after_word(note, over, "over")?;
    ((60..=260).contains(&value) && (20..=150).contains(&low)).then_some(end)
}

/// Returns the end (exclusive) of a size: `eight by six millimetres`.
fn end_of_size(note: &Note<'_>, by: usize) -> Option<usize> {
    let (_, end) = number_after_word(note, by, "by")?;
    let end = number_after_word(note, end, "by").map_or(end, |(_, end)| end);
    let end = end_of_decimal(note, end).unwrap_or(end);
    is_quantity_unit(note, end).then_some(end)
}

/// Returns the end (exclusive) of a share: `ten out of ten`.
fn end_of_share(note: &Note<'_>, value: u64, out: usize) -> Option<usize> {
    let of = (note.follows(out) && word_is!(note, out, "out")).then_some(out + 1)?;
    let (whole, end) = number_after_word(note, of, "of")?;
    (value <= whole && whole <= 100).then_some(end)
}

/// Returns whether it is an age up to 89: `forty one year old`.
fn is_spoken_age(note: &Note<'_>, value: u64, end: usize) -> bool {
    let year = end + usize::from(note.is_mark(end, b'-'));
    let old = year + 1 + usize::from(note.is_mark(year + 1, b'-'));
    value <= MAX_KEPT_AGE
        && note.follows(year)
        && AGED.has(note, year)
        && note.follows(old)
        && word_is!(note, old, "old")
}

/// Returns the end (exclusive) of a decimal: `nine point four`, `one point two five`.
fn end_of_decimal(note: &Note<'_>, point: usize) -> Option<usize> {
    let (_, mut end) = number_after_word(note, point, "point")?;
    while let Some((_, next)) = number_below_hundred(note, end).filter(|_| note.follows(end)) {
        end = next;
    }
    Some(end)
}

/// Returns whether a unit of a quantity stands here; [`is_spoken_age`] handles years.
fn is_quantity_unit(note: &Note<'_>, at: usize) -> bool {
    note.is_word(at) && note.follows(at) && note.any(at, UNITS) && !note.is(at, Class::Duration)
}

/// Returns the number after a connective, and its end (exclusive).
fn number_after_word(note: &Note<'_>, at: usize, word: &str) -> Option<(u64, usize)> {
    let joins = note.is_word(at) && note.follows(at) && note.bytes(at) == word.as_bytes() && note.follows(at + 1);
    spoken_number(note, at + 1).filter(|_| joins)
}
