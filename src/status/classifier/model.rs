//! The status model, stored in one file: the threshold of each status, the known words and stems, one per line, and the
//! weights of features in buckets of eight.

use std::path::Path;
use std::sync::Arc;

use wide::{i16x8, u8x16};

use super::super::assertion::Status;
use super::sentence_features::symbol;
use crate::error::{Error, Result};
use crate::linear::table::{SLOTS_PER_BUCKET, WeightTable};
use crate::linear::{self, damaged_file_error};
use crate::vocabulary::container::Format;
use crate::vocabulary::{Group, to_hex};

/// Increment the version with every change of the layout, of the features, or of how a note is split into sentences.
static FORMAT: Format = Format {
    label: *b"notesieve-status",
    version: 3,
    basis: digest_of_groups_and_statuses,
    sections: &["provenance", "thresholds", "words", "stems", "features"],
    messages: linear::container_messages("not a model of what notes say of concepts"),
};
const THRESHOLDS_SECTION: usize = 1;
const WORDS_SECTION: usize = 2;
const STEMS_SECTION: usize = 3;
const FEATURES_SECTION: usize = 4;

/// The number of statuses.
pub(super) const LABELS: usize = Status::COUNT;

/// The scores of a mention, one per status, padded with zeros. A mention has too few features to overflow; the
/// cumulative sums of word pairs may, but only their differences are used.
pub(super) type Scores = i16x8;

/// The weights of a feature. The last one belongs to no status: it pads a bucket to the size of a cache line.
type Weights = [i8; LABELS + 1];

/// A model of assertion statuses, trained on marked passages.
#[derive(Clone)]
pub struct StatusModel {
    words: Arc<[Box<str>]>,
    stems: Arc<[Box<str>]>,
    table: WeightTable<Weights>,
    pub(super) thresholds: [i16; LABELS],
    digest: String,
    /// The first bytes of the digest.
    pub(super) number: u64,
    provenance: String,
}

/// Shows the digest only.
impl std::fmt::Debug for StatusModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StatusModel").field("digest", &self.digest).finish_non_exhaustive()
    }
}

impl StatusModel {
    /// Opens a model file.
    pub fn open(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
        Self::parse_model(&bytes, &path.display().to_string())
    }

    /// Reads a model from memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::parse_model(bytes, "<memory>")
    }

    fn parse_model(bytes: &[u8], file: &str) -> Result<Self> {
        let container = linear::read_container(&FORMAT, bytes, file)?;
        let section = |section| container.section_bytes(bytes, section);
        let (thresholds, []) = section(THRESHOLDS_SECTION).as_chunks::<2>() else { return Err(wrong_size_error(file)) };
        let thresholds: Vec<i16> = thresholds.iter().map(|&two| i16::from_le_bytes(two)).collect();
        let (Ok(thresholds), Some(table)) =
            (thresholds.try_into(), WeightTable::copy_from_bytes(section(FEATURES_SECTION)))
        else {
            return Err(wrong_size_error(file));
        };
        let most = usize::from(symbol::STEMS - symbol::WORDS);
        let lists = [WORDS_SECTION, STEMS_SECTION].map(|list| str::from_utf8(section(list)).ok().map(split_lines));
        let [Some(words), Some(stems)] = lists.map(|list| list.filter(|list| list.len() < most)) else {
            return Err(damaged_file_error(file, "the words cannot be read: get the file again"));
        };
        Ok(Self {
            words,
            stems,
            table,
            thresholds,
            digest: to_hex(&container.digest),
            number: linear::instance_number(&container),
            provenance: linear::provenance_text(&container, bytes),
        })
    }

    /// Serialises a model: words, stems, and features with their weights, the most important first, in at most
    /// `1 << most` buckets. A feature that does not fit into its bucket is dropped.
    pub(super) fn serialize_model(
        [words, stems]: [&[String]; 2],
        features: &[(u64, [i8; LABELS])],
        most: u32,
        thresholds: [i16; LABELS],
        provenance: &str,
    ) -> Vec<u8> {
        let thresholds: Vec<u8> = thresholds.iter().flat_map(|threshold| threshold.to_le_bytes()).collect();
        let [words, stems] = [words, stems].map(|list| list.join("\n"));
        let padded =
            |&(hash, [one, two, three, four, five]): &(u64, [i8; LABELS])| (hash, [one, two, three, four, five, 0]);
        let table = WeightTable::from_ranked_features(features.iter().map(padded), most);
        FORMAT.write(&[provenance.as_bytes(), &thresholds, words.as_bytes(), stems.as_bytes(), table.as_bytes()])
    }

    /// Returns the digest of the file, as hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns what the model was trained on, as JSON.
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// Returns the words and the stems that have features of their own.
    pub(super) fn words_and_stems(&self) -> [impl Iterator<Item = &str>; 2] {
        [&self.words, &self.stems].map(|list| list.iter().map(|word| &**word))
    }

    /// Prefetches the bucket of a feature whose weights are added up soon.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        self.table.prefetch(hash);
    }

    /// Returns the weights of a feature, or zeros if it has none. There is no branch on whether it has any, because
    /// half of the features do.
    #[inline]
    pub(super) fn weights(&self, hash: u64) -> Scores {
        let Some(bucket) = self.table.bucket_of_hash(hash) else { return Scores::default() };
        let (slot, found) = bucket.find_slot(hash);
        // Reads the eight bytes that end with the weights; for the last slot they end with the bucket.
        let (bytes, first) =
            (bytemuck::bytes_of(bucket), size_of::<[u16; SLOTS_PER_BUCKET]>() - 2 + size_of::<Weights>() * slot);
        let eight = bytes.get(first..first + 8).and_then(|eight| eight.try_into().ok()).map_or(0, u64::from_le_bytes);
        let weights = eight >> 16 & u64::from(found).wrapping_neg();
        // Duplicates each byte and shifts out the lower copy, which extends the sign of the upper.
        let bytes: u8x16 = bytemuck::cast([weights, 0]);
        bytemuck::cast::<_, i16x8>(u8x16::unpack_low(bytes, bytes)) >> 8_i32
    }
}

