//! Scrubs a column of notes into columns of results, both in Arrow. Texts are read in place, without a copy. A row that
//! is not a text fails alone.

mod cells;
mod dictionary;
mod lists;
pub(crate) mod results;

use std::sync::Arc;

use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field};
use notesieve::detections::CallerKnowledge;
use notesieve::document::Document;
use notesieve::{Patient, Scrubber as Core};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat};
use pyo3_arrow::PyTable;
use pyo3_arrow::input::AnyArray;

use crate::boundary::{self, Text};
use crate::detections::{self, FindingTuple};
use crate::scrubber::CHUNK;
use crate::{errors, note};
use cells::{Cell, Cells};
pub(crate) use results::Wanted;
use results::{Results, Row};

/// The maximum number of rows between two checks for signals; it applies if notes are short.
const MAX_ROWS_PER_CHECK: usize = 1 << 16;

/// The settings for scrubbing one column.
pub(crate) struct ColumnJob<'a> {
    pub(crate) core: &'a Core,
    pub(crate) threads: usize,
    /// A callback that receives the numbers of rows, bytes, removals and failed rows since the last call.
    pub(crate) progress: Option<Py<PyAny>>,
    pub(crate) wanted: Wanted,
    /// The patient of each row; empty if no patient is known.
    pub(crate) owners: Vec<Owner>,
    /// The caller's findings in each row; empty if there are none.
    pub(crate) findings: Vec<RowFindings>,
    /// A callback that receives the texts of some rows and returns the findings of detectors in each.
    pub(crate) detect: Option<Py<PyAny>>,
}

/// The options for scrubbing a column, as given in Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ColumnOptions<'py> {
    outputs: Wanted,
    #[pyo3(default)]
    patients: Option<Bound<'py, PyAny>>,
    #[pyo3(default)]
    findings: Option<Vec<RowFindings>>,
    #[pyo3(default)]
    detect: Option<Py<PyAny>>,
    #[pyo3(default)]
    threads: Option<Bound<'py, PyAny>>,
    #[pyo3(default)]
    progress: Option<Py<PyAny>>,
}

/// The names of the fields of [`ColumnOptions`]. Any other name is an error: a mistyped `patients` would go unnoticed.
const OPTIONS: [&str; 6] = ["outputs", "patients", "findings", "detect", "threads", "progress"];

/// The findings in a row; `None` if they are invalid, so that the row must fail.
pub(crate) type RowFindings = Option<Vec<FindingTuple>>;

/// The patient of a row; an error if the given patient is invalid, so that the row must fail.
pub(crate) type Owner = Result<Option<Arc<Patient>>, ()>;

/// Converts the owners of rows: a `Patient`, `None`, or `False` for an invalid one.
fn owners_of_rows(given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Owner>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    given
        .try_iter()?
        .enumerate()
        .map(|(row, item)| {
            let item = item?;
            if item.is_instance_of::<PyBool>() {
                Ok(Err(()))
            } else {
                crate::patient::Patient::from_py(&item, row).map(Ok)
            }
        })
        .collect()
}

/// The maximum number of failed rows that are listed; further ones are only counted.
const MAX_LISTED_ROWS: usize = 1000;

