//! Streets with a house number: `20 Ellery Street`, `01234 Heather Inlet`, `8 Winters Quadrant Apt. 4`.

use super::flat::extend_over_flat;
use super::is_on_no_word_list;
use super::suffix::is_street_suffix;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// The maximum number of words in a street name.
const MAX_NAME_WORDS: usize = 5;

/// Finds a street at its street word; the name is the words before it up to a number.
pub(in crate::rules) fn find_street(note: &Note<'_>, at: usize, findings: &mut Findings) {
    // `IP14 3QX` above `Dear Dr. Long`
    if at == 0 || word_is!(note, at - 1, "dear") {
        return;
    }
    if let Some((first, words)) = number_before(note, at)
        && is_street_address(note, first, words, at)
    {
        findings.remove(first, extend_over_flat(note, at + 1), Kind::Street, Certainty::Likely);
    } else if let Some(first) = spoken_number_before(note, at) {
        findings.remove(first, extend_over_flat(note, at + 1), Kind::Street, Certainty::Likely);
    }
}

/// Returns the first word of a spoken number before a named street: `sixty four, Hanover Road`,
/// `number seven mill lane`.
fn spoken_number_before(note: &Note<'_>, at: usize) -> Option<usize> {
    const NUMBERS: Classes = Classes::of(&[Class::NumberWord]);
    let said = |at: usize| note.is_word(at) && (note.any(at, NUMBERS) || word_is!(note, at, "hundred" | "oh"));
    let near = |at: usize| note.is_word(at) && note.gap(at) <= Gap::Space;
    let mut name = at;
    while at - name < MAX_NAME_WORDS && name > 0 && near(name) && note.is_word(name - 1) && !said(name - 1) {
        name -= 1;
    }
    // The name must be capitalised or on the lists: `forty two steps down the road` has none.
    let named = |at: usize| is_on_no_word_list(note, at) || note.any(at, CALLED) || ROADS.has(note, name + 1);
    let plain = |at: usize| {
        note.is(at, Class::Stop) || note.any(at, Classes::of(&[Class::Unit, Class::Duration, Class::Counted]))
    };
    let capitals = (name..=at).all(|at| note.capitalised(at));
    if name == at || (name..at).any(plain) || !(capitals || (name..at).any(named)) || !near(at) {
        return None;
    }
    let comma = usize::from(note.is_mark(name.wrapping_sub(1), b','));
    let mut first = name - comma;
    let end = first;
    while first > 0 && note.same_line(first) {
        let joint = first < end && (note.is_mark(first - 1, b'-') || word_is!(note, first - 1, "and"));
        let digit = said(first - 1);
        if !(digit || joint && first > 1 && said(first - 2)) {
            break;
        }
        first -= 1;
    }
    (first < end).then_some(first)
}

/// Returns the number before the words of a street name, and the number of words.
fn number_before(note: &Note<'_>, at: usize) -> Option<(usize, usize)> {
    let (mut first, mut words) = (at, 0);
    while first > 0 && words < MAX_NAME_WORDS {
        let before = first - 1;
        if !matches!(note.gap(first), Gap::None | Gap::Space | Gap::Line) {
            return None;
        }
        if note.is_number(before) {
            return Some((before, words));
        }
        let short = before > 0 && note.is_word(before - 1) && note.width(before - 1) <= 2;
        // `125/H Calder Street`
        let door = note.is_mark(before, b'/') && note.joined(before) && note.joined(first) && note.width(first) == 1;
        if note.is_mark(before, b'.') && short || note.is_mark(before, b'-') || door {
            first = before;
            continue;
        }
        // `91st Street`
        let small = note.case(before) == Case::Lower && !note.token(before).glued();
        if !note.is_word(before) || small && (note.is(before, Class::Stop) || note.capitalised(at)) {
            return None;
        }
        first = before;
        words += 1;
    }
    None
}

/// Words for streets only. Sorted.
static ROADS: WordSet = word_set!("place-street-roads");

/// Abbreviated compass points.
static DIRECTIONS: WordSet = word_set!("place-street-directions");

