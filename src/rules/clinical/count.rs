//! Short numbers among plain words: `bladder scan 42`, `took 2 baby aspirin`, `residual 60`, `40-60 irregular`, `b/l 1.4`.
//!
//! One or two figures tell nobody from others by themselves; a room, a bed, a house or a day does. So a word that is medicine
//! or an ordinary one must stand before the number, none that names a place or a number of one, and nothing behind it that
//! has numbers before it. The number goes with the word.

#![allow(clippy::match_same_arms, reason = "each arm is a form of its own")]

use std::cell::LazyCell;

use super::ANNOUNCES;
use super::amount::{Figure, Shape, in_chain};
use super::list::is_dense;
use crate::rules::engine::word_sets::{WordSet, says};
use crate::rules::engine::{Certainty, Findings, View};
use crate::text::token::{Case, Kind};
use crate::vocabulary::{Class, Classes};

/// Places and things that are told apart by numbers.
#[rustfmt::skip]
static PLACES: WordSet = WordSet::new(&[
    "alarm", "apt", "autoclave", "badge", "bay", "bench", "berth", "bin", "bldg", "block", "box", "building", "bunk", "bus",
    "cabin", "cabinet", "camp", "caseload", "cath", "cell", "channel", "code", "codes", "combo", "company", "cot", "coy",
    "crib", "cubicle", "desk", "dock", "docket", "door", "drawer", "elev", "elevator", "engine", "exit", "extn", "flat",
    "floor", "form", "fridge", "gate", "gp", "grid", "highway", "hole", "house", "hwy", "incubator", "invoice", "isolette",
    "keypad", "ladder", "lane", "ldr", "lift", "local", "lockbox", "locker", "lot", "medic", "mile", "model", "nr", "num",
    "number", "opt", "option", "or", "ot", "pad", "passcode", "pin", "platform", "platoon", "plot", "pod", "post", "precinct",
    "regiment", "rig", "rm", "route", "rte", "seat", "serial", "shift", "slip", "slot", "spot", "squad", "stall", "station",
    "stop", "store", "suite", "terminal", "theater", "theatre", "theatres", "ticket", "token", "tower", "trailer", "truck",
    "unit", "villa", "wagon", "wd", "wing", "zone",
]);

/// Words after which a number may be a day.
static DAYS: WordSet = WordSet::new(&[
    "appt", "booked", "by", "date", "dated", "day", "due", "from", "fu", "last", "next", "of", "on", "review", "rv",
    "seen", "since", "the", "this", "til", "till", "until",
]);

/// Which words may lead to a number.
const LEADS: Classes = Classes::of(&[
    Class::Stop,
    Class::English,
    Class::Literature,
    Class::Clinical,
    Class::Term,
    Class::Measurement,
    Class::Score,
    Class::Dose,
    Class::Counted,
    Class::Unit,
    Class::Link,
    Class::Brand,
    Class::Level,
    Class::Sized,
    Class::PersonVerb,
    Class::Duration,
]);

/// Which are medicine.
const MEDICINE: Classes = Classes::of(&[
    Class::Clinical,
    Class::Term,
    Class::Measurement,
    Class::Score,
    Class::Dose,
    Class::Brand,
    Class::Sized,
    Class::Literature,
]);

/// Which never lead to one.
const NEVER: Classes = ANNOUNCES.or(Classes::of(&[
    Class::NameField,
    Class::Weekday,
    Class::State,
    Class::Holiday,
    Class::Season,
    Class::PersonNoun,
    Class::Credential,
]));

/// Whether a word stands before the number, in its clause, that announces an identifier, a number to call or a place.
pub(in crate::rules) fn is_placed(view: &View<'_>, at: usize) -> bool {
    is_placed_within(view, at, 4)
}

/// The same, among so many tokens.
pub(super) fn is_placed_within(view: &View<'_>, at: usize, reach: usize) -> bool {
    const WORDS: Classes = Classes::of(&[Class::WardNoun, Class::IdKeyword, Class::PhoneKeyword, Class::StreetType]);
    let announces = |word: usize| {
        let street = view.is(word, Class::StreetType) && view.case(word) == Case::Lower;
        view.any(word, WORDS)
            && !(street && !view.is(word, Class::WardNoun))
            && !says!(view, word, "plan" | "no" | "record")
    };
    (1..=reach.min(at))
        .take_while(|back| view.same_line(at + 1 - back) && !view.is_any_mark(at - back, b".;"))
        .map(|back| at - back)
        .any(|word| view.is_mark(word, b'#') || view.is_word(word) && (announces(word) || PLACES.has(view, word)))
}

