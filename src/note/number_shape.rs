//! The shapes of numbers, which select the rules to run on a number.

/// The shape of a number by its digits and the marks inside it: a bit of [`NumberShapes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum NumberShape {
    /// Digits only, by their number.
    One,
    Two,
    Three,
    Four,
    Five,
    Six,
    Long,
    /// 90 to 139: possibly an age over 89.
    Old,
    /// 1900 to 2099.
    Year,
    Grouped,
    Decimal,
    /// `7/8`: one digit before the slash.
    ShortSlash,
    Slash,
    Slashes,
    Colon,
    Other,
}

impl NumberShape {
    /// Returns the shape of an integer with that many digits and that value.
    #[inline]
    pub(crate) const fn of_integer(digits: usize, value: u32) -> Self {
        const SHAPES: [NumberShape; 9] = {
            use NumberShape::{Five, Four, Long, One, Six, Three, Two};
            [One, One, Two, Three, Four, Five, Six, Six, Long]
        };
        // Branchless: the values of numbers are unpredictable.
        let (short, old) = (digits <= 3, value >= 90 && value < 140);
        let (four, year) = (digits == 4, value >= 1900 && value < 2100);
        let shape = SHAPES[if digits < 8 { digits } else { 8 }];
        let shape = if short & old { Self::Old } else { shape };
        if four & year { Self::Year } else { shape }
    }
}

/// The number of shapes.
pub(crate) const SHAPES: usize = 16;

/// A set of number shapes: those for which a rule runs. Most rules do not apply to most numbers, and a lookup here is
/// cheaper than calling each.
///
/// The set is only an optimisation: a rule that runs on all numbers gives the same findings, which the tests check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberShapes(u16);

impl NumberShapes {
    /// No numbers.
    pub const NONE: Self = Self(0);
    /// All numbers.
    pub const ALL: Self = Self(u16::MAX);
    /// One digit.
    pub const ONE: Self = Self::of(NumberShape::One);
    /// Two digits.
    pub const TWO: Self = Self::of(NumberShape::Two).or(Self::OLD);
    /// One or two digits.
    pub const UP_TO_TWO: Self = Self::ONE.or(Self::TWO);
    /// Up to three digits.
    pub const UP_TO_THREE: Self = Self::UP_TO_TWO.or(Self::of(NumberShape::Three));
    /// Up to four digits.
    pub const UP_TO_FOUR: Self = Self::UP_TO_THREE.or(Self::FOUR);
    /// Four digits.
    pub const FOUR: Self = Self::of(NumberShape::Four).or(Self::YEAR);
    /// 1900 to 2099.
    pub const YEAR: Self = Self::of(NumberShape::Year);
    /// Up to seven digits.
    pub const UP_TO_SEVEN: Self = Self::UP_TO_FOUR.or(Self::FIVE).or(Self::of(NumberShape::Six));
    /// Five digits.
    pub const FIVE: Self = Self::of(NumberShape::Five);
    /// Five or more digits.
    pub const FROM_FIVE: Self = Self::FIVE.or(Self::FROM_SIX);
    /// Six or more digits.
    pub const FROM_SIX: Self = Self::of(NumberShape::Six).or(Self::LONG);
    /// Eight or more digits.
    pub const LONG: Self = Self::of(NumberShape::Long);
    /// 90 to 139.
    pub const OLD: Self = Self::of(NumberShape::Old);
    /// `7.38`
    pub const DECIMAL: Self = Self::of(NumberShape::Decimal);
    /// `5/8`
    pub const PART: Self = Self::of(NumberShape::ShortSlash);
    /// `128/72`, `5/8`
    pub const SLASH: Self = Self::of(NumberShape::Slash).or(Self::PART);
    /// `10:30`
    pub const COLON: Self = Self::of(NumberShape::Colon);
    /// `2,3`, `1.2.3`
    pub const OTHER: Self = Self::of(NumberShape::Other);
    /// Digits only.
    pub const INTEGER: Self = Self::UP_TO_FOUR.or(Self::FROM_FIVE);
    /// All with a mark inside.
    pub const MARKED: Self = Self(!Self::INTEGER.0);

    const fn of(shape: NumberShape) -> Self {
        Self(1 << shape as u16)
    }

    /// Returns the union of both sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the set as a bitmask.
    pub(crate) const fn bits(self) -> u64 {
        self.0 as u64
    }
}
