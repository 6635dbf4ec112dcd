//! Words in which a scanner read letters as figures: `metopro1ol`, `b1ood`, `arnbu1ance`, `thr0ugh`.
//!
//! The word that is meant must be a listed one of some length; where it has a capital letter and is a name as well, nothing is said.

use super::amount::glued_cluster;
use crate::rules::engine::{Certainty, Findings, Note};
use crate::vocabulary::{Class, Classes};

/// The lists of words that may be meant.
const MEANT: Classes = Classes::of(&[
    Class::Stop,
    Class::English,
    Class::Literature,
    Class::Clinical,
    Class::Term,
    Class::Brand,
    Class::Measurement,
    Class::PersonNoun,
]);

/// How many letters and figures such a word has.
const LENGTHS: std::ops::RangeInclusive<usize> = 5..=24;

/// Vouches for such a word, at its first figure after a letter.
pub(in crate::rules) fn keep_misread_word(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let (first, last) = glued_cluster(note, at);
    if note.token(at).glued() && !(first + 1..at).any(|part| note.is_number(part)) && is_in_misread_word(note, at) {
        findings.keep(first, last, Certainty::Likely);
    }
}

/// What letters and figures may mean: one is l or i, others are as given.
pub(in crate::rules) fn possible_readings(written: &str, figures: &[(char, &str)]) -> [String; 2] {
    ["l", "i"].map(|one| {
        figures.iter().fold(written.replace('1', one), |meant, &(figure, letter)| meant.replace(figure, letter))
    })
}

/// Whether the token stands in such a word.
pub(in crate::rules) fn is_in_misread_word(note: &Note<'_>, at: usize) -> bool {
    let (first, last) = glued_cluster(note, at);
    let written = note.text_of(first, last);
    let figures = written.bytes().filter(u8::is_ascii_digit).count();
    let letters = written.bytes().filter(u8::is_ascii_alphabetic).count();
    // A name begins with a capital letter, and many are a word but for a figure: `Bad1ands`.
    let fits = LENGTHS.contains(&written.len()) && figures + letters == written.len() && !note.capitalised(first);
    if !fits || figures == 0 || letters < 4 || 2 * figures > letters {
        return false;
    }
    possible_readings(written, &[('0', "o"), ('5', "s")]).into_iter().any(|meant| {
        [meant.replace("rn", "m"), meant].iter().any(|meant| {
            let lists = note.classes_of(meant);
            lists.any(MEANT) && !lists.has(Class::Deny)
        })
    })
}
