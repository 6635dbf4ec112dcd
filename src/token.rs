//! Words, numbers and punctuation. Second step in the way of a note.
//!
//! Tokens hold no white space: the white space before a token is its *gap* and belongs to it, so gaps and tokens
//! together tile the text, and the token after this one is `tokens[i + 1]`, never a blank. Letters and digits are
//! separate tokens even where nothing stands between them (`5mg`, `T12`, `03MAR2004`): one grammar then reads every
//! spacing of the same thing. Such neighbours are *glued*, and `decide` treats them as one.

use crate::normalize::Normalized;
use crate::span::Span;

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Letters, with apostrophes inside (`o'brien`, `don't`).
    Word,
    /// Digits, with `.` `,` `/` `:` inside, each between digits (`7.38`, `128/72`, `1,000`, `.5`).
    Number,
    /// One mark of ASCII punctuation, or a run of asterisks.
    Punct,
    /// `'s` after a word.
    Possessive,
    /// Any other character, one a token.
    Symbol,
    /// What notesieve itself writes, as one token: see `own`.
    Own,
    /// The end of the text, also what stands before its start.
    End,
}

/// The white space before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Gap {
    /// Nothing.
    None,
    /// One blank.
    Space,
    /// Several blanks, or a tab.
    Wide,
    /// One line end.
    Line,
    /// An empty line.
    Paragraph,
}

/// How the source writes a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Case {
    /// No capital letter.
    Lower,
    /// The first letter is a capital, the others, of which there are some, are not.
    Capital,
    /// Every letter is a capital.
    Upper,
    /// Anything else: `McNeil`, `iPad`.
    Mixed,
}

/// Facts about the place of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    const BORDER: u8 = 1;
    const SENTENCE: u8 = 2;
    const LINE_START: u8 = 4;
    const GLUED: u8 = 8;
    const FOREIGN: u8 = 16;
}

/// A token of the folded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// First byte in the folded text.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// What it is made of.
    pub kind: Kind,
    /// The white space before it.
    pub gap: Gap,
    /// How the source writes it.
    pub case: Case,
    /// Where it stands.
    pub flags: Flags,
}

impl Token {
    /// What stands before the first token and after the last one.
    pub const END: Self =
        Self { start: 0, end: 0, kind: Kind::End, gap: Gap::Paragraph, case: Case::Lower, flags: Flags(Flags::BORDER) };

    /// Where it stands in the folded text.
    pub const fn span(self) -> Span {
        Span::new(self.start, self.end)
    }

    /// Whether a term must not reach over the gap before this token.
    #[inline]
    pub const fn border_before(self) -> bool {
        self.flags.0 & Flags::BORDER != 0
    }

    /// Whether it looks like the first of a sentence, a line or a field.
    #[inline]
    pub const fn sentence_start(self) -> bool {
        self.flags.0 & Flags::SENTENCE != 0
    }

    /// Whether it is the first of its line.
    #[inline]
    pub const fn line_start(self) -> bool {
        self.flags.0 & Flags::LINE_START != 0
    }

    /// Whether it follows a word or number, itself one, with nothing between: `mg` of `5mg`.
    #[inline]
    pub const fn glued(self) -> bool {
        self.flags.0 & Flags::GLUED != 0
    }

    /// Whether the source writes it with more than plain letters, so that it must be written from the folded form.
    #[inline]
    pub const fn foreign(self) -> bool {
        self.flags.0 & Flags::FOREIGN != 0
    }

    /// Whether a term leaves it out: hyphens, apostrophes and possessives.
    #[inline]
    pub fn skipped_in_terms(self, folded: &[u8]) -> bool {
        match self.kind {
            Kind::Possessive => true,
            Kind::Punct => matches!(folded[self.start as usize], b'-' | b'\''),
            _ => false,
        }
    }

    /// Whether the source begins it with a capital letter.
    #[inline]
    pub const fn capitalised(self) -> bool {
        !matches!(self.case, Case::Lower)
    }
}

/// What a byte of the folded text begins.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Byte {
    Punct,
    Letter,
    Digit,
    Space,
    LineEnd,
    Control,
    Wide,
}

const BYTES: [Byte; 256] = {
    let mut table = [Byte::Wide; 256];
    let mut at = 0;
    while at < 128 {
        let byte = at as u8;
        table[at] = match byte {
            b'a'..=b'z' | b'A'..=b'Z' => Byte::Letter,
            b'0'..=b'9' => Byte::Digit,
            b' ' | b'\t' => Byte::Space,
            b'\n' | b'\r' | 0x0B | 0x0C => Byte::LineEnd,
            0..=0x1F | 0x7F => Byte::Control,
            _ => Byte::Punct,
        };
        at += 1;
    }
    table
};

