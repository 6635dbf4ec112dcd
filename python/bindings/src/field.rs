//! Fields of messages, as given in Python.

use notesieve::detections::Detection;
use notesieve::field::{Field, Role};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::detections::{self, FindingTuple};
use crate::errors;

/// `(role, text, starts of the parts after the first, findings)`.
pub(crate) type GivenField = (String, String, Vec<usize>, Vec<FindingTuple>);

/// Converts fields, and returns the findings of each.
pub(crate) fn parse_fields(py: Python<'_>, given: Vec<GivenField>) -> PyResult<(Vec<Field>, Vec<Vec<Detection>>)> {
    let mut all = (Vec::new(), Vec::new());
    for (role, text, starts, found) in given {
        let (detections, problems) = detections::detections_of_text(&text, &found);
        if !problems.is_empty() {
            return Err(errors::new(py, "FindingError", problems.join("; ")));
        }
        all.0.push(parse_field(&role, text, &starts)?);
        all.1.push(detections);
    }
    Ok(all)
}

fn parse_field(role: &str, text: String, starts: &[usize]) -> PyResult<Field> {
    let Some(role) = Role::from_key(role) else {
        return Err(PyValueError::new_err("a field has no such role"));
    };
    let mut wanted = starts.iter().peekable();
    let mut bytes = Vec::with_capacity(starts.len());
    for (point, (at, _)) in text.char_indices().enumerate() {
        while wanted.next_if(|&&start| start == point).is_some() {
            bytes.push(at);
        }
    }
    bytes.resize(starts.len(), text.len());
    Ok(Field { role, text, starts: bytes })
}
