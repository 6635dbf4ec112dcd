//! Numbers of parts: `page 2 of 3`, `item 9`, `section 24(2)`, `1 in 4`, `(3)`, `3-way`, `2nd look`, and list items
//! without punctuation: `P: 1 stop fluids 2 diurese`.

#![allow(clippy::items_after_statements, reason = "a list stands where it is asked")]

use super::NON_CLINICAL_CUES;
use super::amount::in_hyphen_chain;
use super::count::{follows_id_cue, follows_id_cue_within};
use crate::bits::indices_of_bits;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Nouns for numbered parts.
static PARTS: WordSet = word_set!("clinical-part-parts");

/// Vouches for the number of a part.
pub(in crate::rules) fn keep_part_number(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if note.token(at).glued() || in_hyphen_chain(note, at) {
        return;
    }
    if !has_at_most_digits(note, at, 3) {
        return;
    }
    if let Some(last) = end_of_proportion(note, at) {
        findings.keep(at, last, Certainty::Weak);
    } else if let Some((cue, last)) = numbered_part(note, at) {
        findings.keep_by(cue, at, last, Certainty::Weak);
    } else if is_bracketed_number(note, at) || is_compound_adjective(note, at) || is_unmarked_list_number(note, at) {
        findings.keep(at, at + 1, Certainty::Weak);
    }
}

/// Returns whether it is an integer of at most `digits` digits without a redundant leading zero.
fn has_at_most_digits(note: &Note<'_>, at: usize, digits: usize) -> bool {
    note.integer(at).is_some() && note.width(at) <= digits && (note.width(at) == 1 || note.bytes(at)[0] != b'0')
}

/// Returns the end (exclusive) of a proportion: `4 of 10`, `1 in 3000`, `2 out of 5`.
fn end_of_proportion(note: &Note<'_>, at: usize) -> Option<usize> {
    let word = at + 1;
    let out = usize::from(word_is!(note, word, "out"));
    let all = word + out + 1;
    let of = word_is!(note, word + out, "of");
    let one_in = out == 0 && word_is!(note, word, "in") && note.width(at) == 1;
    let beside = note.same_line(word) && note.same_line(word + out) && note.same_line(all) && !note.token(word).glued();
    let most = if one_in { 5 } else { 3 };
    let whole = has_at_most_digits(note, all, most)
        && !note.token(all + 1).glued()
        && !(note.is_any_mark(all + 1, b"-/") && note.joined(all + 1));
    let part = note.integer(at)? <= note.integer(all)?;
    // `1 in 2012` may be a year.
    let year = one_in && note.integer(all).is_some_and(|value| (1900..2100).contains(&value));
    let page = at > 0 && PARTS.has(note, at - 1);
    (beside && (of || one_in) && whole && part && !year && (page || !follows_id_cue(note, at))).then_some(all + 1)
}

/// Returns the noun before the number of a part, and the end (exclusive) of the number with its subsections:
/// `section 24(2)`, `page 4-6`.
fn numbered_part(note: &Note<'_>, at: usize) -> Option<(usize, usize)> {
    let mut cue = at.checked_sub(1).filter(|_| note.same_line(at))?;
    // `Page: 1`, `pg. 4`
    if note.is_any_mark(cue, b".:#") && cue > 0 && note.same_line(cue) {
        cue -= 1;
    }
    let known = note.is_word(cue) && PARTS.has(note, cue) && !note.token(cue).glued();
    if !known || note.token(at + 1).glued() || note.is_number(at + 1) && note.same_line(at + 1) {
        return None;
    }
    let mut last = at + 1;
    let bracket = note.is_mark(last, b'(')
        && note.joined(last)
        && has_at_most_digits(note, last + 1, 2)
        && note.is_mark(last + 2, b')');
    let range = note.is_mark(last, b'-') && note.joined(last) && has_at_most_digits(note, last + 1, 3);
    if bracket {
        last += 3;
    } else if range && note.joined(last + 1) {
        last += 2;
    } else if note.is_any_mark(last, b"-/") && note.joined(last) {
        return None;
    }
    Some((cue, last))
}

