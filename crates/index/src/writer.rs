//! Notes go into the index.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use notesieve::{Document, Key};
use tantivy::indexer::IndexWriterOptions;
use tantivy::{Index, IndexReader, IndexWriter, Searcher, TantivyError};

use crate::error::{Error, Result};
use crate::files::{Files, guarded};
use crate::note::Note;
use crate::outdated::Outdated;
use crate::schema::{NOTE, PATIENT, number_of};
use crate::slots::{CodeSet, CodeSets};
use crate::workers::Workers;

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

/// The one who may add to an index. What was added is found after `commit`.
pub struct SegmentWriter {
    path: PathBuf,
    key: Option<Key>,
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
    fn add(&mut self, document: Arc<Document>, row: Row, source: u64) -> Result<(), TantivyError> {
        let Row { note: name, patient, kind, year } = row;
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
        let mut ready = self.writer.prepare_commit()?;
        // Written twice, since the list of segments has no checksum: see `files`.
        ready.set_payload(&ready.opstamp().to_string());
        ready.commit().map(drop)
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
        // It merges and commits; what it would write itself is written by our own threads.
        let options = IndexWriterOptions::builder().num_worker_threads(1).num_merge_threads(1).build();
        let writer = index.writer_with_options(options)?;
        // Nobody else can add any more.
        reader.reload()?;
        files.check_all(&reader.searcher())?;
        let (present, order) = present(&reader.searcher())?;
        let (outdated, threads) = (Outdated::default(), threads.clamp(1, MOST_THREADS));
        let state = State { writer, sets, threads, workers: None, present, order, outdated };
        Ok(Self { path, key, state: Mutex::new(Some(state)) })
    }

    /// Does something as long as it is not closed. Whatever fails closes it: notes may be lost, and what is left of them must
    /// not be committed.
    fn with<T>(&self, act: impl FnOnce(&mut State) -> Result<T, TantivyError>) -> Result<T> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let done = state
            .as_mut()
            .map_or_else(|| Err(TantivyError::ErrorInThread(String::new())), |state| guarded(|| act(state)));
        if done.is_err() {
            *state = None;
        }
        done.map_err(|problem| Error::of(&self.path, &problem))
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
    pub fn sets(&self, first: usize) -> Result<Vec<CodeSet>> {
        self.with(|state| Ok(state.sets.sets().get(first..).unwrap_or_default().to_vec()))
    }

    /// Adds documents whose offsets are code points. Other threads do the rest while others are scrubbed.
    pub fn add(&self, documents: Vec<Arc<Document>>, rows: Vec<Row>, source: u64) -> Result<()> {
        self.with(|state| {
            documents.into_iter().zip(rows).try_for_each(|(document, row)| {
                let (note, patient) = (self.pseudonym("note", row.note), self.pseudonym("patient", row.patient));
                state.add(document, Row { note, patient, ..row }, source)
            })
        })
    }

    /// Removes all notes of a patient, told by the identifier.
    pub fn remove(&self, patient: String) -> Result<()> {
        let pseudonym = self.pseudonym("patient", patient);
        self.with(|state| {
            state.outdated.add(PATIENT, pseudonym, state.order);
            Ok(())
        })
    }

    /// Makes what was added permanent.
    pub fn commit(&self) -> Result<()> {
        self.with(State::commit)
    }

    /// Forgets what was not committed, and lets others add. Where nothing is to be forgotten the merges that the last commit began are
    /// waited for: an index that grows by a few notes at a time would never be merged if each commit's were broken off.
    pub fn close(&self) -> Result<()> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner).take();
        let close = |State { mut writer, workers, .. }: State| {
            if workers.is_some() {
                drop(workers);
                // No segment is lost by a merge that is broken off; the next commit begins it again.
                writer.rollback()?;
            }
            writer.wait_merging_threads()
        };
        state.map_or(Ok(()), close).map_err(|problem| Error::of(&self.path, &problem))
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
