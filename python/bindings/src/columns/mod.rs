//! A column of notes in, columns of results out, both Arrow. Texts are read where the other library keeps them, without a
//! copy; a row that is no text costs itself and nothing else.

mod cells;
mod dictionary;
mod lists;
mod results;

use std::sync::Arc;

use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field};
use notesieve::detections::CallerKnowledge;
use notesieve::document::Document;
use notesieve::{Patient, Scrubber as Core};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat};
use pyo3_arrow::PyTable;
use pyo3_arrow::input::AnyArray;

use crate::enter::Text;
use crate::scrubber::CHUNK;
use crate::{errors, note};
use cells::{Cell, Cells};
pub(crate) use results::Wanted;
use results::{Results, Row};

/// Rows between two looks for Ctrl-C, where notes are short.
const ROWS: usize = 1 << 16;

/// What holds for a whole column.
pub(crate) struct Run<'a> {
    pub(crate) core: &'a Core,
    pub(crate) threads: usize,
    /// Called with the rows, bytes, removals and failed rows since the last call.
    pub(crate) progress: Option<Py<PyAny>>,
    pub(crate) wanted: Wanted,
    /// Whose note each row is; empty if nothing is known of anybody.
    pub(crate) owners: Vec<Owner>,
}

/// Whose note a row is; an error if what is said of the patient cannot be used, so that the row must not come out.
pub(crate) type Owner = Result<Option<Arc<Patient>>, ()>;

/// The owners of rows: a `Patient`, `None`, or `False` for what cannot be used.
pub(crate) fn owners(given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Owner>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    given
        .try_iter()?
        .enumerate()
        .map(|(row, item)| {
            let item = item?;
            if item.is_instance_of::<PyBool>() {
                Ok(Err(()))
            } else {
                crate::patient::Patient::take(&item, row).map(Ok)
            }
        })
        .collect()
}

/// Failed rows that are listed by their place; more are only counted.
const LISTED: usize = 1000;

/// What has come of a column so far.
#[derive(Default)]
struct Done {
    batches: Vec<RecordBatch>,
    rows: usize,
    failed: usize,
    /// The first failed rows and their codes.
    errors: Vec<(usize, &'static str)>,
}

/// A result, how many rows failed, and the place and code of the first of them.
pub(crate) type Outcome<T> = (T, usize, Vec<(usize, &'static str)>);

/// Scrubs a column of anything that speaks Arrow.
pub(crate) fn scrub(py: Python<'_>, run: &Run<'_>, column: &Bound<'_, PyAny>) -> PyResult<Outcome<PyTable>> {
    let reader = column.extract::<AnyArray>()?.into_reader()?;
    let form = reader.field().data_type().clone();
    let mut done = Done::default();
    for array in reader {
        run.array(py, &array.map_err(|problem| arrow(py, &problem))?, &mut done)?;
    }
    Ok((PyTable::try_new(done.batches, run.wanted.schema(&form))?, done.failed, done.errors))
}

/// Scrubs any iterable of `str` and `None` into a dictionary of lists.
pub(crate) fn scrub_objects<'py>(
    py: Python<'py>,
    run: &Run<'_>,
    objects: &Bound<'py, PyAny>,
) -> PyResult<Outcome<Bound<'py, PyDict>>> {
    let mut done = Done::default();
    let mut texts: Vec<Option<Result<Text, ()>>> = Vec::new();
    let mut bytes = 0;
    for item in objects.try_iter()? {
        let item = item?;
        let text = if is_missing(&item) { None } else { Some(Text::take(&item).map_err(|_| ())) };
        bytes += text.as_ref().and_then(|text| text.as_ref().ok()).map_or(0, |text| text.len());
        texts.push(text);
        if bytes >= CHUNK || texts.len() >= ROWS {
            run.cells(py, &Cells::Objects(&texts), &DataType::Utf8, &mut done)?;
            texts.clear();
            bytes = 0;
        }
    }
    run.cells(py, &Cells::Objects(&texts), &DataType::Utf8, &mut done)?;
    let names: Vec<String> =
        run.wanted.schema(&DataType::Utf8).fields().iter().map(|field| field.name().clone()).collect();
    Ok((lists::lists(py, &names, &done.batches)?, done.failed, done.errors))
}

/// Whether an object stands for a missing note: `None`, or, as in arrays of objects, a number that is none.
fn is_missing(item: &Bound<'_, PyAny>) -> bool {
    item.is_none() || item.cast::<PyFloat>().is_ok_and(|number| number.value().is_nan())
}

/// An error of Arrow without what it was about.
fn arrow(py: Python<'_>, problem: &ArrowError) -> PyErr {
    let kind = match problem {
        ArrowError::OffsetOverflowError(_) => "a column grew past what its offsets can count",
        ArrowError::CDataInterface(_) => "the other library gave no valid Arrow data",
        ArrowError::MemoryError(_) => "there was no memory for it",
        _ => "Arrow could not read or build the column",
    };
    errors::new(py, "FrameError", kind.to_owned())
}

impl Run<'_> {
    /// Scrubs one array into one or more batches.
    fn array(&self, py: Python<'_>, array: &ArrayRef, done: &mut Done) -> PyResult<()> {
        let DataType::Dictionary(key, _) = array.data_type() else {
            return self.cells(py, &Cells::of(array), array.data_type(), done);
        };
        match **key {
            DataType::Int8 => self.dictionary::<Int8Type>(py, array, done),
            DataType::Int16 => self.dictionary::<Int16Type>(py, array, done),
            DataType::Int32 => self.dictionary::<Int32Type>(py, array, done),
            DataType::Int64 => self.dictionary::<Int64Type>(py, array, done),
            DataType::UInt8 => self.dictionary::<UInt8Type>(py, array, done),
            DataType::UInt16 => self.dictionary::<UInt16Type>(py, array, done),
            DataType::UInt32 => self.dictionary::<UInt32Type>(py, array, done),
            _ => self.dictionary::<UInt64Type>(py, array, done),
        }
    }

