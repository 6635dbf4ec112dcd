//! `notesieve.Model`.

#![allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use notesieve::Model as Core;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes};

use crate::boundary;
use crate::pickle::{self, Reduced};

/// A model of names, learned from marked notes.
#[pyclass(frozen, from_py_object, module = "notesieve")]
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) core: Core,
    /// The path of its file; `None` for the embedded model.
    path: Option<PathBuf>,
    /// The bytes of the file, for a newly trained model.
    bytes: Option<Arc<[u8]>>,
}

impl Model {
    /// Opens the embedded model.
    pub(crate) fn embedded_names_model(py: Python<'_>) -> PyResult<Self> {
        let core = boundary::without_gil(py, || Core::from_static(notesieve_models::default_bytes()))?;
        Ok(Self { core, path: None, bytes: None })
    }

    /// Opens a newly trained model.
    pub(crate) fn of_bytes(py: Python<'_>, bytes: Vec<u8>) -> PyResult<Self> {
        let core = boundary::without_gil(py, || Core::from_bytes(&bytes))?;
        Ok(Self { core, path: None, bytes: Some(bytes.into()) })
    }

    /// Converts a model or the path of one; the embedded model for `None`.
    pub(crate) fn from_py(py: Python<'_>, model: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        match model {
            None => Self::embedded_names_model(py),
            Some(model) => match model.cast::<Self>() {
                Ok(model) => Ok(model.get().clone()),
                Err(_) => Self::open(py, model.extract()?),
            },
        }
    }
}

#[pymethods]
impl Model {
    /// Return the model inside the package.
    #[staticmethod]
    #[pyo3(name = "default")]
    fn default_model(py: Python<'_>) -> PyResult<Self> {
        Self::embedded_names_model(py)
    }

    /// Open a model file.
    #[staticmethod]
    pub(crate) fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let core = boundary::without_gil(py, || Core::open(&path))?;
        Ok(Self { core, path: Some(path), bytes: None })
    }

    /// Write the model to a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        boundary::without_gil(py, || {
            let failed = |path: &PathBuf, source| notesieve::Error::File { path: path.clone(), source };
            // Read before writing: the model may be saved over its own file.
            let bytes = match (&self.bytes, &self.path) {
                (Some(bytes), _) => bytes.to_vec(),
                (None, Some(own)) => std::fs::read(own).map_err(|problem| failed(own, problem))?,
                (None, None) => notesieve_models::default_bytes().to_vec(),
            };
            std::fs::write(&path, bytes).map_err(|problem| failed(&path, problem))
        })
    }

    /// SHA-256 of the whole file, as 64 hexadecimal digits.
    #[getter]
    fn digest(&self) -> &str {
        self.core.digest()
    }

    /// The provenance of its training data.
    #[getter]
    fn provenance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.core.provenance(),))
    }

    fn __repr__(&self) -> String {
        format!("Model({:?}, digest={:?})", self.core.source_file(), &self.core.digest()[..12])
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.core.digest() == other.core.digest()
    }

    fn __hash__(&self) -> u64 {
        u64::from_str_radix(&self.core.digest()[..16], 16).unwrap_or_default()
    }

    /// Pickle the path and the digest of the file, or the bytes of a model without a file.
    #[allow(clippy::type_complexity, reason = "the arguments of `_reopen`")]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<Reduced<'py, (Option<PathBuf>, String, Option<Bound<'py, PyBytes>>)>> {
        let model = slf.get();
        let bytes = model.bytes.as_deref().map(|bytes| PyBytes::new(slf.py(), bytes));
        Ok((slf.get_type().getattr("_reopen")?, (model.path.clone(), model.core.digest().to_owned(), bytes)))
    }

    /// Open a model whose digest must match, to restore a pickle.
    #[staticmethod]
    #[pyo3(signature = (path, digest, bytes = None))]
    fn _reopen(py: Python<'_>, path: Option<PathBuf>, digest: &str, bytes: Option<Vec<u8>>) -> PyResult<Self> {
        let model = match (bytes, path) {
            (Some(bytes), _) => Self::of_bytes(py, bytes)?,
            (None, Some(path)) => Self::open(py, path)?,
            (None, None) => Self::embedded_names_model(py)?,
        };
        let found = (model.core.source_file(), model.core.digest());
        pickle::check_digest(py, found, digest, ("ModelError", "model"))?;
        Ok(model)
    }
}

/// Returns the value of a cell, which is computed on first use without the interpreter's lock.
pub(crate) fn make_once<T: Clone + Send + Sync>(
    py: Python<'_>,
    cell: &OnceLock<T>,
    make: impl FnOnce() -> notesieve::Result<T> + Send,
) -> PyResult<T> {
    if let Some(known) = cell.get() {
        return Ok(known.clone());
    }
    let value = boundary::without_gil(py, make)?;
    Ok(cell.get_or_init(|| value).clone())
}
