//! A number token split into its parts.

use super::number_shape::NumberShape;

/// The shape of a number token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Shape {
    /// `42`
    Integer,
    /// `1,250`
    Grouped,
    /// `7.38`, `.5`, `1,250.5`
    Decimal,
    /// `128/72`
    Slash,
    /// `7.38/42/96`, `138/4.1`
    Slashes,
    /// `10:30`, `1:100,000`
    Colon,
    /// Anything else: `2,3`, `1.2.3`.
    Other,
}

/// A number token split into its parts: `3/4/06` is 3, 4 and 6 with 1, 1 and 2 digits and two slashes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Number {
    values: [u32; Self::MAX_PARTS],
    digits: [u8; Self::MAX_PARTS],
    separators: [u8; Self::MAX_PARTS],
    len: u8,
    shape: Shape,
    rule_shape: NumberShape,
    has_leading_zero: bool,
}

// A text of ten million letters may contain five million numbers.
const _: () = assert!(size_of::<Number>() <= 64, "a number is one line of the cache");

/// Shows the shape only, nothing of the value.
impl std::fmt::Debug for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Number").field("shape", &self.shape).field("len", &self.len).finish_non_exhaustive()
    }
}

impl Number {
    /// The maximum number of parts that are stored; [`Number::len`] counts further parts too.
    pub const MAX_PARTS: usize = 8;

    pub(super) const EMPTY: Self = Self {
        values: [0; Self::MAX_PARTS],
        digits: [0; Self::MAX_PARTS],
        separators: [0; Self::MAX_PARTS],
        len: 0,
        shape: Shape::Integer,
        rule_shape: NumberShape::One,
        has_leading_zero: false,
    };

    /// Parses the bytes of a number token.
    #[inline]
    pub fn parse(bytes: &[u8]) -> Self {
        let mut number = Self::EMPTY;
        number.read(bytes);
        number
    }

    /// Parses bytes into an empty number.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        self.read_parts(bytes);
        self.shape = self.find_shape();
        self.rule_shape = self.find_shape_index();
        self.has_leading_zero = self.digits[0] > 1 && bytes[0] == b'0';
    }

    /// Parses the first `len` of eight bytes into an empty number if they are digits only, as in most numbers. Returns
    /// whether they are.
    #[inline]
    pub(super) fn read_short(&mut self, bytes: [u8; 8], len: usize) -> bool {
        const ZEROS: u64 = 0x3030_3030_3030_3030;
        if len == 0 || len > 8 {
            return false;
        }
        // The digits in the upper bytes, zeros in the lower ones, which come first.
        let digits = (u64::from_le_bytes(bytes) ^ ZEROS) << (64 - 8 * len);
        if (digits | digits.wrapping_add(0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 != 0 {
            return false;
        }
        // Combines digits to pairs, pairs to fours, and fours to eights. No lane overflows.
        let pairs = (digits * 10 + (digits >> 8)) & 0x00FF_00FF_00FF_00FF;
        let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
        let value = (fours * 10_000 + (fours >> 32)) as u32;
        self.values[0] = value;
        self.digits[0] = len as u8;
        self.len = 1;
        self.rule_shape = NumberShape::of_integer(len, value);
        self.has_leading_zero = len > 1 && bytes[0] == b'0';
        true
    }

    fn read_parts(&mut self, bytes: &[u8]) {
        let number = self;
        let mut at = 0;
        // `.5` has an empty part before its point.
        loop {
            let part = usize::from(number.len);
            let mut value = 0_u32;
            let mut digits = 0_u8;
            while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
                value = value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
                digits = digits.saturating_add(1);
                at += 1;
            }
            if part < Self::MAX_PARTS {
                number.values[part] = value;
                number.digits[part] = digits;
                number.separators[part] = bytes.get(at).copied().unwrap_or(0);
            }
            number.len = number.len.saturating_add(1);
            if at >= bytes.len() {
                break;
            }
            at += 1;
        }
    }

    /// Returns the number of parts.
    #[allow(clippy::len_without_is_empty, reason = "a number is never empty")]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns the value of a part, at most `u32::MAX`.
    pub const fn value(&self, part: usize) -> u64 {
        if part < Self::MAX_PARTS { self.values[part] as u64 } else { 0 }
    }

    /// Returns the number of digits of a part.
    pub const fn digits(&self, part: usize) -> usize {
        if part < Self::MAX_PARTS { self.digits[part] as usize } else { 0 }
    }

    /// Returns the separator after a part; 0 after the last one.
    pub const fn separator(&self, part: usize) -> u8 {
        if part < Self::MAX_PARTS { self.separators[part] } else { 0 }
    }

    /// Returns the shape.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns whether the first part has leading zeros: `007`, `03/4`.
    pub const fn has_leading_zero(&self) -> bool {
        self.has_leading_zero
    }

    /// Returns whether the number has this many parts and this separator between all of them.
    pub fn has_form(&self, parts: usize, separator: u8) -> bool {
        self.len() == parts && parts <= Self::MAX_PARTS && (0..parts - 1).all(|part| self.separators[part] == separator)
    }

    /// Returns the number as a decimal, with commas as thousands separators: `7.38`, `1,250`, `.5`. `None` for `3/4`
    /// and `10:30`.
    pub fn decimal(&self) -> Option<f64> {
        if self.len() > 4 {
            return None;
        }
        let mut value = f64::from(self.values[0]);
        for part in 1..self.len() {
            match self.separators[part - 1] {
                b',' if self.digits[part] == 3 => value = value * 1000.0 + f64::from(self.values[part]),
                b'.' if part == self.len() - 1 => {
                    value += f64::from(self.values[part]) / 10_f64.powi(i32::from(self.digits[part]));
                }
                _ => return None,
            }
        }
        Some(value)
    }

    fn find_shape(&self) -> Shape {
        let parts = self.len();
        if parts == 1 {
            return Shape::Integer;
        }
        if parts > Self::MAX_PARTS {
            return Shape::Other;
        }
        let marks = |mark: u8| (0..parts - 1).filter(|&part| self.separator(part) == mark).count();
        let grouped = |from: usize, to: usize| (from..to).all(|part| self.digits(part) == 3);
        let (points, commas, slashes, colons) = (marks(b'.'), marks(b','), marks(b'/'), marks(b':'));
        if slashes > 0 {
            return match (parts, slashes, colons) {
                (2, 1, _) => Shape::Slash,
                (_, _, 0) => Shape::Slashes,
                _ => Shape::Other,
            };
        }
        if colons > 0 {
            let ratio = self.separator(0) == b':'
                && (1..parts - 1).all(|part| self.separator(part) == b',')
                && grouped(2, parts);
            let clock = colons == parts - 1 || (colons == 2 && points == 1 && self.separator(parts - 2) == b'.');
            return if ratio || clock || points == 1 && parts == 3 { Shape::Colon } else { Shape::Other };
        }
        match (commas, points) {
            (_, 0) if self.digits(0) <= 3 && self.digits(0) > 0 && grouped(1, parts) => Shape::Grouped,
            (0, 1) => Shape::Decimal,
            (_, 1) if self.separator(parts - 2) == b'.' && grouped(1, parts - 1) => Shape::Decimal,
            _ => Shape::Other,
        }
    }
}

