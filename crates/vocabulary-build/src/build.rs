//! Builds a vocabulary from published sources: reads, suppresses, adds variants, compiles.
//!
//! The entry point to `sources`, `suppress`, `variants` and `compile`, called by `notesieve vocabulary build`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::compile::{self, Compiler};
use super::sources::{Source, Summary};
use super::suppress::{Reason, reason_to_suppress};
use super::term::{Record, Term, TermKind};
use super::variants::variants;
use notesieve_text::error::{Error, Result};
use notesieve_vocabulary::{SourceInfo, Vocabulary};

/// A source to read, with its metadata.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceSpec {
    /// The format, with its options.
    pub source: Source,
    /// The path of the file or folder.
    pub path: PathBuf,
    /// The version; if empty, the version stated in the file.
    #[serde(default)]
    pub version: String,
    /// The licence.
    #[serde(default)]
    pub licence: String,
    /// The rank of the source: a term's codes from the source with the lowest number come first.
    #[serde(default = "default_priority")]
    pub priority: u32,
}

/// Returns the default priority, after any usual explicit one.
const fn default_priority() -> u32 {
    100
}

impl SourceSpec {
    /// Creates a spec without metadata and with the default priority.
    pub fn new(source: Source, path: impl Into<PathBuf>) -> Self {
        Self { source, path: path.into(), version: String::new(), licence: String::new(), priority: default_priority() }
    }
}

/// Options for the processing of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Whether to add variants of terms: see [`variants`](super::variants).
    pub variants: bool,
    /// Whether to leave out misleading terms: see [`suppress`](super::suppress).
    pub suppress: bool,
}

impl Default for Options {
    /// Enables both.
    fn default() -> Self {
        Self { variants: true, suppress: true }
    }
}

/// The progress of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A source is being read.
    Read {
        /// The index of the source.
        source: usize,
        /// The number of records read so far.
        records: u64,
    },
    /// All sources were read; the file is being written.
    Compile,
}

/// The result of building from one source.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SourceReport {
    /// The name of the format.
    pub format: &'static str,
    /// The path of the file or folder.
    pub path: PathBuf,
    /// The counts of what the reader read and skipped.
    #[serde(flatten)]
    pub summary: Summary,
    /// The number of misleading terms left out, by reason.
    pub suppressed: BTreeMap<&'static str, u64>,
    /// The number of variants made, by rule.
    pub variants: BTreeMap<&'static str, u64>,
    /// The duration in seconds.
    pub seconds: f64,
}

/// The result of a build.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The reports of the sources, in order.
    pub sources: Vec<SourceReport>,
    /// The report of the compiler.
    pub compiled: compile::Report,
    /// The total duration in seconds.
    pub seconds: f64,
}

/// The number of records between two calls of the progress function.
const RECORDS_PER_PROGRESS_CALL: u64 = 1 << 16;

/// A callback for the progress of a build; an error from it stops the build.
pub type OnProgress<'a> = &'a mut dyn FnMut(Progress) -> Result<()>;

