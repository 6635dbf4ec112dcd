//! Broader, narrower and equivalent concepts.

use notesieve_vocabulary::{Class, ConceptId, Vocabulary};
use notesieve_vocabulary_build::Compiler;
use notesieve_vocabulary_build::term::{Concept, Record, Term, TermKind, Word};

fn vocabulary() -> Vocabulary {
    let mut compiler = Compiler::new();
    let concept = |code: &str, parents: &[&str], same_as: &[&str]| Concept {
        code: code.to_owned(),
        system: "t".to_owned(),
        preferred: format!("name of {code}"),
        parents: parents.iter().map(|&code| code.to_owned()).collect(),
        same_as: same_as.iter().map(|&code| code.to_owned()).collect(),
        ..Concept::default()
    };
    for (code, parents, same_as) in [
        ("fever", &[][..], &["u:1"][..]),
        ("marsh", &["t:fever"], &["t:ague"]),
        ("tertian", &["t:marsh", "t:gone"], &[]),
        ("quartan", &["t:marsh", "t:fever"], &[]),
        // A cycle, as in some sources.
        ("ague", &["t:agues"], &[]),
        ("agues", &["t:ague"], &[]),
    ] {
        compiler.push_record(Record::Concept(concept(code, parents, same_as)));
    }
    Vocabulary::from_bytes(compiler.finish().expect("compiled").0).expect("a vocabulary")
}

#[test]
fn broader_narrower_and_cross_references() {
    let vocabulary = vocabulary();
    let id = |code: &str| vocabulary.concept_of_curie(code).expect("a concept");
    let codes = |ids: Vec<ConceptId>| ids.into_iter().map(|id| vocabulary.curie(id)).collect::<Vec<_>>();
    assert_eq!(codes(vocabulary.broader(id("t:quartan"))), ["t:fever", "t:marsh"]);
    assert_eq!(codes(vocabulary.broader(id("t:tertian"))), ["t:marsh"], "what is not there is left out");
    assert_eq!(codes(vocabulary.narrower(id("t:fever"))), ["t:marsh", "t:quartan"]);
    assert_eq!(codes(vocabulary.descendants(id("t:fever"))), ["t:marsh", "t:quartan", "t:tertian"]);
    assert_eq!(codes(vocabulary.descendants(id("t:ague"))), ["t:agues"]);
    assert!(vocabulary.descendants(id("t:tertian")).is_empty());
    assert_eq!(codes(vocabulary.cross_references(id("t:marsh"))), ["t:ague"]);
    assert_eq!(codes(vocabulary.cross_references(id("t:ague"))), ["t:marsh"]);
    assert!(vocabulary.descendants(ConceptId(99)).is_empty());
}

#[test]
fn what_a_concept_counts_as_in_another_system() {
    let vocabulary = linked_concepts();
    let nearest = |code: &str| {
        let found = vocabulary.nearest(vocabulary.concept_of_curie(code).expect("a concept"), "mesh");
        found.map(|id| vocabulary.curie(id))
    };
    for (code, expected) in [
        ("mesh:D2", Some("mesh:D2")),
        ("t:fever", Some("mesh:D1")),
        ("t:marsh", Some("mesh:D1")),
        // "Syndrome" is too general.
        ("t:tertian", Some("mesh:D1")),
        // Too many steps up, and two candidates.
        ("t:double", None),
        ("t:both", None),
        // By the suffix of its name.
        ("t:lake", Some("mesh:D3")),
        ("t:of", None),
    ] {
        assert_eq!(nearest(code).as_deref(), expected, "{code}");
    }
}

/// Concepts of two systems, some with links.
fn linked_concepts() -> Vocabulary {
    let mut compiler = Compiler::new();
    for (curie, parents, same_as) in [
        ("mesh:D1", &[][..], &[][..]),
        ("mesh:D2", &[], &[]),
        ("mesh:D013577", &[], &[]),
        ("t:fever", &[], &["mesh:D1"][..]),
        ("t:marsh", &["t:fever"], &["u:1"]),
        ("t:tertian", &["t:marsh"], &["mesh:D013577"]),
        ("t:double", &["t:tertian"], &[]),
        ("t:both", &["t:fever", "t:chill"], &[]),
        ("t:chill", &[], &["mesh:D2"]),
    ] {
        let (system, code) = curie.split_once(':').unwrap();
        let owned = |codes: &[&str]| codes.iter().map(|&code| code.to_owned()).collect();
        compiler.push_record(Record::Concept(Concept {
            code: code.to_owned(),
            system: system.to_owned(),
            preferred: format!("name of {code}"),
            parents: owned(parents),
            same_as: owned(same_as),
            ..Concept::default()
        }));
    }
    for (code, name, system, types) in [
        ("D3", "marsh tumor", "mesh", &["C04.1"][..]),
        ("lake", "lake marsh tumor", "t", &[]),
        ("of", "lake of marsh tumor", "t", &[]),
    ] {
        let (code, system, preferred) = (code.to_owned(), system.to_owned(), name.to_owned());
        let types = types.iter().map(|&number| number.to_owned()).collect();
        let text = preferred.clone();
        compiler.push_record(Record::Term(Term {
            text,
            code: code.clone(),
            system: system.clone(),
            kind: TermKind::Preferred,
        }));
        compiler.push_record(Record::Concept(Concept { code, system, preferred, types, ..Concept::default() }));
    }
    compiler.push_record(Record::Word(Word { text: "of".into(), class: Class::Stop, count: 1 }));
    Vocabulary::from_bytes(compiler.finish().expect("compiled").0).expect("a vocabulary")
}
