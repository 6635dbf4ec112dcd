//! The findings that rules report.

use super::amounts::Amounts;
use super::columns::{Columns, WordColumns};
use super::facts::GROUP;
use crate::finding::{Certainty, Kind};

/// What a finding asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Remove the tokens: PHI of this kind.
    Remove(Kind),
    /// Keep the tokens: the rule vouches for them.
    Keep,
}

/// A span that a rule reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The index of the first token.
    pub first: u32,
    /// The end of the span (exclusive).
    pub end: u32,
    /// Whether to remove or to keep the tokens.
    pub verdict: Verdict,
    /// How certain the rule is.
    pub certainty: Certainty,
    /// The index of the rule in [`RULES`](crate::rules::RULES).
    pub rule: u16,
    /// The token of the cue behind the finding: the anchor of the rule, unless the rule names another token.
    pub anchor: u32,
}

impl Finding {
    /// Returns the token range.
    pub const fn tokens(&self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// All findings of a note, in the order of their anchors and, at one anchor, of the rules.
#[derive(Debug, Default)]
pub struct Findings {
    items: Vec<Finding>,
    rule: u16,
    anchor: u32,
    /// A bitmask of the tokens that the model is sure identify nobody, 64 tokens per word; empty if no model judged.
    cleared: Vec<u64>,
    /// A bitmask of the numbers, and letters glued to one, of which the model is so sure that nothing else must vouch
    /// for them.
    harmless: Vec<u64>,
    /// Model findings whose kind differs from that of a rule, held back until all tokens are judged.
    overruling: Vec<Finding>,
    /// The number of findings before the overruling ones, which set the kind where a rule is equally certain.
    overruling_start: usize,
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

    /// Vouches for the tokens `first..last` because of the token `cue`, which is not the anchor. If the cue is removed,
    /// the finding no longer vouches for them.
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
            end: last as u32,
            verdict,
            certainty,
            rule: self.rule,
            anchor: self.anchor,
        });
    }

    /// Reports PHI that the model is sure of; `overrules` if the rule that found it reports another kind.
    pub(in crate::rules) fn remove_judged(&mut self, first: usize, last: usize, kind: Kind, overrules: bool) {
        self.remove(first, last, kind, Certainty::Sure);
        if overrules {
            self.overruling.extend(self.items.pop());
        }
    }

    /// Appends the overruling findings once all tokens are judged.
    pub(crate) fn append_overruling(&mut self) {
        self.overruling_start = self.items.len();
        self.items.append(&mut self.overruling);
    }

    /// Returns the indices of the findings in the order of evaluation: among equally certain ones, the first sets the
    /// kind.
    pub(crate) fn indices_by_certainty(&self) -> impl Iterator<Item = usize> + use<> {
        let first = self.overruling_start.min(self.items.len());
        (first..self.items.len()).chain(0..first)
    }

    /// Records that the model is sure that a token identifies nobody.
    pub(crate) fn mark_identifies_nobody(&mut self, at: usize) {
        set_bit(&mut self.cleared, at);
    }

    /// Records that a number, or a part of one, identifies nobody according to the model, even if nothing else vouches
    /// for it.
    pub(crate) fn set_harmless(&mut self, at: usize) {
        set_bit(&mut self.harmless, at);
    }

    /// Returns whether the model is so sure of a number that nothing else must vouch for it.
    pub(crate) fn is_harmless(&self, at: usize) -> bool {
        is_set(&self.harmless, at)
    }

    /// Returns whether the model is sure that a token identifies nobody.
    pub(crate) fn is_judged_harmless(&self, at: usize) -> bool {
        is_set(&self.cleared, at)
    }

    /// Returns the findings so far.
    pub fn as_slice(&self) -> &[Finding] {
        &self.items
    }

    /// Returns the word bitmasks of the note, 64 tokens per entry.
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
        self.overruling_start = usize::MAX;
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
