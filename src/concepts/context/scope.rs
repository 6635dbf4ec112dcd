//! How far cues reach: one walk over a sentence, from left to right.

use std::ops::Range;

use super::cues::{CueId, Cues, Hit, Reach, Role, Text};
use super::judged::{Judge, Sentence as Judging};
use super::person::Person;
use super::sentence::Section;
use super::status::Status;
use super::{ContextScratch, Said};
use crate::calendar::MONTHS;
use crate::concepts::Match;
use crate::text::token::{Gap, Kind};

/// The places of statuses in [`Status::KEYS`].
const NEGATED: usize = 0;
const HISTORICAL: usize = 2;
const POSSIBLE: usize = 3;
const FAMILY: usize = 4;

/// How many words may stand between a cue and what is next to it.
const NEAR: usize = 2;
/// How many terms of a list a cue behind them speaks of.
const LIST: usize = 16;
/// How far a plus may be from a minus, in tokens.
const LINE: usize = 48;
/// How many words may stand between two items of a list before a cue.
const APART: usize = 4;

/// A cue that reaches over what follows.
#[derive(Clone, Copy, Default)]
struct Open {
    /// None: nothing is open.
    cue: CueId,
    reach: Option<Reach>,
    /// One past the cue.
    from: usize,
    /// A preposition has ended the item of a list.
    paused: bool,
}

/// A note on its way.
pub(super) struct Scanner<'a> {
    text: Text<'a>,
    terms: &'a [Match],
    scratch: &'a mut ContextScratch,
    out: &'a mut [Said],
    /// The first term that was not read yet.
    term: usize,
    section: Section,
    judge: Option<&'a Judge>,
    /// A cue of the policy itself stands in the sentence.
    own: bool,
}

/// A sentence on its way.
struct Sentence {
    end: usize,
    /// Its first term.
    term: usize,
    open: [Open; Status::COUNT],
    /// Where the clause began, and where the last comma stood.
    clause: usize,
    comma: usize,
    /// The next field.
    field: usize,
    section: Section,
    /// Somebody else tells something.
    told: bool,
    /// Whether marks such as (-) stand behind what they speak of.
    suffix: Option<bool>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(
        text: Text<'a>,
        terms: &'a [Match],
        judge: Option<&'a Judge>,
        scratch: &'a mut ContextScratch,
        out: &'a mut [Said],
    ) -> Self {
        Self { text, terms, scratch, out, term: 0, section: Section::default(), judge, own: false }
    }

    /// Reads the note.
    pub(super) fn read(mut self) {
        self.scratch.room.reset();
        let mut first = 0;
        while first < self.text.tokens.len() {
            let end = self.text.sentence_end(first);
            let body = self.text.section(first, end, &mut self.section);
            while self.starts(self.term).is_some_and(|start| start < body) {
                self.term += 1;
            }
            let term = self.term;
            if self.starts(term).is_some_and(|start| start < end) {
                self.sentence(body, end);
                self.judge(first..end, term);
            } else if self.term > 0 && first > 0 && self.text.mark(first - 1) == b'?' {
                self.answer(first, end);
            }
            if let Some(judge) = self.judge {
                let terms = self.term - term;
                judge.pass(self.text, first..end, terms, self.section.status, &mut self.scratch.room);
            }
            first = end;
        }
    }

    /// Judges the terms of a sentence from one on, unless the policy itself says something in it.
    fn judge(&mut self, tokens: Range<usize>, term: usize) {
        let Some(judge) = self.judge.filter(|_| !self.own) else { return };
        let ContextScratch { hits, room, .. } = &mut *self.scratch;
        let terms = &self.terms[term..self.term];
        let sentence = Judging { text: self.text, tokens, terms, hits, section: self.section.status };
        judge.judge(&sentence, term, room, &mut self.out[term..self.term]);
    }

