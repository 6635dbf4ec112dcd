//! Speed of each step of a scrub and of the whole, on one core, for the notes that `make bench-text` made and for texts
//! made to be slow. `cargo bench --bench scrub [-- FILTER]`; `make bench` puts the figures into one table.
//!
//! Each of the first steps is measured together with all steps before it, with buffers reused between notes, and
//! `tests/benchmarks/speed.py` computes the differences. `NOTESIEVE_BENCH_TEXT` selects another text with notes
//! separated by form feeds.

mod lookup;
mod slow_texts;

use std::sync::LazyLock;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use lookup::{Automata, Found, Lookup, Tokenized};
use notesieve::entities::EntityModel;
use notesieve::note::NoteBuffers;
use notesieve::pipeline::Buffers;
use notesieve::rules::{self, Findings, FoundNames};
use notesieve::status::StatusModel;
use notesieve::terms::{self, Matches};
use notesieve::text::normalize::Normalized;
use notesieve::text::token::tokenize;
use notesieve::{Document, Model, Policy, Scrubber, Vocabulary};
use slow_texts::{SLOW, Unit};

/// The number of bytes of text to read.
const BYTES: usize = 16_000_000;
/// The length of a text made to be slow, in bytes.
const SLOW_BYTES: usize = 10_000_000;

static NOTES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let path = std::env::var("NOTESIEVE_BENCH_TEXT")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/target/bench/notes.txt").to_owned());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}; run `make bench-text`"));
    let mut left = BYTES;
    text.split('\u{C}')
        .filter(|note| !note.is_empty())
        .map_while(|note| {
            left = left.checked_sub(note.len())?;
            Some(note.to_owned())
        })
        .collect()
});

static SCRUBBER: LazyLock<Scrubber> = LazyLock::new(|| Scrubber::new(open(), Policy::default()));

fn open() -> Vocabulary {
    Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the embedded vocabulary opens")
}

/// Calls `run` with each note.
fn for_each_note(bencher: Bencher<'_, '_>, mut run: impl FnMut(&str)) {
    let bytes: usize = NOTES.iter().map(String::len).sum();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| NOTES.iter().for_each(|text| run(black_box(text))));
}

/// The first steps of a scrub; the time of the later ones is the difference to [`scrub`].
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Step {
    Fold,
    Tokenize,
    Read,
    FindTerms,
    Rules,
}

/// Runs all steps up to `last`.
#[divan::bench(args = [Step::Fold, Step::Tokenize, Step::Read, Step::FindTerms, Step::Rules], sample_count = 24)]
fn up_to(bencher: Bencher<'_, '_>, last: Step) {
    let (mut normalized, mut tokens, mut buffers) = (Normalized::default(), Vec::new(), NoteBuffers::default());
    let (mut matches, mut names, mut findings) = (Matches::default(), FoundNames::default(), Findings::default());
    for_each_note(bencher, |text| {
        if last <= Step::Tokenize {
            normalized.fold(text);
            if last == Step::Tokenize {
                tokenize(text, &normalized, &mut tokens);
            }
            black_box((&normalized, &tokens));
            return;
        }
        let note = black_box(buffers.read(text, SCRUBBER.vocabulary(), SCRUBBER.policy().placeholder_forms()));
        if last >= Step::FindTerms {
            terms::find_terms(&note, &mut matches);
        }
        if last >= Step::Rules {
            rules::apply_rules(&note, &mut names, &mut findings);
        }
        black_box((&matches, &findings));
    });
}

/// Looks up words and terms of the same tokens, in the vocabulary and in FSTs.
#[divan::bench(args = [Lookup::HashAndTrie, Lookup::Fst], sample_count = 12)]
fn lookup(bencher: Bencher<'_, '_>, by: Lookup) {
    let notes: Vec<Tokenized> = NOTES.iter().map(|text| Tokenized::new(text)).collect();
    let bytes: usize = NOTES.iter().map(String::len).sum();
    let (vocabulary, mut found) = (SCRUBBER.vocabulary(), Found::default());
    let automata = matches!(by, Lookup::Fst).then(|| Automata::new(vocabulary));
    bencher.counter(BytesCount::new(bytes)).bench_local(|| match &automata {
        Some(automata) => notes.iter().map(|note| automata.count(black_box(note))).sum::<usize>(),
        None => notes.iter().map(|note| found.count(vocabulary, black_box(note))).sum(),
    });
}

/// Runs every step, as a worker of a batch does.
#[divan::bench(sample_count = 12)]
fn scrub(bencher: Bencher<'_, '_>) {
    let (mut buffers, mut document) = (Buffers::default(), Document::default());
    for_each_note(bencher, |text| {
        SCRUBBER.scrub_into(text, false, &mut buffers, &mut document).expect("notes are short");
        black_box(&document);
    });
}

/// Splits a text at `length` bytes, or at the start of the character there.
fn cut_at_bytes(text: &str, length: usize) -> (&str, &str) {
    let end = (0..=length.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text.split_at(end)
}

/// Runs every step, with all models, on texts of one length, made of concatenated notes like a record. A long record
/// should be as fast as a short note.
#[divan::bench(args = [2_000, 100_000, 1_000_000, 4_000_000], sample_count = 5, sample_size = 1)]
fn lengths(bencher: Bencher<'_, '_>, length: usize) {
    let model = Model::from_static(notesieve_models::default_bytes()).expect("it opens");
    let entities = EntityModel::from_static(notesieve_models::entity_bytes()).expect("it opens");
    let status = StatusModel::from_bytes(notesieve_models::status_bytes()).expect("it opens");
    let scrubber = SCRUBBER.clone().with_model(model).with_entities(entities).with_status(status);
    let all: String = NOTES.iter().flat_map(|note| [note.as_str(), "\n\n"]).collect();
    // The same four megabytes for each length.
    let mut texts: Vec<&str> = Vec::new();
    let mut rest = cut_at_bytes(&all, 4_000_000).0;
    while !rest.is_empty() {
        let (text, behind) = cut_at_bytes(rest, length);
        texts.push(text);
        rest = behind;
    }
    let (mut buffers, mut document) = (Buffers::default(), Document::default());
    bencher.counter(BytesCount::new(texts.iter().map(|text| text.len()).sum::<usize>())).bench_local(|| {
        for text in &texts {
            scrubber.scrub_into(text, false, &mut buffers, &mut document).expect("the texts are short enough");
            black_box(&document);
        }
    });
}

/// Opens the embedded vocabulary.
#[divan::bench]
fn open_vocabulary() -> Vocabulary {
    open()
}

/// Runs each text twice with reused buffers, because the first pass also waits for the system to allocate a gigabyte.
#[divan::bench(args = SLOW.iter().map(|unit| Unit(unit)), sample_count = 2, sample_size = 1)]
fn slow(bencher: Bencher<'_, '_>, unit: &Unit) {
    let text = unit.0.repeat(SLOW_BYTES / unit.0.len());
    let (mut buffers, mut document) = (Buffers::default(), Document::default());
    bencher.counter(BytesCount::new(text.len())).bench_local(|| {
        SCRUBBER.scrub_into(&text, false, &mut buffers, &mut document).expect("the text is short enough");
    });
}

fn main() {
    divan::main();
}
