//! Compiles the records of sources into one vocabulary file.
//!
//! Terms are split into the same units as notes, filtered, merged and sorted. The same records in the same order give
//! the same bytes.

mod concepts;
mod entries;
mod filter;
mod layout;
mod modifiers;

use std::collections::HashMap;
use std::time::Instant;

use serde::Serialize;

use super::term::{Record, Term, TermKind, Word};
use concepts::CollectedConcepts;
use filter::DropReason;
use notesieve_text::error::{Error, Result};
use notesieve_text::normalize::Normalized;
use notesieve_text::token::{Case, Kind, Token, tokenize};
use notesieve_vocabulary::class::{Class, Classes};
use notesieve_vocabulary::{Counts, SourceCounts, SourceInfo};

/// The result of a compilation.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The sources, in order.
    pub sources: Vec<SourceCounts>,
    /// The counts of what was kept and dropped.
    #[serde(flatten)]
    pub counts: Counts,
    /// The size of each section in bytes.
    pub sections: Vec<(String, u64)>,
    /// The total size in bytes.
    pub bytes: u64,
    /// The time from the first record to the last byte, in seconds.
    pub seconds: f64,
}

/// A collected word.
#[derive(Default)]
struct WordData {
    text: Box<str>,
    classes: Classes,
    surname: u8,
    first_name: u8,
    frequency: u64,
    rank: u8,
    usage: u32,
    uses: u32,
    letters: bool,
}

/// The kind of a form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FormKind {
    Preferred,
    Synonym,
    /// Derived by a rule; counts only if no source has the form.
    Variant,
    Place,
    /// A phrase from a list.
    Listed(Class),
}

/// A collected form, whose units are in `Compiler::units`.
struct Form {
    start: usize,
    len: u8,
    kind: FormKind,
    /// Whether it is a single unit in capital letters.
    upper: bool,
    /// Whether it alternates capital letters and digits without spaces, as gene symbols do.
    symbol: bool,
    /// The number of letters and digits, saturating at 255.
    size: u8,
    concept: u32,
    source: u16,
}

/// The value of `Form::concept` for a form without a concept.
const NO_CONCEPT: u32 = u32::MAX;

/// Collects records and writes a vocabulary.
///
/// # Examples
///
/// ```
/// use notesieve_vocabulary_build::term::{Record, Term, TermKind};
/// use notesieve_vocabulary::{SourceInfo, Vocabulary};
/// use notesieve_vocabulary_build::Compiler;
///
/// let mut compiler = Compiler::new();
/// compiler.begin_source(SourceInfo { name: "Mine".into(), system: "mine".into(), ..SourceInfo::default() });
/// compiler.push_record(Record::Term(Term {
///     text: "Myocardial Infarction".into(),
///     code: "1".into(),
///     system: "mine".into(),
///     kind: TermKind::Preferred,
/// }));
/// let (bytes, report) = compiler.finish()?;
/// assert_eq!(report.counts.terms, 1);
/// let vocabulary = Vocabulary::from_bytes(bytes)?;
/// let found = vocabulary.lookup("myocardial infarction");
/// assert_eq!(vocabulary.concept(found[0]).unwrap().curie, "mine:1");
/// # Ok::<(), notesieve_text::Error>(())
/// ```
pub struct Compiler {
    started: Instant,
    sources: Vec<SourceCounts>,
    words: Vec<WordData>,
    word_ids: HashMap<Box<str>, u32>,
    units: Vec<u32>,
    forms: Vec<Form>,
    collected: CollectedConcepts,
    counts: Counts,
    normalized: Normalized,
    tokens: Vec<Token>,
}

impl Default for Compiler {
    fn default() -> Self {
        Self::new()
    }
}

impl Compiler {
    /// Creates a compiler without records.
    #[must_use]
    pub fn new() -> Self {
        Self {
            started: Instant::now(),
            sources: Vec::new(),
            words: Vec::new(),
            word_ids: HashMap::new(),
            units: Vec::new(),
            forms: Vec::new(),
            collected: CollectedConcepts::default(),
            counts: Counts::default(),
            normalized: Normalized::new(""),
            tokens: Vec::new(),
        }
    }

    /// Starts a source: the records that follow belong to it.
    pub fn begin_source(&mut self, source: SourceInfo) {
        self.collected.set_priority(&source.system, source.priority);
        self.sources.push(SourceCounts { source, ..SourceCounts::default() });
    }

    /// Adds a source of an included, already compiled vocabulary; its priority is offset by that of the vocabulary.
    pub(super) fn add_included_source(&mut self, mut source: SourceCounts, after: u32) {
        source.source.priority = source.source.priority.saturating_add(after);
        self.collected.set_priority(&source.source.system, source.source.priority);
        self.sources.push(source);
    }

    /// Sets the version of the current source, which some files state only while they are read.
    pub fn set_source_version(&mut self, version: &str) {
        if let Some(last) = self.sources.last_mut() {
            version.clone_into(&mut last.source.version);
        }
    }

