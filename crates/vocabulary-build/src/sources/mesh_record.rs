//! Records of MeSH as both layouts give them, on their way to terms and concepts.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::{Sink, Summary, curie};
use crate::term::{Concept, TermKind};
use notesieve_text::error::Result;

/// The CURIE prefix.
pub const SYSTEM: &str = "mesh";

/// One entry term of a record.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    pub(super) text: String,
    pub(super) permuted: bool,
    pub(super) preferred: bool,
}

/// A record as both layouts give it.
#[derive(Clone, Debug, Default)]
pub(super) struct Heading {
    pub(super) code: String,
    pub(super) name: String,
    pub(super) trees: Vec<String>,
    pub(super) mapped_to: Vec<String>,
    pub(super) registry_numbers: Vec<String>,
    pub(super) entries: Vec<Entry>,
    pub(super) supplementary: bool,
}

/// Takes the records of either layout.
pub(super) struct Mesh<'a> {
    pub(super) sink: Sink<'a>,
    pub(super) inverted: bool,
    pub(super) branches: &'a [String],
    /// Descriptors, whose parents are not known yet.
    pub(super) held: Vec<Concept>,
}

impl Mesh<'_> {
    /// Hands the terms on and keeps what must wait for the tree.
    pub(super) fn heading(&mut self, file: &Path, line: u64, heading: Heading) -> Result<()> {
        if !is_code(&heading.code) {
            return self.sink.problem(file, line, "a record without a code of the form D000001 or C000001");
        }
        if heading.name.is_empty() {
            return self.sink.problem(file, line, "a record without a name");
        }
        let wanted = |tree: &String| self.branches.iter().any(|branch| tree.starts_with(branch.as_str()));
        if !self.branches.is_empty() && !heading.trees.is_empty() && !heading.trees.iter().any(wanted) {
            self.sink.summary.read += heading.entries.len() as u64;
            self.sink.dropped_many("branch", heading.entries.len() as u64);
            return Ok(());
        }
        for entry in &heading.entries {
            self.sink.summary.read += 1;
            if entry.text.is_empty() {
                self.sink.problem(file, line, "an entry term without text")?;
            } else if entry.permuted && !self.inverted && entry.text.contains(", ") {
                self.sink.dropped("permuted");
            } else {
                let kind = if entry.preferred { TermKind::Preferred } else { TermKind::Synonym };
                self.sink.term(SYSTEM, &heading.code, &entry.text, kind)?;
            }
        }
        let mut same_as: Vec<String> =
            heading.registry_numbers.iter().filter_map(|number| curie::of_registry_number(number)).collect();
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
            return self.sink.concept(concept);
        }
        self.held.push(concept);
        Ok(())
    }

    pub(super) fn finish(mut self, path: &Path) -> Result<Summary> {
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
            self.sink.concept(concept)?;
        }
        self.sink.finish(path, "MeSH")
    }
}

fn is_code(code: &str) -> bool {
    let digits = code.strip_prefix(['D', 'C']).unwrap_or_default();
    (6..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}
