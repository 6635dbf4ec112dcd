//! What can be chosen of each: one type a choice.

use serde::{Deserialize, Serialize};

/// Which numbers stay besides those inside terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Numbers {
    /// None.
    None,
    /// Those that the clinical grammar vouches for.
    Strict,
    /// Also short ones, of which the model is sure that they identify nobody: whole numbers of up to three digits, decimals, ratios, clock
    /// times without a colon. Without a model the same as `Strict`.
    Judged,
    /// Also whole numbers of up to three digits, decimals and ratios that no rule removes.
    Wide,
    /// All that no rule removes.
    All,
}

/// What happens to words on no list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unknown {
    /// They go.
    Remove,
    /// They stay where the model is sure that they name nobody.
    Judged,
    /// They stay unless a rule or a list of names and places speaks against them.
    Keep,
}

/// How a matched term is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Terms {
    /// As the note writes it.
    Written,
    /// As the vocabulary prefers it, followed by its code.
    Preferred,
    /// As its code alone.
    Code,
}

/// What stands for a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dates {
    /// A tag.
    Tag,
    /// Its year.
    Year,
    /// The date moved by as many days as all dates of the patient. Needs a key, and the patient's number.
    Shift,
}

/// What happens to years that stand alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Years {
    /// They stay from 1960 on, unless the dates around them move or they belong to a longer date. Years before may tell an age
    /// over 89.
    Keep,
    /// They go.
    Remove,
}

/// The order of day, month and year in figures.
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

/// What stands for what was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Replace {
    /// The tag of its category.
    Tag,
    /// The tag with a number: the same person, place or number has the same one.
    Numbered,
    /// Something else of the same kind. Needs a key.
    Surrogate,
    /// The mask of words on no list, so that not even the category is told.
    Mask,
}

/// What stands for an age over 89.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ages {
    /// `90+`.
    #[serde(rename = "90+")]
    TopCode,
    /// A tag.
    #[serde(rename = "tag")]
    Tag,
}

/// What happens to postal codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Zip {
    /// They go.
    Remove,
    /// Their first three digits stay where more than 20,000 people live: see [`crate::zip`].
    Prefix,
}

/// What happens to ordinary words that are names too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ambiguous {
    /// Their place decides.
    Context,
    /// They go wherever they have a capital letter.
    Always,
    /// They stay unless a rule sees more than their capital letter: a title, a field, a relative.
    Never,
}

/// Tags in square brackets: `[NAME]`.
pub(crate) const SQUARE: &str = "square";

/// Tags in angle brackets: `<NAME>`.
pub(crate) const ANGLE: &str = "angle";

/// Tags as deid.pl writes them: `[**Last name**]`.
pub(crate) const DEID: &str = "deid";
