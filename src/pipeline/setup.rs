//! Sets the policy, the models and the key of a scrubber, and checks that it can apply its policy.

use std::slice;
use std::sync::Arc;

use super::Scrubber;
use crate::detections::{EthnicityWords, PatternSet};
use crate::entities::EntityModel;
use crate::error::{Error, Result};
use crate::key::Key;
use crate::names::Model;
use crate::policy::Policy;
use crate::rules::Headings;
use crate::status::{CueList, StatusModel};

impl Scrubber {
    /// Returns the scrubber with another policy. Both share the models and what was compiled for the vocabulary.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        let sections = policy.sections.iter();
        let sections =
            sections.map(|(name, choices)| (Headings::new(slice::from_ref(name)), choices.strictness)).collect();
        let context = if policy.cues == self.policy.cues {
            self.context
        } else {
            // `Policy::check` rejects cues that cannot be parsed.
            let own = CueList::parse(policy.cues.iter().map(String::as_str), "cues").unwrap_or_default();
            self.context.with_cues(&self.vocabulary, &own)
        };
        Self {
            site: policy.compile_site_lists().map(Arc::new),
            patterns: Arc::new(PatternSet::new(&policy.patterns)),
            ethnicity: policy.ethnicity.then(|| Arc::new(EthnicityWords::new())),
            headings: Arc::new(Headings::new(&policy.drop_sections)),
            groups: policy.group_bits(),
            sections,
            context,
            policy,
            ..self
        }
    }

    /// Returns the scrubber with a name model, which judges tokens by their context. Without one, only rules and lists
    /// are used.
    #[must_use]
    pub fn with_model(self, model: Model) -> Self {
        Self { model: Some(model), ..self }
    }

    /// Returns the scrubber with an entity model, which joins removed tokens into entities and determines their kinds.
    /// Without one, removed tokens are grouped by their findings.
    #[must_use]
    pub fn with_entities(self, model: EntityModel) -> Self {
        Self { entities: Some(model), ..self }
    }

    /// Returns the scrubber with a status model. Without one, only cues are used.
    #[must_use]
    pub fn with_status(self, model: StatusModel) -> Self {
        Self { context: self.context.with_model(&self.vocabulary, model), ..self }
    }

    /// Returns the scrubber with a key, from which shifts and surrogates are drawn.
    #[must_use]
    pub fn with_key(self, key: Key) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Returns the secret key.
    pub const fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    /// Fails if the policy is invalid, or if it needs a key and there is none.
    pub fn check_key(&self) -> Result<()> {
        self.policy.check()?;
        // A pattern without a name would find nothing, and its matches would leak.
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

#[cfg(test)]
mod tests {
    use crate::Policy;
    use crate::pipeline::tests::scrubber;

    #[test]
    fn another_policy_leaves_nothing_of_the_one_before() {
        let policy = Policy { cues: vec!["negated forward: zilch of".to_owned()], ethnicity: true, ..Policy::safe() };
        let (default, other) = (scrubber(), scrubber().with_policy(policy.clone()));
        let output = |scrubber: &crate::Scrubber| {
            let document = scrubber.scrub("A Basque lady. Zilch of fever.").unwrap();
            format!("{} {:?} {:?}", document.text, document.removed, document.concepts)
        };
        assert_ne!(output(&other), output(&default));
        assert_eq!(output(&default.clone().with_policy(policy)), output(&other));
        assert_eq!(output(&other.with_policy(Policy::default())), output(&default));
    }
}
