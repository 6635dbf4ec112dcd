//! Answers on the same line as their field label.

use super::super::assertion::NEGATED;
use super::FormReader;
use super::kinds::{Answer, Piece, PieceKind};
use super::pieces::is_unmarked_choice;
use crate::text::token::{Case, Gap, Kind};

/// The maximum length of a line in a column of letters and labels, in tokens.
const MAX_STACKED_LINE_TOKENS: usize = 12;

impl FormReader<'_> {
    /// Applies answers that are a whole value: `Fever: no`, `Diabetes (type 2) ... N`, `Any fever? No.`. Returns
    /// whether there is one.
    pub(super) fn apply_answers_of_line(&mut self, line: &[Piece]) -> bool {
        let (mut from, mut found) = (0, false);
        if self.answer_delimited_row(line) {
            return true;
        }
        for (at, piece) in line.iter().enumerate() {
            if self.is_frequency_scale(line, at) {
                self.replace_statuses_by_possible(&line[from..at]);
                continue;
            }
            // "Fainting   Yes / No": printed options, none of them marked.
            if is_unmarked_choice(&line[at..])
                && at > from
                && line[at + 1..].iter().all(|piece| !matches!(piece.kind, PieceKind::Term(_)))
            {
                self.replace_statuses_by_possible(&line[from..at]);
                continue;
            }
            if self.is_legend_or_label(line, at)
                || (0..=at.min(2)).any(|before| is_unmarked_choice(&line[at - before..]))
            {
                continue;
            }
            let PieceKind::Answer(answer) = piece.kind else {
                // "Nausea: denies   Appetite: fair": an answer belongs to its own field.
                if found {
                    self.clear_label_of_next_field(&line[from..=at]);
                }
                let ends = matches!(piece.kind, PieceKind::Stop)
                    || piece.wide && !matches!(piece.kind, PieceKind::Separator | PieceKind::Bar);
                // Any other piece continues the question up to its answer.
                if ends {
                    from = at;
                }
                continue;
            };
            if self.apply_leading_answer(line, at, answer) {
                found = true;
                continue;
            }
            if at == 0 || !self.is_whole_value(line, at) {
                self.clear_negation_of_label(&line[from..], at.saturating_sub(from));
                continue;
            }
            // "no tumor present"
            let denied = |piece: &Piece| matches!(piece.kind, PieceKind::Negation | PieceKind::Answer(Answer::No));
            let is_verb = answer == Answer::Yes && self.text.folded_text(piece.first) == "present";
            if self.is_value_of_label(line, at) && !(is_verb && line[from.saturating_sub(1)..at].iter().any(denied)) {
                found = true;
                self.answer_item_of_label(&line[from..at], answer);
            }
            from = at + 1;
        }
        found
    }

    /// Clears the negation of the label of the next field, a single word with a separator that follows an answer.
    fn clear_label_of_next_field(&mut self, field: &[Piece]) {
        let Some((separator, label)) = field.split_last() else { return };
        let separates = matches!(separator.kind, PieceKind::Separator | PieceKind::Sign(Answer::No));
        let apart = label.first().is_some_and(|first| first.wide || first.kind == PieceKind::Stop);
        if separates && apart && label.iter().filter(|piece| piece.kind != PieceKind::Stop).count() == 1 {
            for &piece in label {
                self.clear_negation(piece);
            }
        }
    }

    /// Applies a line that consists of a label and its answer: "asthma;no", "fever / yes". Returns whether it is one.
    fn answer_delimited_row(&mut self, line: &[Piece]) -> bool {
        let answer = line.get(2).map(|piece| piece.kind).filter(|_| is_label_and_value_line(line, 2));
        if let Some(PieceKind::Answer(answer)) = answer {
            self.answer_pieces(&line[..1], answer);
            return true;
        }
        // "4471,hives,0"
        let [row @ .., label, _, value] = line else { return false };
        let glued = line[1..].iter().all(|piece| self.text.tokens[piece.first].gap == Gap::None);
        let comma = |nth: usize| line[nth].kind == PieceKind::Comma;
        let cells = line.len() % 2 == 1 && (1..line.len()).step_by(2).all(comma) && !row.is_empty();
        let plain = row.iter().all(|piece| matches!(piece.kind, PieceKind::Other | PieceKind::Comma));
        let answer = match value.kind {
            PieceKind::Answer(answer) => answer,
            PieceKind::Zero => Answer::No,
            PieceKind::Other if self.text.folded_text(value.first) == "1" => Answer::Yes,
            _ => return false,
        };
        let is_row = glued && cells && plain && matches!(label.kind, PieceKind::Term(_));
        if is_row {
            self.answer_pieces(&[*label], answer);
        }
        is_row
    }

    /// Returns whether an answer is the value of the label before it.
    fn is_value_of_label(&self, line: &[Piece], at: usize) -> bool {
        let piece = line[at];
        match line[at - 1].kind {
            PieceKind::Separator
            | PieceKind::Bar
            | PieceKind::Question
            | PieceKind::Sign(Answer::No)
            | PieceKind::Term(_) => true,
            // "hip click none"
            PieceKind::Other if matches!(self.text.folded_text(piece.first), "none" | "nil" | "absent") => true,
            // "Fever last week NO."
            PieceKind::Other if self.text.tokens[piece.first].case == Case::Upper => {
                piece.end == piece.first + 1
                    && self.text.folded_text(piece.first).len() > 1
                    && self.text.tokens[line[at - 1].first].case != Case::Upper
            }
            _ => piece.wide,
        }
    }

    /// Applies an answer to the item at the end of a label.
    fn answer_item_of_label(&mut self, label: &[Piece], answer: Answer) {
        let Some(separator) = label.last().map(|piece| piece.kind) else { return };
        // "Cough, fever, rash - none"
        let item = |piece: &Piece| match piece.kind {
            PieceKind::Term(_) | PieceKind::Comma | PieceKind::Sign(Answer::No) => true,
            _ => matches!(self.text.folded_text(piece.first), "and" | "or"),
        };
        let dashed = matches!(separator, PieceKind::Sign(Answer::No)) && label.iter().all(item);
        let listed = dashed || matches!(separator, PieceKind::Separator | PieceKind::Question);
        let ends = |piece: &Piece| match piece.kind {
            PieceKind::Comma => !listed && separator != PieceKind::Comma,
            PieceKind::Bar => separator != PieceKind::Bar,
            _ => false,
        };
        let start = label.iter().rposition(ends).map_or(0, |end| end + 1);
        let start = start.max(self.start_of_inner_label(label));
        // "No cough, flu negative and RSV positive": without a separator, a positive answer belongs to the nearest
        // term.
        let nearest = matches!(separator, PieceKind::Term(_)) && answer == Answer::Yes;
        let start = if nearest { label.len() - 1 } else { start };
        if separator == PieceKind::Question {
            self.apply_answer_to_question(&label[start..], answer);
        } else {
            self.answer_pieces(&label[start..], answer);
        }
    }

    /// Returns the start of the part of a label that is answered: "Review of gout: pain now nil", "Gout stable,
    /// swelling of joints: no".
    fn start_of_inner_label(&self, label: &[Piece]) -> usize {
        let Some((_, label)) = label.split_last() else { return 0 };
        let is_term = |piece: &Piece| matches!(piece.kind, PieceKind::Term(_));
        let separates = |piece: &Piece| piece.kind == PieceKind::Separator && self.text.mark_at(piece.first) == b':';
        let inner = label.iter().rposition(separates).map_or(0, |at| at + 1);
        // "Ideation passive, plan: no"
        let comma = label.iter().rposition(|piece| piece.kind == PieceKind::Comma).map_or(0, |at| at + 1);
        let rest = &label[comma..];
        let other = comma > 0 && matches!(rest, [word] if word.kind == PieceKind::Other);
        if other {
            label.len()
        } else if label[inner..].iter().any(is_term) {
            inner
        } else {
            0
        }
    }

    /// Returns whether a printed scale of answers begins here: "never / sometimes / often".
    fn is_frequency_scale(&self, line: &[Piece], at: usize) -> bool {
        let often = |piece: &Piece| is_frequency_word(self.word_at(piece.first));
        let slash = |piece: &Piece| self.text.mark_at(piece.first) == b'/';
        line.get(at + 1).is_some_and(slash) && line.get(at + 2).is_some_and(often)
    }

    /// Returns whether an answer word explains a number, "(0 = none, 3 = severe)", or is itself a label,
    /// `"present": false`.
    fn is_legend_or_label(&self, line: &[Piece], at: usize) -> bool {
        let kind = |at: usize| line.get(at).map(|piece| piece.kind);
        let number = |piece: &Piece| self.text.tokens[piece.first].kind == Kind::Number;
        let valued = at > 1
            && matches!(line[at].kind, PieceKind::Answer(_))
            && self.text.mark_at(line[at - 1].first) == b'='
            && number(&line[at - 2]);
        let labels = matches!(line[at].kind, PieceKind::Answer(_))
            && kind(at + 1) == Some(PieceKind::Separator)
            && matches!(kind(at + 2), Some(PieceKind::Answer(_)));
        valued || labels
    }

    /// Applies an answer that precedes its items: `N  Cough`, `Negative | rash, fever`, `NOT: gout, asthma.`. Returns
    /// whether it does.
    fn apply_leading_answer(&mut self, line: &[Piece], at: usize, answer: Answer) -> bool {
        let Some(next) = line.get(at + 1) else { return false };
        let letter = self.text.is_word_at(line[at].first) && self.text.folded_text(line[at].first).len() == 1;
        let colon = next.kind == PieceKind::Separator && self.text.mark_at(next.first) == b':';
        // "Negatives - fever, rash"
        let dash = next.kind == PieceKind::Sign(Answer::No) && is_plural_heading(self.text.folded_text(line[at].first));
        let separated = (colon || dash) && (!letter || at == 0);
        let begins = at == 0 || separated && line[at - 1].kind == PieceKind::Stop;
        let rest = &line[at + 1..];
        let end = match next.kind {
            PieceKind::Separator | PieceKind::Sign(_) => {
                rest.iter().position(|piece| piece.kind == PieceKind::Stop).unwrap_or(rest.len())
            }
            _ => rest.len(),
        };
        let item = &rest[..end];
        let whole = !item.iter().any(|piece| matches!(piece.kind, PieceKind::Answer(_) | PieceKind::Negation));
        let has_term = item.iter().any(|piece| matches!(piece.kind, PieceKind::Term(_)));
        // "N rash" above "Y hives"
        let stacked =
            letter && at == 0 && matches!(next.kind, PieceKind::Term(_)) && self.is_in_column_of_letters(line[0].first);
        let answers = begins && whole && has_term && (separated || next.wide || next.kind == PieceKind::Bar || stacked);
        if answers {
            self.answer_pieces(item, answer);
        }
        answers
    }

    /// Returns whether the line before or after also begins with an answering letter.
    fn is_in_column_of_letters(&self, first: usize) -> bool {
        let tokens = self.text.tokens;
        let begins = |at: &usize| tokens[*at].gap >= Gap::Line;
        let before = (0..first).rev().take(MAX_STACKED_LINE_TOKENS).find(|at| *at == 0 || begins(at));
        let after = (first + 1..tokens.len()).take(MAX_STACKED_LINE_TOKENS).find(begins);
        let letter = |at: usize| {
            matches!(self.word_at(at), "y" | "n") && tokens[at].case == Case::Upper && !self.word_at(at + 1).is_empty()
        };
        before.is_some_and(letter) || after.is_some_and(letter)
    }

    /// Clears the negation of a label if the "no" after it negates only its value: "COPD: no exacerbation".
    fn clear_negation_of_label(&mut self, line: &[Piece], answer: usize) {
        let [separator, value] = [answer.wrapping_sub(1), answer + 1].map(|at| line.get(at).map(|piece| piece.kind));
        let is_no = matches!(line.get(answer).map(|piece| piece.kind), Some(PieceKind::Answer(Answer::No)));
        if is_no && separator == Some(PieceKind::Separator) && matches!(value, Some(PieceKind::Term(_))) {
            let label = &line[..answer - 1];
            let start = label.iter().rposition(|piece| matches!(piece.kind, PieceKind::Stop | PieceKind::Comma));
            let label = &label[start.map_or(0, |start| start + 1)..];
            if let Some(&last) = label.last()
                && !label.iter().any(|piece| matches!(piece.kind, PieceKind::Negation | PieceKind::Answer(_)))
            {
                self.clear_negation(last);
            }
        }
    }

    /// Clears the negation of a piece that is a term.
    fn clear_negation(&mut self, piece: Piece) {
        if let PieceKind::Term(term) = piece.kind
            && let Some(assertion) = self.out.get_mut(term)
        {
            assertion.clear_status(NEGATED);
        }
    }

    /// Returns whether an answer is the whole value.
    fn is_whole_value(&self, line: &[Piece], at: usize) -> bool {
        let Some(next) = line.get(at + 1) else { return true };
        // "Pain 3/10 with movement"
        if self.text.tokens[line[at].first].kind == Kind::Number {
            return true;
        }
        let ends = matches!(next.kind, PieceKind::Comma | PieceKind::Stop | PieceKind::Bar);
        // "?hives no ?vertigo yes"
        let asks = next.kind == PieceKind::Question
            && matches!(line.get(at + 2).map(|piece| piece.kind), Some(PieceKind::Term(_)))
            && self.text.tokens[next.end].gap == Gap::None;
        let ends = ends || asks;
        let label = matches!(next.kind, PieceKind::Term(_))
            && line.get(at + 2).is_some_and(|piece| matches!(piece.kind, PieceKind::Separator | PieceKind::Answer(_)));
        next.wide || ends || label || matches!(self.text.mark_at(next.first), b')' | b']' | b'}' | b'.')
    }

    /// Applies zeros that mean "no": `Ø fever`, `0 edema`, `tremor 0`.
    pub(super) fn apply_zeros(&mut self, line: &[Piece]) {
        let kind = |at: usize| line.get(at).map_or(PieceKind::Stop, |piece| piece.kind);
        let ends =
            |at: usize| matches!(kind(at), PieceKind::Comma | PieceKind::Stop | PieceKind::Bar | PieceKind::Zero);
        for at in (0..line.len()).filter(|&at| line[at].kind == PieceKind::Zero) {
            let is_number = self.text.tokens[line[at].first].kind == Kind::Number;
            // After folding, "Ø" is a capital O, so it counts only at the beginning of an item.
            let begins = at == 0 || line[at].wide || ends(at - 1) || kind(at - 1) == PieceKind::Separator;
            let after = &line[at + 1..];
            let item = (at + 1..line.len()).find(|&next| ends(next)).unwrap_or(line.len()) - at - 1;
            if is_label_and_value_line(line, at) {
                // "rash,0"
                self.answer_pieces(&line[..1], Answer::No);
            } else if (item == 0 || after[0].wide) && at > 0 {
                let value = kind(at - 1) == PieceKind::Separator;
                if begins || is_number && matches!(kind(at - 1), PieceKind::Term(_)) {
                    let label = at - 1 - usize::from(value && at > 1);
                    // "Item 9 (insomnia): 0"
                    let open = line[..at].iter().rposition(|piece| self.text.mark_at(piece.first) == b'(');
                    let label = open.filter(|_| self.text.mark_at(line[label].first) == b')').unwrap_or(label);
                    self.answer_pieces(&line[label..at], Answer::No);
                }
            } else if begins && (!is_number || matches!(kind(at + 1), PieceKind::Term(_))) {
                self.answer_pieces(&after[..item], Answer::No);
            }
        }
    }
}

/// Returns whether a word is an adverb of frequency that may be one of several printed answers.
pub(super) fn is_frequency_word(word: &str) -> bool {
    matches!(word, "sometimes" | "often" | "rarely" | "seldom" | "always" | "occasionally" | "daily" | "some")
}

/// Returns whether a word is the heading of a list of findings: "positives", "negatives".
fn is_plural_heading(word: &str) -> bool {
    matches!(word, "positives" | "negatives")
}

/// Returns whether a label and its value make up the line, apart from a full stop: "fever,Y", "rash,0".
fn is_label_and_value_line(line: &[Piece], at: usize) -> bool {
    at == 2
        && matches!([line[0].kind, line[1].kind], [PieceKind::Term(_), PieceKind::Comma | PieceKind::Stop])
        && line[3..].iter().all(|piece| piece.kind == PieceKind::Stop)
}
