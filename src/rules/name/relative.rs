//! Names after a relative or a role: `wife Rose`, `his neighbour, Karja Johnson`, `pt's dtr Suzanne`, `surgeon Ellis`.

use super::{NAMES, Trust, end_of_name, is_mostly_name, is_shouted, is_unlisted, lean};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Anchor: a relative or a word for a person.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut first = at + 1;
    let comma = view.is_mark(first, b',') || view.is_mark(first, b'(') || view.is_mark(first, b'-');
    if comma {
        first += 1;
    }
    // `daughter named May`, `son whose name is Rose` are found by the verb.
    if !view.is_word(first) || view.gap(first) >= Gap::Wide || view.joined(first) && !comma {
        return;
    }
    let shouted = is_shouted(view, first);
    let accept = if view.case(first) == Case::Lower || shouted {
        // In lower case and in capitals only what looks like a name: `wife daryl`, `WIFE ROSE`.
        view.is(at, Class::Relative) && !comma && is_mostly_name(view, first)
            || is_unlisted(view, first) && view.any(first, NAMES)
    } else {
        let relative = view.is(at, Class::Relative);
        let name = lean(view, first) >= 0 || is_unlisted(view, first);
        name && !view.is(first, Class::Stop) && (relative || !comma)
    };
    if !accept {
        return;
    }
    let end = end_of_name(view, first, Trust::Form, 4);
    if end == first || starts_something_else(view, end) {
        return;
    }
    let certainty = if view.is(at, Class::Relative) { Certainty::Likely } else { Certainty::Weak };
    findings.remove(first, end, Kind::Name, certainty);
    siblings(view, end, certainty, findings);
}

/// `patient Foley catheter`: a noun that eponyms go with follows.
fn starts_something_else(view: &View<'_>, end: usize) -> bool {
    view.any(end, Classes::of(&[Class::EponymNoun, Class::Facility]))
        || view.is_mark(end, b'\'') && view.is(end + 1, Class::EponymNoun)
}

/// `daughters Rose and May`, `including Steven, Frank and Ann`.
fn siblings(view: &View<'_>, end: usize, certainty: Certainty, findings: &mut Findings) {
    let mut at = end;
    for _ in 0..5 {
        let mut next = at;
        if view.is_mark(next, b',') {
            next += 1;
        }
        if matches!(view.word(next), "and" | "&") {
            next += 1;
        }
        if next == at || !view.follows(next) || !view.capitalised(next) || !view.any(next, NAMES) {
            return;
        }
        let last = end_of_name(view, next, Trust::Form, 3);
        if last == next {
            return;
        }
        findings.remove(next, last, Kind::Name, certainty);
        at = last;
    }
}
