//! The layout of a note: lines, sentences, fields with their labels, headings and sections, tables, list items, speaker turns.
//!
//! It is computed once, in one pass over the tokens, and read through [`Note::layout`](super::Note::layout) by rules, names,
//! statuses and decisions. All indices are those of the whole note's tokens, also for a part of a note.
//!
//! | asked | answer |
//! |---|---|
//! | line of a token, its tokens, style, list marker | [`Layout::line_of`], [`Layout::line_tokens`], [`Line`] |
//! | sentence around a token | [`Layout::sentence_of`] |
//! | field of a token, its label; whether it is part of a label | [`Layout::field_of`], [`Layout::is_label`] |
//! | heading, section around a token | [`Layout::headings`], [`Layout::is_heading`], [`Layout::section_of`] |
//! | table of a line, header cell of a column | [`Layout::table_of`], [`Layout::header`] |
//! | column of a token | [`Note::column_of`](super::Note::column_of) |
//! | speaker turn around a token | [`Layout::turn_of`] |
//!
//! Look-ups are binary searches over short lists; who walks a whole note keeps a cursor instead.
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

/// How the words of a line are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum LineStyle {
    /// Prose.
    #[default]
    Mixed,
    /// Nearly all words are in capitals.
    Upper,
    /// Nearly all words begin with a capital letter.
    Title,
    /// Nearly all words of the whole note are in small letters.
    Lower,
}

/// A line. Empty lines are none; the next one is [`Line::is_after_blank`].
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub(super) first: u32,
    /// Its table, see [`Layout::tables`], or [`Layout::NONE`].
    table: u32,
    separators: u8,
    marker: u8,
    style: LineStyle,
    after_blank: bool,
}

impl Line {
    /// Its first token.
    #[inline]
    pub const fn first(&self) -> usize {
        self.first as usize
    }

    /// How its words are written.
    #[inline]
    pub const fn style(&self) -> LineStyle {
        self.style
    }

    /// How many separators of columns it has, at most 255: wide gaps and bars after its first token.
    #[inline]
    pub const fn separator_count(&self) -> u8 {
        self.separators
    }

    /// Whether it is a row of a table: it has three columns or more.
    #[inline]
    pub const fn is_row(&self) -> bool {
        self.table != Layout::NONE
    }

    /// Whether it begins with the marker of a list item: `-`, `*`, `1.`, `b)`, `[ ]`.
    #[inline]
    pub const fn is_item(&self) -> bool {
        self.marker > 0
    }

    /// The token after the marker of a list item, or the first of the line.
    #[inline]
    pub const fn body(&self) -> usize {
        self.first as usize + self.marker as usize
    }

    /// Whether an empty line, or nothing, stands before it.
    #[inline]
    pub const fn is_after_blank(&self) -> bool {
        self.after_blank
    }
}

/// A part of a line that begins after the label of a field, or in a new column. What stands before the first of a line is in no field.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    first: u32,
    label: (u32, u32),
}

impl Field {
    /// The first token of its value.
    #[inline]
    pub const fn first_of_value(&self) -> usize {
        self.first as usize
    }

    /// The words of its label; of two labels in a row the last that has words. Empty in a new column.
    #[inline]
    pub const fn label(&self) -> Range<usize> {
        self.label.0 as usize..self.label.1 as usize
    }
}

/// Rows of columns right below each other, the first of which may be a header.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    first_line: u32,
    last_line: u32,
    /// The header cells, in [`Layout::cells`].
    cells: (u32, u32),
}

impl Table {
    /// Its lines, the header among them.
    pub const fn lines(&self) -> Range<usize> {
        self.first_line as usize..self.last_line as usize
    }

    /// How many columns the header has.
    pub const fn columns(&self) -> usize {
        (self.cells.1 - self.cells.0) as usize
    }
}

/// What one speaker says, from the label with which it begins to the next.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    first: u32,
    body: u32,
    /// The same number for the same label.
    speaker: u32,
}

impl Turn {
    /// The first token of the label.
    pub const fn first_of_label(&self) -> usize {
        self.first as usize
    }

    /// The token after the label.
    pub const fn body(&self) -> usize {
        self.body as usize
    }

    /// Which of the speakers of the note it is.
    pub const fn speaker_index(&self) -> usize {
        self.speaker as usize
    }
}

/// The layout of a note; a buffer that is used again for the next.
#[derive(Clone)]
pub struct Layout {
    lines: Vec<Line>,
    sentences: Vec<u32>,
    fields: Vec<Field>,
    headings: Vec<Heading>,
    tables: Vec<Table>,
    cells: Vec<(u32, u32)>,
    turns: Vec<Turn>,
    labels: Vec<turns::Label>,
    /// How many tokens the note has.
    tokens: u32,
    lower: bool,
}

