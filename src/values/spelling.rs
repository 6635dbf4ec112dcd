//! Phrases of a note without blanks, as the lists of this module spell them: `mm Hg` is `mmhg`, `q 6 h` is `q6h`.

use crate::note::Note;
use crate::text::token::{Gap, Kind};

/// The longest spelling of a list, in bytes.
const LONGEST: usize = 24;
/// The most tokens of a spelling.
const TOKENS: usize = 9;

/// The longest phrase from a token on whose spelling `find` knows, with one past its last token. It stays on its line, every token of
/// it is `kept`, and it does not end within a run of letters and digits.
pub(super) fn longest<T>(
    note: &Note<'_>,
    first: usize,
    kept: impl Fn(usize) -> bool,
    find: impl Fn(&str) -> Option<T>,
) -> Option<(T, usize)> {
    let mut spelling = String::with_capacity(LONGEST);
    let mut found = None;
    for at in first..first + TOKENS {
        let token = note.token(at);
        let goes_on = at == first || token.gap <= Gap::Space || token.gap == Gap::Line && !token.border_before();
        if token.kind == Kind::End || !goes_on || !kept(at) || spelling.len() + note.word(at).len() > LONGEST {
            break;
        }
        spelling.push_str(note.word(at));
        if !note.token(at + 1).glued()
            && let Some(known) = find(&spelling)
        {
            found = Some((known, at + 1));
        }
    }
    found
}

/// The lines of a list that are no comments, each with its columns.
pub(super) fn rows(list: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split('|').map(str::trim).collect())
}
