//! The memory for a long text is proportional to its length, with a small factor.

#![cfg(target_os = "linux")]

use notesieve::document::Document;
use notesieve::entities::EntityModel;
use notesieve::pipeline::Buffers;
use notesieve::{Model, Policy, Scrubber, Vocabulary};

/// The length of the text. It must be long, because buffers of less than a few megabytes are not freed after their
/// step.
const BYTES: usize = 16 << 20;

/// Returns the peak memory of this process in bytes.
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("the status of this process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its most memory");
    let kilobytes: usize = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kilobytes << 10
}

/// Removes the marks from a batch of marked notes.
fn without_marks(batch: &str) -> String {
    let pieces = batch.split("[[").enumerate();
    let marked = pieces.map(|(nth, piece)| piece.split_once(':').filter(|_| nth > 0).map_or(piece, |(_, text)| text));
    marked.collect::<String>().replace("]]", "")
}

/// The only test of this program, because others would allocate memory at the same time.
#[test]
fn a_long_text_takes_less_than_22_times_its_size() {
    let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the default vocabulary");
    let model = Model::from_static(notesieve_models::default_bytes()).expect("the default model");
    let entities = EntityModel::from_static(notesieve_models::entity_bytes()).expect("the built-in model");
    let scrubber = Scrubber::new(vocabulary, Policy::safe()).with_model(model).with_entities(entities);
    let batch = without_marks(include_str!("../../corpus/train/T1.txt"));
    let (mut buffers, mut document) = (Buffers::default(), Document::default());
    scrubber.scrub_into(&batch, false, &mut buffers, &mut document).expect("a scrub");
    let text = batch.repeat(BYTES / batch.len());
    let before = peak_memory();
    scrubber.scrub_into(&text, false, &mut buffers, &mut document).expect("a scrub");
    let taken = peak_memory() - before;
    assert!(taken < 22 * text.len(), "{:.1} times its size", taken as f64 / text.len() as f64);
}
