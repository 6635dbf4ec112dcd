//! Rows of delimited text with a header, with quotes (CSV: delimiters, doubled quotes and line breaks inside them) or
//! without (RF2).

use std::io::{BufRead, Read as _};
use std::path::{Path, PathBuf};

use ::csv::{ErrorKind, Position, Reader, ReaderBuilder, StringRecord};

use super::{Sink, not_of_format, open};
use notesieve_text::error::{Error, Result};

/// Follows the text of every file: only an open quote can make it part of another row.
const END: &str = "\0";

/// A table, read row by row; columns are asked for by name.
pub(super) struct CsvTable {
    path: PathBuf,
    reader: Reader<Box<dyn BufRead>>,
    header: Vec<String>,
    row: StringRecord,
    /// The line on which the row begins.
    line: u64,
    /// How many lines the reader's count is ahead of a row: none where lines end with `\r\n`, whose second byte it reads later.
    ahead: u64,
}

impl CsvTable {
    /// Opens a table whose fields may stand in quotes and reads its header.
    pub(super) fn open(path: &Path, delimiter: char, sink: &mut Sink<'_>) -> Result<Self> {
        Self::open_with_quotes(path, delimiter, true, sink)
    }

    /// Opens a table of RF2: tabs, no quotes.
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

    /// The place of a column; an error that names the column if there is none.
    pub(super) fn column(&self, name: &str) -> Result<usize> {
        self.optional_column(name).ok_or_else(|| not_of_format(&self.path, 1, format!("no column {name}")))
    }

    /// The place of a column that may be missing.
    pub(super) fn optional_column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// The line on which the row begins.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The field of the row in a column.
    pub(super) fn field(&self, column: usize) -> &str {
        self.row.get(column).map_or("", |field| field.trim())
    }

    /// Goes to the next row that has as many fields as the header; the others are problems.
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

    /// Reads one row that is not empty; false at the end of the file.
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
            Some(END) if self.row.len() == 1 => Ok(false),
            Some(last) if last.ends_with(END) => {
                sink.record_problem(&self.path, self.line(), "a quoted field without its end")?;
                Ok(false)
            }
            last => Ok(last.is_some()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Damage;
    use super::super::fixture::TemporaryFile;
    use super::*;

    type Row = (u64, Vec<String>);

    /// The rows with their lines, and the lines of what could not be read.
    fn rows(text: &str, name: &str) -> Result<(Vec<Row>, Vec<u64>)> {
        let file = TemporaryFile::new(name, text.as_bytes());
        let mut each = |_| Ok(());
        let mut sink = Sink::new(&mut each, Damage::Count);
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
