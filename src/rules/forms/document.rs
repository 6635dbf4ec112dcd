//! Document conventions: the machine-readable zone of an ID card, `BROWN<<ROSE<<<<`; initials of dictator and typist,
//! `KD/mr`.

use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// The maximum number of tokens of a zone on each side.
const MAX_ZONE_TOKENS: usize = 64;

/// Finds a zone or initials, at a word in capitals.
pub(in crate::rules) fn find_machine_zone_or_initials(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let filled = note.is_mark(at + 1, b'<') && note.is_mark(at + 2, b'<') && note.joined(at + 2);
    if note.joined(at + 1) && (filled || note.bytes(at + 1).starts_with(b"<<")) {
        let zone = |at: usize| note.is_word(at) || note.is_number(at) || note.bytes(at).starts_with(b"<");
        let mut first = at;
        while first > at.saturating_sub(MAX_ZONE_TOKENS) && first > 0 && note.joined(first) && zone(first - 1) {
            first -= 1;
        }
        let last = (at + 1..at + MAX_ZONE_TOKENS)
            .find(|&end| !note.joined(end) || !zone(end) || end >= note.len())
            .unwrap_or(at + 2);
        findings.remove(first, last, Kind::Name, Certainty::Sure);
    } else if let Some(last) = end_of_dictation_initials(note, at) {
        findings.remove(at, last, Kind::Initials, Certainty::Sure);
    }
}

/// Returns the end (exclusive) of the initials of the dictator, in capitals, and of the typist, alone on a line:
/// `KD/mr`, `KD:mr`.
fn end_of_dictation_initials(note: &Note<'_>, at: usize) -> Option<usize> {
    const MEDICINE: Classes = Classes::of(&[Class::Measurement, Class::Unit, Class::Score]);
    let (mark, typist) = (at + 1, at + 2);
    let letters =
        |at: usize, case: Case| (2..=4).contains(&note.width(at)) && note.is_word(at) && note.case(at) == case;
    let written = note.token(at).line_start()
        && letters(at, Case::Upper)
        && note.is_any_mark(mark, b"/:")
        && note.joined(mark)
        && note.joined(typist)
        && letters(typist, Case::Lower)
        && note.ends_line(typist + 1);
    (written && !note.any(at, MEDICINE) && !note.any(typist, MEDICINE)).then_some(typist + 1)
}
