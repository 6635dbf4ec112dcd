//! Names of which the form leaves no doubt, whatever their words mean: a nickname in quotes, `Dear Art:`, `Colt 22M`,
//! `Rivers-Green`, `Rm 304A Gray - sepsis`, `BLOOM, IRIS` in a line that is not all capitals.
//!
//! Behind such a name stands a mark, a number or nothing. Which words are asked, says `bare`.

use super::bare::{KNOWN, NO_NAME, is_family_name};
use super::duty::{
    before_a_dash, before_a_house, before_a_status, before_a_task, before_who, behind_a_duty, did_it,
    in_a_numbered_room, in_a_row, in_training, is_somebody, with_a_role,
};
use super::handover::{
    aged_and_ill, aged_in_turn, before_a_bed, before_a_room, behind_a_room, heads_a_line, heads_a_line_given,
    heads_one_of_lines, in_a_bed, in_a_cell, in_a_room, is_dash, lettered, lies_there, listed, several, with_a_code,
    with_an_extension,
};
use super::{NAMES, is_shouted, is_unlisted, lean};
use crate::rules::View;
use crate::rules::number::Shape;
use crate::rules::view::{WordSet, says};
use crate::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// Lists of words that stand with a figure or a capital letter and are nobody.
pub(super) const MEDICINE: Classes =
    Classes::of(&[Class::Clinical, Class::Measurement, Class::Score, Class::Dose, Class::Brand]);

/// One past the name that begins with the word, if its form says that it is one.
pub(super) fn end_of(view: &View<'_>, at: usize) -> Option<usize> {
    if view.is_word(at + 1) && view.gap(at + 1) < Gap::Line {
        return if view.case(at) == Case::Capital { before_a_word(view, at) } else { None };
    }
    match view.case(at) {
        Case::Upper => in_capitals(view, at),
        // `Dear Sue,`: the word of the greeting.
        Case::Capital if says!(view, at, "dear") && view.token(at).line_start() => None,
        Case::Capital => behind(view, at).or_else(|| before(view, at)),
        _ => None,
    }
}

/// What stands before the name says that it is one.
fn behind(view: &View<'_>, at: usize) -> Option<usize> {
    let before = view.token(at.wrapping_sub(1));
    match before.mark() {
        0 if before.kind == Kind::Number => in_a_bed(view, at).or_else(|| in_a_room(view, at)),
        0 if before.kind == Kind::Symbol => behind_a_room(view, at),
        0 => greeted(view, at).or_else(|| in_a_room(view, at)),
        b'-' => behind_a_room(view, at).or_else(|| behind_a_duty(view, at)),
        b':' if view.is_number(at.wrapping_sub(2)) => {
            in_a_bed(view, at).or_else(|| listed(view, at)).or_else(|| in_a_row(view, at))
        }
        b':' => valued(view, at).or_else(|| behind_a_duty(view, at)).or_else(|| in_a_row(view, at)),
        b',' => in_a_row(view, at),
        b'(' => behind_a_duty(view, at),
        b'/' => second(view, at).or_else(|| behind_a_duty(view, at)),
        b')' | b'.' => listed(view, at),
        b'|' => in_a_cell(view, at),
        _ => None,
    }
}

