//! Features as arrays, and a trainer: the base of `notesieve.learning`.

#![allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]

use notesieve::names::{FeatureArrays, FeatureMatrix, GoldLabel, NameTrainer as Core, NameTrainingOptions, Template};
use notesieve::parallel;
use notesieve::text::span::{CodePoints, Span};
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator};

use crate::boundary::{self, Text};
use crate::errors;
use crate::model::Model;
use crate::scrubber::Scrubber;

/// The number of notes read between two checks for signals.
const CHUNK: usize = 256;

/// Marked spans of many notes as columns: index of the note, start and end in code points, label.
type Marks<'py> =
    (PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, u8>);

/// The indices of skipped notes, with the reasons.
type Skipped = Vec<(usize, String)>;

/// Notes with the byte spans and labels of each.
struct Marked {
    texts: Vec<Text>,
    gold: Vec<Vec<(Span, GoldLabel)>>,
}

impl Marked {
    fn from_py(py: Python<'_>, notes: &Bound<'_, PyAny>, marks: &Marks<'_>) -> PyResult<Self> {
        let texts = PyIterator::from_object(notes)?.map(|note| Text::from_py(&note?)).collect::<PyResult<Vec<_>>>()?;
        let mut points = vec![Vec::new(); texts.len()];
        let (note, start, end, label) = marks;
        let columns = note.as_slice()?.iter().zip(start.as_slice()?).zip(end.as_slice()?).zip(label.as_slice()?);
        for (((&note, &start), &end), &label) in columns {
            let Some(points) = points.get_mut(note as usize) else {
                return Err(errors::new(
                    py,
                    "GoldError",
                    format!("a mark of note {note}, and there are {} notes", texts.len()),
                ));
            };
            points.push((Span::new(start, end), gold_of_label(label)));
        }
        let gold = texts.iter().zip(points).map(|(text, points)| convert_to_byte_spans(text, points)).collect();
        Ok(Self { texts, gold })
    }
}

const fn gold_of_label(label: u8) -> GoldLabel {
    match label {
        0 => GoldLabel::NotPhi,
        1 => GoldLabel::Name,
        2 => GoldLabel::Place,
        3 => GoldLabel::Date,
        4 => GoldLabel::Other,
        _ => GoldLabel::Ignored,
    }
}

/// Converts spans from code points to bytes; an offset beyond the text becomes its end.
fn convert_to_byte_spans(text: &str, mut spans: Vec<(Span, GoldLabel)>) -> Vec<(Span, GoldLabel)> {
    if !text.is_ascii() {
        let bytes: Vec<u32> = text.char_indices().map(|(at, _)| at as u32).collect();
        let byte = |point: u32| bytes.get(point as usize).copied().unwrap_or(text.len() as u32);
        for (span, _) in &mut spans {
            *span = Span::new(byte(span.start), byte(span.end));
        }
    }
    spans
}

/// A trainer for models of names, from marked notes.
#[pyclass(frozen, module = "notesieve._core")]
pub(crate) struct Trainer {
    core: Core,
    #[pyo3(get)]
    skipped: Skipped,
}

#[pymethods]
impl Trainer {
    /// Read marked notes, to adapt the model `start` or to train a new one. Notes of one group are left out together.
    #[new]
    #[pyo3(signature = (scrubber, notes, marks, groups, start = None, *, documents, epochs, l2, rate, threads = None, tell = None))]
    #[allow(clippy::too_many_arguments, reason = "what Python names")]
    fn new(
        py: Python<'_>,
        scrubber: &Bound<'_, Scrubber>,
        notes: &Bound<'_, PyAny>,
        marks: Marks<'_>,
        groups: PyReadonlyArray1<'_, u32>,
        start: Option<&Bound<'_, Model>>,
        documents: u32,
        epochs: u32,
        l2: f32,
        rate: f32,
        threads: Option<&Bound<'_, PyAny>>,
        tell: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let marked = Marked::from_py(py, notes, &marks)?;
        let (groups, threads) = (groups.as_slice()?.to_vec(), boundary::thread_count_from_py(py, threads)?);
        let scrubber = scrubber.get();
        let options =
            NameTrainingOptions { min_documents: documents, epochs, l2, rate, ..NameTrainingOptions::default() };
        let mut core = match start {
            Some(start) => Core::adapting_model(start.get().core.clone(), options),
            None => Core::new(options),
        };
        let mut skipped = Vec::new();
        let items: Vec<(&Text, &Vec<(Span, GoldLabel)>)> = marked.texts.iter().zip(&marked.gold).collect();
        for (nth, chunk) in items.chunks(CHUNK).enumerate() {
            let first = nth * CHUNK;
            let read = py.detach(|| {
                parallel::map_items(chunk, threads, |at, &(text, gold)| {
                    let number = (first + at) as u32;
                    let group = groups.get(first + at).copied().unwrap_or(number);
                    scrubber.core.training_example(text, gold, group, number)
                })
            });
            for (at, example) in read.into_iter().enumerate() {
                match example {
                    Ok(example) => core.add_note(example),
                    Err(problem) => skipped.push((first + at, problem.to_string())),
                }
            }
            py.check_signals()?;
            if let Some(tell) = tell {
                tell.call1((chunk.len(),))?;
            }
        }
        py.detach(|| core.drop_rare_features());
        Ok(Self { core, skipped })
    }

