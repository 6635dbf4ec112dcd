//! Short forms of medicine that are names or words as well: `LE swelling`, `denies SI`, `ELISA positive`.
//!
//! They count in capitals, and only beside words that are not in capitals: in a line of capitals they say nothing.

use crate::rules::engine::names::{NAMES, is_unlisted, name_log_odds};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::Case;
use crate::vocabulary::Class;

/// How many tokens away the word in small letters may stand.
const REACH: u32 = 4;

/// Whether the word is a short form here.
pub(in crate::rules) fn is_acronym(note: &Note<'_>, at: usize) -> bool {
    // `GU: Voiding Without Difficulty`: in a title as well.
    let small = |at: usize| {
        let titled = note.case(at) == Case::Capital && !note.any(at, NAMES) && !is_unlisted(note, at);
        note.is_word(at) && note.width(at) > 1 && (note.case(at) == Case::Lower || titled)
    };
    let reach = REACH as usize;
    let mut before = (at.saturating_sub(reach)..at).rev().take_while(|&word| note.same_line(word + 1));
    let mut behind = (at + 1..=at + reach).take_while(|&word| note.same_line(word));
    note.is(at, Class::Acronym)
        && note.case(at) == Case::Upper
        && !note.token(at).glued()
        && !note.token(at + 1).glued()
        && (before.any(small) || behind.any(small))
        && !is_beside_name(note, at)
}

/// `Mrs LE`, `Thi LE`, `LE Nguyen`, `Tamuning, GU`: a title or a town before it, or a word with a capital letter beside it that is a
/// name.
fn is_beside_name(note: &Note<'_>, at: usize) -> bool {
    let name = |at: usize| note.case(at) == Case::Capital && (is_unlisted(note, at) || name_log_odds(note, at) >= 2);
    let Some(before) = at.checked_sub(1) else { return name(at + 1) };
    let marked = before.saturating_sub(1);
    let title = if note.is_mark(before, b'.') { marked } else { before };
    let town = note.is_mark(before, b',') && name(marked);
    town || note.is(title, Class::Title) || note.same_line(at) && name(before) || note.same_line(at + 1) && name(at + 1)
}

/// Vouches for a short form.
pub(in crate::rules) fn keep_acronym(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if is_acronym(note, at) {
        findings.keep(at, at + 1, Certainty::Weak);
    }
}