/// What stands behind it says so.
fn before(view: &View<'_>, at: usize) -> Option<usize> {
    let next = view.token(at + 1);
    if view.ends_line(at + 1)
        && let Some(end) = signed(view, at)
    {
        return Some(end);
    }
    match next.mark() {
        0 if next.kind == Kind::Number => before_a_room(view, at)
            .or_else(|| before_a_time(view, at))
            .or_else(|| before_a_sex(view, at))
            .or_else(|| before_a_telephone(view, at))
            .or_else(|| aged_in_turn(view, at))
            .or_else(|| aged_and_ill(view, at)),
        b'"' => nickname(view, at).or_else(|| quoted(view, at)),
        b'(' => in_a_bed(view, at)
            .or_else(|| with_a_role(view, at))
            .or_else(|| heads_a_line(view, at))
            .or_else(|| in_training(view, at))
            .or_else(|| heads_a_line_given(view, at)),
        b':' => speaks(view, at)
            .or_else(|| did_it(view, at))
            .or_else(|| heads_a_line(view, at))
            .or_else(|| heads_a_line_given(view, at)),
        b';' => heads_a_line_given(view, at),
        b',' => spoken_to(view, at)
            .or_else(|| before_who(view, at, at + 2))
            .or_else(|| last_first(view, at))
            .or_else(|| before_number(view, at))
            .or_else(|| born(view, at, at + 2))
            .or_else(|| several(view, at)),
        b'/' => two_who_did_it(view, at).or_else(|| heads_a_line(view, at)),
        b'-' => double(view, at)
            .or_else(|| heads_a_line(view, at))
            .or_else(|| before_a_dash(view, at))
            .or_else(|| handed_over(view, at, at + 3))
            .or_else(|| before_a_task(view, at))
            .or_else(|| heads_a_line_given(view, at))
            .or_else(|| heads_one_of_lines(view, at)),
        b'^' => in_a_segment(view, at),
        b'>' => handed_over(view, at, at + 2),
        b'@' => before_a_time(view, at),
        b'.' => alone(view, at),
        b'?' => before_a_task(view, at).or_else(|| called(view, at)),
        _ => None,
    }
}

/// `Brooks^Hope`
fn in_a_segment(view: &View<'_>, at: usize) -> Option<usize> {
    let (caret, given) = (at + 1, at + 2);
    let joined = view.joined(caret) && view.joined(given) && view.case(given) == Case::Capital;
    (joined && is_borne(view, at, 8) && is_borne(view, given, 8)).then_some(given + 1)
}

/// `Brooks, BB`, `Brooks, Baby Boy`, `Brooks twin B`: a child without a name of its own.
fn born(view: &View<'_>, at: usize, child: usize) -> Option<usize> {
    let twin = says!(view, child, "twin" | "triplet") && view.width(child + 1) == 1 && view.capitalised(child + 1);
    let label = child > at + 1
        && (says!(view, child, "bb" | "bg") && view.case(child) == Case::Upper
            || says!(view, child, "baby" | "infant") && says!(view, child + 1, "boy" | "girl" | "a" | "b"));
    ((twin || label) && view.gap(child) == Gap::Space && is_borne(view, at, 9) && lean(view, at) >= 0).then_some(at + 1)
}

/// `Brooks -> Weaver`, `Brooks > Weaver`: who hands over to whom.
fn handed_over(view: &View<'_>, at: usize, other: usize) -> Option<usize> {
    let mark = other - 1;
    let arrow = view.is_mark(mark, b'>') && (mark == at + 1 || view.is_mark(at + 1, b'-') && view.joined(mark));
    let person = |at: usize| view.case(at) == Case::Capital && (is_somebody(view, at, 10) || is_unlisted(view, at));
    (arrow && view.same_line(other) && person(at) && person(other)).then_some(at + 1)
}

/// `Brooks for Weaver`, alone in its line or sentence: who stands in for whom.
fn covering(view: &View<'_>, at: usize) -> Option<usize> {
    let (next, other) = (at + 1, at + 2);
    let over = view.is_any_mark(other + 1, b".,;)") || view.ends_line(other + 1);
    let person =
        |at: usize| view.case(at) == Case::Capital && is_somebody(view, at, 10) && view.ranks(at).surname >= 10;
    (says!(view, next, "for") && over && view.sentence_start(at) && person(at) && person(other)).then_some(next)
}

