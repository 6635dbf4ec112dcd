//! Rows of delimited text with a header, with quotes (CSV: delimiters, doubled quotes and line breaks inside them) or
//! without (RF2).

use std::path::Path;

use super::open::Lines;
use super::{Sink, not_of_format};
use notesieve_text::error::Result;

/// A table, read row by row; columns are asked for by name.
pub(super) struct Table {
    lines: Lines,
    delimiter: char,
    /// Whether fields may stand in quotes; else a quote is a character like any other.
    quotes: bool,
    header: Vec<String>,
    fields: Vec<String>,
    /// The line on which the row begins.
    line: u64,
}

impl Table {
    /// Opens a table whose fields may stand in quotes and reads its header.
    pub(super) fn open(path: &Path, delimiter: char, sink: &mut Sink<'_>) -> Result<Self> {
        Self::with_quotes(path, delimiter, true, sink)
    }

    /// Opens a table of RF2: tabs, no quotes.
    pub(super) fn open_rf2(path: &Path, sink: &mut Sink<'_>) -> Result<Self> {
        Self::with_quotes(path, '\t', false, sink)
    }

    fn with_quotes(path: &Path, delimiter: char, quotes: bool, sink: &mut Sink<'_>) -> Result<Self> {
        let mut table =
            Self { lines: Lines::open(path)?, delimiter, quotes, header: Vec::new(), fields: Vec::new(), line: 0 };
        if !table.read(sink)? {
            return Err(not_of_format(path, 1, "no header"));
        }
        table.header = table.fields.iter().map(|name| name.trim().to_owned()).collect();
        Ok(table)
    }

    /// The place of a column; an error that names the column if there is none.
    pub(super) fn column(&self, name: &str) -> Result<usize> {
        self.optional(name).ok_or_else(|| not_of_format(self.lines.path(), 1, format!("no column {name}")))
    }

    /// The place of a column that may be missing.
    pub(super) fn optional(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// The line on which the row begins.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The field of the row in a column.
    pub(super) fn field(&self, column: usize) -> &str {
        self.fields.get(column).map_or("", |field| field.trim())
    }

    /// Goes to the next row that has as many fields as the header; the others are problems.
    pub(super) fn next(&mut self, sink: &mut Sink<'_>) -> Result<bool> {
        while self.read(sink)? {
            if self.fields.len() == self.header.len() {
                return Ok(true);
            }
            let problem = format!("{} fields where the header has {}", self.fields.len(), self.header.len());
            sink.problem(self.lines.path(), self.line, problem)?;
        }
        Ok(false)
    }

    /// Reads one row that is not empty; false at the end of the file.
    fn read(&mut self, sink: &mut Sink<'_>) -> Result<bool> {
        self.fields.clear();
        let mut field = String::new();
        let mut quoted = false;
        while let Some((number, line)) = self.lines.next(sink)? {
            if line.is_empty() && !quoted {
                continue;
            }
            if !self.quotes {
                self.line = number;
                self.fields.extend(line.split(self.delimiter).map(str::to_owned));
                return Ok(true);
            }
            let mut characters = line.chars().peekable();
            let continued = quoted;
            while let Some(character) = characters.next() {
                match character {
                    '"' if quoted && characters.peek() == Some(&'"') => {
                        characters.next();
                        field.push('"');
                    }
                    '"' if quoted => quoted = false,
                    '"' if field.is_empty() => quoted = true,
                    other if other == self.delimiter && !quoted => self.fields.push(std::mem::take(&mut field)),
                    other => field.push(other),
                }
            }
            if !continued {
                self.line = number;
            }
            if !quoted {
                self.fields.push(field);
                return Ok(true);
            }
            field.push(' ');
        }
        if quoted {
            sink.problem(self.lines.path(), self.line, "a quoted field without its end")?;
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Damage;
    use super::super::fixture::Scratch;
    use super::*;

    type Row = (u64, Vec<String>);

    /// The rows with their lines, and the lines of what could not be read.
    fn rows(text: &str, name: &str) -> Result<(Vec<Row>, Vec<u64>)> {
        let file = Scratch::new(name, text.as_bytes());
        let mut each = |_| Ok(());
        let mut sink = Sink::new(&mut each, Damage::Count);
        let mut table = Table::open(&file.0, ',', &mut sink)?;
        let mut rows = Vec::new();
        while table.next(&mut sink)? {
            rows.push((table.line(), table.fields.clone()));
        }
        Ok((rows, sink.summary.problems.iter().map(|problem| problem.line).collect()))
    }

    #[test]
    fn quotes_hold_delimiters_quotes_and_line_breaks() {
        let text = "a,b\n\"1,2\",\"say \"\"x\"\"\"\n\"two\nlines\",3\"\n";
        let (rows, problems) = rows(text, "quotes.csv").expect("readable");
        assert_eq!(rows, [(2, vec!["1,2".into(), "say \"x\"".into()]), (3, vec!["two lines".into(), "3\"".into()])]);
        assert_eq!(problems, [0; 0]);
    }

    #[test]
    fn rows_of_another_length_and_an_open_quote_are_problems() {
        let (rows, problems) = rows("a,b\n1\n1,2\n1,2,3\n1,\"open\n", "short.csv").expect("readable");
        assert_eq!(rows, [(3, vec!["1".into(), "2".into()])]);
        assert_eq!(problems, [2, 4, 5]);
    }

    #[test]
    fn an_empty_file_has_no_header() {
        assert!(rows("", "empty.csv").is_err());
    }
}
