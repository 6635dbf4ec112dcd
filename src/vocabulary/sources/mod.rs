//! Readers of published vocabulary formats, one file a format.

pub mod lists;
