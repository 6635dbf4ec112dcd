//! `notesieve.Key`.

use std::path::PathBuf;

use notesieve::Key as Core;
use notesieve::render::TagSurrogates;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors;
use crate::vocabulary::Vocabulary;

/// The secret from which shifts, surrogates and pseudonyms are derived.
#[pyclass(frozen, eq, from_py_object, module = "notesieve")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key(pub(crate) Core);

#[pymethods]
impl Key {
    /// Load the key of the environment.
    #[staticmethod]
    fn load(py: Python<'_>) -> PyResult<Self> {
        Core::load().map(Self).map_err(|error| errors::to_python(py, &error))
    }

    /// Load the key of a file.
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Core::open(&path).map(Self).map_err(|error| errors::to_python(py, &error))
    }

    /// A fingerprint that distinguishes this key from others and reveals nothing else about it.
    #[getter]
    fn fingerprint(&self) -> String {
        self.0.fingerprint()
    }

    /// Return a pseudonym for a value.
    fn pseudonym(&self, domain: &str, value: &str) -> String {
        self.0.pseudonym(domain, value)
    }

    fn __repr__(&self) -> String {
        format!("Key(fingerprint={:?})", self.0.fingerprint())
    }

    fn __hash__(&self) -> u64 {
        u64::from_str_radix(&self.0.fingerprint(), 16).unwrap_or_default()
    }

    /// Refuse to pickle: a key never leaves its process, and a worker loads its own.
    #[allow(clippy::unused_self, reason = "a method of Python")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a key cannot be pickled: set NOTESIEVE_KEY or NOTESIEVE_KEY_FILE for the other process and load it there",
        ))
    }
}

/// Return surrogates for the tags of a text. Each tag has a form, a name, and whether it is the same in all texts of
/// the patient.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
pub(crate) fn tag_surrogates(
    key: &Key,
    vocabulary: &Vocabulary,
    patient: Option<&str>,
    text: &str,
    tags: Vec<(String, String, bool)>,
) -> Vec<Option<String>> {
    let mut surrogates = TagSurrogates::new(&key.0, &vocabulary.core, patient, text);
    tags.iter().map(|(form, name, shared)| surrogates.surrogate_for_tag(form, name, *shared)).collect()
}
