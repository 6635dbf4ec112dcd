//! Integrity checks of the files of an index: tantivy ends each file with a checksum of its content.
//!
//! Damaged files must not be counted: a flipped bit in a posting list gives a wrong number or makes the reader panic.
//! So the files for counting and searching are checked when they are first opened, those with the texts when the first
//! text is requested, and all of them before notes are added, since merging rewrites them.

use std::cell::Cell;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tantivy::directory::error::OpenReadError;
use tantivy::error::DataCorruption;
use tantivy::{Directory, Index, Searcher, SegmentReader, TantivyError};

use crate::schema::{index_settings, schema};

/// The list of segments.
const SEGMENTS: &str = "meta.json";
const REGISTER: &str = ".managed.json";

/// The files of an index, and the set of those already checked.
pub(crate) struct Files {
    index: Index,
    whole: Mutex<HashSet<PathBuf>>,
}

impl Files {
    pub(crate) fn new(index: Index) -> Self {
        Self { index, whole: Mutex::default() }
    }

    /// Checks the files for counting and searching.
    pub(crate) fn check_postings(&self, searcher: &Searcher) -> Result<(), TantivyError> {
        for segment in searcher.segment_readers() {
            let id = segment.segment_id().uuid_string();
            let deleted = segment.delete_opstamp().map(|stamp| format!("{stamp}.del"));
            let parts = ["idx", "pos", "term", "fast", "fieldnorm"].map(str::to_owned);
            parts.into_iter().chain(deleted).try_for_each(|part| self.check_file(format!("{id}.{part}")))?;
            // The number of notes comes from a file without a checksum.
            if segment.fast_fields().u64("note_number")?.num_docs() != segment.max_doc() {
                return Err(damage_error());
            }
        }
        if self.is_segment_list_damaged()? {
            return Err(damage_error());
        }
        Ok(())
    }

    /// Checks the file with the texts of a segment.
    pub(crate) fn check_texts(&self, segment: &SegmentReader) -> Result<(), TantivyError> {
        self.check_file(format!("{}.store", segment.segment_id().uuid_string()))
    }

    /// Checks all files.
    pub(crate) fn check_all_segments(&self, searcher: &Searcher) -> Result<(), TantivyError> {
        self.check_postings(searcher)?;
        searcher.segment_readers().iter().try_for_each(|segment| self.check_texts(segment))
    }

    fn check_file(&self, file: String) -> Result<(), TantivyError> {
        let file = PathBuf::from(file);
        if self.whole.lock().unwrap_or_else(PoisonError::into_inner).contains(&file) {
            return Ok(());
        }
        if !self.is_file_intact(&file) {
            return Err(damage_error());
        }
        self.whole.lock().unwrap_or_else(PoisonError::into_inner).insert(file);
        Ok(())
    }

    /// Verifies the checksum of a file. A file that a merge removed meanwhile counts as intact: it is still open, and
    /// the merging process checked it.
    fn is_file_intact(&self, file: &Path) -> bool {
        match catch_unwind(AssertUnwindSafe(|| self.index.directory().validate_checksum(file))) {
            Ok(Ok(whole)) => whole,
            Ok(Err(OpenReadError::FileDoesNotExist(_))) => true,
            Ok(Err(_)) | Err(_) => false,
        }
    }

    /// Reads every file again. Returns their number, and the names of those that are damaged or missing.
    pub(crate) fn verify_files(&self) -> Result<(usize, Vec<String>), TantivyError> {
        let mut files = HashSet::new();
        for segment in self.index.searchable_segment_metas()? {
            let id = segment.id().uuid_string();
            let deleted = segment.delete_opstamp().map(|stamp| format!("{stamp}.del"));
            let parts = ["idx", "pos", "term", "fast", "fieldnorm", "store"].map(str::to_owned);
            files.extend(parts.into_iter().chain(deleted).map(|part| format!("{id}.{part}")));
        }
        let broken = |file: &&String| {
            let path = Path::new(file.as_str());
            !self.index.directory().exists(path).unwrap_or_default() || !self.is_file_intact(path)
        };
        let mut damaged: Vec<String> = files.iter().filter(broken).cloned().collect();
        damaged.extend(self.is_segment_list_damaged()?.then(|| SEGMENTS.to_owned()));
        damaged.extend(self.is_file_register_damaged(&files).then(|| REGISTER.to_owned()));
        damaged.sort_unstable();
        Ok((files.len() + 2, damaged))
    }

    /// Returns whether the list of segments was altered. It has no checksum, but each of its facts is stored a second
    /// time elsewhere, and its serialisation is unique.
    fn is_segment_list_damaged(&self) -> Result<bool, TantivyError> {
        let content = self.index.directory().atomic_read(Path::new(SEGMENTS))?;
        let list = self.index.load_metas()?;
        let mut written = serde_json::to_vec_pretty(&list).map_err(std::io::Error::from)?;
        written.push(b'\n');
        if content != written {
            // A merge may have replaced the list between the two reads; then both are intact.
            return Ok(content == self.index.directory().atomic_read(Path::new(SEGMENTS))?);
        }
        let stamped = list.payload.is_none_or(|stamp| stamp == list.opstamp.to_string());
        Ok(!stamped
            || list.schema != schema()
            || list.index_settings != index_settings()
            || !self.has_right_deletion_counts()?)
    }

    /// Returns whether the number of deleted notes in each segment agrees with the list of segments.
    fn has_right_deletion_counts(&self) -> Result<bool, TantivyError> {
        for segment in self.index.searchable_segments()? {
            let reader = SegmentReader::open(&segment)?;
            let gone = segment.meta().num_deleted_docs() as usize;
            if reader.alive_bitset().map_or(0, |bits| reader.max_doc() as usize - bits.num_alive_docs()) != gone {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether the register of files, which tells what the engine may remove, lacks one of these files.
    fn is_file_register_damaged(&self, files: &HashSet<String>) -> bool {
        let content = self.index.directory().atomic_read(Path::new(REGISTER)).unwrap_or_default();
        let named: HashSet<String> = serde_json::from_slice(&content).unwrap_or_default();
        !named.contains(SEGMENTS) || !files.is_subset(&named)
    }
}

/// Creates the error for a file that differs from what was written.
pub(crate) fn damage_error() -> TantivyError {
    TantivyError::DataCorruption(DataCorruption::comment_only("not what was written"))
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread currently turns panics into damage errors; panic hooks should print nothing then.
pub fn is_catching_damage() -> bool {
    GUARDED.get()
}

/// Runs `act` on files that may be damaged, and turns a panic of tantivy into a damage error.
pub(crate) fn catch_damage<T>(act: impl FnOnce() -> Result<T, TantivyError>) -> Result<T, TantivyError> {
    let before = GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(act));
    GUARDED.set(before);
    done.unwrap_or_else(|_| Err(damage_error()))
}
