//! How likely a word is a name by the word lists alone, without its context.

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

/// Returns whether the word is on no list of ordinary words; `place::is_on_no_word_list` checks fewer lists.
pub(crate) fn is_unlisted(note: &Note<'_>, at: usize) -> bool {
    note.is_word(at) && !note.any(at, ORDINARY)
}

/// Returns the log-odds (base 2) of the word as a name: the number of bearers in the census against uses in 2.5 million
/// words of the literature. Words of the dictionary lose 3.
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

/// The minimum log2 number of bearers for an ordinary word to count as a first name: words that are in the census by
/// mistake (`her`, `on`, `early`) have fewer.
const MIN_LOG2_BEARERS_OF_FIRST_NAME: u8 = 14;

/// The same for family names: `now`, `pain`, `mild` have fewer.
const MIN_LOG2_BEARERS_OF_FAMILY_NAME: u8 = 12;

/// Returns whether the word is a first name: it is not an ordinary word, or many people bear it.
pub(crate) fn is_first_name(note: &Note<'_>, at: usize) -> bool {
    let many = note.ranks(at).first_name >= MIN_LOG2_BEARERS_OF_FIRST_NAME && !note.is(at, Class::Stop);
    note.is(at, Class::FirstName) && (many || is_unlisted(note, at))
}

/// Returns whether the word is a family name: it is not an ordinary word, or many people bear it.
pub(crate) fn is_family_name(note: &Note<'_>, at: usize) -> bool {
    let many = note.ranks(at).surname >= MIN_LOG2_BEARERS_OF_FAMILY_NAME && !note.is(at, Class::Stop);
    note.is(at, Class::Surname) && (many || is_unlisted(note, at))
}

/// Returns whether the word is so much more common as a name that it may always be taken for one.
pub(in crate::rules) fn is_mostly_name(note: &Note<'_>, at: usize) -> bool {
    !note.is(at, Class::Stop) && name_log_odds(note, at) >= 11
}

/// Returns whether the words around it are in capitals too, so that its capitals are no evidence.
pub(in crate::rules) fn is_shouted(note: &Note<'_>, at: usize) -> bool {
    const MAX_DISTANCE: usize = 5;
    if note.case(at) != Case::Upper {
        return false;
    }
    let before = (at.saturating_sub(MAX_DISTANCE)..at).rev().take_while(|&left| note.same_line(left + 1));
    let behind = (at + 1..=at + MAX_DISTANCE).take_while(|&right| note.same_line(right));
    let mut words = before.chain(behind).filter(|&word| note.is_word(word) && note.width(word) > 1).peekable();
    words.peek().is_some() && words.all(|word| note.case(word) == Case::Upper)
}
