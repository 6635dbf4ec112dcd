//! The input of features: each token's own form and lists, its line and field, and the evidence of terms and rules.

mod evidence;
mod token_features;
mod word;

pub(crate) use evidence::NoteEvidence;
pub(crate) use token_features::TokenFeatures;
pub(super) use token_features::{FeatureKeys, OUTSIDE, form, style};

use std::ops::Range;

use crate::linear::hash::{EMPTY_HASH, hash_bytes, mix_three};
use crate::note::{Heading, Layout, Note, is_separator};
use crate::rules::Findings;
use crate::terms::Matches;
use crate::vocabulary::Classes;
use word::read_token;

/// A run of capitalised words.
#[derive(Clone, Copy, Debug)]
pub(super) struct CapitalRun {
    pub(super) first: u32,
    /// The end (exclusive).
    pub(super) end: u32,
    /// The lists of all its words together.
    pub(super) lists: Classes,
}

/// How many tokens ahead the usage of a word is prefetched: no earlier step has looked there.
const PREFETCH_DISTANCE: usize = 12;

/// The token features of a note or of some of its lines; a buffer that is reused from note to note.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoteContext {
    pub(super) token_features: Vec<TokenFeatures>,
    /// The first token of each line, and the end of the last line.
    pub(super) lines: Vec<u32>,
    /// The index of the first of these lines in the note.
    first_line: usize,
    /// Runs of capitalised words, with the small words between them: `Lady of the Lake`.
    pub(super) runs: Vec<CapitalRun>,
}

impl NoteContext {
    /// Reads a note in one part.
    pub(crate) fn read_note(&mut self, note: &Note<'_>, matches: &Matches, findings: &Findings, allowed: Classes) {
        let mut evidence = NoteEvidence::default();
        evidence.set_from_terms_and_findings(note, matches, findings);
        self.read_words(note, &evidence, 0..note.len(), allowed);
        self.read_layout(note, 0);
    }

    /// Reads the words of some lines of a note.
    pub(super) fn read_words(
        &mut self,
        note: &Note<'_>,
        evidence: &NoteEvidence,
        tokens: Range<usize>,
        allowed: Classes,
    ) {
        self.token_features.clear();
        self.token_features.extend(tokens.clone().map(|at| {
            note.prefetch_usage(at + PREFETCH_DISTANCE);
            let mut token = read_token(note, at, allowed);
            token.evidence = evidence.evidence_at(at).unwrap_or(token.evidence);
            token.phrase = evidence.is_in_phrase(at);
            token
        }));
        self.read_lines(note.layout(), tokens);
    }

    /// Reads fields, sections, tables and runs of capitalised words in these lines, which start at token `start` of the
    /// note.
    pub(super) fn read_layout(&mut self, note: &Note<'_>, start: usize) {
        self.read_field_labels(note.layout(), start);
        self.read_column_headers(note, start);
        self.read_section_headings(note, start);
        self.find_capital_runs();
    }

    /// Finds the runs of capitalised words in lines of mixed case.
    fn find_capital_runs(&mut self) {
        self.runs.clear();
        let mut at = 0;
        while at < self.token_features.len() {
            if !self.token_features[at].is_capitalised_word() {
                at += 1;
                continue;
            }
            let (first, mut last, mut lists) = (at, at + 1, self.token_features[at].lists);
            loop {
                let line = self.token_features[first].line;
                let small =
                    self.token_features[last..].iter().take(4).take_while(|token| token.may_join_capitals()).count();
                let Some(next) = self
                    .token_features
                    .get(last + small)
                    .filter(|next| next.is_capitalised_word() && next.line == line)
                else {
                    break;
                };
                lists |= next.lists;
                last += small + 1;
            }
            let run = self.runs.len() as u32;
            self.token_features[first..last].iter_mut().for_each(|token| token.run = run);
            self.runs.push(CapitalRun { first: first as u32, end: last as u32, lists });
            at = last;
        }
    }

    /// Returns a token, or [`OUTSIDE`].
    #[inline]
    pub(super) fn token_at(&self, at: usize) -> &TokenFeatures {
        self.token_features.get(at).unwrap_or(&OUTSIDE)
    }

