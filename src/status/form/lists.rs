//! Lists under one negation: all items share it, including those whose words the classifier does not know.

use std::ops::Range;

use super::super::assertion::{NEGATED, POSSIBLE, Status};
use super::FormReader;
use super::MENTION_GROUPS;
use super::classes::{is_object_filler, looks_like_modifier};
use super::function_words::{is_change_noun, is_preposition};
use crate::text::token::{Gap, Kind};

/// The maximum length of an item without a term, and of the rest of an item after its term, in tokens.
const MAX_PLAIN_ITEM_TOKENS: usize = 4;

impl FormReader<'_> {
    /// Extends a negation to an adjoining term, because both are one phrase: "no acute distress", "no free fluid".
    pub(super) fn negate_adjoining_terms(&mut self) {
        for nth in 1..self.terms.len() {
            let [before, term] = [self.terms[nth - 1], self.terms[nth]];
            let touch = before.end == term.first && self.text.tokens[term.first as usize].gap <= Gap::Space;
            let [one, other] = [self.out[nth - 1].status, self.out[nth].status];
            // "no thyromegaly, goiter mild"
            let graded =
                self.text.longest_phrase(term.first as usize, term.end as usize).is_some_and(|hit| hit.role.graded);
            if touch && !graded && one.is_affirmed() && other == Status::NEGATED {
                self.out[nth - 1].set_cue(NEGATED, self.out[nth].cues[NEGATED]);
            }
        }
    }

    /// Negates the terms between two negated items, and those that "or" joins to one: "No vertigo, hives, sick contacts
    /// or gout".
    pub(super) fn negate_items_of_lists(&mut self, terms: Range<usize>, end: usize) {
        let mut nth = terms.start;
        while nth + 1 < terms.end {
            let from = self.terms[nth].end as usize;
            let next = nth + 1;
            if !self.is_negated_term(nth) {
                nth = next;
                continue;
            }
            let stop = self.end_of_negated_list(from, end);
            let last = next + self.terms[next..terms.end].iter().take_while(|term| (term.end as usize) <= stop).count();
            let between = (next..last)
                .rev()
                .find(|&item| self.is_negated_term(item) && self.is_in_groups(item, &MENTION_GROUPS))
                .unwrap_or(nth);
            let joined = self.end_of_items_joined_by_or(from, stop);
            let joined = (next..last).rev().find(|&item| (self.terms[item].end as usize) <= joined).unwrap_or(nth);
            for item in next..=between.max(joined) {
                if self.is_item_of_negated_list(item) && !self.out[item].status.contains(Status::NEGATED) {
                    self.out[item].clear_status(POSSIBLE);
                    self.out[item].set_cue(NEGATED, self.out[nth].cues[NEGATED]);
                }
            }
            nth = last.max(next);
        }
    }

    fn is_negated_term(&self, nth: usize) -> bool {
        let status = self.out[nth].status;
        status.contains(Status::NEGATED) && !status.contains(Status::HYPOTHETICAL)
    }

    /// Returns whether a term of a negated list is an item rather than a circumstance: "pain with aspirin", but "loss
    /// of memory".
    pub(super) fn is_item_of_negated_list(&self, nth: usize) -> bool {
        let first = self.terms[nth].first as usize;
        let preposition = (first.saturating_sub(2)..first).rev().find(|&at| is_preposition(self.word_at(at)));
        let part = preposition.is_none_or(|at| self.word_at(at) == "of" || is_change_noun(self.word_at(at - 1)));
        part && self.is_in_groups(nth, &MENTION_GROUPS)
    }

    /// Returns the latest possible end (exclusive) of a negated list: another clause, a sign, a graded finding or
    /// another negation.
    pub(super) fn end_of_negated_list(&self, from: usize, end: usize) -> usize {
        let text = self.text;
        let ends = |at: &usize| {
            let (at, token) = (*at, text.tokens[*at]);
            let sign = token.kind != Kind::Word && !matches!(text.mark_at(at), b',' | b'/' | b'-' | b'&');
            let graded =
                text.mark_at(at - 1) == b',' && text.longest_phrase(at, end).is_some_and(|hit| hit.role.graded);
            sign || graded || token.gap >= Gap::Wide || self.begins_predicate_or_clause(at)
        };
        (from..end).find(ends).unwrap_or(end)
    }

    /// Returns the end (exclusive) of the last item that "or" joins to a negated one through plain items only, or
    /// `from`.
    pub(super) fn end_of_items_joined_by_or(&self, from: usize, stop: usize) -> usize {
        let separates = |at: usize| {
            matches!(self.text.mark_at(at), b',' | b'/') || matches!(self.word_at(at), "or" | "nor" | "and")
        };
        let (mut joined, mut or, mut at) = (from, false, from);
        while at < stop {
            if separates(at) {
                or |= matches!(self.word_at(at), "or" | "nor");
                at += 1;
                continue;
            }
            let item = at..(at..stop).find(|&at| separates(at)).unwrap_or(stop);
            at = item.end;
            if !self.is_plain_item(item.clone(), item.start == from) {
                break;
            }
            if or {
                (joined, or) = (item.end, false);
            }
        }
        joined
    }

    /// Returns whether an item is a term with its modifiers, or a few words without a term.
    fn is_plain_item(&self, item: Range<usize>, rest: bool) -> bool {
        let inside = self.terms.partition_point(|term| (term.first as usize) < item.start);
        let term = self.terms.get(inside).filter(|term| (term.first as usize) < item.end);
        let Some(term) = term.filter(|_| !rest) else { return item.len() <= MAX_PLAIN_ITEM_TOKENS };
        let before = item.start..term.first as usize;
        let stands_before = |at: usize| {
            is_object_filler(self.word_at(at)) || looks_like_modifier(self.word_at(at)) || self.text.mark_at(at) == b'-'
        };
        before.into_iter().all(stands_before) && item.end.saturating_sub(term.end as usize) <= MAX_PLAIN_ITEM_TOKENS
    }
}
