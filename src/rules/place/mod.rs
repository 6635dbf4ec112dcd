//! Places: hospitals and organisations, towns, streets, wards.

mod address;
pub(super) mod capital;
pub(super) mod city;
pub(super) mod employer;
pub(super) mod facility;
pub(super) mod field;
pub(super) mod foreign_street;
pub(super) mod hospital_code;
mod kind;
pub(super) use kind::is_kind;
pub(super) mod street;
pub(super) mod ward;

use super::columns::{Around, Fact, Group};
use super::name::PARTS;
use super::view::says;
use super::{Findings, View};
use crate::token::Case;
use crate::vocabulary::{Class, Classes};

/// Anchors: a word that places follow, `@`. Short forms of hospitals, employers.
pub(super) fn after_cue(view: &View<'_>, cue: usize, findings: &mut Findings) {
    if says!(view, cue, "at" | "from" | "to" | "@" | "by" | "for" | "of" | "with" | "attends" | "attended" | "via") {
        ask(view, cue, findings);
    }
}

/// Which cues may have a place behind them.
pub(super) fn near_cue(around: &Around<'_>) -> u64 {
    let here = around.here();
    let cue = here.is(Fact::ToPlace) | here.is(Fact::OfPlace) | here.mark(b'@');
    let cue = cue & around.behind(1, |group| group.is(Fact::Word));
    hospital_code::near(around, cue) | employer::near(around, cue) | cue & near_house(around)
}

/// Which words have words with capital letters behind them, up to one that a house or a practice is called.
fn near_house(around: &Around<'_>) -> u64 {
    let name = |group: &Group| group.is(Fact::Capital) & group.is(Fact::Spaced);
    let houses = around.on_from_here(|group| name(group) & group.is(Fact::House));
    if houses == 0 {
        return 0;
    }
    let house = |far: u32| (houses >> far) as u64;
    let name = |far| around.behind(far, name);
    let first = around.behind(1, |group| group.is(Fact::Capital) | group.is(Fact::The));
    first & (house(2) | name(2) & (house(3) | name(3) & (house(4) | name(4) & house(5))))
}

/// A cue that a word follows.
#[inline(never)]
fn ask(view: &View<'_>, cue: usize, findings: &mut Findings) {
    let next = cue + 1;
    if view.is_word(next) && !is_cause(view, cue) && !is_side(view, next) {
        hospital_code::find(view, cue, findings);
        employer::find(view, cue, findings);
        super::name::line::headed(view, next, findings);
    }
}

/// Whether the cue leads to a cause and not to a place: `due to Mechanical Fall`, `secondary to AKI`.
fn is_cause(view: &View<'_>, cue: usize) -> bool {
    says!(view, cue, "to")
        && cue > 0
        && says!(view, cue - 1, "due" | "secondary" | "related" | "attributed" | "allergic")
}

/// Words for parts of the body, sides and degrees, among others of medicine.
const BODY: Classes = PARTS.or(Classes::of(&[Class::Link, Class::OrdinalWord, Class::NumberWord]));

/// `Burn to Right Palm`, `Pain of Left Hand`: a side, and no town.
fn is_side(view: &View<'_>, at: usize) -> bool {
    says!(view, at, "left" | "right") && view.any(at + 1, BODY.with(Class::HolidayPart))
}

/// Lists of names of places.
pub(super) const PLACES: Classes = Classes::of(&[Class::City, Class::PlacePart, Class::County]);

/// Lists of ordinary words.
const ORDINARY: Classes = WORDS.with(Class::Term);

/// The same without terms of a vocabulary: `Tamarack` is a term and no other word.
const WORDS: Classes =
    Classes::of(&[Class::Stop, Class::English, Class::Literature, Class::Clinical, Class::PersonNoun]);

/// Whether the word is on no list of words. Lists of facilities, brands, relatives, which `name::is_unlisted` asks too, do not count:
/// many a place is called by their words.
pub(super) fn is_no_word(view: &View<'_>, at: usize) -> bool {
    view.is_word(at) && !view.any(at, ORDINARY)
}

/// Where a place's name that begins at `first` ends, at most `most` words on; `first` itself if none does. Words with a
/// capital letter belong to it; in lower case only what is on no list of words, or on a list of places.
pub(super) fn end_of_place(view: &View<'_>, first: usize, most: usize) -> usize {
    let mut end = first;
    for _ in 0..most {
        let mut at = end;
        if at > first {
            if view.is_mark(at, b'-') && view.joined(at) && view.joined(at + 1) {
                at += 1;
            }
            if view.is_mark(at, b'.') && view.joined(at) && view.width(at - 1) <= 3 {
                at += 1;
            }
            if !view.same_line(at) || view.border_before(at) {
                break;
            }
        }
        let part = view.is_word(at)
            && view.width(at) > 1
            && !view.is(at, Class::Credential)
            && if view.case(at) == Case::Lower {
                is_no_word(view, at) && !view.is(at, Class::Stop)
            } else {
                // `Break Up`, `An Lộc`: a small word with a capital letter beside one.
                let stop = view.is(at, Class::Stop)
                    && (view.case(at) == Case::Upper
                        || at == first && !is_no_word(view, at + 1)
                        || !view.any(at, PLACES));
                !stop
                    && !view.any(at, Classes::of(&[Class::Title, Class::Month, Class::Weekday]))
                    && (at == first || view.any(at, PLACES) || is_no_word(view, at))
            };
        if !part {
            break;
        }
        end = at + 1;
    }
    end
}
