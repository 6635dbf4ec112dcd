//! Trains the built-in models from marked notes, or cross-validates them batch by batch.
//!
//! ```sh
//! learn model corpus/train/*.txt -o models/default.model
//! learn model corpus/train/*.txt --public vaers.jsonl --half 0 -o models/default.model
//! learn kept --public vaers.jsonl --half 1 -o models/default.model
//! learn folds corpus/train/*.txt --measured T1,T2
//! learn folds corpus/train/*.txt --by author
//! learn measure corpus/test/*.txt --by genre
//! learn entities corpus/train/*.txt --public vaers.jsonl -o models/entities.model
//! learn entity-folds corpus/train/*.txt
//! learn speed corpus/train/*.txt target/bench/notes.txt
//! learn status corpus/status/train/*.toml --calibration corpus/status/calibrate/notes-1.toml -o models/status.model
//! learn status-folds corpus/status/train/*.toml
//! learn status-measure corpus/status/test/*.toml -o models/status.model
//! learn adapt BATCH.txt... GOLD... -o models/default.model --sizes 10,25,50 --epochs 12 --l2 30
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
mod examples;
mod folds;
mod measure;
mod notes;
mod options;
mod public;
mod redraw;
mod speed;
mod status;

use examples::{add_marked, add_public};
use notes::Note;
use notesieve::names::{Model, NameTrainer};
use notesieve::vocabulary::Vocabulary;
use notesieve::{Policy, Scrubber};
use options::parse_arguments;
use public::Audit;
use redraw::Pools;
use regex::Regex;

fn read_pool(folder: &std::path::Path, name: &str) -> Result<Vec<String>, String> {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).map_err(|problem| format!("{}: {problem}", path.display()))?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn main() -> Result<(), String> {
    let arguments = parse_arguments()?;
    let vocabulary =
        Vocabulary::from_static(notesieve_vocabularies::default_bytes()).map_err(|error| error.to_string())?;
    if arguments.task.starts_with("status") {
        return status::learn_or_measure_statuses(&arguments, vocabulary);
    }
    if arguments.task == "speed" {
        let model = Model::open(&arguments.out).map_err(|error| error.to_string())?;
        let scrubber = Scrubber::new(vocabulary, Policy::safe());
        return speed::measure_speed(&speed::read_texts(&arguments.batches)?, &scrubber, model, arguments.passes);
    }
    let pools = Pools {
        words: read_pool(&arguments.pools, "words.txt")?,
        names: read_pool(&arguments.pools, "names.txt")?,
        cities: read_pool(&arguments.pools, "cities.txt")?,
        pattern: Regex::new(r"[^\W\d_]{3,}").map_err(|error| error.to_string())?,
    };
    let batches: Vec<(String, Vec<Note>)> = arguments
        .batches
        .iter()
        .map(|path| {
            let notes = notes::read_notes(path).map_err(|problem| format!("{}: {problem}", path.display()))?;
            Ok((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), notes))
        })
        .collect::<Result<_, String>>()?;
    let batches =
        arguments.by.as_deref().map_or_else(|| Ok(batches.clone()), |by| notes::group_by_head(&batches, by))?;
    let scrubber = Scrubber::new(vocabulary.clone(), Policy::safe());
    let public = arguments.public.iter().map(|path| public::read(path, arguments.half, arguments.most));
    let public: Vec<public::Source> = public.collect::<Result<_, String>>()?;
    let audit = Audit::read(&arguments.audit)?;
    if arguments.task == "kept" {
        let model = Model::open(&arguments.out).map_err(|error| error.to_string())?;
        return public::print_kept_shares(&public, &audit, &vocabulary, &model);
    }
    if arguments.task == "measure" {
        let model = Model::open(&arguments.out).map_err(|error| error.to_string())?;
        folds::measure_model(&arguments, &batches, &vocabulary, &model);
        return Ok(());
    }
    if arguments.task == "adapt" {
        let model = Model::open(&arguments.out).map_err(|error| error.to_string())?;
        adapt::measure_adaptation(&batches, &vocabulary, &model, &arguments.sizes, arguments.options);
        return Ok(());
    }
    let listed = public::listed_files(&arguments.sources)?;
    if !arguments.folds {
        public::check_public_files(&public, &listed)?;
    }
    let read = |batches: &[(String, Vec<Note>)]| {
        let mut trainer = NameTrainer::new(arguments.options);
        add_marked(&mut trainer, &arguments, batches, &scrubber, &pools)?;
        add_public(&mut trainer, batches.len(), (&public, &listed), &audit, &scrubber)?;
        trainer.drop_rare_features();
        Ok::<_, String>(trainer)
    };
    if arguments.task.starts_with("entit") {
        return entities::learn_or_measure_entities(&arguments, &batches, &vocabulary, read);
    }
    let trainer = read(&batches)?;
    if arguments.folds {
        folds::cross_validate(&arguments, &batches, &vocabulary, &trainer);
        return Ok(());
    }
    let names: Vec<&str> = batches.iter().map(|(name, _)| name.as_str()).collect();
    let notes: usize = batches.iter().map(|(_, notes)| notes.len()).sum();
    let public: Vec<_> = public.iter().map(|source| (&source.name, source.texts.len())).collect();
    let (seed, vocabulary) = (arguments.options.seed, vocabulary.digest());
    let provenance = serde_json::json!({
        "batches": names, "notes": notes, "public": public, "seed": seed, "vocabulary": vocabulary,
    });
    let model = trainer.train_without_group(None, &provenance.to_string());
    std::fs::write(&arguments.out, &model).map_err(|problem| format!("{}: {problem}", arguments.out.display()))?;
    println!("{}: {} bytes", arguments.out.display(), model.len());
    Ok(())
}
