//! Negation by pattern: a contracted verb, a negation far from its object, a predicate after an insertion, and
//! exceptions.
//!
//! A pattern combines a class of negations, a class of verbs and the words that may precede the object; a list of word
//! pairs would not generalise.

use std::ops::Range;

use super::super::assertion::{NEGATED, POSSIBLE};
use super::classes::{
    begins_clause, is_appearance_verb, is_having_verb, is_naming_verb, is_object_filler, is_supporting_word,
    looks_like_modifier, may_follow_not_before_verb, may_precede_named_condition,
};
use super::distant::{is_failure_word, is_word_negating_object};
use super::exceptions::may_begin_exception;
use super::function_words::{
    is_asking_word, is_auxiliary, is_change_noun, is_consideration_word, is_denying_participle, is_occasion_noun,
    is_opinion_verb, is_sign_noun, is_word_for_all,
};
use super::predicates::predicate_negates;
use super::reply::is_negating_word;
use super::subjects::NegatingPredicate;
use super::{Answer, FormReader};
use crate::terms::Match;
use crate::text::token::Kind;

/// The maximum reach of a negation and of an insertion, in tokens.
const MAX_REACH: usize = 28;
/// The maximum number of words between a verb and its object.
const MAX_FILLER_WORDS: usize = 7;