    /// Returns the token at an offset from another, or [`OUTSIDE`].
    #[inline]
    pub(super) fn token_at_offset(&self, at: usize, far: isize) -> &TokenFeatures {
        at.checked_add_signed(far).map_or(&OUTSIDE, |at| self.token_at(at))
    }

    /// Reads lines and their letter case.
    fn read_lines(&mut self, layout: &Layout, tokens: Range<usize>) {
        self.lines.clear();
        self.first_line = layout.line_index_of(tokens.start);
        for line in layout.lines()[self.first_line..].iter().take_while(|line| line.first() < tokens.end) {
            self.lines.push((line.first() - tokens.start) as u32);
        }
        self.lines.push(tokens.len() as u32);
        for (nth, ends) in self.lines.windows(2).enumerate() {
            let line = &mut self.token_features[ends[0] as usize..ends[1] as usize];
            let style = layout.lines()[self.first_line + nth].style() as u8;
            let opening = line[0].word;
            for (place, token) in line.iter_mut().enumerate() {
                (token.line, token.style, token.opening) = (nth as u32, style, opening);
                token.place = place.min(255) as u8;
            }
        }
    }

    /// Reads the labels of fields.
    fn read_field_labels(&mut self, layout: &Layout, start: usize) {
        let mut fields = layout.fields()[layout.fields().partition_point(|field| field.first_of_value() < start)..]
            .iter()
            .peekable();
        for ends in self.lines.windows(2) {
            let (mut label, mut first) = (EMPTY_HASH, ends[0] as usize);
            for at in ends[0] as usize..ends[1] as usize {
                while let Some(field) = fields.next_if(|field| field.first_of_value() == start + at) {
                    first = at;
                    let words = field.label().start.saturating_sub(start)..field.label().end.saturating_sub(start);
                    label = self.hash_label(words);
                }
                let token = &mut self.token_features[at];
                (token.label, token.tokens_after_label) = (label, (at - first).min(255) as u8);
            }
        }
    }

    /// Hashes the last three words of a label.
    fn hash_label(&self, words: Range<usize>) -> u64 {
        self.token_features[words].iter().rev().take(3).fold(EMPTY_HASH, |all, token| mix_three(all, token.word, 7))
    }

    /// Reads the headers of columns.
    fn read_column_headers(&mut self, note: &Note<'_>, start: usize) {
        let (layout, mut headers, mut of) = (note.layout(), Vec::new(), usize::MAX);
        for (nth, ends) in self.lines.windows(2).enumerate() {
            let line = self.first_line + nth;
            let Some(table) = layout.table_of(line).filter(|table| table.lines().start < line) else { continue };
            if of != table.lines().start {
                of = table.lines().start;
                headers.clear();
                let words = (0..table.columns()).map(|column| layout.header_cell(table, column));
                headers.extend(words.map(|mut words| words.next().map_or(EMPTY_HASH, |at| hash_bytes(note.bytes(at)))));
            }
            let mut column = 0;
            for at in ends[0] as usize..ends[1] as usize {
                column += usize::from(at > ends[0] as usize && is_separator(note.token(start + at)));
                self.token_features[at].column = headers.get(column).copied().unwrap_or(EMPTY_HASH);
            }
        }
    }

    /// Reads section headings: the last one at the start of a line counts.
    fn read_section_headings(&mut self, note: &Note<'_>, start: usize) {
        let headings = note.layout().headings();
        let (above, below) = headings.split_at(headings.partition_point(|heading| heading.words().start < start));
        // Hashes the first two words.
        let section = |heading: &Heading| {
            let words = heading.words().filter(|&at| note.is_word(at)).take(2);
            words.fold(EMPTY_HASH, |all, at| mix_three(all, hash_bytes(note.bytes(at)), 5))
        };
        let mut here = above.iter().rfind(|heading| heading.is_line_start()).map_or(EMPTY_HASH, section);
        let mut below = below.iter().filter(|heading| heading.is_line_start()).peekable();
        for ends in self.lines.windows(2) {
            let line = ends[0] as usize..ends[1] as usize;
            if let Some(heading) = below.next_if(|heading| heading.words().start == start + line.start) {
                here = section(heading);
            }
            self.token_features[line].iter_mut().for_each(|token| token.section = here);
        }
    }
}
