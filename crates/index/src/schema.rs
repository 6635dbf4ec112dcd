//! The fields of a note in tantivy, and the numbers of pseudonyms.

use sha2::{Digest, Sha256};
use tantivy::IndexSettings;
use tantivy::schema::{Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions};

/// Slots and words.
pub(crate) const WORDS: Field = Field::from_field_id(0);
/// The de-identified text.
pub(crate) const TEXT: Field = Field::from_field_id(1);
/// The packed mentions.
pub(crate) const MENTIONS: Field = Field::from_field_id(2);
/// The pseudonym of the note.
pub(crate) const NOTE: Field = Field::from_field_id(3);
/// The pseudonym of the patient.
pub(crate) const PATIENT: Field = Field::from_field_id(4);
/// The type of the note.
pub(crate) const TYPE: Field = Field::from_field_id(5);
/// The year of the note.
pub(crate) const YEAR: Field = Field::from_field_id(6);
/// The provenance of the note, as its index in the manifest.
pub(crate) const SOURCE: Field = Field::from_field_id(7);
/// The number of the note: the [`pseudonym_number`] of its pseudonym.
pub(crate) const NOTE_NUMBER: Field = Field::from_field_id(8);
/// The number of the patient, used to count patients.
pub(crate) const PATIENT_NUMBER: Field = Field::from_field_id(9);
/// The attributes of mentions, as JSON.
pub(crate) const ATTRIBUTES: Field = Field::from_field_id(10);

/// Returns the schema, with the fields in the order of the constants above.
pub(crate) fn schema() -> Schema {
    // Words arrive as tokens, so no tokenizer runs.
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
    schema.add_text_field("attributes", TextOptions::default().set_stored());
    schema.build()
}

/// Returns the settings of the index. The writing thread compresses texts itself: an extra thread would only wait for a
/// processor.
pub(crate) fn index_settings() -> IndexSettings {
    IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() }
}

/// Returns the first 64 bits of the SHA-256 digest of a pseudonym, which identify notes and patients where texts are
/// too slow.
pub(crate) fn pseudonym_number(pseudonym: &str) -> u64 {
    let digest = Sha256::digest(pseudonym.as_bytes());
    digest.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
}
