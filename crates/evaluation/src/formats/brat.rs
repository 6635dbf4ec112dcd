//! BRAT stand-off: `NAME.txt` with `NAME.ann`, lines `T1<tab>NAME-PATIENT 0 11<tab>text`.
//!
//! Our subtypes follow the category after `-`; spans that may stay have the attribute `Optional`. A discontinuous span
//! becomes several spans.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use super::read_each;
use crate::error::Result;
use crate::gold::{Gold, GoldSpan, broken_line, read_text, slice_code_points, write_text};
use crate::label_map::{self, system_category};

pub(super) fn read(path: &Path, gold: &mut Gold) -> Result<()> {
    read_each(path, "ann", gold, read_pair)
}

fn read_pair(file: &Path) -> Result<(String, Vec<GoldSpan>)> {
    let text = read_text(&file.with_extension("txt"))?;
    let characters: Vec<char> = text.chars().collect();
    // (id, span): an attribute may precede its annotation.
    let mut found: Vec<(String, GoldSpan)> = Vec::new();
    let mut optional: HashMap<String, bool> = HashMap::new();
    for (at, line) in read_text(file)?.lines().enumerate() {
        let wrong = |problem: &str| broken_line(file, at as u64 + 1, problem);
        let fields: Vec<&str> = line.splitn(3, '\t').collect();
        match line.chars().next() {
            Some('T') => {
                let [id, place, covered @ ..] = &fields[..] else { return Err(wrong("has no place")) };
                let (label, places) = place.split_once(' ').ok_or_else(|| wrong("has no offsets"))?;
                let (category, subtype) = system_category(&label.replacen('-', "/", 1));
                for part in places.split(';') {
                    let numbers: Vec<u32> = part.split(' ').map_while(|number| number.parse().ok()).collect();
                    let [start, end] = numbers[..] else { return Err(wrong("an offset is no number")) };
                    let there = (start < end).then(|| slice_code_points(&characters, start, end)).flatten();
                    let there = there.ok_or_else(|| wrong("the span does not lie in its text"))?;
                    let whole = !places.contains(';');
                    if whole && covered.first().is_some_and(|covered| *covered != one_line(&there)) {
                        return Err(wrong("the span holds another text in its place"));
                    }
                    found.push((
                        (*id).to_owned(),
                        GoldSpan::new(start, end, &label_map::join_category(&category, &subtype)),
                    ));
                }
            }
            Some('A' | 'M') => {
                let words: Vec<&str> = fields.get(1).map(|rest| rest.split(' ').collect()).unwrap_or_default();
                if let ["Optional", id, value @ ..] = &words[..] {
                    optional.insert((*id).to_owned(), value != ["false"]);
                }
            }
            // Relations, events, equivalences and notes do not affect PHI spans.
            _ => {}
        }
    }
    let spans = found
        .into_iter()
        .map(|(id, span)| GoldSpan { required: optional.get(&id).map_or(span.required, |optional| !optional), ..span });
    Ok((text, spans.collect()))
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

pub(super) fn write(gold: &Gold, folder: &Path) -> Result<&'static [&'static str]> {
    for (doc, text) in &gold.notes {
        let characters: Vec<char> = text.chars().collect();
        let mut lines = String::new();
        let mut attributes = 0;
        for (at, span) in gold.spans.get(doc).into_iter().flatten().enumerate() {
            let label = label_map::join_category(&span.category, &span.subtype).replacen('/', "-", 1);
            let covered = one_line(&slice_code_points(&characters, span.start, span.end).unwrap_or_default());
            let id = at + 1;
            writeln!(lines, "T{id}\t{label} {} {}\t{covered}", span.start, span.end).expect("a string takes all");
            if span.required == label_map::is_optional(&span.category, &span.subtype) {
                attributes += 1;
                let value = if span.required { " false" } else { "" };
                writeln!(lines, "A{attributes}\tOptional T{id}{value}").expect("a string takes all");
            }
        }
        write_text(&folder.join(format!("{doc}.txt")), text)?;
        write_text(&folder.join(format!("{doc}.ann")), &lines)?;
    }
    Ok(&["noise and clean (the damage of deliberately damaged spans)"])
}
