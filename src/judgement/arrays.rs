//! The features of all tokens of some notes as arrays, for those who learn or measure with other means.

use std::collections::HashMap;

use super::context::Context;
use super::elsewhere::Elsewhere;
use super::features::{self, Sink, Template};
use super::{Gold, Judgement, Model};
use crate::concepts::Matches;
use crate::rules::{Findings, View};
use crate::span::Span;
use crate::vocabulary::Classes;

/// The features of one note.
#[derive(Debug, Default)]
pub struct Features {
    /// The words and numbers, and what they are in the gold standard.
    pub tokens: Vec<(Span, Gold)>,
    /// The log-odds of each that it identifies, as the model of the scrubber has it.
    pub scores: Vec<f32>,
    /// Where the features of each end.
    ends: Vec<usize>,
    templates: Vec<Template>,
    hashes: Vec<u64>,
}

impl Sink for Features {
    fn add(&mut self, template: Template, hash: u64) {
        self.templates.push(template);
        self.hashes.push(hash);
    }

    fn count(&self) -> usize {
        self.hashes.len()
    }
}

/// The features of a note; `tokens` has an item a token.
pub(crate) fn read(
    view: &View<'_>,
    matches: &Matches,
    findings: &Findings,
    allowed: Classes,
    tokens: &[(Span, Gold)],
    model: Option<&Model>,
) -> Features {
    let (mut context, mut elsewhere) = (Context::default(), Elsewhere::default());
    context.read(view, matches, findings, allowed);
    elsewhere.read(&context);
    let mut judgement = Judgement::default();
    if let Some(model) = model {
        judgement.judge(model, view, matches, findings, allowed);
    }
    let mut found = Features::default();
    for at in (0..view.len()).filter(|&at| context.at(at).judged) {
        features::read(&context, &elsewhere, view.bytes(at), at, &mut found);
        found.ends.push(found.hashes.len());
        found.tokens.push(tokens[at]);
        found
            .scores
            .push(judgement.judged.get(at).map_or(f32::NAN, |judged| judged.total() as f32 / super::ONE as f32));
    }
    found
}

/// The features of many notes: rows of columns, as compressed sparse rows have them.
#[derive(Debug, Default)]
pub struct Table {
    /// Where the columns of each token begin, and where those of the last end.
    pub starts: Vec<i64>,
    /// The columns of each token, in order, each once.
    pub columns: Vec<i32>,
    /// The number of each feature, by column.
    pub hashes: Vec<u64>,
    /// The kind of each feature, by column: a place in [`Template::ALL`].
    pub templates: Vec<u8>,
}

impl Table {
    /// Puts notes one below the other. Features that fewer than `documents` notes have are left out; columns are numbered
    /// as they first occur.
    #[must_use]
    pub fn new(notes: &[&Features], documents: u32) -> Self {
        let mut counts: HashMap<u64, (u32, usize)> = HashMap::new();
        for (nth, note) in notes.iter().enumerate() {
            for &hash in &note.hashes {
                let (count, last) = counts.entry(hash).or_insert((0, usize::MAX));
                *count += u32::from(*last != nth);
                *last = nth;
            }
        }
        let mut table = Self { starts: vec![0], ..Self::default() };
        let mut columns: HashMap<u64, i32> = HashMap::new();
        for note in notes {
            let mut first = 0;
            for &end in &note.ends {
                let row = table.columns.len();
                for at in first..end {
                    let hash = note.hashes[at];
                    if counts.get(&hash).is_some_and(|&(count, _)| count >= documents) {
                        let column = *columns.entry(hash).or_insert_with(|| {
                            table.hashes.push(hash);
                            table.templates.push(note.templates[at] as u8);
                            table.hashes.len() as i32 - 1
                        });
                        table.columns.push(column);
                    }
                }
                table.columns[row..].sort_unstable();
                let mut kept = row;
                for at in row..table.columns.len() {
                    if at == row || table.columns[at] != table.columns[kept - 1] {
                        table.columns[kept] = table.columns[at];
                        kept += 1;
                    }
                }
                table.columns.truncate(kept);
                table.starts.push(kept as i64);
                first = end;
            }
        }
        table
    }
}
