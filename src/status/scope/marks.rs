//! Marks of punctuation and years as cues.

use super::{Cues, Gap, HISTORICAL, Kind, NEGATED, OpenCue, POSSIBLE, SIGN_DISTANCE, Scanner, Scope, SentenceState};
use crate::calendar::MONTHS;

impl Scanner<'_> {
    /// Reads a token that is neither part of a phrase nor of a term, and returns the next one.
    pub(super) fn mark_or_year(&mut self, at: usize, here: &mut SentenceState) -> usize {
        let text = self.text;
        let next = text.mark(at + 1);
        match text.mark(at) {
            0 => match (text.tokens[at].kind, text.tokens[at].span().range().len()) {
                (Kind::Word, 2 | 3) if matches!(text.word(at), "or" | "nor" | "and") => {
                    here.open[NEGATED].paused = false;
                }
                (Kind::Number, 4) => self.year(at, here),
                _ => {}
            },
            b',' => {
                let ends = here.repeated || self.is_graded(at + 1, here.end);
                here.comma(at + 1, ends && !self.goes_on(at + 1, here.end));
            }
            b';' => here.reset(at + 1),
            b'/' => here.open[NEGATED].paused = false,
            b'[' | b'(' if next == b']' || next == b')' => {
                here.reset(at + 2);
                here.open(NEGATED, Cues::box_empty(), Scope::Forward, at + 2);
                return at + 2;
            }
            b'[' | b'(' if matches!(text.mark(at + 2), b']' | b')') => {
                if text.is_word(at + 1) && text.word(at + 1) == "x" {
                    here.reset(at + 3);
                    return at + 3;
                }
                if matches!(next, b'-' | b'+') && at + 2 < here.end {
                    self.sign(at, next, here);
                    return at + 3;
                }
            }
            sign @ (b'-' | b'+') if text.tokens[at].gap != Gap::None || at == 0 => {
                self.unbracketed_sign(at, sign, here);
            }
            b'?' => self.question(at, here),
            _ => {}
        }
        at + 1
    }

    /// "no ulcer, moderate gastritis"
    fn is_graded(&self, at: usize, end: usize) -> bool {
        at < end && self.text.phrase(at, end).is_some_and(|hit| hit.role.graded)
    }

    /// Whether "or" joins what follows a comma: "no fever, no cough, rash" ends at its items, "no fever, no cough, rash or itching"
    /// does not.
    fn goes_on(&self, first: usize, end: usize) -> bool {
        let is = |at: usize, words: &[&str]| self.text.is_word(at) && words.contains(&self.text.word(at));
        let over =
            |at: usize| matches!(self.text.mark(at), b'.' | b';' | b':') || is(at, &["no", "not", "without", "but"]);
        (first..end).take_while(|&at| !over(at)).any(|at| is(at, &["or", "nor"]))
    }

    /// "(-)" or "(+)" before or after a term.
    fn sign(&mut self, at: usize, sign: u8, here: &mut SentenceState) {
        let before = here.term < self.term && self.terms[self.term - 1].last as usize == at;
        let suffix = *here.suffix.get_or_insert(before);
        let id = Cues::minus();
        match (sign, suffix) {
            (b'-', true) => self.apply_adjacent(NEGATED, at, id, here),
            (b'-', false) => {
                here.reset(at);
                here.open(NEGATED, id, Scope::Forward, at + 3);
            }
            _ => here.reset(at),
        }
    }

    /// "+ nausea, - vomiting": a hyphen negates only beside a plus.
    fn unbracketed_sign(&self, at: usize, sign: u8, here: &mut SentenceState) {
        let text = self.text;
        if sign == b'+' {
            here.open[NEGATED] = OpenCue::default();
            return;
        }
        let mut before =
            (at.saturating_sub(SIGN_DISTANCE)..at).rev().take_while(|&near| text.tokens[near + 1].gap < Gap::Line);
        let behind = at + 1..text.tokens.len().min(at + SIGN_DISTANCE);
        let mut behind = behind.take_while(|&near| text.tokens[near].gap < Gap::Line);
        let plus = |near: usize| text.mark(near) == b'+';
        if before.any(plus) || behind.any(plus) {
            here.open(NEGATED, Cues::minus(), Scope::ForwardItem, at + 1);
        }
    }

    /// "? pneumonia", "melanoma?"
    fn question(&mut self, at: usize, here: &mut SentenceState) {
        let text = self.text;
        let id = Cues::question();
        let behind =
            here.term < self.term && self.terms[self.term - 1].last as usize == at && text.tokens[at].gap == Gap::None;
        let answered = text.tokens.get(at + 1).is_some_and(|next| {
            next.kind == Kind::Word
                && matches!(text.word(at + 1), "yes" | "no" | "none" | "denies" | "denied" | "y" | "n")
        });
        if behind && !answered {
            self.out[self.term - 1].add(POSSIBLE, self.text.cues.text(id));
        } else if !behind {
            here.open(POSSIBLE, id, Scope::ForwardAdjacent, at + 1);
        }
    }

    /// "pneumonia in 2003"
    fn year(&mut self, at: usize, here: &mut SentenceState) {
        let text = self.text;
        let is_year = matches!(text.word(at).as_bytes(), [b'1', b'9', ..] | [b'2', b'0', ..]);
        // "in 2009", "in May 2009"
        let is_month = at > here.clause
            && MONTHS.iter().any(|month| text.word(at - 1) == *month || text.word(at - 1) == &month[..3]);
        let before = at - usize::from(is_month);
        if is_year
            && before > here.clause
            && matches!(text.word(before - 1), "in" | "of" | "during" | "circa" | "around")
        {
            let id = Cues::year();
            if !self.apply_backward(HISTORICAL, before - 1, id, here) {
                here.open(HISTORICAL, id, Scope::Forward, at + 1);
            }
        }
    }
}
