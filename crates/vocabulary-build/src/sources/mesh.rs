//! MeSH: descriptors and supplementary concepts in NLM's XML (`desc20XX.xml`, `supp20XX.xml`).
//!
//! Terms stream. A descriptor's parents are known only when the whole tree has been read, so its concept comes after
//! all terms; a supplementary concept comes at once, with the headings it is mapped to as its parents.

use std::path::Path;

use serde::Deserialize;

use super::mesh_record::Mesh;
pub use super::mesh_record::SYSTEM;
use super::{Damage, Each, Sink, Summary, mesh_xml};
use notesieve_text::error::Result;

/// What is read of MeSH.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Whether permuted entry terms that hold a comma ("Acute Abdomen" as "Abdomen, Acute") are terms too. The others
    /// among the permuted (plurals, hyphens) always are.
    pub inverted: bool,
    /// Branches of the tree to read, as beginnings of tree numbers: `["C", "F03"]` are the diseases. Empty for all, and
    /// never asked of what stands in no tree: supplementary concepts, and the headings at the top in some files.
    pub branches: Vec<String>,
    /// What happens to records that cannot be read.
    pub damage: Damage,
}

/// Reads a file of MeSH.
pub fn read(path: &Path, options: &Options, each: Each<'_>) -> Result<Summary> {
    let mut mesh = Mesh {
        sink: Sink::new(each, options.damage),
        inverted: options.inverted,
        branches: &options.branches,
        held: Vec::new(),
    };
    mesh_xml::read(path, &mut mesh)?;
    mesh.finish(path)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Scratch, read as read_fixture, try_read};
    use super::super::{Source, fixture};
    use super::*;
    use crate::term::TermKind;

    fn mesh() -> Source {
        Source::Mesh(Options::default())
    }

    #[test]
    fn terms_trees_and_parents() {
        let xml = read_fixture(&mesh(), "mesh/desc.xml");
        assert_eq!(
            xml.terms_of("D990002"),
            ["Fever, Marsh & Fen", "Fens, Fever of the", "Marsh Fever", "Marsh Fevers"]
        );
        assert_eq!(xml.terms.iter().filter(|term| term.kind == TermKind::Preferred).count(), 3);
        let fever = xml.concept("D990002");
        assert_eq!(fever.types, ["C99.100.200", "C99.300"]);
        assert_eq!(fever.parents, ["mesh:D990001"]);
        assert_eq!(xml.concept("D990003").same_as, ["ec:2.7.11.1"]);
        assert_eq!(xml.summary.read, 8);
        assert_eq!(xml.summary.dropped["permuted"], 1);
    }

    #[test]
    fn permuted_terms_are_kept_on_request() {
        let all = read_fixture(&Source::Mesh(Options { inverted: true, ..Options::default() }), "mesh/desc.xml");
        assert_eq!(all.terms_of("D990002").len(), 5);
        assert!(all.summary.dropped.is_empty());
    }

    #[test]
    fn branches_can_be_chosen() {
        let options = Options { branches: vec!["C".to_owned()], ..Options::default() };
        let diseases = read_fixture(&Source::Mesh(options), "mesh/desc.xml");
        assert_eq!(diseases.concepts.len(), 2);
        assert_eq!(diseases.summary.dropped["branch"], 2);
    }

    #[test]
    fn supplementary_concepts_have_the_headings_they_map_to_as_parents() {
        let supplementary = read_fixture(&mesh(), "mesh/supp.xml");
        assert_eq!(supplementary.terms_of("C990100"), ["marshamycin", "Fenicillin"]);
        assert_eq!(supplementary.concept("C990100").parents, ["mesh:D990003", "mesh:D990001"]);
        assert_eq!(supplementary.concept("C990100").same_as, ["unii:I0J33N5627"]);
    }

    #[test]
    fn a_record_without_a_code_is_counted_with_its_line() {
        let damaged = read_fixture(&mesh(), "mesh/damaged.xml");
        assert_eq!(damaged.summary.unreadable, 1);
        let lines: Vec<u64> = damaged.summary.problems.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [3]);
        let strict = Source::Mesh(Options { damage: Damage::Stop, ..Options::default() });
        let error = try_read(&strict, &fixture::path("mesh/damaged.xml")).expect_err("strict").to_string();
        assert!(error.contains("damaged.xml:3: "), "{error}");
    }

    #[test]
    fn a_truncated_or_foreign_file_is_an_error() {
        let whole = std::fs::read(fixture::path("mesh/desc.xml")).expect("a fixture");
        let cut = Scratch::new("desc-cut.xml", &whole[..whole.len() / 2]);
        assert!(try_read(&mesh(), &cut.0).is_err());
        for (name, text) in [("foreign.xml", "<html><body/></html>"), ("foreign.txt", "nothing of the kind\n")] {
            let foreign = Scratch::new(name, text.as_bytes());
            let error = try_read(&mesh(), &foreign.0).expect_err("foreign").to_string();
            assert!(error.contains("MeSH"), "{error}");
        }
    }
}
