//! De-identifies clinical notes by letting through only what is known to be safe.
//!
//! [`pipeline`] takes a note through the modules, in this order:
//!
//! | step | module |
//! |---|---|
//! | fold, tokens | [`text`] |
//! | placeholders of an earlier scrub | [`placeholders`] |
//! | layout, numbers: all that is read before anything is found | [`note`] |
//! | terms of a [`vocabulary`] | [`terms`] |
//! | rules find PHI and vouch for clinical numbers | [`rules`] |
//! | what other detectors and the user's own patterns find | [`detections`] |
//! | a model finds names and places that only their surroundings give away | [`names`] |
//! | abbreviations, split terms, senses of short forms | [`abbreviations`], [`terms`] |
//! | one decision for each token | [`decide`] |
//! | the status of each term: negated, historical and so on | [`status`] |
//! | values of measurements, doses of drugs | [`values`] |
//! | the new text, in a [`document`] | [`render`] |
//!
//! Each step reads a [`note::Note`] and the results of earlier steps. Default deny: a decision starts as "remove", and
//! a token comes out only if something vouches for it.

pub mod abbreviations;
mod buffer;
pub mod calendar;
pub mod decide;
pub mod detections;
pub mod document;
pub mod entities;
pub mod field;
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
pub mod render;
pub mod rules;
pub mod status;
pub mod terms;
mod transpose;
pub mod values;
pub mod zip;

pub use notesieve_text::{self as text, Error, Result, Span, error};
use notesieve_text::{bits, debug};
pub use notesieve_vocabulary::{self as vocabulary, Vocabulary};
pub use {
    document::Document, key::Key, names::Model, patient::Patient, pipeline::Scrubber, pipeline::provenance::Provenance,
    policy::Policy,
};
