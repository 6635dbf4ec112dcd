//! `notesieve._core.SegmentWriter`: notes go into the index.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notesieve::document::Document as Scrubbed;
use notesieve::slots::CodeSets;
use pyo3::prelude::*;
use tantivy::{IndexWriter, TantivyError, Term};

use super::note::Note;
use super::{NOTE, PATIENT, failed};
use crate::enter::{self, Text};

use crate::note::{self, ScrubbedNote};
use crate::scrubber::Scrubber;

/// Identifiers of note and patient, type and year.
type Row = (String, String, Option<String>, Option<u64>);

/// The one who may add to an index. What was added is found after `commit`.
#[pyclass(frozen, module = "notesieve._core")]
pub(crate) struct SegmentWriter {
    path: PathBuf,
    key: Option<notesieve::Key>,
    state: Mutex<State>,
}

struct State {
    /// None once it was closed.
    writer: Option<IndexWriter<Note>>,
    sets: CodeSets,
    /// The numbers of the notes that are in the index.
    present: HashSet<u64>,
}

impl State {
    fn writer(&self) -> Result<&IndexWriter<Note>, TantivyError> {
        self.writer.as_ref().ok_or_else(|| TantivyError::ErrorInThread(String::new()))
    }

    fn add(&mut self, document: Arc<Scrubbed>, row: Row, source: u64) -> Result<(), TantivyError> {
        let (name, patient, kind, year) = row;
        let slots = self.sets.slots(&document.text, &document.concepts);
        let mut note = Note::new(document, slots, name, patient);
        (note.kind, note.year, note.source) = (kind, year, source);
        let is_new = self.present.insert(note.number);
        let writer = self.writer()?;
        if !is_new {
            writer.delete_term(Term::from_field_text(NOTE, &note.name));
        }
        writer.add_document(note).map(drop)
    }
}

impl SegmentWriter {
    pub(super) fn new(
        path: PathBuf,
        writer: IndexWriter<Note>,
        sets: CodeSets,
        present: HashSet<u64>,
        key: Option<notesieve::Key>,
    ) -> Self {
        Self { path, key, state: Mutex::new(State { writer: Some(writer), sets, present }) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pseudonym(&self, domain: &str, value: String) -> String {
        match &self.key {
            Some(key) => key.pseudonym(domain, &value),
            None => value,
        }
    }

    /// Adds documents whose offsets are code points. tantivy's threads do the rest while others are scrubbed.
    fn add(&self, py: Python<'_>, documents: Vec<Arc<Scrubbed>>, rows: Vec<Row>, source: u64) -> PyResult<()> {
        py.detach(|| {
            let mut state = self.lock();
            documents.into_iter().zip(rows).try_for_each(|(document, (note, patient, kind, year))| {
                let row = (self.pseudonym("note", note), self.pseudonym("patient", patient), kind, year);
                state.add(document, row, source)
            })
        })
        .map_err(|problem| failed(py, &self.path, &problem))
    }
}

#[pymethods]
impl SegmentWriter {
    /// The sets of codes from a number on.
    fn sets(&self, first: usize) -> Vec<Vec<String>> {
        self.lock().sets.sets().get(first..).unwrap_or_default().to_vec()
    }

    /// Adds scrubbed notes.
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn add_notes(
        &self,
        py: Python<'_>,
        notes: Vec<Bound<'_, ScrubbedNote>>,
        rows: Vec<Row>,
        source: u64,
    ) -> PyResult<()> {
        let documents = notes.iter().map(|note| Arc::clone(note.get().document())).collect();
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
                Scrubbed { text: text.to_string(), concepts: core.autocode(text)?, ..Scrubbed::default() };
            note::to_code_points(text, &mut document);
            Ok(Arc::new(document))
        };
        let documents = enter::enter(py, || texts.iter().map(read).collect::<notesieve::Result<Vec<_>>>())?;
        self.add(py, documents, rows, source)
    }

    /// Removes all notes of a patient, told by the identifier.
    fn remove(&self, py: Python<'_>, patient: String) -> PyResult<()> {
        let pseudonym = self.pseudonym("patient", patient);
        let delete =
            || self.lock().writer().map(|writer| writer.delete_term(Term::from_field_text(PATIENT, &pseudonym)));
        py.detach(delete).map(drop).map_err(|problem| failed(py, &self.path, &problem))
    }

    /// Makes what was added permanent.
    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        let commit = || match &mut self.lock().writer {
            Some(writer) => writer.commit().map(drop),
            None => Err(TantivyError::ErrorInThread(String::new())),
        };
        py.detach(commit).map_err(|problem| failed(py, &self.path, &problem))
    }

    /// Forgets what was not committed, and lets others add.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let close = || match self.lock().writer.take() {
            Some(mut writer) => {
                writer.rollback()?;
                writer.wait_merging_threads()
            }
            None => Ok(()),
        };
        py.detach(close).map_err(|problem| failed(py, &self.path, &problem))
    }

    fn __repr__(&self) -> String {
        format!("SegmentWriter({})", self.path.display())
    }
}

/// The numbers of notes that are in the index already.
pub(super) fn present(searcher: &tantivy::Searcher) -> Result<HashSet<u64>, TantivyError> {
    let mut present = HashSet::new();
    for segment in searcher.segment_readers() {
        let numbers = segment.fast_fields().u64("note_number")?.first_or_default_col(0);
        present.extend(segment.doc_ids_alive().map(|note| numbers.get_val(note)));
    }
    Ok(present)
}
