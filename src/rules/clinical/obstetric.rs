//! Obstetric notation: `G3P2`, `G2 P1-0-0-1`, `gravida 7, para 5`, `para 0-0-1-0`, `G2P1001`, `1 cm/50%/-2`.

use crate::rules::engine::word_sets::{WordSet, says, word_set};
use crate::rules::engine::{Certainty, Findings, View};

/// The most letters and numbers that a notation has before a number: `G3P2A1L2`.
const LONGEST: usize = 16;

/// Names of counts of pregnancies and births, written out.
static NAMES: WordSet = word_set!("clinical-obstetric-names");

/// What is counted behind the pregnancies: births, abortions, living children, twins.
static COUNTED: WordSet = word_set!("clinical-obstetric-counted");

/// Vouches for counts of pregnancies and births, and for stations of the head.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some(before) = at.checked_sub(1) else { return };
    let key = view.key(before);
    let letter = COUNTED.has(view, before) || says!(view, before, key, "g" | "gr");
    let joined = letter && view.token(at).glued();
    let named = NAMES.has(view, before);
    // P 1-0-0-1
    let spaced = says!(view, before, key, "p" | "g") && view.gap(at) == crate::text::token::Gap::Space;
    let first_digits = view.width(at);
    if !(joined || named || spaced) || first_digits > 4 || view.whole(at).is_none() {
        return;
    }
    let Some(first) = (if joined { start_of_run(view, at) } else { Some(at) }) else { return };
    let Some(first) = first_of(view, first, joined) else { return };
    let last = births(view, at);
    let four = first_digits == 4;
    if !named && (first_digits > 2 && !four || four && view.bytes(at).iter().any(|digit| *digit > b'9')) {
        return;
    }
    if spaced && last == at + 1 {
        // P 2 may be anything; G 3 P 2 is not.
        let pair = says!(view, at + 1, "p" | "ab") && view.is_number(at + 2)
            || at >= 3 && says!(view, at - 3, "g") && view.is_number(at - 2);
        if !pair {
            return;
        }
    }
    // G2P1001 is all there is: no births go on behind four digits.
    if four && last > at + 1 {
        return;
    }
    // Everything that goes on glued: G3P2.
    let last = run(view, last);
    findings.keep_by(before, first, last, if last > at + 1 { Certainty::Sure } else { Certainty::Likely });
}

/// The first token of the glued letters and numbers around `at`, if all letters are those of the notation.
fn start_of_run(view: &View<'_>, at: usize) -> Option<usize> {
    let mut first = at;
    // No notation is longer. Without an end, a megabyte of `a7a7` would be walked back from each of its numbers.
    while first > 0 && at - first < LONGEST && view.token(first).glued() {
        first -= 1;
    }
    (!view.token(first).glued()).then_some(first)
}

/// Asks once a run: at its first number; a run that begins with another letter than G or P is no notation.
fn first_of(view: &View<'_>, first: usize, joined: bool) -> Option<usize> {
    if !joined {
        return Some(first);
    }
    let begins = match view.bytes(first) {
        b"g" | b"gr" => true,
        b"p" | b"ab" | b"sab" | b"tab" | b"lc" => {
            // P2 alone is a wave, a segment or an initial: only beside a G.
            first >= 2 && near_gravida(view, first)
        }
        _ => false,
    };
    begins.then_some(first)
}

fn near_gravida(view: &View<'_>, first: usize) -> bool {
    let mut at = first;
    for _ in 0..3 {
        let Some(before) = at.checked_sub(1) else { return false };
        at = before;
        if view.is_any_mark(at, b",-") {
            continue;
        }
        if !view.is_number(at) {
            return says!(view, at, "g" | "gravida");
        }
        if at > 0 && says!(view, at - 1, "g" | "gravida" | "p") {
            return true;
        }
    }
    false
}

/// One past `1-0-0-1` or `1001`.
fn births(view: &View<'_>, at: usize) -> usize {
    let mut last = at + 1;
    for _ in 0..4 {
        let goes_on = (view.is_mark(last, b'-') || view.is_mark(last, b',') && view.joined(last))
            && view.is_number(last + 1)
            && view.width(last + 1) <= 2;
        if !goes_on {
            break;
        }
        last += 2;
    }
    last
}

/// One past the letters of the notation and their numbers that go on glued.
fn run(view: &View<'_>, mut last: usize) -> usize {
    for _ in 0..6 {
        let letters = COUNTED.has(view, last) || says!(view, last, "sb");
        if !(letters && view.token(last).glued() && view.token(last + 1).glued() && view.is_number(last + 1)) {
            break;
        }
        last = births(view, last + 1);
    }
    last
}
