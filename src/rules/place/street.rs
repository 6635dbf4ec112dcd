//! Streets with their number, post office boxes, apartments.

use super::is_unlisted;
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// How many words a street's name may have.
const MOST: usize = 5;

/// Anchor: a word for a street. The words before it up to a number are its name.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut first = at;
    let mut numbered = false;
    let mut words = 0;
    while first > 0 && words < MOST {
        let before = first - 1;
        let near = matches!(view.gap(first), Gap::None | Gap::Space | Gap::Line);
        if !near {
            break;
        }
        if view.is_number(before) {
            first = before;
            numbered = true;
            break;
        }
        if view.is_mark(before, b'.') && before > 0 && view.bytes(before - 1).len() <= 2 || view.is_mark(before, b'-') {
            first = before;
            continue;
        }
        if !view.is_word(before) || view.is(before, Class::Stop) && view.case(before) == Case::Lower {
            break;
        }
        if view.case(before) == Case::Lower && view.capitalised(at) {
            break;
        }
        first = before;
        words += 1;
    }
    // `129th Street`: the number may be the name.
    if !numbered {
        let named = first < at && view.capitalised(at) && view.capitalised(at - 1) && is_name(view, at - 1);
        if named && matches!(view.word(first.wrapping_sub(1)), "on" | "at" | "of" | "near" | "corner") {
            findings.remove(at - 1, at + 1, Kind::Street, Certainty::Likely);
        }
        return;
    }
    let ordinal = words == 1 && matches!(view.word(first + 1), "st" | "nd" | "rd" | "th");
    let whole = view.whole(first).is_some() && (words > 0 || ordinal);
    // `2 L dr`, `3 way`; but `7378 W Gray Avenue` and, where nothing has capitals, `7378 w gray avenue`.
    let lower = view.case(at) == Case::Lower;
    let plain = matches!(
        view.word(at),
        "street"
            | "avenue"
            | "ave"
            | "road"
            | "rd"
            | "lane"
            | "ln"
            | "boulevard"
            | "blvd"
            | "drive"
            | "parkway"
            | "court"
            | "terrace"
    );
    let points = matches!(view.bytes(first + 1), b"n" | b"s" | b"e" | b"w" | b"ne" | b"nw" | b"se" | b"sw");
    let house = view.bytes(first).len() >= 2;
    let direction = words > 1
        && (view.bytes(first + 1).len() == 1 && view.case(first + 1) == Case::Upper
            || points && house && (plain || view.word(at) == "st"));
    // `99 Spray Drive`, `6614 Wood Road`: a capital letter and a word for nothing but a street; units have neither.
    let written =
        plain && view.bytes(first + 1).len() >= 4 && (view.case(first + 1) == Case::Capital || lower && house);
    let measure =
        view.any(first + 1, Classes::of(&[Class::Unit, Class::Duration])) && !ordinal && !direction && !written;
    if !whole || measure || first > 0 && view.is_mark(first - 1, b'#') {
        return;
    }
    let named = direction || plain && house && words <= 2;
    if lower && !named && !(first + 1..at).any(|word| is_unlisted(view, word) || view.is(word, Class::Surname)) {
        return;
    }
    let end = with_apartment(view, at + 1);
    findings.remove(first, end, Kind::Street, Certainty::Likely);
}

fn is_name(view: &View<'_>, at: usize) -> bool {
    is_unlisted(view, at) || view.any(at, Classes::of(&[Class::Surname, Class::FirstName, Class::City]))
}

/// Takes in `., Apt 4B`, `#12`, `Suite 300`.
fn with_apartment(view: &View<'_>, end: usize) -> usize {
    let mut at = end;
    while view.is_any_mark(at, b".,") && view.same_line(at + 1) {
        at += 1;
    }
    let unit = matches!(view.word(at), "apt" | "apartment" | "suite" | "ste" | "unit" | "#" | "no" | "floor" | "bldg");
    if !unit || !view.same_line(at) {
        return end;
    }
    at += 1;
    while view.is_any_mark(at, b".#") {
        at += 1;
    }
    let from = at;
    while at < from + 3 && (view.is_number(at) || view.is_word(at) && view.bytes(at).len() == 1) && view.same_line(at) {
        at += 1;
    }
    if at > from { at } else { end }
}

/// Anchor: a number. `Apt. 864`, `Suite 340`: an address without a street.
pub(in crate::rules) fn apartment(view: &View<'_>, number: usize, findings: &mut Findings) {
    let Some(mut at) = number.checked_sub(1) else { return };
    while view.is_any_mark(at, b"#.") && at > 0 && view.follows(at + 1) {
        at -= 1;
    }
    if matches!(view.word(at), "apt" | "apartment" | "suite" | "ste") && view.same_line(number) {
        let letter = view.token(number + 1).glued() && view.bytes(number + 1).len() == 1;
        findings.remove(at, number + 1 + usize::from(letter), Kind::Street, Certainty::Likely);
    }
}

/// Anchor: a number. A post office box is `P.O.`, `PO` or `Post Office`, `Box` and the number.
pub(in crate::rules) fn post_box(view: &View<'_>, number: usize, findings: &mut Findings) {
    let Some(mut at) = number.checked_sub(1) else { return };
    if view.is_any_mark(at, b"#:.") && at > 0 {
        at -= 1;
    }
    if view.word(at) != "box" || !view.follows(number) {
        return;
    }
    let mut first = at;
    let mut letters = 0;
    while first > 0 && letters < 2 && view.same_line(first) {
        let before = first - 1;
        match view.word(before) {
            "p" | "o" => letters += 1,
            "po" | "post" | "office" => letters = 2,
            "." => {}
            _ => break,
        }
        first = before;
    }
    if letters == 2 {
        findings.remove(first, number + 1, Kind::Street, Certainty::Sure);
    }
}
