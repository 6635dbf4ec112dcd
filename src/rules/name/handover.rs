//! Names in lists to hand over, on boards and in tables: `3) Long: GIB`, `Rm 304A Gray - sepsis`, `Bed 4: Frost`, `| Marsh, Joy |`.
//!
//! `form` asks them; which words are asked, says `bare`.

use super::bare::KNOWN;
use super::duty::is_somebody;
use super::form::{MEDICINE, borne, is_borne, is_given};
use super::{NAMES, is_unlisted, lean};
use crate::rules::View;
use crate::rules::view::says;
use crate::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// `Stone DNR.`, `Price DNA`, `Dawn POD 3`, `Dawn D5`: who is not to be resuscitated, fasts, did not come, was operated on.
pub(super) fn with_a_code(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    let code = says!(view, next, "dnr" | "dni" | "dnacpr" | "npo" | "oob" | "nbm" | "dna" | "lwbs" | "dnka");
    let over = view.is_any_mark(next + 1, b".,;/") || view.ends_line(next + 1) || view.case(next + 1) == Case::Lower;
    // `Hazel G2P1`
    let births = says!(view, next, "g") && view.token(next + 1).glued() && says!(view, next + 2, "p");
    let day = says!(view, next, "pod" | "dol" | "hod") && view.is_number(next + 1)
        || says!(view, next, "d") && view.token(next + 1).glued() && view.token(at).line_start();
    let person = view.ranks(at).surname >= 10 && borne(view, at, 10) && lean(view, at) >= 2 || is_given(view, at);
    (code && over || day || births).then_some(next).filter(|_| {
        person && !says!(view, at, "still") && view.case(next) == Case::Upper && view.gap(next) == Gap::Space
    })
}

/// `Night: Winter x4410`: who is on duty, before the extension.
pub(super) fn with_an_extension(view: &View<'_>, at: usize, mark: u8) -> Option<usize> {
    let next = at + 1;
    let dialled = says!(view, next, "x" | "ext" | "extn" | "pager" | "beeper" | "bleep") && view.is_number(next + 1);
    let begins = mark == b':' || mark == b',' || view.sentence_start(at);
    let person = view.ranks(at).surname >= 9 && borne(view, at, 9) && lean(view, at) >= 2;
    (dialled && begins && person && view.width(next + 1) > 2).then_some(next)
}

/// `Hope S.: 3 y, cough`, `Will T: rash`: a first name and the letter of the family name, as a label; `Grace P - sore throat`,
/// `seen with Grace B.`: of a name that is seldom a word, before a mark, the end of the line or a word in small letters.
pub(super) fn lettered(view: &View<'_>, at: usize) -> Option<usize> {
    let letter = at + 1;
    let next = letter + 1 + usize::from(view.is_mark(letter + 1, b'.'));
    if view.gap(letter) != Gap::Space || view.token(letter + 1).glued() {
        return None;
    }
    let label = view.is_mark(next, b':') && view.sentence_start(at);
    let given = view.ranks(at).first_name >= 10
        && (!view.is(at, Class::Stop) || says!(view, at, "will"))
        && !view.any(at, Classes::of(&[Class::Clinical, Class::Measurement, Class::Score]));
    let over = view.is_any_mark(letter + 1, b".,;)(") || is_dash(view, next) || view.ends_line(letter + 1);
    let goes_on = view.case(next) == Case::Lower && view.gap(next) == Gap::Space;
    let seldom = is_given(view, at) && is_somebody(view, at, 10) && lean(view, at) >= 4;
    // `Summer P - rash`
    let item = given && is_dash(view, letter + 1) && view.token(at).line_start();
    let closed = (over || goes_on) && seldom && !says!(view, letter, "a" | "i" | "l" | "r" | "x");
    let closed = closed || over && seldom && says!(view, letter, "a") && view.ends_line(next);
    (label && given || item || closed).then_some(letter + 1)
}

