//! Spans of a text.
//!
//! Inside the core every offset counts bytes of UTF-8. At the Python boundary offsets count code points, so that
//! `text[start:end]` is correct there; [`CodePoints`] is the only place that converts.

use serde::{Deserialize, Serialize};

/// A half-open range of byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Span {
    /// The start, in bytes.
    pub start: u32,
    /// The end, exclusive.
    pub end: u32,
}

impl Span {
    /// Creates the span from `start` to `end`, exclusive.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Returns the number of bytes.
    pub const fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns whether the span is empty.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Returns the span as a range that indexes a `str`.
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Converts byte offsets of one text to code points.
///
/// The converter moves from the last offset to the next in either direction, so offsets in roughly ascending order cost
/// one pass over the text. On ASCII text it does nothing.
#[derive(Debug)]
pub struct CodePoints<'a> {
    text: &'a [u8],
    ascii: bool,
    byte: usize,
    point: u32,
}

impl<'a> CodePoints<'a> {
    /// Creates a converter for `text`.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { text: text.as_bytes(), ascii: text.is_ascii(), byte: 0, point: 0 }
    }

    /// Returns the number of code points before byte `offset`.
    pub fn count_before(&mut self, offset: u32) -> u32 {
        if self.ascii {
            return offset;
        }
        let target = (offset as usize).min(self.text.len());
        // Every byte except a continuation byte (0b10xx_xxxx) begins a code point.
        let begun = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32;
        if target < self.byte {
            self.point -= begun(&self.text[target..self.byte]);
        } else {
            self.point += begun(&self.text[self.byte..target]);
        }
        self.byte = target;
        self.point
    }

    /// Converts both ends of a span.
    pub fn convert_span(&mut self, span: Span) -> Span {
        let start = self.count_before(span.start);
        Span::new(start, self.count_before(span.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_code_points() {
        let text = "aé漢😀z";
        let mut points = CodePoints::new(text);
        let bytes: Vec<u32> = text.char_indices().map(|(at, _)| at as u32).collect();
        let converted: Vec<u32> = bytes.iter().map(|&at| points.count_before(at)).collect();
        assert_eq!(converted, [0, 1, 2, 3, 4]);
        assert_eq!(points.count_before(text.len() as u32), 5);
        assert_eq!(points.count_before(1), 1, "going back is allowed");
    }
}
