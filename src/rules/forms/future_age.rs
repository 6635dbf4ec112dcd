//! Future ages.

use crate::rules::engine::Note;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::vocabulary::{Class, Classes};

/// Words before the time of a future age.
static LEADING: WordSet = word_set!("forms-coming-age-leading");

/// Returns whether an age lies in the future: `will be a hundred in spring`, `is going to be 96 at Christmas`,
/// `will be 91 next week`.
pub(super) fn is_future_age(note: &Note<'_>, verb: usize, last: usize, ends: bool) -> bool {
    const TIMES: Classes = Classes::of(&[Class::Month, Class::Season, Class::Holiday, Class::Weekday, Class::Duration]);
    let future = word_is!(note, verb, "will" | "'ll") || word_is!(note, verb + 1, "going");
    let leads = LEADING.has(note, last);
    let then = last + 1 + usize::from(word_is!(note, last + 1, "the" | "a" | "her" | "his"));
    future && (ends || note.follows(last) && leads && note.follows(then) && note.any(then, TIMES))
}
