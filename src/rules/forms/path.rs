//! Words joined as computers have them: `rose_brown1956`, `/home/rose/notes`, `C:\Users\rose`, `HOSPITAL\rbrown`.

use crate::rules::engine::word_sets::{WordSet, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, View};

/// How far a name or a path is followed to each side.
const REACH: usize = 32;

/// Finds the name or the path around a mark.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let found = match view.bytes(at).first() {
        Some(b'_') => is_snake(view, at),
        // `m/r/g` does not begin with its slash.
        Some(b'/') => !(at > 0 && view.joined(at) && is_part(view, at - 1)) && is_path(view, at, b'/'),
        Some(b'\\') => is_path(view, at, b'\\') || is_domain(view, at),
        _ => false,
    };
    if !found {
        return;
    }
    let start = (at.saturating_sub(REACH)..=at).rev().find(|&at| at == 0 || !view.joined(at));
    let end = (at + 1..at + REACH).find(|&at| at >= view.len() || !view.joined(at));
    let start = start.unwrap_or(at.saturating_sub(REACH));
    findings.remove(start, end.unwrap_or(at + REACH), Kind::UserName, Certainty::Sure);
}

fn is_part(view: &View<'_>, at: usize) -> bool {
    view.is_word(at) || view.is_number(at)
}

/// What the numbers of sequences begin with: `NM_000059`.
static SEQUENCES: WordSet = word_set!("forms-path-sequences");

/// Underscores between two words or numbers, but for the numbers of sequences: `NM_000546.5`.
fn is_snake(view: &View<'_>, at: usize) -> bool {
    if at == 0 || !view.joined(at) || !view.joined(at + 1) || !is_part(view, at - 1) {
        return false;
    }
    let next = (at + 1..at + 4).find(|&next| !view.is_mark(next, b'_')).unwrap_or(at + 1);
    let sequence = view.is_number(next) && SEQUENCES.has(view, at - 1);
    view.joined(next) && is_part(view, next) && (view.is_word(at - 1) || view.is_word(next)) && !sequence
}

/// A slash with no word before it, a word behind it, and another slash in the same row.
fn is_path(view: &View<'_>, at: usize, slash: u8) -> bool {
    let mut next = at + 1;
    while view.joined(next) && next < at + 8 {
        if view.is_mark(next, slash) {
            return next > at + 1 && view.is_word(next - 1);
        }
        if !is_part(view, next) && !view.is_any_mark(next, b"_-.") {
            return false;
        }
        next += 1;
    }
    false
}

/// A backslash between two words of which one is no short form: `w\o` is one.
fn is_domain(view: &View<'_>, at: usize) -> bool {
    let words = at > 0 && view.joined(at) && view.is_word(at - 1) && view.joined(at + 1) && view.is_word(at + 1);
    words && (view.width(at - 1) > 2 || view.width(at + 1) > 2)
}
