//! Adds notes to the index.

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

/// The memory in bytes that all threads share before each writes a segment: few large segments are faster to search.
const MEMORY: usize = 400_000_000;

/// The maximum number of threads: with more, each would have too little memory.
const MAX_THREADS: usize = 8;

/// The identifiers and metadata of a note.
pub struct NoteMetadata {
    /// The identifier of the note.
    pub note: String,
    /// The identifier of the patient.
    pub patient: String,
    /// The type of the note.
    pub kind: Option<String>,
    /// The year of the note.
    pub year: Option<u64>,
}

/// The writer of an index, which holds its lock. Added notes are found after `commit`.
pub struct SegmentWriter {
    path: PathBuf,
    key: Option<Key>,
    /// `None` after `close` or an error.
    state: Mutex<Option<State>>,
}

struct State {
    writer: IndexWriter<Note>,
    sets: CodeSets,
    /// The numbers of the notes in the index.
    present: HashSet<u64>,
    /// Whether notes were added or deleted since the last commit.
    uncommitted: bool,
}

impl State {
    fn add_document(
        &mut self,
        document: Arc<Document>,
        metadata: NoteMetadata,
        source: u64,
    ) -> Result<(), TantivyError> {
        let slots = self.sets.slots_of_document(&document);
        let note = Note::new(document, slots, metadata, source);
        if !self.present.insert(note.number) {
            self.writer.delete_term(Term::from_field_text(NOTE, &note.metadata.note));
        }
        self.uncommitted = true;
        self.writer.add_document(note).map(drop)
    }

    fn commit(&mut self) -> Result<(), TantivyError> {
        let mut ready = self.writer.prepare_commit()?;
        // Store the stamp a second time, because the list of segments has no checksum: see `files`.
        ready.set_payload(&ready.opstamp().to_string());
        ready.commit()?;
        self.uncommitted = false;
        Ok(())
    }
}

impl SegmentWriter {
    /// Creates a writer for an index that may already have notes; `sets` are its code sets.
    pub(crate) fn new(
        path: PathBuf,
        index: &Index,
        files: &Files,
        reader: &IndexReader,
        sets: CodeSets,
        key: Option<Key>,
        threads: usize,
    ) -> Result<Self, TantivyError> {
        let threads = threads.clamp(1, MAX_THREADS);
        let options = IndexWriterOptions::builder()
            .num_worker_threads(threads)
            .memory_budget_per_thread(MEMORY / threads)
            .num_merge_threads(1)
            .build();
        let writer = index.writer_with_options(options)?;
        // The lock is held, so no other process can add notes.
        reader.reload()?;
        files.check_all_segments(&reader.searcher())?;
        let present = indexed_note_numbers(&reader.searcher())?;
        let state = State { writer, sets, present, uncommitted: false };
        Ok(Self { path, key, state: Mutex::new(Some(state)) })
    }

    /// Runs `act` unless the writer is closed. Any error closes it: notes may be lost, and the incomplete rest must not
    /// be committed.
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

    /// Returns the folder of the index.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the code sets from number `first` on, with their statuses.
    pub fn code_sets_from(&self, first: usize) -> Result<Vec<CodeSet>> {
        self.with_state(|state| Ok(state.sets.sets().get(first..).unwrap_or_default().to_vec()))
    }

    /// Adds documents whose offsets are code points. tantivy's threads index them while other notes are scrubbed.
    pub fn add_documents(&self, documents: Vec<Arc<Document>>, metadata: Vec<NoteMetadata>, source: u64) -> Result<()> {
        self.with_state(|state| {
            documents.into_iter().zip(metadata).try_for_each(|(document, metadata)| {
                let (note, patient) =
                    (self.pseudonym("note", metadata.note), self.pseudonym("patient", metadata.patient));
                state.add_document(document, NoteMetadata { note, patient, ..metadata }, source)
            })
        })
    }

    /// Removes all notes of a patient, given the patient's identifier.
    pub fn remove_patient(&self, patient: String) -> Result<()> {
        let pseudonym = self.pseudonym("patient", patient);
        self.with_state(|state| {
            state.writer.delete_term(Term::from_field_text(PATIENT, &pseudonym));
            state.uncommitted = true;
            Ok(())
        })
    }

    /// Commits the added notes.
    pub fn commit(&self) -> Result<()> {
        self.with_state(State::commit)
    }

    /// Discards what was not committed and releases the lock. If there is nothing to discard, waits for the merges that
    /// the last commit started: an index that grows by a few notes at a time would never be merged if each commit's
    /// merges were aborted.
    pub fn close(&self) -> Result<()> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner).take();
        let close = |State { mut writer, uncommitted, .. }: State| {
            if uncommitted {
                // An aborted merge loses no segment; the next commit starts it again.
                writer.rollback()?;
            }
            writer.wait_merging_threads()
        };
        state.map_or(Ok(()), close).map_err(|problem| Error::of_tantivy(&self.path, &problem))
    }
}

/// Returns the numbers of the notes in the index.
fn indexed_note_numbers(searcher: &Searcher) -> Result<HashSet<u64>, TantivyError> {
    let mut present = HashSet::new();
    for segment in searcher.segment_readers() {
        let numbers = segment.fast_fields().u64("note_number")?.first_or_default_col(0);
        present.extend(segment.doc_ids_alive().map(|note| numbers.get_val(note)));
    }
    Ok(present)
}
