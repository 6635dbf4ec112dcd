//! Towns before a state (`Tyler, AZ`), and counties.

use super::{PLACES, is_no_word};
use crate::rules::columns::{Around, Fact, Group};
use crate::rules::name::is_shouted;
use crate::rules::word_sets::says;
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Which states have a comma before them or a postal code behind them, or are written out with a capital letter; which other words
/// may begin the name of one, or of a town.
pub(in crate::rules) fn near_state(around: &Around<'_>) -> u64 {
    let here = around.here();
    let comma = |far| around.before(far, |group| group.mark(b','));
    let code =
        around.on_from_here(|group| group.is(Fact::Number) & group.is(Fact::UpToFive) & !group.is(Fact::UpToThree));
    let codes = code >> 1 | code >> 2 | code >> 3 | code >> 4;
    let capital = here.capitalised() | around.before(1, Group::capitalised);
    let state = codes as u64 | comma(1) | !here.is(Fact::UpToTwo) & (comma(2) | capital);
    here.on(Class::State) & state | !here.on(Class::State) & (here.capitalised() | comma(1) | codes as u64)
}

/// Anchor: a state, or the first word of one. The words before it, up to a comma, are a town.
pub(in crate::rules) fn state(view: &View<'_>, at: usize, findings: &mut Findings) {
    if view.is(at, Class::State) {
        let first = if at > 0 && is_of_two_words(view, at - 1) { at - 1 } else { at };
        before_state(view, first, at + 1, findings);
        return;
    }
    saint(view, at, findings);
    // `Summit, South Dakota 57001`
    if is_of_two_words(view, at) && !view.is(at + 1, Class::State) {
        before_state(view, at, at + 2, findings);
    }
}

/// Whether the name of a state of two words begins there.
fn is_of_two_words(view: &View<'_>, first: usize) -> bool {
    let last = first + 1;
    view.gap(last) == Gap::Space
        && match view.word(first) {
            "new" => says!(view, last, "york" | "jersey" | "mexico" | "hampshire"),
            "north" | "south" => says!(view, last, "carolina" | "dakota"),
            "west" => says!(view, last, "virginia"),
            "rhode" => says!(view, last, "island"),
            _ => false,
        }
}

/// `Ft. Marlow`, `St. Elsewhere`: a short form with its point and any word with a capital letter; behind a street's name `St.` ends it.
fn saint(view: &View<'_>, at: usize, findings: &mut Findings) {
    let name = at + 2;
    let short = says!(view, at, "st" | "ft" | "mt" | "ste") && view.case(at) == Case::Capital;
    let written = short
        && view.is_mark(at + 1, b'.')
        && view.joined(at + 1)
        && view.gap(name) == Gap::Space
        && view.case(name) == Case::Capital
        && !view.any(name, Classes::of(&[Class::Month, Class::Weekday, Class::PersonNoun, Class::Title]));
    let before = at.wrapping_sub(1);
    let behind = at > 0 && view.gap(at) <= Gap::Space && (view.is_number(before) || view.capitalised(before));
    // `St. Jude mechanical valve`
    let thing = view.is(name, Class::Eponym) || (name + 1..name + 4).any(|noun| view.is(noun, Class::EponymNoun));
    if written && !behind && !thing {
        findings.remove(at, name + 1, Kind::City, Certainty::Weak);
    }
}

/// What stands before the state `at..end`.
fn before_state(view: &View<'_>, at: usize, end: usize, findings: &mut Findings) {
    // Postal codes are words too (`in`, `or`, `me`): they need capitals and a comma before, or a ZIP code after.
    let short = view.width(at) == 2;
    let comma = at > 0 && view.is_mark(at - 1, b',');
    let zip = (end..end + 3).any(|next| {
        view.is_number(next) && view.whole(next).is_some() && view.width(next) == 5 && view.same_line(next)
    });
    // `port ellery, ny`: in small letters where the letters are no word and the town's name is none.
    let small = short
        && comma
        && at > 1
        && view.case(at) == Case::Lower
        && (is_no_word(view, at - 2) || view.is(at - 2, Class::PlaceAfter) || view.is(at - 2, Class::City))
        && !view.any(at, Classes::of(&[Class::Stop, Class::English, Class::Credential]))
        && (view.is_any_mark(at + 1, b".,;)") || view.gap(at + 1) >= Gap::Wide || view.is(at + 1, Class::Stop));
    if short && !small && (view.case(at) != Case::Upper && !zip || !comma && !zip || view.token(at + 1).glued()) {
        return;
    }
    // `Skoglund, MD`, `Santana, PA-C`; in lines of capitals `SEAFOOD, OR DYE`.
    let unsure = view.any(at, Classes::of(&[Class::Credential])) || is_shouted(view, at);
    if short
        && !zip
        && (view.is_mark(at + 1, b'-')
            || unsure
                && !small
                && !(at > 1
                    && view.is(at - 2, Class::City)
                    && (!unsure_town(view, at - 2) || in_an_address(view, at - 2))))
    {
        return;
    }
    if comma && !zip && short && is_in_a_list(view, at) {
        return;
    }
    if comma || zip {
        let last = if comma { at - 1 } else { at };
        let first = start_of_town(view, last, zip);
        if first < last {
            findings.remove(first, last, Kind::City, Certainty::Likely);
        }
        findings.remove(at, end, Kind::State, Certainty::Likely);
    } else if view.capitalised(at) && !short && !is_shouted(view, at) {
        findings.remove(at, end, Kind::State, Certainty::Weak);
    }
}

