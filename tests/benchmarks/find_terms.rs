//! Benchmark of opening a vocabulary and of finding its terms.
//!
//! `cargo run --release --example find_terms -- VOCABULARY [NOTES]` searches sentences made of its terms, and notes
//! separated by form feeds. `make bench-umls` runs it on a vocabulary of generated files.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use notesieve::terms::{self, Matches, Overlap};
use notesieve::text::normalize::Normalized;
use notesieve::text::token::tokenize;
use notesieve::{Error, Result, Vocabulary};

/// Returns sentences of which every second one has a term: more terms than notes have, from the whole vocabulary.
fn sentences_with_terms(vocabulary: &Vocabulary, most: usize) -> String {
    let mut text = String::with_capacity(most + 256);
    let every = (vocabulary.entry_count() * 40 / most).max(1) as u32;
    vocabulary.for_each_entry(|term, entry| {
        if text.len() < most && entry.0 % every == 0 {
            text += "The patient was seen again for ";
            text += term;
            text += " and is doing well. No change.\n";
        }
    });
    text
}

/// Prints the speed of finding terms in notes, each step and all together: the best of five passes.
fn match_terms(vocabulary: &Vocabulary, what: &str, notes: &[&str]) {
    let megabytes = notes.iter().map(|note| note.len()).sum::<usize>() as f64 / 1e6;
    let mut best = [f64::INFINITY; 4];
    let (mut tokens, mut ids, mut classes, mut starts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut matches = Matches::default();
    let mut normalized = Normalized::new("");
    let mut found = 0;
    for _ in 0..5 {
        let mut seconds = [0.0; 4];
        found = 0;
        for note in notes {
            let start = Instant::now();
            normalized.fold(note);
            let folded = Instant::now();
            tokenize(note, &normalized, &mut tokens);
            let cut = Instant::now();
            terms::lookup_words(vocabulary, normalized.folded(), &tokens, &mut ids, &mut classes, &mut starts);
            let known = Instant::now();
            terms::find_in_tokens(vocabulary, &tokens, &ids, &starts, Overlap::Longest, &mut matches);
            let times = [folded - start, cut - folded, known - cut, known.elapsed()];
            seconds.iter_mut().zip(times).for_each(|(sum, time)| *sum += time.as_secs_f64());
            found += matches.terms.len();
        }
        best.iter_mut().zip(seconds).for_each(|(best, time)| *best = best.min(time));
    }
    let speed = |seconds: f64| format!("{:.0} MB/s", megabytes / seconds);
    let [fold, cut, words, terms] = best;
    println!("{megabytes:.1} MB of {what}, {found} terms, one core:");
    println!("  fold {}, tokenise {}, words {}, terms {}", speed(fold), speed(cut), speed(words), speed(terms));
    println!("  words and terms {}, all four {}", speed(words + terms), speed(best.iter().sum()));
}

/// Splits an ASCII text into pieces of the length of a long note.
fn text_pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((at, _)) = rest.char_indices().find(|&(at, _)| at >= 8 << 10) {
        let (piece, after) = rest.split_at(at);
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

fn open_and_match(path: &Path, notes: Option<&Path>) -> Result<()> {
    let start = Instant::now();
    let vocabulary = Vocabulary::open(path)?;
    println!("opened in {:.2} ms, {} terms", start.elapsed().as_secs_f64() * 1e3, vocabulary.entry_count());
    let text = sentences_with_terms(&vocabulary, 8 << 20);
    match_terms(&vocabulary, "sentences with a term each, each another", &text_pieces(&text));
    if let Some(path) = notes {
        let text = std::fs::read_to_string(path).map_err(|source| Error::File { path: path.to_path_buf(), source })?;
        let notes: Vec<&str> = text.split('\u{C}').filter(|note| !note.is_empty()).collect();
        match_terms(&vocabulary, "notes", &notes);
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [vocabulary, notes @ ..] = &arguments[..] else {
        eprintln!("usage: find_terms VOCABULARY [NOTES]");
        return ExitCode::FAILURE;
    };
    match open_and_match(Path::new(vocabulary), notes.first().map(Path::new)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
