//! Splits sentences.

use super::Layout;
use crate::note::Note;
use crate::text::token::{Case, Gap, Kind};

/// Abbreviations with a full stop that does not end a sentence.
const ABBREVIATIONS: [&str; 14] =
    ["vs", "dr", "mr", "mrs", "ms", "pt", "approx", "st", "eg", "ie", "cf", "neg", "pos", "temp"];
/// Words after which a sentence continues on the next line.
const CONTINUATION_WORDS: [&str; 12] =
    ["and", "or", "of", "for", "with", "no", "the", "a", "to", "in", "without", "nor"];

impl Layout {
    /// Adds a sentence that starts at a token, unless the current one continues; `at` must be a possible start.
    #[inline]
    pub(super) fn add_sentence(&mut self, note: &Note<'_>, at: usize) {
        let first = self.sentences.last().map_or(0, |&first| first as usize);
        if at == 0 || at > first && ends_sentence(note, at, first) {
            self.sentences.push(at as u32);
        }
    }
}

/// Returns whether the sentence that started at `first` ends before `at`, where another may start.
fn ends_sentence(note: &Note<'_>, at: usize, first: usize) -> bool {
    let (token, before) = (note.token(at), note.token(at - 1));
    let lower = token.kind == Kind::Word && token.case == Case::Lower;
    match (token.gap, before.mark()) {
        (Gap::Paragraph, _) | (Gap::Line, b'.' | b'!') => true,
        // "no fever,\nChills": the list continues.
        (Gap::Line, b',') => false,
        (Gap::Line, _) => !(before.kind == Kind::Word && CONTINUATION_WORDS.contains(&note.word(at - 1))),
        // "p.r.n. for pain", "Dr. Brown"
        (_, b'.') if at >= first + 2 && note.is_word(at - 2) && before.gap == Gap::None => {
            let word = note.word(at - 2);
            !(ABBREVIATIONS.contains(&word) || (lower && word.len() == 1))
        }
        // "? pneumonia" starts with the mark.
        (_, b'?') => at >= first + 2 && note.token(at - 2).mark() == 0,
        _ => true,
    }
}
