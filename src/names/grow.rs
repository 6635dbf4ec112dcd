//! Grows trees: each next one learns what those before it and the first pass get wrong.

use super::dense::DenseRow;
use super::score::LOG_ODDS_SCALE;
use super::tree::{DEPTH, LEAF_SCALE, LEAVES, Tree};
use crate::linear::rng::Rng;

/// Into how many steps the values of a column are divided.
const MAX_BINS: usize = 64;
/// What a gradient of one is counted as, so that sums are exact.
const GRADIENT_ONE: f32 = 4096.0;

/// How trees are grown.
#[derive(Clone, Copy, Debug)]
pub struct TreeGrowth {
    /// How many trees.
    pub trees: u32,
    /// How much of what it learned each tree says.
    pub rate: f32,
    /// How strongly leaves are drawn to zero.
    pub l2: f32,
    /// How many of a thousand rows a tree sees.
    pub rows: u64,
    /// How many of a thousand columns a tree sees.
    pub columns: u64,
    /// How much words on no list count: some policies remove them anyway.
    pub unlisted: f32,
}

impl Default for TreeGrowth {
    fn default() -> Self {
        Self { trees: 600, rate: 0.2, l2: 10.0, rows: 400, columns: 500, unlisted: 0.4 }
    }
}

/// Rows to learn from.
#[derive(Debug, Default)]
pub(super) struct TreeTrainingTable {
    /// The values of each column.
    columns: Vec<Vec<u8>>,
    /// The log-odds that are known before, whether it is something, whether it is a word on no list.
    base: Vec<f32>,
    something: Vec<bool>,
    unlisted: Vec<bool>,
}

impl TreeTrainingTable {
    /// Adds a row.
    pub(super) fn add_row(&mut self, row: &DenseRow, base: i32, something: bool, unlisted: bool) {
        self.columns.resize(row.len, Vec::new());
        for (column, &value) in self.columns.iter_mut().zip(&row.values) {
            column.push(value);
        }
        self.base.push(base as f32 / LOG_ODDS_SCALE as f32);
        self.something.push(something);
        self.unlisted.push(unlisted);
    }

    /// Writes each value as the number of its step; returns the highest value of each step of each column.
    pub(super) fn bin_values(&mut self) -> Vec<Vec<u8>> {
        let rows = self.base.len();
        self.columns
            .iter_mut()
            .map(|column| {
                let mut counts = [0_usize; 256];
                for &value in &*column {
                    counts[usize::from(value)] += 1;
                }
                let (mut ends, mut step_of, mut inside) = (Vec::new(), [0_u8; 256], 0);
                for (value, &count) in counts.iter().enumerate() {
                    step_of[value] = ends.len() as u8;
                    inside += count;
                    if inside > rows / (MAX_BINS - 1) && ends.len() + 1 < MAX_BINS {
                        ends.push(value as u8);
                        inside = 0;
                    }
                }
                ends.push(u8::MAX);
                for value in column.iter_mut() {
                    *value = step_of[usize::from(*value)];
                }
                ends
            })
            .collect()
    }
}

/// A row that a tree sees: where it stands in the table, its gradient (above 32 bits) and its doubt (below), and in which leaf
/// it ends by the questions so far.
#[derive(Clone, Copy)]
struct GradientRow {
    row: u32,
    leaf: u32,
    sum: i64,
}

const fn unpack_gradient_and_hessian(sum: i64) -> (f32, f32) {
    let doubt = sum & 0xFFFF_FFFF;
    (((sum - doubt) >> 32) as f32 / GRADIENT_ONE, doubt as f32 / GRADIENT_ONE)
}

/// Grows trees on a table whose values are steps.
pub(super) fn grow_trees(table: &TreeTrainingTable, ends: &[Vec<u8>], growth: TreeGrowth, seed: u64) -> Vec<Tree> {
    let mut rng = Rng::new(seed);
    let mut known = table.base.clone();
    let (mut trees, mut pulls) = (Vec::new(), Vec::new());
    for _ in 0..growth.trees {
        pulls.clear();
        for (row, &known) in known.iter().enumerate() {
            if rng.happens_per_mille(growth.rows) {
                let odds = (-known).exp();
                let share = 1.0 / (1.0 + odds);
                let weight = if table.unlisted[row] { growth.unlisted } else { 1.0 } * GRADIENT_ONE;
                let gradient = weight * (share - f32::from(u8::from(table.something[row])));
                let doubt = weight * (share * (1.0 - share)).max(1e-3);
                let sum = (i64::from(gradient.round() as i32) << 32) + i64::from(doubt.round() as i32);
                pulls.push(GradientRow { row: row as u32, leaf: 0, sum });
            }
        }
        let columns: Vec<usize> = (0..table.columns.len()).filter(|_| rng.happens_per_mille(growth.columns)).collect();
        let tree = grow_tree(table, &columns, growth, &mut pulls);
        let mut leaves = vec![0_u8; known.len()];
        for (nth, [column, most]) in tree.questions.into_iter().enumerate() {
            let Some(values) = table.columns.get(usize::from(column)) else { continue };
            leaves.iter_mut().zip(values).for_each(|(leaf, &value)| *leaf |= u8::from(value > most) << nth);
        }
        for (known, leaf) in known.iter_mut().zip(leaves) {
            *known += f32::from(tree.leaves[usize::from(leaf)]) / LEAF_SCALE as f32;
        }
        trees.push(tree);
    }
    // From steps to values.
    for tree in &mut trees {
        for [column, most] in &mut tree.questions {
            if *most < u8::MAX {
                *most = ends[usize::from(*column)][usize::from(*most)];
            }
        }
    }
    trees
}

