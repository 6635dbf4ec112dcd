//! Measures the speed of scrubbing.

use std::path::Path;
use std::time::Instant;

use notesieve::entities::EntityModel;
use notesieve::names::Model;
use notesieve::pipeline::Buffers;
use notesieve::status::StatusModel;
use notesieve::{Document, Scrubber};
use sha2::{Digest, Sha256};

use crate::notes;

/// Times the scrub of the notes of each file on one thread, each step together with all steps before it. A pass begins
/// with empty buffers, like a process, so that every text counts as a new one; the fastest pass counts.
///
/// It prints a digest of all outputs: a change that only makes the scrub faster leaves it unchanged.
pub fn measure_speed(
    files: &[(&str, Vec<String>)],
    scrubber: &Scrubber,
    model: Model,
    passes: usize,
) -> Result<(), String> {
    let entities = EntityModel::from_static(notesieve_models::entity_bytes()).map_err(|error| error.to_string())?;
    let status = StatusModel::from_bytes(notesieve_models::status_bytes()).map_err(|error| error.to_string())?;
    let names = scrubber.clone().with_model(model);
    let entities = names.clone().with_entities(entities);
    let status = entities.clone().with_status(status);
    let steps =
        [("lists and rules", scrubber), ("and names", &names), ("and entities", &entities), ("and statuses", &status)];
    for (kind, texts) in files.iter().filter(|(_, texts)| !texts.is_empty()) {
        let bytes: usize = texts.iter().map(String::len).sum();
        println!("{kind} notes: {} texts, {:.1} MB", texts.len(), bytes as f64 / 1e6);
        let mut before = 0.0;
        for (step, scrubber) in steps.into_iter().filter(|_| passes > 0) {
            let seconds = (0..passes).map(|_| seconds_of_pass(scrubber, texts)).fold(f64::INFINITY, f64::min);
            let nanoseconds = seconds * 1e9 / bytes as f64;
            println!("  {step:<16} {:5.1} MB/s, {:5.1} ns a byte of the step", 1e3 / nanoseconds, nanoseconds - before);
            before = nanoseconds;
        }
        println!("  digest of the outputs {}", digest_of_outputs(&status, texts));
    }
    Ok(())
}

/// Returns the time in seconds to scrub the texts once.
fn seconds_of_pass(scrubber: &Scrubber, texts: &[String]) -> f64 {
    let (mut buffers, mut document) = (Buffers::default(), Document::default());
    let (start, before) = (Instant::now(), processor_seconds());
    for text in texts {
        scrubber.scrub_into(text, false, &mut buffers, &mut document).expect("a short text");
    }
    let elapsed = start.elapsed().as_secs_f64();
    before.zip(processor_seconds()).map_or(elapsed, |(before, after)| after - before)
}

/// Returns the processor time of this thread where Linux provides it, since other programs may use the machine.
fn processor_seconds() -> Option<f64> {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(line.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// Returns a digest of the outputs of all texts.
fn digest_of_outputs(scrubber: &Scrubber, texts: &[String]) -> String {
    let (mut buffers, mut document) = (Buffers::default(), Document::default());
    let mut digest = Sha256::new();
    for text in texts {
        scrubber.scrub_into(text, false, &mut buffers, &mut document).expect("a short text");
        digest.update(&document.text);
        digest.update(format!("{:?} {:?}", document.removed, document.concepts));
    }
    digest.finalize().iter().take(8).fold(String::new(), |all, byte| all + &format!("{byte:02x}"))
}

/// Reads the texts of files: marked batches, folders with a gold standard, and files of notes separated by form feeds.
/// Files of notes are generated text, the others natural.
pub fn read_texts(paths: &[std::path::PathBuf]) -> Result<[(&'static str, Vec<String>); 2], String> {
    let (mut natural, mut generated) = (Vec::new(), Vec::new());
    for path in paths {
        let problem = |problem| format!("{}: {problem}", path.display());
        match notes_without_heads(path).map_err(problem)? {
            Some(texts) => generated.extend(texts),
            None => natural.extend(notes::read_notes(path).map_err(problem)?.into_iter().map(|note| note.text)),
        }
    }
    Ok([("natural", natural), ("generated", generated)])
}

/// Returns the notes of a file without headers of marked notes, or `None` if it has such headers.
fn notes_without_heads(path: &Path) -> std::io::Result<Option<Vec<String>>> {
    if path.is_dir() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path)?;
    let marked = text.starts_with("===") || text.contains("\n===");
    Ok((!marked).then(|| text.split('\u{c}').filter(|note| !note.is_empty()).map(str::to_owned).collect()))
}
