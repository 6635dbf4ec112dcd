//! The pipeline from the text of a note to a [`Document`].
//!
//! `Scrubber::scrub_request` alone defines the order: folding, tokens, placeholders, numbers and layout
//! ([`NoteBuffers::read`]), terms, rules, detections, names, abbreviations and senses, decisions, statuses, values,
//! rendering. Each step reads the note and the results of earlier steps, and fills a result of its own.

mod autocode;
mod batch;
mod entities;
mod fields;
mod learning;
mod passages;
pub mod provenance;
mod report;
mod setup;
mod short_forms;

use std::borrow::Cow;
use std::sync::Arc;

use crate::buffer::release;
use crate::calendar::Day;
use crate::debug::debug_count;
use crate::decide::{self, Decision};
use crate::detections::{self, CallerKnowledge, Detection, EthnicityWords, PatternSet};
use crate::document::{Action, Document};
use crate::entities::{Entity, EntityModel};
use crate::error::{Error, MAX_TEXT_BYTES, Result};
use crate::field::{self, Role};
use crate::key::Key;
use crate::names::{Judgement, Model, SectionStrictness};
use crate::note::{Note, NoteBuffers};
use crate::patient::Patient;
use crate::policy::{Ambiguous, Policy};
use crate::render;
use crate::rules::{self, Findings, Headings};
use crate::status::{self, Assertion, StatusAssigner, StatusScratch};
use crate::terms::senses::{Senses, UnclearReason};
use crate::terms::split_terms::SplitTerms;
use crate::terms::{self, Match, Matches};
use crate::values::{self, Analytes, TermAttributes};
use crate::vocabulary::Vocabulary;

/// Scrubs and autocodes notes with one vocabulary and one policy.
#[derive(Clone, Debug)]
pub struct Scrubber {
    vocabulary: Vocabulary,
    policy: Policy,
    model: Option<Model>,
    /// Joins removed tokens into entities.
    entities: Option<EntityModel>,
    key: Option<Key>,
    /// The site's lists, compiled.
    site: Option<Arc<Patient>>,
    /// The patterns of the policy, compiled.
    patterns: Arc<PatternSet>,
    /// Words for ethnicity and nationality, if the policy removes them.
    ethnicity: Option<Arc<EthnicityWords>>,
    /// The headings of sections that are dropped.
    headings: Arc<Headings>,
    /// The sections with a strictness of their own.
    sections: Arc<SectionStrictness>,
    /// Assigns a status to each term: negated, somebody else's and so on.
    context: StatusAssigner,
    /// The senses of ambiguous short forms.
    senses: Arc<Senses>,
    /// Recognises terms that a text splits into parts.
    split_terms: SplitTerms,
    /// Analytes and their short forms.
    analytes: Arc<Analytes>,
    /// A bitmask of the concept groups that are reported.
    groups: u16,
}

/// The results of the steps for one note; buffers of one worker, reused from note to note.
#[derive(Default)]
pub struct Buffers {
    note: NoteBuffers,
    matches: Matches,
    names: rules::FoundNames,
    findings: Findings,
    judgement: Judgement,
    unclear: Vec<(u32, UnclearReason)>,
    decisions: Vec<Decision>,
    entities: Vec<Entity>,
    status: StatusScratch,
    assertions: Vec<Assertion>,
    attributes: TermAttributes,
}

debug_count!(Buffers, "decisions", |it| it.decisions.len());

/// A text to scrub, with options.
#[derive(Clone, Copy)]
struct Request<'a> {
    text: &'a str,
    patient: Option<&'a Patient>,
    detections: &'a [Detection],
    explain: bool,
    /// The message field whose value the text is.
    field: Option<FieldContext>,
}

/// What a message says about one of its fields.
#[derive(Clone, Copy)]
struct FieldContext {
    role: Role,
    /// The latest date of the message.
    latest: Option<Day>,
}

impl Scrubber {
    /// Creates a scrubber without models and without a key. For another policy, [`Self::with_policy`] is faster.
    #[must_use]
    pub fn new(vocabulary: Vocabulary, policy: Policy) -> Self {
        let context = StatusAssigner::new(&vocabulary);
        let senses = Arc::new(Senses::new(&vocabulary));
        let split_terms = SplitTerms::new(&vocabulary);
        let analytes = Arc::new(Analytes::new(&vocabulary));
        let scrubber = Self {
            vocabulary,
            policy: Policy::default(),
            model: None,
            entities: None,
            key: None,
            site: None,
            patterns: Arc::default(),
            ethnicity: None,
            headings: Arc::default(),
            sections: Arc::default(),
            context,
            senses,
            split_terms,
            analytes,
            groups: 0,
        };
        scrubber.with_policy(policy)
    }

