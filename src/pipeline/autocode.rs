//! Tells the terms of notes without writing anything.

use super::{Scratch, Scrubber};
use crate::abbreviations;
use crate::document::{Document, Mention};
use crate::error::Result;
use crate::status;
use crate::text::span::Span;

impl Scrubber {
    /// The terms of one note that a scrub lets out. Offsets are those of the note in both spans.
    pub fn autocode(&self, text: &str) -> Result<Vec<Mention>> {
        let mut document = Document::default();
        self.scrub_into(text, false, &mut Scratch::default(), &mut document)?;
        let mut mentions = document.concepts;
        for mention in &mut mentions {
            mention.output = mention.source;
        }
        Ok(mentions)
    }

    /// The terms of one note as written, names that are terms among them: what comes out identifies people.
    pub fn autocode_identifying(&self, text: &str) -> Result<Vec<Mention>> {
        let mut scratch = Scratch::default();
        self.code_all(text, &mut scratch)?;
        let Scratch { normalized, tokens, words, matches, context, said, unclear, .. } = &mut scratch;
        self.context.read(normalized.folded(), tokens, words, &matches.terms, context, said);
        status::mark_unclear(&matches.terms, unclear, said);
        let mut mentions: Vec<Mention> = matches
            .terms
            .iter()
            .zip(said)
            .map(|(found, said)| {
                let (first, last) = (&tokens[found.first as usize], &tokens[found.last as usize - 1]);
                let source = normalized.to_source(Span::new(first.start, last.end));
                Mention { source, output: source, entry: found.entry, said: *said }
            })
            .collect();
        self.choose(&mut mentions);
        Ok(mentions)
    }

    /// The terms of one note as written.
    pub(super) fn code_all(&self, text: &str, scratch: &mut Scratch) -> Result<()> {
        self.read(text, scratch)?;
        let Scratch { normalized, tokens, words, classes, matches, unclear, .. } = scratch;
        let written = abbreviations::Text { source: text, normalized, folded: normalized.folded(), tokens, ids: words };
        abbreviations::code(&self.vocabulary, &written, |_| true, &mut matches.terms);
        self.apart.code(&self.vocabulary, tokens, words, |_| true, &mut matches.terms);
        self.senses.code(&self.vocabulary, tokens, words, classes, |_| true, &mut matches.terms, unclear);
        Ok(())
    }

    /// Leaves out what is no concept here, and concepts of groups that the policy does not name.
    pub(super) fn choose(&self, mentions: &mut Vec<Mention>) {
        let wanted =
            |entry| self.groups == u16::MAX || self.groups >> self.vocabulary.entry_group(entry) as u8 & 1 != 0;
        mentions.retain(|mention| !mention.said.no_concept && wanted(mention.entry));
    }
}
