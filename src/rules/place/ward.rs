//! Wards, rooms, beds and floors with their number: `unit 8D`, `ICU bed 12`, `Room: 9 East`.

use crate::rules::columns::{Around, Fact};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap, Kind as Kinds};
use crate::vocabulary::{Class, Classes};

fn is_direction(word: &str) -> bool {
    matches!(word, "north" | "south" | "east" | "west" | "n" | "s" | "e" | "w" | "center" | "tower" | "main")
}

/// Which of them may have a number or letters behind them, perhaps behind marks or `number`, or a name before them.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let numbered = around.behind(1, |next| {
        let letters = next.is(Fact::Upper) & next.is(Fact::UpToTwo);
        next.is(Fact::Number) | letters | next.is(Fact::Announces) | next.marks(b":#")
    });
    // The point of most ends the sentence.
    let point = around.behind(1, |next| next.mark(b'.'))
        & around.behind(2, |next| !next.is(Fact::Word) | next.is(Fact::Upper) | next.is(Fact::Announces));
    let name = !around.here().is(Fact::Upper) & around.before(1, |name| name.is(Fact::Capital));
    numbered | point | name
}

/// Anchor: a word for a ward, a room or a bed.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    called(view, at, findings);
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
        lettered(view, at, number, findings);
        return;
    }
    // `unit 2 of 3`, `units 5 mg`: a count or a dose.
    let mut end = number + 1;
    if view.is(end, Class::Unit) && !view.joined(end) && view.bytes(end).len() > 1 && view.word(end) != "unit" {
        return;
    }
    if view.is_word(end) && (view.token(end).glued() && view.bytes(end).len() == 1 || is_direction(view.word(end))) {
        end += 1;
    }
    // `302-415`, `4B-12`; an arrow is none.
    let part = view.is_word(end + 1) || view.is_number(end + 1);
    if part && view.is_mark(end, b'-') && view.joined(end) && view.joined(end + 1) && view.bytes(end + 1).len() <= 3 {
        end += 2;
    }
    // `ER 95% sats`; `ER 95 PR 60` are receptors, `fl 1+` is a tone.
    if view.is_any_mark(end, b"%+") || view.word(at) == "er" && matches!(view.word(end), "pr" | "her") {
        return;
    }
    findings.remove(number, moved(view, end), Kind::Ward, Certainty::Likely);
}

/// What begins with letters behind a word for a ward: `Locker C-40`, `bed A2`, `ward B`.
fn lettered(view: &View<'_>, at: usize, number: usize, findings: &mut Findings) {
    // `Locker C-40`, `Unit M-47`, `Housing B-214L`, `bed A2-17`
    let figure =
        usize::from(view.token(number + 1).glued() && view.is_number(number + 1) && view.width(number + 1) <= 2);
    let hyphen = number + 1 + figure;
    let cell = hyphen + 1;
    let code = view.is_word(number)
        && view.bytes(number).len() <= 2
        && view.case(number) == Case::Upper
        && view.gap(number) == Gap::Space
        && view.is_mark(hyphen, b'-')
        && view.joined(hyphen)
        && view.joined(cell)
        && view.whole(cell).is_some()
        && !(view.is(at, Class::Unit) && (view.word(at) == "units" || at > 0 && view.is_number(at - 1)));
    if code {
        let letter = usize::from(view.token(cell + 1).glued() && view.bytes(cell + 1).len() == 1);
        findings.remove(number, cell + 1 + letter, Kind::Ward, Certainty::Likely);
        return;
    }
    // `bed A2`: by a word for a ward such a letter and figure are a lead, a vertebra or a stage as often.
    let bed = matches!(view.word(at), "bed" | "beds" | "room" | "rooms" | "rm" | "bay" | "cubicle" | "bunk" | "locker");
    if bed && figure == 1 && number == at + 1 && single_capital(view, number) && !view.token(hyphen).glued() {
        findings.remove(number, hyphen, Kind::Ward, Certainty::Weak);
        return;
    }
    // `ward B`, `bed A`
    if number == at + 1 && single_capital(view, number) && !view.joined(number + 1) {
        findings.remove(number, number + 1, Kind::Ward, Certainty::Weak);
    }
}

/// `Room 302 -> 415`, `bed 12B > 14A`: where somebody came to. An arrow has up to three marks: `-->`, `>>`, `==>`.
fn moved(view: &View<'_>, end: usize) -> usize {
    let sign = view.token(end).kind == Kinds::Symbol && matches!(view.word(end), "→" | "➔" | "⇒");
    let mut to = end + usize::from(sign);
    while to < end + 3 && view.is_any_mark(to, b"-=>") && (to == end || view.joined(to)) {
        to += 1;
    }
    let arrow = to > end && view.is_mark(to - 1, b'>');
    let room = (arrow || sign) && view.same_line(to) && view.whole(to).is_some();
    if !room || view.width(to) > 4 || view.is(to + 1, Class::Unit) && !view.token(to + 1).glued() {
        return end;
    }
    to + 1 + usize::from(view.token(to + 1).glued() && view.width(to + 1) == 1)
}

