//! Matching of cue phrases in a text.

use super::trie::CueTrie;
use super::{CompiledCues, CueHit, FIRST_MARK_UNIT, MAX_GAP_WORDS, MAX_PHRASE_TOKENS, NO_UNIT};
use crate::note::Note;
use crate::text::token::{Kind, Token};
use crate::vocabulary::WordId;

/// The tokens of a note and their word ids, in which cues are matched.
#[derive(Clone, Copy)]
pub(in super::super) struct CueMatcher<'a> {
    pub(in super::super) cues: &'a CompiledCues,
    pub(in super::super) note: &'a Note<'a>,
    pub(in super::super) tokens: &'a [Token],
    pub(in super::super) ids: &'a [WordId],
}

impl<'a> CueMatcher<'a> {
    /// Returns whether a phrase of the first trie may begin at a token.
    #[inline]
    pub(in super::super) fn may_begin_phrase(&self, at: usize) -> bool {
        let id = self.ids[at];
        if self.cues.starts.contains(id.0 as usize) {
            return true;
        }
        let token = &self.tokens[at];
        match token.kind {
            Kind::Punct => self.cues.marks >> (token.mark() & 0x7F) & 1 != 0,
            _ => id == WordId::UNKNOWN && !self.cues.unknown_words.is_empty() && self.unit_at(at) != NO_UNIT,
        }
    }

    /// Returns the first token in `at..end` that may begin a cue or change a status by itself, or `end`.
    #[inline]
    pub(in super::super) fn next_possible_trigger(&self, at: usize, end: usize) -> usize {
        let CompiledCues { triggers, trigger_marks, others_trigger, .. } = self.cues;
        let tells = |id: WordId, token: &Token| {
            triggers.contains(id.0 as usize)
                || match token.kind {
                    Kind::Word => *others_trigger && id == WordId::UNKNOWN,
                    Kind::Punct => trigger_marks >> (token.mark() & 0x7F) & 1 != 0,
                    // A number of four digits may be a year.
                    Kind::Number => token.end - token.start == 4 || *others_trigger && id == WordId::UNKNOWN,
                    _ => true,
                }
        };
        let (ids, tokens) = (&self.ids[at..end], &self.tokens[at..end]);
        at + ids.iter().zip(tokens).position(|(&id, token)| tells(id, token)).unwrap_or(end - at)
    }

    #[inline]
    fn unit_at(&self, at: usize) -> u32 {
        let (kind, id) = (self.tokens[at].kind, self.ids[at]);
        if kind == Kind::Word && id.is_known() { id.0 } else { self.unit_of_mark_or_unknown_word(at) }
    }

    /// Returns the unit of a mark, or of a word that the vocabulary lacks.
    #[inline(never)]
    fn unit_of_mark_or_unknown_word(&self, at: usize) -> u32 {
        let (token, id) = (&self.tokens[at], self.ids[at]);
        match token.kind {
            Kind::Punct if !token.skipped_in_terms() => FIRST_MARK_UNIT | u32::from(token.mark()),
            _ if id.is_known() => id.0,
            _ if id == WordId::SKIPPED => NO_UNIT,
            _ => self.cues.unknown_words.get(self.folded_text(at)).copied().unwrap_or(NO_UNIT),
        }
    }

    /// Returns the folded text of a token.
    pub(in super::super) fn folded_text(&self, at: usize) -> &str {
        &self.note.text()[self.tokens[at].span().range()]
    }

    /// Returns the longest phrase of the first trie that begins at a token and ends at or before `end`.
    #[inline]
    pub(in super::super) fn longest_phrase(&self, at: usize, end: usize) -> Option<CueHit<'a>> {
        if at >= end || !self.may_begin_phrase(at) {
            return None;
        }
        let trie = &self.cues.tries[0];
        let unit = self.cues.expand_contraction(self.unit_at(at));
        let node = trie.node(trie.child(0, unit));
        // Most words do not continue any phrase.
        let goes_on = |next: WordId| {
            next == WordId::SKIPPED || node.may_be_followed_by(self.cues.expand_contraction(self.unit_at(at + 1)))
        };
        if node.gap != 0 || unit == self.cues.not || at + 1 < end && goes_on(self.ids[at + 1]) {
            return self.longest_match_in_trie(0, at, end);
        }
        node.ends.then_some(CueHit { end: at + 1, role: &node.role })
    }

    /// Returns the longest phrase that introduces the conditions of a person.
    pub(in super::super) fn longest_person_phrase(&self, at: usize, end: usize) -> Option<CueHit<'a>> {
        self.longest_match_in_trie(1, at, end)
    }

    #[inline(never)]
    fn longest_match_in_trie(&self, trie: usize, first: usize, end: usize) -> Option<CueHit<'a>> {
        let cues: &'a CompiledCues = self.cues;
        let (trie, end) = (&cues.tries[trie], end.min(first + MAX_PHRASE_TOKENS).min(self.ids.len()));
        let (mut found, gap) = self.walk_trie(trie, 0, first, end);
        // A few words may stand between a `*` and the rest of the phrase.
        if let Some((node, from)) = gap
            && found.end <= from
        {
            let rest = (from..end.min(from + MAX_GAP_WORDS)).map(|at| self.walk_trie(trie, node, at, end).0);
            found = rest.into_iter().find(|rest| rest.node != 0).unwrap_or(found);
        }
        (found.node != 0).then(|| CueHit { end: found.end, role: &trie.node(found.node).role })
    }

    /// Returns the longest phrase from a node on, and the last `*` on the way: the node after it and the token there.
    #[inline]
    fn walk_trie(&self, trie: &CueTrie, node: u32, first: usize, end: usize) -> (MatchedPhrase, Option<(u32, usize)>) {
        let (mut node, mut found, mut gap) = (node, MatchedPhrase::default(), None);
        let mut here = trie.node(node);
        let (mut at, mut before) = (first, NO_UNIT);
        while at < end {
            if self.ids[at] == WordId::SKIPPED && at > first {
                at += 1;
                continue;
            }
            let unit = self.cues.expand_contraction(self.unit_at(at));
            if before == self.cues.not && self.cues.adverbs.binary_search(&unit).is_ok() {
                at += 1;
                continue;
            }
            before = unit;
            if !here.may_be_followed_by(unit) {
                break;
            }
            node = trie.child(node, unit);
            if node == 0 {
                break;
            }
            at += 1;
            here = trie.node(node);
            if here.ends {
                found = MatchedPhrase { end: at, node };
            }
            if here.gap != 0 {
                gap = Some((here.gap, at));
            }
        }
        (found, gap)
    }
}

/// A partial match: its end (exclusive) and its node; node 0 means no match.
#[derive(Clone, Copy, Default)]
struct MatchedPhrase {
    end: usize,
    node: u32,
}
