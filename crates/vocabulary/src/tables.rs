//! What the hot loops read: the tables of an open vocabulary as slices, asked for once a note.

use super::Vocabulary;
use super::class::Classes;
use super::derivation::EVIDENCE;
use super::format::WordRecord;
use super::map::prefetch;
use super::trie::{Node, NodeEntry, Step, Trie, follower_bit};
use super::words::{FrequencyRanks, Probe, Usage, WordId, Words};
use notesieve_text::token::{Kind, Token};

/// The tables of an open vocabulary.
#[derive(Clone, Copy)]
pub struct Tables<'a> {
    pub words: Words<'a>,
    pub trie: Trie<'a>,
    pub usage: &'a [u32],
    pub sets: &'a [Classes],
}

/// Where a form may begin: at a word with which one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The token.
    pub at: u32,
    /// The node of the forms that begin with it.
    pub root: Node,
}

impl Start {
    /// All of a text whose words were looked up: more than `lookup_words` of the core gives, which sees what cannot go on.
    pub fn all(vocabulary: &Vocabulary, tokens: &[Token], ids: &[WordId]) -> Vec<Self> {
        let words = (0..).zip(tokens).zip(ids).filter(|((_, token), _)| !token.glued());
        words.filter_map(|((at, _), &id)| Some(Self { at, root: vocabulary.root_of_word(id)? })).collect()
    }
}

/// How many words are looked up side by side.
const SIDE_BY_SIDE: usize = 128;
/// How much room they have for starts: one for each value of a byte, so that no index is out of bounds.
const ROOM: usize = 1 << u8::BITS;

const _: () = assert!(SIDE_BY_SIDE < ROOM);

