//! Names before a credential: `Clarence Gifford, M.D.`, `betty rn`, `GRESHAM MD`.

use super::name::{end_of_credential, is_given};
use crate::rules::engine::names::{NAMES, is_mostly_name, is_shouted, is_unlisted, lean};
use crate::rules::engine::word_sets::says;
use crate::rules::engine::{Certainty, Findings, Kind, View};
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Words that no name holds, though they may stand before a credential.
const NOT_NAMES: Classes = Classes::of(&[
    Class::Stop,
    Class::Title,
    Class::PersonNoun,
    Class::Facility,
    Class::NameField,
    Class::Credential,
    Class::Month,
]);

/// The most words of a name.
const MOST: usize = 4;

/// Anchors: a word that is a credential, a point of a dotted one.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut start = at;
    if view.is_mark(at, b'.') {
        // The first point of `M.D.`: a short word before it that begins what is written with points.
        let dotted = at > 0 && view.joined(at) && view.width(at - 1) <= 2 && view.is_word(at - 1);
        if !dotted || (at > 1 && view.is_mark(at - 2, b'.') && view.joined(at - 1)) {
            return;
        }
        start -= 1;
    }
    let comma = start > 0 && view.is_mark(start - 1, b',');
    // `howard stark, md`: in small letters where nothing else follows a comma.
    let small = comma && view.case(start) == Case::Lower && says!(view, start, "md" | "rn" | "np" | "lpn" | "crna");
    let end = if small { start + 1 } else { end_of_credential(view, start) };
    let last = start.saturating_sub(usize::from(comma));
    let town = comma && end == start + 1 && last > 0 && is_town(view, last - 1, start);
    if end == start || last == 0 || town || is_something_else(view, start, end) {
        return;
    }
    let apart = if comma { Gap::Line } else { Gap::Space };
    // One word credentials that are words too (`do`, `pa`, `ma`) need their capitals.
    let word_too = start + 1 == end && view.any(start, Classes::of(&[Class::Stop, Class::English]));
    let shouted = word_too && (view.case(start) != Case::Upper || is_shouted(view, start) && !comma);
    if view.gap(start) > apart || shouted || comma && is_thing(view, last - 1, end) {
        return;
    }
    let first = start_of_name(view, last, comma);
    if first < last {
        let certainty = if comma || !word_too { Certainty::Sure } else { Certainty::Likely };
        findings.remove(first, last, Kind::Name, certainty);
    }
}

/// `pT3`, the stage of a tumour; `CMT 342`, what is measured; `58 Temple Rd.`, a street; `chest x-ray, CT`, a picture.
fn is_something_else(view: &View<'_>, start: usize, end: usize) -> bool {
    let staged = view.is_number(end) && view.token(end).glued();
    let short = || view.number(end).is_some_and(|number| number.digits(0) <= 3) && view.same_line(end);
    staged
        || says!(view, start, "bc" | "cmt" | "pt") && short()
        || view.case(start) != Case::Upper && view.is(start, Class::StreetType)
        || says!(view, start, "ct")
}

/// `Boston, MA`: a town before its state, which the rule for these reports; but `Tom Reading, PA`.
fn is_town(view: &View<'_>, town: usize, state: usize) -> bool {
    let before = town.wrapping_sub(1);
    let initial = |at: usize| view.width(at) == 1 && view.is_word(at);
    let name = is_given(view, before) && view.capitalised(before) || initial(before);
    let given =
        town > 0 && view.follows(town) && (name || view.is_mark(before, b'.') && before > 0 && initial(before - 1));
    let form = view.case(state) == Case::Upper && !view.token(state + 1).glued() && view.capitalised(town);
    form && view.is(state, Class::State) && view.is(town, Class::City) && !given
}

/// Whether the word belongs to the number before it: `5 mg od`, `2 wk. Cliff Banks, DC`.
fn is_unit(view: &View<'_>, at: usize) -> bool {
    at > 0 && view.is_number(at - 1) && view.any(at, Classes::of(&[Class::Unit, Class::Dose, Class::Duration]))
}

/// Whether the word before the comma is a thing and nobody: `Continue Lasix, MD aware`, `Gait Training, PT`.
fn is_thing(view: &View<'_>, last: usize, end: usize) -> bool {
    let told = says!(view, end, "aware" | "notified" | "paged" | "informed" | "called" | "to");
    let drug =
        view.any(last, Classes::of(&[Class::Brand, Class::Dose, Class::Term])) && !view.is(last, Class::FirstName);
    let nobody = !view.any(last, NAMES) && !view.is(last, Class::Eponym);
    is_unit(view, last) || !is_unlisted(view, last) && (nobody || told && (drug || lean(view, last) < 0))
}

/// Where a name that ends before `last` begins; `last` itself if none does.
fn start_of_name(view: &View<'_>, last: usize, comma: bool) -> usize {
    let (mut first, mut words) = (last, 0);
    while first > 0 && words < MOST {
        let at = first - 1;
        if first < last && !view.follows(first) {
            break;
        }
        // An initial, or `St.`; but `2 wk. Cliff Banks, DC`
        if view.is_mark(at, b'.') && view.joined(at) && at > 0 && view.is_word(at - 1) && view.width(at - 1) <= 2 {
            if !view.capitalised(at - 1) && (!comma || is_unit(view, at - 1)) {
                break;
            }
            (first, words) = (at - 1, words + 1);
            continue;
        }
        let hyphen = view.is_mark(at, b'-') && view.joined(at) && at > 0 && view.is_word(at - 1);
        // `Ada van den Berg, PA-C`
        let prefix = view.is(at, Class::NamePrefix) && view.gap(first) == Gap::Space && words > 0;
        // `P Green RN`
        let letter = view.width(at) == 1 && view.is_word(at) && view.capitalised(at) && words > 0;
        let suffix = first == last && view.is(at, Class::NameSuffix);
        if !(hyphen && first < last || prefix || letter || suffix || is_part(view, at, words == 0 && comma, comma)) {
            break;
        }
        first = at;
        words += usize::from(view.is_word(at) && !prefix);
        if view.sentence_start(at) && !view.is_mark(at.wrapping_sub(1), b'.') {
            break;
        }
    }
    // A hyphen alone is no name.
    (first..last).find(|&at| !view.is_mark(at, b'-')).unwrap_or(last)
}

/// Whether the word is a part of a name; `sure` right before the comma, where it is the family name.
fn is_part(view: &View<'_>, at: usize, sure: bool, comma: bool) -> bool {
    // `June Bright, R.N.`, `Ada Bishop, R.N.`, `j. may, MD`, `HARRIET MAJOR, RN`
    let named = view.any(at, NAMES) && (sure || comma && view.is(at, Class::Month) && !view.is_number(at + 1));
    let given = sure && at > 0 && is_given(view, at - 1);
    let spared = view.case(at) == Case::Capital && (named || given);
    if !view.is_word(at) || view.any(at, NOT_NAMES) && !spared || is_unit(view, at) && view.case(at) == Case::Lower {
        return false;
    }
    let plain = view.case(at) == Case::Lower || is_shouted(view, at);
    let least = if comma && (sure || !plain) { -8 } else { 4 };
    match () {
        () if is_unlisted(view, at) => true,
        // `LEONARD FOREST, M.D.`: what stands before the comma is a name whatever it looks like.
        () if plain => is_mostly_name(view, at) || comma && lean(view, at) >= least,
        () => view.capitalised(at) && (sure || lean(view, at) >= least),
    }
}
