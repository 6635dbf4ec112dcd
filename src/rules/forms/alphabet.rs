//! Words spelled with words, `B as in banana, R as in rain`, `W like water, H like house`, `whiskey hotel india tango`,
//! or in Morse code.

use crate::rules::engine::names::{is_family_name, is_first_name, is_unlisted, name_log_odds};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{Gap, Kind as Token};

/// The words of the aviation and telephony alphabets.
static ALPHABET: WordSet = word_set!("forms-alphabet-words");

/// The minimum number of consecutive alphabet words; fewer may be medicine: `echo`, `delta`.
const MIN_ALPHABET_WORDS: usize = 4;

/// The maximum number of tokens of a spelled word.
const MAX_TOKENS: usize = 160;

/// Finds letters with their words, at the first letter.
pub(in crate::rules) fn find_spelled_letters(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some((mut last, mut sure)) = end_of_spelling_unit(note, at) else { return };
    let mut units = 1;
    while last < at + MAX_TOKENS {
        let next = (last..last + 4).find(|&next| !is_between_spelling_units(note, next)).unwrap_or(last);
        let Some((end, says)) = end_of_spelling_unit(note, next) else { break };
        (last, units, sure) = (end, units + 1, sure | says);
    }
    if sure || units > 2 {
        // `that's bishop s as in sam`: the spelled word precedes.
        let spelled = at > 0 && note.follows(at) && (is_family_name(note, at - 1) || is_first_name(note, at - 1));
        findings.remove(at - usize::from(sure && spelled), last, Kind::Name, Certainty::Sure);
    }
}

/// Returns the end (exclusive) of `B as in banana`, `W like water`, `N for "nose"`, and whether the form is
/// unambiguous.
fn end_of_spelling_unit(note: &Note<'_>, at: usize) -> Option<(usize, bool)> {
    if !note.is_word(at) || note.width(at) != 1 || note.token(at).glued() {
        return None;
    }
    let link = at + 1;
    let (word, sure) = match () {
        () if word_is!(note, link, "as") && word_is!(note, link + 1, "in") => (link + 2, true),
        () if word_is!(note, link, "like" | "for") => (link + 1, false),
        () if note.is_any_mark(link, b"-=:,") => (link + 1, false),
        () => return None,
    };
    let word = word + usize::from(note.is_any_mark(word, b"'\"`"));
    let spelled = note.is_word(word) && note.width(word) > 2 && note.bytes(word).first() == note.bytes(at).first();
    let end = word + 1 + usize::from(note.is_any_mark(word + 1, b"'\"`") && note.joined(word + 1));
    spelled.then_some((end, sure))
}

/// Returns whether the token may stand between two units.
fn is_between_spelling_units(note: &Note<'_>, at: usize) -> bool {
    note.is_any_mark(at, b",;.-'\"") || word_is!(note, at, "and" | "then")
}

/// Words that dictate a capital letter.
static CAPITALS: WordSet = word_set!("forms-alphabet-capitals");

/// Finds names with dictated capitals, at the first: `cap brown comma cap rose`; not a single `cap refill`.
fn find_dictated_capitals(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let led = |at: usize| CAPITALS.has(note, at) && note.is_word(at + 1) && note.follows(at + 1);
    let is_name = |at: usize| name_log_odds(note, at) >= 0 || is_unlisted(note, at);
    let (mut last, mut count, mut names) = (at, 0, false);
    let mut unit = at;
    while led(unit) && last < at + MAX_TOKENS {
        (last, count, names) = (unit + 2, count + 1, names || is_name(unit + 1));
        let between = |at: usize| {
            is_between_spelling_units(note, at) || word_is!(note, at, "comma" | "period" | "hyphen" | "dot")
        };
        unit = last + usize::from(between(last));
    }
    if count > 1 && names {
        findings.remove(at, last, Kind::Name, Certainty::Sure);
    }
}

/// Finds a row of alphabet words, or names with dictated capitals, at the first.
pub(in crate::rules) fn find_alphabet_words(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if CAPITALS.has(note, at) {
        find_dictated_capitals(note, at, findings);
        return;
    }
    let spells = |at: usize| note.is_word(at) && ALPHABET.has(note, at);
    let next = |at: usize| at + 1 + usize::from(note.is_any_mark(at + 1, b",;-."));
    if !spells(at) || at > 0 && (spells(at - 1) || at > 1 && note.token(at - 1).kind == Token::Punct && spells(at - 2))
    {
        return;
    }
    let (mut last, mut count, mut here) = (at + 1, 1, at);
    while spells(next(here)) && note.follows(next(here)) && last < at + MAX_TOKENS {
        here = next(here);
        (last, count) = (here + 1, count + 1);
    }
    if count >= MIN_ALPHABET_WORDS {
        findings.remove(at, last, Kind::Name, Certainty::Sure);
    }
}

/// The minimum number of consecutive Morse letters; fewer may be layout.
const MIN_MORSE_LETTERS: usize = 4;

/// Finds Morse code, at the first mark: dots and dashes in groups of at most five, at least one group with both.
pub(in crate::rules) fn find_morse_code(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let is_signal = |at: usize| note.is_any_mark(at, b".-");
    let starts = at == 0 || note.gap(at) > Gap::None && !divides_morse_words(note, at - 1) && !is_signal(at - 1);
    if !starts || !is_signal(at + 1) && !divides_morse_words(note, at + 1) {
        return;
    }
    let (mut last, mut groups, mut end, mut mixed) = (at, 0, at, false);
    while last < at + MAX_TOKENS && is_signal(last) {
        let length = (last + 1..last + 7).take_while(|&next| is_signal(next) && note.joined(next)).count() + 1;
        if length > 5 {
            return;
        }
        let has = |mark: u8| (last..last + length).any(|signal| note.is_mark(signal, mark));
        mixed |= has(b'.') && has(b'-');
        (groups, end) = (groups + 1, last + length);
        last = end;
        last += usize::from(divides_morse_words(note, last));
        if !note.follows(last) {
            break;
        }
    }
    if groups >= MIN_MORSE_LETTERS && mixed {
        findings.remove(at, end, Kind::Name, Certainty::Sure);
    }
}

/// Returns whether the mark separates two words of Morse code.
fn divides_morse_words(note: &Note<'_>, at: usize) -> bool {
    note.is_any_mark(at, b"/|")
}
