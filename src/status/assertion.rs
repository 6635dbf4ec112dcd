//! The assertion status of a concept.

use std::ops::{BitAnd, BitOr, BitOrAssign};

use serde::{Deserialize, Serialize};

use crate::vocabulary::EntryId;

/// A marked term that is not in the vocabulary: training uses it all the same.
pub(crate) const UNLISTED_ENTRY: EntryId = EntryId(u32::MAX);

/// The places of statuses in [`Status::KEYS`].
pub(super) const NEGATED: usize = 0;
pub(super) const HISTORICAL: usize = 2;
pub(super) const POSSIBLE: usize = 3;
pub(super) const FAMILY: usize = 4;

/// A set of what may be said of a mention. Affirmed and the patient's own is the empty set.
///
/// # Examples
///
/// ```
/// use notesieve::status::Status;
///
/// let status = Status::NEGATED | Status::FAMILY;
/// assert_eq!(status.keys().collect::<Vec<_>>(), ["negated", "family"]);
/// assert!(!status.is_affirmed());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Status(u8);

impl Status {
    /// It is said to be absent: "no fever".
    pub const NEGATED: Self = Self(1);
    /// It might come: "return if fever".
    pub const HYPOTHETICAL: Self = Self(2);
    /// It was: "history of stroke".
    pub const HISTORICAL: Self = Self(4);
    /// Somebody doubts: "rule out pneumonia".
    pub const POSSIBLE: Self = Self(8);
    /// Somebody else has it: "mother had gout".
    pub const FAMILY: Self = Self(16);
    /// All of them.
    pub const ALL: Self = Self(31);

    /// How many there are.
    pub const COUNT: usize = 5;

    /// What they are called, in the order of their bits.
    pub const KEYS: [&str; Self::COUNT] = ["negated", "hypothetical", "historical", "possible", "family"];

    /// The status with a place in [`KEYS`](Self::KEYS).
    #[must_use]
    pub const fn from_index(place: usize) -> Self {
        Self(1 << place)
    }

    /// The status of that name.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::KEYS.iter().position(|known| *known == key).map(Self::from_index)
    }

    /// The names of those that hold.
    pub fn keys(self) -> impl Iterator<Item = &'static str> {
        self.indices().map(|place| Self::KEYS[place])
    }

    /// The places in [`KEYS`](Self::KEYS) of those that hold.
    pub fn indices(self) -> impl Iterator<Item = usize> {
        (0..Self::COUNT).filter(move |&place| self.contains(Self::from_index(place)))
    }

    /// Whether all of the other set hold.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether nothing is said: the mention is affirmed, and the patient's own.
    #[inline]
    pub const fn is_affirmed(self) -> bool {
        self.0 == 0
    }

    /// As a number below 32.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set of a number.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Those that hold without those of another set.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOr for Status {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Status {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for Status {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}
