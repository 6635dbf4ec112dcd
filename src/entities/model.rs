//! The weights by which entities are delimited and told apart, as one file.

use super::class::CLASS_COUNT;
use crate::error::Result;
use crate::linear::table::WeightTable;
use crate::linear::{self, damaged_file_error};
use crate::vocabulary::container::{Container, Format};
use crate::vocabulary::to_hex;

/// Raise the version with every change of the layout or of the features.
static FORMAT: Format = Format {
    label: *b"notesieve-entity",
    version: 3,
    basis: linear::digest_of_lists,
    sections: &["provenance", "bounds", "classes"],
    messages: linear::container_messages("not a model of entities"),
};
const BOUNDS_SECTION: usize = 1;
const CLASSES_SECTION: usize = 2;

/// Features find place in at most so many buckets: as a power of two.
pub(super) const BOUND_BUCKETS: u32 = 14;
pub(super) const CLASS_BUCKETS: u32 = 14;

/// How a token stands to an entity: outside, at its beginning, or inside.
pub(super) const TAG_COUNT: usize = 3;

/// The weights of a feature of each tag, and of each class.
pub(super) type BoundWeights = [i8; TAG_COUNT];
pub(super) type ClassWeights = [i8; CLASS_COUNT];

/// What was learned of entities from marked notes.
#[derive(Clone)]
pub struct EntityModel {
    pub(super) bounds: WeightTable<BoundWeights>,
    pub(super) classes: WeightTable<ClassWeights>,
    digest: String,
}

/// `Debug` shows the digest only.
impl std::fmt::Debug for EntityModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EntityModel").field("digest", &self.digest).finish_non_exhaustive()
    }
}

impl EntityModel {
    /// Reads a model in memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let file = "<memory>";
        let container = linear::read_container(&FORMAT, bytes, file)?;
        let [bounds, classes] = section_bytes(&container, bytes);
        Self::from_tables(WeightTable::copy_from_bytes(bounds), WeightTable::copy_from_bytes(classes), &container, file)
    }

    /// Takes an embedded model, without a copy and without reading all of it.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self> {
        let container = linear::open_embedded_container(&FORMAT, bytes)?;
        let [bounds, classes] = section_bytes(&container, bytes);
        Self::from_tables(WeightTable::from_static(bounds), WeightTable::from_static(classes), &container, "<embedded>")
    }

    fn from_tables(
        bounds: Option<WeightTable<BoundWeights>>,
        classes: Option<WeightTable<ClassWeights>>,
        container: &Container,
        file: &str,
    ) -> Result<Self> {
        let (Some(bounds), Some(classes)) = (bounds, classes) else {
            return Err(damaged_file_error(
                file,
                "the weights of bounds or of classes have a wrong size: get the file again",
            ));
        };
        Ok(Self { bounds, classes, digest: to_hex(&container.digest) })
    }

    /// The digest of the file, as hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The file of a model.
    pub(super) fn serialize_model(
        bounds: &WeightTable<BoundWeights>,
        classes: &WeightTable<ClassWeights>,
        provenance: &str,
    ) -> Vec<u8> {
        FORMAT.write(&[provenance.as_bytes(), bounds.as_bytes(), classes.as_bytes()])
    }
}

/// The weights of bounds and those of classes.
fn section_bytes<'a>(container: &Container, bytes: &'a [u8]) -> [&'a [u8]; 2] {
    [BOUNDS_SECTION, CLASSES_SECTION].map(|section| container.section_bytes(bytes, section))
}
