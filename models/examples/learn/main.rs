//! Learns the built-in model from marked notes, or measures what would be learned, batch by batch.
//!
//! ```sh
//! learn model corpus/train/*.txt -o models/default.model
//! learn folds corpus/train/*.txt --measured T1,T2
//! learn entities corpus/train/*.txt -o models/entities.model
//! learn entity-folds corpus/train/*.txt
//! learn status corpus/status/*.toml --usual tests/context/fresh.toml -o models/status.model
//! learn status-folds corpus/status/*.toml
//! learn status-measure tests/context/*.toml -o models/status.model
//! learn adapt BATCH.txt... GOLD... -o models/default.model --sizes 10,25,50 --rounds 12 --decay 30
//! ```

#![allow(
    clippy::cast_sign_loss,
    clippy::needless_for_each,
    clippy::semicolon_if_nothing_returned,
    clippy::too_many_lines,
    reason = "numbers of a command line"
)]
#![allow(unreachable_pub, missing_docs, reason = "a program, no library")]

mod adapt;
mod entities;
mod measure;
mod notes;
mod redraw;
mod speed;
mod status;

use std::path::PathBuf;

use measure::{Counts, measure};
use notes::Note;
use notesieve::names::{Growth, Model, Options, Trainer};
use notesieve::vocabulary::Vocabulary;
use notesieve::{Policy, Scrubber};
use rayon::prelude::*;
use redraw::{Pools, Random};
use regex::Regex;

/// How many words an excerpt has at most.
const WORDS_OF_EXCERPT: usize = 16;

/// At these strictnesses folds are measured.
const STRICTNESS: [u32; 8] = [2, 4, 8, 12, 20, 30, 50, 100];

struct Arguments {
    folds: bool,
    task: String,
    batches: Vec<PathBuf>,
    measured: Option<Vec<String>>,
    out: PathBuf,
    /// Passages by which thresholds of statuses are chosen.
    usual: Vec<PathBuf>,
    pools: PathBuf,
    copies: usize,
    excerpts: usize,
    options: Options,
    leaks: Option<PathBuf>,
    /// How measured notes are written: as they are, all in capitals, all in small letters.
    cases: Vec<Option<bool>>,
    growths: Vec<Growth>,
    sizes: Vec<usize>,
}

const USAGE: &str = "usage: learn model|folds|measure|adapt|speed BATCH.txt... [-o FILE], \
    or learn status|status-folds|status-measure PASSAGES.toml... [-o FILE]";

fn arguments() -> Result<Arguments, String> {
    let mut all = std::env::args().skip(1);
    let task = all.next();
    let folds = match task.as_deref() {
        Some("model" | "entities" | "entity-folds") => false,
        Some("folds" | "measure" | "speed" | "adapt" | "status" | "status-folds" | "status-measure") => true,
        _ => return Err(USAGE.to_owned()),
    };
    let mut found = Arguments {
        folds,
        task: task.unwrap_or_default(),
        batches: Vec::new(),
        measured: None,
        out: "models/default.model".into(),
        usual: Vec::new(),
        pools: "corpus/pools/train".into(),
        copies: 2,
        excerpts: 3,
        options: Options::default(),
        leaks: None,
        cases: vec![None],
        growths: Vec::new(),
        sizes: vec![10, 25, 50],
    };
    while let Some(argument) = all.next() {
        if !argument.starts_with('-') {
            found.batches.push(argument.into());
            continue;
        }
        let value = all.next().ok_or(format!("{argument} needs a value"))?;
        let number = || value.parse::<f32>().map_err(|_| format!("{argument}: not a number"));
        match argument.as_str() {
            "-o" => found.out = value.into(),
            "--usual" => found.usual.push(value.into()),
            "--pools" => found.pools = value.into(),
            "--measured" => found.measured = Some(value.split(',').map(str::to_owned).collect()),
            "--copies" => found.copies = number()? as usize,
            "--excerpts" => found.excerpts = number()? as usize,
            "--rounds" => found.options.rounds = number()? as u32,
            "--rate" => found.options.rate = number()?,
            "--decay" => found.options.decay = number()?,
            "--without" => found.options.without_letters = number()? as u64,
            "--single" => found.options.single = number()? as u64,
            "--documents" => found.options.documents = number()? as u32,
            "--parts" => found.options.parts = number()? as u32,
            "--growth" => found.growths.push(growth(&value).ok_or("--growth: TREES:RATE:DECAY:ROWS:COLUMNS:UNLISTED")?),
            "--sizes" => found.sizes = numbers(&value).ok_or("--sizes: NOTES,NOTES")?,
            "--case" => found.cases.push(match value.as_str() {
                "upper" => Some(true),
                "lower" => Some(false),
                _ => return Err("--case: upper or lower".to_owned()),
            }),
            "--leaks" => found.leaks = Some(value.into()),
            _ => return Err(format!("unknown: {argument}")),
        }
    }
    Ok(found)
}

