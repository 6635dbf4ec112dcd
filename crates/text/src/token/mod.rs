//! Tokens: words, numbers and punctuation.
//!
//! Tokens contain no white space: the white space before a token is its *gap* and belongs to it, so gaps and tokens
//! together tile the text, and the token after `tokens[i]` is `tokens[i + 1]`, never a blank. Letters and digits are
//! separate tokens even without a space in between (`5mg`, `T12`, `03MAR2004`), so one grammar reads every
//! spacing. Such neighbours are *glued*, and `decide` treats them as one.

mod before;
mod cut;
mod key;
mod scan;
mod window;

use crate::normalize::Normalized;
use crate::span::Span;
pub use cut::is_written_plainly;
pub use cut::tokenize;
pub use key::word_key;
pub use key::{NO_BYTE, token_key};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Letters, with apostrophes inside (`o'brien`, `don't`).
    Word,
    /// Digits, with `.` `,` `/` `:` between digits or a leading point (`7.38`, `128/72`, `1,000`, `.5`).
    Number,
    /// One ASCII punctuation mark, or a run of asterisks.
    Punct,
    /// `'s` after a word.
    Possessive,
    /// Any other single character.
    Symbol,
    /// A placeholder that notesieve itself writes, as one token: see `own`.
    Placeholder,
    /// The position before the first or after the last token.
    End,
}

/// The white space before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Gap {
    /// No white space.
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

/// The case of a word in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Case {
    /// Without capital letters.
    Lower,
    /// Only the first of several letters is a capital.
    Capital,
    /// All letters are capitals.
    Upper,
    /// Anything else: `McNeil`, `iPad`.
    Mixed,
}

/// Flags for the position of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    const BORDER: u8 = 1;
    const FOREIGN: u8 = 2;
    // These three are part of the form of a token, see `form`.
    const SENTENCE: u8 = 4;
    const LINE_START: u8 = 8;
    const GLUED: u8 = 16;
}

/// A token of the folded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Token {
    /// The start in the folded text, in bytes.
    pub start: u32,
    /// The end in the folded text, exclusive.
    pub end: u32,
    /// The kind.
    pub kind: Kind,
    /// The white space before it.
    pub gap: Gap,
    /// The case in the source.
    pub case: Case,
    /// The position flags.
    pub flags: Flags,
    /// For a punctuation mark its byte, for a number its index among the numbers of the text. Rules need both so often
    /// that reading the text, or a second array, would cost more than these four bytes.
    pub data: u32,
}

impl Token {
    /// A sentinel before the first token and after the last one.
    pub const END: Self = Self {
        start: 0,
        end: 0,
        kind: Kind::End,
        gap: Gap::Paragraph,
        case: Case::Lower,
        flags: Flags(Flags::BORDER),
        data: u32::MAX,
    };

    /// Returns the span in the folded text.
    pub const fn span(self) -> Span {
        Span::new(self.start, self.end)
    }

    /// Returns whether no term may extend across the gap before this token.
    #[inline]
    pub const fn border_before(self) -> bool {
        self.flags.0 & Flags::BORDER != 0
    }

    /// Returns whether it looks like the first token of a sentence, a line or a field.
    #[inline]
    pub const fn sentence_start(self) -> bool {
        self.flags.0 & Flags::SENTENCE != 0
    }

    /// Returns whether it is the first token of its line.
    #[inline]
    pub const fn line_start(self) -> bool {
        self.flags.0 & Flags::LINE_START != 0
    }

    /// Returns whether it is a word or number directly after another one: `mg` of `5mg`.
    #[inline]
    pub const fn glued(self) -> bool {
        self.flags.0 & Flags::GLUED != 0
    }

    /// Returns kind, gap, case, [`Self::sentence_start`], [`Self::line_start`] and [`Self::glued`] as one number below
    /// [`FORMS`].
    #[inline]
    pub const fn form(self) -> usize {
        form(self.kind, self.gap, self.case, self.flags.0)
    }

    /// Returns whether its source has more than plain letters, so that the output must use the folded form.
    #[inline]
    pub const fn is_foreign(self) -> bool {
        self.flags.0 & Flags::FOREIGN != 0
    }

    /// Returns the byte of a punctuation mark; 0 for any other token.
    #[inline]
    pub const fn mark(self) -> u8 {
        if matches!(self.kind, Kind::Punct) { self.data as u8 } else { 0 }
    }

    /// Sets its index among the numbers of the text.
    #[inline]
    pub const fn set_number(&mut self, nth: usize) {
        self.data = nth as u32;
    }

    /// Returns its index among the numbers of the text, if it is a number and [`Self::set_number`] was called.
    #[inline]
    pub const fn nth_number(self) -> Option<usize> {
        if matches!(self.kind, Kind::Number) { Some(self.data as usize) } else { None }
    }

    /// Returns whether terms skip it: hyphens, apostrophes and possessives.
    #[inline]
    pub const fn skipped_in_terms(self) -> bool {
        // No branch on the kind, which would be mispredicted. The table has the skipped marks of each kind as a mask,
        // by their lowest six bits, which no other mark has.
        const LEFT_OUT: [u64; Kind::End as usize + 1] = {
            let mut marks = [0; Kind::End as usize + 1];
            marks[Kind::Possessive as usize] = u64::MAX;
            marks[Kind::Punct as usize] = 1 << b'-' | 1 << b'\'';
            marks
        };
        LEFT_OUT[self.kind as usize] >> (self.data & 63) & 1 != 0
    }

    /// Returns whether it begins with a capital letter in the source.
    #[inline]
    pub const fn capitalised(self) -> bool {
        !matches!(self.case, Case::Lower)
    }
}

/// The number of forms of tokens, including those that never occur.
pub const FORMS: usize = 2048;

/// Returns the form of tokens with three position bits, lowest first: see [`Token::form`].
pub const fn form_of(kind: Kind, gap: Gap, case: Case, place: u8) -> usize {
    form(kind, gap, case, place << 2)
}

#[inline]
const fn form(kind: Kind, gap: Gap, case: Case, flags: u8) -> usize {
    // The four bytes are adjacent and are read as one number. The multiplication moves their bits together without
    // overlap and shifts the first two flags out. A mask instead would make the compiler read each byte separately.
    let bytes = u32::from_le_bytes([kind as u8, gap as u8, case as u8, flags]);
    ((bytes as u64).wrapping_mul(0x0801_4000_0800_0000) >> 53) as usize
}

impl Gap {
    /// Returns the flags of the token after the gap. [`tokenize`] corrects them for wrapped prose, which continues in
    /// lower case; any other line begins something new.
    #[inline]
    const fn flags(self) -> u8 {
        match self {
            Self::None | Self::Space => 0,
            Self::Wide => Flags::BORDER,
            Self::Line | Self::Paragraph => Flags::LINE_START | Flags::BORDER | Flags::SENTENCE,
        }
    }
}

/// Folds and tokenizes a text, for tests.
#[doc(hidden)]
pub fn cut_source(source: &str) -> (Normalized, Vec<Token>) {
    let normalized = Normalized::new(source);
    let mut tokens = Vec::new();
    tokenize(source, &normalized, &mut tokens);
    (normalized, tokens)
}
