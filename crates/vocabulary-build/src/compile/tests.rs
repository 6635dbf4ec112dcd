//! Tests of the filters, the order of concepts and the data of words.

use std::collections::BTreeMap;

use super::*;
use crate::term::Concept;
use notesieve_vocabulary::{EntryFlags, Vocabulary};

fn term_record(system: &str, code: &str, text: &str, kind: TermKind) -> Record {
    Record::Term(Term { text: text.into(), code: code.into(), system: system.into(), kind })
}

fn word_record(class: Class, text: &str) -> Record {
    Record::Word(Word { text: text.into(), class, count: 5 })
}

fn source_info(system: &str, priority: u32) -> SourceInfo {
    SourceInfo { name: system.into(), system: system.into(), priority, ..SourceInfo::default() }
}

#[test]
fn each_filter_drops_what_it_should_and_counts_it() {
    let mut compiler = Compiler::new();
    compiler.begin_source(source_info("mesh", 1));
    for (code, types) in [("P", "Z01.1"), ("O", "B03.2"), ("D", "C01.1")] {
        compiler.push_record(Record::Concept(Concept {
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
        ("D", "the syndrome", "stop words only"),
        ("D", "Marsh fever,", "ends in a comma"),
        ("D", "MAP", "title or junk"),
        ("D", "Prof", "title or junk"),
    ];
    for (code, text, _) in dropped {
        compiler.push_record(term_record("mesh", code, text, TermKind::Synonym));
    }
    for (code, text) in [("O", "Serratia marcescens"), ("D", "Disease of the day"), ("D", "Map of One")] {
        compiler.push_record(term_record("mesh", code, text, TermKind::Synonym));
    }
    for (class, text) in
        [(Class::Surname, "serratia"), (Class::Stop, "of"), (Class::Stop, "the"), (Class::Title, "Prof.")]
    {
        compiler.push_record(word_record(class, text));
    }
    let (bytes, report) = compiler.finish().unwrap();
    let mut expected = BTreeMap::new();
    for (_, _, filter) in dropped {
        *expected.entry(filter.to_owned()).or_insert(0_u64) += 1;
    }
    assert_eq!(report.counts.dropped, expected);
    assert_eq!((report.counts.kept, report.counts.terms, report.sources[0].kept), (3, 3, 3));
    assert_eq!(report.counts.read, 19);
    let vocabulary = Vocabulary::from_bytes(bytes).unwrap();
    assert_eq!(vocabulary.lookup("massachusetts"), []);
    assert!(vocabulary.classes(vocabulary.word_id(b"marcescens")).has(Class::TermPart));
    assert_eq!(vocabulary.classes(vocabulary.word_id(b"prof")), Class::Title.as_set());
    assert_eq!(vocabulary.info().counts, report.counts);
}

#[test]
fn concepts_of_a_term_come_by_priority_then_code() {
    let mut compiler = Compiler::new();
    compiler.begin_source(source_info("hp", 20));
    compiler.push_record(term_record("hp", "2", "Fever", TermKind::Preferred));
    compiler.push_record(term_record("hp", "1", "Fever", TermKind::Synonym));
    compiler.push_record(term_record("hp", "1", "FEVER", TermKind::Preferred));
    compiler.begin_source(source_info("mesh", 10));
    compiler.push_record(term_record("mesh", "D9", "fever", TermKind::Synonym));
    compiler.push_record(term_record("mesh", "D9", "Pyrexia", TermKind::Preferred));
    let (bytes, report) = compiler.finish().unwrap();
    assert_eq!((report.counts.terms, report.counts.merged, report.counts.shared), (2, 3, 1));
    let vocabulary = Vocabulary::from_bytes(bytes).unwrap();
    let entry = vocabulary.entry_of("fever").unwrap();
    let found: Vec<_> = vocabulary
        .entry_concepts(entry)
        .map(|id| (vocabulary.curie(id), vocabulary.preferred_name(id), vocabulary.is_preferred(entry, id)))
        .collect();
    let expected = [("mesh:D9", "Pyrexia", false), ("hp:1", "FEVER", true), ("hp:2", "Fever", true)];
    assert_eq!(found, expected.map(|(code, name, preferred)| (code.to_owned(), name.to_owned(), preferred)));
    assert_eq!(vocabulary.concept_of_curie("hp:2"), Some(vocabulary.lookup("fever")[2]));
    assert_eq!(vocabulary.concept_of_curie("hp:3"), None);
}

#[test]
fn words_carry_lists_and_ranks() {
    let mut compiler = Compiler::new();
    for (class, count) in [(Class::Surname, 1000), (Class::FirstName, 3), (Class::English, 70)] {
        compiler.push_record(Record::Word(Word { text: "Rose".into(), class, count }));
    }
    compiler.push_record(Record::Word(Word {
        text: "Electroencephalographically".into(),
        class: Class::English,
        count: 0,
    }));
    let vocabulary = Vocabulary::from_bytes(compiler.finish().unwrap().0).unwrap();
    let rose = vocabulary.word_id(b"rose");
    assert_eq!(vocabulary.classes(rose), Classes::of(&[Class::Surname, Class::FirstName, Class::English]));
    let ranks = vocabulary.ranks(rose);
    assert_eq!((ranks.surname, ranks.first_name, ranks.frequency), (10, 2, 7));
    assert_eq!(vocabulary.word_text(rose), "rose");
    let long = vocabulary.word_id(b"electroencephalographically");
    assert_eq!(vocabulary.word_text(long), "electroencephalographically");
    assert_eq!(vocabulary.ranks(long).frequency, 1);
    assert!(!vocabulary.word_id(b"electroencephalographicall").is_known());
    assert_eq!(vocabulary.classes(notesieve_vocabulary::WordId::UNKNOWN), Classes::NONE);
}

#[test]
fn the_order_of_records_within_a_source_changes_no_answer_and_the_same_input_no_byte() {
    let records: Vec<Record> = (0..200)
        .map(|at| {
            term_record(
                "t",
                &at.to_string(),
                &format!("term{} of{}", ["a", "b", "c"][at % 3], at % 7),
                TermKind::Synonym,
            )
        })
        .collect();
    let compile = |records: &[Record]| {
        let mut compiler = Compiler::new();
        compiler.begin_source(source_info("t", 1));
        for record in records {
            compiler.push_record(record.clone());
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
    assert!(!vocabulary.word_id(b"x").is_known());
    assert_eq!(vocabulary.lookup("x"), []);
}

/// Returns the codes of a form, in order.
fn codes_of_form(vocabulary: &Vocabulary, text: &str) -> Vec<String> {
    vocabulary.lookup(text).iter().map(|&id| vocabulary.curie(id)).collect()
}

#[test]
fn what_is_the_same_in_a_vocabulary_before_comes_with_it() {
    let concept = |system: &str, code: &str, same: &[&str]| {
        let same_as = same.iter().map(|&one| one.into()).collect();
        Record::Concept(Concept { code: code.into(), system: system.into(), same_as, ..Concept::default() })
    };
    let mut compiler = Compiler::new();
    compiler.begin_source(source_info("mesh", 1));
    compiler.push_record(term_record("mesh", "D1", "Colonic Neoplasms", TermKind::Preferred));
    compiler.push_record(term_record("mesh", "D2", "Marsh Fever", TermKind::Preferred));
    compiler.push_record(term_record("mesh", "D3", "Marsh Ague", TermKind::Preferred));
    compiler.begin_source(source_info("doid", 5));
    compiler.push_record(concept("doid", "1", &["mesh:D1", "umls:C1"]));
    compiler.push_record(term_record("doid", "1", "colon cancer", TermKind::Preferred));
    compiler.push_record(concept("doid", "2", &["mesh:D2", "mesh:D3"]));
    compiler.push_record(term_record("doid", "2", "fever of the marshes", TermKind::Preferred));
    compiler.begin_source(source_info("hp", 9));
    compiler.push_record(concept("hp", "3", &["umls:C1"]));
    compiler.push_record(term_record("hp", "3", "cancer of the colon", TermKind::Preferred));
    compiler.begin_source(source_info("mondo", 10));
    compiler.push_record(concept("mondo", "4", &["hp:3"]));
    compiler.push_record(term_record("mondo", "4", "bowel cancer", TermKind::Preferred));
    let vocabulary = Vocabulary::from_bytes(compiler.finish().unwrap().0).unwrap();
    assert_eq!(
        codes_of_form(&vocabulary, "bowel cancer"),
        ["mesh:D1", "hp:3", "mondo:4"],
        "also what is the same as the same"
    );
    assert_eq!(codes_of_form(&vocabulary, "colon cancer"), ["mesh:D1", "doid:1"]);
    assert_eq!(
        codes_of_form(&vocabulary, "cancer of the colon"),
        ["mesh:D1", "hp:3"],
        "both are one concept of the UMLS"
    );
    assert_eq!(codes_of_form(&vocabulary, "fever of the marshes"), ["doid:2"], "two of one system are none");
    assert_eq!(codes_of_form(&vocabulary, "colonic neoplasms"), ["mesh:D1"], "only what comes before is added");
}

#[test]
fn short_forms_of_ontologies_are_unsure() {
    let mut compiler = Compiler::new();
    compiler.begin_source(source_info("mesh", 1));
    compiler.push_record(term_record("mesh", "D1", "Hypertension", TermKind::Preferred));
    compiler.push_record(term_record("mesh", "D1", "HTN", TermKind::Synonym));
    compiler.begin_source(source_info("mondo", 5));
    compiler.push_record(term_record("mondo", "1", "rectum adenocarcinoma", TermKind::Preferred));
    compiler.push_record(term_record("mondo", "1", "READ", TermKind::Synonym));
    compiler.push_record(term_record("mondo", "1", "cancer of the rectum", TermKind::Synonym));
    compiler.push_record(term_record("mondo", "2", "lupus erythematosus", TermKind::Preferred));
    compiler.push_record(term_record("mondo", "2", "lupus", TermKind::Synonym));
    compiler.push_record(term_record("mondo", "2", "HTN", TermKind::Synonym));
    compiler.push_record(term_record("mondo", "3", "thyroid tumor", TermKind::Preferred));
    compiler.push_record(term_record("mondo", "3", "nodule of the thyroid", TermKind::Synonym));
    compiler.push_record(term_record("mondo", "3", "malignancy", TermKind::Synonym));
    compiler.push_record(term_record("mondo", "4", "joint dysplasia", TermKind::Preferred));
    compiler.push_record(term_record("mondo", "4", "MTX2A1", TermKind::Synonym));
    compiler.push_record(term_record("mondo", "4", "type 2A1", TermKind::Synonym));
    compiler.begin_source(source_info("hp", 9));
    compiler.push_record(term_record("hp", "4", "Fatigue", TermKind::Preferred));
    compiler.push_record(term_record("hp", "4", "tired", TermKind::Synonym));
    compiler.push_record(word_record(Class::English, "malignancy"));
    let vocabulary = Vocabulary::from_bytes(compiler.finish().unwrap().0).unwrap();
    let unsure = |text: &str| {
        vocabulary.entry_flags(vocabulary.entry_of(text).expect(text)).has(EntryFlags::UNRELIABLE_ABBREVIATION)
    };
    for (text, expected) in [
        ("READ", true),
        ("HTN", false),
        ("lupus", false),
        ("tired", false),
        ("cancer of the rectum", false),
        ("thyroid tumor", false),
        ("malignancy", false),
        ("MTX2A1", true),
        ("type 2A1", false),
    ] {
        assert_eq!(unsure(text), expected, "{text}");
    }
}

#[test]
fn several_unsure_sources_are_no_surer_and_short_names_of_substances_are_unsure() {
    let mut compiler = Compiler::new();
    compiler.begin_source(source_info("mesh", 1));
    for (code, tree) in [("D1", "D13.695"), ("D2", "D12.644"), ("D3", "E01.370"), ("D4", "D12.776")] {
        compiler.push_record(Record::Concept(Concept {
            code: code.into(),
            system: "mesh".into(),
            preferred: String::new(),
            types: vec![tree.into()],
            parents: vec![],
            same_as: vec![],
        }));
    }
    compiler.push_record(term_record("mesh", "D1", "Marsh Triphosphate", TermKind::Preferred));
    compiler.push_record(term_record("mesh", "D1", "MTP", TermKind::Synonym));
    compiler.push_record(term_record("mesh", "D1", "MTQ", TermKind::Synonym));
    compiler.push_record(term_record("mesh", "D2", "Marshin-6", TermKind::Preferred));
    compiler.push_record(term_record("mesh", "D2", "MN6", TermKind::Synonym));
    compiler.push_record(term_record("mesh", "D2", "FL4", TermKind::Synonym));
    compiler.push_record(term_record("mesh", "D2", "FL 29", TermKind::Synonym));
    compiler.push_record(term_record("mesh", "D2", "5MN", TermKind::Synonym));
    compiler.push_record(term_record("mesh", "D3", "Marsh Resonance Imaging", TermKind::Preferred));
    compiler.push_record(term_record("mesh", "D3", "MRX", TermKind::Synonym));
    compiler.begin_source(source_info("mondo", 5));
    compiler.push_record(term_record("mondo", "1", "leukomalacia of the marsh", TermKind::Preferred));
    compiler.push_record(term_record("mondo", "1", "LMM", TermKind::Synonym));
    compiler.begin_source(source_info("hp", 9));
    compiler.push_record(term_record("hp", "1", "Marsh leukomalacia", TermKind::Preferred));
    compiler.push_record(term_record("hp", "1", "LMM", TermKind::Synonym));
    compiler.push_record(word_record(Class::Clinical, "mtq"));
    let vocabulary = Vocabulary::from_bytes(compiler.finish().unwrap().0).unwrap();
    let unsure = |text: &str| {
        vocabulary.entry_flags(vocabulary.entry_of(text).expect(text)).has(EntryFlags::UNRELIABLE_ABBREVIATION)
    };
    for (text, expected) in [
        ("LMM", true),
        ("MTP", true),
        // Used in notes.
        ("MTQ", false),
        // Its name has the number.
        ("MN6", false),
        ("FL4", true),
        ("FL 29", true),
        ("5MN", false),
        ("MRX", false),
    ] {
        assert_eq!(unsure(text), expected, "{text}");
    }
}

#[test]
fn brands_have_the_drug_of_mesh_of_the_same_name() {
    let mut compiler = Compiler::new();
    compiler.begin_source(source_info("mesh", 1));
    for (code, tree) in [("D1", "D02.065"), ("D2", "J02.200")] {
        compiler.push_record(Record::Concept(Concept {
            code: code.into(),
            system: "mesh".into(),
            preferred: if code == "D1" { "Marshinol" } else { "Reed Tea" }.into(),
            types: vec![tree.into()],
            parents: vec![],
            same_as: vec![],
        }));
    }
    compiler.begin_source(source_info("drugbank", 6));
    compiler.push_record(term_record("drugbank", "1", "marshinol", TermKind::Preferred));
    compiler.push_record(term_record("drugbank", "1", "Fenpril", TermKind::Synonym));
    compiler.push_record(term_record("drugbank", "2", "Reed Tea", TermKind::Preferred));
    compiler.push_record(term_record("drugbank", "2", "Reedipril", TermKind::Synonym));
    let vocabulary = Vocabulary::from_bytes(compiler.finish().unwrap().0).unwrap();
    assert_eq!(codes_of_form(&vocabulary, "fenpril"), ["mesh:D1", "drugbank:1"]);
    assert_eq!(codes_of_form(&vocabulary, "reedipril"), ["drugbank:2"], "no drug of MeSH");
}

#[test]
fn modifiers_and_rules_give_the_disease_of_a_vocabulary_before() {
    let mut compiler = Compiler::new();
    compiler.begin_source(source_info("mesh", 1));
    for (code, types) in [("D1", "C01.2"), ("D2", "A01.2"), ("D3", "C04.2")] {
        let (code, system, types) = (code.into(), "mesh".into(), vec![types.into()]);
        compiler.push_record(Record::Concept(Concept { code, system, types, ..Concept::default() }));
    }
    for (code, text, kind) in [
        ("D1", "Marsh fever", TermKind::Preferred),
        ("D2", "Marsh", TermKind::Preferred),
        ("D3", "Lake neoplasm", TermKind::Preferred),
        ("D3", "Lake tumor", TermKind::Variant),
    ] {
        compiler.push_record(term_record("mesh", code, text, kind));
    }
    compiler.begin_source(source_info("hp", 2));
    for (code, text) in
        [("1", "Severe marsh fever"), ("2", "Severe marsh"), ("3", "Lake tumor"), ("4", "Red marsh fever")]
    {
        compiler.push_record(term_record("hp", code, text, TermKind::Preferred));
    }
    let vocabulary = Vocabulary::from_bytes(compiler.finish().unwrap().0).unwrap();
    assert_eq!(codes_of_form(&vocabulary, "severe marsh fever"), ["mesh:D1", "hp:1"]);
    assert_eq!(codes_of_form(&vocabulary, "severe marsh"), ["hp:2"], "a place is no disease");
    assert_eq!(codes_of_form(&vocabulary, "lake tumor"), ["mesh:D3", "hp:3"]);
    assert_eq!(codes_of_form(&vocabulary, "red marsh fever"), ["hp:4"], "red is no modifier");
}
