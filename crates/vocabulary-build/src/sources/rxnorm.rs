//! RxNorm: RXNCONSO with RXNSTY and RXNREL.
//!
//! The path is an `rrf` folder or its RXNCONSO file. Rows of a concept that do not stand together give the concept
//! more than once; the compiler joins them.

use std::path::Path;

use serde::Deserialize;

use super::rrf::{self, Layout};
use super::{Damage, Each, Summary, umls};
use notesieve_text::error::Result;

/// The CURIE prefix.
pub const SYSTEM: &str = "rxnorm";

/// What is read of RxNorm. An empty list asks for everything.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Sources (SAB) to read.
    pub sources: Vec<String>,
    /// Term types (TTY) to read, e.g. `IN`, `BN`, `SCD`.
    pub term_types: Vec<String>,
    /// Values of SUPPRESS that leave a term out.
    pub suppressed: Vec<String>,
    /// What happens to rows that cannot be read.
    pub damage: Damage,
}

impl Default for Options {
    /// RxNorm's own names, nothing that is obsolete or suppressed.
    fn default() -> Self {
        Self {
            sources: vec!["RXNORM".to_owned()],
            term_types: Vec::new(),
            suppressed: ["O", "E", "Y"].map(str::to_owned).to_vec(),
            damage: Damage::Count,
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
    // The first is a brand of the second.
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
