//! Records of variable length in blocks of sixteen: compact storage for rarely used data, read in place.
//!
//! ```text
//! length         u32: the number of records
//! block starts   u32 each, and one more that closes the last block
//! records
//! ```
//!
//! Texts are front-coded: the length of the prefix shared with the previous text of the block, and the rest.
//! Consecutive codes mostly differ in their last digit. Nothing here trusts a byte: damage gives an empty text, never a
//! panic.

use std::ops::Range;

/// The number of records per block, the most that one lookup decodes.
const RECORDS_PER_BLOCK: usize = 16;

/// Appends a number as a varint: groups of seven bits, lowest first.
pub fn push_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a varint off the front.
pub fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Takes a length and that many bytes off the front.
fn take_piece<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take_number(bytes)?).ok()?;
    let (piece, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(piece)
}

/// A section of records.
#[derive(Clone, Copy)]
pub struct PackedRecords<'a> {
    len: usize,
    starts: &'a [u32],
    bytes: &'a [u8],
}

impl<'a> PackedRecords<'a> {
    /// Reads a section, or returns `None` if its size is wrong.
    pub fn read(section: &'a [u8]) -> Option<Self> {
        let (len, rest) = section.split_at_checked(size_of::<u32>())?;
        let len = u32::from_le_bytes(len.try_into().ok()?) as usize;
        let (starts, bytes) = rest.split_at_checked((len.div_ceil(RECORDS_PER_BLOCK) + 1) * size_of::<u32>())?;
        let starts: &[u32] = bytemuck::try_cast_slice(starts).ok()?;
        (*starts.last()? as usize == bytes.len()).then_some(Self { len, starts, bytes })
    }

    /// Returns the number of records.
    #[allow(clippy::len_without_is_empty, reason = "nobody asks")]
    pub const fn len(&self) -> usize {
        self.len
    }

    fn block(&self, block: usize) -> &'a [u8] {
        let border = |at: usize| self.starts.get(at).map(|&start| start as usize);
        border(block).zip(border(block + 1)).and_then(|(start, end)| self.bytes.get(start..end)).unwrap_or_default()
    }

    /// Returns the bytes of a record.
    pub fn record(&self, at: usize) -> Option<&'a [u8]> {
        let mut block = self.block(at / RECORDS_PER_BLOCK);
        for _ in 0..at % RECORDS_PER_BLOCK {
            take_piece(&mut block)?;
        }
        take_piece(&mut block)
    }

    /// Calls `each` with the index and bytes of every record.
    pub fn for_each_record(&self, mut each: impl FnMut(usize, &'a [u8])) {
        for first in (0..self.len).step_by(RECORDS_PER_BLOCK) {
            let mut block = self.block(first / RECORDS_PER_BLOCK);
            for at in first..self.len.min(first + RECORDS_PER_BLOCK) {
                let Some(record) = take_piece(&mut block) else { break };
                each(at, record);
            }
        }
    }

    /// Decodes the next text in place of the previous one. `None` at the end of the block.
    fn next_text(block: &mut &[u8], text: &mut Vec<u8>) -> Option<()> {
        let shared = usize::try_from(take_number(block)?).ok()?;
        text.truncate(shared);
        text.extend_from_slice(take_piece(block)?);
        Some(())
    }

    /// Writes the bytes of a text into a reusable buffer.
    fn text_into(&self, at: usize, text: &mut Vec<u8>) {
        text.clear();
        let mut block = self.block(at / RECORDS_PER_BLOCK);
        for _ in 0..=at % RECORDS_PER_BLOCK {
            if Self::next_text(&mut block, text).is_none() {
                text.clear();
                return;
            }
        }
    }

    /// Returns a text; empty if the index is out of range.
    pub fn text(&self, at: usize) -> String {
        let mut text = Vec::new();
        self.text_into(at, &mut text);
        String::from_utf8(text).unwrap_or_default()
    }

    /// Calls `each` with the index and content of every text.
    pub fn for_each_text(&self, mut each: impl FnMut(usize, &str)) {
        let mut text = Vec::new();
        for first in (0..self.len).step_by(RECORDS_PER_BLOCK) {
            let mut block = self.block(first / RECORDS_PER_BLOCK);
            text.clear();
            for at in first..self.len.min(first + RECORDS_PER_BLOCK) {
                if Self::next_text(&mut block, &mut text).is_none() {
                    break;
                }
                each(at, std::str::from_utf8(&text).unwrap_or_default());
            }
        }
    }

    /// Returns the index of a text in a range whose texts are sorted by their bytes.
    pub fn position_of_text(&self, wanted: &str, range: Range<usize>) -> Option<usize> {
        let (mut from, mut to) = (range.start, range.end.min(self.len));
        let mut text = Vec::new();
        let mut at = |place: usize| {
            self.text_into(place, &mut text);
            text.as_slice().cmp(wanted.as_bytes())
        };
        // Most searched ranges do not contain the text.
        if from >= to || at(from).is_gt() || at(to - 1).is_lt() {
            return None;
        }
        // Only the first text of a block can be read alone, so a binary search over first texts finds the block, which
        // is decoded once.
        while from / RECORDS_PER_BLOCK < (to - 1) / RECORDS_PER_BLOCK {
            let middle =
                usize::midpoint(from / RECORDS_PER_BLOCK + 1, (to - 1) / RECORDS_PER_BLOCK) * RECORDS_PER_BLOCK;
            if at(middle).is_gt() { to = middle } else { from = middle }
        }
        text.clear();
        let mut block = self.block(from / RECORDS_PER_BLOCK);
        for place in from - from % RECORDS_PER_BLOCK..to {
            Self::next_text(&mut block, &mut text)?;
            if place >= from && text == wanted.as_bytes() {
                return Some(place);
            }
        }
        None
    }
}

