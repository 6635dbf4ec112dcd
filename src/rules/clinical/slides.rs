//! Counts of slides by stain: `H&E x 1 A`, `PAS x2 B1`, `Recut x 3 AFS`.

use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::{Case, Gap, Kind};
use crate::vocabulary::Class;

/// What is counted: stains and cuts.
static CUT: WordSet = word_set!("clinical-slides-cut");

/// Vouches for a stain, the number of its slides and the block they come from, at the number.
pub(in crate::rules) fn keep_slide_count(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let times = at.wrapping_sub(1);
    if at < 2 || !word_is!(note, times, "x") || !note.same_line(at) || !note.same_line(times) {
        return;
    }
    let Some(first) = start_of_stain(note, times) else { return };
    let last = end_of_block(note, at + 1);
    if last == at + 1 && note.token(last).glued() {
        return;
    }
    findings.keep(first, last, Certainty::Sure);
}

/// Returns the start of the stain before a token. `H&E` and `H/E` before a count are not initials.
fn start_of_stain(note: &Note<'_>, end: usize) -> Option<usize> {
    let word = end - 1;
    let two = word >= 2
        && word_is!(note, word, "e")
        && note.is_any_mark(word - 1, b"&/")
        && word_is!(note, word - 2, "h")
        && note.joined(word)
        && note.joined(word - 1);
    if two {
        return Some(word - 2);
    }
    let written = note.case(word) == Case::Upper || note.width(word) > 4;
    let named = written && (note.case(word) != Case::Lower && note.is(word, Class::Marker) || CUT.has(note, word));
    named.then_some(word)
}

/// Returns the end (exclusive) of the block after a count: a capital letter, optionally with a number, at the end of an
/// entry.
fn end_of_block(note: &Note<'_>, at: usize) -> usize {
    let block = note.is_word(at)
        && !note.token(at).glued()
        && note.gap(at) < Gap::Line
        && note.width(at) == 1
        && note.case(at) != Case::Lower;
    if !block {
        return at;
    }
    let figure = usize::from(note.is_number(at + 1) && note.token(at + 1).glued() && note.width(at + 1) <= 2);
    let last = at + 1 + figure;
    let ends = note.token(last).kind == Kind::End || note.gap(last) >= Gap::Line || note.is_any_mark(last, b",;)");
    if ends { last } else { at }
}
