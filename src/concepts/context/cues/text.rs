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

    /// The first token from one on, and before another, that may say something by itself or with those behind it.
    #[inline]
    pub(in super::super) fn next_telling(&self, at: usize, end: usize) -> usize {
        let Cues { telling, telling_marks, others_tell, .. } = self.cues;
        let tells = |id: WordId, token: &Token| match telling.get(id.0 as usize / 64) {
            Some(block) if block >> (id.0 % 64) & 1 != 0 => true,
            _ => match token.kind {
                Kind::Word => *others_tell && id == WordId::UNKNOWN,
                Kind::Punct => telling_marks >> (token.mark() & 0x7F) & 1 != 0,
                _ => true,
            },
        };
        let (ids, tokens) = (&self.ids[at..end], &self.tokens[at..end]);
        at + ids.iter().zip(tokens).position(|(&id, token)| tells(id, token)).unwrap_or(end - at)
    }

    #[inline]
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
        let hit = |(last, node): (usize, u32)| Hit { last, role: self.cues.tries[trie].node(node).role };
        // Behind a `*` some words may stand before the rest.
        let rest = gap
            .filter(|&(_, at)| found.is_none_or(|(last, _)| last <= at))
            .and_then(|(node, from)| (from..end.min(from + GAP)).find_map(|at| self.walk(trie, node, at, end).0));
        rest.or(found).map(hit)
    }

    /// The end and the node of the longest phrase from a node on, and the last node on the way behind which a `*` stands, with
    /// the token there.
    fn walk(&self, trie: usize, node: u32, first: usize, end: usize) -> (Option<(usize, u32)>, Option<(u32, usize)>) {
        let trie = &self.cues.tries[trie];
        let (mut node, mut found, mut gap) = (node, None, None);
        let mut at = first;
        while at < end {
            if self.ids[at] == WordId::SKIPPED && at > first {
                at += 1;
                continue;
            }
            node = trie.next(node, self.unit(at));
            if node == 0 {
                break;
            }
            at += 1;
            let here = trie.node(node);
            if here.ends {
                found = Some((at, node));
            }
            if here.gap != 0 {
                gap = Some((here.gap, at));
            }
        }
        (found, gap)
    }
}
