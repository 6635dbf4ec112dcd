//! Readers of published vocabulary formats, one file a format.
