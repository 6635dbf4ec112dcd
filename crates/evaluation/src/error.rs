//! The one error of the crate. No variant ever holds text of a note: positions, kinds and names of files and documents only.

use std::path::PathBuf;

/// Whatever can go wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A gold standard or a prediction cannot be read.
    #[error("{}: {problem}", location(file, *line))]
    Gold {
        /// The file.
        file: String,
        /// The line, counted from 1; 0 where the format has no lines.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// An option is not valid, or what is to be compared does not belong together.
    #[error("{0}")]
    Option(String),
}

/// A place in a file: its line, if it has lines.
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
