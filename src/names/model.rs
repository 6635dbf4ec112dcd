//! The model file, read in place: the weights of the first pass in buckets of eight, and the trees of the second.

use std::path::Path;
use std::sync::Arc;

use wide::{i16x8, i16x16};

use super::score::LABELS;
use super::sink::{FeatureSink, Template};
use super::tree::{LANES, SplitLeaves, Tree};
use super::trees::RowBlock;
use crate::error::{Error, Result};
use crate::linear::table::{Bucket, WeightTable};
use crate::linear::{self, damaged_file_error};
use crate::vocabulary::container::{Container, Format};
use crate::vocabulary::to_hex;

/// The version must be raised with every change to the layout or the features.
static FORMAT: Format = Format {
    label: *b"notesieve-model\n",
    version: 4,
    basis: linear::digest_of_lists,
    sections: &["provenance", "features", "trees"],
    messages: linear::container_messages("not a model of notesieve: give a file that `notesieve train` wrote"),
};
const FEATURES_SECTION: usize = 1;
const TREES_SECTION: usize = 2;
/// The maximum number of buckets, as a power of two.
const MAX_BUCKETS_LOG2: u32 = 17;

/// The weights of a feature.
type Weights = [i8; LABELS];

/// The trees of a model, embedded in the binary or read from a file.
#[derive(Clone)]
enum StoredTrees {
    Static(&'static [Tree]),
    Read(Arc<[Tree]>),
}

impl StoredTrees {
    #[inline]
    fn as_slice(&self) -> &[Tree] {
        match self {
            Self::Static(trees) => trees,
            Self::Read(trees) => trees,
        }
    }
}

/// A trained model.
#[derive(Clone)]
pub struct Model {
    table: WeightTable<Weights>,
    trees: StoredTrees,
    leaves: Arc<[SplitLeaves]>,
    digest: String,
    number: u64,
    provenance: String,
    file: String,
}

/// Shows the digest only.
impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("digest", &self.digest).finish_non_exhaustive()
    }
}

impl Model {
    /// Opens a model file.
    pub fn open(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
        Self::parse_model(&bytes, &path.display().to_string())
    }

