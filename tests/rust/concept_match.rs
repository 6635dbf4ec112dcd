//! The matcher finds exactly the matches of a reference that looks up every sequence of units in a map of all terms.

use std::collections::HashMap;

use notesieve::terms::{Match, Matches, Overlap, find_in_tokens, lookup_words};
use notesieve::text::normalize::Normalized;
use notesieve::text::token::{Case, Token, tokenize};
use notesieve::vocabulary::{Class, EntryFlags, EntryId, Vocabulary, key_of_text};
use notesieve_vocabulary_build::Compiler;
use notesieve_vocabulary_build::term::{Record, Term, TermKind, Word};
use proptest::prelude::*;

/// Twelve words, so that a node can have more children than a linear search handles.
const WORDS: [&str; 12] = [
    "acute",
    "renal",
    "failure",
    "of",
    "the",
    "COPD",
    "B12",
    "X-ray",
    "Crohn's",
    "pain",
    "york",
    "hyperaldosteronemia",
];

fn vocabulary(terms: &[Vec<usize>], places: &[Vec<usize>]) -> Vocabulary {
    let mut compiler = Compiler::new();
    let text = |words: &[usize]| words.iter().map(|&word| WORDS[word]).collect::<Vec<_>>().join(" ");
    for (at, words) in terms.iter().enumerate() {
        let (text, code) = (text(words), at.to_string());
        compiler.push_record(Record::Term(Term { text, code, system: "t".into(), kind: TermKind::Synonym }));
    }
    for words in places {
        compiler.push_record(Record::Word(Word { text: text(words), class: Class::City, count: 0 }));
    }
    compiler.push_record(Record::Word(Word { text: "of".into(), class: Class::Stop, count: 0 }));
    Vocabulary::from_bytes(compiler.finish().expect("compiles").0).expect("opens")
}

/// Returns every entry by its key from a walk over all entries, which uses no word hash, filter or step between nodes.
fn entries_by_key(vocabulary: &Vocabulary) -> HashMap<String, EntryId> {
    let mut entries = HashMap::new();
    vocabulary.for_each_entry(|key, entry| {
        entries.insert(key.to_owned(), entry);
    });
    entries
}

/// Returns every form between any two tokens, without using the trie.
fn all_by_lookup(vocabulary: &Vocabulary, folded: &str, tokens: &[Token], wanted: EntryFlags) -> Vec<Match> {
    let entries = entries_by_key(vocabulary);
    let skipped = |token: &Token| token.skipped_in_terms();
    let mut found = Vec::new();
    for first in 0..tokens.len() {
        for last in first + 1..=tokens.len() {
            let stretch = &tokens[first..last];
            if stretch[1..].iter().any(|token| token.border_before()) {
                break;
            }
            let glued = stretch[0].glued() || tokens.get(last).is_some_and(|next| next.glued());
            if glued || skipped(&stretch[0]) || skipped(&stretch[stretch.len() - 1]) {
                continue;
            }
            let units: Vec<&str> =
                stretch.iter().filter(|token| !skipped(token)).map(|token| &folded[token.span().range()]).collect();
            let Some(&entry) = entries.get(&units.join(" ")) else { continue };
            let flags = vocabulary.entry_flags(entry);
            let hidden = flags.has(EntryFlags::UPPER_ONLY) && stretch[0].case != Case::Upper;
            if flags.has(wanted) && !hidden {
                found.push(Match { first: first as u32, end: last as u32, entry });
            }
        }
    }
    found
}

/// Returns the longest matches from left to right, without overlaps.
fn longest_matches(all: &[Match]) -> Vec<Match> {
    let mut kept: Vec<Match> = Vec::new();
    for stretch in all.chunk_by(|a, b| a.first == b.first) {
        if kept.last().is_none_or(|last| last.end <= stretch[0].first) {
            kept.extend(stretch.last());
        }
    }
    kept
}

