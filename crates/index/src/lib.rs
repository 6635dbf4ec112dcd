//! The index of de-identified notes on the disk: which notes say what, and how many patients that are.
//!
//! [tantivy] keeps words, codes and their places; what it cannot know stands in Python. Before each word there is a slot, which
//! may hold the number of a set of codes, so that words and codes share the places of one field: see [`slots`]. Notes go in as
//! documents of the core ([`SegmentWriter`]), cut into words already, and tantivy writes the posting lists; what comes out are
//! counts and numbers ([`SegmentSearcher`]), never an object a note.
//!
//! [tantivy]: https://docs.rs/tantivy

mod error;
mod files;
mod note;
mod query;
mod schema;
mod searcher;
mod segments;
pub mod slots;
mod snapshot;
mod writer;

pub use error::{Error, Result};
pub use files::is_catching_damage;
pub use query::SegmentQuery;
pub use searcher::{SegmentSearcher, StoredNote};
pub use segments::Segments;
pub use writer::{Row, SegmentWriter};
