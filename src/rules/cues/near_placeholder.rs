//! Words next to a placeholder of an earlier scrub, as they stood next to the name, date or number: `[NAME], M.D.`,
//! `DOB: [DATE]`.
//!
//! The placeholder is weaker evidence than the text it replaces, so a credential or a label next to it would be judged
//! as a name: a second scrub would remove what the first one kept.

use super::name::end_of_credential;
use crate::rules::engine::names::NAMES;
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// The maximum number of credentials after a name.
const MAX_CREDENTIALS: usize = 4;

/// Lists of the words of labels.
const LABELS: Classes =
    Classes::of(&[Class::IdKeyword, Class::PhoneKeyword, Class::NameField, Class::DateCue, Class::AgeCue]);

/// Keeps credentials after a name placeholder, and a label before any placeholder.
pub(in crate::rules) fn keep_words_beside_tag(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if note.token(at).kind != Kind::Placeholder {
        return;
    }
    if note.word(at).contains("name") {
        keep_credentials_after_tag(note, at + 1, findings);
    }
    keep_label_before_tag(note, at, findings);
}

fn keep_credentials_after_tag(note: &Note<'_>, first: usize, findings: &mut Findings) {
    let mut at = first;
    for _ in 0..MAX_CREDENTIALS {
        let credential = at + usize::from(note.is_mark(at, b','));
        let end = end_of_credential(note, credential);
        let written = note.case(credential) == Case::Upper || note.is_mark(credential + 1, b'.');
        // `[NAME] MA` may be a surname after a first name.
        let points = note.is_mark(credential + 1, b'.') && note.is_word(credential + 2) && note.joined(credential + 2);
        let marked = credential > at || points;
        if !marked && note.any(credential, NAMES) {
            return;
        }
        if end == credential || !note.same_line(credential) || !written {
            return;
        }
        findings.keep(credential, end, Certainty::Sure);
        at = end;
    }
}

/// Keeps `Date of Birth:`, `T:` before a placeholder: only label words, from the start of a line, a column or the
/// previous placeholder.
fn keep_label_before_tag(note: &Note<'_>, tag: usize, findings: &mut Findings) {
    let end = tag - usize::from(tag > 0 && note.is_any_mark(tag - 1, b":#"));
    let mut first = end;
    while first > 0
        && end - first < MAX_CREDENTIALS
        && note.is_word(first - 1)
        && (first == end || note.gap(first) == Gap::Space)
    {
        first -= 1;
    }
    if first == end || !note.same_line(end) || !note.same_line(tag) {
        return;
    }
    let begins = note.token(first).line_start()
        || note.gap(first) > Gap::Space
        || first > 0 && (note.token(first - 1).kind == Kind::Placeholder || note.is_mark(first - 1, b','));
    let letter = end == first + 1 && end < tag && note.width(first) == 1;
    let labels = (first..end).all(|at| note.any(at, LABELS.with(Class::Stop)) && !note.any(at, NAMES))
        && (first..end).any(|at| note.any(at, LABELS));
    if begins && (letter || labels) {
        findings.keep(first, end, Certainty::Sure);
    }
}
