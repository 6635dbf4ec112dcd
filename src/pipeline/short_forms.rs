//! Finds terms in the note's own notation: abbreviations that it defines, split terms, ambiguous short forms.

use std::cell::LazyCell;

use super::Scrubber;
use crate::abbreviations::{self, Definition};
use crate::note::{GROUP, Note};
use crate::policy::Terms;
use crate::rules::{Findings, Verdict};
use crate::terms::Match;
use crate::terms::senses::UnclearReason;
use crate::vocabulary::Class;

impl Scrubber {
    /// Codes short forms that the note defines, split terms, and ambiguous short forms.
    pub(super) fn find_short_forms(
        &self,
        note: &Note<'_>,
        findings: &Findings,
        terms: &mut Vec<Match>,
        unclear: &mut Vec<(u32, UnclearReason)>,
    ) {
        // A definition gives the meaning of a short form, but not permission to come out: it might be somebody's
        // initials, so it must also be on an allow-list. And if a rule removes part of the definition, the output would
        // no longer show what the short form stands for.
        let allowed = self.policy.allowed();
        let removed = LazyCell::new(|| {
            tokens_with_verdict(
                findings,
                note.len(),
                |verdict| matches!(verdict, Verdict::Remove(kind) if self.policy.removes_kind(kind)),
            )
        });
        let vouched = LazyCell::new(|| tokens_with_verdict(findings, note.len(), |verdict| verdict == Verdict::Keep));
        let has = |bits: &[u64], at: usize| bits[at / GROUP] >> (at % GROUP) & 1 != 0;
        let trusted = |definition: &Definition| {
            let short = definition.short_first as usize..definition.short_last as usize;
            if !note.all_classes()[short].iter().all(|listed| listed.any(allowed) && !listed.has(Class::Deny)) {
                return false;
            }
            let first = definition.long_first.min(definition.short_first) as usize;
            let last = definition.long_last.max(definition.short_last) as usize;
            !(first..last).any(|at| has(&removed, at))
        };
        abbreviations::rematch_with_definitions(note, trusted, terms);
        // New terms are possible only where the letters may come out anyway and terms are written as in the note.
        let may_be_new = |at: usize| {
            self.policy.terms == Terms::Written && {
                // A rule may vouch for a short form that is a name and on no allow-list, but only together with the
                // value after it.
                let listed = note.all_classes()[at];
                let with_value = at + 1 == note.len() || !has(&removed, at + 1);
                let may_come_out = listed.any(allowed) || has(&vouched, at) && with_value;
                may_come_out && !listed.has(Class::Deny) && !has(&removed, at)
            }
        };
        self.split_terms.code_split_terms(note, may_be_new, terms);
        self.senses.code_ambiguous_forms(note, may_be_new, terms, unclear);
        self.find_analytes(note, may_be_new, terms, unclear);
    }

    /// Codes short forms of analytes that are followed by a value, which makes them unambiguous.
    pub(super) fn find_analytes(
        &self,
        note: &Note<'_>,
        may_be_new: impl Fn(usize) -> bool,
        terms: &mut Vec<Match>,
        unclear: &mut Vec<(u32, UnclearReason)>,
    ) {
        let coded = self.analytes.code_short_forms(note, may_be_new, terms);
        unclear.retain(|(at, _)| coded.binary_search(at).is_err());
    }
}

/// Returns a bitmask of the tokens that have a finding with such a verdict.
fn tokens_with_verdict(findings: &Findings, tokens: usize, has: impl Fn(Verdict) -> bool) -> Vec<u64> {
    let mut found = vec![0; tokens.div_ceil(GROUP)];
    for finding in findings.as_slice().iter().filter(|finding| has(finding.verdict)) {
        for at in finding.first as usize..finding.end as usize {
            found[at / GROUP] |= 1 << (at % GROUP);
        }
    }
    found
}
