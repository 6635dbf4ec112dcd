//! Exercises arbitrary bytes as a vocabulary, for the fuzz target and the tests of damaged files.

use notesieve::terms::{Matches, Overlap, find_in_tokens, lookup_words};
use notesieve::text::normalize::Normalized;
use notesieve::text::token::tokenize;
use notesieve::vocabulary::{Class, ConceptId, EntryId, SourceInfo, Vocabulary, WordId};
use notesieve_vocabulary_build::Compiler;
use notesieve_vocabulary_build::term::{Concept, Record, Term, TermKind, Word};

/// Compiles a small vocabulary with something in every section.
pub(crate) fn compiled() -> Vec<u8> {
    let mut compiler = Compiler::new();
    compiler.begin_source(SourceInfo { name: "test".into(), system: "t".into(), ..SourceInfo::default() });
    let organs = ["heart", "kidney", "liver", "lung", "pseudopseudohypoparathyroid", "bowel", "brain", "skin", "bone"];
    let kinds =
        ["failure", "disease", "cancer", "infection", "transplantation", "abscess", "ischaemia", "cyst", "pain"];
    for (at, organ) in organs.iter().enumerate() {
        for (kind_at, kind) in kinds.iter().enumerate() {
            let code = format!("{at}{kind_at}");
            let text = format!("{organ} {kind}");
            let concept = Concept {
                code: code.clone(),
                system: "t".into(),
                preferred: text.clone(),
                types: vec!["T1".into(), "T2".into()],
                parents: vec!["t:00".into()],
                same_as: vec![format!("u:{code}")],
            };
            compiler.push_record(Record::Concept(concept));
            compiler.push_record(Record::Term(Term { text, code, system: "t".into(), kind: TermKind::Preferred }));
        }
        compiler.push_record(Record::Word(Word { text: (*organ).into(), class: Class::English, count: 7 }));
    }
    // A form with two concepts, one of which has only a code.
    let (text, code, system) = ("heart failure".to_owned(), "99".to_owned(), "t".to_owned());
    compiler.push_record(Record::Term(Term { text, code, system, kind: TermKind::Synonym }));
    compiler.push_record(Record::Word(Word { text: "Salt Lake City".into(), class: Class::City, count: 1 }));
    compiler.finish().expect("compiles").0
}

/// Calls every lookup.
pub(crate) fn use_all(vocabulary: &Vocabulary) -> usize {
    let text = "Heart failure, pseudopseudohypoparathyroid cyst; kidney-disease and liver\nabscess in Salt Lake City.";
    let normalized = Normalized::new(text);
    let (mut tokens, mut ids, mut classes, mut starts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    tokenize(text, &normalized, &mut tokens);
    lookup_words(vocabulary, normalized.folded(), &tokens, &mut ids, &mut classes, &mut starts);
    let mut found = Matches::default();
    find_in_tokens(vocabulary, &tokens, &ids, &starts, Overlap::All, &mut found);
    let mut size = found.terms.len();
    for hit in found.terms.iter().chain(&found.phrases) {
        size += vocabulary.entry_concepts(hit.entry).count() + usize::from(vocabulary.entry_classes(hit.entry).0 > 0);
    }
    for id in (0..vocabulary.word_count() as u32 + 2).map(WordId) {
        size += vocabulary.word_text(id).len() + usize::from(vocabulary.ranks(id).frequency);
        size += vocabulary.root_of_word(id).and_then(|root| vocabulary.step(root, id)).map_or(0, |_| 1);
    }
    for id in (0..vocabulary.entry_count() as u32 + 2).map(EntryId) {
        size += vocabulary.entry_text(id).map_or(0, |text| text.len()) + vocabulary.entry_concepts(id).count();
    }
    for id in (0..vocabulary.concept_count() as u32 + 2).map(ConceptId) {
        size += vocabulary.concept(id).map_or(0, |concept| concept.types.len() + concept.same_as.len());
        size += vocabulary.concept_of_curie(&vocabulary.curie(id)).map_or(0, |_| 1);
        // These scan all concepts.
        if id.0 % 20 == 0 {
            size += vocabulary.broader(id).len() + vocabulary.descendants(id).len();
            size += vocabulary.cross_references(id).len();
        }
    }
    size += vocabulary.lookup("heart failure").len() + vocabulary.entries_with_prefix("kidn", 5).len();
    size + vocabulary.near_entries("hart failure", 2, 5).len() + vocabulary.near_words("hart", 1, 5).len()
}

/// Reads bytes as a vocabulary, and as alterations of an intact one: four bytes for the position, the fifth for the
/// change. Altered bytes must never verify as intact, and any vocabulary that opens must answer lookups.
pub(crate) fn read_any(whole: &[u8], bytes: &[u8]) {
    if let Ok(vocabulary) = Vocabulary::from_bytes(bytes) {
        use_all(&vocabulary);
    }
    let mut altered = whole.to_vec();
    for edit in bytes.chunks_exact(5) {
        let place = u32::from_le_bytes([edit[0], edit[1], edit[2], edit[3]]) as usize % altered.len();
        altered[place] ^= edit[4];
    }
    if let Ok(vocabulary) = Vocabulary::from_bytes(&altered) {
        use_all(&vocabulary);
        assert!(vocabulary.verify().is_err() || altered == whole, "altered bytes pass for whole");
    }
}
