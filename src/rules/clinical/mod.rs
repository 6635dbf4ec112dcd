//! The grammar of clinical numbers.
//!
//! Numbers cannot be listed, and `decide` removes each one that nothing vouches for. The modules here vouch for an
//! amount by what follows it ([`quantity`]), for a value by the name before it ([`value`], [`score`]), for a number by
//! an unambiguous form ([`panel`], [`time`], [`obstetric`], [`notation`], [`marker`]), by a sign, a row or a log
//! ([`change`], [`row`], [`log`]), by its cell ([`delimited`]), by a stain ([`slides`]), by the value before a range
//! ([`range`]), by the context of times and short numbers ([`clock`], [`count`], [`part`]), for ages up to 89
//! ([`age`]), codes after the name of their system ([`code`]), gene variants ([`variant`]), numbers that enumerate
//! ([`list`]) and letters misread as digits ([`misread`]). Their certainty competes with the rules that remove: an
//! unambiguous form or context is *likely*, a mere hint is *weak*. None of them vouches for a year, for three numbers
//! between hyphens, or for a possible date without independent evidence.

pub(in crate::rules) mod acronym;
pub(in crate::rules) mod age;
mod amount;
pub(in crate::rules) mod change;
pub(in crate::rules) mod clock;
pub(in crate::rules) mod code;
pub(in crate::rules) mod count;
mod delimited;
pub(in crate::rules) mod doses;
pub(in crate::rules) mod duration;
mod follow;
pub(in crate::rules) mod fraction;
pub(in crate::rules) mod label;
pub(in crate::rules) mod list;
mod log;
pub(in crate::rules) mod marker;
mod measured;
pub(in crate::rules) mod misread;
pub(in crate::rules) mod notation;
pub(in crate::rules) mod obstetric;
pub(in crate::rules) mod panel;
pub(in crate::rules) mod part;
pub(in crate::rules) mod phrase;
pub(in crate::rules) mod quantity;
pub(in crate::rules) mod range;
pub(in crate::rules) mod row;
mod scale;
pub(in crate::rules) mod score;
pub(in crate::rules) mod slides;
mod suffix;
pub(in crate::rules) mod symbol;
pub(in crate::rules) mod time;
pub(in crate::rules) mod value;
pub(in crate::rules) mod variant;

pub(in crate::rules) use amount::glued_cluster;

use crate::vocabulary::{Class, Classes};

/// Words before a number that is not a clinical value.
const NON_CLINICAL_CUES: Classes = Classes::of(&[
    Class::WardNoun,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::StreetType,
    Class::Facility,
    Class::Month,
    Class::Title,
]);
