//! Answers that name what they are of: "Any nausea or vomiting?" "The nausea yes, not the vomiting."

use super::kinds::{Answer, Piece, PieceKind, known_answer};
use super::reply::{SUBJECTS, after_speaker, is_bare, is_not, skip_pointers};
use super::{FormReader, MENTIONS};
use crate::status::assertion::{NEGATED, POSSIBLE, Status, UNLISTED};
use crate::text::token::Gap;

/// How many tokens of a turn are read for what they name.
const TURN: usize = 24;

impl FormReader<'_> {
    /// Answers the terms of a question that its reply names. Returns whether there are any.
    pub(super) fn answer_parts(&mut self, question: &[Piece], after: usize) -> bool {
        let asked: Vec<usize> = question.iter().filter_map(Self::term_of).collect();
        let (turn, end) = self.turn(after);
        let named: Vec<(usize, Answer)> = self
            .terms_within(turn, end)
            .filter_map(|nth| Some((self.asked_as(&asked, nth)?, self.part_answer(nth, end)?)))
            .collect();
        let speaker = after_speaker(self.text, after, self.text.tokens.len());
        if asked.len() == 1 && (speaker.is_none() || is_bare(self.text, after)) {
            return false;
        }
        for &(term, answer) in &named {
            self.answer_term(term, answer);
        }
        let only = matches!(self.word_at(turn), "just" | "only")
            || (turn..end).any(|at| matches!(self.word_at(at), "others" | "else") && self.is_after_not(at));
        for &term in &asked {
            if only && !named.is_empty() && named.iter().all(|&(known, _)| known != term) {
                self.answer_term(term, Answer::No);
            }
        }
        !named.is_empty()
    }

    /// Whether a reply tells something of what was not asked for: "Is it cancer? I have no fever."
    pub(super) fn tells_else(&self, question: &[Piece], after: usize) -> bool {
        let asked: Vec<usize> = question.iter().filter_map(Self::term_of).collect();
        let (turn, end) = self.turn(after);
        let own = after_speaker(self.text, after, end).is_some();
        let mut told = self.terms_within(turn, end).filter(|&nth| self.is_of(nth, &MENTIONS)).peekable();
        // "Mass? Urine positive, ...", "Is it cancer? I have no fever."
        let subject = SUBJECTS.contains(&self.word_at(turn)) || told.peek().is_some_and(|&nth| self.head(nth) == turn);
        !own && subject && told.peek().is_some() && told.all(|nth| self.asked_as(&asked, nth).is_none())
    }

    const fn term_of(piece: &Piece) -> Option<usize> {
        if let PieceKind::Term(term) = piece.kind { Some(term) } else { None }
    }

    /// The turn of a reply: to the end of its line, to the next question, or of its sentence if no speaker is named.
    fn turn(&self, after: usize) -> (usize, usize) {
        let tokens = self.text.tokens;
        let speaker = after_speaker(self.text, after, tokens.len());
        let turn = skip_pointers(self.text, speaker.unwrap_or(after), tokens.len());
        let over = |at: &usize| {
            let mark = self.text.mark(*at);
            *at > turn && tokens[*at].gap >= Gap::Line || mark == b'?' || speaker.is_none() && mark == b'.'
        };
        let last = tokens.len().min(turn + TURN);
        (turn, (turn..last).find(over).unwrap_or(last))
    }

    fn terms_within(&self, first: usize, end: usize) -> impl Iterator<Item = usize> {
        let from = self.terms.partition_point(|term| (term.first as usize) < first);
        let count = self.terms[from..].iter().take_while(|term| term.last as usize <= end).count();
        from..from + count
    }

    /// Which of the terms asked for another one names.
    fn asked_as(&self, asked: &[usize], named: usize) -> Option<usize> {
        let same = |term: usize| {
            let [one, other] = [term, named].map(|nth| &self.terms[nth]);
            one.entry != UNLISTED && one.entry == other.entry
                || self.text.word(one.last as usize - 1) == self.text.word(other.last as usize - 1)
        };
        asked.iter().copied().find(|&term| term < named && same(term))
    }

    /// What a reply says of a term that it names: "nausea yes", "bruises no", "not the fever".
    fn part_answer(&self, named: usize, end: usize) -> Option<Answer> {
        let (first, last) = (self.head(named), self.terms[named].last as usize);
        // "a nosebleed last night, yes"
        let after = (last..end.min(last + 4)).take_while(|&at| !matches!(self.text.mark(at), b'.' | b';'));
        let known = after.take_while(|&at| at == last || !self.begins_term(at)).find_map(|at| {
            let answer = known_answer(self.word_at(at))?;
            let ends = self.word_at(at + 1).is_empty() || at + 1 >= end;
            ends.then_some(answer)
        });
        let status = self.out[named].status;
        if status.has(Status::FAMILY) || status.has(Status::HYPOTHETICAL) {
            return None;
        }
        known.or_else(|| {
            let denied = status.has(Status::at(NEGATED)) || self.is_after_not(first);
            let doubted = status.has(Status::at(POSSIBLE));
            (!doubted).then_some(if denied { Answer::No } else { Answer::Yes })
        })
    }

    fn is_after_not(&self, at: usize) -> bool {
        let near = at.saturating_sub(2)..at;
        near.into_iter().any(|at| is_not(self.word_at(at)) || matches!(self.word_at(at), "nothing" | "no"))
    }
}
