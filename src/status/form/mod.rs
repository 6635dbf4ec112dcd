//! Forms: boxes, columns of yes and no, signs, and questions with their answers.
//!
//! The status of a term in a form depends on its layout, not on words around it: a rule of form overrules cues and the classifier.
//! Each line is split into `pieces`; groups of options (`[ ] Yes [x] No`) come first, then boxes before or after their labels,
//! then signs and answers. `questions` finds the answer to a question in the same line or in the next turn of a conversation.

mod answers;
mod blocks;
mod boxes;
mod classes;
mod columns;
mod denials;
mod distant;
mod exceptions;
mod function_words;
mod kinds;
mod lists;
mod marks;
mod partial;
mod persons;
mod pieces;
mod predicates;
mod questions;
mod records;
mod reply;
mod subjects;

use super::Assertion;
use super::assertion::{NEGATED, Status, UNLISTED};
use super::cues::{CueMatcher, Cues};
use crate::terms::Match;
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Group, Vocabulary};
use blocks::Block;
use kinds::{Answer, Piece, PieceKind, answer};
use marks::{Shapes, may_have_box};
pub(super) use pieces::markup_end;
use pieces::pieces;

/// Groups of terms of which a note says something; others, such as places, are words of a form.
const MENTIONS: [Group; 6] =
    [Group::Disorder, Group::Finding, Group::Procedure, Group::Drug, Group::Organism, Group::Physiology];

/// Reads the forms of a note.
pub(super) struct FormReader<'a> {
    text: CueMatcher<'a>,
    terms: &'a [Match],
    out: &'a mut [Assertion],
    /// The groups of terms, where a model classifies them.
    vocabulary: Option<&'a Vocabulary>,
    shapes: Shapes,
    line: Vec<Piece>,
    /// The terms of the line before, if nothing has answered them yet.
    open: std::ops::Range<usize>,
    /// What the lines above say of those below, and of which terms those below speak.
    block: Block,
}

impl<'a> FormReader<'a> {
    pub(super) fn new(
        text: CueMatcher<'a>,
        terms: &'a [Match],
        out: &'a mut [Assertion],
        vocabulary: Option<&'a Vocabulary>,
    ) -> Self {
        Self {
            text,
            terms,
            out,
            vocabulary,
            shapes: Shapes::of(text),
            line: Vec::new(),
            open: 0..0,
            block: Block::default(),
        }
    }

    /// Applies the rules of form to the terms of the note.
    pub(super) fn read(mut self) {
        self.changes();
        self.denials();
        self.groups();
        self.owners();
        let tokens = self.text.tokens;
        let (mut first, mut term, mut columns) = (0, 0, None);
        while first < tokens.len() {
            let length = tokens[first + 1..].iter().position(|token| token.gap >= Gap::Line);
            let end = length.map_or(tokens.len(), |length| first + 1 + length);
            let next = term + self.terms[term..].iter().take_while(|term| (term.first as usize) < end).count();
            let boxes = may_have_box(self.text, [first, end]);
            if tokens[first].gap == Gap::Paragraph {
                columns = None;
                self.block.end_paragraph(term);
            }
            self.label_line([first, end], term..next);
            // A line that ends in an answer may head columns.
            let last = if end > first + 1 && self.text.mark(end - 1) == b'|' { end - 2 } else { end - 1 };
            if next == term && !boxes && answer(self.text, last).is_none() {
                (self.open, first) = (term..next, end);
                continue;
            }
            let mut line = std::mem::take(&mut self.line);
            pieces(self.text, [first, end], self.terms, term, self.shapes, &mut line);
            if next == term && self.box_below(&line) {
                (self.line, first) = (line, end);
                continue;
            }
            let boxes = boxes || line.iter().any(|piece| matches!(piece.kind, PieceKind::Circled(_)));
            let in_column = next > term && columns.is_some_and(|columns| self.mark_in_column(&line, columns));
            columns = self.columns(&line).or(columns);
            let answered = in_column
                || boxes && (self.options(&line) || next > term && (self.scale(&line) || self.boxes(&line)))
                || next > term && self.signs(&line);
            if !answered && next > term {
                let has_answer = self.answers(&line);
                self.zeros(&line);
                self.stated(&line);
                self.questions(&line, has_answer);
                self.doubts(&line);
                self.spoken(&line);
                self.continued_negation(&line);
            }
            self.open = if answered { 0..0 } else { term..next };
            self.list_item(&line, term..next);
            self.line = line;
            (first, term) = (end, next);
        }
    }

    /// Whether a term is of one of some groups, or of none that is known.
    fn is_of(&self, term: usize, groups: &[Group]) -> bool {
        let entry = self.terms[term].entry;
        self.vocabulary.is_none_or(|vocabulary| entry == UNLISTED || groups.contains(&vocabulary.entry_group(entry)))
    }

    /// Answers the terms among some pieces.
    fn answer(&mut self, pieces: &[Piece], answer: Answer) {
        for piece in pieces {
            if let PieceKind::Term(term) = piece.kind {
                self.answer_term(term, answer);
            }
        }
    }

    fn answer_term(&mut self, term: usize, answer: Answer) {
        let Some(assertion) = self.out.get_mut(term) else { return };
        for place in (Status::NEGATED | Status::POSSIBLE | Status::HYPOTHETICAL).places() {
            assertion.remove(place);
        }
        if answer == Answer::No {
            assertion.add(NEGATED, self.text.cues.text(Cues::answer()));
        }
    }

    /// A negation at the end of a line, and a term in lower case that begins the next: the line was broken there.
    fn continued_negation(&mut self, line: &[Piece]) {
        let Some(first) = line.first() else { return };
        let PieceKind::Term(term) = first.kind else { return };
        let text = self.text;
        let before = first.first.wrapping_sub(1);
        let broken = text.is_word(before) && matches!(text.word(before), "no" | "without" | "denies");
        let lower = text.tokens[first.first].case == Case::Lower;
        let label = line.get(1).is_some_and(|piece| !matches!(piece.kind, PieceKind::Stop | PieceKind::Comma));
        if broken && lower && !label && self.open.is_empty() {
            self.answer_term(term, Answer::No);
        }
    }
}
