//! Reads lists from text files line by line: bundled lists once per process, and the cues of a policy. Lists of plain
//! words are read at compile time.
//!
//! A line is an item, `[name]` begins a section; empty lines and lines that begin with `#` are skipped. Errors name the
//! line.

use crate::error::{Error, Result};

/// A line of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// The name of a section that begins.
    Section(&'a str),
    /// An item, without blanks around it.
    Item(&'a str),
}

/// Passes the lines of a list with their numbers to `take`; an error of `take` is returned with file and line.
pub fn read_lines<'a>(
    name: &str,
    lines: impl IntoIterator<Item = &'a str>,
    mut take: impl FnMut(usize, Line<'a>) -> Result<(), String>,
) -> Result<()> {
    for (number, line) in (1..).zip(lines.into_iter().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let section = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        take(number, section.map_or(Line::Item(line), Line::Section))
            .map_err(|problem| Error::Policy(format!("{name}, line {number}: {problem}")))?;
    }
    Ok(())
}

/// Splits an item into columns.
pub fn columns<const COUNT: usize>(item: &str, separator: char) -> Result<[&str; COUNT], String> {
    let columns: Vec<&str> = item.split(separator).map(str::trim).collect();
    let found = columns.len();
    columns.try_into().map_err(|_| format!("{found} columns in place of {COUNT}"))
}

/// Parses the numbers in a column.
pub fn numbers(column: &str) -> Result<Vec<f64>, String> {
    column.split_whitespace().map(|number| number.parse().map_err(|_| format!("{number:?} is no number"))).collect()
}

/// A list bundled with the package. A malformed line is a bug in the package, so reading it panics.
#[derive(Clone, Copy, Debug)]
pub struct BundledList {
    /// The file name, for messages.
    pub name: &'static str,
    /// The content of the file.
    pub text: &'static str,
}

/// Embeds the list in a file, whose path is relative to the calling file.
#[macro_export]
macro_rules! bundled_list {
    ($file:literal) => {
        $crate::lists::BundledList { name: $file, text: include_str!($file) }
    };
}

impl BundledList {
    /// Builds a value from the lines.
    ///
    /// # Panics
    ///
    /// If a line is malformed; the tests read every list.
    pub fn read<T: Default>(self, mut take: impl FnMut(&mut T, Line<'static>) -> Result<(), String>) -> T {
        let mut list = T::default();
        read_lines(self.name, self.text.lines(), |_, line| take(&mut list, line))
            .unwrap_or_else(|problem| panic!("{problem}"));
        list
    }

    /// Returns the rows of a table.
    ///
    /// # Panics
    ///
    /// As [`Self::read`].
    pub fn rows<T, const COLUMNS: usize>(
        self,
        separator: char,
        row: impl Fn([&'static str; COLUMNS]) -> Result<T, String>,
    ) -> Vec<T> {
        self.read(|rows: &mut Vec<T>, line| match line {
            Line::Section(name) => Err(format!("a section {name:?} in a table")),
            Line::Item(item) => columns(item, separator).and_then(&row).map(|row| rows.push(row)),
        })
    }
}

/// Embeds the words of a list as a slice: one word per line below a comment. The path is relative to the calling file.
#[macro_export]
macro_rules! words_of_file {
    ($path:expr) => {{
        const LIST: &str = include_str!($path);
        const WORDS: &[&str] = &$crate::lists::words::<{ $crate::lists::count_words(LIST) }>(LIST);
        WORDS
    }};
}

/// Returns the number of words in a list.
pub const fn count_words(list: &str) -> usize {
    let (bytes, mut at, mut lines) = (list.as_bytes(), 0, 0);
    while at < bytes.len() {
        lines += (bytes[at] == b'\n') as usize;
        at += 1;
    }
    lines - 1
}

/// Returns the words of a list that has `COUNT` of them.
///
/// # Panics
///
/// At compile time, if a list does not begin with a comment.
pub const fn words<const COUNT: usize>(list: &'static str) -> [&'static str; COUNT] {
    let (mut words, mut rest, mut nth) = ([""; COUNT], list.as_bytes(), 0);
    assert!(rest[0] == b'#', "a list begins with a comment");
    while nth <= COUNT {
        let mut end = 0;
        while rest[end] != b'\n' {
            end += 1;
        }
        let (line, below) = rest.split_at(end);
        if nth > 0 {
            let Ok(word) = std::str::from_utf8(line) else { panic!("a word is no text") };
            words[nth - 1] = word;
        }
        rest = below.split_at(1).1;
        nth += 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_are_left_out() {
        let (text, mut read) = ("# ours\n\n one \n[ two\n[Three]", Vec::new());
        read_lines("ours", text.lines(), |number, line| {
            read.push((number, line));
            Ok(())
        })
        .unwrap();
        assert_eq!(read, [(3, Line::Item("one")), (4, Line::Item("[ two")), (5, Line::Section("Three"))]);
    }

    #[test]
    #[should_panic(expected = "pairs.txt, line 3: 3 columns in place of 2")]
    fn a_row_of_another_width_is_reported_with_its_line() {
        let list = BundledList { name: "pairs.txt", text: "# ours\na | 1\nb | 2 | 3" };
        list.rows('|', |[name, value]| Ok((name, value)));
    }

    #[test]
    fn numbers_are_numbers() {
        assert_eq!(numbers(" 1 -2.5 "), Ok(vec![1.0, -2.5]));
        assert_eq!(numbers("1 x"), Err("\"x\" is no number".to_owned()));
    }
}
