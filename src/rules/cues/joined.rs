//! Two parts of a name joined by a mark that joins nothing in running text: `Hope+Bishop`, `BISHOP^HOPE`,
//! `Hope~Bishop`.

use crate::rules::engine::names::{is_family_name, is_first_name};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::vocabulary::{Class, Classes};

/// Lists of clinical words: `Iron+Zinc`.
const MEDICINE: Classes = Classes::of(&[Class::Measurement, Class::Unit, Class::Brand, Class::Dose, Class::Marker]);

/// Finds two name words at the mark between them.
pub(in crate::rules) fn find_joined_names(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(one) = at.checked_sub(1).filter(|_| note.joined(at) && note.joined(at + 1)) else { return };
    let other = at + 1;
    let pair = |given: usize, family: usize| is_first_name(note, given) && is_family_name(note, family);
    let written = note.case(one) == note.case(other);
    let first = if pair(one, other) { one } else { other };
    if note.is_word(one)
        && note.is_word(other)
        && written
        && note.width(one).min(note.width(other)) > 2
        && (pair(one, other) || pair(other, one))
        && !note.any(first, MEDICINE)
    {
        findings.remove(one, other + 1, Kind::Name, Certainty::Likely);
    }
}
