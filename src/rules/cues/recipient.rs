//! Family names of people who receive a result or perform an action, alone after `to` or `by`:
//! `CRITICAL POTASSIUM CALLED TO BISHOP AT 1020`, `read back by bishop`.

use crate::rules::engine::names::is_family_name;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::vocabulary::{Class, Classes};

/// Actions on a result or a unit of blood, before `to`.
static TO: WordSet = word_set!("cues-told-to");

/// Actions before `by`.
static BY: WordSet = word_set!("cues-told-by");

/// Words after the name.
static AFTER: WordSet = word_set!("cues-told-after");

/// Lists of places, roles, body parts and times: `called to bedside`, `drawn by hand`.
const NOBODY: Classes = Classes::of(&[
    Class::WardNoun,
    Class::Facility,
    Class::PersonNoun,
    Class::Relative,
    Class::Title,
    Class::Credential,
    Class::Term,
    Class::Unit,
    Class::Duration,
    Class::NumberWord,
]);

/// Finds a name after `to` or `by`, which are both on the list of name fields.
pub(in crate::rules) fn find_told_name(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(verb) = at.checked_sub(1) else { return };
    let done = word_is!(note, at, "to") && TO.has(note, verb) || word_is!(note, at, "by") && BY.has(note, verb);
    let read_back = word_is!(note, verb, "back") && verb > 0 && word_is!(note, verb - 1, "read");
    let done = done || word_is!(note, at, "by") && read_back;
    let (name, next) = (at + 1, at + 2);
    if !done || !note.follows(at) || !note.follows(name) || !is_family_name(note, name) || note.any(name, NOBODY) {
        return;
    }
    let ends = note.ends_line(next) || note.is_any_mark(next, b".,;)") || note.sentence_start(next);
    if ends || note.follows(next) && AFTER.has(note, next) {
        findings.remove(name, next, Kind::Name, Certainty::Likely);
    }
}
