//! SNOMED CT: the snapshot of a release in RF2.
//!
//! The path is the folder of a release, or any folder inside it that contains the files. Terms are streamed from the
//! description file; concepts need all of their descriptions, so they follow all terms.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::csv::CsvTable;
use super::{Each, OnUnreadable, Sink, Summary, not_of_format};
use crate::term::{Concept, TermKind};
use notesieve_text::error::{Error, Result};

/// The CURIE prefix.
pub const SYSTEM: &str = "snomed";

const IS_A: u64 = 116_680_003;
const FULLY_SPECIFIED_NAME: u64 = 900_000_000_000_003_001;
const PREFERRED: u64 = 900_000_000_000_548_007;

/// Options for reading SNOMED CT.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The language codes to read.
    pub languages: Vec<String>,
    /// The language reference set that marks the preferred descriptions.
    pub language_refset: u64,
    /// The semantic tags ("disorder", "procedure") to leave out.
    pub excluded_tags: Vec<String>,
    /// How to handle unreadable rows.
    pub damage: OnUnreadable,
}

impl Default for Options {
    /// Reads US English without people, places or organisations, whose names may identify someone.
    fn default() -> Self {
        let tags = ["person", "geographic location", "religion/philosophy", "ethnic group", "racial group"];
        Self {
            languages: vec!["en".to_owned()],
            language_refset: 900_000_000_000_509_007,
            excluded_tags: tags.map(str::to_owned).to_vec(),
            damage: OnUnreadable::Count,
        }
    }
}

/// Reads a snapshot.
pub fn read(path: &Path, options: &Options, each: Each<'_>) -> Result<Summary> {
    let mut sink = Sink::new(each, options.damage);
    let mut files = Vec::new();
    files_below(path, &mut files)?;
    let snapshot = |start: &str| -> Vec<&PathBuf> {
        let wanted = |file: &&PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // The file names of test releases begin with an x.
            name.trim_start_matches('x').starts_with(start) && name.contains("Snapshot")
        };
        files.iter().filter(wanted).collect()
    };
    let descriptions = snapshot("sct2_Description_");
    if descriptions.is_empty() {
        return Err(not_of_format(path, 0, "no sct2_Description_*Snapshot* in this folder"));
    }
    let active = active_concepts(&snapshot("sct2_Concept_"), &mut sink)?;
    let preferred = preferred_descriptions(&snapshot("der2_cRefset_Language"), options.language_refset, &mut sink)?;
    let mut names = read_names(&descriptions, options, active.as_ref(), &preferred, &mut sink)?;
    let mut parents = read_parents(&snapshot("sct2_Relationship_"), &mut sink)?;
    let mut codes: Vec<u64> = names.keys().copied().collect();
    codes.sort_unstable();
    for code in codes {
        let Some(name) = names.remove(&code) else { continue };
        sink.emit_concept(Concept {
            code: code.to_string(),
            system: SYSTEM.to_owned(),
            preferred: name.preferred.unwrap_or(name.full),
            types: name.tag.into_iter().collect(),
            parents: parents
                .remove(&code)
                .unwrap_or_default()
                .iter()
                .map(|above| format!("{SYSTEM}:{above}"))
                .collect(),
            same_as: Vec::new(),
        })?;
    }
    sink.finish(path, "an RF2 snapshot")
}

/// Collects the files of a folder and its subfolders, sorted.
fn files_below(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let failed = |source| Error::File { path: path.to_owned(), source };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            files_below(&entry, files)?;
        } else {
            files.push(entry);
        }
    }
    Ok(())
}

