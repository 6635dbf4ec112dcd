//! Where sentences end.

use super::Layout;
use crate::note::Note;
use crate::text::token::{Case, Gap, Kind};

/// Words that are written with a full stop and after which a sentence goes on.
const SHORT: [&str; 14] = ["vs", "dr", "mr", "mrs", "ms", "pt", "approx", "st", "eg", "ie", "cf", "neg", "pos", "temp"];
/// Words after which a line is not over.
const GO_ON: [&str; 12] = ["and", "or", "of", "for", "with", "no", "the", "a", "to", "in", "without", "nor"];

impl Layout {
    /// Ends the sentence before a token with which one seems to begin, if it does.
    #[inline]
    pub(super) fn add_sentence(&mut self, note: &Note<'_>, at: usize) {
        let first = self.sentences.last().map_or(0, |&first| first as usize);
        if at == 0 || at > first && ends_sentence(note, at, first) {
            self.sentences.push(at as u32);
        }
    }
}

/// Whether a sentence that began at `first` is over where one seems to begin.
fn ends_sentence(note: &Note<'_>, at: usize, first: usize) -> bool {
    let (token, before) = (note.token(at), note.token(at - 1));
    let lower = token.kind == Kind::Word && token.case == Case::Lower;
    match (token.gap, before.mark()) {
        (Gap::Paragraph, _) | (Gap::Line, b'.' | b'!') => true,
        // "no fever,\nChills": the list goes on.
        (Gap::Line, b',') => false,
        (Gap::Line, _) => !(before.kind == Kind::Word && GO_ON.contains(&note.word(at - 1))),
        // "p.r.n. for pain", "Dr. Brown"
        (_, b'.') if at >= first + 2 && note.is_word(at - 2) && before.gap == Gap::None => {
            let word = note.word(at - 2);
            !(SHORT.contains(&word) || (lower && word.len() == 1))
        }
        // "? pneumonia" begins with it.
        (_, b'?') => at >= first + 2 && note.token(at - 2).mark() == 0,
        _ => true,
    }
}
