//! The index on the disk, as `notesieve._core.Segments` and what belongs to it: conversion to and from [`notesieve_index`].

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use notesieve::Document;
use notesieve::status::Status;
use notesieve::text::span::{CodePoints, Span};
use notesieve::values::Unit;
use notesieve_index::slots::{self, CodeSets};
use notesieve_index::{Error, Row, StoredNote};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::batch::ScrubbedBatch;
use crate::boundary::{self, Text};
use crate::errors;
use crate::key::Key;
use crate::note::{self, ScrubbedNote};
use crate::scrubber::Scrubber;
use crate::vocabulary::Vocabulary;

/// Identifiers of note and patient, type and year.
type RowTuple = (String, String, Option<String>, Option<u64>);

/// Pseudonyms of note and patient, text, packed terms, attributes as JSON, type, year, source.
type StoredTuple = (String, String, String, Cow<'static, [u8]>, String, Option<String>, Option<u64>, u64);

/// Runs `work` with the interpreter released.
fn run_without_gil<T: Send>(py: Python<'_>, work: impl FnOnce() -> notesieve_index::Result<T> + Send) -> PyResult<T> {
    py.detach(work).map_err(|error| {
        let class = match error {
            Error::File { .. } => "FileError",
            _ => "SearchIndexError",
        };
        errors::new(py, class, error.to_string())
    })
}

/// The folder of the segments.
#[pyclass(frozen, module = "notesieve._core")]
pub(crate) struct Segments(notesieve_index::Segments);

#[pymethods]
impl Segments {
    /// Opens the folder, or begins one.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        run_without_gil(py, || notesieve_index::Segments::open(path)).map(Self)
    }

    /// Sees what was committed since.
    fn refresh(&self, py: Python<'_>) -> PyResult<()> {
        run_without_gil(py, || self.0.refresh())
    }

    /// What there is to search, as it was when last looked.
    fn searcher(&self) -> SegmentSearcher {
        SegmentSearcher(self.0.searcher())
    }

    /// Reads every file again: how many there are, and the names of those that are damaged.
    fn verify(&self, py: Python<'_>) -> PyResult<(usize, Vec<String>)> {
        run_without_gil(py, || self.0.verify())
    }

    /// Begins to add. Identifiers become pseudonyms by the key, or are pseudonyms.
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

/// The one who may add to an index. What was added is found after `commit`.
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
        let rows = rows.into_iter().map(|(note, patient, kind, year)| Row { note, patient, kind, year }).collect();
        run_without_gil(py, || self.0.add_documents(documents, rows, source))
    }
}

#[pymethods]
impl SegmentWriter {
    /// The sets of codes from a number on, with what is said of them as bits.
    fn code_sets_from(&self, py: Python<'_>, first: usize) -> PyResult<Vec<(Vec<String>, u8)>> {
        let sets = run_without_gil(py, || self.0.code_sets_from(first))?;
        Ok(sets.into_iter().map(|(codes, status)| (codes, status.bits())).collect())
    }

    /// Adds scrubbed notes: a batch, of which no note becomes an object, or any sequence.
    fn add_notes(&self, py: Python<'_>, notes: &Bound<'_, PyAny>, rows: Vec<RowTuple>, source: u64) -> PyResult<()> {
        let documents = if let Ok(batch) = notes.cast::<ScrubbedBatch>() {
            batch.get().documents().to_vec()
        } else {
            let notes: Vec<Bound<'_, ScrubbedNote>> = notes.extract()?;
            notes.iter().map(|note| Arc::clone(note.get().document())).collect()
        };
        self.add_documents(py, documents, rows, source)
    }

    /// Adds de-identified texts whose terms nobody knows any more; they are found again.
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

    /// Removes all notes of a patient, known by the identifier.
    fn remove_patient(&self, py: Python<'_>, patient: String) -> PyResult<()> {
        run_without_gil(py, || self.0.remove_patient(patient))
    }

    /// Makes what was added permanent.
    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        run_without_gil(py, || self.0.commit())
    }

    /// Forgets what was not committed, and lets others add.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        run_without_gil(py, || self.0.close())
    }

    fn __repr__(&self) -> String {
        format!("SegmentWriter({})", self.0.path().display())
    }
}

/// A question to the segments.
#[pyclass(frozen, module = "notesieve._core")]
pub(crate) struct SegmentQuery(notesieve_index::SegmentQuery);

