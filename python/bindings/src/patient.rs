//! `notesieve.Patient`.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use notesieve::Patient as Core;
use notesieve::patient::PatientDetails;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyIterator, PyString};

use crate::{boundary, errors};

/// Known data of a patient.
#[pyclass(frozen, eq, from_py_object, module = "notesieve")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Patient(pub(crate) Arc<Core>);

impl Patient {
    /// Converts a patient of a column: a `Patient` or `None`.
    pub(crate) fn from_py(given: &Bound<'_, PyAny>, index: usize) -> PyResult<Option<Arc<Core>>> {
        if given.is_none() {
            return Ok(None);
        }
        if let Ok(patient) = given.cast::<Self>() {
            return Ok(Some(Arc::clone(&patient.get().0)));
        }
        let kind = given.get_type().name()?;
        Err(wrong_type_error(given.py(), format!("patients[{index}] must be a Patient or None, not {kind}")))
    }

    /// Returns the patient of the next note.
    pub(crate) fn next_patient(
        py: Python<'_>,
        patients: &mut Bound<'_, PyIterator>,
        index: usize,
    ) -> PyResult<Option<Arc<Core>>> {
        let Some(patient) = patients.next() else {
            let message =
                format!("there are more notes than patients, which end after {index}: give one Patient or None a note");
            return Err(errors::new(py, "PatientError", message));
        };
        Self::from_py(&patient?, index)
    }
}

/// Creates an error that names the expected type of a field, never the given value.
fn wrong_type_error(py: Python<'_>, message: String) -> PyErr {
    errors::new(py, "PatientTypeError", message)
}

/// Converts a list of strings. Rejects a single string, which would be taken for a list of letters.
fn strings_of_field(field: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let wrong = || wrong_type_error(given.py(), format!("{field} must be a list of str"));
    if given.is_instance_of::<PyString>() {
        return Err(wrong());
    }
    let items = given.try_iter().map_err(|_| wrong())?;
    items.map(|item| boundary::object_to_string(&item?).ok_or_else(wrong)).collect()
}

/// Converts an identifier of a patient, a number or a string: data frames contain both.
fn identifier_to_string(field: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    let Some(given) = given else { return Ok(None) };
    if let Some(text) = boundary::object_to_string(given) {
        return Ok(Some(text));
    }
    // Whole numbers, including those of numpy, have `__index__`. A record number may exceed a machine word.
    let whole = given.py().import("operator")?.call_method1("index", (given,));
    match whole {
        Ok(number) if !given.is_instance_of::<PyBool>() => Ok(Some(number.str()?.to_string())),
        _ => Err(wrong_type_error(given.py(), format!("{field} must be a str or an int"))),
    }
}

/// Converts a `datetime.date`, a `datetime.datetime` or an ISO string.
fn parse_date(py: Python<'_>, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<(i32, u32, u32)>> {
    let Some(given) = given else { return Ok(None) };
    if let Some(text) = boundary::object_to_string(given) {
        let parts: Vec<&str> = text.trim().split('-').collect();
        let parsed = match parts.as_slice() {
            [year, month, day] if year.len() == 4 => year.parse().ok().zip(month.parse().ok()).zip(day.parse().ok()),
            _ => None,
        };
        return match parsed {
            Some(((year, month), day)) => Ok(Some((year, month, day))),
            None => Err(errors::new(
                py,
                "PatientError",
                "birth_date must be a datetime.date or a str YYYY-MM-DD".to_owned(),
            )),
        };
    }
    let part = |name: &str| given.getattr(name).and_then(|part| part.extract::<i32>());
    match (part("year"), part("month"), part("day")) {
        (Ok(year), Ok(month), Ok(day)) => Ok(Some((year, month.unsigned_abs(), day.unsigned_abs()))),
        _ => Err(wrong_type_error(py, "birth_date must be a datetime.date or a str YYYY-MM-DD".to_owned())),
    }
}

#[pymethods]
impl Patient {
    #[new]
    #[pyo3(signature = (id = None, *, names = None, mrn = None, birth_date = None, phones = None, addresses = None, other = None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of a Python constructor")]
    fn new(
        py: Python<'_>,
        id: Option<&Bound<'_, PyAny>>,
        names: Option<&Bound<'_, PyAny>>,
        mrn: Option<&Bound<'_, PyAny>>,
        birth_date: Option<&Bound<'_, PyAny>>,
        phones: Option<&Bound<'_, PyAny>>,
        addresses: Option<&Bound<'_, PyAny>>,
        other: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let known = PatientDetails {
            id: identifier_to_string("id", id)?,
            names: strings_of_field("names", names)?,
            mrn: identifier_to_string("mrn", mrn)?,
            birth_date: parse_date(py, birth_date)?,
            phones: strings_of_field("phones", phones)?,
            addresses: strings_of_field("addresses", addresses)?,
            other: strings_of_field("other", other)?,
        };
        let core = Core::new(known).map_err(|error| errors::to_python(py, &error))?;
        Ok(Self(Arc::new(core)))
    }

    /// The identifier by which the caller distinguishes patients.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.0.draw_id()
    }

    /// The names of the patient.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.known().names.clone()
    }

    /// The medical record number.
    #[getter]
    fn mrn(&self) -> Option<&str> {
        self.0.known().mrn.as_deref()
    }

    /// The date of birth.
    #[getter]
    fn birth_date<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some((year, month, day)) = self.0.known().birth_date else { return Ok(None) };
        py.import("datetime")?.call_method1("date", (year, month, day)).map(Some)
    }

    /// Telephone numbers.
    #[getter]
    fn phones(&self) -> Vec<String> {
        self.0.known().phones.clone()
    }

    /// Postal addresses.
    #[getter]
    fn addresses(&self) -> Vec<String> {
        self.0.known().addresses.clone()
    }

    /// Any other identifiers of the patient.
    #[getter]
    fn other(&self) -> Vec<String> {
        self.0.known().other.clone()
    }

    fn __repr__(&self) -> String {
        self.0.summary()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.known().hash(&mut hasher);
        hasher.finish()
    }

    /// Pickle the given data in plain text: it must only go to the caller's own workers.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        let PatientDetails { id, names, mrn, birth_date, phones, addresses, other } = self.0.known();
        let given = PyDict::new(py);
        given.set_item("id", id)?;
        given.set_item("names", names)?;
        given.set_item("mrn", mrn)?;
        given.set_item("birth_date", birth_date.map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}")))?;
        given.set_item("phones", phones)?;
        given.set_item("addresses", addresses)?;
        given.set_item("other", other)?;
        Ok(((), given))
    }
}
