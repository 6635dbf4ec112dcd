//! Obstetric notation: `G3P2`, `G2 P1-0-0-1`, `gravida 7, para 5`, `para 0-0-1-0`, `G2P1001`, `1 cm/50%/-2`.

use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};

/// The maximum number of letter and number tokens before a number: `G3P2A1L2`.
const MAX_TOKENS_BEFORE: usize = 16;

/// Names of counts of pregnancies and births, written out.
static NAMES: WordSet = word_set!("clinical-obstetric-names");

/// Letters for the counts after the pregnancies: births, abortions, living children, twins.
static COUNTED: WordSet = word_set!("clinical-obstetric-counted");

/// Vouches for counts of pregnancies and births.
pub(in crate::rules) fn keep_obstetric_counts(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(before) = at.checked_sub(1) else { return };
    let key = note.key(before);
    let letter = COUNTED.has(note, before) || word_is!(note, before, key, "g" | "gr");
    let joined = letter && note.token(at).glued();
    let named = NAMES.has(note, before);
    // `P 1-0-0-1`
    let spaced = word_is!(note, before, key, "p" | "g") && note.gap(at) == crate::text::token::Gap::Space;
    let first_digits = note.width(at);
    if !(joined || named || spaced) || first_digits > 4 || note.integer(at).is_none() {
        return;
    }
    let Some(first) = (if joined { start_of_run(note, at) } else { Some(at) }) else { return };
    let Some(first) = start_of_notation(note, first, joined) else { return };
    let last = end_of_births(note, at);
    let four = first_digits == 4;
    if !named && (first_digits > 2 && !four || four && note.bytes(at).iter().any(|digit| *digit > b'9')) {
        return;
    }
    if spaced && last == at + 1 {
        // `P 2` may be anything; `G 3 P 2` is not.
        let pair = word_is!(note, at + 1, "p" | "ab") && note.is_number(at + 2)
            || at >= 3 && word_is!(note, at - 3, "g") && note.is_number(at - 2);
        if !pair {
            return;
        }
    }
    // `G2P1001` is complete: no further counts follow four digits.
    if four && last > at + 1 {
        return;
    }
    // Include everything glued on: `G3P2`.
    let last = end_of_run(note, last);
    findings.keep_by(before, first, last, if last > at + 1 { Certainty::Sure } else { Certainty::Likely });
}

/// Returns the first token of the glued letters and numbers around `at`, unless they are too many.
fn start_of_run(note: &Note<'_>, at: usize) -> Option<usize> {
    let mut first = at;
    // Bounds the scan: in a megabyte of `a7a7`, every number would walk back to the start.
    while first > 0 && at - first < MAX_TOKENS_BEFORE && note.token(first).glued() {
        first -= 1;
    }
    (!note.token(first).glued()).then_some(first)
}

/// Returns the start of the notation. A glued run must begin with G or, near a gravida, with one of the other letters.
fn start_of_notation(note: &Note<'_>, first: usize, joined: bool) -> Option<usize> {
    if !joined {
        return Some(first);
    }
    let begins = match note.bytes(first) {
        b"g" | b"gr" => true,
        b"p" | b"ab" | b"sab" | b"tab" | b"lc" => {
            // `P2` alone is a wave, a segment or an initial: it needs a G nearby.
            first >= 2 && is_near_gravida(note, first)
        }
        _ => false,
    };
    begins.then_some(first)
}

fn is_near_gravida(note: &Note<'_>, first: usize) -> bool {
    let mut at = first;
    for _ in 0..3 {
        let Some(before) = at.checked_sub(1) else { return false };
        at = before;
        if note.is_any_mark(at, b",-") {
            continue;
        }
        if !note.is_number(at) {
            return word_is!(note, at, "g" | "gravida");
        }
        if at > 0 && word_is!(note, at - 1, "g" | "gravida" | "p") {
            return true;
        }
    }
    false
}

/// Returns the end (exclusive) of `1-0-0-1` or `1001`.
fn end_of_births(note: &Note<'_>, at: usize) -> usize {
    let mut last = at + 1;
    for _ in 0..4 {
        let goes_on = (note.is_mark(last, b'-') || note.is_mark(last, b',') && note.joined(last))
            && note.is_number(last + 1)
            && note.width(last + 1) <= 2;
        if !goes_on {
            break;
        }
        last += 2;
    }
    last
}

/// Returns the end (exclusive) of further glued letters and numbers of the notation.
fn end_of_run(note: &Note<'_>, mut last: usize) -> usize {
    for _ in 0..6 {
        let letters = COUNTED.has(note, last) || word_is!(note, last, "sb");
        if !(letters && note.token(last).glued() && note.token(last + 1).glued() && note.is_number(last + 1)) {
            break;
        }
        last = end_of_births(note, last + 1);
    }
    last
}
