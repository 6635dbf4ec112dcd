//! Grows trees: each next one learns what those before it and the first pass get wrong.

use super::chance::Chance;
use super::dense::{Row, WIDTH};
use super::score::ONE;
use super::trees::{LEAF_ONE, LEAVES, Tree};

/// Into how many steps the values of a column are divided.
const STEPS: usize = 64;
/// What a gradient of one is counted as, so that sums are exact.
const GRADIENT_ONE: f32 = 4096.0;

/// How trees are grown.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// How many trees.
    pub trees: u32,
    /// How much of what it learned each tree says.
    pub rate: f32,
    /// How strongly leaves are drawn to zero.
    pub decay: f32,
    /// How much doubt a leaf must hold at least.
    pub least: f32,
    /// How many of a thousand rows a tree sees.
    pub rows: u64,
    /// How many of a thousand columns a tree sees.
    pub columns: u64,
    /// How much words on no list count: some policies remove them anyway.
    pub unlisted: f32,
}

impl Default for Growth {
    fn default() -> Self {
        Self { trees: 300, rate: 0.08, decay: 10.0, least: 5.0, rows: 400, columns: 500, unlisted: 0.4 }
    }
}

/// Rows to learn from.
#[derive(Debug, Default)]
pub(super) struct Table {
    values: Vec<u8>,
    width: usize,
    /// The log-odds that are known before, whether it is something, whether it is a word on no list.
    base: Vec<f32>,
    something: Vec<bool>,
    unlisted: Vec<bool>,
}

impl Table {
    /// Adds a row.
    pub(super) fn add(&mut self, row: &Row, base: i32, something: bool, unlisted: bool) {
        self.width = row.len;
        self.values.extend_from_slice(&row.values[..row.len]);
        self.base.push(base as f32 / ONE as f32);
        self.something.push(something);
        self.unlisted.push(unlisted);
    }

    fn row(&self, nth: usize) -> &[u8] {
        &self.values[nth * self.width..][..self.width]
    }

    /// Writes each value as the number of its step; returns the highest value of each step of each column.
    pub(super) fn steps(&mut self) -> Vec<Vec<u8>> {
        let rows = self.base.len();
        (0..self.width)
            .map(|column| {
                let mut counts = [0_usize; 256];
                self.values.iter().skip(column).step_by(self.width).for_each(|&value| counts[usize::from(value)] += 1);
                let (mut ends, mut step_of, mut inside) = (Vec::new(), [0_u8; 256], 0);
                for (value, &count) in counts.iter().enumerate() {
                    step_of[value] = ends.len() as u8;
                    inside += count;
                    if inside > rows / (STEPS - 1) && ends.len() + 1 < STEPS {
                        ends.push(value as u8);
                        inside = 0;
                    }
                }
                ends.push(u8::MAX);
                self.values
                    .iter_mut()
                    .skip(column)
                    .step_by(self.width)
                    .for_each(|value| *value = step_of[usize::from(*value)]);
                ends
            })
            .collect()
    }
}

/// Sums of gradients (above 32 bits) and of doubts (below), by column and step.
type Sums = Vec<[i64; STEPS]>;

struct Grower<'a> {
    table: &'a Table,
    growth: Growth,
    columns: Vec<usize>,
    /// Of each row its gradient and its doubt.
    pulls: Vec<i64>,
    aside: Vec<u32>,
    tree: Tree,
}

const fn parts(sum: i64) -> (f32, f32) {
    let doubt = sum & 0xFFFF_FFFF;
    (((sum - doubt) >> 32) as f32 / GRADIENT_ONE, doubt as f32 / GRADIENT_ONE)
}

