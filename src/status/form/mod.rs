//! Forms: boxes, columns of yes and no, signs, and questions with their answers.
//!
//! The status of a term in a form depends on its layout, not on words around it: a rule of form overrules cues and the classifier.
//! Each line is split into `pieces`; groups of options (`[ ] Yes [x] No`) come first, then boxes before or after their labels,
//! then signs and answers. `questions` finds the answer to a question in the same line or in the next turn of a conversation.

mod columns;
mod persons;
mod pieces;
mod questions;
mod reply;

use super::Assertion;
use super::assertion::{HISTORICAL, NEGATED, Status};
use super::cues::{CueMatcher, Cues};
use crate::terms::Match;
use crate::text::token::{Case, Gap, Kind};
pub(super) use pieces::markup_end;
use pieces::{Answer, Piece, PieceKind, Shapes, answer, may_have_box, pieces, prompts};

/// Reads the forms of a note.
pub(super) struct FormReader<'a> {
    text: CueMatcher<'a>,
    terms: &'a [Match],
    out: &'a mut [Assertion],
    line: Vec<Piece>,
    /// The terms of the line before, if nothing has answered them yet.
    open: std::ops::Range<usize>,
}

impl<'a> FormReader<'a> {
    pub(super) fn new(text: CueMatcher<'a>, terms: &'a [Match], out: &'a mut [Assertion]) -> Self {
        Self { text, terms, out, line: Vec::new(), open: 0..0 }
    }

    /// Applies the rules of form to the terms of the note.
    pub(super) fn read(mut self) {
        self.groups();
        self.owners();
        let shapes = Shapes::of(self.text);
        let tokens = self.text.tokens;
        let (mut first, mut term, mut columns) = (0, 0, None);
        while first < tokens.len() {
            let length = tokens[first + 1..].iter().position(|token| token.gap >= Gap::Line);
            let end = length.map_or(tokens.len(), |length| first + 1 + length);
            let next = term + self.terms[term..].iter().take_while(|term| (term.first as usize) < end).count();
            let boxes = may_have_box(self.text, [first, end]);
            if tokens[first].gap == Gap::Paragraph {
                columns = None;
            }
            // A line that ends in an answer may head columns.
            if next == term && !boxes && answer(self.text, end - 1).is_none() {
                (self.open, first) = (term..next, end);
                continue;
            }
            let mut line = std::mem::take(&mut self.line);
            pieces(self.text, [first, end], self.terms, term, shapes, &mut line);
            let in_column = next > term && columns.is_some_and(|columns| self.mark_in_column(&line, columns));
            columns = self.columns(&line).or(columns);
            let answered = in_column
                || boxes && (self.options(&line) || next > term && (self.scale(&line) || self.boxes(&line)))
                || next > term && self.signs(&line);
            if !answered && next > term {
                let has_answer = self.answers(&line);
                self.zeros(&line);
                self.questions(&line, has_answer);
                self.doubts(&line);
                self.spoken(&line);
                self.continued_negation(&line);
            }
            self.open = if answered { 0..0 } else { term..next };
            self.line = line;
            (first, term) = (end, next);
        }
    }

