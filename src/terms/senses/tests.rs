//! What short forms and words of several meanings mean in texts.

use crate::pipeline::tests::scrubber;
use crate::vocabulary::Group;
use crate::{Policy, Scrubber, Vocabulary};

/// The names of the concepts of a text; `?` where it is ambiguous.
fn names(text: &str) -> Vec<String> {
    let scrubber = scrubber();
    let found = scrubber.autocode_identifying(text).unwrap().concepts;
    let name = |id| scrubber.vocabulary().preferred(id);
    let named = |one: &crate::document::Mention| {
        if one.said.ambiguous {
            "?".to_owned()
        } else {
            scrubber.vocabulary().entry_concepts(one.entry).next().map_or_else(String::new, name)
        }
    };
    found.iter().map(named).collect()
}

/// What a scrub tells of the groups that tables show.
fn shown(text: &str) -> Vec<String> {
    let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).unwrap();
    let groups = Group::SHOWN.iter().map(|group| group.key().to_owned()).collect();
    let scrubber = Scrubber::new(vocabulary, Policy { groups, ..Policy::default() });
    scrubber.autocode(text).unwrap().concepts.iter().map(|one| text[one.source.range()].to_owned()).collect()
}

#[test]
fn what_stands_around_tells_the_meaning() {
    assert!(names("ALT 45").iter().any(|name| name.to_lowercase().contains("alanine")), "{:?}", names("ALT 45"));
    assert!(names("Relapsing MS on interferon").contains(&"Multiple Sclerosis".to_owned()));
    assert!(names("Mitral valve: MS with a gradient").iter().any(|name| name.contains("Mitral Valve Stenosis")));
    assert!(names("The patient feels cold").iter().all(|name| !name.contains("old")));
    assert!(names("He has cold symptoms and a runny nose").iter().any(|name| name.contains("Common Cold")));
    assert!(names("97% on RA").iter().all(|name| !name.contains("Arthritis")));
}

#[test]
fn short_forms_of_ontologies_need_a_word_of_their_names() {
    assert_eq!(names("TCC."), ["?"]);
    let told = names("Guillain-Barre syndrome after the flu. GBS is better.");
    assert!(told.iter().all(|name| name != "?"), "{told:?}");
    assert!(names("HTN, flu and lupus").iter().all(|name| name != "?"), "{:?}", names("HTN, flu and lupus"));
}

#[test]
fn ordinary_words_are_no_concepts() {
    for text in
        ["Please read this, dress and settle.", "He read nothing, settled and went out.", "Out of bed and dressed."]
    {
        assert_eq!(shown(text), [""; 0], "{text}");
    }
}

#[test]
fn words_of_every_day_are_findings_only_where_something_tells_it() {
    for (text, term) in [
        ("Passing clots with her period.", "clots"),
        ("AED shock at 10.17, ROSC.", "shock"),
        ("He was hanging the bunting.", "hanging"),
        ("Fills the blister packs weekly.", "blister"),
        ("No pupils, corneals, cough.", "cough"),
        ("THE PATIENT SITS QUIETLY BESIDE THE WINDOW.", "SITS"),
        ("Urine AMP positive.", "AMP"),
    ] {
        assert!(!shown(text).contains(&term.to_owned()), "{text}: {:?}", shown(text));
    }
    for (text, term) in [
        ("Clot in the popliteal vein on Doppler.", "Clot"),
        ("Septic shock on two pressors.", "Septic shock"),
        ("A blister on the left heel.", "blister"),
        ("A cough for a week.", "cough"),
    ] {
        assert!(shown(text).contains(&term.to_owned()), "{text}: {:?}", shown(text));
    }
}

#[test]
fn pain_is_no_laboratory_test() {
    let found = |text: &str, name: &str| names(text).iter().any(|one| one == name);
    assert!(found("PT: WBAT as pain allows.", "Physical Therapy Modalities"));
    assert!(found("INR 2.1, PT 14 s.", "Prothrombin Time"));
    assert!(!found("CA 19-9 620", "Calcium"));
    assert!(!found("Exchange of R PCN, nephrostogram.", "Penicillins"));
}

#[test]
fn where_nothing_tells_it_is_ambiguous() {
    assert_eq!(names("MS."), ["?"]);
    assert_eq!(names("ALT."), ["?"]);
    assert_eq!(names("Multiple sclerosis. Told about MS today."), ["Multiple Sclerosis", "Multiple Sclerosis"]);
    assert_eq!(names("as he said; CA999, DM20x"), [""; 0]);
}
