//! Assertion status: whether a mention is negated, hypothetical, historical, possible or somebody else's.
//!
//! After `NegEx` (Chapman and others 2001) and `ConText` (Harkema and others 2009): *cues* ("no evidence of", "history
//! of") act forward or backward within their sentence; some phrases terminate the scope of a cue ("but"), and *pseudo*
//! cues only look like one ("no change"). Extensions are section headings, forms (`Fever: no`, `[ ] cough`), lists
//! after a negation, and conditions of relatives. Each status is assigned independently: the diabetes of "no family
//! history of diabetes" is negated and the family's.
//!
//! Cues are in a readable list, `src/status/cues/cues.txt`, which a policy may extend; `cues` compiles it, `sentence`
//! splits a text, `scope` applies cues, and `person` finds conditions of other persons. Only sentences with a term are
//! scanned, each once from left to right. A trained `classifier` then decides on disorders, findings, procedures,
//! drugs, organisms and functions from the whole sentence, unless the sentence contains a cue of the policy.

mod assertion;
mod classifier;
mod cues;
mod form;
mod person;
mod scope;
mod sentence;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::debug::debug_count;
use crate::note::Note;
use crate::terms::Match;
use crate::terms::senses::UnclearReason;
use crate::vocabulary::Vocabulary;
pub use assertion::Status;
pub(crate) use assertion::UNLISTED_ENTRY;
use classifier::{Classifier, ClassifierScratch};
pub use classifier::{CrossValidatedStatus, Passage, StatusModel, StatusOptions, StatusTrainer};
pub(crate) use classifier::{TrainingMention, person_words, shared_stem};
use cues::{CompiledCues, CueMatcher};
pub use cues::{CueList, CueText};
use form::{FormReader, WordRoleCache};
use scope::CueScanner;

/// The status of one mention, with its cues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assertion {
    /// The asserted status.
    pub status: Status,
    /// The cue of each status, in the order of their bits.
    pub cues: [CueText; Status::COUNT],
    /// Whether the mention is a short form whose meaning the text does not determine.
    pub ambiguous: bool,
    /// Whether the words name no concept here, so that the mention is not reported.
    pub no_concept: bool,
}

impl Assertion {
    fn set_cue(&mut self, place: usize, cue: CueText) {
        self.status |= Status::from_index(place);
        self.cues[place] = cue;
    }

    fn clear_status(&mut self, place: usize) {
        self.status = self.status.without(Status::from_index(place));
        self.cues[place] = CueText::default();
    }

    /// Asserts statuses by a cue.
    pub fn assert(&mut self, status: Status, cue: CueText) {
        status.indices().for_each(|place| self.set_cue(place, cue));
    }

    /// Returns the name of each asserted status, with its cue as the list has it.
    pub fn reasons(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.status.indices().map(|place| (Status::KEYS[place], self.cues[place].as_str()))
    }
}

/// Marks the terms that have no code in this note: ambiguous short forms, and words that name no concept here.
pub(crate) fn mark_terms_without_code(terms: &[Match], unclear: &[(u32, UnclearReason)], assertions: &mut [Assertion]) {
    for &(at, what) in unclear {
        if let Ok(place) = terms.binary_search_by_key(&at, |term| term.first) {
            // A term that names no concept stays so, even if it is also ambiguous.
            assertions[place].no_concept |= what == UnclearReason::NoConcept;
            assertions[place].ambiguous = !assertions[place].no_concept;
        }
    }
}

/// Buffers that are reused from note to note.
#[derive(Clone, Default)]
pub struct StatusScratch {
    /// The starts of the fields of a sentence.
    fields: Vec<usize>,
    /// The cues of a sentence by their first token, with their feature codes.
    hits: Vec<(u32, u8)>,
    /// Statuses by certain cues, which overrule the classifier: term, index of the status, cue.
    certain: Vec<(usize, usize, CueText)>,
    classifier: ClassifierScratch,
}

debug_count!(StatusScratch, "phrases", |it| it.hits.len());

/// Assigns statuses to the terms of a text.
#[derive(Clone, Debug)]
pub struct StatusAssigner {
    cues: Arc<CompiledCues>,
    classifier: Option<Arc<Classifier>>,
    /// The roles of words in forms.
    word_roles: WordRoleCache,
}

impl StatusAssigner {
    /// A reader with the cues of the package, for texts looked up in a vocabulary.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let (cues, word_roles) =
            (Arc::new(CompiledCues::new(vocabulary, CueList::bundled())), WordRoleCache::new(vocabulary));
        Self { cues, classifier: None, word_roles }
    }

    /// The reader with the cues of the package and those of a policy, which count more.
    #[must_use]
    pub fn with_cues(self, vocabulary: &Vocabulary, own: &CueList) -> Self {
        let list = CueList::bundled().clone().extended_by(own);
        Self { cues: Arc::new(CompiledCues::new(vocabulary, &list)), ..self }
    }

    /// Returns the assigner with a model, which decides where cues only suggest a status.
    #[must_use]
    pub fn with_model(self, vocabulary: &Vocabulary, model: StatusModel) -> Self {
        Self { classifier: Some(Arc::new(Classifier::new(model, vocabulary))), ..self }
    }

    /// Returns the digest of the model, if there is one.
    pub fn digest(&self) -> Option<&str> {
        self.classifier.as_deref().map(Classifier::digest)
    }

    /// Assigns a status to each term of a note, in the order of the text; `out` gets one item per term.
    pub fn assign_statuses(
        &self,
        note: &Note<'_>,
        terms: &[Match],
        scratch: &mut StatusScratch,
        out: &mut Vec<Assertion>,
    ) {
        out.clear();
        out.resize(terms.len(), Assertion::default());
        if !terms.is_empty() {
            let text = self.cue_matcher(note);
            CueScanner::new(text, terms, self.classifier.as_deref(), scratch, out).scan_note();
            self.apply_form_rules(text, terms, out);
            scratch.classifier.release_large_buffers();
        }
    }

    fn cue_matcher<'a>(&'a self, note: &'a Note<'a>) -> CueMatcher<'a> {
        CueMatcher { cues: &self.cues, note, tokens: note.tokens(), ids: note.word_ids() }
    }

    /// Applies the form rules, which overrule cues and the classifier.
    fn apply_form_rules(&self, text: CueMatcher<'_>, terms: &[Match], out: &mut [Assertion]) {
        let vocabulary = self.classifier.as_deref().map(Classifier::vocabulary);
        FormReader::new(text, terms, out, vocabulary, &self.word_roles).apply_to_note();
    }

    /// Returns the statuses of terms by cues and forms, and the features of the terms that a model would classify, with
    /// their indices. Terms whose status a form changes have no features.
    pub(crate) fn statuses_and_features(
        &self,
        note: &Note<'_>,
        terms: &[Match],
    ) -> (Vec<Assertion>, Vec<(usize, Vec<u64>)>) {
        let mut scratch =
            StatusScratch { classifier: ClassifierScratch::keeping_features(), ..StatusScratch::default() };
        let mut by_cues = vec![Assertion::default(); terms.len()];
        let text = self.cue_matcher(note);
        CueScanner::new(text, terms, self.classifier.as_deref(), &mut scratch, &mut by_cues).scan_note();
        let mut asserted = by_cues.clone();
        self.apply_form_rules(text, terms, &mut asserted);
        let mut features = scratch.classifier.into_kept_features();
        features.retain(|&(nth, _)| asserted[nth].status == by_cues[nth].status);
        (asserted, features)
    }
}

#[cfg(test)]
mod tests;
