//! Gradient boosting of oblivious trees on the scores of the first pass.

use super::dense::DenseRow;
use super::score::LOG_ODDS_SCALE;
use super::tree::{DEPTH, LEAF_SCALE, LEAVES, Tree};
use crate::linear::rng::Rng;

/// The number of bins into which the values of a column are divided, at most.
const MAX_BINS: usize = 64;
/// Gradients are summed as whole numbers so that sums are exact: the number that stands for one.
const GRADIENT_ONE: f32 = 4096.0;

/// Hyperparameters of gradient boosting.
#[derive(Clone, Copy, Debug)]
pub struct TreeGrowth {
    /// The number of trees.
    pub trees: u32,
    /// The learning rate (shrinkage).
    pub rate: f32,
    /// L2 regularisation of leaf values.
    pub l2: f32,
    /// Rows sampled per tree, per mille.
    pub rows: u64,
    /// Columns sampled per tree, per mille.
    pub columns: u64,
    /// The weight of rows of unlisted words: some policies remove them anyway.
    pub unlisted: f32,
}

impl Default for TreeGrowth {
    fn default() -> Self {
        Self { trees: 600, rate: 0.2, l2: 10.0, rows: 400, columns: 500, unlisted: 0.4 }
    }
}

/// The training rows.
#[derive(Debug, Default)]
pub(super) struct TreeTrainingTable {
    /// The values of each column.
    columns: Vec<Vec<u8>>,
    /// The log-odds of the first pass, whether the token is PHI, whether its word is unlisted.
    base: Vec<f32>,
    is_phi: Vec<bool>,
    unlisted: Vec<bool>,
}

impl TreeTrainingTable {
    /// Adds a row.
    pub(super) fn add_row(&mut self, row: &DenseRow, base: i32, is_phi: bool, unlisted: bool) {
        self.columns.resize(row.len, Vec::new());
        for (column, &value) in self.columns.iter_mut().zip(&row.values) {
            column.push(value);
        }
        self.base.push(base as f32 / LOG_ODDS_SCALE as f32);
        self.is_phi.push(is_phi);
        self.unlisted.push(unlisted);
    }

    /// Replaces each value by the number of its bin; returns the upper bounds of the bins of each column.
    pub(super) fn bin_values(&mut self) -> Vec<Vec<u8>> {
        let rows = self.base.len();
        self.columns
            .iter_mut()
            .map(|column| {
                let mut counts = [0_usize; 256];
                for &value in &*column {
                    counts[usize::from(value)] += 1;
                }
                let (mut bounds, mut bin_of, mut inside) = (Vec::new(), [0_u8; 256], 0);
                for (value, &count) in counts.iter().enumerate() {
                    bin_of[value] = bounds.len() as u8;
                    inside += count;
                    if inside > rows / (MAX_BINS - 1) && bounds.len() + 1 < MAX_BINS {
                        bounds.push(value as u8);
                        inside = 0;
                    }
                }
                bounds.push(u8::MAX);
                for value in column.iter_mut() {
                    *value = bin_of[usize::from(*value)];
                }
                bounds
            })
            .collect()
    }
}

/// A row sampled for a tree: its index in the table, its gradient (upper 32 bits) and hessian (lower 32 bits), and the
/// leaf that it reaches by the splits so far.
#[derive(Clone, Copy)]
struct GradientRow {
    row: u32,
    leaf: u32,
    sum: i64,
}

const fn unpack_gradient_and_hessian(sum: i64) -> (f32, f32) {
    let hessian = sum & 0xFFFF_FFFF;
    (((sum - hessian) >> 32) as f32 / GRADIENT_ONE, hessian as f32 / GRADIENT_ONE)
}

/// Grows trees on a binned table; `bounds` has the upper bounds of the bins of each column.
pub(super) fn grow_trees(table: &TreeTrainingTable, bounds: &[Vec<u8>], growth: TreeGrowth, seed: u64) -> Vec<Tree> {
    let mut rng = Rng::new(seed);
    let mut scores = table.base.clone();
    let (mut trees, mut sample) = (Vec::new(), Vec::new());
    for _ in 0..growth.trees {
        sample.clear();
        for (row, &score) in scores.iter().enumerate() {
            if rng.happens_per_mille(growth.rows) {
                let probability = 1.0 / (1.0 + (-score).exp());
                let weight = if table.unlisted[row] { growth.unlisted } else { 1.0 } * GRADIENT_ONE;
                let gradient = weight * (probability - f32::from(u8::from(table.is_phi[row])));
                let hessian = weight * (probability * (1.0 - probability)).max(1e-3);
                let sum = (i64::from(gradient.round() as i32) << 32) + i64::from(hessian.round() as i32);
                sample.push(GradientRow { row: row as u32, leaf: 0, sum });
            }
        }
        let columns: Vec<usize> = (0..table.columns.len()).filter(|_| rng.happens_per_mille(growth.columns)).collect();
        let tree = grow_tree(table, &columns, growth, &mut sample);
        let mut leaves = vec![0_u8; scores.len()];
        for (level, [column, threshold]) in tree.splits.into_iter().enumerate() {
            let Some(values) = table.columns.get(usize::from(column)) else { continue };
            leaves.iter_mut().zip(values).for_each(|(leaf, &value)| *leaf |= u8::from(value > threshold) << level);
        }
        for (score, leaf) in scores.iter_mut().zip(leaves) {
            *score += f32::from(tree.leaves[usize::from(leaf)]) / LEAF_SCALE as f32;
        }
        trees.push(tree);
    }
    // Thresholds of bins become thresholds of values.
    for tree in &mut trees {
        for [column, threshold] in &mut tree.splits {
            if *threshold < u8::MAX {
                *threshold = bounds[usize::from(*column)][usize::from(*threshold)];
            }
        }
    }
    trees
}

