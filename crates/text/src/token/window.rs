//! Tokenizes plain text in windows of 64 bytes.

use wide::{CmpEq, CmpGt, CmpLt, i8x16};

use super::before::PrecedingToken;
use super::scan::{BYTES, ByteClass, skip_gap};
use super::{Case, Flags, Gap, Kind, Token};
use crate::bits::indices_of_bits;

/// The number of bytes in a window.
pub(super) const WINDOW: usize = 64;
/// The positions at which tokens may end: the end of a token is certain only two bytes later.
const CERTAIN_ENDS: u64 = (1 << (WINDOW - 2)) - 1;

/// The classes of 64 bytes, one bit each.
struct ByteClasses {
    letters: u64,
    capitals: u64,
    digits: u64,
    /// Digits, and marks that may be inside numbers.
    inner: u64,
    apostrophes: u64,
    asterisks: u64,
    /// Blanks and line feeds.
    plain: u64,
    white: u64,
}

impl ByteClasses {
    /// Classifies ASCII bytes without control characters.
    #[inline]
    fn of(bytes: &[u8; WINDOW]) -> Self {
        let (mut letters, mut capitals, mut digits, mut inner) = (0, 0, 0, 0);
        let (mut apostrophes, mut asterisks, mut plain, mut white) = (0, 0, 0, 0);
        for (nth, sixteen) in bytes.chunks_exact(16).enumerate() {
            let sixteen: [u8; 16] = sixteen.try_into().unwrap_or_default();
            let sixteen: i8x16 = bytemuck::cast(sixteen);
            let is = |byte: u8| sixteen.cmp_eq(i8x16::splat(byte.cast_signed()));
            let above = |of: i8x16, byte: u8| of.cmp_gt(i8x16::splat(byte.cast_signed()));
            let below = |of: i8x16, byte: u8| of.cmp_lt(i8x16::splat(byte.cast_signed()));
            let bits = |found: i8x16| u64::from(found.move_mask().cast_unsigned()) << (16 * nth);
            // The bit that distinguishes lower-case letters from capitals.
            let small = sixteen | i8x16::splat(0x20);
            let letter = above(small, b'a' - 1) & below(small, b'z' + 1);
            letters |= bits(letter);
            capitals |= bits(letter & below(sixteen, b'a'));
            let from_point = above(sixteen, b'.' - 1) & below(sixteen, b':' + 1);
            digits |= bits(from_point & above(sixteen, b'0' - 1) & below(sixteen, b'9' + 1));
            inner |= bits(from_point | is(b','));
            apostrophes |= bits(is(b'\''));
            asterisks |= bits(is(b'*'));
            plain |= bits(is(b' ') | is(b'\n'));
            white |= bits(below(sixteen, b' ' + 1));
        }
        Self { letters, capitals, digits, inner, apostrophes, asterisks, plain, white }
    }

    /// Returns the points that begin numbers: after white space and before a digit.
    #[inline]
    fn leading_decimal_points(&self, bytes: &[u8; WINDOW]) -> u64 {
        let mut points = self.inner & !self.digits & self.white << 1 & self.digits >> 1;
        let mut left = points;
        while left != 0 {
            let point = left & left.wrapping_neg();
            points ^= if bytes[point.trailing_zeros() as usize] == b'.' { 0 } else { point };
            left ^= point;
        }
        points
    }

    /// Returns the bits of words, including apostrophes inside them, and of possessives, which are not part of words.
    #[inline]
    fn word_bits(&self, bytes: &[u8; WINDOW]) -> (u64, u64) {
        let (mut words, mut possessives) = (self.letters, 0);
        // From left to right: the letter of a possessive does not belong to a following word.
        let mut left = self.apostrophes;
        while left != 0 {
            let apostrophe = left & left.wrapping_neg();
            let s = apostrophe << 1;
            let is_s = bytes.get(apostrophe.trailing_zeros() as usize + 1).is_some_and(|&byte| byte | 0x20 == b's');
            if is_s && self.letters & s << 1 == 0 && self.white & apostrophe >> 1 == 0 {
                possessives |= apostrophe | s;
                words &= !s;
            } else if words & apostrophe >> 1 != 0 && self.letters & s != 0 {
                words |= apostrophe;
            }
            left ^= apostrophe;
        }
        (words, possessives)
    }
}

/// The tokens of 64 bytes, as bitmasks of their starts and of their exclusive ends; the n-th start belongs to the n-th
/// end.
struct Window {
    starts: u64,
    ends: u64,
    /// Starts of tokens whose kind does not follow from the first byte: `'s`, and `.5` after white space.
    special: u64,
    /// Starts after white space other than one blank or one line break.
    wide: u64,
    /// Ends of words in mixed case: both cases, with a capital other than the first letter alone.
    mixed: u64,
}

