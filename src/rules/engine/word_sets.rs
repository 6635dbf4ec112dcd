//! Words that rules ask for: one of a few, or of a set.

use super::View;
use crate::text::token::{NO_BYTE, key};

/// Whether the folded text of a token is one of these words. Rules ask this all the time, and a word of up to eight bytes
/// takes one comparison of two numbers, any more words one look into a table; no token of eight bytes or less holds NUL, but a NUL
/// alone, which no word is. Who asks several times for one token reads its key once: `says!(view, at, key, "a" | "b")`.
macro_rules! says {
    ($view:expr, $at:expr, $($word:literal)|+) => {
        says!($view, $at, $view.key($at), $($word)|+)
    };
    ($view:expr, $at:expr, $key:expr, $word:literal) => {
        $key == const { $crate::text::token::key($word.as_bytes()) } && (const { $word.len() <= 8 } || $view.spells($at, &[$word]))
    };
    ($view:expr, $at:expr, $key:expr, $one:literal | $other:literal) => {{
        let key = $key;
        says!($view, $at, key, $one) || says!($view, $at, key, $other)
    }};
    ($view:expr, $at:expr, $key:expr, $($word:literal)|+) => {{
        use $crate::rules::engine::word_sets::{Keys, is_whole};
        const WORDS: &[&str] = &[$($word),+];
        static KEYS: Keys<{ Keys::<0>::slots(WORDS) }> = Keys::new(WORDS);
        let key = $key;
        KEYS.has(key) && (const { Keys::<0>::are_whole(WORDS) } || is_whole(key) || $view.spells($at, WORDS))
    }};
}
pub(in crate::rules) use says;

/// The keys of a few words, each in a slot of its own. A chain of comparisons would end in a misprediction.
#[derive(Debug)]
pub(in crate::rules) struct Keys<const SLOTS: usize> {
    /// Brings the keys to different slots.
    factor: u64,
    slots: [u64; SLOTS],
}

impl<const SLOTS: usize> Keys<SLOTS> {
    /// The key of no token.
    const EMPTY: u64 = u64::MAX;

    /// How many slots the words need.
    pub(in crate::rules) const fn slots(words: &[&str]) -> usize {
        (words.len() * 5 / 4).next_power_of_two()
    }

    /// Whether the key of each word is the whole word.
    pub(in crate::rules) const fn are_whole(words: &[&str]) -> bool {
        let mut at = 0;
        while at < words.len() && words[at].len() <= 8 {
            at += 1;
        }
        at == words.len()
    }

    /// The keys of these words.
    pub(in crate::rules) const fn new(words: &[&str]) -> Self {
        let mut keys = Self { factor: 0x9E37_79B9_7F4A_7C15, slots: [Self::EMPTY; SLOTS] };
        let mut at = 0;
        while at < words.len() {
            let key = key(words[at].as_bytes());
            let slot = keys.slot(key);
            if keys.slots[slot] == Self::EMPTY || keys.slots[slot] == key {
                keys.slots[slot] = key;
                at += 1;
            } else {
                // Two in one slot: all again with another factor.
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

    /// Whether it is one of the keys.
    #[inline]
    pub(in crate::rules) const fn has(&self, key: u64) -> bool {
        self.slots[self.slot(key)] == key
    }
}

/// Whether the key of a token is its whole word.
#[inline]
pub(in crate::rules) const fn is_whole(key: u64) -> bool {
    key < NO_BYTE
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

/// A set of words, to be asked for tokens of which nearly all are not in it.
#[derive(Debug)]
pub(in crate::rules) struct WordSet {
    /// Sorted.
    words: &'static [&'static str],
    /// A bit for every value of a hash that a word of the set has.
    filter: [u64; 32],
    /// Behind the place of its hash, before the next empty one, stands the key of each word.
    keys: [u64; PLACES],
    /// By place, which word it is.
    places: [u16; PLACES],
}

/// How many places the words of a set have; some stay empty.
const PLACES: usize = 512;

impl WordSet {
    /// The key of no token.
    const EMPTY: u64 = u64::MAX;

    /// The set of words that are sorted; in a constant others do not compile.
    pub(in crate::rules) const fn new(words: &'static [&'static str]) -> Self {
        assert!(words.len() < PLACES, "a set has few words");
        let mut filter = [0; 32];
        let mut keys = [Self::EMPTY; PLACES];
        let mut places = [0; PLACES];
        let mut at = 0;
        while at < words.len() {
            let word = words[at].as_bytes();
            assert!(
                at == 0 || comes_before(words[at - 1].as_bytes(), word),
                "the words of a set are sorted, each once"
            );
            let key = key(word);
            let hash = Self::hash(key);
            filter[hash / 64] |= 1 << (hash % 64);
            let mut place = hash % PLACES;
            while keys[place] != Self::EMPTY {
                place = (place + 1) % PLACES;
            }
            keys[place] = key;
            places[place] = at as u16;
            at += 1;
        }
        Self { words, filter, keys, places }
    }

    const fn hash(key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 53) as usize
    }

    /// The words.
    pub(in crate::rules) const fn words(&self) -> &'static [&'static str] {
        self.words
    }

    /// Whether the token is a word of the set.
    #[inline]
    pub(in crate::rules) fn has(&self, view: &View<'_>, at: usize) -> bool {
        let key = view.key(at);
        let hash = Self::hash(key);
        self.filter[hash / 64] >> (hash % 64) & 1 != 0 && self.find(key, view, at)
    }

    #[cold]
    #[inline(never)]
    fn find(&self, key: u64, view: &View<'_>, at: usize) -> bool {
        self.has_key(key, |nth| is_whole(key) || view.spells(at, &self.words[nth..=nth]))
    }

    /// Whether a word has that key and is the right one.
    fn has_key(&self, key: u64, is_right: impl Fn(usize) -> bool) -> bool {
        let mut place = Self::hash(key) % PLACES;
        while self.keys[place] != Self::EMPTY {
            if self.keys[place] == key && is_right(usize::from(self.places[place])) {
                return true;
            }
            place = (place + 1) % PLACES;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_their_words_alone() {
        const WORDS: &[&str] = &["born", "birth", "birthdate", "dob", "yob", "birthdates", "on"];
        let keys = Keys::<{ Keys::<0>::slots(WORDS) }>::new(WORDS);
        assert!(WORDS.iter().all(|word| keys.has(key(word.as_bytes()))));
        for other in ["", "o", "bor", "borne", "birthday"] {
            assert!(!keys.has(key(other.as_bytes())), "{other}");
        }
        assert!(Keys::<0>::are_whole(&["birthday"]) && !Keys::<0>::are_whole(WORDS));
    }

    #[test]
    fn sets_hold_their_words_and_are_sorted() {
        let set = WordSet::new(&["a", "calle", "prolongacion", "urbanizacion"]);
        assert!(set.words.is_sorted());
        for word in set.words {
            let hash = WordSet::hash(key(word.as_bytes()));
            assert!(set.filter[hash / 64] >> (hash % 64) & 1 != 0);
            assert!(set.has_key(key(word.as_bytes()), |nth| set.words[nth] == *word));
        }
        assert!(!set.has_key(key(b"call"), |_| true));
        assert!(!set.has_key(key(b"prolongation"), |nth| set.words[nth] == "prolongation"));
    }
}