/// `Brooks 555-0123`
fn before_a_telephone(view: &View<'_>, at: usize) -> Option<usize> {
    let (number, hyphen) = (at + 1, at + 2);
    let digits = view.whole(number).is_some() && view.width(number) == 3 && view.gap(number) == Gap::Space;
    let dialled =
        view.is_mark(hyphen, b'-') && view.joined(hyphen) && view.joined(hyphen + 1) && view.width(hyphen + 1) == 4;
    (digits && dialled && view.is_number(hyphen + 1) && is_somebody(view, at, 10)).then_some(number)
}

/// Whether so many people bear the word as a name, base-2 logarithm, and it is no clinical shorthand.
pub(super) fn borne(view: &View<'_>, at: usize, least: u8) -> bool {
    is_borne(view, at, least) && !view.is(at, Class::Unit)
}

/// Lists of words that are nobody's name in nearly all forms.
pub(super) const NEVER: Classes = Classes::of(&[Class::Stop, Class::Measurement, Class::Dose]);

/// The same where the word may be a unit too: `Gray`, `Wood`.
pub(super) fn is_borne(view: &View<'_>, at: usize, least: u8) -> bool {
    let ranks = view.ranks(at);
    ranks.surname.max(ranks.first_name) >= least && view.any(at, NAMES) && !view.any(at, NEVER)
}

/// Two words in capitals with a comma, each borne by many, in a line that is not all capitals; `BISHOP^GRANT`.
fn in_capitals(view: &View<'_>, at: usize) -> Option<usize> {
    let (next, given) = (at + 1, at + 2);
    let borne = |at: usize, rank: u8| rank >= 8 && view.width(at) > 2 && view.any(at, NAMES) && !view.any(at, NO_NAME);
    let caret = view.is_mark(next, b'^') && view.joined(given);
    let listed = (view.is_mark(next, b',') || caret)
        && view.joined(next)
        && view.case(given) == Case::Upper
        && view.gap(given) <= Gap::Space
        && borne(given, view.ranks(given).first_name)
        && borne(at, view.ranks(at).surname)
        && (caret || !is_shouted(view, at));
    listed.then_some(given + 1)
}

/// William "Buddy" Marsh, Rowan Marsh ("Buddy")
fn nickname(view: &View<'_>, at: usize) -> Option<usize> {
    let (before, next) = (at.wrapping_sub(1), at + 1);
    let quoted = at > 1 && view.is_mark(before, b'"') && view.is_mark(next, b'"');
    if !quoted || !view.joined(at) || !view.joined(next) || !borne(view, at, 7) {
        return None;
    }
    let name = |at: usize| view.case(at) == Case::Capital && (view.any(at, NAMES) || is_unlisted(view, at));
    let family = name(next + 1) && view.joined(next);
    let bracket = at > 2 && view.is_mark(at - 2, b'(') && name(at - 3);
    (name(at - 2) || bracket || family).then_some(if family { next + 2 } else { next })
}

/// The tattoo says "Crystal": a first name alone in quotes.
fn quoted(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    let alone =
        at > 0 && view.is_mark(at - 1, b'"') && view.is_mark(next, b'"') && view.joined(at) && view.joined(next);
    (alone && is_given(view, at) && lean(view, at) >= 5).then_some(next)
}

/// Whether the word is a first name that many people bear, and nothing of medicine.
pub(super) fn is_given(view: &View<'_>, at: usize) -> bool {
    const OTHER: Classes = Classes::of(&[
        Class::Clinical,
        Class::Measurement,
        Class::Dose,
        Class::Brand,
        Class::Counted,
        Class::Stop,
        Class::Month,
        Class::Season,
        Class::Weekday,
    ]);
    // A score of that name stands in capitals: `GRACE`.
    let score = view.is(at, Class::Score) && lean(view, at) < 9;
    view.case(at) == Case::Capital
        && view.ranks(at).first_name >= 10
        && !score
        && !view.any(at, OTHER)
        && !view.any(at, KNOWN)
}