    /// Train a model on all notes except those of one group.
    #[pyo3(signature = (group = None, *, provenance))]
    fn train_without_group(&self, py: Python<'_>, group: Option<u32>, provenance: &str) -> PyResult<Model> {
        let bytes = py.detach(|| self.core.train_without_group(group, provenance));
        Model::of_bytes(py, bytes)
    }
}

/// Return the features of every word and number of many notes as arrays.
#[pyfunction]
#[pyo3(signature = (scrubber, notes, marks, /, *, documents = 1, threads = None))]
pub(crate) fn features<'py>(
    py: Python<'py>,
    scrubber: &Bound<'_, Scrubber>,
    notes: &Bound<'_, PyAny>,
    marks: Marks<'_>,
    documents: u32,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let marked = Marked::from_py(py, notes, &marks)?;
    let threads = boundary::thread_count_from_py(py, threads)?;
    let core = &scrubber.get().core;
    let items: Vec<(&Text, &Vec<(Span, GoldLabel)>)> = marked.texts.iter().zip(&marked.gold).collect();
    let (mut read, mut skipped) = (Vec::with_capacity(items.len()), Vec::new());
    for (nth, chunk) in items.chunks(CHUNK).enumerate() {
        let some = py.detach(|| {
            parallel::map_items(chunk, threads, |_, &(text, gold)| {
                let mut features = core.features_of_marked_note(text, gold)?;
                let mut points = CodePoints::new(text);
                for (span, _) in &mut features.tokens {
                    *span = points.convert_span(*span);
                }
                Ok(features)
            })
        });
        for (at, features) in some.into_iter().enumerate() {
            read.push(features.unwrap_or_else(|problem| {
                skipped.push((nth * CHUNK + at, problem.to_string()));
                FeatureArrays::default()
            }));
        }
        py.check_signals()?;
    }
    let table = py.detach(|| FeatureMatrix::from_notes(&read.iter().collect::<Vec<_>>(), documents));
    let tokens = || read.iter().flat_map(|note| &note.tokens);
    let found = PyDict::new(py);
    found.set_item("data", vec![1.0_f32; table.columns.len()].into_pyarray(py))?;
    found.set_item("indptr", table.starts.into_pyarray(py))?;
    found.set_item("indices", table.columns.into_pyarray(py))?;
    found.set_item("hashes", table.hashes.into_pyarray(py))?;
    found.set_item("kinds", table.templates.into_pyarray(py))?;
    let note = read.iter().enumerate().flat_map(|(at, note)| std::iter::repeat_n(at as u32, note.tokens.len()));
    found.set_item("note", note.collect::<Vec<_>>().into_pyarray(py))?;
    found.set_item("start", tokens().map(|(span, _)| span.start).collect::<Vec<_>>().into_pyarray(py))?;
    found.set_item("end", tokens().map(|(span, _)| span.end).collect::<Vec<_>>().into_pyarray(py))?;
    found.set_item("label", tokens().map(|&(_, gold)| gold as u8).collect::<Vec<_>>().into_pyarray(py))?;
    let scores = read.iter().flat_map(|note| note.scores.iter().copied());
    found.set_item("score", scores.collect::<Vec<_>>().into_pyarray(py))?;
    found.set_item("skipped", skipped)?;
    Ok(found)
}

/// Return the description of each feature template, by its number.
#[pyfunction]
pub(crate) fn feature_kinds() -> Vec<&'static str> {
    Template::ALL.iter().map(|template| template.description()).collect()
}

/// Return the number of threads: from the call, from the environment, or one per core.
#[pyfunction]
#[pyo3(signature = (asked = None, /))]
pub(crate) fn threads(py: Python<'_>, asked: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    boundary::thread_count_from_py(py, asked)
}
