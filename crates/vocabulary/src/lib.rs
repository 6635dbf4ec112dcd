//! Compiled vocabularies: word lists, terms and concepts, looked up word by word.
//!
//! `notesieve-vocabulary-build` compiles the records of many sources into one file; [`Vocabulary`] memory-maps it. The
//! core looks words up in it with one hash per word. The hidden modules are shared with these two crates only.

pub mod class;
#[doc(hidden)]
pub mod codes;
#[doc(hidden)]
pub mod container;
#[doc(hidden)]
pub mod contents;
mod derivation;
mod edits;
#[doc(hidden)]
pub mod entry;
#[doc(hidden)]
pub mod format;
mod group;
mod hierarchy;
mod long_form;
#[doc(hidden)]
pub mod map;
#[doc(hidden)]
pub mod packed;
mod search;
#[doc(hidden)]
pub mod site;
#[doc(hidden)]
pub mod tables;
mod trees;
#[doc(hidden)]
pub mod trie;
#[doc(hidden)]
pub mod words;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use bytemuck::Pod;
use serde::Serialize;

pub use class::{Class, Classes};
pub use contents::{Counts, SourceCounts, SourceInfo};
pub use entry::{Concept, ConceptId, EntryFlags, EntryId};
pub use group::Group;
pub use long_form::long_form_start;
pub use search::{FuzzyMatch, key_of_text};
pub use site::{SiteList, SiteLists};
pub use tables::Start;
pub use trie::Node;
pub use words::{FrequencyRanks, Probe, Usage, WordId};
#[doc(hidden)]
pub use {
    container::to_hex,
    map::prefetch,
    site::Site,
    tables::Tables,
    trie::{NodeEntry, Step},
};

use container::{Container, Damage};
use contents::Contents;
use format::{EntryRecord, FORMAT, NodeRecord, Section, WordRecord};
use map::Bytes;
use notesieve_text::error::Result;
use packed::PackedRecords;
use tables::class_set;
use trie::Trie;
use words::Words;

/// The provenance and the counts of a vocabulary.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// The SHA-256 that identifies the whole file, in hexadecimal digits.
    pub digest: String,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The sources with their counts.
    pub sources: Vec<SourceCounts>,
    /// The counts of what was kept and dropped.
    pub counts: Counts,
    /// The size of each section in bytes.
    pub sections: Vec<(&'static str, u64)>,
}

/// An open vocabulary. Cloning it is cheap; it can be shared between threads.
///
/// # Examples
///
/// See the compiler in `notesieve-vocabulary-build`.
#[derive(Clone)]
pub struct Vocabulary(Arc<Inner>, Option<Arc<Site>>);

struct Inner {
    bytes: Bytes,
    container: Container,
    file: String,
    digest: String,
    provenance: Contents,
    /// The sets of classes, without the second word of each record in the file, which would only waste cache.
    sets: Box<[Classes]>,
    /// Whether the FST of words is intact, checked before its first use.
    word_set: OnceLock<bool>,
    /// The narrower concepts of each concept, computed on first use.
    children: OnceLock<hierarchy::Children>,
    /// Codes that concepts name as equivalent, with those concepts, computed on first use.
    same_as: OnceLock<Box<[(codes::Code, u32)]>>,
    /// Caches of the group of each concept and of each entry.
    groups: OnceLock<Box<[std::sync::atomic::AtomicU8]>>,
    entry_groups: OnceLock<Box<[std::sync::atomic::AtomicU8]>>,
}

impl std::fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vocabulary").field("file", &self.0.file).field("digest", &self.digest()).finish_non_exhaustive()
    }
}

impl Vocabulary {
    /// Memory-maps a compiled vocabulary and makes every check that does not need to read the whole file.
    pub fn open(path: &Path) -> Result<Self> {
        Self::new(Bytes::open(path)?, path.display().to_string())
    }

    /// Opens a compiled vocabulary from memory.
    pub fn from_bytes(bytes: impl AsRef<[u8]>) -> Result<Self> {
        Self::new(Bytes::copy_aligned(bytes.as_ref()), "<memory>".to_owned())
    }

