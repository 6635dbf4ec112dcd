//! Clinical acronyms that are also names or words: `LE swelling`, `denies SI`, `ELISA positive`.
//!
//! They count only in capitals and near words that are not: in a line of capitals, case is no evidence.

use crate::rules::engine::names::{NAMES, is_unlisted, name_log_odds};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::Case;
use crate::vocabulary::Class;

/// The maximum distance of a word that is not in capitals, in tokens.
const MAX_WORD_DISTANCE: u32 = 4;

/// Returns whether the word is an acronym here.
pub(in crate::rules) fn is_acronym(note: &Note<'_>, at: usize) -> bool {
    // `GU: Voiding Without Difficulty`: words in title case count too.
    let small = |at: usize| {
        let titled = note.case(at) == Case::Capital && !note.any(at, NAMES) && !is_unlisted(note, at);
        note.is_word(at) && note.width(at) > 1 && (note.case(at) == Case::Lower || titled)
    };
    let reach = MAX_WORD_DISTANCE as usize;
    let mut before = (at.saturating_sub(reach)..at).rev().take_while(|&word| note.same_line(word + 1));
    let mut behind = (at + 1..=at + reach).take_while(|&word| note.same_line(word));
    note.is(at, Class::Acronym)
        && note.case(at) == Case::Upper
        && !note.token(at).glued()
        && !note.token(at + 1).glued()
        && (before.any(small) || behind.any(small))
        && !is_beside_name(note, at)
}

/// Returns whether a title, a town or a capitalised name is adjacent: `Mrs LE`, `Thi LE`, `LE Nguyen`, `Tamuning, GU`.
fn is_beside_name(note: &Note<'_>, at: usize) -> bool {
    let name = |at: usize| note.case(at) == Case::Capital && (is_unlisted(note, at) || name_log_odds(note, at) >= 2);
    let Some(before) = at.checked_sub(1) else { return name(at + 1) };
    let marked = before.saturating_sub(1);
    let title = if note.is_mark(before, b'.') { marked } else { before };
    let town = note.is_mark(before, b',') && name(marked);
    town || note.is(title, Class::Title) || note.same_line(at) && name(before) || note.same_line(at + 1) && name(at + 1)
}

/// Vouches for an acronym.
pub(in crate::rules) fn keep_acronym(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if is_acronym(note, at) {
        findings.keep(at, at + 1, Certainty::Weak);
    }
}
