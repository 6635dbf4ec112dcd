//! Subjects of negating predicates: "itching, redness and, on most days, pain are denied", "fever in the first week was
//! not seen".
//!
//! The predicate is found around a negating word, and from there the subject before it: a list of terms, skipping
//! places, times and insertions between.

use std::ops::Range;

use super::super::assertion::NEGATED;
use super::classes::{begins_clause, is_object_filler, looks_like_modifier};
use super::function_words::{
    begins_condition, is_adverb, is_auxiliary, is_negative_result, is_opinion_verb, is_preposition, is_pronoun,
    is_relative_pronoun, is_sign_noun, leaves_predicate_open, means_improvement,
};
use super::kinds::parse_answer;
use super::predicates::predicate_negates;
use super::reply::is_negating_word;
use super::{Answer, FormReader};
use crate::text::token::{Gap, Kind};
use crate::vocabulary::Group;

/// The maximum distance between a subject and its predicate, in tokens.
const MAX_TOKENS_TO_PREDICATE: usize = 32;
/// The maximum number of words before a subject in its clause.
const MAX_WORDS_BEFORE_SUBJECT: usize = 8;
/// Words of a predicate with several subjects.
const PLURAL_PREDICATE_WORDS: [&str; 5] = ["are", "were", "have", "all", "both"];
/// The groups of terms that a predicate may negate.
pub(super) const DENIABLE_GROUPS: [Group; 5] =
    [Group::Disorder, Group::Finding, Group::Drug, Group::Organism, Group::Physiology];

/// The properties of a negating predicate.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own about the predicate")]
pub(super) struct NegatingPredicate {
    /// Whether it has a verb. Without one, "rash none" negates only the adjacent term.
    pub(super) has_verb: bool,
    /// Whether it has several subjects, however they are joined.
    pub(super) several: bool,
    /// Whether it negates only in part: "none now", "nil on the right".
    pub(super) partial: bool,
    /// Whether it is a test result, which negates what the test was for.
    pub(super) test: bool,
}

