//! Opens the files of sources: plain or gzip, with or without a byte order mark, with line numbers.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use super::Sink;
use notesieve_text::error::{Error, Result};

/// The buffer size: large enough to make the cost of disk reads and decompression per line small.
const BUFFER: usize = 256 * 1024;

/// Opens a file. Gzip is recognised by its first bytes, not by its name. A UTF-8 byte order mark is skipped.
pub(super) fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    let failed = |source| Error::File { path: path.to_owned(), source };
    let mut raw = BufReader::with_capacity(BUFFER, File::open(path).map_err(failed)?);
    let zipped = raw.fill_buf().map_err(failed)?.starts_with(&[0x1f, 0x8b]);
    let mut text: Box<dyn BufRead> =
        if zipped { Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(raw))) } else { Box::new(raw) };
    if text.fill_buf().map_err(failed)?.starts_with(b"\xef\xbb\xbf") {
        text.consume(3);
    }
    Ok(text)
}

/// The numbered lines of a file. A line that is not UTF-8 is a problem of the source, not an error.
pub(super) struct Lines {
    path: PathBuf,
    reader: Box<dyn BufRead>,
    line: Vec<u8>,
    number: u64,
}

impl Lines {
    pub(super) fn open(path: &Path) -> Result<Self> {
        Ok(Self { path: path.to_owned(), reader: open(path)?, line: Vec::new(), number: 0 })
    }

    /// Returns the next UTF-8 line with its number, without the line break; reports other lines to the sink as
    /// problems.
    pub(super) fn next(&mut self, sink: &mut Sink<'_>) -> Result<Option<(u64, &str)>> {
        loop {
            self.line.clear();
            let read = self.reader.read_until(b'\n', &mut self.line);
            let length = read.map_err(|source| Error::File { path: self.path.clone(), source })?;
            if length == 0 {
                return Ok(None);
            }
            self.number += 1;
            while let Some(b'\n' | b'\r') = self.line.last() {
                self.line.pop();
            }
            if std::str::from_utf8(&self.line).is_ok() {
                break;
            }
            sink.record_problem(&self.path, self.number, "not UTF-8")?;
        }
        Ok(std::str::from_utf8(&self.line).ok().map(|line| (self.number, line)))
    }
}

/// A reader that counts lines, for parsers that only know bytes.
pub(super) struct CountedLines {
    reader: Box<dyn BufRead>,
    /// The number of the current line.
    pub(super) line: u64,
}

impl CountedLines {
    pub(super) fn open(path: &Path) -> Result<Self> {
        Ok(Self { reader: open(path)?, line: 1 })
    }
}

impl Read for CountedLines {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let length = self.fill_buf()?.len().min(into.len());
        into[..length].copy_from_slice(&self.fill_buf()?[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for CountedLines {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // Consumed bytes are in the buffer, so `fill_buf` returns them without reading.
        if let Ok(buffer) = self.reader.fill_buf() {
            let ends = buffer.iter().take(amount).filter(|&&byte| byte == b'\n').count();
            self.line += ends as u64;
        }
        self.reader.consume(amount);
    }
}

/// Finds a file in a folder, plain or gzip; `None` if neither exists.
pub(super) fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    [name.to_owned(), format!("{name}.gz")].iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::TemporaryFile;
    use super::super::{OnUnreadable, Sink};
    use super::*;
    use std::io::Write;

    fn lines_of(bytes: &[u8], name: &str) -> Result<(Vec<String>, u64)> {
        let file = TemporaryFile::new(name, bytes);
        let mut each = |_| Ok(());
        let mut sink = Sink::new(&mut each, OnUnreadable::Count);
        let mut lines = Lines::open(&file.0)?;
        let mut all = Vec::new();
        while let Some((_, line)) = lines.next(&mut sink)? {
            all.push(line.to_owned());
        }
        Ok((all, sink.summary.unreadable))
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).and_then(|()| encoder.finish()).expect("memory is writable")
    }

    #[test]
    fn plain_and_gzip_of_several_members_read_the_same() {
        let plain = lines_of(b"\xef\xbb\xbfone\r\ntwo\n\nthree", "plain").expect("readable");
        assert_eq!(plain.0, ["one", "two", "", "three"]);
        let members = [gzip(b"\xef\xbb\xbfone\r\ntw"), gzip(b"o\n\nthree")].concat();
        assert_eq!(lines_of(&members, "gzip").expect("readable"), plain);
    }

    #[test]
    fn a_line_that_is_not_utf8_is_counted_and_the_next_is_read() {
        assert_eq!(lines_of(b"a\n\xff\xfe\nb\n", "latin").expect("readable"), (vec!["a".into(), "b".into()], 1));
    }

    #[test]
    fn a_truncated_gzip_is_an_error_that_names_the_file() {
        let whole = gzip(&b"some text that is long enough to be cut\n".repeat(50));
        let error = lines_of(&whole[..whole.len() - 9], "cut").expect_err("truncated");
        assert!(error.to_string().contains("cut"), "{error}");
    }
}
