//! Words in which OCR read letters as digits: `metopro1ol`, `b1ood`, `arnbu1ance`, `thr0ugh`.
//!
//! The intended word must be a listed word of some length, without a capital letter, since names begin with one.

use super::amount::glued_cluster;
use crate::rules::engine::{Certainty, Findings, Note};
use crate::vocabulary::{Class, Classes};

/// The lists of words that may be intended.
const INTENDED_WORD_LISTS: Classes = Classes::of(&[
    Class::Stop,
    Class::English,
    Class::Literature,
    Class::Clinical,
    Class::Term,
    Class::Brand,
    Class::Measurement,
    Class::PersonNoun,
]);

/// The length of such a word in letters and digits.
const LENGTHS: std::ops::RangeInclusive<usize> = 5..=24;

/// Vouches for such a word, at its first digit after a letter.
pub(in crate::rules) fn keep_misread_word(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let (first, last) = glued_cluster(note, at);
    if note.token(at).glued() && !(first + 1..at).any(|part| note.is_number(part)) && is_in_misread_word(note, at) {
        findings.keep(first, last, Certainty::Likely);
    }
}

/// Returns the possible readings: the digit one is l or i, other digits are as given.
pub(in crate::rules) fn possible_readings(written: &str, figures: &[(char, &str)]) -> [String; 2] {
    ["l", "i"].map(|one| {
        figures.iter().fold(written.replace('1', one), |meant, &(figure, letter)| meant.replace(figure, letter))
    })
}

/// Returns whether the token is part of such a word.
pub(in crate::rules) fn is_in_misread_word(note: &Note<'_>, at: usize) -> bool {
    let (first, last) = glued_cluster(note, at);
    let written = note.text_of(first, last);
    let figures = written.bytes().filter(u8::is_ascii_digit).count();
    let letters = written.bytes().filter(u8::is_ascii_alphabetic).count();
    // Names begin with a capital letter, and many differ from a word only in a digit: `Bad1ands`.
    let fits = LENGTHS.contains(&written.len()) && figures + letters == written.len() && !note.capitalised(first);
    if !fits || figures == 0 || letters < 4 || 2 * figures > letters {
        return false;
    }
    possible_readings(written, &[('0', "o"), ('5', "s")]).into_iter().any(|meant| {
        [meant.replace("rn", "m"), meant].iter().any(|meant| {
            let lists = note.classes_of(meant);
            lists.any(INTENDED_WORD_LISTS) && !lists.has(Class::Deny)
        })
    })
}