    /// Reads a model from memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::parse_model(bytes, "<memory>")
    }

    /// Uses an embedded model without copying it and without reading all of it.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self> {
        let container = linear::open_embedded_container(&FORMAT, bytes)?;
        let trees = match bytemuck::try_cast_slice(container.section_bytes(bytes, TREES_SECTION)) {
            Ok(trees) => StoredTrees::Static(trees),
            _ => copy_trees(container.section_bytes(bytes, TREES_SECTION)),
        };
        let table = WeightTable::from_static(container.section_bytes(bytes, FEATURES_SECTION));
        Self::from_checked_parts(table, trees, &container, bytes, "<embedded>")
    }

    fn parse_model(bytes: &[u8], file: &str) -> Result<Self> {
        let container = linear::read_container(&FORMAT, bytes, file)?;
        let trees = copy_trees(container.section_bytes(bytes, TREES_SECTION));
        Self::from_checked_parts(
            WeightTable::copy_from_bytes(container.section_bytes(bytes, FEATURES_SECTION)),
            trees,
            &container,
            bytes,
            file,
        )
    }

    /// Rejects tables of a wrong size and trees that split on unknown columns.
    fn from_checked_parts(
        table: Option<WeightTable<Weights>>,
        trees: StoredTrees,
        container: &Container,
        bytes: &[u8],
        file: &str,
    ) -> Result<Self> {
        let whole = container.section_bytes(bytes, TREES_SECTION).len().is_multiple_of(size_of::<Tree>());
        let Some(table) = table.filter(|_| whole) else {
            return Err(damaged_file_error(file, "the features or the trees have a wrong size: get the file again"));
        };
        if !trees.as_slice().iter().all(Tree::has_valid_columns) {
            return Err(damaged_file_error(
                file,
                "a tree has a split on a column that does not exist: get the file again",
            ));
        }
        let leaves = trees.as_slice().iter().map(SplitLeaves::from_tree).collect();
        Ok(Self {
            table,
            trees,
            leaves,
            digest: to_hex(&container.digest),
            number: linear::instance_number(container),
            provenance: linear::provenance_text(container, bytes),
            file: file.to_owned(),
        })
    }

    /// Returns the digest of the file as hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the provenance of the training data, as JSON.
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// Returns the file that the model was read from.
    pub fn source_file(&self) -> &str {
        &self.file
    }

    /// Serialises a model from its trees and its features with their weights, the most important first. A feature whose
    /// bucket is full is dropped.
    pub(super) fn serialize_model(features: &[(u64, Weights)], trees: &[Tree], provenance: &str) -> Vec<u8> {
        serialize_container(
            &WeightTable::from_ranked_features(features.iter().copied(), MAX_BUCKETS_LOG2),
            trees,
            provenance,
        )
    }

    /// Serialises this model with changed weights for some features of the first pass, the most important first.
    pub(super) fn serialize_with_weights(&self, features: &[(u64, Weights)], provenance: &str) -> Vec<u8> {
        let size = |weights: &Weights| weights.iter().map(|weight| weight.unsigned_abs()).max().unwrap_or_default();
        serialize_container(&self.table.with_changed_weights(features, size), self.trees.as_slice(), provenance)
    }

    /// Sums up the weights of features.
    #[inline]
    pub(super) fn sum_weights(&self, features: &[u64]) -> [i16; LABELS] {
        sum_bucket_weights(self.table.buckets(), features)
    }

    /// Returns a sink that sums up the weights of the features it receives.
    pub(super) fn weight_adder(&self) -> WeightAdder<'_> {
        WeightAdder { table: self.table.buckets(), sums: i16x8::ZERO, count: 0 }
    }

    /// Prefetches the buckets of features.
    #[inline]
    pub(super) fn prefetch(&self, features: &[u64]) {
        for &feature in features {
            self.table.prefetch(feature);
        }
    }

    /// Returns a number that no other model has.
    pub(super) const fn instance_number(&self) -> u64 {
        self.number
    }

    /// Returns the scores of the second pass, which are added to those of the first.
    pub(super) fn tree_scores(&self, rows: &RowBlock) -> [i32; LANES] {
        rows.scores_of_trees(self.trees.as_slice(), &self.leaves)
    }
}

/// Sums up the weights of a few features: so few that 16 bits hold the sums.
pub(super) struct WeightAdder<'a> {
    table: &'a [Bucket<Weights>],
    sums: i16x8,
    count: usize,
}

impl FeatureSink for WeightAdder<'_> {
    #[inline]
    fn add(&mut self, _: Template, hash: u64) {
        let Some(bucket) = self.table.get(hash as usize & self.table.len().wrapping_sub(1)) else { return };
        let (slot, found) = bucket.find_slot(hash);
        let weights = bytemuck::cast::<_, u32>(bucket.weights[slot]) & u32::from(found).wrapping_neg();
        let [lanes, _]: [i16x8; 2] = bytemuck::cast(i16x16::from_i8x16(bytemuck::cast([u64::from(weights), 0])));
        self.sums += lanes;
        self.count += 1;
        debug_assert!(self.count <= 256, "so many weights are no longer sure to fit");
    }

    fn feature_count(&self) -> usize {
        self.count
    }
}

impl WeightAdder<'_> {
    /// Returns the sums of the weights by label.
    pub(super) fn label_sums(&self) -> [i16; LABELS] {
        let [sums, _]: [[i16; LABELS]; 2] = bytemuck::cast(self.sums);
        sums
    }
}

fn copy_trees(bytes: &[u8]) -> StoredTrees {
    StoredTrees::Read(bytes.chunks_exact(size_of::<Tree>()).map(bytemuck::pod_read_unaligned).collect())
}

