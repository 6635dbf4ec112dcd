//! Listed clinical terms that contain a name, a place, a number or a letter: `Milan criteria`, `Hinchey III`,
//! `day of life 12`, `COVID-19`, `beta-blocker`, `s/p Whipple`, `the ISCHEMIA trial`.
//!
//! The lists are the evidence, so they vouch for words that are on no other list. A pattern is a sequence of words
//! separated by blanks; each blank also matches a hyphen, a slash or a line break. `#` matches a number, `@` a grade: a
//! Roman numeral, a letter or a figure.

#![allow(clippy::items_after_statements, reason = "a list stands where it is asked")]

use super::marker::is_among_lower_case;
use crate::policy::ORDINARY;
use crate::rules::engine::is_roman_numeral;
use crate::rules::engine::patterns::Patterns;
use crate::rules::engine::word_sets::{WordSet, word_is, word_list, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::{Case, Kind};
use crate::vocabulary::{Class, Classes};

/// Whole terms: `covid 19`, `day of life #`.
static TERMS: Patterns<{ Patterns::<0>::slots_needed(TERMS_LIST) }> = Patterns::new(TERMS_LIST);
const TERMS_LIST: &[&str] = word_list!("clinical-phrase-terms");

/// Names of scales, classifications, criteria and rules, which need a noun or a grade: `milan`, `lund mackay`.
static SCALES: Patterns<{ Patterns::<0>::slots_needed(SCALES_LIST) }> = Patterns::new(SCALES_LIST);
const SCALES_LIST: &[&str] = word_list!("clinical-phrase-scales");

/// Nouns for scales: `criteria`, `classification`.
static SCALE_NOUNS: WordSet = word_set!("clinical-phrase-scale-nouns");

/// Devices and operations known by a name alone: `foley`, `whipple`, `roux en y`.
static THINGS: Patterns<{ Patterns::<0>::slots_needed(THINGS_LIST) }> = Patterns::new(THINGS_LIST);
const THINGS_LIST: &[&str] = word_list!("clinical-phrase-things");

/// Words before a device or an operation, never before a person: `s/p`, `laparoscopic`, `indwelling`.
static BEFORE_THINGS: WordSet = word_set!("clinical-phrase-before-things");

/// Words after a device or an operation, never after a person: `draining`, `anastomosis`, `removed`.
static AFTER_THINGS: WordSet = word_set!("clinical-phrase-after-things");

/// Acronyms of trials in capitals.
static TRIALS: WordSet = word_set!("clinical-phrase-trials");

/// Returns the lists, for checks of the output.
pub(in crate::rules) const fn term_lists() -> [&'static [&'static str]; 5] {
    [TERMS.list(), SCALES.list(), SCALE_NOUNS.words(), THINGS.list(), TRIALS.words()]
}

/// Nouns for trials: `trial`, `study`.
static TRIAL_NOUNS: WordSet = word_set!("clinical-phrase-trial-nouns");

/// The maximum number of bearers (base-2 logarithm) of a name that may have a grade without a noun.
const MAX_LOG2_BEARERS: u8 = 12;

const PLACES: Classes = Classes::of(&[Class::City, Class::State, Class::County]);

/// Vouches for a term that begins at a word.
pub(in crate::rules) fn keep_listed_term(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let key = note.key(at);
    let [terms, scales, things] = [TERMS.starting_with(key), SCALES.starting_with(key), THINGS.starting_with(key)];
    if terms.len() + scales.len() + things.len() > 0 && !note.token(at).glued() && !is_after_title(note, at) {
        let scale = end_of_longest_match(note, at, scales).and_then(|end| end_of_scale(note, at, end));
        let thing = end_of_longest_match(note, at, things).and_then(|end| end_of_device_or_operation(note, at, end));
        if let Some(end) = end_of_longest_match(note, at, terms).max(scale).max(thing) {
            // `A Jackson-Pratt was placed`: an article, not an initial.
            let article =
                at > 0 && note.sentence_start(at - 1) && word_is!(note, at - 1, "a" | "an") && note.same_line(at);
            findings.keep(at - usize::from(article), end, Certainty::Sure);
        }
    }
    if note.case(at) == Case::Upper && TRIALS.has(note, at) && names_trial(note, at) {
        findings.keep(at, at + 1, Certainty::Sure);
    }
}

/// Returns whether a title precedes: `Dr. Whipple` is a person.
fn is_after_title(note: &Note<'_>, at: usize) -> bool {
    let point = usize::from(at > 1 && note.is_mark(at - 1, b'.'));
    let before = at.wrapping_sub(1 + point);
    note.is(before, Class::Title) && note.capitalised(before) && note.same_line(at)
}

/// Returns the end (exclusive) of the longest pattern that matches at the token.
fn end_of_longest_match(note: &Note<'_>, at: usize, patterns: &[&str]) -> Option<usize> {
    patterns.iter().filter_map(|pattern| end_of_match(note, at, pattern)).max()
}

/// Returns the end (exclusive) of the match of a pattern.
fn end_of_match(note: &Note<'_>, first: usize, pattern: &str) -> Option<usize> {
    let mut at = first;
    for (nth, part) in pattern.as_bytes().split(|&byte| byte == b' ').enumerate() {
        if nth > 0 {
            let point = note.is_mark(at, b'.') && note.width(at - 1) == 1;
            at += usize::from(note.joined(at) && (point || note.is_any_mark(at, b"-/") && note.joined(at + 1)));
            if note.gap(at) > crate::text::token::Gap::Line {
                return None;
            }
        }
        at = match part {
            b"#" => end_of_number(note, at)?,
            b"@" => end_of_grade(note, at)?,
            _ if note.bytes(at) == part => at + 1,
            _ => return None,
        };
        // `Ward's`: the possessive is a separate token.
        at += usize::from(note.token(at).kind == Kind::Possessive);
    }
    (!note.token(at).glued()).then_some(at)
}

