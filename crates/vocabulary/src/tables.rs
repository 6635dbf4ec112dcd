//! Tables of an open vocabulary as slices for hot loops, obtained once per note.

use super::Vocabulary;
use super::class::Classes;
use super::format::WordRecord;
use super::map::prefetch;
use super::trie::{Node, NodeEntry, Step, Trie, follower_bit};
use super::words::{FrequencyRanks, Probe, Usage, WordId, Words, bytes_of_token};
use notesieve_text::token::Token;

/// The tables of an open vocabulary.
#[derive(Clone, Copy)]
pub struct Tables<'a> {
    pub words: Words<'a>,
    pub trie: Trie<'a>,
    pub usage: &'a [u32],
    pub sets: &'a [Classes],
}

/// A position where a form may begin: a token whose word begins some form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The index of the token.
    pub at: u32,
    /// The root node of the forms that begin with its word.
    pub root: Node,
}

impl Start {
    /// Returns every start in a text whose words were looked up. `lookup_words` of the core returns fewer: it drops
    /// starts that cannot continue.
    pub fn all(vocabulary: &Vocabulary, tokens: &[Token], ids: &[WordId]) -> Vec<Self> {
        let words = (0..).zip(tokens).zip(ids).filter(|((_, token), _)| !token.glued());
        words.filter_map(|((at, _), &id)| Some(Self { at, root: vocabulary.root_of_word(id)? })).collect()
    }
}

/// The number of words looked up in one batch.
const LOOKUP_BATCH: usize = 128;
/// The size of a batch's buffer of starts: one for each value of a byte, so that no index is out of bounds.
const STARTS_CAPACITY: usize = 1 << u8::BITS;

const _: () = assert!(LOOKUP_BATCH < STARTS_CAPACITY);

