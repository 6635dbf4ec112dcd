//! Doses of drugs: `25 mg`, `two tablets`, `5 mg/kg/h`, `81 mg of` before the name.

use super::amount::{self, Amount, number_in_words};
use super::frequency::end_of_restatement;
use super::units::Unit;
use crate::note::{Note, Number};
use crate::text::token::{Gap, Kind};

/// The maximum number of words in brackets after a restated dose.
const MAX_BRACKET_WORDS: usize = 3;

/// Reads the dose at a token, whether its unit is a dose form such as tablets, and its end (exclusive).
pub(super) fn dose_at(
    note: &Note<'_>,
    at: usize,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<((String, bool), usize)> {
    let single = |number: &&Number| number.has_form(2, b'/');
    let pair = || note.number(at).filter(single).and_then(|_| amount::read_amount(note, at, true, kept));
    let worded = amount::read_amount(note, at, false, kept).or_else(pair).map(|amount| (amount, false));
    let (amount, is_word) = worded.or_else(|| number_in_words(note, at, kept).map(|amount| (amount, true)))?;
    // `25-mg tablets`
    let counted = end_of_restatement(note, amount.end);
    let unit_at = counted + usize::from(note.is_mark(counted, b'-') && note.joined(counted));
    let (unit, mut last) =
        Unit::read(note, unit_at, kept).filter(|&(unit, _)| unit.is_given() || unit.is_dose() && !is_word)?;
    let mut text = format!("{} {}", amount.text, unit.name());
    // `2.5 mg/3 mL`: the second part is a concentration.
    if note.is_mark(last, b'/')
        && note.joined(last)
        && amount::read_single_amount(note, last + 1, false, kept).is_some()
        && let Some((_, end)) = Unit::read(note, last + 2, kept)
    {
        last = end;
    }
    // `5 mg/kg/h`
    while note.is_mark(last, b'/') && note.joined(last) {
        let Some((per, end)) = dose_denominator(note, last + 1).filter(|&(_, end)| (last..end).all(kept)) else {
            break;
        };
        text.push('/');
        text.push_str(per);
        last = end;
    }
    Some(((text, unit.is_dose_form()), last))
}

/// Reads the denominator of a dose after a slash.
fn dose_denominator(note: &Note<'_>, at: usize) -> Option<(&'static str, usize)> {
    let per = match note.word(at) {
        "kg" => "kg",
        "h" | "hr" | "hour" => "h",
        "min" | "minute" => "min",
        "d" | "day" => "day",
        "dose" => "dose",
        "ml" => "mL",
        "m" if note.word(at + 1) == "2" && note.token(at + 1).glued() => return Some(("m2", at + 2)),
        _ => return None,
    };
    (!note.token(at + 1).glued()).then_some((per, at + 1))
}

/// Returns the dose before the name of a drug: `81 mg aspirin`, `2 units of insulin`.
pub(super) fn dose_before_name(
    note: &Note<'_>,
    first: usize,
    free: usize,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<String> {
    let mut end = first;
    let joins = |at: usize| {
        matches!(note.word(at), "of" | "tablet" | "tablets" | "capsule" | "capsules" | "oral" | "iv" | "po")
    };
    while end > free && first - end < 3 && joins(end - 1) && note.follows(end) {
        end -= 1;
    }
    let is_amount = |at: usize| note.is_number(at) || number_in_words(note, at, kept).is_some();
    let is_part = |at: usize| at > free && number_in_words(note, at - 1, kept).is_some_and(|amount| amount.end > at);
    (free..end).rev().take(8).filter(|&at| is_amount(at) && !is_part(at)).find_map(|at| {
        let ((text, _), last) = dose_at(note, at, kept)?;
        (last >= end
            && (last..first).all(joins)
            && (at + 1..first).all(|at| continues_to(note, at))
            && !note.border_before(first))
        .then_some(text)
    })
}

/// Returns the end (exclusive) of the brackets around a restated dose: `(25 mg total)`.
pub(super) fn end_of_brackets(note: &Note<'_>, at: usize, last: usize) -> Option<usize> {
    let close = (last..last + MAX_BRACKET_WORDS).find(|&at| note.is_mark(at, b')'))?;
    (note.is_mark(at - 1, b'(') && (last..close).all(|at| note.is_word(at))).then_some(close + 1)
}

/// Reads the strengths of two drugs in one tablet: `5/325`. Pairs that may be a date are excluded.
pub(super) fn combined_strength(note: &Note<'_>, at: usize) -> Option<Amount> {
    let strong = |number: &&Number| number.has_form(2, b'/') && number.value(0).max(number.value(1)) > 31;
    note.number(at).filter(strong).map(|_| Amount { text: note.word(at).to_owned(), number: None, end: at + 1 })
}

/// Returns whether the text continues at a token: no sentence, list item or paragraph begins there.
pub(super) fn continues_to(note: &Note<'_>, at: usize) -> bool {
    let token = note.token(at);
    token.kind != Kind::End
        && (!token.border_before() || token.gap == Gap::Wide || token.gap <= Gap::Space && !token.sentence_start())
}
