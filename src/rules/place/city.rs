//! Towns: before a state (`Tyler, AZ`), after what only places follow (`lives in Globe`, `originally from Post`), and
//! counties.

use super::{PLACES, end_of_place, is_unlisted};
use crate::rules::name::is_shouted;
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::Case;
use crate::vocabulary::{Class, Classes};

/// Anchor: a state. The words before it, up to a comma, are a town.
pub(in crate::rules) fn before_state(view: &View<'_>, at: usize, findings: &mut Findings) {
    // Postal codes are words too (`in`, `or`, `me`): they need capitals and a comma before, or a ZIP code after.
    let short = view.bytes(at).len() == 2;
    let comma = at > 0 && view.is_mark(at - 1, b',');
    let zip = (at + 1..at + 4).any(|next| {
        view.is_number(next) && view.whole(next).is_some() && view.bytes(next).len() == 5 && view.same_line(next)
    });
    if short && (view.case(at) != Case::Upper && !zip || !comma && !zip || view.token(at + 1).glued()) {
        return;
    }
    // `Skoglund, MD`, `Santana, PA-C`; in lines of capitals `SEAFOOD, OR DYE`.
    let unsure = view.any(at, Classes::of(&[Class::Credential])) || is_shouted(view, at);
    if short
        && !zip
        && (view.is_mark(at + 1, b'-')
            || unsure && !(at > 1 && view.is(at - 2, Class::City) && !unsure_town(view, at - 2)))
    {
        return;
    }
    if comma || zip {
        let last = if comma { at - 1 } else { at };
        let first = start_of_town(view, last, zip);
        if first < last {
            findings.remove(first, last, Kind::City, Certainty::Likely);
        }
        findings.remove(at, at + 1, Kind::State, Certainty::Likely);
    } else if view.capitalised(at) && !short && !is_shouted(view, at) {
        findings.remove(at, at + 1, Kind::State, Certainty::Weak);
    }
}

/// Whether a town's name is a person's or a word as well.
fn unsure_town(view: &View<'_>, at: usize) -> bool {
    view.is(at, Class::Surname) || !is_unlisted(view, at)
}

fn start_of_town(view: &View<'_>, last: usize, zip: bool) -> usize {
    let mut first = last;
    for _ in 0..3 {
        let Some(at) = first.checked_sub(1) else { break };
        if first < last && !view.same_line(first) {
            break;
        }
        if view.is_mark(at, b'.') && at > 0 && view.bytes(at - 1).len() <= 3 && first < last {
            // `St. Louis`, `Ft. Worth`
            if !view.is(at - 1, Class::PlaceBefore) {
                break;
            }
            first = at - 1;
            break;
        }
        // Before a ZIP code every word with a capital letter back to the comma or the line's start: `Cut Off, TX 02035`.
        let kinds = Classes::of(&[Class::StreetType, Class::Facility, Class::Credential]);
        let any = zip && view.capitalised(at) && view.is_word(at) && !(view.any(at, kinds) && first < last);
        let part = any
            || view.is_word(at)
                && !view.any(at, Classes::of(&[Class::Stop, Class::StreetType, Class::Facility, Class::Credential]))
                && if view.case(at) == Case::Lower {
                    view.any(at, PLACES) || is_unlisted(view, at)
                } else {
                    first == last || view.any(at, PLACES) || view.is(at, Class::PlaceBefore) || is_unlisted(view, at)
                };
        if !part {
            break;
        }
        first = at;
    }
    first
}

/// Anchor: a word that places follow.
pub(in crate::rules) fn after_cue(view: &View<'_>, at: usize, findings: &mut Findings) {
    let first = at + 1;
    if !view.is_word(first) || !view.follows(first) || view.bytes(first).len() < 3 {
        return;
    }
    let known = view.any(first, PLACES) || view.is(first, Class::PlaceBefore);
    let accept = if view.capitalised(first) && !is_shouted(view, first) {
        known || is_unlisted(view, first)
    } else {
        view.is(first, Class::City) && is_unlisted(view, first)
    };
    if !accept || view.any(first, Classes::of(&[Class::Stop, Class::Month, Class::Weekday, Class::Title, Class::Unit]))
    {
        return;
    }
    let end = end_of_place(view, first, 4);
    if end == first || view.any(end, Classes::of(&[Class::EponymNoun])) {
        return;
    }
    // `works at Frame and Delay`, `records from Weber & Test`
    let end = match view.word(at) {
        "at" | "from"
            if matches!(view.word(end), "and" | "&" | "or") && view.capitalised(end + 1) && view.same_line(end + 1) =>
        {
            end_of_place(view, end + 1, 3).max(end + 2)
        }
        _ => end,
    };
    let lives = at > 0 && view.any(at - 1, Classes::of(&[Class::PlaceCue, Class::PersonVerb]));
    let certainty = if lives && known { Certainty::Likely } else { Certainty::Weak };
    findings.remove(first, end, Kind::City, certainty);
}

/// Anchor: a word that follows a place's name: `County`, `Township`.
pub(in crate::rules) fn before_kind(view: &View<'_>, at: usize, findings: &mut Findings) {
    if at == 0 || view.gap(at) > crate::token::Gap::Space || !view.is_word(at - 1) {
        return;
    }
    let capital = view.capitalised(at - 1) && view.capitalised(at) && !is_shouted(view, at);
    let name = view.any(at - 1, PLACES) || is_unlisted(view, at - 1);
    if (capital && !view.is(at - 1, Class::Stop) || name && view.is(at - 1, Class::County)) && name {
        findings.remove(at - 1, at + 1, Kind::County, Certainty::Likely);
    }
}
