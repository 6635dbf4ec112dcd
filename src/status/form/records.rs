//! Records of labels and values: what a state or an owner says of the lines before and after it.

use std::ops::Range;

use super::super::assertion::{FAMILY, HISTORICAL, NEGATED, POSSIBLE, Status};
use super::super::cues::Cues;
use super::FormReader;
use super::kinds::{Answer, Piece, PieceKind, answer};
use crate::text::token::Kind;

/// The longest label, and the longest item of a list, in tokens.
pub(super) const LABEL: usize = 4;

/// Labels whose value tells whether what stands above is so.
pub(super) const STATE_LABELS: [&str; 27] = [
    "a",
    "ans",
    "value",
    "certainty",
    "seen",
    "found",
    "detected",
    "active",
    "score",
    "severity",
    "rating",
    "ever",
    "status",
    "answer",
    "response",
    "result",
    "reply",
    "present",
    "state",
    "verification",
    "reported",
    "observed",
    "outcome",
    "assertion",
    "occurred",
    "confirmed",
    "finding",
];
/// Labels whose value tells who has what the record names.
pub(super) const OWNER_LABELS: [&str; 5] = ["relation", "relationship", "relative", "member", "person"];
/// Values that are the patient.
pub(super) const SELF: [&str; 6] = ["self", "patient", "pt", "proband", "own", "client"];
/// Values that affirm, those that deny, and those that doubt.
const ACTIVE: [&str; 12] = [
    "active",
    "current",
    "ongoing",
    "confirmed",
    "chronic",
    "acute",
    "stable",
    "controlled",
    "improving",
    "worsening",
    "established",
    "known",
];
const REFUTED: [&str; 9] =
    ["refuted", "excluded", "absent", "negative", "rejected", "disproved", "disproven", "dismissed", "erroneous"];
const DOUBTED: [&str; 10] = [
    "suspected",
    "probable",
    "possible",
    "provisional",
    "unconfirmed",
    "query",
    "differential",
    "uncertain",
    "equivocal",
    "indeterminate",
];
/// Whether a word alone in brackets or a cell tells whether what stands before it is so.
pub(super) fn is_state(word: &str) -> bool {
    REFUTED.contains(&word) || DOUBTED.contains(&word)
}

impl FormReader<'_> {
    /// `Status: ruled out`, `Response: not at all`: the value of the record above.
    pub(super) fn state(&mut self, value: usize, end: usize) {
        let text = self.text;
        let words: Vec<&str> =
            (value..end).filter(|&at| text.is_word(at)).map(|at| text.word(at)).take(LABEL).collect();
        let any = |list: &[&str]| words.iter().any(|word| list.contains(word));
        let negated = |at: usize| {
            let hit = text.phrase(at, end);
            // "Not applicable", "not given" tell nothing; "not seen" is an answer.
            let silent = matches!(text.word(at), "resolved" | "not" | "no");
            hit.is_some_and(|hit| text.cues.cue(hit.role.cue).0 == Status::NEGATED && !silent)
        };
        let record = std::mem::take(&mut self.block.record);
        let found = match text.tokens[value].kind {
            Kind::Number => Some(if text.word(value) == "0" { Answer::No } else { Answer::Yes }),
            // "Status: no change" is no answer.
            _ => answer(text, value)
                .filter(|&(_, after)| after >= end || !text.is_word(after) || text.word(value) != "no")
                .map(|(answer, _)| answer),
        };
        let found = match found {
            None if any(&REFUTED) || (value..end).any(negated) => Some(Answer::No),
            None if any(&ACTIVE) => Some(Answer::Yes),
            // "Response: several days"
            None if text.tokens[value].kind == Kind::Word && any(&["days", "times", "sometimes", "often", "daily"]) => {
                Some(Answer::Yes)
            }
            found => found,
        };
        // "Status: resolved"
        if any(&["resolved"]) {
            for term in record.clone() {
                self.out[term].add(NEGATED, text.cues.text(Cues::answer()));
                self.out[term].add(HISTORICAL, text.cues.text(Cues::past()));
            }
        } else if any(&DOUBTED) {
            for term in record {
                self.out[term].remove(NEGATED);
                self.out[term].add(POSSIBLE, text.cues.text(Cues::question()));
            }
        } else if let Some(found) = found {
            record.for_each(|term| self.answer_term(term, found));
        }
    }

    /// "gout (refuted)", "gout (differential)", `gout | equivocal |`: a state that alone fills brackets or a cell.
    pub(super) fn stated(&mut self, line: &[Piece]) {
        for at in 0..line.len().saturating_sub(2) {
            let [PieceKind::Term(term), _, _] = [line[at].kind, line[at + 1].kind, line[at + 2].kind] else { continue };
            let state = line[at + 2].first;
            let bracket = self.text.mark(line[at + 1].first) == b'(' && self.text.mark(state + 1) == b')';
            let last = line.get(at + 3).is_none_or(|next| next.kind == PieceKind::Bar);
            let cell = line[at + 1].kind == PieceKind::Bar && last;
            let word = self.word_at(state);
            if !bracket && !cell {
                continue;
            }
            if REFUTED.contains(&word) {
                self.answer_term(term, Answer::No);
            } else if DOUBTED.contains(&word) {
                self.answer_term(term, Answer::Yes);
                self.out[term].add(POSSIBLE, self.text.cues.text(Cues::question()));
            }
        }
    }

    /// `Relation: mother`: of whom the record is. It may stand before or after what they have.
    pub(super) fn owner(&mut self, value: usize, end: usize, next: usize) -> bool {
        let text = self.text;
        let own = text.is_word(value) && SELF.contains(&text.word(value));
        // Nothing else stands there: "Relation: mother".
        let person = text.phrase(value, end).is_some_and(|hit| hit.role.person && hit.last == end);
        if !own && !person {
            return false;
        }
        let before = self.block.first..self.block.record.end;
        match self.block.relative {
            None if !before.is_empty() && person => self.mark_relative(before),
            None if !before.is_empty() => {}
            _ => self.block.relative = Some(person),
        }
        self.block.first = next;
        true
    }

    pub(super) fn mark_relative(&mut self, terms: Range<usize>) {
        for term in terms {
            self.out[term].add(FAMILY, self.text.cues.text(Cues::answer()));
        }
    }
}
