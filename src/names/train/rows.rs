//! The features of marked notes by number, and what each row of them is in a gold standard.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::Gold;
use crate::names::features::OWN;
use crate::names::score::{LABELS, ONE, PARTS};

/// Hashes are spread already.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// Features by number.
#[derive(Default)]
pub(in crate::names) struct Numbers {
    of: HashMap<u64, u32, BuildHasherDefault<Spread>>,
    hashes: Vec<u64>,
}

impl Numbers {
    /// Features by number, to which none are added.
    pub(super) fn closed(hashes: Vec<u64>) -> Self {
        Self { of: HashMap::default(), hashes }
    }

    /// The features, by number.
    pub(in crate::names) fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The number of a feature: of a new one the next.
    pub(in crate::names) fn of(&mut self, hash: u64) -> u32 {
        *self.of.entry(hash).or_insert_with(|| {
            self.hashes.push(hash);
            self.hashes.len() as u32 - 1
        })
    }
}

/// Rows of features with a label each.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) ends: Vec<u32>,
    pub(super) features: Vec<u32>,
    pub(super) parts: Vec<[u16; PARTS]>,
    pub(super) gold: Vec<Gold>,
    /// What the model that is moved says of each row without the features that are learned; empty where none is moved.
    pub(super) rests: Vec<Rest>,
    pub(super) group: u32,
    pub(super) note: u32,
}

/// What a model says of a row: its letters, its other features, and what the trees add.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    pub(super) letters: [i16; LABELS],
    pub(super) others: [i16; LABELS],
    pub(super) trees: i32,
}

impl Rows {
    /// Takes the weights of features that are learned out of what the model says.
    pub(super) fn take_from_rests(&mut self, weights: &[[i16; LABELS]]) {
        let mut rests = std::mem::take(&mut self.rests);
        for (row, rest) in rests.iter_mut().enumerate() {
            for (nth, &feature) in self.features(row).iter().enumerate() {
                let weights = weights.get(feature as usize).copied().unwrap_or_default();
                let rest = if nth < OWN { &mut rest.letters } else { &mut rest.others };
                rest.iter_mut().zip(weights).for_each(|(rest, weight)| *rest -= weight);
            }
        }
        self.rests = rests;
    }

    /// What is said of a row by what is not learned, with its letters or without.
    pub(super) fn rest(&self, row: usize, letters: bool) -> [f32; LABELS] {
        let Some(rest) = self.rests.get(row) else { return [0.0; LABELS] };
        std::array::from_fn(|label| {
            let letters = if letters { i32::from(rest.letters[label]) } else { 0 };
            (letters + i32::from(rest.others[label]) + rest.trees) as f32 / ONE as f32
        })
    }

    pub(super) fn features(&self, row: usize) -> &[u32] {
        let first = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.features[first as usize..self.ends[row] as usize]
    }
}

/// In how many notes each of so many features occurs.
pub(super) fn count<'a>(rows: impl Iterator<Item = &'a Rows>, features: usize) -> Vec<u32> {
    let mut counts = vec![0; features];
    let mut last = vec![u32::MAX; features];
    let mut rows: Vec<&Rows> = rows.collect();
    rows.sort_by_key(|rows| rows.note);
    for rows in rows {
        for &feature in &rows.features {
            let feature = feature as usize;
            if feature >= features {
                continue;
            }
            counts[feature] += u32::from(last[feature] != rows.note);
            last[feature] = rows.note;
        }
    }
    counts
}
