//! Word tests for rules: one of a few words, or a word of a set.

use super::Note;
use super::patterns::{PatternTable, Patterns, first_word};
use crate::text::token::{NO_BYTE, word_key};

/// Tests whether the folded text of a token is one of these words. Rules do this very often: one word of up to eight
/// bytes takes one integer comparison, more words one table lookup. Keys are unambiguous because no token of eight
/// bytes or less contains NUL, except a lone NUL, which is no word. To test one token repeatedly, read its key once:
/// `word_is!(note, at, key, "a" | "b")`.
macro_rules! word_is {
    ($note:expr, $at:expr, $($word:literal)|+) => {
        word_is!($note, $at, $note.key($at), $($word)|+)
    };
    ($note:expr, $at:expr, $key:expr, $word:literal) => {
        $key == const { $crate::text::token::word_key($word.as_bytes()) } && (const { $word.len() <= 8 } || $note.is_one_of_words($at, &[$word]))
    };
    ($note:expr, $at:expr, $key:expr, $one:literal | $other:literal) => {{
        let key = $key;
        word_is!($note, $at, key, $one) || word_is!($note, $at, key, $other)
    }};
    ($note:expr, $at:expr, $key:expr, $($word:literal)|+) => {{
        use $crate::rules::engine::word_sets::{Keys, is_whole_word_key};
        const WORDS: &[&str] = &[$($word),+];
        static KEYS: Keys<{ Keys::<0>::slots_needed(WORDS) }> = Keys::new(WORDS);
        let key = $key;
        KEYS.has(key) && (const { Keys::<0>::are_whole_words(WORDS) } || is_whole_word_key(key) || $note.is_one_of_words($at, WORDS))
    }};
}
pub(in crate::rules) use word_is;

/// A perfect hash table of a few word keys. A chain of comparisons would end in a branch misprediction.
#[derive(Debug)]
pub(in crate::rules) struct Keys<const SLOTS: usize> {
    /// The multiplier that hashes the keys to different slots.
    factor: u64,
    slots: [u64; SLOTS],
}

impl<const SLOTS: usize> Keys<SLOTS> {
    /// An empty slot; no token has this key.
    const EMPTY: u64 = u64::MAX;

    /// Returns the number of slots that the words need.
    pub(in crate::rules) const fn slots_needed(words: &[&str]) -> usize {
        (words.len() * 5 / 4).next_power_of_two()
    }

    /// Returns whether the key of every word holds the whole word.
    pub(in crate::rules) const fn are_whole_words(words: &[&str]) -> bool {
        let mut at = 0;
        while at < words.len() && words[at].len() <= 8 {
            at += 1;
        }
        at == words.len()
    }

    /// Builds the table of the keys of these words.
    pub(in crate::rules) const fn new(words: &[&str]) -> Self {
        let mut keys = Self { factor: 0x9E37_79B9_7F4A_7C15, slots: [Self::EMPTY; SLOTS] };
        let mut at = 0;
        while at < words.len() {
            let key = word_key(words[at].as_bytes());
            let slot = keys.slot(key);
            if keys.slots[slot] == Self::EMPTY || keys.slots[slot] == key {
                keys.slots[slot] = key;
                at += 1;
            } else {
                // A collision: start again with another factor.
                keys = Self { factor: keys.factor.wrapping_mul(0xD134_2543_DE82_EF95), slots: [Self::EMPTY; SLOTS] };
                at = 0;
            }
        }
        keys
    }

    #[inline]
    const fn slot(&self, key: u64) -> usize {
        (key.wrapping_mul(self.factor) >> (u64::BITS - SLOTS.trailing_zeros())) as usize
    }

    /// Returns whether it is one of the keys.
    #[inline]
    pub(in crate::rules) const fn has(&self, key: u64) -> bool {
        self.slots[self.slot(key)] == key
    }
}

/// Returns whether the key of a token holds its whole word.
#[inline]
pub(in crate::rules) const fn is_whole_word_key(key: u64) -> bool {
    key < NO_BYTE
}