/// The words behind a name at which [`said_behind`] asks. Sorted.
#[rustfmt::skip]
pub(in crate::rules) static SAID: WordSet = WordSet::new(&[
    "available", "away", "back", "bay", "bed", "beeper", "bldg", "bleep", "brother", "building", "chair", "clinic", "ct",
    "cubicle", "d", "dad", "daughter", "dna", "dnacpr", "dni", "dnka", "dnr", "dol", "dtr", "ext", "extn", "father", "fine",
    "for", "fy", "g", "her", "here", "his", "hod", "husband", "in", "list", "lwbs", "mom", "mother", "ms", "mum", "my", "nbm",
    "new", "not", "npo", "off", "office", "ok", "okay", "on", "oob", "our", "out", "pager", "patient", "pgy", "pod", "pt", "rm",
    "room", "service", "sister", "son", "st", "team", "the", "to", "triplet", "twin", "unavailable", "unit", "wife", "x", "xx",
    "year", "yr",
]);

/// The forms of which each has such a word behind the name: every word that one of them looks for is in [`SAID`].
fn said_behind(view: &View<'_>, at: usize, mark: u8) -> Option<usize> {
    match view.case(at + 1) {
        Case::Lower => before_a_status(view, at)
            .or_else(|| before_a_bed(view, at))
            .or_else(|| kisses(view, at))
            .or_else(|| before_who(view, at, at + 1)),
        Case::Upper => with_a_code(view, at).or_else(|| in_training(view, at)),
        _ => before_a_house(view, at),
    }
    .or_else(|| with_an_extension(view, at, mark))
    .or_else(|| born(view, at, at + 1))
    .or_else(|| covering(view, at))
    .or_else(|| before_a_task(view, at))
    .or_else(|| in_a_numbered_room(view, at))
}

/// A word with a capital letter, and another word behind it.
fn before_a_word(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    let before = view.token(at.wrapping_sub(1));
    match before.mark() {
        // A baby girl "Ivy Rose"
        b'"' if view.is_mark(next + 1, b'"') && view.joined(at) && view.joined(next + 1) => {
            let pair = view.gap(next) == Gap::Space && view.case(next) == Case::Capital && is_borne(view, next, 8);
            let given = is_given(view, at) || view.is(at, Class::Relative);
            (pair && given && view.any(next, NAMES)).then_some(next + 1)
        }
        _ if view.width(next) == 1 && view.capitalised(next) && lettered(view, at).is_some() => Some(next + 1),
        _ if (before.kind == Kind::Number || before.glued()) && lies_there(view, at).is_some() => Some(next),
        mark if SAID.has(view, next) && said_behind(view, at, mark).is_some() => Some(next),
        b':' | b'-' | b'(' | b'/' if behind_a_duty(view, at).is_some() => Some(next),
        _ if view.case(next) == Case::Capital => firm(view, at).or_else(|| before_a_date_of_birth(view, at)),
        _ => None,
    }
}

/// `Brooks Hope DOB`: a family name, a first name and the label of the next field.
fn before_a_date_of_birth(view: &View<'_>, at: usize) -> Option<usize> {
    let (given, label) = (at + 1, at + 2);
    let written = view.token(at).line_start() && view.case(given) == Case::Capital && view.same_line(label);
    (written && says!(view, label, "dob" | "mrn") && is_borne(view, at, 8) && is_borne(view, given, 8)).then_some(label)
}

/// What a firm does that bears the name of who owns it. Sorted.
#[rustfmt::skip]
pub(in crate::rules) static FIRMS: WordSet = WordSet::new(&[
    "ambulance", "cabs", "ceramics", "courier", "couriers", "dental", "dentistry", "homecare", "laundromat", "logistics",
    "nurseries", "orthodontics", "plumbing", "prosthetics", "roofing", "transportation", "trucking",
]);

