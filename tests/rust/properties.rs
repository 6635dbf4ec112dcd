//! Properties that hold for every text, tested on the core. `tests/python/test_properties.py` tests the output with the
//! independent verifier.

use std::sync::LazyLock;

use notesieve::document::Document;
use notesieve::document::{Action, Reason};
use notesieve::pipeline::Buffers;
use notesieve::policy::Terms;
use notesieve::terms::{self, Matches, Overlap};
use notesieve::text::normalize::Normalized;
use notesieve::text::token::{self, Kind};
use notesieve::text::words_of_file;
use notesieve::vocabulary::{Class, EntryFlags};
use notesieve::{Policy, Scrubber, Vocabulary};
use proptest::prelude::*;

static VOCABULARY: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the default vocabulary"));

fn any_policy() -> impl Strategy<Value = Policy> {
    let coded = Policy { terms: Terms::Code, ..Policy::safe() };
    let preferred = Policy { terms: Terms::Preferred, ..Policy::safe() };
    prop_oneof![Just(Policy::safe()), Just(Policy::berman()), Just(coded), Just(preferred)]
}

/// Pieces that have leaked or could leak: names, eponyms, terms, numbers, placeholders of an earlier scrub, spelling
/// tricks.
const PIECES: &[&str] = words_of_file!("../words/pieces.txt");
/// Letters that look like others, stand in another order or are not seen, and a digit of another script.
const DISGUISES: [&str; 5] = ["Br\u{43E}wn", "Bro\u{200B}wn", "\u{202E}nworB", "Bro\0wn", "\u{666}\u{661}\u{667}"];

fn any_text() -> impl Strategy<Value = String> {
    let gap = proptest::sample::select(vec![
        " ", " ", " ", " ", " ", "", "-", "/", ".", ", ", ". ", ": ", "\n", "\n\n", "  ", "\t", "'s ", "(", ")", "+",
    ]);
    let piece = prop_oneof![19 => proptest::sample::select(PIECES), 1 => proptest::sample::select(&DISGUISES)];
    let pieces = proptest::collection::vec((piece, gap), 0..16);
    prop_oneof![
        4 => pieces.prop_map(|pieces| pieces.into_iter().flat_map(|(piece, gap)| [piece, gap]).collect::<String>()),
        1 => "[\\PC\\n\\t]{0,60}",
    ]
}

/// Returns the words of an output that no list, term or number form vouches for.
fn unlisted_words(output: &str, policy: &Policy) -> Vec<String> {
    let normalized = Normalized::new(output);
    let (mut tokens, mut words, mut classes, mut starts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut found = Matches::default();
    token::tokenize(output, &normalized, &mut tokens);
    let folded = normalized.folded();
    terms::lookup_words(&VOCABULARY, folded, &tokens, &mut words, &mut classes, &mut starts);
    notesieve::placeholders::merge_placeholders(
        &VOCABULARY,
        policy.placeholder_forms(),
        output,
        &normalized,
        &mut tokens,
        &mut words,
        &mut classes,
        &mut starts,
    );
    terms::find_in_tokens(&VOCABULARY, &tokens, &words, &starts, Overlap::All, &mut found);
    let in_term = |at: usize| {
        let is_term = |entry| VOCABULARY.entry_flags(entry).has(EntryFlags::TERM);
        found.terms.iter().any(|term| term.tokens().contains(&at) && is_term(term.entry))
    };
    let in_form = |at: usize| {
        let short = tokens[at].end - tokens[at].start <= 3;
        let glued = tokens[at].glued() || tokens.get(at + 1).is_some_and(|next| next.glued());
        let word = &folded[tokens[at].span().range()];
        let greek = word.chars().all(|letter| ('α'..='ω').contains(&letter)) && word.chars().count() == 1;
        short && glued || greek || word.bytes().all(|letter| b"ivxabcd".contains(&letter))
    };
    let lists = policy.allowed() | policy.vouched_lists();
    (0..tokens.len())
        .filter(|&at| tokens[at].kind == Kind::Word)
        .filter(|&at| !(classes[at].any(lists) && !classes[at].has(Class::Deny)) && !in_term(at) && !in_form(at))
        .map(|at| folded[tokens[at].span().range()].to_owned())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn tokens_tile_and_offsets_map_back(text in any_text(), policy in any_policy()) {
        let scrubber = Scrubber::new(VOCABULARY.clone(), policy);
        let note = scrubber.scrub(&text).unwrap();
        let mut at = 0;
        for decision in &note.decisions {
            let (source, output) = (decision.source, decision.output);
            // One character may fold to several tokens.
            let between = text.get(at.min(source.start as usize)..source.start as usize);
            prop_assert!(between.is_some_and(|gap| !gap.bytes().any(|byte| byte.is_ascii_graphic())), "{between:?}");
            let written = note.text.get(output.range());
            prop_assert!(written.is_some());
            if decision.action == Action::Keep && text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
                prop_assert_eq!(text.get(source.range()), written);
            }
            at = source.end as usize;
        }
        prop_assert!(!text[at..].bytes().any(|byte| byte.is_ascii_graphic()));
    }

    #[test]
    fn every_word_that_comes_out_is_listed(text in any_text(), policy in any_policy()) {
        let scrubber = Scrubber::new(VOCABULARY.clone(), policy.clone());
        let note = scrubber.scrub(&text).unwrap();
        prop_assert_eq!(unlisted_words(&note.text, &policy), Vec::<String>::new(), "{}", note.text);
    }

    #[test]
    fn a_second_scrub_lets_nothing_more_out(text in any_text(), policy in any_policy()) {
        let scrubber = Scrubber::new(VOCABULARY.clone(), policy.clone());
        let once = scrubber.scrub(&text).unwrap();
        let twice = scrubber.scrub(&once.text).unwrap();
        prop_assert_eq!(unlisted_words(&twice.text, &policy), Vec::<String>::new());
        // Placeholders that the first scrub wrote must stay unchanged.
        for decision in &twice.decisions {
            prop_assert!(decision.reason != Reason::Own || once.text[decision.source.range()] == twice.text[decision.output.range()]);
        }
    }

    #[test]
    fn buffers_threads_and_batches_change_nothing(texts in proptest::collection::vec(any_text(), 0..8), threads in 1..4_usize) {
        let scrubber = Scrubber::new(VOCABULARY.clone(), Policy::safe());
        let mut buffers = Buffers::default();
        let mut document = Document::default();
        let many = scrubber.scrub_many(&texts, true, threads);
        for (text, many) in texts.iter().zip(many) {
            scrubber.scrub_into(text, true, &mut buffers, &mut document).unwrap();
            prop_assert_eq!(&document, &scrubber.scrub(text).unwrap());
            prop_assert_eq!(&document, &many.unwrap());
            let mut short = Document::default();
            scrubber.scrub_into(text, false, &mut buffers, &mut short).unwrap();
            prop_assert_eq!(&short.text, &document.text);
        }
    }
}

#[test]
fn buffers_say_nothing_of_the_note_when_they_are_printed() {
    let scrubber = Scrubber::new(VOCABULARY.clone(), Policy::default());
    let (mut buffers, mut document) = (Buffers::default(), Document::default());
    scrubber.scrub_into("Seen by Dr. Quorvath, 48213", true, &mut buffers, &mut document).expect("a short note");
    let printed = format!("{buffers:?}").to_lowercase();
    assert!(!printed.contains("quorvath") && !printed.contains("48213"), "{printed}");
}
