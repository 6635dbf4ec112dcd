//! `notesieve.Vocabulary`.

mod build;
mod concept;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use notesieve::entities::EntityModel;
use notesieve::status::StatusModel;
use notesieve::vocabulary::{Class, ConceptId, EntryFlags, EntryId, SiteList, SiteLists};
use notesieve::{Policy, Scrubber, Vocabulary as Core};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::model::make_once;
use crate::pickle::{self, Reduced};
use crate::{boundary, errors};
pub(crate) use build::build_vocabulary;
pub(crate) use concept::Concept;

/// A compiled vocabulary: word lists, terms and concepts.
#[pyclass(frozen, from_py_object, module = "notesieve")]
#[derive(Clone)]
pub(crate) struct Vocabulary {
    pub(crate) core: Core,
    /// The path of its file; `None` for the embedded vocabulary.
    path: Option<PathBuf>,
    /// See [`Self::scrubber`].
    scrubber: Arc<OnceLock<Scrubber>>,
}

impl Vocabulary {
    /// Opens the embedded vocabulary.
    pub(crate) fn embedded(py: Python<'_>) -> PyResult<Self> {
        static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
        make_once(py, &VOCABULARY, || Ok(Self::new(Core::from_static(notesieve_vocabularies::default_bytes())?, None)))
    }

    fn new(core: Core, path: Option<PathBuf>) -> Self {
        Self { core, path, scrubber: Arc::default() }
    }

    /// A scrubber with the vocabulary, and with the models of the package for statuses and entities. It is made once: scrubbers with
    /// other policies share what it compiled.
    pub(crate) fn scrubber(&self, py: Python<'_>) -> PyResult<Scrubber> {
        make_once(py, &self.scrubber, || {
            let entities = EntityModel::from_static(notesieve_models::entity_bytes())?;
            let status = StatusModel::from_bytes(notesieve_models::status_bytes())?;
            Ok(Scrubber::new(self.core.clone(), Policy::default()).with_entities(entities).with_status(status))
        })
    }
}

#[pymethods]
impl Vocabulary {
    /// Return the vocabulary inside the package.
    #[staticmethod]
    #[pyo3(name = "default")]
    fn default_vocabulary(py: Python<'_>) -> PyResult<Self> {
        Self::embedded(py)
    }

