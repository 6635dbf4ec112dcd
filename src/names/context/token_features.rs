//! The raw features of one token, before they are combined and hashed.

use crate::linear::hash::{EMPTY_HASH, mix_three};
use crate::text::token::Gap;
use crate::vocabulary::Classes;

/// The raw features of one token.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenFeatures {
    /// The hash of the word; of a number, that of its shape; of punctuation, the mark itself.
    pub(in crate::names) word: u64,
    /// The kind of word as one number; stop words and punctuation are kinds of their own.
    pub(in crate::names) kind: u64,
    /// The lists that are features by themselves.
    pub(in crate::names) lists: Classes,
    /// The evidence of terms and rules, see [`Evidence`].
    pub(in crate::names) evidence: u64,
    /// The field label and the section heading that the token is under.
    pub(in crate::names) label: u64,
    pub(in crate::names) section: u64,
    /// The header of its table column.
    pub(in crate::names) column: u64,
    /// The first word of its line.
    pub(in crate::names) opening: u64,
    /// The usage clusters of the word in general English, in this letter case and in the other.
    pub(in crate::names) cluster: u16,
    pub(in crate::names) other_cluster: u16,
    /// The ratio of its capitalised to its lower-case use, its frequency, and how often it is in capitals, packed.
    pub(in crate::names) usage: u16,
    pub(in crate::names) line: u32,
    /// The run of capitalised words that it belongs to, see [`NoteContext::runs`](super::NoteContext::runs).
    pub(in crate::names) run: u32,
    /// Whether it is part of a place name of several words.
    pub(in crate::names) phrase: bool,
    /// Its distance from the start of its line and of its field, in tokens, at most 255.
    pub(in crate::names) place: u8,
    pub(in crate::names) tokens_after_label: u8,
    /// Its own form, and the letter case of its line.
    pub(in crate::names) form: u8,
    pub(in crate::names) style: u8,
    /// A bitmask of its lists of names and words: surname, first name, English, place, medical, term, stop word.
    pub(in crate::names) prior: u8,
    /// Of a word, how common it is; of a number, how large its parts are.
    pub(in crate::names) measures: Measures,
    pub(in crate::names) gap: Gap,
    pub(in crate::names) judged: bool,
    pub(in crate::names) is_word: bool,
    pub(in crate::names) sentence_start: bool,
    pub(in crate::names) width: u8,
}

/// Four measures of a token: of a word, how common it is as a name and as a word; of a number, how large its parts are.
/// Models read both from the same columns.
#[derive(Clone, Copy, Debug)]
pub(in crate::names) struct Measures(pub(in crate::names) [u8; 4]);

impl Measures {
    /// The measures of punctuation.
    pub(super) const NONE: Self = Self([0; 4]);

    /// Returns the measures of a word: the ratio of its use as a name to that as a word, and its frequency as a
    /// surname, a first name and a word, all as logarithms to base 2.
    pub(super) const fn of_word(name_log2_ratio: i8, surname: u8, first_name: u8, frequency: u8) -> Self {
        Self([name_log2_ratio.cast_unsigned(), surname, first_name, frequency])
    }

    /// Returns the measures of a number: the size classes of its first three parts, and whether it has a leading zero.
    pub(super) const fn of_number([first, second, third]: [u8; 3], has_leading_zero: bool) -> Self {
        Self([first, second, third, has_leading_zero as u8])
    }

    /// Returns how common a word is as a surname.
    pub(in crate::names) const fn surname(self) -> u8 {
        self.0[1]
    }

    /// Returns how common a word is as a first name.
    pub(in crate::names) const fn first_name(self) -> u8 {
        self.0[2]
    }

    /// Returns how common a word is.
    pub(in crate::names) const fn frequency(self) -> u8 {
        self.0[3]
    }

    /// Returns the size classes of the first three parts of a number; 9 where it has fewer.
    pub(in crate::names) const fn part_sizes(self) -> [u8; 3] {
        let [first, second, third, _] = self.0;
        [first, second, third]
    }

    /// Returns whether a number has a leading zero.
    pub(in crate::names) const fn has_leading_zero(self) -> bool {
        self.0[3] != 0
    }
}

/// Cache keys of the features of one token: one for each group of features.
#[derive(Clone, Copy, Debug)]
pub(in crate::names) struct FeatureKeys {
    /// Its word and how it is written.
    pub(in crate::names) word: u64,
    /// Its form, its lists and its evidence.
    pub(in crate::names) facts: u64,
    /// Its length and its frequencies.
    pub(in crate::names) measures: u64,
}

/// What precedes the first token and follows the last.
pub(in crate::names) const OUTSIDE: TokenFeatures = TokenFeatures {
    word: 1,
    kind: 1,
    lists: Classes::NONE,
    evidence: 1,
    label: EMPTY_HASH,
    section: EMPTY_HASH,
    column: EMPTY_HASH,
    opening: EMPTY_HASH,
    cluster: 0,
    other_cluster: 0,
    usage: 0,
    line: u32::MAX,
    run: u32::MAX,
    phrase: false,
    place: 0,
    tokens_after_label: 0,
    form: form::OUTSIDE,
    style: 0,
    prior: 0,
    measures: Measures::NONE,
    gap: Gap::Paragraph,
    judged: false,
    is_word: false,
    sentence_start: false,
    width: 0,
};

