//! Measures a given model on batches, and models on the batches left out of their training.

use notesieve::names::{Model, NameTrainer};
use notesieve::vocabulary::Vocabulary;
use notesieve::{Policy, Scrubber};
use rayon::prelude::*;
use regex::Regex;

use crate::measure::{Counts, count_leaks_and_losses};
use crate::notes::Note;
use crate::options::Arguments;
use crate::redraw;

/// The strictness values at which folds are measured.
const STRICTNESS: [u32; 8] = [2, 4, 8, 12, 20, 30, 50, 100];

/// The index of the default strictness.
const DEFAULT: usize = 4;

/// Measures the model of the command line on all batches.
pub fn measure_model(arguments: &Arguments, batches: &[(String, Vec<Note>)], vocabulary: &Vocabulary, model: &Model) {
    for &case in &arguments.cases {
        let results: Vec<Vec<Counts>> = batches
            .par_iter()
            .map(|(name, notes)| {
                measure_fold(vocabulary, model, name, &notes_in_case(notes, case), arguments.leaks.as_deref())
            })
            .collect();
        print_case(case);
        batches.iter().zip(&results).for_each(|((name, _), rows)| print_shares(name, &rows[DEFAULT]));
        print_curve(&results.iter().map(Vec::as_slice).collect::<Vec<_>>());
    }
}

/// Runs leave-one-batch-out cross-validation over the measured batches.
pub fn cross_validate(
    arguments: &Arguments,
    batches: &[(String, Vec<Note>)],
    vocabulary: &Vocabulary,
    trainer: &NameTrainer,
) {
    let measured: Vec<usize> = (0..batches.len())
        .filter(|&nth| match &arguments.measured {
            Some(names) => names.contains(&batches[nth].0),
            // Notes without an author stay in their batch, which is used for training only.
            None => arguments.by.is_none() || batches[nth].1.iter().all(|note| note.author.is_some()),
        })
        .collect();
    let growths = if arguments.growths.is_empty() { vec![arguments.options.growth] } else { arguments.growths.clone() };
    let results: Vec<Vec<Vec<Counts>>> = measured
        .par_iter()
        .map(|&nth| {
            let (name, notes) = &batches[nth];
            let models = trainer.train_with_each_growth(Some(nth as u32), "{}", &growths);
            let ways = models.iter().flat_map(|model| arguments.cases.iter().map(move |&case| (model, case)));
            let measured = ways.map(|(model, case)| {
                let model = Model::from_bytes(model).expect("what was just written");
                let rows =
                    measure_fold(vocabulary, &model, name, &notes_in_case(notes, case), arguments.leaks.as_deref());
                print_shares(name, &rows[DEFAULT]);
                rows
            });
            measured.collect()
        })
        .collect();
    let ways = growths.iter().flat_map(|growth| arguments.cases.iter().map(move |&case| (growth, case)));
    for (way, (growth, case)) in ways.enumerate() {
        println!("{growth:?}");
        print_case(case);
        let results: Vec<&[Counts]> = results.iter().map(|ways| &ways[way][..]).collect();
        print_curve(&results);
    }
}

/// Prints the measures at the strictness of `safe`.
fn print_shares(name: &str, counts: &Counts) {
    let [recall, clean, kept, precision, strict] = counts.shares();
    println!("{name:<12} R {recall:.4}  Z {clean:.3}  kept {kept:.4}  P {precision:.3}  strict F1 {strict:.3}");
}

fn print_case(case: Option<bool>) {
    if let Some(upper) = case {
        println!("all in {}", if upper { "capitals" } else { "small letters" });
    }
}

/// Returns the notes unchanged, or all in capitals or lower case.
fn notes_in_case(notes: &[Note], capitals: Option<bool>) -> Vec<Note> {
    notes.iter().map(|note| capitals.map_or_else(|| note.clone(), |upper| redraw::note_in_case(note, upper))).collect()
}

