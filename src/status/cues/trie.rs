//! Phrases as a trie over the numbers of words and marks.

use super::CueRole;

/// What is after a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    pub(super) role: CueRole,
    /// Whether a phrase ends here.
    pub(super) ends: bool,
    /// The node after a `*`; 0 is none.
    pub(super) gap: u32,
    /// Which units may follow, by some bits of them: few words go on with a phrase, and most that do not see here.
    follow: u64,
}

impl Node {
    /// Whether a unit may follow: most that do not see apart here.
    #[inline]
    pub(super) const fn may_follow(&self, unit: u32) -> bool {
        self.follow & bit(unit) != 0
    }
}

/// From a node by a unit to another; no edge leads to the root.
#[derive(Clone, Copy, Debug, Default)]
struct Edge {
    node: u32,
    unit: u32,
    to: u32,
}

/// A trie. Its root is node 0.
#[derive(Clone, Debug)]
pub(super) struct Trie {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// A power of two of edges, each at the place of its hash or after.
    places: Vec<Edge>,
}

impl Default for Trie {
    fn default() -> Self {
        Self { nodes: vec![Node::default()], edges: Vec::new(), places: vec![Edge::default()] }
    }
}

/// Mixes two small numbers.
const fn mix(node: u32, unit: u32) -> u64 {
    ((node as u64) << 32 | unit as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The bit of a unit among those that may follow.
pub(super) const fn bit(unit: u32) -> u64 {
    1 << (unit.wrapping_mul(0x9E37_79B9) >> 26)
}

impl Trie {
    /// The node to which an edge leads, a new one if there is none.
    pub(super) fn edge(&mut self, node: u32, unit: u32) -> u32 {
        let to = self.next(node, unit);
        if to != 0 {
            return to;
        }
        let to = self.push();
        self.edges.push(Edge { node, unit, to });
        self.nodes[node as usize].follow |= bit(unit);
        if 2 * self.edges.len() > self.places.len() {
            self.places = vec![Edge::default(); 2 * self.places.len()];
            for nth in 0..self.edges.len() {
                self.put(self.edges[nth]);
            }
        } else {
            self.put(self.edges[self.edges.len() - 1]);
        }
        to
    }

    /// The node after the `*` of a node, a new one if there is none.
    pub(super) fn gap(&mut self, node: u32) -> u32 {
        if self.nodes[node as usize].gap == 0 {
            self.nodes[node as usize].gap = self.push();
        }
        self.nodes[node as usize].gap
    }

    fn push(&mut self) -> u32 {
        self.nodes.push(Node::default());
        self.nodes.len() as u32 - 1
    }

    fn put(&mut self, edge: Edge) {
        let mut place = self.place(edge.node, edge.unit);
        while self.places[place].to != 0 {
            place = (place + 1) & (self.places.len() - 1);
        }
        self.places[place] = edge;
    }

    const fn place(&self, node: u32, unit: u32) -> usize {
        (mix(node, unit) >> 40) as usize & (self.places.len() - 1)
    }

    #[inline]
    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// What phrases are, by the nodes at which they end.
    pub(super) fn roles(&mut self) -> impl Iterator<Item = &mut CueRole> {
        self.nodes.iter_mut().map(|node| &mut node.role)
    }

    pub(super) fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    /// The node after another and a unit; 0 is none.
    #[inline]
    pub(super) fn next(&self, node: u32, unit: u32) -> u32 {
        let mut place = self.place(node, unit);
        loop {
            let edge = self.places[place];
            if edge.to == 0 || (edge.node, edge.unit) == (node, unit) {
                return edge.to;
            }
            place = (place + 1) & (self.places.len() - 1);
        }
    }
}
