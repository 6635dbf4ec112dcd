//! File format of compiled vocabularies and models: header, section table, sections.
//!
//! ```text
//! header         128 bytes: label, version, file length, number of sections, basis, digest
//! section table  64 bytes a section: name, offset, length, SHA-256 of the section
//! sections       each at a multiple of 64 bytes, zeros between them
//! ```
//!
//! The digest in the header covers the header and the section table, and the table holds the digest of every section.
//! So one digest identifies the whole file, opening checks it without reading the whole file, and errors can name the
//! damaged section. All numbers are little-endian; records are read in place.

use std::borrow::Cow;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use sha2::{Digest, Sha256};

use super::map::ALIGNMENT;
use notesieve_text::error::Error;

#[cfg(target_endian = "big")]
compile_error!("vocabularies and models are read in place and are little-endian");

/// The offset of the section table.
const TABLE_AT: usize = size_of::<Header>();
/// The name of the header in error messages.
const HEADER: &str = "header";
/// The name of the section table in error messages.
const SECTION_TABLE: &str = "section table";

/// A file type.
#[derive(Debug)]
pub struct Format {
    /// The magic bytes at the start of the file.
    pub label: [u8; 16],
    /// The version of the layout. Increment it with every change that an older reader would misread.
    pub version: u32,
    /// Anything else that the file and the program must agree on, such as the lists from which features are made.
    pub basis: fn() -> [u8; 16],
    /// The names of the sections in file order, at most 16 bytes each.
    pub sections: &'static [&'static str],
    /// Error messages for files of another type, basis or version.
    pub messages: Messages,
}

/// Error messages for files that cannot be used.
#[derive(Debug)]
pub struct Messages {
    /// The message for a file of another type.
    pub other_label: &'static str,
    /// The message for a file with another basis.
    pub other_basis: &'static str,
    /// How to fix a file of another version or basis.
    pub advice: &'static str,
}

/// A problem with a part of a file.
#[derive(Debug)]
pub struct Damage {
    /// The name of the section, `header` or `section table`.
    pub section: &'static str,
    /// The problem.
    pub problem: Cow<'static, str>,
}

impl Damage {
    /// Creates a problem with a section.
    pub fn new(section: &'static str, problem: impl Into<Cow<'static, str>>) -> Self {
        Self { section, problem: problem.into() }
    }

    /// Converts to the error for a vocabulary.
    pub fn of_vocabulary(self, file: &str) -> Error {
        Error::Vocabulary { file: file.to_owned(), section: self.section, problem: self.problem.into_owned() }
    }