/// Builds a vocabulary and reports what was read, kept and left out. The same files and options give the same bytes.
///
/// # Examples
///
/// ```no_run
/// use notesieve_vocabulary_build::build::{Options, SourceSpec, build};
/// use notesieve_vocabulary_build::sources::{Source, mesh};
///
/// let mesh = SourceSpec::new(Source::Mesh(mesh::Options::default()), "desc2026.xml");
/// let (bytes, report) = build(&[mesh], Options::default(), &mut |_| Ok(()))?;
/// println!("{} terms in {:.1} s", report.compiled.counts.terms, report.seconds);
/// # Ok::<(), notesieve_text::Error>(())
/// ```
pub fn build(specs: &[SourceSpec], options: Options, progress: OnProgress<'_>) -> Result<(Vec<u8>, Report)> {
    let start = Instant::now();
    let mut compiler = Compiler::new();
    let mut sources = Vec::with_capacity(specs.len());
    for (at, spec) in specs.iter().enumerate() {
        let began = Instant::now();
        let mut report =
            SourceReport { format: spec.source.name(), path: spec.path.clone(), ..SourceReport::default() };
        let earlier = open_if_compiled(spec)?;
        // Report the sources of the compiled vocabulary and keep their order of systems.
        for source in earlier.iter().flat_map(|vocabulary| vocabulary.info().sources) {
            compiler.add_included_source(source, spec.priority);
        }
        compiler.begin_source(source_info(spec));
        // A compiled vocabulary already went through suppression and variants.
        let options = if earlier.is_some() { Options { variants: false, suppress: false } } else { options };
        let mut records = 0;
        report.summary = spec.source.read(&spec.path, &mut |record| {
            records += 1;
            if records % RECORDS_PER_PROGRESS_CALL == 0 {
                progress(Progress::Read { source: at, records })?;
            }
            match record {
                Record::Term(term) if term.kind != TermKind::Place => {
                    add_with_variants(&mut compiler, term, options, &mut report);
                }
                other => compiler.push_record(other),
            }
            Ok(())
        })?;
        if earlier.is_none()
            && spec.version.is_empty()
            && let Some(version) = &report.summary.version
        {
            compiler.set_source_version(version);
        }
        progress(Progress::Read { source: at, records })?;
        report.seconds = began.elapsed().as_secs_f64();
        sources.push(report);
    }
    progress(Progress::Compile)?;
    let (bytes, written) = compiler.finish()?;
    Ok((bytes, Report { sources, compiled: written, seconds: start.elapsed().as_secs_f64() }))
}

/// Builds a vocabulary into a file, which is written under a temporary name and renamed when complete.
pub fn build_file(specs: &[SourceSpec], options: Options, out: &Path, progress: OnProgress<'_>) -> Result<Report> {
    let (bytes, report) = build(specs, options, progress)?;
    let failed = |source| Error::File { path: out.to_owned(), source };
    let mut partial = out.as_os_str().to_owned();
    partial.push(".partial");
    std::fs::write(&partial, bytes).map_err(failed)?;
    std::fs::rename(&partial, out).map_err(failed)?;
    Ok(report)
}

/// Opens the vocabulary of a source that is itself a compiled vocabulary.
fn open_if_compiled(spec: &SourceSpec) -> Result<Option<Vocabulary>> {
    match &spec.source {
        Source::Compiled(_) => Vocabulary::open(&spec.path).map(Some),
        Source::Open { vocabulary, .. } => Ok(Some(vocabulary.clone())),
        _ => Ok(None),
    }
}

fn source_info(spec: &SourceSpec) -> SourceInfo {
    let file = spec.path.file_name().unwrap_or_default().to_string_lossy();
    SourceInfo {
        name: spec.source.name().to_owned(),
        system: spec.source.system().to_owned(),
        version: spec.version.clone(),
        licence: spec.licence.clone(),
        package: file.into_owned(),
        priority: spec.priority,
    }
}

/// Adds a term and its variants. An underspecified term ("Asthma NOS") is left out, but its variant without these words
/// is added.
fn add_with_variants(compiler: &mut Compiler, term: Term, options: Options, report: &mut SourceReport) {
    let reason = if options.suppress { reason_to_suppress(&term.text) } else { None };
    if let Some(reason) = reason {
        *report.suppressed.entry(reason.name()).or_default() += 1;
    }
    if options.variants && matches!(reason, None | Some(Reason::Underspecified)) {
        for (text, rule) in variants(&term.text) {
            if options.suppress && reason_to_suppress(&text).is_some() {
                continue;
            }
            *report.variants.entry(rule.name()).or_default() += 1;
            let (code, system) = (term.code.clone(), term.system.clone());
            compiler.push_record(Record::Term(Term { text, code, system, kind: TermKind::Variant }));
        }
    }
    if reason.is_none() {
        compiler.push_record(Record::Term(term));
    }
}

#[cfg(test)]
mod tests {
    use super::super::sources::{OnUnreadable, fixture, icd10cm, mesh, obo, words};
    use super::*;
    use notesieve_vocabulary::{Class, EntryFlags, Vocabulary};

