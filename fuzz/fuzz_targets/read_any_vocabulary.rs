//! Bytes from anywhere are a vocabulary or an error, never a panic, and never one that passes `verify` with a digest that
//! its content has not.
//!
//! A header that fits makes the fuzzer reach the sections: every input is tried as it is, and as a damaged copy of a small
//! vocabulary, where its first bytes say what is altered.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use notesieve::concepts::{Matches, Overlap, find, lookup_words};
use notesieve::normalize::Normalized;
use notesieve::token::tokenize;
use notesieve::vocabulary::term::{Concept, Record, Term, TermKind, Word};
use notesieve::vocabulary::{Class, Compiler, ConceptId, EntryId, Vocabulary, WordId};

static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut compiler = Compiler::new();
    for (code, text) in [("1", "marsh fever"), ("2", "fen ague"), ("3", "bog liver disease")] {
        let (code, text, system) = (code.to_owned(), text.to_owned(), "t".to_owned());
        let parents = vec!["t:1".to_owned()];
        let preferred = text.clone();
        let concept = Concept { code: code.clone(), system: system.clone(), preferred, parents, ..Concept::default() };
        compiler.push(Record::Concept(concept));
        compiler.push(Record::Term(Term { text, code, system, kind: TermKind::Preferred }));
    }
    compiler.push(Record::Word(Word { text: "fever".to_owned(), class: Class::English, count: 3 }));
    compiler.finish().expect("compiles").0
});

/// Asks everything that can be asked.
fn use_all(vocabulary: &Vocabulary) {
    let text = "Marsh fever, bog-liver disease and fen\nague.";
    let normalized = Normalized::new(text);
    let (mut tokens, mut ids, mut classes) = (Vec::new(), Vec::new(), Vec::new());
    tokenize(text, &normalized, &mut tokens);
    lookup_words(vocabulary, normalized.folded(), &tokens, &mut ids, &mut classes);
    find(vocabulary, &tokens, &ids, Overlap::All, &mut Matches::default());
    for id in 0..16 {
        vocabulary.word_text(WordId(id));
        vocabulary.entry_text(EntryId(id));
        vocabulary.concept(ConceptId(id));
        vocabulary.descendants(ConceptId(id));
        vocabulary.cross_references(ConceptId(id));
    }
    vocabulary.prefix("mar", 5);
    vocabulary.near("mrsh fevr", 2, 5);
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(vocabulary) = Vocabulary::from_bytes(bytes) {
        use_all(&vocabulary);
    }
    let mut damaged = WHOLE.clone();
    for edit in bytes.chunks_exact(5) {
        let place = u32::from_le_bytes([edit[0], edit[1], edit[2], edit[3]]) as usize % damaged.len();
        damaged[place] ^= edit[4];
    }
    if let Ok(vocabulary) = Vocabulary::from_bytes(&damaged) {
        use_all(&vocabulary);
        assert!(vocabulary.verify().is_err() || damaged == *WHOLE, "altered bytes pass for whole");
    }
});
