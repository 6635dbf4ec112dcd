//! `notesieve.ConceptMention`: a term that came out, with its concepts and what the note says of them.

#![allow(
    clippy::struct_excessive_bools,
    clippy::format_collect,
    reason = "each is an attribute of its own; a repr is short"
)]

use std::collections::BTreeMap;

use notesieve::document::{Document, Mention};
use notesieve::status::Status;
use notesieve::values::{Attributes, Unit};
use notesieve::vocabulary::Group;
use pyo3::prelude::*;

use crate::pickle::{self, Places, Reduced};
use crate::vocabulary::Vocabulary;

/// A term that came out, with its concepts.
#[pyclass(frozen, eq, get_all, module = "notesieve")]
#[derive(Clone, PartialEq)]
pub(crate) struct ConceptMention {
    /// First code point in the de-identified text.
    pub(super) start: u32,
    /// One past the last code point there.
    pub(super) end: u32,
    /// First code point in the original.
    source_start: u32,
    /// One past the last code point there.
    source_end: u32,
    /// The code of the best concept.
    pub(super) code: String,
    /// Its preferred name.
    pub(super) name: String,
    /// All codes of the term, best source first.
    pub(super) codes: Vec<String>,
    /// What kind of thing the best concept is, or here is.
    pub(super) group: &'static str,
    /// The value of a measurement.
    pub(super) value: Option<String>,
    /// The value as a number.
    pub(super) number: Option<f64>,
    /// Its unit, where the note has one.
    pub(super) unit: Option<&'static str>,
    /// `<`, `<=`, `>`, `>=`
    pub(super) comparator: Option<&'static str>,
    /// What the laboratory says of it.
    pub(super) flag: Option<&'static str>,
    /// The dose of a drug, with its unit.
    pub(super) dose: Option<String>,
    /// How it is given.
    pub(super) route: Option<&'static str>,
    /// How often.
    pub(super) frequency: Option<String>,
    /// The note says that it is not there.
    negated: bool,
    /// It might come.
    hypothetical: bool,
    /// It was.
    historical: bool,
    /// Somebody doubts.
    possible: bool,
    /// Somebody else has it.
    family: bool,
    /// Nothing tells which of its meanings a short form has: it has no code.
    pub(super) ambiguous: bool,
    /// The cue behind each of these, as the list of cues writes it.
    pub(super) reasons: BTreeMap<&'static str, String>,
}

impl ConceptMention {
    /// The name of its group.
    pub(crate) fn group(&self) -> String {
        self.group.to_owned()
    }

    /// Value, dose and the like, for a repr.
    fn attributes_text(&self) -> String {
        let value = self.value.as_ref().map(|value| {
            let unit = self.unit.map(|unit| format!(" {unit}")).unwrap_or_default();
            format!("{}{value}{unit}", self.comparator.unwrap_or_default())
        });
        let parts = [value.as_deref(), self.flag, self.dose.as_deref(), self.route, self.frequency.as_deref()];
        parts.into_iter().flatten().map(|part| format!(", {part}")).collect()
    }
}

/// Value, number, unit, comparator, flag, dose, route, frequency in a pickle.
type Attributed = (
    Option<String>,
    Option<f64>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
);
/// A mention in a pickle: places, code, name, codes, group, reasons by status, whether it is ambiguous, attributes.
type Mentioned = (Places, String, String, Vec<String>, String, BTreeMap<String, String>, bool, Attributed);

#[pymethods]
impl ConceptMention {
    fn __repr__(&self) -> String {
        let said: String = self.reasons.keys().map(|status| format!(", {status}")).collect();
        let said = if self.ambiguous { said + ", ambiguous" } else { said };
        let said = said + &self.attributes_text();
        format!("ConceptMention({}:{}, {:?}, {:?}{said})", self.start, self.end, self.code, self.name)
    }

    /// Whether the note simply says it of its patient: nothing of the others holds.
    #[getter]
    fn affirmed(&self) -> bool {
        self.reasons.is_empty()
    }

