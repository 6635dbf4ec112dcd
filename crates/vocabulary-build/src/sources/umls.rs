//! The UMLS Metathesaurus: MRCONSO with MRSTY, MRREL or MRHIER, and MRRANK.
//!
//! The path is a META folder or its MRCONSO file; the other files are searched for in the same folder, plain,
//! compressed, or in the parts in which NLM ships them.

use std::path::Path;

use serde::Deserialize;

use super::rrf::{self, Layout};
use super::{Each, OnUnreadable, Summary};
use notesieve_text::error::Result;

pub use super::rrf::Hierarchy;

/// The CURIE prefix.
pub const SYSTEM: &str = "umls";

/// Options for reading the Metathesaurus. An empty list selects everything.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The languages (LAT) to read.
    pub languages: Vec<String>,
    /// The sources (SAB) to read.
    pub sources: Vec<String>,
    /// The sources to leave out.
    pub excluded_sources: Vec<String>,
    /// The term types (TTY) to read.
    pub term_types: Vec<String>,
    /// The term types to leave out.
    pub excluded_term_types: Vec<String>,
    /// The values of SUPPRESS whose terms are left out.
    pub suppressed: Vec<String>,
    /// The semantic types (TUI) to read.
    pub semantic_types: Vec<String>,
    /// The semantic types to leave out: a concept with one of them is not read.
    pub excluded_semantic_types: Vec<String>,
    /// The sources whose codes are kept as cross-references.
    pub cross_references: Vec<String>,
    /// The source of broader concepts.
    pub hierarchy: Hierarchy,
    /// How to handle unreadable rows.
    pub damage: OnUnreadable,
}