/// Returns whether it is a number in parentheses: an item, an age, a previous value: `(3)`, `(9)`.
fn is_bracketed_number(note: &Note<'_>, at: usize) -> bool {
    let brackets = at > 0
        && note.is_any_mark(at - 1, b"([")
        && note.joined(at)
        && note.is_any_mark(at + 1, b")]")
        && note.joined(at + 1);
    let small = note.number(at).is_some_and(|number| {
        number.value(0) < 90
            && (number.len() == 1 && number.digits(0) < 3 || number.has_form(2, b'.') && number.digits(1) < 3)
    });
    // Digits follow an area code.
    let value = note.is_number(at.wrapping_sub(2))
        && note.gap(at - 1) != crate::text::token::Gap::None
        && !note.is_number(at + 2);
    // `ROB(13)`: items and values do not directly follow a word.
    let apart = at > 1 && !note.joined(at - 1) || at == 1;
    let short = has_at_most_digits(note, at, 3)
        || note.number(at).is_some_and(|number| number.has_form(2, b'.') && number.digits(1) < 3);
    brackets && apart && (small || value && short) && !note.is_number(at + 2) && !follows_id_cue_within(note, at, 2)
}

/// Returns whether a number and a word in lower case form a compound: `3-way`, `4-strand`.
fn is_compound_adjective(note: &Note<'_>, at: usize) -> bool {
    let word = at + 2;
    const KNOWN: Classes = Classes::of(&[Class::English, Class::Literature, Class::Clinical, Class::Term]);
    note.width(at) <= 2
        && note.is_mark(at + 1, b'-')
        && note.joined(at + 1)
        && note.joined(word)
        && note.case(word) == Case::Lower
        && note.width(word) > 2
        && note.any(word, KNOWN)
        && (word_is!(note, word, "way")
            || !note.any(word, NON_CLINICAL_CUES.or(Classes::of(&[Class::City, Class::Surname]))))
        && !(at > 0 && note.joined(at))
}

/// Returns whether the word is not used as a name: in a list of beds, names follow the numbers.
fn is_ordinary_word(note: &Note<'_>, at: usize) -> bool {
    const KNOWN: Classes = Classes::of(&[
        Class::Clinical,
        Class::Stop,
        Class::English,
        Class::Literature,
        Class::Term,
        Class::Brand,
        Class::Score,
    ]);
    const NAMES: Classes = Classes::of(&[Class::Surname, Class::FirstName, Class::City]);
    let short =
        note.case(at) == Case::Upper && note.any(at, Classes::of(&[Class::Measurement, Class::Acronym, Class::Dose]));
    short || note.any(at, KNOWN) && (note.any(at, Classes::of(&[Class::Clinical, Class::Stop])) || !note.any(at, NAMES))
}

/// Returns whether the number begins a list item without punctuation, near the previous or next item:
/// `1 stop fluids 2 diurese`.
fn is_unmarked_list_number(note: &Note<'_>, at: usize) -> bool {
    const MAX_DISTANCE: usize = 32;
    let starts = |at: usize| {
        let begins = note.token(at).line_start()
            || at > 0 && note.is_any_mark(at - 1, b".:;,") && note.gap(at) > crate::text::token::Gap::None;
        let word = note.is_word(at + 1) && note.same_line(at + 1) && !note.token(at + 1).glued();
        let free = !note.any(at + 1, NON_CLINICAL_CUES) || word_is!(note, at + 1, "no");
        note.width(at) <= 2 && begins && word && free && is_ordinary_word(note, at + 1)
    };
    if !starts(at) || follows_id_cue_within(note, at, 2) {
        return false;
    }
    let Some(nth) = note.integer(at).filter(|nth| (1..=30).contains(nth)) else { return false };
    let first = at.saturating_sub(MAX_DISTANCE);
    indices_of_bits(note.number_bits_from(first)).map(|place| first + place).any(|other| {
        let next = if other < at { nth.checked_sub(1).filter(|&before| before > 0) } else { Some(nth + 1) };
        other != at && note.integer(other) == next && starts(other)
    })
}
