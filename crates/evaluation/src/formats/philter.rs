//! Philter's folders: `notes/NAME.txt` and `anno/NAME.txt`, the same text with every letter and digit of PHI as `*`.

use std::path::Path;

use super::read_notes;
use crate::error::Result;
use crate::gold::{Gold, GoldSpan, broken_line, read_text, write_text};
use crate::tokens::is_alphanumeric;

pub(super) fn read(path: &Path, gold: &mut Gold) -> Result<()> {
    for (doc, text) in read_notes(&path.join("notes"), gold)? {
        let file = path.join("anno").join(format!("{doc}.txt"));
        match read_text(&file).and_then(|masked| spans_of_asterisks(&file, &text, &masked)) {
            Ok(spans) => gold.add(&file, doc, text, spans),
            Err(error) => gold.record_problem(error),
        }
    }
    Ok(())
}

/// Returns a span for each run of characters masked by asterisks. The format has no categories.
fn spans_of_asterisks(file: &Path, text: &str, masked: &str) -> Result<Vec<GoldSpan>> {
    let (text, masked): (Vec<char>, Vec<char>) = (text.chars().collect(), masked.chars().collect());
    let same = text.iter().zip(&masked).take_while(|(a, b)| a == b || **b == '*').count();
    if same < text.len() || text.len() != masked.len() {
        let line = masked[..same.min(masked.len())].iter().filter(|&&c| c == '\n').count() as u64 + 1;
        return Err(broken_line(file, line, "is not its note with asterisks"));
    }
    let mut spans: Vec<GoldSpan> = Vec::new();
    for at in (0..text.len()).filter(|&at| masked[at] == '*' && text[at] != '*') {
        match spans.last_mut() {
            Some(last) if last.end as usize == at => last.end += 1,
            _ => spans.push(GoldSpan::new(at as u32, at as u32 + 1, "PHI")),
        }
    }
    Ok(spans)
}

pub(super) fn write(gold: &Gold, folder: &Path) -> Result<&'static [&'static str]> {
    for (doc, text) in &gold.notes {
        let mut masked: Vec<char> = text.chars().collect();
        for span in gold.spans.get(doc).into_iter().flatten().filter(|span| span.required) {
            for c in &mut masked[span.start as usize..span.end as usize] {
                if is_alphanumeric(*c) {
                    *c = '*';
                }
            }
        }
        write_text(&folder.join("notes").join(format!("{doc}.txt")), text)?;
        write_text(&folder.join("anno").join(format!("{doc}.txt")), &masked.into_iter().collect::<String>())?;
    }
    Ok(&[
        "categories and subtypes",
        "spans that may stay",
        "spans are cut at spaces and punctuation",
        "noise and clean",
    ])
}