/// Sums up weights. Not inlined, so that the loop has all registers to itself. Half of the features are in no bucket,
/// so there is no branch on whether one is. The weights of two features are added at once, each offset by 128 to be
/// unsigned.
#[inline(never)]
fn sum_bucket_weights(table: &[Bucket<Weights>], features: &[u64]) -> [i16; LABELS] {
    const MORE: u32 = 0x8080_8080;
    let places = table.len().wrapping_sub(1);
    let weights = |feature: u64| {
        let Some(bucket) = table.get(feature as usize & places) else { return MORE };
        let (slot, found) = bucket.find_slot(feature);
        let found = u32::from(found).wrapping_neg();
        (bytemuck::cast::<_, u32>(bucket.weights[slot]) & found) ^ MORE
    };
    let mut scores = [0_i16; LABELS];
    // In chunks whose sums fit into 16 bits.
    for features in features.chunks(128) {
        let (pairs, last) = features.as_chunks::<2>();
        let mut sums = i16x8::ZERO;
        for &[one, other] in pairs {
            let pair = u64::from(weights(one)) | u64::from(weights(other)) << 32;
            sums += i16x8::from_u8x16_low(bytemuck::cast([pair, 0]));
        }
        if let &[one] = last {
            sums += i16x8::from_u8x16_low(bytemuck::cast([u64::from(weights(one)), 0]));
        }
        let [one, other]: [[u16; LABELS]; 2] = bytemuck::cast(sums);
        for (score, (one, other)) in scores.iter_mut().zip(one.into_iter().zip(other)) {
            let sum = one.wrapping_add(other).wrapping_sub(128 * features.len() as u16);
            *score = score.saturating_add(sum.cast_signed());
        }
    }
    scores
}

/// Serialises the whole file.
fn serialize_container(table: &WeightTable<Weights>, trees: &[Tree], provenance: &str) -> Vec<u8> {
    FORMAT.write(&[provenance.as_bytes(), table.as_bytes(), bytemuck::cast_slice(trees)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::dense::DenseRow;
    use crate::names::tree::LEAF_SCALE;

    fn written() -> Vec<u8> {
        let mut tree = Tree::EMPTY;
        tree.splits[0] = [3, 100];
        tree.leaves[0] = LEAF_SCALE as i16;
        tree.leaves[1] = -2 * LEAF_SCALE as i16;
        let features = [(0x1234_0000_0000_0001, [1, -2, 3, -4]), (0xABCD_0000_0000_0002, [5, 6, 7, 8])];
        Model::serialize_model(&features, &[tree, Tree::EMPTY], "{\"notes\":1}")
    }

    #[test]
    fn what_was_written_is_read() {
        let file: &'static [u8] = written().leak();
        for model in [Model::from_bytes(file).unwrap(), Model::from_static(file).unwrap()] {
            assert_eq!(model.provenance(), "{\"notes\":1}");
            assert_eq!(model.sum_weights(&[0x1234_0000_0000_0001, 7, 0xABCD_0000_0000_0002]), [6, 4, 10, 4]);
            let (mut row, mut block) = (DenseRow::new(), RowBlock::new());
            row.len = 4;
            block.add_row(&row);
            row.values[3] = 101;
            block.add_row(&row);
            assert_eq!(model.tree_scores(&block)[..2], [32, -64]);
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let file = written();
        for end in 0..file.len() {
            assert!(Model::from_bytes(&file[..end]).is_err(), "the first {end} bytes");
        }
        for at in 0..file.len() {
            let mut file = file.clone();
            file[at] ^= 0x10;
            assert!(Model::from_bytes(&file).is_err(), "byte {at}");
        }
    }

    #[test]
    fn trees_with_unknown_columns_are_refused() {
        let mut tree = Tree::EMPTY;
        tree.splits[0] = [200, 100];
        let error = Model::from_bytes(&Model::serialize_model(&[], &[tree], "{}")).unwrap_err().to_string();
        assert!(error.contains("a split on a column that does not exist"), "{error}");
    }

    #[test]
    fn sections_of_another_size_are_refused() {
        let table = WeightTable::<Weights>::from_ranked_features([].into_iter(), 16);
        let trees: &[u8] = bytemuck::bytes_of(&Tree::EMPTY);
        for (features, trees) in [(&table.as_bytes()[1..], trees), (table.as_bytes(), &trees[1..])] {
            let error = Model::from_bytes(&FORMAT.write(&[b"{}", features, trees])).unwrap_err().to_string();
            assert!(error.contains("have a wrong size"), "{error}");
        }
    }
}
