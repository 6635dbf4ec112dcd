//! `notesieve._core.SegmentWriter`: notes go into the index.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use notesieve::document::Document as Scrubbed;
use notesieve::slots::{CodeSet, CodeSets};
use pyo3::prelude::*;
use tantivy::indexer::IndexWriterOptions;
use tantivy::{Index, IndexReader, IndexWriter, Searcher, TantivyError};

use super::files::{Files, guarded};
use super::note::Note;
use super::outdated::Outdated;
use super::workers::Workers;
use super::{NOTE, PATIENT, failed, number_of};
use crate::batch::ScrubbedBatch;
use crate::enter::{self, Text};

use crate::note::{self, ScrubbedNote};
use crate::scrubber::Scrubber;

/// Bytes of memory that all threads together take before they write a segment each: few, large segments search faster.
const MEMORY: usize = 400_000_000;

/// Identifiers of note and patient, type and year.
type Row = (String, String, Option<String>, Option<u64>);

/// The one who may add to an index. What was added is found after `commit`.
#[pyclass(frozen, module = "notesieve._core")]
pub(crate) struct SegmentWriter {
    path: PathBuf,
    key: Option<notesieve::Key>,
    /// None once it was closed.
    state: Mutex<Option<State>>,
}

struct State {
    writer: IndexWriter,
    sets: CodeSets,
    threads: usize,
    /// From the first note after a commit on.
    workers: Option<Workers>,
    /// The numbers of the notes that are in the index.
    present: HashSet<u64>,
    /// How many notes were ever added.
    order: u64,
    outdated: Outdated,
}

impl State {
    fn add(&mut self, document: Arc<Scrubbed>, row: Row, source: u64) -> Result<(), TantivyError> {
        let (name, patient, kind, year) = row;
        let slots = self.sets.slots(&document.text, &document.concepts);
        let (number, order) = (number_of(&name), self.order);
        if !self.present.insert(number) {
            self.outdated.add(NOTE, name.clone(), order);
        }
        self.order += 1;
        let (mentions, patient_number) = Default::default();
        let note = Note { document, slots, name, patient, kind, year, source, order, number, mentions, patient_number };
        let workers = match &mut self.workers {
            Some(workers) => workers,
            idle => idle.insert(Workers::start(self.writer.index(), self.threads, MEMORY / self.threads)?),
        };
        workers.add(note)?;
        // tantivy may merge them while others are written.
        workers.finished().try_for_each(|segment| self.writer.add_segment(segment))
    }

    fn commit(&mut self) -> Result<(), TantivyError> {
        for segment in self.workers.take().map_or(Ok(Vec::new()), Workers::finish)? {
            self.writer.add_segment(segment)?;
        }
        // Only now, when all notes are there that it may concern.
        if !self.outdated.is_empty() {
            self.writer.delete_query(std::mem::take(&mut self.outdated).query())?;
        }
        self.writer.commit().map(drop)
    }
}

impl SegmentWriter {
    /// Adds to an index in which some notes are already; `sets` are its sets of codes.
    pub(super) fn new(
        path: PathBuf,
        index: &Index,
        files: &Files,
        reader: &IndexReader,
        sets: CodeSets,
        key: Option<notesieve::Key>,
        threads: usize,
    ) -> Result<Self, TantivyError> {
        // It merges and commits; what it would write itself is written by our own threads.
        let options = IndexWriterOptions::builder().num_worker_threads(1).num_merge_threads(1).build();
        let writer = index.writer_with_options(options)?;
        // Nobody else can add any more.
        reader.reload()?;
        files.check_all(&reader.searcher())?;
        let (present, order) = present(&reader.searcher())?;
        let outdated = Outdated::default();
        let state = State { writer, sets, threads, workers: None, present, order, outdated };
        Ok(Self { path, key, state: Mutex::new(Some(state)) })
    }

    /// Does something as long as it is not closed. Whatever fails closes it: notes may be lost, and what is left of them must
    /// not be committed.
    fn with<T>(&self, act: impl FnOnce(&mut State) -> Result<T, TantivyError>) -> Result<T, TantivyError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let done = state
            .as_mut()
            .map_or_else(|| Err(TantivyError::ErrorInThread(String::new())), |state| guarded(|| act(state)));
        if done.is_err() {
            *state = None;
        }
        done
    }

    fn pseudonym(&self, domain: &str, value: String) -> String {
        match &self.key {
            Some(key) => key.pseudonym(domain, &value),
            None => value,
        }
    }

    /// Adds documents whose offsets are code points. Other threads do the rest while others are scrubbed.
    fn add(&self, py: Python<'_>, documents: Vec<Arc<Scrubbed>>, rows: Vec<Row>, source: u64) -> PyResult<()> {
        let add = |state: &mut State| {
            documents.into_iter().zip(rows).try_for_each(|(document, (note, patient, kind, year))| {
                let row = (self.pseudonym("note", note), self.pseudonym("patient", patient), kind, year);
                state.add(document, row, source)
            })
        };
        py.detach(|| self.with(add)).map_err(|problem| failed(py, &self.path, &problem))
    }
}

