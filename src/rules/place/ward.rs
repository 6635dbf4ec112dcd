//! Wards, rooms, beds and floors with their number: `Unit 6B`, `ICU bed 7`, `ROOM: 5 North`.

use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::Class;

fn is_direction(word: &str) -> bool {
    matches!(word, "north" | "south" | "east" | "west" | "n" | "s" | "e" | "w" | "center" | "tower" | "main")
}

/// Anchor: a word for a ward, a room or a bed.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut number = at + 1;
    while view.is_any_mark(number, b":#.") {
        number += 1;
    }
    if matches!(view.word(number), "no" | "number" | "num") {
        number += 1;
        while view.is_any_mark(number, b":#.") {
            number += 1;
        }
    }
    if !view.same_line(number) || !view.is_number(number) || view.whole(number).is_none() {
        // `ward B`, `bed A`
        if number == at + 1 && single_capital(view, number) && !view.joined(number + 1) {
            findings.remove(number, number + 1, Kind::Ward, Certainty::Weak);
        }
        return;
    }
    // `unit 2 of 3`, `units 5 mg`: a count or a dose.
    let mut end = number + 1;
    if view.is(end, Class::Unit) && !view.joined(end) && view.bytes(end).len() > 1 {
        return;
    }
    if view.is_word(end) && (view.token(end).glued() && view.bytes(end).len() == 1 || is_direction(view.word(end))) {
        end += 1;
    } else if view.is_mark(end, b'-') && view.joined(end) && view.joined(end + 1) && view.bytes(end + 1).len() <= 3 {
        end += 2;
    }
    findings.remove(number, end, Kind::Ward, Certainty::Likely);
}

fn single_capital(view: &View<'_>, at: usize) -> bool {
    view.is_word(at) && view.bytes(at).len() == 1 && view.case(at) == Case::Upper && view.gap(at) == Gap::Space
}

/// Anchor: a number. `5 North`, `3 South`: a floor and a wing.
pub(in crate::rules) fn wing(view: &View<'_>, at: usize, findings: &mut Findings) {
    let next = at + 1;
    let wing = view.whole(at).is_some_and(|floor| floor < 30)
        && view.capitalised(next)
        && view.bytes(next).len() > 3
        && view.gap(next) == Gap::Space
        && matches!(
            view.word(next),
            "north" | "south" | "east" | "west" | "center" | "tower" | "northeast" | "northwest"
        );
    // `5 North Street` is a street, and says so itself.
    if wing && !view.is(next + 1, Class::StreetType) && !view.is(next + 2, Class::StreetType) {
        findings.remove(at, next + 1, Kind::Ward, Certainty::Likely);
    }
}
