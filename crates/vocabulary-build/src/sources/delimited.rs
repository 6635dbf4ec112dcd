//! Delimited text with named columns: comma, tab, semicolon or vertical bar, with a header.

use std::path::Path;

use serde::Deserialize;

use super::csv::CsvTable;
use super::{Each, OnUnreadable, Sink, Summary, curie, not_of_format};
use crate::term::{Concept, TermKind};
use notesieve_text::error::Result;

/// The columns to read. A column that is named must exist.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The delimiter; `None` selects a tab if the header contains one, otherwise a comma.
    pub delimiter: Option<char>,
    /// The column of the term.
    pub term: String,
    /// The column of the code: within `system`, or a CURIE if there is no `system`.
    pub code: String,
    /// The system of all codes.
    pub system: Option<String>,
    /// The column of synonyms, separated by `separator`.
    pub synonyms: Option<String>,
    /// The column of the preferred name. If `None`, the first term of a code is preferred.
    pub preferred: Option<String>,
    /// The column of semantic types, separated by `separator`.
    pub types: Option<String>,
    /// The column of broader codes, separated by `separator`.
    pub parents: Option<String>,
    /// The column of CURIEs in other systems, separated by `separator`.
    pub same_as: Option<String>,
    /// The separator of several values in one field.
    pub separator: char,
    /// How to handle unreadable rows.
    pub damage: OnUnreadable,
}

impl Default for Options {
    /// The columns `code` and `term`; codes are CURIEs; several values are separated by `|`.
    fn default() -> Self {
        Self {
            delimiter: None,
            term: "term".to_owned(),
            code: "code".to_owned(),
            system: None,
            synonyms: None,
            preferred: None,
            types: None,
            parents: None,
            same_as: None,
            separator: '|',
            damage: OnUnreadable::Count,
        }
    }
}

/// Reads a table. Consecutive rows of one code make one concept.
pub fn read(path: &Path, options: &Options, each: Each<'_>) -> Result<Summary> {
    let mut sink = Sink::new(each, options.damage);
    let delimiter = options.delimiter.map_or_else(|| guess_delimiter(path, &mut sink), Ok)?;
    let mut table = CsvTable::open(path, delimiter, &mut sink)?;
    let columns = Columns::of(&table, options)?;
    let mut open: Option<Concept> = None;
    while table.next_row(&mut sink)? {
        let names: Vec<String> = columns.values(&table, columns.synonyms).collect();
        sink.summary.read += 1 + names.len() as u64;
        let field = table.field(columns.code);
        let identified = match &options.system {
            Some(system) => Some((system.clone(), field)),
            None => curie::split_curie(field),
        };
        let Some((system, code)) = identified.filter(|(_, code)| !code.is_empty()) else {
            sink.record_problem(path, table.line(), "no code, or no `prefix:code` where no system is given")?;
            continue;
        };
        let text = table.field(columns.term);
        if text.is_empty() {
            sink.record_problem(path, table.line(), "a row without a term")?;
            continue;
        }
        let known = open.as_ref().is_some_and(|concept| concept.code == code && concept.system == system);
        if !known && let Some(done) = open.replace(columns.concept(&table, &system, code)) {
            sink.emit_concept(done)?;
        }
        if let Some(concept) = &mut open {
            columns.add_row_to_concept(&table, concept);
            let first = concept.preferred == text;
            sink.emit_term(&system, code, text, if first { TermKind::Preferred } else { TermKind::Synonym })?;
        }
        for name in &names {
            sink.emit_term(&system, code, name, TermKind::Synonym)?;
        }
    }
    if let Some(done) = open {
        sink.emit_concept(done)?;
    }
    sink.finish(path, "a table of codes and terms")
}

/// The indices of the columns in a table.
struct Columns {
    term: usize,
    code: usize,
    synonyms: Option<usize>,
    preferred: Option<usize>,
    types: Option<usize>,
    parents: Option<usize>,
    same_as: Option<usize>,
    separator: char,
}

