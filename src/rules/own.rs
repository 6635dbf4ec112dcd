//! What notesieve itself writes: tags and codes. They stay, so that scrubbing an output changes nothing.

use super::{Category, Findings, View};
use crate::token::Case;

/// The most tokens a code has between its brackets: `icd10cm:E11.9`, `mesh:D003920`, `omim:PS123456`.
const CODE: usize = 8;

/// Anchor: an opening bracket.
pub(super) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let word = at + 1;
    if !view.is_word(word) || !view.joined(word) {
        return;
    }
    let next = word + 1;
    if !view.joined(next) {
        return;
    }
    if view.case(word) == Case::Upper && Category::ALL.iter().any(|category| is_key(*category, view.word(word))) {
        if view.is_mark(next, b']') {
            findings.own(at, next + 1);
        }
        return;
    }
    if !view.is_mark(next, b':') {
        return;
    }
    for end in next + 2..next + CODE {
        if !view.joined(end) {
            return;
        }
        if view.is_mark(end, b']') {
            // Only a code of the vocabulary: anything else between brackets is the note's.
            if view.is_code(word, end) {
                findings.own(at, end + 1);
            }
            return;
        }
    }
}

fn is_key(category: Category, folded: &str) -> bool {
    category.key().eq_ignore_ascii_case(folded)
}
