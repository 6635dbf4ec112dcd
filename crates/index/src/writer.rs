//! Notes go into the index.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use notesieve::{Document, Key};
use tantivy::indexer::IndexWriterOptions;
use tantivy::{Index, IndexReader, IndexWriter, Searcher, TantivyError, Term};

use crate::error::{Error, Result};
use crate::files::{Files, catch_damage};
use crate::note::Note;
use crate::schema::{NOTE, PATIENT};
use crate::slots::{CodeSet, CodeSets};

/// Bytes of memory that all threads together take before they write a segment each: few, large segments search faster.
const MEMORY: usize = 400_000_000;

/// More threads than this have too little memory each.
const MOST_THREADS: usize = 8;

/// Which note it is.
pub struct Row {
    /// The identifier of the note.
    pub note: String,
    /// That of the patient.
    pub patient: String,
    /// The type of note.
    pub kind: Option<String>,
    /// The year.
    pub year: Option<u64>,
}

/// The writer lock of an index. What was added is found after `commit`.
pub struct SegmentWriter {
    path: PathBuf,
    key: Option<Key>,
    /// None once it was closed.
    state: Mutex<Option<State>>,
}

struct State {
    writer: IndexWriter<Note>,
    sets: CodeSets,
    /// The numbers of the notes that are in the index.
    present: HashSet<u64>,
    /// Whether something was added or deleted since the last commit.
    uncommitted: bool,
}

impl State {
    fn add_document(&mut self, document: Arc<Document>, row: Row, source: u64) -> Result<(), TantivyError> {
        let slots = self.sets.slots_of_document(&document);
        let note = Note::new(document, slots, row, source);
        if !self.present.insert(note.number) {
            self.writer.delete_term(Term::from_field_text(NOTE, &note.row.note));
        }
        self.uncommitted = true;
        self.writer.add_document(note).map(drop)
    }

    fn commit(&mut self) -> Result<(), TantivyError> {
        let mut ready = self.writer.prepare_commit()?;
        // Written twice, since the list of segments has no checksum: see `files`.
        ready.set_payload(&ready.opstamp().to_string());
        ready.commit()?;
        self.uncommitted = false;
        Ok(())
    }
}

impl SegmentWriter {
    /// Adds to an index in which some notes are already; `sets` are its sets of codes.
    pub(crate) fn new(
        path: PathBuf,
        index: &Index,
        files: &Files,
        reader: &IndexReader,
        sets: CodeSets,
        key: Option<Key>,
        threads: usize,
    ) -> Result<Self, TantivyError> {
        let threads = threads.clamp(1, MOST_THREADS);
        let options = IndexWriterOptions::builder()
            .num_worker_threads(threads)
            .memory_budget_per_thread(MEMORY / threads)
            .num_merge_threads(1)
            .build();
        let writer = index.writer_with_options(options)?;
        // Nobody else can add any more.
        reader.reload()?;
        files.check_all_segments(&reader.searcher())?;
        let present = indexed_note_numbers(&reader.searcher())?;
        let state = State { writer, sets, present, uncommitted: false };
        Ok(Self { path, key, state: Mutex::new(Some(state)) })
    }

    /// Does something as long as it is not closed. Whatever fails closes it: notes may be lost, and what is left of them must
    /// not be committed.
    fn with_state<T>(&self, act: impl FnOnce(&mut State) -> Result<T, TantivyError>) -> Result<T> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let done = state
            .as_mut()
            .map_or_else(|| Err(TantivyError::ErrorInThread(String::new())), |state| catch_damage(|| act(state)));
        if done.is_err() {
            *state = None;
        }
        done.map_err(|problem| Error::of_tantivy(&self.path, &problem))
    }

    fn pseudonym(&self, domain: &str, value: String) -> String {
        match &self.key {
            Some(key) => key.pseudonym(domain, &value),
            None => value,
        }
    }

    /// The folder of the index.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The sets of codes from a number on, with what is said of them.
    pub fn code_sets_from(&self, first: usize) -> Result<Vec<CodeSet>> {
        self.with_state(|state| Ok(state.sets.sets().get(first..).unwrap_or_default().to_vec()))
    }

    /// Adds documents whose offsets are code points. Other threads do the rest while others are scrubbed.
    pub fn add_documents(&self, documents: Vec<Arc<Document>>, rows: Vec<Row>, source: u64) -> Result<()> {
        self.with_state(|state| {
            documents.into_iter().zip(rows).try_for_each(|(document, row)| {
                let (note, patient) = (self.pseudonym("note", row.note), self.pseudonym("patient", row.patient));
                state.add_document(document, Row { note, patient, ..row }, source)
            })
        })
    }

    /// Removes all notes of a patient, known by the identifier.
    pub fn remove_patient(&self, patient: String) -> Result<()> {
        let pseudonym = self.pseudonym("patient", patient);
        self.with_state(|state| {
            state.writer.delete_term(Term::from_field_text(PATIENT, &pseudonym));
            state.uncommitted = true;
            Ok(())
        })
    }

    /// Makes what was added permanent.
    pub fn commit(&self) -> Result<()> {
        self.with_state(State::commit)
    }

    /// Forgets what was not committed, and releases the lock. Where nothing is to be forgotten the merges that the last commit began are
    /// waited for: an index that grows by a few notes at a time would never be merged if each commit's were broken off.
    pub fn close(&self) -> Result<()> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner).take();
        let close = |State { mut writer, uncommitted, .. }: State| {
            if uncommitted {
                // No segment is lost by a merge that is broken off; the next commit begins it again.
                writer.rollback()?;
            }
            writer.wait_merging_threads()
        };
        state.map_or(Ok(()), close).map_err(|problem| Error::of_tantivy(&self.path, &problem))
    }
}

/// The numbers of the notes that are in the index already.
fn indexed_note_numbers(searcher: &Searcher) -> Result<HashSet<u64>, TantivyError> {
    let mut present = HashSet::new();
    for segment in searcher.segment_readers() {
        let numbers = segment.fast_fields().u64("note_number")?.first_or_default_col(0);
        present.extend(segment.doc_ids_alive().map(|note| numbers.get_val(note)));
    }
    Ok(present)
}
