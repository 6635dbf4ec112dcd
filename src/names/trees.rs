//! Trees of questions about the columns of a row; each ends in a number, and the numbers add up.
//!
//! All nodes of one depth ask the same question (oblivious trees, as in `CatBoost`), so the answers are the bits of the
//! leaf's number, and many rows are asked at once.

use bytemuck::{Pod, Zeroable};
use wide::u8x16;

use super::dense::{Row, WIDTH};
use super::score::ONE;

/// How many questions a tree asks of a row.
pub(super) const DEPTH: usize = 6;
/// How many leaves it has.
pub(super) const LEAVES: usize = 1 << DEPTH;
/// What a log-odds of one is written as in a leaf.
pub(super) const LEAF_ONE: i32 = ONE << 5;

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

    /// Whether it asks for columns that there are.
    pub(super) fn is_sound(&self) -> bool {
        self.questions.iter().all(|&[column, _]| usize::from(column) < WIDTH)
    }
}

/// How many rows are asked at once.
pub(super) const LANES: usize = 16;

/// Rows, column by column.
#[derive(Clone, Debug)]
pub(super) struct Block {
    columns: [[u8; LANES]; WIDTH],
    len: usize,
}

impl Block {
    pub(super) const fn new() -> Self {
        Self { columns: [[0; LANES]; WIDTH], len: 0 }
    }

    /// Adds a row. At most [`LANES`] fit.
    pub(super) fn add(&mut self, row: &Row) {
        for (column, &value) in self.columns.iter_mut().zip(&row.values) {
            column[self.len % LANES] = value;
        }
        self.len += 1;
    }

    /// Forgets all rows.
    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    /// What all trees say of each row, as scores; where there is no row it means nothing.
    pub(super) fn ask(&self, trees: &[Tree]) -> [i32; LANES] {
        let mut sums = [0; LANES];
        for tree in trees {
            let mut leaves = u8x16::splat(0);
            for (nth, &[column, most]) in tree.questions.iter().enumerate() {
                let (values, most) = (u8x16::from(self.columns[usize::from(column) % WIDTH]), u8x16::splat(most));
                let more = !values.max(most).cmp_eq(most);
                leaves |= more & u8x16::splat(1 << nth);
            }
            // Most notes have few rows: only the lanes that have one are read, four at once.
            let leaves = leaves.to_array();
            let (sums, leaves) = (sums.as_chunks_mut::<4>().0, leaves.as_chunks::<4>().0);
            for (sums, leaves) in sums.iter_mut().zip(leaves).take(self.len.div_ceil(4)) {
                for (sum, &leaf) in sums.iter_mut().zip(leaves) {
                    *sum += i32::from(tree.leaves[usize::from(leaf) % LEAVES]);
                }
            }
        }
        sums.map(|sum| sum / (LEAF_ONE / ONE))
    }
}