impl Columns {
    fn of(table: &CsvTable, options: &Options) -> Result<Self> {
        let column = |name: &Option<String>| name.as_ref().map(|name| table.column(name)).transpose();
        Ok(Self {
            term: table.column(&options.term)?,
            code: table.column(&options.code)?,
            synonyms: column(&options.synonyms)?,
            preferred: column(&options.preferred)?,
            types: column(&options.types)?,
            parents: column(&options.parents)?,
            same_as: column(&options.same_as)?,
            separator: options.separator,
        })
    }

    /// Returns the values of a field in the current row.
    fn values(&self, table: &CsvTable, column: Option<usize>) -> impl Iterator<Item = String> {
        let field = column.map_or("", |column| table.field(column));
        field.split(self.separator).map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned)
    }

    /// Returns the concept of the current row, with only its name.
    fn concept(&self, table: &CsvTable, system: &str, code: &str) -> Concept {
        let text = table.field(self.term);
        let name = self.preferred.map_or(text, |column| table.field(column));
        Concept {
            code: code.to_owned(),
            system: system.to_owned(),
            preferred: if name.is_empty() { text } else { name }.to_owned(),
            ..Concept::default()
        }
    }

    /// Adds the types, parents and cross-references of the current row to a concept.
    fn add_row_to_concept(&self, table: &CsvTable, concept: &mut Concept) {
        let system = &concept.system;
        let in_system = |value: String| {
            if value.contains(':') {
                curie::normalize_curie(&value).unwrap_or(value)
            } else {
                format!("{system}:{value}")
            }
        };
        extend_distinct(&mut concept.types, self.values(table, self.types));
        extend_distinct(&mut concept.parents, self.values(table, self.parents).map(in_system));
        let same = self.values(table, self.same_as).filter_map(|value| curie::normalize_curie(&value));
        extend_distinct(&mut concept.same_as, same);
    }
}

fn extend_distinct(list: &mut Vec<String>, values: impl Iterator<Item = String>) {
    for value in values {
        if !list.contains(&value) {
            list.push(value);
        }
    }
}

fn guess_delimiter(path: &Path, sink: &mut Sink<'_>) -> Result<char> {
    let mut lines = super::open::Lines::open(path)?;
    let (_, header) = lines.next(sink)?.ok_or_else(|| not_of_format(path, 1, "no header"))?;
    Ok(if header.contains('\t') { '\t' } else { ',' })
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::super::fixture::{TemporaryFile, read as read_fixture, try_read};
    use super::*;

    fn columns() -> Options {
        let named = |name: &str| Some(name.to_owned());
        Options {
            term: "Name".to_owned(),
            code: "Id".to_owned(),
            system: named("local"),
            synonyms: named("Also"),
            types: named("Kind"),
            parents: named("Above"),
            same_as: named("Same"),
            ..Options::default()
        }
    }

    #[test]
    fn named_columns_of_tab_separated_text() {
        let records = read_fixture(&Source::Delimited(columns()), "table.tsv");
        assert_eq!(records.terms_of("1"), ["marsh fever", "ague", "fen fever", "paludal fever"]);
        let fever = records.concept("1");
        assert_eq!(fever.types, ["disease", "fever"]);
        assert_eq!(fever.parents, ["local:2", "mesh:D990001"]);
        assert_eq!(fever.same_as, ["mesh:D990002"]);
        let lines: Vec<u64> = records.summary.problems.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [5, 6]);
    }

    #[test]
    fn codes_are_curies_where_no_system_is_given() {
        let file = TemporaryFile::new("curies.csv", b"code,term\nMESH:D990002,\"Fever, Marsh\"\nD990003,lost\n");
        let records = try_read(&Source::Delimited(Options::default()), &file.0).expect("readable");
        assert_eq!(records.terms[0].system, "mesh");
        assert_eq!(records.summary.unreadable, 1);
    }

    #[test]
    fn a_column_that_is_not_there_is_an_error_that_names_it() {
        let file = TemporaryFile::new("columns.csv", b"Id,Name\n1,x\n");
        let error = try_read(&Source::Delimited(columns()), &file.0).expect_err("no column").to_string();
        assert!(error.contains("no column Also"), "{error}");
    }
}
