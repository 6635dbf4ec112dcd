//! Flats, suites and other parts of a building, with their number.

use super::street::is_name;
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Takes in `., Apt 4B`, `#12`, `Suite 300`, `Nr. 646 Bl. 86 Sc. 83 Ap. 584`.
pub(super) fn with_apartment(view: &View<'_>, mut end: usize) -> usize {
    for _ in 0..4 {
        let mut at = end;
        while view.is_any_mark(at, b".,") && view.same_line(at + 1) {
            at += 1;
        }
        if !UNITS.contains(&view.word(at)) || !view.same_line(at) {
            break;
        }
        at += 1;
        while view.is_any_mark(at, b".#") {
            at += 1;
        }
        let from = at;
        while at < from + 3
            && (view.is_number(at) || view.is_word(at) && view.bytes(at).len() == 1)
            && view.same_line(at)
        {
            at += 1;
        }
        if at == from {
            break;
        }
        // `#08-112`: the floor and the flat.
        if view.is_mark(at, b'-') && view.joined(at) && view.joined(at + 1) && view.is_number(at + 1) {
            at += 2;
        }
        end = at;
    }
    end
}

/// Parts of a building.
#[rustfmt::skip]
pub(super) const UNITS: [&str; 22] = [
    "apt", "apartment", "suite", "ste", "unit", "#", "no", "floor", "bldg", "level", "lot", "flat", "interior", "edif",
    "depto", "dpto", "nr", "bl", "sc", "ap", "piso", "esc",
];

/// Words that [`apartment`] looks for before a number.
#[rustfmt::skip]
pub(in crate::rules) const ROOMS: &[&str] = &[
    "no", "apt", "apartment", "suite", "ste", "studio", "interior", "depto", "dpto", "edif", "nr", "bl", "flat", "plot",
    "sector",
];

/// Anchor: a number. `Apt. 864`, `Suite 340`: an address without a street.
pub(in crate::rules) fn apartment(view: &View<'_>, number: usize, findings: &mut Findings) {
    let Some(mut at) = number.checked_sub(1) else { return };
    while view.is_any_mark(at, b"#.") && at > 0 && view.follows(at + 1) {
        at -= 1;
    }
    // Words that are rooms of the body and of hospitals too need their capital letter.
    // `H.No. 38`, an Indian house number.
    if view.word(at) == "no" && at > 1 && view.is_mark(at - 1, b'.') && view.word(at - 2) == "h" && view.joined(at) {
        findings.remove(at - 2, number + 1, Kind::Street, Certainty::Likely);
        return;
    }
    let kind =
        matches!(
            view.word(at),
            "apt" | "apartment" | "suite" | "ste" | "studio" | "interior" | "depto" | "dpto" | "edif"
        ) || matches!(view.word(at), "nr" | "bl") && view.case(at) == Case::Capital && view.is_mark(at + 1, b'.')
            || matches!(view.word(at), "plot" | "sector")
                && view.case(at) == Case::Capital
                && view.gap(number) == Gap::Space
            || view.word(at) == "flat" && view.case(at) == Case::Capital && !view.sentence_start(at);
    let other = !matches!(view.word(at), "studio" | "interior") || view.case(at) == Case::Capital;
    if kind && other && view.same_line(number) {
        let letter = view.token(number + 1).glued() && view.bytes(number + 1).len() == 1;
        let end = with_apartment(view, number + 1 + usize::from(letter));
        // `Studio 92u, Smith Flats`, `Suite 337 5 Smith Distributor`: the name of the house or the street behind it.
        let comma = usize::from(view.is_mark(end, b','));
        let house = end + comma + usize::from(view.is_number(end + comma) && view.gap(end + comma) == Gap::Space);
        let name_end = super::address::capitals(view, house, 3);
        let named = name_end > house + 1 && view.gap(house) == Gap::Space && is_name(view, house);
        let first = house_before(view, at);
        findings.remove(first, if named { name_end } else { end }, Kind::Street, Certainty::Likely);
    }
}

/// The number of the house before a flat, with the words between: `414 w juniper apt 6`, where nothing else says that it is a street.
fn house_before(view: &View<'_>, flat: usize) -> usize {
    let mut first = flat;
    while first > 0 && flat - first < 4 && view.gap(first) == Gap::Space {
        let before = first - 1;
        if view.is_number(before) && first < flat {
            let house = view.whole(before).is_some() && (2..=5).contains(&view.bytes(before).len());
            return if house { before } else { flat };
        }
        if !view.is_word(before) || view.any(before, Classes::of(&[Class::Stop, Class::Unit, Class::Dose])) {
            // `w` is a small word, a unit and a point of the compass.
            if !matches!(view.bytes(before), b"n" | b"s" | b"e" | b"w") {
                return flat;
            }
        }
        first = before;
    }
    flat
}
