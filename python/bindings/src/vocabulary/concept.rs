//! `notesieve.Concept`.

use notesieve::Vocabulary as Core;
use notesieve::vocabulary::ConceptId;
use pyo3::prelude::*;

/// A concept of a published vocabulary.
#[pyclass(frozen, eq, hash, get_all, module = "notesieve")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Concept {
    /// The code with the prefix of its system, for example `mesh:D003920`.
    code: String,
    /// The preferred name in its source.
    name: String,
    /// Semantic types or tree numbers.
    types: Vec<String>,
    /// The codes of the broader concepts.
    parents: Vec<String>,
    /// The codes of the same concept in other systems.
    same_as: Vec<String>,
}

impl Concept {
    pub(crate) fn of(vocabulary: &Core, id: ConceptId) -> Option<Self> {
        let concept = vocabulary.concept(id)?;
        let notesieve::vocabulary::Concept { curie: code, preferred: name, types, parents, same_as } = concept;
        Some(Self { code, name, types, parents, same_as })
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
