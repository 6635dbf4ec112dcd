//! Phrases as a trie over the numbers of words and marks.

use super::CueRole;

/// A node: the phrase that ends there and what may follow.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TrieNode {
    pub(super) role: CueRole,
    /// Whether a phrase ends here.
    pub(super) ends: bool,
    /// The node after a `*`; 0 is none.
    pub(super) gap: u32,
    /// Which units may follow, by some bits of them: few words go on with a phrase, and most that do not see here.
    follow: u64,
}

impl TrieNode {
    /// Whether a unit may follow. A filter of 64 bits: it rules out most units without a look-up.
    #[inline]
    pub(super) const fn may_be_followed_by(&self, unit: u32) -> bool {
        self.follow & follow_bit(unit) != 0
    }
}

/// From a node by a unit to another; no edge leads to the root.
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
    /// A power of two of edges, each at the place of its hash or after.
    places: Vec<TrieEdge>,
}

impl Default for CueTrie {
    fn default() -> Self {
        Self { nodes: vec![TrieNode::default()], edges: Vec::new(), places: vec![TrieEdge::default()] }
    }
}

/// Mixes two small numbers.
const fn hash_edge(node: u32, unit: u32) -> u64 {
    ((node as u64) << 32 | unit as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The bit of a unit among those that may follow.
pub(super) const fn follow_bit(unit: u32) -> u64 {
    1 << (unit.wrapping_mul(0x9E37_79B9) >> 26)
}

impl CueTrie {
    /// The node to which an edge leads, a new one if there is none.
    pub(super) fn child_or_insert(&mut self, node: u32, unit: u32) -> u32 {
        let to = self.child(node, unit);
        if to != 0 {
            return to;
        }
        let to = self.push_node();
        self.edges.push(TrieEdge { node, unit, to });
        self.nodes[node as usize].follow |= follow_bit(unit);
        if 2 * self.edges.len() > self.places.len() {
            self.places = vec![TrieEdge::default(); 2 * self.places.len()];
            for nth in 0..self.edges.len() {
                self.insert_edge(self.edges[nth]);
            }
        } else {
            self.insert_edge(self.edges[self.edges.len() - 1]);
        }
        to
    }

    /// The node after the `*` of a node, a new one if there is none.
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
        while self.places[place].to != 0 {
            place = (place + 1) & (self.places.len() - 1);
        }
        self.places[place] = edge;
    }

    const fn first_slot_of_edge(&self, node: u32, unit: u32) -> usize {
        (hash_edge(node, unit) >> 40) as usize & (self.places.len() - 1)
    }

    #[inline]
    pub(super) fn node(&self, node: u32) -> &TrieNode {
        &self.nodes[node as usize]
    }

    /// What phrases are, by the nodes at which they end.
    pub(super) fn cue_roles_mut(&mut self) -> impl Iterator<Item = &mut CueRole> {
        self.nodes.iter_mut().map(|node| &mut node.role)
    }

    pub(super) fn node_mut(&mut self, node: u32) -> &mut TrieNode {
        &mut self.nodes[node as usize]
    }

    /// The node after another and a unit; 0 is none.
    #[inline]
    pub(super) fn child(&self, node: u32, unit: u32) -> u32 {
        let mut place = self.first_slot_of_edge(node, unit);
        loop {
            let edge = self.places[place];
            if edge.to == 0 || (edge.node, edge.unit) == (node, unit) {
                return edge.to;
            }
            place = (place + 1) & (self.places.len() - 1);
        }
    }
}
