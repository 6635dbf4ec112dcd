//! Lists of which one denial speaks: its items share it, also those whose words the classifier has not met.

use std::ops::Range;

use super::super::assertion::{NEGATED, POSSIBLE, Status};
use super::FormReader;
use super::MENTIONS;
use super::classes::{fills, is_adjective};
use super::function_words::{is_change, is_preposition};
use crate::text::token::{Gap, Kind};

/// The longest item without a term, and the longest rest of one after its term, in tokens.
const ITEM: usize = 4;

impl FormReader<'_> {
    /// "no acute distress", "no free fluid": terms that touch are one phrase, and what negates a part of it negates all of it.
    pub(super) fn groups(&mut self) {
        for nth in 1..self.terms.len() {
            let [before, term] = [self.terms[nth - 1], self.terms[nth]];
            let touch = before.last == term.first && self.text.tokens[term.first as usize].gap <= Gap::Space;
            let [one, other] = [self.out[nth - 1].status, self.out[nth].status];
            // "no thyromegaly, goiter mild"
            let graded = self.text.phrase(term.first as usize, term.last as usize).is_some_and(|hit| hit.role.graded);
            if touch && !graded && one.is_affirmed() && other == Status::NEGATED {
                self.out[nth - 1].add(NEGATED, self.out[nth].cues[NEGATED]);
            }
        }
    }

    /// "No vertigo, hives, sick contacts or gout": what stands between two denied items is denied, and what "or" joins to one.
    pub(super) fn denied_lists(&mut self, terms: Range<usize>, end: usize) {
        let mut nth = terms.start;
        while nth + 1 < terms.end {
            let from = self.terms[nth].last as usize;
            let next = nth + 1;
            if !self.is_denied(nth) {
                nth = next;
                continue;
            }
            let stop = self.list_end(from, end);
            let last =
                next + self.terms[next..terms.end].iter().take_while(|term| (term.last as usize) <= stop).count();
            let between =
                (next..last).rev().find(|&item| self.is_denied(item) && self.is_of(item, &MENTIONS)).unwrap_or(nth);
            let joined = self.joined_end(from, stop);
            let joined = (next..last).rev().find(|&item| (self.terms[item].last as usize) <= joined).unwrap_or(nth);
            for item in next..=between.max(joined) {
                if self.is_item(item) && !self.out[item].status.has(Status::NEGATED) {
                    self.out[item].remove(POSSIBLE);
                    self.out[item].add(NEGATED, self.out[nth].cues[NEGATED]);
                }
            }
            nth = last.max(next);
        }
    }

    fn is_denied(&self, nth: usize) -> bool {
        let status = self.out[nth].status;
        status.has(Status::NEGATED) && !status.has(Status::HYPOTHETICAL)
    }

    /// Whether a term of a denied list is an item of it, and no circumstance: "pain with aspirin", but "loss of memory".
    pub(super) fn is_item(&self, nth: usize) -> bool {
        let first = self.terms[nth].first as usize;
        let preposition = (first.saturating_sub(2)..first).rev().find(|&at| is_preposition(self.word_at(at)));
        let part = preposition.is_none_or(|at| self.word_at(at) == "of" || is_change(self.word_at(at - 1)));
        part && self.is_of(nth, &MENTIONS)
    }

    /// Where a denied list is over at the latest: at another clause, a sign, a graded finding or a denial of its own.
    pub(super) fn list_end(&self, from: usize, end: usize) -> usize {
        let text = self.text;
        let ends = |at: &usize| {
            let (at, token) = (*at, text.tokens[*at]);
            let sign = token.kind != Kind::Word && !matches!(text.mark(at), b',' | b'/' | b'-' | b'&');
            let graded = text.mark(at - 1) == b',' && text.phrase(at, end).is_some_and(|hit| hit.role.graded);
            sign || graded || token.gap >= Gap::Wide || self.is_verb(at)
        };
        (from..end).find(ends).unwrap_or(end)
    }

    /// One past the last item that "or" joins to a denied one by nothing but plain items, or `from`.
    pub(super) fn joined_end(&self, from: usize, stop: usize) -> usize {
        let separates =
            |at: usize| matches!(self.text.mark(at), b',' | b'/') || matches!(self.word_at(at), "or" | "nor" | "and");
        let (mut joined, mut or, mut at) = (from, false, from);
        while at < stop {
            if separates(at) {
                or |= matches!(self.word_at(at), "or" | "nor");
                at += 1;
                continue;
            }
            let item = at..(at..stop).find(|&at| separates(at)).unwrap_or(stop);
            at = item.end;
            if !self.is_plain(item.clone(), item.start == from) {
                break;
            }
            if or {
                (joined, or) = (item.end, false);
            }
        }
        joined
    }

    /// Whether an item is a term with what belongs to it, or a few words without one.
    fn is_plain(&self, item: Range<usize>, rest: bool) -> bool {
        let inside = self.terms.partition_point(|term| (term.first as usize) < item.start);
        let term = self.terms.get(inside).filter(|term| (term.first as usize) < item.end);
        let Some(term) = term.filter(|_| !rest) else { return item.len() <= ITEM };
        let before = item.start..term.first as usize;
        let stands_before =
            |at: usize| fills(self.word_at(at)) || is_adjective(self.word_at(at)) || self.text.mark(at) == b'-';
        before.into_iter().all(stands_before) && item.end.saturating_sub(term.last as usize) <= ITEM
    }
}
