//! Places that have a form: streets with their number, towns before a state, counties, wards, header fields. Other names of
//! places are judged by the model, see `judgement`.

mod address;
pub(super) mod city;
pub(super) mod field;
pub(super) mod flat;
mod kind;
pub(super) use kind::is_kind;
pub(super) mod street;
mod suffix;
pub(super) mod ward;

use super::View;
use crate::vocabulary::{Class, Classes};

/// Lists of names of places.
pub(super) const PLACES: Classes = Classes::of(&[Class::City, Class::PlacePart, Class::County]);

/// Lists of ordinary words.
const ORDINARY: Classes =
    Classes::of(&[Class::Stop, Class::English, Class::Literature, Class::Clinical, Class::PersonNoun, Class::Term]);

/// Whether the word is on no list of words. Lists of facilities, brands, relatives, which `name::is_unlisted` asks too, do not count:
/// many a place is called by their words.
pub(super) fn is_no_word(view: &View<'_>, at: usize) -> bool {
    view.is_word(at) && !view.any(at, ORDINARY)
}
