//! Where rules are asked: the anchors that the table names, and at which of 64 tokens these stand.

use super::At;
use super::beside::Figures;
use super::columns::{Around, Fact, Group};
use crate::vocabulary::{Class, Classes};

/// Where a rule is asked.
#[derive(Clone, Copy, Debug)]
pub struct Anchors {
    /// At words that stand on one of these lists.
    pub classes: Classes,
    /// At these numbers.
    pub numbers: &'static [At],
    /// At words that begin with a capital letter and end a line, or stand before a hyphen.
    pub line_ends: bool,
    /// At these marks.
    pub marks: &'static [u8],
    /// What else it is asked at.
    pub(super) also: Option<fn(&Group) -> u64>,
    /// Which words and marks have around them what the rule needs.
    pub(super) needs: Option<Needs>,
    /// Whether that is asked where there is no such word or mark, too.
    pub(super) always: bool,
}

/// Tells of 64 tokens at which of them a rule may find something.
pub(super) type Needs = fn(&Around<'_>) -> u64;

impl Anchors {
    /// Nowhere: the base for `..Anchors::NONE`.
    pub const NONE: Self = Self {
        classes: Classes::NONE,
        numbers: &[],
        line_ends: false,
        marks: b"",
        also: None,
        needs: None,
        always: false,
    };

    /// At tokens of which only their columns tell.
    pub(super) const fn columns(also: fn(&Group) -> u64) -> Self {
        Self { also: Some(also), ..Self::NONE }
    }

    /// Only at words and marks that have around them what the rule needs.
    pub(super) const fn near(self, needs: Needs) -> Self {
        Self { needs: Some(needs), ..self }
    }

    /// As [`Self::near`], asked also where there is no such word or mark: where asking costs less than
    /// the misprediction of whether there is one.
    pub(super) const fn near_all(self, needs: Needs) -> Self {
        Self { needs: Some(needs), always: true, ..self }
    }

    /// At these numbers.
    pub const fn numbers(numbers: &'static [At]) -> Self {
        Self { numbers, ..Self::NONE }
    }

    /// At words of these lists only.
    pub const fn words(classes: &[Class]) -> Self {
        Self { classes: Classes::of(classes), ..Self::NONE }
    }

    /// At these marks only.
    pub const fn marks(marks: &'static [u8]) -> Self {
        Self { marks, ..Self::NONE }
    }
}

impl Anchors {
    /// The words and marks among 64 tokens.
    #[expect(clippy::inline_always, reason = "only with constants as anchors does it come to a few instructions")]
    #[inline(always)]
    pub(super) fn at_words(&self, around: &Around<'_>) -> u64 {
        let here = around.here();
        let mut places = here.any(self.classes) & here.is(Fact::Word);
        if self.line_ends {
            places |= here.capitalised() & around.behind(1, |next| next.is(Fact::LineStart) | next.mark(b'-'));
        }
        if let Some(also) = self.also {
            places |= also(here);
        }
        for &mark in self.marks {
            places |= here.mark(mark);
        }
        match self.needs {
            Some(needs) if self.always || places != 0 => places & needs(around),
            _ => places,
        }
    }

    /// The numbers among 64 tokens.
    #[expect(clippy::inline_always, reason = "only with constants as anchors does it come to a few instructions")]
    #[inline(always)]
    pub(super) fn at_numbers(&self, figures: &Figures) -> u64 {
        // A loop that the compiler cannot but unroll: it does not always, where it must look into a `fold`.
        let (mut nth, mut places) = (0, 0);
        while nth < self.numbers.len() {
            places |= figures.places(&self.numbers[nth]);
            nth += 1;
        }
        places
    }
}
