//! The boundary between Python and the core: texts come in without a copy, the GIL is released, errors are converted, and
//! signals are checked between chunks and inside long texts.

use std::ops::Deref;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

use crate::errors;

/// A text from Python.
pub(crate) enum Text {
    /// Borrowed from the Python object.
    Borrowed(PyBackedStr),
    /// A text with lone surrogates, which UTF-8 cannot hold: each became U+FFFD, so that offsets still fit.
    Repaired(String),
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Repaired(text) => text,
        }
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Text {
    /// Extracts a `str`. The error names the type of what came instead, never its value.
    pub(crate) fn from_py(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(string) = object.cast::<PyString>() else {
            let given = object.get_type().name()?;
            return Err(errors::new(
                object.py(),
                "NoteTypeError",
                format!("a note must be a str, not {given}; leave missing notes out or make them empty"),
            ));
        };
        if let Ok(text) = string.extract::<PyBackedStr>() {
            return Ok(Self::Borrowed(text));
        }
        let bytes = string.call_method1("encode", ("utf-32-le", "surrogatepass"))?;
        let bytes: &[u8] = bytes.extract()?;
        let repaired = bytes
            .chunks_exact(4)
            .map(|unit| u32::from_le_bytes([unit[0], unit[1], unit[2], unit[3]]))
            .map(|point| char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        Ok(Self::Repaired(repaired))
    }
}

/// Runs `work` without the GIL.
pub(crate) fn without_gil<T: Send>(py: Python<'_>, work: impl FnOnce() -> notesieve::Result<T> + Send) -> PyResult<T> {
    py.detach(work).map_err(|error| errors::to_python(py, &error))
}

/// Bytes of text that are scrubbed without a check for signals.
const LONG: usize = 256 << 10;

/// How often signals are checked while a long text is scrubbed.
const PAUSE: Duration = Duration::from_millis(100);

/// Runs `work` without the GIL; if its texts are long, on a thread of its own, so that Ctrl-C ends the call within
/// a moment. The thread then ends by itself, and nobody reads its result. Work gives back the texts that it was given: dropped
/// without the interpreter, they would take a lock that a fork could copy as it is held.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if bytes < LONG {
        return Ok(py.detach(work));
    }
    let (sender, receiver) = mpsc::channel();
    let thread = thread::Builder::new().name("notesieve-long".to_owned()).spawn(move || drop(sender.send(work())));
    if thread.is_err() {
        return Err(errors::to_python(py, &notesieve::Error::Internal));
    }
    let receiver = Mutex::new(receiver);
    loop {
        let wait = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PAUSE);
        match py.detach(wait) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(errors::to_python(py, &notesieve::Error::Internal)),
        }
    }
}

/// A `str` of any kind; lone surrogates become U+FFFD, as in notes. `None` for anything else.
pub(crate) fn object_to_string(object: &Bound<'_, PyAny>) -> Option<String> {
    Text::from_py(object).ok().map(|text| text.to_owned())
}

/// How many threads to use: what the call says, what the environment says, or one a core.
pub(crate) fn thread_count_from_py(py: Python<'_>, asked: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let asked = asked.map(PyAnyMethods::extract::<usize>).transpose().map_err(|_| {
        let message = "threads must be a whole number: how many threads to use, or 0 for one a core";
        errors::new(py, "SettingError", message.to_owned())
    })?;
    notesieve::parallel::thread_count(asked).map_err(|error| errors::to_python(py, &error))
}
