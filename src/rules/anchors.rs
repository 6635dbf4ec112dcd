//! Where rules are asked: the anchors that the table names, and at which of 64 tokens these stand.

use super::At;
use super::beside::Figures;
use super::columns::{Around, Fact};
use crate::vocabulary::{Class, Classes};

/// Where a rule is asked.
#[derive(Clone, Copy, Debug)]
pub struct Anchors {
    /// At words that stand on one of these lists.
    pub classes: Classes,
    /// At words that stand on one of these lists and on no list of ordinary words.
    pub unlisted: Classes,
    /// At these numbers.
    pub numbers: &'static [At],
    /// At words that begin with a capital letter.
    pub capitals: Capitals,
    /// At these marks.
    pub marks: &'static [u8],
    /// Which words and marks have around them what the rule needs.
    pub(super) needs: Option<Needs>,
    /// Whether that is asked where there is no such word or mark, too.
    pub(super) always: bool,
}

/// Tells of 64 tokens at which of them a rule may find something.
pub(super) type Needs = fn(&Around<'_>) -> u64;

/// Which words with a capital letter a rule is asked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capitals {
    /// None.
    No,
    /// All.
    Any,
    /// Those that stand on one of these lists.
    On(Classes),
    /// Those of up to three letters.
    Short,
    /// The last of a line, and those before a hyphen.
    LineEnd,
    /// The first of a line, and those after `and`.
    LineStart,
    /// Those on no list of ordinary words.
    Unlisted,
}

impl Anchors {
    /// Nowhere: the base for `..Anchors::NONE`.
    pub const NONE: Self = Self {
        classes: Classes::NONE,
        unlisted: Classes::NONE,
        numbers: &[],
        capitals: Capitals::No,
        marks: b"",
        needs: None,
        always: false,
    };

    /// Only at words and marks that have around them what the rule needs.
    pub(super) const fn near(self, needs: Needs) -> Self {
        Self { needs: Some(needs), ..self }
    }

    /// As [`Self::near`], asked also where there is no such word or mark: whether there is one can be foreseen less well than the
    /// answer costs.
    pub(super) const fn near_all(self, needs: Needs) -> Self {
        Self { needs: Some(needs), always: true, ..self }
    }

    /// At these numbers.
    pub const fn numbers(numbers: &'static [At]) -> Self {
        Self { numbers, ..Self::NONE }
    }

    /// At some of the words with a capital letter.
    pub const fn capitals(capitals: Capitals) -> Self {
        Self { capitals, ..Self::NONE }
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
        if !self.unlisted.is_empty() {
            places |= here.any(self.unlisted) & here.unlisted();
        }
        places |= match self.capitals {
            Capitals::No => 0,
            capitals => {
                here.capitalised()
                    & match capitals {
                        Capitals::On(classes) => here.any(classes),
                        Capitals::Short => here.is(Fact::UpToThree),
                        Capitals::LineEnd => around.behind(1, |next| next.is(Fact::LineStart) | next.mark(b'-')),
                        Capitals::LineStart => {
                            let link = around.before(1, |link| link.is(Fact::And) | link.mark(b'&'));
                            here.is(Fact::LineStart) | link
                        }
                        Capitals::Unlisted => here.unlisted(),
                        Capitals::Any | Capitals::No => u64::MAX,
                    }
            }
        };
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
