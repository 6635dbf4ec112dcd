//! On-disk full-text index of de-identified notes: finds notes by content and counts them and their patients.
//!
//! [tantivy] stores words, codes and their positions; Python stores everything else. Before each word there is a slot,
//! which may contain the number of a code set, so that words and codes share the positions of one field: see [`slots`].
//! Notes are added as documents of the core ([`SegmentWriter`]), already tokenized, and tantivy writes the posting
//! lists. Results are counts and numbers ([`SegmentSearcher`]), never an object per note.
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
pub use writer::{NoteMetadata, SegmentWriter};
