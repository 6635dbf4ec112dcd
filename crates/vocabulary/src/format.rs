//! What a compiled vocabulary holds: its sections and their records, in a [container](crate::container).

use bytemuck::{Pod, Zeroable};

use super::container::{Format, Messages};
use notesieve_text::normalize;

/// A compiled vocabulary. What stands in it was folded by one version of the normaliser.
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
        /// A part of the file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Section { $($(#[$doc])* $name,)* }

        impl Section {
            /// Every section in the order of the file.
            pub const ALL: &'static [Section] = &[$(Section::$name,)*];

            /// Their names in the table and in errors.
            const NAMES: [&'static str; Self::ALL.len()] = [$($key,)*];

            /// The name in the table and in errors.
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
    /// Where everything comes from, and counts: JSON.
    Provenance = "provenance";
    /// The names of the word classes in the order of their bits, one a line.
    ClassKeys = "class keys";
    /// Sets of classes: two u64 each.
    ClassSets = "class sets";
    /// Hash slots: word id and eight bits of the hash.
    Slots = "slots";
    /// The words: [`WordRecord`].
    Words = "words";
    /// How general English uses each word: `Usage`.
    Usage = "usage";
    /// The bytes of words that are too long for their record.
    LongWords = "long words";
    /// The nodes of the trie, and one more that closes the last: [`NodeRecord`].
    Nodes = "nodes";
    /// The word of each edge: u32.
    Edges = "edges";
    /// Bloom filter over (node, next word): u64.
    Filter = "filter";
    /// The entries: [`EntryRecord`].
    Entries = "entries";
    /// The concepts of entries that have several: their number, then each; u32.
    EntryConcepts = "entry concepts";
    /// The codes of the concepts: packed texts.
    Codes = "codes";
    /// The first concept of each run of codes that are in the order of the alphabet: u32.
    CodeRuns = "code runs";
    /// The preferred names of the concepts: packed texts.
    Names = "names";
    /// Types, parents and same-as codes of the concepts: packed records of stems and numbers.
    Links = "links";
    /// The stems of the links, sorted: packed texts.
    Stems = "stems";
    /// FST of all words.
    WordSet = "word set";
}

/// A word: 32 bytes, two to a cache line.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct WordRecord {
    /// See `words::Probe`.
    pub key: [u64; 2],
    /// Index into the class sets.
    pub set: u16,
    /// Logarithms of counts: surname, first name, frequency.
    pub ranks: [u8; 3],
    /// 1 if the word alone is a form, else 0.
    pub flags: u8,
    pub reserved: u16,
    /// The node of the terms that begin with this word; 0 if none does.
    pub root: u32,
    /// One bit for each five-bit hash of a word that can follow: most words that cannot are seen from here.
    pub followers: u32,
}

/// A node of the trie. Its edges end where those of the next node begin; edge `k` leads to node `k + 1`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct NodeRecord {
    /// The first edge.
    pub edges: u32,
    /// The number of entries before this node, and what ends here, as in `trie::NodeEntry`.
    pub entry: u32,
}

/// One written form, with or without concepts.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct EntryRecord {
    /// Its concept, if it has one; where its concepts stand, if it has several; `NO_CONCEPTS` if it has none. The highest
    /// bit of a concept says that its source prefers this form.
    pub concepts: u32,
    /// Bits of `EntryFlags`, and `ONE_CONCEPT`.
    pub flags: u16,
    /// Index into the class sets: lists on which the whole phrase stands.
    pub set: u16,
}