/// The state of scrubbing a column.
#[derive(Default)]
struct Progress {
    batches: Vec<RecordBatch>,
    rows: usize,
    failed: usize,
    /// The first failed rows with their error codes.
    errors: Vec<(usize, &'static str)>,
}

/// A scrubbed column.
#[pyclass(frozen, get_all, module = "notesieve._core")]
pub(crate) struct ColumnResult {
    /// The requested columns: an Arrow table, or a dictionary of lists.
    columns: Py<PyAny>,
    /// The number of failed rows.
    failed: usize,
    /// The index and error code of the first 1000 failed rows.
    errors: Vec<(usize, &'static str)>,
}

/// Scrubs any object with the Arrow `PyCapsule` interface into a table. Calls `detect` and `progress` with the GIL
/// held, but scrubs without it.
pub(crate) fn scrub_arrow(py: Python<'_>, job: &ColumnJob<'_>, column: &Bound<'_, PyAny>) -> PyResult<ColumnResult> {
    let reader = column.extract::<AnyArray>()?.into_reader()?;
    let form = reader.field().data_type().clone();
    let mut done = Progress::default();
    for array in reader {
        job.scrub_array(py, &array.map_err(|problem| hidden_arrow_error(py, &problem))?, &mut done)?;
    }
    let table = PyTable::try_new(done.batches, job.wanted.schema(&form))?;
    Ok(ColumnResult { columns: table.into_pyobject(py)?.into_any().unbind(), failed: done.failed, errors: done.errors })
}

/// Scrubs any iterable of `str` and `None` into a dictionary of lists. Calls `detect` and `progress` with the GIL held,
/// but scrubs without it.
pub(crate) fn scrub_iterable(
    py: Python<'_>,
    job: &ColumnJob<'_>,
    objects: &Bound<'_, PyAny>,
) -> PyResult<ColumnResult> {
    let mut done = Progress::default();
    let mut texts: Vec<Option<Result<Text, ()>>> = Vec::new();
    let mut bytes = 0;
    for item in objects.try_iter()? {
        let item = item?;
        let text = if is_missing(&item) { None } else { Some(Text::from_py(&item).map_err(|_| ())) };
        bytes += text.as_ref().and_then(|text| text.as_ref().ok()).map_or(0, |text| text.len());
        texts.push(text);
        if bytes >= CHUNK || texts.len() >= MAX_ROWS_PER_CHECK {
            job.scrub_cells(py, &Cells::Objects(&texts), &DataType::Utf8, &mut done)?;
            texts.clear();
            bytes = 0;
        }
    }
    job.scrub_cells(py, &Cells::Objects(&texts), &DataType::Utf8, &mut done)?;
    let names: Vec<String> =
        job.wanted.schema(&DataType::Utf8).fields().iter().map(|field| field.name().clone()).collect();
    let columns = lists::columns_as_lists(py, &names, &done.batches)?.into_any().unbind();
    Ok(ColumnResult { columns, failed: done.failed, errors: done.errors })
}

/// Returns whether an object represents a missing note: `None`, or NaN, as in object arrays.
fn is_missing(item: &Bound<'_, PyAny>) -> bool {
    item.is_none() || item.cast::<PyFloat>().is_ok_and(|number| number.value().is_nan())
}

/// Converts an Arrow error without its details, which may contain text.
fn hidden_arrow_error(py: Python<'_>, problem: &ArrowError) -> PyErr {
    let kind = match problem {
        ArrowError::OffsetOverflowError(_) => "a column grew past what its offsets can count",
        ArrowError::CDataInterface(_) => "the other library gave no valid Arrow data",
        ArrowError::MemoryError(_) => "there was no memory for it",
        _ => "Arrow could not read or build the column",
    };
    errors::new(py, "FrameError", kind.to_owned())
}

impl<'a> ColumnJob<'a> {
    pub(crate) fn new(py: Python<'_>, core: &'a Core, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let options = options.cloned().unwrap_or_else(|| PyDict::new(py));
        for (name, _) in &options {
            let name: String = name.extract()?;
            if !OPTIONS.contains(&name.as_str()) {
                let message = format!("there is no option {name:?}: take {}", OPTIONS.join(", "));
                return Err(PyTypeError::new_err(message));
            }
        }
        let options: ColumnOptions<'_> = options.extract()?;
        Ok(Self {
            core,
            threads: boundary::thread_count_from_py(py, options.threads.as_ref())?,
            progress: options.progress,
            wanted: options.outputs,
            owners: owners_of_rows(options.patients.as_ref())?,
            findings: options.findings.unwrap_or_default(),
            detect: options.detect,
        })
    }

    /// Scrubs one array into one or more batches.
    fn scrub_array(&self, py: Python<'_>, array: &ArrayRef, done: &mut Progress) -> PyResult<()> {
        let DataType::Dictionary(key, _) = array.data_type() else {
            return self.scrub_cells(py, &Cells::of_array(array), array.data_type(), done);
        };
        match **key {
            DataType::Int8 => self.scrub_dictionary::<Int8Type>(py, array, done),
            DataType::Int16 => self.scrub_dictionary::<Int16Type>(py, array, done),
            DataType::Int32 => self.scrub_dictionary::<Int32Type>(py, array, done),
            DataType::Int64 => self.scrub_dictionary::<Int64Type>(py, array, done),
            DataType::UInt8 => self.scrub_dictionary::<UInt8Type>(py, array, done),
            DataType::UInt16 => self.scrub_dictionary::<UInt16Type>(py, array, done),
            DataType::UInt32 => self.scrub_dictionary::<UInt32Type>(py, array, done),
            _ => self.scrub_dictionary::<UInt64Type>(py, array, done),
        }
    }

