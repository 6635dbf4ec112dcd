//! What stands beside a number, told at one look.
//!
//! Every rule that is asked at numbers needs something there: a mark, a letter glued to it, a capital, a word of its own.
//! Most numbers have little of it, so [`Signs`] are read once a number, and [`At`] says which of them make a find possible.
//! Both only spare work: a rule finds the same when it is asked at every number, which the tests check.

use super::digits::looks_like_digits;
use super::{Looks, Number, View, clinical, month};
use crate::token::{Case, Gap, Kind, Token};
use crate::vocabulary::Class;

/// Numbers at which a rule is asked: those of these looks with one of the signs, or one of the words, beside them.
#[derive(Clone, Copy, Debug)]
pub struct At {
    pub(super) looks: Looks,
    pub(super) signs: Signs,
    pub(super) before: &'static [&'static str],
    pub(super) after: &'static [&'static str],
}

impl At {
    /// At numbers of these looks, whatever stands beside them.
    pub const fn any(looks: Looks) -> Self {
        Self::beside(looks, Signs::ANYWHERE)
    }

    /// At numbers of these looks with one of these signs.
    pub const fn beside(looks: Looks, signs: Signs) -> Self {
        Self { looks, signs, before: &[], after: &[] }
    }

    /// At numbers of these looks with the words that the next two calls name.
    pub const fn words(looks: Looks) -> Self {
        Self::beside(looks, Signs(0))
    }

    /// Also where one of these words stands before the number, perhaps with a mark of `#.:` between.
    #[must_use]
    pub const fn or_after(self, before: &'static [&'static str]) -> Self {
        Self { before, ..self }
    }

    /// Also where one of these words stands behind the number, perhaps with a hyphen between.
    #[must_use]
    pub const fn or_before(self, after: &'static [&'static str]) -> Self {
        Self { after, ..self }
    }
}

/// A set of signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs(u32);

macro_rules! signs {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "it only counts the signs")]
        enum Bit { $($name,)* }

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

/// How many numbers [`hash`] gives.
pub(super) const HASHES: usize = 512;

/// A number for a word; words that rules wait for are found by it.
#[inline]
pub(super) fn hash(word: &[u8]) -> usize {
    let [first, .., last] = word else { return usize::from(word.first().copied().unwrap_or(0)) };
    (usize::from(*first) * 7 + usize::from(*last) * 31 + word.len() * 13) % HASHES
}

impl Signs {
    /// One of either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// How many signs there may be.
    pub(super) const COUNT: usize = u32::BITS as usize;

    /// Whether the sign of that number is in the set.
    pub(super) const fn has(self, bit: usize) -> bool {
        self.0 >> bit & 1 != 0
    }

