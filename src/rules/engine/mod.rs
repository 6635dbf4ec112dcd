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
mod looks;
pub(in crate::rules) mod names;
mod number;
mod numbers;
mod roman;
mod section;
mod standing;
mod view;
pub(in crate::rules) mod word_sets;

pub use crate::finding::{Category, Certainty, Kind};
pub use anchors::Anchors;
pub(crate) use facts::GROUP;
pub use finding::{Finding, Findings, Verdict};
pub use looks::Looks;
pub use number::{Number, Shape};
pub use numbers::Numbers;
pub(crate) use roman::roman;
pub use section::Headings;
pub(crate) use standing::Standing;
pub use view::View;
