//! Ordinary words that end street names.

use crate::rules::engine::Note;
use crate::rules::engine::word_sets::{WordSet, word_set};

/// Words that end street names, from Publication 28 of the US Postal Service and the Australian list of road types.
/// Most of them are ordinary words, so they count only after a number and a name. Sorted.
static SUFFIXES: WordSet = word_set!("place-suffix-suffixes");

/// Returns whether the word ends street names.
pub(super) fn is_street_suffix(note: &Note<'_>, at: usize) -> bool {
    SUFFIXES.has(note, at)
}
