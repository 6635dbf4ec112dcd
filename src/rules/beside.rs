//! What stands beside the numbers of a group of tokens, by columns.
//!
//! Every rule that is asked at numbers needs something there: a mark, a letter glued to it, a capital, a word of its own.
//! Most numbers have little of it. [`At`] says which signs make a find possible. It only spares work: a rule finds the same
//! when it is asked at every number, which the tests check.

use super::columns::{Around, Fact, GROUP, Group, bits};
use super::{Looks, Number, View, clinical, month};
use crate::vocabulary::Class;

/// Numbers at which a rule is asked: those of these looks with one of the signs, or one of the words, beside them.
#[derive(Clone, Copy, Debug)]
pub struct At {
    looks: Looks,
    signs: Signs,
    before: Option<Fact>,
    after: Option<Fact>,
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
    /// It has seven characters or more.
    WIDE,
    /// It begins with a year of the last or this century.
    DATED,
    /// It is a year in which somebody was born who is over 89.
    BIRTH,
    /// It begins with a decimal that may be day and month, or month and year.
    CALENDAR,
    /// It begins with a zero, or with its point.
    ZERO,
    /// Its first part is 90 to 130.
    AGED,
    // ---- what stands before it
    /// A letter.
    GLUED,
    /// A capital letter, and all letters of the word are.
    GLUED_CAPITAL,
    /// No white space.
    JOINED,
    /// `<`, `>`, `=` or a character that is no mark of ASCII.
    COMPARED,
    /// `(`
    BRACKET,
    /// `#`
    SHARP,
    /// Two marks of `#.:`
    HEAP,
    /// `-`
    HYPHEN_BEFORE,
    /// `+`, `'`, `@`
    SIGN_BEFORE,
    /// A mark or number that the words for an age may have behind them.
    PASSED,
    /// A word with a capital letter, behind a blank.
    NAME_BEFORE,
    /// What doses and sizes belong to.
    DRUG,
    // ---- what stands behind it
    /// A letter.
    TAILED,
    /// One letter.
    LETTER,
    /// A word with a capital letter, behind a blank.
    NAME_AFTER,
    /// `'s`
    POSSESSED,
    /// `+` or `-`, without white space.
    SIGN_AFTER,
    /// `-`
    HYPHEN_AFTER,
    /// `.` or `)`, without white space.
    CLOSED,
    /// A mark that a letter or number follows, all without white space; one letter may stand before the mark.
    GOES_ON,
    /// More digits: behind a mark or several, or letters that scanners make of digits.
    MORE,
    /// Something that may make an amount of it.
    MEASURED,
    /// `,` without white space, and a number or a word with a capital letter.
    LISTED,
    // ---- on either side
    /// Letters, all capitals, or a hyphen.
    CAPITALS,
    /// What may be a misspelt month.
    UNKNOWN,
}

impl Signs {
    /// One of either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    const fn when(self, holds: bool) -> u64 {
        if holds { self.0 } else { 0 }
    }

    /// The signs that the digits alone are.
    fn of_digits(number: &Number, len: usize) -> Self {
        let (value, digits) = (number.value(0), number.digits(0));
        let (next, more) = (number.value(1), number.digits(1));
        let calendar = digits == 2 && more == 2 || digits == 4 && more == 2 || digits <= 2 && more == 4 && next >= 1850;
        Self(
            Self::ANYWHERE.0
                | Self::WIDE.when(len >= 7)
                | Self::DATED.when(digits == 4 && (1900..2100).contains(&value))
                | Self::BIRTH.when(digits == 4 && (1850..=1936).contains(&value))
                | Self::CALENDAR.when(calendar && number.mark(0) == b'.')
                | Self::ZERO.when(value == 0)
                | Self::AGED.when((90..=130).contains(&value)),
        )
    }
}

/// The numbers of a group: which look each has, and which signs are beside it.
pub(super) struct Figures {
    numbers: u64,
    looks: [u64; Looks::COUNT],
    signs: [u64; Bit::COUNT as usize],
    /// Those behind a word with one of the facts from [`Fact::Room`] on, and before one.
    words: [[u64; 2]; GROUP - Fact::Room as usize],
}