fn grow_tree(table: &TreeTrainingTable, columns: &[usize], growth: TreeGrowth, sample: &mut [GradientRow]) -> Tree {
    let mut tree = Tree::EMPTY;
    for depth in 0..DEPTH {
        let Some((column, bin)) = best_split(table, columns, growth, sample, 1 << depth) else { break };
        tree.splits[depth] = [column as u8, bin];
        for row in &mut *sample {
            row.leaf |= u32::from(table.columns[column][row.row as usize] > bin) << depth;
        }
    }
    let mut sums = [0; LEAVES];
    for row in &*sample {
        sums[row.leaf as usize] += row.sum;
    }
    tree.leaves = sums.map(|sum| {
        let (gradient, hessian) = unpack_gradient_and_hessian(sum);
        (-growth.rate * gradient / (hessian + growth.l2) * LEAF_SCALE as f32).round() as i16
    });
    tree
}

/// Returns the column and bin of the split with the highest gain over all leaves.
fn best_split(
    table: &TreeTrainingTable,
    columns: &[usize],
    growth: TreeGrowth,
    sample: &[GradientRow],
    leaves: usize,
) -> Option<(usize, u8)> {
    let objective = |(gradient, hessian): (f32, f32)| gradient * gradient / (hessian + growth.l2);
    let mut sums = [[0_i64; MAX_BINS]; LEAVES / 2];
    let mut best: Option<(f32, (usize, u8))> = None;
    for &column in columns {
        let values = &table.columns[column];
        sums[..leaves].fill([0; MAX_BINS]);
        for row in sample {
            sums[row.leaf as usize % (LEAVES / 2)][usize::from(values[row.row as usize]) % MAX_BINS] += row.sum;
        }
        let mut gains = [0.0; MAX_BINS];
        for sums in &sums[..leaves] {
            let all = unpack_gradient_and_hessian(sums.iter().sum());
            let mut low = 0;
            for (gain, sum) in gains.iter_mut().zip(sums) {
                low += sum;
                let low = unpack_gradient_and_hessian(low);
                *gain += objective(low) + objective((all.0 - low.0, all.1 - low.1)) - objective(all);
            }
        }
        for (bin, &gain) in gains.iter().enumerate() {
            if gain > best.map_or(0.5, |(gain, _)| gain) {
                best = Some((gain, (column, bin as u8)));
            }
        }
    }
    best.map(|(_, split)| split)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::tree::SplitLeaves;
    use crate::names::trees::RowBlock;

    /// Returns a table with PHI where exactly one of two columns is high, which no linear model can learn.
    fn table() -> TreeTrainingTable {
        let (mut table, mut row) = (TreeTrainingTable::default(), DenseRow::new());
        row.len = 3;
        let mut rng = Rng::new(7);
        for _ in 0..4000 {
            let values = [(); 3].map(|()| rng.next() as u8);
            row.values[..3].copy_from_slice(&values);
            table.add_row(&row, 0, (values[0] > 90) != (values[2] > 150), false);
        }
        table
    }

    fn grown() -> Vec<Tree> {
        let mut table = table();
        let bounds = table.bin_values();
        grow_trees(&table, &bounds, TreeGrowth { trees: 30, rate: 0.3, columns: 1000, ..TreeGrowth::default() }, 1)
    }

    #[test]
    fn trees_learn_an_interaction() {
        let trees = grown();
        let leaves: Vec<_> = trees.iter().map(SplitLeaves::from_tree).collect();
        let score = |one, two| {
            let (mut row, mut block) = (DenseRow::new(), RowBlock::new());
            row.len = 3;
            row.values[..3].copy_from_slice(&[one, 128, two]);
            block.add_row(&row);
            block.scores_of_trees(&trees, &leaves)[0]
        };
        assert!(score(20, 20) < -LOG_ODDS_SCALE && score(200, 200) < -LOG_ODDS_SCALE);
        assert!(score(200, 20) > LOG_ODDS_SCALE && score(20, 200) > LOG_ODDS_SCALE);
    }

    #[test]
    fn the_same_rows_grow_the_same_trees() {
        assert_eq!(grown(), grown());
    }

    #[test]
    fn a_table_without_rows_grows_empty_trees() {
        let mut table = TreeTrainingTable::default();
        let bounds = table.bin_values();
        let trees = grow_trees(&table, &bounds, TreeGrowth { trees: 2, ..TreeGrowth::default() }, 1);
        assert_eq!(trees, [Tree::EMPTY; 2]);
    }
}
