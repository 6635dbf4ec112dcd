//! Makes one decision per token: keep, code or remove, with its reason.
//!
//! The only module that sees concepts and findings together. Every decision starts as *remove*, so a forgotten case
//! removes. Evidence for and against a token is compared by certainty (see [`Certainty`]); removal wins a tie:
//!
//! | evidence for a token | certainty |
//! |---|---|
//! | it is on an allow-list | 0: only where no finding is against it |
//! | it is a term of one word | 1 |
//! | it is part of a term of several words | 2 |
//! | a rule vouches for it | the certainty of the rule |
//!
//! Numbers need a voucher with a certainty of at least 1. Letters and digits with nothing between them are kept or
//! removed together. A term, or a span that a rule vouches for as a whole, is kept whole: where a part of it is
//! removed, or the cue of the rule, the rest is decided again without it. Output of an earlier scrub is kept.

mod clearable;
mod defaults;
mod evidence;
mod filter;

use std::ops::Range;

use crate::document::{Action, Reason, SourceName};
use crate::finding::{Certainty, Kind};
use crate::policy::{Policy, Unknown};
use crate::rules::{Finding, Findings, Note, Verdict};
use crate::terms::Match;
use crate::text::token;
use crate::vocabulary::{Class, EntryFlags};
pub(crate) use clearable::{Overruling, overruling};
pub(crate) use defaults::Judge;
use defaults::{is_listed, is_number_allowed};
use evidence::{Evidence, TokenEvidence};
use filter::{EvidenceKind, FindingFilter};

/// The decision on one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What is done with it.
    pub action: Action,
    /// The reason.
    pub reason: Reason,
    /// The index of the finding or match behind the reason, or [`Decision::NOTHING`].
    pub evidence: u32,
}

impl Decision {
    /// No finding and no match.
    pub const NOTHING: u32 = u32::MAX;

    const fn new(action: Action, reason: Reason, evidence: u32) -> Self {
        Self { action, reason, evidence }
    }
}

/// The number of rounds in which broken evidence is dropped, before all evidence that tokens share is dropped. A note
/// needs one or two rounds; text that needs more is not clinical, and must not take unbounded time.
const MAX_ROUNDS: usize = 8;

/// Decides on every token of the note that `findings` come from. Clears `out` first.
pub fn decide(note: &Note<'_>, matches: &[Match], findings: &Findings, policy: &Policy, out: &mut Vec<Decision>) {
    let judge = Judge::new(note, findings, policy);
    let mut evidence = Evidence::new(note, matches, findings, policy);
    let mut tokens = Vec::new();
    for round in 0.. {
        evidence.collect_by_token(&mut tokens);
        decide_tokens(judge, &tokens, out);
        let goes = |at: usize| out.get(at).is_some_and(|decision| decision.action == Action::Remove);
        if !evidence.drop_broken_vouchers(goes, round >= MAX_ROUNDS) {
            break;
        }
    }
}

/// Decides on every token by its evidence.
fn decide_tokens(judge: Judge<'_>, evidence: &[TokenEvidence], out: &mut Vec<Decision>) {
    let note = judge.note;
    out.clear();
    out.reserve(evidence.len());
    while out.len() < evidence.len() {
        let at = out.len();
        let end = cluster_end(note, at);
        if end > at + 1 {
            decide_cluster(judge, at, &evidence[at..end], out);
        } else if note.token(at).kind == token::Kind::Placeholder {
            out.push(Decision::new(Action::Keep, Reason::Own, Decision::NOTHING));
        } else {
            let heard = evidence[at].strongest().map(|(sort, evidence)| decision_of(sort, evidence));
            out.push(heard.unwrap_or_else(|| judge.decide_without_evidence(at)));
        }
    }
}

