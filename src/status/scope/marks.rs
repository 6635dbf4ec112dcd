//! Punctuation marks, years and durations as cues.

use super::{
    CompiledCues, CueScanner, Gap, HISTORICAL, Kind, MAX_SIGN_DISTANCE, NEGATED, OpenCue, POSSIBLE, Scope,
    SentenceState,
};
use crate::calendar::MONTHS;

impl CueScanner<'_> {
    /// Processes a token outside of phrases and terms, and returns the next token.
    pub(super) fn apply_mark_or_year(&mut self, at: usize, here: &mut SentenceState) -> usize {
        let text = self.text;
        let next = text.mark_at(at + 1);
        match text.mark_at(at) {
            0 => match (text.tokens[at].kind, text.tokens[at].span().range().len()) {
                (Kind::Word, 2 | 3) if matches!(text.folded_text(at), "or" | "nor" | "and") => {
                    here.open[NEGATED].paused = false;
                }
                (Kind::Number, 4) => self.apply_year(at, here),
                _ => {}
            },
            b',' => {
                let ends = here.repeated || self.is_graded_finding(at + 1, here.end);
                here.pass_comma(at + 1, ends && !self.is_continued_by_or(at + 1, here.end));
            }
            b';' => here.close_all_cues(at + 1),
            b'/' => here.open[NEGATED].paused = false,
            b'[' | b'(' if next == b']' || next == b')' => {
                here.close_all_cues(at + 2);
                here.open_cue(NEGATED, CompiledCues::empty_box(), Scope::Forward, at + 2);
                return at + 2;
            }
            b'[' | b'(' if matches!(text.mark_at(at + 2), b']' | b')') => {
                if text.is_word_at(at + 1) && text.folded_text(at + 1) == "x" {
                    here.close_all_cues(at + 3);
                    return at + 3;
                }
                if matches!(next, b'-' | b'+') && at + 2 < here.end {
                    self.apply_bracketed_sign(at, next, here);
                    return at + 3;
                }
            }
            sign @ (b'-' | b'+') if text.tokens[at].gap != Gap::None || at == 0 => {
                self.apply_unbracketed_sign(at, sign, here);
            }
            b'?' => self.apply_question_mark(at, here),
            _ => {}
        }
        at + 1
    }

    /// Returns whether a graded finding begins here: "no ulcer, moderate gastritis".
    fn is_graded_finding(&self, at: usize, end: usize) -> bool {
        at < end && self.text.longest_phrase(at, end).is_some_and(|hit| hit.role.graded)
    }

    /// Returns whether "or" continues a negated list after a comma, as in "no fever, no cough, rash or itching" but not
    /// in "no fever, no cough, rash".
    fn is_continued_by_or(&self, first: usize, end: usize) -> bool {
        let is = |at: usize, words: &[&str]| self.text.is_word_at(at) && words.contains(&self.text.folded_text(at));
        let over =
            |at: usize| matches!(self.text.mark_at(at), b'.' | b';' | b':') || is(at, &["no", "not", "without", "but"]);
        (first..end).take_while(|&at| !over(at)).any(|at| is(at, &["or", "nor"]))
    }

    /// Applies "(-)" or "(+)" before or after a term.
    fn apply_bracketed_sign(&mut self, at: usize, sign: u8, here: &mut SentenceState) {
        let before = here.term < self.term && self.terms[self.term - 1].end as usize == at;
        let suffix = *here.suffix.get_or_insert(before);
        let id = CompiledCues::minus();
        match (sign, suffix) {
            (b'-', true) => self.apply_adjacent(NEGATED, at, id, here),
            (b'-', false) => {
                here.close_all_cues(at);
                here.open_cue(NEGATED, id, Scope::Forward, at + 3);
            }
            _ => here.close_all_cues(at),
        }
    }

    /// Applies an unbracketed sign: "+ nausea, - vomiting". A hyphen negates only near a plus.
    fn apply_unbracketed_sign(&self, at: usize, sign: u8, here: &mut SentenceState) {
        let text = self.text;
        if sign == b'+' {
            here.open[NEGATED] = OpenCue::default();
            return;
        }
        let mut before =
            (at.saturating_sub(MAX_SIGN_DISTANCE)..at).rev().take_while(|&near| text.tokens[near + 1].gap < Gap::Line);
        let behind = at + 1..text.tokens.len().min(at + MAX_SIGN_DISTANCE);
        let mut behind = behind.take_while(|&near| text.tokens[near].gap < Gap::Line);
        let plus = |near: usize| text.mark_at(near) == b'+';
        if before.any(plus) || behind.any(plus) {
            here.open_cue(NEGATED, CompiledCues::minus(), Scope::ForwardItem, at + 1);
        }
    }

    /// Applies a question mark: "? pneumonia", "melanoma?".
    fn apply_question_mark(&mut self, at: usize, here: &mut SentenceState) {
        let text = self.text;
        let id = CompiledCues::question_mark();
        let behind =
            here.term < self.term && self.terms[self.term - 1].end as usize == at && text.tokens[at].gap == Gap::None;
        let answered = text.tokens.get(at + 1).is_some_and(|next| {
            next.kind == Kind::Word
                && matches!(text.folded_text(at + 1), "yes" | "no" | "none" | "denies" | "denied" | "y" | "n")
        });
        if behind && !answered {
            self.out[self.term - 1].set_cue(POSSIBLE, self.text.cues.cue_text(id));
        } else if !behind {
            here.open_cue(POSSIBLE, id, Scope::ForwardAdjacent, at + 1);
        }
    }

    /// Applies a year: "pneumonia in 2003".
    fn apply_year(&mut self, at: usize, here: &mut SentenceState) {
        let text = self.text;
        let is_year = matches!(text.folded_text(at).as_bytes(), [b'1', b'9', ..] | [b'2', b'0', ..]);
        // "in 2009", "in May 2009"
        let is_month = at > here.clause
            && MONTHS.iter().any(|month| text.folded_text(at - 1) == *month || text.folded_text(at - 1) == &month[..3]);
        let before = at - usize::from(is_month);
        if is_year
            && before > here.clause
            && matches!(text.folded_text(before - 1), "in" | "of" | "during" | "circa" | "around")
        {
            let id = CompiledCues::year();
            if !self.apply_backward(HISTORICAL, before - 1, id, here) {
                here.open_cue(HISTORICAL, id, Scope::Forward, at + 1);
            }
        }
    }

    /// Returns whether a history covers only hours or days: "two-day history of cough".
    pub(super) fn is_recent_history(&self, at: usize, here: &SentenceState) -> bool {
        let mut before = at;
        while before > here.clause && self.text.mark_at(before - 1) == b'-' {
            before -= 1;
        }
        if before == here.clause {
            return false;
        }
        let unit = self.text.folded_text(before - 1);
        let one =
            (here.clause..before - 1).rev().take(2).any(|at| matches!(self.text.folded_text(at), "one" | "1" | "a"));
        match unit {
            "hour" | "hours" | "hr" | "hrs" | "h" | "day" | "days" | "minute" | "minutes" | "brief" | "short"
            | "recent" => true,
            "week" | "wk" => one,
            _ => false,
        }
    }
}
