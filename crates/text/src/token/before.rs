//! What a token means for the one after it.

use super::{Case, Flags, Gap, Kind};

/// What a token means for the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum PrecedingToken {
    /// Nothing.
    Other,
    /// A word or number, to which another one may be glued.
    Joins,
    /// A mark that ends sentences.
    Stop,
}

impl PrecedingToken {
    /// What a token of this kind means for the next; `mark` is its first byte.
    pub(super) const fn after_token(kind: Kind, mark: u8) -> Self {
        match kind {
            Kind::Word | Kind::Number => Self::Joins,
            Kind::Punct if matches!(mark, b'.' | b'!' | b'?') => Self::Stop,
            _ => Self::Other,
        }
    }

    /// The flags of the token behind.
    pub(super) const fn flags_of_next(self, kind: Kind, gap: Gap, case: Case) -> Flags {
        let sentence = if matches!(self, Self::Stop) { Flags::SENTENCE } else { 0 };
        Flags(match gap {
            Gap::None if matches!((self, Self::after_token(kind, 0)), (Self::Joins, Self::Joins)) => Flags::GLUED,
            Gap::None => 0,
            // Prose that wraps goes on in lower case, any other line begins something new.
            Gap::Line if matches!((kind, case), (Kind::Word, Case::Lower)) => sentence | Flags::LINE_START,
            _ => sentence | gap.flags(),
        })
    }
}
