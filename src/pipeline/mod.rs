//! Holds the steps together: a note in, a document out.

mod autocode;
mod learning;
mod order;
mod passages;
mod steps;

use std::sync::Arc;

use crate::decide::Decision;
use crate::document::Document;
use crate::entities::{Entity, EntityModel};
use crate::error::{Error, Result};
use crate::key::Key;
use crate::names::{Judgement, Model};
use crate::patient::Patient;
use crate::policy::Policy;
use crate::provenance::Provenance;
use crate::rules::{self, Findings, Headings};
use crate::status::{Assertion, Context, ContextScratch, CueList, StatusModel};
use crate::terms::senses::{Senses, Unclear};
use crate::terms::split_terms::SplitTerms;
use crate::terms::{Matches, Start};
use crate::text::normalize::Normalized;
use crate::text::token::Token;
use crate::vocabulary::{Classes, Vocabulary, WordId};
#[doc(hidden)]
pub use order::Step;
use steps::{Request, report};

/// Scrubs and autocodes notes with one vocabulary and one policy.
#[derive(Clone, Debug)]
pub struct Scrubber {
    vocabulary: Vocabulary,
    policy: Policy,
    model: Option<Model>,
    /// What joins removed tokens to entities.
    entities: Option<EntityModel>,
    key: Option<Key>,
    /// What the site knows, compiled.
    site: Option<Arc<Patient>>,
    /// The headings of sections that are dropped.
    headings: Arc<Headings>,
    /// What says of a term that it is negated, somebody else's and so on.
    context: Arc<Context>,
    /// What short forms of several meanings mean.
    senses: Arc<Senses>,
    /// What puts together the terms that a text writes in parts.
    apart: SplitTerms,
    /// The groups of concepts that are told, one bit each.
    groups: u16,
}

/// The buffers of one worker, kept from note to note so that nothing is allocated for a word.
#[derive(Debug, Default)]
pub struct Scratch {
    normalized: Normalized,
    tokens: Vec<Token>,
    words: Vec<WordId>,
    classes: Vec<Classes>,
    starts: Vec<Start>,
    matches: Matches,
    numbers: rules::Numbers,
    names: rules::Names,
    findings: Findings,
    judgement: Judgement,
    decisions: Vec<Decision>,
    entities: Vec<Entity>,
    context: ContextScratch,
    said: Vec<Assertion>,
    unclear: Vec<(u32, Unclear)>,
}

impl Scrubber {
    /// A scrubber.
    #[must_use]
    pub fn new(vocabulary: Vocabulary, policy: Policy) -> Self {
        let site = policy.site().map(Arc::new);
        let headings = Arc::new(Headings::new(&policy.drop_sections));
        // `Policy::check` refuses cues that cannot be read.
        let own = CueList::parse(policy.cues.iter().map(String::as_str), "cues").unwrap_or_default();
        let context = Arc::new(Context::new(&vocabulary, &CueList::package().with(&own)));
        let senses = Arc::new(Senses::new(&vocabulary));
        let apart = SplitTerms::new(&vocabulary);
        let groups = policy.group_bits();
        Self {
            vocabulary,
            policy,
            model: None,
            entities: None,
            key: None,
            site,
            headings,
            context,
            senses,
            apart,
            groups,
        }
    }

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

    /// The model.
    pub const fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// The scrubber with a model that judges what a note says of its concepts. Without one, cues are all that is left.
    #[must_use]
    pub fn with_status(self, model: StatusModel) -> Self {
        let context = Context::clone(&self.context).with_model(&self.vocabulary, model);
        Self { context: Arc::new(context), ..self }
    }

    /// The scrubber with a key, from which shifts and surrogates are drawn.
    #[must_use]
    pub fn with_key(self, key: Key) -> Self {
        Self { key: Some(key), ..self }
    }

    /// The key.
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

    /// The vocabulary.
    pub const fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The policy.
    pub const fn policy(&self) -> &Policy {
        &self.policy
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

    /// De-identifies one note and explains each decision.
    pub fn scrub(&self, text: &str) -> Result<Document> {
        let mut document = Document::default();
        self.scrub_into(text, true, &mut Scratch::default(), &mut document)?;
        Ok(document)
    }

    /// De-identifies one note of a patient of whom something is known.
    pub fn scrub_patient(&self, text: &str, patient: &Patient) -> Result<Document> {
        let mut document = Document::default();
        self.scrub_patient_into(text, Some(patient), true, &mut Scratch::default(), &mut document)?;
        Ok(document)
    }

    /// De-identifies one note into buffers that are used again. With `explain`, the document tells every decision.
    pub fn scrub_into(&self, text: &str, explain: bool, scratch: &mut Scratch, out: &mut Document) -> Result<()> {
        self.scrub_patient_into(text, None, explain, scratch, out)
    }

    /// De-identifies one request, and what is known of its patient, into buffers that are used again.
    pub fn scrub_patient_into(
        &self,
        text: &str,
        patient: Option<&Patient>,
        explain: bool,
        scratch: &mut Scratch,
        out: &mut Document,
    ) -> Result<()> {
        let request = Request { text, patient, explain };
        self.take(request, Step::Assert, scratch)?;
        self.write(request, scratch, out);
        report(scratch, &mut out.findings);
        out.vouchers.clear();
        out.judgements.clear();
        if explain {
            self.explain(scratch, out);
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::rules::Note;

    /// A scrubber with the default vocabulary and no model.
    pub(crate) fn scrubber() -> Scrubber {
        let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).unwrap();
        Scrubber::new(vocabulary, Policy::default())
    }

    /// Calls `each` with a note as it is judged, read with the default vocabulary.
    pub(crate) fn with_read(text: &str, each: impl FnOnce(&Note<'_>, &Matches, &Findings)) {
        scrubber().marked(text, &[], |note, matches, findings, _| each(note, matches, findings)).unwrap();
    }
}
