//! The classes of entities that the model distinguishes, and the kinds that they become.

use crate::finding::{Category, Kind};

/// The class of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum EntityClass {
    /// Not protected health information.
    NotPhi,
    /// The patient's name.
    Patient,
    /// The name of somebody who acts officially.
    Staff,
    /// The name of a relative, or of anyone else.
    Relative,
    /// A street address.
    Street,
    /// A town, county or neighbourhood.
    City,
    /// A postal code.
    Zip,
    /// A hospital, clinic, nursing home, named ward or building.
    Hospital,
    /// Any other named organisation.
    Organisation,
    /// A state, province or country.
    Region,
    /// A date or a part of one.
    Date,
    /// An age over 89.
    Age,
    /// A telephone number or an electronic address.
    Contact,
    /// Any other number or code of identification.
    Id,
}

/// The number of classes.
pub(super) const CLASS_COUNT: usize = EntityClass::ALL.len();

impl EntityClass {
    /// All classes.
    pub const ALL: [Self; 14] = [
        Self::NotPhi,
        Self::Patient,
        Self::Staff,
        Self::Relative,
        Self::Street,
        Self::City,
        Self::Zip,
        Self::Hospital,
        Self::Organisation,
        Self::Region,
        Self::Date,
        Self::Age,
        Self::Contact,
        Self::Id,
    ];

    /// Returns the class of a mark of the corpus, such as `NAME/P`.
    pub fn from_mark(mark: &str) -> Option<Self> {
        Some(match mark.trim_start_matches('?') {
            "NAME/P" => Self::Patient,
            "NAME/R" => Self::Relative,
            "NAME/S" | "NAME" => Self::Staff,
            "LOC/STREET" => Self::Street,
            "LOC/CITY" => Self::City,
            "LOC/ZIP" => Self::Zip,
            "LOC/HOSP" => Self::Hospital,
            "LOC/ORG" => Self::Organisation,
            "LOC" => Self::Region,
            "DATE" => Self::Date,
            "AGE" => Self::Age,
            "CONTACT" => Self::Contact,
            "ID" => Self::Id,
            _ => return None,
        })
    }

    /// Returns the category of its kinds; `None` for no PHI.
    pub const fn category(self) -> Option<Category> {
        Some(match self {
            Self::NotPhi => return None,
            Self::Patient | Self::Staff | Self::Relative => Category::Name,
            Self::Street | Self::City | Self::Zip | Self::Hospital | Self::Organisation | Self::Region => {
                Category::Location
            }
            Self::Date => Category::Date,
            Self::Age => Category::Age,
            Self::Contact => Category::Contact,
            Self::Id => Category::Id,
        })
    }

    /// Returns the kind of an entity of this class where no rule is more specific.
    pub(super) const fn default_kind(self) -> Option<Kind> {
        Some(match self {
            Self::NotPhi => return None,
            Self::Patient => Kind::Patient,
            Self::Staff => Kind::Staff,
            Self::Relative => Kind::Relative,
            Self::Street => Kind::Street,
            Self::City => Kind::City,
            Self::Zip => Kind::Zip,
            Self::Hospital => Kind::Hospital,
            Self::Organisation => Kind::Organisation,
            Self::Region => Kind::State,
            Self::Date => Kind::Date,
            Self::Age => Kind::AgeOver89,
            Self::Contact => Kind::Phone,
            Self::Id => Kind::OtherId,
        })
    }
}