/// `Hand Ambulance`, `Cascade Health Plan`: what people bear as a name or live in, and what is done under it.
fn firm(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    let plan = says!(view, next, "health") && says!(view, next + 1, "plan") && view.case(next + 1) == Case::Capital;
    if !plan && !FIRMS.has(view, next) {
        return None;
    }
    let written = view.case(next) == Case::Capital && view.gap(next) == Gap::Space && !view.border_before(next);
    let owner = (view.ranks(at).surname >= 8 || view.is(at, Class::City)) && !view.any(at, NO_NAME);
    let kind = view.any(at, Classes::of(&[Class::Clinical, Class::Relative, Class::PersonNoun]));
    (written && owner && !kind).then_some(next)
}

/// `Sitter tonight: Joy.`, `Band checked: Sterling`: a name that fills the field, behind what somebody did or when, or behind a
/// label of which no value is a word.
fn valued(view: &View<'_>, at: usize) -> Option<usize> {
    const VALUES: Classes = Classes::of(&[
        Class::Clinical,
        Class::Measurement,
        Class::Score,
        Class::EponymNoun,
        Class::Dose,
        Class::Sized,
        Class::Level,
        Class::Brand,
    ]);
    let label = at.checked_sub(2).filter(|&label| view.is_word(label) && view.gap(at) <= Gap::Space)?;
    let next = at + 1;
    let term = view.is(at, Class::Term);
    let slash = view.is_mark(next, b'/') && !view.joined(next) && !view.joined(next + 1);
    let over = slash || view.is_any_mark(next, b".;,") || view.gap(next) >= Gap::Wide;
    let thing = view.any(at, Classes::of(&[Class::Eponym, Class::Counted]));
    if !over || view.any(at, VALUES) {
        return None;
    }
    let key = view.key(label);
    let when = says!(view, label, key, "tonight" | "today" | "tomorrow" | "tmrw" | "overnight" | "nights" | "days")
        || says!(view, label, key, "shift" | "am" | "pm" | "day" | "night" | "eve" | "noc");
    let other = says!(view, label, key, "used" | "noted" | "performed" | "removed" | "found" | "placed" | "seen")
        || says!(view, label, key, "bleeding" | "drained" | "finding" | "including" | "following");
    let did = (view.bytes(label).ends_with(b"ed") || view.bytes(label).ends_with(b"ing"))
        && view.any(label, Classes::of(&[Class::PersonVerb, Class::HumanVerb, Class::English]))
        && !view.any(label, Classes::of(&[Class::Measurement, Class::Score, Class::EponymNoun]))
        && !other;
    let ranks = view.ranks(at);
    let name = ranks.surname.max(ranks.first_name) >= 10 && !view.any(at, NO_NAME);
    let person = name && lean(view, at) >= 4 && (when || did && !thing);
    // `Partner: Amber.`
    let kin = view.is(label, Class::Relative) && view.ranks(at).first_name >= 9 && !view.is(at, Class::Stop);
    if kin && view.is_any_mark(next, b".;,") {
        return Some(next);
    }
    let given = name
        && is_given(view, at)
        && lean(view, at) >= 9
        && !term
        && !thing
        && !is_look(view, label)
        && !other
        && !view.any(label, VALUES);
    (person || given).then_some(next)
}

/// Dear Art:
fn greeted(view: &View<'_>, at: usize) -> Option<usize> {
    let dear = says!(view, at.wrapping_sub(1), "dear");
    let over = view.is_any_mark(at + 1, b",:") || view.ends_line(at + 1);
    (dear && over && !view.is(at, Class::PersonNoun)).then_some(at + 1)
}