/// The words of a list in `src/rules/words`.
macro_rules! word_list {
    ($name:literal) => {
        $crate::text::words_of_file!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/words/", $name, ".txt"))
    };
}
pub(in crate::rules) use word_list;

/// Includes a sorted list as a [`WordSet`].
macro_rules! word_set {
    ($name:literal) => {{
        use $crate::rules::engine::patterns::Patterns;
        use $crate::rules::engine::word_sets::{WordSet, word_list};
        const WORDS: &[&str] = word_list!($name);
        static PATTERNS: Patterns<{ Patterns::<0>::slots_needed(WORDS) }> = Patterns::new(WORDS);
        WordSet::new(&PATTERNS)
    }};
}
pub(in crate::rules) use word_set;

/// A set of words, optimised for tokens that are not in it, as nearly all are.
#[derive(Debug)]
pub(in crate::rules) struct WordSet {
    /// A bitmask over hash values: a bit is set if a word of the set hashes to it.
    filter: [u64; 32],
    patterns: PatternTable,
}

impl WordSet {
    /// Creates the set of these words.
    pub(in crate::rules) const fn new<const SLOTS: usize>(patterns: &'static Patterns<SLOTS>) -> Self {
        let (mut filter, mut at) = ([0; 32], 0);
        while at < patterns.list().len() {
            let hash = Self::hash(word_key(first_word(patterns.list()[at].as_bytes())));
            filter[hash / 64] |= 1 << (hash % 64);
            at += 1;
        }
        Self { filter, patterns: patterns.table() }
    }

    const fn hash(key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 53) as usize
    }

    /// Returns the words.
    pub(in crate::rules) const fn words(&self) -> &'static [&'static str] {
        self.patterns.list
    }

    /// Returns whether the set may contain a word with this key.
    #[inline]
    const fn may_have(&self, key: u64) -> bool {
        let hash = Self::hash(key);
        self.filter[hash / 64] >> (hash % 64) & 1 != 0
    }

    /// Returns whether the token is a word of the set.
    #[inline]
    pub(in crate::rules) fn has(&self, note: &Note<'_>, at: usize) -> bool {
        let key = note.key(at);
        self.may_have(key) && self.find(key, note, at)
    }

    #[cold]
    #[inline(never)]
    fn find(&self, wanted: u64, note: &Note<'_>, at: usize) -> bool {
        let mut words = self.patterns.starting_with(wanted).iter();
        words.any(|word| {
            word_key(word.as_bytes()) == wanted && (is_whole_word_key(wanted) || note.is_one_of_words(at, &[word]))
        })
    }

    /// Returns whether a text that is not a token is a word of the set.
    pub(in crate::rules) fn contains(&self, text: &[u8]) -> bool {
        let key = word_key(first_word(text));
        self.may_have(key) && self.patterns.starting_with(key).iter().any(|word| word.as_bytes() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_their_words_alone() {
        const WORDS: &[&str] = &["born", "birth", "birthdate", "dob", "yob", "birthdates", "on"];
        let keys = Keys::<{ Keys::<0>::slots_needed(WORDS) }>::new(WORDS);
        assert!(WORDS.iter().all(|word| keys.has(word_key(word.as_bytes()))));
        for other in ["", "o", "bor", "borne", "birthday"] {
            assert!(!keys.has(word_key(other.as_bytes())), "{other}");
        }
        assert!(Keys::<0>::are_whole_words(&["birthday"]) && !Keys::<0>::are_whole_words(WORDS));
    }

    #[test]
    fn sets_hold_their_words() {
        const WORDS: &[&str] = &["a", "calle", "calle de", "prolongacion", "urbanizacion"];
        static PATTERNS: Patterns<{ Patterns::<0>::slots_needed(WORDS) }> = Patterns::new(WORDS);
        let set = WordSet::new(&PATTERNS);
        assert!(set.words().iter().all(|word| set.contains(word.as_bytes())));
        for other in ["call", "calle del", "prolongation", ""] {
            assert!(!set.contains(other.as_bytes()), "{other}");
        }
    }
}
