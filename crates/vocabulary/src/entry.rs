//! Entries and concepts of an open vocabulary.

use std::ops::{BitOr, BitOrAssign};

use serde::{Deserialize, Serialize};

use super::Vocabulary;
use super::class::Classes;
use super::codes::{LINKS, Link, for_each_link, join_stem};
use super::format::{EntryRecord, Section};

/// The index of an entry, that is, of a written form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(transparent)]
pub struct EntryId(pub u32);

/// The flag on a concept id of an entry that marks the form as the one its source prefers.
pub const PREFERRED: u32 = 1 << 31;
/// The value of `EntryRecord::concepts` for an entry without concepts.
pub const NO_CONCEPTS: u32 = u32::MAX;
/// The flag of an entry's record whose `concepts` is the id of its only concept.
pub const ONE_CONCEPT: u16 = 1 << 15;

/// The index of a concept. Concepts of sources with a lower priority number come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct ConceptId(pub u32);

/// Flags of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryFlags(u16);

impl EntryFlags {
    /// Matches only text in capital letters.
    pub const UPPER_ONLY: Self = Self(1);
    /// One word that is also a census name or a place, and not an ordinary word.
    pub const ALSO_NAME: Self = Self(2);
    /// A place; no reason to keep a token.
    pub const PLACE: Self = Self(4);
    /// One word that is also an ordinary word.
    pub const COMMON_WORD: Self = Self(8);
    /// A form of a concept.
    pub const TERM: Self = Self(16);
    /// A place or a phrase from a list.
    pub const PHRASE: Self = Self(32);

    /// A form that no source has: a rule derived it from others.
    pub const VARIANT: Self = Self(64);
    /// An abbreviation that only ontologies or substance catalogues have, as a synonym. In notes it usually means
    /// something else.
    pub const UNRELIABLE_ABBREVIATION: Self = Self(128);

    /// Returns whether all of `flags` are set.
    #[inline]
    pub const fn has(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// Returns the bits as stored in the file.
    pub const fn bits(self) -> u16 {
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
pub struct Concept {
    /// The code with the prefix of its system, for example `mesh:D003920`.
    pub curie: String,
    /// The preferred name in its source.
    pub preferred: String,
    /// The semantic types or tree numbers.
    pub types: Vec<String>,
    /// The CURIEs of the broader concepts.
    pub parents: Vec<String>,
    /// The CURIEs of the same concept in other systems.
    pub same_as: Vec<String>,
}

impl Vocabulary {
    /// Iterates over the concepts of an entry, best source first.
    pub fn entry_concepts(&self, entry: EntryId) -> impl Iterator<Item = ConceptId> + '_ {
        self.entry_concept_ids(entry).iter().map(|&word| ConceptId(word & !PREFERRED))
    }

    /// Returns whether the entry is the preferred form of the concept in its source.
    pub fn is_preferred(&self, entry: EntryId, concept: ConceptId) -> bool {
        self.entry_concept_ids(entry).contains(&(concept.0 | PREFERRED))
    }

    fn entry_concept_ids(&self, entry: EntryId) -> &[u32] {
        let Some(record) = self.records::<EntryRecord>(Section::Entries).get(entry.0 as usize) else { return &[] };
        if record.flags & ONE_CONCEPT != 0 {
            return std::slice::from_ref(&record.concepts);
        }
        let lists = self.records::<u32>(Section::EntryConcepts).get(record.concepts as usize..).unwrap_or_default();
        lists.split_first().and_then(|(&count, concepts)| concepts.get(..count as usize)).unwrap_or_default()
    }

    /// Returns the flags of an entry.
    pub fn entry_flags(&self, entry: EntryId) -> EntryFlags {
        self.entry_flags_lookup()(entry)
    }

    /// Returns [`Self::entry_flags`] as a closure, which is faster for many entries.
    pub fn entry_flags_lookup(&self) -> impl Fn(EntryId) -> EntryFlags {
        let records = self.records::<EntryRecord>(Section::Entries);
        |entry| {
            let record = records.get(entry.0 as usize);
            record.map_or_else(EntryFlags::default, |record| EntryFlags(record.flags & !ONE_CONCEPT))
        }
    }

    /// Returns the lists that contain the whole phrase. The lists of a single word belong to the word, not to an entry.
    pub fn entry_classes(&self, entry: EntryId) -> Classes {
        self.records::<EntryRecord>(Section::Entries)
            .get(entry.0 as usize)
            .map_or(Classes::NONE, |record| self.class_set(record.set))
    }

    /// Returns the number of entries.
    pub fn entry_count(&self) -> usize {
        self.records::<EntryRecord>(Section::Entries).len()
    }

    /// Returns the number of concepts.
    pub fn concept_count(&self) -> usize {
        self.packed(Section::Codes).map_or(0, |codes| codes.len())
    }

    /// Returns a concept, or `None` for an id that is not in this vocabulary.
    pub fn concept(&self, id: ConceptId) -> Option<Concept> {
        let [types, parents, same_as] = self.links_of_kinds(id, |_| true)?;
        Some(Concept { curie: self.curie(id), preferred: self.preferred_name(id), types, parents, same_as })
    }

    /// Returns a concept without its name and its codes in other systems.
    pub(crate) fn concept_in_hierarchy(&self, id: ConceptId) -> Option<Concept> {
        let [types, parents, same_as] = self.links_of_kinds(id, |kind| kind != Link::SameAs)?;
        Some(Concept { curie: self.curie(id), preferred: String::new(), types, parents, same_as })
    }

    /// Returns the links of a concept by kind, only those of the `wanted` kinds.
    fn links_of_kinds(&self, id: ConceptId, wanted: impl Fn(Link) -> bool) -> Option<[Vec<String>; LINKS.len()]> {
        if id.0 as usize >= self.concept_count() {
            return None;
        }
        let mut lists = [const { Vec::new() }; LINKS.len()];
        if let Some((links, stems)) = self.packed(Section::Links).zip(self.packed(Section::Stems)) {
            let record = links.record(id.0 as usize).unwrap_or_default();
            for_each_link(record, |kind, code| {
                if wanted(kind) {
                    lists[kind as usize].push(join_stem(&stems.text(code.stem as usize), code.number));
                }
            });
        }
        Some(lists)
    }

    /// Returns the code of a concept; empty for an id that is not in this vocabulary.
    pub fn curie(&self, id: ConceptId) -> String {
        self.packed(Section::Codes).map_or_else(String::new, |codes| codes.text(id.0 as usize))
    }

    /// Returns the preferred name of a concept; empty for an id that is not in this vocabulary.
    pub fn preferred_name(&self, id: ConceptId) -> String {
        self.packed(Section::Names).map_or_else(String::new, |names| names.text(id.0 as usize))
    }

    /// Returns the concept with a code, for example `mesh:D003920`.
    pub fn concept_of_curie(&self, curie: &str) -> Option<ConceptId> {
        let codes = self.packed(Section::Codes)?;
        let runs = self.records::<u32>(Section::CodeRuns);
        let ends = runs.iter().skip(1).map(|&start| start as usize).chain([codes.len()]);
        let mut ranges = runs.iter().zip(ends).map(|(&start, end)| start as usize..end);
        ranges.find_map(|range| codes.position_of_text(curie, range)).map(|at| ConceptId(at as u32))
    }
}
