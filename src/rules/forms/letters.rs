//! Single letters and the rows of them, and the short forms of medicine that are written so: `p.r.n.`, `m/r/g`.

use crate::rules::engine::Note;
use crate::rules::engine::names::NAMES;
use crate::rules::engine::word_sets::{WordSet, word_set};
use crate::text::token;
use crate::vocabulary::{Class, Classes};

/// Letters of one row that are joined; longer ones are no short form.
const MOST: usize = 8;

/// Short forms that are written with marks between their letters, and are names as well or on no list.
static SHORT: WordSet = word_set!("forms-split-short");

/// Lists of short forms.
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

/// The letter of a word of one letter: also after a quotation mark that looks like an apostrophe, `'s'`, but not where it
/// ends a word, `patient's`.
pub(in crate::rules) fn single_letter(note: &Note<'_>, at: usize) -> Option<u8> {
    match *note.bytes(at) {
        [letter] if note.is_word(at) => Some(letter),
        [b'\'', letter] if letter.is_ascii_alphabetic() && (at == 0 || !note.joined(at) || !note.is_word(at - 1)) => {
            Some(letter)
        }
        _ => None,
    }
}

/// A mark or a symbol. A longer row of asterisks stands for what an earlier scrub removed, unless two letters touch it: words that
/// were removed do not.
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

/// Letters of a row, joined.
#[derive(Clone, Copy, Default)]
pub(in crate::rules) struct Joined {
    letters: [u8; MOST],
    len: usize,
    /// The last letter.
    last: u8,
    /// How many stand after the letter before them in the alphabet.
    steps: usize,
    /// Which letters there are.
    set: u32,
}

impl Joined {
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

    /// Whether its letters follow each other in the alphabet, or are all the same, or answers of yes and no: a list, and no name.
    pub(in crate::rules) fn is_list(&self, note: &Note<'_>) -> bool {
        const ANSWERS: u32 = 1 << (b'y' - b'a') | 1 << (b'n' - b'a');
        let list = self.steps + 1 == self.len || self.set.is_power_of_two() || self.set & !ANSWERS == 0;
        let word = self.letters.get(..self.len).and_then(|letters| std::str::from_utf8(letters).ok());
        list && !word.is_some_and(|word| note.classes_of(word).any(NAMES))
    }

    /// Whether it is a word of one letter.
    pub(in crate::rules) fn is_article(&self) -> bool {
        self.len == 1 && matches!(self.letters[0], b'a' | b'i')
    }

    /// Whether it is a short form, and nothing that could be read as a name. `alone` where it is the whole row.
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

/// No short form has more letters: a row of more is none.
const LONGEST: usize = 16;

/// Whether a small letter stands in a short form of three letters or more with points between them: `p.r.n.`, `t.i.d.`
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
        if at - first > 2 * LONGEST {
            return false;
        }
    }
    let mut joined = Joined::default();
    joined.push(note.bytes(first)[0]);
    while is_point(first + 1) && is_small(first + 2) {
        if joined.len > LONGEST {
            return false;
        }
        first += 2;
        joined.push(note.bytes(first)[0]);
    }
    let word = joined.letters.get(..joined.len).and_then(|letters| std::str::from_utf8(letters).ok());
    joined.len > 2 && word.is_some_and(|word| SHORT.words().binary_search(&word).is_ok())
}
