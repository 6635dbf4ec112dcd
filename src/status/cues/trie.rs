//! A trie of phrases over word ids and marks.

use super::CueRole;

/// A node: the phrase that ends there, and what may follow.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TrieNode {
    pub(super) role: CueRole,
    /// Whether a phrase ends here.
    pub(super) ends: bool,
    /// The node after a `*`; 0 is none.
    pub(super) gap: u32,
    /// A 64-bit filter of the units that may follow: it rules out most words, because few continue a phrase.
    follow: u64,
}

impl TrieNode {
    /// Returns whether a unit may follow. False positives are possible, but most units are ruled out without a lookup.
    #[inline]
    pub(super) const fn may_be_followed_by(&self, unit: u32) -> bool {
        self.follow & follow_bit(unit) != 0
    }
}

/// An edge from a node to another by a unit; no edge leads to the root.
#[derive(Clone, Copy, Debug, Default)]
struct TrieEdge {
    node: u32,
    unit: u32,
    to: u32,
}

/// A trie. Its root is node 0.
#[derive(Clone, Debug)]
pub(super) struct CueTrie {
    nodes: Vec<TrieNode>,
    edges: Vec<TrieEdge>,
    /// A hash table of the edges with linear probing; its length is a power of two.
    slots: Vec<TrieEdge>,
}

impl Default for CueTrie {
    fn default() -> Self {
        Self { nodes: vec![TrieNode::default()], edges: Vec::new(), slots: vec![TrieEdge::default()] }
    }
}

/// Returns the hash of an edge.
const fn hash_edge(node: u32, unit: u32) -> u64 {
    ((node as u64) << 32 | unit as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Returns the bit of a unit in the filter of units that may follow.
pub(super) const fn follow_bit(unit: u32) -> u64 {
    1 << (unit.wrapping_mul(0x9E37_79B9) >> 26)
}

impl CueTrie {
    /// Returns the child of a node by a unit, and creates it if there is none.
    pub(super) fn child_or_insert(&mut self, node: u32, unit: u32) -> u32 {
        let to = self.child(node, unit);
        if to != 0 {
            return to;
        }
        let to = self.push_node();
        self.edges.push(TrieEdge { node, unit, to });
        self.nodes[node as usize].follow |= follow_bit(unit);
        if 2 * self.edges.len() > self.slots.len() {
            self.slots = vec![TrieEdge::default(); 2 * self.slots.len()];
            for nth in 0..self.edges.len() {
                self.insert_edge(self.edges[nth]);
            }
        } else {
            self.insert_edge(self.edges[self.edges.len() - 1]);
        }
        to
    }

    /// Returns the node after the `*` of a node, and creates it if there is none.
    pub(super) fn gap_node_or_insert(&mut self, node: u32) -> u32 {
        if self.nodes[node as usize].gap == 0 {
            self.nodes[node as usize].gap = self.push_node();
        }
        self.nodes[node as usize].gap
    }

    fn push_node(&mut self) -> u32 {
        self.nodes.push(TrieNode::default());
        self.nodes.len() as u32 - 1
    }

    fn insert_edge(&mut self, edge: TrieEdge) {
        let mut place = self.first_slot_of_edge(edge.node, edge.unit);
        while self.slots[place].to != 0 {
            place = (place + 1) & (self.slots.len() - 1);
        }
        self.slots[place] = edge;
    }

    const fn first_slot_of_edge(&self, node: u32, unit: u32) -> usize {
        (hash_edge(node, unit) >> 40) as usize & (self.slots.len() - 1)
    }

    #[inline]
    pub(super) fn node(&self, node: u32) -> &TrieNode {
        &self.nodes[node as usize]
    }

    /// Returns the roles of the phrases that end at each node.
    pub(super) fn cue_roles_mut(&mut self) -> impl Iterator<Item = &mut CueRole> {
        self.nodes.iter_mut().map(|node| &mut node.role)
    }

    pub(super) fn node_mut(&mut self, node: u32) -> &mut TrieNode {
        &mut self.nodes[node as usize]
    }

    /// Returns the child of a node by a unit; 0 is none.
    #[inline]
    pub(super) fn child(&self, node: u32, unit: u32) -> u32 {
        let mut place = self.first_slot_of_edge(node, unit);
        loop {
            let edge = self.slots[place];
            if edge.to == 0 || (edge.node, edge.unit) == (node, unit) {
                return edge.to;
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }
}