    /// Opens a compiled vocabulary embedded in the program, without a copy if it is aligned to 64 bytes.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self> {
        Self::new(Bytes::of_static(bytes), "<embedded>".to_owned())
    }

    fn new(bytes: Bytes, file: String) -> Result<Self> {
        let all = bytes.as_ref();
        let refused = |damage: Damage| damage.of_vocabulary(&file);
        let container = FORMAT.read(all).map_err(refused)?;
        // These two sections are read now, so check them now; `verify` checks the rest.
        for section in [Section::Provenance, Section::ClassKeys] {
            container.verify_section(all, section).map_err(refused)?;
        }
        let keys = Class::ALL.iter().map(|class| class.key());
        if !container.section_bytes(all, Section::ClassKeys).split(|&byte| byte == b'\n').eq(keys.map(str::as_bytes)) {
            let problem = "made for other word classes than this program has: compile the vocabulary again";
            return Err(refused(Damage::new(Section::ClassKeys.name(), problem)));
        }
        let provenance: Contents = serde_json::from_slice(container.section_bytes(all, Section::Provenance))
            .map_err(|_| refused(Damage::new(Section::Provenance.name(), "cannot be read")))?;
        check_sizes(&container, all, &file)?;
        let digest = to_hex(&container.digest);
        let sets = container
            .section_records::<[u64; 2]>(all, Section::ClassSets)
            .iter()
            .map(|&[lists, _]| Classes(lists))
            .collect();
        let inner = Inner {
            bytes,
            container,
            file,
            digest,
            provenance,
            sets,
            word_set: OnceLock::default(),
            children: OnceLock::default(),
            same_as: OnceLock::default(),
            groups: OnceLock::default(),
            entry_groups: OnceLock::default(),
        };
        Ok(Self(Arc::new(inner), None))
    }

    /// Reads the whole file and checks that no byte of it was altered.
    pub fn verify(&self) -> Result<()> {
        let Inner { bytes, container, file, .. } = &*self.0;
        container.verify(bytes.as_ref()).map_err(|damage| damage.of_vocabulary(file))
    }

    /// Returns the SHA-256 of the whole file, combined with that of the site lists if there are any, in hexadecimal
    /// digits.
    pub fn digest(&self) -> &str {
        self.site().map_or(&self.0.digest, Site::digest)
    }

    /// Returns the path of the file, `<memory>` or `<embedded>`.
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// Returns the provenance and the counts of the vocabulary.
    pub fn info(&self) -> Info {
        let Inner { bytes, container, provenance, .. } = &*self.0;
        Info {
            digest: self.digest().to_owned(),
            bytes: bytes.as_ref().len() as u64,
            sources: provenance.sources.clone(),
            counts: provenance.counts.clone(),
            sections: container.section_sizes().collect(),
        }
    }

    /// Returns the id of a folded word.
    pub fn word_id(&self, folded: &[u8]) -> WordId {
        self.tables().word_id(folded)
    }

    /// Returns the lists that contain a word; empty for an unknown word.
    pub fn classes(&self, word: WordId) -> Classes {
        self.tables().classes(word)
    }

    /// Returns the frequency ranks of a word; zeros for an unknown word.
    pub fn ranks(&self, word: WordId) -> FrequencyRanks {
        self.tables().ranks(word)
    }

    /// Returns the text of a word; empty for an unknown word.
    pub fn word_text(&self, word: WordId) -> String {
        let Some(record) = self.word_record(word) else { return String::new() };
        String::from_utf8_lossy(self.tables().words.bytes(record, &mut [0; 16])).into_owned()
    }

    /// Returns the number of words.
    pub fn word_count(&self) -> usize {
        self.records::<WordRecord>(Section::Words).len()
    }

    /// Returns the node of the terms that begin with a word.
    pub fn root_of_word(&self, word: WordId) -> Option<Node> {
        self.word_record(word).map(|record| record.root).filter(|&root| root != 0).map(Node)
    }

    /// Returns the child of a node over a word.
    pub fn step(&self, node: Node, word: WordId) -> Option<Node> {
        self.tables().trie.step(node, word)
    }

    /// Returns the entry that ends at a node.
    pub fn entry(&self, node: Node) -> Option<EntryId> {
        self.tables().trie.entry(node).map(NodeEntry::id)
    }

    fn word_record(&self, word: WordId) -> Option<&WordRecord> {
        self.records::<WordRecord>(Section::Words).get(word.0 as usize)
    }

    fn section(&self, section: Section) -> &[u8] {
        self.0.container.section_bytes(self.0.bytes.as_ref(), section)
    }

    fn records<T: Pod>(&self, section: Section) -> &[T] {
        self.0.container.section_records(self.0.bytes.as_ref(), section)
    }

    fn class_set(&self, set: u16) -> Classes {
        class_set(&self.0.sets, set)
    }

    fn packed(&self, section: Section) -> Option<PackedRecords<'_>> {
        PackedRecords::read(self.section(section))
    }

    /// Returns the tables for hot loops. Call it once per note, not once per word.
    pub fn tables(&self) -> Tables<'_> {
        Tables {
            words: Words {
                slots: self.records(Section::Slots),
                records: self.records(Section::Words),
                long: self.section(Section::LongWords),
            },
            usage: self.records(Section::Usage),
            trie: Trie {
                nodes: self.records(Section::Nodes),
                edges: self.records(Section::Edges),
                filter: self.records(Section::Filter),
            },
            sets: &self.0.sets,
        }
    }
}

