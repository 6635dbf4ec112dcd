//! `notesieve._core.Segments` and `SegmentSearcher`: which notes fit a question, and whose they are.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use notesieve::concepts::context::Status;
use notesieve::slots::CodeSets;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use tantivy::directory::MmapDirectory;
use tantivy::query::{EnableScoring, Weight};
use tantivy::schema::{Field, IndexRecordOption, Value};
use tantivy::{
    DocAddress, DocId, Index, IndexReader, IndexSettings, ReloadPolicy, Searcher, SegmentReader, TantivyDocument,
    TantivyError,
};

use super::files::{Files, guarded};
use super::writer::SegmentWriter;
use super::{MENTIONS, NOTE, PATIENT, SOURCE, SegmentQuery, TEXT, TYPE, WORDS, YEAR, failed, schema};
use crate::enter;
use crate::key::Key;
use crate::vocabulary::Vocabulary;

/// More threads than this have too little memory each.
const MOST_THREADS: usize = 8;

/// Pseudonyms of note and patient, text, packed terms, type, year, source.
type Stored<'py> = (String, String, String, std::borrow::Cow<'py, [u8]>, Option<String>, Option<u64>, u64);

/// The folder of the segments.
#[pyclass(frozen, module = "notesieve._core")]
pub(crate) struct Segments {
    path: PathBuf,
    index: Index,
    files: Arc<Files>,
    reader: IndexReader,
    current: Mutex<Arc<Snapshot>>,
}

#[pymethods]
impl Segments {
    /// Opens the folder, or begins one.
    #[new]
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let open = || {
            std::fs::create_dir_all(&path)?;
            // Compressing in the thread that writes: a thread more for each would only wait for a processor.
            let settings = IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() };
            let index =
                Index::builder().schema(schema()).settings(settings).open_or_create(MmapDirectory::open(&path)?)?;
            // Nothing watches the folder: `refresh` looks.
            let reader: IndexReader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
            let files = Files::new(index.clone());
            files.check(&reader.searcher())?;
            Ok((index, files, reader))
        };
        let (index, files, reader) = py.detach(|| guarded(open)).map_err(|problem| failed(py, &path, &problem))?;
        let current = Mutex::new(Arc::new(Snapshot::new(reader.searcher())));
        Ok(Self { path, index, files: Arc::new(files), reader, current })
    }

    /// Sees what was committed since.
    fn refresh(&self, py: Python<'_>) -> PyResult<()> {
        let reload = || {
            self.reader.reload()?;
            let searcher = self.reader.searcher();
            self.files.check(&searcher)?;
            Ok(searcher)
        };
        let searcher = py.detach(|| guarded(reload)).map_err(|problem| failed(py, &self.path, &problem))?;
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if searcher.generation().segments() != current.searcher.generation().segments() {
            *current = Arc::new(Snapshot::new(searcher));
        }
        Ok(())
    }

    /// What there is to search, as it was when last looked.
    fn searcher(&self) -> SegmentSearcher {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        SegmentSearcher { path: self.path.clone(), files: Arc::clone(&self.files), snapshot: Arc::clone(&current) }
    }

    /// Reads every file again: how many there are, and the names of those that are damaged.
    fn verify(&self, py: Python<'_>) -> PyResult<(usize, Vec<String>)> {
        py.detach(|| guarded(|| self.files.verify())).map_err(|problem| failed(py, &self.path, &problem))
    }

    /// Begins to add. Identifiers become pseudonyms by the key, or are pseudonyms.
    #[pyo3(signature = (vocabulary, sets, key, threads = None))]
    fn writer(
        &self,
        py: Python<'_>,
        vocabulary: &Bound<'_, Vocabulary>,
        sets: Vec<(Vec<String>, u8)>,
        key: Option<Key>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<SegmentWriter> {
        let threads = enter::threads(py, threads)?.clamp(1, MOST_THREADS);
        let sets = sets.into_iter().map(|(codes, status)| (codes, Status::from_bits(status))).collect();
        let sets = CodeSets::new(vocabulary.get().core.clone(), sets);
        let key = key.map(|key| key.0);
        let open = || SegmentWriter::new(self.path.clone(), &self.index, &self.files, &self.reader, sets, key, threads);
        py.detach(|| guarded(open)).map_err(|problem| failed(py, &self.path, &problem))
    }

    fn __repr__(&self) -> String {
        format!("Segments({})", self.path.display())
    }
}

/// The segments of one commit.
struct Snapshot {
    searcher: Searcher,
    /// Made when patients are first counted.
    patients: OnceLock<Patients>,
}

/// The patients of a snapshot, numbered from 0 in the order of the numbers of their pseudonyms.
struct Patients {
    /// The number of each.
    numbers: Vec<u64>,
    /// For each note of each segment its patient.
    of: Vec<Vec<u32>>,
}

