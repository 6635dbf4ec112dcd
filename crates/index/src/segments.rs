//! The folder of an index.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use notesieve::Key;
use tantivy::directory::MmapDirectory;
use tantivy::{Index, IndexReader, ReloadPolicy, TantivyError};

use crate::error::{Error, Result};
use crate::files::{Files, catch_damage};
use crate::schema::{index_settings, schema};
use crate::searcher::SegmentSearcher;
use crate::slots::CodeSets;
use crate::snapshot::Snapshot;
use crate::writer::SegmentWriter;

/// An open index.
pub struct Segments {
    path: PathBuf,
    index: Index,
    files: Arc<Files>,
    reader: IndexReader,
    current: Mutex<Arc<Snapshot>>,
}

impl Segments {
    /// Opens the index in a folder, or creates it.
    pub fn open(path: PathBuf) -> Result<Self> {
        let open = || {
            std::fs::create_dir_all(&path)?;
            let index = Index::builder()
                .schema(schema())
                .settings(index_settings())
                .open_or_create(MmapDirectory::open(&path)?)?;
            // Do not watch the folder: `refresh` reloads.
            let reader: IndexReader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
            let files = Files::new(index.clone());
            files.check_postings(&reader.searcher())?;
            Ok((index, files, reader))
        };
        let (index, files, reader) = catch_damage(open).map_err(|problem| Error::of_tantivy(&path, &problem))?;
        let current = Mutex::new(Arc::new(Snapshot::new(reader.searcher())));
        Ok(Self { path, index, files: Arc::new(files), reader, current })
    }

    /// Returns the folder of the index.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reloads the index to see the latest commit.
    pub fn refresh(&self) -> Result<()> {
        let searcher = self.catch_damage(|| {
            self.reader.reload()?;
            let searcher = self.reader.searcher();
            self.files.check_postings(&searcher)?;
            Ok(searcher)
        })?;
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if searcher.generation().segments() != current.searcher.generation().segments() {
            *current = Arc::new(Snapshot::new(searcher));
        }
        Ok(())
    }

    /// Returns a searcher over the commit of the last refresh.
    pub fn searcher(&self) -> SegmentSearcher {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        SegmentSearcher::new(self.path.clone(), Arc::clone(&self.files), Arc::clone(&current))
    }

    /// Reads every file again. Returns their number, and the names of those that are damaged.
    pub fn verify(&self) -> Result<(usize, Vec<String>)> {
        self.catch_damage(|| self.files.verify_files())
    }

    /// Creates a writer with at most `threads` threads. The key turns identifiers into pseudonyms; without one,
    /// identifiers are pseudonyms already. `sets` are the code sets of the index so far.
    pub fn writer(&self, sets: CodeSets, key: Option<Key>, threads: usize) -> Result<SegmentWriter> {
        let path = self.path.clone();
        self.catch_damage(|| SegmentWriter::new(path, &self.index, &self.files, &self.reader, sets, key, threads))
    }

    fn catch_damage<T>(&self, act: impl FnOnce() -> Result<T, TantivyError>) -> Result<T> {
        catch_damage(act).map_err(|problem| Error::of_tantivy(&self.path, &problem))
    }
}
