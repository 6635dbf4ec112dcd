//! Doses in the morning, at noon, in the evening and at night, as German, Indian and other prescriptions write them:
//! `ramipril 5 mg 1-0-1`, `L-thyroxine 75 1-0-0-0`.

use crate::rules::engine::{Certainty, Findings, Note};
use crate::vocabulary::{Class, Classes};

/// Lists of the words before the doses: drugs, dose forms and units.
const GIVEN: Classes = Classes::of(&[Class::Brand, Class::Term, Class::Clinical, Class::Dose, Class::Unit]);

/// The maximum distance of such a word before the doses, in tokens.
const MAX_CUE_DISTANCE: usize = 8;

/// The maximum single dose.
const MAX_SINGLE_DOSE: u64 = 4;

/// Vouches for three or four doses with hyphens between them, at least one of them zero, after a drug. A lone zero is
/// neither a day nor a month, so it is not a date.
pub(in crate::rules) fn keep_daily_doses(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let dose = |at: usize| note.integer(at).filter(|&dose| note.width(at) == 1 && dose <= MAX_SINGLE_DOSE);
    let hyphen = |at: usize| note.is_mark(at, b'-') && note.joined(at) && note.joined(at + 1);
    if dose(at).is_none() || !hyphen(at + 1) || note.joined(at) {
        return;
    }
    let (mut last, mut doses, mut has_zero) = (at + 1, 1, dose(at) == Some(0));
    while hyphen(last)
        && let Some(next) = dose(last + 1)
    {
        doses += 1;
        has_zero |= next == 0;
        last += 2;
    }
    let ends =
        !note.token(last).glued() && !(note.is_any_mark(last, b"-/.") && note.joined(last) && note.joined(last + 1));
    let mut before = (at.saturating_sub(MAX_CUE_DISTANCE)..at).rev().take_while(|&word| note.same_line(word + 1));
    if (3..=4).contains(&doses) && has_zero && ends && before.any(|word| note.is_word(word) && note.any(word, GIVEN)) {
        findings.keep(at, last, Certainty::Sure);
    }
}
