//! How 64 tokens stand to what may come out, for `decide`: by columns it costs an operation for all, token by token it
//! would be asked of every word.

use super::facts::Fact;
use super::group::Group;
use crate::policy::{NAMES_AND_PLACES, ORDINARY, Policy, VOUCHED};
use crate::vocabulary::{Class, Classes};

/// Which of 64 tokens are what; bit `k` is the `k`-th token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// Words.
    words: u64,
    /// Numbers, and characters that are no marks of ASCII.
    others: u64,
    /// Words with a capital letter.
    capitalised: u64,
    /// Stop words that may come out.
    stop: u64,
    /// Words of allowed lists, without those that are brands alone.
    ordinary: u64,
    /// Brands that may come out.
    brands: u64,
    /// Words for which no rule may vouch.
    foreign: u64,
    /// Tokens glued to the one before.
    glued: u64,
    /// What an earlier scrub wrote.
    own: u64,
}

impl Allowance {
    /// Reads the columns of 64 tokens.
    pub(in crate::rules) fn of(group: &Group) -> Self {
        const OTHERS: Classes = Classes(ORDINARY.0 & !Class::Term.set().0 & !Class::Brand.set().0);
        let words = group.is(Fact::Word);
        let passes = words & !group.on(Class::Deny);
        // A name that is listed as a term alone passes in lower case.
        let term = group.on(Class::Term) & (group.is(Fact::Lower) | !group.any(NAMES_AND_PLACES));
        let others = group.any(OTHERS);
        Self {
            words,
            others: group.is(Fact::Number) | group.is(Fact::Symbol),
            capitalised: group.capitalised(),
            stop: group.on(Class::Stop) & passes,
            ordinary: (others | term) & passes,
            brands: group.on(Class::Brand) & passes,
            foreign: words & !(others | group.any(Classes(VOUCHED.0 & !OTHERS.0))),
            glued: group.is(Fact::Glued),
            own: group.is(Fact::Lower) & !words,
        }
    }

    /// Words.
    #[inline]
    pub(crate) const fn words(&self) -> u64 {
        self.words
    }

    /// Words with a capital letter.
    #[inline]
    pub(crate) const fn capitalised(&self) -> u64 {
        self.capitalised
    }

    /// Words on the lists that the policy lets out; of names, those that may come out by their list.
    #[inline]
    pub(crate) const fn listed(&self, policy: &Policy) -> u64 {
        match (policy.ordinary_words, policy.brands) {
            (true, true) => self.ordinary | self.brands,
            (true, false) => self.ordinary,
            (false, _) => self.stop,
        }
    }

    /// Words, numbers, and characters that are no marks of ASCII.
    #[inline]
    pub(crate) const fn no_marks(&self) -> u64 {
        self.words | self.others
    }

    /// Words on none of the lists that rules may ask.
    #[inline]
    pub(crate) const fn foreign(&self) -> u64 {
        self.foreign
    }

    /// Tokens glued to the one before.
    #[inline]
    pub(crate) const fn glued(&self) -> u64 {
        self.glued
    }

    /// What an earlier scrub wrote.
    #[inline]
    pub(crate) const fn own(&self) -> u64 {
        self.own
    }
}
