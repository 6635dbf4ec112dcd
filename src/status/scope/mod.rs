//! How far cues reach: one walk over a sentence, from left to right.

mod backwards;
mod marks;

use std::ops::Range;

use super::classifier::{Judge, Sentence as Judging};
use super::cues::{CueId, Cues, Hit, Reach, Text};
use super::person::Person;
use super::sentence::Section;
use super::status::Status;
use super::{Assertion, ContextScratch};
use crate::terms::Match;
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
    out: &'a mut [Assertion],
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
    /// Whether any cue was opened since everything was over.
    opened: bool,
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
        out: &'a mut [Assertion],
    ) -> Self {
        Self { text, terms, scratch, out, term: 0, section: Section::default(), judge, own: false }
    }

    /// Reads the note.
    pub(super) fn read(mut self) {
        if let Some(judge) = self.judge {
            judge.begin(self.text, &mut self.scratch.room);
        }
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
            opened: false,
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
            // Most words say nothing.
            let next_field = fields.get(here.field).copied().unwrap_or(end);
            let next = self.starts(self.term).unwrap_or(end).min(next_field).min(end);
            if at < next {
                at = self.text.next_telling(at, next);
                if at == next {
                    continue;
                }
            }
            // A term that reaches behind a cue in which it begins is read there.
            let term = self.terms.get(self.term).filter(|term| (term.first as usize) <= at && at < term.last as usize);
            let longest = term.map_or(0, |term| term.last as usize);
            let hit = self.text.phrase(at, end).filter(|hit| hit.last >= longest);
            at = match (hit, term) {
                (Some(hit), _) => {
                    self.scratch.hits.push((at as u32, hit.role.code));
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
        if !here.opened {
            return;
        }
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

    fn phrase(&mut self, at: usize, hit: Hit<'_>, fields: &[usize], here: &mut Sentence) {
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
    fn end(at: usize, hit: Hit<'_>, here: &mut Sentence) {
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
    fn pause(at: usize, hit: Hit<'_>, here: &mut Sentence) {
        if !hit.role.pause || !here.opened {
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

    fn person(&mut self, at: usize, hit: Hit<'_>, here: &mut Sentence) {
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
}

impl Sentence {
    fn open(&mut self, place: usize, cue: CueId, reach: Reach, from: usize) {
        let open = &mut self.open[place];
        // "no possible", "history of prior": what reaches farther stays.
        if open.reach == Some(Reach::Before) && reach != Reach::Before && !open.paused {
            return;
        }
        *open = Open { cue, reach: Some(reach), from, paused: false };
        self.opened = true;
    }

    /// Everything is over: a field, a semicolon.
    fn hard(&mut self, at: usize) {
        if self.opened {
            self.open = [Open::default(); Status::COUNT];
            self.opened = false;
        }
        (self.clause, self.comma) = (at, at);
    }

    fn comma(&mut self, at: usize, severe: bool) {
        self.comma = at;
        if !self.opened {
            return;
        }
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
