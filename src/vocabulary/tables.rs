//! What the hot loops read: the tables of an open vocabulary as slices, asked for once a note.

use super::class::Classes;
use super::format::WordRecord;
use super::trie::{Node, NodeEntry, Trie, follower_bit};
use super::words::{Probe, Ranks, WordId, Words};
use crate::token::Token;

/// The tables of an open vocabulary.
#[derive(Clone, Copy)]
pub(crate) struct Tables<'a> {
    pub(super) words: Words<'a>,
    pub(super) trie: Trie<'a>,
    pub(super) sets: &'a [[u64; 2]],
}

/// A word with which forms begin.
#[derive(Clone, Copy)]
pub(crate) struct Root<'a>(&'a WordRecord);

impl Root<'_> {
    #[inline]
    pub(crate) const fn node(self) -> Node {
        Node(self.0.root)
    }

    /// Whether the word alone is a form.
    #[inline]
    pub(crate) const fn has_entry(self) -> bool {
        self.0.flags != 0
    }

    /// Whether a form may go on with `word`; mostly right when it says yes, always when it says no.
    #[inline]
    pub(crate) const fn may_continue(self, word: WordId) -> bool {
        self.0.followers & follower_bit(word.0) != 0
    }
}

impl<'a> Tables<'a> {
    /// Looks up every token of a folded text.
    pub(crate) fn lookup(&self, folded: &[u8], tokens: &[Token], ids: &mut Vec<WordId>, classes: &mut Vec<Classes>) {
        ids.clear();
        classes.clear();
        // Filled beforehand, so that the loop need not ask for room twice a token.
        ids.resize(tokens.len(), WordId::SKIPPED);
        classes.resize(tokens.len(), Classes::NONE);
        for (token, (id, set)) in tokens.iter().zip(ids.iter_mut().zip(classes)) {
            if token.skipped_in_terms() {
                continue;
            }
            let (start, end) = (token.start as usize, token.end as usize);
            let probe = Probe::at(folded, start, end);
            match self.words.find(&probe, || folded.get(start..end).unwrap_or_default()) {
                Some((found, record)) => (*id, *set) = (found, class_set(self.sets, record.set)),
                None => *id = WordId::UNKNOWN,
            }
        }
    }

    /// The id of a folded word.
    pub(crate) fn word(&self, folded: &[u8]) -> WordId {
        self.words.find(&Probe::of(folded), || folded).map_or(WordId::UNKNOWN, |(id, _)| id)
    }

    /// How often a word was counted; zeros for an unknown one.
    #[inline]
    pub(crate) fn ranks(&self, word: WordId) -> Ranks {
        self.words.records.get(word.0 as usize).map_or_else(Ranks::default, |record| {
            let [surname, first_name, frequency] = record.ranks;
            Ranks { surname, first_name, frequency }
        })
    }

    /// The lists on which a word stands.
    #[inline]
    pub(crate) fn classes(&self, word: WordId) -> Classes {
        self.words.records.get(word.0 as usize).map_or(Classes::NONE, |record| class_set(self.sets, record.set))
    }

    /// The word as the first of forms.
    #[inline]
    pub(crate) fn root(&self, word: WordId) -> Option<Root<'a>> {
        self.words.records.get(word.0 as usize).filter(|record| record.root != 0).map(Root)
    }

    /// The node that follows over a word.
    #[inline]
    pub(crate) fn step(&self, node: Node, word: WordId) -> Option<Node> {
        self.trie.step(node, word)
    }

    /// The entry that ends at a node.
    #[inline]
    pub(crate) fn entry(&self, node: Node) -> Option<NodeEntry> {
        self.trie.entry(node)
    }
}

/// A set of classes as the file holds it.
#[inline]
pub(super) fn class_set(sets: &[[u64; 2]], set: u16) -> Classes {
    sets.get(set as usize).map_or(Classes::NONE, |&[low, high]| Classes(u128::from(low) | u128::from(high) << 64))
}
