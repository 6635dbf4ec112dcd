//! Reads the layout of a note in one pass over its tokens.

use super::{Field, Layout, Line, LineStyle, Table};
use crate::note::Note;
use crate::text::token::{Case, Gap, Kind, Token};

/// The maximum number of words of a label.
const MAX_LABEL_WORDS: usize = 8;
/// The minimum number of separators of a table row.
const MIN_ROW_SEPARATORS: u8 = 2;
/// A note of more words than this is in lower case if fewer than one in [`CAPITALS`] has a capital letter.
const WORDS: usize = 20;
const CAPITALS: usize = 33;

/// Counts of words of more than two letters: all, in capitals, and with a capital letter anywhere.
#[derive(Clone, Copy, Default)]
struct Letters {
    all: usize,
    upper: usize,
    capital: usize,
}

impl Letters {
    #[inline]
    fn count_token(&mut self, token: Token) {
        let counts = token.kind == Kind::Word && token.end - token.start > 2;
        self.all += usize::from(counts);
        self.upper += usize::from(counts && token.case == Case::Upper);
        self.capital += usize::from(counts && token.case != Case::Lower);
    }

    const fn style(self) -> LineStyle {
        let Self { all, upper, capital } = self;
        match () {
            () if all > 1 && 10 * upper > 7 * all => LineStyle::Upper,
            () if all > 3 && 10 * capital > 7 * all => LineStyle::Title,
            () => LineStyle::Mixed,
        }
    }
}

impl Layout {
    /// Reads the layout of a note; replaces the previous one.
    pub(crate) fn read_layout(&mut self, note: &Note<'_>) {
        let Self { lines, sentences, fields, headings, tables, cells, turns, labels, tokens } = self;
        lines.clear();
        sentences.clear();
        fields.clear();
        headings.clear();
        tables.clear();
        cells.clear();
        turns.clear();
        labels.clear();
        *tokens = note.len() as u32;
        let (mut at, mut all) = (0, Letters::default());
        while at < note.len() {
            at = self.read_line(note, at, &mut all);
        }
        if all.all > WORDS && CAPITALS * all.capital < all.all {
            let mixed = self.lines.iter_mut().filter(|line| line.style == LineStyle::Mixed);
            mixed.for_each(|line| line.style = LineStyle::Lower);
        }
        self.read_turns(note);
    }

    /// Reads the line that starts at a token, and returns its end (exclusive).
    fn read_line(&mut self, note: &Note<'_>, first: usize, all: &mut Letters) -> usize {
        let marker = list_marker_len(note, first) as u8;
        let after_blank = note.gap(first) == Gap::Paragraph;
        let line = Line {
            first: first as u32,
            table: Self::NONE,
            separators: 0,
            marker,
            style: LineStyle::Mixed,
            after_blank,
        };
        self.lines.push(line);
        let (mut letters, mut separators, mut field, mut label) = (Letters::default(), 0_u8, first, (0, 0));
        let mut at = first;
        for &token in &note.tokens()[first..] {
            if at > first {
                if token.gap >= Gap::Line {
                    break;
                }
                if is_separator(token) {
                    separators = separators.saturating_add(1);
                    if token.gap == Gap::Wide && token.kind == Kind::Word && at > field {
                        (field, label) = (at, (0, 0));
                        self.fields.push(Field { first: at as u32, label });
                    }
                }
            }
            if token.sentence_start() || token.line_start() || at == 0 {
                self.read_token(note, at, token);
            }
            letters.count_token(token);
            if matches!(token.mark(), b':' | b'|' | b'=' | b'#' | b'.') && may_end_label(note, at) {
                label = self.read_label(note, line.body(), at).unwrap_or(label);
                field = at + 1;
                if note.same_line(field) {
                    self.fields.push(Field { first: field as u32, label });
                }
            }
            at += 1;
        }
        let line = self.lines.len() - 1;
        (self.lines[line].style, self.lines[line].separators) = (letters.style(), separators);
        if separators >= MIN_ROW_SEPARATORS {
            self.add_row(note, line, first..at);
        }
        (all.all, all.capital) = (all.all + letters.all, all.capital + letters.capital);
        at
    }

    /// Adds the sentence and the heading that may start at a token.
    fn read_token(&mut self, note: &Note<'_>, at: usize, token: Token) {
        if token.sentence_start() || token.gap == Gap::Paragraph || at == 0 {
            self.add_sentence(note, at);
        }
        self.add_heading(note, at);
    }

