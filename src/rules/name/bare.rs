//! Names with nothing beside them that only names have: `We appreciate White's input`, `Olive slept well`.
//!
//! Only words that are ordinary words too come here to any effect; a name that is no word is on no allowed list. For such
//! a word the rule adds up what speaks for a name and for a word in this place, in the points of the table in
//! DESIGN.md, "How a capitalised word is judged".

use super::{NAMES, Trust, end_of_name, is_mostly_name, is_shouted, is_unlisted};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Points from which a word is a name that a longer term may overrule.
const WEAK: i32 = 2;
/// Points from which nothing on a list overrules it.
const LIKELY: i32 = 5;

/// Words that are never judged: what they are is known.
const KNOWN: Classes = Classes::of(&[
    Class::Title,
    Class::Credential,
    Class::Month,
    Class::Weekday,
    Class::Holiday,
    Class::PersonNoun,
    Class::Relative,
    Class::NumberWord,
    Class::Unit,
    Class::Facility,
    Class::Country,
    Class::State,
]);

/// Lists of names of people and places.
const NAMES_AND_PLACES: Classes =
    Classes::of(&[Class::Surname, Class::FirstName, Class::City, Class::PlacePart, Class::County]);

/// Anchor: a word with a capital letter.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if !view.any(at, NAMES_AND_PLACES) || view.any(at, KNOWN) || view.bytes(at).len() < 2 || view.token(at).glued() {
        return;
    }
    let points = points(view, at);
    if points < WEAK {
        return;
    }
    let certainty = if points >= LIKELY { Certainty::Likely } else { Certainty::Weak };
    let place = !view.any(at, NAMES) || (after_place_cue(view, at) && view.is(at, Class::City));
    let kind = if place { Kind::City } else { Kind::Name };
    let end = end_of_name(view, at, Trust::Form, 3).max(at + 1);
    findings.remove(at, end, kind, certainty);
}

/// What speaks for a name, less what speaks for a word.
fn points(view: &View<'_>, at: usize) -> i32 {
    let shouted = is_shouted(view, at);
    let start = view.sentence_start(at) || after_bullet(view, at);
    let mut points = 0;
    if view.any(at, NAMES) {
        let ranks = view.ranks(at);
        points += i32::from(ranks.first_name >= 10) + i32::from(ranks.surname.max(ranks.first_name) >= 13);
    }
    if is_unlisted(view, at) {
        points += 2;
    }
    if !shouted && !start {
        // In running text a word needs no capital letter.
        points += match view.case(at) {
            Case::Capital | Case::Mixed => 2,
            Case::Upper | Case::Lower => 0,
        };
    }
    points += before(view, at) + after(view, at, start, shouted);
    if view.is(at, Class::Stop) {
        points -= 4;
    }
    if view.is(at, Class::Brand) || view.is(at, Class::Organism) {
        points -= 2;
    }
    if view.case(at) == Case::Upper && (shouted || view.bytes(at).len() < 4) {
        // Acronyms and lines in capitals: the capitals say nothing.
        points -= 2;
    }
    if !start && is_heading(view, at) {
        points -= 3;
    }
    points
}

/// `1. Coral`, `- Coral`, `Name: Coral`: the start of an item.
fn after_bullet(view: &View<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    view.is_any_mark(before, b":-*#)\"(") && view.gap(at) != Gap::None
        || view.is_mark(before, b'"')
        || view.is_mark(before, b'.') && (before == 0 || view.is_number(before - 1))
}

/// What the words before say.
fn before(view: &View<'_>, at: usize) -> i32 {
    let Some(last) = at.checked_sub(1) else { return 0 };
    if !view.same_line(at) && view.gap(at) != Gap::Line || !view.is_word(last) {
        return 0;
    }
    match view.word(last) {
        // `per White`, `spoke with White`, `covered by White`.
        "per" | "told" | "asked" | "ask" | "paged" | "called" | "thank" | "named" | "attn" => 4,
        "by" | "with" | "appreciate" | "from" => 2,
        "to" | "for" | "and" | "that" | "at" | "in" | "near" => 1,
        // An article or an adjective goes with a word, not with a name.
        "the" | "a" | "an" | "no" | "any" | "this" | "these" | "some" | "her" | "his" | "left" | "right" => -2,
        _ if view.is(last, Class::PersonVerb) => 2,
        _ => 0,
    }
}

fn after_place_cue(view: &View<'_>, at: usize) -> bool {
    at > 0 && view.is(at - 1, Class::PlaceCue)
}

/// What the words after say.
fn after(view: &View<'_>, at: usize, start: bool, shouted: bool) -> i32 {
    let next = at + 1;
    if !view.follows(next) && view.token(next).kind != crate::token::Kind::Possessive {
        return 0;
    }
    let verb = |at: usize| view.is(at, Class::PersonVerb) && view.case(at) == Case::Lower;
    let mut points = 0;
    if verb(next) || (view.is_word(next) && view.word(next).ends_with("ly") && verb(next + 1)) {
        points += 3;
    } else if matches!(view.word(next), "who" | "whose") || view.is_mark(next, b',') && view.word(next + 1) == "who" {
        points += 4;
    } else if matches!(view.word(next), "and" | "&") && view.capitalised(next + 1) && view.any(next + 1, NAMES) {
        points += if shouted { 0 } else { 2 };
        points += i32::from(verb(next + 2)) * 2;
    } else if view.token(next).kind == crate::token::Kind::Possessive {
        points += if view.any(next + 1, Classes::of(&[Class::EponymNoun])) { -2 } else { 1 };
    } else if view.any(next, Classes::of(&[Class::EponymNoun, Class::Facility])) {
        points -= 2;
    } else if view.is_word(next) && view.capitalised(next) && !shouted {
        // First Last.
        if is_mostly_name(view, next) || is_unlisted(view, next) && view.any(next, NAMES) {
            points += if view.is(at, Class::FirstName) { 3 } else { 1 };
        }
    } else if start && view.is_any_mark(next, b",") && view.capitalised(next + 1) && view.any(next + 1, NAMES) {
        points += 1;
    }
    points
}

/// Whether the words on both sides have capital letters too and are no names: `Emergency Department`.
fn is_heading(view: &View<'_>, at: usize) -> bool {
    let word = |other: usize| {
        view.is_word(other) && view.capitalised(other) && !is_unlisted(view, other) && !view.any(other, NAMES)
    };
    (at > 0 && view.same_line(at) && word(at - 1)) || (view.same_line(at + 1) && word(at + 1))
}