    /// Returns the name model.
    pub const fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// Returns the vocabulary.
    pub const fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns the policy.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// De-identifies one note and explains each decision.
    pub fn scrub(&self, text: &str) -> Result<Document> {
        let mut document = Document::default();
        self.scrub_into(text, true, &mut Buffers::default(), &mut document)?;
        Ok(document)
    }

    /// De-identifies one note with the caller's knowledge of it.
    pub fn scrub_with(&self, text: &str, known: &CallerKnowledge) -> Result<Document> {
        let mut document = Document::default();
        self.scrub_with_into(text, known, true, &mut Buffers::default(), &mut document)?;
        Ok(document)
    }

    /// De-identifies one note with reusable buffers. With `explain`, the document has a reason for every decision.
    pub fn scrub_into(&self, text: &str, explain: bool, buffers: &mut Buffers, out: &mut Document) -> Result<()> {
        self.scrub_with_into(text, &CallerKnowledge::default(), explain, buffers, out)
    }

    /// De-identifies one note with the caller's knowledge of it and reusable buffers.
    pub fn scrub_with_into(
        &self,
        text: &str,
        known: &CallerKnowledge,
        explain: bool,
        buffers: &mut Buffers,
        out: &mut Document,
    ) -> Result<()> {
        let CallerKnowledge { patient, detections } = known;
        let request = Request { text, patient: patient.as_deref(), detections, explain, field: None };
        self.scrub_request(request, buffers, out).map(drop)
    }

    /// De-identifies a note or a field of a message; returns the role in which it was read.
    fn scrub_request(&self, request: Request<'_>, buffers: &mut Buffers, out: &mut Document) -> Result<Role> {
        let Request { text, explain, field, .. } = request;
        let Buffers {
            note: buffers,
            matches,
            names,
            findings,
            judgement,
            unclear,
            decisions,
            entities,
            status,
            assertions,
            attributes,
        } = buffers;
        let note = self.read_note(text, buffers)?;
        let role = field.map_or(Role::Text, |field| field.role.role_of_value(text, &note, &self.policy));
        if role.is_free_text() {
            terms::find_terms(&note, matches);
        } else {
            matches.terms.clear();
        }
        // From here on the note is borrowed anew each time a buffer that no later step reads is freed.
        buffers.release_starts();
        let note = buffers.note(text, &self.vocabulary);
        self.find_phi(&note, request, role, names, findings);
        buffers.release_keys();
        let note = buffers.note(text, &self.vocabulary);
        if role.is_free_text() {
            detections::report_detections(&note, request.detections, findings);
            self.patterns.report_matches(&note, findings);
            self.find_names(&note, matches, judgement, findings);
            self.find_short_forms(&note, findings, &mut matches.terms, unclear);
        }
        if let Some(words) = &self.ethnicity {
            words.report_ethnicity(&note, &matches.terms, findings);
        }
        self.decide_on_tokens(&note, role, &matches.terms, findings, decisions);
        self.find_entities(&note, role, findings, judgement, decisions, entities);
        if !explain {
            judgement.release_scores();
        }
        self.assert_statuses(&note, &matches.terms, unclear, status, assertions);
        let kept = |at: usize| decisions.get(at).is_some_and(|decision| decision.action != Action::Remove);
        values::find_attributes(&note, &self.analytes, &matches.terms, kept, attributes);
        if !explain && self.policy.is_plain() {
            buffers.release_words();
        }
        let note = buffers.note(text, &self.vocabulary);
        self.write_document(&note, request, (matches, findings), (decisions, entities, assertions, attributes), out);
        if explain && field.is_none() {
            self.explain(&note, matches, findings, judgement, out);
        }
        Ok(role)
    }

