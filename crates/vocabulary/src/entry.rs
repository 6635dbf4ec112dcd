//! Entries and concepts of an open vocabulary: what a match stands for.

use std::ops::{BitOr, BitOrAssign};

use serde::{Deserialize, Serialize};

use super::Vocabulary;
use super::class::Classes;
use super::codes::{LINKS, Link, for_each_link, join_stem};
use super::format::{EntryRecord, Section};

/// The number of a written form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(transparent)]
pub struct EntryId(pub u32);

/// Beside a concept of an entry: its source prefers this form.
pub const PREFERRED: u32 = 1 << 31;
/// In an entry's record, instead of the place of its concepts: it has none.
pub const NO_CONCEPTS: u32 = u32::MAX;
/// In the flags of an entry's record: its only concept stands in the record.
pub const ONE_CONCEPT: u16 = 1 << 15;

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
    /// A short form that only ontologies or catalogues of substances have, as another name of something: in notes it mostly means
    /// something else.
    pub const UNSURE: Self = Self(128);

    /// Whether all of `flags` are set.
    #[inline]
    pub const fn has(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// As the file holds them.
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
    /// The code with the prefix of its system, e.g. `mesh:D003920`.
    pub curie: String,
    /// The name that its source prefers.
    pub preferred: String,
    /// Semantic types or tree numbers.
    pub types: Vec<String>,
    /// CURIEs of the broader concepts.
    pub parents: Vec<String>,
    /// CURIEs of the same concept elsewhere.
    pub same_as: Vec<String>,
}

impl Vocabulary {
    /// The concepts of an entry, best source first.
    pub fn entry_concepts(&self, entry: EntryId) -> impl Iterator<Item = ConceptId> + '_ {
        self.entry_concept_ids(entry).iter().map(|&word| ConceptId(word & !PREFERRED))
    }

    /// Whether the entry is the form that the source of the concept prefers.
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

    /// Facts about an entry.
    pub fn entry_flags(&self, entry: EntryId) -> EntryFlags {
        self.entry_flags_lookup()(entry)
    }

    /// [`Self::entry_flags`] for who asks of many.
    pub fn entry_flags_lookup(&self) -> impl Fn(EntryId) -> EntryFlags {
        let records = self.records::<EntryRecord>(Section::Entries);
        |entry| {
            let record = records.get(entry.0 as usize);
            record.map_or_else(EntryFlags::default, |record| EntryFlags(record.flags & !ONE_CONCEPT))
        }
    }

    /// The lists on which the whole phrase stands. Those of a single word belong to the word, not to an entry.
    pub fn entry_classes(&self, entry: EntryId) -> Classes {
        self.records::<EntryRecord>(Section::Entries)
            .get(entry.0 as usize)
            .map_or(Classes::NONE, |record| self.class_set(record.set))
    }

    /// The number of entries.
    pub fn entry_count(&self) -> usize {
        self.records::<EntryRecord>(Section::Entries).len()
    }

    /// The number of concepts.
    pub fn concept_count(&self) -> usize {
        self.packed(Section::Codes).map_or(0, |codes| codes.len())
    }

    /// A concept. `None` for an id that is not of this vocabulary.
    pub fn concept(&self, id: ConceptId) -> Option<Concept> {
        let [types, parents, same_as] = self.links_of_kinds(id, |_| true)?;
        Some(Concept { curie: self.curie(id), preferred: self.preferred_name(id), types, parents, same_as })
    }

    /// A concept without its name and its codes elsewhere.
    pub(crate) fn concept_in_hierarchy(&self, id: ConceptId) -> Option<Concept> {
        let [types, parents, same_as] = self.links_of_kinds(id, |kind| kind != Link::SameAs)?;
        Some(Concept { curie: self.curie(id), preferred: String::new(), types, parents, same_as })
    }

    /// The links of a concept of some kinds, by kind.
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

    /// The code of a concept, empty for an id that is not of this vocabulary.
    pub fn curie(&self, id: ConceptId) -> String {
        self.packed(Section::Codes).map_or_else(String::new, |codes| codes.text(id.0 as usize))
    }

    /// The name that the source of a concept prefers, empty for an id that is not of this vocabulary.
    pub fn preferred_name(&self, id: ConceptId) -> String {
        self.packed(Section::Names).map_or_else(String::new, |names| names.text(id.0 as usize))
    }

    /// The concept with a code, e.g. `mesh:D003920`.
    pub fn concept_of_curie(&self, curie: &str) -> Option<ConceptId> {
        let codes = self.packed(Section::Codes)?;
        let runs = self.records::<u32>(Section::CodeRuns);
        let ends = runs.iter().skip(1).map(|&start| start as usize).chain([codes.len()]);
        let mut ranges = runs.iter().zip(ends).map(|(&start, end)| start as usize..end);
        ranges.find_map(|range| codes.position_of_text(curie, range)).map(|at| ConceptId(at as u32))
    }
}
