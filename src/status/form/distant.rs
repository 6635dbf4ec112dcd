//! Negation at a distance: "no finding on this study of", "failed, despite two scans, to show", "has not had since May
//! any".

use std::ops::Range;

use super::super::assertion::{HISTORICAL, Status};
use super::classes::{begins_clause, is_having_verb, is_naming_verb, is_supporting_word, looks_like_modifier};
use super::function_words::{
    begins_condition, is_adverb, is_auxiliary, is_change_noun, is_denial_word, is_preposition, is_pronoun,
    is_relative_pronoun, is_sign_noun,
};
use super::subjects::DENIABLE_GROUPS;
use super::{Answer, FormReader};

/// The maximum reach of a negation and of an insertion, in tokens.
const MAX_REACH: usize = 28;
/// The maximum number of words in a compound noun: "examination red flags".
const MAX_COMPOUND_WORDS: usize = 4;
/// The maximum number of words between "no" and its noun.
const MAX_WORDS_BEFORE_NOUN: usize = 8;

impl FormReader<'_> {
    /// Returns the end (exclusive) of an insertion at a token, the token itself if none begins there, or `None` if it
    /// is not closed: "without, on inspection, a nevus".
    pub(super) fn end_of_insertion(&self, at: usize, last: usize) -> Option<usize> {
        let close = match self.text.mark_at(at) {
            b',' => b',',
            b'(' => b')',
            _ => return Some(at),
        };
        let within = |at: &usize| !matches!(self.text.mark_at(*at), b';' | b':' | b'.') || close == b')';
        let mut inserted = (at + 1..last.min(at + MAX_REACH)).take_while(within);
        inserted.find(|&end| self.text.mark_at(end) == close).map(|end| end + 1)
    }

    /// Returns the start of the object of a negation after an insertion: "negative, as before, for gout", "failed,
    /// despite two scans, to show".
    pub(super) fn object_after_insertion(&self, at: usize, last: usize) -> Option<usize> {
        let fails = is_failure_word(self.word_at(at));
        let longer = self.word_at(at) != "longer" || at > 0 && self.word_at(at - 1) == "no";
        let denies = is_word_negating_object(self.word_at(at)) && longer;
        if !denies && !fails {
            return None;
        }
        // "unable to elicit, despite leading questions, a story of", "denied ever having been bothered by"
        match self.word_at(at + 1) {
            "to" if fails => return self.object_of_negated_verb(at + 2, last),
            "ever" | "having" if denies => return self.object_of_negated_verb(at + 1, last),
            _ => {}
        }
        // "unable, listening front and back, sitting and lying, to hear"
        let to = (at + 1..last.min(at + MAX_REACH))
            .find(|&to| self.word_at(to) == "to" && is_having_verb(self.word_at(to + 1)));
        let plain =
            |to: usize| (at + 1..to).all(|at| !begins_clause(self.word_at(at)) && !is_auxiliary(self.word_at(at)));
        if let Some(to) = to.filter(|&to| fails && self.text.mark_at(at + 1) == b',' && plain(to)) {
            return self.object_of_negated_verb(to + 1, last);
        }
        let resumed = self.end_of_insertion(at + 1, last).filter(|&resumed| resumed > at + 1)?;
        match self.word_at(resumed) {
            "to" if fails => self.object_of_negated_verb(resumed + 1, last),
            _ if fails => None,
            // "Denies, wife present, smoking": an insertion. In a list of terms, commas do not mark one.
            _ if self.term_begins_at(at + 2) => None,
            "for" | "of" | "from" => Some(resumed + 1),
            _ => matches!(self.word_at(at), "without" | "denies" | "denied" | "longer").then_some(resumed),
        }
    }

    /// Returns whether the text presupposes a term: "no source for the bleeding", "does not mention her gout".
    pub(super) fn is_presupposed_term(&self, first: usize) -> bool {
        match self.word_at(first - 1) {
            "his" | "her" | "their" | "my" | "your" => true,
            "the" | "this" => {
                matches!(self.word_at(first.saturating_sub(2)), "for" | "of" | "in" | "to" | "from" | "with")
            }
            _ => false,
        }
    }

    /// Returns whether the verb before "any" is negated: "has not had since her last visit any migraine".
    pub(super) fn is_verb_before_any_denied(&self, before: Range<usize>) -> bool {
        let mut having = false;
        for at in before.rev().take(MAX_REACH) {
            let word = self.word_at(at);
            let other = begins_clause(word) || begins_condition(word) || matches!(word, "for" | "hesitate" | "call");
            if other || matches!(self.text.mark_at(at), b'.' | b';' | b':' | b'?') {
                return false;
            }
            if is_denial_word(word) || matches!(word, "nobody" | "nothing" | "none" | "neither" | "denies" | "denied") {
                return having;
            }
            having |= is_having_verb(word) || matches!(word, "be" | "there");
        }
        false
    }

    /// Clears `historical` from what is negated after "since", which concerns the present: "has not had since her last
    /// visit any vertigo".
    pub(super) fn clear_historical_after_since(&mut self, begin: usize, any: usize, terms: Range<usize>) {
        if !(begin..any).any(|at| self.word_at(at) == "since") {
            return;
        }
        for nth in terms {
            if self.first_token_of_term(nth) > any && self.out[nth].status.contains(Status::NEGATED) {
                self.out[nth].clear_status(HISTORICAL);
            }
        }
    }

    /// Negates the terms before a colon: "Hives, vertigo, gout: she says no to each."
    pub(super) fn negate_terms_before_colon(&mut self, at: usize, terms: Range<usize>) {
        let colon = (at.saturating_sub(MAX_WORDS_BEFORE_NOUN)..at).rev().find(|&at| self.text.mark_at(at) == b':');
        let Some(colon) = colon else { return };
        for nth in terms.filter(|&nth| self.terms[nth].end as usize <= colon).collect::<Vec<_>>() {
            self.answer_term(nth, Answer::No);
        }
    }

    /// Negates a list after a colon: "denies all of the following when read from the list: hives, vertigo".
    pub(super) fn negate_list_after_colon(&mut self, at: usize, terms: Range<usize>, end: usize) {
        let denies = |at: usize| matches!(self.word_at(at), "denies" | "denied" | "deny" | "none" | "negative" | "no");
        let Some(colon) = (at + 1..end.min(at + MAX_REACH / 2)).find(|&at| self.text.mark_at(at) == b':') else {
            return;
        };
        let named = terms.clone().any(|nth| (at..colon).contains(&self.first_token_of_term(nth)));
        if named || !(at.saturating_sub(MAX_WORDS_BEFORE_NOUN / 2)..at).any(denies) {
            return;
        }
        let stop = self.end_of_negated_list(colon + 1, end);
        for nth in terms {
            if self.first_token_of_term(nth) > colon && self.terms[nth].end as usize <= stop {
                self.answer_term(nth, Answer::No);
            }
        }
    }

    /// Returns the end (exclusive) of an adverbial between "not" and its verb: "on any occasion this month", "these
    /// days".
    pub(super) fn end_of_adverbial(&self, from: usize, last: usize) -> usize {
        if !is_preposition(self.word_at(from)) && !matches!(self.word_at(from), "these" | "once") {
            return from;
        }
        let passes = |at: &usize| {
            let word = self.word_at(*at);
            !word.is_empty()
                && !begins_clause(word)
                && !is_pronoun(word)
                && !is_having_verb(word)
                && !is_supporting_word(word)
        };
        let first = from + 1;
        let length = (first..last.min(first + MAX_REACH / 2)).take_while(passes).count();
        // Its last words may belong to the verb: "these days really".
        let adverbs = (first..first + length).rev().take_while(|&at| is_adverb(self.word_at(at))).count();
        if is_having_verb(self.word_at(first + length)) || is_supporting_word(self.word_at(first + length)) {
            first + length - adverbs
        } else {
            from
        }
    }

    /// Returns whether "no" or "without" precedes a noun for evidence or for occurrences: "no red flags for", "no
    /// instances of".
    pub(super) fn negates_sign_noun(&self, at: usize, last: usize) -> bool {
        matches!(self.word_at(at), "no" | "without") && self.negated_sign_noun(at + 1, last).is_some()
    }

    /// Returns the position of the negated noun.
    fn negated_sign_noun(&self, from: usize, last: usize) -> Option<usize> {
        let joins = |at: usize| self.text.mark_at(at) == b',' || matches!(self.word_at(at), "or" | "and" | "any");
        let is_noun =
            |at: &usize| is_sign_noun(self.word_at(*at)) || !looks_like_modifier(self.word_at(*at)) && !joins(*at);
        let noun = (from..last.min(from + MAX_WORDS_BEFORE_NOUN)).find(is_noun)?;
        // "No examination red flags for"
        let compound = (noun..noun + MAX_COMPOUND_WORDS).take_while(|&at| self.may_be_noun(at));
        let noun = compound.into_iter().find(|&at| is_sign_noun(self.word_at(at))).unwrap_or(noun);
        let condition = |at: usize| {
            let term = self.terms.binary_search_by_key(&at, |term| term.first as usize);
            term.is_ok_and(|term| self.is_in_groups(term, &DENIABLE_GROUPS)) && !is_sign_noun(self.word_at(at))
        };
        // "No change in" does not negate the disorder, "no change to suggest" does.
        let stays = |at: usize| is_change_noun(self.word_at(at)) && self.word_at(at + 1) != "to";
        let word = |at: usize| !self.word_at(at).is_empty() || joins(at);
        if (from..=noun).any(|at| condition(at) || stays(at) || !word(at)) {
            return None;
        }
        // A plain "no evidence of" is left to the cues.
        let sign = is_sign_noun(self.word_at(noun)) || is_change_noun(self.word_at(noun));
        let next = matches!(self.word_at(noun + 1), "of" | "for");
        let goes_on =
            sign != next || self.word_at(noun + 2) == "enough" || sign && (noun > from + 1 || (from..noun).any(joins));
        goes_on.then_some(noun)
    }

    fn may_be_noun(&self, at: usize) -> bool {
        let word = self.word_at(at);
        !word.is_empty() && !is_preposition(word) && !is_auxiliary(word)
    }

    /// Negates the objects of a noun for evidence, skipping places and insertions.
    pub(super) fn negate_objects_of_sign(&mut self, from: usize, terms: Range<usize>, end: usize) {
        let last = self.terms[terms.end - 1].first as usize;
        let Some(noun) = self.negated_sign_noun(from, last) else { return };
        // "No mention was made of"
        let made = if is_auxiliary(self.word_at(noun + 1)) { noun + 3 } else { noun + 1 };
        let Some(from) = self.end_of_insertion(made, last) else { return };
        let supports = is_sign_noun(self.word_at(noun));
        for at in from..last.min(from + MAX_REACH) {
            let word = self.word_at(at);
            // "findings that are in any way indicative of"
            let relative = is_auxiliary(word) && is_relative_pronoun(self.word_at(at - 1));
            let ends = is_auxiliary(word) && !relative || begins_clause(word) || matches!(word, "with" | "and");
            if ends || matches!(self.text.mark_at(at), b'.' | b';' | b':' | b',') {
                return;
            }
            let object = match word {
                "of" => Some(at + 1),
                "for" if supports => Some(at + 1),
                _ if is_supporting_word(word) => Some(at + 1),
                // "no reason to believe he has", "no basis for calling this"
                _ if supports && is_naming_verb(word) => self.start_of_named_object(at + 1, last),
                _ => None,
            };
            if object.is_some_and(|object| self.negate_object(object, terms.clone(), end)) {
                return;
            }
        }
    }
}

/// Returns whether an insertion may stand between this word, a negation, and its object.
pub(super) fn is_word_negating_object(word: &str) -> bool {
    matches!(word, "without" | "denies" | "denied" | "negative" | "free" | "lack" | "longer")
}

pub(super) fn is_failure_word(word: &str) -> bool {
    matches!(word, "fail" | "fails" | "failed" | "unable")
}
