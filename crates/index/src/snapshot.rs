//! The segments of one commit, and the evaluation of queries on them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::OnceLock;

use tantivy::query::{EnableScoring, Weight};
use tantivy::schema::{Field, IndexRecordOption, Value};
use tantivy::{BitSet, DocAddress, DocId, Searcher, SegmentReader, TantivyDocument, TantivyError};

use crate::files::Files;
use crate::query::SegmentQuery;
use crate::schema::{ATTRIBUTES, MENTIONS, NOTE, PATIENT, SOURCE, TEXT, TYPE, YEAR};
use crate::searcher::StoredNote;

/// The segments of one commit.
pub(crate) struct Snapshot {
    pub(crate) searcher: Searcher,
    /// Computed when patients are first counted.
    patients: OnceLock<Patients>,
}

/// The patients of a snapshot, indexed from 0 in the order of the numbers of their pseudonyms.
pub(crate) struct Patients {
    /// The number of each patient.
    pub(crate) numbers: Vec<u64>,
    /// The index of the patient of each note in each segment.
    of: Vec<Vec<u32>>,
}

impl Snapshot {
    pub(crate) fn new(searcher: Searcher) -> Self {
        Self { searcher, patients: OnceLock::new() }
    }

    fn patients(&self) -> Result<&Patients, TantivyError> {
        if let Some(patients) = self.patients.get() {
            return Ok(patients);
        }
        let read = |segment: &SegmentReader| -> Result<Vec<u64>, TantivyError> {
            let column = segment.fast_fields().u64("patient_number")?.first_or_default_col(0);
            Ok((0..segment.max_doc()).map(|note| column.get_val(note)).collect())
        };
        let of_notes = self.searcher.segment_readers().iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let mut numbers: Vec<u64> = of_notes.iter().flatten().copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        // Indices follow the sorted numbers, so a binary search finds them.
        let place = |number: &u64| numbers.partition_point(|known| known < number) as u32;
        let of = of_notes.iter().map(|notes| notes.iter().map(place).collect()).collect();
        Ok(self.patients.get_or_init(|| Patients { numbers, of }))
    }

    /// Calls `take` with each segment and the query's weight, which finds the notes in it.
    fn for_each_segment(
        &self,
        query: &SegmentQuery,
        ranked: bool,
        mut take: impl FnMut(usize, &SegmentReader, &dyn Weight) -> Result<(), TantivyError>,
    ) -> Result<(), TantivyError> {
        let scoring = if ranked {
            EnableScoring::enabled_from_searcher(&self.searcher)
        } else {
            EnableScoring::disabled_from_searcher(&self.searcher)
        };
        let weight = query.query().weight(scoring)?;
        for (at, segment) in self.searcher.segment_readers().iter().enumerate() {
            take(at, segment, weight.as_ref())?;
        }
        Ok(())
    }

    /// Calls `take` with each matching note and its segment, and returns their number.
    pub(crate) fn each_note(
        &self,
        query: &SegmentQuery,
        mut take: impl FnMut(usize, DocId),
    ) -> Result<usize, TantivyError> {
        let mut count = 0;
        self.for_each_segment(query, false, |at, segment, weight| {
            each_note(segment, weight, |note| {
                count += 1;
                take(at, note);
            })
        })?;
        Ok(count)
    }

    /// Returns the patients of matching notes as a bit set, and the number of notes.
    pub(crate) fn matching_patients(&self, query: &SegmentQuery) -> Result<(&Patients, BitSet, usize), TantivyError> {
        let patients = self.patients()?;
        let mut found = BitSet::with_max_value(patients.numbers.len() as u32);
        let mut notes = 0;
        self.for_each_segment(query, false, |at, segment, weight| {
            let of = &patients.of[at];
            each_note(segment, weight, |note| {
                notes += 1;
                found.insert(of[note as usize]);
            })
        })?;
        Ok((patients, found, notes))
    }

    /// Returns the matching notes of each segment as a bit set.
    fn matching_notes(&self, query: &SegmentQuery) -> Result<Vec<BitSet>, TantivyError> {
        let mut all = Vec::new();
        self.for_each_segment(query, false, |_, segment, weight| {
            let mut bits = BitSet::with_max_value(segment.max_doc());
            each_note(segment, weight, |note| _ = bits.insert(note))?;
            all.push(bits);
            Ok(())
        })?;
        Ok(all)
    }

    /// Returns the terms of a field with a prefix and the document frequency of each, which includes deleted notes.
    pub(crate) fn document_frequencies(&self, field: Field, start: &str) -> Result<Vec<(String, usize)>, TantivyError> {
        let mut found = Vec::new();
        for segment in self.searcher.segment_readers() {
            let index = segment.inverted_index(field)?;
            let mut terms = index.terms().range().ge(start).into_stream()?;
            while terms.advance() && terms.key().starts_with(start.as_bytes()) {
                found.push((String::from_utf8_lossy(terms.key()).into_owned(), terms.value().doc_freq as usize));
            }
        }
        Ok(found)
    }

