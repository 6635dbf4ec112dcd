//! What the note says of the same word elsewhere.

use super::context::{Context, form, style};

/// How often a word stands in a note, and how.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    word: u64,
    /// In small letters; with a capital letter inside running text; where a rule removes it.
    pub(super) lower: u16,
    pub(super) capital: u16,
    pub(super) found: u16,
    pub(super) all: u16,
    /// Of the first pass: the highest score, and the sum of all.
    pub(super) highest: i32,
    pub(super) sum: i32,
    pub(super) scored: i32,
}

/// The words of a note; a buffer that is used again for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elsewhere {
    /// A power of two of places; a word stands at the place of its lowest bits or behind.
    places: Vec<Counts>,
    /// The place of the word of each token.
    of: Vec<u32>,
}

impl Elsewhere {
    /// Counts the words of a note.
    pub(super) fn read(&mut self, context: &Context) {
        let words = context.sights.len();
        self.places.clear();
        self.places.resize((2 * words + 1).next_power_of_two(), Counts::default());
        self.of.clear();
        for sight in &context.sights {
            let place = if sight.judged { self.place(sight.word) } else { u32::MAX };
            self.of.push(place);
            let Some(counts) = self.places.get_mut(place as usize) else { continue };
            counts.word = sight.word;
            counts.all = counts.all.saturating_add(1);
            let lower = matches!(sight.form, form::LOWER | form::ONE_LOWER);
            let running = sight.style == style::MIXED && !sight.sentence_start && sight.place > 0;
            counts.lower = counts.lower.saturating_add(u16::from(lower));
            counts.capital = counts.capital.saturating_add(u16::from(!lower && running));
            counts.found = counts.found.saturating_add(u16::from(sight.is_found()));
            counts.highest = i32::MIN;
        }
    }

    fn place(&self, word: u64) -> u32 {
        let mask = self.places.len() - 1;
        let mut place = word as usize & mask;
        while self.places[place].all > 0 && self.places[place].word != word {
            place = (place + 1) & mask;
        }
        place as u32
    }

    /// The counts of the word of a token.
    #[inline]
    pub(super) fn of(&self, at: usize) -> Counts {
        self.of.get(at).and_then(|&place| self.places.get(place as usize)).copied().unwrap_or_default()
    }

    /// Adds the score of a token after the first pass.
    pub(super) fn add_score(&mut self, at: usize, score: i32) {
        if let Some(counts) = self.of.get(at).and_then(|&place| self.places.get_mut(place as usize)) {
            counts.highest = counts.highest.max(score);
            counts.sum = counts.sum.saturating_add(score);
            counts.scored += 1;
        }
    }
}
