//! Looking terms and words up by their text: exactly, by prefix, and with typing errors, all in the FSTs.
//!
//! This is the way of people and tools. Notes are matched by `concepts`, which the tests hold to [`Vocabulary::entry_of`].

use fst::automaton::{Automaton, Str};
use fst::{IntoStreamer, Streamer};

use super::Vocabulary;
use super::entry::ConceptId;
use super::format::Section;
use super::trie::EntryId;
use crate::normalize::Normalized;
use crate::token::tokenize;

/// A term or word near to what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// Insertions, deletions and replacements between the two.
    pub distance: u8,
    /// The units of the term, joined by spaces, or the word.
    pub text: String,
    /// The entry of a term; `None` for a word.
    pub entry: Option<EntryId>,
}

/// The key of a text: its units, joined by spaces.
pub fn key(text: &str) -> String {
    let normalized = Normalized::new(text);
    let mut tokens = Vec::new();
    tokenize(text, &normalized, &mut tokens);
    let folded = normalized.folded();
    let mut key = String::with_capacity(folded.len());
    for token in tokens.iter().filter(|token| !token.skipped_in_terms(folded.as_bytes())) {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(&folded[token.span().range()]);
    }
    while key.ends_with(" .") {
        key.truncate(key.len() - 2);
    }
    key
}

impl Vocabulary {
    /// An FST of the file, unless it is damaged: an FST panics on altered bytes, so they are checked before the first
    /// use.
    fn transducer(&self, section: Section) -> Option<fst::raw::Fst<&[u8]>> {
        self.fst_checked(section, |bytes| fst::raw::Fst::new(bytes).is_ok_and(|fst| fst.verify().is_ok()))
            .then(|| fst::raw::Fst::new(self.section(section)).ok())?
    }

    fn terms(&self) -> Option<fst::Map<&[u8]>> {
        self.transducer(Section::Terms).map(fst::Map::from)
    }

    fn word_set(&self) -> Option<fst::Set<&[u8]>> {
        self.transducer(Section::WordSet).map(fst::Set::from)
    }

    /// The concepts of a term, best source first, whatever its case.
    ///
    /// # Examples
    ///
    /// See [`Compiler`](super::Compiler).
    pub fn lookup(&self, text: &str) -> Vec<ConceptId> {
        self.entry_of(text).map_or_else(Vec::new, |entry| self.entry_concepts(entry).collect())
    }

    /// The entry of a term or phrase, whatever its case.
    pub fn entry_of(&self, text: &str) -> Option<EntryId> {
        self.entry_of_key(&key(text))
    }

    /// The entry of units that are joined by spaces.
    pub fn entry_of_key(&self, key: &str) -> Option<EntryId> {
        self.terms()?.get(key).map(|id| EntryId(id as u32))
    }

    /// The units of an entry, joined by spaces.
    pub fn entry_text(&self, entry: EntryId) -> Option<String> {
        self.transducer(Section::Terms)?.get_key(u64::from(entry.0)).and_then(|key| String::from_utf8(key).ok())
    }

    /// The first terms, in the order of the alphabet, that begin with a text.
    pub fn prefix(&self, text: &str, limit: usize) -> Vec<(String, EntryId)> {
        let key = key(text);
        let Some(terms) = self.terms() else { return Vec::new() };
        let mut stream = terms.search(Str::new(&key).starts_with()).into_stream();
        let mut found = Vec::new();
        while found.len() < limit {
            let Some((key, id)) = stream.next() else { break };
            found.push((String::from_utf8_lossy(key).into_owned(), EntryId(id as u32)));
        }
        found
    }

    /// The terms within a distance of a text, nearest first. A distance of more than 2 counts as 2.
    pub fn near(&self, text: &str, distance: u8, limit: usize) -> Vec<Near> {
        let key = key(text);
        let automaton = Edits::new(&key, distance);
        let Some(terms) = self.terms() else { return Vec::new() };
        let mut stream = terms.search_with_state(&automaton).into_stream();
        let mut found = Vec::new();
        while let Some((key, id, state)) = stream.next() {
            found.extend(near_of(key, automaton.distance(&state), Some(EntryId(id as u32))));
        }
        nearest(found, limit)
    }

    /// The listed words within a distance of a folded word, nearest first. A distance of more than 2 counts as 2.
    pub fn near_words(&self, word: &str, distance: u8, limit: usize) -> Vec<Near> {
        let automaton = Edits::new(word, distance);
        let Some(words) = self.word_set() else { return Vec::new() };
        let mut stream = words.search_with_state(&automaton).into_stream();
        let mut found = Vec::new();
        while let Some((word, state)) = stream.next() {
            found.extend(near_of(word, automaton.distance(&state), None));
        }
        nearest(found, limit)
    }

