//! The words of a folded text: its runs of letters and digits.

use std::ops::Range;

use notesieve::text::normalize::Normalized;
use wide::{CmpGt, CmpLt, i8x16};

/// The runs of letters and digits in a folded text. Bytes are classed 64 at a time.
pub(crate) struct Words<'a> {
    text: &'a str,
    at: usize,
    /// Where the block begins whose classes are known.
    block: usize,
    /// For each byte of the block, from the lowest bit on: whether it is a letter or digit of ASCII.
    plain: u64,
    /// Whether it is part of something longer than a byte.
    wide: u64,
}

impl<'a> Words<'a> {
    pub(crate) fn of(folded: &'a Normalized) -> Self {
        Self { text: folded.folded(), at: 0, block: usize::MAX, plain: 0, wide: 0 }
    }

    fn class(&mut self, block: usize) {
        let bytes = &self.text.as_bytes()[block..];
        let mut sixteens = [[0; 16]; 4];
        let known = bytes.len().min(64);
        sixteens.as_flattened_mut()[..known].copy_from_slice(&bytes[..known]);
        (self.block, self.plain, self.wide) = (block, 0, 0);
        for (at, sixteen) in sixteens.into_iter().enumerate() {
            let sixteen = i8x16::from(sixteen.map(u8::cast_signed));
            let between = |first: u8, last: u8| {
                sixteen.cmp_gt(i8x16::splat(first.cast_signed() - 1))
                    & sixteen.cmp_lt(i8x16::splat(last.cast_signed() + 1))
            };
            // Folded text has no capital letters of ASCII.
            let plain = between(b'a', b'z') | between(b'0', b'9');
            self.plain |= u64::from(plain.move_mask().cast_unsigned()) << (16 * at);
            self.wide |= u64::from(sixteen.move_mask().cast_unsigned()) << (16 * at);
        }
    }

    /// The first byte from `at` on that ends a run: in a word, or between words.
    fn end_of(&mut self, mut at: usize, in_word: bool) -> usize {
        while at < self.text.len() {
            let block = at & !63;
            if block != self.block {
                self.class(block);
            }
            let other = if in_word { !self.plain } else { self.plain | self.wide };
            let left = other >> (at - block);
            if left == 0 {
                at = block + 64;
                continue;
            }
            at += left.trailing_zeros() as usize;
            if self.text.as_bytes().get(at).is_none_or(u8::is_ascii) {
                break;
            }
            let rest = &self.text[at..];
            return at + rest.find(|letter: char| letter.is_alphanumeric() != in_word).unwrap_or(rest.len());
        }
        at.min(self.text.len())
    }
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.end_of(self.at, false);
        self.at = self.end_of(start, true);
        (start < self.at).then_some(start..self.at)
    }
}