    /// "no acute distress", "no free fluid": terms that touch are one phrase, and what negates a part of it negates all of it.
    fn groups(&mut self) {
        for nth in 1..self.terms.len() {
            let [before, term] = [self.terms[nth - 1], self.terms[nth]];
            let touch = before.last == term.first && self.text.tokens[term.first as usize].gap <= Gap::Space;
            let [one, other] = [self.out[nth - 1].status, self.out[nth].status];
            if touch && one.is_affirmed() && other == Status::NEGATED {
                self.out[nth - 1].add(NEGATED, self.out[nth].cues[NEGATED]);
            } else if touch && other.is_affirmed() && one == Status::NEGATED {
                self.out[nth].add(NEGATED, self.out[nth - 1].cues[NEGATED]);
            }
        }
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

    /// `Fever: [ ] Yes [x] No`: the box that is checked beside an answer. Returns whether the line has such options.
    fn options(&mut self, line: &[Piece]) -> bool {
        let (mut from, mut found) = (0, false);
        let mut at = 0;
        while let Some(four) = line.get(at..at + 4) {
            let chosen = match [four[0].kind, four[1].kind, four[2].kind, four[3].kind] {
                [PieceKind::Box(one), PieceKind::Answer(first), PieceKind::Box(other), PieceKind::Answer(second)]
                | [PieceKind::Answer(first), PieceKind::Box(one), PieceKind::Answer(second), PieceKind::Box(other)]
                    if first != second =>
                {
                    Some((one != other).then_some(if one == Answer::Yes { first } else { second }))
                }
                _ => None,
            };
            let Some(chosen) = chosen else {
                at += 1;
                continue;
            };
            let has_terms = |pieces: &[Piece]| pieces.iter().any(|piece| matches!(piece.kind, PieceKind::Term(_)));
            if chosen.is_none() && four.iter().all(|piece| piece.kind != PieceKind::Box(Answer::Yes)) {
                // Nothing is checked.
                self.leave_possible(&line[from..at]);
            } else if let Some(answer) = chosen {
                if has_terms(&line[from..at]) {
                    self.answer(&line[from..at], answer);
                } else if from == 0 && has_terms(&line[at + 4..]) {
                    let after = &line[at + 4..];
                    let end = after.iter().position(|piece| matches!(piece.kind, PieceKind::Box(_)));
                    self.answer(&after[..end.unwrap_or(after.len())], answer);
                } else if from == 0 {
                    self.open.clone().for_each(|term| self.answer_term(term, answer));
                }
            }
            (from, at, found) = (at + 4, at + 4, true);
        }
        found
    }

    /// `Cough ( ) often (x) sometimes ( ) never`: one of several answers is checked, and one of them denies.
    fn scale(&mut self, line: &[Piece]) -> bool {
        let is_box = |piece: &Piece| matches!(piece.kind, PieceKind::Box(_));
        let Some(first) = line.iter().position(is_box) else { return false };
        let (label, choices) = line.split_at(first);
        let checked: Vec<usize> =
            (0..choices.len()).filter(|&at| choices[at].kind == PieceKind::Box(Answer::Yes)).collect();
        let denies = |piece: &Piece| piece.kind == PieceKind::Answer(Answer::No);
        let has_term = |pieces: &[Piece]| pieces.iter().any(|piece| matches!(piece.kind, PieceKind::Term(_)));
        let [checked] = checked[..] else { return false };
        let is_scale = choices.iter().filter(|piece| is_box(piece)).count() > 2 && choices.iter().any(denies);
        if !is_scale || has_term(choices) || !has_term(label) {
            return false;
        }
        let answer = if choices.get(checked + 1).is_some_and(denies) { Answer::No } else { Answer::Yes };
        self.answer(label, answer);
        // How often is asked of the present.
        for piece in label {
            let PieceKind::Term(term) = piece.kind else { continue };
            self.out[term].remove(HISTORICAL);
        }
        true
    }

    /// `[x] cough [ ] fever`, `cough ✓ fever ✗`: boxes before or after their labels.
    fn boxes(&mut self, line: &[Piece]) -> bool {
        let state = |piece: &Piece| match piece.kind {
            PieceKind::Box(answer) | PieceKind::Circled(answer) => Some(answer),
            _ => None,
        };
        let Some(first) = line.iter().position(|piece| state(piece).is_some()) else { return false };
        let label = Self::first_label(line, first, |piece| state(piece).is_some());
        let mut item = if first < label { first } else { 0 };
        for at in first..=line.len() {
            let Some(answer) = line.get(at).map_or(Some(Answer::No), state) else { continue };
            let (answer, pieces) = if first < label {
                let Some(answer) = state(&line[item]).filter(|_| at > item) else { continue };
                (answer, &line[item + 1..at])
            } else if at < line.len() {
                (answer, &line[item..at])
            } else {
                continue;
            };
            item = if first < label { at } else { at + 1 };
            // "Y [N]": what is not circled is no answer.
            let circled = line.iter().any(|piece| matches!(piece.kind, PieceKind::Circled(_)));
            let own = |piece: &Piece| {
                piece.kind == PieceKind::Negation || !circled && matches!(piece.kind, PieceKind::Answer(_))
            };
            if !pieces.iter().any(own) {
                self.answer(pieces, answer);
            }
        }
        true
    }

    /// The first term with a box: what a colon ends before the first box names all of them, if the line does not end in a box.
    fn first_label(line: &[Piece], first: usize, is_box: impl Fn(&Piece) -> bool) -> usize {
        let last = line.iter().rev().find(|piece| piece.kind != PieceKind::Stop);
        let named = first > 0 && line[first - 1].kind == PieceKind::Separator && !last.is_some_and(is_box);
        let from = if named { first } else { 0 };
        let label = line[from..].iter().position(|piece| matches!(piece.kind, PieceKind::Term(_)));
        label.map_or(line.len(), |label| from + label)
    }

    /// `cough+, fever-`, `+cough -fever`: a minus counts beside a plus, before a comma, or as a value.
    fn signs(&mut self, line: &[Piece]) -> bool {
        let is_term = |at: usize| line.get(at).is_some_and(|piece| matches!(piece.kind, PieceKind::Term(_)));
        let ends = |at: usize| {
            line.get(at).is_none_or(|piece| piece.wide || matches!(piece.kind, PieceKind::Comma | PieceKind::Stop))
        };
        let glued = |at: usize| line.get(at).is_some_and(|piece| self.text.tokens[piece.first].gap == Gap::None);
        let suffix = |at: usize| at > 0 && is_term(at - 1) && (ends(at + 1) || glued(at) && !glued(at + 1));
        let value = |at: usize| at > 1 && line[at - 1].kind == PieceKind::Separator && is_term(at - 2) && ends(at + 1);
        let prefix =
            |at: usize| is_term(at + 1) && (at == 0 || !glued(at)) && (glued(at + 1) || at == 0 || ends(at - 1));
        let mut signs = Vec::new();
        for (at, piece) in line.iter().enumerate() {
            let PieceKind::Sign(answer) = piece.kind else { continue };
            let comma = line.get(at + 1).is_some_and(|next| next.kind == PieceKind::Comma);
            if value(at) {
                signs.push((at - 2, answer, true));
            } else if suffix(at) {
                signs.push((at - 1, answer, comma && glued(at)));
            } else if prefix(at) {
                signs.push((at + 1, answer, false));
            }
        }
        let plus = signs.iter().any(|&(_, answer, _)| answer == Answer::Yes);
        let minus = signs.iter().any(|&(_, answer, _)| answer == Answer::No);
        let certain = signs.iter().filter(|&&(_, _, alone)| alone || plus && minus).copied().collect::<Vec<_>>();
        for &(at, answer, _) in &certain {
            self.answer(&line[at..=at], answer);
        }
        !certain.is_empty()
    }

    /// `Fever: no`, `Diabetes (type 2) ... N`, `Any fever? No.`: a value that nothing follows.
    fn answers(&mut self, line: &[Piece]) -> bool {
        let (mut from, mut found) = (0, false);
        for (at, piece) in line.iter().enumerate() {
            if prompts(&line[at..]) || at > 0 && prompts(&line[at - 1..]) || at > 1 && prompts(&line[at - 2..]) {
                continue;
            }
            let PieceKind::Answer(answer) = piece.kind else {
                // "Nausea: denies   Appetite: fair": an answer is that of its own field.
                if found && piece.kind == PieceKind::Separator && line[from..at].len() == 1 && line[from].wide {
                    self.clear(line[from]);
                }
                let ends = matches!(piece.kind, PieceKind::Stop)
                    || piece.wide && !line.get(at).is_some_and(|piece| piece.kind == PieceKind::Separator);
                // The question goes on to its answer.
                if ends && !matches!(piece.kind, PieceKind::Answer(_)) {
                    from = at;
                }
                continue;
            };
            if at == 0 || !self.is_final(line, at) {
                self.keep_label(&line[from..], at.saturating_sub(from));
                continue;
            }
            let separator = line[at - 1].kind;
            let is_value = piece.wide
                || matches!(
                    separator,
                    PieceKind::Separator | PieceKind::Bar | PieceKind::Question | PieceKind::Sign(Answer::No)
                )
                || matches!(separator, PieceKind::Term(_))
                // "hip click none"
                || separator == PieceKind::Other && matches!(self.text.word(piece.first), "none" | "nil" | "absent");
            // "no tumor present"
            let denied = |piece: &Piece| matches!(piece.kind, PieceKind::Negation | PieceKind::Answer(Answer::No));
            let is_verb = answer == Answer::Yes && self.text.word(piece.first) == "present";
            if is_value && !(is_verb && line[from.saturating_sub(1)..at].iter().any(denied)) {
                found = true;
                let label = &line[from..at];
                let listed = matches!(separator, PieceKind::Separator | PieceKind::Question);
                let ends = |piece: &Piece| match piece.kind {
                    PieceKind::Comma => !listed,
                    PieceKind::Bar => separator != PieceKind::Bar,
                    _ => false,
                };
                let start = label.iter().rposition(ends).map_or(0, |end| end + 1);
                if separator == PieceKind::Question {
                    self.answer_question(&label[start..], answer);
                } else {
                    self.answer(&label[start..], answer);
                }
            }
            from = at + 1;
        }
        found
    }

    /// "COPD: no exacerbation": what a value negates is not its label.
    fn keep_label(&mut self, line: &[Piece], answer: usize) {
        let [separator, value] = [answer.wrapping_sub(1), answer + 1].map(|at| line.get(at).map(|piece| piece.kind));
        let is_no = matches!(line.get(answer).map(|piece| piece.kind), Some(PieceKind::Answer(Answer::No)));
        if is_no && separator == Some(PieceKind::Separator) && matches!(value, Some(PieceKind::Term(_))) {
            let label = &line[..answer - 1];
            let start = label.iter().rposition(|piece| matches!(piece.kind, PieceKind::Stop | PieceKind::Comma));
            let label = &label[start.map_or(0, |start| start + 1)..];
            if !label.iter().any(|piece| matches!(piece.kind, PieceKind::Negation | PieceKind::Answer(_))) {
                for &piece in label {
                    self.clear(piece);
                }
            }
        }
    }

    /// A term that nothing negates.
    fn clear(&mut self, piece: Piece) {
        if let PieceKind::Term(term) = piece.kind
            && let Some(assertion) = self.out.get_mut(term)
        {
            assertion.remove(NEGATED);
        }
    }

    /// Whether an answer is the whole value.
    fn is_final(&self, line: &[Piece], at: usize) -> bool {
        let Some(next) = line.get(at + 1) else { return true };
        // "Pain 3/10 with movement"
        if self.text.tokens[line[at].first].kind == Kind::Number {
            return true;
        }
        let ends = matches!(next.kind, PieceKind::Comma | PieceKind::Stop | PieceKind::Bar);
        let label = matches!(next.kind, PieceKind::Term(_))
            && line.get(at + 2).is_some_and(|piece| matches!(piece.kind, PieceKind::Separator | PieceKind::Answer(_)));
        next.wide || ends || label || matches!(self.text.mark(next.first), b')' | b']' | b'.')
    }

    /// `Ø fever`, `0 edema`, `tremor 0`
    fn zeros(&mut self, line: &[Piece]) {
        let kind = |at: usize| line.get(at).map_or(PieceKind::Stop, |piece| piece.kind);
        let ends =
            |at: usize| matches!(kind(at), PieceKind::Comma | PieceKind::Stop | PieceKind::Bar | PieceKind::Zero);
        for at in (0..line.len()).filter(|&at| line[at].kind == PieceKind::Zero) {
            let is_number = self.text.tokens[line[at].first].kind == Kind::Number;
            // Folded, "Ø" is a capital O: it counts at the beginning of an item.
            let begins = at == 0 || line[at].wide || ends(at - 1) || kind(at - 1) == PieceKind::Separator;
            let after = &line[at + 1..];
            let item = (at + 1..line.len()).find(|&next| ends(next)).unwrap_or(line.len()) - at - 1;
            if (item == 0 || after[0].wide) && at > 0 {
                let value = kind(at - 1) == PieceKind::Separator;
                if begins || is_number && matches!(kind(at - 1), PieceKind::Term(_)) {
                    self.answer(&line[at - 1 - usize::from(value && at > 1)..at], Answer::No);
                }
            } else if begins && (!is_number || matches!(kind(at + 1), PieceKind::Term(_))) {
                self.answer(&after[..item], Answer::No);
            }
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
