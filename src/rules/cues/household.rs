//! Families by name: `the Bishop children`, `spoke to the Bishop family`, `the Bishops are at the bedside`.

use crate::rules::engine::names::is_family_name;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Nouns for several people with one name.
static MEMBERS: WordSet = word_set!("cues-household-members");

/// Actions of families.
static ACTS: WordSet = word_set!("cues-household-acts");

/// Places and states of families.
static STATES: WordSet = word_set!("cues-household-states");

/// Other nouns for groups of people: `The Parents are here`.
const NOBODY: Classes =
    Classes::of(&[Class::PersonNoun, Class::Relative, Class::Title, Class::Facility, Class::Clinical]);

/// Finds a family name at a capitalised word, unlike other modifiers: `the whole family`.
pub(in crate::rules) fn find_household_name(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let next = at + 1;
    let led = at > 0 && word_is!(note, at - 1, "the" | "whole" | "entire" | "other" | "both");
    if !led || note.case(at) != Case::Capital || note.gap(at) != Gap::Space || note.gap(next) != Gap::Space {
        return;
    }
    let singular = note.case(next) == Case::Lower && MEMBERS.has(note, next) && is_family_name(note, at);
    if singular || is_plural_name(note, at) && is_of_people(note, next) {
        findings.remove(at, next, Kind::Name, Certainty::Likely);
    }
}

/// Returns whether a word is a family name in the plural: `Bishops`.
fn is_plural_name(note: &Note<'_>, at: usize) -> bool {
    let Some(one) = note.word(at).strip_suffix('s') else { return false };
    !note.any(at, NOBODY) && (is_family_name(note, at) || note.classes_of(one).has(Class::Surname))
}

/// Returns whether the predicate applies only to people.
fn is_of_people(note: &Note<'_>, verb: usize) -> bool {
    ACTS.has(note, verb) || word_is!(note, verb, "are" | "were") && note.follows(verb + 1) && STATES.has(note, verb + 1)
}
