//! The kinds and categories of findings and their certainty, as used by policies, rules, the model and patient records.

use serde::{Deserialize, Serialize};

macro_rules! kinds {
    ($($category:ident { $($(#[$doc:meta])* $kind:ident = $key:literal,)* })*) => {
        /// The exact kind of a finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum Kind { $($($(#[$doc])* $kind,)*)* }

        impl Kind {
            /// All kinds.
            pub const ALL: &'static [Kind] = &[$($(Kind::$kind,)*)*];

            /// Returns the category that it belongs to.
            pub const fn category(self) -> Category {
                match self { $($(Kind::$kind => Category::$category,)*)* }
            }

            /// Returns the kind of that name.
            pub fn from_key(key: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.key() == key)
            }

            /// Returns its name in results and policies.
            pub const fn key(self) -> &'static str {
                match self { $($(Kind::$kind => $key,)*)* }
            }
        }
    };
}

/// The categories of protected health information.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[repr(u8)]
pub enum Category {
    /// Names of people.
    Name,
    /// Dates and parts of dates.
    Date,
    /// Ages over 89.
    Age,
    /// Places, hospitals, wards, organisations.
    Location,
    /// Telephone numbers, electronic addresses.
    Contact,
    /// Numbers and codes that identify one person, account or thing.
    Id,
}

impl Category {
    /// All categories.
    pub const ALL: [Self; 6] = [Self::Name, Self::Date, Self::Age, Self::Location, Self::Contact, Self::Id];

    /// Returns its name in tags, results and gold standards.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Name => "NAME",
            Self::Date => "DATE",
            Self::Age => "AGE",
            Self::Location => "LOCATION",
            Self::Contact => "CONTACT",
            Self::Id => "ID",
        }
    }

    /// Returns its name in square brackets: the tag of nearly everything that is removed.
    pub(crate) const fn square_tag(self) -> &'static str {
        match self {
            Self::Name => "[NAME]",
            Self::Date => "[DATE]",
            Self::Age => "[AGE]",
            Self::Location => "[LOCATION]",
            Self::Contact => "[CONTACT]",
            Self::Id => "[ID]",
        }
    }
}

kinds! {
    Name {
        /// The name of a person in an unknown role.
        Name = "name",
        /// A patient's name.
        Patient = "patient",
        /// The name of somebody who acts officially: staff, police, insurers.
        Staff = "staff",
        /// The name of a relative, or of anyone else.
        Relative = "relative",
        /// Initials that stand for a person.
        Initials = "initials",
    }
    Date {
        /// Day, month and year, or an ISO time stamp.
        Date = "date",
        /// Day and month.
        DayMonth = "day-month",
        /// Month and year.
        MonthYear = "month-year",
        /// A month alone.
        Month = "month",
        /// A year alone.
        Year = "year",
        /// A year alone that may reveal an age over 89: one before 1960.
        EarlyYear = "early-year",
        /// A day of the week.
        Weekday = "weekday",
        /// A holiday.
        Holiday = "holiday",
        /// A season of a year.
        Season = "season",
    }
    Age {
        /// An age over 89.
        AgeOver89 = "age-over-89",
    }
    Location {
        /// Street and number, post office box, apartment.
        Street = "street",
        /// A town or city.
        City = "city",
        /// A county.
        County = "county",
        /// A state or province.
        State = "state",
        /// A country.
        Country = "country",
        /// A postal code.
        Zip = "zip",
        /// A hospital or clinic.
        Hospital = "hospital",
        /// A ward, room, bed or floor.
        Ward = "ward",
        /// An employer, school or other organisation.
        Organisation = "organisation",
    }
    Contact {
        /// A telephone number.
        Phone = "phone",
        /// A fax number.
        Fax = "fax",
        /// A pager number.
        Pager = "pager",
        /// An e-mail address.
        Email = "email",
        /// A web address.
        Url = "url",
        /// An IP or MAC address.
        Network = "network",
        /// A user name of a social network.
        Handle = "handle",
    }
    Id {
        /// A social security number.
        Ssn = "ssn",
        /// A medical record number.
        Record = "record",
        /// An account, encounter or visit number.
        Account = "account",
        /// A specimen, accession or order number.
        Accession = "accession",
        /// A member, group or policy number of a health plan.
        HealthPlan = "health-plan",
        /// A licence, DEA or NPI number.
        License = "license",
        /// A vehicle identification number or number plate.
        Vehicle = "vehicle",
        /// A serial or lot number of a device.
        Device = "device",
        /// A user or workstation name.
        UserName = "user-name",
        /// Any other identifier.
        OtherId = "other-id",
        /// An ethnicity or nationality, where the policy removes them.
        Ethnicity = "ethnicity",
    }
}

/// The certainty of a finding. More certain evidence overrules less certain evidence; at a tie, removal wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Certainty {
    /// The context suggests it; a term of several words overrules it.
    Weak = 1,
    /// Form and context agree; no list overrules it.
    Likely = 2,
    /// It can be nothing else.
    Sure = 3,
}

impl Certainty {
    /// Returns the certainty of that name: `weak`, `likely` or `sure`.
    pub fn from_key(key: &str) -> Option<Self> {
        Some(match key {
            "weak" => Self::Weak,
            "likely" => Self::Likely,
            "sure" => Self::Sure,
            _ => return None,
        })
    }
}

/// The label that the model gives a token of PHI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Label {
    /// A part of a person's name.
    Name,
    /// A part of the name of a place or an organisation.
    Place,
    /// A part of a date.
    Date,
    /// Any other identifier: numbers, telephone numbers, e-mail addresses, ages over 89.
    Other,
}

impl Label {
    /// All labels.
    pub const ALL: [Self; 4] = [Self::Name, Self::Place, Self::Date, Self::Other];

    /// Returns its name.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Place => "place",
            Self::Date => "date",
            Self::Other => "other",
        }
    }
}
