//! RxNorm: RXNCONSO with RXNSTY and RXNREL.
//!
//! The path is an `rrf` folder or its RXNCONSO file. If the rows of a concept are not contiguous, the concept is
//! emitted more than once; the compiler merges the parts.

use std::path::Path;

use serde::Deserialize;

use super::rrf::{self, Layout};
use super::{Each, OnUnreadable, Summary, umls};
use notesieve_text::error::Result;

/// The CURIE prefix.
pub const SYSTEM: &str = "rxnorm";

/// Options for reading RxNorm. An empty list selects everything.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The sources (SAB) to read.
    pub sources: Vec<String>,
    /// The term types (TTY) to read, for example `IN`, `BN`, `SCD`.
    pub term_types: Vec<String>,
    /// The values of SUPPRESS whose terms are left out.
    pub suppressed: Vec<String>,
    /// How to handle unreadable rows.
    pub damage: OnUnreadable,
}

impl Default for Options {
    /// Reads RxNorm's own names, without obsolete or suppressed ones.
    fn default() -> Self {
        Self {
            sources: vec!["RXNORM".to_owned()],
            term_types: Vec::new(),
            suppressed: ["O", "E", "Y"].map(str::to_owned).to_vec(),
            damage: OnUnreadable::Count,
        }
    }
}

const LAYOUT: Layout = Layout {
    format: "RxNorm",
    system: SYSTEM,
    atoms: "RXNCONSO.RRF",
    types: "RXNSTY.RRF",
    relations: "RXNREL.RRF",
    paths: None,
    ranks: None,
    letter: "",
    // The first concept of the relationship is a brand of the second.
    broader: &["has_tradename"],
    secondary: &["SY", "PSN", "TMSY", "ET"],
};

/// Reads an rrf folder or an RXNCONSO file.
pub fn read(path: &Path, options: &Options, each: Each<'_>) -> Result<Summary> {
    let options = umls::Options {
        languages: Vec::new(),
        sources: options.sources.clone(),
        term_types: options.term_types.clone(),
        suppressed: options.suppressed.clone(),
        excluded_semantic_types: Vec::new(),
        cross_references: Vec::new(),
        damage: options.damage,
        ..umls::Options::default()
    };
    rrf::read(path, &LAYOUT, &options, each)
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::super::fixture::read as read_fixture;
    use super::*;

    #[test]
    fn names_types_and_broader_drugs() {
        let records = read_fixture(&Source::RxNorm(Options::default()), "rxnorm");
        assert_eq!(records.terms_of("9900002"), ["marshamycin 50 MG Oral Tablet", "marshamycin 50 MG Tab"]);
        assert_eq!(records.concept("9900002").preferred, "marshamycin 50 MG Oral Tablet");
        assert_eq!(records.concept("9900002").types, ["T200"]);
        assert_eq!(records.concept("9900002").parents, ["rxnorm:9900003"]);
        assert_eq!(records.summary.dropped["source"], 1);
        assert_eq!(records.summary.dropped["suppressed"], 1);
    }
}
