//! What made an output: enough to make it again, and nothing that must be kept secret.

use serde::{Deserialize, Serialize};

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
}
