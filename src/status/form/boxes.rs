//! Boxes on a line: groups of options, scales, and boxes before or after their labels; also plus and minus signs.

use super::super::assertion::{HISTORICAL, Status};
use super::super::cues::CompiledCues;
use super::kinds::{Answer, Piece, PieceKind};
use super::{FormReader, MENTION_GROUPS};
use crate::text::token::Gap;

impl FormReader<'_> {
    /// Applies the checked one of two boxes next to answers: `Fever: [ ] Yes [x] No`. Returns whether the line has such
    /// options.
    pub(super) fn answer_yes_no_boxes(&mut self, line: &[Piece]) -> bool {
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
                // No box is checked.
                self.replace_statuses_by_possible(&line[from..at]);
            } else if let Some(answer) = chosen {
                if has_terms(&line[from..at]) {
                    self.answer_pieces(&line[from..at], answer);
                } else if from == 0 && has_terms(&line[at + 4..]) {
                    let after = &line[at + 4..];
                    let end = after.iter().position(|piece| matches!(piece.kind, PieceKind::Box(_)));
                    self.answer_pieces(&after[..end.unwrap_or(after.len())], answer);
                } else if from == 0 {
                    self.unanswered.clone().for_each(|term| self.answer_term(term, answer));
                }
            }
            (from, at, found) = (at + 4, at + 4, true);
        }
        found
    }

    /// Applies the checked box of a scale on which one of the answers negates:
    /// `Cough ( ) often (x) sometimes ( ) never`.
    pub(super) fn apply_checked_scale(&mut self, line: &[Piece]) -> bool {
        let is_box = |piece: &Piece| matches!(piece.kind, PieceKind::Box(_));
        let Some(first) = line.iter().position(is_box) else { return false };
        // "Nausea  0 [x]  1 [ ]": boxes follow their grades.
        let after = first > 0 && line[first - 1].kind == PieceKind::Zero;
        let (label, choices) = line.split_at(first - usize::from(after));
        let checked: Vec<usize> =
            (0..choices.len()).filter(|&at| choices[at].kind == PieceKind::Box(Answer::Yes)).collect();
        let denies = |piece: &Piece| matches!(piece.kind, PieceKind::Answer(Answer::No) | PieceKind::Zero);
        let grade =
            |piece: &Piece| matches!(self.text.folded_text(piece.first), "mild" | "moderate" | "severe" | "slight");
        let has_term =
            |pieces: &[Piece]| pieces.iter().any(|piece| matches!(piece.kind, PieceKind::Term(_)) && !grade(piece));
        let [checked] = checked[..] else { return false };
        let is_scale = choices.iter().filter(|piece| is_box(piece)).count() > 2 && choices.iter().any(denies);
        if !is_scale || has_term(choices) || !has_term(label) {
            return false;
        }
        let chosen = if after { checked.checked_sub(1) } else { Some(checked + 1) }.and_then(|at| choices.get(at));
        self.answer_pieces(label, if chosen.is_some_and(denies) { Answer::No } else { Answer::Yes });
        // A question about frequency concerns the present, unless "in the past" is checked.
        let past = choices[checked..].iter().skip(1).take_while(|piece| !is_box(piece));
        let past = past.into_iter().any(|piece| matches!(self.text.folded_text(piece.first), "past" | "previously"));
        for piece in label {
            let PieceKind::Term(term) = piece.kind else { continue };
            self.out[term].clear_status(HISTORICAL);
            if past {
                self.out[term].set_cue(HISTORICAL, self.text.cues.cue_text(CompiledCues::question_about_past()));
            }
        }
        true
    }

    /// Applies boxes before or after their labels: `[x] cough [ ] fever`, `cough ✓ fever ✗`.
    pub(super) fn apply_boxes(&mut self, line: &[Piece]) -> bool {
        let state = |piece: &Piece| match piece.kind {
            PieceKind::Box(answer) | PieceKind::Circled(answer) => Some(answer),
            _ => None,
        };
        let Some(first) = line.iter().position(|piece| state(piece).is_some()) else { return false };
        // "Risks: [x] bleeding [x] infection": a checked risk was explained, not found.
        if self.is_warning_label(line[0].first, line[first].first) {
            for piece in &line[first..] {
                let PieceKind::Term(term) = piece.kind else { continue };
                self.out[term].assert(Status::HYPOTHETICAL, self.text.cues.cue_text(CompiledCues::warning_label()));
            }
            return true;
        }
        let label = self.first_label_of_box(line, first, |piece| state(piece).is_some());
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
            // "Y [N]": an option that is not circled is not an answer.
            let circled = line.iter().any(|piece| matches!(piece.kind, PieceKind::Circled(_)));
            let own = |piece: &Piece| {
                piece.kind == PieceKind::Negation || !circled && matches!(piece.kind, PieceKind::Answer(_))
            };
            if pieces.iter().any(own) {
                continue;
            }
            let before = first < label;
            if self.box_shapes().unfilled && answer == Answer::No {
                self.replace_statuses_by_possible(self.pieces_of_box(pieces, before));
            } else {
                self.answer_pieces(self.pieces_of_box(pieces, before), answer);
            }
        }
        true
    }

    /// Returns the pieces that a box applies to, within its sentence: "Pain in the knee. Fever (-)", "(-) fever, rash.
    /// Rapid test positive".
    fn pieces_of_box<'b>(&self, pieces: &'b [Piece], before: bool) -> &'b [Piece] {
        let ends = |piece: &Piece| piece.kind == PieceKind::Stop && self.text.mark_at(piece.first) != b'/';
        if before {
            &pieces[..pieces.iter().position(ends).unwrap_or(pieces.len())]
        } else {
            &pieces[pieces.iter().rposition(ends).map_or(0, |end| end + 1)..]
        }
    }

    /// Returns whether the label before boxes introduces risks: "Risks:".
    fn is_warning_label(&self, first: usize, end: usize) -> bool {
        let Some(colon) = end.checked_sub(1).filter(|&colon| colon > first && self.text.mark_at(colon) == b':') else {
            return false;
        };
        let warns = |at: usize| {
            let hit = self.text.longest_phrase(at, colon).filter(|hit| hit.end == colon);
            hit.is_some_and(|hit| self.text.cues.status_and_scope(hit.role.cue).0 == Status::HYPOTHETICAL)
        };
        self.word_at(colon - 1) == "risks" || (first..colon).any(warns)
    }

    /// Returns the index of the first term that has a box. Text before the first box that ends in a colon names the
    /// whole group, unless the line ends in a box.
    fn first_label_of_box(&self, line: &[Piece], first: usize, is_box: impl Fn(&Piece) -> bool) -> usize {
        let last = line.iter().rposition(&is_box);
        let ends = line.iter().rev().find(|piece| piece.kind != PieceKind::Stop).is_some_and(&is_box);
        // "GI" in "GI   [ ] nausea" is not a mention.
        let apart = line[first].wide;
        let mentions = |piece: &Piece| matches!(piece.kind, PieceKind::Term(term) if !apart || self.is_in_groups(term, &MENTION_GROUPS));
        let before_term = |at: usize| line.get(at + 1).is_some_and(|next| matches!(next.kind, PieceKind::Term(_)));
        // "GI ROS  [ ] nausea [x] vomiting": a label follows the first box, and another the last.
        let several = last.is_some_and(|last| last > first && before_term(last) && before_term(first));
        // "Mother: angina; (-) gout": the box begins an item.
        let begins = first > 0 && matches!(self.text.mark_at(line[first - 1].first), b'.' | b';') && before_term(first);
        let named = first > 0 && ((line[first - 1].kind == PieceKind::Separator || begins) && !ends || several);
        let from = if named { first } else { 0 };
        let label = line[from..].iter().position(mentions);
        label.map_or(line.len(), |label| from + label)
    }

    /// Applies signs: `cough+, fever-`, `+cough -fever`. A minus counts if the line also has a plus, before a comma, or
    /// as a value.
    pub(super) fn apply_plus_and_minus_signs(&mut self, line: &[Piece]) -> bool {
        let is_term = |at: usize| line.get(at).is_some_and(|piece| matches!(piece.kind, PieceKind::Term(_)));
        let ends = |at: usize| {
            line.get(at).is_none_or(|piece| piece.wide || matches!(piece.kind, PieceKind::Comma | PieceKind::Stop))
        };
        let glued = |at: usize| line.get(at).is_some_and(|piece| self.text.tokens[piece.first].gap == Gap::None);
        let suffix = |at: usize| at > 0 && is_term(at - 1) && (ends(at + 1) || glued(at) && !glued(at + 1));
        let bar = |at: usize| line.get(at).is_some_and(|piece| piece.kind == PieceKind::Bar);
        let value = |at: usize| {
            let cell = bar(at.wrapping_sub(1)) && bar(at + 1);
            at > 1 && is_term(at - 2) && (cell || line[at - 1].kind == PieceKind::Separator && ends(at + 1))
        };
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
            self.answer_pieces(&line[at..=at], answer);
        }
        !certain.is_empty()
    }
}
