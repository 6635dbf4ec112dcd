//! The options of a policy, one type per choice.

use serde::{Deserialize, Serialize};

/// The numbers that are kept in addition to those inside terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Numbers {
    /// None.
    None,
    /// Those that the clinical grammar vouches for.
    Strict,
    /// Also short numbers that the model is sure identify nobody: integers of up to three digits, decimals, ratios,
    /// clock times without a colon. Without a model, as `Strict`.
    Judged,
    /// Also integers of up to three digits, decimals and ratios that no rule removes.
    Wide,
    /// All that no rule removes.
    All,
}

/// The treatment of unlisted words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unknown {
    /// Removed.
    Remove,
    /// Kept where the model is sure that they name nobody.
    Judged,
    /// Kept unless a rule or a list of names and places is against them.
    Keep,
}

/// The output form of a matched term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Terms {
    /// As in the note.
    Written,
    /// The preferred name of the vocabulary, followed by its code.
    Preferred,
    /// As its code alone.
    Code,
}

/// The replacement of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dates {
    /// A tag.
    Tag,
    /// The year.
    Year,
    /// The shifted date: all dates of a patient move by the same number of days. Needs a key, and the patient's number.
    Shift,
}

/// The treatment of years alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Years {
    /// Kept from 1960 on, unless the dates around them are shifted or they belong to a longer date. Earlier years may
    /// reveal an age over 89.
    Keep,
    /// Removed.
    Remove,
}

/// The order of day, month and year in numeric dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DateOrder {
    /// 3/14/2006.
    Mdy,
    /// 14/3/2006.
    Dmy,
    /// 2006/3/14.
    Ymd,
}

/// The replacement of what was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Replace {
    /// The tag of the category.
    Tag,
    /// The tag with a number: the same person, place or number gets the same one.
    Numbered,
    /// A surrogate of the same kind. Needs a key.
    Surrogate,
    /// The mask of unlisted words, so that not even the category is revealed.
    Mask,
}

/// The replacement of an age over 89.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ages {
    /// `90+`.
    #[serde(rename = "90+")]
    TopCode,
    /// A tag.
    #[serde(rename = "tag")]
    Tag,
}

/// The treatment of postal codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Zip {
    /// Removed.
    Remove,
    /// The first three digits are kept where more than 20,000 people live: see [`crate::zip`].
    Prefix,
}

/// The treatment of ordinary words that are also names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ambiguous {
    /// Judged by context.
    Context,
    /// Removed wherever they are capitalised.
    Always,
    /// Kept unless a rule has more evidence than the capital letter: a title, a field, a relative.
    Never,
}

/// Tags in square brackets: `[NAME]`.
pub(crate) const SQUARE: &str = "square";

/// Tags in angle brackets: `<NAME>`.
pub(crate) const ANGLE: &str = "angle";

/// Tags in the style of deid.pl: `[**Last name**]`.
pub(crate) const DEID: &str = "deid";
