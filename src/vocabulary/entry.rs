//! Entries and concepts of an open vocabulary: what a match stands for.

use std::ops::{BitOr, BitOrAssign};

use serde::Serialize;

use super::Vocabulary;
use super::class::Classes;
use super::format::{ConceptRecord, EntryRecord, Section};
use super::trie::EntryId;

/// In the section of entry concepts: the source prefers this form of the concept.
pub(super) const PREFERRED: u32 = 1 << 31;

/// The number of a concept. Concepts of sources with a lower priority number come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct ConceptId(pub u32);

/// Facts about an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryFlags(u16);

impl EntryFlags {
    /// It counts only where the text writes it in capital letters.
    pub const UPPER_ONLY: Self = Self(1);
    /// One word that is also a census name or a place, and no ordinary word.
    pub const AMBIGUOUS: Self = Self(2);
    /// A place; never a permission.
    pub const PLACE: Self = Self(4);
    /// One word that is an ordinary word too.
    pub const COMMON_WORD: Self = Self(8);
    /// A form of a concept.
    pub const TERM: Self = Self(16);
    /// A place or a phrase of a list.
    pub const PHRASE: Self = Self(32);

    /// No source has the form: a rule made it of others.
    pub const VARIANT: Self = Self(64);

    /// Whether all of `flags` are set.
    #[inline]
    pub const fn has(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// As the file holds them.
    pub(super) const fn bits(self) -> u16 {
        self.0
    }
}

impl BitOr for EntryFlags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for EntryFlags {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// A concept of a published vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Concept<'a> {
    /// The code with the prefix of its system, e.g. `mesh:D003920`.
    pub curie: &'a str,
    /// The name that its source prefers.
    pub preferred: &'a str,
    /// Semantic types or tree numbers.
    pub types: Vec<&'a str>,
    /// CURIEs of the broader concepts.
    pub parents: Vec<&'a str>,
    /// CURIEs of the same concept elsewhere.
    pub same_as: Vec<&'a str>,
}

impl Vocabulary {
    /// The concepts of an entry, best source first.
    pub fn entry_concepts(&self, entry: EntryId) -> impl Iterator<Item = ConceptId> + '_ {
        self.entry_concept_words(entry).iter().map(|&word| ConceptId(word & !PREFERRED))
    }

    /// Whether the entry is the form that the source of the concept prefers.
    pub fn is_preferred(&self, entry: EntryId, concept: ConceptId) -> bool {
        self.entry_concept_words(entry).contains(&(concept.0 | PREFERRED))
    }

    fn entry_concept_words(&self, entry: EntryId) -> &[u32] {
        let records = self.records::<EntryRecord>(Section::Entries);
        let range = records
            .get(entry.0 as usize)
            .zip(records.get(entry.0 as usize + 1))
            .map_or(0..0, |(record, next)| record.concepts as usize..next.concepts as usize);
        self.records::<u32>(Section::EntryConcepts).get(range).unwrap_or_default()
    }

    /// Facts about an entry.
    pub fn entry_flags(&self, entry: EntryId) -> EntryFlags {
        self.records::<EntryRecord>(Section::Entries)
            .get(entry.0 as usize)
            .map_or_else(EntryFlags::default, |record| EntryFlags(record.flags))
    }

    /// The lists on which the whole phrase stands. Those of a single word belong to the word, not to an entry.
    pub fn entry_classes(&self, entry: EntryId) -> Classes {
        self.records::<EntryRecord>(Section::Entries)
            .get(entry.0 as usize)
            .map_or(Classes::NONE, |record| self.class_set(record.set))
    }

    /// The number of entries.
    pub fn entry_count(&self) -> usize {
        self.records::<EntryRecord>(Section::Entries).len().saturating_sub(1)
    }

    /// The number of concepts.
    pub fn concept_count(&self) -> usize {
        self.records::<ConceptRecord>(Section::Concepts).len()
    }

    /// A concept. `None` for an id that is not of this vocabulary.
    pub fn concept(&self, id: ConceptId) -> Option<Concept<'_>> {
        let record = self.records::<ConceptRecord>(Section::Concepts).get(id.0 as usize)?;
        let lists = self.records::<u32>(Section::Lists);
        let mut at = record.lists as usize;
        let mut list = |len: usize| -> Vec<&str> {
            let start = at;
            at = at.saturating_add(len);
            lists.get(start..at).unwrap_or_default().iter().map(|&string| self.string(string)).collect()
        };
        Some(Concept {
            curie: self.string(record.curie),
            preferred: self.string(record.preferred),
            types: list(record.types as usize),
            parents: list(record.parents as usize),
            same_as: list(record.same_as as usize),
        })
    }

    /// The code of a concept, empty for an id that is not of this vocabulary.
    pub fn curie(&self, id: ConceptId) -> &str {
        let record = self.records::<ConceptRecord>(Section::Concepts).get(id.0 as usize);
        record.map_or("", |record| self.string(record.curie))
    }

    /// The name that the source of a concept prefers, empty for an id that is not of this vocabulary.
    pub fn preferred(&self, id: ConceptId) -> &str {
        let record = self.records::<ConceptRecord>(Section::Concepts).get(id.0 as usize);
        record.map_or("", |record| self.string(record.preferred))
    }

    /// The concept with a code, e.g. `mesh:D003920`.
    pub fn concept_of(&self, curie: &str) -> Option<ConceptId> {
        let order = self.records::<u32>(Section::ConceptOrder);
        let at = order.partition_point(|&id| self.curie(ConceptId(id)) < curie);
        order.get(at).map(|&id| ConceptId(id)).filter(|&id| self.curie(id) == curie)
    }

    fn string(&self, id: u32) -> &str {
        let starts = self.records::<u32>(Section::StringStarts);
        let range = starts
            .get(id as usize)
            .zip(starts.get(id as usize + 1))
            .map_or(0..0, |(&start, &end)| start as usize..end as usize);
        let bytes = self.section(Section::Strings).get(range).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}
