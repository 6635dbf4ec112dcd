//! Filters the findings that count under a policy, and tells which side they are on.

use crate::finding::Kind;
use crate::policy::{Ambiguous, Numbers, Policy};
use crate::rules::{FIELD, Finding, JUDGED, Verdict};

/// The kinds of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum EvidenceKind {
    /// A finding vouches for the token.
    Voucher,
    /// A finding is against the token.
    Against,
    /// The token is part of a term.
    Term,
}

/// The findings that count under a policy, and whether they vouch for tokens or are against them.
#[derive(Clone, Copy)]
pub(super) struct FindingFilter {
    /// A bitmask of verdicts against tokens; the others vouch for them.
    against: u64,
    /// A bitmask of verdicts that do not count.
    ignored: u64,
    /// The rule whose findings do not count.
    ignored_rule: u16,
}

impl FindingFilter {
    pub(super) fn new(policy: &Policy) -> Self {
        let (against, ignored) = policy.removed_and_ignored_kinds();
        Self {
            against: against & !(1 << KEEP),
            ignored: ignored | u64::from(policy.numbers == Numbers::None) << KEEP,
            // The policy keeps words that only the model takes for names.
            ignored_rule: if policy.ambiguous == Ambiguous::Never { JUDGED } else { u16::MAX },
        }
    }

    #[inline]
    pub(super) fn counts(self, finding: &Finding) -> bool {
        // A policy without numbers still needs the codes and numbers of a structured message.
        let structural = finding.rule == FIELD && finding.verdict == Verdict::Keep;
        (structural || self.ignored >> verdict_index(finding.verdict) & 1 == 0) && finding.rule != self.ignored_rule
    }

    #[inline]
    pub(super) fn evidence_kind(self, finding: &Finding) -> EvidenceKind {
        if self.against >> verdict_index(finding.verdict) & 1 != 0 {
            EvidenceKind::Against
        } else {
            EvidenceKind::Voucher
        }
    }
}

/// The index of [`Verdict::Keep`]: after all kinds that findings remove.
const KEEP: u32 = Kind::ALL.len() as u32;

const _: () = assert!(KEEP < u64::BITS, "a verdict has a bit of its own");

/// Returns the index of a verdict.
#[inline]
const fn verdict_index(verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Remove(kind) => kind as u32,
        Verdict::Keep => KEEP,
    }
}