/// The operands of a question.
fn inner_queries<'a>(operands: &'a [Bound<'_, SegmentQuery>]) -> Vec<&'a notesieve_index::SegmentQuery> {
    operands.iter().map(|operand| &operand.get().0).collect()
}

#[pymethods]
#[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
impl SegmentQuery {
    /// Every note.
    #[staticmethod]
    fn everything() -> Self {
        Self(notesieve_index::SegmentQuery::everything())
    }

    /// No note.
    #[staticmethod]
    fn nothing() -> Self {
        Self(notesieve_index::SegmentQuery::nothing())
    }

    /// Notes with a word.
    #[staticmethod]
    fn word(word: &str) -> Self {
        Self(notesieve_index::SegmentQuery::word(word))
    }

    /// Notes with a word that begins so.
    #[staticmethod]
    fn prefix(start: &str) -> Self {
        Self(notesieve_index::SegmentQuery::prefix(start))
    }

    /// Notes with words or slots at these places beside each other, or that many places off.
    #[staticmethod]
    #[pyo3(signature = (places, slop = 0))]
    fn phrase(places: Vec<(usize, String)>, slop: u32) -> Self {
        Self(notesieve_index::SegmentQuery::phrase(places, slop))
    }

    /// Notes with a term of one of these sets of codes.
    #[staticmethod]
    fn codes(numbers: Vec<u32>) -> Self {
        Self(notesieve_index::SegmentQuery::codes(&numbers))
    }

    /// Notes with a value of one of these sets of codes in a unit, from one number to another, both included.
    #[staticmethod]
    #[pyo3(signature = (numbers, unit, least, most))]
    fn values(numbers: Vec<u32>, unit: &str, least: Option<f64>, most: Option<f64>) -> Self {
        Self(notesieve_index::SegmentQuery::values(&numbers, unit, least, most))
    }

    /// Notes of a type.
    #[staticmethod]
    fn of_type(kind: &str) -> Self {
        Self(notesieve_index::SegmentQuery::of_type(kind))
    }

    /// Notes of a year from one to another, both included.
    #[staticmethod]
    #[pyo3(signature = (first, last))]
    fn years(first: Option<u64>, last: Option<u64>) -> Self {
        Self(notesieve_index::SegmentQuery::years(first, last))
    }

    /// Notes by their pseudonyms.
    #[staticmethod]
    fn notes(pseudonyms: Vec<String>) -> Self {
        Self(notesieve_index::SegmentQuery::notes(&pseudonyms))
    }

    /// Notes that all of some questions find.
    #[staticmethod]
    fn all_of(operands: Vec<Bound<'_, Self>>) -> Self {
        Self(notesieve_index::SegmentQuery::all_of(&inner_queries(&operands)))
    }

    /// Notes that any of some questions finds.
    #[staticmethod]
    fn any_of(operands: Vec<Bound<'_, Self>>) -> Self {
        Self(notesieve_index::SegmentQuery::any_of(&inner_queries(&operands)))
    }

    /// Notes that a question does not find.
    #[staticmethod]
    fn without(operand: &Bound<'_, Self>) -> Self {
        Self(notesieve_index::SegmentQuery::without(&operand.get().0))
    }
}

/// What there is to search, as of one commit.
#[pyclass(frozen, module = "notesieve._core")]
pub(crate) struct SegmentSearcher(notesieve_index::SegmentSearcher);

#[pymethods]
impl SegmentSearcher {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Notes that fit, and their different patients.
    fn count_notes_and_patients(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<(usize, usize)> {
        let query = &query.get().0;
        run_without_gil(py, || self.0.count_notes_and_patients(query))
    }

    /// Notes that fit.
    fn count_notes(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<usize> {
        let query = &query.get().0;
        run_without_gil(py, || self.0.count_notes(query))
    }

    /// The numbers of the patients of the notes that fit, sorted, each once.
    fn matching_patients<'py>(
        &self,
        py: Python<'py>,
        query: &Bound<'py, SegmentQuery>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let query = &query.get().0;
        Ok(run_without_gil(py, || self.0.matching_patients(query))?.into_pyarray(py))
    }

    /// The addresses of the notes that fit.
    fn matching_addresses<'py>(
        &self,
        py: Python<'py>,
        query: &Bound<'py, SegmentQuery>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let query = &query.get().0;
        Ok(run_without_gil(py, || self.0.matching_addresses(query))?.into_pyarray(py))
    }

    /// Notes that fit, and score and address of the best.
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

    /// Notes that fit, by type.
    fn count_by_type(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<BTreeMap<String, usize>> {
        let query = &query.get().0;
        run_without_gil(py, || self.0.count_by_type(query))
    }

    /// Notes that fit, by the number of a set of codes that they have.
    fn count_by_codes(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<BTreeMap<u32, usize>> {
        let query = &query.get().0;
        run_without_gil(py, || self.0.count_by_codes(query))
    }

    /// How many notes have values of one of these sets of codes, by unit.
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn count_by_unit(&self, py: Python<'_>, numbers: Vec<u32>) -> PyResult<BTreeMap<String, usize>> {
        run_without_gil(py, || self.0.count_by_unit(&numbers))
    }

    /// Notes that fit, by year.
    fn count_by_year(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<BTreeMap<u64, usize>> {
        let query = &query.get().0;
        run_without_gil(py, || self.0.count_by_year(query))
    }

    /// What is stored of a note.
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

/// The words of a text as an index sees them, with the code points from which each was made.
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

/// A value in another unit, if it has a counterpart there; `None` also for a unit that nobody knows.
#[pyfunction]
pub(crate) fn convert_unit(value: f64, unit: &str, to: &str) -> Option<f64> {
    Unit::of(unit)?.convert(value, Unit::of(to)?)
}

/// The unit that is spelled so, as results write it.
#[pyfunction]
pub(crate) fn unit_name(written: &str) -> Option<&'static str> {
    Unit::of(written).map(Unit::name)
}

/// The term for which notes write a short form.
#[pyfunction]
pub(crate) fn short_form(name: &str) -> Option<&'static str> {
    notesieve::terms::senses::expand_short_form(name).or_else(|| notesieve::values::short_form(name))
}
