//! Linear models over hashed features, used for names, entities and statuses: features, weights, training, and the
//! [container](crate::vocabulary::container) of a trained model, whose first section is its provenance.

pub(crate) mod classes;
pub(crate) mod features;
pub(crate) mod hash;
pub(crate) mod rng;
pub(crate) mod sgd;
pub(crate) mod table;

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::vocabulary::Class;
use crate::vocabulary::container::{Container, Damage, Format, Messages};

/// The section with the provenance of the training data, as JSON: the first of every model.
pub(crate) const PROVENANCE_SECTION: usize = 0;

/// Returns the messages about files that are not models for this program.
pub(crate) const fn container_messages(other_label: &'static str) -> Messages {
    Messages {
        other_label,
        other_basis: "learned with other lists of words than this program has",
        advice: "train it again",
    }
}

/// Opens an embedded model; only cheap checks are made.
pub(crate) fn open_embedded_container(format: &'static Format, bytes: &[u8]) -> Result<Container> {
    format.read(bytes).map_err(|damage| damage.of_model("<embedded>"))
}

/// Reads a model file and rejects altered ones.
pub(crate) fn read_container(format: &'static Format, bytes: &[u8], file: &str) -> Result<Container> {
    let container = format.read(bytes).and_then(|container| container.verify(bytes).map(|()| container));
    container.map_err(|damage: Damage| damage.of_model(file))
}

/// Returns the provenance of the training data, as JSON.
pub(crate) fn provenance_text(container: &Container, bytes: &[u8]) -> String {
    String::from_utf8_lossy(container.section_bytes(bytes, PROVENANCE_SECTION)).into_owned()
}

/// Returns the first bytes of the digest of names: a model only fits a program with the same names.
pub(crate) fn digest_of_names<'a>(names: impl Iterator<Item = &'a str>) -> [u8; 16] {
    let all = names.fold(Sha256::new(), |all, name| all.chain_update(name).chain_update("\n"));
    let digest: [u8; 32] = all.finalize().into();
    std::array::from_fn(|at| digest[at])
}

/// Returns a digest of the lists of this program: features contain numbers of lists, so models depend on them.
pub(crate) fn digest_of_lists() -> [u8; 16] {
    digest_of_names(Class::ALL.iter().map(|class| class.key()))
}

/// Returns a number that identifies a model: the first bytes of its digest.
pub(crate) fn instance_number(container: &Container) -> u64 {
    u64::from_le_bytes(container.digest[..8].try_into().unwrap_or([0; 8]))
}

pub(crate) fn damaged_file_error(file: &str, problem: impl Into<Cow<'static, str>>) -> Error {
    Error::Model { file: file.to_owned(), problem: problem.into().into_owned() }
}