impl FormReader<'_> {
    /// Negates the subject of the predicate that contains a negating word.
    pub(super) fn negate_subject_of_predicate(&mut self, at: usize, terms: Range<usize>, sentence: &Range<usize>) {
        let begins = |at: usize| {
            let longer = self.word_at(at) == "no" && self.word_at(at + 1) == "longer";
            // "felt to be absent"
            let held = |at: usize| is_opinion_verb(self.word_at(at)) && self.word_at(at + 1) == "to";
            let held = held(at) || self.word_at(at) == "to" && at > 0 && held(at - 1);
            longer || held || is_auxiliary(self.word_at(at)) || is_adverb(self.word_at(at))
        };
        let verb = (sentence.start..at).rev().take_while(|&at| begins(at)).last().unwrap_or(at);
        let auxiliary = self.start_of_split_predicate(verb, sentence.start);
        // "The nodule was treated and is no longer visible."
        let again = (self.word_at(at) == "longer" && self.is_coordinated_predicate(auxiliary))
            .then(|| (sentence.start..auxiliary).find(|&at| is_auxiliary(self.word_at(at))));
        let auxiliary = again.flatten().unwrap_or(auxiliary);
        let group = |words: &[&str]| (verb..at).any(|at| words.contains(&self.word_at(at)));
        let predicate = NegatingPredicate {
            has_verb: auxiliary < verb || (verb..at).any(|at| is_auxiliary(self.word_at(at))),
            several: group(&PLURAL_PREDICATE_WORDS),
            partial: matches!(self.word_at(at), "none" | "nil") && self.text.is_word_at(at + 1),
            test: is_negative_result(self.word_at(at)),
        };
        // "cannot be excluded", "must be ruled out"
        let month = auxiliary > 1 && matches!(self.word_at(auxiliary - 2), "in" | "since" | "of" | "last");
        let open = auxiliary > 0 && !month && leaves_predicate_open(self.word_at(auxiliary - 1));
        let denied = predicate_negates(self.text, verb, sentence.end) && !self.has_object_after(at + 1, &terms);
        // "Wheezing on the right, none on the left"
        let elsewhere = predicate.partial && verb > 0 && self.text.mark_at(verb - 1) == b',';
        // "Pain is controlled, nausea is not."
        let bare = is_negating_word(self.word_at(at))
            && (at + 1 >= sentence.end || matches!(self.text.mark_at(at + 1), b'.' | b',' | b';'));
        let elliptic =
            bare && (verb.saturating_sub(MAX_TOKENS_TO_PREDICATE)..verb).any(|at| means_improvement(self.word_at(at)));
        if open || elsewhere || elliptic || !denied || self.is_denial_inserted(at, verb, sentence.end) {
            return;
        }
        let (end, inserted) = self.end_of_subject_and_insertion(auxiliary, sentence.start);
        let Some(subject) = self.subject_terms(end, terms.clone(), sentence.start, predicate) else { return };
        for nth in subject {
            self.answer_term(nth, Answer::No);
        }
        for other in terms.filter(|_| !inserted.is_empty()) {
            if !inserted.contains(&self.first_token_of_term(other)) {
                continue;
            }
            // "Myocardial infarction (MI) ruled out"
            let whole =
                [self.first_token_of_term(other), self.terms[other].end as usize] == [inserted.start, inserted.end];
            if whole {
                self.answer_term(other, Answer::No);
            } else if self.text.mark_at(inserted.end) != b',' {
                self.out[other].clear_status(NEGATED);
            }
        }
    }

    /// Returns the start of a predicate that an insertion splits: "has, on the basis of the culture, been excluded".
    fn start_of_split_predicate(&self, verb: usize, begin: usize) -> usize {
        let comma = |at: &usize| self.text.mark_at(*at) == b',';
        let close = verb.checked_sub(1).filter(|close| comma(close) && *close > begin);
        let open = close.and_then(|close| (begin..close).rev().take(MAX_TOKENS_TO_PREDICATE).find(comma));
        let open = open.filter(|&open| open > begin && is_auxiliary(self.word_at(open - 1)));
        open.map_or(verb, |open| open - 1)
    }

    /// Returns whether the verb has an object of its own: "denied any chest pain", "excluded a fracture".
    fn has_object_after(&self, from: usize, terms: &Range<usize>) -> bool {
        let next = terms.clone().map(|nth| self.terms[nth].first as usize).find(|&first| first >= from);
        let filled = |at: usize| {
            let word = self.word_at(at);
            (is_object_filler(word) || looks_like_modifier(word)) && !is_preposition(word)
        };
        next.is_some_and(|next| (from..next).all(filled))
    }

    /// Returns the end (exclusive) of a subject, and the insertion before its predicate: "Glaucoma (which runs in her
    /// family) is not present".
    pub(super) fn end_of_subject_and_insertion(&self, predicate: usize, begin: usize) -> (usize, Range<usize>) {
        let none = (predicate, predicate..predicate);
        let Some(close) = predicate.checked_sub(1).filter(|&close| close > begin) else { return none };
        // "Cough: denied", "(DVT): excluded"
        let close = if self.text.mark_at(close) == b':' { close - 1 } else { close };
        let open = match self.text.mark_at(close) {
            b')' => b'(',
            b',' => b',',
            b'-' if self.is_dash(close) => b'-',
            _ => return (close + 1, close + 1..close + 1),
        };
        let opens = |at: &usize| self.text.mark_at(*at) == open && (open != b'-' || self.is_dash(*at));
        let Some(open_at) = (begin..close).rev().take(MAX_TOKENS_TO_PREDICATE).find(opens) else {
            return (close, close..close);
        };
        // "Rash, itching, redness, not seen": the comma separates items; "rash - mild, itching - none": the dash ends a
        // label.
        let separates =
            open == b',' && (self.term_begins_at(open_at + 1) || matches!(self.word_at(open_at + 1), "and" | "or"));
        let ends_term = self.terms.binary_search_by_key(&close, |term| term.end as usize).is_ok();
        let breaks = (open_at + 1..close).any(|at| matches!(self.text.mark_at(at), b';' | b':' | b'.'));
        // "Meningitis, bacterial or viral, was"
        let within = self.terms.partition_point(|term| term.first as usize <= open_at);
        let within = within > 0 && open_at < self.terms[within - 1].end as usize;
        if separates || breaks || within || open == b'-' && ends_term {
            return (close, close..close);
        }
        (open_at, open_at + 1..close)
    }

    fn is_dash(&self, at: usize) -> bool {
        self.text.tokens[at].gap != Gap::None && self.text.mark_at(at) == b'-'
    }

    /// Returns whether a negation is itself an insertion, with the predicate after it: "Carcinoma, not seen in the
    /// biopsy, was found later".
    fn is_denial_inserted(&self, at: usize, verb: usize, end: usize) -> bool {
        let comma = |at: &usize| self.text.mark_at(*at) == b',';
        let relative = verb > 0 && matches!(self.word_at(verb - 1), "which" | "that" | "who");
        let close = (at..end).find(comma);
        let goes_on = close.is_some_and(|close| is_auxiliary(self.word_at(close + 1)));
        relative || goes_on && verb > 0 && comma(&(verb - 1))
    }

    /// Returns the list of terms that is the subject of a predicate, skipping objects of prepositions. A negative test
    /// negates what it is for.
    pub(super) fn subject_terms(
        &self,
        end: usize,
        terms: Range<usize>,
        begin: usize,
        predicate: NegatingPredicate,
    ) -> Option<Range<usize>> {
        let mut end = end;
        let nearest = terms.clone().rev().find(|&nth| self.terms[nth].end as usize <= end)?;
        let adjacent = self.terms[nearest].end as usize == end;
        let mut last = if adjacent { nearest } else { self.deniable_term_before(nearest + 1, terms.start)? };
        loop {
            if !self.predicate_reaches_over(self.terms[last].end as usize..end, predicate) {
                return None;
            }
            let mut first = last;
            let mut several = predicate.several;
            while let Some(before) = self.deniable_term_before(first, terms.start) {
                let between = self.terms[before].end as usize..self.first_token_of_term(first);
                if !self.are_items_of_one_list(between.clone()) {
                    break;
                }
                first = before;
                several |= between
                    .into_iter()
                    .any(|at| matches!(self.word_at(at), "and" | "or" | "nor") || self.text.mark_at(at) == b'/');
            }
            if !several {
                first = last;
            }
            let before = self.deniable_term_before(first, terms.start);
            let floor = before.map_or(begin, |before| self.terms[before].end as usize);
            let Some(preposition) = self.governing_preposition(floor, self.first_token_of_term(first)) else {
                let whole = self.clause_begins_with_subject(begin, self.first_token_of_term(first))?;
                return Some(if whole { first } else { last }..last + 1);
            };
            let (word, noun) =
                (self.word_at(preposition), preposition.checked_sub(1).map_or("", |noun| self.word_at(noun)));
            if predicate.test && word == "for" || word == "of" && is_sign_noun(noun) {
                return self.clause_begins_with_subject(begin, preposition).map(|_| first..last + 1);
            }
            (end, last) = (preposition, before?);
        }
    }

    /// Returns the last term before another that may be negated; places and persons count as plain words.
    fn deniable_term_before(&self, term: usize, floor: usize) -> Option<usize> {
        (floor..term).rev().find(|&nth| self.is_in_groups(nth, &DENIABLE_GROUPS))
    }

    pub(super) fn first_token_of_term(&self, term: usize) -> usize {
        self.terms[term].first as usize
    }

    /// Returns the preposition that governs a term, directly or as an item of a list: "in the neck, the axillae and the
    /// groins".
    fn governing_preposition(&self, floor: usize, head: usize) -> Option<usize> {
        let mut joined = false;
        for at in (floor..head).rev().take(MAX_TOKENS_TO_PREDICATE / 2) {
            let word = self.word_at(at);
            if is_preposition(word) {
                return Some(at);
            }
            joined |= matches!(word, "and" | "or");
            let passes = joined && self.text.mark_at(at) == b',' || self.text.mark_at(at) == b'-' || !word.is_empty();
            if !passes || self.begins_predicate_or_clause(at) {
                return None;
            }
        }
        None
    }

    /// Returns whether only places, times and insertions stand between a term and its predicate.
    fn predicate_reaches_over(&self, between: Range<usize>, predicate: NegatingPredicate) -> bool {
        let (mut at, end) = (between.start, between.end);
        let placed = at < end && is_preposition(self.word_at(at));
        let mut commas = 0;
        if (at..=end).any(|at| self.text.tokens.get(at).is_some_and(|token| token.gap == Gap::Wide))
            || self.is_coordinated_predicate(end)
        {
            return false;
        }
        // "Sarcoma TP53 negative" does not negate the sarcoma, nor "seizure in May, weakness none" the seizure.
        let comma = between.clone().any(|at| self.text.mark_at(at) == b',');
        let next =
            self.text.mark_at(at) == b'(' || is_adverb(self.word_at(at)) || is_relative_pronoun(self.word_at(at));
        let near = between.is_empty() || (placed && !predicate.test || next) && !comma;
        let whole = !predicate.partial && (!predicate.test || placed);
        if between.len() > MAX_TOKENS_TO_PREDICATE || !predicate.has_verb && !near || !whole && !between.is_empty() {
            return false;
        }
        // "Seizures, as far as the staff, who watched, could tell, did not occur."
        let closes = end > at + 1 && (self.text.mark_at(end) == b',' || self.text.mark_at(end - 1) == b',');
        let breaks = |at: usize| matches!(self.text.mark_at(at), b'.' | b';' | b':' | b'?' | b'|');
        if self.text.mark_at(at) == b',' && closes && predicate.has_verb && self.begins_insertion(at + 1) {
            return !between.into_iter().any(breaks);
        }
        while at < end {
            let close = |mark: u8| (at + 1..end).find(|&close| self.text.mark_at(close) == mark);
            at = match (self.text.mark_at(at), self.word_at(at)) {
                (b'(', _) => match close(b')') {
                    Some(close) => close,
                    None => return false,
                },
                (b'.' | b';' | b':' | b'?' | b'|', _) => return false,
                (b',', _) if matches!(self.word_at(at + 1), "which" | "who") => match close(b',') {
                    Some(close) => close,
                    None => return false,
                },
                (b',', _) => {
                    commas += 1;
                    at
                }
                (_, "which" | "that" | "who") => self.end_of_relative_verb(at + 1, end),
                (0, _) if self.begins_predicate_or_clause(at) => return false,
                _ => at,
            } + 1;
        }
        let joined = between.clone().any(|at| matches!(self.word_at(at), "and" | "or"));
        at <= end && (placed || commas % 2 == 0 || joined && self.are_items_of_one_list(between))
    }

    /// Returns whether an insertion, not another item, begins here: with a conjunction or a preposition.
    fn begins_insertion(&self, at: usize) -> bool {
        matches!(self.word_at(at), "as" | "so" | "although" | "though" | "given") || is_preposition(self.word_at(at))
    }

    /// Returns whether the predicate is joined to another: "has gout and was never treated".
    fn is_coordinated_predicate(&self, predicate: usize) -> bool {
        predicate > 0 && matches!(self.word_at(predicate - 1), "and" | "or" | "but")
    }

    /// Returns the main verb after a relative pronoun, past its auxiliaries and adverbs.
    fn end_of_relative_verb(&self, from: usize, end: usize) -> usize {
        let verb = (from..end).take_while(|&at| is_auxiliary(self.word_at(at)) || is_adverb(self.word_at(at)));
        from + verb.count()
    }

    /// Returns whether a word begins another predicate or clause.
    pub(super) fn begins_predicate_or_clause(&self, at: usize) -> bool {
        let word = self.word_at(at);
        let ends = || {
            self.text
                .longest_phrase(at, self.text.tokens.len().min(at + 2))
                .is_some_and(|hit| hit.role.end.contains(super::Status::NEGATED))
        };
        // "as the spleen is not palpable", but "as shown by", "as well as"
        let because =
            word == "as" && !matches!(self.word_at(at + 1), "well" | "of") && !self.word_at(at + 1).ends_with("ed");
        let denies = because || matches!(word, "no" | "without" | "denies" | "denied" | "neither" | "nor" | "none");
        denies || is_auxiliary(word) || is_negating_word(word) || begins_clause(word) || is_pronoun(word) || ends()
    }

    /// Returns whether the tokens between two terms join them in one list. "Asthma stable, eczema absent" is not a
    /// list.
    pub(super) fn are_items_of_one_list(&self, between: Range<usize>) -> bool {
        let joins = |at: usize| {
            let mark = self.text.mark_at(at);
            // In "odour / exudate / warmth", the items may be labels.
            let slash = mark == b'/' && between.len() == 1 && self.text.tokens[at].gap == Gap::None;
            slash || matches!(mark, b',' | b'&') || matches!(self.word_at(at), "and" | "or" | "nor")
        };
        let named = |at: usize| {
            let word = self.word_at(at);
            !word.is_empty()
                && (!is_preposition(word) || word == "of")
                && !self.begins_predicate_or_clause(at)
                && parse_answer(self.text, at).is_none()
        };
        let columns = (between.start..=between.end)
            .any(|at| self.text.tokens.get(at).is_some_and(|token| token.gap == Gap::Wide));
        between.len() <= MAX_WORDS_BEFORE_SUBJECT
            && !columns
            && (between.is_empty() || joins(between.start) && between.clone().all(|at| joins(at) || named(at)))
    }

    /// Returns whether a clause begins with the subject, so that its whole list is negated and not only the last item;
    /// `None` in a condition.
    fn clause_begins_with_subject(&self, begin: usize, head: usize) -> Option<bool> {
        for at in (begin..head).rev().take(MAX_WORDS_BEFORE_SUBJECT) {
            let word = self.word_at(at);
            if begins_condition(word) {
                return None;
            }
            // "to make sure that it has cleared"
            let before = at.checked_sub(1).map_or("", |before| self.word_at(before));
            if word == "that" && matches!(before, "so" | "sure" | "ensure" | "confirm" | "check") {
                return None;
            }
            let ends =
                matches!(self.text.mark_at(at), b'.' | b';' | b':' | b',') || begins_clause(word) || word == "that";
            if ends || self.text.tokens[at].kind == Kind::Number {
                return Some(true);
            }
            if self.begins_predicate_or_clause(at) || is_preposition(word) && !matches!(word, "of" | "for") {
                return Some(false);
            }
        }
        Some(true)
    }
}