/// `ANC 1.8, CA 27.29`, `no SRH, GA temporal`: a value or shorthand before the comma, or a value behind, of what are no towns.
fn is_in_a_list(view: &View<'_>, at: usize) -> bool {
    const SHORTHAND: Classes = Classes::of(&[Class::Clinical, Class::Measurement, Class::Score, Class::Unit]);
    let Some(before) = at.checked_sub(2) else { return false };
    let value = |at: usize| view.number(at).is_some_and(|number| number.is(2, b'.') || number.digits(0) < 4);
    let shorthand = view.case(before) == Case::Upper
        && view.width(before) <= 4
        && view.any(before, SHORTHAND)
        && !view.any(before, PLACES);
    value(before) && !is_in_an_address(view, before)
        || shorthand
        || view.same_line(at + 1) && view.number(at + 1).is_some_and(|number| number.is(2, b'.'))
}

/// Whether the number before the comma is one of an apartment or a road: `Apt 4, NY`.
fn is_in_an_address(view: &View<'_>, number: usize) -> bool {
    const KINDS: Classes = Classes::of(&[Class::StreetType, Class::WardNoun, Class::Facility, Class::PlaceAfter]);
    let Some(before) = number.checked_sub(1) else { return true };
    view.is_mark(before, b'#') || view.any(before, KINDS) || view.case(before) == Case::Capital
}

/// `Sugar Maple Ct, Boston, MA`, `lives in Florence, MA`: a comma behind a street or a word for places says that no person and
/// credential stand here.
fn in_an_address(view: &View<'_>, town: usize) -> bool {
    let Some(before) = town.checked_sub(1).filter(|_| view.gap(town) <= Gap::Line) else { return false };
    matches!(view.word(before), "in" | "near")
        || view.is_mark(before, b',')
            && before > 0
            && (view.is(before - 1, Class::StreetType) || view.is_number(before - 1))
}

/// Whether a town's name is a person's or a word as well.
fn unsure_town(view: &View<'_>, at: usize) -> bool {
    view.is(at, Class::Surname) || !is_no_word(view, at)
}

fn start_of_town(view: &View<'_>, last: usize, zip: bool) -> usize {
    let mut first = last;
    for _ in 0..3 {
        let Some(at) = first.checked_sub(1) else { break };
        // `Cedar / Park, TX`: a town broken over a line.
        let broken = view.gap(first) == Gap::Line
            && view.token(at).line_start()
            && view.capitalised(at)
            && view.any(at, PLACES)
            && !view.is_number(at + 2);
        if first < last && !view.same_line(first) && !broken {
            break;
        }
        if view.is_mark(at, b'.') && at > 0 && view.width(at - 1) <= 3 && first < last {
            // `St. Louis`, `Ft. Worth`
            if !view.is(at - 1, Class::PlaceBefore) {
                break;
            }
            first = at - 1;
            break;
        }
        // Before a ZIP code every word with a capital letter back to the comma or the line's start: `Break Up, TX 31777`.
        let kinds = Classes::of(&[Class::StreetType, Class::Facility, Class::Credential]);
        // `mohawk springs, new york`: words for streets end the names of towns too.
        let kind = view.any(at, kinds) && !view.is(at, Class::PlaceAfter) && !view.is(at, Class::PlaceBefore);
        let any = zip && (view.capitalised(at) || comma_zip(view, last)) && view.is_word(at) && !(kind && first < last);
        let part = any
            || view.is_word(at)
                && (!view.is(at, Class::Stop) || view.is(at, Class::PlaceBefore))
                && !kind
                && if view.case(at) == Case::Lower {
                    let time = Classes::of(&[Class::Unit, Class::Duration]);
                    (view.any(at, PLACES) || is_no_word(view, at)) && !view.any(at, time)
                } else {
                    first == last || view.any(at, PLACES) || view.is(at, Class::PlaceBefore) || is_no_word(view, at)
                };
        if !part {
            break;
        }
        first = at;
    }
    first
}

/// Whether the town ends with a comma, as it does in an address.
fn comma_zip(view: &View<'_>, last: usize) -> bool {
    view.is_mark(last, b',')
}

/// Anchor: a word that follows a place's name: `County`, `Township`.
pub(in crate::rules) fn before_kind(view: &View<'_>, at: usize, findings: &mut Findings) {
    if at == 0 || view.gap(at) > Gap::Space || !view.is_word(at - 1) {
        return;
    }
    let capital = view.capitalised(at - 1) && view.capitalised(at) && !is_shouted(view, at);
    let name = view.any(at - 1, PLACES) || is_no_word(view, at - 1);
    if (capital && !view.is(at - 1, Class::Stop) || name && view.is(at - 1, Class::County)) && name {
        findings.remove(at - 1, at + 1, Kind::County, Certainty::Likely);
    }
}
