//! Readers of published vocabulary formats, one file a format.
//!
//! First step of a build: a reader turns a published file into [`Record`]s, in the order of the file, and hands each to
//! its caller at once; what it must hold back (a tree, a table of types) it says in its own documentation. Every reader
//! opens plain and gzip-compressed files alike.
//!
//! All readers treat damage in the same way. A record that cannot be read (a line with too few fields, a code of the
//! wrong form, text that is not UTF-8) is left out, counted in [`Summary::unreadable`] and, up to a limit, listed with
//! its line in [`Summary::problems`]; with [`Damage::Stop`] the first one is an error. A file that is not of the format at
//! all (a missing column, XML that is not well formed, a truncated gzip member, no record) is always an error.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::term::{Concept, Record, Term, TermKind, Word};
use notesieve_text::error::{Error, Result};
use notesieve_vocabulary::Vocabulary;

pub mod compiled;
mod csv;
pub mod curie;
pub mod delimited;
pub mod icd10cm;
pub mod lists;
pub mod loinc;
pub mod mesh;
pub mod obo;
mod open;
mod rrf;
pub mod rxnorm;
pub mod snomed;
pub mod umls;
pub mod words;
mod xml;

/// What takes the records of a reader.
pub type Each<'a> = &'a mut dyn FnMut(Record) -> Result<()>;

/// How many unreadable records a summary lists; the rest are counted only.
pub const LISTED_PROBLEMS: usize = 20;

/// What a reader could not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// What is wrong. Never the content of the line.
    pub problem: String,
}

/// What a reader read, kept and left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Terms and words found in the file, before any filter.
    pub read: u64,
    /// Concepts handed on.
    pub concepts: u64,
    /// Terms handed on.
    pub terms: u64,
    /// Words handed on.
    pub words: u64,
    /// Terms left out, by the filter that did it.
    pub dropped: BTreeMap<&'static str, u64>,
    /// Records that could not be read.
    pub unreadable: u64,
    /// The first of them, at most [`LISTED_PROBLEMS`].
    pub problems: Vec<Problem>,
    /// The version that the file gives for itself.
    pub version: Option<String>,
}

/// What a reader does with a record that it cannot read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Damage {
    /// Leaves it out, counts and lists it.
    #[default]
    Count,
    /// Stops with [`Error::Source`].
    Stop,
}

/// Hands records on and keeps the summary: the one way out of every reader.
struct Sink<'a> {
    each: Each<'a>,
    damage: Damage,
    summary: Summary,
}

impl<'a> Sink<'a> {
    fn new(each: Each<'a>, damage: Damage) -> Self {
        Self { each, damage, summary: Summary::default() }
    }

    fn emit_concept(&mut self, concept: Concept) -> Result<()> {
        self.summary.concepts += 1;
        (self.each)(Record::Concept(concept))
    }

    fn emit_term(&mut self, system: &str, code: &str, text: &str, kind: TermKind) -> Result<()> {
        self.summary.terms += 1;
        let term = Term { text: text.to_owned(), code: code.to_owned(), system: system.to_owned(), kind };
        (self.each)(Record::Term(term))
    }

    fn emit_word(&mut self, word: Word) -> Result<()> {
        self.summary.words += 1;
        (self.each)(Record::Word(word))
    }

    fn count_dropped(&mut self, filter: &'static str) {
        self.count_many_dropped(filter, 1);
    }

    fn count_many_dropped(&mut self, filter: &'static str, count: u64) {
        if count > 0 {
            *self.summary.dropped.entry(filter).or_default() += count;
        }
    }

    /// Records what cannot be read at a line; an error if the caller wants to stop at the first.
    fn record_problem(&mut self, file: &Path, line: u64, problem: impl Into<String>) -> Result<()> {
        let (file, problem) = (file.display().to_string(), problem.into());
        if self.damage == Damage::Stop {
            return Err(Error::Source { file, line, problem });
        }
        self.summary.unreadable += 1;
        if self.summary.problems.len() < LISTED_PROBLEMS {
            self.summary.problems.push(Problem { file, line, problem });
        }
        Ok(())
    }

    /// The summary, or an error if the file held no record that can be read: then it is hardly of the format.
    fn finish(self, file: &Path, format: &str) -> Result<Summary> {
        let summary = self.summary;
        if summary.terms + summary.words == 0 && summary.dropped.is_empty() {
            return Err(not_of_format(file, 0, format!("no record that can be read: is this {format}?")));
        }
        Ok(summary)
    }
}

/// The error for a file that is not of the format.
fn not_of_format(file: &Path, line: u64, problem: impl Into<String>) -> Error {
    Error::Source { file: file.display().to_string(), line, problem: problem.into() }
}

