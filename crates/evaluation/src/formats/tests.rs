//! Reads every format from a fixture, writes it, and reads it again.

use std::path::{Path, PathBuf};

use super::Format;
use crate::gold::{Gold, GoldSpan, write_text};
use crate::label_map::join_category;

fn fixture_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/gold").join(name)
}

/// Returns an empty folder for a test.
fn temporary_folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("notesieve-evaluate-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Returns what must agree between formats: the span, the category as far as `name` shows it, and whether it is
/// required.
fn comparable_spans(gold: &Gold, name: fn(&GoldSpan) -> String) -> Vec<(String, u32, u32, String, bool)> {
    let row = |doc: &String, span: &GoldSpan| (doc.clone(), span.start, span.end, name(span), span.required);
    gold.spans.iter().flat_map(|(doc, spans)| spans.iter().map(move |span| row(doc, span))).collect()
}

fn category_and_subtype(span: &GoldSpan) -> String {
    join_category(&span.category, &span.subtype)
}

fn category(span: &GoldSpan) -> String {
    span.category.clone()
}

#[test]
fn every_fixture_holds_the_same() {
    let truth = Gold::read(fixture_path("jsonl")).unwrap();
    assert_eq!((truth.notes.len(), truth.len(), truth.problems.len()), (3, 12, 0));
    for (name, format) in Format::NAMES {
        assert_eq!(Format::detect(&fixture_path(name)).unwrap(), format);
        let gold = Gold::read(fixture_path(name)).unwrap();
        assert_eq!(gold.problems, [], "{name}");
        assert_eq!(gold.notes, truth.notes, "{name}");
        match format {
            Format::Philter => assert_eq!(gold.len(), 18, "cut at spaces and punctuation, nothing optional"),
            Format::JsonLines | Format::Csv | Format::Brat => {
                assert_eq!(
                    comparable_spans(&gold, category_and_subtype),
                    comparable_spans(&truth, category_and_subtype),
                    "{name}"
                );
            }
            // These formats have only a location for a state, so it counts as required.
            Format::I2b2y2006 | Format::PhysioNet => {
                let mut expected = comparable_spans(&truth, category);
                expected.last_mut().unwrap().4 = true;
                assert_eq!(comparable_spans(&gold, category), expected, "{name}");
            }
            Format::I2b2y2014 => {
                assert_eq!(comparable_spans(&gold, category), comparable_spans(&truth, category), "{name}");
            }
        }
    }
}

#[test]
fn writing_and_reading_again_changes_nothing() {
    for (name, format) in Format::NAMES {
        let folder = temporary_folder(name);
        let gold = Gold::read(fixture_path(name)).unwrap();
        gold.write(&folder, format).unwrap();
        let again = Gold::read(&folder).unwrap();
        assert_eq!((&again.notes, &again.spans), (&gold.notes, &gold.spans), "{name}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}

/// Converts from the richest format to each and back: `write` must name everything that is lost.
#[test]
fn losses_are_named() {
    let mut truth = Gold::read(fixture_path("jsonl")).unwrap();
    let tricky = "Tab\there, ]]> &amp; <b>\r\nend\r";
    truth.notes.insert("2-1".into(), tricky.into());
    let noisy =
        GoldSpan { noise: Some(vec!["typo".into()]), clean: Some("Here".into()), ..GoldSpan::new(4, 8, "NAME/X") };
    truth.spans.insert("2-1".into(), vec![noisy, GoldSpan::new(20, 23, "VEHICLE/PLATE")]);
    for (name, format) in Format::NAMES {
        let folder = temporary_folder(&format!("from-jsonl-{name}"));
        let losses = truth.write(&folder, format).unwrap().join("; ");
        let again = Gold::read(&folder).unwrap();
        assert_eq!(again.notes, truth.notes, "{name}");
        if losses.is_empty() {
            assert_eq!(again.spans, truth.spans, "{name}");
        } else {
            assert!(losses.contains("noise and clean"), "{name}");
        }
        if !losses.contains("subtypes") {
            assert_eq!(
                comparable_spans(&again, category_and_subtype),
                comparable_spans(&truth, category_and_subtype),
                "{name}"
            );
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn a_broken_file_is_named_and_the_others_are_read() {
    let folder = temporary_folder("broken");
    let whole_file = std::fs::read_to_string(fixture_path("i2b2-2014/1-1.xml")).unwrap();
    write_text(&folder.join("a.xml"), &whole_file).unwrap();
    write_text(&folder.join("b.xml"), &whole_file.replace("start=\"0\"", "start=\"1\"")).unwrap();
    write_text(&folder.join("c.xml"), &whole_file.replace("TYPE=\"DATE\"", "TYPE=\"Quillfeather\"")).unwrap();
    write_text(&folder.join("d.xml"), "<deIdi2b2><TEXT>x</deIdi2b2>").unwrap();
    write_text(&folder.join("e.xml"), &whole_file.replace("end=\"16\"", "end=\"many\"")).unwrap();
    let gold = Gold::read(&folder).unwrap();
    assert_eq!(gold.notes.len(), 1);
    let problems: Vec<(String, u64, &str)> = gold
        .problems
        .iter()
        .map(|problem| (crate::gold::file_stem(Path::new(&problem.file)), problem.line, problem.problem.as_str()))
        .collect();
    assert_eq!(problems.len(), 4);
    assert_eq!(problems[0], ("b".into(), 9, "a tag holds another text than its place"));
    assert_eq!((problems[1].0.as_str(), problems[1].1), ("c", 12));
    assert_eq!(problems[2].2, "is not well-formed XML");
    assert_eq!(problems[3], ("e".into(), 9, "`end` is no number"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn broken_lines_are_named() {
    let read = |file: &str, content: &str, source: &str| {
        let folder = temporary_folder(&format!("lines-{source}"));
        write_text(&folder.join("notes/1-1.txt"), "Quill was here.").unwrap();
        write_text(&folder.join(file), content).unwrap();
        let result = Gold::read(&folder);
        std::fs::remove_dir_all(folder).unwrap();
        result
    };
    let jsonl = read("gold.jsonl", "\n{\"doc\": \"1-1\", \"start\": \"Quill\"}\n", "json").unwrap_err().to_string();
    assert!(jsonl.contains("gold.jsonl:2: is no gold span") && !jsonl.contains("Quill"), "{jsonl}");
    let csv = read("gold.csv", "doc,start,end,category\n1-1,0,five,NAME\n", "csv").unwrap_err().to_string();
    assert!(csv.contains("gold.csv:2: `end` is no number"), "{csv}");
    let outside = read("gold.csv", "doc,start,end,category\n1-1,0,99,NAME\n", "outside").unwrap_err().to_string();
    assert!(outside.contains("gold.csv:2: the span does not lie in its note"), "{outside}");
    let missing = read("gold.csv", "doc,start,end,category\n1-1,0,5,NAME\nx,0,5,NAME\n", "missing").unwrap();
    assert_eq!((missing.problems[0].line, missing.problems[0].problem.as_str()), (3, "there is no note `x`"));
}

#[test]
fn phrases_may_end_a_line() {
    let folder = temporary_folder("phrases");
    let text = "START_OF_RECORD=1||||1||||\nSeen by Odo\nQuill on Tues.\n||||END_OF_RECORD\n";
    write_text(&folder.join("gold.text"), text).unwrap();
    write_text(&folder.join("gold.phi"), "Patient 1\tNote 1\n8\t8\t17\n21\t21\t26\n").unwrap();
    for (phrase, works) in [("Odo Quill", true), ("Odo\nQuill", true), ("Odo  Quill", false), ("Odo", false)] {
        let phrases = format!("1 1 8 17 HCPName {phrase}\n1 1 21 26 Date Tues.\n");
        write_text(&folder.join("gold.phrase"), &phrases).unwrap();
        let gold = Gold::read(&folder);
        assert_eq!(gold.is_ok(), works, "{phrase:?}");
        if let Ok(gold) = gold {
            assert_eq!(
                gold.spans["1-1"],
                [GoldSpan::new(8, 17, "NAME/DOCTOR"), GoldSpan::new(21, 26, "DATE/DAYOFWEEK")]
            );
            assert!(!gold.spans["1-1"][1].required);
            gold.write(folder.join("again"), Format::PhysioNet).unwrap();
            assert_eq!(std::fs::read_to_string(folder.join("again/gold.phrase")).unwrap().lines().count(), 2);
            assert_eq!(Gold::read(folder.join("again")).unwrap().spans, gold.spans);
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}