/// `Bluebell Ward`, `Nightingale Wing`: a ward with a name, not `Surgical Ward` or `Locked Ward`.
fn called(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some(name) = at.checked_sub(1).filter(|_| matches!(view.word(at), "ward" | "wing")) else { return };
    let kind = Classes::of(&[
        Class::Clinical,
        Class::Term,
        Class::Literature,
        Class::WardNoun,
        Class::Level,
        Class::Stop,
        Class::PersonNoun,
        Class::Relative,
        Class::Facility,
        Class::NumberWord,
        Class::OrdinalWord,
    ]);
    let names = Classes::of(&[Class::Surname, Class::FirstName]);
    let borne = view.any(name, names) && crate::rules::name::lean(view, name) >= 7;
    // `on Larch ward`: in running text.
    let running = view.case(at) == Case::Lower && !view.sentence_start(name);
    let written =
        (view.case(at) == Case::Capital || running) && view.case(name) == Case::Capital && view.gap(at) == Gap::Space;
    let own = view.is_word(name) && view.bytes(name).len() > 2 && !super::is_kind(view, name);
    if written && own && (borne || !view.any(name, kind)) {
        findings.remove(name, at, Kind::Ward, Certainty::Likely);
    }
}

fn single_capital(view: &View<'_>, at: usize) -> bool {
    view.is_word(at) && view.bytes(at).len() == 1 && view.case(at) == Case::Upper && view.gap(at) == Gap::Space
}

/// Directions that a wing may have.
#[rustfmt::skip]
pub(in crate::rules) const DIRECTIONS: &[&str] =
    &["north", "south", "east", "west", "center", "tower", "main", "northeast", "northwest"];

/// Anchor: a number. `5 North`, `3 South`: a floor and a wing.
pub(in crate::rules) fn wing(view: &View<'_>, at: usize, findings: &mut Findings) {
    let next = at + 1;
    named(view, at, findings);
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

/// `taken to the Ellery 5 unit`, `a bed on Founders 9`, `to the 4 west unit`, `received pt from 6B`.
fn named(view: &View<'_>, number: usize, findings: &mut Findings) {
    let Some(before) = number.checked_sub(1).filter(|_| view.whole(number).is_some_and(|floor| floor < 60)) else {
        return;
    };
    let unit = |at: usize| matches!(view.word(at), "unit" | "ward" | "wing") && view.gap(at) == Gap::Space;
    let next = number + 1;
    let lettered = view.token(next).glued() && view.bytes(next).len() == 1;
    // `the 4 west unit`, `the Whitcomb 2 South unit`
    let direction = usize::from(is_direction(view.word(next)) && view.bytes(next).len() > 3 || lettered);
    let led = unit(next + direction);
    let capital = view.case(before) == Case::Capital && view.gap(number) == Gap::Space && view.is_word(before);
    let thing = Classes::of(&[
        Class::Brand,
        Class::Clinical,
        Class::Measurement,
        Class::Score,
        Class::Level,
        Class::Marker,
        Class::Month,
        Class::Stop,
        Class::Title,
        Class::Eponym,
        Class::Dose,
        Class::Unit,
    ]);
    let name = capital && !view.any(before, thing) && !view.sentence_start(before);
    if led && (name || direction > 0) {
        let first = if name { before } else { number };
        findings.remove(first, next + direction, Kind::Ward, Certainty::Likely);
        return;
    }
    let at = if name { before } else { number };
    let cue = at > 0 && matches!(view.word(at - 1), "on" | "to" | "from") && view.gap(at) <= Gap::Line
        || at > 0 && view.is_mark(at - 1, b':') && at > 1 && view.word(at - 2) == "location";
    let about = (at.saturating_sub(7)..at).any(|word| {
        matches!(
            view.word(word),
            "bed" | "floor" | "pt" | "patient" | "report" | "transfer" | "transferred" | "unit" | "location" | "moved"
        )
    });
    let over = |end: usize| {
        view.is_any_mark(end, b".,;)")
            || view.gap(end) >= Gap::Wide
            || matches!(view.word(end), "at" | "via" | "by" | "with" | "for" | "in" | "from" | "on" | "and")
    };
    if cue && about && (name && over(next) || lettered && !view.is(next, Class::Unit) && over(next + 1)) {
        findings.remove(at, next + usize::from(lettered), Kind::Ward, Certainty::Likely);
    }
}
