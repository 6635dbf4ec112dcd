//! Conversion of Rust errors to the exceptions of `notesieve.errors`. No message contains text of a note.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Converts an error of the core.
pub(crate) fn to_python(py: Python<'_>, error: &notesieve::Error) -> PyErr {
    let class = match error {
        notesieve::Error::File { .. } => "FileError",
        notesieve::Error::Vocabulary { .. } => "VocabularyError",
        notesieve::Error::Model { .. } => "ModelError",
        notesieve::Error::Source { .. } => "SourceError",
        notesieve::Error::Policy(_) => "PolicyError",
        notesieve::Error::Threads => "SettingError",
        notesieve::Error::Key(_) => "SecretKeyError",
        notesieve::Error::Patient(_) => "PatientError",
        _ => "NoteError",
    };
    new(py, class, error.to_string())
}

/// Creates an exception of `notesieve.errors` by its class name.
pub(crate) fn new(py: Python<'_>, class: &str, message: String) -> PyErr {
    static ERRORS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let made = ERRORS
        .get_or_try_init(py, || py.import("notesieve.errors").map(Bound::unbind))
        .and_then(|module| module.bind(py).getattr(class))
        .and_then(|class| class.cast_into::<PyType>().map_err(PyErr::from))
        .map(|class| PyErr::from_type(class, message));
    made.unwrap_or_else(|problem| problem)
}
