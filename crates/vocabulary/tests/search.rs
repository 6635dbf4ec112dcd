//! Lookup of terms by text, prefix and edit distance.

use notesieve_vocabulary::{Class, EntryId, Vocabulary, key_of_text};
use notesieve_vocabulary_build::Compiler;
use notesieve_vocabulary_build::term::{Record, Term, TermKind, Word};
use proptest::prelude::*;

fn vocabulary(terms: &[&str]) -> Vocabulary {
    let mut compiler = Compiler::new();
    for (code, text) in terms.iter().enumerate() {
        let (text, code) = ((*text).to_owned(), code.to_string());
        compiler.push_record(Record::Term(Term { text, code, system: "t".into(), kind: TermKind::Synonym }));
    }
    for word in ["appendicitis", "pneumonia", "naïve"] {
        compiler.push_record(Record::Word(Word { text: word.into(), class: Class::English, count: 3 }));
    }
    Vocabulary::from_bytes(compiler.finish().unwrap().0).unwrap()
}

#[test]
fn finds_terms_by_text_prefix_and_nearness() {
    let known = vocabulary(&["Heart Attack", "Heart Failure", "Hearing Loss", "Müller's muscle"]);
    assert_eq!(known.lookup("heart-attack").len(), 1);
    assert_eq!(known.lookup("heart attack.").len(), 1);
    assert_eq!(known.lookup("heart attacks"), []);
    assert_eq!(known.lookup("muller muscle").len(), 1);
    let prefix: Vec<_> = known.entries_with_prefix("Hear", 2).into_iter().map(|(text, _)| text).collect();
    assert_eq!(prefix, ["hearing loss", "heart attack"]);
    let near = known.near_entries("haert attack", 2, 10);
    assert_eq!((near[0].distance, near[0].text.as_str(), near.len()), (2, "heart attack", 1));
    assert_eq!(known.entry_text(near[0].entry.unwrap()).as_deref(), Some("heart attack"));
    assert_eq!(known.near_entries("haert attack", 1, 10), []);
    let word = known.near_words("apendicitis", 1, 10);
    assert_eq!((word[0].distance, word[0].text.as_str(), word[0].entry), (1, "appendicitis", None));
    assert_eq!(known.near_entries(&"x".repeat(500), 2, 10), [], "too long to search for");
}

#[test]
fn words_in_another_order_are_a_second_choice() {
    let known = vocabulary(&["Heart Failure Acute", "Failure"]);
    let (term, concepts) = known.lookup_reordered("acute heart failure").expect("a term");
    assert_eq!((term.as_str(), concepts.len()), ("heart failure acute", 1));
    assert_eq!(known.lookup_reordered("acute heart"), None);
    assert_eq!(known.lookup_reordered("a b c d e f g"), None);
    assert_eq!(known.lookup("acute heart failure"), [], "never where the term itself is asked for");
}

#[test]
fn walks_all_entries_and_words() {
    let known = vocabulary(&["Heart Attack", "Hearing Loss", "5 Hearts", "Heart"]);
    let (mut entries, mut words) = (Vec::new(), Vec::new());
    known.for_each_entry(|text, entry| {
        assert_eq!(known.entry_text(entry).as_deref(), Some(text));
        assert_eq!(known.entry_of_key(text), Some(entry));
        entries.push(text.to_owned());
    });
    known.for_each_word(|word| words.push(word.to_owned()));
    assert_eq!(entries, ["5 hearts", "hearing loss", "heart", "heart attack"]);
    assert_eq!(known.entry_text(EntryId(4)), None);
    let listed = ["appendicitis", "attack", "hearing", "heart", "hearts", "loss", "naive", "pneumonia"];
    assert_eq!(words, listed, "5 is on no list");
    let found =
        |text, limit| known.entries_with_prefix(text, limit).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    assert_eq!(found("", 9), entries);
    assert_eq!((found("heart at", 9), found("5 he", 9)), (vec!["heart attack".into()], vec!["5 hearts".into()]));
    assert_eq!((found("heart", 1), found("heart", 0)), (vec!["heart".to_owned()], vec![]));
    assert_eq!(found("heart attack x", 9), [""; 0]);
}

proptest! {
    #[test]
    fn near_is_levenshtein(
        words in proptest::collection::btree_set("[abé漢]{3,7}( [abé漢]{1,4}){0,2}", 1..40),
        query in "[abé漢]{0,8}( [abé漢]{1,4}){0,1}",
        distance in 0..3_u8,
    ) {
        let words: Vec<String> = words.iter().map(|word| key_of_text(word)).collect();
        let terms: Vec<&str> = words.iter().map(String::as_str).collect();
        let known = vocabulary(&terms);
        let query = key_of_text(&query);
        let mut expected: Vec<(u8, String)> = words
            .iter()
            .map(|word| (strsim::levenshtein(&query, word) as u8, word.clone()))
            .filter(|&(found, _)| found <= distance)
            .collect();
        expected.sort();
        expected.dedup();
        let found: Vec<_> = known.near_entries(&query, distance, 99).into_iter().map(|near| (near.distance, near.text)).collect();
        prop_assert_eq!(found, expected);
    }
}
