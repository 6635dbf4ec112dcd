//! What may stand beside a number, and at which numbers a rule is asked for it.

use std::ops::Range;

use super::columns::{Fact, GROUP};
use super::{Looks, Number};

/// Numbers at which a rule is asked: those of these looks with one of the signs, or one of the words, beside them.
#[derive(Clone, Copy, Debug)]
pub struct At {
    pub(super) looks: Looks,
    pub(super) signs: Signs,
    pub(super) before: Option<Fact>,
    pub(super) after: Option<Fact>,
}

impl At {
    /// At numbers of these looks, whatever stands beside them.
    pub const fn any(looks: Looks) -> Self {
        Self::beside(looks, Signs::ANYWHERE)
    }

    /// At numbers of these looks with one of these signs.
    pub const fn beside(looks: Looks, signs: Signs) -> Self {
        Self { looks, signs, before: None, after: None }
    }

    /// At numbers of these looks with the words that the next two calls name.
    pub const fn words(looks: Looks) -> Self {
        Self::beside(looks, Signs(0))
    }

    /// Also where one of these words stands before the number, perhaps with a mark of `#.:` between.
    #[must_use]
    pub(super) const fn or_after(self, before: Fact) -> Self {
        Self { before: Some(before), ..self }
    }

    /// Also where one of these words stands behind the number, perhaps with a hyphen between.
    #[must_use]
    pub(super) const fn or_before(self, after: Fact) -> Self {
        Self { after: Some(after), ..self }
    }
}

/// A set of signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs(u64);

macro_rules! signs {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "it only counts the signs")]
        enum Bit { $($name,)* COUNT }

        impl Signs {
            $($(#[$doc])* pub const $name: Self = Self(1 << Bit::$name as u32);)*
        }
    };
}

signs! {
    /// Every number has it.
    ANYWHERE,
    // ---- what the number is
    /// It has seven characters or more, and is no date.
    WIDE,
    /// Four parts with points between, or six with colons.
    NETWORK,
    /// It begins with a year of the last or this century.
    DATED,
    /// It is a year in which somebody was born who is over 89.
    BIRTH,
    /// It begins with a decimal that may be day and month, or month and year.
    CALENDAR,
    /// It may be a part of a date: a day and a month, one of them and a year.
    SLASHED,
    /// It begins with a zero, or with its point; or its first four figures do.
    ZERO,
    /// Its first part is 90 to 130.
    AGED,
    // ---- what stands before it
    /// A letter.
    GLUED,
    /// A capital letter, and all letters of the word are.
    GLUED_CAPITAL,
    /// `<`, `>`, `=` or a character that is no mark of ASCII.
    COMPARED,
    /// `#`
    SHARP,
    /// Two marks of `#.:`
    HEAP,
    /// `-`
    HYPHEN_BEFORE,
    /// `+`, `'`, `@`
    SIGN_BEFORE,
    /// What doses and sizes belong to, or a preposition with a word before it that makes a count of the number.
    DRUG,
    // ---- what stands behind it
    /// Letters that scanners make of digits.
    SCANNED,
    /// `'s`
    POSSESSED,
    /// `+` or `-`, without white space.
    SIGN_AFTER,
    /// `.` or `)`, without white space.
    CLOSED,
    /// Something that may make an amount of it, a letter among it.
    MEASURED,
    /// A letter and an apostrophe.
    CLOCK,
    /// More digits that may make a date of it: a third group, a mark and two digits, a slash.
    GROUPS,
    /// More digits that may make a telephone number of it, five digits and more; or letters that are dialled.
    DIALLED,
    // ---- on either side
    /// Words and marks of an address: the name of a street behind it, or before it and a code behind.
    ADDRESS,
    /// Letters of counts of births, or of weeks and days of a pregnancy.
    BORN,
    /// The name of a ward before it, or its letter behind it, and a word that goes with wards.
    WARD,
    /// Letters, marks and numbers without white space that may make a code of it, or more digits of a card.
    CODED,
    /// Marks as they stand in an address in hexadecimal figures.
    HEXADECIMAL,
    /// Capitals that may make a plate of it, and no other letters.
    CAPITALS,
    /// A word for an age before it, `she is` before it and a mark or a word behind it, a slash and a sex behind it.
    AGE,
    /// What may be a misspelt month.
    UNKNOWN,
}

impl Signs {
    /// How many signs there are.
    pub(super) const COUNT: usize = Bit::COUNT as usize;

    /// The columns of those that numbers have by themselves, apart from [`Self::ANYWHERE`].
    pub(super) const OWN: Range<usize> = Self::WIDE.column()..Self::GLUED.column();

    /// The column of a sign.
    #[inline]
    pub(super) const fn column(self) -> usize {
        self.0.trailing_zeros() as usize
    }

    /// One bit a sign.
    #[inline]
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    /// Those that a number has by itself, one bit each.
    #[inline]
    pub(super) const fn own(self) -> u8 {
        (self.0 >> Self::OWN.start) as u8
    }

    /// One of either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    const fn when(self, holds: bool) -> u64 {
        if holds { self.0 } else { 0 }
    }

    /// The signs that a number has by itself, but [`Self::ANYWHERE`], which each has.
    pub(super) fn of_digits(number: &Number, len: usize) -> Self {
        let whole = Self::of_whole(number.digits(0), number.value(0));
        if number.digits(0) == len { whole } else { Self(whole.0 & !Self::WIDE.0 | Self::of_parts(number, len)) }
    }

    /// The signs of so many digits with that value.
    #[inline]
    pub(super) fn of_whole(digits: usize, value: u64) -> Self {
        // No branch: the value of a number is unpredictable.
        let (four, zero, small) = (digits == 4, value == 0, value < 1000);
        let padded = four & small;
        Self(
            Self::AGED.when((90..=130).contains(&value))
                | Self::DATED.when(four & (1900..2100).contains(&value))
                | Self::BIRTH.when(four & (1850..=1936).contains(&value))
                | Self::ZERO.when(zero | padded)
                | Self::WIDE.when(digits >= 7),
        )
    }

    /// The signs of a number with marks inside.
    fn of_parts(number: &Number, len: usize) -> u64 {
        let (value, digits) = (number.value(0), number.digits(0));
        let (next, more) = (number.value(1), number.digits(1));
        // `10/12/2005`, `3/4/06`: by itself no telephone number.
        let dated = number.len() == 3 && digits <= 2 && more <= 2 && matches!(number.digits(2), 2 | 4);
        let apart = match number.mark(0) {
            b'/' => {
                let (day, other) = (digits <= 2 && (1..=31).contains(&value), more <= 2 && (1..=31).contains(&next));
                let either = day && other;
                let first = day && value <= 12 && matches!(more, 2 | 4);
                let last = other && (digits == 4 || digits == 2 && more == 2);
                Self::SLASHED.when(either || first || last)
            }
            b'.' => {
                let years = digits <= 2 && more == 4 && next >= 1850;
                Self::CALENDAR.when(matches!((digits, more), (2 | 4, 2)) || years)
            }
            _ => 0,
        };
        apart
            | Self::WIDE.when(len >= 7 && !dated)
            | Self::NETWORK.when(number.len() >= 4 && matches!(number.mark(2), b'.' | b':'))
    }
}

const _: () = assert!(Signs::COUNT <= GROUP, "a set of signs is 64 bits");

const _: () = assert!(Signs::OWN.end - Signs::OWN.start == 8, "the signs that a number has by itself are a byte");
