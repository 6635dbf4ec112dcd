//! Applies cues to the terms in their scope, in one pass over each sentence from left to right.

mod backward;
mod marks;
mod terms;

use std::ops::Range;

use super::assertion::{FAMILY, HISTORICAL, NEGATED, POSSIBLE, Status};
use super::classifier::{Classifier, SentenceInput};
use super::cues::{CompiledCues, CueHit, CueId, CueMatcher, Scope};
use super::person::PersonContext;
use super::sentence::SectionStatus;
use super::{Assertion, StatusScratch};
use crate::terms::Match;
use crate::text::token::{Gap, Kind};

/// The maximum number of words between a cue and an adjacent mention.
const MAX_WORDS_TO_ADJACENT: usize = 2;
/// The maximum number of terms in a list before a backward cue.
const MAX_LIST_TERMS: usize = 16;
/// The maximum distance between a plus and a minus, in tokens.
const MAX_SIGN_DISTANCE: usize = 48;
/// The maximum number of words between two items of a list before a cue.
const MAX_WORDS_BETWEEN: usize = 4;

/// A forward cue whose scope is open.
#[derive(Clone, Copy, Default)]
struct OpenCue {
    /// 0 if no scope is open.
    cue: CueId,
    scope: Option<Scope>,
    /// The end (exclusive) of the cue.
    from: usize,
    /// Whether a preposition has ended the current item of the list.
    paused: bool,
}

/// The state of scanning a note.
pub(super) struct CueScanner<'a> {
    text: CueMatcher<'a>,
    terms: &'a [Match],
    scratch: &'a mut StatusScratch,
    out: &'a mut [Assertion],
    /// The first term that has not been processed yet.
    term: usize,
    section: SectionStatus,
    classifier: Option<&'a Classifier>,
    /// Whether the sentence contains a cue of the policy.
    own: bool,
}

/// The state of scanning a sentence.
struct SentenceState {
    end: usize,
    /// Its first term.
    term: usize,
    open: [OpenCue; Status::COUNT],
    /// Whether any cue has been opened since all were closed.
    opened: bool,
    /// The start of the clause, and the end (exclusive) of the last comma.
    clause: usize,
    comma: usize,
    /// Whether each item of a list has its own negation: "no fever, no cough".
    repeated: bool,
    /// The end (exclusive) of the comma before the last.
    comma_before: usize,
    /// The index of the next field.
    field: usize,
    section: SectionStatus,
    /// Whether another person is reporting.
    reporting: bool,
    /// Whether marks such as (-) follow their terms.
    suffix: Option<bool>,
}

impl<'a> CueScanner<'a> {
    pub(super) fn new(
        text: CueMatcher<'a>,
        terms: &'a [Match],
        classifier: Option<&'a Classifier>,
        scratch: &'a mut StatusScratch,
        out: &'a mut [Assertion],
    ) -> Self {
        Self { text, terms, scratch, out, term: 0, section: SectionStatus::default(), classifier, own: false }
    }

    /// Scans the note.
    pub(super) fn scan_note(mut self) {
        if let Some(classifier) = self.classifier {
            classifier.begin_note(self.text, &mut self.scratch.classifier);
        }
        let sentences = self.text.note.layout().sentences();
        for (nth, &first) in sentences.iter().enumerate() {
            let first = first as usize;
            let end = sentences.get(nth + 1).map_or(self.text.tokens.len(), |&next| next as usize);
            let body = self.text.update_section_at_heading(first, end, &mut self.section);
            while self.start_of_term(self.term).is_some_and(|start| start < body) {
                self.term += 1;
            }
            let term = self.term;
            if self.start_of_term(term).is_some_and(|start| start < end) {
                self.scan_sentence(body, end);
                self.classify_sentence(first..end, term);
            } else if self.term > 0 && first > 0 && self.text.mark_at(first - 1) == b'?' {
                self.apply_negative_answer(first, end);
            }
            if let Some(classifier) = self.classifier {
                let terms = self.term - term;
                classifier.pass_sentence(
                    self.text,
                    first..end,
                    terms,
                    self.section.status,
                    &mut self.scratch.classifier,
                );
            }
        }
    }

    /// Classifies the terms of a sentence from `term` on, unless it contains a cue of the policy.
    fn classify_sentence(&mut self, tokens: Range<usize>, term: usize) {
        let Some(classifier) = self.classifier.filter(|_| !self.own) else { return };
        let StatusScratch { hits, classifier: buffers, .. } = &mut *self.scratch;
        let terms = &self.terms[term..self.term];
        let sentence = SentenceInput { text: self.text, tokens, terms, hits, section: self.section.status };
        classifier.classify_terms(&sentence, term, buffers, &mut self.out[term..self.term]);
        for &(term, place, cue) in &self.scratch.certain {
            self.out[term].set_cue(place, cue);
            if place == NEGATED {
                self.out[term].clear_status(POSSIBLE);
            }
        }
    }

