//! Towns: before a state (`Tyler, AZ`), after what only places follow (`lives in Globe`, `originally from Post`), and
//! counties.

use super::{BODY, PLACES, WORDS, end_of_place, is_cause, is_no_word, is_side};
use crate::policy;
use crate::rules::clinical::acronym;
use crate::rules::columns::{Around, Fact, Group};
use crate::rules::name::{is_shouted, is_titled};
use crate::rules::view::says;
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Which states have a comma before them or a postal code behind them, or are written out with a capital letter; and which other words
/// have the rest of a state's name or of a town's behind them.
pub(in crate::rules) fn near_state(around: &Around<'_>) -> u64 {
    let here = around.here();
    let comma = |far| around.before(far, |group| group.mark(b','));
    let capital = here.capitalised() | around.before(1, Group::capitalised);
    let code =
        around.on_from_here(|group| group.is(Fact::Number) & group.is(Fact::UpToFive) & !group.is(Fact::UpToThree));
    let codes = code >> 1 | code >> 2 | code >> 3;
    let short = here.is(Fact::UpToTwo);
    // `Skoglund, MD`: letters that a person may have behind the name say a state behind the name of a town only.
    let home = |far| around.before(far, |group| group.on(Class::PlaceCue));
    let town = !here.on(Class::Credential)
        | here.is(Fact::Lower)
        | around.before(2, |group| group.on(Class::City))
        | home(3)
        | home(4)
        | home(5);
    let state = codes as u64 | comma(1) & (town | !short) | !short & (comma(2) | capital);
    // `New York`, `St. Elsewhere`
    let rest = here.is(Fact::UpToFive)
        & around.behind(1, |group| group.is(Fact::Spaced) & !group.is(Fact::UpToThree) & !group.on(Class::State))
        & (comma(1) | here.capitalised() | (codes >> 1) as u64);
    let saint = here.is(Fact::Capital)
        & around.behind(1, |group| group.mark(b'.') & group.is(Fact::Joined))
        & around.behind(2, |group| group.is(Fact::Capital));
    here.on(Class::State) & state | !here.on(Class::State) & (rest | saint)
}

