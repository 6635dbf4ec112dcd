//! Rooms, beds, wards and floors with their number: `unit 8D`, `ICU bed 12`, `Room: 302-415`, `Locker C-40`.

use crate::rules::engine::word_sets::word_is;
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{Case, Gap};
use crate::vocabulary::Class;

/// Finds the number after a word for a ward, a room or a bed.
pub(in crate::rules) fn find_ward_number(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let mut first = at + 1;
    while first < at + 5 && (note.is_any_mark(first, b":#.") || word_is!(note, first, "no" | "number" | "num")) {
        first += 1;
    }
    if !note.same_line(first) || word_is!(note, at, "er" | "units") {
        return;
    }
    // `Locker C-40`, `bed A2`
    let letter = note.is_word(first) && note.width(first) <= 2 && note.case(first) == Case::Upper;
    let mut end = first + usize::from(letter);
    let figures = note.integer(end).is_some() && (!letter || note.token(end).glued());
    end += usize::from(figures);
    let unit = figures && note.is(end, Class::Unit) && !note.joined(end) && note.width(end) > 1;
    if !(letter || figures) || unit || note.gap(first) > Gap::Space || note.is_any_mark(end, b"%+") {
        return;
    }
    // `8D`, `4 west`
    let wing =
        word_is!(note, end, "north" | "south" | "east" | "west") || note.token(end).glued() && note.width(end) == 1;
    end += usize::from(figures && wing);
    // `302-415`, `4B-12`
    let part = note.is_mark(end, b'-') && note.joined(end) && note.joined(end + 1) && note.width(end + 1) <= 3;
    let hyphen = part && (note.is_word(end + 1) || note.is_number(end + 1));
    end += if hyphen { 2 } else { 0 };
    if figures || hyphen {
        findings.remove(first, end_of_move(note, end), Kind::Ward, Certainty::Likely);
    } else if note.width(first) == 1 && first == at + 1 && !note.joined(end) {
        // `ward B`, `bed A`
        findings.remove(first, end, Kind::Ward, Certainty::Weak);
    }
}

/// Extends the end over the destination of a move: `Room 302 -> 415`, `bed 12 > 14`. An arrow has up to three marks:
/// `-->`, `>>`, `==>`.
fn end_of_move(note: &Note<'_>, end: usize) -> usize {
    let mut to = end + usize::from(word_is!(note, end, "→" | "➔" | "⇒"));
    while to < end + 3 && note.is_any_mark(to, b"-=>") && (to == end || note.joined(to)) {
        to += 1;
    }
    let arrow = to > end && !note.is_any_mark(to - 1, b"-=");
    let room = arrow && note.same_line(to) && note.integer(to).is_some() && note.width(to) <= 4;
    if room && !note.is(to + 1, Class::Unit) { to + 1 } else { end }
}
