//! What rules report.

use super::amounts::Amounts;
use super::columns::{Columns, WordColumns};
use super::facts::GROUP;
use crate::finding::{Certainty, Kind};

/// What a rule asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// PHI of this kind.
    Remove(Kind),
    /// Medicine: the rule vouches for it.
    Keep,
}

/// One thing a rule found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The first token.
    pub first: u32,
    /// One past the last token.
    pub last: u32,
    /// What to do with it.
    pub verdict: Verdict,
    /// How sure the rule is.
    pub certainty: Certainty,
    /// The rule, an index into [`RULES`](crate::rules::RULES).
    pub rule: u16,
    /// The cue that made the finding: the token at which the rule was asked, or another that the rule names.
    pub anchor: u32,
}

impl Finding {
    /// The tokens as a range.
    pub const fn tokens(&self) -> std::ops::Range<usize> {
        self.first as usize..self.last as usize
    }
}

/// Everything the rules found in a note, in the order of the anchors, and of the rules at each.
#[derive(Debug, Default)]
pub struct Findings {
    items: Vec<Finding>,
    rule: u16,
    anchor: u32,
    /// Of which tokens the model is sure that they identify nobody, 64 in one; empty if there was no judgement.
    cleared: Vec<u64>,
    /// The numbers, and letters glued to one, of which the model is so sure that nothing else has to vouch for them, in the same form.
    harmless: Vec<u64>,
    /// What the model takes for another kind than a rule does, until all is judged.
    overruling: Vec<Finding>,
    /// How many findings stand before those that tell the kind where a rule is as sure of another.
    heard_last: usize,
    pub(in crate::rules) columns: Columns,
    pub(in crate::rules) amounts: Amounts,
}

impl Findings {
    /// Reports PHI at the tokens `first..last`.
    pub fn remove(&mut self, first: usize, last: usize, kind: Kind, certainty: Certainty) {
        self.push(first, last, Verdict::Remove(kind), certainty);
    }

    /// Vouches for the tokens `first..last`.
    pub fn keep(&mut self, first: usize, last: usize, certainty: Certainty) {
        self.push(first, last, Verdict::Keep, certainty);
    }

    /// Vouches for the tokens `first..last` because of the token `cue`, which is not the anchor: where the cue goes, nothing
    /// vouches for them.
    pub fn keep_by(&mut self, cue: usize, first: usize, last: usize, certainty: Certainty) {
        self.keep(first, last, certainty);
        if let Some(finding) = self.items.last_mut() {
            finding.anchor = cue as u32;
        }
    }

    fn push(&mut self, first: usize, last: usize, verdict: Verdict, certainty: Certainty) {
        debug_assert!(first < last, "a finding holds a token");
        self.items.push(Finding {
            first: first as u32,
            last: last as u32,
            verdict,
            certainty,
            rule: self.rule,
            anchor: self.anchor,
        });
    }

    /// Reports what the model is sure of; `overrules` where it is of another kind than the rule that found it says.
    pub(in crate::rules) fn remove_judged(&mut self, first: usize, last: usize, kind: Kind, overrules: bool) {
        self.remove(first, last, kind, Certainty::Sure);
        if overrules {
            self.overruling.extend(self.items.pop());
        }
    }

    /// Says that all is judged.
    pub(crate) fn mark_all_judged(&mut self) {
        self.heard_last = self.items.len();
        self.items.append(&mut self.overruling);
    }

    /// The findings in the order in which they are weighed: of two that are as certain the first tells what a token is.
    pub(crate) fn indices_by_certainty(&self) -> impl Iterator<Item = usize> + use<> {
        let first = self.heard_last.min(self.items.len());
        (first..self.items.len()).chain(0..first)
    }

    /// Says that a token identifies nobody, as far as the model knows.
    pub(crate) fn clear_token(&mut self, at: usize) {
        set_bit(&mut self.cleared, at);
    }

    /// Says that a number, or a part of one, identifies nobody, as far as the model knows, also where nothing else vouches for it.
    pub(crate) fn set_harmless(&mut self, at: usize) {
        set_bit(&mut self.harmless, at);
    }

    /// Whether the model is so sure of a number that nothing else has to vouch for it.
    pub(crate) fn is_harmless(&self, at: usize) -> bool {
        is_set(&self.harmless, at)
    }

    /// Whether the model is sure that a token is nothing that identifies.
    pub(crate) fn is_cleared(&self, at: usize) -> bool {
        is_set(&self.cleared, at)
    }

    /// What was found so far.
    pub fn as_slice(&self) -> &[Finding] {
        &self.items
    }

    /// The words of the note in which this was found, 64 tokens in one.
    pub(crate) fn bits_of_tokens(&self) -> &[WordColumns] {
        self.columns.word_bits()
    }

    pub(in crate::rules) fn set_current_rule(&mut self, rule: u16, anchor: usize) {
        self.rule = rule;
        self.anchor = anchor as u32;
    }

    pub(in crate::rules) fn clear(&mut self) {
        self.items.clear();
        self.overruling.clear();
        self.heard_last = usize::MAX;
        self.cleared.clear();
        self.harmless.clear();
        self.amounts.clear();
    }
}

fn set_bit(bits: &mut Vec<u64>, at: usize) {
    if bits.len() <= at / GROUP {
        bits.resize(at / GROUP + 1, 0);
    }
    bits[at / GROUP] |= 1 << (at % GROUP);
}

fn is_set(bits: &[u64], at: usize) -> bool {
    bits.get(at / GROUP).is_some_and(|bits| bits >> (at % GROUP) & 1 != 0)
}
