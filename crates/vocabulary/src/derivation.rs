//! Words on no list that are derived from listed words: `hyperexpansion`, `uncalcified`, `echogenicity`.
//!
//! Medicine forms more words with prefixes and suffixes than any list has. A derived word counts as a word of the
//! literature if its base is an ordinary or medical word and not a name of a person or a place, a part of a date or an age.

use notesieve_text::words_of_file;

use super::class::{Class, Classes};
use super::tables::Tables;

/// The minimum length of a derived word: a shorter name may end in a word by chance.
const MIN_WORD_LETTERS: usize = 8;
/// The minimum length of a base; one letter more after a prefix of two letters.
const MIN_BASE_LETTERS: usize = 5;
/// The range of prefix lengths.
const PREFIX_LETTERS: std::ops::RangeInclusive<usize> = 2..=11;

/// Prefixes and combining forms, sorted.
const PREFIXES: &[&str] = words_of_file!("words/prefixes.txt");

/// Suffixes, each with its replacement in the base word and the minimum number of letters before it.
const SUFFIXES: [(&str, &str, usize); 10] = [
    ("ness", "", 5),
    ("iness", "y", 4),
    ("like", "", 5),
    ("ity", "", 6),
    ("ly", "", 6),
    ("ation", "", 6),
    ("ation", "e", 6),
    ("ations", "", 6),
    ("ations", "e", 6),
    ("ally", "", 6),
];

/// Lists that only describe how a word is used; a word on no other list counts as unlisted.
const USAGE_ONLY_LISTS: Classes = Classes::of(&[Class::WordCount, Class::Usage, Class::TermPart]);
/// Lists whose words can be bases.
const BASES: Classes = MEDICAL_BASES.with(Class::English);
const MEDICAL_BASES: Classes = Classes::of(&[Class::Literature, Class::Clinical, Class::Term]);
/// Lists whose words are never bases: names, and what a date or an age over 89 is told by.
const NEVER_BASES: Classes = Classes::of(&[
    Class::Surname,
    Class::FirstName,
    Class::City,
    Class::PlacePart,
    Class::County,
    Class::State,
    Class::Country,
    Class::Month,
    Class::Weekday,
    Class::Holiday,
    Class::NumberWord,
    Class::AgeCue,
    Class::Deny,
]);

impl Tables<'_> {
    /// Returns the lists of a folded word: those in the vocabulary, or the literature list for a derived word.
    pub fn lists_of_word(&self, folded: &[u8]) -> Classes {
        self.add_derivation(self.classes(self.word_id(folded)), || folded)
    }

    /// Adds the literature list to the lists that a derived word has in the vocabulary, if it is on none.
    #[inline]
    pub(crate) fn add_derivation<'w>(&self, listed: Classes, folded: impl FnOnce() -> &'w [u8]) -> Classes {
        if listed.any(!USAGE_ONLY_LISTS) { listed } else { listed | self.lists_of_derived_word(folded()) }
    }

    #[cold]
    fn lists_of_derived_word(&self, folded: &[u8]) -> Classes {
        let letters = || folded.iter().all(u8::is_ascii_lowercase);
        let Some(word) = std::str::from_utf8(folded).ok().filter(|word| word.len() >= MIN_WORD_LETTERS && letters())
        else {
            return Classes::NONE;
        };
        let is_derived = self.is_derived_by_suffix(word)
            || PREFIX_LETTERS.filter_map(|len| word.split_at_checked(len)).any(|(prefix, base)| {
                base.len() >= MIN_BASE_LETTERS + usize::from(prefix.len() == 2)
                    && PREFIXES.binary_search(&prefix).is_ok()
                    && (self.is_base(base, BASES) || self.is_derived_by_suffix(base))
            });
        if is_derived { Class::Literature.as_set() } else { Classes::NONE }
    }

    fn is_derived_by_suffix(&self, word: &str) -> bool {
        // The plural of an ordinary English word is too often a name: `Maltings`.
        let is_plural = word.strip_suffix('s').is_some_and(|base| self.is_base(base, MEDICAL_BASES));
        is_plural
            || SUFFIXES.iter().any(|&(suffix, instead, letters)| {
                word.strip_suffix(suffix)
                    .is_some_and(|base| base.len() >= letters && self.is_base(&format!("{base}{instead}"), BASES))
            })
    }

    /// Returns whether a word is on one of these lists and on none of [`NEVER_BASES`].
    fn is_base(&self, word: &str, lists: Classes) -> bool {
        let classes = self.classes(self.word_id(word.as_bytes()));
        classes.any(lists) && !classes.any(NEVER_BASES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vocabulary;

    #[test]
    fn words_of_medicine_are_derived_and_names_are_not() {
        let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("it opens");
        let lists = |word: &str| vocabulary.tables().lists_of_word(word.as_bytes());
        for word in ["hyperexpansion", "uncalcified", "hemiabdomen", "streakiness", "hypoechogenicity"] {
            assert!(lists(word).has(Class::Literature), "{word}");
        }
        // No base, a name, a hyphen; an age and a holiday.
        let others =
            ["unkowalski", "ostrowness", "parisness", "hyper-expansion", "hypercentenarian", "postthanksgiving"];
        for word in others {
            assert!(!lists(word).has(Class::Literature), "{word}");
        }
        assert!(PREFIXES.is_sorted(), "they are searched by halves");
        assert!(lists("fever").has(Class::Term), "words of the vocabulary keep their lists");
    }
}
