//! Provenance and counts of a vocabulary, as stored in its file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The provenance of records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceInfo {
    /// The common name of the source.
    pub name: String,
    /// The CURIE prefix of its codes, empty for word lists.
    pub system: String,
    /// Its version or date.
    pub version: String,
    /// Its licence.
    pub licence: String,
    /// The package, file or address it was obtained from.
    pub package: String,
    /// The rank of the source: a term's codes from the source with the lowest number come first.
    pub priority: u32,
}

/// A source with its counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceCounts {
    /// The source.
    #[serde(flatten)]
    pub source: SourceInfo,
    /// The number of concepts read.
    pub concepts: u64,
    /// The number of terms read.
    pub terms: u64,
    /// The number of terms kept.
    pub kept: u64,
    /// The number of words read.
    pub words: u64,
}

/// Counts of a compiled vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// The number of terms and words read.
    pub read: u64,
    /// The number of terms kept.
    pub kept: u64,
    /// The number of terms dropped, by filter.
    pub dropped: BTreeMap<String, u64>,
    /// The number of kept terms that have the same form as another kept term.
    pub merged: u64,
    /// The number of distinct words.
    pub words: u64,
    /// The number of distinct forms of concepts.
    pub terms: u64,
    /// How many of these forms come from rules, not from a source.
    pub variants: u64,
    /// The number of places and other phrases of lists.
    pub phrases: u64,
    /// The number of concepts.
    pub concepts: u64,
    /// The number of forms with several concepts.
    pub shared: u64,
    /// The number of forms of one word that are also a name or a place and not an ordinary word.
    pub ambiguous: u64,
    /// The number of forms that match only in capital letters.
    pub upper_only: u64,
}

/// The contents of the provenance section of a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Contents {
    /// The sources, in order.
    pub sources: Vec<SourceCounts>,
    /// The counts of what was kept and dropped.
    pub counts: Counts,
}
