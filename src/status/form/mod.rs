//! Forms: boxes, columns of yes and no, signs, and questions with their answers.
//!
//! The status of a term in a form depends on the layout, not on the surrounding words, so a rule of form overrules cues
//! and the classifier. Each line is split into `pieces`; groups of options (`[ ] Yes [x] No`) come first, then boxes
//! before or after their labels, then signs and answers. `questions` finds the answer to a question on the same line or
//! in the next turn of a conversation.

mod anchors;
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
mod roles;
mod subjects;

use std::cell::OnceCell;
use std::ops::Range;

use super::Assertion;
use super::assertion::{NEGATED, Status, UNLISTED_ENTRY};
use super::cues::{CompiledCues, CueMatcher};
use crate::terms::Match;
use crate::text::token::{Case, Gap, Kind};
use crate::vocabulary::{Group, Vocabulary};
use blocks::LineBlock;
use kinds::{Answer, Piece, PieceKind, PieceKindSet};
use marks::{BoxShapes, line_may_have_box};
pub(super) use pieces::end_of_markup;
pub(super) use roles::WordRoleCache;
use roles::WordRoles;

/// The groups of terms that have a status; others, such as places, are words of a form.
const MENTION_GROUPS: [Group; 6] =
    [Group::Disorder, Group::Finding, Group::Procedure, Group::Drug, Group::Organism, Group::Physiology];

/// A number of pieces that few lines exceed.
const USUAL_LINE_PIECES: usize = 64;

/// Applies the form rules to a note.
pub(super) struct FormReader<'a> {
    text: CueMatcher<'a>,
    terms: &'a [Match],
    out: &'a mut [Assertion],
    /// For the groups of terms; present if a model classifies them.
    vocabulary: Option<&'a Vocabulary>,
    /// Computed when the note has a mark that may be a box.
    shapes: OnceCell<BoxShapes>,
    /// The possible roles of each token.
    roles: Vec<WordRoles>,
    line: Vec<Piece>,
    /// The terms of the previous line, if nothing has answered them yet.
    unanswered: Range<usize>,
    /// What the lines above determine for those below.
    block: LineBlock,
}

impl<'a> FormReader<'a> {
    pub(super) fn new(
        text: CueMatcher<'a>,
        terms: &'a [Match],
        out: &'a mut [Assertion],
        vocabulary: Option<&'a Vocabulary>,
        known: &WordRoleCache,
    ) -> Self {
        Self {
            text,
            terms,
            out,
            vocabulary,
            shapes: OnceCell::new(),
            roles: known.roles_of_tokens(text),
            line: Vec::with_capacity(USUAL_LINE_PIECES),
            unanswered: 0..0,
            block: LineBlock::default(),
        }
    }

    /// Applies the form rules to the terms of the note.
    pub(super) fn apply_to_note(mut self) {
        self.negate_functions_after_no_change();
        self.apply_denial_patterns();
        self.negate_adjoining_terms();
        self.clear_family_of_patient_terms();
        let tokens = self.text.tokens;
        let (mut first, mut term, mut columns) = (0, 0, None);
        while first < tokens.len() {
            let length = tokens[first + 1..].iter().position(|token| token.gap >= Gap::Line);
            let end = length.map_or(tokens.len(), |length| first + 1 + length);
            let next = term + self.terms[term..].iter().take_while(|term| (term.first as usize) < end).count();
            if tokens[first].gap == Gap::Paragraph {
                columns = None;
                self.block.end_paragraph(term);
            }
            self.update_block_from_line([first, end], term..next);
            let reads = if next > term {
                columns.is_some() || self.block.has_list() || self.may_be_form_line([first, end], &(term..next))
            } else {
                self.may_be_column_headings([first, end]) || line_may_have_box(self.text, [first, end])
            };
            if !reads {
                (self.unanswered, first, term) = (term..next, end, next);
                continue;
            }
            let mut line = std::mem::take(&mut self.line);
            let kinds = self.split_line([first, end], term, &mut line);
            if next == term && self.apply_box_to_line_above(&line) {
                (self.line, first) = (line, end);
                continue;
            }
            let in_column = next > term && columns.is_some_and(|columns| self.answer_by_mark_in_column(&line, columns));
            if kinds.contains(PieceKind::Answer(Answer::No)) {
                columns = self.answer_columns_of_line(&line).or(columns);
            }
            let answered = in_column || self.apply_boxes_and_signs(&line, kinds, next > term);
            if !answered && next > term {
                self.apply_words(&line, kinds);
            }
            self.unanswered = if answered { 0..0 } else { term..next };
            self.apply_heading_to_item(&line, term..next);
            self.line = line;
            (first, term) = (end, next);
        }
    }

