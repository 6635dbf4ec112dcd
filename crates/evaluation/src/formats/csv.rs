//! `notes/*.txt` and `gold.csv` with the columns `doc,start,end,category,subtype,hipaa` (RFC 4180).

use std::collections::BTreeMap;
use std::path::Path;

use ::csv::{ReaderBuilder, StringRecord, Writer};

use super::jsonl::{Placed, join_notes_and_spans};
use crate::error::Result;
use crate::gold::{Gold, GoldSpan, broken_line, read_text, write_text};
use crate::label_map;

/// A row appended to the text. If it becomes part of another row, a quote was not closed.
const END: &str = "\0";

/// Returns the rows of a CSV text with the line number of each; `None` if a quote is not closed.
fn parse_rows(text: &str) -> Option<Vec<(u64, StringRecord)>> {
    let text = format!("{}\n{END}", text.trim_start_matches('\u{FEFF}'));
    let mut reader = ReaderBuilder::new().flexible(true).has_headers(false).from_reader(text.as_bytes());
    let (mut rows, mut line, mut at) = (Vec::new(), 1, 0);
    for row in reader.records() {
        let row = row.ok()?;
        // The reader's own line count is behind if lines end with \r\n, and after empty lines.
        let begin = usize::try_from(row.position()?.byte()).ok()?;
        let begin = begin + text[begin..].bytes().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        line += text[at..begin].bytes().filter(|&byte| byte == b'\n').count() as u64;
        at = begin;
        rows.push((line, row));
    }
    rows.pop().filter(|(_, last)| last == [END].as_slice())?;
    rows.retain(|(_, row)| row.iter().any(|field| !field.is_empty()));
    Some(rows)
}

pub(super) fn read(path: &Path, gold: &mut Gold) -> Result<()> {
    let file = if path.is_dir() { path.join("gold.csv") } else { path.to_owned() };
    let rows = parse_rows(&read_text(&file)?).ok_or_else(|| broken_line(&file, 0, "a quote is not closed"))?;
    let mut rows = rows.into_iter();
    let header = rows.next().map(|(_, row)| row).unwrap_or_default();
    let column = |name: &str| header.iter().position(|have| have.trim() == name);
    let needed = |name: &str| column(name).ok_or_else(|| broken_line(&file, 1, format!("has no column `{name}`")));
    let (doc, start, end, category) = (needed("doc")?, needed("start")?, needed("end")?, needed("category")?);
    let (subtype, hipaa, text) = (column("subtype"), column("hipaa"), column("text"));
    let mut placed: BTreeMap<String, Vec<Placed>> = BTreeMap::new();
    for (line, row) in rows {
        let field = |at: usize| row.get(at).unwrap_or_default();
        let offset = |at: usize, name: &str| {
            field(at).trim().parse::<u32>().map_err(|_| broken_line(&file, line, format!("`{name}` is no number")))
        };
        let name = label_map::join_category(field(category), subtype.map(field).unwrap_or_default());
        if name.is_empty() {
            return Err(broken_line(&file, line, "has no category"));
        }
        let mut span = GoldSpan::new(offset(start, "start")?, offset(end, "end")?, &name);
        match hipaa.map(|at| field(at).trim().to_lowercase()).as_deref() {
            None | Some("") => {}
            Some("true" | "1" | "yes") => span.required = true,
            Some("false" | "0" | "no") => span.required = false,
            Some(_) => return Err(broken_line(&file, line, "`hipaa` is neither true nor false")),
        }
        let text = text.map(|at| field(at).to_owned());
        placed.entry(field(doc).to_owned()).or_default().push(Placed { line, text, span });
    }
    join_notes_and_spans(&file, placed, gold)
}

pub(super) fn write(gold: &Gold, folder: &Path) -> Result<&'static [&'static str]> {
    let file = folder.join("gold.csv");
    let mut rows = vec![["doc", "start", "end", "category", "subtype", "hipaa"].map(str::to_owned)];
    for (doc, text) in &gold.notes {
        write_text(&folder.join("notes").join(format!("{doc}.txt")), text)?;
        rows.extend(gold.spans.get(doc).into_iter().flatten().map(|span| {
            let GoldSpan { start, end, category, subtype, required, .. } = span;
            [doc.clone(), start.to_string(), end.to_string(), category.clone(), subtype.clone(), required.to_string()]
        }));
    }
    let mut writer = Writer::from_writer(Vec::new());
    let written = rows.iter().try_for_each(|row| writer.write_record(row));
    let lines = written.ok().and_then(|()| String::from_utf8(writer.into_inner().ok()?).ok());
    write_text(&file, &lines.expect("memory takes every row"))?;
    Ok(&["noise and clean (the damage of deliberately damaged spans)"])
}

#[cfg(test)]
mod tests {
    #[test]
    fn reads_quotes_and_line_ends() {
        let rows = super::parse_rows("a,b\r\n\"x, \"\"y\"\"\nz\",1\n\nlast,").unwrap();
        let expected: [(u64, [&str; 2]); 3] = [(1, ["a", "b"]), (2, ["x, \"y\"\nz", "1"]), (5, ["last", ""])];
        assert_eq!(rows.len(), expected.len());
        for ((line, row), (expected_line, fields)) in rows.iter().zip(expected) {
            assert_eq!((*line, row.iter().collect::<Vec<_>>()), (expected_line, fields.to_vec()));
        }
        assert!(super::parse_rows("a,\"b").is_none());
    }
}
