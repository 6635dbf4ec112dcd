//! Reads a text into a note.

use super::{Layout, Note, Numbers};
use crate::buffer::release;
use crate::debug::debug_count;
use crate::placeholders::{self, PlaceholderForms};
use crate::text::normalize::Normalized;
use crate::text::token::{self, Token};
use crate::vocabulary::{Classes, Start, Vocabulary, WordId};

/// The storage that a note borrows from; buffers that are reused from note to note.
#[derive(Default)]
pub struct NoteBuffers {
    normalized: Normalized,
    tokens: Vec<Token>,
    words: Vec<WordId>,
    classes: Vec<Classes>,
    starts: Vec<Start>,
    numbers: Numbers,
    layout: Layout,
}

debug_count!(NoteBuffers, "tokens", |it| it.tokens.len());

/// The layout while a note is being read.
static NO_LAYOUT: Layout = Layout::EMPTY;

impl NoteBuffers {
    /// Reads a text: folds and tokenises it, looks up its words, merges the placeholders of the policy into tokens, and
    /// reads numbers and layout.
    pub fn read<'a>(
        &'a mut self,
        source: &'a str,
        vocabulary: &'a Vocabulary,
        forms: PlaceholderForms<'_>,
    ) -> Note<'a> {
        let Self { normalized, tokens, words, classes, starts, numbers, layout } = self;
        normalized.fold(source);
        token::tokenize(source, normalized, tokens);
        let folded = normalized.folded();
        vocabulary.tables().lookup(folded, tokens, numbers.keys_mut(), words, classes, starts);
        placeholders::merge_placeholders(vocabulary, forms, source, normalized, tokens, words, classes, starts);
        if tokens.len() != numbers.keys_mut().len() {
            numbers.read_keys(folded, tokens);
        }
        numbers.read_numbers(folded, tokens);
        let mut layout = std::mem::take(layout);
        layout.read_layout(&Note { layout: &NO_LAYOUT, ..self.note(source, vocabulary) });
        self.layout = layout;
        self.note(source, vocabulary)
    }

    /// Returns the note that was read last, from the same text, without the buffers that were freed since.
    pub(crate) fn note<'a>(&'a self, source: &'a str, vocabulary: &'a Vocabulary) -> Note<'a> {
        let Self { normalized, tokens, words, classes, starts, numbers, layout } = self;
        Note {
            source,
            normalized,
            folded: normalized.folded(),
            tokens,
            words,
            classes,
            keys: numbers.keys(),
            starts,
            numbers,
            tables: vocabulary.tables(),
            vocabulary,
            layout,
        }
    }

    /// Frees the starts of terms if the note is long; not needed once terms are found.
    pub(crate) fn release_starts(&mut self) {
        release(&mut self.starts);
    }

    /// Frees the keys of a long note. They are recomputed on demand, which is rare once rules have run.
    pub(crate) fn release_keys(&mut self) {
        self.numbers.release_keys();
    }

    /// Frees everything except the tokens of a long note.
    pub(crate) fn release_words(&mut self) {
        release(&mut self.words);
        release(&mut self.classes);
        self.numbers.release();
        self.layout.release();
    }
}
