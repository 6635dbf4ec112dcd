//! A cache of the amounts that the clinical grammar parsed; several rules need each of them.

use super::Certainty;
use crate::buffer::release;

/// How the numbers of an amount are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum AmountForm {
    /// One number.
    Single,
    /// `3-4`, `3 to 4`, `3 or 4`
    Range,
    /// `3 x 4 x 2`
    Product,
}

/// A parsed amount and its extent.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct Measured {
    /// The largest of its numbers, rounded down; fractions count as 0.
    pub(in crate::rules) largest: u64,
    pub(in crate::rules) form: AmountForm,
    end: u32,
    vouched: Option<(u32, Certainty)>,
}

impl Measured {
    pub(in crate::rules) fn new(
        largest: u64,
        form: AmountForm,
        last: usize,
        vouched: Option<(usize, Certainty)>,
    ) -> Self {
        let vouched = vouched.map(|(last, certainty)| (last as u32, certainty));
        Self { largest, form, end: last as u32, vouched }
    }

    /// Returns the end of its last number (exclusive).
    #[inline]
    pub(in crate::rules) const fn last(&self) -> usize {
        self.end as usize
    }

    /// Returns the end (exclusive) of the amount with its unit or noun, and how certain it is that it is an amount.
    #[inline]
    pub(in crate::rules) fn vouched(&self) -> Option<(usize, Certainty)> {
        self.vouched.map(|(last, certainty)| (last as usize, certainty))
    }
}

/// The amounts of a note by their first numbers, parsed on demand. Several rules, and the names of several values, ask
/// for the same amount. Reused for the next note.
#[derive(Default)]
pub(in crate::rules) struct Amounts(Vec<CacheEntry>);

/// Does not show the text of the note.
impl std::fmt::Debug for Amounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Amounts").finish_non_exhaustive()
    }
}

/// A cache entry for the amount at a number.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) enum CacheEntry {
    /// Not parsed yet.
    Unread,
    /// The amount, if one begins there.
    Read(Option<Measured>),
}

impl Amounts {
    /// Returns the cache entry of the `nth` number.
    #[inline]
    pub(in crate::rules) fn get(&self, nth: usize) -> CacheEntry {
        self.0.get(nth).copied().unwrap_or(CacheEntry::Unread)
    }

    /// Stores the amount at the `nth` of `of` numbers.
    pub(in crate::rules) fn set(&mut self, nth: usize, of: usize, measured: Option<Measured>) {
        if self.0.len() <= nth {
            self.0.resize(of.max(nth + 1), CacheEntry::Unread);
        }
        self.0[nth] = CacheEntry::Read(measured);
    }

    pub(in crate::rules) fn clear(&mut self) {
        self.0.clear();
    }

    /// Frees a buffer that only a long note needed.
    pub(in crate::rules) fn release(&mut self) {
        release(&mut self.0);
    }
}
