//! The trie of terms over word ids, in breadth-first order: the edges of a node lie side by side and edge `k` leads to
//! node `k + 1`, so an edge is nothing but its word.
//!
//! Most steps fail, and a Bloom filter over (node, next word) says so without a search. A hit of the filter is a reason
//! to look, never an answer.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::entry::{EntryFlags, EntryId};
use super::format::NodeRecord;
use super::map::prefetch;
use super::words::WordId;

/// A place in the trie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Node(pub u32);

/// The entry of a node with what a match asks of it first: three bits beside the id spare a look at the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeEntry(u32);

impl NodeEntry {
    /// Ids have 29 bits.
    pub const MAX: usize = (1 << 29) - 1;
    const TERM: u32 = 1 << 29;
    const PHRASE: u32 = 1 << 30;
    const UPPER: u32 = 1 << 31;

    /// What a node says of its entry besides the number: every entry is a term or a phrase.
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

    /// The entry.
    #[inline]
    pub fn id(self) -> EntryId {
        EntryId(self.0 & (Self::TERM - 1))
    }

    /// Whether it is a term of a concept.
    #[inline]
    pub fn is_term(self) -> bool {
        self.0 & Self::TERM != 0
    }

    /// Whether it is a place or another phrase of a list.
    #[inline]
    pub fn is_phrase(self) -> bool {
        self.0 & Self::PHRASE != 0
    }

    /// Whether it counts in capital letters only.
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

/// A step that is about to be taken: the node from which, the word over which, and the hash of both.
#[derive(Clone, Copy)]
pub struct Step {
    hash: u64,
    node: Node,
    word: WordId,
}

impl Step {
    /// From no node.
    pub const NONE: Self = Self { hash: 0, node: Node(u32::MAX), word: WordId::UNKNOWN };

    /// The step over `word` from `node`.
    #[inline]
    fn new(node: Node, word: WordId) -> Self {
        Self { hash: filter_hash(node.0, word.0), node, word }
    }

    /// The node from which.
    #[inline]
    pub const fn node(self) -> Node {
        self.node
    }
}

impl Trie<'_> {
    /// The node that follows `node` over `word`.
    #[inline]
    pub fn step(&self, node: Node, word: WordId) -> Option<Node> {
        let step = Step::new(node, word);
        if self.may_follow(step) { self.child(step) } else { None }
    }

    /// A step over `word` from `node`. Asks memory for what [`may_follow`](Self::may_follow) and [`entry`](Self::entry) read:
    /// take several steps side by side.
    #[inline]
    pub fn prefetch_step(&self, node: Node, word: WordId) -> Step {
        let step = Step::new(node, word);
        prefetch(self.filter, filter_block(step.hash, self.filter.len()));
        prefetch(self.nodes, node.0 as usize);
        step
    }

    /// Whether the filter lets a step pass.
    #[inline]
    pub fn may_follow(&self, step: Step) -> bool {
        let block = self.filter.get(filter_block(step.hash, self.filter.len())).copied().unwrap_or_default();
        let bits = filter_bits(step.hash);
        block & bits == bits
    }

    /// Where the edges of a node lie.
    #[inline]
    fn range_of_edges(&self, node: Node) -> Range<usize> {
        match self.nodes.get(node.0 as usize..).and_then(|nodes| nodes.first_chunk()) {
            Some([node, next]) => node.edges as usize..next.edges as usize,
            None => 0..0,
        }
    }

    /// Asks memory for what [`child`](Self::child) reads.
    #[inline]
    pub fn prefetch_child(&self, step: Step) {
        let edges = self.range_of_edges(step.node);
        prefetch(self.edges, edges.start.midpoint(edges.end));
    }

    /// The node to which a step leads.
    #[inline]
    pub fn child(&self, step: Step) -> Option<Node> {
        let word = Some(step.word).filter(|word| word.is_known())?;
        let range = self.range_of_edges(step.node);
        let first = range.start;
        let at = position_in_sorted(self.edges.get(range)?, word.0)?;
        let next = (first + at + 1) as u32;
        // The last record only closes the edges of the one before.
        ((next as usize) < self.nodes.len() - 1).then_some(Node(next))
    }

    /// The entry that ends at `node`.
    #[inline]
    pub fn entry(&self, node: Node) -> Option<NodeEntry> {
        NodeEntry::of(self.nodes.get(node.0 as usize)?.entry)
    }

    /// The words that follow `node`, and the nodes they lead to.
    pub fn children(&self, node: Node) -> impl Iterator<Item = (WordId, Node)> {
        let range = self.range_of_edges(node);
        let words = self.edges.get(range.clone()).unwrap_or_default();
        words.iter().zip(range).map(|(&word, edge)| (WordId(word), Node(edge as u32 + 1)))
    }

    /// The node at which an entry ends: the numbers of entries grow from node to node.
    pub fn node_of(&self, entry: EntryId) -> Option<Node> {
        let after = self.nodes.partition_point(|record| NodeEntry(record.entry).id() <= entry);
        let node = Node(after.checked_sub(1)? as u32);
        self.entry(node).filter(|found| found.id() == entry).map(|_| node)
    }

    /// The word over which `node` is reached, and the node before it.
    pub fn step_to_node(&self, node: Node) -> Option<(Node, WordId)> {
        let edge = node.0.checked_sub(1)?;
        let word = WordId(*self.edges.get(edge as usize)?);
        let after = self.nodes.partition_point(|record| record.edges <= edge);
        Some((Node(after.checked_sub(1)? as u32), word)).filter(|(before, _)| before.0 < node.0)
    }
}

/// Where a number stands in a row of them that is in order. The length of a row is unpredictable: a fixed number of
/// halvings is made at a time, enough for all but the longest, so that the loop ends without a misprediction.
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

/// The bit of a follower in the word record's own small filter: one of 32.
#[inline]
pub const fn follower_bit(word: u32) -> u32 {
    word.wrapping_mul(0x9E37_79B9) >> 27
}

/// What the filter is asked with for a step over a word from a node.
#[inline]
const fn filter_hash(node: u32, word: u32) -> u64 {
    let hash = ((node as u64) << 32 | word as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// The block of the filter for a hash.
#[inline]
const fn filter_block(hash: u64, blocks: usize) -> usize {
    (((hash >> 32) * blocks as u64) >> 32) as usize
}

/// The three bits that must be set in that block.
#[inline]
const fn filter_bits(hash: u64) -> u64 {
    1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63)
}

/// A trie as the compiler lays it out.
pub struct Built {
    pub nodes: Vec<NodeRecord>,
    pub edges: Vec<u32>,
    pub filter: Vec<u64>,
    /// Root node (0 for none), followers and entry of each word that begins a term.
    pub roots: Vec<Root>,
    /// The place of each entry in what the trie was built from, in the order of the entries' numbers.
    pub order: Vec<u32>,
}

/// What the record of a term's first word holds.
pub struct Root {
    pub word: u32,
    pub node: u32,
    pub followers: u32,
    pub has_entry: bool,
}

/// Lays out the trie of terms that are sorted by their word ids, each sequence once; with each its place among the entries
/// and their packed facts. Entries are numbered from node to node, so that a number leads back to its node.
pub fn build_trie(terms: &[(&[u32], u32)], facts: &[u32]) -> Built {
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

    // 16 bits an edge with three set: one step in a hundred that could be refused is not.
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
    Built { nodes, edges, filter, roots, order }
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
