//! A tree as it stands in the file, and its leaves as processors look them up.

use bytemuck::{Pod, Zeroable};

use super::dense::MAX_COLUMNS;
use super::score::LOG_ODDS_SCALE;

/// How many questions a tree asks of a row.
pub(super) const DEPTH: usize = 6;
/// How many leaves it has.
pub(super) const LEAVES: usize = 1 << DEPTH;
/// What a log-odds of one is written as in a leaf.
pub(super) const LEAF_SCALE: i32 = LOG_ODDS_SCALE << 5;

/// A tree as it stands in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Tree {
    /// Which column, and how much at most; what holds more sets the bit of the question.
    pub(super) questions: [[u8; 2]; DEPTH],
    pub(super) leaves: [i16; LEAVES],
}

impl Tree {
    /// A tree that says nothing.
    pub(super) const EMPTY: Self = Self { questions: [[0, u8::MAX]; DEPTH], leaves: [0; LEAVES] };

    /// Whether it tests only columns that exist.
    pub(super) fn has_valid_columns(&self) -> bool {
        self.questions.iter().all(|&[column, _]| usize::from(column) < MAX_COLUMNS)
    }
}

/// The leaves of a tree as a processor looks them up that shuffles bytes: the lower byte of each, and the upper one.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct SplitLeaves(pub(super) [[u8; LEAVES]; 2]);

impl SplitLeaves {
    pub(super) fn from_tree(tree: &Tree) -> Self {
        let byte = |nth: usize| tree.leaves.map(|leaf| leaf.to_le_bytes()[nth]);
        Self([byte(0), byte(1)])
    }
}

/// How many rows are asked at once.
pub(super) const LANES: usize = 32;
