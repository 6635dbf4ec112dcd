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
        if self.policy.needs_key() && self.key.is_none() {
            return Err(Error::Key(
                "the policy shifts dates or writes surrogates and needs a key: give Key.load()".to_owned(),
            ));
        }
        Ok(())
    }
}
