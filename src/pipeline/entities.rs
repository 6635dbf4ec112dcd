//! Joins removed tokens into entities, and adapts the policy to them.

use std::borrow::Cow;

use super::Scrubber;
use crate::decide::{self, Decision};
use crate::entities::{self, Entity, EntityModel};
use crate::field::Role;
use crate::finding::{Category, Kind};
use crate::names::Judgement;
use crate::note::Note;
use crate::policy::Policy;
use crate::rules::Findings;

impl Scrubber {
    /// Joins removed tokens into entities.
    pub(super) fn find_entities(
        &self,
        note: &Note<'_>,
        role: Role,
        findings: &Findings,
        judgement: &Judgement,
        decisions: &mut Vec<Decision>,
        found: &mut Vec<Entity>,
    ) {
        let judge = decide::Judge::new(note, findings, &self.policy);
        let model = self.entity_model().filter(|_| role.is_free_text());
        *found = entities::find_entities(model, judge, judgement, decisions);
    }

    /// Returns the entity model; it needs the name model, as it was trained on its findings.
    fn entity_model(&self) -> Option<&EntityModel> {
        self.entities.as_ref().filter(|_| self.names_model().is_some())
    }

    /// Returns the policy for decisions on tokens. With an entity model, names and places are not kept token by token:
    /// the kind of the whole entity decides.
    pub(super) fn token_policy(&self) -> Cow<'_, Policy> {
        let of_entities = |kept: &String| {
            let kinds =
                Kind::ALL.iter().filter(|kind| kind.key() == kept || kind.category().key().eq_ignore_ascii_case(kept));
            kinds.into_iter().any(|kind| matches!(kind.category(), Category::Name | Category::Location))
        };
        if self.entity_model().is_none() || !self.policy.keep.iter().any(of_entities) {
            return Cow::Borrowed(&self.policy);
        }
        let keep = self.policy.keep.iter().filter(|kept| !of_entities(kept)).cloned().collect();
        Cow::Owned(Policy { keep, ..self.policy.clone() })
    }
}
