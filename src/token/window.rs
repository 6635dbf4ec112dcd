//! Sixty-four bytes of plain text cut at once.

use wide::{CmpEq, CmpGt, CmpLt, i8x16};

use super::{BYTES, Before, Byte, Case, Flags, Gap, Kind, Token, skip_gap};

/// How many bytes are cut at once.
pub(super) const WINDOW: usize = 64;
/// Where tokens may end: two bytes behind a token tell that it is over.
const SEEN: u64 = (1 << (WINDOW - 2)) - 1;

/// What stands at 64 places, a bit for each. Tokens begin at `starts` and end before `ends`, the first at the first.
struct Window {
    starts: u64,
    ends: u64,
    /// Starts behind one blank, behind one line end, behind two line ends (which are both), and behind other white space.
    blank: u64,
    line: u64,
    wide: u64,
    /// Starts that are not told by the first byte: `'s`, and `.5` behind white space.
    special: u64,
    /// Starts of words with a capital letter.
    capital: u64,
    /// Ends of words with another capital letter, and with a small one.
    more: u64,
    small: u64,
}

impl Window {
    /// Reads ASCII without control characters.
    #[inline]
    fn read(bytes: &[u8; WINDOW]) -> Self {
        let (mut letters, mut capitals, mut digits, mut inner) = (0, 0, 0, 0);
        let (mut apostrophes, mut asterisks, mut blanks, mut lines, mut white) = (0, 0, 0, 0, 0);
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
            // Marks that stand inside numbers, and digits.
            inner |= bits(from_point | is(b','));
            apostrophes |= bits(is(b'\''));
            asterisks |= bits(is(b'*'));
            blanks |= bits(is(b' '));
            lines |= bits(is(b'\n'));
            white |= bits(below(sixteen, b' ' + 1));
        }
        let mut numbers = digits | inner & digits << 1 & digits >> 1;
        let mut possessives = 0;
        // A point after white space and before a digit.
        let mut points = inner & !digits & white << 1 & digits >> 1;
        let mut left = points;
        while left != 0 {
            let point = left & left.wrapping_neg();
            points ^= if bytes[point.trailing_zeros() as usize] == b'.' { 0 } else { point };
            left ^= point;
        }
        numbers |= points;
        let mut words = letters;
        // From left to right: the letter of a possessive is part of no word behind it.
        let mut left = apostrophes;
        while left != 0 {
            let apostrophe = left & left.wrapping_neg();
            let s = apostrophe << 1;
            let is_s = bytes.get(apostrophe.trailing_zeros() as usize + 1).is_some_and(|&byte| byte | 0x20 == b's');
            if is_s && letters & s << 1 == 0 && white & apostrophe >> 1 == 0 {
                possessives |= apostrophe | s;
                words &= !s;
            } else if words & apostrophe >> 1 != 0 && letters & s != 0 {
                words |= apostrophe;
            }
            left ^= apostrophe;
        }
        let marks = !(words | numbers | possessives | asterisks | white);
        let first = |run: u64| run & !(run << 1);
        let end = |run: u64| run << 1 & !run;
        let alone = white & !(white << 1) & !(white >> 1);
        let (capitals, small) = (capitals & words, letters & words & !capitals);
        let (blank, line) = (blanks & alone, lines & alone);
        let empty_line = lines & lines << 1 & !(white << 2) & !(white >> 1);
        // Adding a bit to a run of them carries over its end.
        let holds = |run: u64, bits: u64| run.wrapping_add(bits) & end(run);
        Self {
            starts: first(words) | first(numbers) | first(asterisks) | possessives & apostrophes | marks,
            ends: end(words) | end(numbers) | end(asterisks) | (possessives & !apostrophes | marks) << 1,
            blank: (blank | empty_line) << 1,
            line: (line | empty_line) << 1,
            wide: (white & !(blank | line | empty_line)) << 1,
            special: points | possessives & apostrophes,
            capital: capitals,
            more: holds(words, capitals & !first(words)),
            small: holds(words, small),
        }
    }
}

/// What a token is, by all that decides it.
#[derive(Clone, Copy)]
struct Form {
    kind: Kind,
    gap: Gap,
    case: Case,
    flags: Flags,
}

/// What the first byte of a token says, in bits: the mark that it is; its kind, in the place that it has in the number of a
/// form; and what it says of the next token, likewise.
const FIRST: [u32; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        table[at] = match BYTES[at] {
            Byte::Letter => first(Kind::Word, 0),
            Byte::Digit => first(Kind::Number, 0),
            _ => first(Kind::Punct, at as u8),
        };
        at += 1;
    }
    table
};