fn numbers(value: &str) -> Option<Vec<usize>> {
    value.split(',').map(|number| number.parse().ok()).collect()
}

/// How to grow trees, as numbers with colons between.
fn growth(value: &str) -> Option<Growth> {
    let numbers: Vec<f32> = value.split(':').map(str::parse).collect::<Result<_, _>>().ok()?;
    let &[trees, rate, decay, rows, columns, unlisted] = &numbers[..] else { return None };
    Some(Growth { trees: trees as u32, rate, decay, rows: rows as u64, columns: columns as u64, unlisted })
}

fn pool(folder: &std::path::Path, name: &str) -> Result<Vec<String>, String> {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).map_err(|problem| format!("{}: {problem}", path.display()))?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn main() -> Result<(), String> {
    let arguments = arguments()?;
    let vocabulary =
        Vocabulary::from_static(notesieve_vocabularies::default_bytes()).map_err(|error| error.to_string())?;
    if arguments.task.starts_with("status") {
        return status::run(&arguments, vocabulary);
    }
    let pools = Pools {
        words: pool(&arguments.pools, "words.txt")?,
        names: pool(&arguments.pools, "names.txt")?,
        cities: pool(&arguments.pools, "cities.txt")?,
        pattern: Regex::new(r"[^\W\d_]{3,}").map_err(|error| error.to_string())?,
    };
    let batches = read_batches(&arguments)?;
    let scrubber = Scrubber::new(vocabulary.clone(), Policy::safe());
    if arguments.task == "measure" {
        let model = Model::open(&arguments.out).map_err(|error| error.to_string())?;
        for &case in &arguments.cases {
            let results: Vec<Vec<Counts>> = batches
                .par_iter()
                .map(|(name, notes)| fold(&vocabulary, &model, name, &in_case(notes, case), arguments.leaks.as_deref()))
                .collect();
            show_case(case);
            show_curve(&results.iter().map(Vec::as_slice).collect::<Vec<_>>());
        }
        return Ok(());
    }
    if arguments.task == "adapt" {
        let model = Model::open(&arguments.out).map_err(|error| error.to_string())?;
        adapt::adapt(&batches, &vocabulary, &model, &arguments.sizes, arguments.options);
        return Ok(());
    }
    if arguments.task == "speed" {
        let model = Model::open(&arguments.out).map_err(|error| error.to_string())?;
        return speed::run(&batches, scrubber, model);
    }
    if arguments.task.starts_with("entit") {
        return entities::run(&arguments, &batches, &scrubber, &pools);
    }
    let trainer = examples(&arguments, &batches, &scrubber, &pools)?;
    if arguments.folds {
        folds(&arguments, &batches, &vocabulary, &trainer);
        return Ok(());
    }
    let names: Vec<&str> = batches.iter().map(|(name, _)| name.as_str()).collect();
    let notes: usize = batches.iter().map(|(_, notes)| notes.len()).sum();
    let provenance = serde_json::json!({
        "batches": names, "notes": notes, "seed": arguments.options.seed, "vocabulary": vocabulary.digest(),
    });
    let model = trainer.train(None, &provenance.to_string());
    std::fs::write(&arguments.out, &model).map_err(|problem| format!("{}: {problem}", arguments.out.display()))?;
    println!("{}: {} bytes", arguments.out.display(), model.len());
    Ok(())
}

/// The notes of each batch, with its name.
fn read_batches(arguments: &Arguments) -> Result<Vec<(String, Vec<Note>)>, String> {
    arguments
        .batches
        .iter()
        .map(|path| {
            let notes = notes::read(path).map_err(|problem| format!("{}: {problem}", path.display()))?;
            Ok((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), notes))
        })
        .collect()
}

