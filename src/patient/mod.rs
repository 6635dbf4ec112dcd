//! What the caller knows about a patient: names, numbers and addresses that must not come out of this patient's notes.
//!
//! A patient is compiled once, on construction, into the words and runs of letters and digits that `rules::cues::known`
//! searches for in each note. Nothing here depends on a vocabulary.

mod compile;
mod typing;
mod words;

use std::fmt;

use crate::calendar::Day;
use crate::error::{Error, Result};
use crate::finding::Kind;
pub(crate) use typing::is_misspelling_of;
use words::folded_alphanumerics;
pub(crate) use words::name_words;

/// What is known about a patient, as the caller gives it.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct PatientDetails {
    /// The identifier by which the caller tells patients apart; date shifts and surrogates are derived from it and the
    /// key.
    pub id: Option<String>,
    /// Names of the patient: `John Q. Brown`, `Brown, John`, a maiden name, a nickname.
    pub names: Vec<String>,
    /// The medical record number.
    pub mrn: Option<String>,
    /// The date of birth: year, month, day.
    pub birth_date: Option<(i32, u32, u32)>,
    /// Telephone numbers.
    pub phones: Vec<String>,
    /// Postal addresses.
    pub addresses: Vec<String>,
    /// Anything else that identifies this patient: e-mail addresses, account numbers, an employer, names of relatives.
    pub other: Vec<String>,
}

/// A run of letters and digits, regardless of marks and blanks between them.
#[derive(Clone)]
pub(crate) struct Code {
    pub(crate) run: Box<[u8]>,
    pub(crate) kind: Kind,
    /// Whether one typing error is tolerated.
    pub(crate) fuzzy: bool,
}

/// A patient, compiled for searching in notes.
#[derive(Clone, Default)]
pub struct Patient {
    known: PatientDetails,
    /// Words of names that are names wherever they occur.
    pub(crate) words: Vec<Box<[u8]>>,
    /// Words of names that are names only next to another: `van`, `no`, initials.
    pub(crate) weak: Vec<Box<[u8]>>,
    /// First and last name written as one word: `johnbrown`, `jbrown`.
    pub(crate) compounds: Vec<Box<[u8]>>,
    /// Initials in their usual orders.
    pub(crate) initials: Vec<Box<[u8]>>,
    /// Words of addresses.
    pub(crate) places: Vec<Box<[u8]>>,
    /// Numbers, codes and phrases.
    pub(crate) codes: Vec<Code>,
    /// The length of the longest code, in bytes.
    pub(crate) longest_code: usize,
    /// Short forms of hospitals and wards, which the note has in capitals: `MGH`, `4W`.
    pub(crate) labels: Vec<(Box<[u8]>, Kind)>,
}

impl fmt::Debug for Patient {
    /// Shows how much is known, but never the values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary())
    }
}

impl PartialEq for Patient {
    fn eq(&self, other: &Self) -> bool {
        self.known == other.known
    }
}

impl Eq for Patient {}

impl Patient {
    /// Compiles what is known. Errors name the field that cannot be used, never its value.
    pub fn new(known: PatientDetails) -> Result<Self> {
        let mut patient = Self { known, ..Self::default() };
        patient.check()?;
        let known = patient.known.clone();
        for name in &known.names {
            patient.add_name(name);
        }
        if let Some(id) = &known.id {
            // An id without a digit may be an ordinary word. One as short as `7` is dropped as a code.
            if id.bytes().any(|byte| byte.is_ascii_digit()) {
                patient.add_code(id, Kind::OtherId);
            }
        }
        if let Some(mrn) = &known.mrn {
            patient.add_code(mrn, Kind::Record);
        }
        for phone in &known.phones {
            patient.add_phone(phone);
        }
        for address in &known.addresses {
            patient.add_address(address);
        }
        for other in &known.other {
            patient.add_other(other);
        }
        if let Some(date) = known.birth_date {
            patient.add_birth_date(date);
        }
        patient.sort();
        Ok(patient)
    }

