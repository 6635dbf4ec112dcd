//! `PhysioNet` deid: `NAME.text` has the notes, `NAME.phi` the offsets, `NAME.phrase` (if present) the types.
//!
//! A note begins after the line `START_OF_RECORD=patient||||note||||` and ends before the line `||||END_OF_RECORD`. The
//! document is named `patient-note`, prefixed with the file name if a folder has several files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use super::{foreign_span, line_of_offset};
use crate::error::Result;
use crate::gold::{Gold, broken_line, file_stem, files_with_extension, read_text, slice_code_points, write_text};
use crate::label_map::LabelMap;

const END: &str = "\n||||END_OF_RECORD";

pub(super) fn read(path: &Path, gold: &mut Gold) -> Result<()> {
    let phis = if path.is_dir() { files_with_extension(path, "phi")? } else { vec![path.with_extension("phi")] };
    let several = phis.len() > 1;
    for phi in phis {
        let prefix = if several { format!("{}-", file_stem(&phi)) } else { String::new() };
        if let Err(error) = read_pair(&phi, &prefix, gold) {
            gold.record_problem(error);
        }
    }
    Ok(())
}

type Place = (u32, u32);

fn read_pair(phi: &Path, prefix: &str, gold: &mut Gold) -> Result<()> {
    let text_file = phi.with_extension("text");
    let notes = read_texts(&text_file)?;
    let mut places = read_phi(phi)?;
    let phrase = phi.with_extension("phrase");
    let mut types = if phrase.is_file() { read_phrases(&phrase, &notes)? } else { BTreeMap::new() };
    for (doc, text) in notes {
        let characters: Vec<char> = text.chars().collect();
        let types: BTreeMap<Place, String> = types.remove(&doc).unwrap_or_default();
        let span = |&(start, end): &Place| {
            let label = types.get(&(start, end)).map_or("Other", String::as_str);
            let covered = slice_code_points(&characters, start, end)
                .ok_or_else(|| broken_line(phi, 0, format!("a span of `{doc}` does not lie in its note")))?;
            foreign_span("physionet", label, start, end, &covered)
                .ok_or_else(|| broken_line(&phrase, 0, format!("the type `{label}` is not known")))
        };
        let spans = places.remove(&doc).unwrap_or_default().iter().map(span).collect::<Result<_>>();
        match spans {
            Ok(spans) => gold.add(&text_file, format!("{prefix}{doc}"), text, spans),
            Err(error) => gold.record_problem(error),
        }
    }
    for doc in places.keys() {
        gold.record_problem(broken_line(phi, 0, format!("there is no note `{doc}`")));
    }
    Ok(())
}

fn read_texts(file: &Path) -> Result<BTreeMap<String, String>> {
    static START: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^START_OF_RECORD=(\w+)\|\|\|\|(\w+)\|\|\|\|[^\S\n]*\n").expect("a valid expression")
    });
    let source = read_text(file)?;
    let mut notes = BTreeMap::new();
    for start in START.captures_iter(&source) {
        let begin = start.get(0).expect("the whole match").end();
        // In an empty note, the line end before the end mark is that of the first line.
        let end = source[begin - 1..].find(END).map(|end| (begin - 1 + end).max(begin));
        let end = end.ok_or_else(|| broken_line(file, line_of_offset(&source, begin), "a record does not end"))?;
        notes.insert(format!("{}-{}", &start[1], &start[2]), source[begin..end].to_owned());
    }
    Ok(notes)
}

fn read_phi(file: &Path) -> Result<BTreeMap<String, Vec<Place>>> {
    let mut places: BTreeMap<String, Vec<Place>> = BTreeMap::new();
    let mut doc = None;
    for (at, line) in read_text(file)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |problem: &str| broken_line(file, at as u64 + 1, problem);
        if let Some(header) = line.trim().strip_prefix("Patient") {
            let (patient, note) = header.split_once("Note").ok_or_else(|| wrong("has no note number"))?;
            doc = Some(format!("{}-{}", patient.trim(), note.trim()));
            continue;
        }
        let doc = doc.clone().ok_or_else(|| wrong("stands before the first `Patient .. Note ..`"))?;
        let numbers: Vec<u32> = line.split_whitespace().map_while(|number| number.parse().ok()).collect();
        let [_, start, end] = numbers[..] else { return Err(wrong("is not `start start end`")) };
        if start >= end {
            return Err(wrong("the span is empty"));
        }
        places.entry(doc).or_default().push((start, end));
    }
    Ok(places)
}

