//! Cells of a column, read in place. Arrow text may be invalid UTF-8: a file can claim to be valid, and the libraries
//! that read it do not check. So every cell is checked here, and an invalid one is an error of its row only.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryViewArray, LargeStringArray, StringArray};
use arrow_schema::DataType;

use crate::boundary::Text;

/// The content of a row.
pub(super) enum Cell<'a> {
    Null,
    Text(&'a str),
    /// The reason why it is not a text.
    Broken(&'static str),
}

/// A column of any type.
pub(super) enum Cells<'a> {
    Utf8(&'a StringArray),
    LargeUtf8(&'a LargeStringArray),
    /// The bytes of a `Utf8View`, because its own accessor does not check them.
    Utf8View(BinaryViewArray),
    /// Python objects: `None` for a null, an error for an object that is not a `str`.
    Objects(&'a [Option<Result<Text, ()>>]),
    /// A column of another type, of which only the nulls are used.
    Other(&'a dyn Array),
}

impl<'a> Cells<'a> {
    pub(super) fn of_array(array: &'a ArrayRef) -> Self {
        match array.data_type() {
            DataType::Utf8 => Self::Utf8(array.as_string()),
            DataType::LargeUtf8 => Self::LargeUtf8(array.as_string()),
            DataType::Utf8View => Self::Utf8View(array.as_string_view().clone().to_binary_view()),
            _ => Self::Other(array.as_ref()),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Utf8(array) => array.len(),
            Self::LargeUtf8(array) => array.len(),
            Self::Utf8View(array) => array.len(),
            Self::Objects(texts) => texts.len(),
            Self::Other(array) => array.len(),
        }
    }

    /// Returns the length of a text in bytes.
    pub(super) fn byte_len(&self, at: usize) -> usize {
        match self {
            Self::Utf8(array) => usize::try_from(array.value_length(at)).unwrap_or_default(),
            Self::LargeUtf8(array) => usize::try_from(array.value_length(at)).unwrap_or_default(),
            Self::Utf8View(array) => array.views()[at] as u32 as usize,
            Self::Objects(texts) => texts[at].as_ref().and_then(|text| text.as_ref().ok()).map_or(0, |text| text.len()),
            Self::Other(_) => 0,
        }
    }

    pub(super) fn get(&self, at: usize) -> Cell<'_> {
        match self {
            Self::Utf8(array) if array.is_null(at) => Cell::Null,
            Self::LargeUtf8(array) if array.is_null(at) => Cell::Null,
            Self::Utf8View(array) if array.is_null(at) => Cell::Null,
            Self::Utf8(array) => {
                let offsets = array.value_offsets();
                text_between(array.value_data(), i64::from(offsets[at]), i64::from(offsets[at + 1]))
            }
            Self::LargeUtf8(array) => {
                text_between(array.value_data(), array.value_offsets()[at], array.value_offsets()[at + 1])
            }
            Self::Utf8View(array) => checked_text(Some(array.value(at))),
            Self::Objects(texts) => match &texts[at] {
                None => Cell::Null,
                Some(Ok(text)) => Cell::Text(text),
                Some(Err(())) => Cell::Broken("type"),
            },
            // A column of type "null" has no null bitmap.
            Self::Other(array) if array.is_null(at) || *array.data_type() == DataType::Null => Cell::Null,
            Self::Other(_) => Cell::Broken("type"),
        }
    }
}

fn text_between(bytes: &[u8], start: i64, end: i64) -> Cell<'_> {
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    checked_text(range.and_then(|(start, end)| bytes.get(start..end)))
}

fn checked_text(bytes: Option<&[u8]>) -> Cell<'_> {
    match bytes.map(std::str::from_utf8) {
        Some(Ok(text)) => Cell::Text(text),
        Some(Err(_)) => Cell::Broken("utf-8"),
        None => Cell::Broken("arrow"),
    }
}
