//! What made an output: enough to make it again, and nothing that must be kept secret.

use serde::{Deserialize, Serialize};

use super::Scrubber;
use crate::key::Key;

/// The version, lists, choices and key of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of the package.
    pub version: String,
    /// The digest of the vocabulary.
    pub vocabulary_digest: String,
    /// The digest of the model, if there was one.
    #[serde(default)]
    pub model_digest: Option<String>,
    /// The digest of the model of what notes say of concepts, if there was one.
    #[serde(default)]
    pub status_digest: Option<String>,
    /// The digest of the model of entities, if there was one.
    #[serde(default)]
    pub entities_digest: Option<String>,
    /// The digest of the policy.
    pub policy_digest: String,
    /// The fingerprint of the key, if there was one; never the key.
    pub key_fingerprint: Option<String>,
    /// The names of detectors outside the core that were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub detectors: Vec<String>,
}

impl Scrubber {
    /// What an output needs to be made again.
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
