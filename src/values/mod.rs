//! Attributes of concepts: the value of a measurement with its unit, the dose of a drug with route and frequency.
//!
//! The attributes are those of the n2c2 shared task of 2018 (Henry and others, *JAMIA* 2020) and the i2b2 challenges of
//! 2006 and 2009 (Uzuner and others, *JAMIA* 2008 and 2010). A grammar reads them, only from tokens that are kept in
//! the output: a number that is removed is never part of a value.
//!
//! Units, analytes, routes and frequencies are bundled lists (`units.txt`, `analytes.txt` and others).

mod aims;
mod amount;
mod analytes;
mod before;
mod dose;
mod dosing;
mod expected;
mod flag;
mod frequency;
mod given;
mod joint;
mod level;
mod measured;
mod series;
mod shared;
mod smoking;
mod spelling;
mod tables;
mod units;
mod unlisted;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::note::Note;
use crate::terms::Match;
use crate::vocabulary::{Class, EntryId, Group, Vocabulary};
use aims::is_condition;
pub use analytes::{Analytes, short_form};
use before::{value_before, value_right_before};
use dosing::Dosing;
use expected::Expected;
use level::{is_level, level_after};
use measured::{Value, value_after};
use tables::value_below_header;
pub use units::Unit;
use unlisted::{is_dose_of_analyte, is_followed_by_antibody_level, is_plausible_value, may_be_measured};

/// The attributes of a concept in a note.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Attributes {
    /// The group of the concept where it depends on the context: a measurement, or a drug.
    pub group: Option<Group>,
    /// The value of a measurement: `7.4`, `120/80`, `4-6`.
    pub value: Option<Box<str>>,
    /// The value as a number, or the first of a pair; `None` for a range.
    pub number: Option<f64>,
    /// The unit of the value, if the note states one.
    pub unit: Option<Unit>,
    /// The unit of the value; if the note states none, the assumed one.
    pub assumed_unit: Option<Unit>,
    /// `<`, `<=`, `>` or `>=`, if the note states one.
    #[serde(deserialize_with = "deserialize_word")]
    pub comparator: Option<Word>,
    /// The laboratory's flag of the value: `high`, `low`, `abnormal`, `critical`. For smoking: `current`, `former` or
    /// `never`.
    #[serde(deserialize_with = "deserialize_word")]
    pub flag: Option<Word>,
    /// The dose of a drug, with its unit: `25 mg`.
    pub dose: Option<Box<str>>,
    /// The route: `oral`.
    #[serde(deserialize_with = "deserialize_word")]
    pub route: Option<Word>,
    /// The frequency: `twice daily`, `every 6 hours as needed`.
    pub frequency: Option<Box<str>>,
    /// Other values or doses of the same mention, in the order of the text.
    pub further: Vec<Self>,
}

/// A word of the bundled lists.
type Word = &'static str;

fn deserialize_word<'de, D: Deserializer<'de>>(word: D) -> Result<Option<Word>, D::Error> {
    let Some(word) = Option::<String>::deserialize(word)? else { return Ok(None) };
    let mut words = Attributes::COMPARATORS.into_iter().chain(Attributes::FLAGS).chain(Attributes::routes());
    words.find(|known| *known == word).map(Some).ok_or_else(|| D::Error::custom("no word of this version"))
}

impl Attributes {
    /// No attributes.
    pub const NONE: Self = Self {
        group: None,
        value: None,
        number: None,
        unit: None,
        assumed_unit: None,
        comparator: None,
        flag: None,
        dose: None,
        route: None,
        frequency: None,
        further: Vec::new(),
    };

    fn measured_value(value: Value, expected: &Expected) -> Self {
        let Value { text, number, unit, comparator, flag, further, .. } = value;
        let assumed_unit = unit.or_else(|| number.and_then(|number| expected.assumed_unit(number)));
        Self {
            group: Some(Group::Measurement),
            value: Some(text.into()),
            number,
            unit,
            assumed_unit,
            comparator,
            flag,
            further: further.into_iter().map(|value| Self::measured_value(value, expected)).collect(),
            ..Self::NONE
        }
    }