    fn starts(&self, term: usize) -> Option<usize> {
        self.terms.get(term).map(|term| term.first as usize)
    }

    /// "Diabetes? No."
    fn answer(&mut self, first: usize, end: usize) {
        if let Some(hit) = self.text.phrase(first, end)
            && let (status, Reach::Around) = self.text.cues.cue(hit.role.cue)
            && status == Status::NEGATED
            && self.is_over(hit.last, end)
            && self.terms[self.term - 1].last as usize + 1 == first
        {
            self.out[self.term - 1].add(NEGATED, self.text.cues.text(hit.role.cue));
        }
    }

    fn sentence(&mut self, first: usize, end: usize) {
        let mut fields = std::mem::take(&mut self.scratch.fields);
        self.text.fields(first, end, &mut fields);
        self.scratch.hits.clear();
        self.own = self.section.own;
        let mut here = Sentence {
            end,
            term: self.term,
            open: [Open::default(); Status::COUNT],
            clause: first,
            comma: first,
            field: 0,
            section: self.section,
            told: false,
            suffix: None,
        };
        let mut at = first;
        while at < end {
            if fields.get(here.field).is_some_and(|&field| field <= at) {
                here.field += 1;
                here.hard(at);
            }
            // A term that reaches behind a cue in which it begins is read there.
            let term = self.terms.get(self.term).filter(|term| (term.first as usize) <= at && at < term.last as usize);
            let longest = term.map_or(0, |term| term.last as usize);
            let hit = self.text.phrase(at, end).filter(|hit| hit.last >= longest);
            at = match (hit, term) {
                (Some(hit), _) => {
                    self.scratch.hits.push((at as u32, hit.role));
                    self.own |= hit.role.own;
                    self.phrase(at, hit, &fields, &mut here);
                    while self.terms.get(self.term).is_some_and(|term| term.last as usize <= hit.last) {
                        self.say_section(self.term, here.section);
                        self.term += 1;
                    }
                    hit.last
                }
                (None, Some(&term)) => {
                    self.say(&mut here);
                    self.say_inside(at, term);
                    self.term += 1;
                    term.last as usize
                }
                (None, None) => self.other(at, &mut here),
            };
        }
        self.scratch.fields = fields;
    }

    // ---- terms

    /// Says of the next term what the open cues say.
    fn say(&mut self, here: &mut Sentence) {
        let first = self.terms[self.term].first as usize;
        self.say_section(self.term, here.section);
        for (place, open) in here.open.iter_mut().enumerate() {
            let Some(reach) = open.reach else { continue };
            if open.paused {
                continue;
            }
            if reach == Reach::Next {
                open.reach = None;
                let words = (open.from..first).filter(|&at| self.text.is_word(at)).count();
                if words > NEAR {
                    continue;
                }
            }
            self.out[self.term].add(place, self.text.cues.text(open.cue));
        }
    }

    /// A term may begin with its cue: "family history of cancer", "old myocardial infarction".
    fn say_inside(&mut self, at: usize, term: Match) {
        if let Some(hit) = self.text.phrase(at, term.last as usize).filter(|_| term.first as usize == at)
            && let (status, Reach::Before | Reach::Near) = self.text.cues.cue(hit.role.cue)
            && (Status::FAMILY | Status::HISTORICAL).has(status)
        {
            self.own |= hit.role.own;
            status.places().for_each(|place| self.out[self.term].add(place, self.text.cues.text(hit.role.cue)));
        }
    }

    fn say_section(&mut self, term: usize, section: Section) {
        for place in section.status.places() {
            self.out[term].add(place, self.text.cues.text(section.cue));
        }
    }

    // ---- phrases

