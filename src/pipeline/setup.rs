//! The models and the key of a scrubber, and whether it can do what the policy says.

use std::sync::Arc;

use super::Scrubber;
use crate::entities::EntityModel;
use crate::error::{Error, Result};
use crate::key::Key;
use crate::names::Model;
use crate::status::{StatusAssigner, StatusModel};

impl Scrubber {
    /// The scrubber with a model that judges what has no form. Without one, rules and lists are all that is left.
    #[must_use]
    pub fn with_model(self, model: Model) -> Self {
        Self { model: Some(model), ..self }
    }

    /// The scrubber with a model that joins removed tokens to entities and tells their kinds. Without one, removed tokens are grouped
    /// by what rules and model found.
    #[must_use]
    pub fn with_entities(self, model: EntityModel) -> Self {
        Self { entities: Some(model), ..self }
    }

    /// The scrubber with a model that judges what a note says of its concepts. Without one, cues are all that is left.
    #[must_use]
    pub fn with_status(self, model: StatusModel) -> Self {
        let context = StatusAssigner::clone(&self.context).with_model(&self.vocabulary, model);
        Self { context: Arc::new(context), ..self }
    }

    /// The scrubber with a key, from which shifts and surrogates are drawn.
    #[must_use]
    pub fn with_key(self, key: Key) -> Self {
        Self { key: Some(key), ..self }
    }

    /// The secret key.
    pub const fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    /// Refuses a policy that needs a key where there is none.
    pub fn check_key(&self) -> Result<()> {
        self.policy.check()?;
        // A pattern without a name would find nothing, and what it should remove would come out.
        let unnamed = self.ethnicity.as_ref().is_some_and(|words| !words.has_detector_name());
        if unnamed || self.patterns.pattern_count() < self.policy.patterns.len() {
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
