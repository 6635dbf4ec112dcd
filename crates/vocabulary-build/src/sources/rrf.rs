//! Rich Release Format, shared by the UMLS and RxNorm.
//!
//! Semantic types and hierarchy are read first and held as pairs of numbers (a few hundred megabytes at the full size
//! of the UMLS); the atoms are then streamed, concept by concept, in file order.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::open::{Lines, find};
use super::umls::Options;
use super::{Each, OnUnreadable, Sink, Summary, curie, not_of_format};
use crate::term::{Concept, TermKind};
use notesieve_text::error::{Error, Result};

/// The source of broader concepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hierarchy {
    /// No hierarchy.
    None,
    /// MRREL: the parents and children that the sources state.
    #[default]
    Relations,
    /// MRHIER: the parent of each atom in its source's tree.
    Paths,
}

/// The layout of a release: file names and form of codes.
pub(super) struct Layout {
    pub(super) format: &'static str,
    pub(super) system: &'static str,
    pub(super) atoms: &'static str,
    pub(super) types: &'static str,
    pub(super) relations: &'static str,
    pub(super) paths: Option<&'static str>,
    pub(super) ranks: Option<&'static str>,
    /// The prefix before the digits of a concept's code.
    pub(super) letter: &'static str,
    /// Relationships other than PAR that name the broader concept.
    pub(super) broader: &'static [&'static str],
    /// Term types that are not a concept's own name, used if there is no table of ranks.
    pub(super) secondary: &'static [&'static str],
}

impl Layout {
    fn number_of_code(&self, code: &str) -> Option<u32> {
        number_after_letter(code, self.letter)
    }
}

fn number_after_letter(code: &str, letter: &str) -> Option<u32> {
    let digits = code.strip_prefix(letter)?;
    if digits.starts_with('+') { None } else { digits.parse().ok() }
}

/// Splits a row into its fields, each of which ends with `|`. `None` if there are more or fewer.
fn split_fields<const N: usize>(row: &str) -> Option<[&str; N]> {
    let mut fields = [""; N];
    let mut parts = row.strip_suffix('|')?.split('|');
    for field in &mut fields {
        *field = parts.next()?;
    }
    parts.next().is_none().then_some(fields)
}

/// Returns the files of a table: one file, plain or compressed, or the parts in which NLM ships it
/// (`MRCONSO.RRF.aa.gz`).
fn files_of_table(folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
    if let Some(path) = find(folder, name) {
        return Ok(vec![path]);
    }
    let failed = |source| Error::File { path: folder.to_owned(), source };
    let mut parts = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let suffix = file.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
        let letters = suffix.map(|suffix| suffix.strip_suffix(".gz").unwrap_or(suffix));
        if letters.is_some_and(|letters| letters.len() == 2 && letters.bytes().all(|byte| byte.is_ascii_lowercase())) {
            parts.push(path);
        }
    }
    parts.sort();
    Ok(parts)
}

/// Calls `take` with each row that has the right number of fields; reports the others as problems.
fn for_each_row<const N: usize>(
    paths: &[PathBuf],
    sink: &mut Sink<'_>,
    mut take: impl FnMut(&mut Sink<'_>, &Path, u64, [&str; N]) -> Result<()>,
) -> Result<()> {
    for path in paths {
        let mut lines = Lines::open(path)?;
        while let Some((number, line)) = lines.next(sink)? {
            if line.is_empty() {
                continue;
            }
            match split_fields::<N>(line) {
                Some(fields) => take(sink, path, number, fields)?,
                None => sink.record_problem(path, number, format!("not {N} fields that each end with `|`"))?,
            }
        }
    }
    Ok(())
}

/// Data on the concepts that is read before their atoms.
#[derive(Default)]
struct Tables {
    /// Pairs of a concept and a semantic type, sorted.
    types: Vec<(u32, u16)>,
    /// Pairs of a concept and a broader concept, sorted.
    parents: Vec<(u32, u32)>,
    /// The rank of each source's term types; the highest rank gives the preferred name.
    ranks: HashMap<(String, String), u32>,
}

fn pairs_of_concept<T: Copy>(pairs: &[(u32, T)], concept: u32) -> impl Iterator<Item = T> + '_ {
    let from = pairs.partition_point(|pair| pair.0 < concept);
    pairs[from..].iter().take_while(move |pair| pair.0 == concept).map(|pair| pair.1)
}

/// One name of a concept.
struct Atom {
    text: String,
    rank: u32,
}