/// `Grace, could you`: who is spoken to.
fn spoken_to(view: &View<'_>, at: usize) -> Option<usize> {
    const OTHER: Classes = Classes::of(&[Class::Clinical, Class::Relative, Class::PersonNoun]);
    let next = at + 1;
    let asked = view.is_mark(next, b',')
        && says!(
            view,
            next + 1,
            "could"
                | "can"
                | "would"
                | "please"
                | "pls"
                | "thanks"
                | "thank"
                | "i"
                | "we"
                | "see"
                | "fyi"
                | "do"
                | "did"
        );
    if !asked || !view.token(at).line_start() {
        return None;
    }
    let person = borne(view, at, 10) && (view.ranks(at).first_name >= 10 || is_somebody(view, at, 11));
    (person && !view.any(at, OTHER)).then_some(next)
}

/// `09:02 Basil: hello`, `Basil: I feel better`: whose turn it is in a chat.
fn speaks(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    if !view.is_mark(next, b':') || !view.joined(next) || view.ranks(at).first_name < 9 || view.any(at, NO_NAME) {
        return None;
    }
    if view.token(at).line_start() {
        // `Mark: I`, `Iris: ok` may be fields.
        let said = next + 1;
        let begins = says!(view, said, "my" | "hi" | "hello" | "hey" | "thanks" | "thx" | "ty" | "yeah" | "sorry")
            || says!(view, said, "i" | "i'm" | "im" | "i've") && view.case(said + 1) == Case::Lower;
        return (begins && view.same_line(said)).then_some(next);
    }
    // A time in brackets or without, alone at the start of the line.
    let mut time = at.checked_sub(1)?;
    while time > 0 && at - time < 3 && (view.is_any_mark(time, b"])-") || says!(view, time, "am" | "pm")) {
        time -= 1;
    }
    let opening = usize::from(time > 0 && view.is_any_mark(time - 1, b"[("));
    let clock = view.number(time).is_some_and(|number| number.shape() == Shape::Colon);
    (clock && view.token(time - opening).line_start() && view.same_line(at)).then_some(next)
}

/// `Slept well. Grace`, `tea given - Grace`: a word alone behind the last sentence of a note or of an entry: who signed.
fn signed(view: &View<'_>, at: usize) -> Option<usize> {
    let (next, before) = (at + 1, at.checked_sub(1)?);
    let last = view.token(next).kind == Kind::End || says!(view, next, "cc") && view.is_mark(next + 1, b':');
    let alone = view.is_mark(before, b'.') && view.sentence_start(at);
    if last && alone && view.ranks(at).surname >= 9 && borne(view, at, 9) {
        return Some(next);
    }
    // Where lines are wrapped, the sentence goes on in small letters.
    let over = !view.is_word(next) || view.case(next) != Case::Lower;
    let somebody = is_somebody(view, at, 11) && lean(view, at) >= 4 && (alone || is_given(view, at));
    (over && somebody && (alone || is_dash(view, before) && before > 0 && !is_look(view, before - 1))).then_some(next)
}

/// Of what a colour is said: `Eyes - Hazel`.
fn is_look(view: &View<'_>, at: usize) -> bool {
    let key = view.key(at);
    says!(view, at, key, "color" | "colour" | "eyes" | "eye" | "hair" | "skin" | "urine" | "stool" | "sputum")
        || says!(view, at, key, "appearance" | "drainage" | "diet" | "season" | "month" | "name" | "mood" | "affect")
}

/// `Grace xx` up to the end of the line: who sends a message.
fn kisses(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    (says!(view, next, "xx") && view.ends_line(next + 1) && is_given(view, at) && lean(view, at) >= 2).then_some(next)
}

/// `Grace?`: a line of a first name, somebody is called.
fn called(view: &View<'_>, at: usize) -> Option<usize> {
    let line = view.token(at).line_start() && view.joined(at + 1) && view.ends_line(at + 2);
    (line && is_given(view, at) && lean(view, at) >= 4).then_some(at + 1)
}

/// A line of one word and its point, inside a note.
fn alone(view: &View<'_>, at: usize) -> Option<usize> {
    let (point, next) = (at + 1, at + 2);
    let line = view.token(at).line_start() && view.joined(point) && view.ends_line(next);
    (line && view.ranks(at).surname >= 12 && lean(view, at) >= 5 && !view.any(at, MEDICINE) && borne(view, at, 12))
        .then_some(point)
}

