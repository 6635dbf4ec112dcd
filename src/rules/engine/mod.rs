//! What asks the rules, and what each of them reads: the tokens of a note, their columns, the words that are looked for.
//!
//! It knows no form and no cue: which there are says [`table`](super::table), which stands above all rooms.

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