/// Vouches for a short number behind a plain word, behind another one, or before what is counted.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some((last, most)) = short(view, at) else { return };
    let placed = LazyCell::new(|| is_placed(view, at));
    if last == at + 1
        && let Some(other) = series(view, at)
    {
        findings.keep_by(other, at, last, Certainty::Weak);
    } else if let Some(last) = counted(view, at, last, most).filter(|_| !*placed) {
        findings.keep(at, last, Certainty::Weak);
    } else if last == at + 1
        && (is_aged(view, at) || is_decimal(view, at) || closes(view, last) && is_among_values(view, at))
        && !*placed
    {
        findings.keep(at, last, Certainty::Weak);
    } else if at > 0 && view.same_line(at) && leads(view, at - 1, most) && closes(view, last) && !*placed {
        // The word before the first sign is what the number belongs to.
        findings.keep_by(at - 1, at, last, Certainty::Weak);
    }
}

/// The number before this one in a row of short ones: `46, 51, 58`, `88 71 38`, `3.1 to 4.8 to 6.2`. It stays with the one before.
fn series(view: &View<'_>, at: usize) -> Option<usize> {
    let before = at.checked_sub(1).filter(|_| view.same_line(at) && !view.joined(at))?;
    let comma = view.is_any_mark(before, b",;") && view.joined(before) && before > 0;
    let to = says!(view, before, "to" | "then") && view.same_line(before) && before > 0;
    let other = before - usize::from(comma || to);
    // A day and what stands behind it are no values: `March 3, 4`.
    let free = !view.any(other.wrapping_sub(1), Classes::of(&[Class::Month, Class::Weekday]));
    let value = short(view, other).is_some_and(|(last, _)| last == other + 1);
    (value && free && ends(view, at + 1) && !is_placed(view, other)).then_some(other)
}

/// Whether it is a decimal that no day and month are written as, or that stands behind a word that no day stands behind.
fn is_decimal(view: &View<'_>, at: usize) -> bool {
    let Some(number) = view.number(at).filter(|number| number.is(2, b'.')) else { return false };
    if at == 0 || !view.same_line(at) {
        return false;
    }
    let (one, other) = (number.value(0), number.value(1));
    let dated = (1..=31).contains(&one) && (1..=31).contains(&other) && one.min(other) <= 12;
    let word = at - 1;
    let led = view.is_word(word) && view.any(word, LEADS) && !view.is(word, Class::PersonVerb) || view.is_number(word);
    let day = DAYS.has(view, word) || view.any(word, NEVER.with(Class::DateCue));
    let apart = !view.joined(at) || view.is_any_mark(word, b"(=:@~<>");
    apart && !day && (led || !dated) && ends(view, at + 1)
}

/// Whether a short number stands in a line full of values, behind a word that is nobody's name: `TEG R 9 MA 44`.
fn is_among_values(view: &View<'_>, at: usize) -> bool {
    let word = at.wrapping_sub(1);
    let free = view.is_word(word) && !view.token(word).glued() && !view.any(word, NEVER.with(Class::DateCue));
    free && !PLACES.has(view, word) && !DAYS.has(view, word) && is_dense(view, at)
}

/// Whether nothing is joined to the number behind.
fn ends(view: &View<'_>, at: usize) -> bool {
    let joint = view.is_any_mark(at, b"-/#@*_:") && view.joined(at) && view.joined(at + 1);
    let long = view.is_number(at) && view.same_line(at) && view.width(at) > 5;
    !view.token(at).glued() && !joint && !long
}