/// Reads a release; `path` is its folder or the file of its atoms.
pub(super) fn read(path: &Path, layout: &Layout, options: &Options, each: Each<'_>) -> Result<Summary> {
    let mut sink = Sink::new(each, options.damage);
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
    let atoms = if path.is_dir() { files_of_table(path, layout.atoms)? } else { vec![path.to_owned()] };
    if atoms.is_empty() {
        return Err(not_of_format(path, 0, format!("no {} in this folder", layout.atoms)));
    }
    let tables = find_tables(folder, &atoms, layout, options.hierarchy, &mut sink)?;
    let wants_types = !options.semantic_types.is_empty() || !options.excluded_semantic_types.is_empty();
    if wants_types && tables.types.is_empty() && path.is_dir() {
        return Err(not_of_format(path, 0, format!("no {}: terms cannot be chosen by semantic type", layout.types)));
    }
    let mut reader = Reader { layout, options, tables, concept: None, atoms: Vec::new(), codes: Vec::new() };
    for_each_row(&atoms, &mut sink, |sink, path, line, row| reader.read_row(sink, path, line, &row))?;
    reader.emit_concept(&mut sink)?;
    sink.finish(path, layout.format)
}

fn find_tables(
    folder: &Path,
    atoms: &[PathBuf],
    layout: &Layout,
    hierarchy: Hierarchy,
    sink: &mut Sink<'_>,
) -> Result<Tables> {
    let mut tables = Tables::default();
    for_each_row::<6>(&files_of_table(folder, layout.types)?, sink, |sink, path, line, row| {
        match (layout.number_of_code(row[0]), row[1].strip_prefix('T').and_then(|digits| digits.parse().ok())) {
            (Some(concept), Some(of)) => tables.types.push((concept, of)),
            _ => sink.record_problem(path, line, "no concept and semantic type in the first two fields")?,
        }
        Ok(())
    })?;
    if let Some(name) = layout.ranks {
        for_each_row::<4>(&files_of_table(folder, name)?, sink, |sink, path, line, row| {
            match row[0].parse() {
                Ok(rank) => drop(tables.ranks.insert((row[1].to_owned(), row[2].to_owned()), rank)),
                Err(_) => sink.record_problem(path, line, "no rank in the first field")?,
            }
            Ok(())
        })?;
    }
    match (hierarchy, layout.paths) {
        (Hierarchy::Paths, Some(name)) => tables.parents = broader_from_trees(folder, name, atoms, layout, sink)?,
        (Hierarchy::None, _) => {}
        _ => tables.parents = broader_from_relations(folder, layout, sink)?,
    }
    tables.parents.sort_unstable();
    tables.parents.dedup();
    tables.types.sort_unstable();
    tables.types.dedup();
    Ok(tables)
}

/// Returns pairs of a concept and a broader concept. A relationship is that of the *second* concept to the first: with
/// PAR the second is the parent, with CHD the child.
fn broader_from_relations(folder: &Path, layout: &Layout, sink: &mut Sink<'_>) -> Result<Vec<(u32, u32)>> {
    let mut parents = Vec::new();
    for_each_row::<16>(&files_of_table(folder, layout.relations)?, sink, |sink, path, line, row| {
        let [first, _, _, relation, second, _, _, label, ..] = row;
        let second_is_broader = relation == "PAR" || label == "inverse_isa" || layout.broader.contains(&label);
        let second_is_narrower = !second_is_broader && (relation == "CHD" || label == "isa");
        // RxNorm also relates atoms; those rows have no concepts.
        if !(second_is_broader || second_is_narrower) || first == second || first.is_empty() || second.is_empty() {
            return Ok(());
        }
        match (layout.number_of_code(first), layout.number_of_code(second)) {
            (Some(first), Some(second)) => {
                parents.push(if second_is_broader { (first, second) } else { (second, first) });
            }
            _ => sink.record_problem(path, line, "no concepts in the first and fifth field")?,
        }
        Ok(())
    })?;
    Ok(parents)
}

/// Returns pairs of a concept and a broader concept from the trees of atoms.
fn broader_from_trees(
    folder: &Path,
    name: &str,
    atoms: &[PathBuf],
    layout: &Layout,
    sink: &mut Sink<'_>,
) -> Result<Vec<(u32, u32)>> {
    let mut concepts: Vec<(u32, u32)> = Vec::new();
    // Damaged rows are reported later, when the atoms are read for their terms.
    let mut nobody = |_| Ok(());
    let mut silent = Sink::new(&mut nobody, OnUnreadable::Count);
    for_each_row::<18>(atoms, &mut silent, |_, _, _, row| {
        if let (Some(atom), Some(concept)) = (number_after_letter(row[7], "A"), layout.number_of_code(row[0])) {
            concepts.push((atom, concept));
        }
        Ok(())
    })?;
    concepts.sort_unstable();
    let mut parents = Vec::new();
    for_each_row::<9>(&files_of_table(folder, name)?, sink, |sink, path, line, row| {
        // The root of a tree has no parent.
        if row[3].is_empty() {
            return Ok(());
        }
        match (layout.number_of_code(row[0]), number_after_letter(row[3], "A")) {
            (Some(concept), Some(atom)) => {
                parents.extend(
                    pairs_of_concept(&concepts, atom)
                        .filter(|&parent| parent != concept)
                        .map(|parent| (concept, parent)),
                );
            }
            _ => sink.record_problem(path, line, "no concept in the first field or no atom in the fourth")?,
        }
        Ok(())
    })?;
    Ok(parents)
}

