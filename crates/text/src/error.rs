//! The error type of the workspace. No variant holds text of a note: only positions, kinds and file names.

use std::path::PathBuf;

/// The maximum length of a text in bytes: offsets have 32 bits, and no character folds to more than six times its bytes
/// (U+3316).
pub const MAX_TEXT_BYTES: usize = u32::MAX as usize / 8;

/// An error of any of the crates.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A compiled vocabulary is truncated, altered, foreign or of another version.
    #[error("{file}: {section}: {problem}")]
    Vocabulary {
        /// The file, or `<memory>`.
        file: String,
        /// The part of the file: `header`, `section table` or the name of a section.
        section: &'static str,
        /// The problem and how to fix it.
        problem: String,
    },
    /// A model is truncated, altered, foreign or of another version.
    #[error("{file}: {problem}")]
    Model {
        /// The file, or `<memory>`.
        file: String,
        /// The problem and how to fix it.
        problem: String,
    },
    /// A vocabulary source cannot be read at a line.
    #[error("{}: {problem}", location(file, *line))]
    Source {
        /// The file.
        file: String,
        /// The line number, from 1; 0 if the format has no lines.
        line: u64,
        /// The problem.
        problem: String,
    },
    /// A policy or list is invalid.
    #[error("{0}")]
    Policy(String),
    /// The secret key is missing, malformed, or readable by others. Contains nothing of the key.
    #[error("{0}")]
    Key(String),
    /// The known data of a patient is invalid. Names the field, never its value.
    #[error("{0}")]
    Patient(String),
    /// A text is too long for 32-bit offsets.
    #[error("a text has {bytes} bytes; at most {} can be scrubbed at once: split it", MAX_TEXT_BYTES)]
    TooLong {
        /// The length of the text in bytes.
        bytes: usize,
    },
    /// The environment variable for the number of threads is not a number.
    #[error("NOTESIEVE_THREADS must be a whole number: how many threads to use, or 0 for one a core")]
    Threads,
    /// A bug in the program. Its message is omitted, since it could quote the note.
    #[error(
        "the note ran into a mistake in notesieve; the others are not concerned: please report its form, not its text"
    )]
    Internal,
}

/// Returns a place in a file, with its line number if it has lines.
fn location(file: &str, line: u64) -> String {
    if line == 0 { file.to_owned() } else { format!("{file}:{line}") }
}

/// A result with the crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_named_where_there_are_lines() {
        let error = |line| Error::Source { file: "lists".to_owned(), line, problem: "is not there".to_owned() };
        assert_eq!(error(0).to_string(), "lists: is not there");
        assert_eq!(error(7).to_string(), "lists:7: is not there");
    }
}
