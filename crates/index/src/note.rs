//! A note as a tantivy document.

use std::fmt;
use std::iter::{Empty, Flatten};
use std::sync::Arc;

use notesieve::document::Document as Scrubbed;
use notesieve::text::normalize::Normalized;
use notesieve::values::{Attributes, Unit};
use notesieve::vocabulary::Group;
use serde_json::{Map, Value as Json};
use tantivy::schema::document::{Document, ReferenceValue, ReferenceValueLeaf};
use tantivy::schema::{Field, Value};
use tantivy::tokenizer::{PreTokenizedString, Token};

use crate::schema::{
    ATTRIBUTES, MENTIONS, NOTE, NOTE_NUMBER, PATIENT, PATIENT_NUMBER, SOURCE, TEXT, TYPE, WORDS, YEAR, pseudonym_number,
};
use crate::slots::{SLOT, Slots, coded_mentions};
use crate::writer::NoteMetadata;

/// Returns the attributes of mentions as a JSON object, keyed by their index among the coded mentions; empty if there
/// are none.
fn attributes_of_document(document: &Scrubbed) -> String {
    let coded = coded_mentions(document).enumerate().filter(|(_, mention)| mention.attributes.is_some());
    let all: Map<String, Json> = coded
        .map(|(at, mention)| (at.to_string(), attributes_as_json(document.attributes_of(mention)).into()))
        .collect();
    if all.is_empty() { String::new() } else { Json::from(all).to_string() }
}

/// Returns the attributes of a mention that have a value, by name.
fn attributes_as_json(found: &Attributes) -> Map<String, Json> {
    let unit = |unit: Option<Unit>| unit.map(Unit::name);
    let texts = [
        ("group", found.group.map(Group::key)),
        ("value", found.value.as_deref()),
        ("unit", unit(found.unit)),
        ("assumed_unit", unit(found.assumed_unit)),
        ("comparator", found.comparator),
        ("flag", found.flag),
        ("dose", found.dose.as_deref()),
        ("route", found.route),
        ("frequency", found.frequency.as_deref()),
    ];
    let mut said: Map<String, Json> =
        texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), Json::from(text?)))).collect();
    said.extend(found.number.map(|number| ("number".to_owned(), Json::from(number))));
    if !found.further.is_empty() {
        let further: Vec<Json> = found.further.iter().map(|one| attributes_as_json(one).into()).collect();
        said.insert("further".to_owned(), further.into());
    }
    said
}

/// A note to be indexed.
pub(crate) struct Note {
    document: Arc<Scrubbed>,
    slots: Slots,
    /// The pseudonyms and metadata of the note.
    pub(crate) metadata: NoteMetadata,
    source: u64,
    /// The [`pseudonym_number`] of the note's pseudonym.
    pub(crate) number: u64,
    /// The [`pseudonym_number`] of the patient's pseudonym.
    patient_number: u64,
    /// The packed mentions.
    mentions: Vec<u8>,
    /// The attributes of mentions, as JSON.
    attributes: String,
}

impl Note {
    pub(crate) fn new(document: Arc<Scrubbed>, slots: Slots, metadata: NoteMetadata, source: u64) -> Self {
        let (number, patient_number) = (pseudonym_number(&metadata.note), pseudonym_number(&metadata.patient));
        let mentions = slots.pack_mentions();
        let attributes = attributes_of_document(&document);
        Self { document, slots, metadata, source, number, patient_number, mentions, attributes }
    }

    /// Returns the words and the non-empty slots. The slot before word `n` has the position `2 * n`, the word itself
    /// `2 * n + 1`.
    fn indexed_tokens(&self) -> PreTokenizedString {
        let mut tokens = Vec::new();
        let mut position = 0;
        self.slots.for_each_word(&self.document.text, &mut Normalized::default(), |set, values, folded, word| {
            let token = |text: String, position| Token { position, text, ..Token::default() };
            tokens.extend(set.map(|set| token(format!("{SLOT}{set}"), position)));
            tokens.extend(values.iter().map(|(_, value)| token(value.clone(), position)));
            tokens.push(token(folded[word].to_owned(), position + 1));
            position += 2;
        });
        PreTokenizedString { text: String::new(), tokens }
    }
}

/// The value of a field.
#[derive(Clone)]
pub(crate) enum NoteValue<'a> {
    Bytes(&'a [u8]),
    Text(&'a str),
    Number(u64),
    /// The words of a note, which tantivy's threads tokenize.
    Words(&'a Note),
}

/// Never shows the text.
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
            Self::Words(note) => ReferenceValueLeaf::PreTokStr(Box::new(note.indexed_tokens())),
        })
    }
}

impl Document for Note {
    type Value<'a> = NoteValue<'a>;
    type FieldsValuesIter<'a> = Flatten<std::array::IntoIter<Option<(Field, NoteValue<'a>)>, 11>>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        let NoteMetadata { note, patient, kind, year } = &self.metadata;
        [
            Some((WORDS, NoteValue::Words(self))),
            Some((TEXT, NoteValue::Text(&self.document.text))),
            Some((MENTIONS, NoteValue::Bytes(&self.mentions))),
            (!self.attributes.is_empty()).then_some((ATTRIBUTES, NoteValue::Text(&self.attributes))),
            Some((NOTE, NoteValue::Text(note))),
            Some((PATIENT, NoteValue::Text(patient))),
            kind.as_deref().map(|kind| (TYPE, NoteValue::Text(kind))),
            year.map(|year| (YEAR, NoteValue::Number(year))),
            Some((SOURCE, NoteValue::Number(self.source))),
            Some((NOTE_NUMBER, NoteValue::Number(self.number))),
            Some((PATIENT_NUMBER, NoteValue::Number(self.patient_number))),
        ]
        .into_iter()
        .flatten()
    }
}
