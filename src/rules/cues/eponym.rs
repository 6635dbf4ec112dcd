//! Names that are medicine: `Foley catheter`, `positive Babinski`, `Jackson-Pratt drain`, `Graves' disease`.

use crate::rules::engine::is_roman_numeral;
use crate::rules::engine::names::NAMES;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::rules::forms::place::is_on_no_word_list;
use crate::text::token::{Case, Kind};
use crate::vocabulary::{Class, Classes};

/// Names carried by at most this many people (base-2 logarithm) may be graded without a list of scores.
const RARE: u8 = 9;

/// Names carried by at most this many people (base-2 logarithm) may be owned without a noun, and stand alone where the model takes
/// them for nobody: beside a limit of 9 that kept 411 words more and let 21 identifying ones out, in notes from whose batches nothing
/// was learned, as many as the default strictness weighs against each other.
const FEW: u8 = 12;

/// Anchor: an eponym.
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
        // `Fontan circulation`: nobody is called so; `Foley urinary catheter` may be a name and a word.
        let adjacent = noun == end && !follows_other_name(note, at) && note.case(noun) == Case::Lower;
        findings.keep(at, end, if adjacent { Certainty::Sure } else { Certainty::Likely });
        // `Chiari II malformation`
        let grade = noun > end && is_roman_numeral(note.bytes(end));
        findings.keep(if grade { end } else { noun }, noun + 1, Certainty::Likely);
    } else if first && !follows_article_or_adjective(note, at) {
        // `seen by Foley`: nothing of medicine stands by it.
    } else if several
        || owner && rank <= FEW
        || follows_article_or_adjective(note, at)
        || test_result_follows(note, end)
    {
        findings.keep(at, end, Certainty::Likely);
    } else if grade_follows(note, end) && (note.is(at, Class::Score) || rank <= RARE) {
        findings.keep(at, end, Certainty::Likely);
        findings.keep_by(at, end, end + 1, Certainty::Weak);
    } else if rank <= FEW {
        // Whether it is somebody's name here the model decides.
        findings.keep(at, end, Certainty::Weak);
    }
}

/// The noun after an eponym that ends before `end`. It may have a word before it: `Foley urinary catheter`, `Glasgow coma scale`.
fn eponym_noun_after(note: &Note<'_>, end: usize) -> Option<usize> {
    (end..end + 2)
        .find(|&noun| note.follows(noun) && note.is(noun, Class::EponymNoun) && (noun == end || note.is_word(end)))
        .filter(|&noun| noun == end || !note.any(end, Classes::of(&[Class::Stop, Class::PersonVerb])))
}

/// Words before a name that only people have.
static LEADING_PEOPLE: WordSet = word_set!("cues-eponym-leading-people");

/// Whether a first name or a word that leads to people stands before the name; `None` after a title, where it is a person's.
fn follows_person_cue(note: &Note<'_>, at: usize) -> Option<bool> {
    let Some(before) = at.checked_sub(1).filter(|_| note.same_line(at)) else { return Some(false) };
    // `Dr. Foley`, `Mr. Graves`
    if note.is(before - usize::from(note.is_mark(before, b'.') && before > 0), Class::Title) {
        return None;
    }
    Some(follows_other_name(note, at) || LEADING_PEOPLE.has(note, before))
}

/// Whether another name stands before it: `Rose Foley`.
fn follows_other_name(note: &Note<'_>, at: usize) -> bool {
    let other = Classes::of(&[Class::Eponym, Class::Score]);
    let before = at.wrapping_sub(1);
    note.same_line(at)
        && note.case(before) == Case::Capital
        && (is_on_no_word_list(note, before) || note.any(before, NAMES))
        && !note.any(before, other)
}

/// Words before a thing that is called by a name: `the Foley`, `bilateral Evans`.
static LEADING_THINGS: WordSet = word_set!("cues-eponym-leading-things");

/// Articles, adjectives and numbers go before things, not before people: `a Foley`, `no Babinski`, `24 Fr. Foley`.
fn follows_article_or_adjective(note: &Note<'_>, at: usize) -> bool {
    let point = at > 1 && note.is_mark(at - 1, b'.') && note.joined(at - 1) && word_is!(note, at - 2, "fr");
    let Some(before) = at.checked_sub(1 + usize::from(point)).filter(|_| note.follows(at)) else { return false };
    // `WITH ILONKA A BAKER`: an initial.
    word_is!(note, before, "a") && note.case(before) == Case::Lower
        || LEADING_THINGS.has(note, before)
        // `0 Evans Ellery`: with a name after it the number is that of a house.
        || note.is_number(before) && !note.joined(at) && !(note.case(at + 1) == Case::Capital && is_on_no_word_list(note, at + 1))
}

/// Words that say how a test went, or what is with a thing.
static RESULTS: WordSet = word_set!("cues-eponym-results");

/// Whether the result of a test stands after its name, which ends before `end`: `Lachman +`, `Phalen neg`, `Tinel -ve`.
fn test_result_follows(note: &Note<'_>, end: usize) -> bool {
    let next = end + 1;
    let sign = note.is_any_mark(end, b"+-")
        && (word_is!(note, next, "ve") || !note.joined(end) && note.is_any_mark(next, b",;.)") || note.ends_line(next));
    let told = RESULTS.has(note, end) && note.case(end) != Case::Capital;
    note.same_line(end) && (sign || told)
}

/// Whether a grade stands after it: `Bishop 6`, `Wells 4.5`.
fn grade_follows(note: &Note<'_>, end: usize) -> bool {
    let short = note.number(end).is_some_and(|number| number.digits(0) <= 2 && number.len() <= 2);
    short && note.same_line(end) && !note.token(end + 1).glued() && !note.is_any_mark(end + 1, b"/-:")
}