    fn phrase(&mut self, at: usize, hit: Hit, fields: &[usize], here: &mut Sentence) {
        let role = hit.role;
        Self::end(at, hit, here);
        if role.person && !here.told {
            self.person(at, hit, here);
        }
        let (status, reach) = self.text.cues.cue(role.cue);
        let Some(place) = status.places().next().filter(|_| !role.person) else {
            Self::pause(at, hit, here);
            return;
        };
        match reach {
            Reach::Before | Reach::Near | Reach::Next => {
                if place == HISTORICAL && self.is_recent(at, here) {
                    return;
                }
                // "no signs suggestive of": what is denied is not doubted.
                let denied = here.open[NEGATED];
                if place == POSSIBLE
                    && denied.reach == Some(Reach::Before)
                    && !denied.paused
                    && here.comma < denied.from
                {
                    return;
                }
                here.open(place, role.cue, reach, hit.last);
            }
            Reach::Behind => {
                self.behind(place, at, role.cue, here);
            }
            Reach::Last => self.last(place, at, role.cue, here),
            Reach::Around => {
                let next = fields.get(here.field).copied().unwrap_or(here.end).min(here.end);
                if here.term < self.term && self.is_over(hit.last, next) && self.is_value(at) {
                    self.behind(place, at, role.cue, here);
                } else {
                    let reach = if place == NEGATED { Reach::Before } else { Reach::Near };
                    here.open(place, role.cue, reach, hit.last);
                }
            }
            // "father had gout at age 50"
            Reach::Beside if place == HISTORICAL && here.open[FAMILY].reach.is_some() => {}
            Reach::Beside => {
                let before = self.behind(place, at, role.cue, here);
                if place == POSSIBLE {
                    here.open(place, role.cue, Reach::Near, hit.last);
                } else if !before {
                    here.open(place, role.cue, Reach::Before, hit.last);
                }
            }
            Reach::Nothing => {}
        }
    }

    /// Ends what a phrase ends, unless it belongs to the cue right before it.
    fn end(at: usize, hit: Hit, here: &mut Sentence) {
        if hit.role.end.is_affirmed() {
            return;
        }
        for place in hit.role.end.places() {
            if here.open[place].from < at {
                here.open[place] = Open::default();
            }
        }
        if hit.role.end.has(Status::FAMILY) && !hit.role.end.has(Status::NEGATED) {
            here.section.status = here.section.status.without(Status::FAMILY);
        }
        if hit.role.end == Status::ALL {
            (here.clause, here.comma) = (hit.last, hit.last);
        }
    }

    /// A preposition ends an item of a list that is negated.
    fn pause(at: usize, hit: Hit, here: &mut Sentence) {
        let Role { pause, .. } = hit.role;
        if !pause {
            return;
        }
        for (place, open) in here.open.iter_mut().enumerate() {
            match open.reach {
                Some(Reach::Before) if place == NEGATED => open.paused |= open.from < at,
                Some(Reach::Near | Reach::Next) if open.from < at => open.reach = None,
                _ => {}
            }
        }
    }

    fn person(&mut self, at: usize, hit: Hit, here: &mut Sentence) {
        let next = self.terms[self.term..].iter().find(|term| term.first as usize >= hit.last);
        match self.text.person(at, hit, here.clause, here.end, next) {
            Person::Has(from) => here.open(FAMILY, hit.role.cue, Reach::Before, from),
            Person::In if here.term < self.term => {
                self.behind(FAMILY, at, hit.role.cue, here);
            }
            Person::Tells => here.told = true,
            Person::In | Person::Nothing => {}
        }
    }

    /// Whether a history is one of hours or days: "two-day history of cough".
    fn is_recent(&self, at: usize, here: &Sentence) -> bool {
        let mut before = at;
        while before > here.clause && self.text.mark(before - 1) == b'-' {
            before -= 1;
        }
        if before == here.clause {
            return false;
        }
        let unit = self.text.word(before - 1);
        let one = (here.clause..before - 1).rev().take(2).any(|at| matches!(self.text.word(at), "one" | "1" | "a"));
        match unit {
            "hour" | "hours" | "hr" | "hrs" | "h" | "day" | "days" | "minute" | "minutes" | "brief" | "short"
            | "recent" => true,
            "week" | "wk" => one,
            _ => false,
        }
    }