/// Cuts a folded text into tokens. `source` is the text that was folded; `out` is emptied first.
pub fn tokenize(source: &str, normalized: &Normalized, out: &mut Vec<Token>) {
    out.clear();
    let text = normalized.folded();
    // Prose has a token in four to five bytes.
    out.reserve(text.len() / 4);
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut run = 0;
    let mut before = Token::END;
    while let Some((gap, start)) = skip_gap(bytes, at, out.is_empty()) {
        let (kind, end) = scan(text, start, gap);
        let mut token =
            Token { start: start as u32, end: end as u32, kind, gap, case: Case::Lower, flags: Flags::default() };
        match normalized.plain(token.start, &mut run) {
            Some((from, plain)) if token.end <= plain => {
                if kind == Kind::Word {
                    let from = from as usize;
                    token.case = ascii_case(source.as_bytes(), from, from + (end - start));
                }
            }
            _ => {
                let written = &source[normalized.to_source(token.span()).range()];
                token.case = case(written);
                if !is_plain(written) {
                    token.flags.0 |= Flags::FOREIGN;
                }
            }
        }
        place(&mut token, before, bytes);
        out.push(token);
        before = token;
        at = end;
    }
}

/// Marks where the token stands.
fn place(token: &mut Token, before: Token, bytes: &[u8]) {
    let line = token.gap >= Gap::Line || before.kind == Kind::End;
    let after_stop = before.kind == Kind::Punct
        && matches!(bytes[before.start as usize], b'.' | b'!' | b'?')
        && token.gap > Gap::None;
    let flags = &mut token.flags.0;
    if line {
        *flags |= Flags::LINE_START;
    }
    // Prose that wraps goes on in lower case; any other line begins something new.
    let wraps = token.gap == Gap::Line && token.kind == Kind::Word && token.case == Case::Lower;
    if before.kind == Kind::End || (token.gap >= Gap::Wide && !wraps) {
        *flags |= Flags::BORDER;
    }
    if after_stop || (line && !wraps) {
        *flags |= Flags::SENTENCE;
    }
    let joins = |kind| matches!(kind, Kind::Word | Kind::Number);
    if token.gap == Gap::None && joins(token.kind) && joins(before.kind) {
        *flags |= Flags::GLUED;
    }
}

/// The white space from `at` on, and where it ends. `None` at the end of the text.
#[inline]
fn skip_gap(bytes: &[u8], at: usize, first: bool) -> Option<(Gap, usize)> {
    // One blank or nothing stands before nearly every token.
    if !first && let Some(&[byte, next]) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let is_gap = |byte: u8| matches!(BYTES[byte as usize], Byte::Space | Byte::LineEnd);
        if !is_gap(byte) {
            return Some((Gap::None, at));
        }
        if byte == b' ' && !is_gap(next) {
            return Some((Gap::Space, at + 1));
        }
    }
    let mut start = at;
    let mut lines = 0;
    while let Some(&byte) = bytes.get(start) {
        match BYTES[byte as usize] {
            Byte::Space => {}
            // CR LF is one line end.
            Byte::LineEnd => lines += usize::from(byte != b'\r' || bytes.get(start + 1) != Some(&b'\n')),
            _ => {
                let gap = match (lines, start - at) {
                    _ if first => Gap::Paragraph,
                    (0, 0) => Gap::None,
                    (0, 1) if bytes[at] == b' ' => Gap::Space,
                    (0, _) => Gap::Wide,
                    (1, _) => Gap::Line,
                    _ => Gap::Paragraph,
                };
                return Some((gap, start));
            }
        }
        start += 1;
    }
    None
}

/// What begins at `start`, and where it ends.
#[inline]
fn scan(text: &str, start: usize, gap: Gap) -> (Kind, usize) {
    let bytes = text.as_bytes();
    match BYTES[bytes[start] as usize] {
        Byte::Letter => (Kind::Word, scan_word(text, start)),
        Byte::Digit => (Kind::Number, scan_number(bytes, start)),
        Byte::Wide => {
            let letter = text[start..].chars().next().unwrap_or(' ');
            if letter.is_alphabetic() {
                (Kind::Word, scan_word(text, start))
            } else {
                (Kind::Symbol, start + letter.len_utf8())
            }
        }
        Byte::Control => (Kind::Symbol, start + 1),
        Byte::Punct | Byte::Space | Byte::LineEnd => match bytes[start] {
            b'.' if gap > Gap::None && bytes.get(start + 1).is_some_and(u8::is_ascii_digit) => {
                (Kind::Number, scan_number(bytes, start + 1))
            }
            b'\'' if gap == Gap::None && is_possessive(text, start) => (Kind::Possessive, start + 2),
            b'*' => {
                (Kind::Punct, start + bytes[start..].iter().position(|&b| b != b'*').unwrap_or(bytes.len() - start))
            }
            _ => (Kind::Punct, start + 1),
        },
    }
}

