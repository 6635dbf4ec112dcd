//! Phrases of cues in a text.

use super::trie::Trie;
use super::{CueHit, Cues, GAP, LONGEST, MARKS, NONE};
use crate::note::Note;
use crate::text::token::{Kind, Token};
use crate::vocabulary::WordId;

/// The tokens of a note and their words, in which cues are matched.
#[derive(Clone, Copy)]
pub(in super::super) struct CueMatcher<'a> {
    pub(in super::super) cues: &'a Cues,
    pub(in super::super) note: &'a Note<'a>,
    pub(in super::super) tokens: &'a [Token],
    pub(in super::super) ids: &'a [WordId],
}

impl<'a> CueMatcher<'a> {
    /// Whether a phrase of the first trie may begin at a token.
    #[inline]
    pub(in super::super) fn may_begin(&self, at: usize) -> bool {
        let id = self.ids[at];
        if let Some(block) = self.cues.starts.get(id.0 as usize / 64)
            && block >> (id.0 % 64) & 1 != 0
        {
            return true;
        }
        let token = &self.tokens[at];
        match token.kind {
            Kind::Punct => self.cues.marks >> (token.mark() & 0x7F) & 1 != 0,
            _ => id == WordId::UNKNOWN && !self.cues.others.is_empty() && self.unit(at) != NONE,
        }
    }

    /// The first token from one on, and before another, that may begin a cue.
    #[inline]
    pub(in super::super) fn next_trigger(&self, at: usize, end: usize) -> usize {
        let Cues { triggers, trigger_marks, others_trigger, .. } = self.cues;
        let tells = |id: WordId, token: &Token| match triggers.get(id.0 as usize / 64) {
            Some(block) if block >> (id.0 % 64) & 1 != 0 => true,
            _ => match token.kind {
                Kind::Word => *others_trigger && id == WordId::UNKNOWN,
                Kind::Punct => trigger_marks >> (token.mark() & 0x7F) & 1 != 0,
                // A year may.
                Kind::Number => token.end - token.start == 4 || *others_trigger && id == WordId::UNKNOWN,
                _ => true,
            },
        };
        let (ids, tokens) = (&self.ids[at..end], &self.tokens[at..end]);
        at + ids.iter().zip(tokens).position(|(&id, token)| tells(id, token)).unwrap_or(end - at)
    }

    #[inline]
    fn unit(&self, at: usize) -> u32 {
        let (kind, id) = (self.tokens[at].kind, self.ids[at]);
        if kind == Kind::Word && id.is_known() { id.0 } else { self.other_unit(at) }
    }

    /// The unit of a mark, or of a word that the vocabulary has not.
    #[inline(never)]
    fn other_unit(&self, at: usize) -> u32 {
        let (token, id) = (&self.tokens[at], self.ids[at]);
        match token.kind {
            Kind::Punct if !token.skipped_in_terms() => MARKS | u32::from(token.mark()),
            _ if id.is_known() => id.0,
            _ if id == WordId::SKIPPED => NONE,
            _ => self.cues.others.get(self.word(at)).copied().unwrap_or(NONE),
        }
    }

    /// The folded text of a token.
    pub(in super::super) fn word(&self, at: usize) -> &str {
        &self.note.text()[self.tokens[at].span().range()]
    }

    /// The longest phrase of the first trie that begins at a token and ends before another.
    #[inline]
    pub(in super::super) fn phrase(&self, at: usize, end: usize) -> Option<CueHit<'a>> {
        if at >= end || !self.may_begin(at) {
            return None;
        }
        let trie = &self.cues.tries[0];
        let unit = self.cues.canonical(self.unit(at));
        let node = trie.node(trie.next(0, unit));
        // Most words go on with nothing.
        let goes_on = |next: WordId| next == WordId::SKIPPED || node.may_follow(self.cues.canonical(self.unit(at + 1)));
        if node.gap != 0 || unit == self.cues.not || at + 1 < end && goes_on(self.ids[at + 1]) {
            return self.longest(0, at, end);
        }
        node.ends.then_some(CueHit { last: at + 1, role: &node.role })
    }

    /// The longest phrase that introduces what a person has.
    pub(in super::super) fn of_person(&self, at: usize, end: usize) -> Option<CueHit<'a>> {
        self.longest(1, at, end)
    }

    #[inline(never)]
    fn longest(&self, trie: usize, first: usize, end: usize) -> Option<CueHit<'a>> {
        let cues: &'a Cues = self.cues;
        let (trie, end) = (&cues.tries[trie], end.min(first + LONGEST).min(self.ids.len()));
        let (mut found, gap) = self.walk(trie, 0, first, end);
        // Behind a `*` some words may stand before the rest.
        if let Some((node, from)) = gap
            && found.last <= from
        {
            let rest = (from..end.min(from + GAP)).map(|at| self.walk(trie, node, at, end).0);
            found = rest.into_iter().find(|rest| rest.node != 0).unwrap_or(found);
        }
        (found.node != 0).then(|| CueHit { last: found.last, role: &trie.node(found.node).role })
    }

    /// The longest phrase from a node on, and the last node on the way after which a `*` stands, with the token there.
    #[inline]
    fn walk(&self, trie: &Trie, node: u32, first: usize, end: usize) -> (Found, Option<(u32, usize)>) {
        let (mut node, mut found, mut gap) = (node, Found::default(), None);
        let mut here = trie.node(node);
        let (mut at, mut before) = (first, NONE);
        while at < end {
            if self.ids[at] == WordId::SKIPPED && at > first {
                at += 1;
                continue;
            }
            let unit = self.cues.canonical(self.unit(at));
            if before == self.cues.not && self.cues.adverbs.binary_search(&unit).is_ok() {
                at += 1;
                continue;
            }
            before = unit;
            if !here.may_follow(unit) {
                break;
            }
            node = trie.next(node, unit);
            if node == 0 {
                break;
            }
            at += 1;
            here = trie.node(node);
            if here.ends {
                found = Found { last: at, node };
            }
            if here.gap != 0 {
                gap = Some((here.gap, at));
            }
        }
        (found, gap)
    }
}

/// A phrase on its way: one past its last token, and its node; 0 is none.
#[derive(Clone, Copy, Default)]
struct Found {
    last: usize,
    node: u32,
}
