//! The weights by which entities are delimited and told apart, as one file.

use notesieve_vocabulary::{Class, hex};
use sha2::{Digest, Sha256};

use super::class::CLASSES;
use crate::error::{Error, Result};
use crate::linear::table::{Bucket, Table};
use crate::linear::{self, Form, Header, damaged};

/// Raise the version with every change of the layout or of the features.
const FORM: Form = Form { label: *b"notesieve-entity", version: 2, other: "not a model of entities", lists };

/// Features find place in at most so many buckets: as a power of two.
pub(super) const BOUND_BUCKETS: u32 = 14;
pub(super) const CLASS_BUCKETS: u32 = 14;

/// How a token stands to an entity: outside, at its beginning, or inside.
pub(super) const TAGS: usize = 3;

/// The weights of a feature of each tag, and of each class.
pub(super) type BoundWeights = [i8; TAGS];
pub(super) type ClassWeights = [i8; CLASSES];

/// What was learned of entities from marked notes.
#[derive(Clone)]
pub struct EntityModel {
    pub(super) bounds: Table<BoundWeights>,
    pub(super) classes: Table<ClassWeights>,
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
        let (header, [bounds, classes]) = tables(bytes, file)?;
        linear::check(bytes, &header, file)?;
        Self::of(Table::read(bounds), Table::read(classes), &header, file)
    }

    /// Takes an embedded model, without a copy and without reading all of it.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self> {
        let file = "<embedded>";
        let (header, [bounds, classes]) = tables(bytes, file)?;
        Self::of(Table::from_static(bounds), Table::from_static(classes), &header, file)
    }

    fn of(
        bounds: Option<Table<BoundWeights>>,
        classes: Option<Table<ClassWeights>>,
        header: &Header,
        file: &str,
    ) -> Result<Self> {
        let (Some(bounds), Some(classes)) = (bounds, classes) else { return Err(unfilled(file)) };
        Ok(Self { bounds, classes, digest: hex(&header.digest) })
    }

    /// The digest of the file, as hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The file of a model.
    pub(super) fn write(bounds: &Table<BoundWeights>, classes: &Table<ClassWeights>, provenance: &str) -> Vec<u8> {
        let counts = [bounds.buckets().len() as u32, classes.buckets().len() as u32];
        FORM.write(provenance, counts, &[bounds.bytes(), classes.bytes()])
    }
}

/// The header of a file, and the bytes of the weights of bounds and of those of classes.
fn tables<'a>(bytes: &'a [u8], file: &str) -> Result<(Header, [&'a [u8]; 2])> {
    let linear::Parts { header, body, .. } = FORM.parts(bytes, file)?;
    let [bounds, classes] = header.counts.map(|count| count as usize);
    let length = bounds * size_of::<Bucket<BoundWeights>>();
    if body.len().checked_sub(length) != Some(classes * size_of::<Bucket<ClassWeights>>()) {
        return Err(unfilled(file));
    }
    Ok((header, body.split_at(length).into()))
}

fn unfilled(file: &str) -> Error {
    damaged(file, "the weights of bounds and of classes do not fill the file: get the file again")
}

/// Features are numbers of lists: with other lists they would mean something else.
fn lists() -> [u8; 16] {
    let names: Vec<&str> = Class::ALL.iter().map(|class| class.key()).collect();
    let digest = Sha256::digest(names.join("\n"));
    digest[..16].try_into().unwrap_or([0; 16])
}