    /// Returns the box shapes of the note.
    fn box_shapes(&self) -> BoxShapes {
        *self.shapes.get_or_init(|| BoxShapes::find_in_note(self.text))
    }

    /// Returns the box shapes of the note if a token may be one of them, else none.
    fn box_shapes_at(&self, at: usize) -> BoxShapes {
        let token = &self.text.tokens[at];
        if token.kind == Kind::Symbol || token.mark() == b'_' { self.box_shapes() } else { BoxShapes::default() }
    }

    /// Returns whether a line without terms ends in an answer and may be the headings of columns.
    fn may_be_column_headings(&self, [first, end]: [usize; 2]) -> bool {
        let last = if end > first + 1 && self.text.mark_at(end - 1) == b'|' { end - 2 } else { end - 1 };
        self.parse_answer_at(last).is_some()
    }

    /// Answers the terms of a line by boxes and signs. Returns whether it has any.
    fn apply_boxes_and_signs(&mut self, line: &[Piece], kinds: PieceKindSet, has_terms: bool) -> bool {
        let boxes = kinds.contains(PieceKind::Box(Answer::Yes)) || kinds.contains(PieceKind::Circled(Answer::Yes));
        boxes
            && (self.answer_yes_no_boxes(line)
                || has_terms && (self.apply_checked_scale(line) || self.apply_boxes(line)))
            || has_terms && kinds.contains(PieceKind::Sign(Answer::Yes)) && self.apply_plus_and_minus_signs(line)
    }

    /// Answers the terms of a line by words, and by the replies to its questions.
    fn apply_words(&mut self, line: &[Piece], kinds: PieceKindSet) {
        let has_answer = self.may_have_answer(line, kinds) && self.apply_answers_of_line(line);
        if kinds.contains(PieceKind::Zero) {
            self.apply_zeros(line);
        }
        self.apply_state_in_brackets_or_cell(line);
        if kinds.contains(PieceKind::Question) || self.begins_with_speaker_label(line) {
            self.answer_questions_of_line(line, has_answer);
            self.apply_leading_question_marks(line);
            self.clear_family_of_speaker(line);
        }
        self.negate_after_line_break(line);
    }

    /// Returns whether a line may have an answer, the values of a row, or a scale.
    fn may_have_answer(&self, line: &[Piece], kinds: PieceKindSet) -> bool {
        let row = matches!(line, [.., comma, _] if comma.kind == PieceKind::Comma);
        let scale = || matches!(line, [first, .., last] if self.has_frequency_word(first.first..last.end));
        kinds.contains(PieceKind::Answer(Answer::Yes)) || row || scale()
    }

    /// Returns whether a term is of one of some groups, or its group is unknown.
    fn is_in_groups(&self, term: usize, groups: &[Group]) -> bool {
        let entry = self.terms[term].entry;
        self.vocabulary
            .is_none_or(|vocabulary| entry == UNLISTED_ENTRY || groups.contains(&vocabulary.entry_group(entry)))
    }

    /// Answers the terms among some pieces.
    fn answer_pieces(&mut self, pieces: &[Piece], answer: Answer) {
        for piece in pieces {
            if let PieceKind::Term(term) = piece.kind {
                self.answer_term(term, answer);
            }
        }
    }

    fn answer_term(&mut self, term: usize, answer: Answer) {
        let Some(assertion) = self.out.get_mut(term) else { return };
        for place in (Status::NEGATED | Status::POSSIBLE | Status::HYPOTHETICAL).indices() {
            assertion.clear_status(place);
        }
        if answer == Answer::No {
            assertion.set_cue(NEGATED, self.text.cues.cue_text(CompiledCues::form_answer()));
        }
    }

    /// Negates a lower-case term at the start of a line if the line before ends in a negation: the sentence was wrapped
    /// there.
    fn negate_after_line_break(&mut self, line: &[Piece]) {
        let Some(first) = line.first() else { return };
        let PieceKind::Term(term) = first.kind else { return };
        let lower = self.text.tokens[first.first].case == Case::Lower;
        let label = line.get(1).is_some_and(|piece| !matches!(piece.kind, PieceKind::Stop | PieceKind::Comma));
        if self.follows_negation(first.first) && lower && !label && self.unanswered.is_empty() {
            self.answer_term(term, Answer::No);
        }
    }

    /// Returns whether a negation stands right before a token.
    fn follows_negation(&self, first: usize) -> bool {
        first > 0 && matches!(self.word_at(first - 1), "no" | "without" | "denies")
    }
}
