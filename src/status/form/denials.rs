//! Denials by pattern: a contracted verb, a denial far before its object, a predicate after an insertion, and exceptions.
//!
//! A pattern is a class of negation, a class of verbs and what may stand before the object; a list of pairs generalizes to nothing.

use std::ops::Range;

use super::super::assertion::{NEGATED, POSSIBLE};
use super::classes::{
    begins_clause, fills, is_adjective, is_having, is_looking, is_naming, is_supporting, stands_before_name,
    stands_before_verb,
};
use super::distant::{denies_object, fails};
use super::exceptions::begins_exception;
use super::function_words::{is_asking, is_auxiliary, is_change, is_denying, is_opinion_verb, is_sign, is_weighing};
use super::predicates::denies;
use super::reply::is_not;
use super::subjects::Predicate;
use super::{Answer, FormReader};
use crate::terms::Match;
use crate::text::token::Kind;

/// How far a denial, and an insertion, reach in tokens.
const FAR: usize = 28;
/// How many words may stand between a verb and its object.
const FILLED: usize = 7;

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
        let last = self.terms[terms.end - 1].first as usize;
        for at in sentence.clone() {
            if self.may_deny_subject_at(at) {
                self.deny_subject(at, terms.clone(), &sentence);
            }
            let object = if self.may_deny_at(at) { self.pattern(at, last, &sentence, &terms) } else { None };
            if let Some(object) = object {
                self.deny_object(object, terms.clone(), sentence.end);
                if matches!(self.word_at(object - 1), "like" | "it" | "this" | "that") {
                    self.contrast(object, terms.clone(), sentence.end);
                }
            }
        }
        self.denied_lists(terms, sentence.end);
    }

    /// Applies the pattern that a word begins, and returns where an object of it begins that is to be denied.
    fn pattern(&mut self, at: usize, last: usize, sentence: &Range<usize>, terms: &Range<usize>) -> Option<usize> {
        let text = self.text;
        match text.word(at).as_bytes() {
            [b'n', b'o'] if self.word_at(at + 1) == "to" && is_all(self.word_at(at + 2)) => {
                self.deny_before(at, terms.clone());
                None
            }
            [b'n', ..] if self.is_far_denial(at) => {
                self.deny_after(at, terms.clone(), sentence.end);
                None
            }
            [b'n', ..] if self.word_at(at + 1) == "doubt" => {
                self.affirm(at + 2, terms.clone(), sentence.end);
                None
            }
            [b'n', b'o'] | [b'w', b'i', ..] if self.is_sign_of(at, last) => {
                self.deny_sign(at + 1, terms.clone(), sentence.end);
                None
            }
            [b'n', ..] => self.denied_by_word(at, last),
            [b'c', b'a', b'n', ..] | [.., b'n', b'\'', b't'] => self.denied_by_verb(at, last),
            [b'a', b't'] | [b'i', b'n'] if self.word_at(at + 1) == "no" && is_occasion(self.word_at(at + 2)) => {
                self.deny_far(at + 3, true, terms.clone(), sentence.end);
                None
            }
            [b'c' | b's' | b'f', ..] if is_weighing(text.word(at)) => {
                self.considered(at, terms.clone(), sentence);
                None
            }
            [b'a' | b'q' | b's', ..] if is_asking(text.word(at)) => {
                self.reported_question(at, terms.clone(), sentence.end);
                None
            }
            [b'z', ..] if text.word(at) == "zero" => Some(at + 1),
            [b'r', ..] if text.word(at) == "rules" && self.word_at(at + 1) == "out" => Some(at + 2),
            [b'e', ..] if text.word(at) == "excludes" => Some(at + 1),
            [b'a', b'n', b'y'] if self.is_denied_any(sentence.start..at) => {
                self.deny_object(at + 1, terms.clone(), sentence.end);
                self.not_since(sentence.start, at, terms.clone());
                None
            }
            [b'f' | b't', ..] if matches!(text.word(at), "following" | "these") => {
                self.deny_listed(at, terms.clone(), sentence.end);
                None
            }
            [b'w' | b'd' | b'f' | b'l' | b'u', ..] => self.interrupted(at, last),
            [b'e' | b'o' | b'a' | b's' | b'b', ..] => {
                if self.is_exception(at) {
                    self.except(at, sentence.end, terms.clone());
                }
                None
            }
            _ => None,
        }
    }

    pub(super) fn word_at(&self, at: usize) -> &str {
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
            "negative" => self.interrupted(at, last),
            _ => None,
        }
    }

    /// "didn't pick up", "can't say she's got", "won't call it", "there isn't any".
    fn denied_by_verb(&self, at: usize, last: usize) -> Option<usize> {
        let word = self.word_at(at);
        // "in order not to cause"
        let purpose = self.word_at(at + 1) == "to" && at > 0 && matches!(self.word_at(at - 1), "order" | "as");
        if !is_not(word) && word != "cannot" || word == "never" || purpose {
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
    pub(super) fn verb(&self, from: usize, last: usize) -> Option<usize> {
        // "has not, according to her, had", "did not on any occasion complain of"
        let mut at = self.past_adverbial(self.past_insertion(from, last)?, last);
        let mut having = false;
        // "not felt to have", "not been thought to be"
        let held = |at: usize| is_opinion_verb(self.word_at(at)) && self.word_at(at + 1) == "to";
        while at < last && at < from + FAR && (stands_before_verb(self.word_at(at)) || held(at)) {
            having |= matches!(self.word_at(at), "have" | "had" | "having");
            // "has never once, drunk or sober, had"
            at = self.past_insertion(at + 1, last)?;
        }
        let verb = self.word_at(at);
        match verb {
            // "do not feel this is"
            _ if is_having(verb) && !matches!(self.word_at(at + 1), "like" | "as") => {
                Some(self.named(at + 1, last).unwrap_or(at + 1))
            }
            _ if is_looking(verb) && matches!(self.word_at(at + 1), "like" | "as") => Some(at + 2),
            _ if is_naming(verb) => self.named(at + 1, last),
            _ if is_supporting(verb) => Some(at + 1),
            // "shouldn't be on warfarin"
            "on" if self.begins_term(at + 1) => Some(at + 1),
            // "not, in the opinion of two doctors, gout"
            _ if self.text.mark(from) == b',' && self.begins_term(at) => Some(at),
            _ => having.then_some(at),
        }
    }

    /// "it", "she's got", "this is": what is named begins after these.
    pub(super) fn named(&self, from: usize, last: usize) -> Option<usize> {
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

    /// "Not one episode of", "none of the nodes contains", "nothing points to".
    fn deny_after(&mut self, at: usize, terms: Range<usize>, end: usize) {
        let (one, none) = (self.word_at(at) == "not", self.word_at(at) == "none");
        let from = at + 1 + usize::from(one);
        if one {
            self.deny_object(from, terms.clone(), end);
        }
        self.deny_far(from, one || none, terms, end);
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
            let there = matches!(verb, "is" | "was" | "are" | "were") && self.word_at(at + 1) == "there";
            if is_supporting(verb)
                || there
                || having && (is_having(verb) || is_auxiliary(verb) && self.begins_term(at + 1))
            {
                self.deny_object(at + 1, terms.clone(), end);
            }
        }
    }

    /// "Meningitis was considered and, after the tap, rejected."
    fn considered(&mut self, at: usize, terms: Range<usize>, sentence: &Range<usize>) {
        let end = sentence.end;
        let over = |at: &usize| matches!(self.text.mark(*at), b'.' | b';');
        let joins = |at: &usize| matches!(self.word_at(*at), "and" | "but");
        let Some(join) = (at + 1..end.min(at + FAR)).take_while(|at| !over(at)).find(joins) else { return };
        let rejects = |at: usize| is_denying(self.word_at(at)) || self.word_at(at) == "ruled";
        let mut rest = (join + 1..end.min(at + FAR)).take_while(|at| !over(at) && !is_not(self.word_at(*at)));
        if !denies(self.text, join + 1, end) && !(join == at + 1 && rest.any(rejects)) {
            return;
        }
        let verb = (sentence.start..at).rev().take_while(|&at| is_auxiliary(self.word_at(at))).last().unwrap_or(at);
        let predicate = Predicate { has_verb: true, several: false, partial: false, test: false };
        let before = self.before_insertion(verb, sentence.start).0;
        for nth in self.subject(before, terms, sentence.start, predicate).into_iter().flatten() {
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

    pub(super) fn begins_term(&self, at: usize) -> bool {
        self.terms.binary_search_by_key(&at, |term| term.first as usize).is_ok()
    }

    /// Denies the term that is an object, with what "or" joins to it.
    pub(super) fn deny_object(&mut self, object: usize, terms: Range<usize>, end: usize) -> bool {
        // "a suggestion of" may be a term.
        let is_suggestion =
            |first: usize, last: usize| last == first + 1 && fills(self.word_at(first)) && self.word_at(last) == "of";
        // "can elicit, despite leading questions, a story of"
        let object = self.past_insertion(object, end).unwrap_or(object);
        let named = |&nth: &usize| {
            let Match { first, last, .. } = self.terms[nth];
            last as usize > object && !is_suggestion(first as usize, last as usize)
        };
        let Some(nth) = terms.clone().find(named) else { return false };
        let first = self.terms[nth].first as usize;
        // "any degree of", but no "relief of": what changes is there.
        let filled = |at: usize| {
            let word = self.word_at(at);
            let joins = matches!(word, "or" | "and") && at > object;
            let counted = self.word_at(at + 1) == "of" && !is_change(word);
            fills(word)
                || is_sign(word)
                || is_supporting(word)
                || is_adjective(word)
                || self.text.mark(at) == b'-'
                || joins
                || counted
        };
        if first > object && self.is_known(first) {
            return false;
        }
        if first < object || first > object + FILLED || !(object..first).all(filled) {
            // "does not use tobacco, spirits or cocaine"
            let last = self.joined_end(object, self.list_end(object, end));
            let joined = terms.filter(|&nth| self.head(nth) > object && self.terms[nth].last as usize <= last);
            let joined = joined.filter(|&nth| self.is_item(nth)).collect::<Vec<_>>();
            for &nth in &joined {
                self.answer_term(nth, Answer::No);
            }
            return !joined.is_empty();
        }
        self.answer_term(nth, Answer::No);
        // "any clonus, hypertonia or rigidity": a comma joins what "or" joins later.
        let mut pending = nth + 1;
        for next in nth + 1..terms.end {
            let between = self.terms[next - 1].last as usize..self.terms[next].first as usize;
            let joins = |at: usize| matches!(self.word_at(at), "or" | "nor") || self.text.mark(at) == b'/';
            // "leakage of fluid or bleeding": a part of an item.
            if between.len() == 1 && self.word_at(between.start) == "of" {
                continue;
            }
            if between.end > end || !self.is_listed(between.clone()) {
                break;
            }
            if between.is_empty() && pending == next || between.clone().any(joins) {
                (pending..=next).for_each(|term| self.answer_term(term, Answer::No));
                pending = next + 1;
            }
        }
        true
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
}

/// Whether a pattern of denial may begin with a word, or an exception from one.
pub(super) fn may_deny(word: &str) -> bool {
    // "no", "not", "nothing", "numbness doubt"
    word.starts_with('n')
        || is_not(word)
        || is_weighing(word)
        || is_asking(word)
        || begins_exception(word)
        || denies_object(word)
        || fails(word)
        || matches!(word, "cannot" | "at" | "in" | "zero" | "any" | "rules" | "excludes" | "following" | "these")
}

/// Words for all that was asked, after "no to".
fn is_all(word: &str) -> bool {
    matches!(word, "all" | "any" | "both" | "each" | "these")
}

/// What "at no" and "in no" stand before: any time or place.
fn is_occasion(word: &str) -> bool {
    matches!(
        word,
        "point" | "time" | "stage" | "moment" | "part" | "place" | "case" | "section" | "way" | "instance" | "sample"
    ) || matches!(word, "specimen" | "image" | "view" | "visit" | "level" | "area" | "occasion")
}