fn wrong_size_error(file: &str) -> Error {
    damaged_file_error(file, "the thresholds or the features have a wrong size: get the file again")
}

/// Returns the lines of a text.
fn split_lines(text: &str) -> Arc<[Box<str>]> {
    text.lines().map(Box::from).collect()
}

/// Returns a digest of the concept groups and the statuses; a model trained with others is rejected.
fn digest_of_groups_and_statuses() -> [u8; 16] {
    // No concept is a measurement by itself: only the note around a mention makes it one.
    let of_concepts = Group::ALL.iter().filter(|&&group| group != Group::Measurement);
    linear::digest_of_names(of_concepts.map(|group| group.key()).chain(Status::KEYS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> Vec<u8> {
        let words = [["no", "fever"], ["no", "fev"]].map(|list| list.map(str::to_owned));
        let features = [(0x1234_0000_0000_0001, [1, -2, 3, -4, 5]), (0xABCD_0000_0000_0002, [5, 6, 7, 8, 9])];
        StatusModel::serialize_model([&words[0], &words[1]], &features, 11, [0, -9, 3, 4, 5], "{\"passages\":1}")
    }

    #[test]
    fn what_was_written_is_read() {
        let model = StatusModel::from_bytes(&written()).unwrap();
        assert_eq!((model.provenance(), model.thresholds), ("{\"passages\":1}", [0, -9, 3, 4, 5]));
        let [words, stems] = model.words_and_stems().map(Iterator::collect::<Vec<_>>);
        assert_eq!((words, stems), (vec!["no", "fever"], vec!["no", "fev"]));
        let hashes = [0x1234_0000_0000_0001, 7, 0xABCD_0000_0000_0002];
        let scores = hashes.into_iter().fold(Scores::default(), |sum, hash| sum + model.weights(hash));
        assert_eq!(scores.to_array(), [6, 4, 10, 4, 14, 0, 0, 0]);
    }

    #[test]
    fn damaged_files_are_refused() {
        let file = written();
        for end in 0..file.len() {
            assert!(StatusModel::from_bytes(&file[..end]).is_err(), "the first {end} bytes");
        }
        for at in 0..file.len() {
            let mut file = file.clone();
            file[at] ^= 0x10;
            assert!(StatusModel::from_bytes(&file).is_err(), "byte {at}");
        }
        let error = crate::names::Model::from_bytes(&file).unwrap_err().to_string();
        assert!(error.contains("not a model of notesieve"), "{error}");
    }
}