fn assert_matches_equal_oracle(vocabulary: &Vocabulary, text: &str) -> Result<(), TestCaseError> {
    let normalized = Normalized::new(text);
    let folded = normalized.folded();
    let (mut tokens, mut ids, mut classes, mut starts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    tokenize(text, &normalized, &mut tokens);
    lookup_words(vocabulary, folded, &tokens, &mut ids, &mut classes, &mut starts);
    for (token, &id) in tokens.iter().zip(&ids) {
        if !token.skipped_in_terms() {
            prop_assert_eq!(id, vocabulary.word_id(&folded.as_bytes()[token.span().range()]));
        }
    }
    let terms = all_by_lookup(vocabulary, folded, &tokens, EntryFlags::TERM);
    let phrases = all_by_lookup(vocabulary, folded, &tokens, EntryFlags::PHRASE);
    let mut found = Matches::default();
    find_in_tokens(vocabulary, &tokens, &ids, &starts, Overlap::All, &mut found);
    prop_assert_eq!(&found.terms, &terms);
    prop_assert_eq!(&found.phrases, &phrases);
    find_in_tokens(vocabulary, &tokens, &ids, &starts, Overlap::Longest, &mut found);
    prop_assert_eq!(&found.terms, &longest_matches(&terms));
    prop_assert_eq!(&found.phrases, &longest_matches(&phrases));
    Ok(())
}

fn any_word() -> impl Strategy<Value = String> {
    let written = proptest::sample::select(WORDS.to_vec());
    (written, 0..4).prop_map(|(word, case)| match case {
        0 => word.to_uppercase(),
        1 => word.to_lowercase(),
        2 => word.replace(['-', '\''], ""),
        _ => word.to_owned(),
    })
}

fn any_gap() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![" ", " ", " ", " ", "-", ", ", ". ", "\n", "\n\n", "  ", "'s ", "", "/", " zebra "])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn matches_equal_the_oracle(
        terms in proptest::collection::vec(proptest::collection::vec(0..WORDS.len(), 1..5), 1..60),
        places in proptest::collection::vec(proptest::collection::vec(0..WORDS.len(), 2..4), 0..10),
        // Long enough for words and walks to span several blocks.
        text in proptest::collection::vec((any_word(), any_gap()), 0..200),
    ) {
        let vocabulary = vocabulary(&terms, &places);
        let text: String = text.into_iter().flat_map(|(word, gap)| [word, gap.to_owned()]).collect();
        assert_matches_equal_oracle(&vocabulary, &text)?;
    }

    #[test]
    fn every_term_finds_its_own_concept(
        terms in proptest::collection::vec(proptest::collection::vec(0..WORDS.len(), 1..5), 1..60),
    ) {
        let vocabulary = vocabulary(&terms, &[]);
        for (at, words) in terms.iter().enumerate() {
            let text = words.iter().map(|&word| WORDS[word]).collect::<Vec<_>>().join(" ");
            let codes: Vec<String> = vocabulary.lookup(&text).into_iter().map(|id| vocabulary.curie(id)).collect();
            let only_stop_words = words.iter().all(|&word| WORDS[word] == "of");
            prop_assert_eq!(entries_by_key(&vocabulary).contains_key(&key_of_text(&text)), !only_stop_words, "{}", text);
            prop_assert_eq!(codes.contains(&format!("t:{at}")), !only_stop_words, "{}", text);
            if let Some(entry) = vocabulary.entry_of(&text) {
                prop_assert_eq!(vocabulary.entry_text(entry), Some(key_of_text(&text)));
            }
            assert_matches_equal_oracle(&vocabulary, &text)?;
        }
    }

    #[test]
    fn any_text_is_matched_as_the_oracle_does(text in "[\\PC\\n ]{0,80}") {
        assert_matches_equal_oracle(&vocabulary(&[vec![0, 1], vec![1, 2], vec![9]], &[]), &text)?;
    }
}
