//! Names in header fields: `Patient Name: ROSE, May B.`, `Dictated by: J. Brown`, `cc: Dr. Field`.

use super::name::{Trust, end_of_credential, end_of_full_name, end_of_name};
use crate::rules::engine::names::{NAMES, is_unlisted, lean};
use crate::rules::engine::word_sets::says;
use crate::rules::engine::{Certainty, Findings, Kind, View};
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Field values that are no name: `Attending: none`, `Patient: Unknown`.
const NOT_VALUES: Classes = Classes::of(&[Class::Stop, Class::PersonNoun, Class::Relative]);

/// How many values a field may have.
const VALUES: usize = 8;

/// How many tokens a field's label may have.
const LABEL: usize = 6;

/// Anchors: a colon, a bar.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if view.is_mark(at, b'|') {
        super::segment::find(view, at, findings);
        return;
    }
    super::segment::find_key(view, at, findings);
    // `Eye Contact: Good`
    if at > 1 && says!(view, at - 1, "contact") && says!(view, at - 2, "eye" | "skin" | "sexual" | "social") {
        return;
    }
    if at == 0 || !view.joined(at) && view.gap(at) > Gap::Space {
        return;
    }
    let Some(mut label) = label(view, at) else { return };
    let mut first = at + 1;
    // `mother: rose`; but `mother: diabetes`
    let given = view.ranks(first).first_name >= 10 && !view.is(first, Class::Clinical);
    if given && view.is(first, Class::FirstName) && view.is(at - 1, Class::Relative) {
        label = Trust::Any;
    }
    // An empty field's value may stand on the next line, but not the next label.
    let next_label = view.ends_line(first) && (1..=LABEL).any(|ahead| view.is_mark(first + ahead, b':'));
    if next_label || view.gap(first) >= Gap::Paragraph {
        return;
    }
    for _ in 0..VALUES {
        let start = behind_titles(view, first);
        let Some(end) = value(view, start, label) else { return };
        findings.remove(start, end, Kind::Name, Certainty::Sure);
        first = match next_value(view, end) {
            Some(next) => next,
            None => return,
        };
    }
}

/// One past the titles at the beginning of a value.
fn behind_titles(view: &View<'_>, first: usize) -> usize {
    let mut at = first;
    while view.is(at, Class::Title) && view.is_word(at) {
        at += 1 + usize::from(view.is_mark(at + 1, b'.') && view.joined(at + 1));
    }
    at
}

/// One past the name that a value begins with: behind a label of names alone, whatever it looks like.
fn value(view: &View<'_>, start: usize, label: Trust) -> Option<usize> {
    // `PCP: Garner, Call`, `pt: weaver, priya`: a family name, a comma and a first name, whatever the label is worth.
    let given = start + 2;
    let listed = view.any(start, NAMES)
        && view.is_mark(start + 1, b',')
        && view.same_line(given)
        && view.width(given) > 1
        && (view.any(given, NAMES) && view.case(start) == Case::Capital && view.capitalised(given)
            || view.is(given, Class::FirstName) && lean(view, given) >= 0
            || is_unlisted(view, given));
    let trust = match () {
        () if listed && !view.is(start, Class::Stop) => Trust::Any,
        () if (view.any(start, NOT_VALUES) || is_said(view, start)) && !listed => Trust::Form,
        () => label,
    };
    // `Dictated: 6/16/98`, `Attending: None`, and sentences that happen to follow a colon.
    let other = says!(view, start, "none" | "na" | "not" | "same") || view.is(start, Class::NameField);
    if !view.is_word(start) || other && !listed || trust == Trust::Form && !view.capitalised(start) {
        return None;
    }
    let end = end_of_full_name(view, start, trust);
    (end > start).then(|| with_letter(view, on_one_line(view, start, end)))
}

/// Whether a value in small letters is a word that hardly anybody bears: `Patient: stable`.
fn is_said(view: &View<'_>, at: usize) -> bool {
    let ranks = view.ranks(at);
    view.case(at) == Case::Lower && !is_unlisted(view, at) && ranks.surname.max(ranks.first_name) <= ranks.frequency
}

/// `Prescriber: LOVE, T NPI`: takes in the letter behind a comma.
fn with_letter(view: &View<'_>, end: usize) -> usize {
    let letter = end + 1;
    let initial = view.is_mark(end, b',')
        && view.is_word(letter)
        && view.width(letter) == 1
        && view.capitalised(letter)
        && view.gap(letter) == Gap::Space
        && !view.token(letter + 1).glued()
        && end_of_credential(view, letter) == letter;
    if initial { letter + 1 } else { end }
}

/// Where the part of a name ends that stands on the first of its lines: `Name: Hope Rivers` above `Hope is well`. The next line is
/// part of it only where the first cannot be all: behind a comma, a hyphen, an initial or a word alone.
fn on_one_line(view: &View<'_>, start: usize, end: usize) -> usize {
    let words = |to: usize| (start..to).filter(|&at| view.is_word(at) && view.bytes(at).len() > 1).count();
    let broken = (start + 1..end).find(|&at| view.ends_line(at));
    match broken {
        Some(at) if words(at) > 1 && !view.is_any_mark(at - 1, b",-.") => at,
        _ => end,
    }
}

/// How far the words before the colon at `colon` say that a name follows.
fn label(view: &View<'_>, colon: usize) -> Option<Trust> {
    let mut at = colon;
    let mut trust = None;
    let mut read = false;
    for _ in 0..LABEL {
        if at == 0 {
            break;
        }
        at -= 1;
        if view.is_word(at) {
            let last = !read;
            read = true;
            if view.is(at, Class::NameField) {
                // `Dictated by:`, `Attending:`, `Patient Name:`; but `PROCEDURE PERFORMED:`, `CC:`, `To:` and `Primary:` have
                // other values more often.
                let other = last
                    && (view.bytes(at).ends_with(b"ed")
                        || view.width(at) < 3
                        || says!(view, at, "primary" | "present" | "team" | "crew" | "consultants" | "from"));
                trust = trust.max(Some(if other {
                    Trust::Form
                } else if last || trust.is_some() {
                    Trust::Any
                } else {
                    Trust::Form
                }));
            } else if last && view.is(at, Class::PersonNoun) {
                trust = trust.max(Some(Trust::Form));
            } else if last {
                // The value belongs to the last word of the label: `T/C from Olive: still hoarse`.
                return None;
            }
        } else if !view.is_any_mark(at, b"()/.-#&") {
            break;
        }
        if view.token(at).line_start() || view.gap(at) >= Gap::Wide {
            break;
        }
    }
    trust
}

/// Where the next name of a list begins: after a comma, `and`, `/`, `;` or `&`, with credentials between.
fn next_value(view: &View<'_>, end: usize) -> Option<usize> {
    let mut at = end;
    let mut separated = false;
    for _ in 0..4 {
        if view.is_any_mark(at, b",;/&") {
            at += 1;
            separated = true;
        }
        let credential = end_of_credential(view, at);
        if credential > at {
            at = credential;
            continue;
        }
        break;
    }
    if says!(view, at, "and" | "&") {
        at += 1;
        separated = true;
    }
    let begins = separated && view.same_line(at) && view.capitalised(at);
    (begins && end_of_name(view, at, Trust::Capital, 3) > at).then_some(at)
}
