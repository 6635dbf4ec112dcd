//! De-identifies clinical notes by letting through only what is known to be safe.
//!
//! A note goes one way through the modules, in this order: [`text`] folds it and cuts it into words, numbers and
//! marks, [`own`] seals what an earlier scrub left, [`concepts`] finds the terms of a [`vocabulary`] and says what the
//! note says of them, [`rules`] find PHI and vouch for clinical numbers, [`judgement`] finds what has no form,
//! [`decide`] weighs all of them and decides on each token, [`render`] writes the new text into a [`document`]. [`pipeline`]
//! holds the steps together. What nothing vouches for does not come out: a decision starts as "remove".

pub mod abbreviations;
mod bits;
#[cfg(feature = "scrub")]
mod buffer;
#[cfg(feature = "scrub")]
pub mod calendar;
mod debug;
#[cfg(feature = "scrub")]
pub mod decide;
#[cfg(feature = "scrub")]
pub mod document;
pub mod error;
#[cfg(feature = "scrub")]
pub mod finding;
#[cfg(feature = "scrub")]
pub mod key;
#[cfg(feature = "scrub")]
mod linear;
#[cfg(feature = "scrub")]
pub mod names;
#[cfg(feature = "scrub")]
pub mod note;
#[cfg(feature = "scrub")]
pub mod parallel;
#[cfg(feature = "scrub")]
pub mod patient;
#[cfg(feature = "scrub")]
pub mod pipeline;
#[cfg(feature = "scrub")]
pub mod placeholders;
#[cfg(feature = "scrub")]
pub mod policy;
#[cfg(feature = "scrub")]
pub mod provenance;
#[cfg(feature = "scrub")]
pub mod render;
#[cfg(feature = "scrub")]
pub mod rules;
#[cfg(feature = "scrub")]
pub mod status;
pub mod terms;
pub mod text;
#[cfg(feature = "scrub")]
mod transpose;
pub mod vocabulary;
#[cfg(feature = "scrub")]
#[cfg(feature = "scrub")]
pub mod zip;

pub use error::{Error, Result};
pub use text::span::Span;
pub use vocabulary::Vocabulary;
#[cfg(feature = "scrub")]
pub use {
    document::Document, key::Key, names::Model, patient::Patient, pipeline::Scrubber, policy::Policy,
    provenance::Provenance,
};
