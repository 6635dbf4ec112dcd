//! What stands beside a form: laboratory tests, numbers that are no value, and what is glued to it.

use crate::text::token::{Gap, Kind, Token};
use crate::vocabulary::{Class, Classes};

/// Lists of ordinary words.
const ORDINARY_CLASSES: Classes = Classes::of(&[Class::English, Class::Stop]);

/// Whether a token names a laboratory test. Words of every day that are measured too ("pain", "weight") are one only where a value follows.
pub(super) fn is_lab_test(at: usize, tokens: &[Token], classes: &[Classes]) -> bool {
    let measured = || tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Number);
    classes[at].has(Class::Measurement) && (!classes[at].any(ORDINARY_CLASSES) || measured())
}

/// Whether a number is a part of a name as "19-9" is: a hyphen joins it to another.
pub(super) fn is_joined_to_number(tokens: &[Token], at: usize) -> bool {
    let hyphen = |at: usize| tokens.get(at).is_some_and(|token| token.mark() == b'-' && token.gap == Gap::None);
    let number = |at: usize| tokens.get(at).is_some_and(|token| token.kind == Kind::Number);
    hyphen(at + 1) && number(at + 2) || at > 1 && hyphen(at - 1) && number(at - 2) && tokens[at].gap == Gap::None
}

/// Whether a token is glued to letters or digits: a part of another form, as in "CA125".
pub(super) fn is_glued_token(tokens: &[Token], at: usize) -> bool {
    tokens[at].glued() || tokens.get(at + 1).is_some_and(|next| next.glued())
}
