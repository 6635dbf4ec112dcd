//! Labels of blocks, specimens, cassettes and diagnoses before what they name: `A1-A3: margin`, `B2 - one lymph node`,
//! `R05: Cough`.

use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Words after the label of a block or a diagnosis, besides clinical terms.
static NAMED: WordSet = word_set!("clinical-label-named");

/// Vouches for a label, at the first of its numbers.
pub(in crate::rules) fn keep_specimen_label(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if let Some((cue, first, last, certainty)) = labels_after_cut_word(note, at) {
        findings.keep_by(cue, first, last, certainty);
        return;
    }
    let Some(first) = at.checked_sub(1).filter(|&letter| is_letter_and_number(note, letter)) else { return };
    let start = first == 0
        || note.token(first).line_start()
        || note.sentence_start(first)
        || note.is_any_mark(first - 1, b";,:([*#");
    if !start {
        return;
    }
    let last = end_of_labels(note, at + 1);
    if note.token(last).glued() {
        return;
    }
    if is_in_list_of_labels(note, first, last) {
        findings.keep(first, last, Certainty::Sure);
        return;
    }
    let marked = (last..last + 3).find(|&mark| !note.is_any_mark(mark, b"*"));
    let Some(mark) = marked.filter(|&mark| note.is_any_mark(mark, b":=-") && note.same_line(mark)) else { return };
    // `A1-margin` is not a label.
    let apart = note.is_any_mark(mark, b":=") || !note.joined(mark) && !note.joined(mark + 1);
    let named = (mark + 1..mark + 4).find(|&word| note.is_word(word) || note.is_number(word));
    // `C1-C4: fallopian tube`: the first word modifies the second.
    let is_named = |word: usize| {
        names_specimen_or_finding(note, word)
            || last > at + 1
                && note.case(word) == Case::Lower
                && !note.any(word, OTHER)
                && note.is_word(word + 1)
                && note.same_line(word + 1)
                && names_specimen_or_finding(note, word + 1)
    };
    if apart && named.is_some_and(is_named) {
        findings.keep(first, last, Certainty::Sure);
    }
}

/// Returns the end (exclusive) of the labels that continue at `last`: `A1-A3`, `A1, A2`, `C1-4`, `A1 and A2`, `4A-4C`.
fn end_of_labels(note: &Note<'_>, mut last: usize) -> usize {
    let limit = last + 23;
    while last < limit {
        let next = last + 1;
        let joins = note.is_any_mark(last, b"-,&/") || word_is!(note, last, "and" | "to");
        let is_label = is_letter_and_number(note, next) || is_number_and_letter(note, next);
        if joins && is_label && note.same_line(next) {
            last = next + 2;
        } else if note.is_mark(last, b'-') && note.joined(last) && note.joined(next) && is_short(note, next) {
            last = next + 1;
        } else {
            break;
        }
    }
    last
}

/// Returns the word for a part cut from a specimen, and the labels after it with their end (exclusive): `cassette 3A`,
/// `slides A1-A4`. A block may also be a building.
fn labels_after_cut_word(note: &Note<'_>, at: usize) -> Option<(usize, usize, usize, Certainty)> {
    const PLACES: Classes = Classes::of(&[Class::StreetType, Class::City, Class::State, Class::Facility]);
    let before = at.checked_sub(1)?;
    let first = if is_number_and_letter(note, at) {
        at
    } else if is_letter_and_number(note, before) {
        before
    } else {
        return None;
    };
    let cue = first.checked_sub(1).filter(|&cue| note.same_line(first) && CUT.has(note, cue))?;
    let last = end_of_labels(note, first + 2);
    let may_be_building = word_is!(note, cue, "block" | "blocks" | "blk" | "blks");
    let mut near = (last..last + 6).take_while(|&word| note.same_line(word));
    if note.token(last).glued() || may_be_building && near.any(|word| note.any(word, PLACES)) {
        return None;
    }
    Some((cue, first, last, if may_be_building { Certainty::Weak } else { Certainty::Sure }))
}

/// The number of lines before and after in which to look for the neighbour of a list letter.
const MAX_LINE_DISTANCE: usize = 30;

/// The number of tokens before and after in which to look for the neighbour of a list letter within a line.
const MAX_TOKEN_DISTANCE: usize = 16;