/// `w/ Early/Davids`: the second of two.
fn second(view: &View<'_>, at: usize) -> Option<usize> {
    const OTHER: Classes =
        Classes::of(&[Class::Clinical, Class::Term, Class::Measurement, Class::Brand, Class::Eponym, Class::Facility]);
    let slash = at > 3
        && view.is_mark(at - 1, b'/')
        && view.joined(at)
        && view.joined(at - 1)
        && !view.is_mark(at + 1, b'/')
        && view.case(at - 2) == Case::Capital;
    if !slash || !borne(view, at, 9) {
        return None;
    }
    let led = says!(view, at - 4, "w") && view.is_mark(at - 3, b'/') || says!(view, at - 3, "with" | "by");
    (led || is_unlisted(view, at - 2) && !view.any(at, OTHER)).then_some(at + 1)
}

/// Pt Wood, Reed; Little, May R (
fn last_first(view: &View<'_>, at: usize) -> Option<usize> {
    let given = at + 2;
    let person =
        at > 0 && (view.is(at - 1, Class::PersonNoun) || says!(view, at - 1, "by")) && view.gap(at) == Gap::Space;
    let pair = view.is_mark(at + 1, b',')
        && view.gap(given) == Gap::Space
        && view.case(given) == Case::Capital
        && is_borne(view, at, 8)
        && (is_borne(view, given, 8) && (person || view.is(given, Class::FirstName)) || is_unlisted(view, given));
    if !pair {
        return None;
    }
    let letter = view.width(given + 1) == 1 && view.is_word(given + 1) && view.capitalised(given + 1);
    let end = given + 1 + usize::from(letter);
    let over = view.is_any_mark(end, b";(-|") || view.gap(end) >= Gap::Wide || view.is_number(end);
    (over && (person || letter && view.ranks(at).surname >= 9)).then_some(end)
}

/// `Carver, 38F`, `Bliss, 23 yo F`, `Beauty, 073 555 0118`: an age or a telephone number behind a comma.
fn before_number(view: &View<'_>, at: usize) -> Option<usize> {
    let (comma, number) = (at + 1, at + 2);
    if !view.is_mark(comma, b',') || !view.is_number(number) || view.gap(number) != Gap::Space {
        return None;
    }
    let next = number + 1;
    let first = view.ranks(at).first_name;
    let age = view.whole(number).is_some_and(|age| age < 120);
    let sexed =
        view.token(next).glued() && says!(view, next, "m" | "f" | "yo" | "yom" | "yof") && is_borne(view, at, 8);
    let years = says!(view, next, "yo" | "yr" | "year" | "y") && first >= 9;
    let digits = |at: usize| view.is_number(at) && view.width(at) >= 3;
    let dialled = digits(number)
        && view.same_line(next)
        && (digits(next) || view.is_any_mark(next, b"-.") && view.joined(next) && view.is_number(next + 1));
    let called = dialled && first >= 6 && view.is(at, Class::FirstName) && !view.is(at, Class::Clinical);
    let said = begins(view, at) && (age && years || called) && !view.any(at, NO_NAME);
    // `Brooks, 65, CHF`: a line of a list.
    let comma_behind = view.is_mark(next, b',') && view.token(at).line_start() && age;
    if comma_behind && view.ranks(at).surname >= 10 && lean(view, at) >= 4 && !view.any(at, MEDICINE) {
        return Some(comma);
    }
    (age && sexed || said).then_some(comma)
}

/// Whether the word is the first of a sentence or of an item.
fn begins(view: &View<'_>, at: usize) -> bool {
    view.sentence_start(at) || view.is_any_mark(at.wrapping_sub(1), b":.)")
}

