//! What can be found in a note, and how sure a finding is: what policies choose by, and what rules, model and patients report.

use serde::{Deserialize, Serialize};

macro_rules! kinds {
    ($($category:ident { $($(#[$doc:meta])* $kind:ident = $key:literal,)* })*) => {
        /// What exactly was found.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum Kind { $($($(#[$doc])* $kind,)*)* }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Kind] = &[$($(Kind::$kind,)*)*];

            /// The category it belongs to.
            pub const fn category(self) -> Category {
                match self { $($(Kind::$kind => Category::$category,)*)* }
            }

            /// The kind of that name.
            pub fn from_key(key: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.key() == key)
            }

            /// Its name in results and policies.
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
    /// Numbers and codes that stand for one person, account or thing.
    Id,
}

impl Category {
    /// Every category.
    pub const ALL: [Self; 6] = [Self::Name, Self::Date, Self::Age, Self::Location, Self::Contact, Self::Id];

    /// Its name in tags, results and gold standards.
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

    /// Its name in square brackets: the tag of nearly everything that goes.
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
        /// A person's name, where nothing tells whose.
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
        /// A year alone that may tell an age over 89: one before 1960.
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

/// How sure a rule is. More certain evidence overrules less certain evidence; at a tie, removal wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Certainty {
    /// The place suggests it; a term of several words overrules it.
    Weak = 1,
    /// Form and place fit together; nothing on a list overrules it.
    Likely = 2,
    /// It can be nothing else.
    Sure = 3,
}

impl Certainty {
    /// The certainty of that name: `weak`, `likely` or `sure`.
    pub fn from_key(key: &str) -> Option<Self> {
        Some(match key {
            "weak" => Self::Weak,
            "likely" => Self::Likely,
            "sure" => Self::Sure,
            _ => return None,
        })
    }
}

/// What a token can be besides nothing, as the model judges it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Label {
    /// A part of a person's name.
    Name,
    /// A part of the name of a place or an organisation.
    Place,
    /// A part of a date.
    Date,
    /// Any other identifier: numbers, telephones, addresses of mail, ages over 89.
    Other,
}

impl Label {
    /// Every label.
    pub const ALL: [Self; 4] = [Self::Name, Self::Place, Self::Date, Self::Other];

    /// What it is called.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Place => "place",
            Self::Date => "date",
            Self::Other => "other",
        }
    }
}