/// The form of a token.
pub(in crate::names) mod form {
    pub(in crate::names) const OUTSIDE: u8 = 0;
    pub(in crate::names) const LOWER: u8 = 1;
    pub(in crate::names) const CAPITAL: u8 = 2;
    pub(in crate::names) const MIXED: u8 = 3;
    pub(in crate::names) const ONE_LOWER: u8 = 4;
    pub(in crate::names) const ONE_CAPITAL: u8 = 5;
    /// Words in capitals of two, three, four, and five or more letters.
    pub(in crate::names) const UPPER: u8 = 6;
    /// Numbers of 1 to 6 or more digits, from here on; then those with marks inside.
    pub(in crate::names) const INTEGER: u8 = 12;
    pub(in crate::names) const MARKED: u8 = 20;
    /// Punctuation, by its byte, from here on.
    pub(in crate::names) const MARK: u8 = 64;
    pub(in crate::names) const SYMBOL: u8 = 40;
    pub(in crate::names) const POSSESSIVE: u8 = 41;
    pub(in crate::names) const OWN: u8 = 42;
}

/// The letter case of the words of a line.
pub(in crate::names) mod style {
    pub(in crate::names) const MIXED: u8 = 0;
    pub(in crate::names) const UPPER: u8 = 1;
    pub(in crate::names) const TITLE: u8 = 2;
    /// The whole note is in lower case.
    pub(in crate::names) const LOWER: u8 = 3;
}

/// The evidence of terms, lists and rules for a token, as one number.
#[derive(Clone, Copy)]
#[repr(u64)]
pub(super) enum Evidence {
    Mark = 2,
    Unlisted = 3,
    Listed = 4,
    Term = 5,
    LongTerm = 6,
    /// The number by which models know the rule is added.
    Vouched = 1 << 16,
    RemovedByRule = 2 << 16,
}

impl TokenFeatures {
    /// Returns the form together with the letter case of the line.
    #[inline]
    pub(in crate::names) fn shape_in_line(&self) -> u64 {
        u64::from(self.form) << 2 | u64::from(self.style)
    }

    /// Returns a coarse class of the form for features of neighbours: below 16.
    #[inline]
    pub(in crate::names) const fn shape_class(&self) -> u8 {
        match (self.form, self.style) {
            (form::LOWER, style::LOWER) => 0,
            (form::LOWER | form::ONE_LOWER, _) => 1,
            (form::CAPITAL, style::TITLE) => 2,
            (form::CAPITAL, _) => 3,
            (form::ONE_CAPITAL, _) => 4,
            (form::MIXED, _) => 5,
            (form::UPPER..form::INTEGER, style::UPPER) => 6,
            (form::UPPER..form::INTEGER, _) => 7,
            (form::INTEGER..form::MARKED, _) => 8,
            _ => 9,
        }
    }

    /// Returns the cache keys of the features of this token, and of those that it gives its neighbours.
    #[inline]
    pub(in crate::names) fn feature_keys(&self) -> FeatureKeys {
        let kind = u64::from(self.is_word) << 8 | u64::from(self.judged) << 9;
        let written = u64::from(self.form) | kind;
        let word = mix_three(self.word, written, self.cluster.into());
        let in_line = u64::from(self.style) << 10 | u64::from(self.sentence_start) << 12;
        let prior = u64::from(self.prior) << 16;
        let facts = mix_three(mix_three(written | in_line | prior, 0, 0), self.lists.0, self.evidence);
        let counts = u64::from(u32::from_le_bytes(self.measures.0)) << 24 | u64::from(self.width) << 56;
        let usage = u64::from(self.cluster) | u64::from(self.other_cluster) << 16 | u64::from(self.usage) << 32;
        let measures = mix_three(mix_three(written | in_line | prior | counts, 0, 0), usage, 0);
        FeatureKeys { word, facts, measures }
    }

    /// Returns whether it is a word with a capital letter, in a line of mixed or lower case.
    pub(super) const fn is_capitalised_word(&self) -> bool {
        self.is_word
            && matches!(self.style, style::MIXED | style::LOWER)
            && (matches!(self.form, form::CAPITAL | form::MIXED | form::ONE_CAPITAL)
                || self.form >= form::UPPER && self.form < form::INTEGER)
    }

    /// Returns whether it may join capitalised words into a run: a small word, or a mark found in names.
    pub(super) fn may_join_capitals(&self) -> bool {
        let mark = self.form.saturating_sub(form::MARK);
        let small =
            self.prior & 0b100_0000 != 0 && self.width <= 3 && self.form == form::LOWER && self.gap == Gap::Space;
        small
            || matches!(mark, b'-' | b'\'' | b'&')
            || self.form == form::POSSESSIVE
            || mark == b'.' && self.gap == Gap::None
    }

    /// Returns whether it is part of a term of several words.
    pub(in crate::names) const fn is_in_long_term(&self) -> bool {
        self.evidence == Evidence::LongTerm as u64
    }

    /// Returns whether it is a word that nothing vouches for.
    pub(in crate::names) const fn is_unlisted(&self) -> bool {
        self.is_word && self.evidence == Evidence::Unlisted as u64
    }

    /// Returns whether a rule removes it.
    pub(in crate::names) const fn is_removed_by_rule(&self) -> bool {
        self.evidence >= Evidence::RemovedByRule as u64
    }
}