/// Reads the types by span. A line end inside a phrase is written unchanged or as a space, so a phrase may extend over
/// several lines: it is taken from its note, compared, and skipped as a whole.
fn read_phrases(file: &Path, notes: &BTreeMap<String, String>) -> Result<BTreeMap<String, BTreeMap<Place, String>>> {
    static HEAD: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\A(\w+) (\w+) (\d+) (\d+) (\w+) ").expect("a valid expression"));
    let source = read_text(file)?;
    let notes: BTreeMap<&str, Vec<char>> =
        notes.iter().map(|(doc, text)| (doc.as_str(), text.chars().collect())).collect();
    let mut types: BTreeMap<String, BTreeMap<Place, String>> = BTreeMap::new();
    let mut rest = source.as_str();
    loop {
        rest = rest.trim_start_matches(['\n', '\r']);
        if rest.is_empty() {
            return Ok(types);
        }
        let wrong = |problem: &str| broken_line(file, line_of_offset(&source, source.len() - rest.len()), problem);
        let head = HEAD.captures(rest).ok_or_else(|| wrong("is not `patient note start end type phrase`"))?;
        let doc = format!("{}-{}", &head[1], &head[2]);
        let (Ok(start), Ok(end)) = (head[3].parse::<u32>(), head[4].parse::<u32>()) else {
            return Err(wrong("an offset is too large"));
        };
        let note = notes.get(doc.as_str()).ok_or_else(|| wrong("there is no such note"))?;
        let phrase = (start < end).then(|| slice_code_points(note, start, end)).flatten();
        let phrase = phrase.ok_or_else(|| wrong("the span does not lie in its note"))?;
        let after = skip_phrase(&rest[head[0].len()..], &phrase);
        let after = after.ok_or_else(|| wrong("the phrase is not what stands in its note"))?;
        types.entry(doc).or_default().insert((start, end), head[5].to_owned());
        rest = after;
    }
}

/// Returns the rest of a text after a phrase, or `None` if the text does not begin with it.
fn skip_phrase<'a>(text: &'a str, phrase: &str) -> Option<&'a str> {
    let mut written = text.chars();
    for expected in phrase.chars() {
        let found = written.next()?;
        if found != expected && !(found == ' ' && is_line_end(expected)) {
            return None;
        }
    }
    Some(written.as_str())
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// Returns the patient and note numbers of a document: its own if it is named like `1-2`, otherwise a separate patient.
fn patient_and_note_numbers(doc: &str, at: usize) -> (String, String) {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match doc.split_once('-') {
        Some((patient, note)) if number(patient) && number(note) => (patient.to_owned(), note.to_owned()),
        _ => ((at + 1).to_string(), "1".to_owned()),
    }
}

fn target_file(path: &Path) -> PathBuf {
    if path.extension().is_some() { path.to_owned() } else { path.join("gold.phi") }
}

pub(super) fn write(gold: &Gold, path: &Path) -> Result<&'static [&'static str]> {
    let path = target_file(path);
    let labels = LabelMap::from_name("physionet");
    let (mut texts, mut phi, mut phrases) = (String::new(), String::new(), String::new());
    // Keep the documents' own numbers only if all have some; otherwise two documents could get the same.
    let numbered =
        gold.notes.keys().all(|doc| patient_and_note_numbers(doc, usize::MAX - 1) == patient_and_note_numbers(doc, 0));
    for (at, (doc, text)) in gold.notes.iter().enumerate() {
        if text.contains(END) || text.starts_with(&END[1..]) {
            return Err(broken_line(&path, 0, format!("`{doc}` holds the mark that ends a record")));
        }
        let (patient, note) =
            if numbered { patient_and_note_numbers(doc, at) } else { ((at + 1).to_string(), "1".to_owned()) };
        write!(texts, "\nSTART_OF_RECORD={patient}||||{note}||||\n{text}{END}\n").expect("a string takes all");
        write!(phi, "\nPatient {patient}\tNote {note}\n").expect("a string takes all");
        let characters: Vec<char> = text.chars().collect();
        for span in gold.spans.get(doc).into_iter().flatten() {
            let kind = labels.to_label(&span.category, &span.subtype);
            let (start, end) = (span.start, span.end);
            // One span per line, as in the original program.
            let phrase = slice_code_points(&characters, start, end).unwrap_or_default().replace(is_line_end, " ");
            writeln!(phi, "{start}\t{start}\t{end}").expect("a string takes all");
            writeln!(phrases, "{patient} {note} {start} {end} {kind} {phrase}").expect("a string takes all");
        }
    }
    write_text(&path.with_extension("text"), &texts)?;
    write_text(&path.with_extension("phi"), &phi)?;
    write_text(&path.with_extension("phrase"), &phrases)?;
    Ok(&[
        "document names that are not `patient-note` numbers",
        "subtypes beyond the ten types of the scheme",
        "noise and clean",
    ])
}