    /// The rules that a table names for the signs of the set.
    #[inline]
    pub(super) fn rules(self, table: &[u64; Self::COUNT]) -> u64 {
        let (mut left, mut rules) = (self.0, 0);
        while left != 0 {
            rules |= table[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        rules
    }

    #[inline]
    const fn when(self, holds: bool) -> u32 {
        if holds { self.0 } else { 0 }
    }

    /// What the digits alone say.
    pub(super) fn of_digits(number: &Number, len: usize) -> Self {
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

    /// What stands beside the number at `at`, and the words before and behind it.
    #[inline]
    pub(super) fn read(view: &View<'_>, at: usize, own: Token, number: &Number) -> (Self, Word, Word) {
        let around = match at.checked_sub(1).and_then(|first| view.tokens().get(first..)?.first_chunk::<4>()) {
            Some(&[left, _, right, second]) => [left, right, second],
            None => [view.token(at.wrapping_sub(1)), view.token(at + 1), view.token(at + 2)],
        };
        let [left, right, second] = around;
        let (before, word_before) = Self::before(view, at, own, left);
        let (after, word_after) = Self::after(view, at, right, second);
        let glued = before & Self::GLUED.0 != 0 && before & Self::GLUED_CAPITAL.0 == 0;
        let tailed = right.glued() && !capitals(right);
        let near = |token: Token| capitals(token) && token.end - token.start <= 3;
        let hyphen = left.mark() == b'-' || right.mark() == b'-';
        let beside = hyphen || near(left) || near(right) || own.glued() || right.glued();
        let both =
            Self::CAPITALS.when(!glued && !tailed && beside) | Self::UNKNOWN.when(month::may_stand(view, at, around));
        (Self(number.signs().0 | before | after | both), word_before, word_after)
    }

    #[inline]
    fn before(view: &View<'_>, at: usize, own: Token, token: Token) -> (u32, Word) {
        let Some(before) = at.checked_sub(1) else { return (0, None) };
        let mut signs = Self::JOINED.when(own.gap == Gap::None);
        match token.kind {
            Kind::Word => {
                signs |= Self::GLUED.when(own.glued())
                    | Self::GLUED_CAPITAL.when(own.glued() && capitals(token))
                    | Self::NAME_BEFORE.when(token.case == Case::Capital && own.gap == Gap::Space)
                    | Self::DRUG.when(view.any(before, clinical::list::LEADS));
                (signs, Some(before))
            }
            Kind::Punct => {
                signs |= match token.mark() {
                    b'<' | b'>' => Self::COMPARED.0,
                    b'=' => Self::COMPARED.0 | Self::PASSED.0,
                    b'(' => Self::BRACKET.0 | Self::PASSED.0,
                    b',' | b':' => Self::PASSED.0,
                    b'-' => Self::HYPHEN_BEFORE.0 | Self::PASSED.0,
                    b'@' => Self::SIGN_BEFORE.0 | Self::PASSED.0,
                    b'+' | b'\'' => Self::SIGN_BEFORE.0,
                    b'#' => Self::SHARP.0,
                    _ => 0,
                };
                if !matches!(token.mark(), b'#' | b'.' | b':') {
                    return (signs, None);
                }
                let Some(other) = before.checked_sub(1) else { return (signs, None) };
                signs |= Self::HEAP.when(view.is_any_mark(other, b"#.:"));
                (signs, view.is_word(other).then_some(other))
            }
            Kind::Symbol => (signs | Self::COMPARED.0, None),
            Kind::Number => (signs | Self::PASSED.0, None),
            _ => (signs, None),
        }
    }

    #[inline]
    fn after(view: &View<'_>, at: usize, next: Token, second: Token) -> (u32, Word) {
        let follows = matches!(next.gap, Gap::None | Gap::Space | Gap::Line);
        match next.kind {
            Kind::Word => {
                let len = next.end - next.start;
                let glued = next.glued();
                let look_alike = len <= 3 && looks_like_digits(view.bytes(at + 1));
                let classes = view.classes(at + 1);
                // 3 to 4; 7 and 1/2
                let measured = second.kind == Kind::Number
                    || follows && (len == 1 || !classes.has(Class::Stop) || classes.any(clinical::FOLLOWS));
                let signs = Self::TAILED.when(glued)
                    | Self::LETTER.when(glued && len == 1)
                    | Self::NAME_AFTER.when(next.case == Case::Capital && next.gap == Gap::Space && len > 2)
                    | Self::MORE.when(look_alike)
                    | Self::GOES_ON.when(glued && goes_on(view, at + 2))
                    | Self::MEASURED.when(measured);
                (signs, Some(at + 1))
            }
            Kind::Punct => {
                let mark = next.mark();
                let joined = next.gap == Gap::None;
                let measured = match mark {
                    // A power may stand behind any gap.
                    b'^' => true,
                    b'%' | b'\'' | b'"' | b'+' => follows,
                    b'-' | b'/' => follows && matches!(second.kind, Kind::Word | Kind::Number),
                    _ => false,
                };
                let signs = Self::SIGN_AFTER.when(joined && matches!(mark, b'+' | b'-'))
                    | Self::HYPHEN_AFTER.when(mark == b'-')
                    | Self::CLOSED.when(joined && matches!(mark, b'.' | b')'))
                    | Self::GOES_ON.when(goes_on(view, at + 1))
                    | Self::MORE.when(more(view, at + 1))
                    | Self::LISTED
                        .when(joined && mark == b',' && (second.kind == Kind::Number || second.case == Case::Capital))
                    | Self::MEASURED.when(measured);
                (signs, (mark == b'-' && second.kind == Kind::Word).then_some(at + 2))
            }
            Kind::Number => (Self::MORE.0 | Self::MEASURED.when(next.gap < Gap::Line), None),
            Kind::Symbol => (Self::MEASURED.when(follows), None),
            Kind::Possessive => (Self::POSSESSED.0, None),
            _ => (0, None),
        }
    }
}

/// The token of a word that a rule may wait for.
type Word = Option<usize>;

/// Whether the word is written in capitals, one or several.
#[inline]
fn capitals(token: Token) -> bool {
    token.kind == Kind::Word && (token.case == Case::Upper || token.end - token.start == 1 && token.capitalised())
}

/// Whether a mark stands here with something before and behind it and no white space.
#[inline]
fn goes_on(view: &View<'_>, mark: usize) -> bool {
    view.joined(mark) && view.joined(mark + 1) && view.is_any_mark(mark, b"-_/.:")
}

/// Whether digits go on behind up to three marks, or the capital letters of a telephone number.
#[inline]
fn more(view: &View<'_>, mark: usize) -> bool {
    let mut next = mark;
    while next < mark + 3 && view.is_any_mark(next, b"-./)(,:") {
        next += 1;
    }
    let token = view.token(next);
    let digits = match token.kind {
        Kind::Number => true,
        Kind::Word => {
            let len = token.end - token.start;
            len <= 3 && looks_like_digits(view.bytes(next))
                || token.gap == Gap::None && token.case == Case::Upper && len >= 4
        }
        _ => false,
    };
    next > mark && digits
}
