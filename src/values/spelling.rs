//! Phrases of a note without blanks, as the lists of this module spell them: `mm Hg` is `mmhg`, `q 6 h` is `q6h`.

use crate::linear::hash::QuickMap;
use crate::note::Note;
use crate::text::normalize::Normalized;
use crate::text::token::{Gap, Kind};

/// The longest spelling of a list, in bytes.
const LONGEST: usize = 64;
/// The most tokens of a spelling.
const TOKENS: usize = 9;

/// Spellings and what they stand for.
#[derive(Clone, Debug)]
pub(super) struct Spellings<T>(QuickMap<String, Prefix<T>>);

/// What a spelling begins with: what it stands for itself, and whether a longer spelling begins with it.
#[derive(Clone, Copy, Debug)]
struct Prefix<T> {
    of: Option<T>,
    goes_on: bool,
}

impl<T> Default for Spellings<T> {
    fn default() -> Self {
        Self(QuickMap::default())
    }
}

impl<T: Copy> Spellings<T> {
    /// Adds a spelling, unless it stands for something already.
    pub(super) fn add(&mut self, spelling: &str, of: T) {
        let prefix = || Prefix { of: None, goes_on: false };
        for start in (1..spelling.len()).filter_map(|end| spelling.get(..end)) {
            self.0.entry(start.to_owned()).or_insert_with(prefix).goes_on = true;
        }
        self.0.entry(spelling.to_owned()).or_insert_with(prefix).of.get_or_insert(of);
    }

    /// What a spelling stands for.
    pub(super) fn get(&self, spelling: &str) -> Option<T> {
        self.0.get(spelling)?.of
    }

    /// The longest phrase from a token on that has a spelling, with one past its last token. It stays on its line, every token of it is
    /// `kept`, and it does not end within a run of letters and digits.
    pub(super) fn longest_spelling(
        &self,
        note: &Note<'_>,
        first: usize,
        kept: impl Fn(usize) -> bool,
    ) -> Option<(T, usize)> {
        let mut prefix =
            *self.0.get(note.word(first)).filter(|_| note.token(first).kind != Kind::End && kept(first))?;
        let mut spelling = Spelling::default();
        spelling.push(note.word(first))?;
        let mut found = None;
        for at in first + 1..=first + TOKENS {
            let token = note.token(at);
            found = prefix.of.filter(|_| !token.glued()).map(|known| (known, at)).or(found);
            let goes_on =
                prefix.goes_on && (token.gap <= Gap::Space || token.gap == Gap::Line && !token.border_before());
            // `mg s.c.`: a letter of another abbreviation is no plural.
            let dotted = note.width(at) == 1 && note.is_mark(at + 1, b'.') && note.joined(at + 1);
            let is_abbreviation = found.is_some() && token.gap != Gap::None && note.is_word(at) && dotted;
            if token.kind == Kind::End || !goes_on || at == first + TOKENS || is_abbreviation || !kept(at) {
                break;
            }
            let Some(longer) = spelling.push(note.word(at)).and_then(|spelling| self.0.get(spelling)) else { break };
            prefix = *longer;
        }
        found
    }
}

/// A spelling that grows by words, on the stack: most that are looked up are none.
struct Spelling {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Default for Spelling {
    fn default() -> Self {
        Self { bytes: [0; LONGEST], len: 0 }
    }
}

impl Spelling {
    /// The spelling with a word more, unless no spelling of the lists is as long.
    fn push(&mut self, word: &str) -> Option<&str> {
        let end = self.len + word.len();
        self.bytes.get_mut(self.len..end)?.copy_from_slice(word.as_bytes());
        self.len = end;
        str::from_utf8(&self.bytes[..end]).ok()
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