    /// Return the semantic group of a concept; `None` if the vocabulary does not have the code.
    fn group(&self, code: &str) -> Option<&'static str> {
        self.core.concept_of_curie(code).map(|id| self.core.group(id).key())
    }

    /// Open a compiled vocabulary.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let core = boundary::without_gil(py, || Core::open(&path))?;
        Ok(Self::new(core, Some(path)))
    }

    /// Open a compiled vocabulary whose digest must match, to restore a pickle.
    #[staticmethod]
    #[pyo3(signature = (path, digest, allow = Vec::new(), deny = Vec::new(), staff = Vec::new(), places = Vec::new()))]
    fn _reopen(
        py: Python<'_>,
        path: Option<PathBuf>,
        digest: &str,
        allow: Vec<String>,
        deny: Vec<String>,
        staff: Vec<String>,
        places: Vec<String>,
    ) -> PyResult<Self> {
        let vocabulary = match path {
            Some(path) => Self::open(py, path)?,
            None => Self::embedded(py)?,
        };
        let vocabulary = vocabulary.with_lists(py, allow, deny, staff, places)?;
        let found = (vocabulary.core.file(), vocabulary.core.digest());
        pickle::check_digest(py, found, digest, ("VocabularyError", "vocabulary"))?;
        Ok(vocabulary)
    }

    /// SHA-256 of the whole vocabulary, as 64 hexadecimal digits.
    #[getter]
    fn digest(&self) -> &str {
        self.core.digest()
    }

    /// The path of the file, or `<embedded>`.
    #[getter]
    fn file(&self) -> &str {
        self.core.file()
    }

    /// Return the provenance and the counts of the vocabulary.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let info = serde_json::to_string(&self.core.info()).unwrap_or_default();
        py.import("json")?.call_method1("loads", (info,))
    }

    /// Read the whole file and check its digest.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        boundary::without_gil(py, || self.core.verify())
    }

    /// Return the same vocabulary with site lists.
    #[pyo3(signature = (*, allow = Vec::new(), deny = Vec::new(), staff = Vec::new(), places = Vec::new()))]
    fn with_lists(
        &self,
        py: Python<'_>,
        allow: Vec<String>,
        deny: Vec<String>,
        staff: Vec<String>,
        places: Vec<String>,
    ) -> PyResult<Self> {
        let lists = SiteLists { allow, deny, staff, places };
        let core = boundary::without_gil(py, || self.core.with_lists(lists))?;
        Ok(Self::new(core, self.path.clone()))
    }

    /// The number of items on each site list.
    #[getter]
    fn site_lists(&self) -> std::collections::BTreeMap<&'static str, usize> {
        let none = SiteLists::default();
        let lists = self.core.site_lists().unwrap_or(&none);
        [("allow", &lists.allow), ("deny", &lists.deny), ("staff", &lists.staff), ("places", &lists.places)]
            .map(|(name, items)| (name, items.len()))
            .into()
    }

    /// Return the concepts of a term in any case, best source first.
    fn lookup(&self, text: &str) -> Vec<Concept> {
        self.core.lookup(text).into_iter().filter_map(|id| Concept::of(&self.core, id)).collect()
    }

    /// Return the concept with a code, or `None`.
    fn concept(&self, code: &str) -> Option<Concept> {
        self.core.concept_of_curie(code).and_then(|id| Concept::of(&self.core, id))
    }

    /// Return the terms that start with a text in alphabetical order, each with its concepts.
    #[pyo3(signature = (text, limit = 20))]
    fn prefix(&self, text: &str, limit: usize) -> Vec<(String, Vec<Concept>)> {
        let found = self.core.entries_with_prefix(text, limit);
        found.into_iter().map(|(term, entry)| (term, self.concepts_of(entry))).collect()
    }

    /// Return the terms within an edit distance of one or two from a text, nearest first.
    #[pyo3(signature = (text, distance = 1, limit = 20))]
    fn near(
        &self,
        py: Python<'_>,
        text: &str,
        distance: u8,
        limit: usize,
    ) -> PyResult<Vec<(String, u8, Vec<Concept>)>> {
        if distance > 2 {
            let message = format!("distance={distance} is not one of 0, 1, 2");
            return Err(pyo3::exceptions::PyValueError::new_err(message));
        }
        let found = boundary::without_gil(py, || Ok(self.core.near_entries(text, distance, limit)))?;
        let concepts = |entry: Option<EntryId>| entry.map_or_else(Vec::new, |entry| self.concepts_of(entry));
        Ok(found.into_iter().map(|near| (near.text, near.distance, concepts(near.entry))).collect())
    }

    /// Return the term with these words in another order and its concepts, or `None`.
    fn reordered(&self, text: &str) -> Option<(String, Vec<Concept>)> {
        let (term, ids) = self.core.lookup_reordered(text)?;
        Some((term, self.concepts(ids)))
    }

    /// Return the broader concepts of a code.
    fn broader(&self, py: Python<'_>, code: &str) -> PyResult<Vec<Concept>> {
        Ok(self.concepts(self.core.broader(self.concept_id_of_code(py, code)?)))
    }

    /// Return the narrower concepts of a code.
    fn narrower(&self, py: Python<'_>, code: &str) -> PyResult<Vec<Concept>> {
        let id = self.concept_id_of_code(py, code)?;
        Ok(self.concepts(boundary::without_gil(py, || Ok(self.core.narrower(id)))?))
    }

    /// Return all concepts below a code, nearest first.
    fn descendants(&self, py: Python<'_>, code: &str) -> PyResult<Vec<Concept>> {
        let id = self.concept_id_of_code(py, code)?;
        Ok(self.concepts(boundary::without_gil(py, || Ok(self.core.descendants(id)))?))
    }

    /// Return the equivalent concepts of a code in other systems.
    fn cross_references(&self, py: Python<'_>, code: &str) -> PyResult<Vec<Concept>> {
        let id = self.concept_id_of_code(py, code)?;
        Ok(self.concepts(boundary::without_gil(py, || Ok(self.core.cross_references(id)))?))
    }

    /// Return the closest concept of a system to a code, or `None`.
    fn nearest(&self, py: Python<'_>, code: &str, system: &str) -> PyResult<Option<Concept>> {
        let id = self.concept_id_of_code(py, code)?;
        Ok(self.core.nearest(id, system).and_then(|id| Concept::of(&self.core, id)))
    }

    /// Return the differences from an older vocabulary as JSON.
    fn _diff(&self, py: Python<'_>, old: &Bound<'_, Self>) -> PyResult<String> {
        let old = old.get();
        let diff = boundary::without_gil(py, || Ok(notesieve_vocabulary_build::diff::diff(&old.core, &self.core)))?;
        Ok(serde_json::to_string(&diff).unwrap_or_default())
    }

    /// Return the names of the lists that contain a word.
    fn lists(&self, word: &str) -> Vec<&'static str> {
        self.lists_of_folded(notesieve::text::normalize::Normalized::new(word).folded())
    }

    /// Return the words of a list, folded, in alphabetical order.
    fn words(&self, py: Python<'_>, name: &str) -> PyResult<Vec<String>> {
        let Some(class) = Class::from_key(name) else {
            let keys: Vec<&str> = Class::ALL.iter().map(|class| class.key()).collect();
            return Err(errors::new(py, "PolicyError", format!("there is no list {name:?}: take {}", keys.join(", "))));
        };
        let mut words = Vec::new();
        self.core.for_each_word(|word| {
            if self.core.classes(self.core.word_id(word.as_bytes())).has(class) {
                words.push(word.to_owned());
            }
        });
        Ok(words)
    }

    /// Return every term of a concept, as folded words and punctuation joined by spaces, with the case in which it
    /// matches.
    fn terms(&self) -> Vec<(String, &'static str)> {
        let mut terms = Vec::new();
        self.core.for_each_entry(|text, entry| {
            if let Some(case) = self.case_of(entry) {
                terms.push((text.to_owned(), case));
            }
        });
        terms
    }

    /// Return the lists of each word, which must be folded: like `words`, for a few words.
    fn _lists_of(&self, words: Vec<String>) -> Vec<Vec<&'static str>> {
        words.into_iter().map(|word| self.lists_of_folded(&word)).collect()
    }

    /// Return the case in which each text matches as a term, or `None`: like `terms`, for a few texts.
    fn _cases_of(&self, texts: Vec<String>) -> Vec<Option<&'static str>> {
        let case = |text: String| {
            // Items of the site's allow-list count as terms.
            let of_site = || self.core.site_lists_of(&text).contains(&SiteList::Allow).then_some("any");
            self.core.entry_of_key(&text).and_then(|entry| self.case_of(entry)).or_else(of_site)
        };
        texts.into_iter().map(case).collect()
    }

    fn __repr__(&self) -> String {
        format!("Vocabulary({:?}, digest={:.12}…)", self.core.file(), self.core.digest())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().core.digest() == self.core.digest())
    }

    fn __hash__(&self) -> u64 {
        u64::from_str_radix(self.core.digest().get(..16).unwrap_or_default(), 16).unwrap_or_default()
    }

    #[allow(clippy::type_complexity, reason = "the arguments of `_reopen`")]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<Reduced<'py, (Option<PathBuf>, String, Vec<String>, Vec<String>, Vec<String>, Vec<String>)>> {
        let vocabulary = slf.get();
        let SiteLists { allow, deny, staff, places } = vocabulary.core.site_lists().cloned().unwrap_or_default();
        let path = vocabulary.path.as_ref().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone()));
        Ok((
            slf.get_type().getattr("_reopen")?,
            (path, vocabulary.core.digest().to_owned(), allow, deny, staff, places),
        ))
    }
}

