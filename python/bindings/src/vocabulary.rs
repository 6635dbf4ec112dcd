//! `notesieve.Vocabulary` and `notesieve.Concept`.

use std::path::PathBuf;

use notesieve::Vocabulary as Core;
use notesieve::vocabulary::{Class, ConceptId, EntryFlags, EntryId};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::pickle::Reduced;
use crate::{enter, errors};

/// A concept of a published vocabulary.
#[pyclass(frozen, eq, hash, get_all, module = "notesieve")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Concept {
    /// The code with the prefix of its system, e.g. `mesh:D003920`.
    code: String,
    /// The name that its source prefers.
    name: String,
    /// Semantic types or tree numbers.
    types: Vec<String>,
    /// Codes of the broader concepts.
    parents: Vec<String>,
    /// Codes of the same concept in other systems.
    same_as: Vec<String>,
}

fn owned(strings: &[&str]) -> Vec<String> {
    strings.iter().map(|&string| string.to_owned()).collect()
}

impl Concept {
    pub(crate) fn of(vocabulary: &Core, id: ConceptId) -> Option<Self> {
        let concept = vocabulary.concept(id)?;
        Some(Self {
            code: concept.curie.to_owned(),
            name: concept.preferred.to_owned(),
            types: owned(&concept.types),
            parents: owned(&concept.parents),
            same_as: owned(&concept.same_as),
        })
    }
}

#[pymethods]
impl Concept {
    #[new]
    #[pyo3(signature = (code, name, types = Vec::new(), parents = Vec::new(), same_as = Vec::new()))]
    const fn new(code: String, name: String, types: Vec<String>, parents: Vec<String>, same_as: Vec<String>) -> Self {
        Self { code, name, types, parents, same_as }
    }

    #[allow(clippy::type_complexity, reason = "the arguments of the constructor")]
    fn __getnewargs__(&self) -> (String, String, Vec<String>, Vec<String>, Vec<String>) {
        let Self { code, name, types, parents, same_as } = self.clone();
        (code, name, types, parents, same_as)
    }

    fn __repr__(&self) -> String {
        format!("Concept({:?}, {:?})", self.code, self.name)
    }
}

/// What is known to be safe: word lists, terms and concepts.
#[pyclass(frozen, from_py_object, module = "notesieve")]
#[derive(Clone)]
pub(crate) struct Vocabulary {
    pub(crate) core: Core,
    /// Where it was opened; `None` for the embedded one.
    path: Option<PathBuf>,
}

impl Vocabulary {
    /// The vocabulary inside the package.
    pub(crate) fn embedded(py: Python<'_>) -> PyResult<Self> {
        let core = enter::enter(py, || Core::from_static(notesieve_vocabularies::default_bytes()))?;
        Ok(Self { core, path: None })
    }
}

#[pymethods]
impl Vocabulary {
    /// The vocabulary inside the package.
    #[staticmethod]
    #[pyo3(name = "default")]
    fn default_vocabulary(py: Python<'_>) -> PyResult<Self> {
        Self::embedded(py)
    }