impl Figures {
    /// Reads the numbers among the tokens from `first` on, if there are any.
    pub(super) fn read(view: &View<'_>, first: usize, around: &Around<'_>) -> Option<Self> {
        let here = around.here();
        let numbers = here.is(Fact::Number);
        if numbers == 0 {
            return None;
        }
        let mut figures = Self {
            numbers,
            looks: [0; Looks::COUNT],
            signs: [0; Bit::COUNT as usize],
            words: [[0; 2]; GROUP - Fact::Room as usize],
        };
        for place in bits(numbers) {
            let Some(number) = view.number(first + place) else { continue };
            figures.looks[number.look()] |= 1 << place;
            for sign in bits(Signs::of_digits(number, view.width(first + place)).0) {
                figures.signs[sign] |= 1 << place;
            }
        }
        figures.before(around);
        figures.after(around);
        figures.both(view, first, around);
        Some(figures)
    }

    #[inline]
    fn set(&mut self, sign: Signs, numbers: u64) {
        self.signs[sign.0.trailing_zeros() as usize] = numbers;
    }

    fn before(&mut self, around: &Around<'_>) {
        let here = around.here();
        let (glued, joined, spaced) = (here.is(Fact::Glued), here.is(Fact::Joined), here.is(Fact::Spaced));
        let before = |has: fn(&Group) -> u64| around.before(1, has);
        self.set(Signs::JOINED, joined);
        self.set(Signs::GLUED, glued & before(|left| left.is(Fact::Word)));
        self.set(Signs::GLUED_CAPITAL, glued & before(Group::capitals));
        self.set(Signs::NAME_BEFORE, spaced & before(|left| left.is(Fact::Capital)));
        self.set(Signs::DRUG, before(|left| left.is(Fact::Word) & left.any(clinical::list::LEADS)));
        self.set(Signs::COMPARED, before(|left| left.marks(b"<=>") | left.is(Fact::Symbol)));
        self.set(Signs::PASSED, before(|left| left.marks(b"=(,:-@") | left.is(Fact::Number)));
        self.set(Signs::BRACKET, before(|left| left.mark(b'(')));
        self.set(Signs::HYPHEN_BEFORE, before(|left| left.mark(b'-')));
        self.set(Signs::SIGN_BEFORE, before(|left| left.marks(b"@+'")));
        self.set(Signs::SHARP, before(|left| left.mark(b'#')));
        let heap = |left: &Group| left.marks(b"#.:");
        let (one, two) = (around.before(1, heap), around.before(2, heap));
        self.set(Signs::HEAP, one & two);
        for fact in [Fact::Room, Fact::LeadsAge, Fact::LeadsTime, Fact::LeadsBirth, Fact::LeadsCount] {
            let word = |left: &Group| left.is(fact) & left.is(Fact::Word);
            self.words[nth(fact)][0] = around.before(1, word) | one & around.before(2, word);
        }
    }

