//! Measures speed.

use notesieve::Scrubber;
use notesieve::names::{Model, Table};
use notesieve::status::StatusModel;

use crate::notes::Note;

/// Times features as arrays, and the scrub of all notes without a model and with one, one thread, the fastest of
/// some passes.
pub fn speed(batches: &[(String, Vec<Note>)], scrubber: Scrubber, model: Model) -> Result<(), String> {
    let notes: Vec<&Note> = batches.iter().flat_map(|(_, notes)| notes).collect();
    let bytes: usize = notes.iter().map(|note| note.text.len()).sum();
    let judging = scrubber.clone().with_model(model);
    let status = StatusModel::from_bytes(notesieve_models::status_bytes()).map_err(|error| error.to_string())?;
    let both = judging.clone().with_status(status);
    let start = std::time::Instant::now();
    let found: Vec<_> =
        notes.iter().map(|note| judging.features(&note.text, &note.gold()).expect("a short text")).collect();
    let read = start.elapsed().as_secs_f64();
    let table = Table::new(&found.iter().collect::<Vec<_>>(), 1);
    let (all, features) = (start.elapsed().as_secs_f64(), table.hashes.len());
    println!(
        "features of {} notes as arrays: {all:.1} s, {read:.1} s of them reading; {features} features",
        notes.len()
    );
    drop((found, table));
    for (name, scrubber) in [("lists and rules", scrubber), ("and judgement", judging), ("and of statuses", both)] {
        let (mut buffers, mut document) = (notesieve::pipeline::Buffers::default(), notesieve::Document::default());
        let fastest = (0..5).map(|_| {
            let start = std::time::Instant::now();
            for note in &notes {
                scrubber.scrub_into(&note.text, false, &mut buffers, &mut document).expect("a short text");
            }
            start.elapsed().as_secs_f64()
        });
        let seconds = fastest.fold(f64::INFINITY, f64::min);
        println!("{name:<16} {:.1} MB/s", bytes as f64 / seconds / 1e6);
    }
    Ok(())
}
