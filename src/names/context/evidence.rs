//! The evidence of terms and rules for each token of a note.

use super::token_features::Evidence;
use crate::buffer::release;
use crate::rules::{Findings, Note, RULES, Rule, Verdict};
use crate::terms::Matches;

/// The evidence of terms and rules for each token of a note; a buffer that is reused from note to note.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoteEvidence {
    /// The evidence of each token or 0, its certainty, and [`NoteEvidence::PHRASE_BIT`].
    tokens: Vec<u32>,
}

impl NoteEvidence {
    /// The lowest bit of the certainty.
    const CERTAINTY_SHIFT: u32 = 24;
    /// Set for tokens in a place name of several words.
    const PHRASE_BIT: u32 = 1 << 31;

    /// Reads the evidence of a note. The most certain finding counts; of two, the one that removes.
    pub(in crate::names) fn set_from_terms_and_findings(
        &mut self,
        note: &Note<'_>,
        matches: &Matches,
        findings: &Findings,
    ) {
        let tokens = &mut self.tokens;
        tokens.clear();
        tokens.resize(note.len(), 0);
        for found in &matches.terms {
            let several = found.end - found.first > 1;
            tokens[found.tokens()].fill(if several { Evidence::LongTerm } else { Evidence::Term } as u32);
        }
        for finding in findings.as_slice() {
            let (base, kind) = match finding.verdict {
                Verdict::Remove(kind) => (Evidence::RemovedByRule, kind as u32),
                Verdict::Keep => (Evidence::Vouched, 0),
            };
            // Findings of detectors and patterns are skipped: the model was trained without them.
            let Some(Rule { model_id: known_as, .. }) = RULES.get(usize::from(finding.rule)) else { continue };
            let certainty = 2 * finding.certainty as u32 + u32::from(base as u64 == Evidence::RemovedByRule as u64);
            let evidence = certainty << Self::CERTAINTY_SHIFT | (base as u32 + (u32::from(*known_as) << 6) + kind);
            for token in &mut tokens[finding.first as usize..finding.end as usize] {
                if *token >> Self::CERTAINTY_SHIFT <= certainty {
                    *token = evidence;
                }
            }
        }
        for found in &matches.phrases {
            tokens[found.tokens()].iter_mut().for_each(|token| *token |= Self::PHRASE_BIT);
        }
    }

    /// Frees a buffer that only a long note needs.
    pub(in crate::names) fn release_buffer(&mut self) {
        release(&mut self.tokens);
    }

    /// Returns the evidence of a token, or `None` if there is none.
    #[inline]
    pub(super) fn evidence_at(&self, at: usize) -> Option<u64> {
        let evidence = self.tokens[at] & ((1 << Self::CERTAINTY_SHIFT) - 1);
        if evidence == 0 { None } else { Some(evidence.into()) }
    }

    /// Returns whether a token is in a place name of several words.
    #[inline]
    pub(super) fn is_in_phrase(&self, at: usize) -> bool {
        self.tokens[at] & Self::PHRASE_BIT != 0
    }
}