fn owned_list(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

impl Default for Options {
    /// Reads English terms that are neither obsolete nor suppressed, without places, organisations, groups of people or
    /// people, whose names may identify someone.
    fn default() -> Self {
        Self {
            languages: owned_list(&["ENG"]),
            sources: Vec::new(),
            excluded_sources: Vec::new(),
            term_types: Vec::new(),
            excluded_term_types: Vec::new(),
            suppressed: owned_list(&["O", "E", "Y"]),
            semantic_types: Vec::new(),
            excluded_semantic_types: owned_list(&["T083", "T092", "T093", "T098", "T016"]),
            cross_references: owned_list(&[
                "MSH",
                "SNOMEDCT_US",
                "ICD10CM",
                "ICD10",
                "ICD9CM",
                "RXNORM",
                "LNC",
                "HPO",
                "OMIM",
                "NCI",
            ]),
            hierarchy: Hierarchy::Relations,
            damage: OnUnreadable::Count,
        }
    }
}

const LAYOUT: Layout = Layout {
    format: "UMLS",
    system: SYSTEM,
    atoms: "MRCONSO.RRF",
    types: "MRSTY.RRF",
    relations: "MRREL.RRF",
    paths: Some("MRHIER.RRF"),
    ranks: Some("MRRANK.RRF"),
    letter: "C",
    broader: &[],
    secondary: &[],
};

/// Reads a META folder or an MRCONSO file.
pub fn read(path: &Path, options: &Options, each: Each<'_>) -> Result<Summary> {
    rrf::read(path, &LAYOUT, options, each)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{self, read as read_fixture, try_read};
    use super::super::{OnUnreadable, Source};
    use super::*;
    use crate::term::TermKind;

    fn umls(change: impl FnOnce(&mut Options)) -> Source {
        let mut options = Options::default();
        change(&mut options);
        Source::Umls(options)
    }

    #[test]
    fn a_folder_gives_terms_types_parents_and_cross_references() {
        let records = read_fixture(&umls(|_| ()), "umls/META");
        assert_eq!(records.terms_of("C9900001"), ["Marsh Fever", "marsh fever", "Fever of the marshes"]);
        let fever = records.concept("C9900001");
        assert_eq!(fever.preferred, "Marsh Fever");
        assert_eq!(fever.types, ["T047"]);
        assert_eq!(fever.parents, ["umls:C9900002"]);
        assert_eq!(fever.same_as, ["hp:9900001", "mesh:D990002", "snomed:990001005"]);
        assert_eq!(records.summary.read, 12);
        let dropped: Vec<(&str, u64)> = records.summary.dropped.iter().map(|(&name, &count)| (name, count)).collect();
        assert_eq!(dropped, [("duplicate", 1), ("language", 1), ("semantic type", 1), ("suppressed", 2)]);
        assert!(records.concepts.iter().all(|concept| concept.code != "C9900004"), "a place");
    }

    #[test]
    fn the_table_of_ranks_chooses_the_preferred_name() {
        let records = read_fixture(&umls(|_| ()), "umls/META");
        let preferred: Vec<&str> = records
            .terms
            .iter()
            .filter(|term| term.kind == TermKind::Preferred)
            .map(|term| term.text.as_str())
            .collect();
        assert_eq!(preferred, ["Marsh Fever", "Swamp disorder", "Bog liver"]);
    }

    #[test]
    fn filters_by_source_term_type_and_semantic_type() {
        let mesh = read_fixture(&umls(|options| options.sources = owned_list(&["MSH"])), "umls/META");
        assert_eq!(mesh.terms_of("C9900001"), ["Marsh Fever"]);
        let types = read_fixture(&umls(|options| options.term_types = owned_list(&["SY"])), "umls/META");
        assert_eq!(types.terms_of("C9900001"), ["Fever of the marshes"]);
        let semantic = read_fixture(&umls(|options| options.semantic_types = owned_list(&["T023"])), "umls/META");
        assert_eq!(semantic.concepts.len(), 1);
        let all = read_fixture(&umls(|options| options.languages.clear()), "umls/META");
        assert!(all.terms_of("C9900001").contains(&"Fièvre des marais"));
    }

    #[test]
    fn trees_of_atoms_give_parents_too() {
        let records = read_fixture(&umls(|options| options.hierarchy = Hierarchy::Paths), "umls/META");
        assert_eq!(records.concept("C9900003").parents, ["umls:C9900002"]);
        let none = read_fixture(&umls(|options| options.hierarchy = Hierarchy::None), "umls/META");
        assert!(none.concepts.iter().all(|concept| concept.parents.is_empty()));
    }

    #[test]
    fn split_and_compressed_files_read_as_one() {
        use std::io::Write;
        let folder = std::env::temp_dir().join(format!("notesieve-{}-meta", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        let whole = std::fs::read_to_string(fixture::path("umls/META/MRCONSO.RRF")).expect("a fixture");
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        for (name, part) in [("MRCONSO.RRF.aa.gz", &lines[..4]), ("MRCONSO.RRF.ab.gz", &lines[4..])] {
            let file = std::fs::File::create(folder.join(name)).expect("writable");
            let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
            encoder.write_all(part.concat().as_bytes()).expect("writable");
        }
        for name in ["MRSTY.RRF", "MRREL.RRF", "MRRANK.RRF"] {
            std::fs::copy(fixture::path("umls/META").join(name), folder.join(name)).expect("copied");
        }
        let split = try_read(&umls(|_| ()), &folder);
        std::fs::remove_dir_all(&folder).expect("removed");
        let (split, whole) = (split.expect("readable"), read_fixture(&umls(|_| ()), "umls/META"));
        assert_eq!(split.terms, whole.terms);
        assert_eq!(split.concepts, whole.concepts);
    }

    #[test]
    fn damaged_rows_are_listed_and_the_rest_is_read() {
        let no_types = |options: &mut Options| options.excluded_semantic_types.clear();
        let records = read_fixture(&umls(no_types), "umls/damaged/MRCONSO.RRF");
        let lines: Vec<u64> = records.summary.problems.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [2, 3]);
        assert_eq!(records.terms_of("C9900001"), ["Marsh Fever", "Fever of the marshes"]);
        let strict = umls(|options| options.damage = OnUnreadable::Stop);
        assert!(try_read(&strict, &fixture::path("umls/damaged/MRCONSO.RRF")).is_err());
    }

    #[test]
    fn a_folder_without_the_file_is_an_error() {
        let error = try_read(&umls(|_| ()), &fixture::path("mesh")).expect_err("no MRCONSO").to_string();
        assert!(error.contains("MRCONSO.RRF"), "{error}");
    }
}
