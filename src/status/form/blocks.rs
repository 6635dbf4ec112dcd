//! Forms of several lines: headings that negate the list below them, records of labels and values, and answers on the
//! line below their label.

use std::ops::Range;

use super::super::assertion::{FAMILY, NEGATED, POSSIBLE, Status};
use super::super::cues::{CompiledCues, CueText, Scope};
use super::classes::is_having_verb;
use super::function_words::{is_preposition, may_follow_is_not};
use super::kinds::{Answer, Piece, PieceKind, parse_answer};
use super::marks::parse_box;
use super::records::{MAX_RECORD_LABEL_TOKENS, OWNER_LABELS, PATIENT_VALUES, STATE_LABELS};
use super::{FormReader, MENTION_GROUPS};
use crate::text::token::{Gap, Kind};
use crate::text::words_of_file;

/// Words that may introduce a list at the end of a line without a colon.
const LIST_INTRODUCTIONS: &[&str] = words_of_file!("../words/list-introductions.txt");
/// Nouns that may begin the heading of a list: "Symptoms denied by the patient".
const LIST_NOUNS: [&str; 7] =
    ["symptoms", "findings", "problems", "diagnoses", "conditions", "complaints", "illnesses"];
const MAX_ITEM_TOKENS: usize = 14;

/// The state that carries over from line to line.
#[derive(Default)]
pub(super) struct LineBlock {
    /// The status that the heading of a list gives to its items, its cue, and whether an item has been read.
    list: Status,
    cue: CueText,
    begun: bool,
    /// The end (exclusive) of the heading, in tokens.
    heading: usize,
    /// The indentation of the heading, in bytes, if its items must be indented further or have bullets.
    indent: Option<usize>,
    /// The terms of the last line with a term.
    pub(super) record: Range<usize>,
    /// Whether the next line is the value of the record, because this one is only a label such as `Status`.
    value_below: bool,
    /// The first term of the paragraph, or the first after the last owner label.
    pub(super) first: usize,
    /// Whether the following terms are a relative's, if an owner label precedes them.
    pub(super) relative: Option<bool>,
}

/// Returns whether a word is an adjective for past conditions at the beginning of a heading.
fn is_past_adjective(word: &str) -> bool {
    matches!(word, "resolved" | "past" | "previous" | "historical" | "inactive")
}

impl LineBlock {
    /// Returns whether a heading above gives a status to a list.
    pub(super) const fn has_list(&self) -> bool {
        !self.list.is_affirmed()
    }

    /// Ends the record, and the list if it has begun, at an empty line.
    pub(super) fn end_paragraph(&mut self, term: usize) {
        let list = if self.begun { Status::default() } else { self.list };
        *self =
            Self { list, cue: self.cue, heading: self.heading, indent: self.indent, first: term, ..Self::default() };
    }
}

