//! Text processing before any lookup: folding, tokenization into words, numbers and punctuation, and their offsets.
//!
//! The first crate of the workspace: the vocabulary and the core read texts with it and share its [`Error`].

pub mod bits;
pub mod debug;
pub mod error;
pub mod lists;
pub mod normalize;
pub mod span;
pub mod token;

pub use error::{Error, Result};
pub use span::Span;