/// Calls `take` with the active rows of tables that share these columns; reports unreadable rows to the sink.
fn for_each_row<const N: usize>(
    files: &[&PathBuf],
    columns: [&str; N],
    sink: &mut Sink<'_>,
    mut take: impl FnMut(&mut Sink<'_>, [&str; N]) -> Result<bool>,
) -> Result<()> {
    for &file in files {
        let mut table = CsvTable::open_rf2(file, sink)?;
        let active = table.column("active")?;
        let mut places = [0; N];
        for (place, column) in places.iter_mut().zip(columns) {
            *place = table.column(column)?;
        }
        while table.next_row(sink)? {
            let sound = table.field(active) != "1" || take(sink, places.map(|place| table.field(place)))?;
            if !sound {
                sink.record_problem(file, table.line(), "an identifier that is no number, or an empty term")?;
            }
        }
    }
    Ok(())
}

/// Returns the active concepts, or `None` if the file is missing: then every concept counts.
fn active_concepts(files: &[&PathBuf], sink: &mut Sink<'_>) -> Result<Option<HashSet<u64>>> {
    let mut active = HashSet::new();
    for_each_row(files, ["id"], sink, |_, [id]| Ok(id.parse().map(|id| active.insert(id)).is_ok()))?;
    Ok((!files.is_empty()).then_some(active))
}

/// Returns the descriptions that the language reference set prefers.
fn preferred_descriptions(files: &[&PathBuf], refset: u64, sink: &mut Sink<'_>) -> Result<HashSet<u64>> {
    let mut preferred = HashSet::new();
    let columns = ["refsetId", "referencedComponentId", "acceptabilityId"];
    for_each_row(files, columns, sink, |_, row| {
        let [Ok(of), Ok(description), Ok(acceptability)] = row.map(str::parse::<u64>) else { return Ok(false) };
        if of == refset && acceptability == PREFERRED {
            preferred.insert(description);
        }
        Ok(true)
    })?;
    Ok(preferred)
}

/// The names of a concept from its descriptions.
#[derive(Default)]
struct Name {
    preferred: Option<String>,
    full: String,
    tag: Option<String>,
}

/// Emits the terms and returns the names. The fully specified name contains the semantic tag, so it is read before the
/// synonyms.
fn read_names(
    files: &[&PathBuf],
    options: &Options,
    active: Option<&HashSet<u64>>,
    preferred: &HashSet<u64>,
    sink: &mut Sink<'_>,
) -> Result<HashMap<u64, Name>> {
    let columns = ["id", "conceptId", "languageCode", "typeId", "term"];
    let mut names: HashMap<u64, Name> = HashMap::new();
    let mut silent = |_| Ok(());
    // The second pass reports damaged rows.
    for_each_row(
        files,
        columns,
        &mut Sink::new(&mut silent, OnUnreadable::Count),
        |_, [_, concept, _, kind, term]| {
            if let (Ok(concept), Ok(FULLY_SPECIFIED_NAME)) = (concept.parse(), kind.parse()) {
                let (full, tag) = split_semantic_tag(term);
                names.insert(concept, Name { preferred: None, full: full.to_owned(), tag: tag.map(str::to_owned) });
            }
            Ok(true)
        },
    )?;
    for_each_row(files, columns, sink, |sink, [id, concept, language, kind, term]| {
        sink.summary.read += 1;
        let [Ok(id), Ok(code), Ok(kind)] = [id, concept, kind].map(str::parse::<u64>) else { return Ok(false) };
        if term.is_empty() {
            return Ok(false);
        }
        let name = names.entry(code).or_default();
        if active.is_some_and(|active| !active.contains(&code)) {
            sink.count_dropped("inactive concept");
        } else if !options.languages.is_empty() && !options.languages.iter().any(|one| one == language) {
            sink.count_dropped("language");
        } else if name.tag.as_ref().is_some_and(|tag| options.excluded_tags.contains(tag)) {
            sink.count_dropped("semantic tag");
        } else if kind == FULLY_SPECIFIED_NAME {
            // Nobody writes the name with its tag; without it, it usually equals one of the synonyms.
            sink.emit_term(SYSTEM, concept, split_semantic_tag(term).0, TermKind::Synonym)?;
        } else if preferred.contains(&id) {
            name.preferred = Some(term.to_owned());
            sink.emit_term(SYSTEM, concept, term, TermKind::Preferred)?;
        } else {
            sink.emit_term(SYSTEM, concept, term, TermKind::Synonym)?;
        }
        Ok(true)
    })?;
    let wanted = |code: &u64, name: &mut Name| {
        active.is_none_or(|active| active.contains(code))
            && (name.preferred.is_some() || !name.full.is_empty())
            && !name.tag.as_ref().is_some_and(|tag| options.excluded_tags.contains(tag))
    };
    names.retain(wanted);
    Ok(names)
}

/// Splits a fully specified name into name and semantic tag: `Marsh fever (disorder)`.
fn split_semantic_tag(name: &str) -> (&str, Option<&str>) {
    match name.strip_suffix(')').and_then(|name| name.rsplit_once(" (")) {
        Some((name, tag)) => (name, Some(tag)),
        None => (name, None),
    }
}

fn read_parents(files: &[&PathBuf], sink: &mut Sink<'_>) -> Result<HashMap<u64, Vec<u64>>> {
    let mut parents: HashMap<u64, Vec<u64>> = HashMap::new();
    for_each_row(files, ["sourceId", "destinationId", "typeId"], sink, |_, row| {
        let [Ok(below), Ok(above), Ok(kind)] = row.map(str::parse::<u64>) else { return Ok(false) };
        if kind == IS_A {
            parents.entry(below).or_default().push(above);
        }
        Ok(true)
    })?;
    for above in parents.values_mut() {
        above.sort_unstable();
        above.dedup();
    }
    Ok(parents)
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::super::fixture::{path, read as read_fixture, try_read};
    use super::*;

    #[test]
    fn descriptions_tags_preferences_and_is_a() {
        let records = read_fixture(&Source::Snomed(Options::default()), "snomed");
        assert_eq!(records.terms_of("990001005"), ["Marsh fever", "Marsh fever", "\"Ague\" of fens"]);
        let fever = records.concept("990001005");
        assert_eq!((fever.preferred.as_str(), fever.types.as_slice()), ("Marsh fever", &["disorder".to_owned()][..]));
        assert_eq!(fever.parents, ["snomed:990002003"]);
        let preferred = records.terms.iter().filter(|term| term.kind == TermKind::Preferred).count();
        assert_eq!(preferred, 1);
        let dropped: Vec<(&str, u64)> = records.summary.dropped.iter().map(|(&name, &count)| (name, count)).collect();
        assert_eq!(dropped, [("inactive concept", 1), ("language", 1), ("semantic tag", 1)]);
        assert_eq!(records.summary.problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [9]);
        assert_eq!(records.concepts.len(), 2);
    }

    #[test]
    fn a_folder_without_a_snapshot_is_an_error() {
        let error = try_read(&Source::Snomed(Options::default()), &path("mesh")).expect_err("foreign").to_string();
        assert!(error.contains("sct2_Description_"), "{error}");
    }
}
