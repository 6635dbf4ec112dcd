//! Subjects of predicates that deny: "itching, redness and, on most days, pain are denied", "fever in the first week was not seen".
//!
//! From a word that denies, its predicate is read, and from there back to the subject: a list of terms, past the places, times and
//! insertions that stand between.

use std::ops::Range;

use super::super::assertion::NEGATED;
use super::classes::{begins_clause, fills, is_adjective};
use super::function_words::{
    begins_condition, ends_well, is_adverb, is_auxiliary, is_negative, is_opinion_verb, is_preposition, is_pronoun,
    is_relative, is_sign, leaves_open,
};
use super::kinds::answer;
use super::predicates::denies;
use super::reply::is_not;
use super::{Answer, FormReader};
use crate::text::token::{Gap, Kind};
use crate::vocabulary::Group;

/// How far a subject may be from its predicate, in tokens.
const FAR: usize = 32;
/// How many words may stand before a subject in its clause.
const BEFORE: usize = 8;
/// Words of a predicate that has several subjects.
const SEVERAL: [&str; 5] = ["are", "were", "have", "all", "both"];
/// Groups of terms that a predicate may deny.
pub(super) const CONDITIONS: [Group; 5] =
    [Group::Disorder, Group::Finding, Group::Drug, Group::Organism, Group::Physiology];

/// What a predicate is that denies.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own about the predicate")]
pub(super) struct Predicate {
    /// Without a verb, "rash none" denies what stands next to it.
    pub(super) has_verb: bool,
    /// It has several subjects, whatever joins them.
    pub(super) several: bool,
    /// "none now", "nil on the right": a part of it is denied.
    pub(super) partial: bool,
    /// It is the result of a test, and of what the test was for.
    pub(super) test: bool,
}