impl FormReader<'_> {
    /// Applies the patterns to all sentences that contain terms.
    pub(super) fn apply_denial_patterns(&mut self) {
        let text = self.text;
        let sentences = text.note.layout().sentences();
        let mut term = 0;
        for (nth, &first) in sentences.iter().enumerate() {
            let end = sentences.get(nth + 1).map_or(text.tokens.len(), |&next| next as usize);
            let last = term + self.terms[term..].iter().take_while(|term| (term.first as usize) < end).count();
            if last > term {
                self.apply_patterns_to_sentence(first as usize..end, term..last);
            }
            term = last;
        }
    }

    fn apply_patterns_to_sentence(&mut self, sentence: Range<usize>, terms: Range<usize>) {
        let last = self.terms[terms.end - 1].first as usize;
        for at in sentence.clone() {
            if self.may_negate_subject_at(at) {
                self.negate_subject_of_predicate(at, terms.clone(), &sentence);
            }
            let object =
                if self.may_begin_denial_at(at) { self.apply_pattern(at, last, &sentence, &terms) } else { None };
            if let Some(object) = object {
                self.negate_object(object, terms.clone(), sentence.end);
                if matches!(self.word_at(object - 1), "like" | "it" | "this" | "that") {
                    self.clear_doubt_of_contrast(object, terms.clone(), sentence.end);
                }
            }
        }
        self.negate_items_of_lists(terms, sentence.end);
    }

    /// Applies the pattern that begins at a word. Returns the start of its object, if one remains to be negated.
    fn apply_pattern(
        &mut self,
        at: usize,
        last: usize,
        sentence: &Range<usize>,
        terms: &Range<usize>,
    ) -> Option<usize> {
        let text = self.text;
        match text.folded_text(at).as_bytes() {
            [b'n', b'o'] if self.word_at(at + 1) == "to" && is_word_for_all(self.word_at(at + 2)) => {
                self.negate_terms_before_colon(at, terms.clone());
                None
            }
            [b'n', ..] if self.is_distant_denial_word(at) => {
                self.negate_after_distant_denial(at, terms.clone(), sentence.end);
                None
            }
            [b'n', ..] if self.word_at(at + 1) == "doubt" => {
                self.affirm_beyond_doubt(at + 2, terms.clone(), sentence.end);
                None
            }
            [b'n', b'o'] | [b'w', b'i', ..] if self.negates_sign_noun(at, last) => {
                self.negate_objects_of_sign(at + 1, terms.clone(), sentence.end);
                None
            }
            [b'n', ..] => self.object_negated_by_word(at, last),
            [b'c', b'a', b'n', ..] | [.., b'n', b'\'', b't'] => self.object_negated_by_verb(at, last),
            [b'a', b't'] | [b'i', b'n'] if self.word_at(at + 1) == "no" && is_occasion_noun(self.word_at(at + 2)) => {
                self.negate_distant_objects(at + 3, true, terms.clone(), sentence.end);
                None
            }
            [b'c' | b's' | b'f', ..] if is_consideration_word(text.folded_text(at)) => {
                self.negate_considered_and_rejected(at, terms.clone(), sentence);
                None
            }
            [b'a' | b'q' | b's', ..] if is_asking_word(text.folded_text(at)) => {
                self.answer_reported_question(at, terms.clone(), sentence.end);
                None
            }
            [b'r', ..] if text.folded_text(at) == "rules" && self.word_at(at + 1) == "out" => Some(at + 2),
            [b'z' | b'e', ..] if matches!(text.folded_text(at), "zero" | "excludes") => Some(at + 1),
            [b'a', b'n', b'y'] if self.is_verb_before_any_denied(sentence.start..at) => {
                self.negate_object(at + 1, terms.clone(), sentence.end);
                self.clear_historical_after_since(sentence.start, at, terms.clone());
                None
            }
            [b'f' | b't', ..] if matches!(text.folded_text(at), "following" | "these") => {
                self.negate_list_after_colon(at, terms.clone(), sentence.end);
                None
            }
            [b'w' | b'd' | b'f' | b'l' | b'u', ..] => self.object_after_insertion(at, last),
            [b'e' | b'o' | b'a' | b's' | b'b', ..] => {
                if self.exception_begins_at(at) {
                    self.affirm_excepted_terms(at, sentence.end, terms.clone());
                }
                None
            }
            _ => None,
        }
    }

    pub(super) fn word_at(&self, at: usize) -> &str {
        if at < self.text.tokens.len() && self.text.is_word_at(at) { self.text.folded_text(at) } else { "" }
    }

    /// Returns the start of the object that "not", "no", "never" or "nothing" at a token negates by a pattern.
    fn object_negated_by_word(&self, at: usize, last: usize) -> Option<usize> {
        match self.word_at(at) {
            "not" => self.object_negated_by_verb(at, last),
            "never" => self.object_of_negated_verb(at + 1, last),
            "nope" | "nah" | "nix" | "nada" if matches!(self.word_at(at + 1), "on" | "to" | "for" | "re") => {
                Some(at + 2)
            }
            "nary" => Some(at + 1),
            "no" if self.word_at(at + 1) == "way" => self.start_of_named_object(at + 2, last),
            "no" => self.object_after_joined_adjectives(at + 1, last),
            "negative" => self.object_after_insertion(at, last),
            _ => None,
        }
    }

    /// Returns the start of the object of a negated verb: "didn't pick up", "can't say she's got", "won't call it",
    /// "there isn't any".
    fn object_negated_by_verb(&self, at: usize, last: usize) -> Option<usize> {
        let word = self.word_at(at);
        // "in order not to cause"
        let purpose = self.word_at(at + 1) == "to" && at > 0 && matches!(self.word_at(at - 1), "order" | "as");
        if !is_negating_word(word) && word != "cannot" || word == "never" || purpose {
            return None;
        }
        // "there wasn't any necrosis", "there was not"
        let there = |back: usize| at >= back && self.word_at(at - back) == "there";
        if there(1) && word != "not" || there(2) && word == "not" && self.word_at(at - 1) != "has" {
            return Some(at + 1);
        }
        self.object_of_negated_verb(at + 1, last)
    }

    /// Returns the start of the object of a negated verb.
    pub(super) fn object_of_negated_verb(&self, from: usize, last: usize) -> Option<usize> {
        // "has not, according to her, had", "did not on any occasion complain of"
        let mut at = self.end_of_adverbial(self.end_of_insertion(from, last)?, last);
        let mut having = false;
        // "not felt to have", "not been thought to be"
        let held = |at: usize| is_opinion_verb(self.word_at(at)) && self.word_at(at + 1) == "to";
        while at < last && at < from + MAX_REACH && (may_follow_not_before_verb(self.word_at(at)) || held(at)) {
            having |= matches!(self.word_at(at), "have" | "had" | "having");
            // "has never once, drunk or sober, had"
            at = self.end_of_insertion(at + 1, last)?;
        }
        let verb = self.word_at(at);
        match verb {
            // "do not feel this is"
            _ if is_having_verb(verb) && !matches!(self.word_at(at + 1), "like" | "as") => {
                Some(self.start_of_named_object(at + 1, last).unwrap_or(at + 1))
            }
            _ if is_appearance_verb(verb) && matches!(self.word_at(at + 1), "like" | "as") => Some(at + 2),
            _ if is_naming_verb(verb) => self.start_of_named_object(at + 1, last),
            _ if is_supporting_word(verb) => Some(at + 1),
            // "shouldn't be on warfarin"
            "on" if self.term_begins_at(at + 1) => Some(at + 1),
            // "not, in the opinion of two doctors, gout"
            _ if self.text.mark_at(from) == b',' && self.term_begins_at(at) => Some(at),
            _ => having.then_some(at),
        }
    }

    /// Returns the start of what is named, after words such as "it", "she's got", "this is".
    pub(super) fn start_of_named_object(&self, from: usize, last: usize) -> Option<usize> {
        let named = (from..last.min(from + MAX_FILLER_WORDS)).take_while(|&at| {
            may_precede_named_condition(self.word_at(at)) || self.text.tokens[at].kind == Kind::Possessive
        });
        let count = named.count();
        (count > 0).then_some(from + count)
    }

    fn is_distant_denial_word(&self, at: usize) -> bool {
        match self.word_at(at) {
            "nothing" | "none" | "neither" | "nowhere" | "nobody" => true,
            "not" => self.word_at(at + 1) == "one",
            _ => false,
        }
    }

    /// Negates the objects of "Not one episode of", "none of the nodes contains", "nothing points to".
    fn negate_after_distant_denial(&mut self, at: usize, terms: Range<usize>, end: usize) {
        let (one, none) = (self.word_at(at) == "not", self.word_at(at) == "none");
        let from = at + 1 + usize::from(one);
        if one {
            self.negate_object(from, terms.clone(), end);
        }
        self.negate_distant_objects(from, one || none, terms, end);
    }

    /// Negates the objects of verbs at some distance from their negation: "at no point did she have", "nothing points
    /// to".
    fn negate_distant_objects(&mut self, from: usize, having: bool, terms: Range<usize>, end: usize) {
        let last = self.terms[terms.end - 1].first as usize;
        for at in from..last.min(from + MAX_REACH) {
            let verb = self.word_at(at);
            if matches!(self.text.mark_at(at), b';' | b':' | b'?' | b'.') || begins_clause(verb) {
                return;
            }
            // "In no section is there invasion."
            let there = matches!(verb, "is" | "was" | "are" | "were") && self.word_at(at + 1) == "there";
            if is_supporting_word(verb)
                || there
                || having && (is_having_verb(verb) || is_auxiliary(verb) && self.term_begins_at(at + 1))
            {
                self.negate_object(at + 1, terms.clone(), end);
            }
        }
    }

    /// Negates a diagnosis that was rejected: "Meningitis was considered and, after the tap, rejected."
    fn negate_considered_and_rejected(&mut self, at: usize, terms: Range<usize>, sentence: &Range<usize>) {
        let end = sentence.end;
        let over = |at: &usize| matches!(self.text.mark_at(*at), b'.' | b';');
        let joins = |at: &usize| matches!(self.word_at(*at), "and" | "but");
        let Some(join) = (at + 1..end.min(at + MAX_REACH)).take_while(|at| !over(at)).find(joins) else { return };
        let rejects = |at: usize| is_denying_participle(self.word_at(at)) || self.word_at(at) == "ruled";
        let mut rest =
            (join + 1..end.min(at + MAX_REACH)).take_while(|at| !over(at) && !is_negating_word(self.word_at(*at)));
        if !predicate_negates(self.text, join + 1, end) && !(join == at + 1 && rest.any(rejects)) {
            return;
        }
        let verb = (sentence.start..at).rev().take_while(|&at| is_auxiliary(self.word_at(at))).last().unwrap_or(at);
        let predicate = NegatingPredicate { has_verb: true, several: false, partial: false, test: false };
        let before = self.end_of_subject_and_insertion(verb, sentence.start).0;
        for nth in self.subject_terms(before, terms, sentence.start, predicate).into_iter().flatten() {
            self.answer_term(nth, Answer::No);
        }
    }

    /// Returns the start of the object after adjectives joined by commas or conjunctions: "No new, enlarging or
    /// enhancing".
    fn object_after_joined_adjectives(&self, from: usize, last: usize) -> Option<usize> {
        let mut joined = false;
        let mut at = from;
        while at < last && at < from + MAX_REACH / 2 && !self.term_begins_at(at) {
            let word = self.word_at(at);
            let joins = self.text.mark_at(at) == b',' || matches!(word, "or" | "and" | "nor");
            if !joins && !looks_like_modifier(word) && self.text.mark_at(at) != b'-' {
                return None;
            }
            joined |= joins;
            at += 1;
        }
        let ends_joined =
            matches!(self.text.mark_at(at - 1), b',') || matches!(self.word_at(at - 1), "or" | "and" | "nor");
        (joined && !ends_joined).then_some(at)
    }

    pub(super) fn term_begins_at(&self, at: usize) -> bool {
        self.terms.binary_search_by_key(&at, |term| term.first as usize).is_ok()
    }

    /// Negates the object, and the items that "or" joins to it. Returns whether any term was negated.
    pub(super) fn negate_object(&mut self, object: usize, terms: Range<usize>, end: usize) -> bool {
        // The words "a suggestion of" may be a term.
        let is_suggestion = |first: usize, last: usize| {
            last == first + 1 && is_object_filler(self.word_at(first)) && self.word_at(last) == "of"
        };
        // "can elicit, despite leading questions, a story of"
        let object = self.end_of_insertion(object, end).unwrap_or(object);
        let named = |&nth: &usize| {
            let Match { first, end: last, .. } = self.terms[nth];
            last as usize > object && !is_suggestion(first as usize, last as usize)
        };
        let Some(nth) = terms.clone().find(named) else { return false };
        let first = self.terms[nth].first as usize;
        // "any degree of", but not "relief of": what was not relieved is there.
        let filled = |at: usize| {
            let word = self.word_at(at);
            let joins = matches!(word, "or" | "and") && at > object;
            let counted = self.word_at(at + 1) == "of" && !is_change_noun(word);
            is_object_filler(word)
                || is_sign_noun(word)
                || is_supporting_word(word)
                || looks_like_modifier(word)
                || self.text.mark_at(at) == b'-'
                || joins
                || counted
        };
        if first > object && self.is_presupposed_term(first) {
            return false;
        }
        if first < object || first > object + MAX_FILLER_WORDS || !(object..first).all(filled) {
            // "does not use tobacco, spirits or cocaine"
            let last = self.end_of_items_joined_by_or(object, self.end_of_negated_list(object, end));
            let joined =
                terms.filter(|&nth| self.first_token_of_term(nth) > object && self.terms[nth].end as usize <= last);
            let joined = joined.filter(|&nth| self.is_item_of_negated_list(nth)).collect::<Vec<_>>();
            for &nth in &joined {
                self.answer_term(nth, Answer::No);
            }
            return !joined.is_empty();
        }
        self.answer_term(nth, Answer::No);
        // "any clonus, hypertonia or rigidity": a later "or" makes the commas before it join, too.
        let mut pending = nth + 1;
        for next in nth + 1..terms.end {
            let between = self.terms[next - 1].end as usize..self.terms[next].first as usize;
            let joins = |at: usize| matches!(self.word_at(at), "or" | "nor") || self.text.mark_at(at) == b'/';
            // "leakage of fluid or bleeding": "of" continues an item.
            if between.len() == 1 && self.word_at(between.start) == "of" {
                continue;
            }
            if between.end > end || !self.are_items_of_one_list(between.clone()) {
                break;
            }
            if between.is_empty() && pending == next || between.clone().any(joins) {
                (pending..=next).for_each(|term| self.answer_term(term, Answer::No));
                pending = next + 1;
            }
        }
        true
    }

    /// Clears `possible` from what is contrasted with a rejected finding: "It doesn't look like cellulitis; this is
    /// contact dermatitis".
    fn clear_doubt_of_contrast(&mut self, from: usize, terms: Range<usize>, end: usize) {
        let text = self.text;
        let Some(stop) = (from..end).find(|&at| matches!(text.mark_at(at), b',' | b';' | b':' | b'.')) else { return };
        let is = |at: usize| matches!(self.word_at(at), "is" | "was") || text.mark_at(at) == b'\'';
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
            matches!(self.word_at(at), "a" | "an" | "the" | "just" | "plain") || looks_like_modifier(self.word_at(at))
        };
        if first <= object + MAX_FILLER_WORDS && (object..first).all(filled) {
            self.out[nth].clear_status(POSSIBLE);
        }
    }

    /// Affirms what is beyond doubt: "There is no doubt that this is gout."
    fn affirm_beyond_doubt(&mut self, at: usize, terms: Range<usize>, end: usize) {
        let over = (at..end).find(|&at| matches!(self.text.mark_at(at), b',' | b'.' | b';')).unwrap_or(end);
        if !matches!(self.word_at(at), "that" | "about") {
            return;
        }
        for nth in terms {
            if (at..over).contains(&(self.terms[nth].first as usize)) {
                self.out[nth].clear_status(NEGATED);
                self.out[nth].clear_status(POSSIBLE);
            }
        }
    }
}

/// Returns whether a pattern of negation, or an exception from one, may begin with a word.
pub(super) fn may_begin_denial_pattern(word: &str) -> bool {
    // "no", "not", "nothing", "numbness doubt"
    word.starts_with('n')
        || is_negating_word(word)
        || is_consideration_word(word)
        || is_asking_word(word)
        || may_begin_exception(word)
        || is_word_negating_object(word)
        || is_failure_word(word)
        || matches!(word, "cannot" | "at" | "in" | "zero" | "any" | "rules" | "excludes" | "following" | "these")
}