impl Tables<'_> {
    /// What `lookup_words` of the core does; `keys` gets the key of each token, see
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
        make_room(tokens.len(), keys, ids, classes);
        starts.clear();
        let (mut probes, mut hashes) = ([[0; 2]; SIDE_BY_SIDE], [0; SIDE_BY_SIDE]);
        // Of the word before: whether it is a form alone, 0 or 1, and a filter of the words with which a form that begins with it
        // may go on, with false positives and no false negatives. The place where the next start goes has it already.
        let (mut alone, mut followers, mut places) = (0, 0, [0; ROOM]);
        for first in (0..tokens.len()).step_by(SIDE_BY_SIDE) {
            let all = first..tokens.len().min(first + SIDE_BY_SIDE);
            let (first, many) = (first as u32, all.len());
            let (tokens, keys) = (&tokens[all.clone()], &mut keys[all.clone()]);
            let (some_ids, classes) = (&mut ids[all.clone()], &mut classes[all]);
            // All slots are asked for before one is read, and all records: see `prefetch`.
            self.words.prefetch_lookup(folded, tokens, keys, &mut probes[..many], &mut hashes[..many]);
            self.words.candidates(&hashes[..many], some_ids);
            let mut count = 0_u8;
            let items = tokens.iter().zip(&probes[..many]).zip(some_ids).zip(classes);
            for (at, (((token, probe), id), set)) in (first..).zip(items) {
                // A form does not reach over a border.
                followers &= all_bits_unless(token.border_before());
                let record = match self.words.records.get(id.0 as usize) {
                    // Nearly every word is known, is the one that it most likely is, and is short.
                    Some(record) if are_same_keys(record.key, *probe) => record,
                    _ => {
                        let probe = Probe { key: *probe, hash: hashes[(at - first) as usize % SIDE_BY_SIDE] };
                        let Some(record) = self.look_up_unlikely(id, &probe, folded, token) else {
                            *set = self.lists_of_unlisted_token(folded, token);
                            // Over what is left out terms go on.
                            let ends = all_bits_unless(*id == WordId::SKIPPED);
                            count += (alone & ends) as u8 & 1;
                            (alone, followers) = (alone & !ends, followers & !ends);
                            continue;
                        };
                        record
                    }
                };
                *set = self.lists_of_token(class_set(self.sets, record.set), folded, token);
                count += (alone | followers >> follower_bit(id.0)) as u8 & 1;
                places[count as usize] = at;
                let all = all_bits_unless(token.glued());
                (alone, followers) = (u32::from(record.flags) & all, record.followers & all);
            }
            starts.extend(places[..count as usize].iter().map(|&at| self.start_at(at, ids)));
            // It is not yet known whether the last one counts.
            places[0] = places[count as usize];
        }
        if alone & 1 != 0 {
            starts.push(self.start_at(places[0], ids));
        }
    }

    /// Where a form may begin at a word.
    #[inline]
    fn start_at(&self, at: u32, ids: &[WordId]) -> Start {
        Start { at, root: self.root_of_word(ids[at as usize]) }
    }

    /// The record of the word of a token that is not the one that it most likely is; `id` becomes the word that it is. Those that
    /// terms leave out are no words of a vocabulary.
    #[cold]
    #[inline(never)]
    fn look_up_unlikely(&self, id: &mut WordId, probe: &Probe, folded: &str, token: &Token) -> Option<&WordRecord> {
        if token.skipped_in_terms() {
            *id = WordId::SKIPPED;
            return None;
        }
        let found = self.words.find_other_than(*id, probe, folded.as_bytes(), token.start, token.end);
        let (word, record) = found.map_or((WordId::UNKNOWN, None), |(word, record)| (word, Some(record)));
        *id = word;
        record
    }

    /// The lists of a token whose word stands on these.
    #[inline]
    fn lists_of_token(&self, listed: Classes, folded: &str, token: &Token) -> Classes {
        if listed.any(!EVIDENCE) { listed } else { listed | self.lists_of_unlisted_token(folded, token) }
    }

    /// The lists of a token that stands on none.
    #[cold]
    fn lists_of_unlisted_token(&self, folded: &str, token: &Token) -> Classes {
        let word = folded.as_bytes().get(token.span().range()).filter(|_| token.kind == Kind::Word);
        word.map_or(Classes::NONE, |word| self.lists_of_derived_word(word))
    }

    /// The id of a folded word.
    pub fn word_id(&self, folded: &[u8]) -> WordId {
        self.words.find(folded).map_or(WordId::UNKNOWN, |(id, _)| id)
    }

    /// How often a word was counted; zeros for an unknown one.
    #[inline]
    pub fn ranks(&self, word: WordId) -> FrequencyRanks {
        self.words.records.get(word.0 as usize).map_or_else(FrequencyRanks::default, |record| {
            let [surname, first_name, frequency] = record.ranks;
            FrequencyRanks { surname, first_name, frequency }
        })
    }

    /// How general English uses a word.
    #[inline]
    pub fn usage(&self, word: WordId) -> Usage {
        Usage(self.usage.get(word.0 as usize).copied().unwrap_or(0))
    }

    /// Prefetches how general English uses a word that is asked for soon.
    #[inline]
    pub fn prefetch_usage(&self, word: WordId) {
        prefetch(self.usage, word.0 as usize);
    }

    /// The lists on which a word stands.
    #[inline]
    pub fn classes(&self, word: WordId) -> Classes {
        self.words.records.get(word.0 as usize).map_or(Classes::NONE, |record| class_set(self.sets, record.set))
    }

    /// The node of the forms that begin with a word; if none does, the first node.
    #[inline]
    fn root_of_word(&self, word: WordId) -> Node {
        Node(self.words.records.get(word.0 as usize).map_or(0, |record| record.root))
    }

    /// A step over a word from a node: take several side by side.
    #[inline]
    pub fn prefetch_step(&self, node: Node, word: WordId) -> Step {
        self.trie.prefetch_step(node, word)
    }

    /// The entry that ends at the node of a step.
    #[inline]
    pub fn entry(&self, step: Step) -> Option<NodeEntry> {
        self.trie.entry(step.node())
    }

    /// Whether the word of a step may follow: a filter with false positives and no false negatives.
    #[inline]
    pub fn may_follow(&self, step: Step) -> bool {
        self.trie.may_follow(step)
    }

    /// Asks memory for what [`child`](Self::child) reads.
    #[inline]
    pub fn prefetch_child(&self, step: Step) {
        self.trie.prefetch_child(step);
    }

    /// The node to which a step leads.
    #[inline]
    pub fn child(&self, step: Step) -> Option<Node> {
        self.trie.child(step)
    }
}

/// Gives buffers an item a token: the loop writes all of them, and need not ask for room at each.
fn make_room(tokens: usize, keys: &mut Vec<u64>, ids: &mut Vec<WordId>, classes: &mut Vec<Classes>) {
    keys.resize(tokens, 0);
    ids.resize(tokens, WordId::SKIPPED);
    classes.resize(tokens, Classes::NONE);
}

/// Whether two keys of words are the same, without a branch between their halves.
#[inline]
const fn are_same_keys(one: [u64; 2], other: [u64; 2]) -> bool {
    (one[0] ^ other[0]) | (one[1] ^ other[1]) == 0
}

/// All bits or, under a condition, none; without a branch, which would often be mispredicted.
#[inline]
const fn all_bits_unless(not: bool) -> u32 {
    (not as u32).wrapping_sub(1)
}

/// A set of classes by its number.
#[inline]
pub fn class_set(sets: &[Classes], set: u16) -> Classes {
    sets.get(set as usize).copied().unwrap_or(Classes::NONE)
}