impl Number {
    /// Returns the index of its shape in [`NumberShapes`](super::NumberShapes).
    #[inline]
    pub(crate) const fn shape_index(&self) -> usize {
        self.rule_shape as usize
    }

    const fn find_shape_index(&self) -> NumberShape {
        match (self.shape, self.digits[0]) {
            (Shape::Integer, digits) => NumberShape::of_integer(digits as usize, self.values[0]),
            (Shape::Grouped, _) => NumberShape::Grouped,
            (Shape::Decimal, _) => NumberShape::Decimal,
            (Shape::Slash, 1) => NumberShape::ShortSlash,
            (Shape::Slash, _) => NumberShape::Slash,
            (Shape::Slashes, _) => NumberShape::Slashes,
            (Shape::Colon, _) => NumberShape::Colon,
            (Shape::Other, _) => NumberShape::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_parts_of_numbers() {
        let date = Number::parse(b"3/4/06");
        assert!(date.has_form(3, b'/'));
        assert_eq!((date.value(2), date.digits(2), date.separator(2)), (6, 2, 0));
        assert_eq!(Number::parse(b"7.38").decimal(), Some(7.38));
        assert_eq!(Number::parse(b"1,250.5").decimal(), Some(1250.5));
        assert_eq!(Number::parse(b".5").decimal(), Some(0.5));
        assert_eq!(Number::parse(b"42").decimal(), Some(42.0));
        assert_eq!(Number::parse(b"3/4").decimal(), None);
        assert_eq!(Number::parse(b"1.2.3.4.5.6.7.8.9.10").len(), 10);
    }

    #[test]
    fn reads_digits_at_once_as_one_by_one() {
        for text in [
            "7 mg orally",
            "42 mg orally",
            "90 years",
            "007 orally",
            "2006 to 2008",
            "00000000",
            "98765432",
            "12345678",
        ] {
            let len = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
            let head = *text.as_bytes().first_chunk().unwrap();
            let mut number = Number::EMPTY;
            assert!(number.read_short(head, len), "{text}");
            assert_eq!(number, Number::parse(&text.as_bytes()[..len]), "{text}");
        }
        for (text, len) in [("7.38 and", 4), ("1:2/3,4.", 7), ("123456789", 9), ("1² m² ", 3), ("12\n10:30", 8)] {
            let mut number = Number::EMPTY;
            assert!(!number.read_short(*text.as_bytes().first_chunk().unwrap(), len), "{text}");
        }
    }

    #[test]
    fn tells_the_shapes_apart() {
        for (text, expected) in [
            ("42", Shape::Integer),
            ("1,250", Shape::Grouped),
            ("1,250,000", Shape::Grouped),
            ("7.38", Shape::Decimal),
            (".5", Shape::Decimal),
            ("1,250.5", Shape::Decimal),
            ("128/72", Shape::Slash),
            ("7.38/42/96", Shape::Slashes),
            ("10:30", Shape::Colon),
            ("1:100,000", Shape::Colon),
            ("10:30:15", Shape::Colon),
            ("2,3", Shape::Other),
            ("10.1.2.3", Shape::Other),
        ] {
            assert_eq!(Number::parse(text.as_bytes()).shape(), expected, "{text}");
        }
    }
}