fn grow_tree(table: &TreeTrainingTable, columns: &[usize], growth: TreeGrowth, pulls: &mut [GradientRow]) -> Tree {
    let mut tree = Tree::EMPTY;
    for depth in 0..DEPTH {
        let Some((column, step)) = best_split(table, columns, growth, pulls, 1 << depth) else { break };
        tree.questions[depth] = [column as u8, step];
        for pull in &mut *pulls {
            pull.leaf |= u32::from(table.columns[column][pull.row as usize] > step) << depth;
        }
    }
    let mut sums = [0; LEAVES];
    for pull in &*pulls {
        sums[pull.leaf as usize] += pull.sum;
    }
    tree.leaves = sums.map(|sum| {
        let (gradient, doubt) = unpack_gradient_and_hessian(sum);
        (-growth.rate * gradient / (doubt + growth.l2) * LEAF_SCALE as f32).round() as i16
    });
    tree
}

/// The question that parts all leaves best.
fn best_split(
    table: &TreeTrainingTable,
    columns: &[usize],
    growth: TreeGrowth,
    pulls: &[GradientRow],
    leaves: usize,
) -> Option<(usize, u8)> {
    let worth = |(gradient, doubt): (f32, f32)| gradient * gradient / (doubt + growth.l2);
    let mut sums = [[0_i64; MAX_BINS]; LEAVES / 2];
    let mut best: Option<(f32, (usize, u8))> = None;
    for &column in columns {
        let values = &table.columns[column];
        sums[..leaves].fill([0; MAX_BINS]);
        for pull in pulls {
            sums[pull.leaf as usize % (LEAVES / 2)][usize::from(values[pull.row as usize]) % MAX_BINS] += pull.sum;
        }
        let mut gains = [0.0; MAX_BINS];
        for sums in &sums[..leaves] {
            let all = unpack_gradient_and_hessian(sums.iter().sum());
            let mut low = 0;
            for (gain, sum) in gains.iter_mut().zip(sums) {
                low += sum;
                let low = unpack_gradient_and_hessian(low);
                *gain += worth(low) + worth((all.0 - low.0, all.1 - low.1)) - worth(all);
            }
        }
        for (step, &gain) in gains.iter().enumerate() {
            if gain > best.map_or(0.5, |(gain, _)| gain) {
                best = Some((gain, (column, step as u8)));
            }
        }
    }
    best.map(|(_, question)| question)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::tree::SplitLeaves;
    use crate::names::trees::RowBlock;

    /// Something where exactly one of two columns is high, which no sum of the two can show.
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
        let ends = table.bin_values();
        grow_trees(&table, &ends, TreeGrowth { trees: 30, rate: 0.3, columns: 1000, ..TreeGrowth::default() }, 1)
    }

    #[test]
    fn trees_learn_what_no_sum_can_tell() {
        let trees = grown();
        let leaves: Vec<_> = trees.iter().map(SplitLeaves::from_tree).collect();
        let says = |one, two| {
            let (mut row, mut block) = (DenseRow::new(), RowBlock::new());
            row.len = 3;
            row.values[..3].copy_from_slice(&[one, 128, two]);
            block.add_row(&row);
            block.scores_of_trees(&trees, &leaves)[0]
        };
        assert!(says(20, 20) < -LOG_ODDS_SCALE && says(200, 200) < -LOG_ODDS_SCALE);
        assert!(says(200, 20) > LOG_ODDS_SCALE && says(20, 200) > LOG_ODDS_SCALE);
    }

    #[test]
    fn the_same_rows_grow_the_same_trees() {
        assert_eq!(grown(), grown());
    }

    #[test]
    fn a_table_without_rows_grows_trees_that_say_nothing() {
        let mut table = TreeTrainingTable::default();
        let ends = table.bin_values();
        let trees = grow_trees(&table, &ends, TreeGrowth { trees: 2, ..TreeGrowth::default() }, 1);
        assert_eq!(trees, [Tree::EMPTY; 2]);
    }
}