    fn given_drug(Dosing { dose, route, frequency, further, .. }: Dosing) -> Self {
        Self {
            group: Some(Group::Drug),
            dose: dose.map(Into::into),
            route,
            frequency: frequency.map(Into::into),
            further: further.into_iter().map(Self::given_drug).collect(),
            ..Self::NONE
        }
    }

    /// Returns the attributes of a drug with its level.
    fn drug_with_level(dosing: Dosing, level: Option<Value>, expected: &Expected) -> Self {
        let level = level.map(|level| Self::measured_value(level, expected)).unwrap_or_default();
        let Self { group, dose, route, frequency, further, .. } = Self::given_drug(dosing);
        Self { group, dose, route, frequency, further, ..level }
    }

    /// The possible values of [`Self::comparator`].
    pub const COMPARATORS: [&str; 4] = ["<", "<=", ">", ">="];

    /// The possible values of [`Self::flag`].
    pub const FLAGS: [&str; 7] = ["high", "low", "abnormal", "critical", "current", "former", "never"];

    /// Returns the possible values of [`Self::route`].
    pub fn routes() -> impl Iterator<Item = &'static str> {
        dosing::route_names()
    }

    /// Returns whether there is nothing but a group.
    pub const fn is_empty(&self) -> bool {
        self.value.is_none() && self.dose.is_none() && self.route.is_none() && self.frequency.is_none()
    }
}

/// The attributes of some terms, with the indices of the terms; a reusable buffer.
pub type TermAttributes = Vec<(u32, Attributes)>;

/// Finds the attributes of terms, from tokens that are `kept`.
pub fn find_attributes(
    note: &Note<'_>,
    analytes: &Analytes,
    terms: &[Match],
    kept: impl Fn(usize) -> bool + Copy,
    found: &mut TermAttributes,
) {
    found.clear();
    let reader = AttributeReader { note, analytes, terms };
    let mut free = 0;
    for (nth, term) in terms.iter().enumerate() {
        let is_read = term.end as usize <= free && given::is_preparation(note, term.end as usize);
        if is_read || !term.tokens().all(kept) {
            continue;
        }
        let attributes = reader.read_attributes(nth, &mut free, kept);
        let status = reader.read_smoking_status(nth, attributes.as_ref(), kept);
        if attributes.is_some() || status.is_some() {
            let attributes = attributes.unwrap_or_default();
            shared::share_dosing(note, terms, (nth, free), &attributes, found, kept);
            found.push((nth as u32, Attributes { flag: status.or(attributes.flag), ..attributes }));
        }
    }
}

struct AttributeReader<'a> {
    note: &'a Note<'a>,
    analytes: &'a Analytes,
    terms: &'a [Match],
}