/// One past a number, or a range of two, at the start of a clause with what is counted behind it in small letters: `. 2 staff in
/// room`, `(45-60 all week`.
fn counted(view: &View<'_>, at: usize, last: usize, most: u64) -> Option<usize> {
    const THINGS: Classes =
        Classes::of(&[Class::English, Class::Clinical, Class::Literature, Class::Counted, Class::Term]);
    const BESIDE: Classes = ANNOUNCES.or(Classes::of(&[
        Class::NameField,
        Class::Weekday,
        Class::State,
        Class::Holiday,
        Class::Season,
        Class::Credential,
        Class::Stop,
        Class::Surname,
        Class::FirstName,
        Class::City,
        Class::DateCue,
        Class::PlacePart,
        Class::HumanVerb,
    ]));
    if most > 89 && !view.is_mark(at + 1, b'-') && !is_first(view, last) {
        return None;
    }
    let begins = view.token(at).line_start()
        || at > 0 && (view.is_any_mark(at - 1, b".:;,") && !view.joined(at) || view.is_any_mark(at - 1, b"(\""));
    let thing =
        view.is_word(last) && !view.token(last).glued() && view.same_line(last) && view.case(last) == Case::Lower;
    let known = view.width(last) > 1
        && (view.is(last, Class::Clinical) && !view.is(last, Class::PersonVerb)
            || view.any(last, THINGS) && !view.any(last, BESIDE) && !PLACES.has(view, last) && is_thing(view, last)
            || says!(view, last, "staff" | "more" | "other" | "others" | "new" | "left"));
    let plain = view.number(at).is_some_and(|number| number.len() == 1) || last > at + 1;
    // `Found 2 metoprolols`: things are several.
    let several = view.width(last) > 3 && view.bytes(last).ends_with(b"s") && most > 1 && view.same_line(at);
    // `148/70, 44-60 irregular`: a range of two short numbers is no date by itself.
    if begins && last > at + 1 && most > 31 && closes(view, last) {
        return Some(last);
    }
    if begins && plain && most < 1000 && is_first(view, last) {
        return Some(last);
    }
    ((begins || several) && thing && known && plain && most > 0).then_some(last)
}

/// Whether it is no verb: what is done stands behind a bed's number as well. `2 bends`, `3 calls` are things.
fn is_thing(view: &View<'_>, at: usize) -> bool {
    !view.is(at, Class::PersonVerb) || view.bytes(at).ends_with(b"s")
}

/// Whether two more short numbers follow behind commas: `(46, 51, 58)`.
fn is_first(view: &View<'_>, last: usize) -> bool {
    let more =
        |comma: usize| view.is_mark(comma, b',') && short(view, comma + 1).is_some_and(|(end, _)| end == comma + 2);
    more(last) && more(last + 2)
}

/// Whether it is the age of somebody behind a name or a sex: `Adaeze Obi, 31, teacher`, `Chidi (7, in school)`, `F 44,`. No house has
/// commas on both sides.
fn is_aged(view: &View<'_>, at: usize) -> bool {
    const NEVER: Classes = ANNOUNCES.or(Classes::of(&[Class::Weekday, Class::State, Class::PlaceAfter, Class::Season]));
    let young =
        view.width(at) <= 2 && view.whole(at).is_some_and(|age| (1..90).contains(&age)) && view.bytes(at)[0] != b'0';
    if !young || at < 2 || !view.same_line(at) {
        return false;
    }
    let closed = view.is_any_mark(at + 1, b",;)(|") || view.is_mark(at + 1, b'.') && !view.joined(at + 2);
    if says!(view, at - 1, "f" | "m")
        && view.case(at - 1) != Case::Lower
        && !view.joined(at)
        && !view.token(at - 1).glued()
    {
        return closed && !view.is_number(at + 2) && !view.is_any_mark(at - 2, b"#-/");
    }
    let bracket = view.is_mark(at - 1, b'(') && view.joined(at) && !view.joined(at - 1) && view.same_line(at - 1);
    if !(bracket || view.is_mark(at - 1, b',') && !view.joined(at)) {
        return false;
    }
    let name = at - 2;
    // A list of numbers or of days has another one behind the comma.
    let more = view.is_number(at + 2) || view.any(at + 2, Classes::of(&[Class::Month]));
    let person =
        view.is_word(name) && view.case(name) == Case::Capital && !view.any(name, NEVER) && !PLACES.has(view, name)
            || view.any(name, Classes::of(&[Class::Relative]))
            || view.width(name) == 1 && says!(view, name, "f" | "m");
    closed && !more && person
}

