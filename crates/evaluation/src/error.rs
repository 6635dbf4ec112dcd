//! The error type of this crate. No variant holds text of a note: only positions, kinds and names of files and
//! documents.

use std::path::PathBuf;

/// An error of the evaluation.
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
    /// A gold standard or a prediction cannot be read.
    #[error("{}: {problem}", location(file, *line))]
    Gold {
        /// The file.
        file: String,
        /// The line number, from 1; 0 if the format has no lines.
        line: u64,
        /// The problem.
        problem: String,
    },
    /// An option is invalid, or the things to compare do not belong together.
    #[error("{0}")]
    Option(String),
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
        let error = |line| Error::Gold { file: "gold".to_owned(), line, problem: "is not there".to_owned() };
        assert_eq!(error(0).to_string(), "gold: is not there");
        assert_eq!(error(7).to_string(), "gold:7: is not there");
    }
}