    fn start_of_term(&self, term: usize) -> Option<usize> {
        self.terms.get(term).map(|term| term.first as usize)
    }

    /// Applies a negative answer to the question before it: "Diabetes? No."
    fn apply_negative_answer(&mut self, first: usize, end: usize) {
        if let Some(hit) = self.text.longest_phrase(first, end)
            && let (status, Scope::Bidirectional) = self.text.cues.status_and_scope(hit.role.cue)
            && status == Status::NEGATED
            && self.nothing_follows(hit.end, end)
            && self.terms[self.term - 1].end as usize + 1 == first
        {
            self.out[self.term - 1].set_cue(NEGATED, self.text.cues.cue_text(hit.role.cue));
        }
    }

    fn scan_sentence(&mut self, first: usize, end: usize) {
        let mut fields = std::mem::take(&mut self.scratch.fields);
        self.text.collect_field_starts(first, end, &mut fields);
        self.scratch.hits.clear();
        self.scratch.certain.clear();
        self.own = self.section.own;
        let mut here = SentenceState::new(first, end, self.term, self.section);
        let mut at = first;
        while at < end {
            if fields.get(here.field).is_some_and(|&field| field <= at) {
                here.field += 1;
                here.close_all_cues(at);
            }
            // Most words have no effect and are skipped.
            let next_field = fields.get(here.field).copied().unwrap_or(end);
            let next = self.start_of_term(self.term).unwrap_or(end).min(next_field).min(end);
            if at < next {
                at = self.text.next_possible_trigger(at, next);
                if at == next {
                    continue;
                }
            }
            // A term takes precedence over a cue in it that ends before the term does.
            let term = self.terms.get(self.term).filter(|term| (term.first as usize) <= at && at < term.end as usize);
            let longest = term.map_or(0, |term| term.end as usize);
            let hit = self.text.longest_phrase(at, end).filter(|hit| hit.end >= longest);
            at = match (hit, term) {
                (Some(hit), _) => {
                    self.scratch.hits.push((at as u32, hit.role.code));
                    self.own |= hit.role.from_policy;
                    if hit.role.cue == CueId::default() {
                        self.apply_open_cues_within_phrase(hit.end, &mut here);
                    }
                    self.apply_phrase(at, hit, &fields, &mut here);
                    while self.terms.get(self.term).is_some_and(|term| term.end as usize <= hit.end) {
                        self.apply_section_status(self.term, here.section);
                        self.negate_term_at_end_of_cue(at, hit, &here);
                        self.term += 1;
                    }
                    hit.end
                }
                (None, Some(&term)) => {
                    self.apply_open_cues(&mut here);
                    self.apply_inner_cue(at, term);
                    self.apply_cue_at_end_of_term(term, &fields, &mut here);
                    self.term += 1;
                    term.end as usize
                }
                (None, None) => self.apply_mark_or_year(at, &mut here),
            };
        }
        self.scratch.fields = fields;
    }

    /// Applies a cue that begins with the last word of a term: "the kidney donor had hepatitis".
    fn apply_cue_at_end_of_term(&mut self, term: Match, fields: &[usize], here: &mut SentenceState) {
        let (first, last) = (term.end as usize - 1, term.end as usize);
        if let Some(hit) =
            self.text.longest_phrase(first, here.end).filter(|hit| first > term.first as usize && hit.end > last)
        {
            self.apply_phrase(first, hit, fields, here);
        }
    }

    fn apply_phrase(&mut self, at: usize, hit: CueHit<'_>, fields: &[usize], here: &mut SentenceState) {
        let role = hit.role;
        Self::close_ended_scopes(at, hit, here);
        if role.person && !here.reporting {
            self.apply_person(at, hit, here);
        }
        let (status, scope) = self.text.cues.status_and_scope(role.cue);
        let Some(place) = status.indices().next().filter(|_| !role.person) else {
            Self::pause_negated_item(at, hit, here);
            return;
        };
        here.repeated |= place == NEGATED && here.comma == at && here.is_one_comma_after_negation();
        match scope {
            Scope::Forward | Scope::ForwardItem | Scope::ForwardAdjacent => {
                if place == HISTORICAL && self.is_recent_history(at, here) {
                    return;
                }
                let denied = here.open[NEGATED];
                // "no signs suggestive of": what is negated is not possible.
                if place == POSSIBLE
                    && denied.scope == Some(Scope::Forward)
                    && !denied.paused
                    && here.comma < denied.from
                {
                    return;
                }
                here.open_cue(place, role.cue, scope, hit.end);
            }
            Scope::Backward => {
                self.apply_backward(place, at, role.cue, here);
            }
            Scope::BackwardAdjacent => self.apply_adjacent(place, at, role.cue, here),
            Scope::Bidirectional => {
                let next = fields.get(here.field).copied().unwrap_or(here.end).min(here.end);
                if here.term < self.term && self.nothing_follows(hit.end, next) && self.is_value_or_after_term(at) {
                    self.apply_backward(place, at, role.cue, here);
                } else {
                    let scope = if place == NEGATED { Scope::Forward } else { Scope::ForwardItem };
                    here.open_cue(place, role.cue, scope, hit.end);
                }
            }
            // "father had gout at age 50"
            Scope::BidirectionalBackward if place == HISTORICAL && here.open[FAMILY].scope.is_some() => {}
            // "parents have not noted fever"
            Scope::BidirectionalBackward if place == NEGATED && self.start_of_term(self.term) == Some(hit.end) => {
                here.open_cue(place, role.cue, Scope::Forward, hit.end);
            }
            Scope::BidirectionalBackward => {
                let before = self.apply_backward(place, at, role.cue, here);
                if place == POSSIBLE {
                    here.open_cue(place, role.cue, Scope::ForwardItem, hit.end);
                } else if !before {
                    here.open_cue(place, role.cue, Scope::Forward, hit.end);
                }
            }
            Scope::Pseudo => {}
        }
    }