/// Checks that the sizes of related sections agree.
fn check_sizes(container: &Container, bytes: &[u8], file: &str) -> Result<()> {
    fn count_records<T: Pod>(container: &Container, bytes: &[u8], section: Section) -> Option<usize> {
        let len = container.section_bytes(bytes, section).len();
        len.is_multiple_of(size_of::<T>()).then_some(len / size_of::<T>())
    }
    let slots = count_records::<u32>(container, bytes, Section::Slots);
    let words = count_records::<WordRecord>(container, bytes, Section::Words);
    let nodes = count_records::<NodeRecord>(container, bytes, Section::Nodes);
    let edges = count_records::<u32>(container, bytes, Section::Edges);
    let entries = count_records::<EntryRecord>(container, bytes, Section::Entries);
    let numbered =
        container.section_records::<NodeRecord>(bytes, Section::Nodes).last().map(|last| last.entry as usize);
    let packed = |section| PackedRecords::read(container.section_bytes(bytes, section)).map(|packed| packed.len());
    let concepts = packed(Section::Codes);
    let checks = [
        (
            Section::ClassSets,
            count_records::<[u64; 2]>(container, bytes, Section::ClassSets).is_some_and(|sets| sets > 0),
        ),
        (Section::Slots, slots.is_some_and(usize::is_power_of_two)),
        (Section::Usage, count_records::<u32>(container, bytes, Section::Usage) == words),
        (Section::Words, words.zip(slots).is_some_and(|(words, slots)| words < slots)),
        // Every node except the root has one edge leading to it, and an extra record ends the last node and holds the
        // total number of entries.
        (Section::Nodes, nodes.zip(edges).is_some_and(|(nodes, edges)| nodes == edges + 2) && numbered == entries),
        (Section::Filter, count_records::<u64>(container, bytes, Section::Filter).is_some_and(|blocks| blocks > 0)),
        (Section::Entries, entries.is_some()),
        (Section::EntryConcepts, count_records::<u32>(container, bytes, Section::EntryConcepts).is_some()),
        (Section::Codes, concepts.is_some()),
        (Section::CodeRuns, count_records::<u32>(container, bytes, Section::CodeRuns).is_some()),
        (Section::Names, packed(Section::Names) == concepts),
        (Section::Links, packed(Section::Links) == concepts),
        (Section::Stems, packed(Section::Stems).is_some()),
    ];
    for (section, is_right) in checks {
        if !is_right {
            return Err(Damage::new(section.name(), "has a wrong size").of_vocabulary(file));
        }
    }
    Ok(())
}
