//! Scores rows with an ensemble of oblivious trees: the score of a row is the sum of the leaves that it reaches.
//!
//! All nodes of one level share a split (as in `CatBoost`), so the results of the splits are the bits of the leaf index
//! and many rows are scored at once.

use wide::u8x16;

use super::dense::{DenseRow, MAX_COLUMNS};
use super::score::LOG_ODDS_SCALE;
use super::tree::{LANES, LEAF_SCALE, LEAVES, SplitLeaves, Tree};

/// A block of rows, stored column by column.
#[derive(Clone, Debug)]
pub(super) struct RowBlock {
    columns: [[u8; LANES]; MAX_COLUMNS],
    len: usize,
}

impl RowBlock {
    pub(super) const fn new() -> Self {
        Self { columns: [[0; LANES]; MAX_COLUMNS], len: 0 }
    }

    /// Adds a row; a block holds at most [`LANES`].
    pub(super) fn add_row(&mut self, row: &DenseRow) {
        for (column, &value) in self.columns.iter_mut().zip(row.column_bytes()) {
            column[self.len % LANES] = value;
        }
        self.len += 1;
    }

    /// Removes all rows.
    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    /// Returns the score of each row; lanes without a row hold arbitrary values.
    pub(super) fn scores_of_trees(&self, trees: &[Tree], leaves: &[SplitLeaves]) -> [i32; LANES] {
        #[cfg(target_arch = "x86_64")]
        let sums = super::trees_avx2::sum_leaves_if_supported(&self.columns, trees, leaves)
            .unwrap_or_else(|| self.sum_leaves_portable(trees));
        #[cfg(not(target_arch = "x86_64"))]
        let sums = {
            let _ = leaves;
            self.sum_leaves_portable(trees)
        };
        sums.map(|sum| sum / (LEAF_SCALE / LOG_ODDS_SCALE))
    }

    /// Returns the sum of the leaf values of each row, without processor-specific instructions.
    fn sum_leaves_portable(&self, trees: &[Tree]) -> [i32; LANES] {
        const HALF: usize = LANES / 2;
        let mut sums = [0; LANES];
        for (half, sums) in sums.as_chunks_mut::<HALF>().0.iter_mut().enumerate() {
            // Most notes have few rows: only lanes in use are summed, four at a time.
            let fours = self.len.saturating_sub(half * HALF).div_ceil(4);
            for tree in trees.iter().take(if fours == 0 { 0 } else { trees.len() }) {
                let mut leaves = u8x16::splat(0);
                for (level, &[column, threshold]) in tree.splits.iter().enumerate() {
                    let values = self.columns[usize::from(column) % MAX_COLUMNS].as_chunks::<HALF>().0[half];
                    let (values, threshold) = (u8x16::from(values), u8x16::splat(threshold));
                    leaves |= !values.max(threshold).cmp_eq(threshold) & u8x16::splat(1 << level);
                }
                let leaves = leaves.to_array();
                let (sums, leaves) = (sums.as_chunks_mut::<4>().0, leaves.as_chunks::<4>().0);
                for (sums, leaves) in sums.iter_mut().zip(leaves).take(fours) {
                    for (sum, &leaf) in sums.iter_mut().zip(leaves) {
                        *sum += i32::from(tree.leaves[usize::from(leaf) % LEAVES]);
                    }
                }
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::rng::Rng;

    #[test]
    fn vector_and_portable_sums_are_equal() {
        let mut rng = Rng::new(5);
        let mut byte = || (rng.next() >> 40) as u8;
        let trees: Vec<Tree> = (0..300)
            .map(|_| Tree {
                splits: std::array::from_fn(|_| [byte() % MAX_COLUMNS as u8, byte()]),
                leaves: std::array::from_fn(|_| i16::from_le_bytes([byte(), byte()])),
            })
            .collect();
        let mut block = RowBlock::new();
        for _ in 0..LANES {
            let mut row = DenseRow::new();
            row.len = MAX_COLUMNS;
            row.values = std::array::from_fn(|_| byte());
            block.add_row(&row);
        }
        let sums = block.sum_leaves_portable(&trees);
        assert!(sums.iter().any(|&sum| sum != sums[0]));
        #[cfg(target_arch = "x86_64")]
        {
            let leaves: Vec<_> = trees.iter().map(SplitLeaves::from_tree).collect();
            let fast = crate::names::trees_avx2::sum_leaves_if_supported(&block.columns, &trees, &leaves);
            assert!(fast.is_none_or(|fast| fast == sums));
        }
    }
}