impl FormReader<'_> {
    /// Denies the subject of the predicate in which a word of denial stands.
    pub(super) fn deny_subject(&mut self, at: usize, terms: Range<usize>, sentence: &Range<usize>) {
        let begins = |at: usize| {
            let longer = self.word_at(at) == "no" && self.word_at(at + 1) == "longer";
            // "felt to be absent"
            let held = |at: usize| is_opinion_verb(self.word_at(at)) && self.word_at(at + 1) == "to";
            let held = held(at) || self.word_at(at) == "to" && at > 0 && held(at - 1);
            longer || held || is_auxiliary(self.word_at(at)) || is_adverb(self.word_at(at))
        };
        let verb = (sentence.start..at).rev().take_while(|&at| begins(at)).last().unwrap_or(at);
        let auxiliary = self.before_split(verb, sentence.start);
        // "The nodule was treated and is no longer visible."
        let again = (self.word_at(at) == "longer" && self.is_joined(auxiliary))
            .then(|| (sentence.start..auxiliary).find(|&at| is_auxiliary(self.word_at(at))));
        let auxiliary = again.flatten().unwrap_or(auxiliary);
        let group = |words: &[&str]| (verb..at).any(|at| words.contains(&self.word_at(at)));
        let predicate = Predicate {
            has_verb: auxiliary < verb || (verb..at).any(|at| is_auxiliary(self.word_at(at))),
            several: group(&SEVERAL),
            partial: matches!(self.word_at(at), "none" | "nil") && self.text.is_word(at + 1),
            test: is_negative(self.word_at(at)),
        };
        // "cannot be excluded", "must be ruled out"
        let month = auxiliary > 1 && matches!(self.word_at(auxiliary - 2), "in" | "since" | "of" | "last");
        let open = auxiliary > 0 && !month && leaves_open(self.word_at(auxiliary - 1));
        let denied = denies(self.text, verb, sentence.end) && !self.has_object(at + 1, &terms);
        // "Wheezing on the right, none on the left"
        let elsewhere = predicate.partial && verb > 0 && self.text.mark(verb - 1) == b',';
        // "Pain is controlled, nausea is not."
        let bare = is_not(self.word_at(at))
            && (at + 1 >= sentence.end || matches!(self.text.mark(at + 1), b'.' | b',' | b';'));
        let elliptic = bare && (verb.saturating_sub(FAR)..verb).any(|at| ends_well(self.word_at(at)));
        if open || elsewhere || elliptic || !denied || self.is_insertion_itself(at, verb, sentence.end) {
            return;
        }
        let (end, inserted) = self.before_insertion(auxiliary, sentence.start);
        let Some(subject) = self.subject(end, terms.clone(), sentence.start, predicate) else { return };
        for nth in subject {
            self.answer_term(nth, Answer::No);
        }
        for other in terms.filter(|_| !inserted.is_empty()) {
            if !inserted.contains(&self.head(other)) {
                continue;
            }
            // "Myocardial infarction (MI) ruled out"
            let whole = [self.head(other), self.terms[other].last as usize] == [inserted.start, inserted.end];
            if whole {
                self.answer_term(other, Answer::No);
            } else if self.text.mark(inserted.end) != b',' {
                self.out[other].remove(NEGATED);
            }
        }
    }

    /// Where a predicate begins that an insertion splits: "has, on the basis of the culture, been excluded".
    fn before_split(&self, verb: usize, begin: usize) -> usize {
        let comma = |at: &usize| self.text.mark(*at) == b',';
        let close = verb.checked_sub(1).filter(|close| comma(close) && *close > begin);
        let open = close.and_then(|close| (begin..close).rev().take(FAR).find(comma));
        let open = open.filter(|&open| open > begin && is_auxiliary(self.word_at(open - 1)));
        open.map_or(verb, |open| open - 1)
    }

    /// "denied any chest pain", "excluded a fracture"
    fn has_object(&self, from: usize, terms: &Range<usize>) -> bool {
        let next = terms.clone().map(|nth| self.terms[nth].first as usize).find(|&first| first >= from);
        let filled = |at: usize| {
            let word = self.word_at(at);
            (fills(word) || is_adjective(word)) && !is_preposition(word)
        };
        next.is_some_and(|next| (from..next).all(filled))
    }

    /// Where a subject ends, and what is inserted between it and its predicate: "Glaucoma (which runs in her family) is not present".
    pub(super) fn before_insertion(&self, predicate: usize, begin: usize) -> (usize, Range<usize>) {
        let none = (predicate, predicate..predicate);
        let Some(close) = predicate.checked_sub(1).filter(|&close| close > begin) else { return none };
        // "Cough: denied", "(DVT): excluded"
        let close = if self.text.mark(close) == b':' { close - 1 } else { close };
        let open = match self.text.mark(close) {
            b')' => b'(',
            b',' => b',',
            b'-' if self.is_dash(close) => b'-',
            _ => return (close + 1, close + 1..close + 1),
        };
        let opens = |at: &usize| self.text.mark(*at) == open && (open != b'-' || self.is_dash(*at));
        let Some(open_at) = (begin..close).rev().take(FAR).find(opens) else { return (close, close..close) };
        // "Rash, itching, redness, not seen": the comma separates items; "rash - mild, itching - none": the dash ends a label.
        let separates =
            open == b',' && (self.begins_term(open_at + 1) || matches!(self.word_at(open_at + 1), "and" | "or"));
        let ends_term = self.terms.binary_search_by_key(&close, |term| term.last as usize).is_ok();
        let breaks = (open_at + 1..close).any(|at| matches!(self.text.mark(at), b';' | b':' | b'.'));
        // "Meningitis, bacterial or viral, was"
        let within = self.terms.partition_point(|term| term.first as usize <= open_at);
        let within = within > 0 && open_at < self.terms[within - 1].last as usize;
        if separates || breaks || within || open == b'-' && ends_term {
            return (close, close..close);
        }
        (open_at, open_at + 1..close)
    }

    fn is_dash(&self, at: usize) -> bool {
        self.text.tokens[at].gap != Gap::None && self.text.mark(at) == b'-'
    }

    /// "Carcinoma, not seen in the biopsy, was found later": a denial between commas, after which the predicate stands.
    fn is_insertion_itself(&self, at: usize, verb: usize, end: usize) -> bool {
        let comma = |at: &usize| self.text.mark(*at) == b',';
        let relative = verb > 0 && matches!(self.word_at(verb - 1), "which" | "that" | "who");
        let close = (at..end).find(comma);
        let goes_on = close.is_some_and(|close| is_auxiliary(self.word_at(close + 1)));
        relative || goes_on && verb > 0 && comma(&(verb - 1))
    }

    /// The list of terms before a predicate that no preposition makes a part of something else. A test is negative for what it is for.
    pub(super) fn subject(
        &self,
        end: usize,
        terms: Range<usize>,
        begin: usize,
        predicate: Predicate,
    ) -> Option<Range<usize>> {
        let mut end = end;
        let nearest = terms.clone().rev().find(|&nth| self.terms[nth].last as usize <= end)?;
        let adjacent = self.terms[nearest].last as usize == end;
        let mut last = if adjacent { nearest } else { self.condition_before(nearest + 1, terms.start)? };
        loop {
            if !self.is_passed(self.terms[last].last as usize..end, predicate) {
                return None;
            }
            let mut first = last;
            let mut several = predicate.several;
            while let Some(before) = self.condition_before(first, terms.start) {
                let between = self.terms[before].last as usize..self.head(first);
                if !self.is_listed(between.clone()) {
                    break;
                }
                first = before;
                several |= between
                    .into_iter()
                    .any(|at| matches!(self.word_at(at), "and" | "or" | "nor") || self.text.mark(at) == b'/');
            }
            if !several {
                first = last;
            }
            let before = self.condition_before(first, terms.start);
            let floor = before.map_or(begin, |before| self.terms[before].last as usize);
            let Some(preposition) = self.preposition(floor, self.head(first)) else {
                let whole = self.begins_subject(begin, self.head(first))?;
                return Some(if whole { first } else { last }..last + 1);
            };
            let (word, noun) =
                (self.word_at(preposition), preposition.checked_sub(1).map_or("", |noun| self.word_at(noun)));
            if predicate.test && word == "for" || word == "of" && is_sign(noun) {
                return self.begins_subject(begin, preposition).map(|_| first..last + 1);
            }
            (end, last) = (preposition, before?);
        }
    }

    /// The last term before another that may be denied: places and persons are words like others.
    fn condition_before(&self, term: usize, floor: usize) -> Option<usize> {
        (floor..term).rev().find(|&nth| self.is_of(nth, &CONDITIONS))
    }

    pub(super) fn head(&self, term: usize) -> usize {
        self.terms[term].first as usize
    }

    /// The preposition of which a term is the object, or an item of its object: "in the neck, the axillae and the groins".
    fn preposition(&self, floor: usize, head: usize) -> Option<usize> {
        let mut joined = false;
        for at in (floor..head).rev().take(FAR / 2) {
            let word = self.word_at(at);
            if is_preposition(word) {
                return Some(at);
            }
            joined |= matches!(word, "and" | "or");
            let passes = joined && self.text.mark(at) == b',' || self.text.mark(at) == b'-' || !word.is_empty();
            if !passes || self.is_verb(at) {
                return None;
            }
        }
        None
    }

    /// Whether nothing but places, times and insertions stands between a term and what follows it.
    fn is_passed(&self, between: Range<usize>, predicate: Predicate) -> bool {
        let (mut at, end) = (between.start, between.end);
        let placed = at < end && is_preposition(self.word_at(at));
        let mut commas = 0;
        if (at..=end).any(|at| self.text.tokens.get(at).is_some_and(|token| token.gap == Gap::Wide))
            || self.is_joined(end)
        {
            return false;
        }
        // "Sarcoma TP53 negative" is no denial of the sarcoma, "seizure in May, weakness none" none of the seizure.
        let comma = between.clone().any(|at| self.text.mark(at) == b',');
        let next = self.text.mark(at) == b'(' || is_adverb(self.word_at(at)) || is_relative(self.word_at(at));
        let near = between.is_empty() || (placed && !predicate.test || next) && !comma;
        let whole = !predicate.partial && (!predicate.test || placed);
        if between.len() > FAR || !predicate.has_verb && !near || !whole && !between.is_empty() {
            return false;
        }
        // "Seizures, as far as the staff, who watched, could tell, did not occur."
        let closes = end > at + 1 && (self.text.mark(end) == b',' || self.text.mark(end - 1) == b',');
        let breaks = |at: usize| matches!(self.text.mark(at), b'.' | b';' | b':' | b'?' | b'|');
        if self.text.mark(at) == b',' && closes && predicate.has_verb && self.is_inserted(at + 1) {
            return !between.into_iter().any(breaks);
        }
        while at < end {
            let close = |mark: u8| (at + 1..end).find(|&close| self.text.mark(close) == mark);
            at = match (self.text.mark(at), self.word_at(at)) {
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
                (_, "which" | "that" | "who") => self.after_relative(at + 1, end),
                (0, _) if self.is_verb(at) => return false,
                _ => at,
            } + 1;
        }
        let joined = between.clone().any(|at| matches!(self.word_at(at), "and" | "or"));
        at <= end && (placed || commas % 2 == 0 || joined && self.is_listed(between))
    }

    /// Whether an insertion begins with a conjunction or a preposition, and no further item of a list.
    fn is_inserted(&self, at: usize) -> bool {
        matches!(self.word_at(at), "as" | "so" | "although" | "though" | "given") || is_preposition(self.word_at(at))
    }

    /// "has gout and was never treated": the predicate is one of several.
    fn is_joined(&self, predicate: usize) -> bool {
        predicate > 0 && matches!(self.word_at(predicate - 1), "and" | "or" | "but")
    }

    /// The last token of the first verb after a relative pronoun.
    fn after_relative(&self, from: usize, end: usize) -> usize {
        let verb = (from..end).take_while(|&at| is_auxiliary(self.word_at(at)) || is_adverb(self.word_at(at)));
        from + verb.count()
    }

    /// Whether a word begins another predicate or clause.
    pub(super) fn is_verb(&self, at: usize) -> bool {
        let word = self.word_at(at);
        let ends = || {
            self.text
                .phrase(at, self.text.tokens.len().min(at + 2))
                .is_some_and(|hit| hit.role.end.has(super::Status::NEGATED))
        };
        // "as the spleen is not palpable", but "as shown by", "as well as"
        let because =
            word == "as" && !matches!(self.word_at(at + 1), "well" | "of") && !self.word_at(at + 1).ends_with("ed");
        let denies = because || matches!(word, "no" | "without" | "denies" | "denied" | "neither" | "nor" | "none");
        denies || is_auxiliary(word) || is_not(word) || begins_clause(word) || is_pronoun(word) || ends()
    }

    /// Whether two terms are items of one list, by what stands between them. "Asthma stable, eczema absent" is none.
    pub(super) fn is_listed(&self, between: Range<usize>) -> bool {
        let joins = |at: usize| {
            let mark = self.text.mark(at);
            // "odour / exudate / warmth" may be labels.
            let slash = mark == b'/' && between.len() == 1 && self.text.tokens[at].gap == Gap::None;
            slash || matches!(mark, b',' | b'&') || matches!(self.word_at(at), "and" | "or" | "nor")
        };
        let named = |at: usize| {
            let word = self.word_at(at);
            !word.is_empty()
                && (!is_preposition(word) || word == "of")
                && !self.is_verb(at)
                && answer(self.text, at).is_none()
        };
        let columns = (between.start..=between.end)
            .any(|at| self.text.tokens.get(at).is_some_and(|token| token.gap == Gap::Wide));
        between.len() <= BEFORE
            && !columns
            && (between.is_empty() || joins(between.start) && between.clone().all(|at| joins(at) || named(at)))
    }

    /// Whether a clause begins with a subject: all of its list is denied then, else only the last item. Of a condition nothing is.
    fn begins_subject(&self, begin: usize, head: usize) -> Option<bool> {
        for at in (begin..head).rev().take(BEFORE) {
            let word = self.word_at(at);
            if begins_condition(word) {
                return None;
            }
            // "to make sure that it has cleared"
            let before = at.checked_sub(1).map_or("", |before| self.word_at(before));
            if word == "that" && matches!(before, "so" | "sure" | "ensure" | "confirm" | "check") {
                return None;
            }
            let ends = matches!(self.text.mark(at), b'.' | b';' | b':' | b',') || begins_clause(word) || word == "that";
            if ends || self.text.tokens[at].kind == Kind::Number {
                return Some(true);
            }
            if self.is_verb(at) || is_preposition(word) && !matches!(word, "of" | "for") {
                return Some(false);
            }
        }
        Some(true)
    }
}
