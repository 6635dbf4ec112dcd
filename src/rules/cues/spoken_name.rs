//! Full names in text whose capitals tell nothing, of words that are words as well: `patient rose bishop comes in today`, `hi its
//! mark bishop my cough is worse`, `seen by drew no scratch that drew bishop`. Two names in a row where somebody is spoken of.

use crate::rules::engine::names::is_first_name;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Words before whoever begins to speak or is spoken of.
static BEFORE: WordSet = word_set!("cues-spoken-before");

/// Words after whoever is spoken of.
static AFTER: WordSet = word_set!("cues-spoken-after");

/// How many people bear the second word as their family name, in powers of two.
const BEARERS: u8 = 11;

/// How many people bear a word for a person as their family name for it to be one here: `patient young man has`.
const BEARERS_OF_NOUN: u8 = 15;

/// Anchor: a first name.
pub(in crate::rules) fn find_spoken_name(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let last = at + 1 + usize::from(FILLERS.has(note, at + 1));
    let case = note.case(at);
    let row = (at + 1..=last).all(|word| note.follows(word));
    if case == Case::Capital || note.case(last) != case || !row || !is_first_name(note, at) {
        return;
    }
    // `gRACE hAND`: capitals were locked.
    let locked = case == Case::Mixed && note.is(last, Class::Surname) && note.width(last) > 2;
    let bearers = note.ranks(last).surname;
    // `will bring her son`
    let auxiliary = word_is!(note, at, "will" | "may");
    let named = note.is(last, Class::Surname)
        && !auxiliary
        && !note.is(at, Class::PersonNoun)
        && !note.any(last, Classes::of(&[Class::HumanVerb, Class::Stop]))
        && bearers >= if note.is(last, Class::PersonNoun) { BEARERS_OF_NOUN } else { BEARERS };
    if locked
        || named
            && (is_person_introduced(note, at) && is_person_spoken_of(note, last + 1) || is_speech_repair(note, at))
    {
        findings.remove(at, last + 1, Kind::Name, Certainty::Likely);
    }
}

/// Sounds between words of speech.
static FILLERS: WordSet = word_set!("cues-spoken-fillers");

/// Whether somebody is to be named here: at the beginning of a sentence, after `patient`, after whose relative it is.
fn is_person_introduced(note: &Note<'_>, at: usize) -> bool {
    if at == 0 || note.sentence_start(at) || FILLERS.has(note, at - 1) {
        return true;
    }
    let called = word_is!(note, at - 1, "is") && at > 1 && word_is!(note, at - 2, "name" | "this" | "patient" | "here");
    note.same_line(at) && (called || BEFORE.has(note, at - 1) || note.is(at - 1, Class::Relative))
}

/// Whether something is said of whom the words before name.
fn is_person_spoken_of(note: &Note<'_>, next: usize) -> bool {
    let says = AFTER.has(note, next) || note.any(next, Classes::of(&[Class::PersonVerb, Class::HumanVerb]));
    note.follows(next) && says || note.is_mark(next, b',')
}

/// Whether somebody mends what was said: `no scratch that drew bishop`, `correction rose bishop`.
fn is_speech_repair(note: &Note<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let taken_back = word_is!(note, before, "that")
        && before > 0
        && word_is!(note, before - 1, "scratch" | "strike" | "make" | "correct" | "delete");
    let meant = word_is!(note, before, "mean") && before > 0 && word_is!(note, before - 1, "i");
    taken_back || meant || word_is!(note, before, "correction" | "sorry" | "rather")
}
