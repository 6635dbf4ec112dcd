//! What produced an output: enough to reproduce it, and nothing that must be kept secret.

use serde::{Deserialize, Serialize};

use super::Scrubber;
use crate::key::Key;

/// The version, models, vocabulary, policy and key of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of the package.
    pub version: String,
    /// The digest of the vocabulary.
    pub vocabulary_digest: String,
    /// The digest of the name model, if there was one.
    #[serde(default)]
    pub model_digest: Option<String>,
    /// The digest of the status model, if there was one.
    #[serde(default)]
    pub status_digest: Option<String>,
    /// The digest of the entity model, if there was one.
    #[serde(default)]
    pub entities_digest: Option<String>,
    /// The digest of the policy.
    pub policy_digest: String,
    /// The fingerprint of the key, if there was one; never the key.
    pub key_fingerprint: Option<String>,
    /// The names of the external detectors that were used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub detectors: Vec<String>,
}

impl Scrubber {
    /// Returns what is needed to reproduce an output.
    pub fn provenance(&self) -> Provenance {
        Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            vocabulary_digest: self.vocabulary.digest().to_owned(),
            model_digest: self.model.as_ref().map(|model| model.digest().to_owned()),
            status_digest: self.context.digest().map(str::to_owned),
            entities_digest: self.entities.as_ref().map(|model| model.digest().to_owned()),
            policy_digest: self.policy.digest(),
            key_fingerprint: self.key.as_ref().map(Key::fingerprint),
            detectors: Vec::new(),
        }
    }
}
