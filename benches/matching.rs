//! How fast a text is cut into tokens, looked up and matched: one core, the default vocabulary, text made here.
//!
//! Run with `cargo bench --bench matching`. The text is made of sentences as notes have them, with terms of the
//! vocabulary, numbers and names in their gaps.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use notesieve::Vocabulary;
use notesieve::concepts::{Matches, Overlap, find, lookup_words};
use notesieve::normalize::Normalized;
use notesieve::token::{Token, tokenize};
use notesieve::vocabulary::{Classes, WordId};

fn main() {
    divan::main();
}

/// What stands between the terms; `#` is a number, `@` a name, `%` a term.
const SENTENCES: [&str; 14] = [
    "The patient is a # year old woman who was admitted with % and %. ",
    "She denies chest pain, shortness of breath or palpitations. ",
    "He was started on % # mg by mouth twice daily and tolerated it well. ",
    "On examination the lungs are clear to auscultation bilaterally and the abdomen is soft and nontender. ",
    "Past medical history: %, %, and % in the past. ",
    "Blood pressure was #/# with a heart rate of # and oxygen saturation of # percent on room air. ",
    "Dr. @ reviewed the films with the family and agrees with the plan. ",
    "There is no evidence of % at this time. ",
    "The wound was irrigated with copious amounts of saline and closed in layers with # Vicryl. ",
    "Mrs. @ lives with her daughter and was discharged home in stable condition.\n",
    "Laboratory data: white count #, hemoglobin #, platelets #, creatinine #.\n\n",
    "Follow-up with @ in the clinic in # weeks, sooner if there is fever or increasing pain. ",
    "The risks, benefits and alternatives of the procedure were explained and the patient agreed to proceed. ",
    "Assessment: % with % secondary to %.\n",
];
const NAMES: [&str; 8] = ["Alvarez", "Nguyen", "Whitcombe", "Okafor", "Brown", "Petrov", "Lindqvist", "Young"];

fn vocabulary() -> Vocabulary {
    Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the embedded vocabulary opens")
}

/// Two megabytes in notes of some three kilobytes.
fn notes(vocabulary: &Vocabulary) -> Vec<String> {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as usize % below
    };
    let mut terms = Vec::new();
    vocabulary.for_each_entry(|text, _| terms.push(text.to_owned()));
    // The notes of a hospital use some thousands of terms again and again.
    terms.retain(|text| text.len() < 30);
    let every = (terms.len() / 4000).max(1);
    let terms: Vec<String> = terms.into_iter().step_by(every).collect();
    (0..700)
        .map(|_| {
            let mut note = String::new();
            while note.len() < 3000 {
                for letter in SENTENCES[next(SENTENCES.len())].chars() {
                    match letter {
                        '#' => note.push_str(&(1 + next(180)).to_string()),
                        '@' => note.push_str(NAMES[next(NAMES.len())]),
                        '%' => note.push_str(&terms[next(terms.len())]),
                        _ => note.push(letter),
                    }
                }
            }
            note
        })
        .collect()
}

/// The buffers of one worker.
struct Buffers {
    normalized: Normalized,
    tokens: Vec<Token>,
    ids: Vec<WordId>,
    classes: Vec<Classes>,
    found: Matches,
}

impl Buffers {
    fn new() -> Self {
        let (tokens, ids, classes) = (Vec::new(), Vec::new(), Vec::new());
        Self { normalized: Normalized::new(""), tokens, ids, classes, found: Matches::default() }
    }
}

fn bench(bencher: Bencher<'_, '_>, mut work: impl FnMut(&Vocabulary, &str, &mut Buffers)) {
    let vocabulary = vocabulary();
    let notes = notes(&vocabulary);
    let mut buffers = Buffers::new();
    let bytes: usize = notes.iter().map(String::len).sum();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        for note in &notes {
            work(&vocabulary, black_box(note), &mut buffers);
        }
    });
}

#[divan::bench]
fn tokens(bencher: Bencher<'_, '_>) {
    bench(bencher, |_, note, to| {
        to.normalized.fold(note);
        tokenize(note, &to.normalized, &mut to.tokens);
    });
}

#[divan::bench]
fn tokens_and_words(bencher: Bencher<'_, '_>) {
    bench(bencher, |vocabulary, note, to| {
        to.normalized.fold(note);
        tokenize(note, &to.normalized, &mut to.tokens);
        lookup_words(vocabulary, to.normalized.folded(), &to.tokens, &mut to.ids, &mut to.classes);
    });
}

#[divan::bench]
fn tokens_words_and_concepts(bencher: Bencher<'_, '_>) {
    bench(bencher, |vocabulary, note, to| {
        to.normalized.fold(note);
        tokenize(note, &to.normalized, &mut to.tokens);
        lookup_words(vocabulary, to.normalized.folded(), &to.tokens, &mut to.ids, &mut to.classes);
        find(vocabulary, &to.tokens, &to.ids, Overlap::Longest, &mut to.found);
        black_box(&to.found);
    });
}

#[divan::bench]
fn opening(bencher: Bencher<'_, '_>) {
    bencher.bench_local(vocabulary);
}
