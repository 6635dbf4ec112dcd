//! `notesieve.Scrubber`.

use std::collections::BTreeMap;
use std::sync::Arc;

use notesieve::detections::CallerKnowledge;
use notesieve::document::Document;
use notesieve::field::Field;
use notesieve::text::span::CodePoints;
use notesieve::{Provenance, Scrubber as Core};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::batch::ScrubbedBatch;
use crate::boundary::{self, Text};
use crate::columns::{self, ColumnJob, ColumnResult};
use crate::detections;
use crate::errors;
use crate::key::Key;
use crate::model::Model;
use crate::note::{self, ConceptMention, Origin, ScrubbedNote};
use crate::patient::Patient;
use crate::pickle::Reduced;
use crate::policy::Policy;
use crate::vocabulary::Vocabulary;

/// The number of bytes of notes between two checks for signals.
pub(crate) const CHUNK: usize = 8 << 20;

/// The parts of each field of a message, and the number of removals by category.
type FieldTexts = (Vec<Vec<String>>, BTreeMap<&'static str, usize>);

/// De-identifies notes and codes their terms.
#[pyclass(frozen, subclass, module = "notesieve._core")]
pub(crate) struct Scrubber {
    pub(crate) core: Arc<Core>,
    model: Model,
    origin: Origin,
}

#[pymethods]
impl Scrubber {
    #[new]
    #[pyo3(signature = (policy = None, vocabulary = None, *, key = None, model = None, detectors = None))]
    fn new(
        py: Python<'_>,
        policy: Option<&Bound<'_, PyAny>>,
        vocabulary: Option<&Bound<'_, Vocabulary>>,
        key: Option<&Bound<'_, Key>>,
        model: Option<&Bound<'_, PyAny>>,
        detectors: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let policy = policy.map_or_else(|| Ok(notesieve::Policy::default()), Policy::from_py)?;
        let vocabulary = match vocabulary {
            Some(vocabulary) => vocabulary.get().clone(),
            None => Vocabulary::embedded(py)?,
        };
        let model = Model::from_py(py, model)?;
        let mut core = vocabulary.scrubber(py)?.with_policy(policy).with_model(model.core.clone());
        let key = match key {
            Some(key) => Some(key.get().0.clone()),
            // Report a missing or invalid key before the first note.
            None if core.policy().needs_key() => {
                Some(notesieve::Key::load().map_err(|error| errors::to_python(py, &error))?)
            }
            None => None,
        };
        if let Some(key) = key {
            core = core.with_key(key);
        }
        core.check_key().map_err(|error| errors::to_python(py, &error))?;
        let detectors = detectors.unwrap_or_default();
        let provenance = Arc::new(Provenance { detectors, ..core.provenance() });
        Ok(Self { core: Arc::new(core), model, origin: Origin { vocabulary, provenance } })
    }

    /// The policy.
    #[getter]
    fn policy(&self) -> Policy {
        Policy(self.core.policy().clone())
    }

    /// The vocabulary.
    #[getter]
    fn vocabulary(&self) -> Vocabulary {
        self.origin.vocabulary.clone()
    }

    /// The model.
    #[getter]
    fn model(&self) -> Model {
        self.model.clone()
    }

    /// The key.
    #[getter]
    fn key(&self) -> Option<Key> {
        self.core.key().cloned().map(Key)
    }

    /// The provenance of the output, with everything needed to reproduce it.
    #[getter]
    fn provenance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        note::provenance_as_dict(py, &self.origin.provenance)
    }

    /// Return the number of sections removed so far for each heading of `drop_sections`.
    fn _dropped_sections(&self) -> BTreeMap<&str, u64> {
        self.core.dropped_sections().collect()
    }

    /// De-identify one note.
    #[pyo3(signature = (text, *, patient = None, findings = None))]
    fn _scrub(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        patient: Option<&Bound<'_, Patient>>,
        findings: Option<Vec<detections::FindingTuple>>,
    ) -> PyResult<ScrubbedNote> {
        let text = Text::from_py(text)?;
        let (detections, problems) = detections::detections_of_text(&text, &findings.unwrap_or_default());
        if !problems.is_empty() {
            return Err(errors::new(py, "FindingError", problems.join("; ")));
        }
        let known = CallerKnowledge { patient: patient.map(|patient| Arc::clone(&patient.get().0)), detections };
        let core = Arc::clone(&self.core);
        let (document, _text) = boundary::interruptible(py, text.len(), move || {
            let document = core.scrub_with(&text, &known).map(|mut document| {
                note::convert_offsets_to_code_points(&text, &mut document);
                document
            });
            (document, text)
        })?;
        let document = document.map_err(|error| errors::to_python(py, &error))?;
        Ok(ScrubbedNote::new(Arc::new(document), self.origin.clone()))
    }

    /// Find the terms of one note that a scrub would keep, or all of them. Offsets are those of the note.
    #[pyo3(signature = (text, *, identifying = false, groups = None))]
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn autocode(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        identifying: bool,
        groups: Option<Vec<String>>,
    ) -> PyResult<Vec<ConceptMention>> {
        let text = Text::from_py(text)?;
        let wanted = notesieve::Policy { groups: groups.unwrap_or_default(), ..notesieve::Policy::default() };
        wanted.check().map_err(|error| errors::to_python(py, &error))?;
        let document = boundary::without_gil(py, || {
            let mut document =
                if identifying { self.core.autocode_identifying(&text)? } else { self.core.autocode(&text)? };
            let mut points = CodePoints::new(&text);
            for mention in &mut document.concepts {
                mention.source = points.convert_span(mention.source);
                mention.output = mention.source;
            }
            Ok(document)
        })?;
        let mentions = document
            .concepts
            .iter()
            .map(|mention| note::mention_with_concepts(&self.origin.vocabulary, &document, mention));
        let is_wanted = |mention: &ConceptMention| wanted.groups.is_empty() || wanted.groups.contains(&mention.group());
        Ok(mentions.filter(is_wanted).collect())
    }

    /// De-identify many notes and return `(batch, errors)`, the errors as pairs of index and message. `patients` and
    /// `findings` have one item per note.
    #[pyo3(signature = (texts, *, patients = None, findings = None, threads = None, explain = false))]
    fn _scrub_many(
        &self,
        py: Python<'_>,
        texts: &Bound<'_, PyAny>,
        patients: Option<&Bound<'_, PyAny>>,
        findings: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        explain: bool,
    ) -> PyResult<(ScrubbedBatch, Vec<(usize, String)>)> {
        let threads = boundary::thread_count_from_py(py, threads)?;
        let mut patients = patients.map(pyo3::types::PyAnyMethods::try_iter).transpose()?;
        let mut findings = findings.map(pyo3::types::PyAnyMethods::try_iter).transpose()?;
        let mut documents = Vec::new();
        let mut problems = Vec::new();
        let mut chunk = Chunk::default();
        let mut bytes = 0;
        for (index, item) in texts.try_iter()?.enumerate() {
            // A note that is not a text becomes an empty one with an error, so that the other notes are not lost.
            let text = Text::from_py(&item?).unwrap_or_else(|problem| {
                problems.push((index, problem.value(py).to_string()));
                Text::Repaired(String::new())
            });
            bytes += text.len();
            let mut known = CallerKnowledge::default();
            if let Some(findings) = &mut findings {
                let wrong;
                (known.detections, wrong) = detections::next_detections(py, findings, &text, index)?;
                problems.extend(wrong.map(|wrong| (index, wrong)));
            }
            chunk.texts.push(text);
            if let Some(patients) = &mut patients {
                known.patient = Patient::next_patient(py, patients, index)?;
            }
            chunk.known.push(known);
            if bytes >= CHUNK {
                self.scrub_chunk(py, &mut chunk, threads, explain, &mut documents, &mut problems)?;
                bytes = 0;
            }
        }
        self.scrub_chunk(py, &mut chunk, threads, explain, &mut documents, &mut problems)?;
        if patients.is_some_and(|mut patients| patients.next().is_some()) {
            let message = format!(
                "there are more patients than notes, which end after {}: give one Patient or None a note",
                documents.len()
            );
            return Err(errors::new(py, "PatientError", message));
        }
        // Notes that are not texts are found before those that are too long, so sort by index.
        problems.sort_by_key(|&(index, _)| index);
        Ok((ScrubbedBatch::new(documents, self.origin.clone()), problems))
    }

    /// De-identify the fields of one message, given as `(role, text, starts of the parts after the first, findings)`,
    /// the starts in code points. Return the new text of each part, and the number of removals by category.
    #[pyo3(signature = (fields, *, patient = None, threads = None))]
    #[allow(clippy::needless_pass_by_value, reason = "what Python gives is made anew")]
    fn _scrub_fields(
        &self,
        py: Python<'_>,
        fields: Vec<crate::field::GivenField>,
        patient: Option<&Bound<'_, Patient>>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<FieldTexts> {
        let threads = boundary::thread_count_from_py(py, threads)?;
        let patient = patient.map(|patient| Arc::clone(&patient.get().0));
        let (fields, detections) = crate::field::parse_fields(py, fields)?;
        let mut made = Vec::with_capacity(fields.len());
        let mut removed = BTreeMap::new();
        while made.len() < fields.len() {
            let mut bytes = 0;
            let fits = |field: &&Field| {
                bytes += field.text.len();
                bytes < CHUNK
            };
            let first = made.len();
            let count = fields[first..].iter().take_while(fits).count().max(1);
            let (some, found) = (&fields[first..first + count], &detections[first..first + count]);
            for field in boundary::without_gil(py, || self.core.scrub_fields(some, found, patient.as_deref(), threads))?
            {
                for category in field.removed {
                    *removed.entry(category.map_or("UNLISTED", notesieve::finding::Category::key)).or_insert(0) += 1;
                }
                made.push(field.parts);
            }
            py.check_signals()?;
        }
        Ok((made, removed))
    }

    /// De-identify a column of any object with the Arrow `PyCapsule` interface. Calls `detect` and `progress` with the
    /// GIL held, but scrubs without it.
    #[pyo3(signature = (column, **options), text_signature = "($self, column, *, outputs, patients=None, findings=None, detect=None, threads=None, progress=None)")]
    fn _scrub_arrow(
        &self,
        py: Python<'_>,
        column: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<ColumnResult> {
        columns::scrub_arrow(py, &ColumnJob::new(py, &self.core, options)?, column)
    }

    /// De-identify any iterable of `str` and `None` like `_scrub_arrow`; the result has lists instead of a table.
    #[pyo3(signature = (objects, **options), text_signature = "($self, objects, *, outputs, patients=None, findings=None, detect=None, threads=None, progress=None)")]
    fn _scrub_iterable(
        &self,
        py: Python<'_>,
        objects: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<ColumnResult> {
        columns::scrub_iterable(py, &ColumnJob::new(py, &self.core, options)?, objects)
    }

    /// Return the number of days by which the dates of a patient are shifted; `None` without a key.
    fn _shift_days(&self, patient: &str) -> Option<i64> {
        self.core.key().map(|key| notesieve::calendar::date_shift_days(key, patient, self.core.policy().season))
    }

    fn __repr__(&self) -> String {
        format!("Scrubber(policy={:?}, vocabulary={:?})", self.core.policy().name, self.origin.vocabulary.core.file())
    }

    /// Pickle the fingerprint of the key, never the key: the process that unpickles it must load the key itself.
    #[allow(clippy::type_complexity, reason = "the arguments of `_restore`")]
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (Policy, Vocabulary, Option<String>, Model)>> {
        let scrubber = slf.get();
        let fingerprint = scrubber.core.key().map(notesieve::Key::fingerprint);
        Ok((
            slf.get_type().getattr("_restore")?,
            (scrubber.policy(), scrubber.vocabulary(), fingerprint, scrubber.model()),
        ))
    }

    /// Restore a scrubber from a pickle.
    #[classmethod]
    fn _restore<'py>(
        class: &Bound<'py, PyType>,
        policy: Policy,
        vocabulary: Vocabulary,
        fingerprint: Option<&str>,
        model: Model,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = class.py();
        let arguments = PyDict::new(py);
        arguments.set_item("model", model)?;
        if let Some(fingerprint) = fingerprint {
            let key = notesieve::Key::load().map_err(|error| errors::to_python(py, &error))?;
            if key.fingerprint() != fingerprint {
                let message = format!(
                    "the scrubber was made with the key {fingerprint}, but this process has {}",
                    key.fingerprint()
                );
                return Err(errors::new(py, "SecretKeyError", message));
            }
            arguments.set_item("key", Key(key))?;
        }
        class.call((policy, vocabulary), Some(&arguments))
    }
}

/// The notes that are scrubbed between two checks for signals.
#[derive(Default)]
struct Chunk {
    texts: Vec<Text>,
    /// What the caller knows about each note.
    known: Vec<CallerKnowledge>,
}

impl Scrubber {
    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    fn scrub_chunk(
        &self,
        py: Python<'_>,
        chunk: &mut Chunk,
        threads: usize,
        explain: bool,
        documents: &mut Vec<Arc<Document>>,
        problems: &mut Vec<(usize, String)>,
    ) -> PyResult<()> {
        let Chunk { texts, known } = std::mem::take(chunk);
        let finish = |text: &Text, mut document: Document| {
            note::convert_offsets_to_code_points(text, &mut document);
            document
        };
        let core = Arc::clone(&self.core);
        let bytes = texts.iter().map(|text| text.len()).sum();
        let work = move || (core.scrub_many_with(&texts, &known, explain, threads, finish), texts);
        let (results, _texts) = boundary::interruptible(py, bytes, work)?;
        for result in results {
            let document = match result {
                Ok(document) => document,
                Err(problem) => {
                    problems.push((documents.len(), problem.to_string()));
                    Document::default()
                }
            };
            documents.push(Arc::new(document));
        }
        py.check_signals()
    }
}
