//! How much a word is a name by lists alone, before anything is said of its place.

use super::Note;
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Lists of names of people.
pub(in crate::rules) const NAMES: Classes = Classes::of(&[Class::Surname, Class::FirstName]);

/// Lists of ordinary words.
pub(in crate::rules) const ORDINARY: Classes = Classes::of(&[
    Class::Stop,
    Class::English,
    Class::Literature,
    Class::Clinical,
    Class::Term,
    Class::Facility,
    Class::PersonNoun,
    Class::PersonVerb,
    Class::Relative,
    Class::Dose,
    Class::Brand,
]);

/// Whether the word is on no list of ordinary words; `place::is_on_no_word_list` asks fewer lists.
pub(crate) fn is_unlisted(note: &Note<'_>, at: usize) -> bool {
    note.is_word(at) && !note.any(at, ORDINARY)
}

/// How much more common the word is as a name than as a word, in powers of two: bearers in the census against uses in
/// 2.5 million words of the literature. Words of the dictionary count as three powers more common than that.
pub(in crate::rules) fn name_log_odds(note: &Note<'_>, at: usize) -> i32 {
    let dictionary = Classes::of(&[Class::English, Class::Stop, Class::Clinical, Class::Literature, Class::Brand]);
    if !note.any(at, NAMES) {
        return i32::MIN / 2;
    }
    if is_unlisted(note, at) {
        return 20;
    }
    let ranks = note.ranks(at);
    i32::from(ranks.surname.max(ranks.first_name))
        - i32::from(ranks.frequency)
        - if note.any(at, dictionary) { 3 } else { 0 }
}

/// How many people bear an ordinary word as their first name for it to be one, in powers of two: those that the census has by
/// mistake, `her`, `on`, `early`, have fewer.
const BEARERS_OF_FIRST_NAME: u8 = 14;

/// The same of family names: `now`, `pain`, `mild` have fewer.
const BEARERS_OF_FAMILY_NAME: u8 = 12;

/// Whether the word is a first name: no other word, or one that many people bear.
pub(crate) fn is_first_name(note: &Note<'_>, at: usize) -> bool {
    let many = note.ranks(at).first_name >= BEARERS_OF_FIRST_NAME && !note.is(at, Class::Stop);
    note.is(at, Class::FirstName) && (many || is_unlisted(note, at))
}

/// Whether the word is a family name: no other word, or one that many people bear.
pub(crate) fn is_family_name(note: &Note<'_>, at: usize) -> bool {
    let many = note.ranks(at).surname >= BEARERS_OF_FAMILY_NAME && !note.is(at, Class::Stop);
    note.is(at, Class::Surname) && (many || is_unlisted(note, at))
}

/// Whether the word is a name far more often than a word, so that it may be taken for one in any case.
pub(in crate::rules) fn is_mostly_name(note: &Note<'_>, at: usize) -> bool {
    !note.is(at, Class::Stop) && name_log_odds(note, at) >= 11
}

/// Whether the words around stand in capitals too, so that capitals say nothing.
pub(in crate::rules) fn is_shouted(note: &Note<'_>, at: usize) -> bool {
    const REACH: usize = 5;
    if note.case(at) != Case::Upper {
        return false;
    }
    let before = (at.saturating_sub(REACH)..at).rev().take_while(|&left| note.same_line(left + 1));
    let behind = (at + 1..=at + REACH).take_while(|&right| note.same_line(right));
    let mut words = before.chain(behind).filter(|&word| note.is_word(word) && note.width(word) > 1).peekable();
    words.peek().is_some() && words.all(|word| note.case(word) == Case::Upper)
}
