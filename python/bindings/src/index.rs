//! The on-disk index as `notesieve._core.Segments` and related classes: conversion to and from [`notesieve_index`].

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use notesieve::Document;
use notesieve::status::Status;
use notesieve::text::span::{CodePoints, Span};
use notesieve::values::Unit;
use notesieve_index::slots::{self, CodeSets};
use notesieve_index::{Error, NoteMetadata, StoredNote};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::batch::ScrubbedBatch;
use crate::boundary::{self, Text};
use crate::errors;
use crate::key::Key;
use crate::note::{self, ScrubbedNote};
use crate::scrubber::Scrubber;
use crate::vocabulary::Vocabulary;

/// `(note identifier, patient identifier, type, year)`.
type RowTuple = (String, String, Option<String>, Option<u64>);

/// `(note pseudonym, patient pseudonym, text, packed mentions, attributes as JSON, type, year, source)`.
type StoredTuple = (String, String, String, Cow<'static, [u8]>, String, Option<String>, Option<u64>, u64);

/// Runs `work` without the GIL.
fn run_without_gil<T: Send>(py: Python<'_>, work: impl FnOnce() -> notesieve_index::Result<T> + Send) -> PyResult<T> {
    py.detach(work).map_err(|error| {
        let class = match error {
            Error::File { .. } => "FileError",
            _ => "SearchIndexError",
        };
        errors::new(py, class, error.to_string())
    })
}

/// The folder of an index.
#[pyclass(frozen, module = "notesieve._core")]
pub(crate) struct Segments(notesieve_index::Segments);

#[pymethods]
impl Segments {
    /// Open the folder, or create it.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        run_without_gil(py, || notesieve_index::Segments::open(path)).map(Self)
    }

    /// Reload the index to see the latest commit.
    fn refresh(&self, py: Python<'_>) -> PyResult<()> {
        run_without_gil(py, || self.0.refresh())
    }

    /// A searcher over the commit of the last refresh.
    fn searcher(&self) -> SegmentSearcher {
        SegmentSearcher(self.0.searcher())
    }

    /// Read every file again; return their number and the names of the damaged ones.
    fn verify(&self, py: Python<'_>) -> PyResult<(usize, Vec<String>)> {
        run_without_gil(py, || self.0.verify())
    }

    /// Create a writer. The key turns identifiers into pseudonyms; without one, identifiers are pseudonyms already.
    #[pyo3(signature = (vocabulary, sets, key, threads = None))]
    fn writer(
        &self,
        py: Python<'_>,
        vocabulary: &Bound<'_, Vocabulary>,
        sets: Vec<(Vec<String>, u8)>,
        key: Option<Key>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<SegmentWriter> {
        let threads = boundary::thread_count_from_py(py, threads)?;
        let sets = sets.into_iter().map(|(codes, status)| (codes, Status::from_bits(status))).collect();
        let sets = CodeSets::new(vocabulary.get().core.clone(), sets);
        run_without_gil(py, || self.0.writer(sets, key.map(|key| key.0), threads)).map(SegmentWriter)
    }

    fn __repr__(&self) -> String {
        format!("Segments({})", self.0.path().display())
    }
}

/// The writer of an index, of which only one can exist at a time. Added notes are found after `commit`.
#[pyclass(frozen, module = "notesieve._core")]
pub(crate) struct SegmentWriter(notesieve_index::SegmentWriter);

impl SegmentWriter {
    /// Adds documents whose offsets are code points.
    fn add_documents(
        &self,
        py: Python<'_>,
        documents: Vec<Arc<Document>>,
        rows: Vec<RowTuple>,
        source: u64,
    ) -> PyResult<()> {
        let rows =
            rows.into_iter().map(|(note, patient, kind, year)| NoteMetadata { note, patient, kind, year }).collect();
        run_without_gil(py, || self.0.add_documents(documents, rows, source))
    }
}

#[pymethods]
impl SegmentWriter {
    /// Return the code sets from number `first` on, each with its statuses as bits.
    fn code_sets_from(&self, py: Python<'_>, first: usize) -> PyResult<Vec<(Vec<String>, u8)>> {
        let sets = run_without_gil(py, || self.0.code_sets_from(first))?;
        Ok(sets.into_iter().map(|(codes, status)| (codes, status.bits())).collect())
    }

    /// Add scrubbed notes: a batch, without creating an object per note, or any sequence.
    fn add_notes(&self, py: Python<'_>, notes: &Bound<'_, PyAny>, rows: Vec<RowTuple>, source: u64) -> PyResult<()> {
        let documents = if let Ok(batch) = notes.cast::<ScrubbedBatch>() {
            batch.get().documents().to_vec()
        } else {
            let notes: Vec<Bound<'_, ScrubbedNote>> = notes.extract()?;
            notes.iter().map(|note| Arc::clone(note.get().document())).collect()
        };
        self.add_documents(py, documents, rows, source)
    }

    /// Add de-identified texts without their terms, which are searched for again.
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn add_texts(
        &self,
        py: Python<'_>,
        texts: Vec<Bound<'_, PyAny>>,
        rows: Vec<RowTuple>,
        source: u64,
        scrubber: &Bound<'_, Scrubber>,
    ) -> PyResult<()> {
        let texts = texts.iter().map(Text::from_py).collect::<PyResult<Vec<_>>>()?;
        let core = scrubber.get().core();
        let read = |text: &Text| {
            let mut document = Document { text: text.to_string(), ..core.autocode_identifying(text)? };
            note::convert_offsets_to_code_points(text, &mut document);
            Ok(Arc::new(document))
        };
        let documents = boundary::without_gil(py, || texts.iter().map(read).collect::<notesieve::Result<Vec<_>>>())?;
        self.add_documents(py, documents, rows, source)
    }

    /// Remove all notes of a patient, given the patient's identifier.
    fn remove_patient(&self, py: Python<'_>, patient: String) -> PyResult<()> {
        run_without_gil(py, || self.0.remove_patient(patient))
    }

    /// Commit the added notes.
    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        run_without_gil(py, || self.0.commit())
    }

    /// Discard what was not committed and release the lock of the writer.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        run_without_gil(py, || self.0.close())
    }

    fn __repr__(&self) -> String {
        format!("SegmentWriter({})", self.0.path().display())
    }
}

