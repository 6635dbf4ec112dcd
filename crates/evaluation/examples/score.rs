//! Scores predictions against a gold standard and prints the whole result as JSON.
//!
//! `cargo run -p notesieve-evaluation --example score -- GOLD PREDICTIONS [--strict] [--context]`

use std::time::Instant;

use notesieve_evaluation::{Gold, Options, Predictions, evaluate};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let all: Vec<String> = std::env::args().skip(1).collect();
    let (switches, files): (Vec<&String>, Vec<&String>) = all.iter().partition(|argument| argument.starts_with("--"));
    let [gold, predictions] = files[..] else { return Err("GOLD PREDICTIONS [--strict] [--context]".into()) };
    let has = |name: &str| switches.iter().any(|have| *have == name);
    let options = Options { strict: has("--strict"), with_context: has("--context"), ..Options::default() };
    let started = Instant::now();
    let gold = Gold::read(gold)?;
    let predictions = Predictions::read(predictions)?;
    let read = started.elapsed();
    let report = evaluate(&gold, &predictions, &options)?;
    let total = started.elapsed();
    println!("{}", serde_json::to_string(&report)?);
    eprintln!(
        "{} gold spans in {} notes: read in {read:?}, read and scored in {total:?}",
        gold.len(),
        gold.notes.len()
    );
    for problem in &gold.problems {
        eprintln!("{}:{}: {}", problem.file, problem.line, problem.problem);
    }
    Ok(())
}
