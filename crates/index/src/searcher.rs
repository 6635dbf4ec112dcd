//! Finds and counts the notes and patients that match a query.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use tantivy::TantivyError;

use crate::error::{Error, Result};
use crate::files::{Files, catch_damage};
use crate::query::SegmentQuery;
use crate::schema::{TYPE, WORDS};
use crate::slots::SLOT;
use crate::slots::values::{VALUE, unit_of_value_word};
use crate::snapshot::{Snapshot, address_of};

/// The stored fields of a note.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredNote {
    /// The pseudonym of the note.
    pub note: String,
    /// The pseudonym of the patient.
    pub patient: String,
    /// The de-identified text.
    pub text: String,
    /// The packed mentions: see [`Slots::pack_mentions`](crate::slots::Slots::pack_mentions).
    pub mentions: Vec<u8>,
    /// The attributes of mentions, as JSON; empty if there are none.
    pub attributes: String,
    /// The type of the note.
    pub kind: Option<String>,
    /// The year of the note.
    pub year: Option<u64>,
    /// The provenance of the note, as its index in the manifest.
    pub source: u64,
}

/// A searcher over one commit of the index.
#[derive(Clone)]
pub struct SegmentSearcher {
    path: PathBuf,
    files: Arc<Files>,
    snapshot: Arc<Snapshot>,
}

impl SegmentSearcher {
    pub(crate) fn new(path: PathBuf, files: Arc<Files>, snapshot: Arc<Snapshot>) -> Self {
        Self { path, files, snapshot }
    }

    fn with_snapshot<T>(&self, question: impl FnOnce(&Snapshot) -> Result<T, TantivyError>) -> Result<T> {
        catch_damage(|| question(&self.snapshot)).map_err(|problem| Error::of_tantivy(&self.path, &problem))
    }

    /// Returns the number of notes.
    pub fn len(&self) -> usize {
        self.snapshot.searcher.num_docs() as usize
    }

    /// Returns whether there are no notes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of matching notes and of their distinct patients.
    pub fn count_notes_and_patients(&self, query: &SegmentQuery) -> Result<(usize, usize)> {
        self.with_snapshot(|snapshot| snapshot.matching_patients(query).map(|(_, found, notes)| (notes, found.len())))
    }

    /// Returns the number of matching notes.
    pub fn count_notes(&self, query: &SegmentQuery) -> Result<usize> {
        self.with_snapshot(|snapshot| snapshot.each_note(query, |_, _| ()))
    }

    /// Returns the numbers of the patients of matching notes, sorted and unique.
    pub fn matching_patients(&self, query: &SegmentQuery) -> Result<Vec<u64>> {
        self.with_snapshot(|snapshot| {
            let (patients, found, _) = snapshot.matching_patients(query)?;
            let numbers = patients.numbers.iter().zip(0..);
            Ok(numbers.filter(|&(_, patient)| found.contains(patient)).map(|(&number, _)| number).collect())
        })
    }

    /// Returns the addresses of matching notes.
    pub fn matching_addresses(&self, query: &SegmentQuery) -> Result<Vec<u64>> {
        let mut addresses = Vec::new();
        self.with_snapshot(|snapshot| snapshot.each_note(query, |at, note| addresses.push(address_of(at, note))))?;
        Ok(addresses)
    }

    /// Returns the number of matching notes, and the score and address of the best.
    pub fn best_notes(&self, query: &SegmentQuery, limit: usize, offset: usize) -> Result<(usize, Vec<(f32, u64)>)> {
        let (notes, best) = self.with_snapshot(|snapshot| snapshot.best_notes(query, limit, offset))?;
        Ok((notes, best.into_iter().map(|one| (one.score, one.address)).collect()))
    }

    /// Returns the number of matching notes by type.
    pub fn count_by_type(&self, query: &SegmentQuery) -> Result<BTreeMap<String, usize>> {
        self.with_snapshot(|snapshot| snapshot.count_by_term(query, TYPE, ""))
    }

    /// Returns the number of matching notes by code set.
    pub fn count_by_codes(&self, query: &SegmentQuery) -> Result<BTreeMap<u32, usize>> {
        let found =
            self.with_snapshot(|snapshot| snapshot.count_by_term(query, WORDS, SLOT.encode_utf8(&mut [0; 4])))?;
        Ok(found.iter().filter_map(|(slot, &notes)| Some((slot.strip_prefix(SLOT)?.parse().ok()?, notes))).collect())
    }

    /// Returns the number of notes with values of one of these code sets, by unit. An upper bound, since a note may
    /// have several.
    pub fn count_by_unit(&self, numbers: &[u32]) -> Result<BTreeMap<String, usize>> {
        let mut units = BTreeMap::new();
        for &number in numbers {
            let words =
                self.with_snapshot(|snapshot| snapshot.document_frequencies(WORDS, &format!("{VALUE}{number}:")))?;
            for (word, notes) in words {
                if let Some(unit) = unit_of_value_word(&word, number) {
                    *units.entry(unit.to_owned()).or_default() += notes;
                }
            }
        }
        Ok(units)
    }

    /// Returns the number of matching notes by year.
    pub fn count_by_year(&self, query: &SegmentQuery) -> Result<BTreeMap<u64, usize>> {
        self.with_snapshot(|snapshot| snapshot.count_by_year(query))
    }

    /// Returns the stored fields of the note at an address.
    pub fn stored_note(&self, address: u64) -> Result<Option<StoredNote>> {
        self.with_snapshot(|snapshot| snapshot.stored_note(&self.files, address))
    }
}