/// A query to the index.
#[pyclass(frozen, module = "notesieve._core")]
pub(crate) struct SegmentQuery(notesieve_index::SegmentQuery);

/// Returns the inner queries of the operands.
fn inner_queries<'a>(operands: &'a [Bound<'_, SegmentQuery>]) -> Vec<&'a notesieve_index::SegmentQuery> {
    operands.iter().map(|operand| &operand.get().0).collect()
}

#[pymethods]
#[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
impl SegmentQuery {
    /// Match every note.
    #[staticmethod]
    fn everything() -> Self {
        Self(notesieve_index::SegmentQuery::everything())
    }

    /// Match no note.
    #[staticmethod]
    fn nothing() -> Self {
        Self(notesieve_index::SegmentQuery::nothing())
    }

    /// Match notes with a word.
    #[staticmethod]
    fn word(word: &str) -> Self {
        Self(notesieve_index::SegmentQuery::word(word))
    }

    /// Match notes with a word that has this prefix.
    #[staticmethod]
    fn prefix(start: &str) -> Self {
        Self(notesieve_index::SegmentQuery::prefix(start))
    }

    /// Match notes with words or slots at these relative positions, with at most `slop` positions between them.
    #[staticmethod]
    #[pyo3(signature = (places, slop = 0))]
    fn phrase(places: Vec<(usize, String)>, slop: u32) -> Self {
        Self(notesieve_index::SegmentQuery::phrase(places, slop))
    }

    /// Match notes with a term of one of these code sets.
    #[staticmethod]
    fn codes(numbers: Vec<u32>) -> Self {
        Self(notesieve_index::SegmentQuery::codes(&numbers))
    }

    /// Match notes with a value of one of these code sets in a unit, within a range that includes both ends.
    #[staticmethod]
    #[pyo3(signature = (numbers, unit, least, most))]
    fn values(numbers: Vec<u32>, unit: &str, least: Option<f64>, most: Option<f64>) -> Self {
        Self(notesieve_index::SegmentQuery::values(&numbers, unit, least, most))
    }

    /// Match notes of a type.
    #[staticmethod]
    fn of_type(kind: &str) -> Self {
        Self(notesieve_index::SegmentQuery::of_type(kind))
    }

    /// Match notes within a range of years that includes both ends.
    #[staticmethod]
    #[pyo3(signature = (first, last))]
    fn years(first: Option<u64>, last: Option<u64>) -> Self {
        Self(notesieve_index::SegmentQuery::years(first, last))
    }

    /// Match notes by their pseudonyms.
    #[staticmethod]
    fn notes(pseudonyms: Vec<String>) -> Self {
        Self(notesieve_index::SegmentQuery::notes(&pseudonyms))
    }

    /// Match notes that all operands match.
    #[staticmethod]
    fn all_of(operands: Vec<Bound<'_, Self>>) -> Self {
        Self(notesieve_index::SegmentQuery::all_of(&inner_queries(&operands)))
    }

    /// Match notes that any operand matches.
    #[staticmethod]
    fn any_of(operands: Vec<Bound<'_, Self>>) -> Self {
        Self(notesieve_index::SegmentQuery::any_of(&inner_queries(&operands)))
    }

    /// Match notes that the operand does not match.
    #[staticmethod]
    fn without(operand: &Bound<'_, Self>) -> Self {
        Self(notesieve_index::SegmentQuery::without(&operand.get().0))
    }
}

/// A searcher over one commit of the index.
#[pyclass(frozen, module = "notesieve._core")]
pub(crate) struct SegmentSearcher(notesieve_index::SegmentSearcher);

#[pymethods]
impl SegmentSearcher {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Return the number of matching notes and of their distinct patients.
    fn count_notes_and_patients(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<(usize, usize)> {
        let query = &query.get().0;
        run_without_gil(py, || self.0.count_notes_and_patients(query))
    }

    /// Return the number of matching notes.
    fn count_notes(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<usize> {
        let query = &query.get().0;
        run_without_gil(py, || self.0.count_notes(query))
    }

    /// Return the numbers of the patients of matching notes, sorted and unique.
    fn matching_patients<'py>(
        &self,
        py: Python<'py>,
        query: &Bound<'py, SegmentQuery>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let query = &query.get().0;
        Ok(run_without_gil(py, || self.0.matching_patients(query))?.into_pyarray(py))
    }

    /// Return the addresses of matching notes.
    fn matching_addresses<'py>(
        &self,
        py: Python<'py>,
        query: &Bound<'py, SegmentQuery>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let query = &query.get().0;
        Ok(run_without_gil(py, || self.0.matching_addresses(query))?.into_pyarray(py))
    }

    /// Return the number of matching notes, and the score and address of the best.
    fn best_notes(
        &self,
        py: Python<'_>,
        query: &Bound<'_, SegmentQuery>,
        limit: usize,
        offset: usize,
    ) -> PyResult<(usize, Vec<(f32, u64)>)> {
        let query = &query.get().0;
        run_without_gil(py, || self.0.best_notes(query, limit, offset))
    }

    /// Return the number of matching notes by type.
    fn count_by_type(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<BTreeMap<String, usize>> {
        let query = &query.get().0;
        run_without_gil(py, || self.0.count_by_type(query))
    }

    /// Return the number of matching notes by code set.
    fn count_by_codes(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<BTreeMap<u32, usize>> {
        let query = &query.get().0;
        run_without_gil(py, || self.0.count_by_codes(query))
    }

    /// Return the number of notes with values of one of these code sets, by unit.
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn count_by_unit(&self, py: Python<'_>, numbers: Vec<u32>) -> PyResult<BTreeMap<String, usize>> {
        run_without_gil(py, || self.0.count_by_unit(&numbers))
    }

    /// Return the number of matching notes by year.
    fn count_by_year(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<BTreeMap<u64, usize>> {
        let query = &query.get().0;
        run_without_gil(py, || self.0.count_by_year(query))
    }

    /// Return the stored fields of a note.
    fn stored_note(&self, py: Python<'_>, address: u64) -> PyResult<StoredTuple> {
        let Some(stored) = run_without_gil(py, || self.0.stored_note(address))? else {
            return Err(errors::new(py, "SearchIndexError", format!("there is no note at {address}")));
        };
        let StoredNote { note, patient, text, mentions, attributes, kind, year, source } = stored;
        Ok((note, patient, text, mentions.into(), attributes, kind, year, source))
    }

    fn __repr__(&self) -> String {
        format!("SegmentSearcher({} notes)", self.0.len())
    }
}

/// Return the words of a text as the index tokenizes them, each with its start and end in code points.
#[pyfunction]
pub(crate) fn index_words(text: &Bound<'_, PyAny>) -> PyResult<Vec<(String, u32, u32)>> {
    let text = Text::from_py(text)?;
    let mut points = CodePoints::new(&text);
    Ok(slots::words_with_spans(&text)
        .into_iter()
        .map(|(word, span)| {
            let Span { start, end } = points.convert_span(span);
            (word, start, end)
        })
        .collect())
}

/// Convert a value to another unit; `None` if a unit is unknown or the units are not convertible.
#[pyfunction]
pub(crate) fn convert_unit(value: f64, unit: &str, to: &str) -> Option<f64> {
    Unit::of(unit)?.convert(value, Unit::of(to)?)
}

/// Return the canonical name of a unit in any spelling.
#[pyfunction]
pub(crate) fn unit_name(written: &str) -> Option<&'static str> {
    Unit::of(written).map(Unit::name)
}

/// Return the abbreviation that notes use for a term.
#[pyfunction]
pub(crate) fn short_form(name: &str) -> Option<&'static str> {
    notesieve::terms::senses::expand_short_form(name).or_else(|| notesieve::values::short_form(name))
}
