//! Denials at a distance: "no finding on this study of", "failed, despite two scans, to show", "has not had since May any".

use std::ops::Range;

use super::super::assertion::{HISTORICAL, Status};
use super::classes::{begins_clause, is_adjective, is_having, is_naming, is_supporting};
use super::function_words::{
    begins_condition, is_adverb, is_auxiliary, is_change, is_denial, is_preposition, is_pronoun, is_relative, is_sign,
};
use super::subjects::CONDITIONS;
use super::{Answer, FormReader};

/// How far a denial and an insertion reach, in tokens.
const FAR: usize = 28;
/// How many words a compound noun may have: "examination red flags".
const COMPOUND: usize = 4;
/// How many words may stand between "no" and its noun.
const ADJECTIVES: usize = 8;

impl FormReader<'_> {
    /// The end of what is inserted at a token: "without, on inspection, a nevus".
    pub(super) fn past_insertion(&self, at: usize, last: usize) -> Option<usize> {
        let close = match self.text.mark(at) {
            b',' => b',',
            b'(' => b')',
            _ => return Some(at),
        };
        let within = |at: &usize| !matches!(self.text.mark(*at), b';' | b':' | b'.') || close == b')';
        let mut inserted = (at + 1..last.min(at + FAR)).take_while(within);
        inserted.find(|&end| self.text.mark(end) == close).map(|end| end + 1)
    }

    /// Where the object of a denial begins after an insertion: "negative, as before, for gout", "failed, despite two scans, to show".
    pub(super) fn interrupted(&self, at: usize, last: usize) -> Option<usize> {
        let fails = fails(self.word_at(at));
        let longer = self.word_at(at) != "longer" || at > 0 && self.word_at(at - 1) == "no";
        let denies = denies_object(self.word_at(at)) && longer;
        if !denies && !fails {
            return None;
        }
        // "unable to elicit, despite leading questions, a story of", "denied ever having been bothered by"
        match self.word_at(at + 1) {
            "to" if fails => return self.verb(at + 2, last),
            "ever" | "having" if denies => return self.verb(at + 1, last),
            _ => {}
        }
        // "unable, listening front and back, sitting and lying, to hear"
        let to = (at + 1..last.min(at + FAR)).find(|&to| self.word_at(to) == "to" && is_having(self.word_at(to + 1)));
        let plain =
            |to: usize| (at + 1..to).all(|at| !begins_clause(self.word_at(at)) && !is_auxiliary(self.word_at(at)));
        if let Some(to) = to.filter(|&to| fails && self.text.mark(at + 1) == b',' && plain(to)) {
            return self.verb(to + 1, last);
        }
        let resumed = self.past_insertion(at + 1, last).filter(|&resumed| resumed > at + 1)?;
        match self.word_at(resumed) {
            "to" if fails => self.verb(resumed + 1, last),
            _ if fails => None,
            // "Denies, wife present, smoking": in a list of the like nothing is inserted.
            _ if self.begins_term(at + 2) => None,
            "for" | "of" | "from" => Some(resumed + 1),
            _ => matches!(self.word_at(at), "without" | "denies" | "denied" | "longer").then_some(resumed),
        }
    }

    /// Whether a term is one that is known to be there: "no source for the bleeding", "does not mention her gout".
    pub(super) fn is_known(&self, first: usize) -> bool {
        match self.word_at(first - 1) {
            "his" | "her" | "their" | "my" | "your" => true,
            "the" | "this" => {
                matches!(self.word_at(first.saturating_sub(2)), "for" | "of" | "in" | "to" | "from" | "with")
            }
            _ => false,
        }
    }

    /// Whether the verb before "any" is denied: "has not had since her last visit any migraine".
    pub(super) fn is_denied_any(&self, before: Range<usize>) -> bool {
        let mut having = false;
        for at in before.rev().take(FAR) {
            let word = self.word_at(at);
            let other = begins_clause(word) || begins_condition(word) || matches!(word, "for" | "hesitate" | "call");
            if other || matches!(self.text.mark(at), b'.' | b';' | b':' | b'?') {
                return false;
            }
            if is_denial(word) || matches!(word, "nobody" | "nothing" | "none" | "neither" | "denies" | "denied") {
                return having;
            }
            having |= is_having(word) || matches!(word, "be" | "there");
        }
        false
    }

    /// "has not had since her last visit any vertigo": what has not been since then is not of the past.
    pub(super) fn not_since(&mut self, begin: usize, any: usize, terms: Range<usize>) {
        if !(begin..any).any(|at| self.word_at(at) == "since") {
            return;
        }
        for nth in terms {
            if self.head(nth) > any && self.out[nth].status.has(Status::NEGATED) {
                self.out[nth].remove(HISTORICAL);
            }
        }
    }

    /// "Hives, vertigo, gout: she says no to each."
    pub(super) fn deny_before(&mut self, at: usize, terms: Range<usize>) {
        let colon = (at.saturating_sub(ADJECTIVES)..at).rev().find(|&at| self.text.mark(at) == b':');
        let Some(colon) = colon else { return };
        for nth in terms.filter(|&nth| self.terms[nth].last as usize <= colon).collect::<Vec<_>>() {
            self.answer_term(nth, Answer::No);
        }
    }

    /// "denies all of the following when read from the list: hives, vertigo"
    pub(super) fn deny_listed(&mut self, at: usize, terms: Range<usize>, end: usize) {
        let denies = |at: usize| matches!(self.word_at(at), "denies" | "denied" | "deny" | "none" | "negative" | "no");
        let Some(colon) = (at + 1..end.min(at + FAR / 2)).find(|&at| self.text.mark(at) == b':') else { return };
        let named = terms.clone().any(|nth| (at..colon).contains(&self.head(nth)));
        if named || !(at.saturating_sub(ADJECTIVES / 2)..at).any(denies) {
            return;
        }
        let stop = self.list_end(colon + 1, end);
        for nth in terms {
            if self.head(nth) > colon && self.terms[nth].last as usize <= stop {
                self.answer_term(nth, Answer::No);
            }
        }
    }

    /// The end of an adverbial that stands between "not" and its verb: "on any occasion this month", "these days".
    pub(super) fn past_adverbial(&self, from: usize, last: usize) -> usize {
        if !is_preposition(self.word_at(from)) && !matches!(self.word_at(from), "these" | "once") {
            return from;
        }
        let passes = |at: &usize| {
            let word = self.word_at(*at);
            !word.is_empty() && !begins_clause(word) && !is_pronoun(word) && !is_having(word) && !is_supporting(word)
        };
        let first = from + 1;
        let length = (first..last.min(first + FAR / 2)).take_while(passes).count();
        // The last words may stand before the verb: "these days really".
        let adverbs = (first..first + length).rev().take_while(|&at| is_adverb(self.word_at(at))).count();
        if is_having(self.word_at(first + length)) || is_supporting(self.word_at(first + length)) {
            first + length - adverbs
        } else {
            from
        }
    }

    /// Whether "no" or "without" stands before a noun that speaks for something, or counts it: "no red flags for", "no instances of".
    pub(super) fn is_sign_of(&self, at: usize, last: usize) -> bool {
        matches!(self.word_at(at), "no" | "without") && self.sign(at + 1, last).is_some()
    }

    /// Where the noun ends that is denied.
    fn sign(&self, from: usize, last: usize) -> Option<usize> {
        let joins = |at: usize| self.text.mark(at) == b',' || matches!(self.word_at(at), "or" | "and" | "any");
        let is_noun = |at: &usize| is_sign(self.word_at(*at)) || !is_adjective(self.word_at(*at)) && !joins(*at);
        let noun = (from..last.min(from + ADJECTIVES)).find(is_noun)?;
        // "No examination red flags for"
        let compound = (noun..noun + COMPOUND).take_while(|&at| self.is_noun(at));
        let noun = compound.into_iter().find(|&at| is_sign(self.word_at(at))).unwrap_or(noun);
        let condition = |at: usize| {
            let term = self.terms.binary_search_by_key(&at, |term| term.first as usize);
            term.is_ok_and(|term| self.is_of(term, &CONDITIONS)) && !is_sign(self.word_at(at))
        };
        // "No change in" leaves a disorder, "no change to suggest" does not.
        let stays = |at: usize| is_change(self.word_at(at)) && self.word_at(at + 1) != "to";
        let word = |at: usize| !self.word_at(at).is_empty() || joins(at);
        if (from..=noun).any(|at| condition(at) || stays(at) || !word(at)) {
            return None;
        }
        // A cue reads "no evidence of".
        let sign = is_sign(self.word_at(noun)) || is_change(self.word_at(noun));
        let next = matches!(self.word_at(noun + 1), "of" | "for");
        let goes_on =
            sign != next || self.word_at(noun + 2) == "enough" || sign && (noun > from + 1 || (from..noun).any(joins));
        goes_on.then_some(noun)
    }

    fn is_noun(&self, at: usize) -> bool {
        let word = self.word_at(at);
        !word.is_empty() && !is_preposition(word) && !is_auxiliary(word)
    }

    /// Denies what a sign would be of, past places and insertions.
    pub(super) fn deny_sign(&mut self, from: usize, terms: Range<usize>, end: usize) {
        let last = self.terms[terms.end - 1].first as usize;
        let Some(noun) = self.sign(from, last) else { return };
        // "No mention was made of"
        let made = if is_auxiliary(self.word_at(noun + 1)) { noun + 3 } else { noun + 1 };
        let Some(from) = self.past_insertion(made, last) else { return };
        let supports = is_sign(self.word_at(noun));
        for at in from..last.min(from + FAR) {
            let word = self.word_at(at);
            // "findings that are in any way indicative of"
            let relative = is_auxiliary(word) && is_relative(self.word_at(at - 1));
            let ends = is_auxiliary(word) && !relative || begins_clause(word) || matches!(word, "with" | "and");
            if ends || matches!(self.text.mark(at), b'.' | b';' | b':' | b',') {
                return;
            }
            let object = match word {
                "of" => Some(at + 1),
                "for" if supports => Some(at + 1),
                _ if is_supporting(word) => Some(at + 1),
                // "no reason to believe he has", "no basis for calling this"
                _ if supports && is_naming(word) => self.named(at + 1, last),
                _ => None,
            };
            if object.is_some_and(|object| self.deny_object(object, terms.clone(), end)) {
                return;
            }
        }
    }
}

/// Whether an insertion may stand between a word that denies and its object.
pub(super) fn denies_object(word: &str) -> bool {
    matches!(word, "without" | "denies" | "denied" | "negative" | "free" | "lack" | "longer")
}

pub(super) fn fails(word: &str) -> bool {
    matches!(word, "fail" | "fails" | "failed" | "unable")
}