/// `Bed 4 Frost CHF`, `4B Frost CHF, lasix`: who lies there, and why in letters.
pub(super) fn lies_there(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    let letter = usize::from(view.token(at.wrapping_sub(1)).glued() && view.width(at.wrapping_sub(1)) == 1);
    let number = at.checked_sub(1 + letter).filter(|&number| view.whole(number).is_some_and(|bed| bed < 1000))?;
    let bed = number > 0 && is_bed(view, number - 1) || letter == 1 && view.token(number).line_start();
    let code = view.case(next) == Case::Upper && (2..6).contains(&view.width(next)) && view.gap(next) == Gap::Space;
    let person = view.ranks(at).surname >= 11 && is_borne(view, at, 11) && lean(view, at) >= 2;
    (bed && code && person && view.gap(at) == Gap::Space && !view.is(next, Class::WardNoun)).then_some(next)
}

/// `3) Long: GIB`, `6) Green - sundowning`, `1) Frost 4N-12`: an item of a list to hand over.
pub(super) fn listed(view: &View<'_>, at: usize) -> Option<usize> {
    const OTHER: Classes =
        MEDICINE.or(Classes::of(&[Class::Counted, Class::EponymNoun, Class::Relative, Class::Facility]));
    let next = at + 1;
    let number = at.checked_sub(2).filter(|&number| view.whole(number).is_some() && view.joined(at - 1))?;
    if !view.token(number).line_start() || view.gap(at) != Gap::Space {
        return None;
    }
    let dash = is_dash(view, next);
    let bed = view.is_number(next) && view.token(next + 1).glued() && view.gap(next) == Gap::Space;
    let person = view.ranks(at).surname >= 12 && lean(view, at) >= 5 && borne(view, at, 12) && !view.any(at, OTHER);
    ((dash || bed || view.is_mark(next, b':')) && person).then_some(next)
}

/// `Frost - CHF - lasix`, `Frost: CHF`, `Frost/CHF/lasix`, `Frost (CHF)`: a line to hand over that begins with a name, and why they
/// are there in letters.
pub(super) fn heads_a_line(view: &View<'_>, at: usize) -> Option<usize> {
    const OTHER: Classes =
        MEDICINE.or(Classes::of(&[Class::EponymNoun, Class::Organism, Class::Facility, Class::StreetType]));
    let (mark, why) = (at + 1, at + 2);
    if !view.token(at).line_start()
        || !matches!(view.case(why), Case::Upper | Case::Mixed)
        || !(2..7).contains(&view.width(why))
    {
        return None;
    }
    let slashes = view.is_mark(mark, b'/') && view.joined(mark) && view.joined(why) && view.is_mark(why + 1, b'/');
    let bracket = view.is_mark(mark, b'(') && view.is_mark(why + 1, b')');
    let held = slashes || bracket || is_dash(view, mark) || view.is_mark(mark, b':') && view.same_line(why);
    let ill = view.any(why, Classes::of(&[Class::Clinical, Class::Term])) && !view.is(why, Class::Stop);
    let person = view.ranks(at).surname >= 13 && lean(view, at) >= 7 && borne(view, at, 13) && !view.any(at, OTHER);
    (held && ill && person).then_some(mark)
}

/// `Winters - watch lytes` above `Pope - family meeting`: lines that begin with a name and a dash, one of which is more often a name.
pub(super) fn heads_one_of_lines(view: &View<'_>, at: usize) -> Option<usize> {
    const REACH: usize = 24;
    const OTHER: Classes = MEDICINE.or(Classes::of(&[Class::Link, Class::WardNoun]));
    let headed = |at: usize| view.token(at).line_start() && view.case(at) == Case::Capital && is_dash(view, at + 1);
    let called = |at: usize| is_somebody(view, at, 11) && lean(view, at) >= 5 || is_unlisted(view, at);
    let other = |line: usize| headed(line) && line != at && view.any(line, NAMES) && called(line);
    let person = headed(at) && is_borne(view, at, 10) && !view.any(at, OTHER);
    (person && (at.saturating_sub(REACH)..at + REACH).any(other)).then_some(at + 1)
}