/// Grows trees on a table whose values are steps.
pub(super) fn grow(table: &Table, ends: &[Vec<u8>], growth: Growth, seed: u64) -> Vec<Tree> {
    let rows = table.base.len();
    let mut chance = Chance::new(seed);
    let mut known = table.base.clone();
    let mut grower =
        Grower { table, growth, columns: Vec::new(), pulls: vec![0; rows], aside: Vec::new(), tree: Tree::EMPTY };
    let mut row = [0; WIDTH];
    let mut trees = Vec::new();
    for _ in 0..growth.trees {
        let mut chosen: Vec<u32> = Vec::with_capacity(rows);
        for (nth, &known) in known.iter().enumerate() {
            if chance.next() % 1000 < growth.rows {
                chosen.push(nth as u32);
                let odds = (-known).exp();
                let share = 1.0 / (1.0 + odds);
                let weight = if table.unlisted[nth] { growth.unlisted } else { 1.0 } * GRADIENT_ONE;
                let gradient = weight * (share - f32::from(u8::from(table.something[nth])));
                let doubt = weight * (share * (1.0 - share)).max(1e-3);
                grower.pulls[nth] = (i64::from(gradient.round() as i32) << 32) + i64::from(doubt.round() as i32);
            }
        }
        grower.columns = (0..table.width).filter(|_| chance.next() % 1000 < growth.columns).collect();
        grower.tree = Tree::EMPTY;
        let sums = grower.sums(&chosen);
        grower.node(1, &mut chosen, sums);
        let tree = grower.tree;
        for (nth, known) in known.iter_mut().enumerate() {
            row[..table.width].copy_from_slice(table.row(nth));
            *known += f32::from(tree.leaves[tree.leaf(&row)]) / LEAF_ONE as f32;
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

impl Grower<'_> {
    fn sums(&self, rows: &[u32]) -> Sums {
        let mut sums = vec![[0; STEPS]; self.columns.len()];
        for &nth in rows {
            let (row, pull) = (self.table.row(nth as usize), self.pulls[nth as usize]);
            for (sums, &column) in sums.iter_mut().zip(&self.columns) {
                sums[usize::from(row[column]) % STEPS] += pull;
            }
        }
        sums
    }

    /// Grows what follows from a question on.
    fn node(&mut self, at: usize, rows: &mut [u32], sums: Sums) {
        if at >= LEAVES {
            let (gradient, doubt) = parts(rows.iter().map(|&nth| self.pulls[nth as usize]).sum());
            let value = -self.growth.rate * gradient / (doubt + self.growth.decay);
            self.tree.leaves[at % LEAVES] = (value * LEAF_ONE as f32).round() as i16;
            return;
        }
        let Some((column, step)) = self.best(&sums) else {
            // Nothing more to ask: the leftmost leaf below answers for all.
            drop(sums);
            let mut at = at;
            while at < LEAVES {
                at *= 2;
            }
            return self.node(at, rows, Sums::new());
        };
        self.tree.questions[at] = [column as u8, step];
        let left = self.part(rows, column, step);
        let (low, high) = rows.split_at_mut(left);
        if 2 * at >= LEAVES {
            drop(sums);
            self.node(2 * at, low, Sums::new());
            return self.node(2 * at + 1, high, Sums::new());
        }
        let fewer = self.sums(if low.len() < high.len() { low } else { high });
        let mut more = sums;
        for (more, fewer) in more.iter_mut().flatten().zip(fewer.iter().flatten()) {
            *more -= fewer;
        }
        let (sums_low, sums_high) = if low.len() < high.len() { (fewer, more) } else { (more, fewer) };
        self.node(2 * at, low, sums_low);
        self.node(2 * at + 1, high, sums_high);
    }

    /// The question that parts best.
    fn best(&self, sums: &Sums) -> Option<(usize, u8)> {
        let worth = |(gradient, doubt): (f32, f32)| gradient * gradient / (doubt + self.growth.decay);
        let all = parts(sums.first()?.iter().sum());
        let mut best = (worth(all) + 0.5, None);
        for (sums, &column) in sums.iter().zip(&self.columns) {
            let mut low = 0;
            for (step, sum) in sums.iter().enumerate() {
                low += sum;
                let low = parts(low);
                let high = (all.0 - low.0, all.1 - low.1);
                if low.1 < self.growth.least || high.1 < self.growth.least {
                    continue;
                }
                let gain = worth(low) + worth(high);
                if gain > best.0 {
                    best = (gain, Some((column, step as u8)));
                }
            }
        }
        best.1
    }

    /// Brings the rows that hold at most so much to the front; tells how many there are.
    fn part(&mut self, rows: &mut [u32], column: usize, step: u8) -> usize {
        self.aside.clear();
        let mut left = 0;
        for at in 0..rows.len() {
            let nth = rows[at];
            if self.table.row(nth as usize)[column] <= step {
                rows[left] = nth;
                left += 1;
            } else {
                self.aside.push(nth);
            }
        }
        rows[left..].copy_from_slice(&self.aside);
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::trees::sum;

    /// Something where exactly one of two columns is high, which no sum of the two can tell.
    fn table() -> Table {
        let (mut table, mut row) = (Table::default(), Row::new());
        row.len = 3;
        let mut chance = Chance::new(7);
        for _ in 0..4000 {
            let values = [(); 3].map(|()| chance.next() as u8);
            row.values[..3].copy_from_slice(&values);
            table.add(&row, 0, (values[0] > 90) != (values[2] > 150), false);
        }
        table
    }

    fn grown() -> Vec<Tree> {
        let mut table = table();
        let ends = table.steps();
        grow(&table, &ends, Growth { trees: 30, rate: 0.3, columns: 1000, ..Growth::default() }, 1)
    }

    #[test]
    fn trees_learn_what_no_sum_can_tell() {
        let trees = grown();
        let says = |one, two| {
            let mut row = [0; WIDTH];
            (row[0], row[1], row[2]) = (one, 128, two);
            sum(&trees, &row)
        };
        assert!(says(20, 20) < -ONE && says(200, 200) < -ONE);
        assert!(says(200, 20) > ONE && says(20, 200) > ONE);
    }

    #[test]
    fn the_same_rows_grow_the_same_trees() {
        assert_eq!(grown(), grown());
    }

    #[test]
    fn a_table_without_rows_grows_trees_that_say_nothing() {
        let mut table = Table::default();
        let ends = table.steps();
        let trees = grow(&table, &ends, Growth { trees: 2, ..Growth::default() }, 1);
        assert_eq!(trees, [Tree::EMPTY; 2]);
    }
}