/// Vouches for the letter of a list item if an item with an adjacent letter of the alphabet is nearby: `A. Right kidney`,
/// `B. Ureter`; `A: stomach, B: fundus`.
pub(in crate::rules) fn keep_list_letter(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if !is_list_letter(note, at) {
        return;
    }
    let (letter, mark) = (note.bytes(at)[0], note.bytes(at + 1));
    let is_neighbour = |other: usize| {
        is_list_letter(note, other) && note.bytes(other)[0].abs_diff(letter) == 1 && note.bytes(other + 1) == mark
    };
    let lines = note.layout().lines();
    let line = note.layout().line_index_of(at);
    let near = line.saturating_sub(MAX_LINE_DISTANCE)..lines.len().min(line + MAX_LINE_DISTANCE);
    let beside = at.saturating_sub(MAX_TOKEN_DISTANCE)..at + MAX_TOKEN_DISTANCE;
    if lines[near].iter().any(|line| is_neighbour(line.first())) || beside.into_iter().any(is_neighbour) {
        findings.keep(at, at + 1, Certainty::Sure);
    }
}

/// Returns whether a line, or an item within a line, begins with a letter, a mark and a word that is not a name.
fn is_list_letter(note: &Note<'_>, at: usize) -> bool {
    const NAMES: Classes = Classes::of(&[Class::Surname, Class::FirstName, Class::City, Class::NamePrefix]);
    const ORDINARY: Classes =
        Classes::of(&[Class::Stop, Class::Clinical, Class::English, Class::Literature, Class::Term]);
    let word = at + 2;
    let is_ordinary = note.is_word(word) && note.width(word) > 1 && note.any(word, ORDINARY) && {
        // `A. Long`: a name, unless an ordinary or clinical word follows.
        let next = word + 1;
        !note.any(word, NAMES)
            || note.is_word(next) && note.same_line(next) && note.any(next, ORDINARY) && !note.any(next, NAMES)
    };
    let (starts_line, bracket) = (note.token(at).line_start(), note.is_mark(at + 1, b')'));
    let starts_item = at > 0 && note.is_any_mark(at - 1, b",;:.") && !note.joined(at);
    note.is_word(at)
        && note.width(at) == 1
        && (note.case(at) == Case::Upper || bracket)
        && (bracket || note.is_mark(at + 1, b':') || note.is_mark(at + 1, b'.') && starts_line)
        && (starts_line || starts_item)
        && note.joined(at + 1)
        && note.same_line(word)
        && !note.joined(word)
        && is_ordinary
}

/// Parts cut from a specimen, before a list of labels: `Blocks: A1 ink black, A2 tips`.
static CUT: WordSet = word_set!("clinical-label-cut");

/// Returns whether a label with one of the first letters, and its text, belongs to a list that such a word begins.
fn is_in_list_of_labels(note: &Note<'_>, label: usize, last: usize) -> bool {
    const MAX_DISTANCE: usize = 40;
    let early = matches!(note.bytes(label), [b'a'..=b'h']);
    let named = note.is_word(last) && note.case(last) == Case::Lower && note.same_line(last);
    if !early || !named || label == 0 || !note.is_any_mark(label - 1, b":,;") {
        return false;
    }
    let colon = (label.saturating_sub(MAX_DISTANCE)..label)
        .rev()
        .take_while(|&at| note.same_line(at + 1))
        .find(|&at| note.is_mark(at, b':'));
    colon.is_some_and(|colon| colon > 0 && CUT.has(note, colon - 1))
}

/// Returns whether it is a capital letter with a glued number of one or two digits: `A1`.
fn is_letter_and_number(note: &Note<'_>, letter: usize) -> bool {
    note.is_word(letter)
        && note.width(letter) == 1
        && note.case(letter) == Case::Upper
        && !note.token(letter).glued()
        && note.token(letter + 1).glued()
        && is_short(note, letter + 1)
}

/// Returns whether it is a number of one or two digits with a glued letter: `3A`.
fn is_number_and_letter(note: &Note<'_>, number: usize) -> bool {
    let letter = number + 1;
    is_short(note, number)
        && !note.token(number).glued()
        && note.token(letter).glued()
        && note.is_word(letter)
        && note.width(letter) == 1
        && !note.token(letter + 1).glued()
}

fn is_short(note: &Note<'_>, at: usize) -> bool {
    note.integer(at).is_some() && note.width(at) <= 2
}

/// Lists of words that a label does not name.
const OTHER: Classes = Classes::of(&[Class::WardNoun, Class::PersonNoun, Class::FirstName, Class::Facility]);

/// Returns whether the word is what a label names: tissue, a finding, a number of pieces; not a ward or a person.
fn names_specimen_or_finding(note: &Note<'_>, at: usize) -> bool {
    const MEDICINE: Classes = Classes::of(&[Class::Clinical, Class::Term]);
    NAMED.has(note, at) || note.any(at, MEDICINE) && !note.any(at, OTHER) && !note.is(at, Class::Surname)
}
