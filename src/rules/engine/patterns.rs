//! Pattern lists indexed by first word, and a filter for the words that such lists know.

use crate::text::token::word_key;

/// Returns the first word of a pattern: everything before its first blank.
pub(in crate::rules) const fn first_word(pattern: &[u8]) -> &[u8] {
    let mut end = 0;
    while end < pattern.len() && pattern[end] != b' ' {
        end += 1;
    }
    pattern.split_at(end).0
}

/// Returns whether a word sorts before another.
const fn comes_before(word: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < word.len() && at < other.len() {
        if word[at] != other[at] {
            return word[at] < other[at];
        }
        at += 1;
    }
    word.len() < other.len()
}

/// A sorted list of patterns (words separated by blanks), indexed by the keys of their first words.
#[derive(Debug)]
pub(in crate::rules) struct Patterns<const SLOTS: usize> {
    list: &'static [&'static str],
    /// An open-addressing hash table of keys, each with the range of its patterns (end exclusive) in `ranges`.
    keys: [u64; SLOTS],
    ranges: [[u16; 2]; SLOTS],
}

impl<const SLOTS: usize> Patterns<SLOTS> {
    /// Returns the number of slots for a list; at least half of them stay empty.
    pub(in crate::rules) const fn slots_needed(list: &[&str]) -> usize {
        (2 * list.len()).next_power_of_two()
    }

    /// Creates the table of a list of distinct patterns. In a constant, a list that is not sorted does not compile.
    pub(in crate::rules) const fn new(list: &'static [&'static str]) -> Self {
        let mut patterns = Self { list, keys: [EMPTY; SLOTS], ranges: [[0; 2]; SLOTS] };
        let mut nth = 0;
        while nth < list.len() {
            assert!(
                nth == 0 || comes_before(list[nth - 1].as_bytes(), list[nth].as_bytes()),
                "the words of a list are sorted, each once"
            );
            let key = word_key(first_word(list[nth].as_bytes()));
            let place = slot_of(&patterns.keys, key);
            if patterns.keys[place] == EMPTY {
                (patterns.keys[place], patterns.ranges[place][0]) = (key, nth as u16);
            }
            patterns.ranges[place][1] = nth as u16 + 1;
            nth += 1;
        }
        patterns
    }

    /// Returns the patterns.
    pub(in crate::rules) const fn list(&self) -> &'static [&'static str] {
        self.list
    }

    /// Returns the table without its size in the type.
    pub(in crate::rules) const fn table(&'static self) -> PatternTable {
        PatternTable { list: self.list, keys: &self.keys, ranges: &self.ranges }
    }

    /// Returns the patterns whose first word may have this key, including all whose first word does.
    #[inline]
    pub(in crate::rules) fn starting_with(&'static self, key: u64) -> &'static [&'static str] {
        self.table().starting_with(key)
    }
}

/// [`Patterns`] with the size erased.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct PatternTable {
    pub(super) list: &'static [&'static str],
    keys: &'static [u64],
    ranges: &'static [[u16; 2]],
}

impl PatternTable {
    /// See [`Patterns::starting_with`].
    #[inline]
    pub(in crate::rules) fn starting_with(&self, key: u64) -> &'static [&'static str] {
        let [first, last] = self.ranges[slot_of(self.keys, key)];
        &self.list[first.into()..last.into()]
    }
}

/// The key of an empty slot; no word has it.
const EMPTY: u64 = u64::MAX;

/// Returns the slot of a key, or the empty slot where it belongs; the number of slots is a power of two.
const fn slot_of(keys: &[u64], key: u64) -> usize {
    let last = keys.len() - 1;
    let mut place = hash(key) & last;
    while keys[place] != key && keys[place] != EMPTY {
        place = (place + 1) & last;
    }
    place
}

/// The number of hash values of keys.
const HASHES: usize = 1 << 13;

const fn hash(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - HASHES.trailing_zeros())) as usize
}

/// A filter by hashed key: the lists that may contain a word, one bit per list. Most words are in none, so rules
/// anchored on such a list run at few other tokens.
#[derive(Debug)]
pub(in crate::rules) struct KnownWords([u8; HASHES]);

impl KnownWords {
    /// Creates the filter from the first words of the lists.
    pub(in crate::rules) const fn new(lists: &[&[&[&str]]]) -> Self {
        let (mut known, mut bit) = ([0; HASHES], 0);
        while bit < lists.len() {
            let mut list = 0;
            while list < lists[bit].len() {
                let mut nth = 0;
                while nth < lists[bit][list].len() {
                    known[hash(word_key(first_word(lists[bit][list][nth].as_bytes())))] |= 1 << bit;
                    nth += 1;
                }
                list += 1;
            }
            bit += 1;
        }
        Self(known)
    }

    /// Returns a bitmask of the lists that may contain the word with this key.
    #[inline]
    pub(in crate::rules) const fn lists_of_key(&self, key: u64) -> u8 {
        self.0[hash(key)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &[&str] = &["a & o", "a & p", "covid 19", "pneumocystis", "pneumothorax @", "zz"];

    #[test]
    fn patterns_are_found_by_their_first_words() {
        static PATTERNS: Patterns<{ Patterns::<0>::slots_needed(LIST) }> = Patterns::new(LIST);
        assert_eq!(PATTERNS.starting_with(word_key(b"a")), &LIST[..2]);
        assert_eq!(PATTERNS.starting_with(word_key(b"zz")), &LIST[5..]);
        // The key of a long word holds its first letters only.
        assert_eq!(PATTERNS.starting_with(word_key(b"pneumocystis")), &LIST[3..4]);
        assert!(PATTERNS.starting_with(word_key(b"b")).is_empty());
    }

    #[test]
    fn words_are_known_by_their_lists() {
        static KNOWN: KnownWords = KnownWords::new(&[&[LIST], &[&["zz", "tango"]]]);
        assert_eq!(KNOWN.lists_of_key(word_key(b"covid")), 1);
        assert_eq!(KNOWN.lists_of_key(word_key(b"zz")), 3);
        assert_eq!(KNOWN.lists_of_key(word_key(b"tango")), 2);
        assert_eq!(KNOWN.lists_of_key(word_key(b"cough")), 0);
    }
}