/// Anchor: a state. The words before it, up to a comma, are a town.
pub(in crate::rules) fn state(view: &View<'_>, at: usize, findings: &mut Findings) {
    // `Summit, South Dakota 57001`: names of states of two words are found at their first.
    if !view.is(at, Class::State) {
        saint(view, at, findings);
        let state = match view.word(at) {
            "new" => says!(view, at + 1, "york" | "jersey" | "mexico" | "hampshire"),
            "north" | "south" => says!(view, at + 1, "carolina" | "dakota"),
            "rhode" => says!(view, at + 1, "island"),
            _ => false,
        };
        if state && view.gap(at + 1) == Gap::Space && !view.is(at + 1, Class::State) {
            before_state(view, at + 1, findings, true);
        }
        return;
    }
    before_state(view, at, findings, false);
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

fn before_state(view: &View<'_>, at: usize, findings: &mut Findings, double: bool) {
    let double = double
        || at > 0
            && view.gap(at) == Gap::Space
            && match view.word(at) {
                "virginia" => says!(view, at - 1, "west"),
                "york" | "jersey" | "mexico" | "hampshire" => says!(view, at - 1, "new"),
                "carolina" | "dakota" => says!(view, at - 1, "north" | "south"),
                _ => false,
            };
    let end = at;
    let at = if double { at - 1 } else { at };
    // Postal codes are words too (`in`, `or`, `me`): they need capitals and a comma before, or a ZIP code after.
    let short = view.width(at) == 2;
    let comma = at > 0 && view.is_mark(at - 1, b',');
    let zip = (end + 1..end + 4).any(|next| {
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
                    && (!unsure_town(view, at - 2) || in_an_address(view, at - 2)))
                && !is_of_a_home(view, at - 1))
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
        findings.remove(at, end + 1, Kind::State, Certainty::Likely);
    } else if view.capitalised(at) && !short && !is_shouted(view, at) {
        findings.remove(at, end + 1, Kind::State, Certainty::Weak);
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

/// `moved to Brittany, DC`, `born in Sharp Springs, MD`: whether one or two words before the comma follow what is only said of places
/// where people live. Nobody lives in a person with a credential.
fn is_of_a_home(view: &View<'_>, comma: usize) -> bool {
    (1..=2).any(|words| {
        let Some(cue) = comma.checked_sub(words + 1) else { return false };
        (cue + 1..comma).all(|word| view.case(word) == Case::Capital && view.gap(word) <= Gap::Line)
            && is_home(view, cue)
    })
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

/// `born in valle de denver`, `LIVES IN TEMPLE RIDGE,`: in text without capitals, or in nothing else, after a word that only
/// places follow; the words go up to where the clause ends.
fn plain_town(view: &View<'_>, first: usize) -> Option<usize> {
    let never = Classes::of(&[
        Class::Facility,
        Class::Organisation,
        Class::WardNoun,
        Class::PersonNoun,
        Class::Relative,
        Class::PersonVerb,
        Class::Month,
        Class::NumberWord,
        Class::Duration,
        Class::Country,
        Class::Dose,
    ]);
    let mut end = first + usize::from(says!(view, first, "port"));
    let mut place = false;
    let mut named = false;
    for _ in 0..4 {
        let at = end + usize::from(end > first && view.is_mark(end, b'-') && view.joined(end));
        let town = view.any(at, PLACES) || view.any(at, Classes::of(&[Class::PlaceBefore, Class::PlaceAfter]));
        let town = town || at == first && view.is(at + 1, Class::PlaceAfter);
        let part = view.is_word(at)
            && (view.gap(at) <= Gap::Line && (at == first || !view.border_before(at)))
            && (town || is_no_word(view, at))
            && !(view.is(at, Class::Stop) && !view.is(at + 1, Class::PlaceAfter))
            // `CAPE MAY`
            && (!view.any(at, never) || at == first + 1 && matches!(view.word(first), "cape" | "port" | "fort" | "lake"));
        if !part {
            break;
        }
        place |= view.is(at, Class::City) || view.any(at, Classes::of(&[Class::PlaceBefore, Class::PlaceAfter]));
        named |= is_no_word(view, at);
        end = at + 1;
    }
    let over = || {
        view.is_any_mark(end, b",.;)(")
            || view.ends_line(end)
            || says!(view, end, "and" | "in" | "with" | "since" | "on" | "but" | "alone" | "where" | "until")
    };
    (end > first && (place || named || end > first + 1) && over()).then_some(end)
}

/// `retired from drill associates in saline`: after a firm, `in` tells its town.
fn after_firm(view: &View<'_>, at: usize) -> bool {
    let firm = Classes::of(&[Class::Organisation, Class::Facility]);
    says!(view, at, "in")
        && at > 0
        && (view.any(at - 1, firm) || view.is(at - 1, Class::Surname) && is_no_word(view, at - 1))
        && (at.saturating_sub(8)..at).any(|word| says!(view, word, "retired" | "works" | "worked" | "employed"))
}

/// Whether what stands before `at` is only said of places where people live: `lives in`, `born in`, `drive home to`.
fn is_home(view: &View<'_>, at: usize) -> bool {
    let verb = |word: usize| {
        says!(
            view,
            word,
            "lives"
                | "live"
                | "living"
                | "lived"
                | "born"
                | "raised"
                | "resides"
                | "residing"
                | "resided"
                | "reside"
                | "resident"
                | "native"
                | "grew"
                | "up"
                | "moved"
                | "moving"
                | "moves"
                | "home"
                | "relocated"
                | "settled"
                | "originally"
                | "retired"
                | "vacationing"
                | "immigrated"
                | "emigrated"
                | "hometown"
                | "traveled"
        )
    };
    // `up to date`
    let risen = at > 0 && says!(view, at - 1, "up") && says!(view, at, "to" | "of");
    at > 0 && says!(view, at, "in" | "near" | "outside" | "from" | "of" | "to") && verb(at - 1) && !risen
}

/// Which cues may have a town behind them.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    const TOWNS: Classes = Classes::of(&[Class::City, Class::PlaceBefore, Class::PlaceAfter]);
    let unlisted = |group: &Group| group.none(super::ORDINARY);
    let town = |group: &Group| group.any(TOWNS) | unlisted(group);
    let part = |group: &Group| group.any(PLACES) | town(group);
    let word = around.behind(1, |group| group.is(Fact::Word) & !group.is(Fact::UpToTwo));
    let place = around.behind(1, |group| part(group) & !group.on(Class::Stop) & !group.on(Class::Month));
    // In small letters a part of a town's name that is a word needs another one behind it.
    let whole = around.behind(1, |group| !group.is(Fact::Lower) | town(group))
        | around.behind(2, |group| part(group) | group.mark(b'-'));
    let term = around.behind(1, |group| group.is(Fact::Capital) & group.on(Class::Term) & group.none(WORDS));
    word & whole & (place | term | around.behind(2, |group| group.on(Class::PlaceAfter)))
}

/// Anchor: a word that places follow.
pub(in crate::rules) fn after_cue(view: &View<'_>, at: usize, findings: &mut Findings) {
    let first = at + 1;
    if !view.is_word(first) || !view.follows(first) || view.width(first) < 3 || is_cause(view, at) {
        return;
    }
    // `in Two Weeks`
    if is_side(view, first) || view.is(first, Class::NumberWord) && view.is(first + 1, Class::Duration) {
        return;
    }
    let plain = view.case(first) == Case::Lower || is_shouted(view, first);
    if plain
        && let Some(end) =
            plain_town(view, first).filter(|_| is_town(view, at, first) || is_home(view, at) || after_firm(view, at))
    {
        findings.remove(first, end, Kind::City, Certainty::Weak);
    }
    // `born in Foot Springs`, `lives in Friend Heights, Nevada`: any word before one that ends the names of towns.
    let after = first + 1;
    let ended = view.case(first) == Case::Capital
        && view.case(after) == Case::Capital
        && view.gap(after) == Gap::Space
        && view.is(after, Class::PlaceAfter)
        && !view.any(after, Classes::of(&[Class::Facility, Class::Organisation, Class::Country]))
        && (is_home(view, at) || says!(view, at, "in" | "from" | "near") && view.is_mark(after + 1, b','))
        && !view.is(first, Class::Stop);
    if ended {
        findings.remove(first, after + 1, Kind::City, Certainty::Likely);
        return;
    }
    let known = view.any(first, PLACES) || view.is(first, Class::PlaceBefore);
    // `lives in Tamarack`; but `moved to Telemetry`.
    let term = || {
        view.case(first) == Case::Capital
            && view.is(first, Class::Term)
            && !view.any(first, WORDS)
            && says!(view, at, "in" | "near" | "outside")
            && is_home(view, at)
    };
    // `switched to Lipitor`, `rise in ALT`, `due to AKI`, `admitted to MICU`, `Pain of Left Hand`: medicine stands behind these words
    // too, in capitals between words in small letters even where a town is called so.
    let medicine = || {
        let short = || view.case(first) == Case::Upper && view.width(first) < 6;
        // `pt of Head`, `note of Power`
        let whose = || at > 0 && (view.is(at - 1, Class::PersonNoun) || says!(view, at - 1, "note" | "signature"));
        let body = || view.any(first, BODY) && says!(view, at, "of" | "in") && !whose();
        (view.any(first, policy::ORDINARY) || acronym::is_one(view, first))
            && !view.is(first, Class::Eponym)
            && !(known && view.is(first + 2, Class::State))
            && !is_home(view, at)
            && end_of_place(view, first, 4) == first + 1
            && (!known || short() || body() || is_titled(view, first))
    };
    let accept = if plain {
        view.is(first, Class::City) && is_no_word(view, first)
    } else {
        (known || is_no_word(view, first) || term()) && !medicine()
    };
    if !accept || view.any(first, Classes::of(&[Class::Stop, Class::Month, Class::Weekday, Class::Title, Class::Unit]))
    {
        return;
    }
    let end = end_of_place(view, first, 4);
    if end == first || view.any(end, Classes::of(&[Class::EponymNoun])) {
        return;
    }
    // `works at Splint and Relay`, `records from Rinne & Trial`, `lives in Hope or Patience`
    let two = (says!(view, at, "at" | "from" | "for") || says!(view, at, "in" | "to") && says!(view, end, "or"))
        && says!(view, end, "and" | "&" | "or")
        && view.capitalised(end + 1)
        && view.same_line(end + 1);
    let end = if two { end_of_place(view, end + 1, 3).max(end + 2) } else { end };
    let lives = at > 0 && view.any(at - 1, Classes::of(&[Class::PlaceCue, Class::PersonVerb]));
    let certainty = if lives && known { Certainty::Likely } else { Certainty::Weak };
    findings.remove(first, end, Kind::City, certainty);
}

/// Whether the words after a cue are a town by their own: a name and a word that ends the names of towns, or the other way
/// round.
fn is_town(view: &View<'_>, cue: usize, first: usize) -> bool {
    let after = first + 1;
    if view.gap(after) != Gap::Space || !says!(view, cue, "in" | "from" | "to" | "near" | "of" | "at") {
        return false;
    }
    // `a farmer from quarry hill`
    let ended = view.is(after, Class::PlaceAfter)
        && view.any(first, Classes::of(&[Class::Surname, Class::FirstName, Class::City, Class::PlacePart]))
        && !view.any(after, Classes::of(&[Class::Facility, Class::Country]));
    // `with her brother rufus in port ellery, ny`: a word before the names of towns, and a town that is no word.
    let led = !says!(view, cue, "at")
        && (view.is(first, Class::PlaceBefore) || says!(view, first, "port"))
        && is_no_word(view, after)
        && (view.any(after, PLACES) || view.is_mark(first + 2, b','));
    ended || led
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