    /// Opens a compiled vocabulary.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let core = enter::enter(py, || Core::open(&path))?;
        Ok(Self { core, path: Some(path) })
    }

    /// Opens a compiled vocabulary that must be the one with this digest: how a pickle comes back.
    #[staticmethod]
    fn _reopen(py: Python<'_>, path: Option<PathBuf>, digest: &str) -> PyResult<Self> {
        let vocabulary = match path {
            Some(path) => Self::open(py, path)?,
            None => Self::embedded(py)?,
        };
        if vocabulary.core.digest() == digest {
            return Ok(vocabulary);
        }
        let message = format!(
            "{}: has digest {}, the pickle was made with {digest}: use the same vocabulary on both sides",
            vocabulary.core.file(),
            vocabulary.core.digest()
        );
        Err(errors::new(py, "VocabularyError", message))
    }

    /// SHA-256 that stands for the whole vocabulary, as 64 hexadecimal digits.
    #[getter]
    fn digest(&self) -> &str {
        self.core.digest()
    }

    /// The file, or `<embedded>`.
    #[getter]
    fn file(&self) -> &str {
        self.core.file()
    }

    /// Where the vocabulary comes from and what it holds.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let info = serde_json::to_string(&self.core.info()).unwrap_or_default();
        py.import("json")?.call_method1("loads", (info,))
    }

    /// Reads the whole file and checks its digest.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        enter::enter(py, || self.core.verify())
    }

    /// The concepts of a term, best source first, whatever its case.
    fn lookup(&self, text: &str) -> Vec<Concept> {
        self.core.lookup(text).into_iter().filter_map(|id| Concept::of(&self.core, id)).collect()
    }

    /// The concept with a code, or `None`.
    fn concept(&self, code: &str) -> Option<Concept> {
        self.core.concept_of(code).and_then(|id| Concept::of(&self.core, id))
    }

    /// The terms that begin with a text, in the order of the alphabet, each with its concepts.
    #[pyo3(signature = (text, limit = 20))]
    fn prefix(&self, text: &str, limit: usize) -> Vec<(String, Vec<Concept>)> {
        let found = self.core.prefix(text, limit);
        found.into_iter().map(|(term, entry)| (term, self.concepts_of(entry))).collect()
    }

    /// The names of the lists on which a word stands.
    fn lists(&self, word: &str) -> Vec<&'static str> {
        self.lists_of_folded(notesieve::normalize::Normalized::new(word).folded())
    }

    /// The words of a list, folded, in the order of the alphabet.
    fn words(&self, py: Python<'_>, name: &str) -> PyResult<Vec<String>> {
        let Some(class) = Class::from_key(name) else {
            let keys: Vec<&str> = Class::ALL.iter().map(|class| class.key()).collect();
            return Err(errors::new(py, "PolicyError", format!("there is no list {name:?}: take {}", keys.join(", "))));
        };
        let mut words = Vec::new();
        self.core.for_each_word(|word| {
            if self.core.classes(self.core.word(word.as_bytes())).has(class) {
                words.push(word.to_owned());
            }
        });
        Ok(words)
    }

    /// Every term of a concept, its folded words and marks joined by blanks, with the case in which it counts.
    fn terms(&self) -> Vec<(String, &'static str)> {
        let mut terms = Vec::new();
        self.core.for_each_entry(|text, entry| {
            if let Some(case) = self.case_of(entry) {
                terms.push((text.to_owned(), case));
            }
        });
        terms
    }

    /// The lists of each word, which must be folded already: what `words` would say, for a few words.
    fn _lists_of(&self, words: Vec<String>) -> Vec<Vec<&'static str>> {
        words.into_iter().map(|word| self.lists_of_folded(&word)).collect()
    }

    /// The case in which each text counts as a term, or `None`: what `terms` would say, for a few texts.
    fn _cases_of(&self, texts: Vec<String>) -> Vec<Option<&'static str>> {
        texts.into_iter().map(|text| self.core.entry_of_key(&text).and_then(|entry| self.case_of(entry))).collect()
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (Option<PathBuf>, String)>> {
        let vocabulary = slf.get();
        let path = vocabulary.path.as_ref().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone()));
        Ok((slf.get_type().getattr("_reopen")?, (path, vocabulary.core.digest().to_owned())))
    }
}

impl Vocabulary {
    fn lists_of_folded(&self, word: &str) -> Vec<&'static str> {
        let classes = self.core.classes(self.core.word(word.as_bytes()));
        Class::ALL.iter().filter(|&&class| classes.has(class)).map(|class| class.key()).collect()
    }

    /// In which case an entry counts as a term: `any`, in `capitals` only, or in `lower` case only; `None` for a place.
    fn case_of(&self, entry: EntryId) -> Option<&'static str> {
        let flags = self.core.entry_flags(entry);
        match flags {
            _ if !flags.has(EntryFlags::TERM) => None,
            _ if flags.has(EntryFlags::UPPER_ONLY) => Some("capitals"),
            _ if flags.has(EntryFlags::AMBIGUOUS) => Some("lower"),
            _ => Some("any"),
        }
    }

    fn concepts_of(&self, entry: EntryId) -> Vec<Concept> {
        self.core.entry_concepts(entry).filter_map(|id| Concept::of(&self.core, id)).collect()
    }
}