/// `1) Heath 09:00 review`, `Heath @ 09:00`, `Heath 3/4/20 09:00`: a list of appointments, a signature and when it was given.
fn before_a_time(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    let shaped = |at: usize, shape: Shape| view.number(at).is_some_and(|number| number.shape() == shape);
    let dated = shaped(next, Shape::Slashes) && view.same_line(next + 1);
    let led = usize::from(view.is_mark(next, b'@') || dated);
    // `Gleason 3:4` has no time.
    let clock = shaped(next + led, Shape::Colon) && view.width(next + led) > 3 && view.gap(next) == Gap::Space;
    (clock && begins(view, at) && borne(view, at, 10) && lean(view, at) >= -2).then_some(next)
}

/// Colt 22M, Hope 4 yo
fn before_a_sex(view: &View<'_>, at: usize) -> Option<usize> {
    let next = at + 1;
    let age = view.number(next).is_some_and(|age| age.digits(0) <= 2) && view.gap(next) == Gap::Space;
    let sex = view.token(next + 1).glued() && says!(view, next + 1, "m" | "f" | "yo");
    let given = view.ranks(at).first_name >= 6 && view.width(at) > 2 && !view.any(at, NO_NAME);
    // `Colt 4 yo`
    let years = says!(view, next + 1, "yo" | "yom" | "yof") && view.gap(next + 1) == Gap::Space;
    if age && years && begins(view, at) && is_given(view, at) && lean(view, at) >= 2 {
        return Some(next);
    }
    // `12A Heath 65M`
    let bed = at > 1 && view.token(at - 1).glued() && view.token(at - 2).line_start() && is_borne(view, at, 9);
    (age && sex && (given && begins(view, at) || bed)).then_some(next)
}

/// `Banks/Cole, anes`: two who did it.
fn two_who_did_it(view: &View<'_>, at: usize) -> Option<usize> {
    const OTHER: Classes = Classes::of(&[Class::Month, Class::Season, Class::Clinical, Class::Brand]);
    let certain = |at: usize| {
        view.case(at) == Case::Capital
            && view.ranks(at).surname >= 12
            && lean(view, at) >= 7
            && !view.any(at, NO_NAME)
            && !view.any(at, KNOWN)
            && !view.any(at, OTHER)
            && !says!(view, at, "black" | "white" | "brown" | "young" | "left" | "east" | "west" | "north" | "south")
    };
    let slash = view.is_mark(at + 1, b'/')
        && !view.is(at + 3, Class::EponymNoun)
        && view.joined(at + 1)
        && view.joined(at + 2)
        && !view.is_mark(at + 3, b'/')
        && !view.is_mark(at.wrapping_sub(1), b'/');
    (slash && certain(at) && certain(at + 2)).then_some(at + 3)
}

/// Two names with a hyphen, of which one is more often a name than a word; but `Fitz-Hugh-Curtis`.
fn double(view: &View<'_>, at: usize) -> Option<usize> {
    let person = |at: usize| view.case(at) == Case::Capital && is_family_name(view, at);
    let double = view.is_mark(at + 1, b'-')
        && view.joined(at + 1)
        && view.joined(at + 2)
        && !view.is_mark(at.wrapping_sub(1), b'-')
        && !view.is_mark(at + 3, b'-')
        && person(at)
        && person(at + 2)
        && !view.is(at, Class::Eponym)
        && !view.is(at + 2, Class::Eponym)
        && !view.is(at + 3, Class::EponymNoun);
    if !double {
        return None;
    }
    let (first, second) = (view.ranks(at).surname, view.ranks(at + 2).surname);
    let common = first.min(second) >= 11 && first.max(second) >= 14;
    let (first, second) = (lean(view, at), lean(view, at + 2));
    // `Sickle-Cell`, `Bird-Like`: the other part is a word that next to nobody bears.
    (common || first.max(second) >= 2 && first.min(second) >= -4).then_some(at + 3)
}