    /// Writes the new text and the findings.
    fn write_document(
        &self,
        note: &Note<'_>,
        Request { patient, explain, field, .. }: Request<'_>,
        (matches, findings): (&Matches, &Findings),
        (decisions, entities, assertions, attributes): (
            &mut Vec<Decision>,
            &mut Vec<Entity>,
            &mut Vec<Assertion>,
            &mut TermAttributes,
        ),
        out: &mut Document,
    ) {
        let context = render::Context {
            note,
            patient,
            key: self.key.as_ref(),
            latest: field.and_then(|field| field.latest),
            birth: field.is_some_and(|field| field.role == Role::BirthDate),
        };
        let input = render::Input {
            source: note.source(),
            normalized: note.normalized(),
            tokens: note.tokens(),
            matches: &matches.terms,
            assertions,
            attributes,
            findings,
            decisions,
            entities,
            vocabulary: &self.vocabulary,
            policy: &self.policy,
            explain,
            context: (!self.policy.is_plain()).then_some(context),
        };
        render::render(input, out);
        release(decisions);
        release(entities);
        release(assertions);
        release(attributes);
        self.retain_chosen_concepts(out);
        report::report_findings(note, findings, &mut out.findings);
        out.vouchers.clear();
        out.judgements.clear();
    }

    /// Reads a text into a note.
    fn read_note<'a>(&'a self, text: &'a str, buffers: &'a mut NoteBuffers) -> Result<Note<'a>> {
        if text.len() > MAX_TEXT_BYTES {
            return Err(Error::TooLong { bytes: text.len() });
        }
        Ok(buffers.read(text, &self.vocabulary, self.policy.placeholder_forms()))
    }

    /// Runs the rules, then searches for what the site and the caller know.
    fn find_phi(
        &self,
        note: &Note<'_>,
        request: Request<'_>,
        role: Role,
        names: &mut rules::FoundNames,
        findings: &mut Findings,
    ) {
        if role.is_free_text() {
            rules::apply_rules(note, names, findings);
            rules::find_raised(note, findings);
        } else {
            rules::clear_findings(findings);
        }
        if request.field.is_some() {
            field::report_role(role, request.text, note, &self.policy, findings);
        }
        if role.may_name_patient() {
            for known in self.site.as_deref().into_iter().chain(request.patient) {
                rules::find_known(note, known, findings);
            }
        }
    }

    /// Finds names by their context, and clears findings that the model is sure are wrong.
    fn find_names(&self, note: &Note<'_>, matches: &Matches, judgement: &mut Judgement, findings: &mut Findings) {
        let Some(model) = self.names_model() else { return };
        judgement.score_note(model, note, matches, findings, self.policy.allowed());
        judgement.report_findings(note, &self.policy, &self.sections, findings);
    }

    /// Returns the name model; `None` under a policy that never judges words by their context.
    fn names_model(&self) -> Option<&Model> {
        self.model.as_ref().filter(|_| self.policy.ambiguous != Ambiguous::Never)
    }

    /// Decides on each token.
    fn decide_on_tokens(
        &self,
        note: &Note<'_>,
        role: Role,
        terms: &[Match],
        findings: &Findings,
        decisions: &mut Vec<Decision>,
    ) {
        let policy = if role.is_free_text() { self.token_policy() } else { Cow::Borrowed(&self.policy) };
        decide::decide(note, terms, findings, &policy, decisions);
        if role == Role::Unknown {
            decide::drop_sections(&[(0, note.len())], decisions);
        } else if !self.headings.is_empty() {
            decide::drop_sections(&self.headings.section_bodies(note), decisions);
        }
        if self.policy.drop_header && role.is_free_text() {
            decide::drop_header(rules::header_end(note), decisions);
        }
    }

    /// Assigns a status to each term.
    fn assert_statuses(
        &self,
        note: &Note<'_>,
        terms: &[Match],
        unclear: &[(u32, UnclearReason)],
        status: &mut StatusScratch,
        assertions: &mut Vec<Assertion>,
    ) {
        self.context.assign_statuses(note, terms, status, assertions);
        status::mark_terms_without_code(terms, unclear, assertions);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::LazyLock;

    use super::*;

    static SCRUBBER: LazyLock<Scrubber> = LazyLock::new(|| {
        let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the vocabulary");
        Scrubber::new(vocabulary, Policy::default())
    });

    /// Returns a scrubber with the default vocabulary and no model.
    pub(crate) fn scrubber() -> Scrubber {
        SCRUBBER.clone()
    }

    /// The default vocabulary.
    pub(crate) fn vocabulary() -> &'static Vocabulary {
        SCRUBBER.vocabulary()
    }

    /// Calls `each` with a note read with the default vocabulary, up to the name model.
    pub(crate) fn with_read(text: &str, each: impl FnOnce(&Note<'_>, &Matches, &Findings)) {
        scrubber().read_marked_note(text, &[], |note, matches, findings, _| each(note, matches, findings)).unwrap();
    }
}
