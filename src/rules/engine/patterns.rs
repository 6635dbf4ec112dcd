//! Lists of patterns by their first words, and which words of a note such a list, or another, may know.

use crate::text::token::word_key;

/// The first word of a pattern: all before its first blank.
pub(in crate::rules) const fn first_word(pattern: &[u8]) -> &[u8] {
    let mut end = 0;
    while end < pattern.len() && pattern[end] != b' ' {
        end += 1;
    }
    pattern.split_at(end).0
}

/// Whether a word stands before another in a sorted list.
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

/// A sorted list of patterns, words with blanks between, by the keys of their first words.
#[derive(Debug)]
pub(in crate::rules) struct Patterns<const PLACES: usize> {
    list: &'static [&'static str],
    /// At the place of its hash or after stands each key, with the first of its patterns and one past the last.
    keys: [u64; PLACES],
    ranges: [[u16; 2]; PLACES],
}

impl<const PLACES: usize> Patterns<PLACES> {
    /// How many places so many patterns need; half of them stay empty.
    pub(in crate::rules) const fn slots_needed(list: &[&str]) -> usize {
        (2 * list.len()).next_power_of_two()
    }

    /// The table of a list, each pattern once; in a constant a list that is not sorted does not compile.
    pub(in crate::rules) const fn new(list: &'static [&'static str]) -> Self {
        let mut patterns = Self { list, keys: [EMPTY; PLACES], ranges: [[0; 2]; PLACES] };
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

    /// The patterns.
    pub(in crate::rules) const fn list(&self) -> &'static [&'static str] {
        self.list
    }

    /// The same, whatever its size.
    pub(in crate::rules) const fn table(&'static self) -> PatternTable {
        PatternTable { list: self.list, keys: &self.keys, ranges: &self.ranges }
    }

    /// The patterns whose first word may have this key, among them all whose first word has it.
    #[inline]
    pub(in crate::rules) fn starting_with(&'static self, key: u64) -> &'static [&'static str] {
        self.table().starting_with(key)
    }
}

/// [`Patterns`] of any number.
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

/// The key of no word.
const EMPTY: u64 = u64::MAX;

/// Where a key stands among as many places as a power of two, or the empty place where it would.
const fn slot_of(keys: &[u64], key: u64) -> usize {
    let last = keys.len() - 1;
    let mut place = hash(key) & last;
    while keys[place] != key && keys[place] != EMPTY {
        place = (place + 1) & last;
    }
    place
}

/// How many hashes of keys there are.
const HASHES: usize = 1 << 13;

const fn hash(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - HASHES.trailing_zeros())) as usize
}

/// Which lists may know a word, one bit a list, by the hash of its key: most words are known to none, and rules that have but a list as
/// their anchor are asked at few others.
#[derive(Debug)]
pub(in crate::rules) struct KnownWords([u8; HASHES]);

impl KnownWords {
    /// The first words of lists.
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

    /// The lists that may know the word of a key.
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
        // Of long words the key has the first letters only.
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
