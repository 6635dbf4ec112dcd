//! The assertion status of a concept.

use std::ops::{BitAnd, BitOr, BitOrAssign};

use serde::{Deserialize, Serialize};

use crate::vocabulary::EntryId;

/// The entry of a marked term that is not in the vocabulary; training uses such terms, too.
pub(crate) const UNLISTED_ENTRY: EntryId = EntryId(u32::MAX);

/// The indices of statuses in [`Status::KEYS`].
pub(super) const NEGATED: usize = 0;
pub(super) const HISTORICAL: usize = 2;
pub(super) const POSSIBLE: usize = 3;
pub(super) const FAMILY: usize = 4;

/// A set of assertion statuses. The empty set means affirmed and the patient's own.
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
    /// Absent: "no fever".
    pub const NEGATED: Self = Self(1);
    /// May occur in the future: "return if fever".
    pub const HYPOTHETICAL: Self = Self(2);
    /// In the past: "history of stroke".
    pub const HISTORICAL: Self = Self(4);
    /// Uncertain: "rule out pneumonia".
    pub const POSSIBLE: Self = Self(8);
    /// Of somebody other than the patient: "mother had gout".
    pub const FAMILY: Self = Self(16);
    /// All statuses.
    pub const ALL: Self = Self(31);

    /// The number of statuses.
    pub const COUNT: usize = 5;

    /// The names of the statuses, in the order of their bits.
    pub const KEYS: [&str; Self::COUNT] = ["negated", "hypothetical", "historical", "possible", "family"];

    /// Returns the status with an index in [`KEYS`](Self::KEYS).
    #[must_use]
    pub const fn from_index(place: usize) -> Self {
        Self(1 << place)
    }

    /// Returns the status with a name.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::KEYS.iter().position(|known| *known == key).map(Self::from_index)
    }

    /// Returns the names of the statuses in the set.
    pub fn keys(self) -> impl Iterator<Item = &'static str> {
        self.indices().map(|place| Self::KEYS[place])
    }

    /// Returns the indices in [`KEYS`](Self::KEYS) of the statuses in the set.
    pub fn indices(self) -> impl Iterator<Item = usize> {
        (0..Self::COUNT).filter(move |&place| self.contains(Self::from_index(place)))
    }

    /// Returns whether the set contains all statuses of another.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether the set is empty: the mention is affirmed, and the patient's own.
    #[inline]
    pub const fn is_affirmed(self) -> bool {
        self.0 == 0
    }

    /// Returns the set as a number below 32.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the set with these bits; other bits are ignored.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Returns the set without the statuses of another.
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
