//! Readability of scrubbed text: a proxy that needs no human reader.

use serde::{Deserialize, Serialize};

/// Counts of masks and sentences in one or more texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Readability {
    /// The number of masks: runs of removed words without a kept word in between.
    pub masks: u64,
    /// The number of removed words.
    pub masked_words: u64,
    /// The length of the longest mask in words.
    pub longest_mask: u64,
    /// The number of sentences and lines.
    pub sentences: u64,
}

impl Readability {
    /// Adds the counts of another text.
    pub(crate) fn add(&mut self, other: Self) {
        self.masks += other.masks;
        self.masked_words += other.masked_words;
        self.longest_mask = self.longest_mask.max(other.longest_mask);
        self.sentences += other.sentences;
    }

    /// Returns the mean number of masks per sentence.
    pub fn masks_per_sentence(self) -> f64 {
        if self.sentences == 0 { 0.0 } else { self.masks as f64 / self.sentences as f64 }
    }
}

/// Counts masks and sentences. A sentence ends at `.`, `!` or `?` before white space and at the end of a line; only
/// sentences with a word count.
pub(crate) fn readability(text: &[char], words: &[(usize, usize)], removed: &[Option<u32>]) -> Readability {
    let mut found = Readability::default();
    let (mut run, mut after) = (0_u64, 0);
    for &(start, end) in words {
        if after == 0 || ends_sentence(&text[after..start]) {
            found.sentences += 1;
        }
        after = end;
        if removed[start..end].iter().any(Option::is_some) {
            found.masked_words += 1;
            found.masks += u64::from(run == 0);
            run += 1;
            found.longest_mask = found.longest_mask.max(run);
        } else {
            run = 0;
        }
    }
    found
}

fn ends_sentence(between: &[char]) -> bool {
    between.contains(&'\n')
        || between.windows(2).any(|pair| matches!(pair[0], '.' | '!' | '?') && pair[1].is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokenize;

    #[test]
    fn counts_runs_and_sentences() {
        let text: Vec<char> = "Seen by Ann B. Lee today.\nPain 2.5 cm. Stable".chars().collect();
        let words = tokenize(&text);
        let mut removed = vec![None; text.len()];
        removed[8..17].fill(Some(0));
        removed[18..20].fill(Some(1));
        let found = readability(&text, &words, &removed);
        // "B." ends a sentence here: the proxy does not recognise initials.
        assert_eq!(found, Readability { masks: 1, masked_words: 4, longest_mask: 4, sentences: 4 });
    }
}
