//! What a note is before anything is looked up: its bytes folded, its words, numbers and marks, and where each of them stands.

pub mod normalize;
pub mod span;
pub mod token;
