//! Counts how often a note has each word and in which case: evidence from the same word elsewhere in the note.

use super::context::{NoteContext, form, style};

/// The occurrences of a word in a note.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WordCounts {
    word: u64,
    /// Occurrences in lower case; capitalised within running text; removed by a rule.
    pub(super) lower: u16,
    pub(super) capital: u16,
    pub(super) found: u16,
    pub(super) all: u16,
    /// First-pass scores: the highest, and the sum.
    pub(super) highest: i32,
    pub(super) sum: i32,
    pub(super) scored: i32,
}

/// The words of a note; a buffer that is reused from note to note.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoteWordCounts {
    words: Vec<WordCounts>,
    /// A power of two of slots, probed linearly from the lowest bits of the word's hash. Each holds the number of a
    /// word plus one, or zero.
    places: Vec<u32>,
    /// The word number of each token of the part read last.
    word_of_token: Vec<u32>,
}

/// The initial capacity, in words.
const INITIAL_WORD_SLOTS: usize = 256;

impl NoteWordCounts {
    /// Counts the words of a note that is read in one part.
    pub(super) fn count_note(&mut self, context: &NoteContext) {
        self.start_note();
        self.count_part(context);
    }

    /// Clears the counts of the previous note.
    pub(super) fn start_note(&mut self) {
        self.words.clear();
        self.places.clear();
        self.places.resize(2 * INITIAL_WORD_SLOTS, 0);
    }

    /// Counts the words of a part of a note.
    pub(super) fn count_part(&mut self, context: &NoteContext) {
        self.word_of_token.clear();
        for features_of_token in &context.token_features {
            if !features_of_token.judged {
                self.word_of_token.push(u32::MAX);
                continue;
            }
            let number = self.number_of_word(features_of_token.word);
            self.word_of_token.push(number);
            let counts = &mut self.words[number as usize];
            counts.all = counts.all.saturating_add(1);
            let lower = matches!(features_of_token.form, form::LOWER | form::ONE_LOWER);
            let running = features_of_token.style == style::MIXED
                && !features_of_token.sentence_start
                && features_of_token.place > 0;
            counts.lower = counts.lower.saturating_add(u16::from(lower));
            counts.capital = counts.capital.saturating_add(u16::from(!lower && running));
            counts.found = counts.found.saturating_add(u16::from(features_of_token.is_removed_by_rule()));
        }
    }

    /// Looks up the words of a part that was counted before.
    pub(super) fn look_up_words(&mut self, context: &NoteContext) {
        self.word_of_token.clear();
        for features_of_token in &context.token_features {
            let number = if features_of_token.judged { self.number_of_word(features_of_token.word) } else { u32::MAX };
            self.word_of_token.push(number);
        }
    }

    /// Returns the number of a word; a new word gets the next number.
    fn number_of_word(&mut self, word: u64) -> u32 {
        let place = self.slot_of(word);
        if self.places[place] != 0 {
            return self.places[place] - 1;
        }
        self.words.push(WordCounts { word, highest: i32::MIN, ..WordCounts::default() });
        self.places[place] = self.words.len() as u32;
        if 2 * self.words.len() > self.places.len() {
            let places = 2 * self.places.len();
            self.places.clear();
            self.places.resize(places, 0);
            for nth in 0..self.words.len() {
                let place = self.slot_of(self.words[nth].word);
                self.places[place] = nth as u32 + 1;
            }
        }
        self.words.len() as u32 - 1
    }

    /// Returns the slot of a word: the one that holds it, or the free one for it.
    fn slot_of(&self, word: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut place = word as usize & mask;
        while self.places[place] != 0 && self.words[self.places[place] as usize - 1].word != word {
            place = (place + 1) & mask;
        }
        place
    }

    /// Returns the word number of a token.
    #[inline]
    pub(super) fn word_number_at(&self, at: usize) -> u32 {
        self.word_of_token.get(at).copied().unwrap_or(u32::MAX)
    }

    /// Returns the counts of a word.
    #[inline]
    pub(super) fn counts_of_word(&self, number: u32) -> WordCounts {
        self.words.get(number as usize).copied().unwrap_or_default()
    }

    /// Returns the counts of the word of a token.
    #[inline]
    pub(super) fn counts_at(&self, at: usize) -> WordCounts {
        self.counts_of_word(self.word_number_at(at))
    }

    /// Adds the first-pass score of a token.
    pub(super) fn add_score(&mut self, at: usize, score: i32) {
        let number = self.word_number_at(at) as usize;
        if let Some(counts) = self.words.get_mut(number) {
            counts.highest = counts.highest.max(score);
            counts.sum = counts.sum.saturating_add(score);
            counts.scored += 1;
        }
    }
}
