//! Walks over the trie that find terms, many in parallel.

use std::hint::select_unpredictable;

use super::{Match, Matches, Start};
use crate::bits::indices_of_bits;
use crate::text::token::{Case, Token};
use crate::vocabulary::{Node, NodeEntry, Step, Tables, WordId};

/// Matches the terms of a text whose words have been looked up. It does not depend on a note, because texts with
/// expanded abbreviations are matched, too.
pub(super) struct TermMatcher<'a> {
    pub(super) tables: Tables<'a>,
    pub(super) tokens: &'a [Token],
    pub(super) ids: &'a [WordId],
    pub(super) starts: &'a [Start],
}

/// The number of starts that are walked in parallel: enough to hide memory latency, few enough for the first-level
/// cache and a 64-bit mask.
const SIDE_BY_SIDE: usize = 64;

/// A walk through the trie at its current node.
#[derive(Clone, Copy)]
struct TrieWalk {
    /// The node, with the step to take next.
    step: Step,
    /// The index of its start among the parallel walks.
    start: u32,
    /// The last token of the walk so far, and the unit after it.
    last: u32,
    next: u32,
}

impl TrieWalk {
    const NONE: Self = Self { step: Step::NONE, start: 0, last: 0, next: 0 };
}

impl TermMatcher<'_> {
    pub(super) fn find_longest_matches(&self, found: &mut Matches) {
        let (mut terms_end, mut phrases_end) = (0, 0);
        let mut walks = [TrieWalk::NONE; SIDE_BY_SIDE];
        let (mut terms, mut phrases) = ([Match::NONE; SIDE_BY_SIDE], [Match::NONE; SIDE_BY_SIDE]);
        for starts in self.starts.chunks(SIDE_BY_SIDE) {
            // The longest match of each start, which overwrites shorter ones, and a bitmask of the starts that have
            // one.
            let (mut are_terms, mut are_phrases) = (0, 0);
            self.for_each_match(starts, &mut walks, |start, entry, last| {
                let hit = Match { first: starts[start].at, end: last, entry: entry.id() };
                if entry.is_term() {
                    terms[start] = hit;
                    are_terms |= 1 << start;
                }
                if entry.is_phrase() {
                    phrases[start] = hit;
                    are_phrases |= 1 << start;
                }
            });
            keep_non_overlapping(&mut terms, are_terms, &mut terms_end, &mut found.terms);
            keep_non_overlapping(&mut phrases, are_phrases, &mut phrases_end, &mut found.phrases);
        }
    }

    pub(super) fn find_all_matches(&self, found: &mut Matches) {
        let mut walks = [TrieWalk::NONE; SIDE_BY_SIDE];
        for starts in self.starts.chunks(SIDE_BY_SIDE) {
            self.for_each_match(starts, &mut walks, |start, entry, last| {
                let hit = Match { first: starts[start].at, end: last, entry: entry.id() };
                if entry.is_term() {
                    found.terms.push(hit);
                }
                if entry.is_phrase() {
                    found.phrases.push(hit);
                }
            });
        }
        // Matches are found by length, shorter ones first.
        found.terms.sort_unstable();
        found.phrases.sort_unstable();
    }

    /// Calls `hit` for each match that begins at one of `starts`, with the index of the start, the entry and the end
    /// (exclusive); shorter matches of a start come first.
    ///
    /// In a large vocabulary nearly every step is a cache miss, whose target is known only afterwards. So all walks
    /// take one step before any takes the next, and separate loops prefetch the memory before it is read.
    ///
    /// Most walks end where they begin; a bitmask of those that continue is computed without branches.
    #[inline]
    fn for_each_match(
        &self,
        starts: &[Start],
        walks: &mut [TrieWalk; SIDE_BY_SIDE],
        mut hit: impl FnMut(usize, NodeEntry, u32),
    ) {
        let mut count = self.start_walks(starts, walks);
        while count > 0 {
            let (ending, going) = self.ending_and_going_walks(&walks[..count]);
            for walk in indices_of_bits(ending).map(|place| walks[place]) {
                if let Some(entry) = self.tables.entry(walk.step)
                    && self.may_end_match(walk.last as usize)
                    && (!entry.is_upper_only()
                        || self.tokens[starts[walk.start as usize].at as usize].case == Case::Upper)
                {
                    hit(walk.start as usize, entry, walk.last + 1);
                }
            }
            count = self.advance_walks(going, walks);
        }
    }

    /// Moves every walk to its root, and returns the number of walks.
    #[inline(never)]
    fn start_walks(&self, starts: &[Start], walks: &mut [TrieWalk; SIDE_BY_SIDE]) -> usize {
        // Equal lengths leave a single bounds check.
        let matcher = TermMatcher { tokens: &self.tokens[..self.ids.len()], ..*self };
        for ((start, &Start { at, root }), walk) in (0..).zip(starts).zip(walks) {
            *walk = matcher.walk_at_node(root, start, at);
        }
        starts.len()
    }

    /// Returns bitmasks of the walks at whose node an entry ends, and of those that may continue.
    #[inline(never)]
    fn ending_and_going_walks(&self, walks: &[TrieWalk]) -> (u64, u64) {
        let (mut ending, mut going) = (0, 0);
        for (place, walk) in walks.iter().enumerate() {
            ending |= u64::from(self.tables.entry(walk.step).is_some()) << place;
            going |= u64::from(self.tables.may_follow(walk.step)) << place;
        }
        (ending, going)
    }

    /// Advances these walks by one step, and returns how many remain.
    #[inline(never)]
    fn advance_walks(&self, going: u64, walks: &mut [TrieWalk; SIDE_BY_SIDE]) -> usize {
        for place in indices_of_bits(going) {
            self.tables.prefetch_child(walks[place].step);
        }
        let mut count = 0;
        for place in indices_of_bits(going) {
            let TrieWalk { step, start, next, .. } = walks[place];
            if let Some(node) = self.tables.child(step) {
                walks[count] = self.walk_at_node(node, start, next);
                count += 1;
            }
        }
        count
    }

    /// Returns a walk at a node that it reached by token `last`.
    #[inline]
    fn walk_at_node(&self, node: Node, start: u32, last: u32) -> TrieWalk {
        let (next, word) = self.next_unit(last);
        TrieWalk { step: self.tables.prefetch_step(node, word), start, last, next }
    }

    /// Returns the unit after a token and its word, or an index out of range if there is none before a border.
    #[inline]
    fn next_unit(&self, at: u32) -> (u32, WordId) {
        let mut unit = self.unit_at(at as usize + 1);
        while unit.1 == WordId::SKIPPED {
            unit = self.unit_at(unit.0 as usize + 1);
        }
        unit
    }

    /// Returns the token and its word, or an index out of range if a border precedes it.
    #[inline]
    fn unit_at(&self, at: usize) -> (u32, WordId) {
        match self.ids.get(at) {
            Some(&id) if !self.tokens[at].border_before() => (at as u32, id),
            _ => (u32::MAX, WordId::UNKNOWN),
        }
    }

    #[inline]
    fn may_end_match(&self, last: usize) -> bool {
        self.tokens.get(last + 1).is_none_or(|next| !next.glued())
    }
}

/// Appends the matches at these indices, in order, that begin at or after the end of the previous one. A branch would
/// be mispredicted, so every match is written to the next slot and only the count depends on the test.
#[inline]
fn keep_non_overlapping(matches: &mut [Match; SIDE_BY_SIDE], places: u64, end: &mut u32, found: &mut Vec<Match>) {
    let mut count = 0;
    for place in indices_of_bits(places) {
        let hit = matches[place];
        let apart = hit.first >= *end;
        matches[count % SIDE_BY_SIDE] = hit;
        *end = select_unpredictable(apart, hit.end, *end);
        count += usize::from(apart);
    }
    found.extend_from_slice(&matches[..count]);
}
