//! Where a vocabulary comes from and what it holds, as the file says it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Where records come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceInfo {
    /// What people call it.
    pub name: String,
    /// The CURIE prefix of its codes; empty for word lists.
    pub system: String,
    /// Its version or date.
    pub version: String,
    /// Its licence.
    pub licence: String,
    /// The package, file or address that it was taken from.
    pub package: String,
    /// Codes of the source with the lowest number come first where a term has several.
    pub priority: u32,
}

/// A source with what it gave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceCounts {
    /// The source.
    #[serde(flatten)]
    pub source: SourceInfo,
    /// Concepts read.
    pub concepts: u64,
    /// Terms read.
    pub terms: u64,
    /// Terms kept.
    pub kept: u64,
    /// Words read.
    pub words: u64,
}

/// What a compiled vocabulary holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Terms and words read.
    pub read: u64,
    /// Terms kept.
    pub kept: u64,
    /// Terms dropped, by the filter that dropped them.
    pub dropped: BTreeMap<String, u64>,
    /// Kept terms whose form another kept term has.
    pub merged: u64,
    /// Distinct words.
    pub words: u64,
    /// Distinct forms of concepts.
    pub terms: u64,
    /// Those of them that no source has: rules made them.
    pub variants: u64,
    /// Places and other phrases of lists.
    pub phrases: u64,
    /// Concepts.
    pub concepts: u64,
    /// Forms with several concepts.
    pub shared: u64,
    /// Forms of one word that are also somebody's name or a place and no ordinary word.
    pub ambiguous: u64,
    /// Forms that count in capital letters only.
    pub upper_only: u64,
}

/// What the header section of a file holds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Contents {
    /// The sources in their order.
    pub sources: Vec<SourceCounts>,
    /// What was kept and what was not.
    pub counts: Counts,
}
