//! Words, numbers and punctuation.
//!
//! Tokens hold no white space: the white space before a token is its *gap* and belongs to it, so gaps and tokens
//! together tile the text, and the token after this one is `tokens[i + 1]`, never a blank. Letters and digits are
//! separate tokens even where nothing stands between them (`5mg`, `T12`, `03MAR2004`): one grammar then reads every
//! spacing of the same thing. Such neighbours are *glued*, and `decide` treats them as one.

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
    Placeholder,
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
    const FOREIGN: u8 = 2;
    // These three are a part of the form of a token, see `form`.
    const SENTENCE: u8 = 4;
    const LINE_START: u8 = 8;
    const GLUED: u8 = 16;
}

/// A token of the folded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
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
    /// The byte of a mark; of a number, which one of the text it is. Rules ask for both so often that a look into the
    /// text, or a second array, would cost more than these four bytes.
    pub data: u32,
}

impl Token {
    /// What stands before the first token and after the last one.
    pub const END: Self = Self {
        start: 0,
        end: 0,
        kind: Kind::End,
        gap: Gap::Paragraph,
        case: Case::Lower,
        flags: Flags(Flags::BORDER),
        data: u32::MAX,
    };

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

    /// Kind, gap, case, and what [`Self::sentence_start`], [`Self::line_start`] and [`Self::glued`] tell, as a number below
    /// [`FORMS`].
    #[inline]
    pub const fn form(self) -> usize {
        form(self.kind, self.gap, self.case, self.flags.0)
    }

    /// Whether the source writes it with more than plain letters, so that it must be written from the folded form.
    #[inline]
    pub const fn is_foreign(self) -> bool {
        self.flags.0 & Flags::FOREIGN != 0
    }

    /// The byte of a mark of punctuation; 0 for any other token.
    #[inline]
    pub const fn mark(self) -> u8 {
        if matches!(self.kind, Kind::Punct) { self.data as u8 } else { 0 }
    }

    /// Sets which number of the text it is, from 0.
    #[inline]
    pub const fn set_number(&mut self, nth: usize) {
        self.data = nth as u32;
    }

    /// Which number of the text it is, from 0, once [`Self::set_number`] has set it.
    #[inline]
    pub const fn nth_number(self) -> Option<usize> {
        if matches!(self.kind, Kind::Number) { Some(self.data as usize) } else { None }
    }

    /// Whether a term leaves it out: hyphens, apostrophes and possessives.
    #[inline]
    pub const fn skipped_in_terms(self) -> bool {
        // No branch on the kind of the next token, which would be mispredicted: for each kind the marks that are left out, by the
        // lowest six bits, which no other mark shares with them.
        const LEFT_OUT: [u64; Kind::End as usize + 1] = {
            let mut marks = [0; Kind::End as usize + 1];
            marks[Kind::Possessive as usize] = u64::MAX;
            marks[Kind::Punct as usize] = 1 << b'-' | 1 << b'\'';
            marks
        };
        LEFT_OUT[self.kind as usize] >> (self.data & 63) & 1 != 0
    }

    /// Whether the source begins it with a capital letter.
    #[inline]
    pub const fn capitalised(self) -> bool {
        !matches!(self.case, Case::Lower)
    }
}

/// How many forms of tokens there are, with those that none has.
pub const FORMS: usize = 2048;

/// The form of tokens whose place is given by three bits; see [`Token::form`]. The first of them is the lowest.
pub const fn form_of(kind: Kind, gap: Gap, case: Case, place: u8) -> usize {
    form(kind, gap, case, place << 2)
}

#[inline]
const fn form(kind: Kind, gap: Gap, case: Case, flags: u8) -> usize {
    // The four bytes stand side by side and are read as one number. The factor brings their bits together, each to a place of
    // its own, and those of the first two flags out of the way: without a mask, which would have each byte read by itself.
    let bytes = u32::from_le_bytes([kind as u8, gap as u8, case as u8, flags]);
    ((bytes as u64).wrapping_mul(0x0801_4000_0800_0000) >> 53) as usize
}

impl Gap {
    /// What the gap says of the token after it. Prose that wraps goes on in lower case, which [`tokenize`] sees; any other
    /// line begins something new.
    #[inline]
    const fn flags(self) -> u8 {
        match self {
            Self::None | Self::Space => 0,
            Self::Wide => Flags::BORDER,
            Self::Line | Self::Paragraph => Flags::LINE_START | Flags::BORDER | Flags::SENTENCE,
        }
    }
}

/// A text folded and cut, for tests.
#[doc(hidden)]
pub fn cut_source(source: &str) -> (Normalized, Vec<Token>) {
    let normalized = Normalized::new(source);
    let mut tokens = Vec::new();
    tokenize(source, &normalized, &mut tokens);
    (normalized, tokens)
}
