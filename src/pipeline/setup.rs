//! What a scrubber was made with, and whether that is enough.

use super::Scrubber;
use crate::error::{Error, Result};
use crate::key::Key;
use crate::provenance::Provenance;

impl Scrubber {
    /// The secret key.
    pub const fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

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
        }
    }

    /// Refuses a policy that needs a key where there is none.
    pub fn check(&self) -> Result<()> {
        self.policy.check()?;
        if self.policy.needs_key() && self.key.is_none() {
            return Err(Error::Key(
                "the policy shifts dates or writes surrogates and needs a key: give Key.load()".to_owned(),
            ));
        }
        Ok(())
    }
}
