//! What a note is before anything is looked up: its bytes folded, its words, numbers and marks, and where each of them stands.
//!
//! First crate of the workspace: the vocabulary and the core read texts with it and share its [`Error`].

pub mod bits;
pub mod debug;
pub mod error;
pub mod lists;
pub mod normalize;
pub mod span;
pub mod token;

pub use error::{Error, Result};
pub use span::Span;
