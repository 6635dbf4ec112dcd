//! The anchors of rules, and where they occur among 64 tokens.
//!
//! An anchor is the only test of a token before its rule runs. The rule itself checks the context first.

use super::NumberShapes;
use super::facts::Fact;
use super::group::Group;
use crate::vocabulary::{Class, Classes};

/// The tokens at which a rule runs.
#[derive(Clone, Copy, Debug)]
pub struct Anchors {
    /// Words on one of these lists.
    pub classes: Classes,
    /// Numbers of these shapes.
    pub numbers: NumberShapes,
    /// Numbers of these shapes that do not stand alone among words, see `Group::glued_tokens`.
    pub glued_numbers: NumberShapes,
    /// Numbers of these shapes near words in capitals, see `Group::beside_capitals`.
    pub numbers_near_capitals: NumberShapes,
    /// These marks.
    pub marks: &'static [u8],
    /// Further tokens, computed from the columns.
    pub(in crate::rules) extra_tokens: Option<fn(&Group) -> u64>,
}

impl Anchors {
    /// No anchors: the base for `..Anchors::NONE`.
    pub const NONE: Self = Self {
        classes: Classes::NONE,
        numbers: NumberShapes::NONE,
        glued_numbers: NumberShapes::NONE,
        numbers_near_capitals: NumberShapes::NONE,
        marks: b"",
        extra_tokens: None,
    };

    /// Anchors at tokens that only the columns identify.
    pub(in crate::rules) const fn at_columns(also: fn(&Group) -> u64) -> Self {
        Self { extra_tokens: Some(also), ..Self::NONE }
    }

    /// Anchors at numbers of these shapes.
    pub const fn at_numbers(numbers: NumberShapes) -> Self {
        Self { numbers, ..Self::NONE }
    }

    /// Adds numbers of these shapes that do not stand alone among words.
    #[must_use]
    pub const fn or_glued_numbers(self, close: NumberShapes) -> Self {
        Self { glued_numbers: close, ..self }
    }

    /// Anchors at words of these lists only.
    pub const fn at_words(classes: &[Class]) -> Self {
        Self { classes: Classes::of(classes), ..Self::NONE }
    }

    /// Anchors at these marks only.
    pub const fn at_marks(marks: &'static [u8]) -> Self {
        Self { marks, ..Self::NONE }
    }

    /// Returns a bitmask of the anchors among 64 tokens.
    #[expect(clippy::inline_always, reason = "only with constants as anchors does it come to a few instructions")]
    #[inline(always)]
    pub(in crate::rules) fn anchor_bits(&self, group: &Group) -> u64 {
        let mut places =
            group.any(self.classes) & group.tokens_with_fact(Fact::Word) | group.number_tokens(self.numbers);
        places |= group.number_tokens(self.glued_numbers) & group.glued_tokens()
            | group.number_tokens(self.numbers_near_capitals) & group.beside_capitals();
        if let Some(also) = self.extra_tokens {
            places |= also(group);
        }
        for &mark in self.marks {
            places |= group.tokens_with_mark(mark);
        }
        places
    }
}
