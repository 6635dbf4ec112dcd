//! Flats, suites and post boxes, with their number.

use crate::rules::engine::word_sets::{WordSet, says};
use crate::rules::engine::{Certainty, Findings, Kind, View};
use crate::text::token::Case;

/// Parts of a building, with a number behind them.
static UNITS: WordSet =
    WordSet::new(&["#", "apartment", "apt", "bldg", "flat", "floor", "level", "lot", "no", "ste", "suite", "unit"]);

/// One past the parts of a building behind a street: `., Apt 4B`, `#12`, `Suite 300`.
pub(super) fn with_unit(view: &View<'_>, street_end: usize) -> usize {
    let mut at = street_end;
    while view.is_any_mark(at, b".,") && view.same_line(at + 1) {
        at += 1;
    }
    if !UNITS.has(view, at) || !view.same_line(at) {
        return street_end;
    }
    at += 1;
    while view.is_any_mark(at, b".#") {
        at += 1;
    }
    let part = |at: usize| (view.is_number(at) || view.is_word(at) && view.width(at) == 1) && view.same_line(at);
    let end = (at..at + 3).find(|&at| !part(at)).unwrap_or(at + 3);
    if end > at { end } else { street_end }
}

/// Anchor: a number. `Apt. 864`, `Suite 340`, `P.O. Box 12`: an address without a street.
pub(in crate::rules) fn find(view: &View<'_>, number: usize, findings: &mut Findings) {
    let Some(mut at) = number.checked_sub(1) else { return };
    while view.is_any_mark(at, b"#.:") && at > 0 && view.follows(at + 1) {
        at -= 1;
    }
    let first = match () {
        () if !view.same_line(number) => return,
        () if says!(view, at, "box") => start_of_post_box(view, at),
        // A flat is a form as well, and a rhythm.
        () if says!(view, at, "flat") => (view.case(at) == Case::Capital && !view.sentence_start(at)).then_some(at),
        () => says!(view, at, "apartment" | "apt" | "ste" | "suite").then_some(at),
    };
    if let Some(first) = first {
        let letter = view.token(number + 1).glued() && view.width(number + 1) == 1;
        let end = with_unit(view, number + 1 + usize::from(letter));
        findings.remove(first, end, Kind::Street, Certainty::Likely);
    }
}

/// Where `P.O.`, `PO` or `Post Office` before the word `box` begins.
fn start_of_post_box(view: &View<'_>, at: usize) -> Option<usize> {
    let (mut first, mut letters) = (at, 0);
    while first > 0 && letters < 2 && view.same_line(first) {
        let before = first - 1;
        match view.word(before) {
            "p" | "o" => letters += 1,
            "po" | "post" | "office" => letters = 2,
            "." => {}
            _ => return None,
        }
        first = before;
    }
    (letters == 2).then_some(first)
}
