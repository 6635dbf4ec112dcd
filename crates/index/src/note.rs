//! A note as tantivy takes it.

use std::fmt;
use std::iter::{Empty, Flatten};
use std::sync::Arc;

use notesieve::document::Document as Scrubbed;
use tantivy::schema::document::{Document, ReferenceValue, ReferenceValueLeaf};
use tantivy::schema::{Field, Value};

use crate::schema::{MENTIONS, NOTE, NOTE_NUMBER, ORDER, PATIENT, PATIENT_NUMBER, SOURCE, TEXT, TYPE, YEAR, number_of};
use crate::slots::Slots;

/// A note on its way into the index.
pub(crate) struct Note {
    pub(crate) document: Arc<Scrubbed>,
    pub(crate) slots: Slots,
    /// The pseudonym of the note.
    pub(crate) name: String,
    /// That of the patient.
    pub(crate) patient: String,
    pub(crate) kind: Option<String>,
    pub(crate) year: Option<u64>,
    pub(crate) source: u64,
    /// Its place among all notes that were ever added.
    pub(crate) order: u64,
    /// [`number_of`] its pseudonym.
    pub(crate) number: u64,
    /// The terms, packed; see [`Note::complete`].
    pub(crate) mentions: Vec<u8>,
    /// [`number_of`] the pseudonym of the patient.
    pub(crate) patient_number: u64,
}

impl Note {
    /// Makes what only the thread that writes needs.
    pub(crate) fn complete(&mut self) {
        self.mentions = self.slots.mentions();
        self.patient_number = number_of(&self.patient);
    }
}

/// The value of a field of a note.
#[derive(Clone)]
pub(crate) enum NoteValue<'a> {
    Bytes(&'a [u8]),
    Text(&'a str),
    Number(u64),
}

/// Never the text.
impl fmt::Debug for NoteValue<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("NoteValue")
    }
}

impl<'a> Value<'a> for NoteValue<'a> {
    type ArrayIter = Empty<Self>;
    type ObjectIter = Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(match self {
            Self::Bytes(bytes) => ReferenceValueLeaf::Bytes(bytes),
            Self::Text(text) => ReferenceValueLeaf::Str(text),
            Self::Number(number) => ReferenceValueLeaf::U64(*number),
        })
    }
}

/// All but the words, which go another way: see [`crate::segment`].
impl Document for Note {
    type Value<'a> = NoteValue<'a>;
    type FieldsValuesIter<'a> = Flatten<std::array::IntoIter<Option<(Field, NoteValue<'a>)>, 10>>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        [
            Some((TEXT, NoteValue::Text(&self.document.text))),
            Some((MENTIONS, NoteValue::Bytes(&self.mentions))),
            Some((NOTE, NoteValue::Text(&self.name))),
            Some((PATIENT, NoteValue::Text(&self.patient))),
            self.kind.as_deref().map(|kind| (TYPE, NoteValue::Text(kind))),
            self.year.map(|year| (YEAR, NoteValue::Number(year))),
            Some((SOURCE, NoteValue::Number(self.source))),
            Some((ORDER, NoteValue::Number(self.order))),
            Some((NOTE_NUMBER, NoteValue::Number(self.number))),
            Some((PATIENT_NUMBER, NoteValue::Number(self.patient_number))),
        ]
        .into_iter()
        .flatten()
    }
}