impl Window {
    /// Finds the tokens in ASCII without control characters.
    #[inline]
    fn read(bytes: &[u8; WINDOW]) -> Self {
        let classes = ByteClasses::of(bytes);
        let points = classes.leading_decimal_points(bytes);
        let (words, possessives) = classes.word_bits(bytes);
        let ByteClasses { letters, capitals, digits, inner, apostrophes, asterisks, plain, white } = classes;
        let numbers = digits | inner & digits << 1 & digits >> 1 | points;
        let marks = !(words | numbers | possessives | asterisks | white);
        let first = |run: u64| run & !(run << 1);
        let end = |run: u64| run << 1 & !run;
        let capitals = capitals & words;
        // Adding a bit inside a run carries over the end of the run.
        let holds = |run: u64, bits: u64| run.wrapping_add(bits) & end(run);
        let starts = first(words) | first(numbers) | first(asterisks) | possessives & apostrophes | marks;
        let (more, small) = (holds(words, capitals & !first(words)), holds(words, letters & words & !capitals));
        Self {
            starts,
            ends: end(words) | end(numbers) | end(asterisks) | (possessives & !apostrophes | marks) << 1,
            special: points | possessives & apostrophes,
            wide: starts & (white & (white << 1 | !plain)) << 1,
            // A word that ends in a capital and has a lower-case letter is mixed, and so is one that ends in a
            // lower-case letter and has a capital after the first letter.
            mixed: small & capitals << 1 | more & !(capitals << 1),
        }
    }
}

/// Lookup tables from the bytes around a token to its form. One struct, because the loop has no registers for four
/// addresses.
struct ByteTables {
    /// By the first byte of a token: in the lowest byte its kind and whether it is a capital letter, at their positions
    /// in the form number; sixteen bits higher its effect on the next token; in the highest byte its mark.
    first: [u32; 256],
    /// By the byte before a token, as bits of the form number: whether the gap is nothing, one blank or one line break.
    behind: [u8; 256],
    /// By the last byte of a token, as a bit of the form number: whether it is a capital letter.
    last: [u8; 256],
    /// Forms by form number. From the lowest bit: two bits for the kind, two for the effect of the previous token (see
    /// [`BEFORE`]), one each for a blank before it, a line break before it, a capital first letter, and a capital last
    /// letter.
    forms: [Form; 256],
}

/// A token without its position and mark.
#[derive(Clone, Copy)]
#[repr(C, align(4))]
struct Form {
    kind: Kind,
    gap: Gap,
    case: Case,
    flags: Flags,
}

static TABLES: ByteTables = {
    const NO_FORM: Form = Form { kind: Kind::End, gap: Gap::None, case: Case::Lower, flags: Flags(0) };
    let mut tables = ByteTables { first: [0; 256], behind: [0; 256], last: [0; 256], forms: [NO_FORM; 256] };
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        let capital = byte.is_ascii_uppercase() as u8;
        tables.first[at] = match BYTES[at] {
            ByteClass::Letter => first_bits(Kind::Word, 0) | (capital as u32) << 6,
            ByteClass::Digit => first_bits(Kind::Number, 0),
            _ => first_bits(Kind::Punct, byte),
        };
        tables.behind[at] = match BYTES[at] {
            ByteClass::Space => 1 << 4,
            ByteClass::LineEnd => 1 << 5,
            _ => 0,
        };
        tables.last[at] = capital << 7;
        let kind = [Kind::Word, Kind::Number, Kind::Punct, Kind::Possessive][at & 3];
        let gap = [Gap::None, Gap::Space, Gap::Line, Gap::Wide][at >> 4 & 3];
        let case = [Case::Lower, Case::Capital, Case::Mixed, Case::Upper][at >> 6];
        tables.forms[at] = Form { kind, gap, case, flags: BEFORE[at >> 2 & 3].flags_of_next(kind, gap, case) };
        at += 1;
    }
    tables
};

const fn first_bits(kind: Kind, mark: u8) -> u32 {
    let before = PrecedingToken::after_token(kind, mark);
    kind as u32 & 3 | (before as u32) << 18 | (mark as u32) << 24
}

/// The effects on the next token, by their number in `first`.
const BEFORE: [PrecedingToken; 4] =
    [PrecedingToken::Other, PrecedingToken::Joins, PrecedingToken::Stop, PrecedingToken::Other];

