//! One decision a token: keep, code or remove, with its reason.
//!
//! Fourth step in the way of a note, and the only place that sees concepts and findings together. Every decision starts
//! as *remove*: a forgotten case removes. What speaks for a token and what speaks against it are weighed by certainty
//! (see [`Certainty`]); removal wins a tie:
//!
//! | speaks for a token | certainty |
//! |---|---|
//! | it stands on an allowed list | 0: only where no finding speaks against it |
//! | it is a term of one word | 1 |
//! | it stands inside a term of several words | 2 |
//! | a rule vouches for it | as the rule says |
//!
//! Numbers need something that vouches for them, at 1 or more. Letters and digits with nothing between them stay or go
//! together. A term, and what a rule vouches for as one, is whole or it is nothing: where a part of it goes, or the cue for
//! which the rule vouched, the rest is decided again without it. What an earlier scrub wrote stays.

mod defaults;
mod evidence;
mod filter;
mod scale;

use std::ops::Range;

use crate::document::{Action, Name, Reason};
use crate::finding::{Certainty, Kind};
use crate::policy::Policy;
use crate::rules::{Finding, Findings, Note, Verdict};
use crate::terms::Match;
use crate::vocabulary::{Class, EntryFlags, Vocabulary};
use defaults::{Judge, begin_out, is_listed};
use evidence::Sort;
use filter::FindingFilter;
use scale::ROUNDS;
pub use scale::Scale;

/// The decision on one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What happens to it.
    pub action: Action,
    /// Why.
    pub reason: Reason,
    /// The finding or the match behind the reason: an index, or [`Decision::NOTHING`].
    pub evidence: u32,
}

impl Decision {
    /// No finding and no match.
    pub const NOTHING: u32 = u32::MAX;

    const fn new(action: Action, reason: Reason, evidence: u32) -> Self {
        Self { action, reason, evidence }
    }
}

/// Decides on every token of the note in which `findings` were found. `out` is emptied first.
pub fn decide(
    note: &Note<'_>,
    vocabulary: &Vocabulary,
    matches: &[Match],
    findings: &Findings,
    policy: &Policy,
    scale: &mut Scale,
    out: &mut Vec<Decision>,
) {
    let judge = Judge { note, findings, allowed: policy.allowed(), policy };
    let allowance = findings.allowance();
    scale.begin(allowance.len());
    scale.weigh_terms(vocabulary, allowance, matches);
    let filter = FindingFilter::new(policy);
    scale.note_shared(filter, findings.as_slice());
    scale.weigh_findings(note, filter, findings);
    begin_out(allowance, policy, note.len(), out);
    scale.settle(judge, allowance, matches, out);
    for round in 0.. {
        if !scale.retract(note, matches, findings.as_slice(), round >= ROUNDS) {
            break;
        }
        scale.weigh_findings(note, filter, findings);
        scale.settle(judge, allowance, matches, out);
    }
    scale.write(allowance, matches, out);
}

/// Calls `each` with the tokens, the name and the weight of all that speaks for something and that the policy hears, for those who
/// ask why.
pub fn vouchers(
    note: &Note<'_>,
    vocabulary: &Vocabulary,
    matches: &[Match],
    findings: &Findings,
    policy: &Policy,
    mut each: impl FnMut(Range<u32>, Name, u8),
) {
    for found in matches {
        if let Some(certainty) = term_certainty(note, vocabulary, *found) {
            each(found.first..found.last, Name::TERM, certainty as u8);
        }
    }
    let filter = FindingFilter::new(policy);
    let vouches = |finding: &&Finding| filter.counts(finding) && matches!(filter.sort(finding), Sort::Voucher);
    for finding in findings.as_slice().iter().filter(vouches) {
        each(finding.first..finding.last, Name::of_rule(finding.rule), finding.certainty as u8);
    }
    let allowed = policy.allowed();
    for at in (0..note.len()).filter(|&at| note.is_word(at) && is_listed(note.case(at), note.classes(at), allowed)) {
        for class in Class::ALL.iter().filter(|&&class| (note.classes(at) & allowed).has(class)) {
            each(at as u32..at as u32 + 1, Name::of_list(*class), 0);
        }
    }
}

/// What a term weighs; `None` if it does not count here.
fn term_certainty(note: &Note<'_>, vocabulary: &Vocabulary, found: Match) -> Option<Certainty> {
    let flags = vocabulary.entry_flags(found.entry);
    debug_assert!(flags.has(EntryFlags::TERM), "only terms of concepts are found as terms");
    if found.last - found.first > 1 {
        return Some(Certainty::Likely);
    }
    let ambiguous = note.capitalised(found.first as usize) && flags.has(EntryFlags::AMBIGUOUS);
    (!ambiguous).then_some(Certainty::Weak)
}

/// Drops the sections that a policy does without: the tokens of each body.
pub fn drop_sections(bodies: &[(usize, usize)], out: &mut [Decision]) {
    for (number, &(first, last)) in bodies.iter().enumerate() {
        out[first..last].fill(Decision::new(Action::Remove, Reason::Section, number as u32));
    }
}

/// The kind of PHI behind a removal, if a rule found it.
pub fn kind(decision: Decision, findings: &Findings) -> Option<Kind> {
    if decision.reason != Reason::Finding {
        return None;
    }
    match findings.as_slice().get(decision.evidence as usize)?.verdict {
        Verdict::Remove(kind) => Some(kind),
        Verdict::Keep => None,
    }
}

#[cfg(test)]
mod tests;