    /// Returns the label before a mark of a line whose text starts at `body`.
    fn read_label(&mut self, note: &Note<'_>, body: usize, at: usize) -> Option<(u32, u32)> {
        let first = self.lines[self.lines.len() - 1].first();
        let (start, end) = words_before_mark(note, first, at)?;
        if start == body && note.is_mark(at, b':') && note.same_line(at + 1) {
            self.add_speaker_label(note, start, end, at + 1);
        }
        Some((start as u32, end as u32))
    }

    /// Adds a row to the table of the line before, or starts a table.
    fn add_row(&mut self, note: &Note<'_>, line: usize, tokens: std::ops::Range<usize>) {
        let before = line.checked_sub(1).map_or(Self::NONE, |before| self.lines[before].table);
        if let Some(table) = self.tables.get_mut(before as usize) {
            table.last_line += 1;
            self.lines[line].table = before;
            return;
        }
        self.lines[line].table = self.tables.len() as u32;
        let cells = self.cells.len() as u32;
        let mut cell = (0, 0);
        for at in tokens.clone() {
            if at > tokens.start && is_separator(note.token(at)) {
                self.cells.push(cell);
                cell = (0, 0);
            }
            if note.is_word(at) && cell.1 == 0 {
                cell = (at as u32, at as u32);
            }
            if cell.1 > 0 || note.is_word(at) {
                cell.1 = at as u32 + 1;
            }
        }
        self.cells.push(cell);
        let line = line as u32;
        self.tables.push(Table { first_line: line, last_line: line + 1, cells: (cells, self.cells.len() as u32) });
    }
}

/// Returns whether a table column ends before the token.
#[inline]
pub(crate) const fn is_separator(token: Token) -> bool {
    matches!(token.gap, Gap::Wide) || token.mark() == b'|'
}

/// Returns whether a mark may end a label: a full stop only if it is the last of dot leaders.
fn may_end_label(note: &Note<'_>, at: usize) -> bool {
    let point = |at: usize| note.is_mark(at, b'.');
    !point(at) || at >= 2 && point(at - 1) && point(at - 2) && !point(at + 1)
}

/// Returns the words right before a mark of a line that starts at `first`, skipping dot leaders.
fn words_before_mark(note: &Note<'_>, first: usize, at: usize) -> Option<(usize, usize)> {
    let mut end = at;
    while end > first && matches!(note.token(end - 1).mark(), b'.' | b'_' | b')') {
        end -= 1;
    }
    let mut start = end;
    while start > first && end - start < MAX_LABEL_WORDS && note.is_word(start - 1) {
        start -= 1;
        if note.gap(start) > Gap::Space {
            break;
        }
    }
    (start < end).then_some((start, end))
}

/// Returns the number of tokens of the list marker at the start of a line; 0 if there is none.
fn list_marker_len(note: &Note<'_>, first: usize) -> usize {
    let spaced = |at: usize| matches!(note.gap(at), Gap::Space | Gap::Wide);
    let closes = |at: usize| note.is_any_mark(at, b".)") && note.joined(at) && spaced(at + 1);
    let token = note.token(first);
    match token.kind {
        Kind::Number if note.width(first) <= 2 && closes(first + 1) => 2,
        Kind::Word if note.width(first) == 1 && note.is_mark(first + 1, b')') && closes(first + 1) => 2,
        Kind::Punct => match token.mark() {
            b'-' | b'*' | b'+' | b'>' if spaced(first + 1) => 1,
            b'#' if note.is_number(first + 1) && note.joined(first + 1) && !note.joined(first + 2) => 2,
            b'(' | b'[' => {
                let inside = usize::from(!note.is_any_mark(first + 1, b")]"));
                let close = first + 1 + inside;
                let short = inside == 0 || note.width(first + 1) <= 2;
                if short && note.is_any_mark(close, b")]") && spaced(close + 1) { close + 1 - first } else { 0 }
            }
            _ => 0,
        },
        Kind::Symbol
            if matches!(note.word(first), "•" | "‣" | "◦" | "▪" | "●" | "○" | "■" | "□" | "☐" | "☑" | "☒" | "✓") =>
        {
            1
        }
        _ => 0,
    }
}
