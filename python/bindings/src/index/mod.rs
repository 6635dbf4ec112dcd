//! The index on the disk: [tantivy] keeps words, codes and their places; what it cannot know stands in Python.
//!
//! Before each word there is a slot, which may hold the number of a set of codes, so that words and codes share the places of
//! one field: see [`notesieve::slots`]. Notes go in as documents of the core ([`writer`]) and become segments of tantivy in threads
//! of their own ([`workers`], [`segment`]); what comes out are counts and numbers ([`searcher`]), never an object a note.

mod files;
mod note;
mod outdated;
mod query;
mod searcher;
mod segment;
mod workers;
mod writer;

use std::io::{self, ErrorKind};
use std::path::Path;

use notesieve::slots;
use notesieve::span::{CodePoints, Span};
use pyo3::prelude::*;
use sha2::{Digest, Sha256};
use tantivy::TantivyError;
use tantivy::directory::error::OpenReadError;
use tantivy::schema::{Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions};

use crate::enter::Text;
use crate::errors;

pub(crate) use files::is_guarded;
pub(crate) use query::SegmentQuery;
pub(crate) use searcher::{SegmentSearcher, Segments};
pub(crate) use writer::SegmentWriter;

/// Slots and words.
const WORDS: Field = Field::from_field_id(0);
/// The de-identified text.
const TEXT: Field = Field::from_field_id(1);
/// The terms, packed.
const MENTIONS: Field = Field::from_field_id(2);
/// The pseudonym of the note.
const NOTE: Field = Field::from_field_id(3);
/// The pseudonym of the patient.
const PATIENT: Field = Field::from_field_id(4);
/// The type of note.
const TYPE: Field = Field::from_field_id(5);
/// The year.
const YEAR: Field = Field::from_field_id(6);
/// What made the note, by its place in the manifest.
const SOURCE: Field = Field::from_field_id(7);
/// The number of the note: [`number_of`] its pseudonym.
const NOTE_NUMBER: Field = Field::from_field_id(8);
/// The number of the patient, by which patients are counted.
const PATIENT_NUMBER: Field = Field::from_field_id(9);
/// Its place among all notes that were ever added: of two with one pseudonym, the later one counts.
const ORDER: Field = Field::from_field_id(10);

/// The fields, in the order of the constants above.
fn schema() -> Schema {
    // Nothing is cut by tantivy, and so no tokenizer is asked for.
    let words =
        TextFieldIndexing::default().set_tokenizer("raw").set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let name = TextFieldIndexing::default()
        .set_tokenizer("raw")
        .set_index_option(IndexRecordOption::Basic)
        .set_fieldnorms(false);
    let name = TextOptions::default().set_indexing_options(name).set_stored();
    let mut schema = Schema::builder();
    schema.add_text_field("words", TextOptions::default().set_indexing_options(words));
    schema.add_text_field("text", TextOptions::default().set_stored());
    schema.add_bytes_field("mentions", tantivy::schema::STORED);
    schema.add_text_field("note", name.clone());
    schema.add_text_field("patient", name.clone());
    schema.add_text_field("type", name);
    schema.add_u64_field("year", NumericOptions::default().set_stored().set_fast());
    schema.add_u64_field("source", NumericOptions::default().set_stored());
    schema.add_u64_field("note_number", NumericOptions::default().set_fast());
    schema.add_u64_field("patient_number", NumericOptions::default().set_fast());
    schema.add_u64_field("order", NumericOptions::default().set_fast());
    schema.build()
}

/// The first 64 bits of the SHA-256 digest of a pseudonym: what notes and patients are told apart by where a text is too
/// slow.
fn number_of(pseudonym: &str) -> u64 {
    let digest = Sha256::digest(pseudonym.as_bytes());
    digest.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// An error of tantivy. Its own message can quote a term, so only what kind of error it is comes out.
fn failed(py: Python<'_>, path: &Path, problem: &TantivyError) -> PyErr {
    let path = path.display();
    match problem {
        TantivyError::IoError(problem) if !is_damage(problem) => {
            errors::new(py, "FileError", format!("{path}: {}", problem.kind()))
        }
        TantivyError::LockFailure(..) => {
            let message = format!("{path}: somebody else is adding to this index, or the folder cannot be written");
            errors::new(py, "FileError", message)
        }
        TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. }) if !is_damage(io_error) => {
            errors::new(py, "FileError", format!("{path}: a file of the index cannot be opened"))
        }
        TantivyError::OpenWriteError(_) | TantivyError::OpenDirectoryError(_) => {
            errors::new(py, "FileError", format!("{path}: a file of the index cannot be opened"))
        }
        TantivyError::ErrorInThread(_) => {
            errors::new(py, "FileError", format!("{path}: the index could not be written; is the disk full?"))
        }
        _ => {
            let message =
                format!("{path}: is damaged; `notesieve index verify` tells where. Copy it again, or build it again");
            errors::new(py, "SearchIndexError", message)
        }
    }
}

/// Whether a file could be read, and held something else than it should.
fn is_damage(problem: &io::Error) -> bool {
    matches!(problem.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::Other)
}

/// The words of a text as an index sees them, with the code points from which each was made.
#[pyfunction]
pub(crate) fn index_words(text: &Bound<'_, PyAny>) -> PyResult<Vec<(String, u32, u32)>> {
    let text = Text::take(text)?;
    let mut points = CodePoints::new(&text);
    Ok(slots::words(&text)
        .into_iter()
        .map(|(word, span)| {
            let Span { start, end } = points.convert_span(span);
            (word, start, end)
        })
        .collect())
}