    /// Adds a record. Records before the first [`begin_source`](Self::begin_source) belong to an unnamed source.
    pub fn push_record(&mut self, record: Record) {
        if self.sources.is_empty() {
            self.begin_source(SourceInfo::default());
        }
        match record {
            Record::Concept(concept) => {
                self.current_counts().concepts += 1;
                self.collected.add(concept);
            }
            Record::Term(term) => self.push_term(&term),
            Record::Word(word) => self.push_word(&word),
        }
    }

    /// Writes the vocabulary.
    pub fn finish(self) -> Result<(Vec<u8>, Report)> {
        layout::lay_out_vocabulary(self)
    }

    fn current_counts(&mut self) -> &mut SourceCounts {
        let last = self.sources.len() - 1;
        &mut self.sources[last]
    }

    fn push_term(&mut self, term: &Term) {
        self.current_counts().terms += 1;
        self.counts.read += 1;
        let kind = match term.kind {
            TermKind::Preferred => FormKind::Preferred,
            TermKind::Synonym => FormKind::Synonym,
            TermKind::Variant => FormKind::Variant,
            TermKind::Place => FormKind::Place,
        };
        let concept = match term.kind {
            TermKind::Place => NO_CONCEPT,
            _ => self.collected.concept_named_by(term),
        };
        self.push_form(&term.text, kind, concept);
    }

    fn push_word(&mut self, word: &Word) {
        self.current_counts().words += 1;
        self.counts.read += 1;
        let start = self.units.len();
        self.push_form(&word.text, FormKind::Listed(word.class), NO_CONCEPT);
        if self.units.len() != start + 1 {
            return;
        }
        // A single unit is a word of the list, not a phrase.
        self.forms.pop();
        let unit = self.units.pop().unwrap_or_default();
        let data = &mut self.words[unit as usize];
        data.classes |= word.class.as_set();
        let rank = notesieve_vocabulary::words::FrequencyRanks::rank_of_count(word.count);
        match word.class {
            Class::Surname => data.surname = data.surname.max(rank),
            Class::FirstName => data.first_name = data.first_name.max(rank),
            Class::Stop | Class::English | Class::Literature | Class::WordCount | Class::Clinical => {
                data.frequency = data.frequency.max(word.count);
                data.rank = data.rank.max(rank);
            }
            Class::Usage => data.usage = word.count as u32,
            _ => {}
        }
    }

    /// Splits a text into units and collects it, unless no text can match it.
    fn push_form(&mut self, text: &str, kind: FormKind, concept: u32) {
        self.normalized.fold(text);
        tokenize(text, &self.normalized, &mut self.tokens);
        let folded = self.normalized.folded();
        let start = self.units.len();
        let mut words = 0;
        let mut size = 0_usize;
        let (mut upper, mut capitals) = (true, true);
        for token in &self.tokens {
            if token.skipped_in_terms() {
                continue;
            }
            let unit = &folded[token.span().range()];
            words += usize::from(token.kind == Kind::Word);
            if matches!(token.kind, Kind::Word | Kind::Number) {
                size += unit.chars().count();
                upper &= token.case == Case::Upper;
                capitals &= token.kind == Kind::Number || token.case == Case::Upper;
            }
            let id = intern_word(&mut self.words, &mut self.word_ids, unit, token.kind == Kind::Word);
            self.units.push(id);
        }
        // "sp." is the same term as "sp".
        while self.units.len() > start + 1
            && self.units.last().is_some_and(|&unit| &*self.words[unit as usize].text == ".")
        {
            self.units.pop();
        }
        let len = self.units.len() - start;
        let dropped = match kind {
            _ if len == 0 => Some(DropReason::Empty),
            FormKind::Listed(_) => (len > filter::MAX_UNITS).then_some(DropReason::Long),
            _ => filter::dropped_by_shape(words, len, size, kind == FormKind::Place),
        };
        if let Some(filter) = dropped {
            self.units.truncate(start);
            *self.counts.dropped.entry(filter.name().to_owned()).or_default() += 1;
            return;
        }
        self.forms.push(Form {
            start,
            len: len as u8,
            kind,
            upper: upper && len == 1,
            symbol: capitals && words > 0 && len > 1 && self.tokens[1..].iter().all(|token| token.glued()),
            size: size.min(255) as u8,
            concept,
            source: (self.sources.len() - 1) as u16,
        });
    }

    /// Returns the system of a form's source.
    fn system_of(&self, form: &Form) -> &str {
        &self.sources[form.source as usize].source.system
    }

    fn units_of(&self, form: &Form) -> &[u32] {
        &self.units[form.start..form.start + form.len as usize]
    }
}

fn intern_word(words: &mut Vec<WordData>, ids: &mut HashMap<Box<str>, u32>, unit: &str, letters: bool) -> u32 {
    if let Some(&id) = ids.get(unit) {
        return id;
    }
    let id = words.len() as u32;
    ids.insert(unit.into(), id);
    words.push(WordData { text: unit.into(), letters, ..WordData::default() });
    id
}

/// Creates the error for exceeding a limit of the format.
fn too_large_error(what: &str, most: usize) -> Error {
    Error::Policy(format!("a vocabulary holds at most {most} {what}"))
}

#[cfg(test)]
mod tests;
