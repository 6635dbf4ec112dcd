//! Words in raised letters: `ᴿᵒˢᵉ`. Their folded form is on lists, but notes are not written this way.
//!
//! This rule has no anchor: it scans only notes with letters outside ASCII.

use crate::rules::engine::word_sets::word_is;
use crate::rules::engine::{Certainty, Findings, Kind, Note};

/// Removes words with at least two raised letters; keeps `1ˢᵗ`.
pub(in crate::rules) fn find_raised_words(note: &Note<'_>, findings: &mut Findings) {
    let foreign = (0..note.len()).filter(|&at| note.token(at).is_foreign() && note.is_word(at));
    for at in foreign.filter(|&at| !(note.token(at).glued() && word_is!(note, at, "st" | "nd" | "rd" | "th"))) {
        let written = &note.source()[note.source_span(at, at + 1).range()];
        if written.chars().filter(|&letter| is_raised(letter)).count() > 1 {
            findings.remove(at, at + 1, Kind::Name, Certainty::Sure);
        }
    }
}

/// Returns whether it is a Unicode modifier letter that stands for a plain letter; includes subscripts.
const fn is_raised(letter: char) -> bool {
    matches!(letter, '\u{2B0}'..='\u{2B8}' | '\u{2E0}'..='\u{2E4}' | '\u{1D2C}'..='\u{1D6A}' | '\u{1D78}' | '\u{1D9B}'..='\u{1DBF}')
        || matches!(letter, '\u{2071}' | '\u{207F}' | '\u{2090}'..='\u{209C}' | '\u{2C7C}' | '\u{2C7D}')
}
