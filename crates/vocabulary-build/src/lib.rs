//! Compiles vocabularies: reads published sources, derives variants of their terms, and writes the file that
//! [`notesieve_vocabulary`] reads in place.
//!
//! [`build`](mod@build) does all of this for a folder of sources; [`Compiler`] accepts single records.

pub mod build;
mod compile;
pub mod diff;
pub mod sources;
pub mod suppress;
pub mod term;
pub mod variants;

pub use compile::{Compiler, Report};
