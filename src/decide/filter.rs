//! Which findings count under a policy, and on which side.

use crate::finding::Kind;
use crate::policy::{Ambiguous, Numbers, Policy};
use crate::rules::{FIELD, Finding, JUDGED, Verdict};

/// The sorts of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum EvidenceKind {
    /// A finding vouches for the token.
    Voucher,
    /// A finding speaks against it.
    Against,
    /// It is part of a term.
    Term,
}

/// Which findings count under a policy, and whether they vouch for tokens or speak against them.
#[derive(Clone, Copy)]
pub(super) struct FindingFilter {
    /// The kinds whose findings speak against tokens; those of others vouch for them.
    against: u64,
    /// The verdicts that do not count.
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
            // Words that are judged by their capital letter and the words around stay where the policy says so.
            ignored_rule: if policy.ambiguous == Ambiguous::Never { JUDGED } else { u16::MAX },
        }
    }

    #[inline]
    pub(super) fn is_heard(self, finding: &Finding) -> bool {
        // A policy without numbers still needs the codes and numbers of which a message is made.
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

/// The place of [`Verdict::Keep`] among the kinds that findings remove: after them.
const KEEP: u32 = Kind::ALL.len() as u32;

const _: () = assert!(KEEP < u64::BITS, "a verdict has a bit of its own");

/// The place of a verdict among the verdicts.
#[inline]
const fn verdict_index(verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Remove(kind) => kind as u32,
        Verdict::Keep => KEEP,
    }
}