    /// Closes the scopes that a phrase terminates, unless they were opened right before it.
    fn close_ended_scopes(at: usize, hit: CueHit<'_>, here: &mut SentenceState) {
        if hit.role.end.is_affirmed() {
            return;
        }
        for place in hit.role.end.indices() {
            if here.open[place].from < at {
                here.open[place] = OpenCue::default();
            }
        }
        if hit.role.end.contains(Status::FAMILY) && !hit.role.end.contains(Status::NEGATED) {
            here.section.status = here.section.status.without(Status::FAMILY);
        }
        if hit.role.end == Status::ALL {
            (here.clause, here.comma) = (hit.end, hit.end);
        }
    }

    /// Pauses a negation at a preposition, which ends the item of a list.
    fn pause_negated_item(at: usize, hit: CueHit<'_>, here: &mut SentenceState) {
        if !hit.role.pause || !here.opened {
            return;
        }
        for (place, open) in here.open.iter_mut().enumerate() {
            match open.scope {
                Some(Scope::Forward) if place == NEGATED => open.paused |= open.from < at,
                Some(Scope::ForwardItem | Scope::ForwardAdjacent) if open.from < at => open.scope = None,
                _ => {}
            }
        }
    }

    fn apply_person(&mut self, at: usize, hit: CueHit<'_>, here: &mut SentenceState) {
        let next = self.terms[self.term..].iter().find(|term| term.first as usize >= hit.end);
        match self.text.person_context(at, hit, here.clause, here.end, next) {
            PersonContext::ConditionsFrom(from) => here.open_cue(FAMILY, hit.role.cue, Scope::Forward, from),
            PersonContext::OwnsTermBefore if here.term < self.term => {
                self.apply_backward(FAMILY, at, hit.role.cue, here);
            }
            PersonContext::Reports => here.reporting = true,
            PersonContext::OwnsTermBefore | PersonContext::Nothing => {}
        }
    }
}

impl SentenceState {
    /// Creates the state at the start of a sentence, with its first term and its section.
    fn new(first: usize, end: usize, term: usize, section: SectionStatus) -> Self {
        Self {
            end,
            term,
            open: [OpenCue::default(); Status::COUNT],
            opened: false,
            clause: first,
            comma: first,
            repeated: false,
            comma_before: first,
            field: 0,
            section,
            reporting: false,
            suffix: None,
        }
    }

    fn open_cue(&mut self, place: usize, cue: CueId, scope: Scope, from: usize) {
        let open = &mut self.open[place];
        // "no possible", "history of prior": the cue with the longer reach stays open.
        if open.scope == Some(Scope::Forward) && scope != Scope::Forward && !open.paused {
            return;
        }
        *open = OpenCue { cue, scope: Some(scope), from, paused: false };
        self.opened = true;
    }

    /// Closes all scopes, at the start of a field or at a semicolon.
    fn close_all_cues(&mut self, at: usize) {
        if self.opened {
            self.open = [OpenCue::default(); Status::COUNT];
            self.opened = false;
        }
        (self.clause, self.comma, self.repeated) = (at, at, false);
    }

    /// Returns whether exactly one comma follows the open negation.
    const fn is_one_comma_after_negation(&self) -> bool {
        let OpenCue { scope, from, .. } = self.open[NEGATED];
        scope.is_some() && self.comma_before <= from && from < self.comma
    }

    fn pass_comma(&mut self, at: usize, graded: bool) {
        self.comma_before = self.comma;
        self.comma = at;
        if !self.opened {
            return;
        }
        for open in &mut self.open {
            if matches!(open.scope, Some(Scope::ForwardItem | Scope::ForwardAdjacent)) {
                open.scope = None;
            }
            open.paused = false;
        }
        if graded {
            self.open[NEGATED] = OpenCue::default();
        }
    }
}
