//! The rule engine: finds the anchors of each rule, and holds what rules read: tokens, columns and word sets.
//!
//! It knows no written form and no cue; [`table`](super::table) lists the rules.

pub(in crate::rules) mod amounts;
pub(in crate::rules) mod anchors;
pub(in crate::rules) mod columns;
pub(in crate::rules) mod digits;
pub(in crate::rules) mod facts;
mod finding;
pub(in crate::rules) mod group;
pub(in crate::rules) mod names;
pub(in crate::rules) mod patterns;
mod roman;
mod section;
pub(in crate::rules) mod word_sets;

pub use crate::finding::{Category, Certainty, Kind};
pub use crate::note::{Note, Number, NumberShapes, Numbers, Shape};
pub use anchors::Anchors;
pub(crate) use columns::WordColumns;
pub(crate) use facts::GROUP;
pub use finding::{Finding, Findings, Verdict};
pub(crate) use roman::is_roman_numeral;
pub use section::{Headings, header_end};
