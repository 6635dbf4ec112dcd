//! Names after a title: `Dr. Brown`, `MR VELASQUEZ`, `Drs. Field and Ellis`.

use super::name::{Trust, end_of_name};
use crate::rules::engine::names::{NAMES, is_shouted, is_unlisted};
use crate::rules::engine::word_sets::{WordSet, says, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, View};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Lists that make a title an ordinary word as well: `sister`, `major`, `miss`.
const WORDS: Classes = Classes::of(&[Class::English, Class::Relative, Class::PersonNoun, Class::Unit, Class::Stop]);

/// Anchor: a title.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut first = at + 1;
    let point = view.is_mark(first, b'.') && view.joined(first);
    if point {
        first += 1;
    }
    if !view.follows(first)
        || (at > 0 && view.is_number(at - 1) && view.is(at, Class::Unit))
        || is_finding(view, at, first)
    {
        return;
    }
    // Titles in a row: `Prof. Dr. Brown`, `Rev. Mr. Brown`.
    if view.is(first, Class::Title) && view.word(first) != view.word(at) && view.capitalised(first) {
        // `seen by Dr. Captain today`: a rank that nobody's name stands behind.
        let last =
            says!(view, at, "dr") && view.width(first) > 3 && !(view.follows(first + 1) && view.capitalised(first + 1));
        if last && !view.is_mark(first + 1, b'.') {
            findings.remove(first, first + 1, Kind::Name, Certainty::Likely);
        }
        return;
    }
    // `Ms Sleep`: no unit is written so.
    let word_too = view.any(at, WORDS) && !point && !(says!(view, at, "ms") && view.case(at) == Case::Capital);
    if word_too && view.case(at) == Case::Lower {
        return;
    }
    let trust =
        if view.case(at) == Case::Lower || word_too { lower(view, first, word_too) } else { capital(view, first) };
    let Some(trust) = trust else { return };
    let end = end_of_name(view, first, trust, 4);
    if end == first {
        return;
    }
    let certainty = if word_too { Certainty::Likely } else { Certainty::Sure };
    findings.remove(first, end, Kind::Name, certainty);
    let several = says!(view, at, "drs" | "messrs" | "mmes" | "profs");
    others(view, end, several, certainty, findings);
}

/// How much of a valve leaks: `mr mild`.
static REGURGITATION: WordSet = word_set!("cues-title-regurgitation");

/// `HR 66 SR.`, `ECG SR.`: the rhythm of a heart; `MR mod`: a valve that leaks.
fn is_finding(view: &View<'_>, at: usize, first: usize) -> bool {
    let Some(before) = at.checked_sub(1).filter(|_| view.case(at) == Case::Upper && view.same_line(at)) else {
        return false;
    };
    if says!(view, at, "sr") {
        let measured =
            view.is_number(before) || says!(view, before, "ecg" | "ekg" | "rhythm" | "hr" | "tele" | "monitor");
        return measured;
    }
    says!(view, at, "mr") && view.case(first) == Case::Lower && REGURGITATION.has(view, first)
}

/// After a title with a capital letter anything is a name that has one too; without one, what is no stop word.
fn capital(view: &View<'_>, first: usize) -> Option<Trust> {
    Some(if view.capitalised(first) { Trust::Capital } else { lower(view, first, false)? })
}

fn lower(view: &View<'_>, first: usize, word_too: bool) -> Option<Trust> {
    if word_too {
        return (view.capitalised(first) && (view.any(first, NAMES) || is_unlisted(view, first)))
            .then_some(Trust::Form);
    }
    // `dr notified`; but `dr. cook took`, `dr say`: a verb that is a common name too.
    let verb = view.is(first, Class::PersonVerb) && !view.capitalised(first) && view.ranks(first).surname < 9;
    (!view.is(first, Class::Stop) && !verb).then_some(Trust::Any)
}

/// The other names of `Drs. Field and Ellis`, `Dr. Field, Ellis, and Brown`.
fn others(view: &View<'_>, end: usize, several: bool, certainty: Certainty, findings: &mut Findings) {
    let mut at = end;
    for _ in 0..6 {
        let mut next = at;
        if view.is_mark(next, b',') || view.is_mark(next, b'/') || view.is_mark(next, b'&') {
            next += 1;
        }
        if says!(view, next, "and" | "or" | "&") && view.follows(next) {
            next += 1;
        }
        // `Dear Dr. Brown, Re: Ann`: a label.
        let label = view.is_mark(next + 1, b':');
        if next == at || label || !view.follows(next) || super::name::dotted_credential(view, next) {
            return;
        }
        // After `Drs.` a second name is certain in any case, after `Dr.` it may be the next thing.
        if !several && (!view.capitalised(next) || is_shouted(view, next)) {
            return;
        }
        let known = view.any(next, NAMES) || is_unlisted(view, next) || several && view.is(next, Class::Eponym);
        if !known || view.is(next, Class::Stop) {
            return;
        }
        let trust = match several {
            true if view.capitalised(next) => Trust::Capital,
            true => Trust::Any,
            false => Trust::Form,
        };
        let last = end_of_name(view, next, trust, 3);
        if last == next {
            return;
        }
        findings.remove(next, last, Kind::Name, certainty.min(Certainty::Likely));
        at = last;
    }
}
