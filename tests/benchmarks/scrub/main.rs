//! Speed of each step of a scrub and of the whole, on one core, on notes that `make bench-text` made; and on texts made to
//! be slow. `cargo bench --bench scrub [-- FILTER]`; `make bench` puts the figures into one table.
//!
//! Every step gets what the step before it left, note by note, and writes into buffers that are kept, as a worker of a
//! batch does. `NOTESIEVE_BENCH_TEXT` names another text; a form feed stands between two notes.

mod slow_texts;

use std::sync::LazyLock;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use notesieve::concepts::context::{ContextScratch, Said};
use notesieve::concepts::senses::Unclear;
use notesieve::concepts::{self, Matches, Overlap, Start};
use notesieve::decide::{self, Decision, Scale};
use notesieve::pipeline::Scratch;
use notesieve::render;
use notesieve::rules::{self, Findings, Names, Numbers, View};
use notesieve::text::normalize::Normalized;
use notesieve::text::token::{self, Token};
use notesieve::vocabulary::{Classes, WordId};
use notesieve::{Document, Model, Policy, Scrubber, Vocabulary};
use slow_texts::{SLOW, Unit};

/// How much of the text is read.
const BYTES: usize = 16_000_000;
/// How long a text made to be slow is.
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

/// A note with what every step left of it.
#[derive(Default)]
struct Steps {
    normalized: Normalized,
    tokens: Vec<Token>,
    words: Vec<WordId>,
    classes: Vec<Classes>,
    starts: Vec<Start>,
    matches: Matches,
    numbers: Numbers,
    names: Names,
    findings: Findings,
    scale: Scale,
    decisions: Vec<Decision>,
    context: ContextScratch,
    said: Vec<Said>,
    unclear: Vec<(u32, Unclear)>,
    document: Document,
}

impl Steps {
    fn fold(&mut self, text: &str) {
        self.normalized.fold(text);
    }

    fn tokenize(&mut self, text: &str) {
        token::tokenize(text, &self.normalized, &mut self.tokens);
    }

    fn look_up(&mut self) {
        let vocabulary = SCRUBBER.vocabulary();
        let Self { normalized, tokens, words, classes, starts, .. } = self;
        concepts::lookup_words(vocabulary, normalized.folded(), tokens, words, classes, starts);
    }

    fn find_terms(&mut self) {
        let Self { tokens, words, starts, matches, .. } = self;
        concepts::find(SCRUBBER.vocabulary(), tokens, words, starts, Overlap::Longest, matches);
    }

    fn rules(&mut self) {
        let Self { normalized, tokens, words, classes, numbers, names, findings, .. } = self;
        numbers.read(normalized.folded(), tokens);
        let view = View::new(normalized.folded(), tokens, words, classes, numbers, SCRUBBER.vocabulary());
        rules::find(&view, names, findings);
    }

    /// Short forms of several meanings.
    fn senses(&mut self) {
        let Self { tokens, words, classes, matches, unclear, .. } = self;
        let terms = &mut matches.terms;
        SCRUBBER.senses().code(SCRUBBER.vocabulary(), tokens, words, classes, |_| false, terms, unclear);
    }

    /// What the text says of each term.
    fn context(&mut self) {
        let Self { normalized, tokens, words, matches, context, said, .. } = self;
        SCRUBBER.context().read(normalized.folded(), tokens, words, &matches.terms, context, said);
    }

    fn decide(&mut self) {
        let Self { normalized, tokens, words, classes, numbers, matches, findings, scale, decisions, .. } = self;
        let view = View::new(normalized.folded(), tokens, words, classes, numbers, SCRUBBER.vocabulary());
        decide::decide(&view, SCRUBBER.vocabulary(), &matches.terms, findings, SCRUBBER.policy(), scale, decisions);
    }

    fn render(&mut self, source: &str) {
        let Self { normalized, tokens, matches, said, findings, decisions, document, .. } = self;
        let input = render::Input {
            source,
            normalized,
            tokens,
            matches: &matches.terms,
            said,
            findings,
            decisions,
            vocabulary: SCRUBBER.vocabulary(),
            policy: SCRUBBER.policy(),
            explain: false,
            context: None,
        };
        render::render(input, document);
    }

    /// Steps 1 and 2.
    fn cut(&mut self, text: &str) {
        self.fold(text);
        self.tokenize(text);
    }

    /// Steps 1 to 4.
    fn matching(&mut self, text: &str) {
        self.cut(text);
        self.look_up();
        self.find_terms();
    }

    /// A note after every step.
    fn of(text: &str) -> Self {
        let mut steps = Self::default();
        steps.matching(text);
        steps.rules();
        steps.senses();
        steps.context();
        steps.decide();
        steps
    }
}

/// A quarter of the notes, with every step's result: what one step alone is measured on.
fn steps() -> Vec<(&'static str, Steps)> {
    NOTES.iter().take(NOTES.len() / 4).map(|note| (note.as_str(), Steps::of(note))).collect()
}