impl Snapshot {
    fn new(searcher: Searcher) -> Self {
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
        // Numbers are digests, spread evenly: the first bits tell where among the sorted ones to look.
        let place = |number: &u64| numbers.partition_point(|known| known < number) as u32;
        let of = of_notes.iter().map(|notes| notes.iter().map(place).collect()).collect();
        Ok(self.patients.get_or_init(|| Patients { numbers, of }))
    }

    /// Gives each segment, with what finds the notes in it.
    fn each_segment(
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

    /// Gives each note that fits, with its segment, and counts them.
    fn each_note(&self, query: &SegmentQuery, mut take: impl FnMut(usize, DocId)) -> Result<usize, TantivyError> {
        let mut count = 0;
        self.each_segment(query, false, |at, segment, weight| {
            each_note(segment, weight, |note| {
                count += 1;
                take(at, note);
            })
        })?;
        Ok(count)
    }

    /// The patients of the notes that fit, one bit each, and the number of notes.
    fn found(&self, query: &SegmentQuery) -> Result<(&Patients, Bits, usize), TantivyError> {
        let patients = self.patients()?;
        let mut found = Bits::new(patients.numbers.len());
        let mut notes = 0;
        self.each_segment(query, false, |at, segment, weight| {
            let of = &patients.of[at];
            each_note(segment, weight, |note| {
                notes += 1;
                found.insert(of[note as usize]);
            })
        })?;
        Ok((patients, found, notes))
    }

    /// The notes that fit in each segment, one bit each.
    fn bits(&self, query: &SegmentQuery) -> Result<Vec<Bits>, TantivyError> {
        let mut all = Vec::new();
        self.each_segment(query, false, |_, segment, weight| {
            let mut bits = Bits::new(segment.max_doc() as usize);
            each_note(segment, weight, |note| bits.insert(note))?;
            all.push(bits);
            Ok(())
        })?;
        Ok(all)
    }

    /// Counts the notes that fit by the terms of a field that begin so.
    fn by_term(
        &self,
        query: &SegmentQuery,
        field: Field,
        start: &str,
    ) -> Result<BTreeMap<String, usize>, TantivyError> {
        let mut counts = BTreeMap::new();
        for (segment, bits) in self.searcher.segment_readers().iter().zip(self.bits(query)?) {
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

    fn by_year(&self, query: &SegmentQuery) -> Result<BTreeMap<u64, usize>, TantivyError> {
        let mut counts = BTreeMap::new();
        self.each_segment(query, false, |_, segment, weight| {
            let years = segment.fast_fields().u64("year")?;
            each_note(segment, weight, |note| {
                if let Some(year) = years.first(note) {
                    *counts.entry(year).or_default() += 1;
                }
            })
        })?;
        Ok(counts)
    }

    /// Counts the notes that fit, and gives the best. Notes of the same score come in the order of their numbers, which is
    /// the same wherever they stand in the index.
    fn best(&self, query: &SegmentQuery, limit: usize, offset: usize) -> Result<(usize, Vec<Scored>), TantivyError> {
        let wanted = limit.saturating_add(offset);
        let mut count = 0;
        // The worst of the best is on top.
        let mut best: BinaryHeap<Scored> = BinaryHeap::new();
        self.each_segment(query, true, |at, segment, weight| {
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
                best.push(Scored { score, number: numbers.get_val(note), address: address(at, note) });
                if best.len() > wanted {
                    best.pop();
                }
            })
        })?;
        let mut best = best.into_sorted_vec();
        best.drain(..offset.min(best.len()));
        Ok((count, best))
    }

    fn stored(&self, files: &Files, address: u64) -> Result<Option<Stored<'static>>, TantivyError> {
        let (segment, note) = ((address >> 32) as u32, address as u32);
        let reader = self.searcher.segment_readers().get(segment as usize);
        let Some(reader) = reader.filter(|reader| note < reader.max_doc()) else { return Ok(None) };
        files.check_texts(reader)?;
        let stored: TantivyDocument = self.searcher.doc(DocAddress::new(segment, note))?;
        let text = |field| stored.get_first(field).and_then(|value| value.as_str()).map(str::to_owned);
        let number = |field| stored.get_first(field).and_then(|value| value.as_u64());
        let mentions = stored.get_first(MENTIONS).and_then(|value| value.as_bytes()).unwrap_or_default().to_vec();
        Ok(Some((
            text(NOTE).unwrap_or_default(),
            text(PATIENT).unwrap_or_default(),
            text(TEXT).unwrap_or_default(),
            mentions.into(),
            text(TYPE),
            number(YEAR),
            number(SOURCE).unwrap_or_default(),
        )))
    }
}

