//! `notes/*.txt` and `gold.csv` with the columns `doc,start,end,category,subtype,hipaa` (RFC 4180).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::jsonl::{Placed, join};
use crate::error::Result;
use crate::gold::{Gold, GoldSpan, broken, read_text, write_text};
use crate::scheme;

/// The rows of a CSV text with the line on which each begins; nothing where a quote stays open.
fn rows(text: &str) -> Option<Vec<(u64, Vec<String>)>> {
    let mut rows = Vec::new();
    let (mut row, mut field) = (Vec::new(), String::new());
    let (mut quoted, mut line, mut begun) = (false, 1, 1);
    let mut characters = text.trim_start_matches('\u{FEFF}').chars().peekable();
    while let Some(c) = characters.next() {
        line += u64::from(c == '\n');
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => field.extend(characters.next()),
            '"' if quoted => quoted = false,
            _ if quoted => field.push(c),
            '"' if field.is_empty() => quoted = true,
            ',' => row.push(std::mem::take(&mut field)),
            '\r' if characters.peek() == Some(&'\n') => {}
            '\n' => {
                row.push(std::mem::take(&mut field));
                rows.push((begun, std::mem::take(&mut row)));
                begun = line;
            }
            _ => field.push(c),
        }
    }
    if !field.is_empty() || !row.is_empty() {
        row.push(field);
        rows.push((begun, row));
    }
    rows.retain(|(_, row)| row.iter().any(|field| !field.is_empty()));
    (!quoted).then_some(rows)
}

pub(super) fn read(path: &Path, gold: &mut Gold) -> Result<()> {
    let file = if path.is_dir() { path.join("gold.csv") } else { path.to_owned() };
    let rows = rows(&read_text(&file)?).ok_or_else(|| broken(&file, 0, "a quote is not closed"))?;
    let mut rows = rows.into_iter();
    let header = rows.next().map(|(_, row)| row).unwrap_or_default();
    let column = |name: &str| header.iter().position(|have| have.trim() == name);
    let needed = |name: &str| column(name).ok_or_else(|| broken(&file, 1, format!("has no column `{name}`")));
    let (doc, start, end, category) = (needed("doc")?, needed("start")?, needed("end")?, needed("category")?);
    let (subtype, hipaa, text) = (column("subtype"), column("hipaa"), column("text"));
    let mut placed: BTreeMap<String, Vec<Placed>> = BTreeMap::new();
    for (line, row) in rows {
        let field = |at: usize| row.get(at).map(String::as_str).unwrap_or_default();
        let offset = |at: usize, name: &str| {
            field(at).trim().parse::<u32>().map_err(|_| broken(&file, line, format!("`{name}` is no number")))
        };
        let name = scheme::join(field(category), subtype.map(field).unwrap_or_default());
        if name.is_empty() {
            return Err(broken(&file, line, "has no category"));
        }
        let mut span = GoldSpan::new(offset(start, "start")?, offset(end, "end")?, &name);
        match hipaa.map(|at| field(at).trim().to_lowercase()).as_deref() {
            None | Some("") => {}
            Some("true" | "1" | "yes") => span.required = true,
            Some("false" | "0" | "no") => span.required = false,
            Some(_) => return Err(broken(&file, line, "`hipaa` is neither true nor false")),
        }
        let text = text.map(|at| field(at).to_owned());
        placed.entry(field(doc).to_owned()).or_default().push(Placed { line, text, span });
    }
    join(&file, placed, gold)
}

fn quote(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

pub(super) fn write(gold: &Gold, folder: &Path) -> Result<&'static [&'static str]> {
    let mut lines = "doc,start,end,category,subtype,hipaa\n".to_owned();
    for (doc, text) in &gold.notes {
        write_text(&folder.join("notes").join(format!("{doc}.txt")), text)?;
        for span in gold.spans.get(doc).into_iter().flatten() {
            let (doc, category, subtype) = (quote(doc), quote(&span.category), quote(&span.subtype));
            writeln!(lines, "{doc},{},{},{category},{subtype},{}", span.start, span.end, span.required)
                .expect("a string takes every line");
        }
    }
    write_text(&folder.join("gold.csv"), &lines)?;
    Ok(&["noise and clean (the damage of deliberately damaged spans)"])
}

#[cfg(test)]
mod tests {
    #[test]
    fn reads_quotes_and_line_ends() {
        let rows = super::rows("a,b\r\n\"x, \"\"y\"\"\nz\",1\n\nlast,").unwrap();
        let expected: [(u64, [&str; 2]); 3] = [(1, ["a", "b"]), (2, ["x, \"y\"\nz", "1"]), (5, ["last", ""])];
        assert_eq!(rows.len(), expected.len());
        for ((line, row), (expected_line, fields)) in rows.iter().zip(expected) {
            assert_eq!((*line, row.as_slice()), (expected_line, fields.map(str::to_owned).as_slice()));
        }
        assert!(super::rows("a,\"b").is_none());
    }
}