/// Builds a section of packed records.
#[derive(Default)]
pub struct Packer {
    len: u32,
    starts: Vec<u32>,
    bytes: Vec<u8>,
    last: Vec<u8>,
}

impl Packer {
    fn begin(&mut self) {
        if (self.len as usize).is_multiple_of(RECORDS_PER_BLOCK) {
            self.starts.push(self.bytes.len() as u32);
            self.last.clear();
        }
        self.len += 1;
    }

    /// Appends a record of bytes.
    pub fn push_record(&mut self, record: &[u8]) {
        self.begin();
        push_number(&mut self.bytes, record.len() as u64);
        self.bytes.extend_from_slice(record);
    }

    /// Appends a text.
    pub fn push_text(&mut self, text: &str) {
        self.begin();
        let shared = self.last.iter().zip(text.as_bytes()).take_while(|(a, b)| a == b).count();
        push_number(&mut self.bytes, shared as u64);
        push_number(&mut self.bytes, (text.len() - shared) as u64);
        self.bytes.extend_from_slice(&text.as_bytes()[shared..]);
        self.last.clear();
        self.last.extend_from_slice(text.as_bytes());
    }

    /// Returns the section, or `None` if it is too large for u32 offsets.
    pub fn finish(mut self) -> Option<Vec<u8>> {
        self.starts.push(u32::try_from(self.bytes.len()).ok()?);
        let mut section = Vec::with_capacity((self.starts.len() + 1) * size_of::<u32>() + self.bytes.len());
        section.extend_from_slice(&self.len.to_le_bytes());
        section.extend_from_slice(bytemuck::cast_slice(&self.starts));
        section.append(&mut self.bytes);
        Some(section)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Bytes;
    use proptest::prelude::*;

    fn texts(texts: &[String]) -> Bytes {
        let mut packer = Packer::default();
        for text in texts {
            packer.push_text(text);
        }
        Bytes::copy_aligned(&packer.finish().expect("small"))
    }

    #[test]
    fn neighbours_share_what_they_begin_with() {
        let codes: Vec<String> = (0..1000).map(|code| format!("umls:C{code:07}")).collect();
        let bytes = texts(&codes);
        assert!(bytes.as_ref().len() < 5 * codes.len(), "{} bytes", bytes.as_ref().len());
        let packed = PackedRecords::read(bytes.as_ref()).expect("whole");
        assert_eq!((packed.len(), packed.text(777)), (1000, codes[777].clone()));
        assert_eq!(packed.position_of_text("umls:C0000999", 0..1000), Some(999));
        assert_eq!(packed.position_of_text("umls:C0000999", 0..999), None);
        assert_eq!(packed.position_of_text("umls:C00009990", 0..1000), None);
        assert_eq!(packed.text(1000), "", "not of this section");
    }

    proptest! {
        #[test]
        fn what_was_packed_is_read(mut all in proptest::collection::vec("[ab漢é0-9]{0,5}", 0..60)) {
            let bytes = texts(&all);
            let packed = PackedRecords::read(bytes.as_ref()).expect("whole");
            let mut read = Vec::new();
            packed.for_each_text(|at, text| read.push((at, text.to_owned())));
            prop_assert_eq!(read, all.iter().cloned().enumerate().collect::<Vec<_>>());
            for (at, text) in all.iter().enumerate() {
                prop_assert_eq!(&packed.text(at), text);
            }
            all.sort();
            all.dedup();
            let bytes = texts(&all);
            let packed = PackedRecords::read(bytes.as_ref()).expect("whole");
            for (at, text) in all.iter().enumerate() {
                prop_assert_eq!(packed.position_of_text(text, 0..all.len()), Some(at));
            }
            prop_assert_eq!(packed.position_of_text("c", 0..all.len()), None);
        }

        #[test]
        fn records_of_bytes_are_read_as_they_were(all in proptest::collection::vec(proptest::collection::vec(0..=255_u8, 0..300), 0..40)) {
            let mut packer = Packer::default();
            for record in &all {
                packer.push_record(record);
            }
            let bytes = Bytes::copy_aligned(&packer.finish().expect("small"));
            let packed = PackedRecords::read(bytes.as_ref()).expect("whole");
            let mut read = Vec::new();
            packed.for_each_record(|at, record| read.push((at, record.to_vec())));
            prop_assert_eq!(read, all.iter().cloned().enumerate().collect::<Vec<_>>());
            for (at, record) in all.iter().enumerate() {
                prop_assert_eq!(packed.record(at), Some(record.as_slice()));
            }
            prop_assert_eq!(packed.record(all.len()), None);
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(0..=255_u8, 0..200), len in 0..40_u32) {
            let mut section = len.to_le_bytes().to_vec();
            section.extend(bytes);
            let section = Bytes::copy_aligned(&section);
            if let Some(packed) = PackedRecords::read(section.as_ref()) {
                packed.for_each_text(|at, _| { packed.text(at); });
                packed.for_each_record(|at, _| { packed.record(at); });
                packed.position_of_text("a", 0..packed.len());
            }
        }

        #[test]
        fn numbers_are_read_as_they_were(one: u64, other: u64) {
            let mut bytes = Vec::new();
            push_number(&mut bytes, one);
            push_number(&mut bytes, other);
            let mut rest = bytes.as_slice();
            prop_assert_eq!((take_number(&mut rest), take_number(&mut rest), take_number(&mut rest)), (Some(one), Some(other), None));
        }
    }
}
