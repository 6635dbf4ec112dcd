//! Trains and measures the model that joins removed tokens to entities and predicts their kinds.
//!
//! It must see notes as a model of names that was not trained on them reads them: the batches are split into halves,
//! and each half is read with the model trained on the other.

use std::collections::BTreeMap;

use notesieve::document::Removal;
use notesieve::entities::{EntityClass, EntityModel, EntityNote};
use notesieve::finding::{Category, Kind};
use notesieve::names::{Model, NameTrainer};
use notesieve::text::span::Span;
use notesieve::vocabulary::Vocabulary;
use notesieve::{Policy, Scrubber, entities};
use rayon::prelude::*;
use regex::Regex;

use crate::measure::{Counts, count_leaks_and_losses};
use crate::notes::Note;
use crate::options::Arguments;

/// One half of the notes, with a model of names trained on the other half.
pub struct Half<'a> {
    pub notes: Vec<&'a Note>,
    pub model: Model,
}

impl Half<'_> {
    fn scrubber(&self, vocabulary: &Vocabulary, policy: Policy) -> Scrubber {
        Scrubber::new(vocabulary.clone(), policy).with_model(self.model.clone())
    }

    /// Returns the training notes of this half, delimited as marked or as a model predicts.
    fn entity_notes(&self, vocabulary: &Vocabulary, model: Option<&EntityModel>, first: usize) -> Vec<EntityNote> {
        let scrubber = self.scrubber(vocabulary, Policy::safe());
        let each = |(nth, note): (usize, &&Note)| {
            let gold: Vec<_> =
                note.marks.iter().filter_map(|(span, mark)| Some((*span, EntityClass::from_mark(mark)?))).collect();
            scrubber.entity_training_note(&note.text, &gold, model, (first + nth) as u32).expect("a short text")
        };
        self.notes.par_iter().enumerate().map(each).collect()
    }
}

/// Trains the model of entities, or cross-validates it between the halves of the batches; `read` reads batches for a
/// model of names.
pub fn learn_or_measure_entities(
    arguments: &Arguments,
    batches: &[(String, Vec<Note>)],
    vocabulary: &Vocabulary,
    read: impl Fn(&[(String, Vec<Note>)]) -> Result<NameTrainer, String>,
) -> Result<(), String> {
    let half = |odd: usize| batches.iter().skip(1 - odd).step_by(2).cloned().collect::<Vec<_>>();
    let names = |odd: usize| match &arguments.halves {
        Some(paths) => Model::open(&paths[1 - odd]).map_err(|error| error.to_string()),
        None => {
            Model::from_bytes(&read(&half(odd))?.train_without_group(None, "{}")).map_err(|error| error.to_string())
        }
    };
    let models = [names(1)?, names(0)?];
    // Notes of batches at odd positions are read with the model of those at even positions.
    let notes = |odd: usize| batches.iter().skip(1 - odd).step_by(2).flat_map(|(_, notes)| notes).collect::<Vec<_>>();
    let halves =
        [Half { notes: notes(1), model: models[1].clone() }, Half { notes: notes(0), model: models[0].clone() }];
    if arguments.task == "entity-folds" {
        cross_validate_halves(&halves, vocabulary);
        return Ok(());
    }
    let names: Vec<&str> = batches.iter().map(|(name, _)| name.as_str()).collect();
    let provenance = serde_json::json!({ "batches": names, "vocabulary": vocabulary.digest() });
    let model = learn_entity_model(&[&halves[0], &halves[1]], vocabulary, &provenance.to_string());
    std::fs::write(&arguments.out, &model).map_err(|problem| format!("{}: {problem}", arguments.out.display()))?;
    println!("{}: {} bytes", arguments.out.display(), model.len());
    Ok(())
}

