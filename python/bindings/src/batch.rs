//! `notesieve.ScrubbedBatch`: the notes of one call, as a sequence and as numpy arrays.

use std::sync::Arc;

use notesieve::document::{Document, Mention};
use notesieve::status::Status;
use notesieve::vocabulary::Group;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};

use crate::columns::results::{ATTRIBUTES, attribute_texts};
use crate::note::{self, Origin, ProvenanceJson, ScrubbedNote};
use crate::pickle::{self, Reduced};
use crate::vocabulary::Vocabulary;

/// Scrubbed notes, in input order.
#[pyclass(frozen, sequence, module = "notesieve")]
pub(crate) struct ScrubbedBatch {
    documents: Vec<Arc<Document>>,
    origin: Origin,
}

impl ScrubbedBatch {
    pub(crate) const fn new(documents: Vec<Arc<Document>>, origin: Origin) -> Self {
        Self { documents, origin }
    }

    pub(crate) fn documents(&self) -> &[Arc<Document>] {
        &self.documents
    }

    fn note(&self, at: usize) -> ScrubbedNote {
        ScrubbedNote::new(Arc::clone(&self.documents[at]), self.origin.clone())
    }
}

#[pymethods]
impl ScrubbedBatch {
    fn __len__(&self) -> usize {
        self.documents.len()
    }

    /// Iterate lazily: a batch of a million notes creates no list of a million objects.
    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let builtins = slf.py().import("builtins")?;
        let indices = builtins.call_method1("range", (slf.get().documents.len(),))?;
        builtins.call_method1("map", (slf.getattr("__getitem__")?, indices))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let len = self.documents.len().cast_signed();
        if let Ok(slice) = index.cast::<PySlice>() {
            let range = slice.indices(len)?;
            let picked = (0..range.slicelength.cast_signed())
                .map(|step| Arc::clone(&self.documents[(range.start + step * range.step).cast_unsigned()]))
                .collect();
            return Ok(Bound::new(py, Self::new(picked, self.origin.clone()))?.into_any());
        }
        let index: isize = index.extract()?;
        let at = if index < 0 { index + len } else { index };
        if at < 0 || at >= len {
            return Err(PyIndexError::new_err(format!("note {index} of {len}")));
        }
        Ok(Bound::new(py, self.note(at.cast_unsigned()))?.into_any())
    }

    /// Provenance of the notes: version, digests of vocabulary and policy, fingerprint of the key.
    #[getter]
    fn provenance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        note::provenance_as_dict(py, &self.origin.provenance)
    }

    /// The de-identified texts.
    #[getter]
    fn texts(&self) -> Vec<&str> {
        self.documents.iter().map(|document| document.text.as_str()).collect()
    }

    /// Return what was removed from all notes as numpy arrays of one length: `note` (index of the note), `start`, `end`
    /// (code points of the original) and `category`.
    fn removed_arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = || {
            self.documents
                .iter()
                .zip(0_u32..)
                .flat_map(|(document, note)| document.removed.iter().map(move |removal| (note, removal)))
        };
        let arrays = PyDict::new(py);
        arrays.set_item("note", numpy_array(py, all().map(|(note, _)| note)))?;
        arrays.set_item("start", numpy_array(py, all().map(|(_, removal)| removal.source.start)))?;
        arrays.set_item("end", numpy_array(py, all().map(|(_, removal)| removal.source.end)))?;
        let categories: Vec<&str> =
            all().map(|(_, removal)| removal.kind.map_or("UNLISTED", |kind| kind.category().key())).collect();
        arrays.set_item("category", py.import("numpy")?.call_method1("array", (categories, "U8"))?)?;
        Ok(arrays)
    }

    /// Return the terms of all notes as numpy arrays of one length: `note` (index of the note), `start`, `end` (code
    /// points of the de-identified text), `code`, `group`, statuses and attributes. An ambiguous term has no code.
    fn concept_arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = || {
            let numbered = self.documents.iter().zip(0_u32..);
            numbered.flat_map(|(document, note)| document.concepts.iter().map(move |mention| (note, document, mention)))
        };
        let core = &self.origin.vocabulary.core;
        let numpy = py.import("numpy")?;
        let texts = |texts: Vec<String>| numpy.call_method1("array", (texts, "U"));
        let arrays = PyDict::new(py);
        arrays.set_item("note", numpy_array(py, all().map(|(note, ..)| note)))?;
        arrays.set_item("start", numpy_array(py, all().map(|(.., mention)| mention.output.start)))?;
        arrays.set_item("end", numpy_array(py, all().map(|(.., mention)| mention.output.end)))?;
        let best =
            |mention: &Mention| core.entry_concepts(mention.entry).next().filter(|_| !mention.assertion.ambiguous);
        let best_code = |mention| best(mention).map(|id| core.curie(id)).unwrap_or_default();
        arrays.set_item("code", texts(all().map(|(.., mention)| best_code(mention)).collect())?)?;
        let group = |document: &Document, mention| {
            best(mention).map_or(Group::Other, |_| document.group_of(core, mention)).key().to_owned()
        };
        arrays.set_item("group", texts(all().map(|(_, document, mention)| group(document, mention)).collect())?)?;
        for status in Status::KEYS {
            let bit = Status::from_key(status).unwrap_or_default();
            let said = all().map(|(.., mention)| mention.assertion.status.contains(bit)).collect::<Vec<_>>();
            arrays.set_item(status, said.into_pyarray(py))?;
        }
        arrays.set_item(
            "ambiguous",
            all().map(|(.., mention)| mention.assertion.ambiguous).collect::<Vec<_>>().into_pyarray(py),
        )?;
        for (place, name) in ATTRIBUTES.into_iter().enumerate() {
            let text = |document: &Document, mention| {
                attribute_texts(document.attributes_of(mention))[place].unwrap_or_default().to_owned()
            };
            arrays.set_item(name, texts(all().map(|(_, document, mention)| text(document, mention)).collect())?)?;
        }
        let number = |document: &Document, mention| document.attributes_of(mention).number.unwrap_or(f64::NAN);
        let numbers = all().map(|(_, document, mention)| number(document, mention)).collect::<Vec<_>>();
        arrays.set_item("number", numbers.into_pyarray(py))?;
        Ok(arrays)
    }

    /// Pickle the state of each note, and what they share only once.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (Vec<String>, Vocabulary, ProvenanceJson)>> {
        let ScrubbedBatch { documents, origin } = slf.get();
        let states = documents.iter().map(|document| pickle::to_state(&**document)).collect::<PyResult<_>>()?;
        Ok((slf.get_type().getattr("_restore")?, (states, origin.vocabulary.clone(), origin.provenance_json())))
    }

    /// Restore a batch from a pickle.
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn _restore(states: Vec<String>, vocabulary: Vocabulary, provenance: ProvenanceJson) -> PyResult<Self> {
        let documents = states.iter().map(|state| pickle::from_state(state).map(Arc::new)).collect::<PyResult<_>>()?;
        Ok(Self::new(documents, Origin::from_provenance_json(vocabulary, &provenance)?))
    }

    fn __repr__(&self) -> String {
        format!("ScrubbedBatch({} notes)", self.documents.len())
    }
}

fn numpy_array(py: Python<'_>, items: impl Iterator<Item = u32>) -> Bound<'_, PyArray1<u32>> {
    items.collect::<Vec<_>>().into_pyarray(py)
}