/// Gives each note of a segment that fits and was not removed.
fn each_note(segment: &SegmentReader, weight: &dyn Weight, mut take: impl FnMut(DocId)) -> Result<(), TantivyError> {
    match segment.alive_bitset() {
        None => weight.for_each_no_score(segment, &mut |notes| notes.iter().for_each(|&note| take(note))),
        Some(alive) => weight.for_each_no_score(segment, &mut |notes| {
            notes.iter().filter(|&&note| alive.is_alive(note)).for_each(|&note| take(note));
        }),
    }
}

/// A note by its segment and its place there.
const fn address(segment: usize, note: DocId) -> u64 {
    (segment as u64) << 32 | note as u64
}

/// A note and how much it says; the worse is the greater.
struct Scored {
    score: f32,
    number: u64,
    address: u64,
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

/// A set of small numbers.
struct Bits(Vec<u64>);

impl Bits {
    fn new(len: usize) -> Self {
        Self(vec![0; len.div_ceil(64)])
    }

    fn insert(&mut self, number: u32) {
        self.0[number as usize / 64] |= 1 << (number % 64);
    }

    fn contains(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 == 1
    }

    fn len(&self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(64 * at + bit)
            })
        })
    }
}

/// What there is to search, as of one commit.
#[pyclass(frozen, module = "notesieve._core")]
pub(crate) struct SegmentSearcher {
    path: PathBuf,
    files: Arc<Files>,
    snapshot: Arc<Snapshot>,
}

impl SegmentSearcher {
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&Snapshot) -> Result<T, TantivyError> + Send,
    ) -> PyResult<T> {
        py.detach(|| guarded(|| question(&self.snapshot))).map_err(|problem| failed(py, &self.path, &problem))
    }
}

#[pymethods]
impl SegmentSearcher {
    fn __len__(&self) -> usize {
        self.snapshot.searcher.num_docs() as usize
    }

    /// Notes that fit, and their different patients.
    fn count(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<(usize, usize)> {
        let query = query.get();
        self.ask(py, |snapshot| snapshot.found(query).map(|(_, found, notes)| (notes, found.len())))
    }

    /// Notes that fit.
    fn how_many(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<usize> {
        let query = query.get();
        self.ask(py, |snapshot| snapshot.each_note(query, |_, _| ()))
    }

    /// The numbers of the patients of the notes that fit, sorted, each once.
    fn patients<'py>(&self, py: Python<'py>, query: &Bound<'py, SegmentQuery>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let query = query.get();
        let numbers: Vec<u64> = self.ask(py, |snapshot| {
            let (patients, found, _) = snapshot.found(query)?;
            Ok(found.iter().map(|patient| patients.numbers[patient]).collect())
        })?;
        Ok(numbers.into_pyarray(py))
    }

    /// The addresses of the notes that fit.
    fn addresses<'py>(&self, py: Python<'py>, query: &Bound<'py, SegmentQuery>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let query = query.get();
        let mut addresses = Vec::new();
        self.ask(py, |snapshot| snapshot.each_note(query, |at, note| addresses.push(address(at, note))))?;
        Ok(addresses.into_pyarray(py))
    }

    /// Notes that fit, and score and address of the best.
    fn best(
        &self,
        py: Python<'_>,
        query: &Bound<'_, SegmentQuery>,
        limit: usize,
        offset: usize,
    ) -> PyResult<(usize, Vec<(f32, u64)>)> {
        let query = query.get();
        let (notes, best) = self.ask(py, |snapshot| snapshot.best(query, limit, offset))?;
        Ok((notes, best.into_iter().map(|one| (one.score, one.address)).collect()))
    }

    /// Notes that fit, by type.
    fn by_type(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<BTreeMap<String, usize>> {
        let query = query.get();
        self.ask(py, |snapshot| snapshot.by_term(query, TYPE, ""))
    }

    /// Notes that fit, by the number of a set of codes that they have.
    fn by_codes(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<BTreeMap<u32, usize>> {
        let query = query.get();
        let found = self.ask(py, |snapshot| snapshot.by_term(query, WORDS, "#"))?;
        Ok(found.iter().filter_map(|(slot, &notes)| Some((slot.get(1..)?.parse().ok()?, notes))).collect())
    }

    /// Notes that fit, by year.
    fn by_year(&self, py: Python<'_>, query: &Bound<'_, SegmentQuery>) -> PyResult<BTreeMap<u64, usize>> {
        let query = query.get();
        self.ask(py, |snapshot| snapshot.by_year(query))
    }

    /// What is stored of a note.
    fn stored(&self, py: Python<'_>, address: u64) -> PyResult<Stored<'static>> {
        let stored = self.ask(py, |snapshot| snapshot.stored(&self.files, address))?;
        stored.ok_or_else(|| crate::errors::new(py, "SearchIndexError", format!("there is no note at {address}")))
    }

    fn __repr__(&self) -> String {
        format!("SegmentSearcher({} notes)", self.snapshot.searcher.num_docs())
    }
}
