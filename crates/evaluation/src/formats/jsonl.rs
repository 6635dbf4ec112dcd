//! The project's own format: `notes/*.txt` and `gold.jsonl`. Lossless.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::read_notes;
use crate::error::Result;
use crate::gold::{Gold, GoldSpan, broken_line, read_text, slice_code_points, write_text};

#[derive(Serialize, Deserialize)]
struct Line {
    doc: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(flatten)]
    span: GoldSpan,
}

/// A span with its origin, for messages.
pub(super) struct Placed {
    pub(super) line: u64,
    pub(super) text: Option<String>,
    pub(super) span: GoldSpan,
}

pub(super) fn read(path: &Path, gold: &mut Gold) -> Result<()> {
    let file = if path.is_dir() { path.join("gold.jsonl") } else { path.to_owned() };
    let mut placed: BTreeMap<String, Vec<Placed>> = BTreeMap::new();
    for (at, line) in read_text(&file)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = at as u64 + 1;
        // The message of serde_json may quote the text of a note.
        let line: Line = serde_json::from_str(line).map_err(|error| {
            let problem =
                format!("is no gold span (column {}): {{doc, start, end, category}} is needed", error.column());
            broken_line(&file, number, problem)
        })?;
        placed.entry(line.doc).or_default().push(Placed { line: number, text: line.text, span: line.span });
    }
    join_notes_and_spans(&file, placed, gold)
}

/// Joins notes and spans; shared with the CSV format.
pub(super) fn join_notes_and_spans(
    file: &Path,
    mut placed: BTreeMap<String, Vec<Placed>>,
    gold: &mut Gold,
) -> Result<()> {
    let folder = file.parent().unwrap_or(Path::new(".")).join("notes");
    for (doc, text) in read_notes(&folder, gold)? {
        let characters: Vec<char> = text.chars().collect();
        let spans = placed.remove(&doc).unwrap_or_default();
        let wrong = spans.iter().find_map(|Placed { line, text, span }| {
            let found = (span.start < span.end).then(|| slice_code_points(&characters, span.start, span.end)).flatten();
            match (found, text) {
                (None, _) => Some((*line, "the span does not lie in its note")),
                (Some(found), Some(text)) if found != *text => Some((*line, "the span holds another text in its note")),
                _ => None,
            }
        });
        match wrong {
            Some((line, problem)) => gold.record_problem(broken_line(file, line, problem)),
            None => gold.add(file, doc, text, spans.into_iter().map(|placed| placed.span).collect()),
        }
    }
    for (doc, spans) in placed {
        let line = spans.first().map_or(0, |placed| placed.line);
        gold.record_problem(broken_line(file, line, format!("there is no note `{doc}`")));
    }
    Ok(())
}

pub(super) fn write(gold: &Gold, folder: &Path) -> Result<&'static [&'static str]> {
    let mut lines = String::new();
    for (doc, text) in &gold.notes {
        write_text(&folder.join("notes").join(format!("{doc}.txt")), text)?;
        let characters: Vec<char> = text.chars().collect();
        for span in gold.spans.get(doc).into_iter().flatten() {
            let text = slice_code_points(&characters, span.start, span.end);
            let line = Line { doc: doc.clone(), text, span: span.clone() };
            lines += &serde_json::to_string(&line).expect("a gold span has only plain fields");
            lines.push('\n');
        }
    }
    write_text(&folder.join("gold.jsonl"), &lines)?;
    Ok(&[])
}
