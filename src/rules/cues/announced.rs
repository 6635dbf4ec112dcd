//! Names after a label without a colon, `surname bishop, it is spelled as usual`, `same surname alert: Bishop`,
//! `Last name Bishop`, and before a bracketed label, `Bishop [surname]`.

use super::name::{Trust, end_of_name};
use crate::rules::engine::names::{NAMES, is_family_name, is_first_name, is_unlisted};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// One-word labels: `surname`.
static LABELS: WordSet = word_set!("cues-announced-labels");

/// Parts of a name, before `name`.
static PARTS: WordSet = word_set!("cues-announced-parts");

/// Words between the label and the name.
static PASSING: WordSet = word_set!("cues-announced-passing");

/// The maximum number of tokens between the label and the name: `Surname..... Bishop`.
const MAX_TOKENS_TO_NAME: usize = 8;

/// The maximum number of words of a clause that begins with the family name, before `, first name Rose`.
const MAX_CLAUSE_WORDS: usize = 8;

/// Lists of words that are not values.
const NOT_VALUES: Classes = Classes::of(&[Class::Stop, Class::NameField]);

/// Finds a name at a label.
pub(in crate::rules) fn find_announced_name(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let of_name = word_is!(note, at, "name") && at > 0 && note.follows(at) && PARTS.has(note, at - 1);
    if !of_name && !LABELS.has(note, at) {
        return;
    }
    let first = at - usize::from(of_name);
    find_name_before_label(note, first, at + 1, findings);
    let mut value = at + 1;
    while value < at + MAX_TOKENS_TO_NAME && note.same_line(value) && (is_mark(note, value) || PASSING.has(note, value))
    {
        value += 1;
    }
    if note.same_line(value) && is_announced_name(note, value) {
        let trust = if note.capitalised(value) { Trust::Capital } else { Trust::Any };
        let end = end_of_name(note, value, trust, 1).max(value + 1);
        findings.remove(value, end, Kind::Name, Certainty::Likely);
        find_repeats_in_sentence(note, value, end, findings);
    }
}

/// The maximum distance to look for repeats of a name: people repeat what they spell.
const MAX_REPEAT_DISTANCE: usize = 16;

/// Finds the name again in its sentence: `surname bishop with one s no just bishop`.
fn find_repeats_in_sentence(note: &Note<'_>, value: usize, end: usize, findings: &mut Findings) {
    for at in (end..end + MAX_REPEAT_DISTANCE).take_while(|&at| note.same_line(at) && !note.sentence_start(at)) {
        if note.is_word(at) && note.word(at) == note.word(value) {
            findings.remove(at, at + 1, Kind::Name, Certainty::Likely);
        }
    }
}

fn is_mark(note: &Note<'_>, at: usize) -> bool {
    note.is_any_mark(at, b":=.-_([<\"'*")
}

/// Returns whether a word is the announced name. In lower case it must be a known name and end the clause or precede a
/// stop word; not `surname unknown`, `last name changed`.
fn is_announced_name(note: &Note<'_>, at: usize) -> bool {
    let named = note.any(at, NAMES);
    if !note.is_word(at) || note.width(at) < 2 || note.any(at, NOT_VALUES) && !(named && note.case(at) == Case::Capital)
    {
        return false;
    }
    let next = at + 1;
    let small = note.case(at) == Case::Lower;
    // `the surname field is empty`, `no last name given, wants a test`
    if small && (word_is!(note, at, "field" | "box" | "page" | "card" | "tag") || PARTS.has(note, at)) {
        return false;
    }
    let clause_ends =
        note.ends_line(next) || !note.is_word(next) || note.any(next, NOT_VALUES) || small && note.capitalised(next);
    match note.case(at) {
        Case::Capital | Case::Mixed => named || is_unlisted(note, at),
        Case::Lower | Case::Upper => (is_family_name(note, at) || is_first_name(note, at)) && clause_ends,
    }
}

/// Finds `Bishop [surname]`, and the family name that begins the clause before `, first name Rose`.
fn find_name_before_label(note: &Note<'_>, first: usize, end: usize, findings: &mut Findings) {
    let Some(mark) = first.checked_sub(1).filter(|&mark| mark > 0 && note.same_line(first)) else { return };
    let named = |at: usize| note.any(at, NAMES) && note.capitalised(at) && note.width(at) > 1;
    let bracketed = note.is_any_mark(mark, b"[(<{") && note.joined(first) && note.is_any_mark(end, b"])>}");
    if bracketed && note.gap(mark) <= Gap::Space && named(mark - 1) {
        findings.remove(mark - 1, mark, Kind::Name, Certainty::Likely);
    }
    if !note.is_mark(mark, b',') {
        return;
    }
    let mut clause = mark - 1;
    while clause > 0 && mark - clause < MAX_CLAUSE_WORDS && !note.sentence_start(clause) && note.is_word(clause) {
        clause -= 1;
    }
    let alone = clause + 1 == mark || note.is(clause + 1, Class::Stop);
    if note.sentence_start(clause) && alone && named(clause) && note.is(clause, Class::Surname) {
        findings.remove(clause, clause + 1, Kind::Name, Certainty::Likely);
    }
}