impl Vocabulary {
    fn lists_of_folded(&self, word: &str) -> Vec<&'static str> {
        let classes = self.core.tables().lists_of_word(word.as_bytes());
        let of_file = Class::ALL.iter().filter(|&&class| classes.has(class)).map(|class| class.key());
        of_file.chain(self.core.site_lists_of(word).into_iter().map(SiteList::key)).collect()
    }

    /// Returns the case in which an entry matches as a term: `any`, only in `capitals` or only in `lower` case; `None`
    /// for a place.
    fn case_of(&self, entry: EntryId) -> Option<&'static str> {
        let flags = self.core.entry_flags(entry);
        match flags {
            _ if !flags.has(EntryFlags::TERM) => None,
            _ if flags.has(EntryFlags::UPPER_ONLY) => Some("capitals"),
            _ if flags.has(EntryFlags::ALSO_NAME) => Some("lower"),
            _ => Some("any"),
        }
    }

    fn concept_id_of_code(&self, py: Python<'_>, code: &str) -> PyResult<ConceptId> {
        let missing = || errors::new(py, "CodeError", format!("{code} is no code of {}", self.core.file()));
        self.core.concept_of_curie(code).ok_or_else(missing)
    }

    fn concepts(&self, ids: Vec<ConceptId>) -> Vec<Concept> {
        ids.into_iter().filter_map(|id| Concept::of(&self.core, id)).collect()
    }

    fn concepts_of(&self, entry: EntryId) -> Vec<Concept> {
        self.core.entry_concepts(entry).filter_map(|id| Concept::of(&self.core, id)).collect()
    }
}
