//! Files of marked notes: `=== ID | genre | country`, optionally with ` | author=NAME`, then text with marks
//! `[[TYPE:text]]`.

use std::collections::HashMap;
use std::path::Path;

use notesieve::names::GoldLabel;
use notesieve::text::span::Span;
use regex::Regex;

/// A note with the spans and types of its marks.
#[derive(Clone, Debug, Default)]
pub struct Note {
    pub text: String,
    pub marks: Vec<(Span, String)>,
    pub genre: String,
    pub author: Option<String>,
}

impl Note {
    /// Creates a note without marks.
    pub fn new(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// Returns the training label of each mark.
    pub fn gold(&self) -> Vec<(Span, GoldLabel)> {
        self.marks.iter().map(|(span, kind)| (*span, gold_of_kind(kind))).collect()
    }
}

fn gold_of_kind(kind: &str) -> GoldLabel {
    match kind.split('/').next().unwrap_or_default() {
        "NAME" => GoldLabel::Name,
        "LOC" => GoldLabel::Place,
        "DATE" => GoldLabel::Date,
        kind if kind.starts_with('?') => GoldLabel::Ignored,
        _ => GoldLabel::Other,
    }
}

/// Reads the notes of a batch, or of a folder with a gold standard.
pub fn read_notes(path: &Path) -> std::io::Result<Vec<Note>> {
    if path.is_dir() {
        return read_gold(path);
    }
    let text = std::fs::read_to_string(path)?;
    let mark = Regex::new(r"(?s)\[\[(\??[A-Z]+(?:/[A-Z]+)?):(.*?)\]\]").expect("a pattern");
    let head = Regex::new(r"(?m)^=== (.*)\n").expect("a pattern");
    let bodies = head.split(&text).skip(1);
    let read = head.captures_iter(&text).zip(bodies).map(|(head, body)| {
        let note = parse_note(&mark, body.trim_matches('\n'));
        let mut fields = head[1].split('|').map(str::trim).skip(1);
        let genre = fields.next().unwrap_or_default().to_owned();
        let author = fields.find_map(|field| field.strip_prefix("author=")).map(str::to_owned);
        Note { genre, author, ..note }
    });
    Ok(read.collect())
}

/// Groups notes by author or genre instead of by file; those without it in their header stay with those of their file.
pub fn group_by_head(batches: &[(String, Vec<Note>)], by: &str) -> Result<Vec<(String, Vec<Note>)>, String> {
    let mut groups: std::collections::BTreeMap<String, Vec<Note>> = std::collections::BTreeMap::new();
    for (name, notes) in batches {
        for note in notes {
            let group = match by {
                "author" => note.author.clone(),
                "genre" => Some(note.genre.clone()),
                _ => return Err("--by: author or genre".to_owned()),
            };
            groups.entry(group.unwrap_or_else(|| name.clone())).or_default().push(note.clone());
        }
    }
    Ok(groups.into_iter().collect())
}

/// Reads `notes/*.txt`, and `gold.jsonl` with one mark per line, in code points.
fn read_gold(folder: &Path) -> std::io::Result<Vec<Note>> {
    let mut marks: HashMap<String, Vec<serde_json::Value>> = HashMap::new();
    for line in std::fs::read_to_string(folder.join("gold.jsonl"))?.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        marks.entry(row["doc"].as_str().unwrap_or_default().to_owned()).or_default().push(row);
    }
    let mut paths: Vec<_> =
        std::fs::read_dir(folder.join("notes"))?.map(|file| Ok(file?.path())).collect::<Result<_, std::io::Error>>()?;
    paths.sort();
    let one = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path)?;
        let mut bytes: Vec<u32> = text.char_indices().map(|(at, _)| at as u32).collect();
        bytes.push(text.len() as u32);
        let byte =
            |point: &serde_json::Value| bytes[(point.as_u64().unwrap_or_default() as usize).min(bytes.len() - 1)];
        let rows = path.file_stem().and_then(|name| marks.get(name.to_str()?)).map_or(&[][..], Vec::as_slice);
        let marks = rows.iter().map(|row| {
            let kind = match row["category"].as_str().unwrap_or_default() {
                "LOCATION" => "LOC",
                kind => kind,
            };
            let optional = if row["hipaa"] == false { "?" } else { "" };
            (Span::new(byte(&row["start"]), byte(&row["end"])), format!("{optional}{kind}"))
        });
        Ok(Note { marks: marks.collect(), ..Note::new(text) })
    };
    paths.iter().map(one).collect()
}

fn parse_note(mark: &Regex, body: &str) -> Note {
    let mut note = Note::default();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_name_genre_and_author() {
        let path = std::env::temp_dir().join("notesieve-learn-heads.txt");
        std::fs::write(&path, "=== a-1 | letter | UK | author=pell\nSeen.\n\n=== a-2 | letter | UK\nWell.\n").unwrap();
        let batch = vec![("A".to_owned(), read_notes(&path).unwrap())];
        std::fs::remove_file(&path).unwrap();
        let groups = |by| group_by_head(&batch, by).unwrap().into_iter().map(|(name, notes)| (name, notes.len()));
        assert_eq!(groups("author").collect::<Vec<_>>(), [("A".to_owned(), 1), ("pell".to_owned(), 1)]);
        assert_eq!(groups("genre").collect::<Vec<_>>(), [("letter".to_owned(), 2)]);
        assert!(group_by_head(&batch, "ward").is_err());
    }
}
