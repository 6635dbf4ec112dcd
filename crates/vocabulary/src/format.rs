//! How a compiled vocabulary is written: header, section table, sections.
//!
//! ```text
//! header         128 bytes: label, versions, file length, number of sections, digest
//! section table  64 bytes a section: name, offset, length, SHA-256 of the section
//! sections       each at a multiple of 64 bytes, zeros between them
//! ```
//!
//! The digest in the header covers the header and the section table, and the table holds the digest of every section,
//! so the one digest stands for the whole file, opening can check it without reading the file, and a damaged section
//! can be named. All numbers are little-endian; records are read in place.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use sha2::{Digest, Sha256};

use super::map::ALIGNMENT;
use notesieve_text::error::{Error, Result};

#[cfg(target_endian = "big")]
compile_error!("compiled vocabularies are read in place and are little-endian");

/// The first bytes of every compiled vocabulary.
pub const LABEL: [u8; 16] = *b"notesieve-vocab\n";
/// The version of this layout. Raise it with every change that an older reader would misread.
pub const FORMAT: u32 = 3;

/// Where the section table begins.
const TABLE_AT: usize = size_of::<Header>();

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Header {
    pub label: [u8; 16],
    pub format: u32,
    pub normalizer: u32,
    pub length: u64,
    pub sections: u32,
    reserved: [u32; 7],
    pub digest: [u8; 32],
    reserved_too: [u8; 32],
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct TableRow {
    name: [u8; 16],
    offset: u64,
    length: u64,
    digest: [u8; 32],
}

impl Header {
    /// What is wrong with a file of so many bytes, for a program with this version of the normaliser.
    fn check(&self, length: usize, normalizer: u32) -> std::result::Result<(), String> {
        if self.format != FORMAT {
            return Err(format!(
                "format version {}, this program reads version {FORMAT}: compile the vocabulary again",
                self.format
            ));
        }
        if self.normalizer != normalizer {
            return Err(format!(
                "made with version {} of the normaliser, this program has version {normalizer}: compile the vocabulary \
                 again",
                self.normalizer
            ));
        }
        if self.length != length as u64 {
            return Err(format!(
                "the file should have {} bytes and has {length}: it is truncated or was added to",
                self.length
            ));
        }
        if self.sections as usize != Section::ALL.len() {
            return Err(format!("{} sections instead of {}", self.sections, Section::ALL.len()));
        }
        Ok(())
    }
}

impl TableRow {
    /// Where the section lies, if its end can be computed.
    fn range(&self) -> Option<Range<usize>> {
        let (start, length) = (usize::try_from(self.offset).ok()?, usize::try_from(self.length).ok()?);
        Some(start..start.checked_add(length)?)
    }
}

macro_rules! sections {
    ($($(#[$doc:meta])* $name:ident = $key:literal;)*) => {
        /// A part of the file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Section { $($(#[$doc])* $name,)* }

        impl Section {
            /// Every section in the order of the file.
            pub const ALL: &'static [Section] = &[$(Section::$name,)*];

            /// The name in the table and in errors.
            pub const fn name(self) -> &'static str {
                match self { $(Section::$name => $key,)* }
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

/// Where the sections of a file lie, checked against its length.
#[derive(Debug)]
pub struct Layout {
    ranges: Vec<Range<usize>>,
    digests: Vec<[u8; 32]>,
    pub digest: [u8; 32],
}

/// An error about a part of a file.
pub fn damaged(file: &str, section: &'static str, problem: impl Into<String>) -> Error {
    Error::Vocabulary { file: file.to_owned(), section, problem: problem.into() }
}

impl Layout {
    /// Reads and checks header and table: everything that is cheap.
    pub fn read(bytes: &[u8], file: &str, normalizer: u32) -> Result<Self> {
        if bytes.len() < LABEL.len() || bytes[..LABEL.len()] != LABEL {
            return Err(damaged(file, "header", "not a compiled vocabulary of notesieve"));
        }
        let Some(head) = bytes.get(..TABLE_AT) else {
            return Err(damaged(file, "header", format!("truncated: {} bytes", bytes.len())));
        };
        let header: Header = bytemuck::pod_read_unaligned(head);
        header.check(bytes.len(), normalizer).map_err(|problem| damaged(file, "header", problem))?;
        let table_end = TABLE_AT + Section::ALL.len() * size_of::<TableRow>();
        let Some(table) = bytes.get(TABLE_AT..table_end) else {
            return Err(damaged(file, "section table", "truncated"));
        };
        if digest_of_head(head, table) != header.digest {
            let problem = "header or section table was altered: the digest does not match";
            return Err(damaged(file, "header", problem));
        }
        let mut ranges = Vec::with_capacity(Section::ALL.len());
        let mut digests = Vec::with_capacity(Section::ALL.len());
        let mut end = table_end;
        for (&section, row) in Section::ALL.iter().zip(table.chunks_exact(size_of::<TableRow>())) {
            let row: TableRow = bytemuck::pod_read_unaligned(row);
            if row.name != padded_name(section) {
                return Err(damaged(file, "section table", format!("no section \"{}\" in its place", section.name())));
            }
            let range = row
                .range()
                .filter(|range| range.start == end.next_multiple_of(ALIGNMENT) && range.end <= bytes.len())
                .ok_or_else(|| damaged(file, section.name(), "reaches out of the file"))?;
            end = range.end;
            ranges.push(range);
            digests.push(row.digest);
        }
        if end != bytes.len() {
            return Err(damaged(file, "section table", "bytes after the last section"));
        }
        Ok(Self { ranges, digests, digest: header.digest })
    }

    /// The bytes of a section.
    #[inline]
    pub fn bytes<'a>(&self, file: &'a [u8], section: Section) -> &'a [u8] {
        self.ranges.get(section as usize).and_then(|range| file.get(range.clone())).unwrap_or_default()
    }

    /// The records of a section. A length that is no multiple of the record's gives no records.
    #[inline]
    pub fn records<'a, T: Pod>(&self, file: &'a [u8], section: Section) -> &'a [T] {
        bytemuck::try_cast_slice(self.bytes(file, section)).unwrap_or_default()
    }

    /// Checks the digest of one section.
    pub fn verify(&self, bytes: &[u8], file: &str, section: Section) -> Result<()> {
        let found: [u8; 32] = Sha256::digest(self.bytes(bytes, section)).into();
        if self.digests.get(section as usize) == Some(&found) {
            Ok(())
        } else {
            Err(damaged(file, section.name(), "altered: the digest does not match"))
        }
    }

    /// Checks that nothing is hidden between the sections.
    pub fn verify_padding(&self, bytes: &[u8], file: &str) -> Result<()> {
        let mut end = TABLE_AT + Section::ALL.len() * size_of::<TableRow>();
        for (&section, range) in Section::ALL.iter().zip(&self.ranges) {
            if bytes.get(end..range.start).is_none_or(|padding| padding.iter().any(|&byte| byte != 0)) {
                return Err(damaged(file, section.name(), "bytes before the section that do not belong there"));
            }
            end = range.end;
        }
        Ok(())
    }

    /// Name and size of each section.
    pub fn sizes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Section::ALL.iter().zip(&self.ranges).map(|(section, range)| (section.name(), range.len() as u64))
    }
}

/// Puts sections together. `sections` are in the order of [`Section::ALL`].
pub fn write(sections: &[&[u8]], normalizer: u32) -> Vec<u8> {
    assert_eq!(sections.len(), Section::ALL.len(), "one byte string for each section");
    let table_end = TABLE_AT + sections.len() * size_of::<TableRow>();
    let total = sections.iter().fold(table_end, |end, bytes| end.next_multiple_of(ALIGNMENT) + bytes.len());
    let mut file = Vec::with_capacity(total);
    file.resize(table_end, 0);
    for ((index, &bytes), &section) in sections.iter().enumerate().zip(Section::ALL) {
        file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
        let row = TableRow {
            name: padded_name(section),
            offset: file.len() as u64,
            length: bytes.len() as u64,
            digest: Sha256::digest(bytes).into(),
        };
        let at = TABLE_AT + index * size_of::<TableRow>();
        file[at..at + size_of::<TableRow>()].copy_from_slice(bytemuck::bytes_of(&row));
        file.extend_from_slice(bytes);
    }
    let mut header = Header {
        label: LABEL,
        format: FORMAT,
        normalizer,
        length: total as u64,
        sections: sections.len() as u32,
        reserved: [0; 7],
        digest: [0; 32],
        reserved_too: [0; 32],
    };
    header.digest = digest_of_head(bytemuck::bytes_of(&header), &file[TABLE_AT..table_end]);
    file[..TABLE_AT].copy_from_slice(bytemuck::bytes_of(&header));
    file
}

/// The digest of header and table, with zeros where the digest itself stands.
fn digest_of_head(head: &[u8], table: &[u8]) -> [u8; 32] {
    let mut header: Header = bytemuck::pod_read_unaligned(head);
    header.digest = [0; 32];
    Sha256::new().chain_update(bytemuck::bytes_of(&header)).chain_update(table).finalize().into()
}

fn padded_name(section: Section) -> [u8; 16] {
    let mut name = [0; 16];
    name[..section.name().len()].copy_from_slice(section.name().as_bytes());
    name
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
