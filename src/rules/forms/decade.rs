//! Decades of a life: `in her 90s`, `mid-nineties`; not `systolic in the 90s`.

use crate::rules::engine::Note;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::vocabulary::Class;

/// Words for the person before a decade.
static WHOSE: WordSet = word_set!("forms-age-whose");

/// Words between the person and the decade: `was in her late 90s`.
static DECADE: WordSet = word_set!("forms-age-decade");

/// Returns whether it is a decade of a life: `in her 90s`, `mid 90s` of a person; not `systolic in the 90s`.
pub(super) fn is_decade_of_life(note: &Note<'_>, at: usize) -> bool {
    let mut before = at;
    for _ in 0..5 {
        if before == 0 || !note.follows(before) {
            return false;
        }
        before -= 1;
        if note.is_mark(before, b'-') {
            continue;
        }
        match note.bytes(before) {
            _ if WHOSE.has(note, before) => return true,
            _ if DECADE.has(note, before) => {}
            _ => {
                return note.is(before, Class::Relative) || word_is!(note, before, "lived" | "died" | "age" | "aged");
            }
        }
    }
    false
}
