//! Readers of published vocabulary formats, one file per format.
//!
//! Reading is the first step of a build: a reader turns a published file into [`Record`]s, in file order, and passes
//! each to its caller at once. Each reader documents what it must hold back (a tree, a table of types). All readers
//! open plain and gzip-compressed files.
//!
//! All readers handle damage in the same way. An unreadable record (a line with too few fields, a malformed code, text
//! that is not UTF-8) is skipped, counted in [`Summary::unreadable`] and, up to a limit, listed with its line in
//! [`Summary::problems`]; with [`OnUnreadable::Stop`] the first one is an error. A file that does not have the format at
//! all (a missing column, malformed XML, a truncated gzip member, no record) is always an error.

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

/// A callback for the records of a reader.
pub type Each<'a> = &'a mut dyn FnMut(Record) -> Result<()>;

/// The maximum number of unreadable records that a summary lists; the others are only counted.
pub const MAX_LISTED_PROBLEMS: usize = 20;

/// An unreadable record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The path of the file.
    pub file: String,
    /// The line number, from 1.
    pub line: u64,
    /// The problem, without the content of the line.
    pub problem: String,
}

/// Counts of what a reader read, emitted and skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The number of terms and words in the file, before any filter.
    pub read: u64,
    /// The number of concepts emitted.
    pub concepts: u64,
    /// The number of terms emitted.
    pub terms: u64,
    /// The number of words emitted.
    pub words: u64,
    /// The number of terms dropped, by filter.
    pub dropped: BTreeMap<&'static str, u64>,
    /// The number of unreadable records.
    pub unreadable: u64,
    /// The first unreadable records, at most [`MAX_LISTED_PROBLEMS`].
    pub problems: Vec<Problem>,
    /// The version that the file states.
    pub version: Option<String>,
}

/// How a reader handles an unreadable record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnUnreadable {
    /// Skips it, counts it and lists it.
    #[default]
    Count,
    /// Stops with [`Error::Source`].
    Stop,
}

/// The output of every reader: emits records and counts them.
struct Sink<'a> {
    each: Each<'a>,
    damage: OnUnreadable,
    summary: Summary,
}

impl<'a> Sink<'a> {
    fn new(each: Each<'a>, damage: OnUnreadable) -> Self {
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

    /// Records an unreadable record at a line; an error if the caller wants to stop at the first.
    fn record_problem(&mut self, file: &Path, line: u64, problem: impl Into<String>) -> Result<()> {
        let (file, problem) = (file.display().to_string(), problem.into());
        if self.damage == OnUnreadable::Stop {
            return Err(Error::Source { file, line, problem });
        }
        self.summary.unreadable += 1;
        if self.summary.problems.len() < MAX_LISTED_PROBLEMS {
            self.summary.problems.push(Problem { file, line, problem });
        }
        Ok(())
    }

    /// Returns the summary, or an error if the file had no readable record: then it probably has another format.
    fn finish(self, file: &Path, format: &str) -> Result<Summary> {
        let summary = self.summary;
        if summary.terms + summary.words == 0 && summary.dropped.is_empty() {
            return Err(not_of_format(file, 0, format!("no record that can be read: is this {format}?")));
        }
        Ok(summary)
    }
}

/// Creates the error for a file that does not have the format.
fn not_of_format(file: &Path, line: u64, problem: impl Into<String>) -> Error {
    Error::Source { file: file.display().to_string(), line, problem: problem.into() }
}

/// A published file or folder with the options for reading it. As JSON: the name of the format and its options.
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
    /// The LOINC table.
    Loinc(loinc::Options),
    /// Delimited text with named columns.
    Delimited(delimited::Options),
    /// A word list.
    Words(words::Options),
    /// A compiled vocabulary.
    Compiled(compiled::Options),
    /// An open vocabulary.
    #[serde(skip)]
    Open {
        /// The vocabulary.
        vocabulary: Vocabulary,
        /// What to read from it.
        options: compiled::Options,
    },
}

impl Source {
    /// Reads the file and passes each record to `each`.
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

    /// Returns the name of the format in reports.
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

    /// Returns the CURIE prefix of its codes; empty if it has several or none.
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
    //! Helpers for the tests of all readers.

    use super::*;
    use std::path::PathBuf;

    /// Returns the path of a file under `tests/fixtures/sources`.
    pub(in super::super) fn path(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/sources").join(name)
    }

    /// The records of a source, by kind.
    #[derive(Debug, Default)]
    pub(in super::super) struct Records {
        pub(in super::super) concepts: Vec<Concept>,
        pub(in super::super) terms: Vec<Term>,
        pub(in super::super) words: Vec<Word>,
        pub(in super::super) summary: Summary,
    }

    impl Records {
        /// Returns the texts of a code's terms.
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

    /// Reads a fixture, and checks that the reader's counts agree with the emitted records.
    pub(in super::super) fn read(source: &Source, name: &str) -> Records {
        let records = try_read(source, &path(name)).expect("the fixture is readable");
        assert_eq!(records.summary.concepts as usize, records.concepts.len());
        assert_eq!(records.summary.terms as usize, records.terms.len());
        assert_eq!(records.summary.words as usize, records.words.len());
        records
    }

    /// A temporary file, removed on drop.
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
