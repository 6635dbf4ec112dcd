//! Rows of delimited text with a header: with quotes (CSV, where delimiters, doubled quotes and line breaks may be
//! quoted) or without (RF2).

use std::io::{BufRead, Read as _};
use std::path::{Path, PathBuf};

use ::csv::{ErrorKind, Position, Reader, ReaderBuilder, StringRecord};

use super::{Sink, not_of_format, open};
use notesieve_text::error::{Error, Result};

/// A row appended to the text of every file. If it becomes part of another row, a quote was not closed.
const SENTINEL_ROW: &str = "\0";

/// A table that is read row by row and whose columns have names.
pub(super) struct CsvTable {
    path: PathBuf,
    reader: Reader<Box<dyn BufRead>>,
    header: Vec<String>,
    row: StringRecord,
    /// The line number of the start of the row.
    line: u64,
    /// How far the reader's line count is ahead of a row: 0 if lines end with `\r\n`, whose second byte it reads later.
    ahead: u64,
}

impl CsvTable {
    /// Opens a table whose fields may be quoted, and reads its header.
    pub(super) fn open(path: &Path, delimiter: char, sink: &mut Sink<'_>) -> Result<Self> {
        Self::open_with_quotes(path, delimiter, true, sink)
    }

    /// Opens an RF2 table: tab-separated, no quotes.
    pub(super) fn open_rf2(path: &Path, sink: &mut Sink<'_>) -> Result<Self> {
        Self::open_with_quotes(path, '\t', false, sink)
    }

    fn open_with_quotes(path: &Path, delimiter: char, quotes: bool, sink: &mut Sink<'_>) -> Result<Self> {
        let delimiter = u8::try_from(delimiter).ok().filter(u8::is_ascii);
        let delimiter = delimiter.ok_or_else(|| not_of_format(path, 0, "the delimiter is no ASCII character"))?;
        let text: Box<dyn BufRead> = Box::new(open::open(path)?.chain(b"\n\0".as_slice()));
        let mut builder = ReaderBuilder::new();
        let reader = builder.delimiter(delimiter).quoting(quotes).flexible(true).has_headers(false).from_reader(text);
        let mut table =
            Self { path: path.to_owned(), reader, header: Vec::new(), row: StringRecord::new(), line: 0, ahead: 0 };
        if !table.read_row(sink)? {
            return Err(not_of_format(path, 1, "no header"));
        }
        table.ahead = table.reader.position().line().saturating_sub(1);
        table.header = table.row.iter().map(|name| name.trim().to_owned()).collect();
        Ok(table)
    }

    /// Returns the index of a column, or an error with its name if it is missing.
    pub(super) fn column(&self, name: &str) -> Result<usize> {
        self.optional_column(name).ok_or_else(|| not_of_format(&self.path, 1, format!("no column {name}")))
    }

    /// Returns the index of a column, or `None` if it is missing.
    pub(super) fn optional_column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// Returns the line number of the start of the row.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Returns the field of the current row in a column.
    pub(super) fn field(&self, column: usize) -> &str {
        self.row.get(column).map_or("", |field| field.trim())
    }

    /// Advances to the next row with as many fields as the header; reports the others as problems.
    pub(super) fn next_row(&mut self, sink: &mut Sink<'_>) -> Result<bool> {
        while self.read_row(sink)? {
            if self.row.len() == self.header.len() {
                return Ok(true);
            }
            let problem = format!("{} fields where the header has {}", self.row.len(), self.header.len());
            sink.record_problem(&self.path, self.line(), problem)?;
        }
        Ok(false)
    }

    /// Reads the next row that is not empty. Returns `false` at the end of the file.
    fn read_row(&mut self, sink: &mut Sink<'_>) -> Result<bool> {
        while let Err(error) = self.reader.read_record(&mut self.row) {
            let line = error.position().map_or(self.line, |position| position.line() + 1 - self.ahead);
            match error.into_kind() {
                ErrorKind::Io(source) => return Err(Error::File { path: self.path.clone(), source }),
                _ => sink.record_problem(&self.path, line, "not UTF-8")?,
            }
        }
        let begin = self.row.position().map_or(0, Position::line);
        let breaks = self.row.iter().map(|field| field.matches('\n').count() as u64).sum::<u64>();
        self.line = begin.max(self.reader.position().line().saturating_sub(self.ahead + breaks));
        if breaks > 0 {
            self.row = self.row.iter().map(|field| field.replace("\r\n", " ").replace('\n', " ")).collect();
        }
        match self.row.iter().next_back() {
            Some(SENTINEL_ROW) if self.row.len() == 1 => Ok(false),
            Some(last) if last.ends_with(SENTINEL_ROW) => {
                sink.record_problem(&self.path, self.line(), "a quoted field without its end")?;
                Ok(false)
            }
            last => Ok(last.is_some()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::OnUnreadable;
    use super::super::fixture::TemporaryFile;
    use super::*;

    type Row = (u64, Vec<String>);

    /// Returns the rows with their line numbers, and the line numbers of unreadable rows.
    fn rows(text: &str, name: &str) -> Result<(Vec<Row>, Vec<u64>)> {
        let file = TemporaryFile::new(name, text.as_bytes());
        let mut each = |_| Ok(());
        let mut sink = Sink::new(&mut each, OnUnreadable::Count);
        let mut table = CsvTable::open(&file.0, ',', &mut sink)?;
        let mut rows = Vec::new();
        while table.next_row(&mut sink)? {
            rows.push((table.line(), table.row.iter().map(str::to_owned).collect()));
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
