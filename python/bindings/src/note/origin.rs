//! Provenance of a note: vocabulary, version, digests, fingerprint of the key.

use std::sync::Arc;

use notesieve::Provenance;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::vocabulary::Vocabulary;

/// The provenance in a pickle, as JSON.
pub(crate) type ProvenanceJson = String;

/// The provenance of a note or a batch.
#[derive(Clone)]
pub(crate) struct Origin {
    /// The vocabulary of its terms.
    pub(crate) vocabulary: Vocabulary,
    /// The version, the digests and the fingerprint of the key.
    pub(crate) provenance: Arc<Provenance>,
}

impl Origin {
    /// Returns the provenance for a pickle, without the vocabulary.
    pub(crate) fn provenance_json(&self) -> ProvenanceJson {
        serde_json::to_string(&*self.provenance).unwrap_or_default()
    }

    /// Restores the provenance from a pickle.
    pub(crate) fn from_provenance_json(vocabulary: Vocabulary, provenance: &ProvenanceJson) -> PyResult<Self> {
        let provenance = crate::pickle::from_state(provenance)?;
        Ok(Self { vocabulary, provenance: Arc::new(provenance) })
    }
}

/// Converts provenance to Python values.
pub(crate) fn provenance_as_dict<'py>(py: Python<'py>, provenance: &Provenance) -> PyResult<Bound<'py, PyDict>> {
    let Provenance {
        version,
        vocabulary_digest,
        model_digest,
        status_digest,
        entities_digest,
        policy_digest,
        key_fingerprint,
        detectors,
    } = provenance;
    let values = PyDict::new(py);
    values.set_item("version", version)?;
    values.set_item("vocabulary_digest", vocabulary_digest)?;
    values.set_item("model_digest", model_digest)?;
    values.set_item("status_digest", status_digest)?;
    values.set_item("entities_digest", entities_digest)?;
    values.set_item("policy_digest", policy_digest)?;
    values.set_item("key_fingerprint", key_fingerprint)?;
    if !detectors.is_empty() {
        values.set_item("detectors", detectors.join(", "))?;
    }
    Ok(values)
}