/// Trains on halves: first the bounds, then the classes of the spans with these bounds.
pub fn learn_entity_model(halves: &[&Half<'_>], vocabulary: &Vocabulary, provenance: &str) -> Vec<u8> {
    let read = |model: Option<&EntityModel>| {
        let mut notes = Vec::new();
        for half in halves {
            let more = half.entity_notes(vocabulary, model, notes.len());
            notes.extend(more);
        }
        notes
    };
    let first = entities::train_entity_model(&read(None), "{}");
    let bounds = EntityModel::from_bytes(&first).expect("what was just written");
    entities::train_entity_model(&read(Some(&bounds)), provenance)
}

/// Trains on each half and measures on the other.
pub fn cross_validate_halves(halves: &[Half<'_>; 2], vocabulary: &Vocabulary) {
    let token = Regex::new(r"\w[\w\u{300}-\u{36f}]*").expect("a pattern");
    let mut scores = [Score::default(), Score::default()];
    for (test, other) in [(0, 1), (1, 0)] {
        let model = EntityModel::from_bytes(&learn_entity_model(&[&halves[other]], vocabulary, "{}"))
            .expect("what was just written");
        for (with, score) in [false, true].into_iter().zip(&mut scores) {
            let scrubber = halves[test].scrubber(vocabulary, Policy::safe());
            let keep = Policy { keep: vec!["hospital".to_owned()], ..Policy::safe() };
            let keeping = halves[test].scrubber(vocabulary, keep);
            let (scrubber, keeping) = if with {
                (scrubber.with_entities(model.clone()), keeping.with_entities(model.clone()))
            } else {
                (scrubber, keeping)
            };
            let each = |note: &&Note| {
                let mut score = Score::default();
                let removed = scrubber.scrub(&note.text).expect("a short text").removed;
                score.count_removals(note, &removed, &token);
                score.count_kept_hospitals(note, &keeping.scrub(&note.text).expect("a short text").removed);
                score
            };
            let all: Vec<Score> = halves[test].notes.par_iter().map(each).collect();
            all.iter().for_each(|more| score.merge(more));
        }
    }
    println!("without");
    scores[0].print_scores();
    println!("with");
    scores[1].print_scores();
}

/// Counts of entities.
#[derive(Default)]
struct Score {
    tokens: Counts,
    /// The numbers of predicted, gold and common spans of a category.
    spans: [usize; 3],
    /// The number of spans with the right bounds, whatever their kind.
    bounds: usize,
    /// The number of predicted spans that overlap no mark.
    idle: usize,
    /// The counts by mark and predicted kind.
    kinds: BTreeMap<(String, String), usize>,
    /// The numbers of hospitals and of those kept with `keep=["hospital"]`; of other marks and of those kept in
    /// addition.
    kept: [usize; 4],
}

fn category_of_mark(mark: &str) -> Option<Category> {
    EntityClass::from_mark(mark)?.category()
}

impl Score {
    fn count_removals(&mut self, note: &Note, removed: &[Removal], token: &Regex) {
        self.tokens.add(count_leaks_and_losses(token, note, removed));
        let overlaps = |one: Span, other: Span| one.start < other.end && other.start < one.end;
        let gold: Vec<_> = note.marks.iter().filter(|(_, mark)| !mark.starts_with('?')).collect();
        self.spans[1] += gold.len();
        for removal in removed {
            let Some(kind) = removal.kind else { continue };
            let exact =
                gold.iter().find(|(span, _)| (span.start, span.end) == (removal.source.start, removal.source.end));
            let optional =
                note.marks.iter().any(|(span, mark)| mark.starts_with('?') && overlaps(*span, removal.source));
            let required = gold.iter().any(|(span, _)| overlaps(*span, removal.source));
            if optional && !required {
                continue;
            }
            self.spans[0] += 1;
            self.idle += usize::from(!required);
            self.bounds += usize::from(exact.is_some());
            self.spans[2] +=
                usize::from(exact.is_some_and(|(_, mark)| category_of_mark(mark) == Some(kind.category())));
        }
        for (span, mark) in gold {
            let most = removed
                .iter()
                .filter(|removal| overlaps(*span, removal.source))
                .max_by_key(|removal| removal.source.end.min(span.end) - removal.source.start.max(span.start));
            let kind = most.map_or("left", |removal| removal.kind.map_or("unlisted", Kind::key));
            *self.kinds.entry((mark.clone(), kind.to_owned())).or_default() += 1;
        }
    }

    /// Counts what is kept with `keep=["hospital"]`.
    fn count_kept_hospitals(&mut self, note: &Note, removed: &[Removal]) {
        for (span, mark) in note.marks.iter().filter(|(_, mark)| !mark.starts_with('?')) {
            let gone = removed.iter().any(|removal| removal.source.start < span.end && span.start < removal.source.end);
            let at = if mark == "LOC/HOSP" { 0 } else { 2 };
            self.kept[at] += 1;
            self.kept[at + 1] += usize::from(!gone);
        }
    }

    fn merge(&mut self, more: &Self) {
        self.tokens.add(more.tokens);
        self.bounds += more.bounds;
        self.idle += more.idle;
        self.spans.iter_mut().zip(more.spans).for_each(|(sum, more)| *sum += more);
        self.kept.iter_mut().zip(more.kept).for_each(|(sum, more)| *sum += more);
        for (key, count) in &more.kinds {
            *self.kinds.entry(key.clone()).or_default() += count;
        }
    }

    fn print_scores(&self) {
        let [recall, clean, kept, ..] = self.tokens.shares();
        let [predicted, gold, common] = self.spans.map(|count| count as f64);
        let f1 = |common: f64| 2.0 * common / (predicted + gold);
        println!(
            "  R {recall:.4}  Z {clean:.3}  kept {kept:.4}  strict typed F1 {:.3}  bounds F1 {:.3}  P {:.3} R {:.3}  idle {:.3}",
            f1(common),
            f1(self.bounds as f64),
            common / predicted,
            common / gold,
            self.idle as f64 / predicted
        );
        let [hospitals, stay, others, leave] = self.kept;
        println!("  keep=[\"hospital\"]: {stay} of {hospitals} hospitals stay, {leave} of {others} other marks");
        let marks: std::collections::BTreeSet<&String> = self.kinds.keys().map(|(mark, _)| mark).collect();
        for mark in marks {
            let of: Vec<_> = self.kinds.iter().filter(|((other, _), _)| other == mark).collect();
            let all: usize = of.iter().map(|(_, count)| **count).sum();
            let mut shares: Vec<_> = of.iter().map(|((_, kind), count)| (**count, kind)).collect();
            shares.sort_by(|one, other| other.cmp(one));
            let shares = shares.iter().take(7).map(|(count, kind)| format!("{kind} {:.3}", *count as f64 / all as f64));
            println!("  {mark:<12} {all:>6}  {}", shares.collect::<Vec<_>>().join("  "));
        }
    }
}
