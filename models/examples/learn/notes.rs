//! Marked notes as files: `=== ID | genre | country`, then text with marks `[[TYPE:text]]`.

use std::path::Path;

use notesieve::judgement::Gold;
use notesieve::span::Span;
use regex::Regex;

/// A note, and the spans of its marks.
#[derive(Clone, Debug)]
pub struct Note {
    pub text: String,
    pub marks: Vec<(Span, String)>,
}

impl Note {
    /// What is learned of each mark.
    pub fn gold(&self) -> Vec<(Span, Gold)> {
        self.marks.iter().map(|(span, kind)| (*span, gold(kind))).collect()
    }
}

fn gold(kind: &str) -> Gold {
    match kind.split('/').next().unwrap_or_default() {
        "NAME" => Gold::Name,
        "LOC" => Gold::Place,
        "DATE" => Gold::Date,
        kind if kind.starts_with('?') => Gold::Either,
        _ => Gold::Other,
    }
}

/// The notes of a batch.
pub fn read(path: &Path) -> std::io::Result<Vec<Note>> {
    let text = std::fs::read_to_string(path)?;
    let mark = Regex::new(r"(?s)\[\[(\??[A-Z]+(?:/[A-Z]+)?):(.*?)\]\]").expect("a pattern");
    let head = Regex::new(r"(?m)^=== .*\n").expect("a pattern");
    let bodies = head.split(&text).skip(1);
    Ok(bodies.map(|body| parse(&mark, body.trim_matches('\n'))).collect())
}

fn parse(mark: &Regex, body: &str) -> Note {
    let mut note = Note { text: String::new(), marks: Vec::new() };
    let mut at = 0;
    for found in mark.captures_iter(body) {
        let (whole, kind, inside) = (found.get_match(), &found[1], &found[2]);
        note.text += &body[at..whole.start()];
        let start = note.text.len() as u32;
        note.text += inside;
        note.marks.push((Span::new(start, note.text.len() as u32), kind.to_owned()));
        at = whole.end();
    }
    note.text += &body[at..];
    note.text.push('\n');
    note
}