/// `Grace: fever, cough`, `Grace - fever`, `Grace (3), cough`: the same with a first name, and what they have in small letters or how old
/// they are.
pub(super) fn heads_a_line_given(view: &View<'_>, at: usize) -> Option<usize> {
    const ILL: Classes = Classes::of(&[Class::Clinical, Class::Term]);
    let (mark, why) = (at + 1, at + 2);
    if !view.sentence_start(at) || !is_given(view, at) || view.any(at, ILL) {
        return None;
    }
    let aged = view.is_mark(mark, b'(') && view.whole(why).is_some_and(|age| age < 120) && {
        let years = says!(view, why + 1, "y" | "yo" | "m" | "f" | "mo");
        view.is_mark(why + 1 + usize::from(years), b')')
    };
    let held = is_dash(view, mark) || view.is_any_mark(mark, b":;") && view.joined(mark) && view.gap(why) == Gap::Space;
    let ill = view.case(why) == Case::Lower && view.any(why, ILL) && !view.is(why, Class::Stop) && view.same_line(why);
    let called = view.ranks(at).first_name >= 12 && lean(view, at) >= 7 && view.token(at).line_start();
    (aged && lean(view, at) >= 2 || held && ill && called).then_some(mark)
}

/// `| Marsh, Joy |`, `| Bush, R |`: a cell in the order of lists.
pub(super) fn in_a_cell(view: &View<'_>, at: usize) -> Option<usize> {
    let (comma, given) = (at + 1, at + 2);
    let letter = view.width(given) == 1 && view.capitalised(given);
    let named = letter && borne(view, at, 8)
        || is_borne(view, at, 8) && (is_borne(view, given, 8) || is_unlisted(view, given)) && view.capitalised(given);
    let end = given + 1 + usize::from(letter && view.is_mark(given + 1, b'.'));
    let closed = view.is_mark(comma, b',') && view.is_word(given) && view.is_mark(end, b'|');
    (closed && named).then_some(given + 1)
}

fn is_bed(view: &View<'_>, at: usize) -> bool {
    says!(view, at, "bed" | "room" | "rm" | "bay")
}

/// Bed 4: Frost - stable; Bed 4 Frost: stable; Frost (bed 4)
pub(super) fn in_a_bed(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    let labelled = at > 2 && view.is_mark(at - 1, b':') && view.is_number(at - 2) && is_bed(view, at - 3)
        || at > 1 && view.is_mark(next, b':') && view.is_number(at - 1) && is_bed(view, at - 2);
    let behind =
        view.is_mark(next, b'(') && is_bed(view, next + 1) && view.is_number(next + 2) && view.sentence_start(at);
    let least = if behind { 0 } else { 4 };
    let goes_on = view.is_word(next) && !view.ends_line(next) && !says!(view, next, "for" | "needs" | "to");
    let held = labelled && !goes_on || behind;
    (held && borne(view, at, 9) && lean(view, at) >= least).then_some(next)
}

/// `Frost bed 3 sick`, `Grace yr 4, asthma`: at the start of a line.
pub(super) fn before_a_bed(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    let bed = is_bed(view, next) || says!(view, next, "cubicle" | "chair" | "yr" | "year");
    let lower = view.case(next) == Case::Lower;
    (bed && lower && view.is_number(next + 1) && view.token(at).line_start() && is_somebody(view, at, 10))
        .then_some(next)
}

/// Rm 304A Gray - sepsis; Rm 302 Woods 30M
pub(super) fn in_a_room(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    let room = at > 1 && view.is_number(at - 1) && is_bed(view, at - 2)
        || at > 2 && view.token(at - 1).glued() && view.is_number(at - 2) && is_bed(view, at - 3);
    if !room {
        return None;
    }
    let dash = is_dash(view, next);
    let sex = view.is_number(next) && view.token(next + 1).glued() && says!(view, next + 1, "m" | "f");
    let over = dash || sex || view.is_any_mark(next, b",(");
    (over && view.gap(at) == Gap::Space && is_borne(view, at, 9)).then_some(next)
}

