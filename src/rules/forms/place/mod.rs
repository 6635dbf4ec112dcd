//! Places with a written form: streets with a house number, flats, post boxes, rooms and beds. The model judges other
//! place names.

pub(in crate::rules) mod flat;
pub(in crate::rules) mod street;
mod suffix;
pub(in crate::rules) mod town;
pub(in crate::rules) mod ward;

use crate::rules::engine::Note;
use crate::vocabulary::{Class, Classes};

/// Lists of ordinary words.
const ORDINARY: Classes =
    Classes::of(&[Class::Stop, Class::English, Class::Literature, Class::Clinical, Class::PersonNoun, Class::Term]);

/// Returns whether the word is on no list of words. Unlike `names::is_unlisted`, ignores the lists of facilities,
/// brands and relatives, because many places are named after their words.
pub(in crate::rules) fn is_on_no_word_list(note: &Note<'_>, at: usize) -> bool {
    note.is_word(at) && !note.any(at, ORDINARY)
}