impl AttributeReader<'_> {
    /// Reads the attributes of a term. Tokens before `free` belong to the term before it.
    fn read_attributes(&self, nth: usize, free: &mut usize, kept: impl Fn(usize) -> bool + Copy) -> Option<Attributes> {
        let Match { first, end: last, entry } = self.terms[nth];
        let (first, last) = (first as usize, last as usize);
        let vocabulary = self.note.vocabulary();
        let analyte = self.analytes.analyte_of_entry(vocabulary, entry);
        let group = vocabulary.entry_group(entry);
        let is_drug = group == Group::Drug;
        if analyte.is_none()
            && !is_drug
            && !may_be_measured(self.note, group, last)
            && !is_followed_by_antibody_level(self.note, last)
        {
            return None;
        }
        // `pain 6/10`
        let plain = Expected::any_value(matches!(group, Group::Disorder | Group::Finding));
        let expected = analyte.map_or(&plain, |analyte| analyte.expected);
        let is_plausible = |value: &Value| analyte.is_none_or(|analyte| analyte.is_plausible(self.note, first, value));
        let is_own = |value: &Value| !self.another_term_intervenes(nth, value.first) && is_plausible(value);
        let value = || self.read_value(nth, expected, (&is_plausible, &is_own), kept);
        if is_drug {
            let dosing = self.read_dosing(nth, *free, kept);
            let value = value().filter(|value| is_level(self.note, (first, last), value, analyte.is_some()));
            // `potassium chloride 20 mEq daily` is given, `potassium 4.1` is measured.
            let is_measured = value.as_ref().is_some_and(|value| {
                let concentration = value.unit.is_none_or(|unit| unit.is_concentration() || expected.is_own_unit(unit));
                analyte.is_some() && !is_dose_of_analyte(value, expected) || concentration && !dosing.is_prescribed()
            });
            // A test that is done daily is not a drug given daily.
            let is_given = dosing.dose.is_some() || dosing.route.is_some() || analyte.is_none();
            if !dosing.is_empty() && is_given && !is_measured && !dosing.is_only_share() {
                *free = dosing.end;
                let level = level_after(self.note, dosing.end, expected, kept).filter(|level| is_own(level));
                return Some(Attributes::drug_with_level(dosing, level, expected));
            }
            if let Some(value) = value {
                *free = value.end;
                return Some(Attributes::measured_value(value, expected));
            }
        } else if let Some(value) = self.value_before(nth, *free, expected, kept).or_else(value).filter(|value| {
            analyte.is_some() || is_plausible_value(value, group) && self.note.word(value.first - 1) != "on"
        }) {
            *free = value.end.max(*free);
            let attributes = Attributes::measured_value(value, expected);
            let stays = matches!(group, Group::Disorder | Group::Finding) && analyte.is_none();
            return Some(Attributes { group: (!stays).then_some(Group::Measurement), ..attributes });
        }
        let group = if analyte.is_none() {
            return None;
        } else if is_drug && (given::is_given(self.note, first, last) || self.is_in_medications(first)) {
            Group::Drug
        } else {
            Group::Measurement
        };
        Some(Attributes { group: Some(group), ..Attributes::NONE })
    }

    /// Reads the values after a term or below it.
    fn read_value(
        &self,
        nth: usize,
        expected: &Expected,
        (is_plausible, is_own): (impl Fn(&Value) -> bool + Copy, impl Fn(&Value) -> bool + Copy),
        kept: impl Fn(usize) -> bool + Copy,
    ) -> Option<Value> {
        let (first, last) = (self.terms[nth].first as usize, self.terms[nth].end as usize);
        if let Some(value) = joint::joint_value(self.note, (first, last), expected, kept).filter(is_plausible) {
            return Some(value);
        }
        let after = value_after(self.note, last, expected, kept).filter(is_own);
        let below = || {
            let mut value = value_below_header(self.note, first, expected, kept).filter(is_plausible)?;
            value.further.retain(is_plausible);
            Some(value)
        };
        let after = after.map(|value| self.with_further(nth, value, expected, is_own, kept));
        let value = after.or_else(below)?;
        (!is_condition(self.note, first, value.comparator.is_some())).then_some(value)
    }

    /// Reads the smoking status, if the term is about smoking.
    fn read_smoking_status(
        &self,
        nth: usize,
        attributes: Option<&Attributes>,
        kept: impl Fn(usize) -> bool,
    ) -> Option<&'static str> {
        let Match { first, end: last, entry } = self.terms[nth];
        let analyte = self.analytes.analyte_of_entry(self.note.vocabulary(), entry);
        let amount = attributes.and_then(|attributes| attributes.unit);
        let is_of_smoking = analyte.is_some_and(|analyte| analyte.expected.needs_unit());
        (is_of_smoking || smoking::is_smoker(self.note, last as usize))
            .then(|| smoking::smoking_status(self.note, (first as usize, last as usize), amount, kept))
            .flatten()
    }

    /// Returns the value before a term, unless one follows directly.
    fn value_before(
        &self,
        nth: usize,
        free: usize,
        expected: &Expected,
        kept: impl Fn(usize) -> bool + Copy,
    ) -> Option<Value> {
        let Match { first, end: last, entry } = self.terms[nth];
        let analyte = self.analytes.analyte_of_entry(self.note.vocabulary(), entry)?;
        let (first, last) = (first as usize, last as usize);
        let beside = value_right_before(self.note, (first, last), free, expected, kept);
        let followed = (last..last + 2).any(|at| self.note.is_number(at));
        let before = || value_before(self.note, first, free, expected, kept).filter(|_| !followed);
        beside.or_else(before).filter(|value| analyte.is_plausible(self.note, first, value))
    }

    /// Adds the further values of its term to a value.
    fn with_further(
        &self,
        nth: usize,
        mut value: Value,
        expected: &Expected,
        is_own: impl Fn(&Value) -> bool,
        kept: impl Fn(usize) -> bool + Copy,
    ) -> Value {
        value.further.retain(&is_own);
        if value.number.is_some() && value.comparator.is_none() {
            let of_later = |at: usize| {
                let term =
                    self.terms[nth + 1..].iter().take(MAX_TERMS_AMONG_VALUES).find(|term| term.end as usize > at);
                let is_other = |term: &Match| !self.note.any(at, LINKING) && self.may_have_value(term.entry);
                term.is_some_and(|term| term.first as usize <= at && is_other(term))
            };
            let more = series::further_values(self.note, &value, expected, (&is_own, of_later), kept);
            value.further.extend(more);
        }
        value.share_unit();
        value
    }

    /// Returns whether numbers after a term may be its values; after places and procedures they are not.
    fn may_have_value(&self, entry: EntryId) -> bool {
        let vocabulary = self.note.vocabulary();
        let group = vocabulary.entry_group(entry);
        let is_mute = matches!(group, Group::Procedure | Group::Anatomy | Group::Person | Group::Place | Group::Other);
        !is_mute || self.analytes.analyte_of_entry(vocabulary, entry).is_some()
    }

    /// Returns whether another term, other than linking words, stands between a term and a number.
    fn another_term_intervenes(&self, nth: usize, number: usize) -> bool {
        let own = self.terms[nth].end;
        let later = self.terms[nth + 1..].iter().take_while(|term| (term.first as usize) < number);
        let links = |term: &Match| term.tokens().all(|at| self.note.any(at, LINKING));
        let measured = |term: &Match| self.analytes.analyte_of_entry(self.note.vocabulary(), term.entry).is_some();
        later.filter(|term| term.first >= own).any(|term| !links(term) || measured(term))
    }

    fn read_dosing(&self, nth: usize, free: usize, kept: impl Fn(usize) -> bool + Copy) -> Dosing {
        let Match { first, end: last, .. } = self.terms[nth];
        let vocabulary = self.note.vocabulary();
        // A product name in brackets after the substance is the same drug.
        let is_other = |term: &&Match| {
            term.first >= last
                && vocabulary.entry_group(term.entry) == Group::Drug
                && !self.note.is_mark((term.first as usize).wrapping_sub(1), b'(')
                && !(term.first < last + 2 && given::is_preparation(self.note, term.end as usize))
        };
        let next = self.terms[nth + 1..].iter().take(12).find(is_other).map_or(usize::MAX, |term| term.first as usize);
        dosing::read_dosing(self.note, (first as usize, last as usize), (free, next), kept)
    }

    /// Returns whether a token is in a medication section.
    fn is_in_medications(&self, at: usize) -> bool {
        let Some(section) = self.note.layout().section_of(at) else { return false };
        section
            .words()
            .any(|word| matches!(self.note.word(word), "medications" | "medication" | "meds" | "drugs" | "rx"))
    }
}

/// The maximum number of terms that may stand among the values of a term.
const MAX_TERMS_AMONG_VALUES: usize = 12;
/// Words that may stand between a name and its value, even if they are terms.
const LINKING: crate::vocabulary::Classes = crate::vocabulary::Classes::of(&[Class::Link, Class::Measurement]);

/// Returns the group of a mention: from its attributes, or else from its entry.
pub fn group_of(vocabulary: &Vocabulary, entry: EntryId, attributes: &Attributes) -> Group {
    attributes.group.unwrap_or_else(|| vocabulary.entry_group(entry))
}
