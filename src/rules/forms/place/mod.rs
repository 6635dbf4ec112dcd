//! Places that have a form: streets with their number, flats, post boxes, rooms and beds. Other names of places are judged by the model, see
//! `judgement`.

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

/// Whether the word is on no list of words. Lists of facilities, brands, relatives, which `names::is_unlisted` asks too, do not count:
/// many a place is called by their words.
pub(in crate::rules) fn is_on_no_word_list(note: &Note<'_>, at: usize) -> bool {
    note.is_word(at) && !note.any(at, ORDINARY)
}