struct Reader<'a> {
    layout: &'a Layout,
    options: &'a Options,
    tables: Tables,
    /// The code and the number of the concept whose atoms are being collected.
    concept: Option<(String, u32)>,
    atoms: Vec<Atom>,
    codes: Vec<String>,
}

impl Reader<'_> {
    fn read_row(&mut self, sink: &mut Sink<'_>, path: &Path, line: u64, row: &[&str; 18]) -> Result<()> {
        let [code, language, status, _, form, _, preferred, _, _, _, _, source, kind, own, text, _, suppress, _] = *row;
        sink.summary.read += 1;
        let Some(number) = self.layout.number_of_code(code) else {
            return sink.record_problem(path, line, "no concept in the first field");
        };
        if self.concept.as_ref().is_none_or(|(_, last)| *last != number) {
            self.emit_concept(sink)?;
            self.concept = Some((code.to_owned(), number));
        }
        let options = self.options;
        let refused = |wanted: &[String], value: &str| !wanted.is_empty() && !wanted.iter().any(|one| one == value);
        let listed = |unwanted: &[String], value: &str| unwanted.iter().any(|one| one == value);
        let reason = if refused(&options.languages, language) {
            "language"
        } else if listed(&options.suppressed, suppress) {
            "suppressed"
        } else if refused(&options.sources, source) || listed(&options.excluded_sources, source) {
            "source"
        } else if refused(&options.term_types, kind) || listed(&options.excluded_term_types, kind) {
            "term type"
        } else if text.trim().is_empty() {
            return sink.record_problem(path, line, "a term without text");
        } else {
            ""
        };
        if !reason.is_empty() {
            sink.count_dropped(reason);
            return Ok(());
        }
        if own != "NOCODE" && listed(&options.cross_references, source) {
            self.codes.push(curie::curie_of_umls(source, own));
        }
        self.atoms.push(Atom { text: text.to_owned(), rank: self.rank_of_term(source, kind, status, form, preferred) });
        Ok(())
    }

    /// Returns the rank of a term from the release's table, or from the row's own fields if there is no table.
    fn rank_of_term(&self, source: &str, kind: &str, status: &str, form: &str, preferred: &str) -> u32 {
        if !self.tables.ranks.is_empty() {
            let key = (source.to_owned(), kind.to_owned());
            return self.tables.ranks.get(&key).copied().unwrap_or_default();
        }
        let own_name = !self.layout.secondary.contains(&kind);
        u32::from(own_name) * 8
            + u32::from(status == "P") * 4
            + u32::from(form == "PF") * 2
            + u32::from(preferred == "Y")
    }

    /// Emits the complete concept, then its distinct terms, the preferred one first.
    fn emit_concept(&mut self, sink: &mut Sink<'_>) -> Result<()> {
        let mut atoms = std::mem::take(&mut self.atoms);
        let mut same_as = std::mem::take(&mut self.codes);
        let Some((code, number)) = self.concept.take() else { return Ok(()) };
        if atoms.is_empty() {
            return Ok(());
        }
        let types: Vec<String> = pairs_of_concept(&self.tables.types, number).map(|of| format!("T{of:03}")).collect();
        let wanted = &self.options.semantic_types;
        let unwanted = &self.options.excluded_semantic_types;
        if (!wanted.is_empty() && !types.iter().any(|of| wanted.contains(of)))
            || types.iter().any(|of| unwanted.contains(of))
        {
            sink.count_many_dropped("semantic type", atoms.len() as u64);
            return Ok(());
        }
        // A stable sort: among equal ranks the file order decides.
        atoms.sort_by_key(|atom| std::cmp::Reverse(atom.rank));
        same_as.sort();
        same_as.dedup();
        let (letter, system) = (self.layout.letter, self.layout.system);
        let width = code.len() - letter.len();
        let parent = |parent| {
            // UMLS codes are padded with zeros, RxNorm codes are not.
            if letter.is_empty() { format!("{system}:{parent}") } else { format!("{system}:{letter}{parent:0width$}") }
        };
        sink.emit_concept(Concept {
            code: code.clone(),
            system: system.to_owned(),
            preferred: atoms[0].text.clone(),
            types,
            parents: pairs_of_concept(&self.tables.parents, number).map(parent).collect(),
            same_as,
        })?;
        let mut seen = HashSet::new();
        for (at, atom) in atoms.iter().enumerate() {
            if seen.insert(atom.text.as_str()) {
                let kind = if at == 0 { TermKind::Preferred } else { TermKind::Synonym };
                sink.emit_term(system, &code, &atom.text, kind)?;
            } else {
                sink.count_dropped("duplicate");
            }
        }
        Ok(())
    }
}
