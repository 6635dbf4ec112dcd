//! What may come out, and in what form: the choices that `decide` and `render` follow.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};
use crate::key::hex;
use crate::rules::{Category, Kind};
use crate::vocabulary::{Class, Classes};

/// Which numbers stay besides those inside terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Numbers {
    /// None.
    None,
    /// Those that the clinical grammar vouches for.
    Strict,
    /// Also whole numbers of up to three digits, decimals and ratios that no rule removes.
    Wide,
    /// All that no rule removes.
    All,
}

/// What happens to words on no list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unknown {
    /// They go.
    Remove,
    /// They stay unless a rule or a list of names and places speaks against them.
    Keep,
}

/// How a matched term is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Terms {
    /// As the note writes it.
    Written,
    /// As the vocabulary prefers it, followed by its code.
    Preferred,
    /// As its code alone.
    Code,
}

/// The choices for one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// What the policy is called.
    pub name: String,
    /// Whether ordinary words stay, or only stop words and terms.
    pub ordinary_words: bool,
    /// How terms are written.
    pub terms: Terms,
    /// Which numbers stay.
    pub numbers: Numbers,
    /// What happens to words on no list.
    pub unknown: Unknown,
    /// What stands for a word on no list.
    pub mask: String,
    /// Kinds of PHI that stay: their findings vouch for the words instead of removing them.
    pub keep: Vec<String>,
}

impl Default for Policy {
    fn default() -> Self {
        Self::safe()
    }
}

impl Policy {
    /// Concept match as published: stop words and coded terms, nothing else.
    #[must_use]
    pub fn berman() -> Self {
        Self {
            name: "berman".to_owned(),
            ordinary_words: false,
            terms: Terms::Preferred,
            numbers: Numbers::None,
            unknown: Unknown::Remove,
            mask: "*".to_owned(),
            keep: Vec::new(),
        }
    }

    /// The default: ordinary words and terms stay, numbers that the clinical grammar vouches for stay, the rest goes.
    #[must_use]
    pub fn safe() -> Self {
        Self {
            name: "safe".to_owned(),
            ordinary_words: true,
            terms: Terms::Written,
            numbers: Numbers::Strict,
            unknown: Unknown::Remove,
            mask: "***".to_owned(),
            keep: Vec::new(),
        }
    }

    /// Extraction as rule systems do it: everything stays that no rule and no list of names speaks against.
    #[must_use]
    pub fn readable() -> Self {
        Self { name: "readable".to_owned(), numbers: Numbers::All, unknown: Unknown::Keep, ..Self::safe() }
    }

    /// The preset of that name.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        match name {
            "berman" => Some(Self::berman()),
            "safe" => Some(Self::safe()),
            "readable" => Some(Self::readable()),
            _ => None,
        }
    }

    /// Whether findings of this kind remove.
    pub fn removes(&self, kind: Kind) -> bool {
        !self.keep.iter().any(|kept| kept == kind.key() || kept.eq_ignore_ascii_case(kind.category().key()))
    }

    /// SHA-256 of the choices, whatever the policy is called.
    pub fn digest(&self) -> String {
        let choices = Self { name: String::new(), ..self.clone() };
        // A policy is strings and lists of strings: it always has a form in JSON.
        hex(&Sha256::digest(serde_json::to_vec(&choices).unwrap_or_default()))
    }

    /// The lists whose words may come out.
    pub fn allowed(&self) -> Classes {
        if self.ordinary_words { ORDINARY } else { Class::Stop.set() }
    }

    /// The lists whose words come out where a rule vouches for them, beside those that may come out anywhere.
    pub fn vouched(&self) -> Classes {
        if self.numbers == Numbers::None { Classes::NONE } else { VOUCHED & !self.allowed() }
    }
}

/// The lists whose words identify nobody by themselves.
const ORDINARY: Classes = Classes::of(&[
    Class::Stop,
    Class::English,
    Class::Literature,
    Class::Clinical,
    Class::Term,
    Class::Season,
    Class::NumberWord,
    Class::OrdinalWord,
    Class::Title,
    Class::Credential,
    Class::Relative,
    Class::PersonVerb,
    Class::HumanVerb,
    Class::PersonNoun,
    Class::NameField,
    Class::Facility,
    Class::StreetType,
    Class::PlaceCue,
    Class::Organisation,
    Class::WardNoun,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::AgeCue,
    Class::Unit,
    Class::Measurement,
    Class::Score,
    Class::Dose,
    Class::Duration,
    Class::Counted,
    Class::CodeSystem,
    Class::Level,
    Class::EponymNoun,
    Class::Brand,
]);

/// The lists that rules may vouch from: names of medicine, and the letters of numbers' forms.
pub(crate) const VOUCHED: Classes =
    Classes(ORDINARY.0 | Classes::of(&[Class::Eponym, Class::Organism, Class::Marker, Class::Link, Class::Sized]).0);

impl Policy {
    /// Refuses what cannot be done.
    pub fn check(&self) -> Result<()> {
        if self.mask.is_empty() || !self.mask.bytes().all(|byte| byte == b'*') {
            // A mask of letters would be text that nobody has vouched for.
            return Err(Error::Policy(format!("mask={:?} must be one or more asterisks", self.mask)));
        }
        for kept in &self.keep {
            let known = Kind::ALL.iter().any(|kind| kind.key() == kept)
                || Category::ALL.iter().any(|category| category.key().eq_ignore_ascii_case(kept));
            if !known {
                let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.key()).collect();
                return Err(Error::Policy(format!(
                    "keep={kept:?} is no kind of PHI: take a category (name, date, age, location, contact, id) or one of {}",
                    kinds.join(", ")
                )));
            }
        }
        Ok(())
    }
}
