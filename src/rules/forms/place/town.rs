//! Towns before a state, as in addresses: `Tyler, AZ`, `Break Up, TX 31777`, `Summit, South Dakota`.
//!
//! ```text
//! town state [zip]    town:  one to three words up to the comma      state: a name, or two capitals
//! ```
//!
//! Policies that keep towns or states need them as separate kinds.

use super::is_on_no_word_list;
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Lists of places.
const PLACES: Classes =
    Classes::of(&[Class::City, Class::County, Class::PlacePart, Class::PlaceBefore, Class::PlaceAfter]);
/// Lists of words that do not end a town or precede one.
const NEVER: Classes = Classes::of(&[Class::StreetType, Class::Facility, Class::Credential, Class::Stop, Class::Title]);

/// Finds a town before a comma and a state, at the state.
pub(in crate::rules) fn find_town(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let first = if at > 0 && begins_two_word_state(note, at - 1) { at - 1 } else { at };
    let Some(comma) = first.checked_sub(1).filter(|&comma| note.is_mark(comma, b',') && note.same_line(first)) else {
        return;
    };
    let zip =
        (at + 1..at + 4).any(|next| note.integer(next).is_some() && note.width(next) == 5 && note.same_line(next));
    // `SEAFOOD, OR DYE`, `Santana, PA-C`: two letters need a town before them, or a postal code after them.
    let short = first == at && note.width(at) == 2;
    let town = comma > 0 && note.is(comma - 1, Class::City);
    let unsure = note.case(at) != Case::Upper || note.is(at, Class::Credential) && !town || note.token(at + 1).glued();
    if short && !zip && (unsure || !town && !is_on_no_word_list(note, comma - usize::from(comma > 0)))
        || !note.capitalised(first)
    {
        return;
    }
    let mut start = comma;
    while let Some(before) = start.checked_sub(1).filter(|&before| comma - before <= 3 && note.same_line(before + 1)) {
        let kind = note.any(before, NEVER) && !note.any(before, PLACES);
        let place = zip || start == comma || note.any(before, PLACES) || is_on_no_word_list(note, before);
        if !note.capitalised(before) || kind || !place {
            break;
        }
        start = before;
    }
    if start < comma {
        findings.remove(start, comma, Kind::City, Certainty::Likely);
        findings.remove(first, at + 1, Kind::State, Certainty::Likely);
    }
}

/// Returns whether the name of a state in two words begins here: `New York`, `South Dakota`.
fn begins_two_word_state(note: &Note<'_>, first: usize) -> bool {
    note.gap(first + 1) == Gap::Space && matches!(note.word(first), "new" | "north" | "south" | "west" | "rhode")
}
