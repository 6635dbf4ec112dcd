//! What is known to be safe: word lists, terms and concepts, compiled once and looked up word by word.

pub mod class;
pub mod sources;
pub mod term;

pub use class::{Class, Classes};
