//! How long it takes to build a vocabulary, how much memory, what comes of each source, and how fast its terms are found.
//!
//! `cargo run --release --example build_vocabulary -- [--read-only] [--no-variants] [-o OUT] FORMAT PATH ...` where FORMAT
//! is mesh, umls, rxnorm, snomed, obo, icd10cm, loinc or compiled. `make bench-umls` runs it on generated files.
//! `--match FILE` only opens a vocabulary that was built before, and finds its terms; with `--text NOTES` also those of a
//! text, where a form feed stands between two notes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use notesieve::terms::{self, Matches, Overlap};
use notesieve::text::normalize::Normalized;
use notesieve::text::token::tokenize;
use notesieve::{Error, Result, Vocabulary};
use notesieve_vocabulary_build::build::{Options, Report, SourceSpec, build};
use notesieve_vocabulary_build::sources::{Source, compiled, icd10cm, loinc, mesh, obo, rxnorm, snomed, umls};

fn source(format: &str) -> Option<Source> {
    Some(match format {
        "mesh" => Source::Mesh(mesh::Options::default()),
        "umls" => Source::Umls(umls::Options::default()),
        "rxnorm" => Source::RxNorm(rxnorm::Options::default()),
        "snomed" => Source::Snomed(snomed::Options::default()),
        "obo" => Source::Obo(obo::Options::default()),
        "icd10cm" => Source::Icd10cm(icd10cm::Options::default()),
        "loinc" => Source::Loinc(loinc::Options::default()),
        "compiled" => Source::Compiled(compiled::Options::default()),
        _ => return None,
    })
}

/// The most memory that the process held so far, where the system says it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

fn print(report: &Report) {
    for source in &report.sources {
        let summary = &source.summary;
        println!("{} {}: {:.1} s", source.format, source.path.display(), source.seconds);
        println!("  read {}, concepts {}, terms {}", summary.read, summary.concepts, summary.terms);
        println!("  dropped {:?}, unreadable {}", summary.dropped, summary.unreadable);
        println!("  suppressed {:?}", source.suppressed);
        println!("  variants {:?}", source.variants);
        for problem in &summary.problems {
            println!("  {}:{}: {}", problem.file, problem.line, problem.problem);
        }
    }
    let counts = &report.compiled.counts;
    println!(
        "terms {} ({} variants), concepts {}, words {}",
        counts.terms, counts.variants, counts.concepts, counts.words
    );
    println!("dropped by the compiler {:?}; merged {}, shared {}", counts.dropped, counts.merged, counts.shared);
    let megabytes = report.compiled.bytes as f64 / 1e6;
    println!("{megabytes:.1} MB, {:.1} MB a million terms", megabytes / (counts.terms as f64 / 1e6));
    println!("{:.1} s in all", report.seconds);
}

/// Sentences that hold a term in every second place: more terms than notes have, from all over the vocabulary.
fn sentences(vocabulary: &Vocabulary, most: usize) -> String {
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

/// How fast the terms of notes are found: best of five passes, each step and all together.
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

/// Pieces of a text of ASCII, of the length of a long note.
fn pieces(text: &str) -> Vec<&str> {
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
    let text = sentences(&vocabulary, 8 << 20);
    match_terms(&vocabulary, "sentences with a term each, each another", &pieces(&text));
    if let Some(path) = notes {
        let text = std::fs::read_to_string(path).map_err(|source| Error::File { path: path.to_path_buf(), source })?;
        let notes: Vec<&str> = text.split('\u{C}').filter(|note| !note.is_empty()).collect();
        match_terms(&vocabulary, "notes", &notes);
    }
    Ok(())
}

fn run(
    specs: &[SourceSpec],
    options: Options,
    read_only: bool,
    out: Option<PathBuf>,
    notes: Option<&Path>,
) -> Result<()> {
    if read_only {
        for spec in specs {
            let start = Instant::now();
            let summary = spec.source.read(&spec.path, &mut |_| Ok(()))?;
            println!("{}: {:.2} s, {summary:?}", spec.source.name(), start.elapsed().as_secs_f64());
        }
        return Ok(());
    }
    let (bytes, report) = build(specs, options, &mut |_| Ok(()))?;
    print(&report);
    if let Some(path) = out {
        std::fs::write(&path, &bytes).map_err(|source| Error::File { path: path.clone(), source })?;
        drop(bytes);
        open_and_match(&path, notes)?;
    }
    if let Some(megabytes) = peak_memory() {
        println!("peak memory {megabytes} MB");
    }
    Ok(())
}

fn main() -> ExitCode {
    let (mut specs, mut options, mut read_only, mut out) = (Vec::new(), Options::default(), false, None);
    let (mut matched, mut notes) = (None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--read-only" => read_only = true,
            "--no-variants" => options.variants = false,
            "-o" => out = arguments.next().map(PathBuf::from),
            "--match" => matched = arguments.next().map(PathBuf::from),
            "--text" => notes = arguments.next().map(PathBuf::from),
            format => {
                let (Some(source), Some(path)) = (source(format), arguments.next()) else {
                    eprintln!(
                        "usage: build_vocabulary [--read-only] [--no-variants] [--text NOTES] [-o OUT] FORMAT PATH ... \
                         | [--text NOTES] --match FILE"
                    );
                    return ExitCode::FAILURE;
                };
                specs.push(SourceSpec::new(source, path));
            }
        }
    }
    let outcome = match matched {
        Some(path) => open_and_match(&path, notes.as_deref()),
        None => run(&specs, options, read_only, out, notes.as_deref()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