    // ---- backwards

    /// Whether nothing of the sentence follows that a cue could speak of.
    fn is_over(&self, at: usize, end: usize) -> bool {
        at >= end
            || self.text.tokens[at].gap >= Gap::Wide
            || matches!(self.text.mark(at), b'.' | b',' | b';' | b')' | b'/' | b'|' | b']')
    }

    /// Whether a word stands as the value of a field, or right behind a term.
    fn is_value(&self, at: usize) -> bool {
        let behind_term = self.terms.get(self.term.wrapping_sub(1)).is_some_and(|term| term.last as usize == at);
        behind_term || at > 0 && matches!(self.text.mark(at - 1), b':' | b'-' | b'?' | b'(' | b',' | b'=')
    }

    /// Says something of what stands before a cue, back to the beginning of its clause; tells whether anything does.
    fn behind(&mut self, place: usize, cue: usize, id: CueId, here: &Sentence) -> bool {
        let one = cue < self.text.tokens.len() && matches!(self.text.word(cue), "is" | "was" | "has");
        let (mut end, mut list, mut found) = (cue, false, false);
        for term in (here.term..self.term).rev().take(LIST) {
            let Match { first, last, .. } = self.terms[term];
            if (first as usize) < here.clause
                || last as usize > end
                || !self.joined(last as usize, end, cue, one, &mut list)
            {
                break;
            }
            self.out[term].add(place, self.text.cues.text(id));
            if place == NEGATED {
                self.out[term].remove(POSSIBLE);
            }
            (end, found) = (first as usize, true);
        }
        found
    }

    /// Whether what stands between a term and what is spoken of belongs to both. `list` tells whether an "or" was seen.
    fn joined(&self, first: usize, end: usize, cue: usize, one: bool, list: &mut bool) -> bool {
        let nearest = end == cue;
        let (mut comma, mut words) = (false, 0);
        let mut at = first;
        while at < end {
            if let Some(hit) = self.text.phrase(at, end) {
                let Role { cue: id, end: ends, person, pause, .. } = hit.role;
                let (status, _) = self.text.cues.cue(id);
                if ends == Status::ALL || person || !nearest && !(ends.is_affirmed() && status.is_affirmed()) {
                    return false;
                }
                words += usize::from(!pause);
                at = hit.last;
                continue;
            }
            match (self.text.tokens[at].kind, self.text.mark(at)) {
                (Kind::Word, _) => match self.text.word(at) {
                    "and" if one => return false,
                    "and" | "or" | "nor" => *list = true,
                    _ => words += 1,
                },
                (_, b',') => comma = true,
                (_, b';') => return false,
                _ => {}
            }
            at += 1;
        }
        words <= if nearest { 2 * APART } else { APART }
            && (!comma || *list || nearest && (self.text.mark(end - 1) == b',' || self.text.word(end - 1) == "which"))
    }

    /// Says something of the term right before a cue.
    fn last(&mut self, place: usize, cue: usize, id: CueId, here: &Sentence) {
        if here.term < self.term && self.terms[self.term - 1].first as usize >= here.clause {
            let last = self.terms[self.term - 1].last as usize;
            let marks = (last..cue).any(|at| matches!(self.text.mark(at), b',' | b';' | b'.'));
            if !marks && (last..cue).filter(|&at| self.text.is_word(at)).count() <= NEAR {
                self.out[self.term - 1].add(place, self.text.cues.text(id));
            }
        }
    }

    // ---- marks

