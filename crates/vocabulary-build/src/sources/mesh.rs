//! MeSH: descriptors and supplementary concepts in NLM's XML (`desc20XX.xml`, `supp20XX.xml`).
//!
//! Terms are streamed. A descriptor's parents are known only after the whole tree was read, so its concept follows
//! all terms; a supplementary concept is emitted at once, with the headings it is mapped to as its parents.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde::Deserialize;

use super::xml::{Node, Xml};
use super::{Each, OnUnreadable, Sink, Summary, curie};
use crate::term::{Concept, TermKind};
use notesieve_text::error::Result;

/// The CURIE prefix.
pub const SYSTEM: &str = "mesh";

/// Options for reading MeSH.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Whether to read permuted entry terms that contain a comma ("Acute Abdomen" as "Abdomen, Acute"). The other
    /// permuted terms (plurals, hyphens) are always read.
    pub inverted: bool,
    /// The branches of the tree to read, as prefixes of tree numbers: `["C", "F03"]` are the diseases. Empty for all.
    /// Not applied to records outside the tree: supplementary concepts, and the top headings in some files.
    pub branches: Vec<String>,
    /// How to handle unreadable records.
    pub damage: OnUnreadable,
}

/// Reads a file of MeSH.
pub fn read(path: &Path, options: &Options, each: Each<'_>) -> Result<Summary> {
    let mut mesh = Mesh {
        sink: Sink::new(each, options.damage),
        inverted: options.inverted,
        branches: &options.branches,
        held: Vec::new(),
    };
    read_records(path, &mut mesh)?;
    mesh.finish(path)
}

