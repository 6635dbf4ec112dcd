//! Hospitals and other organisations: everything from the first word of the name to `Hospital`, `Clinic`, `Associates`.

use super::is_unlisted;
use crate::rules::name::{is_shouted, lean};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Words that belong to a name but make none: `Regional Medical Center` needs another word.
const GENERIC: Classes = Classes::of(&[Class::Facility, Class::Organisation, Class::WardNoun]);

/// Words that may stand inside a name: `University of`, `Children's`, `and`, `the`.
fn is_link(word: &str) -> bool {
    matches!(word, "of" | "and" | "the" | "for" | "&")
}

/// Words that end the search to the left: what stands before a name, never in it.
const BEFORE: Classes = Classes::of(&[
    Class::PersonVerb,
    Class::Title,
    Class::Month,
    Class::Weekday,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::NameField,
]);

/// How many words a name may have before its last one.
const MOST: usize = 7;

/// Anchor: a word for a hospital or an organisation.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    // The last such word of a row is the anchor: `Medical Center` at `Center`.
    let mut last = at + 1;
    if view.any(last, GENERIC) && view.same_line(last) && view.capitalised(last) == view.capitalised(at) {
        return;
    }
    let lower = view.case(at) == Case::Lower;
    let shouted = is_shouted(view, at);
    let first = start(view, at, lower, shouted);
    let named = (first..at).any(|word| names_something(view, word, lower, shouted));
    let of = after_of(view, last, lower);
    if !named && of == last {
        return;
    }
    last = of;
    // `St. Michael's Hospital - Cah`, `Medical Center Bismarck`: a branch after the name.
    if !lower && last == at + 1 {
        last = branch(view, last);
    }
    let kind = if view.is(at, Class::Facility) { Kind::Hospital } else { Kind::Organisation };
    let certainty = if lower || shouted { Certainty::Weak } else { Certainty::Likely };
    findings.remove(first, last, kind, certainty);
}

/// Whether a word makes a name of what is otherwise a kind of place.
fn names_something(view: &View<'_>, at: usize, lower: bool, shouted: bool) -> bool {
    if !view.is_word(at) || view.bytes(at).len() < 2 || view.any(at, GENERIC) || view.is(at, Class::Stop) {
        return false;
    }
    if lower {
        return is_unlisted(view, at) && view.any(at, Classes::of(&[Class::City, Class::Surname, Class::PlacePart]));
    }
    let least = if shouted { 8 } else { 3 };
    is_unlisted(view, at)
        || lean(view, at) >= least
        || !shouted && view.is(at, Class::City)
        || view.is(at, Class::State) && view.bytes(at).len() > 2
}

fn start(view: &View<'_>, at: usize, lower: bool, shouted: bool) -> usize {
    let mut first = at;
    let mut next = at;
    for _ in 0..MOST {
        if next == 0 || !matches!(view.gap(next), Gap::None | Gap::Space) && !(view.gap(next) == Gap::Line && !lower) {
            break;
        }
        if view.border_before(next) {
            break;
        }
        let word = next - 1;
        let kind = view.token(word).kind;
        if kind == crate::token::Kind::Possessive || view.is_mark(word, b'-') || view.is_mark(word, b'\'') {
            next = word;
            continue;
        }
        if view.is_mark(word, b'.') {
            // `St.`, `Ft.`, `N.`: a point inside a name.
            if word == 0 || view.bytes(word - 1).len() > 2 || !view.capitalised(word - 1) {
                break;
            }
            next = word;
            continue;
        }
        if !view.is_word(word) && !view.is_mark(word, b'&') || view.any(word, BEFORE) {
            break;
        }
        if is_link(view.word(word)) {
            // `University of`, `Sisters of the`; but `Dr. Adams of Newell Industries`.
            let of = if view.word(word) == "the" && word > 0 { word - 1 } else { word };
            let joins = matches!(view.word(word), "and" | "&") || of > 0 && view.any(of - 1, GENERIC);
            if !joins || lower {
                break;
            }
            next = word;
            continue;
        }
        let part = match view.case(word) {
            Case::Lower => lower && (names_something(view, word, true, false) || view.any(word, GENERIC)),
            _ if lower => false,
            _ => !view.is(word, Class::Stop) && (!shouted || first == at || names_something(view, word, false, true)),
        };
        if !part {
            break;
        }
        first = word;
        next = word;
    }
    first
}

/// Where `of` and a name after `University` or `Hospital` ends.
fn after_of(view: &View<'_>, at: usize, lower: bool) -> usize {
    if lower || !matches!(view.word(at), "of" | "for" | "at") || !view.capitalised(at + 1) || !view.same_line(at + 1) {
        return at;
    }
    let end = super::end_of_place(view, at + 1, 4);
    if end > at + 1 { end } else { at }
}

/// Where a branch after the name ends.
fn branch(view: &View<'_>, at: usize) -> usize {
    let mut first = at;
    if view.is_any_mark(first, b"-@") {
        first += 1;
    }
    if first == at && view.token(at).line_start() || !view.capitalised(first) || !view.same_line(first) {
        return at;
    }
    if view.border_before(first) || !(is_unlisted(view, first) || view.is(first, Class::City)) {
        return at;
    }
    let end = super::end_of_place(view, first, 3);
    if end > first { end } else { at }
}