    /// Compiles what a site knows about its staff and places.
    pub(crate) fn compile_site(doctors: &[String], hospitals: &[String], wards: &[String]) -> Self {
        let mut site = Self::default();
        for name in doctors {
            site.add_name(name);
        }
        // The initials of all doctors together would match half of all pairs of letters.
        site.initials.clear();
        for (names, kind) in [(hospitals, Kind::Hospital), (wards, Kind::Ward)] {
            for name in names {
                let run = folded_alphanumerics(name);
                if run.len() < 5 {
                    site.labels.push((run.into(), kind));
                } else {
                    site.push_code_unless_short(&run, kind);
                }
            }
        }
        site.sort();
        site
    }

    /// Returns whether a folded word is one of the patient's names or places.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        let word = word.as_bytes();
        self.words.iter().chain(&self.places).any(|known| **known == *word)
    }

    fn sort(&mut self) {
        let patient = self;
        for list in [&mut patient.words, &mut patient.weak, &mut patient.compounds, &mut patient.initials] {
            list.sort_unstable();
            list.dedup();
        }
        patient.places.sort_unstable();
        patient.places.dedup();
        patient.codes.sort_by(|one, other| one.run.cmp(&other.run).then(other.fuzzy.cmp(&one.fuzzy)));
        patient.codes.dedup_by(|one, other| one.run == other.run);
        patient.longest_code = patient.codes.iter().map(|code| code.run.len()).max().unwrap_or(0);
    }

    /// Returns what is known, as it was given.
    pub const fn known(&self) -> &PatientDetails {
        &self.known
    }

    /// Returns the identifier from which date shifts and surrogates are derived.
    pub fn draw_id(&self) -> Option<&str> {
        self.known.id.as_deref()
    }

    /// Returns how much is known: fields and counts.
    pub fn summary(&self) -> String {
        let PatientDetails { id, names, mrn, birth_date, phones, addresses, other } = &self.known;
        let mut parts = Vec::new();
        for (given, field) in [(id.is_some(), "id"), (mrn.is_some(), "mrn"), (birth_date.is_some(), "birth_date")] {
            if given {
                parts.push(field.to_owned());
            }
        }
        for (list, field) in [(names, "names"), (phones, "phones"), (addresses, "addresses"), (other, "other")] {
            if !list.is_empty() {
                parts.push(format!("{} {field}", list.len()));
            }
        }
        format!("Patient({})", parts.join(", "))
    }

    fn check(&self) -> Result<()> {
        let PatientDetails { id, names, mrn, birth_date, phones, addresses, other } = &self.known;
        let lists = [("names", names), ("phones", phones), ("addresses", addresses), ("other", other)];
        for (field, list) in lists {
            if let Some(at) = list.iter().position(|item| !item.chars().any(char::is_alphanumeric)) {
                return Err(Error::Patient(format!("{field}[{at}] has no letter and no digit: leave it out")));
            }
        }
        for (field, value) in [("id", id), ("mrn", mrn)] {
            if value.as_ref().is_some_and(|value| value.trim().is_empty()) {
                return Err(Error::Patient(format!("{field} is empty: leave it out")));
            }
        }
        if let Some((year, month, day)) = *birth_date
            && (!(1800..=2200).contains(&year) || Day::new(year, month, day).is_none())
        {
            return Err(Error::Patient("birth_date is no date between the years 1800 and 2200".to_owned()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_how_much_is_known_and_not_what() {
        let known = PatientDetails {
            names: vec!["Quilla Zandvoort".to_owned()],
            mrn: Some("00881234".to_owned()),
            birth_date: Some((1946, 3, 4)),
            ..PatientDetails::default()
        };
        let patient = Patient::new(known).expect("a patient");
        assert_eq!(format!("{patient:?}"), "Patient(mrn, birth_date, 1 names)");
    }

    #[test]
    fn refuses_what_cannot_be_looked_for() {
        for known in [
            PatientDetails { names: vec!["  ".to_owned()], ..PatientDetails::default() },
            PatientDetails { mrn: Some(String::new()), ..PatientDetails::default() },
            PatientDetails { birth_date: Some((1946, 13, 4)), ..PatientDetails::default() },
            PatientDetails { birth_date: Some((1946, 2, 29)), ..PatientDetails::default() },
        ] {
            assert!(matches!(Patient::new(known), Err(Error::Patient(_))));
        }
    }
}
