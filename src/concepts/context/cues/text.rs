//! Phrases of cues in a text.

use super::{Cues, GAP, Hit, LONGEST, MARKS, NONE};
use crate::text::token::{Kind, Token};
use crate::vocabulary::WordId;

/// The words of a text as cues are told apart by them.
#[derive(Clone, Copy)]
pub(in super::super) struct Text<'a> {
    pub(in super::super) cues: &'a Cues,
    pub(in super::super) folded: &'a str,
    pub(in super::super) tokens: &'a [Token],
    pub(in super::super) ids: &'a [WordId],
}

impl Text<'_> {
    /// Whether a phrase of the first trie may begin at a token.
    #[inline]
    pub(in super::super) fn may_begin(&self, at: usize) -> bool {
        let id = self.ids[at];
        if let Some(block) = self.cues.starts.get(id.0 as usize / 64)
            && block >> (id.0 % 64) & 1 != 0
        {
            return true;
        }
        let token = self.tokens[at];
        match token.kind {
            Kind::Punct => self.cues.marks >> (token.mark() & 0x7F) & 1 != 0,
            _ => id == WordId::UNKNOWN && !self.cues.others.is_empty() && self.unit(at) != NONE,
        }
    }

    fn unit(&self, at: usize) -> u32 {
        let (token, id) = (self.tokens[at], self.ids[at]);
        match token.kind {
            Kind::Punct if !token.skipped_in_terms() => MARKS | u32::from(token.mark()),
            _ if id.is_known() => id.0,
            _ if id == WordId::SKIPPED => NONE,
            _ => self.cues.others.get(self.word(at)).copied().unwrap_or(NONE),
        }
    }

    /// The folded text of a token.
    pub(in super::super) fn word(&self, at: usize) -> &str {
        &self.folded[self.tokens[at].span().range()]
    }

    /// The longest phrase of the first trie that begins at a token and ends before another.
    #[inline]
    pub(in super::super) fn phrase(&self, at: usize, end: usize) -> Option<Hit> {
        if self.may_begin(at) { self.longest(0, at, end) } else { None }
    }

    /// The longest phrase of what says what a person has.
    pub(in super::super) fn of_person(&self, at: usize, end: usize) -> Option<Hit> {
        self.longest(1, at, end)
    }

    fn longest(&self, trie: usize, first: usize, end: usize) -> Option<Hit> {
        let end = end.min(first + LONGEST);
        let (found, gap) = self.walk(trie, 0, first, end);
        found.filter(|hit| gap.is_none_or(|(_, at)| hit.last > at)).or_else(|| {
            // Behind a `*` some words may stand before the rest.
            let (node, from) = gap?;
            let rest = (from..end.min(from + GAP)).find_map(|at| self.walk(trie, node, at, end).0);
            rest.or(found)
        })
    }

    /// The longest phrase from a node on, and the last node on the way behind which a `*` stands, with the token there.
    fn walk(&self, trie: usize, node: u32, first: usize, end: usize) -> (Option<Hit>, Option<(u32, usize)>) {
        let (nodes, edges) = (&self.cues.nodes[trie], &self.cues.edges[trie]);
        let (mut node, mut found, mut gap) = (node, None, None);
        let mut at = first;
        while at < end {
            if self.ids[at] == WordId::SKIPPED && at > first {
                at += 1;
                continue;
            }
            let Some(&next) = edges.get(&(node, self.unit(at))) else { break };
            node = next;
            at += 1;
            if nodes[node as usize].ends {
                found = Some(Hit { last: at, role: nodes[node as usize].role });
            }
            if nodes[node as usize].gap != 0 {
                gap = Some((nodes[node as usize].gap, at));
            }
        }
        (found, gap)
    }
}
