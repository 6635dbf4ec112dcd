//! The error type of this crate. The messages of tantivy can quote a term of a note, so only the kind of error is
//! reported.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use tantivy::TantivyError;
use tantivy::directory::error::OpenReadError;

/// An error of the index.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file of an index could not be read or written.
    #[error("{path}: {problem}")]
    File {
        /// The folder of the index.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// The files of an index differ from what was written.
    #[error("{path}: is damaged; `notesieve index verify` tells where. Copy it again, or build it again")]
    Damaged {
        /// The folder of the index.
        path: PathBuf,
    },
}

impl Error {
    /// Converts an error of tantivy about the index in a folder.
    pub(crate) fn of_tantivy(path: &Path, problem: &TantivyError) -> Self {
        let path = path.to_owned();
        let problem = match problem {
            TantivyError::IoError(problem) if !is_damage(problem) => {
                return Self::File { path, problem: problem.kind().to_string() };
            }
            TantivyError::LockFailure(..) => "somebody else is adding to this index, or the folder cannot be written",
            TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. }) if !is_damage(io_error) => {
                "a file of the index cannot be opened"
            }
            TantivyError::OpenWriteError(_) | TantivyError::OpenDirectoryError(_) => {
                "a file of the index cannot be opened"
            }
            TantivyError::ErrorInThread(_) => "the index could not be written; is the disk full?",
            _ => return Self::Damaged { path },
        };
        Self::File { path, problem: problem.to_owned() }
    }
}

/// Returns whether a file was read but had invalid content.
fn is_damage(problem: &io::Error) -> bool {
    matches!(problem.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::Other)
}

/// A result with the crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;