    fn spec(source: Source, name: &str, priority: u32) -> SourceSpec {
        SourceSpec { priority, ..SourceSpec::new(source, fixture::path(name)) }
    }

    fn specs() -> Vec<SourceSpec> {
        vec![
            spec(Source::Obo(obo::Options::default()), "ontology.obo", 20),
            spec(Source::Mesh(mesh::Options::default()), "mesh/desc.xml", 10),
            spec(Source::Icd10cm(icd10cm::Options::default()), "icd10cm/tabular.xml", 30),
        ]
    }

    fn curies(vocabulary: &Vocabulary, text: &str) -> Vec<String> {
        vocabulary.lookup(text).iter().map(|&id| vocabulary.curie(id)).collect()
    }

    #[test]
    fn several_sources_with_priorities_and_variants() {
        let mut calls = Vec::new();
        let (bytes, report) = build(&specs(), Options::default(), &mut |step| {
            calls.push(step);
            Ok(())
        })
        .expect("built");
        assert_eq!(calls.last(), Some(&Progress::Compile));
        let vocabulary = Vocabulary::from_bytes(bytes).expect("a vocabulary");
        assert_eq!(curies(&vocabulary, "marsh fever"), ["mesh:D990002", "hp:9900001", "icd10cm:A99"]);
        // Only a variant of ICD's "Marsh fever, unspecified" has this form, and a stated form takes precedence over a
        // variant.
        assert!(!curies(&vocabulary, "marsh fever").contains(&"icd10cm:A99.9".to_owned()));
        assert_eq!(report.sources[2].suppressed["underspecified"], 1);
        assert_eq!(curies(&vocabulary, "marsh protein"), ["mesh:D990003"]);
        let variant = vocabulary.entry_of("marsh protein").expect("an entry");
        assert!(vocabulary.entry_flags(variant).has(EntryFlags::VARIANT));
        let stated = vocabulary.entry_of("marsh proteins").expect("an entry");
        assert!(!vocabulary.entry_flags(stated).has(EntryFlags::VARIANT));
        assert!(report.sources[1].variants["number"] > 0);
        let info = vocabulary.info();
        assert_eq!(
            info.sources.iter().map(|source| source.source.version.as_str()).collect::<Vec<_>>(),
            ["hp/releases/2025-01-16", "", "2026"]
        );
    }

    #[test]
    fn without_variants_and_suppression_the_terms_are_those_of_the_source() {
        let options = Options { variants: false, suppress: false };
        let (bytes, report) = build(&specs(), options, &mut |_| Ok(())).expect("built");
        let vocabulary = Vocabulary::from_bytes(bytes).expect("a vocabulary");
        assert!(vocabulary.lookup("marsh protein").is_empty());
        assert_eq!(curies(&vocabulary, "Marsh fever, unspecified"), ["icd10cm:A99.9"]);
        assert_eq!(report.compiled.counts.variants, 0);
    }

    #[test]
    fn the_same_sources_give_the_same_bytes() {
        let once = build(&specs(), Options::default(), &mut |_| Ok(())).expect("built").0;
        assert_eq!(once, build(&specs(), Options::default(), &mut |_| Ok(())).expect("built").0);
    }

    #[test]
    fn names_of_a_list_make_terms_ambiguous() {
        let list = fixture::TemporaryFile::new("surnames.txt", b"Paludin\t400\n");
        let source = Source::Words(words::Options { class: Class::Surname, damage: OnUnreadable::Count });
        let all = [SourceSpec::new(source, &list.0), specs().remove(1)];
        let (bytes, report) = build(&all, Options::default(), &mut |_| Ok(())).expect("built");
        let vocabulary = Vocabulary::from_bytes(bytes).expect("a vocabulary");
        let entry = vocabulary.entry_of("paludin").expect("an entry");
        assert!(vocabulary.entry_flags(entry).has(EntryFlags::ALSO_NAME));
        assert_eq!(report.compiled.counts.ambiguous, 1);
    }
}
