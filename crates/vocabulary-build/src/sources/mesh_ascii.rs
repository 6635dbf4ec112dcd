//! MeSH in NLM's ASCII format: `KEY = value` lines, a record from `*NEWRECORD` to the next.

use std::path::Path;

use super::mesh_record::{Entry, Heading, Mesh};
use super::open::Lines;
use notesieve_text::error::Result;

/// Reads `d20XX.bin` or `c20XX.bin`; qualifiers (`q20XX.bin`) are no concepts and are left out.
pub(super) fn read(path: &Path, mesh: &mut Mesh<'_>) -> Result<()> {
    let mut lines = Lines::open(path)?;
    let mut record: Option<Record> = None;
    while let Some((number, line)) = lines.next(&mut mesh.sink)? {
        let line = line.trim_end();
        if line == "*NEWRECORD" {
            let began = Record { began: number, ..Record::default() };
            if let Some(done) = record.replace(began) {
                done.finish(path, mesh)?;
            }
        } else if !line.is_empty() {
            let field = line.split_once(" = ");
            match (&mut record, field) {
                (Some(record), Some((key, value))) => record.field(key, value),
                // Some fields may be empty: `AN =`.
                (Some(_), None) if line.ends_with(" =") => {}
                _ => {
                    mesh.sink.problem(path, number, "neither a field `KEY = value` nor `*NEWRECORD`")?;
                }
            }
        }
    }
    record.map_or(Ok(()), |record| record.finish(path, mesh))
}

#[derive(Default)]
struct Record {
    began: u64,
    qualifier: bool,
    heading: Heading,
}

impl Record {
    fn field(&mut self, key: &str, value: &str) {
        let heading = &mut self.heading;
        match key {
            "RECTYPE" => {
                self.qualifier = value == "Q";
                heading.supplementary = value == "C";
            }
            "UI" => value.clone_into(&mut heading.code),
            "MH" | "NM" => {
                value.clone_into(&mut heading.name);
                heading.entries.insert(0, Entry { text: value.to_owned(), permuted: false, preferred: true });
            }
            "ENTRY" | "PRINT ENTRY" | "SY" => {
                // A term of its own has subfields (semantic types, lexical tag, thesaurus); a permuted one has none.
                let (text, permuted) = match value.split_once('|') {
                    Some((text, _)) => (text, false),
                    None => (value, key != "SY"),
                };
                heading.entries.push(Entry { text: text.to_owned(), permuted, preferred: false });
            }
            "MN" => heading.trees.push(value.to_owned()),
            "RN" => heading.registry_numbers.push(value.to_owned()),
            _ => {}
        }
    }

    fn finish(self, path: &Path, mesh: &mut Mesh<'_>) -> Result<()> {
        if self.qualifier {
            mesh.sink.summary.read += 1;
            mesh.sink.dropped("qualifier record");
            return Ok(());
        }
        mesh.heading(path, self.began, self.heading)
    }
}
