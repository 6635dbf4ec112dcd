//! Trees of questions about the columns of a row; each ends in a number, and the numbers add up.

use bytemuck::{Pod, Zeroable};

use super::dense::WIDTH;
use super::score::ONE;

/// How many questions a tree asks of a row.
pub(super) const DEPTH: u32 = 6;
/// How many leaves it has.
pub(super) const LEAVES: usize = 1 << DEPTH;
/// What a log-odds of one is written as in a leaf.
pub(super) const LEAF_ONE: i32 = ONE << 5;

/// A tree as it stands in the file. Question `n` is followed by `2 * n` if the column holds at most so much, else by
/// `2 * n + 1`; the first has the number 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Tree {
    /// Which column, and how much at most.
    pub(super) questions: [[u8; 2]; LEAVES],
    pub(super) leaves: [i16; LEAVES],
}

impl Tree {
    /// A tree that says nothing.
    pub(super) const EMPTY: Self = Self { questions: [[0, u8::MAX]; LEAVES], leaves: [0; LEAVES] };

    /// Whether it asks for columns that there are.
    pub(super) fn is_sound(&self) -> bool {
        self.questions.iter().all(|&[column, _]| usize::from(column) < WIDTH)
    }

    /// The leaf at which a row ends.
    #[inline]
    pub(super) fn leaf(&self, row: &[u8; WIDTH]) -> usize {
        let mut at = 1;
        for _ in 0..DEPTH {
            let [column, most] = self.questions[at % LEAVES];
            at = 2 * at + usize::from(row[usize::from(column) % WIDTH] > most);
        }
        at % LEAVES
    }
}

/// What all trees say of a row, as a score.
#[inline]
pub(super) fn sum(trees: &[Tree], row: &[u8; WIDTH]) -> i32 {
    let sum: i32 = trees.iter().map(|tree| i32::from(tree.leaves[tree.leaf(row)])).sum();
    sum / (LEAF_ONE / ONE)
}