impl Tables<'_> {
    /// Implements `lookup_words` of the core. `keys` receives the key of each token, see
    /// [`token_key`](notesieve_text::token::token_key).
    pub fn lookup(
        &self,
        folded: &str,
        tokens: &[Token],
        keys: &mut Vec<u64>,
        ids: &mut Vec<WordId>,
        classes: &mut Vec<Classes>,
        starts: &mut Vec<Start>,
    ) {
        resize_buffers(tokens.len(), keys, ids, classes);
        starts.clear();
        let (mut probes, mut hashes) = ([[0; 2]; LOOKUP_BATCH], [0; LOOKUP_BATCH]);
        // For the previous word: `alone` is 1 if it is a form by itself, else 0; `followers` is a Bloom filter of the
        // words that can follow it in a form. The previous word's index is already in the next free place of `places`.
        let (mut alone, mut followers, mut places) = (0, 0, [0; STARTS_CAPACITY]);
        for first in (0..tokens.len()).step_by(LOOKUP_BATCH) {
            let all = first..tokens.len().min(first + LOOKUP_BATCH);
            let (first, many) = (first as u32, all.len());
            let (tokens, keys) = (&tokens[all.clone()], &mut keys[all.clone()]);
            let (some_ids, classes) = (&mut ids[all.clone()], &mut classes[all]);
            // Prefetch all slots before reading one, then all records: see `prefetch`.
            self.words.prefetch_lookup(folded, tokens, keys, &mut probes[..many], &mut hashes[..many]);
            self.words.candidates(&hashes[..many], some_ids);
            let mut count = 0_u8;
            let items = tokens.iter().zip(&probes[..many]).zip(some_ids).zip(classes);
            for (at, (((token, probe), id), set)) in (first..).zip(items) {
                // No form crosses a border.
                followers &= all_bits_unless(token.border_before());
                let record = match self.words.records.get(id.0 as usize) {
                    // Fast path: nearly every word is known, short, and its first candidate.
                    Some(record) if are_same_keys(record.key, *probe) => record,
                    _ => {
                        let probe = Probe { key: *probe, hash: hashes[(at - first) as usize % LOOKUP_BATCH] };
                        let Some(record) = self.look_up_after_mismatch(id, &probe, folded, token) else {
                            *set = self.add_derivation(Classes::NONE, || bytes_of_token(folded, token));
                            // Terms continue across skipped tokens.
                            let ends = all_bits_unless(*id == WordId::SKIPPED);
                            count += (alone & ends) as u8 & 1;
                            (alone, followers) = (alone & !ends, followers & !ends);
                            continue;
                        };
                        record
                    }
                };
                *set = self.add_derivation(class_set(self.sets, record.set), || bytes_of_token(folded, token));
                count += (alone | followers >> follower_bit(id.0)) as u8 & 1;
                places[count as usize] = at;
                let all = all_bits_unless(token.glued());
                (alone, followers) = (u32::from(record.flags) & all, record.followers & all);
            }
            starts.extend(places[..count as usize].iter().map(|&at| self.start_at(at, ids)));
            // Whether the last start counts depends on the next word.
            places[0] = places[count as usize];
        }
        if alone & 1 != 0 {
            starts.push(self.start_at(places[0], ids));
        }
    }

    /// Returns the start at a token.
    #[inline]
    fn start_at(&self, at: u32, ids: &[WordId]) -> Start {
        Start { at, root: self.root_of_word(ids[at as usize]) }
    }

    /// Looks up the word of a token whose first candidate was wrong. Sets `id` to the word and returns its record.
    /// Tokens that terms skip are never words of a vocabulary.
    #[cold]
    #[inline(never)]
    fn look_up_after_mismatch(
        &self,
        id: &mut WordId,
        probe: &Probe,
        folded: &str,
        token: &Token,
    ) -> Option<&WordRecord> {
        if token.skipped_in_terms() {
            *id = WordId::SKIPPED;
            return None;
        }
        let found = self.words.find_other_than(*id, probe, folded.as_bytes(), token.start, token.end);
        let (word, record) = found.map_or((WordId::UNKNOWN, None), |(word, record)| (word, Some(record)));
        *id = word;
        record
    }

    /// Returns the id of a folded word.
    pub fn word_id(&self, folded: &[u8]) -> WordId {
        self.words.find(folded).map_or(WordId::UNKNOWN, |(id, _)| id)
    }

    /// Returns the frequency ranks of a word; zeros for an unknown word.
    #[inline]
    pub fn ranks(&self, word: WordId) -> FrequencyRanks {
        self.words.records.get(word.0 as usize).map_or_else(FrequencyRanks::default, |record| {
            let [surname, first_name, frequency] = record.ranks;
            FrequencyRanks { surname, first_name, frequency }
        })
    }

    /// Returns how general English uses a word.
    #[inline]
    pub fn usage(&self, word: WordId) -> Usage {
        Usage(self.usage.get(word.0 as usize).copied().unwrap_or(0))
    }

    /// Prefetches what [`usage`](Self::usage()) reads.
    #[inline]
    pub fn prefetch_usage(&self, word: WordId) {
        prefetch(self.usage, word.0 as usize);
    }

    /// Returns the lists that contain a word.
    #[inline]
    pub fn classes(&self, word: WordId) -> Classes {
        self.words.records.get(word.0 as usize).map_or(Classes::NONE, |record| class_set(self.sets, record.set))
    }

    /// Returns the root node of the forms that begin with a word, or node 0 if there are none.
    #[inline]
    fn root_of_word(&self, word: WordId) -> Node {
        Node(self.words.records.get(word.0 as usize).map_or(0, |record| record.root))
    }

    /// Prepares a step over a word from a node and prefetches its data: prepare several before taking them.
    #[inline]
    pub fn prefetch_step(&self, node: Node, word: WordId) -> Step {
        self.trie.prefetch_step(node, word)
    }

    /// Returns the entry that ends at the node from which a step starts.
    #[inline]
    pub fn entry(&self, step: Step) -> Option<NodeEntry> {
        self.trie.entry(step.node())
    }

    /// Returns whether the word of a step may follow: a Bloom filter with false positives and no false negatives.
    #[inline]
    pub fn may_follow(&self, step: Step) -> bool {
        self.trie.may_follow(step)
    }

    /// Prefetches what [`child`](Self::child) reads.
    #[inline]
    pub fn prefetch_child(&self, step: Step) {
        self.trie.prefetch_child(step);
    }

    /// Returns the node to which a step leads.
    #[inline]
    pub fn child(&self, step: Step) -> Option<Node> {
        self.trie.child(step)
    }
}

/// Resizes the buffers to one item per token; the loop overwrites all items without checking the capacity.
fn resize_buffers(tokens: usize, keys: &mut Vec<u64>, ids: &mut Vec<WordId>, classes: &mut Vec<Classes>) {
    keys.resize(tokens, 0);
    ids.resize(tokens, WordId::SKIPPED);
    classes.resize(tokens, Classes::NONE);
}

/// Returns whether two word keys are equal, without a branch between their halves.
#[inline]
const fn are_same_keys(one: [u64; 2], other: [u64; 2]) -> bool {
    (one[0] ^ other[0]) | (one[1] ^ other[1]) == 0
}

/// Returns no bits if `not` is true, otherwise all; without a branch, which would often be mispredicted.
#[inline]
const fn all_bits_unless(not: bool) -> u32 {
    (not as u32).wrapping_sub(1)
}

/// Returns the class set with this index.
#[inline]
pub fn class_set(sets: &[Classes], set: u16) -> Classes {
    sets.get(set as usize).copied().unwrap_or(Classes::NONE)
}
