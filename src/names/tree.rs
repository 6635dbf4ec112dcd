//! An oblivious decision tree as the model file stores it, and its leaves in the layout that the vector code reads.

use bytemuck::{Pod, Zeroable};

use super::dense::MAX_COLUMNS;
use super::score::LOG_ODDS_SCALE;

/// The depth of a tree: one split per level.
pub(super) const DEPTH: usize = 6;
/// The number of leaves of a tree.
pub(super) const LEAVES: usize = 1 << DEPTH;
/// The leaf value that stands for a log-odds of one.
pub(super) const LEAF_SCALE: i32 = LOG_ODDS_SCALE << 5;

/// A tree as the model file stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Tree {
    /// The column and the threshold of the split of each level; a value above the threshold sets the bit of the level.
    pub(super) splits: [[u8; 2]; DEPTH],
    pub(super) leaves: [i16; LEAVES],
}

impl Tree {
    /// A tree whose leaves are all zero.
    pub(super) const EMPTY: Self = Self { splits: [[0, u8::MAX]; DEPTH], leaves: [0; LEAVES] };

    /// Returns whether its splits test only columns that exist.
    pub(super) fn has_valid_columns(&self) -> bool {
        self.splits.iter().all(|&[column, _]| usize::from(column) < MAX_COLUMNS)
    }
}

/// The leaf values of a tree for look-up by byte shuffles: the low bytes, then the high bytes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct SplitLeaves(pub(super) [[u8; LEAVES]; 2]);

impl SplitLeaves {
    pub(super) fn from_tree(tree: &Tree) -> Self {
        let byte = |nth: usize| tree.leaves.map(|leaf| leaf.to_le_bytes()[nth]);
        Self([byte(0), byte(1)])
    }
}

/// The number of rows that are scored at once.
pub(super) const LANES: usize = 32;