/// Returns whether the number `first` and the words up to the street word are an address, not an amount.
fn is_street_address(note: &Note<'_>, first: usize, words: usize, at: usize) -> bool {
    // `129th Street`: the number may be the name.
    let ordinal = words == 1 && matches!(note.word(first + 1), "st" | "nd" | "rd" | "th");
    let whole = note.integer(first).is_some() && (words > 0 || ordinal);
    // Not `2 L dr`, `3 way`; but `2214 W Brown Avenue` and, in lower-case text, `2214 w brown avenue`.
    let lower = note.case(at) == Case::Lower;
    let plain = ROADS.has(note, at);
    let points = DIRECTIONS.has(note, first + 1);
    let house = note.bytes(first).len() >= 2;
    let direction = words > 1
        && (note.bytes(first + 1).len() == 1 && note.case(first + 1) == Case::Upper
            || points && house && (plain || note.word(at) == "st"));
    // `37 Spray Drive`, `2081 Wood Road`: capitalised, or with an unambiguous street word; units are neither.
    let capitals = note.case(first + 1) == Case::Capital && note.case(at) == Case::Capital && !note.joined(first + 1);
    let written = capitals || plain && note.bytes(first + 1).len() >= 4 && lower && house;
    // `A 30-MINUTE WALK`
    let after = first + 1 + usize::from(note.is_mark(first + 1, b'-'));
    let measure = note.any(after, Classes::of(&[Class::Unit, Class::Duration]))
        && !ordinal
        && !direction
        && !written
        && !note.is(first + 1, Class::OrdinalWord);
    if !whole || measure || first > 0 && note.is_mark(first - 1, b'#') {
        return false;
    }
    // `418 station ave, eastbrook`: in lower case, the address begins a line or follows a comma, and ends at
    // punctuation or the line end.
    let place = Classes::of(&[Class::Surname, Class::PlacePart, Class::City]);
    let set_off = (note.token(first).line_start() || note.is_mark(first.wrapping_sub(1), b',')) && house;
    let ends = note.is_any_mark(at + 1, b",.") || note.ends_line(at + 1);
    let named = direction
        || plain && house && words <= 2
        || (first + 1..at).any(|word| is_on_no_word_list(note, word) || note.any(word, place));
    !lower || named || set_off && ends
}

/// Lists of words that are not street names even if capitalised.
const NEVER: Classes = Classes::of(&[
    Class::Unit,
    Class::Dose,
    Class::Month,
    Class::Weekday,
    Class::Stop,
    Class::Duration,
    Class::NumberWord,
    Class::OrdinalWord,
    Class::Brand,
]);

/// Lists of words that street names may contain.
const CALLED: Classes = Classes::of(&[Class::Surname, Class::FirstName, Class::City, Class::PlacePart]);

/// Finds a street at its number, if a name and a street suffix follow, both capitalised: `01234 Heather Inlet`,
/// `654 Ellis Corner`, `284 Aaron Villages Suite 4`.
pub(in crate::rules) fn find_numbered_street(note: &Note<'_>, number: usize, findings: &mut Findings) {
    let name = number + 1;
    let capital = |at: usize| note.case(at) == Case::Capital && note.gap(at) == Gap::Space && note.width(at) > 2;
    // `282/76 Alexander Crest` too, but not decimals.
    let plain = note.width(number) <= 6 && !note.bytes(number).contains(&b'.');
    if !capital(name) || !plain || note.token(name + 1).glued() || note.border_before(name) {
        return;
    }
    // `80 Hubbard-Brown Arcade`
    let double = note.is_mark(name + 1, b'-') && note.joined(name + 2) && note.case(name + 2) == Case::Capital;
    let last = name + 1 + 2 * usize::from(double);
    let end = extend_over_flat(note, last + 1);
    let street = is_street_suffix(note, last) || end > last + 1;
    let called = is_on_no_word_list(note, name) || note.any(name, CALLED) && !note.any(name, NEVER);
    if street && called && capital(last) && !note.is(last + 1, Class::EponymNoun) {
        findings.remove(number, end, Kind::Street, Certainty::Likely);
    }
}
