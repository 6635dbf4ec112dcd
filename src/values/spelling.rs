//! Phrases of a note without blanks, as the lists of this module spell them: `mm Hg` is `mmhg`, `q 6 h` is `q6h`.

use crate::linear::hash::{QuickMap, QuickSet};
use crate::note::Note;
use crate::text::normalize::Normalized;
use crate::text::token::{Gap, Kind};

/// The longest spelling of a list, in bytes.
const LONGEST: usize = 24;
/// The most tokens of a spelling.
const TOKENS: usize = 9;

/// Spellings and what they stand for.
#[derive(Clone, Debug)]
pub(super) struct Spellings<T> {
    all: QuickMap<String, T>,
    /// What spellings begin with, so that nothing else is looked up.
    starts: QuickSet<String>,
}

impl<T> Default for Spellings<T> {
    fn default() -> Self {
        Self { all: QuickMap::default(), starts: QuickSet::default() }
    }
}

impl<T: Copy> Spellings<T> {
    /// Adds a spelling, unless it stands for something already.
    pub(super) fn add(&mut self, spelling: &str, of: T) {
        self.starts.extend((1..=spelling.len()).filter_map(|end| spelling.get(..end)).map(str::to_owned));
        self.all.entry(spelling.to_owned()).or_insert(of);
    }

    /// What a spelling stands for.
    pub(super) fn get(&self, spelling: &str) -> Option<T> {
        self.all.get(spelling).copied()
    }

    /// The longest phrase from a token on that has a spelling, with one past its last token. It stays on its line, every token of it is
    /// `kept`, and it does not end within a run of letters and digits.
    pub(super) fn longest_spelling(
        &self,
        note: &Note<'_>,
        first: usize,
        kept: impl Fn(usize) -> bool,
    ) -> Option<(T, usize)> {
        if !self.starts.contains(note.word(first)) {
            return None;
        }
        let mut spelling = String::with_capacity(LONGEST);
        let mut found = None;
        for at in first..first + TOKENS {
            let token = note.token(at);
            let goes_on = at == first || token.gap <= Gap::Space || token.gap == Gap::Line && !token.border_before();
            // `mg s.c.`: a letter of another abbreviation is no plural.
            let dotted = note.width(at) == 1 && note.is_mark(at + 1, b'.') && note.joined(at + 1);
            let is_abbreviation = found.is_some() && token.gap != Gap::None && note.is_word(at) && dotted;
            if token.kind == Kind::End || !goes_on || !kept(at) || is_abbreviation {
                break;
            }
            spelling.push_str(note.word(at));
            if !self.starts.contains(&spelling) {
                break;
            }
            if !note.token(at + 1).glued()
                && let Some(known) = self.get(&spelling)
            {
                found = Some((known, at + 1));
            }
        }
        found
    }
}

/// The lines of a list that are no comments, each with its columns.
pub(super) fn list_rows(list: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split('|').map(str::trim).collect())
}

/// The spellings of a list whose rows begin with what they stand for.
pub(super) fn spellings(list: &'static str) -> Spellings<&'static str> {
    let mut spellings = Spellings::default();
    for row in list_rows(list) {
        row[1].split_whitespace().for_each(|spelling| spellings.add(Normalized::new(spelling).folded(), row[0]));
    }
    spellings
}
