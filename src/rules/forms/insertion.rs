//! Invisible or meaningless insertions inside a word: `R<!-- -->ose`, `Ro/**/se`, `Ro{}se`,
//! `R<span class="x">o</span>se`.

use crate::rules::engine::Note;
use crate::rules::engine::word_sets::{WordSet, word_set};

/// The maximum number of bytes to search for the end of a comment. Without it, a megabyte of comment openings would be
/// scanned from each one.
const MAX_TOKENS: usize = 256;

/// The maximum number of consecutive insertions.
const MAX_INSERTIONS: usize = 8;

/// HTML tags inside words.
pub(in crate::rules) static TAGS: WordSet = word_set!("forms-inside-tags");

/// Returns the end (exclusive) of the insertions inside a word that begin at the mark `at`; `None` if there are none.
pub(in crate::rules) fn end_of_insertion(note: &Note<'_>, at: usize) -> Option<usize> {
    if at == 0 || !note.joined(at) || !note.is_word(at - 1) {
        return None;
    }
    let mut end = at;
    for _ in 0..MAX_INSERTIONS {
        end = end_of_single_insertion(note, end)?;
        if !note.joined(end) {
            return None;
        }
        if note.is_word(end) {
            return Some(end);
        }
    }
    None
}

/// Returns the end (exclusive) of one comment, tag or empty bracket.
fn end_of_single_insertion(note: &Note<'_>, at: usize) -> Option<usize> {
    let text = note.text().as_bytes().get(note.token(at).start as usize..)?;
    let close: &[u8] = match text {
        [b'<', b'!', b'-', b'-', ..] => b"-->",
        [b'<', b'!' | b'?' | b'%', ..] => b">",
        [b'<', ..] if TAGS.has(note, at + 1) || note.is_mark(at + 1, b'/') && TAGS.has(note, at + 2) => b">",
        [b'/', b'*', ..] => b"*/",
        [b'(', b')', ..] | [b'[', b']', ..] | [b'<', b'>', ..] => &text[1..2],
        // Braces hold a template field or a command.
        [b'{', ..] => b"}",
        _ => return None,
    };
    // The opening marks do not close it: `/*/`, `<!-->`.
    let first = if text.starts_with(b"<!--") { 4 } else { 1 + usize::from(close.len() > 1) };
    let inner = text.get(first..text.len().min(MAX_TOKENS))?;
    let closed = first + inner.windows(close.len()).position(|window| window == close)? + close.len();
    let last = note.token(at).start as usize + closed;
    (at + 1..=at + MAX_TOKENS).find(|&next| note.token(next).start as usize >= last || next >= note.len())
}
