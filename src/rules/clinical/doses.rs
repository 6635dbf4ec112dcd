//! How a dose is spread over the day, as prescriptions of German, Indian and other doctors tell it: morning, noon, evening and night.
//! `ramipril 5 mg 1-0-1`, `L-thyroxine 75 1-0-0-0`.

use crate::rules::engine::{Certainty, Findings, Note};
use crate::vocabulary::{Class, Classes};

/// Who has such doses, and how much of it.
const GIVEN: Classes = Classes::of(&[Class::Brand, Class::Term, Class::Clinical, Class::Dose, Class::Unit]);

/// How far before the doses it may stand.
const REACH: usize = 8;

/// The most that is taken at once.
const MOST: u64 = 4;

/// Vouches for three or four doses with hyphens between them, one of them none, behind what is taken. No date has a zero for a day or a
/// month without another figure.
pub(in crate::rules) fn keep_daily_doses(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let dose = |at: usize| note.integer(at).filter(|&dose| note.width(at) == 1 && dose <= MOST);
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
    let mut before = (at.saturating_sub(REACH)..at).rev().take_while(|&word| note.same_line(word + 1));
    if (3..=4).contains(&doses) && has_zero && ends && before.any(|word| note.is_word(word) && note.any(word, GIVEN)) {
        findings.keep(at, last, Certainty::Sure);
    }
}