/// Every note as it is and redrawn.
fn examples(
    arguments: &Arguments,
    batches: &[(String, Vec<Note>)],
    scrubber: &Scrubber,
    pools: &Pools,
) -> Result<Trainer, String> {
    let mut jobs = Vec::new();
    for (group, (_, notes)) in batches.iter().enumerate() {
        for note in notes {
            jobs.push((group as u32, jobs.len() as u32, note));
        }
    }
    let mut trainer = Trainer::new(arguments.options);
    for jobs in jobs.chunks(200) {
        let read: Vec<_> = jobs
            .par_iter()
            .flat_map_iter(|&(group, number, note)| {
                let mut chance = Random(u64::from(number) + 1);
                (0..=arguments.copies + arguments.excerpts).map(move |copy| {
                    let note = match copy {
                        0 => note.clone(),
                        _ => pools.redraw(note, scrubber.vocabulary(), &mut chance),
                    };
                    if copy > arguments.copies {
                        let note = redraw::excerpt(&note, WORDS_OF_EXCERPT, &mut chance);
                        return scrubber.example(&note.text, &note.gold(), group, number);
                    }
                    let note = match (copy, chance.below(100)) {
                        (1.., 0..28) => redraw::in_case(&note, false),
                        (1.., 28..46) => redraw::in_case(&note, true),
                        _ => note,
                    };
                    scrubber.example(&note.text, &note.gold(), group, number)
                })
            })
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())?;
        read.into_iter().for_each(|example| trainer.add(example));
    }
    trainer.finish();
    Ok(trainer)
}

fn folds(arguments: &Arguments, batches: &[(String, Vec<Note>)], vocabulary: &Vocabulary, trainer: &Trainer) {
    let measured: Vec<usize> = (0..batches.len())
        .filter(|&nth| arguments.measured.as_ref().is_none_or(|names| names.contains(&batches[nth].0)))
        .collect();
    let growths = if arguments.growths.is_empty() { vec![arguments.options.growth] } else { arguments.growths.clone() };
    let results: Vec<Vec<Vec<Counts>>> = measured
        .par_iter()
        .map(|&nth| {
            let (name, notes) = &batches[nth];
            let models = trainer.train_each(Some(nth as u32), "{}", &growths);
            let ways = models.iter().flat_map(|model| arguments.cases.iter().map(move |&case| (model, case)));
            let measured = ways.map(|(model, case)| {
                let model = Model::from_bytes(model).expect("what was just written");
                let rows = fold(vocabulary, &model, name, &in_case(notes, case), arguments.leaks.as_deref());
                let [recall, clean, kept] = rows[3].shares();
                println!("{name:<6} {recall:.4} {clean:.3} {kept:.4}");
                rows
            });
            measured.collect()
        })
        .collect();
    let ways = growths.iter().flat_map(|growth| arguments.cases.iter().map(move |&case| (growth, case)));
    for (way, (growth, case)) in ways.enumerate() {
        println!("{growth:?}");
        show_case(case);
        let results: Vec<&[Counts]> = results.iter().map(|ways| &ways[way][..]).collect();
        show_curve(&results);
    }
}

fn show_case(case: Option<bool>) {
    if let Some(upper) = case {
        println!("all in {}", if upper { "capitals" } else { "small letters" });
    }
}

/// The notes as they are, or all in capitals or small letters.
fn in_case(notes: &[Note], capitals: Option<bool>) -> Vec<Note> {
    notes.iter().map(|note| capitals.map_or_else(|| note.clone(), |upper| redraw::in_case(note, upper))).collect()
}

/// Measures a model on a batch from which it did not learn.
fn fold(
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
            let policy = Policy { strictness, ..Policy::preset(preset).unwrap_or_else(Policy::readable) };
            let scrubber = Scrubber::new(vocabulary.clone(), policy).with_model(model.clone());
            let mut counts = Counts::default();
            for note in notes {
                let document = scrubber.scrub(&note.text).expect("a short text");
                let removed: Vec<_> = document.removed.iter().map(|removal| removal.source).collect();
                counts.add(measure(&token, note, &removed));
                if let Some(folder) = leaks.filter(|_| preset == "safe" && strictness == 8) {
                    show(folder, batch, note, &document);
                }
            }
            rows.push(counts);
        }
    }
    rows
}

/// Shows the means of all batches at each strictness, and at one share of what is kept.
fn show_curve(results: &[&[Counts]]) {
    let mut curve = Vec::new();
    for (row, name) in
        ["safe", "balanced"].iter().flat_map(|name| STRICTNESS.map(|at| format!("{name} {at}"))).enumerate()
    {
        let shares: Vec<[f64; 3]> = results.iter().map(|rows| rows[row].shares()).collect();
        let mean = |at: usize| shares.iter().map(|shares| shares[at]).sum::<f64>() / shares.len() as f64;
        println!("{name:<14} R {:.4}  Z {:.3}  kept {:.4}", mean(0), mean(1), mean(2));
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

/// Writes what leaked and what was lost, for those who read training notes.
fn show(folder: &std::path::Path, batch: &str, note: &Note, document: &notesieve::Document) {
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