/// Where the letters that begin at `start` end.
fn letters(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    loop {
        at = ascii_letters(bytes, at);
        if at < bytes.len() && BYTES[bytes[at] as usize] == Byte::Wide {
            let letter = text[at..].chars().next().unwrap_or(' ');
            if letter.is_alphabetic() {
                at += letter.len_utf8();
                continue;
            }
        }
        return at;
    }
}

/// One in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const TOPS: u64 = 0x80 * ONES;

/// Eight bytes at once: the highest bit of each byte that is a letter between `first` and `first + 25`.
#[inline]
const fn letters_of(eight: u64, first: u8) -> u64 {
    let low = eight & !TOPS;
    let from = low + (0x80 - first as u64) * ONES;
    let past = low + (0x80 - first as u64 - 26) * ONES;
    from & !past & !eight & TOPS
}

/// Where the ASCII letters that begin at `start` end. Eight bytes at once, for most words one step.
#[inline]
fn ascii_letters(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    loop {
        // The zeros after the end of the text are no letters.
        let others = letters_of(eight_at(bytes, at) | (0x20 * ONES), b'a') ^ TOPS;
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
}

/// Whether `'s` and then no letter stands at `start`.
fn is_possessive(text: &str, start: usize) -> bool {
    text.as_bytes().get(start + 1) == Some(&b's') && letters(text, start + 1) == start + 2
}

#[inline]
fn scan_word(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let end = ascii_letters(bytes, start);
    match bytes.get(end) {
        Some(&byte) if byte == b'\'' || BYTES[byte as usize] == Byte::Wide => scan_long_word(text, start),
        _ => end,
    }
}

/// A word with an apostrophe or a letter that is not ASCII.
#[cold]
fn scan_long_word(text: &str, start: usize) -> usize {
    let mut end = letters(text, start);
    while text.as_bytes().get(end) == Some(&b'\'') && !is_possessive(text, end) {
        let more = letters(text, end + 1);
        if more == end + 1 {
            break;
        }
        end = more;
    }
    end
}

fn scan_number(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        let inside = byte.is_ascii_digit()
            || (matches!(byte, b'.' | b',' | b'/' | b':')
                && at > start
                && bytes[at - 1].is_ascii_digit()
                && bytes.get(at + 1).is_some_and(u8::is_ascii_digit));
        if !inside {
            break;
        }
        at += 1;
    }
    at
}

/// The case of the ASCII word `source[start..end]`, eight bytes at once.
#[inline]
fn ascii_case(source: &[u8], start: usize, end: usize) -> Case {
    let eight_of = |at: usize| {
        // Bytes after the word do not count.
        let within = if end - at < 8 { (1 << (8 * (end - at))) - 1 } else { u64::MAX };
        eight_at(source, at) & within
    };
    let eight = eight_of(start);
    let mut upper = letters_of(eight, b'A');
    let mut lower = letters_of(eight, b'a');
    let first = upper & 0x80;
    let mut others = upper ^ first;
    let mut at = start + 8;
    while at < end {
        let eight = eight_of(at);
        let more = letters_of(eight, b'A');
        upper |= more;
        others |= more;
        lower |= letters_of(eight, b'a');
        at += 8;
    }
    match (upper, lower) {
        (0, _) => Case::Lower,
        (_, 0) => Case::Upper,
        _ if first != 0 && others == 0 => Case::Capital,
        _ => Case::Mixed,
    }
}

/// The eight bytes from `at` on, zeros after the end.
#[inline]
fn eight_at(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(eight) => u64::from_le_bytes(*eight),
        None => last_bytes(bytes, at),
    }
}

#[cold]
fn last_bytes(bytes: &[u8], at: usize) -> u64 {
    bytes.iter().skip(at).rev().fold(0, |eight, &byte| eight << 8 | u64::from(byte))
}

