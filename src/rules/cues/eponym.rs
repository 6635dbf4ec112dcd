//! Eponyms, names with a medical meaning: `Foley catheter`, `positive Babinski`, `Jackson-Pratt drain`,
//! `Graves' disease`.

use crate::rules::engine::is_roman_numeral;
use crate::rules::engine::names::NAMES;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::rules::forms::place::is_on_no_word_list;
use crate::text::token::{Case, Kind};
use crate::vocabulary::{Class, Classes};

/// The maximum number of bearers (base-2 logarithm) of a name that may have a grade without being on the list of
/// scores.
const MAX_LOG2_BEARERS_WITH_GRADE: u8 = 9;

/// The maximum number of bearers (base-2 logarithm) of a name that may be possessive without a noun, or stand alone if
/// the model judges it harmless. Compared with 9, this limit kept 411 more words and leaked 21 identifying ones in
/// leave-one-batch-out cross-validation, about the ratio that the default strictness accepts.
const MAX_LOG2_BEARERS: u8 = 12;

/// Vouches for an eponym, at its first word.
pub(in crate::rules) fn keep_eponym(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(first) = follows_person_cue(note, at) else { return };
    let mut end = at + 1;
    // `Jackson-Pratt`, `Hunt and Hess`, `Wolff-Parkinson-White`: several names.
    while end < at + 5
        && (note.is_mark(end, b'-') && note.joined(end) || word_is!(note, end, "and" | "&"))
        && (note.is(end + 1, Class::Eponym) || end > at + 1 && note.case(end + 1) == Case::Capital)
    {
        end += 2;
    }
    let several = end > at + 1;
    let owner = note.token(end).kind == Kind::Possessive || note.is_mark(end, b'\'') && note.joined(end);
    end += usize::from(owner);
    let ranks = note.ranks(at);
    let rank = ranks.surname.max(ranks.first_name);
    if let Some(noun) = eponym_noun_after(note, end) {
        // `Fontan circulation` is never a person; `Foley urinary catheter` may be a name and a word.
        let adjacent = noun == end && !follows_other_name(note, at) && note.case(noun) == Case::Lower;
        findings.keep(at, end, if adjacent { Certainty::Sure } else { Certainty::Likely });
        // `Chiari II malformation`
        let grade = noun > end && is_roman_numeral(note.bytes(end));
        findings.keep(if grade { end } else { noun }, noun + 1, Certainty::Likely);
    } else if first && !follows_article_or_adjective(note, at) {
        // `seen by Foley`: no clinical word is adjacent.
    } else if several
        || owner && rank <= MAX_LOG2_BEARERS
        || follows_article_or_adjective(note, at)
        || test_result_follows(note, end)
    {
        findings.keep(at, end, Certainty::Likely);
    } else if grade_follows(note, end) && (note.is(at, Class::Score) || rank <= MAX_LOG2_BEARERS_WITH_GRADE) {
        findings.keep(at, end, Certainty::Likely);
        findings.keep_by(at, end, end + 1, Certainty::Weak);
    } else if rank <= MAX_LOG2_BEARERS {
        // The model decides whether it is a person's name here.
        findings.keep(at, end, Certainty::Weak);
    }
}

/// Returns the noun after an eponym that ends before `end`, with at most one word in between: `Foley urinary catheter`,
/// `Glasgow coma scale`.
fn eponym_noun_after(note: &Note<'_>, end: usize) -> Option<usize> {
    (end..end + 2)
        .find(|&noun| note.follows(noun) && note.is(noun, Class::EponymNoun) && (noun == end || note.is_word(end)))
        .filter(|&noun| noun == end || !note.any(end, Classes::of(&[Class::Stop, Class::PersonVerb])))
}

/// Words before the name of a person.
static LEADING_PEOPLE: WordSet = word_set!("cues-eponym-leading-people");

/// Returns whether a first name or a word that introduces people precedes; `None` after a title, where the name is a
/// person's.
fn follows_person_cue(note: &Note<'_>, at: usize) -> Option<bool> {
    let Some(before) = at.checked_sub(1).filter(|_| note.same_line(at)) else { return Some(false) };
    // `Dr. Foley`, `Mr. Graves`
    if note.is(before - usize::from(note.is_mark(before, b'.') && before > 0), Class::Title) {
        return None;
    }
    Some(follows_other_name(note, at) || LEADING_PEOPLE.has(note, before))
}

/// Returns whether another name precedes: `Rose Foley`.
fn follows_other_name(note: &Note<'_>, at: usize) -> bool {
    let other = Classes::of(&[Class::Eponym, Class::Score]);
    let before = at.wrapping_sub(1);
    note.same_line(at)
        && note.case(before) == Case::Capital
        && (is_on_no_word_list(note, before) || note.any(before, NAMES))
        && !note.any(before, other)
}

/// Words before a thing with a name: `the Foley`, `bilateral Evans`.
static LEADING_THINGS: WordSet = word_set!("cues-eponym-leading-things");

/// Returns whether an article, an adjective or a number precedes, as before things but not people: `a Foley`,
/// `no Babinski`, `24 Fr. Foley`.
fn follows_article_or_adjective(note: &Note<'_>, at: usize) -> bool {
    let point = at > 1 && note.is_mark(at - 1, b'.') && note.joined(at - 1) && word_is!(note, at - 2, "fr");
    let Some(before) = at.checked_sub(1 + usize::from(point)).filter(|_| note.follows(at)) else { return false };
    // `WITH ILONKA A BAKER`: an initial.
    word_is!(note, before, "a") && note.case(before) == Case::Lower
        || LEADING_THINGS.has(note, before)
        // `0 Evans Ellery`: before a further name, the number is a house number.
        || note.is_number(before) && !note.joined(at) && !(note.case(at + 1) == Case::Capital && is_on_no_word_list(note, at + 1))
}

/// Words for test results or the state of a thing.
static RESULTS: WordSet = word_set!("cues-eponym-results");

/// Returns whether a test result follows the name that ends before `end`: `Lachman +`, `Phalen neg`, `Tinel -ve`.
fn test_result_follows(note: &Note<'_>, end: usize) -> bool {
    let next = end + 1;
    let sign = note.is_any_mark(end, b"+-")
        && (word_is!(note, next, "ve") || !note.joined(end) && note.is_any_mark(next, b",;.)") || note.ends_line(next));
    let told = RESULTS.has(note, end) && note.case(end) != Case::Capital;
    note.same_line(end) && (sign || told)
}

/// Returns whether a grade follows: `Bishop 6`, `Wells 4.5`.
fn grade_follows(note: &Note<'_>, end: usize) -> bool {
    let short = note.number(end).is_some_and(|number| number.digits(0) <= 2 && number.len() <= 2);
    short && note.same_line(end) && !note.token(end + 1).glued() && !note.is_any_mark(end + 1, b"/-:")
}