const fn first(kind: Kind, mark: u8) -> u32 {
    let before = Before::of(kind, mark);
    mark as u32 | (kind as u32 & 3) << 8 | (before as u32) << 16
}

/// What a token says of the next one, by the number that `first` gives it.
const BEFORE: [Before; 4] = [Before::Other, Before::Joins, Before::Stop, Before::Other];

const fn has(number: usize, bit: u32) -> bool {
    number >> bit & 1 != 0
}

/// Forms by number. From the lowest bit on: two for the kind, two for the token before (see [`BEFORE`]), one blank before it,
/// one line end (both: two line ends), a first capital letter, another one, a small one.
const FORMS: [Form; 512] = {
    let mut forms = [Form { kind: Kind::Word, gap: Gap::None, case: Case::Lower, flags: Flags(0) }; 512];
    let mut at = 0;
    while at < 512 {
        let kind = [Kind::Word, Kind::Number, Kind::Punct, Kind::Possessive][at & 3];
        let before = BEFORE[at >> 2 & 3];
        let (blank, line) = (has(at, 4), has(at, 5));
        let (first, more, small) = (has(at, 6), has(at, 7), has(at, 8));
        let gap = match (blank, line) {
            (false, false) => Gap::None,
            (true, false) => Gap::Space,
            (false, true) => Gap::Line,
            (true, true) => Gap::Paragraph,
        };
        let case = match (first, more, small) {
            (false, false, _) => Case::Lower,
            (_, _, false) => Case::Upper,
            (true, false, true) => Case::Capital,
            _ => Case::Mixed,
        };
        forms[at] = Form { kind, gap, case, flags: before.flags(kind, gap, case) };
        at += 1;
    }
    forms
};

/// What the first byte of a possessive, or of a number that begins with its point, says; see [`FIRST`].
#[cold]
const fn first_of_special(told: u32) -> u32 {
    first(if told as u8 == b'.' { Kind::Number } else { Kind::Possessive }, 0)
}

/// Reads the white space before the last token again, which begins behind `end`: it is neither nothing nor one blank or line end.
#[cold]
#[inline(never)]
fn widen(folded: &[u8], end: usize, before: Before, out: &mut [Token]) {
    if let Some(token) = out.last_mut() {
        token.gap = skip_gap(folded, end, false).map_or(Gap::Wide, |(gap, _)| gap);
        token.flags = before.flags(token.kind, token.gap, token.case);
    }
}

/// Cuts the tokens that begin in a window of plain text, which stands at `at` behind a token, and says where the last of
/// them ends. Sixty-four bytes are told apart at once, and the loop over the tokens has no branch that hangs on what they
/// are: words, numbers and marks follow each other in no order that could be foreseen.
#[inline(never)]
pub(super) fn many(
    window: &[u8; WINDOW],
    folded: &[u8],
    at: usize,
    before: &mut Before,
    out: &mut Vec<Token>,
) -> usize {
    let Window { mut starts, ends, blank, line, wide, special, capital, more, small } = Window::read(window);
    // What goes on behind the window, or may, belongs to the next.
    let mut left = ends & SEEN;
    let mut end = at;
    let mut last = *before as u32;
    while left != 0 {
        let (place, stop) = (starts.trailing_zeros() as usize % WINDOW, left.trailing_zeros() as usize);
        starts &= starts - 1;
        left &= left - 1;
        let start = at + place;
        let mut told = FIRST[window[place] as usize];
        if special >> place & 1 != 0 {
            told = first_of_special(told);
        }
        let of_start = (blank >> place & 1) | (line >> place & 1) << 1 | (capital >> place & 1) << 2;
        let of_end = (more >> stop & 1) | (small >> stop & 1) << 1;
        let number = (told >> 8 & 3) as usize | (last << 2 | (of_start << 4 | of_end << 7) as u32) as usize;
        let Form { kind, gap, case, flags } = FORMS[number % FORMS.len()];
        out.push(Token { start: start as u32, end: (at + stop) as u32, kind, gap, case, flags, data: told & 0xFF });
        if wide >> place & 1 != 0 {
            widen(folded, end, BEFORE[last as usize % BEFORE.len()], out);
        }
        last = told >> 16;
        end = at + stop;
    }
    *before = BEFORE[last as usize % BEFORE.len()];
    end
}
