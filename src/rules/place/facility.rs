//! Hospitals and other organisations: everything from the first word of the name to `Hospital`, `Clinic`, `Associates`.

use super::is_unlisted;
use crate::rules::name::{NAMES, is_shouted, lean};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{self, Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Words that end a name and make none: `Regional Medical Center` needs another word.
const HEADS: Classes = Classes::of(&[Class::Facility, Class::Organisation]);

/// Words that end the search to the left: what stands before a name, never in it.
const BEFORE: Classes = Classes::of(&[
    Class::PersonVerb,
    Class::Title,
    Class::Month,
    Class::Weekday,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::Credential,
]);

/// How many words a name may have before its last one.
const MOST: usize = 7;

/// Heads that are ordinary words too: they need a name before them and no article before that.
fn is_weak_head(word: &str) -> bool {
    let weak =
        ["group", "practice", "medicine", "living", "sons", "health", "system", "systems", "district", "imaging"];
    weak.contains(&word) || matches!(word, "clinic" | "clinics" | "center" | "centre" | "home" | "homes" | "partners")
}

/// Words that stand in the middle of such names and say nothing: `Boise VA Regional Medical Center`.
fn is_middle(word: &str) -> bool {
    let kinds =
        ["medical", "general", "regional", "memorial", "community", "health", "internal", "family", "orthopedic"];
    let more = ["primary", "care", "assisted", "nursing", "specialty", "children's", "women's", "county", "surgical"];
    let others = ["cancer", "heart", "urgent", "surgery", "management", "rehabilitation", "department", "emergency"];
    kinds.contains(&word)
        || more.contains(&word)
        || others.contains(&word)
        || matches!(word, "new" | "our" | "outpatient")
}

/// Anchor: a word for a hospital or an organisation.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    // The last such word of a row is the anchor: `Medical Center` at `Center`.
    let after = at + 1;
    let row = view.any(after, HEADS) && view.gap(after) <= Gap::Space && view.case(after) == view.case(at);
    if row || view.token(at).kind != token::Kind::Word {
        return;
    }
    let shouted = is_shouted(view, at);
    let lower = view.case(at) == Case::Lower;
    let first = start(view, at, lower, shouted);
    let last = after_of(view, after, lower);
    let named = (first..at).any(|word| names_something(view, word, lower, shouted))
        || first < at && !lower && stands_as_a_name(view, first, at, shouted);
    if !named && last == after {
        return;
    }
    // `St. Michael's Hospital - Cah`, `Medical Center Bismarck`: a branch after the name.
    let last = if !lower && last == after { branch(view, last) } else { last };
    let kind = if view.is(at, Class::Facility) { Kind::Hospital } else { Kind::Organisation };
    let certainty = if lower && !view.capitalised(first) || shouted { Certainty::Weak } else { Certainty::Likely };
    // In lines of capitals the terms of medicine are written so too, and a certain name beats them.
    let certain = shouted && view.token(first).line_start() && ends_line(view, last);
    findings.remove(first, last, kind, if certain { Certainty::Likely } else { certainty });
}

fn ends_line(view: &View<'_>, at: usize) -> bool {
    view.gap(at) >= Gap::Line || view.token(at).kind == token::Kind::End
}

/// Whether a word makes a name of what is otherwise a kind of place.
fn names_something(view: &View<'_>, at: usize, lower: bool, shouted: bool) -> bool {
    if !view.is_word(at) || view.bytes(at).len() < 2 || view.any(at, HEADS) || view.is(at, Class::Stop) {
        return false;
    }
    if is_middle(view.word(at)) || view.is(at, Class::WardNoun) {
        return false;
    }
    if view.case(at) == Case::Lower {
        return is_unlisted(view, at) && view.any(at, Classes::of(&[Class::City, Class::Surname, Class::PlacePart]));
    }
    if lower {
        // `the Bell clinic`, but `the Coumadin clinic`, `the ENT clinic`.
        let name = view.any(at, NAMES) && lean(view, at) >= 0 || view.is(at, Class::City);
        return name && view.case(at) != Case::Upper && !view.is(at, Class::Brand);
    }
    let least = if shouted { 8 } else { 3 };
    is_unlisted(view, at)
        || lean(view, at) >= least
        || !shouted && view.is(at, Class::City)
        || view.is(at, Class::State) && view.bytes(at).len() > 2
}

