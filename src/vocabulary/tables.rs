//! What the hot loops read: the tables of an open vocabulary as slices, asked for once a note.

use super::class::Classes;
use super::trie::{Glance, Node, Step, Trie, follower_bit};
use super::words::{Probe, Ranks, WordId, Words};
use crate::token::Token;

/// The tables of an open vocabulary.
#[derive(Clone, Copy)]
pub(crate) struct Tables<'a> {
    pub(super) words: Words<'a>,
    pub(super) trie: Trie<'a>,
    pub(super) sets: &'a [[u64; 2]],
}

/// A word as the first of a form.
#[derive(Clone, Copy)]
struct Start {
    /// Whether the word alone is a form.
    alone: bool,
    /// The words with which a form may go on, as its record has them: mostly right when it says yes, always when it says no.
    followers: u32,
}

impl Start {
    /// No form begins with it.
    const NONE: Self = Self { alone: false, followers: 0 };
}

/// How many words are looked up side by side.
const SIDE_BY_SIDE: usize = 64;

impl Tables<'_> {
    /// Looks up every token of a folded text, and says from which of them a form may begin.
    pub(crate) fn lookup(
        &self,
        folded: &[u8],
        tokens: &[Token],
        ids: &mut Vec<WordId>,
        classes: &mut Vec<Classes>,
        starts: &mut Vec<u32>,
    ) {
        // The loop writes all of them, and need not ask for room three times a token.
        ids.resize(tokens.len(), WordId::SKIPPED);
        classes.resize(tokens.len(), Classes::NONE);
        starts.resize(tokens.len() + 1, 0);
        let mut probes = [Probe::NONE; SIDE_BY_SIDE];
        let mut places = [0; SIDE_BY_SIDE];
        let mut firsts = [Start::NONE; SIDE_BY_SIDE];
        let mut count = 0;
        // The word before, and where it stands: whether a form may begin with it depends on the next.
        let (mut last, mut last_at) = (Start::NONE, 0);
        let mut at = 0;
        let items = tokens.chunks(SIDE_BY_SIDE).zip(ids.chunks_mut(SIDE_BY_SIDE).zip(classes.chunks_mut(SIDE_BY_SIDE)));
        for (tokens, (ids, classes)) in items {
            // All slots are asked for before one is read, and all records: see `prefetch`.
            for (token, (probe, place)) in tokens.iter().zip(probes.iter_mut().zip(&mut places)) {
                *probe = Probe::at(folded, token.start as usize, token.end as usize);
                *place = self.words.prepare(probe);
            }
            for (probe, place) in probes.iter().zip(&mut places).take(tokens.len()) {
                *place = self.words.candidate(probe, *place);
            }
            let items = tokens.iter().zip(probes.iter().zip(&places)).zip(ids.iter_mut().zip(classes)).zip(&mut firsts);
            for (((token, (probe, &place)), (id, set)), first) in items {
                (*id, *set) = (WordId::SKIPPED, Classes::NONE);
                if token.skipped_in_terms() {
                    continue;
                }
                let word = || folded.get(token.start as usize..token.end as usize).unwrap_or_default();
                (*id, *first) = (WordId::UNKNOWN, Start::NONE);
                if let Some((found, record)) = self.words.find_candidate(place, probe, word) {
                    (*id, *set) = (found, class_set(self.sets, record.set));
                    if !token.glued() {
                        *first = Start { alone: record.flags != 0, followers: record.followers };
                    }
                }
            }
            for ((token, &id), &first) in tokens.iter().zip(&*ids).zip(&firsts) {
                let goes_on = !token.border_before();
                if id != WordId::SKIPPED || !goes_on {
                    starts[count] = last_at;
                    let follows = goes_on && id.is_known() && last.followers & follower_bit(id.0) != 0;
                    count += usize::from(last.alone || follows);
                    (last, last_at) = (if id == WordId::SKIPPED { Start::NONE } else { first }, at);
                }
                at += 1;
            }
        }
        starts[count] = last_at;
        count += usize::from(last.alone);
        starts.truncate(count);
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

    /// The node of the forms that begin with a word.
    #[inline]
    pub(crate) fn root(&self, word: WordId) -> Option<Node> {
        self.words.records.get(word.0 as usize).filter(|record| record.root != 0).map(|record| Node(record.root))
    }

    /// A step over a word from a node: take several side by side.
    #[inline]
    pub(crate) fn prepare(&self, node: Node, word: WordId) -> Step {
        self.trie.prepare(node, word)
    }

    /// What the node of a step says of itself and of the step.
    #[inline]
    pub(crate) fn glance(&self, step: Step) -> Glance {
        self.trie.glance(step)
    }

    /// The node that follows over the word at which was glanced.
    #[inline]
    pub(crate) fn child(&self, glance: Glance) -> Option<Node> {
        self.trie.child(glance)
    }
}

/// A set of classes as the file holds it: with room for more lists than there are.
#[inline]
pub(super) fn class_set(sets: &[[u64; 2]], set: u16) -> Classes {
    sets.get(set as usize).map_or(Classes::NONE, |&[lists, _]| Classes(lists))
}
