//! What is known to be safe: word lists, terms and concepts, compiled once and looked up word by word.
//!
//! `notesieve-vocabulary-build` compiles the records of many sources to one file; [`Vocabulary`] opens it by mapping it. The core
//! looks words up in it, one hash a word. Modules that the documentation does not show are shared with these two crates alone.

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
pub use search::{Near, key_of_text};
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

/// Where a vocabulary comes from and what it holds.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// SHA-256 that stands for the whole file, in hexadecimal digits.
    pub digest: String,
    /// Bytes of the file.
    pub bytes: u64,
    /// The sources with what each gave.
    pub sources: Vec<SourceCounts>,
    /// What was kept and what was not.
    pub counts: Counts,
    /// Bytes of each section.
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
    /// The sets of classes. The file has room for more lists than there are, which would take room in the caches too.
    sets: Box<[Classes]>,
    /// Whether the FST of words is whole, found out before its first use.
    word_set: OnceLock<bool>,
    /// The narrower concepts of each, found out when they are first asked for.
    children: OnceLock<hierarchy::Children>,
    /// The codes that concepts name as the same as themselves, with these concepts; likewise.
    same_as: OnceLock<Box<[(codes::Code, u32)]>>,
    /// The group of each concept, and of each entry, found out when it is first asked for.
    groups: OnceLock<Box<[std::sync::atomic::AtomicU8]>>,
    entry_groups: OnceLock<Box<[std::sync::atomic::AtomicU8]>>,
}

impl std::fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vocabulary").field("file", &self.0.file).field("digest", &self.digest()).finish_non_exhaustive()
    }
}

impl Vocabulary {
    /// Maps a compiled vocabulary. Checks everything that can be checked without reading the whole file.
    pub fn open(path: &Path) -> Result<Self> {
        Self::new(Bytes::open(path)?, path.display().to_string())
    }

    /// Opens a compiled vocabulary in memory.
    pub fn from_bytes(bytes: impl AsRef<[u8]>) -> Result<Self> {
        Self::new(Bytes::copy_aligned(bytes.as_ref()), "<memory>".to_owned())
    }

    /// Opens a compiled vocabulary that is part of the program, without a copy if it is aligned to 64 bytes.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self> {
        Self::new(Bytes::of_static(bytes), "<embedded>".to_owned())
    }

    fn new(bytes: Bytes, file: String) -> Result<Self> {
        let all = bytes.as_ref();
        let refused = |damage: Damage| damage.of_vocabulary(&file);
        let container = FORMAT.read(all).map_err(refused)?;
        // What is read now is checked now; `verify` checks the rest.
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

    /// Reads the whole file and checks that not one byte of it was altered.
    pub fn verify(&self) -> Result<()> {
        let Inner { bytes, container, file, .. } = &*self.0;
        container.verify(bytes.as_ref()).map_err(|damage| damage.of_vocabulary(file))
    }

    /// SHA-256 that stands for the whole file, and for the lists of the site where there are any, in hexadecimal digits.
    pub fn digest(&self) -> &str {
        self.site().map_or(&self.0.digest, Site::digest)
    }

    /// The file, or `<memory>` or `<embedded>`.
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// Where the vocabulary comes from and what it holds.
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

    /// The id of a folded word.
    pub fn word_id(&self, folded: &[u8]) -> WordId {
        self.tables().word_id(folded)
    }

    /// The lists on which a word stands; none for an unknown one.
    pub fn classes(&self, word: WordId) -> Classes {
        self.tables().classes(word)
    }

    /// How often a word was counted; zeros for an unknown one.
    pub fn ranks(&self, word: WordId) -> FrequencyRanks {
        self.tables().ranks(word)
    }

    /// The text of a word; empty for an unknown one.
    pub fn word_text(&self, word: WordId) -> String {
        let Some(record) = self.word_record(word) else { return String::new() };
        String::from_utf8_lossy(self.tables().words.bytes(record, &mut [0; 16])).into_owned()
    }

    /// The number of words.
    pub fn word_count(&self) -> usize {
        self.records::<WordRecord>(Section::Words).len()
    }

    /// The node of the terms that begin with a word.
    pub fn root_of_word(&self, word: WordId) -> Option<Node> {
        self.word_record(word).map(|record| record.root).filter(|&root| root != 0).map(Node)
    }

    /// The node that follows over a word.
    pub fn step(&self, node: Node, word: WordId) -> Option<Node> {
        self.tables().trie.step(node, word)
    }

    /// The entry that ends at a node.
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

    /// The tables of the hot loops: ask once a note, not once a word.
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

/// Checks that the sizes of sections that belong together do.
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
        // Every node but the root has an edge that leads to it, and one record more closes the last node and counts the
        // entries of all.
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