    /// Counts matching notes by the terms of a field with a prefix.
    pub(crate) fn count_by_term(
        &self,
        query: &SegmentQuery,
        field: Field,
        start: &str,
    ) -> Result<BTreeMap<String, usize>, TantivyError> {
        let mut counts = BTreeMap::new();
        for (segment, bits) in self.searcher.segment_readers().iter().zip(self.matching_notes(query)?) {
            let index = segment.inverted_index(field)?;
            let mut terms = index.terms().range().ge(start).into_stream()?;
            while terms.advance() && terms.key().starts_with(start.as_bytes()) {
                let mut postings = index.read_block_postings_from_terminfo(terms.value(), IndexRecordOption::Basic)?;
                let mut count = 0;
                while !postings.docs().is_empty() {
                    count += postings.docs().iter().filter(|&&note| bits.contains(note)).count();
                    postings.advance();
                }
                if count > 0 {
                    *counts.entry(String::from_utf8_lossy(terms.key()).into_owned()).or_default() += count;
                }
            }
        }
        Ok(counts)
    }

    pub(crate) fn count_by_year(&self, query: &SegmentQuery) -> Result<BTreeMap<u64, usize>, TantivyError> {
        let mut counts = BTreeMap::new();
        self.for_each_segment(query, false, |_, segment, weight| {
            let years = segment.fast_fields().u64("year")?;
            each_note(segment, weight, |note| {
                if let Some(year) = years.first(note) {
                    *counts.entry(year).or_default() += 1;
                }
            })
        })?;
        Ok(counts)
    }

    /// Returns the number of matching notes, and the best. Notes with equal scores are in the order of their numbers,
    /// which does not depend on their position in the index.
    pub(crate) fn best_notes(
        &self,
        query: &SegmentQuery,
        limit: usize,
        offset: usize,
    ) -> Result<(usize, Vec<Scored>), TantivyError> {
        let wanted = limit.saturating_add(offset);
        let mut count = 0;
        // A heap of the best notes with the worst on top.
        let mut best: BinaryHeap<Scored> = BinaryHeap::new();
        self.for_each_segment(query, true, |at, segment, weight| {
            let numbers = segment.fast_fields().u64("note_number")?.first_or_default_col(0);
            let alive = segment.alive_bitset();
            weight.for_each(segment, &mut |note, score| {
                if alive.is_some_and(|alive| alive.is_deleted(note)) {
                    return;
                }
                count += 1;
                let worst = best.peek().filter(|_| best.len() >= wanted);
                if wanted == 0 || worst.is_some_and(|worst| score < worst.score) {
                    return;
                }
                best.push(Scored { score, number: numbers.get_val(note), address: address_of(at, note) });
                if best.len() > wanted {
                    best.pop();
                }
            })
        })?;
        let mut best = best.into_sorted_vec();
        best.drain(..offset.min(best.len()));
        Ok((count, best))
    }

    pub(crate) fn stored_note(&self, files: &Files, address: u64) -> Result<Option<StoredNote>, TantivyError> {
        let (segment, note) = ((address >> 32) as u32, address as u32);
        let reader = self.searcher.segment_readers().get(segment as usize);
        let Some(reader) = reader.filter(|reader| note < reader.max_doc()) else { return Ok(None) };
        files.check_texts(reader)?;
        let stored: TantivyDocument = self.searcher.doc(DocAddress::new(segment, note))?;
        let text = |field| stored.get_first(field).and_then(|value| value.as_str()).map(str::to_owned);
        let number = |field| stored.get_first(field).and_then(|value| value.as_u64());
        let mentions = stored.get_first(MENTIONS).and_then(|value| value.as_bytes()).unwrap_or_default();
        Ok(Some(StoredNote {
            note: text(NOTE).unwrap_or_default(),
            patient: text(PATIENT).unwrap_or_default(),
            text: text(TEXT).unwrap_or_default(),
            mentions: mentions.to_vec(),
            attributes: text(ATTRIBUTES).unwrap_or_default(),
            kind: text(TYPE),
            year: number(YEAR),
            source: number(SOURCE).unwrap_or_default(),
        }))
    }
}

/// Calls `take` with each matching note of a segment that is not deleted.
fn each_note(segment: &SegmentReader, weight: &dyn Weight, mut take: impl FnMut(DocId)) -> Result<(), TantivyError> {
    match segment.alive_bitset() {
        None => weight.for_each_no_score(segment, &mut |notes| notes.iter().for_each(|&note| take(note))),
        Some(alive) => weight.for_each_no_score(segment, &mut |notes| {
            notes.iter().filter(|&&note| alive.is_alive(note)).for_each(|&note| take(note));
        }),
    }
}

/// Returns the address of a note, made of its segment and its id there.
pub(crate) const fn address_of(segment: usize, note: DocId) -> u64 {
    (segment as u64) << 32 | note as u64
}

/// A note with its score, ordered from the best to the worst.
pub(crate) struct Scored {
    pub(crate) score: f32,
    number: u64,
    pub(crate) address: u64,
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then_with(|| self.number.cmp(&other.number))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scored {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Scored {}
