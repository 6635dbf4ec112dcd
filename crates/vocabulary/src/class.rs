//! The lists a word can stand on.
//!
//! A [`Class`] is a list; [`Classes`] is the set of lists on which one word stands. Adding a list: one line in the table
//! below and a folder (or a file in `vocabularies/lexicon`) with the words.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use serde::Deserialize;

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $key:literal;)*) => {
        /// A list of words.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
        #[repr(u8)]
        pub enum Class { $($(#[$doc])* #[serde(rename = $key)] $name,)* }

        impl Class {
            /// Every list, in the order of their bits.
            pub const ALL: &'static [Class] = &[$(Class::$name,)*];

            /// The name that `source.toml` files and reports use.
            pub const fn key(self) -> &'static str {
                match self { $(Class::$name => $key,)* }
            }
        }
    };
}

classes! {
    // ---- what may come out
    /// Stop words: they identify nobody anywhere.
    Stop = "stop";
    /// Ordinary English words in lower case.
    English = "english";
    /// Words of the open biomedical literature that are no census name.
    Literature = "literature";
    /// Names as words: how often the literature uses them. Evidence, never a permission.
    WordCount = "word-count";
    /// How general English uses words: clusters and capital letters, see [`super::Usage`]. Evidence, never a permission.
    Usage = "usage";
    /// Clinical shorthand, section headings, units, abbreviations.
    Clinical = "clinical";
    /// The word alone is a term of a concept. Set by the compiler.
    Term = "term";
    /// The word stands in a term of several words. Set by the compiler; evidence, never a permission.
    TermPart = "term-part";

    // ---- who and where
    /// Surnames of the census, with counts.
    Surname = "surname";
    /// First names, with counts.
    FirstName = "first-name";
    /// Towns and cities of one word.
    City = "city";
    /// A word of a city's name of several words. Set by the compiler.
    PlacePart = "place-part";
    /// States and territories, in full or as a postal code.
    State = "state";
    /// Countries.
    Country = "country";
    /// Counties, without the word "County".
    County = "county";

    // ---- cue words of the rules
    /// January, Jan, Sept.
    Month = "month";
    /// Monday, Mon.
    Weekday = "weekday";
    /// Christmas, Thanksgiving.
    Holiday = "holiday";
    /// Words of holidays that are words of their own as well: memorial (day), labor (day), new (year).
    HolidayPart = "holiday-part";
    /// Words and fields that a date follows: on, since, dated, admitted, DOB.
    DateCue = "date-cue";
    /// Spring, summer.
    Season = "season";
    /// one, twenty, hundred.
    NumberWord = "number-word";
    /// first, second, third.
    OrdinalWord = "ordinal-word";
    /// Dr, Mr, Mrs, Prof.
    Title = "title";
    /// MD, RN, PhD.
    Credential = "credential";
    /// van, de, la, al, Mc.
    NamePrefix = "name-prefix";
    /// Jr, Sr, III.
    NameSuffix = "name-suffix";
    /// wife, son, neighbour.
    Relative = "relative";
    /// What people do in notes: reports, agrees, denies, dictated.
    PersonVerb = "person-verb";
    /// What only people do or are, never things: denies, slept, tearful.
    HumanVerb = "human-verb";
    /// What people are called: patient, nurse, surgeon, resident.
    PersonNoun = "person-noun";
    /// Header fields whose value is a name: name, attending, dictated, signed.
    NameField = "name-field";
    /// hospital, clinic, center, hospice.
    Facility = "facility";
    /// street, avenue, road.
    StreetType = "street-type";
    /// Words before a place's name: Fort, Mount, Lake, San.
    PlaceBefore = "place-before";
    /// Words after a place's name: County, Township, Harbor.
    PlaceAfter = "place-after";
    /// Words that a place follows: in, from, near, lives.
    PlaceCue = "place-cue";
    /// university, school, college, company, inc, llc.
    Organisation = "organisation";
    /// ward, unit, room, bed, floor.
    WardNoun = "ward-noun";
    /// mrn, account, accession, ssn, policy, license.
    IdKeyword = "id-keyword";
    /// phone, tel, fax, pager, beeper.
    PhoneKeyword = "phone-keyword";
    /// Endings of domain names: com, org, uk.
    DomainSuffix = "domain-suffix";
    /// age, aged, year, yo, old.
    AgeCue = "age-cue";

    // ---- the clinical-number grammar
    /// Units of measure: mg, ml, mmhg, cm.
    Unit = "unit";
    /// Names of vital signs, laboratory tests and settings: bp, hr, sodium, wbc, peep.
    Measurement = "measurement";
    /// Scores, grades, stages and classes: apgar, gleason, stage, grade.
    Score = "score";
    /// Dosing words: tablet, po, bid, daily, times.
    Dose = "dose";
    /// day, week, month, year, hour.
    Duration = "duration";
    /// What is counted: pregnancies, packs, stitches, episodes.
    Counted = "counted";
    /// Systems of codes announced by name: icd, cpt, ndc.
    CodeSystem = "code-system";
    /// Anatomical levels and landmarks that numbers follow: vertebra, rib, lead, segment.
    Level = "level";

    /// Words between a measurement's name and its value: is, was, of, about, down to.
    Link = "link";
    /// Letters that a number completes: cd, her, brca, ca, co, fio.
    Marker = "marker";
    /// Things that come in sizes: blade, needle, tube, catheter, suture materials.
    Sized = "sized";

    // ---- names that are medicine
    /// Eponyms of diseases, signs, devices, scales: Foley, Babinski.
    Eponym = "eponym";
    /// The nouns that go with them: catheter, sign, disease, scale.
    EponymNoun = "eponym-noun";
    /// Brand and device names.
    Brand = "brand";
    /// Organism names of one word.
    Organism = "organism";
    /// Short forms of medicine that are names or words as well, in capitals: LE, SI, ELISA.
    Acronym = "acronym";
    /// Words that never pass alone whatever list they stand on.
    Deny = "deny";
}

impl Class {
    /// The set that holds only this list.
    pub const fn as_set(self) -> Classes {
        Classes(1 << self as u8)
    }

    /// The list of that name.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|class| class.key() == key)
    }
}

const _: () = assert!(Class::ALL.len() <= 64, "each list has a bit of its own");

/// A set of lists, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Classes(pub u64);

impl Classes {
    /// No list.
    pub const NONE: Self = Self(0);

    /// Whether the sets share a list.
    #[inline]
    pub const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the list is in the set.
    #[inline]
    pub const fn has(self, class: Class) -> bool {
        self.0 & (1 << class as u8) != 0
    }

    /// The set and one more list, in constants.
    #[must_use]
    pub const fn with(self, class: Class) -> Self {
        Self(self.0 | (1 << class as u8))
    }

    /// The lists of either set, in constants.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The set of several lists, in constants.
    pub const fn of(classes: &[Class]) -> Self {
        let mut set = Self(0);
        let mut at = 0;
        while at < classes.len() {
            set = set.with(classes[at]);
            at += 1;
        }
        set
    }

    /// Whether no list is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl BitOr for Classes {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Classes {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for Classes {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Not for Classes {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_distinct_and_found() {
        for &class in Class::ALL {
            assert_eq!(Class::from_key(class.key()), Some(class));
        }
    }
}
