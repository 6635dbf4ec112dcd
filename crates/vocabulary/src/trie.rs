//! Trie of terms over word ids, in breadth-first order. The edges of a node are contiguous and edge `k` leads to
//! node `k + 1`, so an edge only stores its word.
//!
//! Most steps fail, and a Bloom filter over (node, next word) pairs rejects most of them without a search. A positive
//! answer of the filter still needs a search.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::entry::{EntryFlags, EntryId};
use super::format::NodeRecord;
use super::map::prefetch;
use super::words::WordId;

/// A node of the trie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Node(pub u32);

/// The entry of a node with the three flags that matching checks first, so that most matches need not read the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeEntry(u32);

impl NodeEntry {
    /// The maximum number of entries: ids have 29 bits.
    pub const MAX: usize = (1 << 29) - 1;
    const TERM: u32 = 1 << 29;
    const PHRASE: u32 = 1 << 30;
    const UPPER: u32 = 1 << 31;

    /// Packs the flags that a node stores with its entry's id. Every entry is a term or a phrase.
    pub fn pack(flags: EntryFlags) -> u32 {
        let bit = |flag, bit| if flags.has(flag) { bit } else { 0 };
        bit(EntryFlags::TERM, Self::TERM)
            | bit(EntryFlags::PHRASE, Self::PHRASE)
            | bit(EntryFlags::UPPER_ONLY, Self::UPPER)
    }

    #[inline]
    fn of(packed: u32) -> Option<Self> {
        (packed & (Self::TERM | Self::PHRASE) != 0).then_some(Self(packed))
    }

    /// Returns the id of the entry.
    #[inline]
    pub fn id(self) -> EntryId {
        EntryId(self.0 & (Self::TERM - 1))
    }

    /// Returns whether the entry is a term of a concept.
    #[inline]
    pub fn is_term(self) -> bool {
        self.0 & Self::TERM != 0
    }

    /// Returns whether the entry is a place or another phrase from a list.
    #[inline]
    pub fn is_phrase(self) -> bool {
        self.0 & Self::PHRASE != 0
    }

    /// Returns whether the entry matches only text in capital letters.
    #[inline]
    pub fn is_upper_only(self) -> bool {
        self.0 & Self::UPPER != 0
    }
}

/// The trie of an open vocabulary.
#[derive(Clone, Copy)]
pub struct Trie<'a> {
    pub nodes: &'a [NodeRecord],
    pub edges: &'a [u32],
    pub filter: &'a [u64],
}

/// A prepared step: the node it starts from, the word it goes over, and the hash of both.
#[derive(Clone, Copy)]
pub struct Step {
    hash: u64,
    node: Node,
    word: WordId,
}

impl Step {
    /// A step from no node.
    pub const NONE: Self = Self { hash: 0, node: Node(u32::MAX), word: WordId::UNKNOWN };

    /// Prepares the step over `word` from `node`.
    #[inline]
    fn new(node: Node, word: WordId) -> Self {
        Self { hash: filter_hash(node.0, word.0), node, word }
    }

    /// Returns the node from which the step starts.
    #[inline]
    pub const fn node(self) -> Node {
        self.node
    }
}

