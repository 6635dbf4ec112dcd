//! Rooms, beds, wards and floors with their number: `unit 8D`, `ICU bed 12`, `Room: 302-415`, `Locker C-40`.

use crate::rules::engine::word_sets::says;
use crate::rules::engine::{Certainty, Findings, Kind, View};
use crate::text::token::{Case, Gap};
use crate::vocabulary::Class;

/// Anchor: a word for a ward, a room or a bed.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut first = at + 1;
    while first < at + 5 && (view.is_any_mark(first, b":#.") || says!(view, first, "no" | "number" | "num")) {
        first += 1;
    }
    if !view.same_line(first) || says!(view, at, "er" | "units") {
        return;
    }
    // `Locker C-40`, `bed A2`
    let letter = view.is_word(first) && view.width(first) <= 2 && view.case(first) == Case::Upper;
    let mut end = first + usize::from(letter);
    let figures = view.whole(end).is_some() && (!letter || view.token(end).glued());
    end += usize::from(figures);
    let unit = figures && view.is(end, Class::Unit) && !view.joined(end) && view.width(end) > 1;
    if !(letter || figures) || unit || view.gap(first) > Gap::Space || view.is_any_mark(end, b"%+") {
        return;
    }
    // `8D`, `4 west`
    let wing = says!(view, end, "north" | "south" | "east" | "west") || view.token(end).glued() && view.width(end) == 1;
    end += usize::from(figures && wing);
    // `302-415`, `4B-12`
    let part = view.is_mark(end, b'-') && view.joined(end) && view.joined(end + 1) && view.width(end + 1) <= 3;
    let hyphen = part && (view.is_word(end + 1) || view.is_number(end + 1));
    end += if hyphen { 2 } else { 0 };
    if figures || hyphen {
        findings.remove(first, moved(view, end), Kind::Ward, Certainty::Likely);
    } else if view.width(first) == 1 && first == at + 1 && !view.joined(end) {
        // `ward B`, `bed A`
        findings.remove(first, end, Kind::Ward, Certainty::Weak);
    }
}

/// `Room 302 -> 415`, `bed 12 > 14`: where somebody came to. An arrow has up to three marks: `-->`, `>>`, `==>`.
fn moved(view: &View<'_>, end: usize) -> usize {
    let mut to = end + usize::from(says!(view, end, "→" | "➔" | "⇒"));
    while to < end + 3 && view.is_any_mark(to, b"-=>") && (to == end || view.joined(to)) {
        to += 1;
    }
    let arrow = to > end && !view.is_any_mark(to - 1, b"-=");
    let room = arrow && view.same_line(to) && view.whole(to).is_some() && view.width(to) <= 4;
    if room && !view.is(to + 1, Class::Unit) { to + 1 } else { end }
}
