//! Plain lists: one word or phrase per line, optionally with a tab and a count; lines that begin with `#` are comments.

use std::path::Path;

use serde::Deserialize;

use super::open::Lines;
use super::{Each, OnUnreadable, Sink, Summary};
use crate::term::Word;
use notesieve_text::error::Result;
use notesieve_vocabulary::class::Class;

/// Options for reading a list.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The list that the words belong to.
    pub class: Class,
    /// How to handle unreadable lines.
    #[serde(default)]
    pub damage: OnUnreadable,
}

/// Reads a list.
pub fn read(path: &Path, options: &Options, each: Each<'_>) -> Result<Summary> {
    let mut sink = Sink::new(each, options.damage);
    let mut lines = Lines::open(path)?;
    while let Some((number, line)) = lines.next(&mut sink)? {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        sink.summary.read += 1;
        let (text, count) = match line.split_once('\t') {
            Some((text, count)) => (text.trim_end(), count.trim().parse().ok()),
            None => (line, Some(0)),
        };
        match count {
            Some(count) => sink.emit_word(Word { text: text.to_owned(), class: options.class, count })?,
            None => sink.record_problem(path, number, "what follows the tab is no count")?,
        }
    }
    sink.finish(path, "a list of words")
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::super::fixture::{TemporaryFile, try_read};
    use super::*;

    #[test]
    fn words_counts_comments_and_damage() {
        let file =
            TemporaryFile::new("words.txt", "# staff\nO'Brien\t12\n\nde la Cruz\nWren\tmany\nZoë\r\n".as_bytes());
        let source = Source::Words(Options { class: Class::Surname, damage: OnUnreadable::Count });
        let records = try_read(&source, &file.0).expect("readable");
        let words: Vec<(&str, u64)> = records.words.iter().map(|word| (word.text.as_str(), word.count)).collect();
        assert_eq!(words, [("O'Brien", 12), ("de la Cruz", 0), ("Zoë", 0)]);
        assert_eq!(records.summary.problems[0].line, 5);
    }
}