    /// Scrubs cells, a chunk of some megabytes at a time.
    fn cells(&self, py: Python<'_>, cells: &Cells<'_>, form: &DataType, done: &mut Done) -> PyResult<()> {
        let mut first = 0;
        while first < cells.len() {
            let (mut last, mut bytes) = (first, 0);
            while last < cells.len() && bytes < CHUNK && last - first < ROWS {
                bytes += cells.bytes(last);
                last += 1;
            }
            let before = done.rows;
            let batch = py.detach(|| {
                let read: Vec<Cell<'_>> = (first..last).map(|at| cells.get(at)).collect();
                let owners = self.owners.get(before..before + read.len()).unwrap_or_default();
                let rows = self.rows(&read, owners);
                let mut results = Results::new(&self.wanted, form, self.core.vocabulary(), last - first);
                for row in &rows {
                    results.push(row);
                }
                let counted = results.counted();
                results.finish().map(|batch| (batch, counted))
            });
            let (batch, counted) = batch.map_err(|problem| arrow(py, &problem))?;
            self.report(py, done, batch, bytes, counted)?;
            first = last;
        }
        Ok(())
    }

    /// Scrubs cells that are in memory.
    fn rows(&self, cells: &[Cell<'_>], owners: &[Owner]) -> Vec<Row> {
        let mut texts: Vec<&str> = Vec::with_capacity(cells.len());
        let mut known = Vec::new();
        for (at, cell) in cells.iter().enumerate() {
            let owner = owners.get(at);
            if let (Cell::Text(text), None | Some(Ok(_))) = (cell, owner) {
                texts.push(text);
                let patient = owner.and_then(|owner| owner.clone().unwrap_or_default());
                known.push(CallerKnowledge { patient, detections: Vec::new() });
            }
        }
        let finish = |text: &&str, mut document: Document| {
            note::to_code_points(text, &mut document);
            let coded = self.wanted.coded.then(|| note::coded(self.core.vocabulary(), &document));
            (document, coded)
        };
        let mut done = self.core.scrub_many_with(&texts, &known, false, self.threads, finish).into_iter();
        let row = |(at, cell): (usize, &Cell<'_>)| match cell {
            Cell::Null => Row::Null,
            Cell::Broken(code) => Row::Failed(code),
            Cell::Text(_) if matches!(owners.get(at), Some(Err(()))) => Row::Failed("patient"),
            Cell::Text(_) => match done.next() {
                Some(Ok((document, coded))) => Row::Done { document: Box::new(document), coded },
                Some(Err(notesieve::Error::TooLong { .. })) => Row::Failed("length"),
                _ => Row::Failed("internal"),
            },
        };
        cells.iter().enumerate().map(row).collect()
    }

    /// Adds a batch to what is done, tells whoever waits, and looks for Ctrl-C.
    fn report(
        &self,
        py: Python<'_>,
        done: &mut Done,
        batch: RecordBatch,
        bytes: usize,
        (removed, failed): (usize, Vec<(usize, &'static str)>),
    ) -> PyResult<()> {
        let (rows, count) = (batch.num_rows(), failed.len());
        let free = LISTED.saturating_sub(done.errors.len());
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

/// A column of the result that may be null.
fn field(name: &str, form: DataType) -> Field {
    Field::new(name, form, true)
}
