//! Quantities in words, as they are dictated: `nine point four`, `one forty over ninety two`, `three by two centimetres`, `six milligrams`,
//! `ten out of ten`, `forty one years old`.
//!
//! The words of numbers are ordinary words; in speech without punctuation the model takes them for parts of the names beside them.
//! Ages over 89 and telephone numbers have rules of their own, which win.

use super::date::spoken::{cardinal, number_below_hundred};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::vocabulary::{Class, Classes};

/// What is measured in words.
const UNITS: Classes = Classes::of(&[Class::Unit, Class::Dose, Class::Sized]);

/// What an age is counted in.
static AGED: WordSet = word_set!("forms-spoken-quantity-aged");

/// The oldest age that stays.
const OLDEST: u64 = 89;

/// Vouches for a quantity, at its first word.
pub(in crate::rules) fn find(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if at > 0 && note.is(at - 1, Class::NumberWord) && note.same_line(at) {
        return;
    }
    let Some((value, end)) = number(note, at) else { return };
    let whole = pressure(note, value, end)
        .or_else(|| by(note, end))
        .or_else(|| share(note, value, end))
        .or_else(|| age(note, value, end))
        .or_else(|| decimal(note, end))
        .or_else(|| unit(note, end));
    if let Some(end) = whole {
        findings.keep(at, end, Certainty::Sure);
    }
}

/// A number, `one forty` among them: value and one past its last token.
fn number(note: &Note<'_>, at: usize) -> Option<(u64, usize)> {
    let (value, end) = cardinal(note, at)?;
    match cardinal(note, end).filter(|_| note.follows(end)) {
        Some((rest @ 10..=99, end)) if (1..=2).contains(&value) => Some((100 * value + rest, end)),
        _ => Some((value, end)),
    }
}

/// `one forty over ninety two`: a blood pressure.
fn pressure(note: &Note<'_>, value: u64, over: usize) -> Option<usize> {
    let (low, end) = second(note, over, "over")?;
    ((60..=260).contains(&value) && (20..=150).contains(&low)).then_some(end)
}

/// `eight by six millimetres`: a size.
fn by(note: &Note<'_>, by: usize) -> Option<usize> {
    let (_, end) = second(note, by, "by")?;
    let end = second(note, end, "by").map_or(end, |(_, end)| end);
    unit(note, decimal(note, end).unwrap_or(end))
}

/// `ten out of ten`: so many of so many.
fn share(note: &Note<'_>, value: u64, out: usize) -> Option<usize> {
    let of = (note.follows(out) && word_is!(note, out, "out")).then_some(out + 1)?;
    let (whole, end) = second(note, of, "of")?;
    (value <= whole && whole <= 100).then_some(end)
}

/// `forty one year old`: an age that stays.
fn age(note: &Note<'_>, value: u64, end: usize) -> Option<usize> {
    let year = end + usize::from(note.is_mark(end, b'-'));
    let old = year + 1 + usize::from(note.is_mark(year + 1, b'-'));
    let is_age = note.follows(year) && AGED.has(note, year) && note.follows(old) && word_is!(note, old, "old");
    (is_age && value <= OLDEST).then_some(old + 1)
}

/// `nine point four`, `one point two five`: a decimal, and its unit.
fn decimal(note: &Note<'_>, point: usize) -> Option<usize> {
    let (_, mut end) = second(note, point, "point")?;
    while let Some((_, next)) = number_below_hundred(note, end).filter(|_| note.follows(end)) {
        end = next;
    }
    Some(unit(note, end).unwrap_or(end))
}

/// One past the unit of a quantity; years are told by [`age`].
fn unit(note: &Note<'_>, at: usize) -> Option<usize> {
    let is_unit = note.is_word(at) && note.follows(at) && note.any(at, UNITS) && !note.is(at, Class::Duration);
    is_unit.then_some(at + 1)
}

/// The number behind a word that joins two.
fn second(note: &Note<'_>, at: usize, word: &str) -> Option<(u64, usize)> {
    let joins = note.is_word(at) && note.follows(at) && note.bytes(at) == word.as_bytes() && note.follows(at + 1);
    number(note, at + 1).filter(|_| joins)
}