    /// Reads a token that is neither part of a phrase nor of a term, and tells where to go on.
    fn other(&mut self, at: usize, here: &mut Sentence) -> usize {
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
            b',' => here.comma(at + 1, self.is_severe(at + 1, here.end)),
            b';' => here.hard(at + 1),
            b'/' => here.open[NEGATED].paused = false,
            b'[' | b'(' if next == b']' || next == b')' => {
                here.hard(at + 2);
                here.open(NEGATED, Cues::box_empty(), Reach::Before, at + 2);
                return at + 2;
            }
            b'[' | b'(' if matches!(text.mark(at + 2), b']' | b')') => {
                if text.is_word(at + 1) && text.word(at + 1) == "x" {
                    here.hard(at + 3);
                    return at + 3;
                }
                if matches!(next, b'-' | b'+') && at + 2 < here.end {
                    self.sign(at, next, here);
                    return at + 3;
                }
            }
            sign @ (b'-' | b'+') if text.tokens[at].gap != Gap::None || at == 0 => self.bare_sign(at, sign, here),
            b'?' => self.question(at, here),
            _ => {}
        }
        at + 1
    }

    /// "no ulcer, moderate gastritis"
    fn is_severe(&self, at: usize, end: usize) -> bool {
        at < end && self.text.phrase(at, end).is_some_and(|hit| hit.role.severe)
    }

    /// "(-)" or "(+)" before or behind a term.
    fn sign(&mut self, at: usize, sign: u8, here: &mut Sentence) {
        let before = here.term < self.term && self.terms[self.term - 1].last as usize == at;
        let suffix = *here.suffix.get_or_insert(before);
        let id = Cues::minus();
        match (sign, suffix) {
            (b'-', true) => self.last(NEGATED, at, id, here),
            (b'-', false) => {
                here.hard(at);
                here.open(NEGATED, id, Reach::Before, at + 3);
            }
            _ => here.hard(at),
        }
    }

    /// "+ nausea, - vomiting": a hyphen says no only beside a plus.
    fn bare_sign(&self, at: usize, sign: u8, here: &mut Sentence) {
        let text = self.text;
        if sign == b'+' {
            here.open[NEGATED] = Open::default();
            return;
        }
        let mut before = (at.saturating_sub(LINE)..at).rev().take_while(|&near| text.tokens[near + 1].gap < Gap::Line);
        let behind = at + 1..text.tokens.len().min(at + LINE);
        let mut behind = behind.take_while(|&near| text.tokens[near].gap < Gap::Line);
        let plus = |near: usize| text.mark(near) == b'+';
        if before.any(plus) || behind.any(plus) {
            here.open(NEGATED, Cues::minus(), Reach::Near, at + 1);
        }
    }

    /// "? pneumonia", "melanoma?"
    fn question(&mut self, at: usize, here: &mut Sentence) {
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
            here.open(POSSIBLE, id, Reach::Next, at + 1);
        }
    }

    /// "pneumonia in 2003"
    fn year(&mut self, at: usize, here: &mut Sentence) {
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
            if !self.behind(HISTORICAL, before - 1, id, here) {
                here.open(HISTORICAL, id, Reach::Before, at + 1);
            }
        }
    }
}

impl Sentence {
    fn open(&mut self, place: usize, cue: CueId, reach: Reach, from: usize) {
        let open = &mut self.open[place];
        // "no possible", "history of prior": what reaches farther stays.
        if open.reach == Some(Reach::Before) && reach != Reach::Before && !open.paused {
            return;
        }
        *open = Open { cue, reach: Some(reach), from, paused: false };
    }

    /// Everything is over: a field, a semicolon.
    fn hard(&mut self, at: usize) {
        self.open = [Open::default(); Status::COUNT];
        (self.clause, self.comma) = (at, at);
    }

    fn comma(&mut self, at: usize, severe: bool) {
        self.comma = at;
        for open in &mut self.open {
            if matches!(open.reach, Some(Reach::Near | Reach::Next)) {
                open.reach = None;
            }
            open.paused = false;
        }
        if severe {
            self.open[NEGATED] = Open::default();
        }
    }
}
