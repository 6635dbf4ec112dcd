//! The boundary between Python and the core: borrows texts without a copy, releases the GIL, converts errors, and
//! checks signals between chunks and during long texts.

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
    /// A text with lone surrogates, which UTF-8 cannot encode: each is replaced by U+FFFD, so offsets stay valid.
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
    /// Extracts a `str`. The error names the type of the given object, never its value.
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

/// The minimum length in bytes of texts whose scrubbing checks for signals.
const MIN_LONG_TEXT_BYTES: usize = 256 << 10;

/// The interval between checks for signals while a long text is scrubbed.
const SIGNAL_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Runs `work` without the GIL. If its texts are long, it runs on a separate thread, so that Ctrl-C ends the call
/// within a moment; the thread then finishes on its own and its result is discarded. `work` must return the texts it
/// was given: dropping them without the interpreter would take a lock that a fork could copy while it is held.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if bytes < MIN_LONG_TEXT_BYTES {
        return Ok(py.detach(work));
    }
    let (sender, receiver) = mpsc::channel();
    let thread = thread::Builder::new().name("notesieve-long".to_owned()).spawn(move || drop(sender.send(work())));
    if thread.is_err() {
        return Err(errors::to_python(py, &notesieve::Error::Internal));
    }
    let receiver = Mutex::new(receiver);
    loop {
        let wait = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(SIGNAL_CHECK_INTERVAL);
        match py.detach(wait) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(errors::to_python(py, &notesieve::Error::Internal)),
        }
    }
}

/// Converts a `str` to a string, with lone surrogates as U+FFFD, as in notes. `None` for any other object.
pub(crate) fn object_to_string(object: &Bound<'_, PyAny>) -> Option<String> {
    Text::from_py(object).ok().map(|text| text.to_owned())
}

/// Returns the number of threads: from the call, from the environment, or one per core.
pub(crate) fn thread_count_from_py(py: Python<'_>, asked: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let asked = asked.map(PyAnyMethods::extract::<usize>).transpose().map_err(|_| {
        let message = "threads must be a whole number: how many threads to use, or 0 for one a core";
        errors::new(py, "SettingError", message.to_owned())
    })?;
    notesieve::parallel::thread_count(asked).map_err(|error| errors::to_python(py, &error))
}
