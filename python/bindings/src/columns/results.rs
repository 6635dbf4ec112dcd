//! Result columns: text, coded text, concepts, counts by category, error codes.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int32Builder, StringBuilder};
use arrow_array::types::ArrowDictionaryKeyType;
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, DictionaryArray, Int32Array, LargeStringArray, ListArray, NullArray,
    PrimitiveArray, RecordBatch, StringArray, StringViewArray, StructArray,
};
use arrow_buffer::{ArrowNativeType, NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use notesieve::Vocabulary;
use notesieve::document::Document;
use notesieve::finding::Category;
use notesieve::status::Status;
use notesieve::values::Attributes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::nullable_field;

/// The result of a row.
pub(super) enum Row {
    Null,
    Failed(&'static str),
    Scrubbed { document: Box<Document>, coded: Option<String> },
}

impl Row {
    pub(super) fn text(&self) -> Option<&str> {
        if let Self::Scrubbed { document, .. } = self { Some(&document.text) } else { None }
    }

    pub(super) fn coded_text(&self) -> Option<&str> {
        if let Self::Scrubbed { coded, .. } = self { coded.as_deref() } else { None }
    }
}

/// The requested columns besides the text.
#[derive(Clone, Default)]
#[allow(clippy::struct_excessive_bools, reason = "a set of columns, one a name")]
pub(crate) struct Wanted {
    pub(crate) coded: bool,
    concepts: bool,
    removed: bool,
    error: bool,
}

impl<'py> FromPyObject<'_, 'py> for Wanted {
    type Error = PyErr;

    fn extract(outputs: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let mut wanted = Self::default();
        for output in outputs.try_iter()? {
            let output: String = output?.extract()?;
            match output.as_str() {
                "text" => {}
                "coded" => wanted.coded = true,
                "concepts" => wanted.concepts = true,
                "removed" => wanted.removed = true,
                "error" => wanted.error = true,
                _ => {
                    let message = format!("there is no output {output:?}: take text, coded, concepts, removed, error");
                    return Err(PyValueError::new_err(message));
                }
            }
        }
        Ok(wanted)
    }
}

impl Wanted {
    /// Returns the schema of the columns, given the type of the input texts.
    pub(super) fn schema(&self, form: &DataType) -> SchemaRef {
        let form = text_form(form);
        let mut fields = vec![nullable_field("text", form.clone())];
        if self.coded {
            fields.push(nullable_field("coded", form));
        }
        if self.concepts {
            fields.push(nullable_field(
                "concepts",
                DataType::List(Arc::new(nullable_field("item", DataType::Struct(mention_struct())))),
            ));
        }
        if self.removed {
            fields.extend(removed_count_names().map(|name| nullable_field(&name, DataType::Int32)));
        }
        if self.error {
            fields.push(nullable_field("error", DataType::Utf8));
        }
        Arc::new(Schema::new(fields))
    }
}

/// Returns the type of the output texts, which follows that of the input.
fn text_form(form: &DataType) -> DataType {
    match form {
        DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => form.clone(),
        DataType::Dictionary(key, value) => DataType::Dictionary(key.clone(), Box::new(text_form(value))),
        _ => DataType::Utf8,
    }
}

fn mention_struct() -> Fields {
    let field = |name, form| Field::new(name, form, false);
    let place = [field("code", DataType::Utf8), field("start", DataType::Int32), field("end", DataType::Int32)];
    let said = Status::KEYS.map(|key| field(key, DataType::Boolean));
    let attributes = ATTRIBUTES.map(|name| Field::new(name, DataType::Utf8, true));
    let number = Field::new("number", DataType::Float64, true);
    let places = place.into_iter().chain([field("group", DataType::Utf8)]).chain(said);
    places.chain(attributes).chain([number]).collect()
}

/// The text attributes of mentions.
pub(crate) const ATTRIBUTES: [&str; 7] = ["value", "unit", "comparator", "flag", "dose", "route", "frequency"];

/// Returns the attributes in the order of [`ATTRIBUTES`].
pub(crate) fn attribute_texts(attributes: &Attributes) -> [Option<&str>; 7] {
    let Attributes { value, unit, comparator, flag, dose, route, frequency, .. } = attributes;
    [
        value.as_deref(),
        unit.map(notesieve::values::Unit::name),
        *comparator,
        *flag,
        dose.as_deref(),
        *route,
        frequency.as_deref(),
    ]
}

/// Returns `removed_name` and so on; the last counts unlisted tokens.
fn removed_count_names() -> impl Iterator<Item = String> {
    let keys = Category::ALL.into_iter().map(Category::key).chain(["UNLISTED"]);
    keys.map(|key| format!("removed_{}", key.to_lowercase()))
}

/// Builds an array of texts of the given type.
pub(super) fn text_array(form: &DataType, texts: &[Option<&str>]) -> ArrayRef {
    let texts = texts.iter().copied();
    match form {
        DataType::LargeUtf8 => Arc::new(texts.collect::<LargeStringArray>()),
        DataType::Utf8View => Arc::new(texts.collect::<StringViewArray>()),
        DataType::Null => Arc::new(NullArray::new(texts.len())),
        _ => Arc::new(texts.collect::<StringArray>()),
    }
}

/// The columns of some rows, under construction.
pub(super) struct Results<'a> {
    wanted: &'a Wanted,
    form: &'a DataType,
    vocabulary: &'a Vocabulary,
    text: Vec<Option<&'a str>>,
    coded: Vec<Option<&'a str>>,
    codes: StringBuilder,
    starts: Vec<i32>,
    ends: Vec<i32>,
    groups: StringBuilder,
    said: [Vec<bool>; Status::COUNT],
    attributes: [StringBuilder; ATTRIBUTES.len()],
    numbers: Float64Builder,
    lengths: Vec<usize>,
    valid: Vec<bool>,
    removed: Vec<Int32Builder>,
    error: StringBuilder,
    dictionaries: Option<(ArrayRef, ArrayRef)>,
    removals: usize,
    failed: Vec<(usize, &'static str)>,
}

impl<'a> Results<'a> {
    pub(super) fn new(wanted: &'a Wanted, form: &'a DataType, vocabulary: &'a Vocabulary, rows: usize) -> Self {
        Self {
            wanted,
            form,
            vocabulary,
            text: Vec::with_capacity(rows),
            coded: Vec::new(),
            codes: StringBuilder::new(),
            starts: Vec::new(),
            ends: Vec::new(),
            groups: StringBuilder::new(),
            said: Default::default(),
            attributes: Default::default(),
            numbers: Float64Builder::new(),
            lengths: Vec::new(),
            valid: Vec::with_capacity(rows),
            removed: if wanted.removed {
                removed_count_names().map(|_| Int32Builder::with_capacity(rows)).collect()
            } else {
                vec![]
            },
            error: StringBuilder::new(),
            dictionaries: None,
            removals: 0,
            failed: Vec::new(),
        }
    }

    /// Adds a row.
    pub(super) fn push_row(&mut self, row: &'a Row) {
        let document = if let Row::Scrubbed { document, .. } = row { Some(document) } else { None };
        self.text.push(row.text());
        self.valid.push(document.is_some());
        if self.wanted.coded {
            self.coded.push(row.coded_text());
        }
        if self.wanted.concepts {
            let before = self.starts.len();
            for (document, found) in document.iter().flat_map(|it| it.concepts.iter().map(move |found| (it, found))) {
                let Some(id) = self.vocabulary.entry_concepts(found.entry).next() else { continue };
                if found.assertion.ambiguous {
                    continue;
                }
                self.groups.append_value(document.group_of(self.vocabulary, found).key());
                let attributes = document.attributes_of(found);
                for (column, text) in self.attributes.iter_mut().zip(attribute_texts(attributes)) {
                    column.append_option(text);
                }
                self.numbers.append_option(attributes.number);
                for (place, column) in self.said.iter_mut().enumerate() {
                    column.push(found.assertion.status.contains(Status::from_index(place)));
                }
                self.codes.append_value(self.vocabulary.curie(id));
                self.starts.push(found.output.start.cast_signed());
                self.ends.push(found.output.end.cast_signed());
            }
            self.lengths.push(self.starts.len() - before);
        }
        if self.wanted.removed {
            let mut counts = [0_i32; Category::ALL.len() + 1];
            for removal in document.iter().flat_map(|document| &document.removed) {
                counts[removal.kind.map_or(Category::ALL.len(), |kind| kind.category() as usize)] += 1;
            }
            for (column, count) in self.removed.iter_mut().zip(counts) {
                column.append_option(document.map(|_| count));
            }
        }
        if self.wanted.error {
            self.error.append_option(if let Row::Failed(code) = row { Some(code) } else { None });
        }
        self.removals += document.map_or(0, |document| document.removed.len());
        if let Row::Failed(code) = row {
            self.failed.push((self.text.len() - 1, code));
        }
    }

    /// Returns the number of removals, and the failed rows with their codes.
    pub(super) fn removals_and_failures(&mut self) -> (usize, Vec<(usize, &'static str)>) {
        (self.removals, std::mem::take(&mut self.failed))
    }

    /// Sets the text columns from keys into dictionaries.
    pub(super) fn push_dictionary<K: ArrowDictionaryKeyType>(
        &mut self,
        (text, values): (&[Option<usize>], &ArrayRef),
        (coded, coded_values): (&[Option<usize>], &ArrayRef),
    ) -> Result<(), ArrowError> {
        let build = |keys: &[Option<usize>], values: &ArrayRef| -> Result<ArrayRef, ArrowError> {
            // There are at most as many texts as keys, so every index fits the key type.
            let keys = keys.iter().map(|key| key.and_then(<K as ArrowPrimitiveType>::Native::from_usize));
            let keys = keys.collect::<PrimitiveArray<K>>();
            Ok(Arc::new(DictionaryArray::<K>::try_new(keys, Arc::clone(values))?))
        };
        self.dictionaries = Some((build(text, values)?, build(coded, coded_values)?));
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let rows = self.text.len();
        let (text, coded) = match self.dictionaries.take() {
            Some(both) => both,
            None => (text_array(self.form, &self.text), text_array(self.form, &self.coded)),
        };
        let mut columns = vec![text];
        if self.wanted.coded {
            columns.push(coded);
        }
        if self.wanted.concepts {
            let mut fields: Vec<ArrayRef> = vec![
                Arc::new(self.codes.finish()),
                Arc::new(Int32Array::from(self.starts)),
                Arc::new(Int32Array::from(self.ends)),
                Arc::new(self.groups.finish()),
            ];
            fields.extend(self.said.map(|column| Arc::new(BooleanArray::from(column)) as ArrayRef));
            fields.extend(self.attributes.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
            fields.push(Arc::new(self.numbers.finish()));
            let items = StructArray::try_new(mention_struct(), fields, None)?;
            let item = Arc::new(nullable_field("item", DataType::Struct(mention_struct())));
            let offsets = OffsetBuffer::from_lengths(self.lengths);
            let nulls = NullBuffer::from(self.valid);
            columns.push(Arc::new(ListArray::try_new(item, offsets, Arc::new(items), Some(nulls))?));
        }
        for column in &mut self.removed {
            columns.push(Arc::new(column.finish()));
        }
        if self.wanted.error {
            columns.push(Arc::new(self.error.finish()));
        }
        debug_assert!(columns.iter().all(|column| column.len() == rows));
        RecordBatch::try_new(self.wanted.schema(self.form), columns)
    }
}
