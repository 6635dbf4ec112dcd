//! Computer names and paths: `rose_brown1956`, `/home/rose/notes`, `C:\Users\rose`, `HOSPITAL\rbrown`.

use super::encoded::is_rtf_control_word;
use super::markup::is_hl7_escape;
use crate::rules::engine::word_sets::{WordSet, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};

/// The maximum number of tokens of a name or a path on each side.
const MAX_TOKENS_PER_SIDE: usize = 32;

/// Finds the name or the path around a mark.
pub(in crate::rules) fn find_path(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let found = match note.bytes(at).first() {
        Some(b'_') => is_snake_case(note, at),
        // `m/r/g` does not begin with its slash.
        Some(b'/') => !(at > 0 && note.joined(at) && is_path_part(note, at - 1)) && is_path(note, at, b'/'),
        Some(b'\\') if !is_hl7_escape(note, at) && !is_rtf_control_word(note, at) => {
            is_path(note, at, b'\\') || is_domain_user(note, at)
        }
        _ => false,
    };
    if !found {
        let inside = at > 0
            && note.joined(at)
            && note.joined(at + 1)
            && is_path_part(note, at - 1)
            && is_path_part(note, at + 1);
        if note.is_mark(at, b'_') && inside && is_snake_case_field_or_speaker(note, at) {
            findings.keep(at - 1, at + 2, Certainty::Sure);
        }
        return;
    }
    let start = (at.saturating_sub(MAX_TOKENS_PER_SIDE)..=at).rev().find(|&at| at == 0 || !note.joined(at));
    let end = (at + 1..at + MAX_TOKENS_PER_SIDE).find(|&at| at >= note.len() || !note.joined(at));
    let start = start.unwrap_or(at.saturating_sub(MAX_TOKENS_PER_SIDE));
    findings.remove(start, end.unwrap_or(at + MAX_TOKENS_PER_SIDE), Kind::UserName, Certainty::Sure);
}

fn is_path_part(note: &Note<'_>, at: usize) -> bool {
    note.is_word(at) || note.is_number(at)
}

/// Prefixes of sequence numbers: `NM_000059`.
static SEQUENCES: WordSet = word_set!("forms-path-sequences");

/// Returns whether an underscore joins two words or numbers, other than sequence numbers: `NM_000546.5`.
fn is_snake_case(note: &Note<'_>, at: usize) -> bool {
    if at == 0 || !note.joined(at) || !note.joined(at + 1) || !is_path_part(note, at - 1) {
        return false;
    }
    let next = (at + 1..at + 4).find(|&next| !note.is_mark(next, b'_')).unwrap_or(at + 1);
    let sequence = note.is_number(next) && SEQUENCES.has(note, at - 1);
    note.joined(next)
        && is_path_part(note, next)
        && (note.is_word(at - 1) || note.is_word(next))
        && !sequence
        && !is_snake_case_field_or_speaker(note, at)
}

/// Words in names of table fields and speakers: `age`, `guest`.
static FIELDS: WordSet = word_set!("forms-path-fields");

/// Returns whether all words of the row are those of fields or speakers, and all numbers have one digit: `age_years`,
/// `Guest_family_2`.
fn is_snake_case_field_or_speaker(note: &Note<'_>, at: usize) -> bool {
    let mut first = at;
    while first > 0
        && note.joined(first)
        && (is_path_part(note, first - 1) || note.is_mark(first - 1, b'_'))
        && at - first < 8
    {
        first -= 1;
    }
    let row = first..(at + 8).min(note.len());
    let mut parts = row.take_while(|&part| {
        part == first || note.joined(part) && (is_path_part(note, part) || note.is_mark(part, b'_'))
    });
    let is_figure = |part: usize| part > first && note.is_number(part) && note.width(part) == 1;
    parts.all(|part| note.is_mark(part, b'_') || FIELDS.has(note, part) || is_figure(part))
}

/// Returns whether it is a path: a slash, a word, and another slash.
fn is_path(note: &Note<'_>, at: usize, slash: u8) -> bool {
    let mut next = at + 1;
    while note.joined(next) && next < at + 8 {
        if note.is_mark(next, slash) {
            return next > at + 1 && note.is_word(next - 1);
        }
        if !is_path_part(note, next) && !note.is_any_mark(next, b"_-.") {
            return false;
        }
        next += 1;
    }
    false
}

/// Returns whether a backslash joins two words that are not both short, as in `w\o`.
fn is_domain_user(note: &Note<'_>, at: usize) -> bool {
    let words = at > 0 && note.joined(at) && note.is_word(at - 1) && note.joined(at + 1) && note.is_word(at + 1);
    words && (note.width(at - 1) > 2 || note.width(at + 1) > 2)
}
