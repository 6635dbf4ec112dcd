//! Sixty-four bytes of plain text cut at once.

use wide::{CmpEq, CmpGt, CmpLt, i8x16};

use super::before::PrecedingToken;
use super::scan::{BYTES, Byte, skip_gap};
use super::{Case, Flags, Gap, Kind, Token};
use crate::bits::indices_of_bits;

/// How many bytes are cut at once.
pub(super) const WINDOW: usize = 64;
/// Where tokens may end: two bytes after a token show that it is over.
const SEEN: u64 = (1 << (WINDOW - 2)) - 1;

/// What 64 bytes are, a bit for each.
struct ByteClasses {
    letters: u64,
    capitals: u64,
    digits: u64,
    /// Marks that stand inside numbers, and digits.
    inner: u64,
    apostrophes: u64,
    asterisks: u64,
    /// Blanks and line feeds.
    plain: u64,
    white: u64,
}

impl ByteClasses {
    /// Reads ASCII without control characters.
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
            // The bit by which small letters differ from capitals.
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

    /// Points with which numbers begin: after white space and before a digit.
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

    /// Words with the apostrophes inside them, and possessives, which are no part of words.
    #[inline]
    fn word_bits(&self, bytes: &[u8; WINDOW]) -> (u64, u64) {
        let (mut words, mut possessives) = (self.letters, 0);
        // From left to right: the letter of a possessive is part of no word after it.
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

/// The tokens of 64 bytes, a bit for each byte. They begin at `starts` and end before `ends`, the first at the first.
struct Window {
    starts: u64,
    ends: u64,
    /// Starts of tokens whose kind does not follow from the first byte: `'s`, and `.5` after white space.
    special: u64,
    /// Starts after white space that is neither one blank nor one line end.
    wide: u64,
    /// Ends of words with small and capital letters in which not the first letter alone is a capital.
    mixed: u64,
}

impl Window {
    /// Reads ASCII without control characters.
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
        // Adding a bit to a run of them carries over its end.
        let holds = |run: u64, bits: u64| run.wrapping_add(bits) & end(run);
        let starts = first(words) | first(numbers) | first(asterisks) | possessives & apostrophes | marks;
        let (more, small) = (holds(words, capitals & !first(words)), holds(words, letters & words & !capitals));
        Self {
            starts,
            ends: end(words) | end(numbers) | end(asterisks) | (possessives & !apostrophes | marks) << 1,
            special: points | possessives & apostrophes,
            wide: starts & (white & (white << 1 | !plain)) << 1,
            // What ends with a capital has no small letter, or is mixed; what ends with a small one has no other capital.
            mixed: small & capitals << 1 | more & !(capitals << 1),
        }
    }
}

/// What the bytes at its ends and before it make of a token. In one struct, because the loop has no register for the places of
/// four.
struct ByteTables {
    /// By the first byte of a token, in bits: its kind, and whether it is a capital letter, in the places that they have in
    /// the number of a form; sixteen bits higher what the token means for the next one, likewise; and in the highest eight the
    /// mark that it is.
    first: [u32; 256],
    /// By the byte before a token, in the number of its form: the gap, if that is nothing, one blank or one line end.
    behind: [u8; 256],
    /// By the last byte of a token, in the number of its form: whether it is a capital letter.
    last: [u8; 256],
    /// Tokens by number, but for their places and marks. From the lowest bit on: two for the kind, two for the token before
    /// (see [`BEFORE`]), one blank before it, one line end, a capital letter as the first, one as the last.
    forms: [Form; 256],
}

/// What a token is but for its place and mark.
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
            Byte::Letter => first_bits(Kind::Word, 0) | (capital as u32) << 6,
            Byte::Digit => first_bits(Kind::Number, 0),
            _ => first_bits(Kind::Punct, byte),
        };
        tables.behind[at] = match BYTES[at] {
            Byte::Space => 1 << 4,
            Byte::LineEnd => 1 << 5,
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

/// What a token means for the next one, by the number that `first` gives it.
const BEFORE: [PrecedingToken; 4] =
    [PrecedingToken::Other, PrecedingToken::Joins, PrecedingToken::Stop, PrecedingToken::Other];

/// Corrects the tokens that begin at some places of a window: those that are special, and those behind wide white space.
/// `tokens` are all that the window has, `before` is what stands before the first; gives what stands before the next, if that
/// changes.
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
            // The mark ends a sentence, the number does not.
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

/// Gives the tokens that end before these places behind `at` mixed case.
#[cold]
#[inline(never)]
fn mark_mixed_case(mut ends: u64, at: usize, tokens: &mut [Token]) {
    for token in tokens {
        if token.end as usize == at + ends.trailing_zeros() as usize {
            ends &= ends - 1;
            token.case = Case::Mixed;
            if token.gap == Gap::Line {
                // No prose that wraps.
                token.flags.0 |= Gap::Line.flags();
            }
            if ends == 0 {
                break;
            }
        }
    }
}

/// Cuts the tokens that begin in a window of plain text, which stands at `at` after a token, and says where the last of
/// them ends. `bytes` has one before it and one behind, too. Sixty-four bytes are classified at once, and the loop over the
/// tokens has no branch that depends on what they are: words, numbers and marks follow each other in no order
/// that a branch predictor can learn.
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
    // What goes on after the window, or may, belongs to the next.
    let seen = window.ends & SEEN;
    if seen == 0 {
        return at;
    }
    let (mut starts, mut left) = (window.starts, seen);
    let mut last = (*before as u32) << 2;
    let known = out.len();
    // A count of them, so that room is made once and not asked for at each.
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
    if window.mixed & SEEN != 0 {
        mark_mixed_case(window.mixed & SEEN, at, out.get_mut(known..).unwrap_or_default());
    }
    at + end as usize
}