/// Returns the end (exclusive) of a number of up to three digits, optionally with a decimal part.
fn end_of_number(note: &Note<'_>, at: usize) -> Option<usize> {
    let number = note.number(at)?;
    let short = number.digits(0) <= 3 && (number.len() == 1 || number.len() == 2 && number.has_form(2, b'.'));
    (short && !note.token(at + 1).glued() && note.same_line(at)).then_some(at + 1)
}

/// Returns the end (exclusive) of a grade: `III`, `B`, `4`, `2A`, `IIIb`.
fn end_of_grade(note: &Note<'_>, at: usize) -> Option<usize> {
    let word = note.bytes(at);
    let stem = word.strip_suffix(b"a").or_else(|| word.strip_suffix(b"b")).or_else(|| word.strip_suffix(b"c"));
    let grade = note.is_word(at)
        && (is_roman_numeral(word)
            || stem.is_some_and(|stem| stem.is_empty() || is_roman_numeral(stem))
            || word == b"d");
    if !note.same_line(at) {
        return None;
    }
    if grade && note.capitalised(at) && !note.is_mark(at + 1, b'.') && !note.token(at + 1).glued() {
        return Some(at + 1);
    }
    let end = at + 1;
    // `A2`
    if note.is_word(at) && note.width(at) == 1 && note.token(end).glued() && note.is_number(end) && note.width(end) == 1
    {
        return (!note.token(end + 1).glued()).then_some(end + 1);
    }
    let letter = note.token(end).glued() && note.width(end) == 1 && note.is_word(end);
    let figure = note.integer(at).is_some() && note.width(at) <= 2;
    (figure && !note.token(end + usize::from(letter)).glued()).then_some(end + usize::from(letter))
}

/// Returns the end (exclusive) of a scale with its noun, optionally after other words (`Ottawa ankle rules`), or with
/// its grade (`Hinchey III`).
fn end_of_scale(note: &Note<'_>, at: usize, end: usize) -> Option<usize> {
    const MAX_WORDS: usize = 3;
    const MAX_TOKENS: usize = 12;
    const NAMES: Classes =
        Classes::of(&[Class::Facility, Class::Organisation, Class::PlaceAfter, Class::State, Class::Credential]);
    if !note.capitalised(at) && note.case(at) != Case::Lower {
        return None;
    }
    for noun in end..=end + MAX_WORDS {
        if !note.is_word(noun) || !note.follows(noun) || note.any(noun, NAMES) {
            break;
        }
        if SCALE_NOUNS.has(note, noun) {
            // `classification A2`, `class I`, `score 14`
            let mut last = noun + 1;
            while let Some(end) = end_of_grade(note, last).filter(|&end| end < noun + MAX_TOKENS) {
                last = end;
            }
            return Some(last);
        }
        if noun > end && note.is(noun, Class::Stop) || !note.any(noun, ORDINARY) {
            break;
        }
    }
    // `Boston 4` and `Fisher 3` may be a place and a person: their grade needs a graded noun after it,
    // `Stanford B dissection`.
    let ranks = note.ranks(at);
    let rare = end > at + 1 || ranks.surname.max(ranks.first_name) <= MAX_LOG2_BEARERS && !note.any(at, PLACES);
    let is_finding = |last: usize| {
        note.case(last) == Case::Lower
            && note.follows(last)
            && note.any(last, Classes::of(&[Class::EponymNoun, Class::Clinical]))
    };
    let graded = end_of_grade(note, end).filter(|&last| note.capitalised(at) && (rare || is_finding(last)));
    graded.filter(|&last| !note.is_any_mark(last, b"/-:") || !note.joined(last))
}

/// Returns the end (exclusive) of a device or an operation if the words around it confirm it.
fn end_of_device_or_operation(note: &Note<'_>, at: usize, end: usize) -> Option<usize> {
    let after = note.follows(end) && note.is_word(end) && AFTER_THINGS.has(note, end);
    let in_place = word_is!(note, end, "in") && word_is!(note, end + 1, "place" | "situ");
    let before = at > 0 && note.follows(at) && {
        let hyphen = usize::from(at > 1 && note.is_mark(at - 1, b'-') && note.joined(at));
        let slash = at > 2 && word_is!(note, at - 1, "p") && note.is_mark(at - 2, b'/') && word_is!(note, at - 3, "s");
        slash
            || note.is_word(at - 1 - hyphen) && BEFORE_THINGS.has(note, at - 1 - hyphen)
            || follows_person_with(note, at)
    };
    let several = end > at + 2;
    (several || after || in_place || before).then_some(end)
}

/// Returns whether a person and `with` or `has` precede: `Pt with Foley`, `patient has Foley`.
fn follows_person_with(note: &Note<'_>, at: usize) -> bool {
    at > 1
        && word_is!(note, at - 1, "with" | "w" | "has" | "had" | "without")
        && (note.is(at - 2, Class::PersonNoun) || word_is!(note, at - 2, "pt" | "he" | "she"))
}

/// Returns whether the acronym names a trial: its noun is adjacent, or it is in capitals among words that are not.
fn names_trial(note: &Note<'_>, at: usize) -> bool {
    let noun = at + 1 + 2 * usize::from(note.is_mark(at + 1, b'-') && note.is_number(at + 2));
    TRIAL_NOUNS.has(note, noun)
        || at > 0
            && is_among_lower_case(note, at)
            && word_is!(note, at - 1, "per" | "the" | "in" | "to" | "trial" | "study")
}