    /// What a pickle holds: offsets, and what the vocabulary says of the concept.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, Mentioned>> {
        let mention = slf.get().clone();
        let own = |text: Option<&str>| text.map(str::to_owned);
        let attributes = (
            mention.value,
            mention.number,
            own(mention.unit),
            own(mention.comparator),
            own(mention.flag),
            mention.dose,
            own(mention.route),
            mention.frequency,
        );
        let Self { start, end, source_start, source_end, code, name, codes, group, ambiguous, reasons, .. } =
            slf.get().clone();
        let places = (source_start, source_end, start, end);
        let reasons = reasons.into_iter().map(|(status, cue)| (status.to_owned(), cue)).collect();
        Ok((
            slf.get_type().getattr("_restore")?,
            (places, code, name, codes, group.to_owned(), reasons, ambiguous, attributes),
        ))
    }

    /// The mention of a pickle.
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value, clippy::too_many_arguments, reason = "what Python gives is made anew")]
    fn _restore(
        places: Places,
        code: String,
        name: String,
        codes: Vec<String>,
        group: &str,
        reasons: BTreeMap<String, String>,
        ambiguous: bool,
        attributes: Attributed,
    ) -> PyResult<Self> {
        let (value, number, unit, comparator, flag, dose, route, frequency) = attributes;
        let unit = unit.map(|name| Unit::of(&name).map(Unit::name).ok_or_else(pickle::foreign)).transpose()?;
        let one_of = |known: &[&'static str], name: Option<String>| {
            name.map(|name| pickle::one_of(known.iter().copied(), &name)).transpose()
        };
        let (source_start, source_end, start, end) = places;
        let group = pickle::one_of(Group::ALL.iter().map(|group| group.key()), group)?;
        let known = |(status, cue): (String, String)| Ok((pickle::one_of(Status::KEYS, &status)?, cue));
        let reasons = reasons.into_iter().map(known).collect::<PyResult<BTreeMap<&'static str, String>>>()?;
        let [negated, hypothetical, historical, possible, family] = Status::KEYS.map(|key| reasons.contains_key(key));
        Ok(Self {
            start,
            end,
            source_start,
            source_end,
            code,
            name,
            codes,
            group,
            value,
            number,
            unit,
            comparator: one_of(&Attributes::COMPARATORS, comparator)?,
            flag: one_of(&Attributes::FLAGS, flag)?,
            dose,
            route: route.map(|route| pickle::one_of(Attributes::routes(), &route)).transpose()?,
            frequency,
            negated,
            hypothetical,
            historical,
            possible,
            family,
            ambiguous,
            reasons,
        })
    }
}

/// A mention with the concepts of its term.
pub(crate) fn mention(vocabulary: &Vocabulary, document: &Document, mention: &Mention) -> ConceptMention {
    let core = &vocabulary.core;
    let said = mention.said;
    let attributes = document.attributes_of(mention);
    // Where nothing tells what a short form means it has no code.
    let ids = core.entry_concepts(mention.entry).filter(|_| !said.ambiguous);
    let codes: Vec<String> = ids.map(|id| core.curie(id)).collect();
    let best = core.entry_concepts(mention.entry).next().filter(|_| !said.ambiguous);
    ConceptMention {
        start: mention.output.start,
        end: mention.output.end,
        source_start: mention.source.start,
        source_end: mention.source.end,
        code: codes.first().cloned().unwrap_or_default(),
        name: best.map(|id| core.preferred(id)).unwrap_or_default(),
        codes,
        group: best.map_or(Group::Other, |_| document.group_of(core, mention)).key(),
        value: attributes.value.as_deref().map(str::to_owned),
        number: attributes.number,
        unit: attributes.unit.map(Unit::name),
        comparator: attributes.comparator,
        flag: attributes.flag,
        dose: attributes.dose.as_deref().map(str::to_owned),
        route: attributes.route,
        frequency: attributes.frequency.as_deref().map(str::to_owned),
        negated: said.status.has(Status::NEGATED),
        hypothetical: said.status.has(Status::HYPOTHETICAL),
        historical: said.status.has(Status::HISTORICAL),
        possible: said.status.has(Status::POSSIBLE),
        family: said.status.has(Status::FAMILY),
        ambiguous: said.ambiguous,
        reasons: said.reasons().map(|(status, cue)| (status, cue.to_owned())).collect(),
    }
}