/// Whether words that name nothing by themselves stand where only a name does: a line of its own, the value of a field,
/// after `at` or `from` without an article. `returns to the Pain Management Clinic` is none.
fn stands_as_a_name(view: &View<'_>, first: usize, at: usize, shouted: bool) -> bool {
    let plain = |word: usize| view.is_word(word) && !is_middle(view.word(word)) && !view.any(word, HEADS);
    let own = (first..at).any(|word| plain(word) && !view.is(word, Class::Stop) && view.bytes(word).len() > 1);
    if !own {
        return false;
    }
    let line = view.token(first).line_start() && ends_line(view, at + 1);
    if line || shouted {
        return line && !view.any(at, Classes::of(&[Class::WardNoun])) && !is_weak_head(view.word(at))
            || line && !shouted;
    }
    let Some(before) = first.checked_sub(1) else { return false };
    let article = matches!(view.word(before), "the" | "a" | "an" | "our" | "this" | "his" | "her" | "your" | "my");
    if article {
        // `the Light Community Hospital`, but not `the Pulmonary Clinic`.
        return !is_weak_head(view.word(at));
    }
    view.is_mark(before, b':')
        || matches!(view.word(before), "at" | "to" | "from" | "of" | "in" | "with" | "by" | "and")
}

fn start(view: &View<'_>, at: usize, lower: bool, shouted: bool) -> usize {
    let mut first = at;
    let mut next = at;
    for _ in 0..MOST * 2 {
        let near =
            matches!(view.gap(next), Gap::None | Gap::Space) || view.gap(next) == Gap::Line && !lower && !shouted;
        if next == 0 || !near || view.border_before(next) {
            break;
        }
        let word = next - 1;
        let kind = view.token(word).kind;
        let hyphen = view.is_mark(word, b'-') && view.joined(word) && view.joined(next);
        if kind == token::Kind::Possessive || hyphen || view.is_mark(word, b'\'') || view.is_mark(word, b'&') {
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
        if kind != token::Kind::Word || view.any(word, BEFORE) && !view.any(word, NAMES) {
            break;
        }
        if matches!(view.word(word), "of" | "and" | "the" | "or") && view.case(word) == Case::Lower {
            // `University of`, `Clinic and`, `Sisters of the`, `Weber and`; but `Dr. Adams of Newell Industries`.
            let of = if view.word(word) == "the" && word > 0 { word - 1 } else { word };
            let joins = of > 0 && (view.any(of - 1, HEADS) || view.word(of) != "of" && view.capitalised(of - 1));
            if !joins || lower || view.word(word) == "the" && of == word {
                break;
            }
            next = word;
            continue;
        }
        let part = match view.case(word) {
            Case::Lower => lower && (names_something(view, word, true, false) || is_middle(view.word(word))),
            _ if lower => view.case(word) != Case::Upper && !view.sentence_start(word) && !view.is(word, Class::Stop),
            _ => !view.is(word, Class::Stop) || is_middle(view.word(word)),
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
    let dash = view.is_any_mark(first, b"-@") && view.gap(first) == Gap::Space;
    if dash {
        first += 1;
    }
    if view.gap(at) > Gap::Space || !view.capitalised(first) || !view.same_line(first) || view.border_before(first) {
        return at;
    }
    if dash && view.bytes(first).len() <= 4 {
        return first + 1;
    }
    if !(is_unlisted(view, first) || view.is(first, Class::City)) {
        return at;
    }
    let end = super::end_of_place(view, first, 3);
    if end > first { end } else { at }
}
