//! A note as tantivy takes it, and how its slots and words are told apart.

use std::cell::RefCell;
use std::fmt;
use std::iter::{Empty, Flatten};
use std::sync::{Arc, OnceLock};

use notesieve::document::Document as Scrubbed;
use notesieve::normalize::Normalized;
use notesieve::slots::{SLOT, Slots};
use tantivy::schema::document::{Document, ReferenceValue, ReferenceValueLeaf};
use tantivy::schema::{Field, Value};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::{MENTIONS, NOTE, NOTE_NUMBER, PATIENT, PATIENT_NUMBER, SOURCE, TEXT, TYPE, WORDS, YEAR, number_of};

/// The name under which tantivy knows [`SlotTokenizer`].
pub(super) const TOKENIZER: &str = "slots";

/// A note on its way into the index. What takes time is made where it is first asked for: in the threads of tantivy.
pub(super) struct Note {
    pub(super) document: Arc<Scrubbed>,
    pub(super) slots: Slots,
    /// The pseudonym of the note.
    pub(super) name: String,
    /// That of the patient.
    pub(super) patient: String,
    pub(super) kind: Option<String>,
    pub(super) year: Option<u64>,
    pub(super) source: u64,
    pub(super) number: u64,
    words: OnceLock<String>,
    mentions: OnceLock<Vec<u8>>,
}

thread_local! {
    /// Room for a folded text.
    static FOLDED: RefCell<Normalized> = RefCell::default();
}

impl Note {
    /// A note by its pseudonyms and those of its patient.
    pub(super) fn new(document: Arc<Scrubbed>, slots: Slots, name: String, patient: String) -> Self {
        let number = number_of(&name);
        Self {
            document,
            slots,
            name,
            patient,
            kind: None,
            year: None,
            source: 0,
            number,
            words: OnceLock::new(),
            mentions: OnceLock::new(),
        }
    }

    fn words(&self) -> &str {
        let write = |folded: &RefCell<Normalized>| self.slots.words(&self.document.text, &mut folded.borrow_mut());
        self.words.get_or_init(|| FOLDED.with(write))
    }

    fn mentions(&self) -> &[u8] {
        self.mentions.get_or_init(|| self.slots.mentions())
    }
}

/// The value of a field of a note.
#[derive(Clone)]
pub(super) enum NoteValue<'a> {
    Words(&'a Note),
    Mentions(&'a Note),
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
            Self::Words(note) => ReferenceValueLeaf::Str(note.words()),
            Self::Mentions(note) => ReferenceValueLeaf::Bytes(note.mentions()),
            Self::Text(text) => ReferenceValueLeaf::Str(text),
            Self::Number(number) => ReferenceValueLeaf::U64(*number),
        })
    }
}

impl Document for Note {
    type Value<'a> = NoteValue<'a>;
    type FieldsValuesIter<'a> = Flatten<std::array::IntoIter<Option<(Field, NoteValue<'a>)>, 10>>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        [
            Some((WORDS, NoteValue::Words(self))),
            Some((TEXT, NoteValue::Text(&self.document.text))),
            Some((MENTIONS, NoteValue::Mentions(self))),
            Some((NOTE, NoteValue::Text(&self.name))),
            Some((PATIENT, NoteValue::Text(&self.patient))),
            self.kind.as_deref().map(|kind| (TYPE, NoteValue::Text(kind))),
            self.year.map(|year| (YEAR, NoteValue::Number(year))),
            Some((SOURCE, NoteValue::Number(self.source))),
            Some((NOTE_NUMBER, NoteValue::Number(self.number))),
            Some((PATIENT_NUMBER, NoteValue::Number(number_of(&self.patient)))),
        ]
        .into_iter()
        .flatten()
    }
}

/// Cuts what [`Slots::words`] writes. Words stand at odd places, the slot of each right before it.
#[derive(Clone)]
pub(super) struct SlotTokenizer;

impl Tokenizer for SlotTokenizer {
    type TokenStream<'a> = SlotStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> SlotStream<'a> {
        SlotStream { rest: text, words: 0, token: Token::default() }
    }
}

/// Slots and words with their places.
pub(super) struct SlotStream<'a> {
    rest: &'a str,
    /// How many words there were.
    words: usize,
    token: Token,
}

impl TokenStream for SlotStream<'_> {
    fn advance(&mut self) -> bool {
        if self.rest.is_empty() {
            return false;
        }
        let end = self.rest.bytes().position(|byte| byte == b' ').unwrap_or(self.rest.len());
        let (token, rest) = self.rest.split_at(end);
        self.rest = rest.get(1..).unwrap_or_default();
        self.token.text.clear();
        self.token.text.push_str(token);
        let is_word = !token.starts_with(SLOT);
        self.token.position = 2 * self.words + usize::from(is_word);
        self.words += usize::from(is_word);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