    fn after(&mut self, around: &Around<'_>) {
        let after = |has: fn(&Group) -> u64| around.behind(1, has);
        let second = |has: fn(&Group) -> u64| around.behind(2, has);
        let number_next = second(|right| right.is(Fact::Number));
        self.set(Signs::TAILED, after(|right| right.is(Fact::Word) & right.is(Fact::Glued)));
        self.set(Signs::LETTER, after(|right| right.is(Fact::Word) & right.is(Fact::Glued) & right.is(Fact::One)));
        self.set(
            Signs::NAME_AFTER,
            after(|right| right.is(Fact::Capital) & right.is(Fact::Spaced) & !right.is(Fact::UpToTwo)),
        );
        self.set(Signs::POSSESSED, after(|right| right.is(Fact::Possessive)));
        self.set(Signs::SIGN_AFTER, after(|right| right.is(Fact::Joined) & right.marks(b"+-")));
        self.set(Signs::HYPHEN_AFTER, after(|right| right.mark(b'-')));
        self.set(Signs::CLOSED, after(|right| right.is(Fact::Joined) & right.marks(b".)")));
        let capital_next = second(|right| right.is(Fact::Capital));
        self.set(
            Signs::LISTED,
            after(|right| right.is(Fact::Joined) & right.mark(b',')) & (number_next | capital_next),
        );
        // A mark with something before and behind it and no white space.
        let inner = |right: &Group| right.is(Fact::Joined) & right.marks(b"-_/.:");
        let on = |far| around.behind(far, inner) & around.behind(far + 1, |right| right.is(Fact::Joined));
        let tail = after(|right| right.is(Fact::Word) & right.is(Fact::Glued));
        self.set(Signs::GOES_ON, on(1) | tail & on(2));
        // Digits behind up to three marks, or the capital letters of a telephone number.
        let mark = |far| around.behind(far, |right: &Group| right.marks(b"-./)(,:"));
        let digits = |far| {
            around.behind(far, |right| {
                let letters = right.is(Fact::Joined) & right.is(Fact::Upper) & !right.is(Fact::UpToThree);
                right.is(Fact::Number) | right.is(Fact::DigitLike) & right.is(Fact::Word) | letters
            })
        };
        let behind_marks = mark(1) & (digits(2) | mark(2) & (digits(3) | mark(3) & digits(4)));
        let beside = after(|right| right.is(Fact::Number) | right.is(Fact::DigitLike) & right.is(Fact::Word));
        self.set(Signs::MORE, behind_marks | beside);
        // 3 to 4; 7 and 1/2; a power may stand behind any gap.
        let word = after(|right| {
            let unit = right.is(Fact::One) | !right.on(Class::Stop) | right.any(clinical::FOLLOWS);
            right.is(Fact::Word) & right.is(Fact::Follows) & unit
        });
        let sign = after(|right| (right.marks(b"%'+") | right.is(Fact::Symbol)) & right.is(Fact::Follows));
        let joins = after(|right| right.marks(b"-/") & right.is(Fact::Follows));
        let power = after(|right| right.mark(b'^') | right.is(Fact::Number) & !right.is(Fact::NewLine));
        let linked = after(|right| right.is(Fact::Word)) & number_next;
        let joined = joins & second(|right| right.is(Fact::Word) | right.is(Fact::Number));
        self.set(Signs::MEASURED, word | sign | power | linked | joined);
        let hyphen = after(|right| right.mark(b'-'));
        for fact in [Fact::Direction, Fact::Span, Fact::Sex, Fact::Ordinal, Fact::Amount] {
            let word = |right: &Group| right.is(fact) & right.is(Fact::Word);
            self.words[nth(fact)][1] = around.behind(1, word) | hyphen & around.behind(2, word);
        }
    }

    fn both(&mut self, view: &View<'_>, first: usize, around: &Around<'_>) {
        let here = around.here();
        let near = |other: &Group| other.capitals() & other.is(Fact::UpToThree);
        let capitals = around.before(1, |left| near(left) | left.mark(b'-'))
            | around.behind(1, |right| near(right) | right.mark(b'-') | right.is(Fact::Glued))
            | here.is(Fact::Glued);
        let glued = here.is(Fact::Glued) & around.before(1, |left| left.is(Fact::Word) & !left.capitals());
        let tailed = around.behind(1, |right| right.is(Fact::Glued) & !right.capitals());
        self.set(Signs::CAPITALS, capitals & !glued & !tailed);
        let mut unknown = 0;
        for place in bits(month::near(around) & here.is(Fact::Number)) {
            unknown |= u64::from(month::stands(view, first + place)) << place;
        }
        self.set(Signs::UNKNOWN, unknown);
    }

    /// The numbers at which a rule is asked.
    #[expect(clippy::inline_always, reason = "only with constants as anchors does it come to a few instructions")]
    #[inline(always)]
    pub(super) fn places(&self, at: &At) -> u64 {
        let fold = |columns: &[u64], set: u64| bits(set).fold(0, |found, column| found | columns[column]);
        let beside = fold(&self.signs, at.signs.0)
            | at.before.map_or(0, |fact| self.words[nth(fact)][0])
            | at.after.map_or(0, |fact| self.words[nth(fact)][1]);
        match at.looks {
            Looks::ALL => beside & self.numbers,
            _ if beside == 0 => 0,
            looks => beside & fold(&self.looks, looks.bits()),
        }
    }
}

/// The place of the words of a fact that rules wait for beside numbers.
const fn nth(fact: Fact) -> usize {
    fact as usize - Fact::Room as usize
}

const _: () = assert!(Bit::COUNT as usize <= GROUP, "a set of signs is 64 bits");
