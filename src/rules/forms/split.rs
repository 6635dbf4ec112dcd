//! Words written letter by letter: `J o h n`, `J.o.h.n`, `R-o-s-e`, `P A T I E N T : R O S E`.
//!
//! Single letters cannot be judged and are on lists. So a row of them is joined first, and kept only if it is a
//! clinical abbreviation: `p.o. b.i.d.`, `m/r/g`.

use super::letters::{LetterRow, is_separating_mark, is_single_letter, single_letter};
use super::spelled;
use crate::rules::engine::{Certainty, Findings, Kind, Note};

/// The maximum number of marks between two letters of a row; exceeds any drawn line.
const MAX_MARKS_BETWEEN: usize = 64;

/// Returns the next letter of the row, after marks. The `x` of `H&E x 2` is a count, and the other letters are a stain.
pub(in crate::rules) fn next_letter_of_row(note: &Note<'_>, at: usize) -> Option<usize> {
    let next = (at + 1..=at + 1 + MAX_MARKS_BETWEEN).find(|&next| !is_separating_mark(note, next))?;
    let is_stain = |at: usize| {
        note.bytes(at) == b"h"
            && note.is_any_mark(at + 1, b"&/")
            && note.bytes(at + 2) == b"e"
            && note.joined(at + 1)
            && note.joined(at + 2)
    };
    let counts = next >= 3 && is_stain(next - 3) && note.bytes(next) == b"x" && note.is_number(next + 1);
    let stain = is_stain(next) && note.bytes(next + 3) == b"x" && note.is_number(next + 4);
    (is_single_letter(note, next)
        && !counts
        && !(stain && !note.same_line(next))
        && !note.token(next).glued()
        && !note.token(next + 1).glued())
    .then_some(next)
}

/// Returns the previous letter of the row.
fn previous_letter_of_row(note: &Note<'_>, at: usize) -> Option<usize> {
    let before = (at.saturating_sub(1 + MAX_MARKS_BETWEEN)..at).rev().find(|&before| !is_separating_mark(note, before));
    before.filter(|&before| is_single_letter(note, before) && !note.token(before).glued())
}

/// Returns the first letter of a row, if `at` is its first letter without a quotation mark; the rule does not run at
/// others.
fn first_letter_of_row(note: &Note<'_>, at: usize) -> Option<usize> {
    let mut first = at;
    while let Some(before) = previous_letter_of_row(note, first) {
        if note.width(before) == 1 {
            return None;
        }
        first = before;
    }
    Some(first)
}

/// Finds a row of single letters, at its first.
pub(in crate::rules) fn find_split_word(note: &Note<'_>, first: usize, findings: &mut Findings) {
    spelled::find_spelled_row(note, first, findings);
    if !is_single_letter(note, first) || note.token(first).glued() || note.token(first + 1).glued() {
        return;
    }
    let Some(first) = first_letter_of_row(note, first) else { return };
    let (mut row, mut group) = (LetterRow::default(), LetterRow::default());
    let (mut last, mut at) = (first, Some(first));
    let (mut groups, mut single, mut harmless, mut articles) = (0, true, true, 0);
    while let Some(place) = at {
        // White space separates abbreviations: `p.o. b.i.d.`
        if place > first && (last + 1..=place).any(|at| !note.joined(at)) {
            articles += usize::from(group.is_article());
            harmless &= group.is_short_form(note, false) || group.is_article();
            single &= group.len() == 1;
            groups += 1;
            group = LetterRow::default();
        }
        let letter = single_letter(note, place).unwrap_or_default();
        row.push(letter);
        group.push(letter);
        last = place;
        at = next_letter_of_row(note, place);
    }
    single &= group.len() == 1;
    articles += usize::from(group.is_article());
    harmless &= group.is_short_form(note, false) || group.is_article();
    // `h/o a fall`; but `M.o. l l i` has more.
    harmless &= articles < 2;
    // Separate letters, or a single group, are one word.
    if single || groups == 0 {
        harmless = row.is_short_form(note, true);
    }
    if row.len() > 2 && !harmless && !row.is_list(note) {
        findings.remove(first, last + 1, Kind::Name, Certainty::Sure);
    }
}
