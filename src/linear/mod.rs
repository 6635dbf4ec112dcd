//! One linear model over hashed features, used for names and for statuses: features, weights, training, and the file of what was
//! learned, a header, where it comes from, and a body that is read in place.
//!
//! ```text
//! header      128 bytes: label, versions, lengths, digest
//! provenance  JSON: what was learned from
//! body        as the label says
//! ```
//!
//! All numbers are little-endian. The digest covers the whole file.

pub(crate) mod classes;
pub(crate) mod features;
pub(crate) mod hash;
pub(crate) mod rng;
pub(crate) mod sgd;
pub(crate) mod table;

use std::borrow::Cow;

use bytemuck::{Pod, Zeroable};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// What kind of file it is.
pub(crate) struct Form {
    /// The first bytes.
    pub(crate) label: [u8; 16],
    /// The version of the layout of the body, and of the features.
    pub(crate) version: u32,
    /// The message for a file with another label.
    pub(crate) other: &'static str,
    /// Distinguishes the lists from which features are made.
    pub(crate) lists: fn() -> [u8; 16],
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Header {
    label: [u8; 16],
    version: u32,
    /// The number of bytes of the provenance.
    provenance: u32,
    /// Two numbers for those who read the body.
    pub(crate) counts: [u32; 2],
    length: u64,
    /// The first bytes of the digest of the names of all lists: features are numbers of lists.
    lists: [u8; 16],
    reserved: [u64; 5],
    pub(crate) digest: [u8; 32],
}

pub(crate) const HEADER: usize = size_of::<Header>();

/// A file whose header is right.
pub(crate) struct Parts<'a> {
    pub(crate) header: Header,
    pub(crate) provenance: String,
    pub(crate) body: &'a [u8],
}

impl Form {
    /// A whole file.
    pub(crate) fn write(&self, provenance: &str, counts: [u32; 2], body: &[&[u8]]) -> Vec<u8> {
        let mut provenance = provenance.as_bytes().to_vec();
        provenance.resize(provenance.len().next_multiple_of(64), b' ');
        let mut header = Header {
            label: self.label,
            version: self.version,
            provenance: provenance.len() as u32,
            counts,
            length: 0,
            lists: (self.lists)(),
            reserved: [0; 5],
            digest: [0; 32],
        };
        let body = [&[&provenance[..]], body].concat().concat();
        header.length = (HEADER + body.len()) as u64;
        let mut file = [bytemuck::bytes_of(&header), &body].concat();
        header.digest = digest(&file);
        file[..HEADER].copy_from_slice(bytemuck::bytes_of(&header));
        file
    }

    /// Checks everything that is cheap.
    pub(crate) fn parts<'a>(&self, bytes: &'a [u8], file: &str) -> Result<Parts<'a>> {
        if bytes.len() < self.label.len() || bytes[..self.label.len()] != self.label {
            return Err(damaged(file, self.other));
        }
        let Some(head) = bytes.get(..HEADER) else {
            return Err(damaged(file, format!("truncated: {} bytes", bytes.len())));
        };
        let header: Header = bytemuck::pod_read_unaligned(head);
        if header.version != self.version {
            let (found, reads) = (header.version, self.version);
            return Err(damaged(
                file,
                format!("format version {found}, this program reads version {reads}: train it again"),
            ));
        }
        if header.length != bytes.len() as u64 {
            let (should, has) = (header.length, bytes.len());
            return Err(damaged(
                file,
                format!("should have {should} bytes and has {has}: it is truncated or was added to"),
            ));
        }
        if header.lists != (self.lists)() {
            return Err(damaged(file, "learned with other lists of words than this program has: train it again"));
        }
        let provenance = HEADER..HEADER.saturating_add(header.provenance as usize);
        let (Some(provenance), Some(body)) = (bytes.get(provenance.clone()), bytes.get(provenance.end..)) else {
            return Err(damaged(file, "truncated: the provenance reaches out of the file"));
        };
        let provenance = String::from_utf8_lossy(provenance).trim_end().to_owned();
        Ok(Parts { header, provenance, body })
    }
}

/// Refuses a file that was altered.
pub(crate) fn check(bytes: &[u8], header: &Header, file: &str) -> Result<()> {
    if digest(bytes) == header.digest {
        return Ok(());
    }
    Err(damaged(file, "altered: the digest does not match: get the file again"))
}

pub(crate) fn damaged(file: &str, problem: impl Into<Cow<'static, str>>) -> Error {
    Error::Model { file: file.to_owned(), problem: problem.into().into_owned() }
}

/// The digest of a file, with zeros where the digest itself stands.
pub(crate) fn digest(bytes: &[u8]) -> [u8; 32] {
    let (head, rest) = bytes.split_at(HEADER);
    let mut header: Header = bytemuck::pod_read_unaligned(head);
    header.digest = [0; 32];
    Sha256::new().chain_update(bytemuck::bytes_of(&header)).chain_update(rest).finalize().into()
}
