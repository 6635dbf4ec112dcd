//! Denials by pattern: a contracted verb, a denial far before its object, a predicate after an insertion, and exceptions.
//!
//! A pattern is a class of negation, a class of verbs and what may stand before the object; a list of pairs generalizes to nothing.

use std::ops::Range;

use super::super::assertion::{NEGATED, POSSIBLE};
use super::super::cues::Cues;
use super::classes::{
    begins_clause, fills, is_adjective, is_denying, is_having, is_looking, is_naming, is_supporting,
    stands_before_name, stands_before_verb,
};
use super::predicates::denies;
use super::reply::is_not;
use super::{Answer, FormReader};
use crate::text::token::{Gap, Kind};

/// How far a denial, and an insertion, reach in tokens.
const FAR: usize = 28;
/// How many words may stand between a verb and its object.
const FILLED: usize = 7;

/// What a result is apart from.
const EXCEPTIONS: [[&str; 2]; 7] = [
    ["except", ""],
    ["excepting", ""],
    ["other", "than"],
    ["apart", "from"],
    ["aside", "from"],
    ["save", "for"],
    ["barring", ""],
];

impl FormReader<'_> {
    /// Applies the patterns to the sentences that have terms.
    pub(super) fn denials(&mut self) {
        let text = self.text;
        let sentences = text.note.layout().sentences();
        let mut term = 0;
        for (nth, &first) in sentences.iter().enumerate() {
            let end = sentences.get(nth + 1).map_or(text.tokens.len(), |&next| next as usize);
            let last = term + self.terms[term..].iter().take_while(|term| (term.first as usize) < end).count();
            if last > term {
                self.sentence(first as usize..end, term..last);
            }
            term = last;
        }
    }

    fn sentence(&mut self, sentence: Range<usize>, terms: Range<usize>) {
        let text = self.text;
        let last = self.terms[terms.end - 1].first as usize;
        for at in sentence.start..sentence.end {
            if !text.is_word(at) {
                continue;
            }
            let object = match text.word(at).as_bytes() {
                [b'n', ..] if self.is_far_denial(at) => {
                    let having = text.word(at) == "not";
                    self.deny_far(at + 1 + usize::from(having), having, terms.clone(), sentence.end);
                    None
                }
                [b'n', ..] if self.word_at(at + 1) == "doubt" => {
                    self.affirm(at + 2, terms.clone(), sentence.end);
                    None
                }
                [b'n', ..] => self.denied_by_word(at, last),
                [b'c', b'a', b'n', ..] | [.., b'n', b'\'', b't'] => self.denied_by_verb(at, last),
                [b'a', b't'] | [b'i', b'n'] if self.word_at(at + 1) == "no" && is_occasion(self.word_at(at + 2)) => {
                    self.deny_far(at + 3, true, terms.clone(), sentence.end);
                    None
                }
                [b'c', b'o', b'n', b's', ..] if text.word(at) == "considered" => {
                    self.considered(at, terms.clone(), sentence.end);
                    None
                }
                [b'r', b'e', b's', ..] if text.word(at) == "resolved" => {
                    self.resolved(at, terms.clone());
                    None
                }
                [b'z', ..] if text.word(at) == "zero" => Some(at + 1),
                [b'e' | b'o' | b'a' | b's' | b'b', ..] => {
                    if self.is_exception(at) {
                        self.except(at, sentence.end, terms.clone());
                    }
                    None
                }
                _ => None,
            };
            if let Some(object) = object {
                self.deny_object(object, terms.clone(), sentence.end);
                if matches!(self.word_at(object - 1), "like" | "it" | "this" | "that") {
                    self.contrast(object, terms.clone(), sentence.end);
                }
            }
        }
        for term in terms.clone() {
            self.inserted(term, sentence.end, terms.clone());
        }
    }

    fn word_at(&self, at: usize) -> &str {
        if at < self.text.tokens.len() && self.text.is_word(at) { self.text.word(at) } else { "" }
    }

    /// What "not", "no", "never", "nothing" at a token denies by a pattern: where its object begins.
    fn denied_by_word(&self, at: usize, last: usize) -> Option<usize> {
        match self.word_at(at) {
            "not" => self.denied_by_verb(at, last),
            "never" => self.verb(at + 1, last),
            "nope" | "nah" | "nix" | "nada" if matches!(self.word_at(at + 1), "on" | "to" | "for" | "re") => {
                Some(at + 2)
            }
            "nary" => Some(at + 1),
            "no" if self.word_at(at + 1) == "way" => self.named(at + 2, last),
            "no" => self.adjectives(at + 1, last),
            _ => None,
        }
    }

    /// "didn't pick up", "can't say she's got", "won't call it", "there isn't any".
    fn denied_by_verb(&self, at: usize, last: usize) -> Option<usize> {
        let word = self.word_at(at);
        if !is_not(word) && word != "cannot" || word == "never" {
            return None;
        }
        // "there wasn't any necrosis", "there was not"
        let there = |back: usize| at >= back && self.word_at(at - back) == "there";
        if there(1) && word != "not" || there(2) && word == "not" && self.word_at(at - 1) != "has" {
            return Some(at + 1);
        }
        self.verb(at + 1, last)
    }

    /// The object of a verb after a negation.
    fn verb(&self, from: usize, last: usize) -> Option<usize> {
        let mut at = from;
        // "has not, according to her, had"
        if self.text.mark(at) == b',' {
            let close = (at + 1..last.min(at + FAR)).find(|&close| self.text.mark(close) == b',')?;
            at = close + 1;
        }
        let mut having = false;
        while at < last && at < from + FAR && stands_before_verb(self.word_at(at)) {
            having |= matches!(self.word_at(at), "have" | "had" | "having");
            at += 1;
        }
        let verb = self.word_at(at);
        match verb {
            _ if is_having(verb) && !matches!(self.word_at(at + 1), "like" | "as") => Some(at + 1),
            _ if is_looking(verb) && matches!(self.word_at(at + 1), "like" | "as") => Some(at + 2),
            _ if is_naming(verb) => self.named(at + 1, last),
            _ if is_supporting(verb) => Some(at + 1),
            // "shouldn't be on warfarin"
            "on" if self.begins_term(at + 1) => Some(at + 1),
            _ => having.then_some(at),
        }
    }

    /// "it", "she's got", "this is": what is named begins after these.
    fn named(&self, from: usize, last: usize) -> Option<usize> {
        let named = (from..last.min(from + FILLED))
            .take_while(|&at| stands_before_name(self.word_at(at)) || self.text.tokens[at].kind == Kind::Possessive);
        let count = named.count();
        (count > 0).then_some(from + count)
    }

    fn is_far_denial(&self, at: usize) -> bool {
        match self.word_at(at) {
            "nothing" | "none" | "neither" | "nowhere" | "nobody" => true,
            "not" => self.word_at(at + 1) == "one",
            _ => false,
        }
    }

    /// Denies the objects of verbs that follow a denial at some distance: "at no point did she have", "nothing points to".
    fn deny_far(&mut self, from: usize, having: bool, terms: Range<usize>, end: usize) {
        let last = self.terms[terms.end - 1].first as usize;
        for at in from..last.min(from + FAR) {
            let verb = self.word_at(at);
            if matches!(self.text.mark(at), b';' | b':' | b'?' | b'.') || begins_clause(verb) {
                return;
            }
            // "In no section is there invasion."
            let auxiliary = |verb: &str| matches!(verb, "is" | "was" | "are" | "were");
            if is_supporting(verb) || having && (is_having(verb) || auxiliary(verb)) {
                self.deny_object(at + 1, terms.clone(), end);
            }
        }
    }

    /// "Meningitis was considered and, after the tap, rejected."
    fn considered(&mut self, at: usize, terms: Range<usize>, end: usize) {
        if !matches!(self.word_at(at + 1), "and" | "but") {
            return;
        }
        let Some(nth) = terms.rev().find(|&nth| self.terms[nth].last as usize <= at) else { return };
        let clause = self.terms[nth].last as usize..at;
        let rejects = |at: usize| is_denying(self.word_at(at)) || self.word_at(at) == "ruled";
        let over = |at: usize| matches!(self.text.mark(at), b'.' | b';') || is_not(self.word_at(at));
        let rejected = (at + 2..end.min(at + FAR)).take_while(|&at| !over(at)).any(rejects);
        if rejected && clause.len() < FILLED && !clause.clone().any(over) {
            self.answer_term(nth, Answer::No);
        }
    }

    /// "No new, enlarging or enhancing": adjectives of which one is joined to the next.
    fn adjectives(&self, from: usize, last: usize) -> Option<usize> {
        let mut joined = false;
        let mut at = from;
        while at < last && at < from + FAR / 2 && !self.begins_term(at) {
            let word = self.word_at(at);
            let joins = self.text.mark(at) == b',' || matches!(word, "or" | "and" | "nor");
            if !joins && !is_adjective(word) && self.text.mark(at) != b'-' {
                return None;
            }
            joined |= joins;
            at += 1;
        }
        let ends_joined =
            matches!(self.text.mark(at - 1), b',') || matches!(self.word_at(at - 1), "or" | "and" | "nor");
        (joined && !ends_joined).then_some(at)
    }

    fn begins_term(&self, at: usize) -> bool {
        self.terms.binary_search_by_key(&at, |term| term.first as usize).is_ok()
    }

    /// Denies the term that is an object, with what "or" joins to it.
    fn deny_object(&mut self, object: usize, terms: Range<usize>, end: usize) {
        let Some(nth) = terms.clone().find(|&nth| self.terms[nth].last as usize > object) else { return };
        let first = self.terms[nth].first as usize;
        let filled = |at: usize| {
            let word = self.word_at(at);
            fills(word) || is_adjective(word) || self.text.mark(at) == b'-'
        };
        if first < object || first > object + FILLED || !(object..first).all(filled) {
            return;
        }
        self.answer_term(nth, Answer::No);
        // "any clonus or rigidity"
        for next in nth + 1..terms.end {
            let between = self.terms[next - 1].last as usize..self.terms[next].first as usize;
            let joins = |at: usize| matches!(self.word_at(at), "or" | "nor");
            let filled = |at: usize| joins(at) || self.text.mark(at) == b'/' || fills(self.word_at(at));
            let glued = between.clone().next().is_none() && self.terms[next].first < end as u32;
            if !glued
                && !(between.clone().all(filled) && between.clone().any(|at| joins(at) || self.text.mark(at) == b'/'))
            {
                return;
            }
            self.answer_term(next, Answer::No);
        }
    }

    /// "Glaucoma (which runs in her family) is not present": a denial after what is inserted.
    fn inserted(&mut self, nth: usize, end: usize, terms: Range<usize>) {
        let (text, open) = (self.text, self.terms[nth].last as usize);
        if open >= end {
            return;
        }
        if denies(text, open, end) {
            self.answer_term(nth, Answer::No);
            return;
        }
        let close = match text.mark(open) {
            b'(' => b')',
            b',' => b',',
            b'-' if text.tokens[open].gap != Gap::None => b'-',
            _ => return,
        };
        let closed = |at: &usize| text.mark(*at) == close && (close != b'-' || text.tokens[*at].gap != Gap::None);
        let Some(close_at) = (open + 1..end.min(open + FAR)).find(closed) else { return };
        let inner = open + 1..close_at;
        let breaks =
            |at: usize| matches!(text.mark(at), b';' | b':') || is_not(self.word_at(at)) || self.word_at(at) == "no";
        let after = close_at + 1 + usize::from(matches!(text.mark(close_at + 1), b'-' | b':' | b','));
        if inner.clone().any(breaks) || !denies(text, after, end) {
            return;
        }
        self.answer_term(nth, Answer::No);
        for other in terms.filter(|&other| inner.contains(&(self.terms[other].first as usize))) {
            // "Myocardial infarction (MI) ruled out"
            let whole = self.terms[other].first as usize == inner.start && self.terms[other].last as usize == inner.end;
            if whole {
                self.answer_term(other, Answer::No);
            } else if close != b',' {
                self.out[other].remove(NEGATED);
            }
        }
    }

    /// "The croup has resolved": it is over, and so it is denied as well.
    fn resolved(&mut self, at: usize, terms: Range<usize>) {
        let Some(nth) = terms.rev().find(|&nth| self.terms[nth].last as usize <= at) else { return };
        let mut between = self.terms[nth].last as usize..at;
        let adverb = |word: &str| matches!(word, "now" | "since" | "completely" | "fully" | "largely" | "all");
        let has = |at: usize| matches!(self.word_at(at), "has" | "had" | "have" | "is");
        if between.clone().any(has) && between.all(|at| has(at) || adverb(self.word_at(at))) {
            self.out[nth].add(NEGATED, self.text.cues.text(Cues::answer()));
        }
    }

    /// "It doesn't look like cellulitis; this is contact dermatitis": what follows is no doubt.
    fn contrast(&mut self, from: usize, terms: Range<usize>, end: usize) {
        let text = self.text;
        let Some(stop) = (from..end).find(|&at| matches!(text.mark(at), b',' | b';' | b':' | b'.')) else { return };
        let is = |at: usize| matches!(self.word_at(at), "is" | "was") || text.mark(at) == b'\'';
        let (subject, verb) = (self.word_at(stop + 1), stop + 2);
        let object = match subject {
            "it's" | "that's" => verb,
            "this" | "it" | "that" if verb < end && (is(verb) || text.tokens[verb].kind == Kind::Possessive) => {
                verb + 1
            }
            _ => return,
        };
        let Some(nth) = terms.clone().find(|&nth| self.terms[nth].first as usize >= object) else { return };
        let first = self.terms[nth].first as usize;
        let filled = |at: usize| {
            matches!(self.word_at(at), "a" | "an" | "the" | "just" | "plain") || is_adjective(self.word_at(at))
        };
        if first <= object + FILLED && (object..first).all(filled) {
            self.out[nth].remove(POSSIBLE);
        }
    }

    /// "There is no doubt that this is gout."
    fn affirm(&mut self, at: usize, terms: Range<usize>, end: usize) {
        let over = (at..end).find(|&at| matches!(self.text.mark(at), b',' | b'.' | b';')).unwrap_or(end);
        if !matches!(self.word_at(at), "that" | "about") {
            return;
        }
        for nth in terms {
            if (at..over).contains(&(self.terms[nth].first as usize)) {
                self.out[nth].remove(NEGATED);
                self.out[nth].remove(POSSIBLE);
            }
        }
    }

    fn is_exception(&self, at: usize) -> bool {
        let words = [self.word_at(at), self.word_at(at + 1)];
        EXCEPTIONS.iter().any(|[one, two]| *one == words[0] && (two.is_empty() || *two == words[1]))
    }

    /// "negative except a laceration": what is excepted from a denial is there.
    fn except(&mut self, at: usize, end: usize, terms: Range<usize>) {
        let text = self.text;
        let negates = |at: usize| {
            let word = self.word_at(at);
            matches!(word, "no" | "without" | "denies" | "denied" | "neither" | "nor" | "none") || is_not(word)
        };
        let over = (at + 1..end).find(|&at| negates(at) || matches!(text.mark(at), b'.' | b';')).unwrap_or(end);
        for nth in terms {
            let first = self.terms[nth].first as usize;
            if (at + 1..over).contains(&first) {
                self.out[nth].remove(NEGATED);
            }
        }
    }
}

/// What "at no" and "in no" stand before: any time or place.
fn is_occasion(word: &str) -> bool {
    matches!(
        word,
        "point" | "time" | "stage" | "moment" | "part" | "place" | "case" | "section" | "way" | "instance" | "sample"
    ) || matches!(word, "specimen" | "image" | "view" | "visit" | "level" | "area" | "occasion")
}