impl FormReader<'_> {
    /// Applies a line to the lines above, and records what it determines for the lines below: labels, values and list
    /// headings.
    pub(super) fn update_block_from_line(&mut self, [first, end]: [usize; 2], terms: Range<usize>) {
        let text = self.text;
        // Full stops at the end of a line are ignored.
        let stops = (first + 1..end).rev().take_while(|&at| text.mark_at(at) == b'.').count();
        let end = end - stops;
        let word = |at: usize| if at < end && text.is_word_at(at) { text.folded_text(at) } else { "" };
        let value = self.start_of_value(first, end);
        if let Some(value) = value
            && (first..value).any(|at| OWNER_LABELS.contains(&word(at)))
            && self.apply_owner_of_record(value, end, terms.end)
        {
            return;
        }
        // "Patient:" after a record of a relative.
        if text.mark_at(end - 1) == b':'
            && end - first == 2
            && PATIENT_VALUES.contains(&word(first))
            && self.block.relative.is_some()
        {
            self.block.relative = Some(false);
        }
        let is_state = |at: usize| STATE_LABELS.contains(&word(at));
        let state = value.filter(|&value| (first..value).any(is_state));
        // "Onset: 2014", "Status: excluded": the words of a form may be terms that are not conditions.
        let mentioned = terms.clone().any(|term| self.is_in_groups(term, &MENTION_GROUPS));
        let below = std::mem::take(&mut self.block.value_below);
        let attribute = value.is_some() && state.is_none() && !self.block.record.is_empty();
        let heads = !mentioned && self.is_list_heading(first, end);
        // "Pt denies" below its label.
        if !mentioned && !terms.is_empty() && value.is_none() && !below && self.apply_answer_to_label_above(first, end)
        {
            return;
        }
        if !terms.is_empty() && (mentioned || state.is_none() && !below && !heads) {
            if mentioned || !attribute {
                self.begin_record(first, end, terms);
            }
            return;
        }
        match state {
            Some(value) => self.apply_state_to_record(value, end),
            None if value.is_some() => {}
            None if below => self.apply_state_to_record(first, end),
            None if end - first <= 2 && is_state(first) && parse_answer(text, first).is_none() => {
                (self.block.value_below, self.block.list) = (!self.block.record.is_empty(), Status::default());
            }
            None if self.apply_answer_to_label_above(first, end) => {}
            None if text.mark_at(end - 1) == b':' || LIST_INTRODUCTIONS.contains(&word(end - 1)) || heads => {
                self.begin_list(first, end);
            }
            None if end - first > MAX_ITEM_TOKENS
                || self.block.indent.is_some_and(|indent| self.indent_in_bytes(first) <= indent) =>
            {
                self.block.list = Status::default();
            }
            None => {}
        }
    }

    /// Returns the start of the value after the label of a line: "Status: active", "STATUS    active".
    fn start_of_value(&self, first: usize, end: usize) -> Option<usize> {
        let text = self.text;
        let wide = |at: usize| at > first && text.tokens[at].gap == Gap::Wide;
        let ends_label =
            |at: usize| matches!(text.mark_at(at), b':' | b'=') || text.mark_at(at) == b'?' && at + 1 < end;
        // "Present (Y/N): N"
        let longest = if STATE_LABELS.contains(&self.word_at(first)) {
            2 * MAX_RECORD_LABEL_TOKENS
        } else {
            MAX_RECORD_LABEL_TOKENS
        };
        let label = (first..end.min(first + longest)).find(|&at| ends_label(at) || wide(at));
        label.map(|at| if ends_label(at) { at + 1 } else { at }).filter(|&value| value < end)
    }

    /// Begins a record at a line with terms, which may also be the heading of a list.
    fn begin_record(&mut self, first: usize, end: usize, terms: Range<usize>) {
        match self.block.relative {
            Some(true) => self.mark_terms_as_family(terms.clone()),
            Some(false) => terms.clone().for_each(|term| self.out[term].clear_status(FAMILY)),
            None => {}
        }
        self.block.record = terms;
        // "Excluded by the tests:"
        if self.text.mark_at(end - 1) == b':' || LIST_INTRODUCTIONS.contains(&self.word_at(end - 1)) {
            self.begin_list(first, end);
        }
    }

    /// Applies an answer on the line below its label, indented if it could also introduce a list: "Photophobia", "
    /// Denied". Returns whether it does.
    fn apply_answer_to_label_above(&mut self, first: usize, end: usize) -> bool {
        let text = self.text;
        let Some((found, after)) = self.answer_at_start_of_line(first, end).filter(|_| self.has_label_above(first))
        else {
            return false;
        };
        let ends = matches!(text.mark_at(after), b',' | b'.' | b';' | b'!' | b'-' | b'(');
        // "Absent since Monday"
        let over = after >= end || ends || text.folded_text(first).len() > 3 && is_preposition(self.word_at(after));
        let leads =
            after >= end && LIST_INTRODUCTIONS.contains(&text.folded_text(first)) && self.is_followed_by_list(end);
        let label = self.block.record.start;
        if !over || leads && self.indent_in_bytes(first) <= self.indent_in_bytes(self.terms[label].first as usize) {
            return false;
        }
        self.block.record.clone().for_each(|term| self.answer_term(term, found));
        true
    }

    /// Returns the answer at the start of a line and its end: `Denied`, `a. No`, `[x]`, `-`, `0`, `Pt denies`.
    fn answer_at_start_of_line(&self, first: usize, end: usize) -> Option<(Answer, usize)> {
        let text = self.text;
        if first + 1 == end {
            match (text.mark_at(first), text.tokens[first].kind) {
                (b'-', _) => return Some((Answer::No, end)),
                (b'+', _) => return Some((Answer::Yes, end)),
                (_, Kind::Number) => {
                    return Some((if text.folded_text(first) == "0" { Answer::No } else { Answer::Yes }, end));
                }
                _ => {}
            }
        }
        let numbered = text.tokens[first].span().range().len() == 1 && matches!(text.mark_at(first + 1), b'.' | b')');
        let bullet = matches!(text.mark_at(first), b'-' | b'*');
        let at = first + if numbered && first + 2 < end { 2 } else { usize::from(bullet && first + 1 < end) };
        if let Some((PieceKind::Box(found) | PieceKind::Circled(found), after)) =
            parse_box(text, at).filter(|_| at == first)
        {
            return (after == end).then_some((found, after));
        }
        match (self.word_at(at), self.word_at(at + 1)) {
            ("n", "") if at + 1 == end => Some((Answer::No, end)),
            ("y", "") if at + 1 == end => Some((Answer::Yes, end)),
            ("not", "at" | "currently" | "now" | "today") => Some((Answer::No, end)),
            ("patient" | "pt" | "client", "denies" | "denied") => Some((Answer::No, at + 2)),
            ("patient" | "pt" | "client", "confirms" | "reports" | "endorses") => Some((Answer::Yes, at + 2)),
            _ => parse_answer(text, at),
        }
    }

    /// Returns whether the next line is an item of a list, not a label with an answer below it.
    fn is_followed_by_list(&self, end: usize) -> bool {
        let tokens = self.text.tokens;
        let next = |from: usize| (from + 1..tokens.len()).find(|&at| tokens[at].gap >= Gap::Line);
        if tokens.get(end).is_none_or(|first| first.gap == Gap::Paragraph) {
            return false;
        }
        next(end).is_none_or(|below| parse_answer(self.text, below).is_none())
    }

    /// Returns whether a line is a short heading that negates or warns: "Ruled out this admission", "Not reported by
    /// the patient".
    fn is_list_heading(&self, first: usize, end: usize) -> bool {
        let denied = self.text.folded_text(first) == "not" && may_follow_is_not(self.word_at(first + 1));
        end - first <= MAX_ITEM_TOKENS / 2
            && (denied || LIST_NOUNS.contains(&self.word_at(first)) || self.text.longest_phrase(first, end).is_some())
            && !self.status_of_heading(first, end).0.is_affirmed()
    }

    /// Returns whether the line above is only a label.
    fn has_label_above(&self, first: usize) -> bool {
        let Some(term) = self.block.record.clone().last().filter(|_| !self.unanswered.is_empty()) else { return false };
        let last = self.terms[term].end as usize;
        let begin =
            (0..last).rev().take(MAX_ITEM_TOKENS).find(|&at| self.text.tokens[at].gap >= Gap::Line).unwrap_or(0);
        let short = first > begin && first - begin <= MAX_ITEM_TOKENS;
        short && first <= last + 6 && !matches!(self.text.mark_at(first - 1), b'.' | b';' | b',')
    }

    fn begin_list(&mut self, first: usize, end: usize) {
        let text = self.text;
        let introduces =
            |at: usize| text.is_word_at(at) && matches!(text.folded_text(at), "any" | "following" | "these" | "if");
        (self.block.list, self.block.cue) = self.status_of_heading(first, end);
        (self.block.begun, self.block.heading) = (false, end);
        // Without such a word, a warning applies only to items that are indented or have bullets.
        let sure = self.block.list == Status::NEGATED || (first..end).any(introduces);
        let colon = text.mark_at(end - 1) == b':';
        self.block.indent = (!colon || !sure).then(|| self.indent_in_bytes(first));
    }

    /// Returns the indentation of a line, in bytes.
    fn indent_in_bytes(&self, first: usize) -> usize {
        let start = self.text.tokens[first].span().range().start;
        start - self.text.note.text()[..start].rfind('\n').map_or(0, |end| end + 1)
    }

    /// Returns the status that a heading gives to the lines below it: that of its first cue that negates or warns.
    fn status_of_heading(&self, first: usize, end: usize) -> (Status, CueText) {
        // "Not reported. Gross:"
        let stop = (first..end - 1).rev().find(|&at| matches!(self.text.mark_at(at), b'.' | b';' | b':'));
        let mut at = stop.map_or(first, |stop| stop + 1);
        if (at..end).any(|at| self.text.mark_at(at) == b'(') {
            return (Status::default(), CueText::default());
        }
        let verb = self.word_at(at + 1);
        if self.text.folded_text(at) == "not" && (may_follow_is_not(verb) || is_having_verb(verb)) {
            return (Status::NEGATED, self.text.cues.cue_text(CompiledCues::form_answer()));
        }
        // "Side effects discussed" is a warning, "side effects reported" a finding.
        let words = |list: &[&str]| (first..end).any(|at| list.contains(&self.word_at(at)));
        if words(&["effects", "risks"])
            && words(&["discussed", "explained", "possible", "common", "include", "reviewed"])
        {
            return (Status::HYPOTHETICAL, self.text.cues.cue_text(CompiledCues::warning_label()));
        }
        // "Resolved problems:"
        if is_past_adjective(self.word_at(at)) && (end - at <= 2 || LIST_NOUNS.contains(&self.word_at(at + 1))) {
            return (Status::HISTORICAL, self.text.cues.cue_text(CompiledCues::question_about_past()));
        }
        let mut doubted = (Status::default(), CueText::default());
        while at < end {
            let Some(hit) = self.text.longest_phrase(at, end) else {
                at += 1;
                continue;
            };
            let (status, scope) = self.text.cues.status_and_scope(hit.role.cue);
            let resolved = self.text.folded_text(at) == "resolved";
            let scoped = !matches!(scope, Scope::Pseudo | Scope::ForwardAdjacent);
            // "Bladder only, no prostate received:" negates only what the heading itself names.
            let object = matches!(self.text.folded_text(at), "no" | "without") && self.text.is_word_at(hit.end);
            let counts = scoped && !object && !resolved && hit.role.section.is_none() && !hit.role.person;
            if counts && (status == Status::NEGATED || status == Status::HYPOTHETICAL) {
                return (status, self.text.cues.cue_text(hit.role.cue));
            }
            if counts && status == Status::POSSIBLE {
                doubted = (status, self.text.cues.cue_text(hit.role.cue));
            }
            at = hit.end;
        }
        doubted
    }

    /// Applies the status of a heading to an item of its list.
    pub(super) fn apply_heading_to_item(&mut self, line: &[Piece], terms: Range<usize>) {
        if self.block.list.is_affirmed() || terms.is_empty() {
            return;
        }
        let stops = line.iter().skip(1).rev().take_while(|piece| self.text.mark_at(piece.first) == b'.').count();
        let line = &line[..line.len() - stops];
        let Some((first, last)) = line.first().zip(line.last()) else { return };
        let own = |piece: &Piece| {
            matches!(piece.kind, PieceKind::Answer(_) | PieceKind::Box(_) | PieceKind::Negation | PieceKind::Separator)
        };
        let denied = (first.first..last.end).any(|at| {
            let hit = self.text.longest_phrase(at, last.end);
            hit.is_some_and(|hit| self.text.cues.status_and_scope(hit.role.cue).0 == Status::NEGATED)
        });
        // The line is the heading itself.
        if first.first < self.block.heading {
            return;
        }
        let lettered = self.text.tokens[first.first].span().range().len() == 1
            && matches!(self.text.mark_at(first.first + 1), b'.' | b')');
        let bullet = lettered || matches!(first.kind, PieceKind::Sign(_)) || !self.text.is_word_at(first.first);
        let alone = line.len() == 1;
        let apart =
            alone || self.block.indent.is_none_or(|indent| bullet || self.indent_in_bytes(first.first) > indent);
        // Running prose is not an item.
        let stops = |piece: &Piece| piece.end < last.end && self.text.mark_at(piece.first) == b'.';
        let prose = line.iter().skip(2).any(stops);
        if !apart || prose || last.end - first.first > MAX_ITEM_TOKENS || line.iter().any(own) || denied {
            self.block.list = Status::default();
            return;
        }
        self.block.begun = true;
        for term in terms {
            if self.block.list == Status::NEGATED {
                self.answer_term(term, Answer::No);
                self.out[term].set_cue(NEGATED, self.block.cue);
            } else if self.out[term].status.is_affirmed() || self.out[term].status == Status::POSSIBLE {
                self.out[term].clear_status(POSSIBLE);
                self.out[term].assert(self.block.list, self.block.cue);
            }
        }
    }

    /// Applies `[x] no` on the line below its question. Returns whether it does.
    pub(super) fn apply_box_to_line_above(&mut self, line: &[Piece]) -> bool {
        let [one, two, rest @ ..] = line else { return false };
        if rest.iter().any(|piece| piece.kind != PieceKind::Stop) {
            return false;
        }
        let (PieceKind::Box(state), PieceKind::Answer(answer)) = (one.kind, two.kind) else { return false };
        if state == Answer::Yes {
            self.block.record.clone().for_each(|term| self.answer_term(term, answer));
        }
        !self.block.record.is_empty()
    }
}
