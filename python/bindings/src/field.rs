//! Fields of messages as Python gives them.

use notesieve::field::{Field, Role};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A field as Python gives it.
pub(crate) fn field((role, text, starts): (String, String, Vec<usize>)) -> PyResult<Field> {
    let Some(role) = Role::from_key(&role) else {
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
