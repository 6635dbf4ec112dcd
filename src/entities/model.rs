//! The weights by which entities are delimited and told apart, as one file.

use std::borrow::Cow;

use notesieve_vocabulary::{Class, hex};
use sha2::{Digest, Sha256};

use super::class::CLASSES;
use crate::error::Result;
use crate::linear::{self, Form, Header, damaged};

/// Raise the version with every change of the layout or of the features.
const FORM: Form = Form { label: *b"notesieve-entity", version: 1, other: "not a model of entities", lists };

/// How many weights of each class there are for bounds, and for classes.
pub(super) const BOUND_PLACES: usize = 1 << 16;
pub(super) const CLASS_PLACES: usize = 1 << 16;

/// How a token stands to an entity: outside, at its beginning, or inside.
pub(super) const TAGS: usize = 3;

/// What was learned of entities from marked notes.
#[derive(Clone)]
pub struct EntityModel {
    pub(super) bounds: Cow<'static, [[i8; TAGS]]>,
    pub(super) classes: Cow<'static, [[i8; CLASSES]]>,
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
        let (header, bounds, classes) = weights(bytes, file)?;
        linear::check(bytes, &header, file)?;
        let (bounds, classes) = (Cow::Owned(bounds.to_vec()), Cow::Owned(classes.to_vec()));
        Ok(Self { bounds, classes, digest: hex(&header.digest) })
    }

    /// Takes an embedded model, without a copy and without reading all of it.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self> {
        let (header, bounds, classes) = weights(bytes, "<embedded>")?;
        Ok(Self { bounds: Cow::Borrowed(bounds), classes: Cow::Borrowed(classes), digest: hex(&header.digest) })
    }

    /// The digest of the file, as hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The file of a model.
    pub(super) fn write(bounds: &[[i8; TAGS]], classes: &[[i8; CLASSES]], provenance: &str) -> Vec<u8> {
        let bytes = |weights: &[i8]| weights.iter().map(|weight| weight.cast_unsigned()).collect::<Vec<u8>>();
        FORM.write(provenance, [0, 0], &[&bytes(bounds.as_flattened()), &bytes(classes.as_flattened())])
    }
}

/// The header of a file, the weights of bounds and those of classes.
type Weights<'a> = (Header, &'a [[i8; TAGS]], &'a [[i8; CLASSES]]);

/// The weights of a file.
fn weights<'a>(bytes: &'a [u8], file: &str) -> Result<Weights<'a>> {
    let linear::Parts { header, body, .. } = FORM.parts(bytes, file)?;
    if body.len() != BOUND_PLACES * TAGS + CLASS_PLACES * CLASSES {
        return Err(damaged(file, "the weights have another length than they should"));
    }
    let (bounds, classes) = body.split_at(BOUND_PLACES * TAGS);
    Ok((
        header,
        bytemuck::cast_slice::<u8, i8>(bounds).as_chunks().0,
        bytemuck::cast_slice::<u8, i8>(classes).as_chunks().0,
    ))
}

/// Features are numbers of lists: with other lists they would mean something else.
fn lists() -> [u8; 16] {
    let names: Vec<&str> = Class::ALL.iter().map(|class| class.key()).collect();
    let digest = Sha256::digest(names.join("\n"));
    digest[..16].try_into().unwrap_or([0; 16])
}
