//! Ordinary words that the names of streets end with.

use crate::rules::engine::Note;
use crate::rules::engine::word_sets::{WordSet, word_set};

/// Words that the names of streets end with: those of Publication 28 of the US Postal Service, and of the Australian list of road
/// types. Most of them are ordinary words, so they count after a number and a name only. Sorted.
static SUFFIXES: WordSet = word_set!("place-suffix-suffixes");

/// Whether the word is one that streets end with.
pub(super) fn is_street_suffix(note: &Note<'_>, at: usize) -> bool {
    SUFFIXES.has(note, at)
}