impl Trie<'_> {
    /// Returns the child of `node` over `word`.
    #[inline]
    pub fn step(&self, node: Node, word: WordId) -> Option<Node> {
        let step = Step::new(node, word);
        if self.may_follow(step) { self.child(step) } else { None }
    }

    /// Prepares the step over `word` from `node` and prefetches what [`may_follow`](Self::may_follow) and
    /// [`entry`](Self::entry) read. Prepare several steps before taking them.
    #[inline]
    pub fn prefetch_step(&self, node: Node, word: WordId) -> Step {
        let step = Step::new(node, word);
        prefetch(self.filter, filter_block(step.hash, self.filter.len()));
        prefetch(self.nodes, node.0 as usize);
        step
    }

    /// Returns whether the filter accepts a step.
    #[inline]
    pub fn may_follow(&self, step: Step) -> bool {
        let block = self.filter.get(filter_block(step.hash, self.filter.len())).copied().unwrap_or_default();
        let bits = filter_bits(step.hash);
        block & bits == bits
    }

    /// Returns the range of a node's edges.
    #[inline]
    fn range_of_edges(&self, node: Node) -> Range<usize> {
        match self.nodes.get(node.0 as usize..).and_then(|nodes| nodes.first_chunk()) {
            Some([node, next]) => node.edges as usize..next.edges as usize,
            None => 0..0,
        }
    }

    /// Prefetches what [`child`](Self::child) reads.
    #[inline]
    pub fn prefetch_child(&self, step: Step) {
        let edges = self.range_of_edges(step.node);
        prefetch(self.edges, edges.start.midpoint(edges.end));
    }

    /// Returns the node to which a step leads.
    #[inline]
    pub fn child(&self, step: Step) -> Option<Node> {
        let word = Some(step.word).filter(|word| word.is_known())?;
        let range = self.range_of_edges(step.node);
        let first = range.start;
        let at = position_in_sorted(self.edges.get(range)?, word.0)?;
        let next = (first + at + 1) as u32;
        // The last record only ends the edges of the one before.
        ((next as usize) < self.nodes.len() - 1).then_some(Node(next))
    }

    /// Returns the entry that ends at `node`.
    #[inline]
    pub fn entry(&self, node: Node) -> Option<NodeEntry> {
        NodeEntry::of(self.nodes.get(node.0 as usize)?.entry)
    }

    /// Iterates over the words that follow `node` and the nodes they lead to.
    pub fn children(&self, node: Node) -> impl Iterator<Item = (WordId, Node)> {
        let range = self.range_of_edges(node);
        let words = self.edges.get(range.clone()).unwrap_or_default();
        words.iter().zip(range).map(|(&word, edge)| (WordId(word), Node(edge as u32 + 1)))
    }

    /// Returns the node at which an entry ends, by binary search: entry numbers ascend with the nodes.
    pub fn node_of(&self, entry: EntryId) -> Option<Node> {
        let after = self.nodes.partition_point(|record| NodeEntry(record.entry).id() <= entry);
        let node = Node(after.checked_sub(1)? as u32);
        self.entry(node).filter(|found| found.id() == entry).map(|_| node)
    }

    /// Returns the parent of `node` and the word that leads from it to `node`.
    pub fn step_to_node(&self, node: Node) -> Option<(Node, WordId)> {
        let edge = node.0.checked_sub(1)?;
        let word = WordId(*self.edges.get(edge as usize)?);
        let after = self.nodes.partition_point(|record| record.edges <= edge);
        Some((Node(after.checked_sub(1)? as u32), word)).filter(|(before, _)| before.0 < node.0)
    }
}

/// Returns the position of a number in a sorted slice. The length is unpredictable, so the search halves the range a
/// fixed number of times per round, enough for nearly all slices, and the loop ends without a misprediction.
#[inline]
fn position_in_sorted(row: &[u32], wanted: u32) -> Option<usize> {
    let (mut first, mut left) = (0, row.len());
    loop {
        for _ in 0..8 {
            let half = left / 2;
            let middle = row.get(first + half).copied().unwrap_or(u32::MAX);
            first = select_unpredictable(middle <= wanted, first + half, first);
            left -= half;
        }
        if left <= 1 {
            return (row.get(first) == Some(&wanted)).then_some(first);
        }
    }
}

/// Returns the bit of a follower in the filter of a word record: one of 32.
#[inline]
pub const fn follower_bit(word: u32) -> u32 {
    word.wrapping_mul(0x9E37_79B9) >> 27
}

