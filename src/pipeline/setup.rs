//! The key of a scrubber, and whether the policy needs one.

use super::Scrubber;
use crate::error::{Error, Result};
use crate::key::Key;

impl Scrubber {
    /// The secret key.
    pub const fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    /// Refuses a policy that needs a key where there is none.
    pub fn check(&self) -> Result<()> {
        self.policy.check()?;
        // A pattern without a name would find nothing, and what it should remove would come out.
        if self.patterns.len() < self.policy.patterns.len() {
            return Err(Error::Policy(
                "patterns: one process can name 4,096 patterns and detectors, no more".to_owned(),
            ));
        }
        if self.policy.needs_key() && self.key.is_none() {
            return Err(Error::Key(
                "the policy shifts dates or writes surrogates and needs a key: give Key.load()".to_owned(),
            ));
        }
        Ok(())
    }
}
