//! Exports the features of all tokens of some notes as arrays, for training or evaluation with other tools.

use super::context::NoteContext;
use super::features;
use super::note_word_counts::NoteWordCounts;
use super::sink::{FeatureSink, Template};
use super::{GoldLabel, Judgement, Model};
use crate::linear::features::FeatureNumbers;
use crate::rules::{Findings, Note};
use crate::terms::Matches;
use crate::text::span::Span;
use crate::vocabulary::Classes;

/// The features of one note.
#[derive(Debug, Default)]
pub struct FeatureArrays {
    /// The words and numbers with their gold labels.
    pub tokens: Vec<(Span, GoldLabel)>,
    /// The log-odds that each token is PHI, by the scrubber's own model.
    pub scores: Vec<f32>,
    /// The end of the features of each token.
    ends: Vec<usize>,
    templates: Vec<Template>,
    hashes: Vec<u64>,
}

impl FeatureSink for FeatureArrays {
    fn add(&mut self, template: Template, hash: u64) {
        self.templates.push(template);
        self.hashes.push(hash);
    }

    fn feature_count(&self) -> usize {
        self.hashes.len()
    }
}

/// Returns the features of a note; `tokens` has one item per token.
pub(crate) fn features_of_note(
    note: &Note<'_>,
    matches: &Matches,
    findings: &Findings,
    allowed: Classes,
    tokens: &[(Span, GoldLabel)],
    model: Option<&Model>,
) -> FeatureArrays {
    let (mut context, mut word_counts) = (NoteContext::default(), NoteWordCounts::default());
    context.read_note(note, matches, findings, allowed);
    word_counts.count_note(&context);
    let mut judgement = Judgement::default();
    if let Some(model) = model {
        judgement.score_note(model, note, matches, findings, allowed);
    }
    let mut found = FeatureArrays::default();
    for at in (0..note.len()).filter(|&at| context.token_at(at).judged) {
        features::add_token_features(&context, &word_counts, note.bytes(at), at, &mut found);
        found.ends.push(found.hashes.len());
        found.tokens.push(tokens[at]);
        found.scores.push(
            judgement
                .judged
                .get(at)
                .map_or(f32::NAN, |judged| judged.phi_log_odds() as f32 / super::LOG_ODDS_SCALE as f32),
        );
    }
    found
}

/// The features of many notes as a compressed sparse row (CSR) matrix.
#[derive(Debug, Default)]
pub struct FeatureMatrix {
    /// The start of the columns of each token, and the end of the last.
    pub starts: Vec<i64>,
    /// The columns of each token, sorted and without duplicates.
    pub columns: Vec<i32>,
    /// The hash of each feature, by column.
    pub hashes: Vec<u64>,
    /// The template of each feature, by column: an index into [`Template::ALL`].
    pub templates: Vec<u8>,
}

impl FeatureMatrix {
    /// Stacks the rows of several notes. Features of fewer than `documents` notes are dropped; columns are numbered in
    /// order of first occurrence.
    #[must_use]
    pub fn from_notes(notes: &[&FeatureArrays], documents: u32) -> Self {
        let all = notes.iter().map(|note| note.hashes.len()).sum();
        let (mut numbers, mut found) = (FeatureNumbers::default(), Vec::with_capacity(all));
        // Of each feature: the number of notes that have it, the last of these notes, and its template.
        let mut counts: Vec<(u32, usize, Template)> = Vec::new();
        for (nth, note) in notes.iter().enumerate() {
            for (&hash, &template) in note.hashes.iter().zip(&note.templates) {
                let number = numbers.number_of_feature(hash);
                if number as usize == counts.len() {
                    counts.push((0, usize::MAX, template));
                }
                let (count, last, _) = &mut counts[number as usize];
                *count += u32::from(*last != nth);
                *last = nth;
                found.push(number);
            }
        }
        let mut table = Self { starts: vec![0], columns: Vec::with_capacity(all), ..Self::default() };
        let mut columns = vec![-1; counts.len()];
        for ((column, &hash), &(count, _, template)) in columns.iter_mut().zip(numbers.hashes()).zip(&counts) {
            if count >= documents {
                *column = table.hashes.len() as i32;
                table.hashes.push(hash);
                table.templates.push(template as u8);
            }
        }
        let (mut found, mut row) = (found.into_iter(), Vec::new());
        for note in notes {
            let mut first = 0;
            for &end in &note.ends {
                row.clear();
                row.extend(
                    found.by_ref().take(end - first).map(|number| columns[number as usize]).filter(|&at| at >= 0),
                );
                row.sort_unstable();
                row.dedup();
                table.columns.extend_from_slice(&row);
                table.starts.push(table.columns.len() as i64);
                first = end;
            }
        }
        table
    }
}