debug_count!(Layout, "lines", |it| it.lines.len());

impl Default for Layout {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Layout {
    const NONE: u32 = u32::MAX;

    /// That of no note.
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
        lower: false,
    };

    /// Whether nearly all words of the note are in small letters, so that capitals tell nothing.
    #[inline]
    pub const fn is_mostly_lower_case(&self) -> bool {
        self.lower
    }

    /// The lines.
    #[inline]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The place of the line in which a token stands.
    #[inline]
    pub fn line_index_of(&self, at: usize) -> usize {
        index_of_item(&self.lines, at, |line| line.first).unwrap_or(0)
    }

    /// The tokens of a line.
    #[inline]
    pub fn line_tokens(&self, line: usize) -> Range<usize> {
        range_of_item(&self.lines, line, self.tokens, |line| line.first)
    }

    /// The first tokens of all sentences. A sentence is no longer than a paragraph and may be longer than a line.
    #[inline]
    pub fn sentences(&self) -> &[u32] {
        &self.sentences
    }

    /// The tokens of the sentence in which a token stands.
    pub fn sentence_of(&self, at: usize) -> Range<usize> {
        let sentence = index_of_item(&self.sentences, at, |&first| first).unwrap_or(0);
        range_of_item(&self.sentences, sentence, self.tokens, |&first| first)
    }

    /// The fields of all lines, in their order.
    #[inline]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The field in which a token stands.
    pub fn field_of(&self, at: usize) -> Option<&Field> {
        let field = &self.fields[index_of_item(&self.fields, at, |field| field.first)?];
        (field.first_of_value() >= self.lines[self.line_index_of(at)].first()).then_some(field)
    }

    /// Whether a token is part of the label of a field.
    pub fn is_label(&self, at: usize) -> bool {
        let next = self.fields.partition_point(|field| field.first_of_value() <= at);
        self.fields.get(next).is_some_and(|field| field.label().contains(&at))
    }

    /// All headings, those of fields among them.
    #[inline]
    pub fn headings(&self) -> &[Heading] {
        &self.headings
    }

    /// The heading that begins at a token.
    pub fn heading_at(&self, at: usize) -> Option<&Heading> {
        let heading = &self.headings[index_of_item(&self.headings, at, |heading| heading.first)?];
        (heading.first as usize == at).then_some(heading)
    }

    /// Whether a token is part of a heading.
    pub fn is_heading(&self, at: usize) -> bool {
        index_of_item(&self.headings, at, |heading| heading.first)
            .is_some_and(|nth| at < self.headings[nth].first_after())
    }

    /// The heading of the section in which a token stands; see [`Heading::opens_section`].
    pub fn section_of(&self, at: usize) -> Option<&Heading> {
        let heading = &self.headings[index_of_item(&self.headings, at, |heading| heading.first)?];
        self.headings.get(heading.section as usize)
    }

    /// The tables.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The table of which a line is a row.
    pub fn table_of(&self, line: usize) -> Option<&Table> {
        self.tables.get(self.lines.get(line)?.table as usize)
    }

    /// The words of a cell of the header of a table, without a mark before them; empty where the header has no such column.
    pub fn header_cell(&self, table: &Table, column: usize) -> Range<usize> {
        let cells = &self.cells[table.cells.0 as usize..table.cells.1 as usize];
        cells.get(column).map_or(0..0, |&(first, last)| first as usize..last as usize)
    }

    /// The turns of a dialogue, in their order; none where the note is no dialogue.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The turn in which a token stands.
    pub fn turn_of(&self, at: usize) -> Option<&Turn> {
        Some(&self.turns[index_of_item(&self.turns, at, |turn| turn.first)?])
    }

    /// Gives back what only a long note needed.
    pub(crate) fn release(&mut self) {
        release(&mut self.lines);
        release(&mut self.sentences);
        release(&mut self.fields);
        release(&mut self.headings);
        release(&mut self.cells);
    }
}

/// The place of the last item that begins at a token or before it.
#[inline]
fn index_of_item<T>(items: &[T], at: usize, first: impl Fn(&T) -> u32) -> Option<usize> {
    items.partition_point(|item| first(item) as usize <= at).checked_sub(1)
}

/// The tokens from an item to the next.
#[inline]
fn range_of_item<T>(items: &[T], nth: usize, end: u32, first: impl Fn(&T) -> u32) -> Range<usize> {
    items.get(nth).map_or(0, |item| first(item) as usize)..items.get(nth + 1).map_or(end, first) as usize
}

#[cfg(test)]
mod tests;
