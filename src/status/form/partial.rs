//! Answers that name what they refer to: "Any nausea or vomiting?" "The nausea yes, not the vomiting."

use super::kinds::{Answer, Piece, PieceKind, answer_of_word};
use super::reply::{REPLY_SUBJECTS, end_of_speaker_label, is_direct_answer, is_negating_word, skip_pointers};
use super::{FormReader, MENTION_GROUPS};
use crate::status::assertion::{NEGATED, POSSIBLE, Status, UNLISTED_ENTRY};
use crate::text::token::Gap;

/// The maximum number of tokens of a turn that are searched for named terms.
const MAX_TURN_TOKENS: usize = 24;

impl FormReader<'_> {
    /// Answers the terms of a question that its reply names. Returns whether there are any.
    pub(super) fn answer_terms_named_in_reply(&mut self, question: &[Piece], after: usize) -> bool {
        let asked: Vec<usize> = question.iter().filter_map(Self::term_of_piece).collect();
        let (turn, end) = self.range_of_turn(after);
        let named: Vec<(usize, Answer)> = self
            .terms_within(turn, end)
            .filter_map(|nth| Some((self.asked_term_named_again(&asked, nth)?, self.answer_to_named_term(nth, end)?)))
            .collect();
        let speaker = end_of_speaker_label(self.text, after, self.text.tokens.len());
        if asked.len() == 1 && (speaker.is_none() || is_direct_answer(self.text, after)) {
            return false;
        }
        for &(term, answer) in &named {
            self.answer_term(term, answer);
        }
        let only = matches!(self.word_at(turn), "just" | "only")
            || (turn..end).any(|at| matches!(self.word_at(at), "others" | "else") && self.is_after_negation(at));
        for &term in &asked {
            if only && !named.is_empty() && named.iter().all(|&(known, _)| known != term) {
                self.answer_term(term, Answer::No);
            }
        }
        !named.is_empty()
    }

    /// Returns whether a reply is about terms that were not asked about: "Is it cancer? I have no fever."
    pub(super) fn is_reply_about_other_terms(&self, question: &[Piece], after: usize) -> bool {
        let asked: Vec<usize> = question.iter().filter_map(Self::term_of_piece).collect();
        let (turn, end) = self.range_of_turn(after);
        let own = end_of_speaker_label(self.text, after, end).is_some();
        let mut told = self.terms_within(turn, end).filter(|&nth| self.is_in_groups(nth, &MENTION_GROUPS)).peekable();
        // "Mass? Urine positive, ...", "Is it cancer? I have no fever."
        let subject = REPLY_SUBJECTS.contains(&self.word_at(turn))
            || told.peek().is_some_and(|&nth| self.first_token_of_term(nth) == turn);
        !own && subject && told.peek().is_some() && told.all(|nth| self.asked_term_named_again(&asked, nth).is_none())
    }

    const fn term_of_piece(piece: &Piece) -> Option<usize> {
        if let PieceKind::Term(term) = piece.kind { Some(term) } else { None }
    }

    /// Returns the range of a reply: to the end of its line or the next question, or to the end of its sentence if no
    /// speaker is named.
    fn range_of_turn(&self, after: usize) -> (usize, usize) {
        let tokens = self.text.tokens;
        let speaker = end_of_speaker_label(self.text, after, tokens.len());
        let turn = skip_pointers(self.text, speaker.unwrap_or(after), tokens.len());
        let over = |at: &usize| {
            let mark = self.text.mark_at(*at);
            *at > turn && tokens[*at].gap >= Gap::Line || mark == b'?' || speaker.is_none() && mark == b'.'
        };
        let last = tokens.len().min(turn + MAX_TURN_TOKENS);
        (turn, (turn..last).find(over).unwrap_or(last))
    }

    fn terms_within(&self, first: usize, end: usize) -> impl Iterator<Item = usize> {
        let from = self.terms.partition_point(|term| (term.first as usize) < first);
        let count = self.terms[from..].iter().take_while(|term| term.end as usize <= end).count();
        from..from + count
    }

    /// Returns the term of the question that a term of the reply names again.
    fn asked_term_named_again(&self, asked: &[usize], named: usize) -> Option<usize> {
        let same = |term: usize| {
            let [one, other] = [term, named].map(|nth| &self.terms[nth]);
            one.entry != UNLISTED_ENTRY && one.entry == other.entry
                || self.text.folded_text(one.end as usize - 1) == self.text.folded_text(other.end as usize - 1)
        };
        asked.iter().copied().find(|&term| term < named && same(term))
    }

    /// Returns the answer of a reply to a term that it names: "nausea yes", "bruises no", "not the fever".
    fn answer_to_named_term(&self, named: usize, end: usize) -> Option<Answer> {
        let (first, last) = (self.first_token_of_term(named), self.terms[named].end as usize);
        // "a nosebleed last night, yes"
        let after = (last..end.min(last + 4)).take_while(|&at| !matches!(self.text.mark_at(at), b'.' | b';'));
        let known = after.take_while(|&at| at == last || !self.term_begins_at(at)).find_map(|at| {
            let answer = answer_of_word(self.word_at(at))?;
            let ends = self.word_at(at + 1).is_empty() || at + 1 >= end;
            ends.then_some(answer)
        });
        let status = self.out[named].status;
        if status.contains(Status::FAMILY) || status.contains(Status::HYPOTHETICAL) {
            return None;
        }
        known.or_else(|| {
            let denied = status.contains(Status::from_index(NEGATED)) || self.is_after_negation(first);
            let doubted = status.contains(Status::from_index(POSSIBLE));
            (!doubted).then_some(if denied { Answer::No } else { Answer::Yes })
        })
    }

    fn is_after_negation(&self, at: usize) -> bool {
        let near = at.saturating_sub(2)..at;
        near.into_iter().any(|at| is_negating_word(self.word_at(at)) || matches!(self.word_at(at), "nothing" | "no"))
    }
}