/// Decides on letters and digits without white space between them, from `first` on: all are kept if each is vouched
/// for, otherwise all are removed, with the kind of the part that was found.
fn decide_cluster(judge: Judge<'_>, first: usize, evidence: &[TokenEvidence], out: &mut Vec<Decision>) {
    let Judge { note, policy, .. } = judge;
    let found = evidence.iter().find_map(|token| token.strongest().filter(|(sort, _)| *sort == EvidenceKind::Against));
    let open = policy.unknown == Unknown::Keep;
    let is_harmless = |at: usize| evidence.len() == 2 && judge.is_harmless_part(at);
    let stays = |(at, token): (usize, &TokenEvidence)| {
        token.has_support()
            || judge.names_nobody(at)
            || is_harmless(at)
            || open && (note.is_word(at) || is_number_allowed(note, at, policy))
    };
    let all_stay = (first..).zip(evidence).all(stays);
    for (at, token) in (first..).zip(evidence) {
        out.push(match (found, token.strongest()) {
            (Some((_, found)), _) => decision_of(EvidenceKind::Against, token.finding_against().unwrap_or(found)),
            _ if !all_stay => Decision::new(Action::Remove, Reason::Glued, Decision::NOTHING),
            (None, Some((sort, evidence))) => decision_of(sort, evidence),
            (None, None) if judge.names_nobody(at) || is_harmless(at) => {
                Decision::new(Action::Keep, Reason::Judged, Decision::NOTHING)
            }
            (None, None) => Decision::new(Action::Keep, Reason::Policy, Decision::NOTHING),
        });
    }
}

/// Returns the decision that follows from the strongest evidence of a token.
const fn decision_of(sort: EvidenceKind, evidence: u32) -> Decision {
    match sort {
        EvidenceKind::Voucher => Decision::new(Action::Keep, Reason::Vouched, evidence),
        EvidenceKind::Against => Decision::new(Action::Remove, Reason::Finding, evidence),
        EvidenceKind::Term => Decision::new(Action::Code, Reason::Term, evidence),
    }
}

/// Returns the end (exclusive) of the run of letters and digits that starts at `at`.
fn cluster_end(note: &Note<'_>, at: usize) -> usize {
    let mut end = at + 1;
    while note.token(end).glued() {
        end += 1;
    }
    end
}

/// Calls `each` with the tokens, the name and the certainty of every voucher that counts under the policy, to explain
/// decisions.
pub fn for_each_voucher(
    note: &Note<'_>,
    matches: &[Match],
    findings: &Findings,
    policy: &Policy,
    mut each: impl FnMut(Range<u32>, SourceName, u8),
) {
    for found in matches {
        if let Some(certainty) = term_certainty(note, *found) {
            each(found.first..found.end, SourceName::TERM, certainty as u8);
        }
    }
    let filter = FindingFilter::new(policy);
    let vouches =
        |finding: &&Finding| filter.counts(finding) && matches!(filter.evidence_kind(finding), EvidenceKind::Voucher);
    for finding in findings.as_slice().iter().filter(vouches) {
        each(finding.first..finding.end, SourceName::from_rule_number(finding.rule), finding.certainty as u8);
    }
    let allowed = policy.allowed();
    for at in (0..note.len()).filter(|&at| note.is_word(at) && is_listed(note.case(at), note.classes(at), allowed)) {
        for class in Class::ALL.iter().filter(|&&class| (note.classes(at) & allowed).has(class)) {
            each(at as u32..at as u32 + 1, SourceName::from_list(*class), 0);
        }
    }
}

/// Returns the certainty of a term; `None` if it does not count here.
fn term_certainty(note: &Note<'_>, found: Match) -> Option<Certainty> {
    let flags = note.vocabulary().entry_flags(found.entry);
    debug_assert!(flags.has(EntryFlags::TERM), "only terms of concepts are found as terms");
    if found.end - found.first > 1 {
        return Some(Certainty::Likely);
    }
    let ambiguous = note.capitalised(found.first as usize) && flags.has(EntryFlags::ALSO_NAME);
    (!ambiguous).then_some(Certainty::Weak)
}

/// Removes the sections that a policy drops, given the token ranges of their bodies.
pub fn drop_sections(bodies: &[(usize, usize)], out: &mut [Decision]) {
    for (number, &(first, last)) in bodies.iter().enumerate() {
        out[first..last].fill(Decision::new(Action::Remove, Reason::Section, number as u32));
    }
}

/// Removes the header of a note, its first tokens.
pub fn drop_header(end: usize, out: &mut [Decision]) {
    out[..end].fill(Decision::new(Action::Remove, Reason::Header, Decision::NOTHING));
}

/// Returns the kind of PHI behind a removal, if a rule found it.
pub fn kind_of_removal(decision: Decision, findings: &Findings) -> Option<Kind> {
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
