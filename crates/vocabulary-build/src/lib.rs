//! Compiles vocabularies: reads published sources, makes variants of their terms, and writes the file that
//! [`notesieve_vocabulary`] reads in place.
//!
//! [`build`](mod@build) does all of it for a folder of sources; [`Compiler`] takes single records.

pub mod build;
mod compile;
pub mod diff;
pub mod sources;
pub mod suppress;
pub mod term;
pub mod variants;

pub use compile::{Compiler, Report};