fn case(written: &str) -> Case {
    let first = written.chars().next().is_some_and(char::is_uppercase);
    let upper = written.chars().filter(|letter| letter.is_uppercase()).count();
    let lower = written.chars().filter(|letter| letter.is_lowercase()).count();
    match (upper, lower) {
        (0, _) => Case::Lower,
        (_, 0) => Case::Upper,
        (1, _) if first => Case::Capital,
        _ => Case::Mixed,
    }
}

/// Whether a token may be written as the source writes it: ASCII, plain and accented Latin letters, Greek letters, raised
/// and lowered digits, the usual typographic marks.
pub(crate) fn is_plain(written: &str) -> bool {
    written.bytes().all(|byte| byte.is_ascii_graphic())
        || written.chars().all(|letter| {
            letter.is_ascii_graphic()
                || letter == ' '
                || matches!(letter, '‘' | '’' | '“' | '”' | '–' | '—' | '°' | '±' | '≥' | '≤' | '•' | '·' | '→' | '×')
                || matches!(letter, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' | '₀'..='₉')
                || matches!(letter, '\u{C0}'..='\u{24F}' | 'α'..='ω' | 'Γ' | 'Δ' | 'Θ' | 'Λ' | 'Σ' | 'Φ' | 'Ω' | 'µ')
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tokens(source: &str) -> (Normalized, Vec<Token>) {
        let normalized = Normalized::new(source);
        let mut out = Vec::new();
        tokenize(source, &normalized, &mut out);
        (normalized, out)
    }

    fn words(source: &str) -> Vec<String> {
        let (normalized, out) = tokens(source);
        out.iter().map(|token| normalized.folded()[token.span().range()].to_owned()).collect()
    }

    #[test]
    fn cuts_words_numbers_and_marks() {
        assert_eq!(words("Pt's BP 128/72, pH 7.38."), ["pt", "'s", "bp", "128/72", ",", "ph", "7.38", "."]);
        assert_eq!(words("O'Brien's don't 's"), ["o'brien", "'s", "don't", "'", "s"]);
        assert_eq!(words("5mg T12 03MAR2004 q4h"), ["5", "mg", "t", "12", "03", "mar", "2004", "q", "4", "h"]);
        assert_eq!(words("3-4/9 .5 1,000 x"), ["3", "-", "4/9", ".5", "1,000", "x"]);
        assert_eq!(words("**** a_b"), ["****", "a", "_", "b"]);
        assert_eq!(words(""), [""; 0]);
    }

    #[test]
    fn knows_gaps_cases_and_borders() {
        let (_, out) = tokens("Name: McNeil  ROSE\n\nHe fell.\nthen\nShe did. 5mg");
        let seen: Vec<_> = out.iter().map(|t| (t.gap, t.case)).collect();
        assert_eq!(seen[0], (Gap::Paragraph, Case::Capital));
        assert_eq!(seen[2], (Gap::Space, Case::Mixed));
        assert_eq!(seen[3], (Gap::Wide, Case::Upper));
        assert_eq!(seen[4], (Gap::Paragraph, Case::Capital));
        let borders: Vec<_> = out.iter().map(|t| t.border_before()).collect();
        assert!(borders[0] && borders[3] && borders[4]);
        assert!(!borders[7], "a wrapped line goes on");
        assert!(borders[8]);
        assert!(out.last().unwrap().glued());
    }

    proptest! {
        #[test]
        fn eight_bytes_at_once_are_as_good_as_one(source in "[a-zA-Z' @\\[`{é-]{0,40}", start in 0..20_usize) {
            let bytes = source.as_bytes();
            let end = (start..bytes.len()).find(|&at| !bytes[at].is_ascii_alphabetic()).unwrap_or(bytes.len());
            if source.is_char_boundary(start) && start < bytes.len() {
                prop_assert_eq!(ascii_letters(bytes, start), end);
                prop_assert_eq!(ascii_case(bytes, start, end), case(&source[start..end]));
            }
        }

        #[test]
        fn gaps_and_tokens_tile_the_text(source in "[\\PC\\n\\t ]{0,60}") {
            let (normalized, out) = tokens(&source);
            let text = normalized.folded();
            let mut at = 0;
            for token in &out {
                let gap = &text[at..token.start as usize];
                prop_assert!(gap.bytes().all(|b| b" \t\r\n\x0b\x0c".contains(&b)));
                prop_assert!(token.end > token.start);
                prop_assert!(text.is_char_boundary(token.end as usize));
                at = token.end as usize;
            }
            prop_assert!(text[at..].bytes().all(|b| b" \t\r\n\x0b\x0c".contains(&b)));
        }
    }
}
