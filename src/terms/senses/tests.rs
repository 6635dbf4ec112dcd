//! The meanings of short forms and ambiguous words in texts.

use crate::pipeline::tests::scrubber;
use crate::vocabulary::Group;
use crate::{Policy, Scrubber, Vocabulary};

/// Returns the concept names of a text; `?` for an ambiguous one.
fn concept_names(text: &str) -> Vec<String> {
    let scrubber = scrubber();
    let found = scrubber.autocode_identifying(text).unwrap().concepts;
    let name = |id| scrubber.vocabulary().preferred_name(id);
    let named = |one: &crate::document::Mention| {
        if one.said.ambiguous {
            "?".to_owned()
        } else {
            scrubber.vocabulary().entry_concepts(one.entry).next().map_or_else(String::new, name)
        }
    };
    found.iter().map(named).collect()
}

/// Returns the mentions of a text in the groups that tables show.
fn names_in_default_groups(text: &str) -> Vec<String> {
    let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).unwrap();
    let groups = Group::SHOWN.iter().map(|group| group.key().to_owned()).collect();
    let scrubber = Scrubber::new(vocabulary, Policy { groups, ..Policy::default() });
    scrubber.autocode(text).unwrap().concepts.iter().map(|one| text[one.source.range()].to_owned()).collect()
}

#[test]
fn what_stands_around_tells_the_meaning() {
    assert!(
        concept_names("ALT 45").iter().any(|name| name.to_lowercase().contains("alanine")),
        "{:?}",
        concept_names("ALT 45")
    );
    assert!(concept_names("Relapsing MS on interferon").contains(&"Multiple Sclerosis".to_owned()));
    assert!(
        concept_names("Mitral valve: MS with a gradient").iter().any(|name| name.contains("Mitral Valve Stenosis"))
    );
    assert!(concept_names("The patient feels cold").iter().all(|name| !name.contains("old")));
    assert!(concept_names("He has cold symptoms and a runny nose").iter().any(|name| name.contains("Common Cold")));
    assert!(concept_names("97% on RA").iter().all(|name| !name.contains("Arthritis")));
}

#[test]
fn short_forms_of_ontologies_need_a_word_of_their_names() {
    assert_eq!(concept_names("TCC."), ["?"]);
    let told = concept_names("Guillain-Barre syndrome after the flu. GBS is better.");
    assert!(told.iter().all(|name| name != "?"), "{told:?}");
    assert!(
        concept_names("HTN, flu and lupus").iter().all(|name| name != "?"),
        "{:?}",
        concept_names("HTN, flu and lupus")
    );
}

#[test]
fn ordinary_words_are_no_concepts() {
    for text in
        ["Please read this, dress and settle.", "He read nothing, settled and went out.", "Out of bed and dressed."]
    {
        assert_eq!(names_in_default_groups(text), [""; 0], "{text}");
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
        assert!(
            !names_in_default_groups(text).contains(&term.to_owned()),
            "{text}: {:?}",
            names_in_default_groups(text)
        );
    }
    for (text, term) in [
        ("Clot in the popliteal vein on Doppler.", "Clot"),
        ("Septic shock on two pressors.", "Septic shock"),
        ("A blister on the left heel.", "blister"),
        ("A cough for a week.", "cough"),
    ] {
        assert!(
            names_in_default_groups(text).contains(&term.to_owned()),
            "{text}: {:?}",
            names_in_default_groups(text)
        );
    }
}

#[test]
fn pain_is_no_laboratory_test() {
    let found = |text: &str, name: &str| concept_names(text).iter().any(|one| one == name);
    assert!(found("PT: WBAT as pain allows.", "Physical Therapy Modalities"));
    assert!(found("INR 2.1, PT 14 s.", "Prothrombin Time"));
    assert!(!found("CA 19-9 620", "Calcium"));
    assert!(!found("Exchange of R PCN, nephrostogram.", "Penicillins"));
}

#[test]
fn where_nothing_tells_it_is_ambiguous() {
    assert_eq!(concept_names("MS."), ["?"]);
    assert_eq!(concept_names("ALT."), ["?"]);
    assert_eq!(concept_names("Multiple sclerosis. Told about MS today."), ["Multiple Sclerosis", "Multiple Sclerosis"]);
    assert_eq!(concept_names("as he said; CA999, DM20x"), [""; 0]);
}

#[test]
fn a_verb_of_people_tells_a_patient_from_a_therapy() {
    let has = |text: &str| concept_names(text).contains(&"Physical Therapy Modalities".to_owned());
    for text in ["PT DENIES FALLS SINCE TUESDAY.", "PT FELT PAIN AFTER SUPPER.", "PT REFUSED THE BRACE."] {
        assert!(!has(text), "{text}");
    }
    for text in ["PT recommends a walker.", "Evaluated by PT this morning.", "PT/OT to see for gait."] {
        assert!(has(text), "{text}");
    }
}

#[test]
fn particles_of_verbs_and_modal_verbs_are_no_concepts() {
    for (text, term) in [
        ("He fell back asleep.", "back"),
        ("She came back to us in May.", "back"),
        ("Will call back on Friday.", "back"),
        ("The wound will heal.", "will"),
    ] {
        let found = scrubber().autocode_identifying(text).unwrap().concepts;
        assert!(!found.iter().any(|one| &text[one.source.range()] == term), "{text}");
    }
    assert!(concept_names("His back hurts.").contains(&"Back".to_owned()));
    assert!(concept_names("Done of her own free will.").contains(&"Volition".to_owned()));
}

#[test]
fn headings_and_studies_are_no_concepts() {
    for text in ["PHYSICAL EXAMINATION: thin, alert", "Allergies: none", "Enrolled in the HOPE trial."] {
        assert_eq!(names_in_default_groups(text), [""; 0], "{text}");
    }
    assert!(names_in_default_groups("She has allergies in May.").contains(&"allergies".to_owned()));
    assert!(names_in_default_groups("Asthma: well controlled").contains(&"Asthma".to_owned()));
}

#[test]
fn short_forms_have_plurals() {
    assert!(concept_names("Frequent PVCs on the monitor").contains(&"Ventricular Premature Complexes".to_owned()));
    assert!(concept_names("Three UTIs in a year").contains(&"Urinary Tract Infections".to_owned()));
}

#[test]
fn what_is_pressed_down_is_no_depression() {
    for text in ["Marrow depression after the second cycle.", "1 mm of ST depression in V5."] {
        assert!(!concept_names(text).contains(&"Depression".to_owned()), "{text}");
    }
    assert!(concept_names("Depression since spring.").contains(&"Depression".to_owned()));
}

#[test]
fn compound_phrases_come_before_their_parts() {
    for text in ["No acute cardiopulmonary disease.", "No active cardiopulmonary diseases."] {
        assert_eq!(names_in_default_groups(text), [""; 0], "{text}");
    }
    assert_eq!(concept_names("He became unresponsive."), ["Unconsciousness"]);
    assert!(concept_names("A rash unresponsive to steroids.").iter().all(|name| name != "Unconsciousness"));
    assert!(concept_names("Put neosporin on the cut.").contains(&"Neomycin".to_owned()));
}