/// Runs one step on every note.
fn each(bencher: Bencher<'_, '_>, step: impl Fn(&mut Steps, &str)) {
    let mut notes = steps();
    let bytes: usize = notes.iter().map(|(text, _)| text.len()).sum();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        for (text, steps) in &mut notes {
            step(black_box(steps), text);
        }
    });
}

/// Runs several steps on every note in the buffers of one worker.
fn all(bencher: Bencher<'_, '_>, mut run: impl FnMut(&mut Steps, &str)) {
    let bytes: usize = NOTES.iter().map(String::len).sum();
    let mut steps = Steps::default();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        for text in &*NOTES {
            run(black_box(&mut steps), text);
        }
    });
}

#[divan::bench]
fn step_1_fold(bencher: Bencher<'_, '_>) {
    each(bencher, Steps::fold);
}

#[divan::bench]
fn step_2_tokenize(bencher: Bencher<'_, '_>) {
    each(bencher, Steps::tokenize);
}

#[divan::bench]
fn step_3_look_up_words(bencher: Bencher<'_, '_>) {
    each(bencher, |steps, _| steps.look_up());
}

#[divan::bench]
fn step_4_find_terms(bencher: Bencher<'_, '_>) {
    each(bencher, |steps, _| steps.find_terms());
}

#[divan::bench(sample_count = 24)]
fn step_5_rules(bencher: Bencher<'_, '_>) {
    each(bencher, |steps, _| steps.rules());
}

/// Between the rules and the decision.
#[divan::bench]
fn senses(bencher: Bencher<'_, '_>) {
    each(bencher, |steps, _| steps.senses());
}

/// Behind it.
#[divan::bench]
fn context(bencher: Bencher<'_, '_>) {
    each(bencher, |steps, _| steps.context());
}

#[divan::bench]
fn step_6_decide(bencher: Bencher<'_, '_>) {
    each(bencher, |steps, _| steps.decide());
}

#[divan::bench]
fn step_7_render(bencher: Bencher<'_, '_>) {
    each(bencher, Steps::render);
}

#[divan::bench(sample_count = 12)]
fn fold_and_tokenize(bencher: Bencher<'_, '_>) {
    all(bencher, Steps::cut);
}

#[divan::bench(sample_count = 12)]
fn matching(bencher: Bencher<'_, '_>) {
    all(bencher, Steps::matching);
}

/// Every step, as a worker of a batch runs them.
#[divan::bench(sample_count = 12)]
fn scrub(bencher: Bencher<'_, '_>) {
    let (mut scratch, mut document) = (Scratch::default(), Document::default());
    all(bencher, |_, text| {
        SCRUBBER.scrub_into(text, false, &mut scratch, &mut document).expect("notes are short");
        black_box(&document);
    });
}

/// A text at so many bytes, or at the end of the character before.
fn cut(text: &str, length: usize) -> (&str, &str) {
    let end = (0..=length.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text.split_at(end)
}

/// Every step, the judgement of the model among them, on texts of one length each: notes behind each other, as a record holds
/// them. A long record is to be as fast as a short note.
#[divan::bench(args = [2_000, 100_000, 1_000_000, 4_000_000], sample_count = 5, sample_size = 1)]
fn lengths(bencher: Bencher<'_, '_>, length: usize) {
    let scrubber =
        SCRUBBER.clone().with_model(Model::from_static(notesieve_models::default_bytes()).expect("it opens"));
    let all: String = NOTES.iter().flat_map(|note| [note.as_str(), "\n\n"]).collect();
    // The same four megabytes for each length.
    let mut texts: Vec<&str> = Vec::new();
    let mut rest = cut(&all, 4_000_000).0;
    while !rest.is_empty() {
        let (text, behind) = cut(rest, length);
        texts.push(text);
        rest = behind;
    }
    let (mut scratch, mut document) = (Scratch::default(), Document::default());
    bencher.counter(BytesCount::new(texts.iter().map(|text| text.len()).sum::<usize>())).bench_local(|| {
        for text in &texts {
            scrubber.scrub_into(text, false, &mut scratch, &mut document).expect("the texts are short enough");
            black_box(&document);
        }
    });
}

/// Opening the embedded vocabulary.
#[divan::bench]
fn open_vocabulary() -> Vocabulary {
    open()
}

/// Twice each, in buffers that are kept as everywhere here: the first pass also waits for the machine to hand out a gigabyte.
#[divan::bench(args = SLOW.iter().map(|unit| Unit(unit)), sample_count = 2, sample_size = 1)]
fn slow(bencher: Bencher<'_, '_>, unit: &Unit) {
    let text = unit.0.repeat(SLOW_BYTES / unit.0.len());
    let (mut scratch, mut document) = (Scratch::default(), Document::default());
    bencher.counter(BytesCount::new(text.len())).bench_local(|| {
        SCRUBBER.scrub_into(&text, false, &mut scratch, &mut document).expect("the text is short enough");
    });
}

fn main() {
    divan::main();
}