/// Rm 6 - Black - sepsis
pub(super) fn behind_a_room(view: &View<'_>, at: usize) -> Option<usize> {
    let number = at.checked_sub(2)?;
    let letter = usize::from(view.token(number).glued());
    let room = view.is_number(number) && is_bed(view, number.wrapping_sub(1))
        || letter == 1 && number > 1 && view.is_number(number - 1) && is_bed(view, number - 2);
    (room && is_dash(view, at - 1) && is_dash(view, at + 1) && is_borne(view, at, 9)).then_some(at + 1)
}

/// A hyphen or a dash with white space on both sides.
pub(super) fn is_dash(view: &View<'_>, at: usize) -> bool {
    let dash = view.is_mark(at, b'-') || view.token(at).kind == Kind::Symbol && matches!(view.word(at), "–" | "—");
    dash && !view.joined(at) && !view.joined(at + 1)
}

/// Bird 302 - chest pain: the room behind the name, in a list to hand over.
pub(super) fn before_a_room(view: &View<'_>, at: usize) -> Option<usize> {
    let room = at + 1;
    let listed = view.whole(room).is_some()
        && view.width(room) == 3
        && view.gap(room) == Gap::Space
        && view.is_mark(room + 1, b'-')
        && !view.joined(room + 1)
        && !view.joined(room + 2)
        && view.token(at).sentence_start();
    (listed && borne(view, at, 9) && lean(view, at) >= 0).then_some(room)
}

/// `Justice 12, Heaven 9`: brothers and sisters and how old each is.
pub(super) fn aged_in_turn(view: &View<'_>, at: usize) -> Option<usize> {
    let one = |at: usize| {
        is_given(view, at) && view.whole(at + 1).is_some_and(|age| age < 100) && view.gap(at + 1) == Gap::Space
    };
    let comma = |at: usize| view.is_mark(at, b',') && view.gap(at + 1) == Gap::Space;
    let pair = comma(at + 2) && one(at + 3) || at > 2 && comma(at - 1) && one(at - 3);
    (one(at) && pair).then_some(at + 1)
}

/// `Brooks 71 CAP`, `Grace 17 T1`, `Grace 37+2 in labour`: a line that begins with a name, how old they are and what they have in
/// letters, how far they are.
pub(super) fn aged_and_ill(view: &View<'_>, at: usize) -> Option<usize> {
    let (age, why) = (at + 1, at + 2);
    let aged = view.whole(age).is_some_and(|age| (1..110).contains(&age)) && view.gap(age) == Gap::Space;
    let letters = view.case(why) == Case::Upper && view.gap(why) == Gap::Space;
    let unit = view.is(why, Class::Unit) && view.width(why) < 3 || says!(view, why, "cgy" | "mcg" | "tab" | "tabs");
    // `Gleason 3+4`
    let weeks = view.whole(age).is_some_and(|weeks| (20..44).contains(&weeks))
        && view.is_mark(why, b'+')
        && view.joined(why)
        && view.whole(why + 1).is_some_and(|day| day < 7);
    let held = aged && (letters && !unit || weeks);
    (held && view.token(at).line_start() && is_somebody(view, at, 11)).then_some(age)
}

/// `Case, Cross, Lund.`: three and more that many bear, of which one is no word.
pub(super) fn several(view: &View<'_>, at: usize) -> Option<usize> {
    const MOST: usize = 10;
    const OTHER: Classes = Classes::of(&[Class::Brand, Class::Organism, Class::Country, Class::Month]);
    if view.is_mark(at.wrapping_sub(1), b',') {
        return None;
    }
    let (mut end, mut words, mut sure) = (at, 0, false);
    while end < at + MOST {
        let unlisted = is_unlisted(view, end) && view.any(end, NAMES);
        let name = unlisted || view.ranks(end).surname >= 10 && is_borne(view, end, 10) && !view.any(end, OTHER);
        if !name || view.case(end) != Case::Capital || view.any(end, KNOWN) || view.gap(end) > Gap::Space {
            break;
        }
        sure |= unlisted;
        words += 1;
        end += 1;
        if !view.is_mark(end, b',') || view.gap(end + 1) > Gap::Space {
            break;
        }
        end += 1;
    }
    let over = view.is_any_mark(end, b".;)") || view.ends_line(end);
    (words > 2 && sure && over).then_some(end)
}
