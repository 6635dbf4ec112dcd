//! Finds the terms of notes without writing a text.

use std::mem;
use std::num::NonZeroU32;

use super::{Buffers, Scrubber};
use crate::abbreviations;
use crate::document::{Document, Mention};
use crate::error::Result;
use crate::note::Note;
use crate::terms::senses::UnclearReason;
use crate::terms::{self, Match, Matches};
use crate::values::{self, TermAttributes};

impl Scrubber {
    /// Returns the terms of one note that a scrub keeps. Both spans of a mention are offsets in the note. The document
    /// has no text.
    pub fn autocode(&self, text: &str) -> Result<Document> {
        let mut document = Document::default();
        self.scrub_into(text, false, &mut Buffers::default(), &mut document)?;
        let Document { mut concepts, attributes, .. } = document;
        for mention in &mut concepts {
            mention.output = mention.source;
        }
        Ok(Document { concepts, attributes, ..Document::default() })
    }

    /// Returns all terms of one note, including names that are terms: the result identifies people. The document has no
    /// text.
    pub fn autocode_identifying(&self, text: &str) -> Result<Document> {
        let Buffers { note: mut buffers, mut status, mut assertions, .. } = Buffers::default();
        let note = self.read_note(text, &mut buffers)?;
        let (terms, unclear) = self.terms_and_uncoded(&note);
        self.assert_statuses(&note, &terms, &unclear, &mut status, &mut assertions);
        let mut found = TermAttributes::new();
        values::find_attributes(&note, &self.analytes, &terms, |_| true, &mut found);
        let mut document = Document::default();
        let mut found = found.into_iter().peekable();
        for ((nth, term), assertion) in (0..).zip(&terms).zip(assertions) {
            let source = note.source_span(term.first as usize, term.end as usize);
            let attributes = found.next_if(|&(of, _)| of == nth).and_then(|(_, attributes)| {
                document.attributes.push(attributes);
                NonZeroU32::new(document.attributes.len() as u32)
            });
            document.concepts.push(Mention { source, output: source, entry: term.entry, assertion, attributes });
        }
        self.retain_chosen_concepts(&mut document);
        Ok(document)
    }

    /// Returns the terms of a note whatever a scrub does with them, and those that have no code here.
    pub(super) fn terms_and_uncoded(&self, note: &Note<'_>) -> (Vec<Match>, Vec<(u32, UnclearReason)>) {
        let (mut matches, mut unclear) = (Matches::default(), Vec::new());
        terms::find_terms(note, &mut matches);
        let mut terms = matches.terms;
        abbreviations::rematch_with_definitions(note, |_| true, &mut terms);
        self.split_terms.code_split_terms(note, |_| true, &mut terms);
        self.senses.code_ambiguous_forms(note, |_| true, &mut terms, &mut unclear);
        self.find_analytes(note, |_| true, &mut terms, &mut unclear);
        (terms, unclear)
    }

    /// Drops mentions that are no concept here, and concepts of groups that the policy does not name.
    pub(super) fn retain_chosen_concepts(&self, document: &mut Document) {
        let mut concepts = mem::take(&mut document.concepts);
        let wanted = |mention: &Mention| {
            self.groups == u16::MAX || self.groups >> document.group_of(&self.vocabulary, mention) as u8 & 1 != 0
        };
        concepts.retain(|mention| !mention.assertion.no_concept && wanted(mention));
        document.concepts = concepts;
    }
}
