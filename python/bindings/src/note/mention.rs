//! `notesieve.ConceptMention`: a term that came out, with its concepts, attributes and statuses.

#![allow(
    clippy::struct_excessive_bools,
    clippy::format_collect,
    clippy::unsafe_derive_deserialize,
    reason = "each is an attribute of its own; a repr is short; the unsafe methods are those of pyo3"
)]

use std::collections::BTreeMap;

use notesieve::document::{Document, Mention};
use notesieve::status::Status;
use notesieve::values::{Attributes, Unit};
use notesieve::vocabulary::Group;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::pickle::{self, Key, Reduced};
use crate::vocabulary::Vocabulary;

/// A further value or dose of a mention; a dictionary in Python.
#[derive(Clone, PartialEq, Serialize, Deserialize, IntoPyObject)]
pub(crate) struct FurtherAttributes {
    value: Option<String>,
    number: Option<f64>,
    unit: Option<Key>,
    comparator: Option<Key>,
    flag: Option<Key>,
    dose: Option<String>,
    route: Option<Key>,
    frequency: Option<String>,
}

impl From<&Attributes> for FurtherAttributes {
    fn from(attributes: &Attributes) -> Self {
        let Attributes { value, number, unit, comparator, flag, dose, route, frequency, .. } = attributes;
        Self {
            value: value.as_deref().map(str::to_owned),
            number: *number,
            unit: unit.map(Unit::name).map(Key),
            comparator: comparator.map(Key),
            flag: flag.map(Key),
            dose: dose.as_deref().map(str::to_owned),
            route: route.map(Key),
            frequency: frequency.as_deref().map(str::to_owned),
        }
    }
}

/// A term that came out, with its concepts.
#[pyclass(frozen, eq, get_all, module = "notesieve")]
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ConceptMention {
    /// The start in the de-identified text, in code points.
    start: u32,
    /// The end in the de-identified text, exclusive.
    end: u32,
    /// The start in the original, in code points.
    source_start: u32,
    /// The end in the original, exclusive.
    source_end: u32,
    /// The code of the best concept.
    code: String,
    /// The preferred name of the best concept.
    name: String,
    /// The codes of all concepts of the term, best source first.
    codes: Vec<String>,
    /// The semantic group: that of the best concept, or a more specific one from the context.
    group: Key,
    /// The value of a measurement.
    value: Option<String>,
    /// The value as a number.
    number: Option<f64>,
    /// The unit, if the note states one.
    unit: Option<Key>,
    /// `<`, `<=`, `>` or `>=`.
    comparator: Option<Key>,
    /// The laboratory's flag for the value.
    flag: Option<Key>,
    /// The dose of a drug, with its unit.
    dose: Option<String>,
    /// The route of administration.
    route: Option<Key>,
    /// The frequency of administration.
    frequency: Option<String>,
    /// Further values or doses.
    further: Vec<FurtherAttributes>,
    /// The note says that it is absent.
    negated: bool,
    /// It is a possibility in the future.
    hypothetical: bool,
    /// It is in the past.
    historical: bool,
    /// It is uncertain.
    possible: bool,
    /// Another person has it.
    family: bool,
    /// The meaning of an abbreviation is unclear, so it has no code.
    ambiguous: bool,
    /// The cue for each status, as in the list of cues.
    reasons: BTreeMap<Key, String>,
}

impl ConceptMention {
    /// Returns the name of its semantic group.
    pub(crate) fn group(&self) -> String {
        self.group.0.to_owned()
    }

    /// Formats value, dose and other attributes for a repr.
    fn attributes_text(&self) -> String {
        let value = self.value.as_ref().map(|value| {
            let unit = self.unit.map(|unit| format!(" {}", unit.0)).unwrap_or_default();
            format!("{}{value}{unit}", self.comparator.map_or("", |sign| sign.0))
        });
        let parts = [
            value.as_deref(),
            self.flag.map(|flag| flag.0),
            self.dose.as_deref(),
            self.route.map(|route| route.0),
            self.frequency.as_deref(),
        ];
        parts.into_iter().flatten().map(|part| format!(", {part}")).collect()
    }
}

#[pymethods]
impl ConceptMention {
    fn __repr__(&self) -> String {
        let said: String = self.reasons.keys().map(|status| format!(", {}", status.0)).collect();
        let said = if self.ambiguous { said + ", ambiguous" } else { said };
        let said = said + &self.attributes_text();
        format!("ConceptMention({}:{}, {:?}, {:?}{said})", self.start, self.end, self.code, self.name)
    }

    /// Whether the mention has no status: the note states it about the patient.
    #[getter]
    fn affirmed(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Pickle offsets, concepts, attributes and statuses.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (String,)>> {
        pickle::reduce_to_state(slf)
    }

    #[staticmethod]
    fn _restore(state: &str) -> PyResult<Self> {
        pickle::from_state(state)
    }
}

/// Converts a mention, with the concepts of its term.
pub(crate) fn mention_with_concepts(vocabulary: &Vocabulary, document: &Document, mention: &Mention) -> ConceptMention {
    let core = &vocabulary.core;
    let said = mention.assertion;
    let attributes = document.attributes_of(mention);
    // An ambiguous abbreviation has no code.
    let ids = core.entry_concepts(mention.entry).filter(|_| !said.ambiguous);
    let codes: Vec<String> = ids.map(|id| core.curie(id)).collect();
    let best = core.entry_concepts(mention.entry).next().filter(|_| !said.ambiguous);
    let FurtherAttributes { value, number, unit, comparator, flag, dose, route, frequency } =
        FurtherAttributes::from(attributes);
    ConceptMention {
        start: mention.output.start,
        end: mention.output.end,
        source_start: mention.source.start,
        source_end: mention.source.end,
        code: codes.first().cloned().unwrap_or_default(),
        name: best.map(|id| core.preferred_name(id)).unwrap_or_default(),
        codes,
        group: Key(best.map_or(Group::Other, |_| document.group_of(core, mention)).key()),
        value,
        number,
        unit,
        comparator,
        flag,
        dose,
        route,
        frequency,
        further: attributes.further.iter().map(FurtherAttributes::from).collect(),
        negated: said.status.contains(Status::NEGATED),
        hypothetical: said.status.contains(Status::HYPOTHETICAL),
        historical: said.status.contains(Status::HISTORICAL),
        possible: said.status.contains(Status::POSSIBLE),
        family: said.status.contains(Status::FAMILY),
        ambiguous: said.ambiguous,
        reasons: said.reasons().map(|(status, cue)| (Key(status), cue.to_owned())).collect(),
    }
}