/// A published file (or folder) and how to read it. As JSON: the name of the format and its options.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "format", rename_all = "lowercase")]
pub enum Source {
    /// MeSH descriptors or supplementary concepts, XML.
    Mesh(mesh::Options),
    /// A UMLS META folder or its MRCONSO file.
    Umls(umls::Options),
    /// An RxNorm rrf folder or its RXNCONSO file.
    RxNorm(rxnorm::Options),
    /// A SNOMED CT RF2 snapshot.
    Snomed(snomed::Options),
    /// An ontology in OBO format.
    Obo(obo::Options),
    /// ICD-10-CM: tabular XML, order file or code file.
    Icd10cm(icd10cm::Options),
    /// LOINC's table.
    Loinc(loinc::Options),
    /// Delimited text with named columns.
    Delimited(delimited::Options),
    /// A list of words.
    Words(words::Options),
    /// A vocabulary that was compiled before.
    Compiled(compiled::Options),
    /// A vocabulary that is open.
    #[serde(skip)]
    Open {
        /// The vocabulary.
        vocabulary: Vocabulary,
        /// What is taken of it.
        options: compiled::Options,
    },
}

impl Source {
    /// Reads the file and hands each record on.
    pub fn read(&self, path: &Path, each: Each<'_>) -> Result<Summary> {
        match self {
            Self::Mesh(options) => mesh::read(path, options, each),
            Self::Umls(options) => umls::read(path, options, each),
            Self::RxNorm(options) => rxnorm::read(path, options, each),
            Self::Snomed(options) => snomed::read(path, options, each),
            Self::Obo(options) => obo::read(path, options, each),
            Self::Icd10cm(options) => icd10cm::read(path, options, each),
            Self::Loinc(options) => loinc::read(path, options, each),
            Self::Delimited(options) => delimited::read(path, options, each),
            Self::Words(options) => words::read(path, options, each),
            Self::Compiled(options) => compiled::read(path, *options, each),
            Self::Open { vocabulary, options } => compiled::read_open_vocabulary(vocabulary, *options, each),
        }
    }

    /// What the format is called, in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Mesh(_) => "MeSH",
            Self::Umls(_) => "UMLS",
            Self::RxNorm(_) => "RxNorm",
            Self::Snomed(_) => "SNOMED CT",
            Self::Obo(_) => "OBO",
            Self::Icd10cm(_) => "ICD-10-CM",
            Self::Loinc(_) => "LOINC",
            Self::Delimited(_) => "delimited text",
            Self::Words(_) => "word list",
            Self::Compiled(_) | Self::Open { .. } => "compiled vocabulary",
        }
    }

    /// The CURIE prefix of its codes; empty where it has several or none.
    pub fn system(&self) -> &str {
        match self {
            Self::Mesh(_) => mesh::SYSTEM,
            Self::Umls(_) => umls::SYSTEM,
            Self::RxNorm(_) => rxnorm::SYSTEM,
            Self::Snomed(_) => snomed::SYSTEM,
            Self::Icd10cm(_) => icd10cm::SYSTEM,
            Self::Loinc(_) => loinc::SYSTEM,
            Self::Delimited(options) => options.system.as_deref().unwrap_or_default(),
            Self::Obo(_) | Self::Words(_) | Self::Compiled(_) | Self::Open { .. } => "",
        }
    }
}

#[cfg(test)]
pub(super) mod fixture {
    //! What the tests of all readers share.

    use super::*;
    use std::path::PathBuf;

    /// A file under `tests/fixtures/sources`.
    pub(in super::super) fn path(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/sources").join(name)
    }

    /// What a source gave, sorted apart.
    #[derive(Debug, Default)]
    pub(in super::super) struct Records {
        pub(in super::super) concepts: Vec<Concept>,
        pub(in super::super) terms: Vec<Term>,
        pub(in super::super) words: Vec<Word>,
        pub(in super::super) summary: Summary,
    }

    impl Records {
        /// The texts of a code's terms.
        pub(in super::super) fn terms_of(&self, code: &str) -> Vec<&str> {
            self.terms.iter().filter(|term| term.code == code).map(|term| term.text.as_str()).collect()
        }

        pub(in super::super) fn concept(&self, code: &str) -> &Concept {
            self.concepts.iter().find(|concept| concept.code == code).expect("a concept of that code")
        }
    }

    pub(in super::super) fn try_read(source: &Source, path: &Path) -> Result<Records> {
        let mut records = Records::default();
        let summary = source.read(path, &mut |record| {
            match record {
                Record::Concept(concept) => records.concepts.push(concept),
                Record::Term(term) => records.terms.push(term),
                Record::Word(word) => records.words.push(word),
            }
            Ok(())
        })?;
        records.summary = summary;
        Ok(records)
    }

    /// Reads a fixture; every reader's counts must agree with what it handed on.
    pub(in super::super) fn read(source: &Source, name: &str) -> Records {
        let records = try_read(source, &path(name)).expect("the fixture is readable");
        assert_eq!(records.summary.concepts as usize, records.concepts.len());
        assert_eq!(records.summary.terms as usize, records.terms.len());
        assert_eq!(records.summary.words as usize, records.words.len());
        records
    }

    /// A temporary file of a test, removed when dropped.
    pub(in super::super) struct TemporaryFile(pub(in super::super) PathBuf);

    impl TemporaryFile {
        pub(in super::super) fn new(name: &str, bytes: &[u8]) -> Self {
            let path = std::env::temp_dir().join(format!("notesieve-{}-{name}", std::process::id()));
            std::fs::write(&path, bytes).expect("the folder for temporary files is writable");
            Self(path)
        }
    }

    impl Drop for TemporaryFile {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }
}
