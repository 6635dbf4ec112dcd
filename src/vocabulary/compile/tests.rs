//! The filters, the order of concepts and what words carry.

use super::*;
use crate::vocabulary::Vocabulary;
use crate::vocabulary::term::Concept;

fn term(system: &str, code: &str, text: &str, kind: TermKind) -> Record {
    Record::Term(Term { text: text.into(), code: code.into(), system: system.into(), kind })
}

fn word(class: Class, text: &str) -> Record {
    Record::Word(Word { text: text.into(), class, count: 5 })
}

fn source(system: &str, priority: u32) -> SourceInfo {
    SourceInfo { name: system.into(), system: system.into(), priority, ..SourceInfo::default() }
}

#[test]
fn each_filter_drops_what_it_should_and_counts_it() {
    let mut compiler = Compiler::new();
    compiler.source(source("mesh", 1));
    for (code, types) in [("P", "Z01.1"), ("O", "B03.2"), ("D", "C01.1")] {
        compiler.push(Record::Concept(Concept {
            code: code.into(),
            system: "mesh".into(),
            types: vec![types.into()],
            ..Concept::default()
        }));
    }
    let dropped = [
        ("P", "Massachusetts", "place"),
        ("O", "Serratia", "organism that is a name"),
        ("D", "ab", "one or two letters"),
        ("D", "T4", "one or two letters"),
        ("D", "12 - 34", "no letters"),
        ("D", "'-'", "empty"),
        ("D", "one two three four five six seven eight nine", "more than eight words"),
        ("D", "of the", "stop words only"),
        ("D", "MAP", "title or junk"),
        ("D", "Prof", "title or junk"),
    ];
    for (code, text, _) in dropped {
        compiler.push(term("mesh", code, text, TermKind::Synonym));
    }
    for (code, text) in [("O", "Serratia marcescens"), ("D", "Disease of the day"), ("D", "Map of One")] {
        compiler.push(term("mesh", code, text, TermKind::Synonym));
    }
    for (class, text) in
        [(Class::Surname, "serratia"), (Class::Stop, "of"), (Class::Stop, "the"), (Class::Title, "Prof.")]
    {
        compiler.push(word(class, text));
    }
    let (bytes, report) = compiler.finish().unwrap();
    let mut expected = BTreeMap::new();
    for (_, _, filter) in dropped {
        *expected.entry(filter.to_owned()).or_insert(0_u64) += 1;
    }
    assert_eq!(report.counts.dropped, expected);
    assert_eq!((report.counts.kept, report.counts.terms, report.sources[0].kept), (3, 3, 3));
    assert_eq!(report.counts.read, 17);
    let vocabulary = Vocabulary::from_bytes(bytes).unwrap();
    assert_eq!(vocabulary.lookup("massachusetts"), []);
    assert!(vocabulary.classes(vocabulary.word(b"marcescens")).has(Class::TermPart));
    assert_eq!(vocabulary.classes(vocabulary.word(b"prof")), Class::Title.set());
    assert_eq!(vocabulary.info().counts, report.counts);
}

#[test]
fn concepts_of_a_term_come_by_priority_then_code() {
    let mut compiler = Compiler::new();
    compiler.source(source("hp", 20));
    compiler.push(term("hp", "2", "Fever", TermKind::Preferred));
    compiler.push(term("hp", "1", "Fever", TermKind::Synonym));
    compiler.push(term("hp", "1", "FEVER", TermKind::Preferred));
    compiler.source(source("mesh", 10));
    compiler.push(term("mesh", "D9", "fever", TermKind::Synonym));
    compiler.push(term("mesh", "D9", "Pyrexia", TermKind::Preferred));
    let (bytes, report) = compiler.finish().unwrap();
    assert_eq!((report.counts.terms, report.counts.merged, report.counts.shared), (2, 3, 1));
    let vocabulary = Vocabulary::from_bytes(bytes).unwrap();
    let entry = vocabulary.entry_of("fever").unwrap();
    let found: Vec<_> = vocabulary
        .entry_concepts(entry)
        .map(|id| (vocabulary.curie(id), vocabulary.preferred(id), vocabulary.is_preferred(entry, id)))
        .collect();
    let expected = [("mesh:D9", "Pyrexia", false), ("hp:1", "FEVER", true), ("hp:2", "Fever", true)];
    assert_eq!(found, expected.map(|(code, name, preferred)| (code.to_owned(), name.to_owned(), preferred)));
    assert_eq!(vocabulary.concept_of("hp:2"), Some(vocabulary.lookup("fever")[2]));
    assert_eq!(vocabulary.concept_of("hp:3"), None);
}

#[test]
fn words_carry_lists_and_ranks() {
    let mut compiler = Compiler::new();
    for (class, count) in [(Class::Surname, 1000), (Class::FirstName, 3), (Class::English, 70)] {
        compiler.push(Record::Word(Word { text: "Rose".into(), class, count }));
    }
    compiler.push(Record::Word(Word { text: "Electroencephalographically".into(), class: Class::English, count: 0 }));
    let vocabulary = Vocabulary::from_bytes(compiler.finish().unwrap().0).unwrap();
    let rose = vocabulary.word(b"rose");
    assert_eq!(vocabulary.classes(rose), Classes::of(&[Class::Surname, Class::FirstName, Class::English]));
    let ranks = vocabulary.ranks(rose);
    assert_eq!((ranks.surname, ranks.first_name, ranks.frequency), (10, 2, 7));
    assert_eq!(vocabulary.word_text(rose), "rose");
    let long = vocabulary.word(b"electroencephalographically");
    assert_eq!(vocabulary.word_text(long), "electroencephalographically");
    assert_eq!(vocabulary.ranks(long).frequency, 1);
    assert!(!vocabulary.word(b"electroencephalographicall").is_known());
    assert_eq!(vocabulary.classes(crate::vocabulary::WordId::UNKNOWN), Classes::NONE);
}

#[test]
fn the_order_of_records_within_a_source_changes_no_answer_and_the_same_input_no_byte() {
    let records: Vec<Record> = (0..200)
        .map(|at| {
            term("t", &at.to_string(), &format!("term{} of{}", ["a", "b", "c"][at % 3], at % 7), TermKind::Synonym)
        })
        .collect();
    let compile = |records: &[Record]| {
        let mut compiler = Compiler::new();
        compiler.source(source("t", 1));
        for record in records {
            compiler.push(record.clone());
        }
        compiler.finish().unwrap().0
    };
    assert_eq!(compile(&records), compile(&records));
    let backwards: Vec<Record> = records.iter().rev().cloned().collect();
    let (one, other) = (compile(&records), compile(&backwards));
    let (one, other) = (Vocabulary::from_bytes(one).unwrap(), Vocabulary::from_bytes(other).unwrap());
    let entries = |vocabulary: &Vocabulary| {
        let mut all = Vec::new();
        vocabulary.for_each_entry(|text, entry| {
            let codes: Vec<_> = vocabulary.entry_concepts(entry).map(|id| vocabulary.curie(id)).collect();
            all.push((text.to_owned(), codes));
        });
        all
    };
    assert_eq!(entries(&one), entries(&other));
}

#[test]
fn an_empty_vocabulary_opens() {
    let vocabulary = Vocabulary::from_bytes(Compiler::new().finish().unwrap().0).unwrap();
    vocabulary.verify().unwrap();
    assert!(!vocabulary.word(b"x").is_known());
    assert_eq!(vocabulary.lookup("x"), []);
}
