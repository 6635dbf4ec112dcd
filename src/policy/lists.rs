//! Which lists of the vocabulary let a word out, and which speak against it.

use crate::vocabulary::{Class, Classes};

/// The lists whose words identify nobody by themselves.
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

/// The lists that remove a capitalised word where unknown words stay.
pub(crate) const NAMES_AND_PLACES: Classes =
    Classes::of(&[Class::Surname, Class::FirstName, Class::City, Class::PlacePart]);

/// The lists that rules may vouch from: names of medicine, and the letters of numbers' forms.
pub(crate) const VOUCHED: Classes = ORDINARY.or(Classes::of(&[
    Class::Eponym,
    Class::Organism,
    Class::Marker,
    Class::Link,
    Class::Sized,
    Class::Acronym,
]));
