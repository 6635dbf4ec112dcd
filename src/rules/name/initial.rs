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
        1 if super::end_of_credential(view, at) > at => {}
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
        let acts =
            |at: usize| matches!(view.word(at), "was" | "is" | "has" | "had" | "will") || view.is(at, Class::HumanVerb);
        let after_cue = at > 0 && matches!(view.word(at - 1), "by" | "with" | "per" | "and" | "dr" | "/");
        let least = match (view.token(at).line_start(), point) {
            _ if after_cue || point && acts(next + 1) => -8,
            (true, _) => 6,
            (false, true) => -3,
            (false, false) if view.sentence_start(at) && acts(next + 1) => 2,
            (false, false) => i32::MAX,
        };
        let capital = matches!(view.case(next), Case::Capital | Case::Mixed);
        let name = capital || is_shouted(view, next) && point;
        let unlisted =
            point && capital && is_unlisted(view, next) && view.bytes(next).len() > 2 && !view.token(at).line_start();
        let named =
            view.any(next, NAMES) && lean(view, next) >= least || unlisted || point && initials_follow(view, next);
        if name && named && !view.any(next, Classes::of(&[Class::Unit, Class::PersonNoun])) {
            let end = end_of_name(view, at, Trust::Capital, 5);
            if end > next {
                findings.remove(at, end, Kind::Name, Certainty::Likely);
            }
            return;
        }
    }
    // `Chance B. was`, `Violet C. to follow`, `Steven B was`: the sentence goes on after the letter.
    let on = view.is_word(next) && view.case(next) == Case::Lower && view.follows(next);
    let verb =
        matches!(view.word(next), "was" | "is" | "has" | "had" | "to" | "will") || view.is(next, Class::HumanVerb);
    let goes_on = point && (on || view.is_any_mark(next, b",;)")) || on && verb;
    let Some(before) = at.checked_sub(1) else { return };
    let name = goes_on
        && view.gap(at) == Gap::Space
        && view.case(before) == Case::Capital
        && (view.any(before, NAMES) && lean(view, before) >= if point { -8 } else { 0 } || is_unlisted(view, before))
        && !view.any(before, Classes::of(&[Class::Title, Class::PersonNoun]));
    if name && !is_count_word(view, before) {
        findings.remove(before, at + 1 + usize::from(point), Kind::Name, Certainty::Likely);
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
