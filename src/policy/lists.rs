//! The lists of the vocabulary that let a word out, and those that are against it.

use super::{Numbers, Policy};
use crate::vocabulary::{Class, Classes};

/// The lists of words that identify nobody by themselves.
pub(crate) const ORDINARY: Classes = Classes::of(&[
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

/// The lists that remove a capitalised word where unknown words are kept.
pub(crate) const NAMES_AND_PLACES: Classes =
    Classes::of(&[Class::Surname, Class::FirstName, Class::City, Class::PlacePart]);

/// The lists that rules may vouch from: names in medical terms, and letters of number notations.
pub(crate) const VOUCHED: Classes = ORDINARY.or(Classes::of(&[
    Class::Eponym,
    Class::Organism,
    Class::Marker,
    Class::Link,
    Class::Sized,
    Class::Acronym,
]));

impl Policy {
    /// Returns whether a policy can switch a list off. One-word terms belong to the terms, and lists of names let
    /// nothing out.
    pub(super) fn can_switch_off(class: Class) -> bool {
        class != Class::Term && VOUCHED.has(class)
    }

    /// Returns whether a word on these lists may come out.
    pub(crate) fn lets_out(&self, classes: Classes) -> bool {
        classes.any(self.allowed()) && !classes.has(Class::Deny)
    }

    /// Returns the allow-lists.
    pub fn allowed(&self) -> Classes {
        let allowed = match (self.ordinary_words, self.brands) {
            (true, true) => ORDINARY,
            (true, false) => ORDINARY & !Class::Brand.as_set(),
            (false, _) => Class::Stop.as_set(),
        };
        allowed & !self.lists_off()
    }

    /// Returns the lists of words that come out where a rule vouches for them, apart from the allow-lists.
    pub fn vouched_lists(&self) -> Classes {
        if self.numbers == Numbers::None { Classes::NONE } else { self.vouchable_lists() & !self.allowed() }
    }

    /// Returns the lists that rules may vouch from, including structural rules, which count even in a policy without
    /// numbers.
    pub(crate) fn vouchable_lists(&self) -> Classes {
        VOUCHED & !self.lists_off()
    }

    /// Returns the lists that are switched off.
    fn lists_off(&self) -> Classes {
        let named = |class: &&Class| self.lists_off.iter().any(|off| off == class.key());
        Class::ALL.iter().filter(named).fold(Classes::NONE, |off, class| off | class.as_set())
    }
}
