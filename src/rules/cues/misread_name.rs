//! Names in which OCR read letters as digits, next to a first name: `Patient Karen B1shop`, `seen by Ru5ty Pr1ce`.

use crate::rules::clinical::{glued_cluster, misread};
use crate::rules::engine::names::{NAMES, is_first_name};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{Case, Gap};

/// The length of such a name in letters and digits.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=16;

/// Finds such a name at a number among letters.
pub(in crate::rules) fn find_misread_name(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let (first, last) = glued_cluster(note, at);
    let begins = (first..at).all(|part| !note.is_number(part)) && first > 0 && note.gap(first) == Gap::Space;
    if !begins || !is_misread_name(note, first, last) {
        return;
    }
    let (before, end) = glued_cluster(note, first - 1);
    let given = end == before + 1 && note.case(before) == Case::Capital && is_first_name(note, before);
    if given || is_misread_name(note, before, end) {
        findings.remove(first, last, Kind::Name, Certainty::Likely);
    }
}

/// Returns whether capitalised letters and digits can be read as a name.
fn is_misread_name(note: &Note<'_>, first: usize, last: usize) -> bool {
    let written = note.text_of(first, last);
    let figures = written.bytes().filter(u8::is_ascii_digit).count();
    let plain = written.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let written_as_name = note.case(first) == Case::Capital || note.width(first) == 1 && note.capitalised(first);
    if !written_as_name || !LENGTHS.contains(&written.len()) || figures == 0 || !plain || 2 * figures > written.len() {
        return false;
    }
    let meant = misread::possible_readings(written, &[('0', "o"), ('3', "e"), ('4', "a"), ('5', "s"), ('8', "b")]);
    meant.iter().any(|meant| note.classes_of(meant).any(NAMES))
}
