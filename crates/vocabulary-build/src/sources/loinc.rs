//! LOINC: the table `Loinc.csv` of a release.

use std::path::Path;

use serde::Deserialize;

use super::csv::CsvTable;
use super::open::find;
use super::{Each, OnUnreadable, Sink, Summary, not_of_format};
use crate::term::{Concept, TermKind};
use notesieve_text::error::Result;

/// The CURIE prefix.
pub const SYSTEM: &str = "loinc";

/// Options for reading LOINC.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Values of STATUS to read; empty for all.
    pub statuses: Vec<String>,
    /// How to handle unreadable rows.
    pub damage: OnUnreadable,
}

impl Default for Options {
    /// Reads codes in use.
    fn default() -> Self {
        Self { statuses: ["ACTIVE", "TRIAL"].map(str::to_owned).to_vec(), damage: OnUnreadable::Count }
    }
}

/// The columns with names that people use. SHORTNAME is for machines, and hundreds of codes share a COMPONENT, so
/// neither is read.
const NAMES: &[&str] = &["LONG_COMMON_NAME", "DisplayName", "CONSUMER_NAME"];

/// Reads `Loinc.csv`, or a release folder that contains it.
pub fn read(path: &Path, options: &Options, each: Each<'_>) -> Result<Summary> {
    let file = if path.is_dir() {
        find(path, "Loinc.csv").or_else(|| find(&path.join("LoincTable"), "Loinc.csv"))
    } else {
        Some(path.to_owned())
    };
    let file = file.ok_or_else(|| not_of_format(path, 0, "no Loinc.csv in this folder"))?;
    let mut sink = Sink::new(each, options.damage);
    let mut table = CsvTable::open(&file, ',', &mut sink)?;
    let code = table.column("LOINC_NUM")?;
    let status = table.column("STATUS")?;
    let class = table.column("CLASS")?;
    table.column(NAMES[0])?;
    // Later releases added the two other columns.
    let names: Vec<usize> = NAMES.iter().filter_map(|name| table.optional_column(name)).collect();
    while table.next_row(&mut sink)? {
        let mut terms: Vec<&str> =
            names.iter().map(|&name| table.field(name)).filter(|name| !name.is_empty()).collect();
        terms.dedup();
        let count = terms.len() as u64;
        sink.summary.read += count.max(1);
        if !is_code(table.field(code)) {
            sink.record_problem(&file, table.line(), "no code of the form 1234-5 in LOINC_NUM")?;
        } else if terms.is_empty() {
            sink.record_problem(&file, table.line(), "a code without a name")?;
        } else if !options.statuses.is_empty() && !options.statuses.iter().any(|one| one == table.field(status)) {
            sink.count_many_dropped("status", count);
        } else {
            for (at, text) in terms.iter().enumerate() {
                let kind = if at == 0 { TermKind::Preferred } else { TermKind::Synonym };
                sink.emit_term(SYSTEM, table.field(code), text, kind)?;
            }
            sink.emit_concept(Concept {
                code: table.field(code).to_owned(),
                system: SYSTEM.to_owned(),
                preferred: terms[0].to_owned(),
                types: vec![table.field(class).to_owned()],
                ..Concept::default()
            })?;
        }
    }
    sink.finish(&file, "LOINC")
}

fn is_code(code: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    code.rsplit_once('-').is_some_and(|(number, check)| {
        digits(number.strip_prefix("LP").or(number.strip_prefix("LA")).unwrap_or(number)) && digits(check)
    })
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::super::fixture::{TemporaryFile, read as read_fixture, try_read};
    use super::*;

    #[test]
    fn names_classes_and_statuses() {
        let records = read_fixture(&Source::Loinc(Options::default()), "loinc/Loinc.csv");
        let expect =
            ["Marsh antigen [Mass/volume] in Serum, \"total\"", "Marsh Ag (S) [Mass/Vol]", "Marsh antigen, Blood"];
        assert_eq!(records.terms_of("99901-1"), expect);
        assert_eq!(records.concept("99901-1").types, ["CHEM"]);
        assert_eq!(records.summary.dropped["status"], 1);
        assert_eq!(records.summary.unreadable, 1);
        assert_eq!(records.summary.problems[0].line, 4);
        let all = Options { statuses: Vec::new(), ..Options::default() };
        assert_eq!(read_fixture(&Source::Loinc(all), "loinc").concepts.len(), 2);
    }

    #[test]
    fn a_table_without_the_columns_is_an_error_that_names_the_column() {
        let file = TemporaryFile::new("other.csv", b"CODE,NAME\n1,2\n");
        let error = try_read(&Source::Loinc(Options::default()), &file.0).expect_err("foreign").to_string();
        assert!(error.contains("LOINC_NUM"), "{error}");
    }
}
