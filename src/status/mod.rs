//! What a text says of the concepts in it: negated, hypothetical, historical, possible, somebody else's.
//!
//! After `NegEx` (Chapman and others 2001) and `ConText` (Harkema and others 2009): *cues* ("no evidence of", "history of") stand
//! before or behind what they speak of, in the same sentence; some words end what a cue began ("but"), some look like cues and
//! are none ("no change"). Added to that are headings, forms (`Fever: no`, `[ ] cough`), lists after a negation, and what a
//! text says that relatives have. Each status is found apart from the others: the diabetes of "no family history of diabetes" is
//! negated and the family's.
//!
//! Cues are a list that people can read, `src/status/cues/cues.txt`, and a policy may bring more; `cues` compiles them,
//! `sentence` cuts a text, `scope` says how far cues reach, `person` whether somebody else is spoken of. Only sentences with a
//! term are read, each once from left to right. What cues say of a disorder, finding, procedure, drug, organism or
//! function is then judged with all else that the sentence says by a trained model (`judged`), unless a cue of the policy itself stands in the sentence.

mod classifier;
mod cues;
mod person;
mod scope;
mod sentence;
mod status;

use crate::debug::debug_count;
use crate::note::Note;
use crate::terms::Match;
use crate::terms::senses::Unclear;
use crate::vocabulary::Vocabulary;
use classifier::{Judge, Room};
pub use classifier::{Judged, Passage, StatusModel, StatusOptions, StatusTrainer};
pub(crate) use classifier::{Row, UNLISTED, stem, words_of_persons};
pub use cues::{CueList, CueText};
use cues::{Cues, Text};
use scope::Scanner;
pub use status::Status;

/// What a text says of one mention, and which cues say so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Assertion {
    /// What it says.
    pub status: Status,
    /// The cue behind each status, in the order of their bits.
    pub cues: [CueText; Status::COUNT],
    /// Nothing tells which of its meanings a short form has.
    pub ambiguous: bool,
    /// What it means here is no concept: nobody is told of it.
    pub no_concept: bool,
}

impl Assertion {
    fn add(&mut self, place: usize, cue: CueText) {
        self.status |= Status::at(place);
        self.cues[place] = cue;
    }

    fn remove(&mut self, place: usize) {
        self.status = self.status.without(Status::at(place));
        self.cues[place] = CueText::default();
    }

    /// Says something by a cue.
    pub fn say(&mut self, status: Status, cue: CueText) {
        status.places().for_each(|place| self.add(place, cue));
    }

    /// Each status that holds, with its cue as the list writes it.
    pub fn reasons(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.status.places().map(|place| (Status::KEYS[place], self.cues[place].as_str()))
    }
}

/// Marks the terms that have no code here.
pub(crate) fn mark_unclear(terms: &[Match], unclear: &[(u32, Unclear)], assertions: &mut [Assertion]) {
    for &(at, what) in unclear {
        if let Ok(place) = terms.binary_search_by_key(&at, |term| term.first) {
            // What is no concept stays none, whatever else was unclear of it.
            assertions[place].no_concept |= what == Unclear::NoConcept;
            assertions[place].ambiguous = !assertions[place].no_concept;
        }
    }
}

/// Room that is used again from note to note.
#[derive(Clone, Default)]
pub struct ContextScratch {
    /// Where the fields of a sentence begin.
    fields: Vec<usize>,
    /// The numbers of the phrases of a sentence, by their first token.
    hits: Vec<(u32, u8)>,
    room: Room,
}

debug_count!(ContextScratch, "phrases", |it| it.hits.len());

/// Reads what a text says of its terms.
#[derive(Clone, Debug)]
pub struct Context {
    cues: Cues,
    judge: Option<Judge>,
}

impl Context {
    /// A reader for texts that a vocabulary looked up.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary, list: &CueList) -> Self {
        Self { cues: Cues::new(vocabulary, list), judge: None }
    }

    /// The reader with a model that judges what cues say.
    #[must_use]
    pub fn with_model(self, vocabulary: &Vocabulary, model: StatusModel) -> Self {
        Self { judge: Some(Judge::new(model, vocabulary)), ..self }
    }

    /// The digest of the model, if there is one.
    pub fn digest(&self) -> Option<&str> {
        self.judge.as_ref().map(Judge::digest)
    }

    /// Says what a note says of each of its terms, which are in the order of the text; `out` gets one item a term.
    pub fn read(&self, note: &Note<'_>, terms: &[Match], scratch: &mut ContextScratch, out: &mut Vec<Assertion>) {
        out.clear();
        out.resize(terms.len(), Assertion::default());
        if !terms.is_empty() {
            let text = Text { cues: &self.cues, folded: note.text(), tokens: note.tokens(), ids: note.ids() };
            Scanner::new(text, terms, self.judge.as_ref(), scratch, out).read();
            scratch.room.release();
        }
    }

    /// What a note says of its terms by cues alone, and of those that a model would judge the features, by their place.
    pub(crate) fn features(&self, note: &Note<'_>, terms: &[Match]) -> (Vec<Assertion>, Vec<(usize, Vec<u64>)>) {
        let mut scratch = ContextScratch { room: Room::keeping(), ..ContextScratch::default() };
        let mut said = Vec::new();
        self.read(note, terms, &mut scratch, &mut said);
        (said, scratch.room.features())
    }
}

#[cfg(test)]
mod tests;
