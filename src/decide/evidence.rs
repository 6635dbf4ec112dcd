//! Collects the evidence of terms and findings for each token, and drops evidence that is broken.

use super::clearable::is_clearable;
use super::filter::{EvidenceKind, FindingFilter};
use crate::finding::Certainty;
use crate::policy::Policy;
use crate::rules::{
    FIELD, Findings, GREEK_LETTER, ISOTOPE, MARKUP, Note, PHRASE, SITE, Verdict, is_detection, is_misread_word,
    is_roman_numeral,
};
use crate::terms::Match;
use crate::vocabulary::Classes;

/// Rules that vouch by lists of their own, so also for words on no other list.
pub(super) const BY_LIST: [u16; 7] = [SITE, FIELD, PHRASE, GREEK_LETTER, ISOTOPE, MARKUP[0], MARKUP[1]];

/// The evidence for one token: by kind, the certainty of the strongest evidence, 0 if there is none, and the index of
/// the first finding or term with that certainty.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TokenEvidence {
    certainty: [u8; 3],
    index: [u32; 3],
}

impl TokenEvidence {
    fn add_evidence(&mut self, sort: EvidenceKind, certainty: Certainty, index: usize) {
        let certainty = certainty as u8;
        if certainty > self.certainty[sort as usize] {
            self.certainty[sort as usize] = certainty;
            self.index[sort as usize] = index as u32;
        }
    }

    /// Returns the finding against the token, if there is one.
    pub(super) fn finding_against(&self) -> Option<u32> {
        (self.certainty[EvidenceKind::Against as usize] > 0).then(|| self.index[EvidenceKind::Against as usize])
    }

    /// Returns whether something vouches for the token.
    pub(super) fn has_support(&self) -> bool {
        self.certainty[EvidenceKind::Voucher as usize].max(self.certainty[EvidenceKind::Term as usize]) > 0
    }

    /// Returns the evidence that decides, or `None` if there is none. Removal wins a tie. A term stays a term: a rule
    /// that also vouches for it only makes it more certain.
    pub(super) fn strongest(&self) -> Option<(EvidenceKind, u32)> {
        let [voucher, against, term] = self.certainty;
        let sort = if against > 0 && against >= voucher.max(term) {
            EvidenceKind::Against
        } else if term > 0 {
            EvidenceKind::Term
        } else if voucher > 0 {
            EvidenceKind::Voucher
        } else {
            return None;
        };
        Some((sort, self.index[sort as usize]))
    }
}

/// The terms and findings of a note that count under a policy and are not broken.
pub(super) struct Evidence<'a> {
    note: &'a Note<'a>,
    matches: &'a [Match],
    findings: &'a Findings,
    filter: FindingFilter,
    /// The lists that rules may vouch from.
    vouchable: Classes,
    /// The certainty of each term; `None` where it does not count or is broken.
    terms: Vec<Option<Certainty>>,
    /// Which findings count and are not broken.
    counts: Vec<bool>,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(note: &'a Note<'a>, matches: &'a [Match], findings: &'a Findings, policy: &Policy) -> Self {
        let filter = FindingFilter::new(policy);
        let terms = matches.iter().map(|found| super::term_certainty(note, *found)).collect();
        let counts = findings.as_slice().iter().map(|finding| filter.counts(finding)).collect();
        Self { note, matches, findings, filter, vouchable: policy.vouchable_lists(), terms, counts }
    }

    /// Collects the evidence of each token.
    pub(super) fn collect_by_token(&self, out: &mut Vec<TokenEvidence>) {
        out.clear();
        out.resize(self.note.len(), TokenEvidence::default());
        for (index, (found, certainty)) in self.matches.iter().zip(&self.terms).enumerate() {
            if let Some(certainty) = *certainty {
                for token in &mut out[found.tokens()] {
                    token.add_evidence(EvidenceKind::Term, certainty, index);
                }
            }
        }
        for index in self.findings.indices_by_certainty().filter(|&index| self.counts[index]) {
            let finding = &self.findings.as_slice()[index];
            let sort = self.filter.evidence_kind(finding);
            let clearable = sort == EvidenceKind::Against && is_clearable(finding);
            let by_list = BY_LIST.contains(&finding.rule) || is_detection(finding.rule);
            let by_rule = finding.verdict == Verdict::Keep && !by_list;
            for at in finding.tokens() {
                let cleared = clearable && self.findings.is_judged_harmless(at);
                if !cleared && !(by_rule && is_unvouchable(self.note, at, self.vouchable)) {
                    out[at].add_evidence(sort, finding.certainty, index);
                }
            }
        }
    }

    /// Drops terms and vouching findings that are broken: one of their several tokens is removed, or their cue is.
    /// Without the name, the rest of "Creutzfeldt-Jakob disease" is no disease, and the number after "sodium" is no
    /// measurement where sodium is somebody's name. With `all`, drops all that could be broken. Returns whether
    /// anything was dropped.
    pub(super) fn drop_broken_vouchers(&mut self, goes: impl Fn(usize) -> bool, all: bool) -> bool {
        let mut any = false;
        for (found, certainty) in self.matches.iter().zip(&mut self.terms) {
            if certainty.is_some() && found.tokens().len() > 1 && (all || found.tokens().any(&goes)) {
                *certainty = None;
                any = true;
            }
        }
        for (finding, counts) in self.findings.as_slice().iter().zip(&mut self.counts) {
            if !*counts || self.filter.evidence_kind(finding) == EvidenceKind::Against {
                continue;
            }
            let (several, cue) = (finding.tokens().len() > 1, finding.anchor as usize);
            let elsewhere = !finding.tokens().contains(&cue);
            let breaks = all || several && finding.tokens().any(&goes) || elsewhere && goes(cue);
            if (several || elsewhere) && breaks {
                *counts = false;
                any = true;
            }
        }
        any
    }
}

/// Returns whether no rule may vouch for a token: it is a word on none of the lists that rules may vouch from, and not
/// part of a number. Parts of a number are up to three letters attached to one (`t2n0m0`, `E11.9`), a Roman numeral,
/// sex chromosomes (`46,XY`), and part of a listed word with digits for letters.
fn is_unvouchable(note: &Note<'_>, at: usize, vouchable: Classes) -> bool {
    note.is_word(at) && !note.any(at, vouchable) && !is_form_of_number(note, at)
}

pub(super) fn is_form_of_number(note: &Note<'_>, at: usize) -> bool {
    note.width(at) <= 3 && (note.token(at).glued() || note.token(at + 1).glued())
        || is_roman_numeral(note.bytes(at))
        || note.bytes(at).iter().all(|letter| matches!(letter, b'x' | b'y'))
        || is_misread_word(note, at)
}