/// Reads `desc20XX.xml` or `supp20XX.xml`.
fn read_records(path: &Path, mesh: &mut Mesh<'_>) -> Result<()> {
    let mut xml = Xml::open(path)?;
    let mut heading = Heading::default();
    let mut entry = Entry::default();
    let mut began = 0;
    let mut preferred_concept = false;
    while let Some(node) = xml.next()? {
        match (node, xml.name()) {
            (Node::Start, "DescriptorRecord" | "SupplementalRecord") => {
                began = xml.line();
                heading = Heading { supplementary: xml.is_at_path("SupplementalRecord"), ..Heading::default() };
            }
            (Node::Start, "Concept") => {
                preferred_concept = xml.attribute("PreferredConceptYN").as_deref() == Some("Y");
            }
            (Node::Start, "Term") => {
                let yes = |name| xml.attribute(name).as_deref() == Some("Y");
                let (permuted, preferred) = (yes("IsPermutedTermYN"), yes("RecordPreferredTermYN"));
                entry = Entry { text: String::new(), permuted, preferred };
            }
            (Node::End, "String") if xml.is_at_path("Term/String") => xml.text().clone_into(&mut entry.text),
            (Node::End, "String")
                if xml.is_at_path("DescriptorRecord/DescriptorName/String")
                    || xml.is_at_path("SupplementalRecord/SupplementalRecordName/String") =>
            {
                xml.text().clone_into(&mut heading.name);
            }
            (Node::End, "DescriptorUI") if xml.is_at_path("DescriptorRecord/DescriptorUI") => {
                xml.text().clone_into(&mut heading.code);
            }
            (Node::End, "DescriptorUI") if xml.is_at_path("HeadingMappedTo/DescriptorReferredTo/DescriptorUI") => {
                // An asterisk marks the main heading.
                heading.mapped_to.push(xml.text().trim_start_matches('*').to_owned());
            }
            (Node::End, "SupplementalRecordUI") => xml.text().clone_into(&mut heading.code),
            (Node::End, "TreeNumber") => heading.trees.push(xml.text().to_owned()),
            // A descriptor's other concepts are narrower or related, and their registry numbers are not the
            // descriptor's.
            (Node::End, "RegistryNumber") if preferred_concept => heading.registry_numbers.push(xml.text().to_owned()),
            (Node::End, "Term") => heading.entries.push(std::mem::take(&mut entry)),
            (Node::End, "DescriptorRecord" | "SupplementalRecord") => {
                mesh.emit_heading(path, began, std::mem::take(&mut heading))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// One entry term of a record.
#[derive(Clone, Debug, Default)]
struct Entry {
    text: String,
    permuted: bool,
    preferred: bool,
}

/// A descriptor or supplementary record.
#[derive(Clone, Debug, Default)]
struct Heading {
    code: String,
    name: String,
    trees: Vec<String>,
    mapped_to: Vec<String>,
    registry_numbers: Vec<String>,
    entries: Vec<Entry>,
    supplementary: bool,
}

/// Collects and emits the records.
struct Mesh<'a> {
    sink: Sink<'a>,
    inverted: bool,
    branches: &'a [String],
    /// Descriptors whose parents are not known yet.
    held: Vec<Concept>,
}

impl Mesh<'_> {
    /// Emits the terms of a record, and its concept if that need not wait for the tree.
    fn emit_heading(&mut self, file: &Path, line: u64, heading: Heading) -> Result<()> {
        if !is_code(&heading.code) {
            return self.sink.record_problem(file, line, "a record without a code of the form D000001 or C000001");
        }
        if heading.name.is_empty() {
            return self.sink.record_problem(file, line, "a record without a name");
        }
        let wanted = |tree: &String| self.branches.iter().any(|branch| tree.starts_with(branch.as_str()));
        if !self.branches.is_empty() && !heading.trees.is_empty() && !heading.trees.iter().any(wanted) {
            self.sink.summary.read += heading.entries.len() as u64;
            self.sink.count_many_dropped("branch", heading.entries.len() as u64);
            return Ok(());
        }
        for entry in &heading.entries {
            self.sink.summary.read += 1;
            if entry.text.is_empty() {
                self.sink.record_problem(file, line, "an entry term without text")?;
            } else if entry.permuted && !self.inverted && entry.text.contains(", ") {
                self.sink.count_dropped("permuted");
            } else {
                let kind = if entry.preferred { TermKind::Preferred } else { TermKind::Synonym };
                self.sink.emit_term(SYSTEM, &heading.code, &entry.text, kind)?;
            }
        }
        let mut same_as: Vec<String> =
            heading.registry_numbers.iter().filter_map(|number| curie::curie_of_registry_number(number)).collect();
        same_as.sort();
        same_as.dedup();
        let concept = Concept {
            code: heading.code,
            system: SYSTEM.to_owned(),
            preferred: heading.name,
            types: heading.trees,
            parents: heading.mapped_to.iter().map(|code| format!("{SYSTEM}:{code}")).collect(),
            same_as,
        };
        if heading.supplementary {
            return self.sink.emit_concept(concept);
        }
        self.held.push(concept);
        Ok(())
    }

    fn finish(mut self, path: &Path) -> Result<Summary> {
        let held = std::mem::take(&mut self.held);
        let codes: HashMap<&str, &str> = held
            .iter()
            .flat_map(|concept| concept.types.iter().map(|tree| (tree.as_str(), concept.code.as_str())))
            .collect();
        let mut parents: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (at, concept) in held.iter().enumerate() {
            let above = concept.types.iter().filter_map(|tree| tree.rsplit_once('.'));
            let mut found: Vec<String> =
                above.filter_map(|(above, _)| codes.get(above)).map(|code| format!("{SYSTEM}:{code}")).collect();
            found.sort();
            found.dedup();
            parents.insert(at, found);
        }
        for (at, mut concept) in held.into_iter().enumerate() {
            concept.parents = parents.remove(&at).unwrap_or_default();
            self.sink.emit_concept(concept)?;
        }
        self.sink.finish(path, "MeSH")
    }
}

fn is_code(code: &str) -> bool {
    let digits = code.strip_prefix(['D', 'C']).unwrap_or_default();
    (6..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{TemporaryFile, read as read_fixture, try_read};
    use super::super::{Source, fixture};
    use super::*;

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
        let strict = Source::Mesh(Options { damage: OnUnreadable::Stop, ..Options::default() });
        let error = try_read(&strict, &fixture::path("mesh/damaged.xml")).expect_err("strict").to_string();
        assert!(error.contains("damaged.xml:3: "), "{error}");
    }

    #[test]
    fn a_truncated_or_foreign_file_is_an_error() {
        let whole = std::fs::read(fixture::path("mesh/desc.xml")).expect("a fixture");
        let cut = TemporaryFile::new("desc-cut.xml", &whole[..whole.len() / 2]);
        assert!(try_read(&mesh(), &cut.0).is_err());
        for (name, text) in [("foreign.xml", "<html><body/></html>"), ("foreign.txt", "nothing of the kind\n")] {
            let foreign = TemporaryFile::new(name, text.as_bytes());
            let error = try_read(&mesh(), &foreign.0).expect_err("foreign").to_string();
            assert!(error.contains("MeSH"), "{error}");
        }
    }
}
