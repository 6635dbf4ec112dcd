//! Word lists.
//!
//! A [`Class`] is one list; [`Classes`] is the set of lists that contain a word. To add a list, add one line to the
//! table below and a folder (or a file in `vocabularies/lexicon`) with the words.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use serde::Deserialize;

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $key:literal;)*) => {
        /// A list of words.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
        #[repr(u8)]
        pub enum Class { $($(#[$doc])* #[serde(rename = $key)] $name,)* }

        impl Class {
            /// Every list, in bit order.
            pub const ALL: &'static [Class] = &[$(Class::$name,)*];

            /// Returns the name used in `source.toml` files and in reports.
            pub const fn key(self) -> &'static str {
                match self { $(Class::$name => $key,)* }
            }
        }
    };
}

classes! {
    // ---- words that may come out
    /// Stop words, which never identify anybody.
    Stop = "stop";
    /// Ordinary English words, in lower case.
    English = "english";
    /// Words of the open biomedical literature that are not census names.
    Literature = "literature";
    /// Names that are also words, with their frequency in the literature. Evidence only: no reason to keep a token.
    WordCount = "word-count";
    /// Use in general English (clusters and capitalisation), see [`super::Usage`]. Evidence only: no reason to keep a
    /// token.
    Usage = "usage";
    /// Clinical shorthand, section headings, units, abbreviations.
    Clinical = "clinical";
    /// Words that are a term of a concept on their own. Set by the compiler.
    Term = "term";
    /// Words of terms of several words. Set by the compiler; evidence only: no reason to keep a token.
    TermPart = "term-part";

    // ---- names and places
    /// Census surnames, with counts.
    Surname = "surname";
    /// First names, with counts.
    FirstName = "first-name";
    /// Towns and cities whose name is one word.
    City = "city";
    /// Words of city names of several words. Set by the compiler.
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
    /// Words of holidays that are also ordinary words: memorial (day), labor (day), new (year).
    HolidayPart = "holiday-part";
    /// Words and field labels that precede a date: on, since, dated, admitted, DOB.
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
    /// Verbs that notes use for people: reports, agrees, denies, dictated.
    PersonVerb = "person-verb";
    /// Verbs and adjectives that apply only to people, never to things: denies, slept, tearful.
    HumanVerb = "human-verb";
    /// Nouns for people: patient, nurse, surgeon, resident.
    PersonNoun = "person-noun";
    /// Field labels whose value is a name: name, attending, dictated, signed.
    NameField = "name-field";
    /// hospital, clinic, center, hospice.
    Facility = "facility";
    /// street, avenue, road.
    StreetType = "street-type";
    /// Words that precede a place name: Fort, Mount, Lake, San.
    PlaceBefore = "place-before";
    /// Words that follow a place name: County, Township, Harbor.
    PlaceAfter = "place-after";
    /// Words that introduce a place: in, from, near, lives.
    PlaceCue = "place-cue";
    /// university, school, college, company, inc, llc.
    Organisation = "organisation";
    /// ward, unit, room, bed, floor.
    WardNoun = "ward-noun";
    /// mrn, account, accession, ssn, policy, license.
    IdKeyword = "id-keyword";
    /// phone, tel, fax, pager, beeper.
    PhoneKeyword = "phone-keyword";
    /// Top-level domains: com, org, uk.
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
    /// Countable nouns: pregnancies, packs, stitches, episodes.
    Counted = "counted";
    /// Names of code systems that precede a code: icd, cpt, ndc.
    CodeSystem = "code-system";
    /// Anatomical levels and landmarks that take a number: vertebra, rib, lead, segment.
    Level = "level";

    /// Words between a measurement's name and its value: is, was, of, about, down to.
    Link = "link";
    /// Letters that combine with a number: cd, her, brca, ca, co, fio.
    Marker = "marker";
    /// Things that have a size: blade, needle, tube, catheter, suture materials.
    Sized = "sized";

    // ---- medical names
    /// Eponyms of diseases, signs, devices, scales: Foley, Babinski.
    Eponym = "eponym";
    /// Nouns that follow an eponym: catheter, sign, disease, scale.
    EponymNoun = "eponym-noun";
    /// Brand and device names.
    Brand = "brand";
    /// Organism names that are one word.
    Organism = "organism";
    /// Medical abbreviations in capitals that are also names or words: LE, SI, ELISA.
    Acronym = "acronym";
    /// Words that are never kept on their own, whatever other list contains them.
    Deny = "deny";
}

impl Class {
    /// Returns the set that contains only this list.
    pub const fn as_set(self) -> Classes {
        Classes(1 << self as u8)
    }

    /// Returns the list with this key.
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

    /// Returns whether the two sets have a list in common.
    #[inline]
    pub const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether the set contains the list.
    #[inline]
    pub const fn has(self, class: Class) -> bool {
        self.0 & (1 << class as u8) != 0
    }

    /// Returns the set with one more list; usable in constants.
    #[must_use]
    pub const fn with(self, class: Class) -> Self {
        Self(self.0 | (1 << class as u8))
    }

    /// Returns the union of two sets; usable in constants.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the set of several lists; usable in constants.
    pub const fn of(classes: &[Class]) -> Self {
        let mut set = Self(0);
        let mut at = 0;
        while at < classes.len() {
            set = set.with(classes[at]);
            at += 1;
        }
        set
    }

    /// Returns whether the set is empty.
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