/// One past a short number or a range of two, and the larger; nothing is glued to it.
fn short(view: &View<'_>, at: usize) -> Option<(usize, u64)> {
    let one = |at: usize| {
        let figure = Figure::at(view, at)?;
        let number = figure.number;
        let fits = match figure.shape {
            Shape::Whole => number.digits(0) <= 3 && (!figure.padded || number.digits(0) == 1),
            // `03.04` is a day, or a part of an identifier.
            Shape::Decimal => number.len() == 2 && !number.padded() && number.digits(0) <= 3 && number.digits(1) <= 2,
            // `Lungs 410/440`, `18/18`: two values side by side.
            Shape::Slash => {
                let (one, other) = (number.digits(0), number.digits(1));
                one == other && (2..=3).contains(&one) && !figure.like_date() && number.len() == 2
            }
            _ => false,
        };
        fits.then(|| number.value(0))
    };
    let first = one(at)?;
    if view.token(at).glued() || in_chain(view, at) {
        return None;
    }
    let dash = at + 1;
    if view.is_mark(dash, b'-') && view.joined(dash) && view.joined(dash + 1) {
        let second = one(dash + 1)?;
        return (second > first).then_some((dash + 2, second));
    }
    Some((dash, first))
}

/// Whether the word may have such a number behind it.
fn leads(view: &View<'_>, word: usize, most: u64) -> bool {
    if view.token(word).kind != Kind::Word
        || view.any(word, NEVER)
        || PLACES.has(view, word)
        || view.token(word).glued()
    {
        return false;
    }
    // `b/l 1.4`, `w/ 4`
    let slash = word > 0 && says!(view, word, "l" | "w") && view.is_mark(word - 1, b'/') && view.joined(word);
    // `K from 2.3`, `weaned to 1`: what the value belongs to stands before the word.
    let changed = word > 0 && says!(view, word, "from" | "to" | "was" | "now" | "at") && view.any(word - 1, MEDICINE);
    if slash || changed && !view.any(word - 1, NEVER.with(Class::DateCue)) {
        return most < 1000;
    }
    let medicine = view.any(word, MEDICINE);
    let named = view.any(word, Classes::of(&[Class::Surname, Class::FirstName, Class::City]));
    match view.case(word) {
        Case::Capital | Case::Mixed if named || !view.any(word, LEADS) => return false,
        _ if named
            && !view.any(word, Classes::of(&[Class::Clinical, Class::Measurement, Class::Stop, Class::Score])) =>
        {
            return false;
        }
        _ => {}
    }
    // A day has two figures at most, an age over 89 and a room more.
    let day = (1..=31).contains(&most);
    if most > 89 {
        return medicine && !view.is(word, Class::AgeCue) && !view.is(word, Class::Stop);
    }
    view.any(word, LEADS) && !(day && (DAYS.has(view, word) || view.is(word, Class::DateCue)))
}

/// Whether nothing behind the number makes more of it: a street, a month, other figures, letters.
fn closes(view: &View<'_>, at: usize) -> bool {
    let token = view.token(at);
    if view.ends_line(at) {
        return true;
    }
    match token.kind {
        Kind::Number => false,
        Kind::Word if token.glued() => false,
        Kind::Word => {
            let known = view.any(at, Classes::of(&[Class::Clinical, Class::Measurement, Class::Brand, Class::Unit]));
            // `reamed to 53 under`, `breast at 41 and`: small words are parts of some names of places.
            let small = view.is(at, Class::Stop) && view.case(at) == Case::Lower;
            (small || !view.any(at, ANNOUNCES.or(Classes::of(&[Class::Holiday, Class::PlacePart, Class::State]))))
                && !says!(view, at, "of" | "at" | "th" | "st" | "nd" | "rd")
                && (view.case(at) == Case::Lower || known && view.case(at) == Case::Upper)
        }
        Kind::Punct => {
            let more = view.joined(at) && view.joined(at + 1) && (view.is_number(at + 1) || view.is_word(at + 1));
            !more && !view.is_any_mark(at, b"-/#@*&_") || view.is_mark(at, b'-') && !view.joined(at)
        }
        Kind::Symbol => true,
        _ => true,
    }
}
