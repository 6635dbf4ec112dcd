//! Effects of a token on the flags of the next one.

use super::{Case, Flags, Gap, Kind};

/// The effect of a token on the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum PrecedingToken {
    /// No effect.
    Other,
    /// A word or number, to which the next one may be glued.
    Joins,
    /// A mark that ends a sentence.
    Stop,
}

impl PrecedingToken {
    /// Returns the effect of a token of this kind; `mark` is its first byte.
    pub(super) const fn after_token(kind: Kind, mark: u8) -> Self {
        match kind {
            Kind::Word | Kind::Number => Self::Joins,
            Kind::Punct if matches!(mark, b'.' | b'!' | b'?') => Self::Stop,
            _ => Self::Other,
        }
    }

    /// Returns the flags of the next token.
    pub(super) const fn flags_of_next(self, kind: Kind, gap: Gap, case: Case) -> Flags {
        let sentence = if matches!(self, Self::Stop) { Flags::SENTENCE } else { 0 };
        Flags(match gap {
            Gap::None if matches!((self, Self::after_token(kind, 0)), (Self::Joins, Self::Joins)) => Flags::GLUED,
            Gap::None => 0,
            // Wrapped prose continues in lower case; any other line begins something new.
            Gap::Line if matches!((kind, case), (Kind::Word, Case::Lower)) => sentence | Flags::LINE_START,
            _ => sentence | gap.flags(),
        })
    }
}
