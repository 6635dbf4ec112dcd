//! Reads marked notes for training and for export of their features.

use super::{Buffers, Request, Scrubber};
use crate::entities::{self, CertainFacts, DecidedNote, EntityClass, EntityModel, EntityNote};
use crate::error::Result;
use crate::field::Role;
use crate::names;
use crate::note::Note;
use crate::rules::{self, Findings};
use crate::terms::{self, Matches};
use crate::text::span::Span;

impl Scrubber {
    /// Returns the features of a marked note for training; `gold` has byte spans of the text and their labels. Notes of
    /// one `fold_group` are held out together, and versions of one note share a `note_index`.
    pub fn training_example(
        &self,
        text: &str,
        gold: &[(Span, names::GoldLabel)],
        fold_group: u32,
        note_index: u32,
    ) -> Result<names::TrainingNote> {
        self.read_marked_note(text, gold, |note, matches, findings, tokens| {
            let labels = tokens.iter().map(|&(_, gold)| gold).collect();
            names::training_example(note, matches, findings, self.policy.allowed(), labels, (fold_group, note_index))
        })
    }

    /// Returns the features of a marked note as arrays, with the scores of the model.
    pub fn features_of_marked_note(
        &self,
        text: &str,
        gold: &[(Span, names::GoldLabel)],
    ) -> Result<names::FeatureArrays> {
        self.read_marked_note(text, gold, |note, matches, findings, tokens| {
            names::features(note, matches, findings, self.policy.allowed(), tokens, self.model.as_ref())
        })
    }

    /// Returns the entity training examples of a marked note; `gold` has byte spans of the text and their classes. With
    /// a model, entities are delimited by its tags, otherwise by the marks.
    pub fn entity_training_note(
        &self,
        text: &str,
        gold: &[(Span, EntityClass)],
        model: Option<&EntityModel>,
        document: u32,
    ) -> Result<EntityNote> {
        let mut buffers = Buffers::default();
        let Buffers { note: buffers, matches, names, findings, judgement, unclear, decisions, .. } = &mut buffers;
        let note = self.read_note(text, buffers)?;
        terms::find_terms(&note, matches);
        let request = Request { text, patient: None, detections: &[], explain: true, field: None };
        self.find_phi(&note, request, Role::Text, names, findings);
        self.find_names(&note, matches, judgement, findings);
        self.find_short_forms(&note, findings, &mut matches.terms, unclear);
        self.decide_on_tokens(&note, Role::Text, &matches.terms, findings, decisions);
        let marks = (0..note.len()).map(|at| {
            let source = note.source_span(at, at + 1);
            let mark = gold.iter().position(|(span, _)| span.start < source.end && source.start < span.end);
            mark.map_or(0, |mark| mark as u32 + 1)
        });
        let marks: Vec<u32> = marks.collect();
        let kinds: Vec<EntityClass> = gold.iter().map(|&(_, class)| class).collect();
        let (certain, read) = (CertainFacts::default(), entities::empty_facts_cache());
        let view = DecidedNote { note: &note, findings, decisions, judgement, certain: &certain, read: &read };
        Ok(entities::read_training_note(model, view, &marks, &kinds, document))
    }

    /// Reads a note up to the name model, with the gold label of each token.
    pub(super) fn read_marked_note<T>(
        &self,
        text: &str,
        gold: &[(Span, names::GoldLabel)],
        finish: impl FnOnce(&Note<'_>, &Matches, &Findings, &[(Span, names::GoldLabel)]) -> T,
    ) -> Result<T> {
        let Buffers { note: mut buffers, mut matches, mut names, mut findings, .. } = Buffers::default();
        let note = self.read_note(text, &mut buffers)?;
        terms::find_terms(&note, &mut matches);
        rules::apply_rules(&note, &mut names, &mut findings);
        let labels = (0..note.len()).map(|at| {
            let source = note.source_span(at, at + 1);
            let mark = gold.iter().find(|(span, _)| span.start < source.end && source.start < span.end);
            (source, mark.map_or(names::GoldLabel::NotPhi, |&(_, gold)| gold))
        });
        let labels: Vec<_> = labels.collect();
        Ok(finish(&note, &matches, &findings, &labels))
    }
}