    /// Calls `each` with every term's units, joined by spaces, in the order of the alphabet.
    pub fn for_each_entry(&self, mut each: impl FnMut(&str, EntryId)) {
        let Some(terms) = self.terms() else { return };
        let mut stream = terms.into_stream();
        while let Some((key, id)) = stream.next() {
            each(&String::from_utf8_lossy(key), EntryId(id as u32));
        }
    }

    /// Calls `each` with every listed word, in the order of the alphabet.
    pub fn for_each_word(&self, mut each: impl FnMut(&str)) {
        let Some(words) = self.word_set() else { return };
        let mut stream = words.into_stream();
        while let Some(word) = stream.next() {
            each(&String::from_utf8_lossy(word));
        }
    }
}

fn near_of(key: &[u8], distance: Option<u8>, entry: Option<EntryId>) -> Option<Near> {
    Some(Near { distance: distance?, text: String::from_utf8_lossy(key).into_owned(), entry })
}

fn nearest(mut found: Vec<Near>, limit: usize) -> Vec<Near> {
    found.sort_unstable_by(|a, b| (a.distance, &a.text).cmp(&(b.distance, &b.text)));
    found.truncate(limit);
    found
}

/// A Levenshtein automaton of at most two edits that is simulated with bit vectors instead of being built: bit `i` of
/// row `k` says that `i` characters of the word can be written with `k` edits as what was read (Wu and Manber 1992).
struct Edits {
    letters: Vec<char>,
    rows: usize,
}

/// Rows, and the bytes of a character that is not complete.
#[derive(Clone, Copy, Default)]
struct State {
    rows: [u128; 3],
    pending: u32,
    missing: u8,
}

impl Edits {
    fn new(word: &str, distance: u8) -> Self {
        Self { letters: word.chars().collect(), rows: distance.min(2) as usize + 1 }
    }

    /// Longer words are not searched for: bit 127 must stay free.
    fn is_too_long(&self) -> bool {
        self.letters.len() > 126
    }

    fn end(&self) -> u128 {
        1 << self.letters.len().min(127)
    }

    fn distance(&self, state: &State) -> Option<u8> {
        (0..self.rows).find(|&row| state.rows[row] & self.end() != 0).map(|row| row as u8)
    }

    fn advance(&self, rows: &[u128; 3], letter: char) -> [u128; 3] {
        let mask = self.letters.iter().enumerate().fold(0, |mask, (at, &own)| mask | u128::from(own == letter) << at);
        let within = (self.end() << 1).wrapping_sub(1);
        let mut next = [0; 3];
        for row in 0..self.rows {
            next[row] = (rows[row] & mask) << 1;
            if row > 0 {
                // A letter too many, a replaced letter, and a letter too few.
                next[row] |= rows[row - 1] | rows[row - 1] << 1 | next[row - 1] << 1;
            }
            next[row] &= within;
        }
        next
    }
}

impl Automaton for Edits {
    type State = State;

    fn start(&self) -> State {
        let mut rows = [0; 3];
        if !self.is_too_long() {
            for (row, bits) in rows.iter_mut().enumerate().take(self.rows) {
                *bits = ((1 << (row + 1)) - 1) & ((self.end() << 1).wrapping_sub(1));
            }
        }
        State { rows, pending: 0, missing: 0 }
    }

    fn is_match(&self, state: &State) -> bool {
        state.missing == 0 && self.distance(state).is_some()
    }

    fn can_match(&self, state: &State) -> bool {
        state.rows.iter().any(|&row| row != 0)
    }

    fn accept(&self, state: &State, byte: u8) -> State {
        let (pending, missing) = match byte {
            0..0x80 => (u32::from(byte), 0),
            0x80..0xC0 => (state.pending << 6 | u32::from(byte & 0x3F), state.missing.saturating_sub(1)),
            0xC0..0xE0 => (u32::from(byte & 0x1F), 1),
            0xE0..0xF0 => (u32::from(byte & 0x0F), 2),
            _ => (u32::from(byte & 0x07), 3),
        };
        let rows = match char::from_u32(pending) {
            Some(letter) if missing == 0 => self.advance(&state.rows, letter),
            _ => state.rows,
        };
        State { rows, pending, missing }
    }
}