    /// Converts to the error for a model.
    pub fn of_model(self, file: &str) -> Error {
        let Self { section, problem } = self;
        let problem =
            if section == HEADER { problem.into_owned() } else { format!("section \"{section}\": {problem}") };
        Error::Model { file: file.to_owned(), problem }
    }
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Header {
    label: [u8; 16],
    version: u32,
    sections: u32,
    length: u64,
    basis: [u8; 16],
    reserved: [u64; 6],
    digest: [u8; 32],
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct TableRow {
    name: [u8; 16],
    offset: u64,
    length: u64,
    digest: [u8; 32],
}

impl TableRow {
    /// Returns the byte range of the section, or `None` if its end overflows.
    fn section_range(&self) -> Option<Range<usize>> {
        let (start, length) = (usize::try_from(self.offset).ok()?, usize::try_from(self.length).ok()?);
        Some(start..start.checked_add(length)?)
    }
}

impl Format {
    /// Returns the end of the section table, the earliest offset of the first section.
    const fn table_end(&self) -> usize {
        TABLE_AT + self.sections.len() * size_of::<TableRow>()
    }

    /// Assembles a file from its sections, in the order of [`Format::sections`].
    ///
    /// # Panics
    ///
    /// If the number of sections differs from the number of names.
    #[must_use]
    pub fn write(&self, sections: &[&[u8]]) -> Vec<u8> {
        assert_eq!(sections.len(), self.sections.len(), "one byte string for each section");
        let table_end = self.table_end();
        let total = sections.iter().fold(table_end, |end, bytes| end.next_multiple_of(ALIGNMENT) + bytes.len());
        let mut file = Vec::with_capacity(total);
        file.resize(table_end, 0);
        for ((index, &bytes), name) in sections.iter().enumerate().zip(self.sections) {
            file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
            let row = TableRow {
                name: padded_name(name),
                offset: file.len() as u64,
                length: bytes.len() as u64,
                digest: Sha256::digest(bytes).into(),
            };
            let at = TABLE_AT + index * size_of::<TableRow>();
            file[at..at + size_of::<TableRow>()].copy_from_slice(bytemuck::bytes_of(&row));
            file.extend_from_slice(bytes);
        }
        let mut header = Header {
            label: self.label,
            version: self.version,
            sections: sections.len() as u32,
            length: total as u64,
            basis: (self.basis)(),
            reserved: [0; 6],
            digest: [0; 32],
        };
        header.digest = digest_of_head(&header, &file[TABLE_AT..table_end]);
        file[..TABLE_AT].copy_from_slice(bytemuck::bytes_of(&header));
        file
    }

    /// Reads and checks the header and the section table, which is cheap.
    ///
    /// # Errors
    ///
    /// [`Damage`] if the file has another type or version, is truncated, or its header or table was altered.
    pub fn read(&'static self, bytes: &[u8]) -> Result<Container, Damage> {
        let table_end = self.table_end();
        let header = self.read_header(bytes).map_err(|problem| Damage::new(HEADER, problem))?;
        let Some(table) = bytes.get(TABLE_AT..table_end) else {
            return Err(Damage::new(SECTION_TABLE, "truncated"));
        };
        if digest_of_head(&header, table) != header.digest {
            return Err(Damage::new(HEADER, "header or section table was altered: the digest does not match"));
        }
        let mut container = Container { format: self, ranges: Vec::new(), digests: Vec::new(), digest: header.digest };
        let mut end = table_end;
        for (&name, row) in self.sections.iter().zip(table.chunks_exact(size_of::<TableRow>())) {
            let row: TableRow = bytemuck::pod_read_unaligned(row);
            if row.name != padded_name(name) {
                return Err(Damage::new(SECTION_TABLE, format!("no section \"{name}\" in its place")));
            }
            let range = row
                .section_range()
                .filter(|range| range.start == end.next_multiple_of(ALIGNMENT) && range.end <= bytes.len())
                .ok_or_else(|| Damage::new(name, "reaches out of the file"))?;
            end = range.end;
            container.ranges.push(range);
            container.digests.push(row.digest);
        }
        if end != bytes.len() {
            return Err(Damage::new(SECTION_TABLE, "bytes after the last section"));
        }
        Ok(container)
    }

    /// Returns the header, or the problem with it. Does not check its digest.
    fn read_header(&self, bytes: &[u8]) -> Result<Header, Cow<'static, str>> {
        let Messages { other_label, other_basis, advice } = self.messages;
        if !bytes.starts_with(&self.label) {
            return Err(other_label.into());
        }
        let Some(head) = bytes.get(..TABLE_AT) else {
            return Err(format!("truncated: {} bytes", bytes.len()).into());
        };
        let header: Header = bytemuck::pod_read_unaligned(head);
        let (found, reads) = (header.version, self.version);
        if found != reads {
            return Err(format!("format version {found}, this program reads version {reads}: {advice}").into());
        }
        let (should, has) = (header.length, bytes.len());
        if should != has as u64 {
            return Err(format!("should have {should} bytes and has {has}: it is truncated or was added to").into());
        }
        if header.sections as usize != self.sections.len() {
            return Err(format!("{} sections instead of {}", header.sections, self.sections.len()).into());
        }
        if header.basis != (self.basis)() {
            return Err(format!("{other_basis}: {advice}").into());
        }
        Ok(header)
    }
}

/// The byte ranges of a file's sections, checked against its length. Does not own the bytes of the file.
#[derive(Debug)]
pub struct Container {
    format: &'static Format,
    ranges: Vec<Range<usize>>,
    digests: Vec<[u8; 32]>,
    /// The digest that identifies the whole file.
    pub digest: [u8; 32],
}

impl Container {
    /// Returns the bytes of a section.
    #[inline]
    #[must_use]
    pub fn section_bytes<'a>(&self, file: &'a [u8], section: impl Into<usize>) -> &'a [u8] {
        self.ranges.get(section.into()).and_then(|range| file.get(range.clone())).unwrap_or_default()
    }

    /// Returns the records of a section; empty if its length is not a multiple of the record size.
    #[inline]
    #[must_use]
    pub fn section_records<'a, T: Pod>(&self, file: &'a [u8], section: impl Into<usize>) -> &'a [T] {
        bytemuck::try_cast_slice(self.section_bytes(file, section)).unwrap_or_default()
    }

    /// Checks the digest of a section.
    ///
    /// # Errors
    ///
    /// [`Damage`] if any of its bytes was altered.
    pub fn verify_section(&self, file: &[u8], section: impl Into<usize>) -> Result<(), Damage> {
        let section = section.into();
        let found: [u8; 32] = Sha256::digest(self.section_bytes(file, section)).into();
        if self.digests.get(section) == Some(&found) {
            return Ok(());
        }
        Err(Damage::new(self.format.sections[section], "altered: the digest does not match"))
    }

    /// Checks that no byte of the file was altered, including the padding between sections.
    ///
    /// # Errors
    ///
    /// [`Damage`] with the first altered section.
    pub fn verify(&self, file: &[u8]) -> Result<(), Damage> {
        let mut end = self.format.table_end();
        for (section, range) in self.ranges.iter().enumerate() {
            if file.get(end..range.start).is_none_or(|padding| padding.iter().any(|&byte| byte != 0)) {
                let name = self.format.sections[section];
                return Err(Damage::new(name, "bytes before the section that do not belong there"));
            }
            end = range.end;
        }
        (0..self.ranges.len()).try_for_each(|section| self.verify_section(file, section))
    }

    /// Iterates over the name and size of each section.
    pub fn section_sizes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.format.sections.iter().zip(&self.ranges).map(|(&name, range)| (name, range.len() as u64))
    }
}

/// Returns the digest of the header and the table, with the digest field set to zeros.
fn digest_of_head(header: &Header, table: &[u8]) -> [u8; 32] {
    let header = Header { digest: [0; 32], ..*header };
    Sha256::new().chain_update(bytemuck::bytes_of(&header)).chain_update(table).finalize().into()
}

/// Returns a name as stored in the table, padded with zeros.
fn padded_name(name: &str) -> [u8; 16] {
    let mut padded = [0; 16];
    padded[..name.len()].copy_from_slice(name.as_bytes());
    padded
}

/// Formats bytes as hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
