//! The words within a distance of one word, for the search of `search`.

use fst::automaton::Automaton;

/// A Levenshtein automaton of at most two edits that is simulated with bit vectors instead of being built: bit `i` of
/// row `k` says that `i` characters of the word can be written with `k` edits as what was read (Wu and Manber 1992).
pub(crate) struct LevenshteinAutomaton {
    letters: Vec<char>,
    rows: usize,
}

/// Rows, and the bytes of a character that is not complete.
#[derive(Clone, Copy, Default)]
pub(crate) struct State {
    rows: [u128; 3],
    pending: u32,
    missing: u8,
}

impl LevenshteinAutomaton {
    pub(crate) fn new(word: &str, distance: u8) -> Self {
        Self { letters: word.chars().collect(), rows: distance.min(2) as usize + 1 }
    }

    /// Longer words are not searched for: bit 127 must stay free.
    fn is_too_long(&self) -> bool {
        self.letters.len() > 126
    }

    fn last_bit(&self) -> u128 {
        1 << self.letters.len().min(127)
    }

    pub(crate) fn distance(&self, state: &State) -> Option<u8> {
        (0..self.rows).find(|&row| state.rows[row] & self.last_bit() != 0).map(|row| row as u8)
    }

    fn advance(&self, rows: &[u128; 3], letter: char) -> [u128; 3] {
        let mask = self.letters.iter().enumerate().fold(0, |mask, (at, &own)| mask | u128::from(own == letter) << at);
        let within = (self.last_bit() << 1).wrapping_sub(1);
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

impl Automaton for LevenshteinAutomaton {
    type State = State;

    fn start(&self) -> State {
        let mut rows = [0; 3];
        if !self.is_too_long() {
            for (row, bits) in rows.iter_mut().enumerate().take(self.rows) {
                *bits = ((1 << (row + 1)) - 1) & ((self.last_bit() << 1).wrapping_sub(1));
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

/// Accepts every beginning of what another automaton may accept.
pub(crate) struct StartsWith<'a>(pub &'a LevenshteinAutomaton);

impl Automaton for StartsWith<'_> {
    type State = State;

    fn start(&self) -> State {
        self.0.start()
    }

    fn is_match(&self, state: &State) -> bool {
        self.0.can_match(state)
    }

    fn can_match(&self, state: &State) -> bool {
        self.0.can_match(state)
    }

    fn accept(&self, state: &State, byte: u8) -> State {
        self.0.accept(state, byte)
    }
}
