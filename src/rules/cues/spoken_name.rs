//! Full names made of ordinary words in text without meaningful capitals: `patient rose bishop comes in today`,
//! `hi its mark bishop my cough is worse`, `seen by drew no scratch that drew bishop`. Two consecutive names count
//! where the text introduces a person.

use crate::rules::engine::names::is_first_name;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Words before a person who speaks or is mentioned.
static BEFORE: WordSet = word_set!("cues-spoken-before");

/// Words after a person who is mentioned.
static AFTER: WordSet = word_set!("cues-spoken-after");

/// The minimum number of bearers of the second word as a family name (base-2 logarithm).
const MIN_LOG2_BEARERS: u8 = 11;

/// The same for a noun for a person: `patient young man has`.
const MIN_LOG2_BEARERS_OF_NOUN: u8 = 15;

/// Finds a full name at its first name.
pub(in crate::rules) fn find_spoken_name(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let last = at + 1 + usize::from(FILLERS.has(note, at + 1));
    let case = note.case(at);
    let row = (at + 1..=last).all(|word| note.follows(word));
    if case == Case::Capital || note.case(last) != case || !row || !is_first_name(note, at) {
        return;
    }
    // `gRACE hAND`: caps lock was on.
    let locked = case == Case::Mixed && note.is(last, Class::Surname) && note.width(last) > 2;
    let bearers = note.ranks(last).surname;
    // `will bring her son`
    let auxiliary = word_is!(note, at, "will" | "may");
    let named = note.is(last, Class::Surname)
        && !auxiliary
        && !note.is(at, Class::PersonNoun)
        && !note.any(last, Classes::of(&[Class::HumanVerb, Class::Stop]))
        && bearers >= if note.is(last, Class::PersonNoun) { MIN_LOG2_BEARERS_OF_NOUN } else { MIN_LOG2_BEARERS };
    if locked
        || named
            && (is_person_introduced(note, at) && is_person_spoken_of(note, last + 1) || is_speech_repair(note, at))
    {
        findings.remove(at, last + 1, Kind::Name, Certainty::Likely);
    }
}

/// Filler sounds between words of speech.
static FILLERS: WordSet = word_set!("cues-spoken-fillers");

/// Returns whether the context introduces a person: the start of a sentence, after `patient`, after a relative.
fn is_person_introduced(note: &Note<'_>, at: usize) -> bool {
    if at == 0 || note.sentence_start(at) || FILLERS.has(note, at - 1) {
        return true;
    }
    let called = word_is!(note, at - 1, "is") && at > 1 && word_is!(note, at - 2, "name" | "this" | "patient" | "here");
    note.same_line(at) && (called || BEFORE.has(note, at - 1) || note.is(at - 1, Class::Relative))
}

/// Returns whether a statement about the person follows the name.
fn is_person_spoken_of(note: &Note<'_>, next: usize) -> bool {
    let says = AFTER.has(note, next) || note.any(next, Classes::of(&[Class::PersonVerb, Class::HumanVerb]));
    note.follows(next) && says || note.is_mark(next, b',')
}

/// Returns whether a self-correction precedes: `no scratch that drew bishop`, `correction rose bishop`.
fn is_speech_repair(note: &Note<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let taken_back = word_is!(note, before, "that")
        && before > 0
        && word_is!(note, before - 1, "scratch" | "strike" | "make" | "correct" | "delete");
    let meant = word_is!(note, before, "mean") && before > 0 && word_is!(note, before - 1, "i");
    taken_back || meant || word_is!(note, before, "correction" | "sorry" | "rather")
}