    /// Scrubs cells in chunks of a few megabytes.
    fn scrub_cells(&self, py: Python<'_>, cells: &Cells<'_>, form: &DataType, done: &mut Progress) -> PyResult<()> {
        let mut first = 0;
        while first < cells.len() {
            let (mut last, mut bytes) = (first, 0);
            while last < cells.len() && bytes < CHUNK && last - first < MAX_ROWS_PER_CHECK {
                bytes += cells.byte_len(last);
                last += 1;
            }
            let range = done.rows..done.rows + (last - first);
            let read: Vec<Cell<'_>> = (first..last).map(|at| cells.get(at)).collect();
            let found = self.collect_findings(py, &read, self.findings.get(range.clone()).unwrap_or_default())?;
            let owners = self.owners.get(range).unwrap_or_default();
            let batch = py.detach(|| {
                let rows = self.scrub_rows(&read, owners, &found);
                let mut results = Results::new(&self.wanted, form, self.core.vocabulary(), last - first);
                for row in &rows {
                    results.push_row(row);
                }
                let counted = results.removals_and_failures();
                results.finish().map(|batch| (batch, counted))
            });
            let (batch, counted) = batch.map_err(|problem| hidden_arrow_error(py, &problem))?;
            self.report_batch(py, done, batch, bytes, counted)?;
            first = last;
        }
        Ok(())
    }

    /// Returns the findings in cells, from the caller and from detectors.
    fn collect_findings(
        &self,
        py: Python<'_>,
        cells: &[Cell<'_>],
        given: &[RowFindings],
    ) -> PyResult<Vec<RowFindings>> {
        let mut found = given.to_vec();
        let Some(detect) = &self.detect else { return Ok(found) };
        let texts: Vec<&str> = cells.iter().map(|cell| if let Cell::Text(text) = cell { text } else { "" }).collect();
        let detected: Vec<Vec<FindingTuple>> = detect.call1(py, (texts,))?.extract(py)?;
        found.resize(cells.len(), Some(Vec::new()));
        for (all, more) in found.iter_mut().zip(detected) {
            if let Some(all) = all {
                all.extend(more);
            }
        }
        Ok(found)
    }

    /// Scrubs one chunk of cells.
    fn scrub_rows(&self, cells: &[Cell<'_>], owners: &[Owner], found: &[RowFindings]) -> Vec<Row> {
        let mut texts: Vec<&str> = Vec::with_capacity(cells.len());
        let mut known = Vec::new();
        let mut failures = Vec::with_capacity(cells.len());
        for (at, cell) in cells.iter().enumerate() {
            let Cell::Text(text) = cell else {
                failures.push(None);
                continue;
            };
            let row = row_knowledge(text, owners.get(at), found.get(at));
            failures.push(row.as_ref().err().copied());
            if let Ok(row) = row {
                texts.push(text);
                known.push(row);
            }
        }
        let finish = |text: &&str, mut document: Document| {
            note::convert_offsets_to_code_points(text, &mut document);
            let coded = self.wanted.coded.then(|| note::text_with_codes(self.core.vocabulary(), &document));
            (document, coded)
        };
        let mut done = self.core.scrub_many_with(&texts, &known, false, self.threads, finish).into_iter();
        let row = |(cell, failure): (&Cell<'_>, Option<&'static str>)| match (cell, failure) {
            (Cell::Null, _) => Row::Null,
            (Cell::Broken(failure), _) => Row::Failed(failure),
            (Cell::Text(_), Some(failure)) => Row::Failed(failure),
            (Cell::Text(_), None) => match done.next() {
                Some(Ok((document, coded))) => Row::Scrubbed { document: Box::new(document), coded },
                Some(Err(notesieve::Error::TooLong { .. })) => Row::Failed("length"),
                _ => Row::Failed("internal"),
            },
        };
        cells.iter().zip(failures).map(row).collect()
    }

    /// Adds a finished batch, reports progress, and checks for signals.
    fn report_batch(
        &self,
        py: Python<'_>,
        done: &mut Progress,
        batch: RecordBatch,
        bytes: usize,
        (removed, failed): (usize, Vec<(usize, &'static str)>),
    ) -> PyResult<()> {
        let (rows, count) = (batch.num_rows(), failed.len());
        let free = MAX_LISTED_ROWS.saturating_sub(done.errors.len());
        done.errors.extend(failed.into_iter().take(free).map(|(row, code)| (done.rows + row, code)));
        done.batches.push(batch);
        done.rows += rows;
        done.failed += count;
        if let Some(progress) = &self.progress {
            progress.call1(py, (rows, bytes, removed, count))?;
        }
        py.check_signals()
    }
}

/// Returns what the caller knows about a row, or an error code if it is invalid.
fn row_knowledge(
    text: &str,
    owner: Option<&Owner>,
    found: Option<&RowFindings>,
) -> Result<CallerKnowledge, &'static str> {
    let patient = match owner {
        None => None,
        Some(owner) => owner.clone().map_err(|()| "patient")?,
    };
    let found = found.map_or(Some([].as_slice()), |found| found.as_deref()).ok_or("findings")?;
    let (detections, problems) = detections::detections_of_text(text, found);
    if problems.is_empty() { Ok(CallerKnowledge { patient, detections }) } else { Err("findings") }
}

/// Returns a nullable column of the result.
fn nullable_field(name: &str, form: DataType) -> Field {
    Field::new(name, form, true)
}
