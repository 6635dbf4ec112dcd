//! Sections and records of a compiled vocabulary, which is a [container](crate::container).

use bytemuck::{Pod, Zeroable};

use super::container::{Format, Messages};
use notesieve_text::normalize;

/// The format of a compiled vocabulary. Its basis is the version of the normaliser that folded its words.
pub static FORMAT: Format = Format {
    label: *b"notesieve-vocab\n",
    version: 4,
    basis: || u128::from(normalize::VERSION).to_le_bytes(),
    sections: &Section::NAMES,
    messages: Messages {
        other_label: "not a compiled vocabulary of notesieve",
        other_basis: "made with another version of the normaliser than this program has",
        advice: "compile the vocabulary again",
    },
};

macro_rules! sections {
    ($($(#[$doc:meta])* $name:ident = $key:literal;)*) => {
        /// A section of the file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Section { $($(#[$doc])* $name,)* }

        impl Section {
            /// Every section, in file order.
            pub const ALL: &'static [Section] = &[$(Section::$name,)*];

            /// The names in the section table and in error messages.
            const NAMES: [&'static str; Self::ALL.len()] = [$($key,)*];

            /// Returns the name in the section table and in error messages.
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }

        impl From<Section> for usize {
            fn from(section: Section) -> usize {
                section as usize
            }
        }
    };
}

sections! {
    /// Provenance and counts, as JSON.
    Provenance = "provenance";
    /// The keys of the word classes in bit order, one per line.
    ClassKeys = "class keys";
    /// Sets of classes: two u64 each.
    ClassSets = "class sets";
    /// Hash slots: a word id and eight bits of the hash.
    Slots = "slots";
    /// Words: [`WordRecord`].
    Words = "words";
    /// Use of each word in general English: `Usage`.
    Usage = "usage";
    /// Bytes of the words that are too long for their record.
    LongWords = "long words";
    /// Nodes of the trie, and one more that ends the last: [`NodeRecord`].
    Nodes = "nodes";
    /// Word of each edge: u32.
    Edges = "edges";
    /// Bloom filter over (node, next word) pairs: u64.
    Filter = "filter";
    /// Entries: [`EntryRecord`].
    Entries = "entries";
    /// Concepts of entries with several: their number, then each id; u32.
    EntryConcepts = "entry concepts";
    /// Codes of the concepts: packed texts.
    Codes = "codes";
    /// First concept of each run of alphabetically sorted codes: u32.
    CodeRuns = "code runs";
    /// Preferred names of the concepts: packed texts.
    Names = "names";
    /// Types, parents and same-as codes of the concepts: packed records of stems and numbers.
    Links = "links";
    /// Stems of the links, sorted: packed texts.
    Stems = "stems";
    /// FST of all words.
    WordSet = "word set";
}

/// A word, 32 bytes: two per cache line.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct WordRecord {
    /// See `words::Probe`.
    pub key: [u64; 2],
    /// The index of its class set.
    pub set: u16,
    /// The logarithms of its counts as a surname, as a first name and as a word.
    pub ranks: [u8; 3],
    /// 1 if the word alone is a form, otherwise 0.
    pub flags: u8,
    pub reserved: u16,
    /// The node of the terms that begin with this word; 0 if there is none.
    pub root: u32,
    /// A Bloom filter: one bit for each five-bit hash of a word that can follow. It rejects most words that cannot.
    pub followers: u32,
}

/// A node of the trie. Its edges end where those of the next node begin; edge `k` leads to node `k + 1`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct NodeRecord {
    /// The index of its first edge.
    pub edges: u32,
    /// The number of entries before this node, and the packed flags of its own entry, as in `trie::NodeEntry`.
    pub entry: u32,
}

/// One written form, with or without concepts.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct EntryRecord {
    /// The id of its only concept, the offset of its concepts in the section if it has several, or `NO_CONCEPTS`. The
    /// highest bit of an id marks this form as the one its source prefers.
    pub concepts: u32,
    /// The bits of `EntryFlags`, and `ONE_CONCEPT`.
    pub flags: u16,
    /// The index of the class set of the whole phrase.
    pub set: u16,
}