/// Corrects the tokens of a window that begin at `places`: special ones, and those after wide white space. `tokens` are
/// all tokens of the window, `before` is the effect of the token before the first. Returns the effect on the token
/// after the window, if it changes.
#[cold]
#[inline(never)]
fn correct_special_tokens(
    window: &Window,
    places: u64,
    folded: &[u8],
    before: PrecedingToken,
    tokens: &mut [Token],
) -> Option<PrecedingToken> {
    let mut last = None;
    for place in indices_of_bits(places) {
        let nth = (window.starts & !(u64::MAX << place)).count_ones() as usize;
        let before = match nth.checked_sub(1).and_then(|nth| tokens.get(nth)) {
            Some(token) => PrecedingToken::after_token(token.kind, token.mark()),
            None => before,
        };
        let Some((token, behind)) = tokens.get_mut(nth..).and_then(<[Token]>::split_first_mut) else { break };
        if window.special >> place & 1 != 0 {
            token.kind = if token.mark() == b'.' { Kind::Number } else { Kind::Possessive };
            (token.case, token.data) = (Case::Lower, 0);
            // The mark would end a sentence, but the number does not.
            let means = PrecedingToken::after_token(token.kind, 0);
            match behind.first_mut() {
                Some(next) => next.flags = means.flags_of_next(next.kind, next.gap, next.case),
                None => last = Some(means),
            }
        }
        let text = folded.get(..token.start as usize).unwrap_or_default();
        let end = text.iter().rposition(|&byte| byte > b' ').map_or(0, |last| last + 1);
        token.gap = skip_gap(folded, end, false).map_or(Gap::Wide, |(gap, _)| gap);
        token.flags = before.flags_of_next(token.kind, token.gap, token.case);
    }
    last
}

/// Sets mixed case for the tokens that end at the positions `ends`, relative to `at`.
#[cold]
#[inline(never)]
fn mark_mixed_case(mut ends: u64, at: usize, tokens: &mut [Token]) {
    for token in tokens {
        if token.end as usize == at + ends.trailing_zeros() as usize {
            ends &= ends - 1;
            token.case = Case::Mixed;
            if token.gap == Gap::Line {
                // Not wrapped prose.
                token.flags.0 |= Gap::Line.flags();
            }
            if ends == 0 {
                break;
            }
        }
    }
}

/// Reads the tokens of a window of plain text that begins at `at`, right after a token, and returns the end of the last
/// one. `bytes` has one extra byte before the window and one after it. Sixty-four bytes are classified at once, and the
/// loop over the tokens has no branch that depends on their kind: words, numbers and marks alternate in no order that a
/// branch predictor can learn.
#[inline(never)]
pub(super) fn cut_window(
    bytes: &[u8; 1 + WINDOW + 1],
    folded: &[u8],
    at: usize,
    before: &mut PrecedingToken,
    out: &mut Vec<Token>,
) -> usize {
    let Some(window) = bytes[1..].first_chunk() else { return at };
    let window = Window::read(window);
    // A token that continues, or may continue, after the window belongs to the next window.
    let seen = window.ends & CERTAIN_ENDS;
    if seen == 0 {
        return at;
    }
    let (mut starts, mut left) = (window.starts, seen);
    let mut last = (*before as u32) << 2;
    let known = out.len();
    // The iterator has an exact length, so the capacity is reserved once.
    out.extend((0..seen.count_ones()).map(|_| {
        let (place, stop) = (starts.trailing_zeros() as usize, left.trailing_zeros() as usize);
        starts &= starts.wrapping_sub(1);
        left &= left.wrapping_sub(1);
        let of_first = TABLES.first[bytes[place + 1] as usize];
        let around = TABLES.behind[bytes[place] as usize] | TABLES.last[bytes[stop] as usize];
        let Form { kind, gap, case, flags } = TABLES.forms[(of_first as u8 | last as u8 | around) as usize];
        last = of_first >> 16;
        Token { start: (at + place) as u32, end: (at + stop) as u32, kind, gap, case, flags, data: of_first >> 24 }
    }));
    let first = std::mem::replace(before, BEFORE[last as usize >> 2 & 3]);
    let end = seen.ilog2();
    let odd = (window.special | window.wide) & !(u64::MAX << end);
    if odd != 0
        && let Some(last) =
            correct_special_tokens(&window, odd, folded, first, out.get_mut(known..).unwrap_or_default())
    {
        *before = last;
    }
    if window.mixed & CERTAIN_ENDS != 0 {
        mark_mixed_case(window.mixed & CERTAIN_ENDS, at, out.get_mut(known..).unwrap_or_default());
    }
    at + end as usize
}
