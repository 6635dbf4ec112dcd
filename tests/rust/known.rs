//! Known data of a patient is removed from the patient's notes in every written form.

use std::sync::Arc;

use notesieve::detections::CallerKnowledge;
use notesieve::patient::PatientDetails;
use notesieve::{Patient, Policy, Scrubber, Vocabulary};

fn scrubber() -> Scrubber {
    let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes()).expect("the vocabulary is whole");
    Scrubber::new(vocabulary, Policy::default())
}

fn patient() -> CallerKnowledge {
    CallerKnowledge { patient: Some(Arc::new(known_patient())), ..CallerKnowledge::default() }
}

fn known_patient() -> Patient {
    let owned = |items: &[&str]| items.iter().map(|&item| item.to_owned()).collect();
    Patient::new(PatientDetails {
        id: Some("p-17".to_owned()),
        names: owned(&["Rose Ellen Winters", "O'Shea"]),
        mrn: Some("MR-0048812".to_owned()),
        birth_date: Some((1946, 3, 4)),
        phones: owned(&["(617) 555-0123"]),
        addresses: owned(&["12 Bitter Root Lane, Pomfret, CT 06258"]),
        other: owned(&["Lantern Glass Works", "rwinters@example.org"]),
    })
    .expect("a patient")
}

#[test]
fn every_written_form_is_removed() {
    let (scrubber, patient) = (scrubber(), patient());
    let forms = [
        ("the rose bed", "rose", "name"),
        ("ROSE WINTERS SEEN", "ROSE WINTERS", "name"),
        ("winters, rose e. seen", "winters, rose e.", "name"),
        ("saw Rosse Wintres today", "Rosse Wintres", "name"),
        ("two win-\nters went", "win-\nters", "name"),
        ("two win\nters went", "win\nters", "name"),
        ("discussed with OShea today", "OShea", "name"),
        ("discussed with O Shea today", "O Shea", "name"),
        ("signed REW", "REW", "initials"),
        ("signed R.E.W. now", "R.E.W.", "initials"),
        ("logged in as rwinters now", "rwinters", "name"),
        ("number 48812 given", "48812", "record"),
        ("number 004 8812 given", "004 8812", "record"),
        ("values 617.555.0123 given", "617.555.0123", "phone"),
        ("values 61 7555 0123 given", "61 7555 0123", "phone"),
        ("values 6175550132 given", "6175550132", "phone"),
        ("values 03041946 given", "03041946", "date"),
        ("at bitter root lane now", "bitter root lane", "street"),
        ("in pomfret now", "pomfret", "street"),
        ("at LANTERN GLASS WORKS now", "LANTERN GLASS WORKS", "other-id"),
        ("at lantern\nglass-works now", "lantern\nglass-works", "other-id"),
    ];
    for (text, form, kind) in forms {
        let note = scrubber.scrub_with(text, &patient).expect("a short note");
        let start = text.find(form).expect("a form in its text");
        let letters: String = text[start..start + form.len()]
            .char_indices()
            .filter(|&(at, letter)| {
                let at = start + at;
                letter.is_alphanumeric()
                    && !note
                        .removed
                        .iter()
                        .any(|removal| (removal.source.start as usize..removal.source.end as usize).contains(&at))
            })
            .map(|(_, letter)| letter)
            .collect();
        assert!(letters.is_empty(), "{letters:?} of {form:?} came out in {:?}", note.text);
        assert!(
            note.findings.iter().any(|finding| finding.rule.as_str() == "known" && finding.kind.key() == kind),
            "{form:?}: {:?}",
            note.findings
        );
    }
}

#[test]
fn other_words_stay() {
    let (scrubber, patient) = (scrubber(), patient());
    for text in ["pain in the bitter cold", "he has no fever", "take one lane", "the winner rises"] {
        assert_eq!(scrubber.scrub_with(text, &patient).expect("a short note").text, text);
    }
}

#[test]
fn ordinary_words_that_are_names_of_this_patient_go_from_this_patients_notes_only() {
    let (scrubber, patient) = (scrubber(), patient());
    let text = "a rose in winters";
    assert_eq!(scrubber.scrub(text).expect("a short note").text, text);
    assert_eq!(scrubber.scrub_with(text, &patient).expect("a short note").text, "a [NAME] in [NAME]");
}
