//! `notesieve._core.SlotWriter`: notes as a full-text index takes them, many at a time.

use std::sync::{Arc, Mutex, PoisonError};

use notesieve::document::{Document, Mention};
use notesieve::slots;
use notesieve::span::{CodePoints, Span};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::enter::{self, Text};
use crate::note::ScrubbedNote;
use crate::scrubber::Scrubber;
use crate::vocabulary::Vocabulary;

/// Text, words and slots, and mentions of a note.
type Written<'py> = (Bound<'py, PyBytes>, Bound<'py, PyString>, Bound<'py, PyBytes>);

/// Writes notes as words and slots, and gives numbers to the sets of codes that it meets.
#[pyclass(frozen, module = "notesieve._core")]
pub(crate) struct SlotWriter(Mutex<slots::SlotWriter>);

#[pymethods]
impl SlotWriter {
    #[new]
    fn new(vocabulary: &Bound<'_, Vocabulary>, sets: Vec<Vec<String>>) -> Self {
        Self(Mutex::new(slots::SlotWriter::new(vocabulary.get().core.clone(), sets)))
    }

    /// The sets of codes from a number on.
    fn sets(&self, first: usize) -> Vec<Vec<String>> {
        let writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writer.sets().get(first..).unwrap_or_default().to_vec()
    }

    /// Writes scrubbed notes.
    fn write_notes<'py>(&self, py: Python<'py>, notes: Vec<Bound<'py, ScrubbedNote>>) -> Vec<Written<'py>> {
        let documents: Vec<_> = notes.into_iter().map(|note| Arc::clone(note.get().document())).collect();
        let written: Vec<_> = py.detach(|| {
            let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            documents.iter().map(|document| writer.write(&document.text, &in_bytes(document))).collect()
        });
        documents.iter().zip(written).map(|(document, written)| to_python(py, &document.text, written)).collect()
    }

    /// Writes de-identified texts whose terms nobody knows any more; they are found again.
    fn write_texts<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<Bound<'py, PyAny>>,
        scrubber: &Bound<'py, Scrubber>,
    ) -> PyResult<Vec<Written<'py>>> {
        let texts = texts.into_iter().map(|text| Text::take(&text)).collect::<PyResult<Vec<_>>>()?;
        let core = scrubber.get().core();
        let written = enter::enter(py, || {
            let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            texts
                .iter()
                .map(|text| Ok(writer.write(text, &core.autocode(text)?)))
                .collect::<notesieve::Result<Vec<_>>>()
        })?;
        Ok(texts.iter().zip(written).map(|(text, written)| to_python(py, text, written)).collect())
    }
}

fn to_python<'py>(py: Python<'py>, text: &str, written: slots::Written) -> Written<'py> {
    let slots::Written { words, mentions } = written;
    (PyBytes::new(py, text.as_bytes()), PyString::new(py, &words), PyBytes::new(py, &mentions))
}

/// The terms of a document whose offsets are code points, told by bytes.
fn in_bytes(document: &Document) -> Vec<Mention> {
    let text = &document.text;
    if text.is_ascii() {
        return document.concepts.clone();
    }
    let bytes: Vec<u32> = text.char_indices().map(|(at, _)| at as u32).chain([text.len() as u32]).collect();
    let byte = |point: u32| bytes.get(point as usize).copied().unwrap_or(text.len() as u32);
    let told =
        |found: &Mention| Mention { output: Span::new(byte(found.output.start), byte(found.output.end)), ..*found };
    document.concepts.iter().map(told).collect()
}

/// The words of a text as an index sees them, with the code points from which each was made.
#[pyfunction]
pub(crate) fn index_words(text: &Bound<'_, PyAny>) -> PyResult<Vec<(String, u32, u32)>> {
    let text = Text::take(text)?;
    let mut points = CodePoints::new(&text);
    Ok(slots::words(&text)
        .into_iter()
        .map(|(word, span)| {
            let Span { start, end } = points.convert_span(span);
            (word, start, end)
        })
        .collect())
}
