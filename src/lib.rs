//! De-identifies clinical notes by letting through only what is known to be safe.
//!
//! A note goes one way through the modules, in this order: [`text`] folds it and cuts it into words, numbers and
//! marks, [`own`] seals what an earlier scrub left, [`concepts`] finds the terms of a [`vocabulary`] and says what the
//! note says of them, [`rules`] find PHI and vouch for clinical numbers, [`judgement`] finds what has no form,
//! [`decide`] weighs all of them and decides on each token, [`render`] writes the new text into a [`document`]. [`pipeline`]
//! holds the steps together. What nothing vouches for does not come out: a decision starts as "remove".

pub mod abbreviations;
mod buffer;
pub mod calendar;
pub mod decide;
pub mod document;
pub mod entities;
pub mod finding;
pub mod key;
mod linear;
pub mod names;
pub mod note;
pub mod parallel;
pub mod patient;
pub mod pipeline;
pub mod placeholders;
pub mod policy;
pub mod provenance;
pub mod render;
pub mod rules;
pub mod status;
pub mod terms;
mod transpose;
pub mod zip;

pub use notesieve_text::{self as text, Error, Result, Span, error};
use notesieve_text::{bits, debug};
pub use notesieve_vocabulary::{self as vocabulary, Vocabulary};
pub use {
    document::Document, key::Key, names::Model, patient::Patient, pipeline::Scrubber, policy::Policy,
    provenance::Provenance,
};
