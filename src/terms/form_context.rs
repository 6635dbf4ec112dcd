//! The context of a form: laboratory tests, numbers that are not values, and attached letters or digits.

use crate::text::token::{Gap, Kind, Token};
use crate::vocabulary::{Class, Classes};

/// Classes of ordinary words.
const ORDINARY_CLASSES: Classes = Classes::of(&[Class::English, Class::Stop]);

/// Returns whether a token names a laboratory test. Everyday words that are also measured ("pain", "weight") count only
/// if a number follows.
pub(super) fn is_lab_test(at: usize, tokens: &[Token], classes: &[Classes]) -> bool {
    let measured = || tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Number);
    classes[at].has(Class::Measurement) && (!classes[at].any(ORDINARY_CLASSES) || measured())
}

/// Returns whether a hyphen joins a number to another, as in the name "19-9".
pub(super) fn is_joined_to_number(tokens: &[Token], at: usize) -> bool {
    let hyphen = |at: usize| tokens.get(at).is_some_and(|token| token.mark() == b'-' && token.gap == Gap::None);
    let number = |at: usize| tokens.get(at).is_some_and(|token| token.kind == Kind::Number);
    hyphen(at + 1) && number(at + 2) || at > 1 && hyphen(at - 1) && number(at - 2) && tokens[at].gap == Gap::None
}

/// Returns whether a token is attached to other letters or digits, as part of another form: "CA125".
pub(super) fn is_glued_token(tokens: &[Token], at: usize) -> bool {
    tokens[at].glued() || tokens.get(at + 1).is_some_and(|next| next.glued())
}
