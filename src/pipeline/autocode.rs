//! Finds the terms of notes without writing anything.

use super::{Buffers, Scrubber};
use crate::abbreviations;
use crate::document::{Document, Mention};
use crate::error::Result;
use crate::note::Note;
use crate::status::Assertion;
use crate::terms::senses::Unclear;
use crate::terms::{self, Match, Matches};

impl Scrubber {
    /// The terms of one note that a scrub lets out. Offsets are those of the note in both spans.
    pub fn autocode(&self, text: &str) -> Result<Vec<Mention>> {
        let mut document = Document::default();
        self.scrub_into(text, false, &mut Buffers::default(), &mut document)?;
        let mut mentions = document.concepts;
        for mention in &mut mentions {
            mention.output = mention.source;
        }
        Ok(mentions)
    }

    /// The terms of one note as written, names that are terms among them: what comes out identifies people.
    pub fn autocode_identifying(&self, text: &str) -> Result<Vec<Mention>> {
        let Buffers { note: mut buffers, mut status, mut assertions, .. } = Buffers::default();
        let note = self.read(text, &mut buffers)?;
        let (terms, unclear) = self.all_terms(&note);
        self.assert(&note, &terms, &unclear, &mut status, &mut assertions);
        let mention = |(found, said): (&Match, Assertion)| {
            let source = note.source_span(found.first as usize, found.last as usize);
            Mention { source, output: source, entry: found.entry, said }
        };
        let mut mentions: Vec<Mention> = terms.iter().zip(assertions).map(mention).collect();
        self.keep_chosen(&mut mentions);
        Ok(mentions)
    }

    /// The terms of a note whatever a scrub does with them, and those that have no code here.
    pub(super) fn all_terms(&self, note: &Note<'_>) -> (Vec<Match>, Vec<(u32, Unclear)>) {
        let (mut matches, mut unclear) = (Matches::default(), Vec::new());
        terms::find(note, &mut matches);
        let mut terms = matches.terms;
        abbreviations::code(note, |_| true, &mut terms);
        self.split_terms.code(note, |_| true, &mut terms);
        self.senses.code(note, |_| true, &mut terms, &mut unclear);
        (terms, unclear)
    }

    /// Leaves out what is no concept here, and concepts of groups that the policy does not name.
    pub(super) fn keep_chosen(&self, mentions: &mut Vec<Mention>) {
        let wanted =
            |entry| self.groups == u16::MAX || self.groups >> self.vocabulary.entry_group(entry) as u8 & 1 != 0;
        mentions.retain(|mention| !mention.said.no_concept && wanted(mention.entry));
    }
}