#[pymethods]
impl SegmentWriter {
    /// The sets of codes from a number on, with what is said of them as bits.
    fn sets(&self, py: Python<'_>, first: usize) -> PyResult<Vec<(Vec<String>, u8)>> {
        let plain = |(codes, status): &CodeSet| (codes.clone(), status.bits());
        self.with(|state| Ok(state.sets.sets().get(first..).unwrap_or_default().iter().map(plain).collect()))
            .map_err(|problem| failed(py, &self.path, &problem))
    }

    /// Adds scrubbed notes: a batch, of which no note becomes an object, or any sequence.
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn add_notes(&self, py: Python<'_>, notes: &Bound<'_, PyAny>, rows: Vec<Row>, source: u64) -> PyResult<()> {
        let documents = if let Ok(batch) = notes.cast::<ScrubbedBatch>() {
            batch.get().documents().to_vec()
        } else {
            let notes: Vec<Bound<'_, ScrubbedNote>> = notes.extract()?;
            notes.iter().map(|note| Arc::clone(note.get().document())).collect()
        };
        self.add(py, documents, rows, source)
    }

    /// Adds de-identified texts whose terms nobody knows any more; they are found again.
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn add_texts(
        &self,
        py: Python<'_>,
        texts: Vec<Bound<'_, PyAny>>,
        rows: Vec<Row>,
        source: u64,
        scrubber: &Bound<'_, Scrubber>,
    ) -> PyResult<()> {
        let texts = texts.iter().map(Text::take).collect::<PyResult<Vec<_>>>()?;
        let core = scrubber.get().core();
        let read = |text: &Text| {
            let mut document =
                Scrubbed { text: text.to_string(), concepts: core.autocode_identifying(text)?, ..Scrubbed::default() };
            note::to_code_points(text, &mut document);
            Ok(Arc::new(document))
        };
        let documents = enter::enter(py, || texts.iter().map(read).collect::<notesieve::Result<Vec<_>>>())?;
        self.add(py, documents, rows, source)
    }

    /// Removes all notes of a patient, told by the identifier.
    fn remove(&self, py: Python<'_>, patient: String) -> PyResult<()> {
        let pseudonym = self.pseudonym("patient", patient);
        let remove = |state: &mut State| {
            state.outdated.add(PATIENT, pseudonym, state.order);
            Ok(())
        };
        py.detach(|| self.with(remove)).map_err(|problem| failed(py, &self.path, &problem))
    }

    /// Makes what was added permanent.
    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.with(State::commit)).map_err(|problem| failed(py, &self.path, &problem))
    }

    /// Forgets what was not committed, and lets others add. Where nothing is to be forgotten the merges that the last commit began are
    /// waited for: an index that grows by a few notes at a time would never be merged if each commit's were broken off.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let close = || {
            let state = self.state.lock().unwrap_or_else(PoisonError::into_inner).take();
            state.map_or(Ok(()), |State { mut writer, workers, .. }| {
                if workers.is_some() {
                    drop(workers);
                    // No segment is lost by a merge that is broken off; the next commit begins it again.
                    writer.rollback()?;
                }
                writer.wait_merging_threads()
            })
        };
        py.detach(close).map_err(|problem| failed(py, &self.path, &problem))
    }

    fn __repr__(&self) -> String {
        format!("SegmentWriter({})", self.path.display())
    }
}

/// The numbers of the notes that are in the index already, and how many were ever added.
fn present(searcher: &Searcher) -> Result<(HashSet<u64>, u64), TantivyError> {
    let mut present = HashSet::new();
    let mut order = 0;
    for segment in searcher.segment_readers() {
        let numbers = segment.fast_fields().u64("note_number")?.first_or_default_col(0);
        present.extend(segment.doc_ids_alive().map(|note| numbers.get_val(note)));
        order = order.max(segment.fast_fields().u64("order")?.max_value() + 1);
    }
    Ok((present, order))
}
