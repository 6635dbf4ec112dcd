//! Exceptions from a negation: "negative except a laceration".

use std::ops::Range;

use super::super::assertion::NEGATED;
use super::FormReader;
use super::reply::is_negating_word;

/// Phrases that introduce an exception.
const EXCEPTION_PHRASES: [[&str; 2]; 7] = [
    ["except", ""],
    ["excepting", ""],
    ["other", "than"],
    ["apart", "from"],
    ["aside", "from"],
    ["save", "for"],
    ["barring", ""],
];

/// Returns whether an exception may begin with a word.
pub(super) fn may_begin_exception(word: &str) -> bool {
    EXCEPTION_PHRASES.iter().any(|[one, _]| *one == word)
}

impl FormReader<'_> {
    pub(super) fn exception_begins_at(&self, at: usize) -> bool {
        let words = [self.word_at(at), self.word_at(at + 1)];
        EXCEPTION_PHRASES.iter().any(|[one, two]| *one == words[0] && (two.is_empty() || *two == words[1]))
    }

    /// Affirms what is excepted from a negation: "negative except a laceration".
    pub(super) fn affirm_excepted_terms(&mut self, at: usize, end: usize, terms: Range<usize>) {
        let text = self.text;
        let negates = |at: usize| {
            let word = self.word_at(at);
            matches!(word, "no" | "without" | "denies" | "denied" | "neither" | "nor" | "none")
                || is_negating_word(word)
        };
        let over = (at + 1..end).find(|&at| negates(at) || matches!(text.mark_at(at), b'.' | b';')).unwrap_or(end);
        for nth in terms {
            let first = self.terms[nth].first as usize;
            if (at + 1..over).contains(&first) {
                self.out[nth].clear_status(NEGATED);
            }
        }
    }
}
