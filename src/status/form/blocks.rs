//! Forms of several lines: a heading that denies the list below it, records of labels and values, and an answer on the next line.

use std::ops::Range;

use super::super::assertion::{FAMILY, NEGATED, POSSIBLE, Status};
use super::super::cues::{CueText, Cues, Scope};
use super::function_words::is_denied_by_not;
use super::pieces::{Answer, Piece, PieceKind, answer};
use super::{FormReader, MENTIONS};
use crate::text::token::{Gap, Kind};

/// Labels whose value tells whether what stands above is so.
const STATE_LABELS: [&str; 24] = [
    "value",
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
const OWNER_LABELS: [&str; 5] = ["relation", "relationship", "relative", "member", "person"];
/// Values that are the patient.
const SELF: [&str; 6] = ["self", "patient", "pt", "proband", "own", "client"];
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
const DOUBTED: [&str; 7] = ["suspected", "probable", "possible", "provisional", "unconfirmed", "query", "differential"];
/// Words with which a line may introduce a list without a colon.
const LEADS: [&str; 21] = [
    "have",
    "has",
    "had",
    "denies",
    "denied",
    "absent",
    "not",
    "for",
    "of",
    "with",
    "if",
    "following",
    "these",
    "about",
    "to",
    "including",
    "present",
    "reports",
    "endorses",
    "positive",
    "negative",
];
/// The longest label, and the longest item of a list, in tokens.
const LABEL: usize = 4;
const ITEM: usize = 14;

/// What holds for the lines of a block.
#[derive(Default)]
pub(super) struct Block {
    /// What the heading of a list says of its items, and whether an item was read.
    list: Status,
    cue: CueText,
    begun: bool,
    /// One past the last token of the heading.
    heading: usize,
    /// Where the heading begins on its line, in bytes, if no colon ends it: its items are indented or have bullets.
    indent: Option<usize>,
    /// The terms of the last line with a term.
    record: Range<usize>,
    /// The value of the record stands in this line: `Status` alone in the line above.
    value_below: bool,
    /// The first term of the paragraph, or after the last owner.
    first: usize,
    /// Whether the terms to come are those of a relative, where an owner stands before them.
    relative: Option<bool>,
}

impl Block {
    /// An empty line ends records and lists that have begun.
    pub(super) fn end_paragraph(&mut self, term: usize) {
        let list = if self.begun { Status::default() } else { self.list };
        *self =
            Self { list, cue: self.cue, heading: self.heading, indent: self.indent, first: term, ..Self::default() };
    }
}

impl FormReader<'_> {
    /// Reads a line for what it says of other lines.
    pub(super) fn label_line(&mut self, [first, end]: [usize; 2], terms: Range<usize>) {
        let text = self.text;
        // A full stop at the end of a line says nothing.
        let stops = (first + 1..end).rev().take_while(|&at| text.mark(at) == b'.').count();
        let end = end - stops;
        // "Status: active", "STATUS    active"
        let wide = |at: usize| at > first && text.tokens[at].gap == Gap::Wide;
        let ends_label = |at: usize| matches!(text.mark(at), b':' | b'=') || text.mark(at) == b'?' && at + 1 < end;
        let label = (first..end.min(first + LABEL)).find(|&at| ends_label(at) || wide(at));
        let value = label.map(|at| if ends_label(at) { at + 1 } else { at });
        let word = |at: usize| if at < end && text.is_word(at) { text.word(at) } else { "" };
        let value = value.filter(|&value| value < end);
        if let Some(value) = value
            && (first..value).any(|at| OWNER_LABELS.contains(&word(at)))
            && self.owner(value, end, terms.end)
        {
            return;
        }
        // "Patient:" after a record of a relative
        if text.mark(end - 1) == b':'
            && end - first == 2
            && SELF.contains(&word(first))
            && self.block.relative.is_some()
        {
            self.block.relative = Some(false);
        }
        let is_state = |at: usize| STATE_LABELS.contains(&word(at));
        let state = value.filter(|&value| (first..value).any(is_state));
        // "Onset: 2014", "Status: excluded": words of a form may be terms of no condition.
        let mentioned = terms.clone().any(|term| self.is_of(term, &MENTIONS));
        let below = std::mem::take(&mut self.block.value_below);
        let attribute = value.is_some() && state.is_none() && !self.block.record.is_empty();
        let heads = !mentioned && self.is_heading(first, end);
        if !terms.is_empty() && (mentioned || state.is_none() && !below && !heads) {
            if mentioned || !attribute {
                self.begin_record(first, end, terms);
            }
            return;
        }
        match state {
            Some(value) => self.state(value, end),
            None if value.is_some() => {}
            None if below => self.state(first, end),
            None if end - first <= 2 && is_state(first) && answer(text, first).is_none() => {
                (self.block.value_below, self.block.list) = (!self.block.record.is_empty(), Status::default());
            }
            None if self.answers_above(first, end) => {}
            None if text.mark(end - 1) == b':' || LEADS.contains(&word(end - 1)) || heads => {
                self.begin_list(first, end);
            }
            None if end - first > ITEM || self.block.indent.is_some_and(|indent| self.indent(first) <= indent) => {
                self.block.list = Status::default();
            }
            None => {}
        }
    }

    /// A line with terms: a record, and perhaps the heading of a list.
    fn begin_record(&mut self, first: usize, end: usize, terms: Range<usize>) {
        match self.block.relative {
            Some(true) => self.mark_relative(terms.clone()),
            Some(false) => terms.clone().for_each(|term| self.out[term].remove(FAMILY)),
            None => {}
        }
        self.block.record = terms;
        // "Excluded by the tests:"
        if self.text.mark(end - 1) == b':' || LEADS.contains(&self.word_at(end - 1)) {
            self.begin_list(first, end);
        }
    }

    /// An answer below its label, indented where a list might begin: "Photophobia", "  Denied".
    fn answers_above(&mut self, first: usize, end: usize) -> bool {
        let text = self.text;
        let Some((found, after)) = answer(text, first).filter(|_| self.is_label_above(first)) else { return false };
        let over = after >= end || matches!(text.mark(after), b',' | b'.' | b';' | b'!' | b'-' | b'(');
        let leads = after >= end && LEADS.contains(&text.word(first));
        let label = self.block.record.start;
        if !over || leads && self.indent(first) <= self.indent(self.terms[label].first as usize) {
            return false;
        }
        self.block.record.clone().for_each(|term| self.answer_term(term, found));
        true
    }

    /// "Ruled out this admission", "Not reported by the patient": a short line that begins with a denial or a warning.
    fn is_heading(&self, first: usize, end: usize) -> bool {
        let denied = self.text.word(first) == "not" && is_denied_by_not(self.word_at(first + 1));
        end - first <= ITEM / 2
            && (denied || self.text.phrase(first, end).is_some())
            && !self.heading_status(first, end).0.is_affirmed()
    }

    /// Whether the line above names what is asked for and nothing else.
    fn is_label_above(&self, first: usize) -> bool {
        let Some(term) = self.block.record.clone().last().filter(|_| !self.open.is_empty()) else { return false };
        let last = self.terms[term].last as usize;
        let begin = (0..last).rev().take(ITEM).find(|&at| self.text.tokens[at].gap >= Gap::Line).unwrap_or(0);
        let short = first > begin && first - begin <= ITEM;
        short && first <= last + 4 && !matches!(self.text.mark(first - 1), b'.' | b';' | b',')
    }

    fn begin_list(&mut self, first: usize, end: usize) {
        let text = self.text;
        let introduces = |at: usize| text.is_word(at) && matches!(text.word(at), "any" | "following" | "these" | "if");
        (self.block.list, self.block.cue) = self.heading_status(first, end);
        (self.block.begun, self.block.heading) = (false, end);
        // A warning without such a word needs items that are set apart.
        let sure = self.block.list != Status::HYPOTHETICAL || (first..end).any(introduces);
        let colon = text.mark(end - 1) == b':';
        self.block.indent = (!colon || !sure).then(|| self.indent(first));
    }

    /// How far a line is indented, in bytes.
    fn indent(&self, first: usize) -> usize {
        let start = self.text.tokens[first].span().range().start;
        start - self.text.note.text()[..start].rfind('\n').map_or(0, |end| end + 1)
    }

    /// What a heading says of the lines below it: its first cue that denies or warns.
    fn heading_status(&self, first: usize, end: usize) -> (Status, CueText) {
        // "Not reported. Gross:"
        let stop = (first..end - 1).rev().find(|&at| matches!(self.text.mark(at), b'.' | b';' | b':'));
        let mut at = stop.map_or(first, |stop| stop + 1);
        if (at..end).any(|at| self.text.mark(at) == b'(') {
            return (Status::default(), CueText::default());
        }
        if self.text.word(at) == "not" && is_denied_by_not(self.word_at(at + 1)) {
            return (Status::NEGATED, self.text.cues.text(Cues::answer()));
        }
        while at < end {
            let Some(hit) = self.text.phrase(at, end) else {
                at += 1;
                continue;
            };
            let (status, scope) = self.text.cues.cue(hit.role.cue);
            let resolved = self.text.word(at) == "resolved";
            let scoped = !matches!(scope, Scope::Pseudo | Scope::ForwardAdjacent);
            // "Bladder only, no prostate received:" denies what stands in the heading itself.
            let object = matches!(self.text.word(at), "no" | "without") && self.text.is_word(hit.last);
            let counts = scoped && !object && !resolved && hit.role.section.is_none() && !hit.role.person;
            if counts && (status == Status::NEGATED || status == Status::HYPOTHETICAL) {
                return (status, self.text.cues.text(hit.role.cue));
            }
            at = hit.last;
        }
        (Status::default(), CueText::default())
    }

    /// Gives an item of a list what its heading says.
    pub(super) fn list_item(&mut self, line: &[Piece], terms: Range<usize>) {
        if self.block.list.is_affirmed() || terms.is_empty() {
            return;
        }
        let stops = line.iter().skip(1).rev().take_while(|piece| self.text.mark(piece.first) == b'.').count();
        let line = &line[..line.len() - stops];
        let Some((first, last)) = line.first().zip(line.last()) else { return };
        let own = |piece: &Piece| {
            matches!(piece.kind, PieceKind::Answer(_) | PieceKind::Box(_) | PieceKind::Negation | PieceKind::Separator)
        };
        let denied = (first.first..last.last).any(|at| {
            let hit = self.text.phrase(at, last.last);
            hit.is_some_and(|hit| self.text.cues.cue(hit.role.cue).0 == Status::NEGATED)
        });
        // The heading itself.
        if first.first < self.block.heading {
            return;
        }
        let bullet = matches!(first.kind, PieceKind::Sign(_)) || !self.text.is_word(first.first);
        let alone = line.len() == 1;
        let apart = alone || self.block.indent.is_none_or(|indent| bullet || self.indent(first.first) > indent);
        // A sentence that goes on is no item.
        let stops = |piece: &Piece| piece.last < last.last && self.text.mark(piece.first) == b'.';
        let prose = line.iter().skip(2).any(stops);
        if !apart || prose || last.last - first.first > ITEM || line.iter().any(own) || denied {
            self.block.list = Status::default();
            return;
        }
        self.block.begun = true;
        for term in terms {
            if self.block.list == Status::NEGATED {
                self.answer_term(term, Answer::No);
                self.out[term].add(NEGATED, self.block.cue);
            } else if self.out[term].status.is_affirmed() || self.out[term].status == Status::POSSIBLE {
                self.out[term].remove(POSSIBLE);
                self.out[term].assert(Status::HYPOTHETICAL, self.block.cue);
            }
        }
    }

    /// `[x] no` below its question.
    pub(super) fn box_below(&mut self, line: &[Piece]) -> bool {
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

    /// `Status: ruled out`, `Response: not at all`: the value of the record above.
    fn state(&mut self, value: usize, end: usize) {
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
        if any(&DOUBTED) {
            for term in record {
                self.out[term].remove(NEGATED);
                self.out[term].add(POSSIBLE, text.cues.text(Cues::question()));
            }
        } else if let Some(found) = found {
            record.for_each(|term| self.answer_term(term, found));
        }
    }

    /// `Relation: mother`: of whom the record is. It may stand before or after what they have.
    fn owner(&mut self, value: usize, end: usize, next: usize) -> bool {
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

    fn mark_relative(&mut self, terms: Range<usize>) {
        for term in terms {
            self.out[term].add(FAMILY, self.text.cues.text(Cues::answer()));
        }
    }
}
