//! Records of labels and values: how a state or an owner applies to the lines before and after it.

use std::ops::Range;

use super::super::assertion::{FAMILY, HISTORICAL, NEGATED, POSSIBLE, Status};
use super::super::cues::CompiledCues;
use super::FormReader;
use super::kinds::{Answer, Piece, PieceKind, parse_answer};
use crate::text::token::Kind;
use crate::text::words_of_file;

/// The maximum length of a label, and the number of words read of a value.
pub(super) const MAX_RECORD_LABEL_TOKENS: usize = 4;

/// Labels whose value is the status of the term above.
pub(super) const STATE_LABELS: &[&str] = words_of_file!("../words/state-labels.txt");
/// Labels whose value is the person who has the condition of the record.
pub(super) const OWNER_LABELS: [&str; 5] = ["relation", "relationship", "relative", "member", "person"];
/// Values that mean the patient.
pub(super) const PATIENT_VALUES: [&str; 6] = ["self", "patient", "pt", "proband", "own", "client"];
/// Values that affirm, that negate, and that express doubt.
const AFFIRMING_VALUES: &[&str] = words_of_file!("../words/affirming-values.txt");
const DENYING_VALUES: [&str; 9] =
    ["refuted", "excluded", "absent", "negative", "rejected", "disproved", "disproven", "dismissed", "erroneous"];
const DOUBTING_VALUES: &[&str] = words_of_file!("../words/doubting-values.txt");
/// Returns whether a word, alone in brackets or a cell, refutes or doubts the term before it.
pub(super) fn is_refuting_or_doubting_value(word: &str) -> bool {
    DENYING_VALUES.contains(&word) || DOUBTING_VALUES.contains(&word)
}

impl FormReader<'_> {
    /// Applies the value of a state to the record above: `Status: ruled out`, `Response: not at all`.
    pub(super) fn apply_state_to_record(&mut self, value: usize, end: usize) {
        let text = self.text;
        let words: Vec<&str> = (value..end)
            .filter(|&at| text.is_word_at(at))
            .map(|at| text.folded_text(at))
            .take(MAX_RECORD_LABEL_TOKENS)
            .collect();
        let any = |list: &[&str]| words.iter().any(|word| list.contains(word));
        let negated = |at: usize| {
            let hit = text.longest_phrase(at, end);
            // "Not applicable" and "not given" are not answers; "not seen" is one.
            let silent = matches!(text.folded_text(at), "resolved" | "not" | "no");
            hit.is_some_and(|hit| text.cues.status_and_scope(hit.role.cue).0 == Status::NEGATED && !silent)
        };
        let record = std::mem::take(&mut self.block.record);
        let found = match text.tokens[value].kind {
            Kind::Number => Some(if text.folded_text(value) == "0" { Answer::No } else { Answer::Yes }),
            // "Status: no change" is not an answer.
            _ => parse_answer(text, value)
                .filter(|&(_, after)| after >= end || !text.is_word_at(after) || text.folded_text(value) != "no")
                .map(|(answer, _)| answer),
        };
        let found = match found {
            None if any(&DENYING_VALUES) || (value..end).any(negated) => Some(Answer::No),
            None if any(AFFIRMING_VALUES) => Some(Answer::Yes),
            // "Response: several days"
            None if text.tokens[value].kind == Kind::Word && any(&["days", "times", "sometimes", "often", "daily"]) => {
                Some(Answer::Yes)
            }
            found => found,
        };
        // "Status: resolved"
        if any(&["resolved"]) {
            for term in record.clone() {
                self.out[term].set_cue(NEGATED, text.cues.cue_text(CompiledCues::form_answer()));
                self.out[term].set_cue(HISTORICAL, text.cues.cue_text(CompiledCues::question_about_past()));
            }
        } else if any(DOUBTING_VALUES) {
            for term in record {
                self.out[term].clear_status(NEGATED);
                self.out[term].set_cue(POSSIBLE, text.cues.cue_text(CompiledCues::question_mark()));
            }
        } else if let Some(found) = found {
            record.for_each(|term| self.answer_term(term, found));
        }
    }

    /// Applies a state that is alone in brackets or a cell: "gout (refuted)", "gout (differential)",
    /// `gout | equivocal |`.
    pub(super) fn apply_state_in_brackets_or_cell(&mut self, line: &[Piece]) {
        for at in 0..line.len().saturating_sub(2) {
            let [PieceKind::Term(term), _, _] = [line[at].kind, line[at + 1].kind, line[at + 2].kind] else { continue };
            let state = line[at + 2].first;
            let bracket = self.text.mark_at(line[at + 1].first) == b'(' && self.text.mark_at(state + 1) == b')';
            let last = line.get(at + 3).is_none_or(|next| next.kind == PieceKind::Bar);
            let cell = line[at + 1].kind == PieceKind::Bar && last;
            let word = self.word_at(state);
            if !bracket && !cell {
                continue;
            }
            if DENYING_VALUES.contains(&word) {
                self.answer_term(term, Answer::No);
            } else if DOUBTING_VALUES.contains(&word) {
                self.answer_term(term, Answer::Yes);
                self.out[term].set_cue(POSSIBLE, self.text.cues.cue_text(CompiledCues::question_mark()));
            }
        }
    }

    /// Applies the owner of a record, before or after its conditions: `Relation: mother`. Returns whether the value is
    /// an owner.
    pub(super) fn apply_owner_of_record(&mut self, value: usize, end: usize, next: usize) -> bool {
        let text = self.text;
        let own = text.is_word_at(value) && PATIENT_VALUES.contains(&text.folded_text(value));
        // The person must be the whole value: "Relation: mother".
        let person = text.longest_phrase(value, end).is_some_and(|hit| hit.role.person && hit.end == end);
        if !own && !person {
            return false;
        }
        let before = self.block.first..self.block.record.end;
        match self.block.relative {
            None if !before.is_empty() && person => self.mark_terms_as_family(before),
            None if !before.is_empty() => {}
            _ => self.block.relative = Some(person),
        }
        self.block.first = next;
        true
    }

    pub(super) fn mark_terms_as_family(&mut self, terms: Range<usize>) {
        for term in terms {
            self.out[term].set_cue(FAMILY, self.text.cues.cue_text(CompiledCues::form_answer()));
        }
    }
}
