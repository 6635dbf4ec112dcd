//! The parts of a number token.

/// A number token in its parts: `3/4/06` is 3, 4 and 6 with 1, 1 and 2 digits and two slashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    values: [u64; Self::MOST],
    digits: [u8; Self::MOST],
    marks: [u8; Self::MOST],
    len: u8,
}

impl Number {
    /// Parts beyond this many are not kept; [`Number::len`] still counts them.
    pub const MOST: usize = 8;

    /// Reads the bytes of a number token.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut number = Self { values: [0; Self::MOST], digits: [0; Self::MOST], marks: [0; Self::MOST], len: 0 };
        let mut at = 0;
        // `.5` has an empty part before its point.
        loop {
            let part = usize::from(number.len);
            let mut value = 0_u64;
            let mut digits = 0_u8;
            while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
                value = value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
                digits = digits.saturating_add(1);
                at += 1;
            }
            if part < Self::MOST {
                number.values[part] = value;
                number.digits[part] = digits;
                number.marks[part] = bytes.get(at).copied().unwrap_or(0);
            }
            number.len = number.len.saturating_add(1);
            if at >= bytes.len() {
                return number;
            }
            at += 1;
        }
    }

    /// The number of parts.
    #[allow(clippy::len_without_is_empty, reason = "a number is never empty")]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// The value of a part; saturates.
    pub const fn value(&self, part: usize) -> u64 {
        if part < Self::MOST { self.values[part] } else { 0 }
    }

    /// How many digits a part has.
    pub const fn digits(&self, part: usize) -> usize {
        if part < Self::MOST { self.digits[part] as usize } else { 0 }
    }

    /// The mark after a part; 0 after the last one.
    pub const fn mark(&self, part: usize) -> u8 {
        if part < Self::MOST { self.marks[part] } else { 0 }
    }

    /// Whether the number has this many parts and this mark between all of them.
    pub fn is(&self, parts: usize, mark: u8) -> bool {
        self.len() == parts && parts <= Self::MOST && (0..parts - 1).all(|part| self.marks[part] == mark)
    }

    /// The number as a decimal, commas as thousands: `7.38`, `1,250`, `.5`. `None` for `3/4` and `10:30`.
    pub fn decimal(&self) -> Option<f64> {
        if self.len() > 4 {
            return None;
        }
        let mut value = self.values[0] as f64;
        for part in 1..self.len() {
            match self.marks[part - 1] {
                b',' if self.digits[part] == 3 => value = value * 1000.0 + self.values[part] as f64,
                b'.' if part == self.len() - 1 => {
                    value += self.values[part] as f64 / 10_f64.powi(i32::from(self.digits[part]));
                }
                _ => return None,
            }
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_parts_of_numbers() {
        let date = Number::parse(b"3/4/06");
        assert!(date.is(3, b'/'));
        assert_eq!((date.value(2), date.digits(2), date.mark(2)), (6, 2, 0));
        assert_eq!(Number::parse(b"7.38").decimal(), Some(7.38));
        assert_eq!(Number::parse(b"1,250.5").decimal(), Some(1250.5));
        assert_eq!(Number::parse(b".5").decimal(), Some(0.5));
        assert_eq!(Number::parse(b"42").decimal(), Some(42.0));
        assert_eq!(Number::parse(b"3/4").decimal(), None);
        assert_eq!(Number::parse(b"1.2.3.4.5.6.7.8.9.10").len(), 10);
    }
}
