//! What is known of a whole note before its parts are read: what terms and rules say of each token.

use super::token_features::Evidence;
use crate::buffer::release;
use crate::rules::{Findings, Note, RULES, Verdict};
use crate::terms::Matches;
use crate::text::token::{Case, Kind};

/// What is known of a whole note before it is read part by part; a buffer that is used again for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// What terms and rules say of each token, if they say something, how certain that is, and [`Outline::PHRASE`].
    pub(super) said: Vec<u32>,
    /// Whether nearly all is written in small letters.
    pub(super) low: bool,
}

impl Outline {
    /// The place of how certain it is.
    const CERTAINTY: u32 = 24;
    /// Set where a place of several words stands.
    pub(super) const PHRASE: u32 = 1 << 31;

    /// Reads a note. The most certain finding counts; of two, that which removes.
    pub(in crate::names) fn read(&mut self, note: &Note<'_>, matches: &Matches, findings: &Findings) {
        let said = &mut self.said;
        said.clear();
        said.resize(note.len(), 0);
        for found in &matches.terms {
            let several = found.last - found.first > 1;
            said[found.tokens()].fill(if several { Evidence::LongTerm } else { Evidence::Term } as u32);
        }
        for finding in findings.as_slice() {
            let (base, kind) = match finding.verdict {
                Verdict::Remove(kind) => (Evidence::Found, kind as u32),
                Verdict::Keep => (Evidence::Vouched, 0),
            };
            let known_as = RULES[usize::from(finding.rule)].known_as;
            let certainty = 2 * finding.certainty as u32 + u32::from(base as u64 == Evidence::Found as u64);
            let says = certainty << Self::CERTAINTY | (base as u32 + (u32::from(known_as) << 6) + kind);
            for said in &mut said[finding.first as usize..finding.last as usize] {
                if *said >> Self::CERTAINTY <= certainty {
                    *said = says;
                }
            }
        }
        for found in &matches.phrases {
            said[found.tokens()].iter_mut().for_each(|said| *said |= Self::PHRASE);
        }
        let (mut all, mut capitals) = (0_usize, 0_usize);
        for token in note.tokens().iter().filter(|token| token.kind == Kind::Word && token.end - token.start > 2) {
            all += 1;
            capitals += usize::from(token.case != Case::Lower);
        }
        self.low = all > 20 && 33 * capitals < all;
    }

    /// Gives the buffer back that only a long note needed.
    pub(in crate::names) fn release(&mut self) {
        release(&mut self.said);
    }

    /// What terms and rules say of a token, if they say something.
    pub(super) const fn evidence(said: u32) -> Option<u64> {
        let says = said & ((1 << Self::CERTAINTY) - 1);
        if says == 0 { None } else { Some(says as u64) }
    }
}