/// Measures a model on a batch that it was not trained on.
fn measure_fold(
    vocabulary: &Vocabulary,
    model: &Model,
    batch: &str,
    notes: &[Note],
    leaks: Option<&std::path::Path>,
) -> Vec<Counts> {
    let token = Regex::new(r"\w[\w\u{300}-\u{36f}]*").expect("a pattern");
    let mut rows = Vec::new();
    for preset in ["safe", "balanced"] {
        for strictness in STRICTNESS {
            let policy =
                Policy { strictness: strictness.into(), ..Policy::preset(preset).unwrap_or_else(Policy::readable) };
            let scrubber = Scrubber::new(vocabulary.clone(), policy).with_model(model.clone());
            let mut counts = Counts::default();
            for note in notes {
                let document = scrubber.scrub(&note.text).expect("a short text");
                counts.add(count_leaks_and_losses(&token, note, &document.removed));
                if let Some(folder) = leaks.filter(|_| preset == "safe" && strictness == 8) {
                    print_errors(folder, batch, note, &document);
                }
            }
            rows.push(counts);
        }
    }
    rows
}

/// Prints the means over all batches at each strictness, and at one kept share.
fn print_curve(results: &[&[Counts]]) {
    let mut curve = Vec::new();
    for (row, name) in
        ["safe", "balanced"].iter().flat_map(|name| STRICTNESS.map(|at| format!("{name} {at}"))).enumerate()
    {
        let shares = results.iter().map(|rows| (rows[row].entities > 0, rows[row].shares()));
        let shares: Vec<(bool, [f64; 5])> = shares.collect();
        // Notes without an entity have no recall, precision and F1.
        let mean = |at: usize| {
            let counted = shares.iter().filter(|(marked, _)| *marked || at == 2);
            counted.clone().map(|(_, shares)| shares[at]).sum::<f64>() / counted.count().max(1) as f64
        };
        println!(
            "{name:<14} R {:.4}  Z {:.3}  kept {:.4}  P {:.3}  strict F1 {:.3}",
            mean(0),
            mean(1),
            mean(2),
            mean(3),
            mean(4)
        );
        curve.push([mean(0), mean(1), mean(2)]);
    }
    for (name, curve, share) in [("safe", &curve[..8], 0.9), ("balanced", &curve[8..], 0.945)] {
        let at = curve.windows(2).find(|pair| pair[0][2] >= share && share > pair[1][2]);
        if let Some(pair) = at {
            let part = (pair[0][2] - share) / (pair[0][2] - pair[1][2]);
            let [recall, clean] = [0, 1].map(|at| pair[0][at] + part * (pair[1][at] - pair[0][at]));
            println!("{name} at {share} kept: R {recall:.4}  Z {clean:.3}");
        }
    }
}

/// Writes leaks and lost words to a file, for inspection of training notes.
fn print_errors(folder: &std::path::Path, batch: &str, note: &Note, document: &notesieve::Document) {
    use std::io::Write as _;
    let path = folder.join(format!("{batch}.txt"));
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).expect("a folder to write to");
    let at = |from: usize, far: isize| {
        let mut at = from.saturating_add_signed(far).min(note.text.len());
        while !note.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    for decision in &document.decisions {
        let (start, end) = (decision.source.start as usize, decision.source.end as usize);
        let word = &note.text[start..end];
        if !word.starts_with(char::is_alphanumeric) {
            continue;
        }
        let mark = note.marks.iter().find(|(span, _)| (span.start as usize) < end && start < span.end as usize);
        let gone = decision.action == notesieve::document::Action::Remove;
        let kind = mark.map_or("", |(_, kind)| kind.as_str());
        if kind.starts_with('?') || gone == mark.is_some() {
            continue;
        }
        let around = format!("{}<<{word}>>{}", &note.text[at(start, -50)..start], &note.text[end..at(end, 40)]);
        let what = if gone { "LOST" } else { "LEAK" };
        let _ = writeln!(file, "{what}\t{kind}\t{:?}\t{}", decision.reason, around.replace('\n', "\u{21b5}"));
    }
}
