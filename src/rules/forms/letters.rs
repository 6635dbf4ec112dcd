//! Single letters and rows of them, and clinical abbreviations in that form: `p.r.n.`, `m/r/g`.

use crate::rules::engine::Note;
use crate::rules::engine::names::NAMES;
use crate::rules::engine::word_sets::{WordSet, word_set};
use crate::text::token;
use crate::vocabulary::{Class, Classes};

/// The number of letters of a row that are joined; longer rows are not abbreviations.
const MAX_JOINED_LETTERS: usize = 8;

/// Abbreviations with marks between their letters that are also names or on no list.
static SHORT: WordSet = word_set!("forms-split-short");

/// Lists of abbreviations.
const CLINICAL: Classes = Classes::of(&[
    Class::Dose,
    Class::Clinical,
    Class::Acronym,
    Class::Measurement,
    Class::Score,
    Class::Unit,
    Class::Credential,
]);

pub(in crate::rules) fn is_single_letter(note: &Note<'_>, at: usize) -> bool {
    single_letter(note, at).is_some()
}

/// Returns the letter of a one-letter word, also after an opening quotation mark, `'s'`, but not after a word,
/// `patient's`.
pub(in crate::rules) fn single_letter(note: &Note<'_>, at: usize) -> Option<u8> {
    match *note.bytes(at) {
        [letter] if note.is_word(at) => Some(letter),
        [b'\'', letter] if letter.is_ascii_alphabetic() && (at == 0 || !note.joined(at) || !note.is_word(at - 1)) => {
            Some(letter)
        }
        _ => None,
    }
}

/// Returns whether the token is a mark or a symbol. Longer runs of asterisks are placeholders, unless two letters touch
/// them, which removed words do not.
pub(in crate::rules) fn is_separating_mark(note: &Note<'_>, at: usize) -> bool {
    let touched = || {
        at > 0
            && note.joined(at)
            && note.joined(at + 1)
            && is_single_letter(note, at - 1)
            && is_single_letter(note, at + 1)
    };
    match note.token(at).kind {
        token::Kind::Punct => note.width(at) <= 2 || touched(),
        token::Kind::Symbol => true,
        _ => false,
    }
}

/// The letters of a row, joined.
#[derive(Clone, Copy, Default)]
pub(in crate::rules) struct LetterRow {
    letters: [u8; MAX_JOINED_LETTERS],
    len: usize,
    /// The last letter.
    last: u8,
    /// The number of letters that directly follow the previous one in the alphabet.
    steps: usize,
    /// A bitmask of the letters.
    set: u32,
}

impl LetterRow {
    pub(in crate::rules) fn push(&mut self, letter: u8) {
        if let Some(place) = self.letters.get_mut(self.len) {
            *place = letter;
        }
        self.len += 1;
        self.steps += usize::from(letter == self.last.wrapping_add(1));
        self.set |= 1 << (letter.wrapping_sub(b'a') % 32);
        self.last = letter;
    }

    pub(in crate::rules) const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the letters are in alphabetical order, all the same, or answers of yes and no: a list, unless
    /// they form a name.
    pub(in crate::rules) fn is_list(&self, note: &Note<'_>) -> bool {
        const ANSWERS: u32 = 1 << (b'y' - b'a') | 1 << (b'n' - b'a');
        let list = self.steps + 1 == self.len || self.set.is_power_of_two() || self.set & !ANSWERS == 0;
        let word = self.letters.get(..self.len).and_then(|letters| std::str::from_utf8(letters).ok());
        list && !word.is_some_and(|word| note.classes_of(word).any(NAMES))
    }

    /// Returns whether it is a word of one letter.
    pub(in crate::rules) fn is_article(&self) -> bool {
        self.len == 1 && matches!(self.letters[0], b'a' | b'i')
    }

    /// Returns whether it is an abbreviation and not also a name. `alone`: it is the whole row.
    pub(in crate::rules) fn is_short_form(&self, note: &Note<'_>, alone: bool) -> bool {
        let Some(letters) = self.letters.get(..self.len) else { return false };
        let Ok(word) = std::str::from_utf8(letters) else { return false };
        let vowels = letters.iter().any(|letter| b"aeiouy".contains(letter));
        if SHORT.words().binary_search(&word).is_ok() || !vowels && self.len <= 5 {
            return true;
        }
        let classes = note.classes_of(word);
        let name = classes.any(NAMES.with(Class::City));
        !name && (alone && self.len <= 3 || self.len > 1 && classes.any(CLINICAL))
    }
}

/// The maximum number of letters of an abbreviation.
const MAX_ABBREVIATION_LETTERS: usize = 16;

/// Returns whether a lower-case letter is part of an abbreviation of at least three letters with periods: `p.r.n.`,
/// `t.i.d.`
pub(in crate::rules) fn is_in_short_form(note: &Note<'_>, at: usize) -> bool {
    let is_small =
        |at: usize| is_single_letter(note, at) && note.case(at) == token::Case::Lower && !note.token(at).glued();
    let is_point = |at: usize| note.is_any_mark(at, b".") && note.joined(at) && note.joined(at + 1);
    if !is_small(at) {
        return false;
    }
    let mut first = at;
    while first >= 2 && is_point(first - 1) && is_small(first - 2) {
        first -= 2;
        if at - first > 2 * MAX_ABBREVIATION_LETTERS {
            return false;
        }
    }
    let mut joined = LetterRow::default();
    joined.push(note.bytes(first)[0]);
    while is_point(first + 1) && is_small(first + 2) {
        if joined.len > MAX_ABBREVIATION_LETTERS {
            return false;
        }
        first += 2;
        joined.push(note.bytes(first)[0]);
    }
    let word = joined.letters.get(..joined.len).and_then(|letters| std::str::from_utf8(letters).ok());
    joined.len > 2 && word.is_some_and(|word| SHORT.words().binary_search(&word).is_ok())
}
