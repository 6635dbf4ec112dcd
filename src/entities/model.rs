//! The entity model file: the weights of entity bounds and classes.

use super::class::CLASS_COUNT;
use crate::error::Result;
use crate::linear::table::WeightTable;
use crate::linear::{self, damaged_file_error};
use crate::vocabulary::container::{Container, Format};
use crate::vocabulary::to_hex;

/// The version must be raised with every change to the layout or the features.
static FORMAT: Format = Format {
    label: *b"notesieve-entity",
    version: 3,
    basis: linear::digest_of_lists,
    sections: &["provenance", "bounds", "classes"],
    messages: linear::container_messages("not a model of entities"),
};
const BOUNDS_SECTION: usize = 1;
const CLASSES_SECTION: usize = 2;

/// The maximum number of buckets, as a power of two.
pub(super) const BOUND_BUCKETS: u32 = 14;
pub(super) const CLASS_BUCKETS: u32 = 14;

/// The number of tags: outside, at the start of an entity, or inside it.
pub(super) const TAG_COUNT: usize = 3;

/// The weights of a feature for each tag, and for each class.
pub(super) type BoundWeights = [i8; TAG_COUNT];
pub(super) type ClassWeights = [i8; CLASS_COUNT];

/// A trained entity model.
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
    /// Reads a model from memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let file = "<memory>";
        let container = linear::read_container(&FORMAT, bytes, file)?;
        let [bounds, classes] = section_bytes(&container, bytes);
        Self::from_tables(WeightTable::copy_from_bytes(bounds), WeightTable::copy_from_bytes(classes), &container, file)
    }

    /// Uses an embedded model without copying it and without reading all of it.
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

    /// Returns the digest of the file as hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Serialises a model.
    pub(super) fn serialize_model(
        bounds: &WeightTable<BoundWeights>,
        classes: &WeightTable<ClassWeights>,
        provenance: &str,
    ) -> Vec<u8> {
        FORMAT.write(&[provenance.as_bytes(), bounds.as_bytes(), classes.as_bytes()])
    }
}

/// Returns the weights of bounds and those of classes.
fn section_bytes<'a>(container: &Container, bytes: &'a [u8]) -> [&'a [u8]; 2] {
    [BOUNDS_SECTION, CLASSES_SECTION].map(|section| container.section_bytes(bytes, section))
}
