//! Initials: `A. May`, `Chance B. was`, `by C Patch`, and initials that stand alone for a person (`DL tolerated`).

use super::{NAMES, Trust, end_of_name, is_shouted, is_unlisted, lean};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Anchor: a word with a capital letter.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if view.token(at).glued() || view.token(at + 1).glued() {
        return;
    }
    match view.bytes(at).len() {
        1 => beside_a_name(view, at, findings),
        2 | 3 => alone(view, at, findings),
        _ => {}
    }
}

fn beside_a_name(view: &View<'_>, at: usize, findings: &mut Findings) {
    let point = view.is_mark(at + 1, b'.') && view.joined(at + 1);
    let next = if point { at + 2 } else { at + 1 };
    // `A. May`, `J. R. Brown`; at the start of a line `A.` may only count the lines.
    if view.gap(next) == Gap::Space || view.joined(next) && point {
        let least = match (view.token(at).line_start(), point) {
            (true, _) => 6,
            (false, true) => -3,
            (false, false) => i32::MAX,
        };
        let after_cue = at > 0 && matches!(view.word(at - 1), "by" | "with" | "per" | "and" | "dr" | "/");
        let least = if after_cue { least.min(-3) } else { least };
        let name =
            view.case(next) == Case::Capital || view.case(next) == Case::Mixed || is_shouted(view, next) && point;
        let named =
            view.any(next, NAMES) && (lean(view, next) >= least) || point && name && initials_follow(view, next);
        if name && named && !view.any(next, Classes::of(&[Class::Unit, Class::PersonNoun])) {
            let end = end_of_name(view, at, Trust::Capital, 5);
            if end > next {
                findings.remove(at, end, Kind::Name, Certainty::Likely);
            }
            return;
        }
    }
    // `Chance B. was`, `Violet C. to follow`: a point inside a sentence.
    let goes_on = point && view.is_word(next) && view.case(next) == Case::Lower && view.follows(next)
        || point && view.is_any_mark(next, b",;)");
    let before = at.wrapping_sub(1);
    let name = goes_on
        && view.gap(at) == Gap::Space
        && view.is_word(before)
        && view.case(before) == Case::Capital
        && view.any(before, NAMES)
        && !view.any(before, Classes::of(&[Class::Stop, Class::Title]))
            | (view.sentence_start(before) && view.any(before, NAMES));
    if name && lean(view, before) >= -3 && !is_count_word(view, before) {
        findings.remove(before, at + 2, Kind::Name, Certainty::Likely);
    }
}

/// `Group B.`, `Hepatitis C.`: words that a letter follows.
fn is_count_word(view: &View<'_>, at: usize) -> bool {
    view.any(at, Classes::of(&[Class::Score, Class::Level, Class::WardNoun, Class::Measurement]))
}

/// Whether another initial stands here, and a name after it.
fn initials_follow(view: &View<'_>, at: usize) -> bool {
    view.bytes(at).len() == 1
        && view.is_mark(at + 1, b'.')
        && view.capitalised(at + 2)
        && (view.any(at + 2, NAMES) || is_unlisted(view, at + 2))
}

/// `JR signed`, `MFS tolerated`: initials before what only people do.
fn alone(view: &View<'_>, at: usize, findings: &mut Findings) {
    if view.case(at) != Case::Upper
        || is_shouted(view, at)
        || view.any(at, Classes::of(&[Class::PersonNoun, Class::Title]))
    {
        return;
    }
    let next = at + 1;
    let does = view.gap(next) == Gap::Space && view.is(next, Class::HumanVerb) && view.case(next) == Case::Lower;
    let before = at.wrapping_sub(1);
    let subject = view.sentence_start(at) || matches!(view.word(before), "and" | "that" | "," | ";" | "but");
    // A code name for a person takes no article: `the PT worked`.
    if does && subject {
        findings.remove(at, next, Kind::Initials, Certainty::Likely);
    }
}
