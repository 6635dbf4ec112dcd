//! Where rules are asked: the anchors that the table names, and at which of 64 tokens these stand.
//!
//! An anchor is all that is asked of a token before its rule is. What must stand around it, the rule itself looks at first.

use super::NumberShapes;
use super::facts::Fact;
use super::group::Group;
use crate::vocabulary::{Class, Classes};

/// Where a rule is asked.
#[derive(Clone, Copy, Debug)]
pub struct Anchors {
    /// At words that stand on one of these lists.
    pub classes: Classes,
    /// At numbers of these shapes.
    pub numbers: NumberShapes,
    /// At numbers of these shapes that do not stand alone among words, see `Group::close`.
    pub close: NumberShapes,
    /// At numbers of these shapes by words in capitals, see `Group::by_capitals`.
    pub by_capitals: NumberShapes,
    /// At these marks.
    pub marks: &'static [u8],
    /// What else it is asked at.
    pub(in crate::rules) also: Option<fn(&Group) -> u64>,
}

impl Anchors {
    /// Nowhere: the base for `..Anchors::NONE`.
    pub const NONE: Self = Self {
        classes: Classes::NONE,
        numbers: NumberShapes::NONE,
        close: NumberShapes::NONE,
        by_capitals: NumberShapes::NONE,
        marks: b"",
        also: None,
    };

    /// At tokens of which only their columns tell.
    pub(in crate::rules) const fn at_columns(also: fn(&Group) -> u64) -> Self {
        Self { also: Some(also), ..Self::NONE }
    }

    /// At numbers of these shapes.
    pub const fn at_numbers(numbers: NumberShapes) -> Self {
        Self { numbers, ..Self::NONE }
    }

    /// Also at numbers of these shapes that do not stand alone among words.
    #[must_use]
    pub const fn or_glued_numbers(self, close: NumberShapes) -> Self {
        Self { close, ..self }
    }

    /// At words of these lists only.
    pub const fn at_words(classes: &[Class]) -> Self {
        Self { classes: Classes::of(classes), ..Self::NONE }
    }

    /// At these marks only.
    pub const fn at_marks(marks: &'static [u8]) -> Self {
        Self { marks, ..Self::NONE }
    }

    /// Where they stand among 64 tokens.
    #[expect(clippy::inline_always, reason = "only with constants as anchors does it come to a few instructions")]
    #[inline(always)]
    pub(in crate::rules) fn anchor_bits(&self, group: &Group) -> u64 {
        let mut places =
            group.any(self.classes) & group.tokens_with_fact(Fact::Word) | group.number_tokens(self.numbers);
        places |= group.number_tokens(self.close) & group.glued_tokens()
            | group.number_tokens(self.by_capitals) & group.beside_capitals();
        if let Some(also) = self.also {
            places |= also(group);
        }
        for &mark in self.marks {
            places |= group.tokens_with_mark(mark);
        }
        places
    }
}
