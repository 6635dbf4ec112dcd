//! The grammar of clinical numbers. Third step in the way of a note, among the rules.
//!
//! Numbers cannot be listed, and `decide` removes each one for which nobody vouches. The families here vouch: for an
//! amount by what stands after it ([`quantity`]), for a value by the name before it ([`value`], [`score`]), for a form
//! that nothing else has ([`panel`], [`time`], [`obstetric`], [`notation`], [`marker`]), by a sign or a row ([`change`], [`row`]), by what is
//! around hours and short numbers ([`clock`], [`count`], [`part`]), for ages up to 89 ([`age`]), codes announced
//! by their system ([`code`]), numbers that count off ([`list`]) and letters read as figures ([`misread`]). How sure they are decides against the rules that
//! remove: a form or place of its own is *likely*, a place that only suggests it is *weak*. None of them vouches for a
//! year, for three numbers between hyphens, or for what a date could be without a reason of its own.

pub(super) mod acronym;
pub(super) mod age;
mod amount;
pub(super) mod change;
pub(super) mod clock;
pub(super) mod code;
pub(super) mod count;
mod follow;
pub(super) mod list;
pub(super) mod marker;
pub(super) mod misread;
pub(super) mod notation;
pub(super) mod obstetric;
pub(super) mod panel;
pub(super) mod part;
pub(super) mod quantity;
pub(super) mod row;
pub(super) mod score;
pub(super) mod span;
mod suffix;
pub(super) mod time;
pub(super) mod value;

pub(crate) use amount::roman;
pub(super) use quantity::Amounts;

use crate::vocabulary::{Class, Classes};

/// Words before a number that is no figure of medicine.
const ANNOUNCES: Classes = Classes::of(&[
    Class::WardNoun,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::StreetType,
    Class::Facility,
    Class::Month,
    Class::Title,
]);

#[cfg(test)]
mod tests;
