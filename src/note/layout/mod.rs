//! The layout of a note: lines, sentences, fields with their labels, headings and sections, tables, list items, speaker
//! turns.
//!
//! It is computed in one pass over the tokens, and read through [`Note::layout`](super::Note::layout) by rules, names,
//! statuses and decisions. All indices are those of the whole note's tokens, also for a part of a note.
//!
//! | question | answer |
//! |---|---|
//! | line of a token, its tokens, style, list marker | [`Layout::line_index_of`], [`Layout::line_tokens`], [`Line`] |
//! | sentence around a token | [`Layout::sentence_of`] |
//! | field of a token, its label | [`Layout::field_of`] |
//! | heading, section around a token | [`Layout::headings`], [`Layout::is_heading`], [`Layout::section_of`] |
//! | table of a line, header cell of a column | [`Layout::table_of`], [`Layout::header_cell`] |
//! | column of a token | [`Note::column_of_token`](super::Note::column_of_token) |
//! | speaker turn around a token | [`Layout::turn_of`] |
//!
//! Lookups are binary searches over short lists; code that walks a whole note keeps a cursor instead.
//!
//! ```
//! use notesieve::{Policy, Vocabulary};
//! use notesieve::note::NoteBuffers;
//!
//! let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes())?;
//! let mut buffers = NoteBuffers::default();
//! let note = buffers.read("SOCIAL HISTORY:\n- Tobacco: never\n- Alcohol: rarely", &vocabulary, Policy::safe().placeholder_forms());
//! let never = (0..note.len()).find(|&at| note.word(at) == "never").unwrap();
//! let field = note.layout().field_of(never).unwrap();
//! assert_eq!(note.words_of(field.label()), ["tobacco"]);
//! let section = note.layout().section_of(never).unwrap();
//! assert_eq!(note.words_of(section.words()), ["social", "history"]);
//! assert!(note.layout().lines()[1].is_item());
//! # Ok::<(), notesieve::Error>(())
//! ```

mod heading;
mod reader;
mod sentence;
mod turns;

use std::ops::Range;

use crate::buffer::release;
use crate::debug::debug_count;
pub use heading::Heading;
pub(crate) use reader::is_separator;

/// The letter case of the words of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum LineStyle {
    /// Prose.
    #[default]
    Mixed,
    /// Nearly all words are in capitals.
    Upper,
    /// Nearly all words start with a capital letter.
    Title,
    /// Nearly all words of the whole note are in lower case.
    Lower,
}

/// A line. Empty lines are not included, but the next line is [`Line::is_after_blank`].
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub(super) first: u32,
    /// The index of its table, see [`Layout::tables`], or [`Layout::NONE`].
    table: u32,
    separators: u8,
    marker: u8,
    style: LineStyle,
    after_blank: bool,
}

impl Line {
    /// Returns its first token.
    #[inline]
    pub const fn first(&self) -> usize {
        self.first as usize
    }

    /// Returns the letter case of its words.
    #[inline]
    pub const fn style(&self) -> LineStyle {
        self.style
    }

    /// Returns the number of its column separators, at most 255: wide gaps and bars after its first token.
    #[inline]
    pub const fn separator_count(&self) -> u8 {
        self.separators
    }

    /// Returns whether it is a row of a table: it has three columns or more.
    #[inline]
    pub const fn is_row(&self) -> bool {
        self.table != Layout::NONE
    }

    /// Returns whether it starts with a list marker: `-`, `*`, `1.`, `b)`, `[ ]`.
    #[inline]
    pub const fn is_item(&self) -> bool {
        self.marker > 0
    }

    /// Returns the token after the list marker, or the first of the line.
    #[inline]
    pub const fn body(&self) -> usize {
        self.first as usize + self.marker as usize
    }

    /// Returns whether an empty line or the start of the note precedes it.
    #[inline]
    pub const fn is_after_blank(&self) -> bool {
        self.after_blank
    }
}

/// A part of a line that starts after a field label, or in a new column. What precedes the first of a line is in no
/// field.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    first: u32,
    label: (u32, u32),
}

impl Field {
    /// Returns the first token of its value.
    #[inline]
    pub const fn first_of_value(&self) -> usize {
        self.first as usize
    }

    /// Returns the words of its label; of two labels in a row, the last that has words. Empty in a new column.
    #[inline]
    pub const fn label(&self) -> Range<usize> {
        self.label.0 as usize..self.label.1 as usize
    }
}

/// Consecutive lines with columns, the first of which may be a header.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    first_line: u32,
    last_line: u32,
    /// The header cells, as a range of `Layout::cells`.
    cells: (u32, u32),
}

impl Table {
    /// Returns its lines, including the header.
    pub const fn lines(&self) -> Range<usize> {
        self.first_line as usize..self.last_line as usize
    }

    /// Returns the number of columns of the header.
    pub const fn columns(&self) -> usize {
        (self.cells.1 - self.cells.0) as usize
    }
}

/// The words of one speaker, from a speaker label to the next.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    first: u32,
    body: u32,
    /// The index of the speaker: the same for the same label.
    speaker: u32,
}

impl Turn {
    /// Returns the first token of the label.
    pub const fn first_of_label(&self) -> usize {
        self.first as usize
    }