/// Returns the hash of a step for the filter.
#[inline]
const fn filter_hash(node: u32, word: u32) -> u64 {
    let hash = ((node as u64) << 32 | word as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// Returns the block of the filter for a hash.
#[inline]
const fn filter_block(hash: u64, blocks: usize) -> usize {
    (((hash >> 32) * blocks as u64) >> 32) as usize
}

/// Returns the three bits of the block that must be set.
#[inline]
const fn filter_bits(hash: u64) -> u64 {
    1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63)
}

/// A trie in the layout of the file.
pub struct TrieLayout {
    pub nodes: Vec<NodeRecord>,
    pub edges: Vec<u32>,
    pub filter: Vec<u64>,
    /// For each word that begins a term: its root node, its followers, and whether it is an entry alone.
    pub roots: Vec<Root>,
    /// For each entry number, the index of the entry in the input.
    pub order: Vec<u32>,
}

/// The fields that the record of a term's first word stores.
pub struct Root {
    pub word: u32,
    pub node: u32,
    pub followers: u32,
    pub has_entry: bool,
}

/// Lays out the trie of terms that are sorted by their word ids and unique, each with the index of its entry; `facts`
/// holds the packed flags of each entry. Entries are numbered in node order, so that a number leads back to its node.
pub fn build_trie(terms: &[(&[u32], u32)], facts: &[u32]) -> TrieLayout {
    let mut nodes = Vec::new();
    let mut edges: Vec<u32> = Vec::new();
    let mut order: Vec<u32> = Vec::with_capacity(terms.len());
    let mut ranges = std::collections::VecDeque::from([(0_u32, terms.len() as u32, 0_u8)]);
    while let Some((at, end, depth)) = ranges.pop_front() {
        let (mut at, end, depth) = (at as usize, end as usize, usize::from(depth));
        let mut entry = order.len() as u32;
        if at < end && terms[at].0.len() == depth {
            entry |= facts[terms[at].1 as usize];
            order.push(terms[at].1);
            at += 1;
        }
        nodes.push(NodeRecord { edges: edges.len() as u32, entry });
        while at < end {
            let word = terms[at].0[depth];
            let next = at + terms[at..end].partition_point(|term| term.0[depth] == word);
            edges.push(word);
            ranges.push_back((at as u32, next as u32, depth as u8 + 1));
            at = next;
        }
    }
    nodes.push(NodeRecord { edges: edges.len() as u32, entry: order.len() as u32 });

    // 16 bits per edge with three set: about 1 % false positives.
    let mut filter = vec![0_u64; (edges.len() / 4).max(1)];
    for (node, pair) in nodes.windows(2).enumerate() {
        for &word in &edges[pair[0].edges as usize..pair[1].edges as usize] {
            let hash = filter_hash(node as u32, word);
            let block = filter_block(hash, filter.len());
            filter[block] |= filter_bits(hash);
        }
    }
    let first_words = nodes.get(1).map_or(0, |node| node.edges as usize);
    let roots = (0..first_words)
        .map(|edge| {
            let node = edge + 1;
            let children = &edges[nodes[node].edges as usize..nodes[node + 1].edges as usize];
            Root {
                word: edges[edge],
                node: node as u32,
                followers: children.iter().fold(0, |bits, &word| bits | 1 << follower_bit(word)),
                has_entry: NodeEntry::of(nodes[node].entry).is_some(),
            }
        })
        .collect();
    TrieLayout { nodes, edges, filter, roots, order }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_what_was_built() {
        let terms: [(&[u32], u32); 5] = [(&[1], 4), (&[1, 2], 3), (&[1, 2, 3], 2), (&[1, 4], 1), (&[5, 1, 2], 0)];
        let built = build_trie(&terms, &[NodeEntry::TERM; 5]);
        assert_eq!(built.order, [4, 3, 1, 2, 0], "by the number of words, then by words");
        let trie = Trie { nodes: &built.nodes, edges: &built.edges, filter: &built.filter };
        for (words, entry) in terms {
            let node = words.iter().try_fold(Node(0), |node, &word| trie.step(node, WordId(word)));
            let found = node.and_then(|node| trie.entry(node)).map(super::NodeEntry::id).expect("an entry");
            assert_eq!(built.order[found.0 as usize], entry);
            assert_eq!(trie.node_of(found), node, "and back");
            let mut back = Vec::new();
            let mut at = node;
            while let Some((before, word)) = at.and_then(|node| trie.step_to_node(node)) {
                back.insert(0, word.0);
                at = Some(before);
            }
            assert_eq!(back, words);
        }
        assert_eq!(trie.node_of(EntryId(5)), None);
        let children: Vec<u32> = trie.children(Node(1)).map(|(word, _)| word.0).collect();
        assert_eq!((children, trie.children(Node(99)).count()), (vec![2, 4], 0));
        let one = trie.step(Node(0), WordId(1)).unwrap();
        assert_eq!(trie.step(one, WordId(3)), None);
        assert_eq!(trie.step(Node(0), WordId(2)), None);
        assert_eq!(built.roots.iter().map(|root| (root.word, root.node)).collect::<Vec<_>>(), [(1, 1), (5, 2)]);
        let five = trie.step(Node(0), WordId(5)).unwrap();
        assert_eq!(trie.entry(five), None);
    }

    #[test]
    fn what_stands_in_a_row_is_found() {
        for len in (0..20).chain([63, 64, 65, 255, 256, 257, 258, 1000, 70_000]) {
            let row: Vec<u32> = (0..len).map(|at| 2 * at + 1).collect();
            for (at, &number) in row.iter().enumerate() {
                assert_eq!(position_in_sorted(&row, number), Some(at));
                assert_eq!(position_in_sorted(&row, number - 1), None);
            }
            assert_eq!((position_in_sorted(&row, 2 * len), position_in_sorted(&row, u32::MAX)), (None, None));
        }
    }

    #[test]
    fn an_empty_trie_has_no_steps() {
        let built = build_trie(&[], &[]);
        let trie = Trie { nodes: &built.nodes, edges: &built.edges, filter: &built.filter };
        assert_eq!(trie.step(Node(0), WordId(0)), None);
        assert_eq!(
            (trie.node_of(EntryId(0)), trie.step_to_node(Node(0)), trie.step_to_node(Node(1))),
            (None, None, None)
        );
    }
}
