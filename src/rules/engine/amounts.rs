//! The amounts that the clinical grammar read, kept with the findings of a note: several rules ask for each.

use super::Certainty;
use crate::buffer::release;

/// How the parts of an amount hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Form {
    /// One number.
    Single,
    /// `3-4`, `3 to 4`, `3 or 4`
    Range,
    /// `3 x 4 x 2`
    Product,
}

/// An amount and what belongs to it.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct Measured {
    /// The largest of its numbers, rounded down; fractions count as 0.
    pub(in crate::rules) most: u64,
    pub(in crate::rules) form: Form,
    last: u32,
    vouched: Option<(u32, Certainty)>,
}

impl Measured {
    pub(in crate::rules) fn new(most: u64, form: Form, last: usize, vouched: Option<(usize, Certainty)>) -> Self {
        let vouched = vouched.map(|(last, certainty)| (last as u32, certainty));
        Self { most, form, last: last as u32, vouched }
    }

    /// One past its last number.
    #[inline]
    pub(in crate::rules) const fn last(&self) -> usize {
        self.last as usize
    }

    /// One past what belongs to it, and how sure it is that it is an amount.
    #[inline]
    pub(in crate::rules) fn vouched(&self) -> Option<(usize, Certainty)> {
        self.vouched.map(|(last, certainty)| (last as usize, certainty))
    }
}

/// The amounts of a note by their first numbers, as far as somebody asked. Each is asked for by several rules and by the names of
/// several values. A buffer that is used again for the next note.
#[derive(Default)]
pub(in crate::rules) struct Amounts(Vec<Known>);

/// Shows nothing of what a note says.
impl std::fmt::Debug for Amounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Amounts").finish_non_exhaustive()
    }
}

/// What is known of the amount at a number.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) enum Known {
    /// Nobody asked yet.
    Unread,
    /// The amount, if one begins there.
    Read(Option<Measured>),
}

impl Amounts {
    /// What is known of the amount at the `nth` number.
    #[inline]
    pub(in crate::rules) fn get(&self, nth: usize) -> Known {
        self.0.get(nth).copied().unwrap_or(Known::Unread)
    }

    /// Keeps what is found at the `nth` of so many numbers.
    pub(in crate::rules) fn set(&mut self, nth: usize, of: usize, measured: Option<Measured>) {
        if self.0.len() <= nth {
            self.0.resize(of.max(nth + 1), Known::Unread);
        }
        self.0[nth] = Known::Read(measured);
    }

    pub(in crate::rules) fn clear(&mut self) {
        self.0.clear();
    }

    /// Gives the buffer back that only a long note needed.
    pub(in crate::rules) fn release(&mut self) {
        release(&mut self.0);
    }
}