    /// Returns the token after the label.
    pub const fn body(&self) -> usize {
        self.body as usize
    }

    /// Returns the index of the speaker among those of the note.
    pub const fn speaker_index(&self) -> usize {
        self.speaker as usize
    }
}

/// The layout of a note; a buffer that is reused from note to note.
#[derive(Clone)]
pub struct Layout {
    lines: Vec<Line>,
    sentences: Vec<u32>,
    fields: Vec<Field>,
    headings: Vec<Heading>,
    tables: Vec<Table>,
    cells: Vec<(u32, u32)>,
    turns: Vec<Turn>,
    labels: Vec<turns::SpeakerLabel>,
    /// The number of tokens of the note.
    tokens: u32,
}

debug_count!(Layout, "lines", |it| it.lines.len());

impl Default for Layout {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Layout {
    const NONE: u32 = u32::MAX;

    /// An empty layout.
    pub(super) const EMPTY: Self = Self {
        lines: Vec::new(),
        sentences: Vec::new(),
        fields: Vec::new(),
        headings: Vec::new(),
        tables: Vec::new(),
        cells: Vec::new(),
        turns: Vec::new(),
        labels: Vec::new(),
        tokens: 0,
    };

    /// Returns the lines.
    #[inline]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Returns the index of the line of a token.
    #[inline]
    pub fn line_index_of(&self, at: usize) -> usize {
        index_of_item(&self.lines, at, |line| line.first).unwrap_or(0)
    }

    /// Returns the tokens of a line.
    #[inline]
    pub fn line_tokens(&self, line: usize) -> Range<usize> {
        range_of_item(&self.lines, line, self.tokens, |line| line.first)
    }

    /// Returns the first tokens of all sentences. A sentence ends at the latest with its paragraph, but may span lines.
    #[inline]
    pub fn sentences(&self) -> &[u32] {
        &self.sentences
    }

    /// Returns the tokens of the sentence around a token.
    pub fn sentence_of(&self, at: usize) -> Range<usize> {
        let sentence = index_of_item(&self.sentences, at, |&first| first).unwrap_or(0);
        range_of_item(&self.sentences, sentence, self.tokens, |&first| first)
    }

    /// Returns the fields of all lines, in order.
    #[inline]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Returns the field of a token.
    pub fn field_of(&self, at: usize) -> Option<&Field> {
        let field = &self.fields[index_of_item(&self.fields, at, |field| field.first)?];
        (field.first_of_value() >= self.lines[self.line_index_of(at)].first()).then_some(field)
    }

    /// Returns all headings, including labels of fields.
    #[inline]
    pub fn headings(&self) -> &[Heading] {
        &self.headings
    }

    /// Returns the heading that starts at a token.
    pub fn heading_at(&self, at: usize) -> Option<&Heading> {
        let heading = &self.headings[index_of_item(&self.headings, at, |heading| heading.first)?];
        (heading.first as usize == at).then_some(heading)
    }

    /// Returns whether a token is part of a heading.
    pub fn is_heading(&self, at: usize) -> bool {
        index_of_item(&self.headings, at, |heading| heading.first)
            .is_some_and(|nth| at < self.headings[nth].first_after())
    }

    /// Returns the heading of the section of a token; see [`Heading::opens_section`].
    pub fn section_of(&self, at: usize) -> Option<&Heading> {
        let heading = &self.headings[index_of_item(&self.headings, at, |heading| heading.first)?];
        self.headings.get(heading.section as usize)
    }

    /// Returns the tables.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Returns the table that a line is a row of.
    pub fn table_of(&self, line: usize) -> Option<&Table> {
        self.tables.get(self.lines.get(line)?.table as usize)
    }

    /// Returns the words of a header cell of a table, without leading punctuation; empty if the header has no such
    /// column.
    pub fn header_cell(&self, table: &Table, column: usize) -> Range<usize> {
        let cells = &self.cells[table.cells.0 as usize..table.cells.1 as usize];
        cells.get(column).map_or(0..0, |&(first, last)| first as usize..last as usize)
    }

    /// Returns the turns of a dialogue, in order; empty if the note is no dialogue.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Returns the turn of a token.
    pub fn turn_of(&self, at: usize) -> Option<&Turn> {
        Some(&self.turns[index_of_item(&self.turns, at, |turn| turn.first)?])
    }

    /// Frees buffers that only a long note needs.
    pub(crate) fn release(&mut self) {
        release(&mut self.lines);
        release(&mut self.sentences);
        release(&mut self.fields);
        release(&mut self.headings);
        release(&mut self.cells);
    }
}

/// Returns the index of the last item that starts at or before a token.
#[inline]
fn index_of_item<T>(items: &[T], at: usize, first: impl Fn(&T) -> u32) -> Option<usize> {
    items.partition_point(|item| first(item) as usize <= at).checked_sub(1)
}

/// Returns the tokens from an item to the next.
#[inline]
fn range_of_item<T>(items: &[T], nth: usize, end: u32, first: impl Fn(&T) -> u32) -> Range<usize> {
    items.get(nth).map_or(0, |item| first(item) as usize)..items.get(nth + 1).map_or(end, first) as usize
}

#[cfg(test)]
mod tests;
