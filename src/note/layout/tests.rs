//! Tests the layouts of small notes.

use super::LineStyle;
use crate::note::{Note, NoteBuffers};
use crate::pipeline::tests::vocabulary;

fn read_note<T>(text: &str, each: impl FnOnce(&Note<'_>) -> T) -> T {
    each(&NoteBuffers::default().read(text, vocabulary(), crate::placeholders::PlaceholderForms::default()))
}

fn index_of_word(note: &Note<'_>, word: &str) -> usize {
    (0..note.len()).find(|&at| note.word(at) == word).unwrap()
}

fn words(note: &Note<'_>, tokens: std::ops::Range<usize>) -> String {
    note.words_of(tokens).join(" ")
}

/// Returns the section heading of a word.
fn section_of_word(text: &str, word: &str) -> String {
    read_note(text, |note| {
        let section = note.layout().section_of(index_of_word(note, word));
        section.map_or_else(String::new, |heading| words(note, heading.words()))
    })
}

/// Returns the field label of a word.
fn label_of_word(text: &str, word: &str) -> String {
    read_note(text, |note| {
        let field = note.layout().field_of(index_of_word(note, word));
        field.map_or_else(String::new, |field| words(note, field.label()))
    })
}

#[test]
fn lines_and_their_styles() {
    let text = "FINAL DIAGNOSIS LIST\nSeen today for a cough and some fever.\n\nJane Public Green Hill\n";
    read_note(text, |note| {
        let layout = note.layout();
        let styles: Vec<_> = layout.lines().iter().map(super::Line::style).collect();
        assert_eq!(styles, [LineStyle::Upper, LineStyle::Mixed, LineStyle::Title]);
        assert_eq!(layout.line_index_of(index_of_word(note, "cough")), 1);
        assert_eq!(layout.line_tokens(2), index_of_word(note, "jane")..note.len());
        assert!(layout.lines()[2].is_after_blank() && !layout.lines()[1].is_after_blank());
    });
    read_note(&"seen today for a cough\n".repeat(6), |note| {
        assert_eq!(note.layout().lines()[3].style(), LineStyle::Lower);
    });
}

#[test]
fn sections() {
    let text = "SOCIAL HISTORY:\nTobacco: never\nAlcohol: rarely\n\nPlan: follow up. FAMILY HISTORY: mother well";
    for (word, heading) in
        [("never", "social history"), ("rarely", "social history"), ("follow", "plan"), ("mother", "family history")]
    {
        assert_eq!(section_of_word(text, word), heading, "{word}");
    }
    assert_eq!(section_of_word("Medications:\naspirin", "aspirin"), "medications");
    assert_eq!(section_of_word("PLAN\nrest", "rest"), "plan");
    assert_eq!(section_of_word("he was seen at 10: rest", "rest"), "");
    read_note(text, |note| {
        let layout = note.layout();
        assert!(layout.is_heading(index_of_word(note, "social")) && layout.is_heading(index_of_word(note, "tobacco")));
        assert!(!layout.is_heading(index_of_word(note, "never")));
    });
}

#[test]
fn fields() {
    let text = "Chief complaint: cough  Onset: sudden\nReferred by ....: Green";
    assert_eq!(label_of_word(text, "cough"), "chief complaint");
    assert_eq!(label_of_word(text, "sudden"), "onset");
    assert_eq!(label_of_word(text, "green"), "referred by");
    assert_eq!(label_of_word("Name: Green  Ward", "ward"), "", "a wide gap ends a field");
    assert_eq!(label_of_word("Name: Green\nseen", "seen"), "", "and so does a line");
}

#[test]
fn tables_have_headers() {
    let text = "| Drug name | Dose | By |\n| aspirin | 5 | Olive |\n| heparin | 7 | Root |\nNo more.";
    read_note(text, |note| {
        let layout = note.layout();
        let table = *layout.table_of(2).unwrap();
        assert_eq!((table.lines(), table.columns()), (0..3, 4));
        let header = |word| words(note, layout.header_cell(&table, note.column_of_token(index_of_word(note, word))));
        assert_eq!([header("aspirin"), header("root")], ["drug name", "by"]);
        assert!(layout.lines()[1].is_row() && layout.table_of(3).is_none());
    });
    read_note("Symptom\tYes\tNo\nCough\tx\n", |note| {
        assert_eq!(note.layout().tables().len(), 1, "a row with one column less is no row");
    });
}

#[test]
fn list_items_have_markers() {
    let text =
        "1. Cough\n2) Fever\n- rash\n* pain\n[ ] chills\n[x] cramps\n(b) edema\n#3 gout\n• sore\nNo 4. item\n-5 mmol";
    read_note(text, |note| {
        let lines = note.layout().lines();
        let bodies: Vec<_> = lines.iter().filter(|line| line.is_item()).map(|line| note.word(line.body())).collect();
        assert_eq!(bodies, ["cough", "fever", "rash", "pain", "chills", "cramps", "edema", "gout", "sore"]);
    });
}

#[test]
fn sentences() {
    let text = "Seen by Dr. Green for\nvs. nothing. No fever,\nchills or\nCough. Denies pain\n\nPlan";
    read_note(text, |note| {
        let layout = note.layout();
        let starts: Vec<_> = layout.sentences().iter().map(|&first| note.word(first as usize)).collect();
        assert_eq!(starts, ["seen", "no", "denies", "plan"]);
        assert_eq!(
            layout.sentence_of(index_of_word(note, "pain")),
            index_of_word(note, "denies")..index_of_word(note, "plan")
        );
    });
}

#[test]
fn turns_of_speakers() {
    let text = "Doctor: How are you?\nPatient: Not well.\nSince Monday.\nDoctor: Any fever?\nPatient: No.\n";
    read_note(text, |note| {
        let layout = note.layout();
        let speakers: Vec<_> = layout.turns().iter().map(super::Turn::speaker_index).collect();
        assert_eq!(speakers.len(), 4);
        assert!(speakers[0] == speakers[2] && speakers[1] == speakers[3] && speakers[0] != speakers[1]);
        let turn = layout.turn_of(index_of_word(note, "since")).unwrap();
        assert_eq!((turn.first_of_label(), note.word(turn.body())), (index_of_word(note, "patient"), "not"));
    });
    for text in ["Pulse: 80\nPulse: 90\nWeight: 70\nWeight: 71\n", "Doctor: Green\nPatient: Hill\n", ""] {
        read_note(text, |note| assert!(note.layout().turns().is_empty(), "{text}"));
    }
}
