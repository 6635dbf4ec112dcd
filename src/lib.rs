//! De-identifies clinical notes by letting through only what is known to be safe.

pub mod concepts;
pub mod error;
pub mod normalize;
pub mod span;
pub mod token;
pub mod vocabulary;

pub use error::{Error, Result};
pub use span::Span;
pub use vocabulary::Vocabulary;
