//! Number plates and numbers of citizens by their shape: short rows of capitals and figures behind hyphens or blanks.
//!
//! `code` finds what is long or mixed; here are the shapes whose parts, each for itself, could be an abbreviation and a
//! value: `HS-629-GT`, `SP-S-51`, `RG63 LPD`, `CS 7731 CN`, `187 BHK`, `ZZ 43 11 35 T`.

use super::clinical::takes_short;
use super::date::is_year4;
use super::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Letters and figures with nothing between them, five at most.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    first: usize,
    last: usize,
    letters: usize,
    digits: usize,
    /// How often it changes between letters and figures.
    changes: usize,
    /// A unit, a dose, something counted or measured stands in it.
    clinical: bool,
}

/// More parts than this are not read.
const MOST: usize = 6;

/// What makes capitals beside a number an amount or a value.
const CLINICAL: Classes = Classes::of(&[
    Class::Unit,
    Class::Dose,
    Class::Duration,
    Class::Counted,
    Class::Sized,
    Class::Measurement,
    Class::Score,
    Class::Marker,
    Class::Level,
    Class::CodeSystem,
    Class::AgeCue,
    Class::Month,
    Class::Weekday,
    Class::OrdinalWord,
]);

/// Letters behind an amount, never on a plate with hyphens: `MS-10-MG`.
fn is_unit(view: &View<'_>, part: &Part) -> bool {
    matches!(
        view.bytes(part.first),
        b"mg" | b"ml" | b"cc" | b"kg" | b"cm" | b"mm" | b"iu" | b"gm" | b"hr" | b"mcg" | b"prn"
    )
}

/// Finds a plate or a number of a citizen, at its first number.
pub(super) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let alone = !view.token(at).glued() && !view.token(at + 1).glued();
    let near = |word: usize| view.is_word(word) && view.case(word) == Case::Upper && view.bytes(word).len() <= 3;
    let mark = |mark: usize| view.is_mark(mark, b'-') && view.joined(mark);
    if alone && !(near(at.wrapping_sub(1)) || near(at + 1) || mark(at + 1) || mark(at.wrapping_sub(1))) {
        return;
    }
    let Some(here) = part(view, at) else { return };
    let mut parts = [Part::default(); MOST];
    for hyphen in [true, false] {
        let Some((len, number)) = row(view, here, hyphen, &mut parts) else { continue };
        // The row is read once, at the first number in it.
        if parts[..number].iter().any(|part| part.digits > 0) || here.first != parts[number].first {
            continue;
        }
        let row = &parts[..len];
        if let Some((kind, certainty)) = if hyphen { hyphenated(view, row) } else { spaced(view, row) } {
            findings.remove(row[0].first, row[len - 1].last, kind, certainty);
            return;
        }
    }
}

/// The part around a token: capitals and whole figures only.
fn part(view: &View<'_>, at: usize) -> Option<Part> {
    let (mut first, mut last) = (at, at + 1);
    while first > 0 && at - first < 5 && view.token(first).glued() {
        first -= 1;
    }
    while last - at < 5 && view.token(last).glued() {
        last += 1;
    }
    let mut part = Part { first, last, ..Part::default() };
    for token in first..last {
        let len = view.bytes(token).len();
        if view.is_word(token) {
            if view.case(token) != Case::Upper && !(len == 1 && view.capitalised(token)) {
                return None;
            }
            part.letters += len;
            part.clinical |= view.any(token, CLINICAL);
        } else if view.whole(token).is_some() {
            part.digits += len;
        } else {
            return None;
        }
    }
    part.changes = last - first - 1;
    (part.letters <= 3 && part.digits <= 6 && part.letters + part.digits <= 6).then_some(part)
}

/// Reads the parts joined to this one; how many they are, and which of them it is. `None` where it stands alone or the row does not end.
fn row(view: &View<'_>, here: Part, hyphen: bool, parts: &mut [Part; MOST]) -> Option<(usize, usize)> {
    let joint = |first: usize| {
        if hyphen {
            view.is_mark(first, b'-') && view.joined(first) && view.joined(first + 1)
        } else {
            view.gap(first) == Gap::Space
        }
    };
    let width = usize::from(hyphen);
    let fits = |at: usize| {
        view.is_number(at)
            || view.is_word(at) && (view.case(at) == Case::Upper || view.capitalised(at) && view.bytes(at).len() == 1)
    };
    let before = here.first > width && joint(here.first - width) && fits(here.first - width - 1);
    if !before && !(joint(here.last) && fits(here.last + width)) {
        return None;
    }
    let mut before = 0;
    let mut first = here;
    // Two parts may stand before the first number.
    while before < 2 && first.first > width && joint(first.first - width) {
        let Some(other) = part(view, first.first - width - 1).filter(|other| other.digits == 0) else { break };
        first = other;
        before += 1;
        parts[2 - before] = other;
    }
    parts.copy_within(2 - before..2, 0);
    let mut len = before;
    let mut last = here;
    parts[len] = here;
    len += 1;
    while len < MOST && joint(last.last) {
        let Some(other) = part(view, last.last + width) else { break };
        last = other;
        parts[len] = other;
        len += 1;
    }
    // 481-57-26 goes on.
    let goes_on = view.joined(last.last) && view.is_any_mark(last.last, b"-/") && view.joined(last.last + 1);
    (len > 1 && !goes_on).then_some((len, before))
}

/// `HS-629-GT`, `ZWD-395-S`, `SP-S-51`, `13-XED-8`, `D64-CDW`, `LAR-879`.
fn hyphenated(view: &View<'_>, row: &[Part]) -> Option<(Kind, Certainty)> {
    let plain = |part: &Part| part.changes == 0;
    let plate = match row {
        [a, b, c] if plain(a) && plain(b) && plain(c) => {
            let german =
                a.letters > 0 && (1..=2).contains(&b.letters) && (1..=4).contains(&c.digits) && !is_wave(view, a);
            let between = a.letters > 0 && (2..=4).contains(&b.digits) && c.letters > 0 && !is_unit(view, c);
            let dutch = (1..=2).contains(&a.digits) && b.letters >= 2 && c.digits + c.letters <= 2 && !b.clinical;
            let mexican = (2..=3).contains(&a.letters) && b.digits == 2 && c.digits == 2 && !a.clinical;
            german || between || dutch || mexican
        }
        [a, b] if a.letters == 3 && b.digits == 3 && plain(b) && !known(view, a) => {
            return Some((Kind::Vehicle, Certainty::Weak));
        }
        [a, b] => {
            let mixed = |part: &Part| part.changes > 0 && (3..=4).contains(&(part.letters + part.digits));
            mixed(a) && b.letters == 3 && !b.clinical || a.letters == 3 && mixed(b) && !a.clinical
        }
        _ => false,
    };
    plate.then_some((Kind::Vehicle, Certainty::Likely))
}

/// ST-T-2: changes of two waves.
fn is_wave(view: &View<'_>, part: &Part) -> bool {
    matches!(view.bytes(part.first), b"st" | b"t" | b"qrs")
}

/// Words, terms, and what a number is announced with.
const LISTED: Classes = Classes::of(&[
    Class::Stop,
    Class::English,
    Class::Term,
    Class::Brand,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::WardNoun,
    Class::State,
]);

/// Whether the letters are a word, a term or clinical shorthand.
fn known(view: &View<'_>, part: &Part) -> bool {
    part.clinical || view.any(part.first, LISTED)
}

/// `ZZ 43 11 35 T`, `RG63 LPD`, `CS 7731 CN`, `GA8 H6X`, `187 BHK`, `WZ 2202L`.
fn spaced(view: &View<'_>, row: &[Part]) -> Option<(Kind, Certainty)> {
    let letters = |part: &Part, least: usize, most: usize| part.digits == 0 && (least..=most).contains(&part.letters);
    let digits = |part: &Part, least: usize, most: usize| part.letters == 0 && (least..=most).contains(&part.digits);
    let pairs = |parts: &[Part]| parts.iter().all(|part| digits(part, 2, 2));
    match row {
        [prefix, middle @ .., suffix]
            if middle.len() == 3 && letters(prefix, 2, 2) && pairs(middle) && letters(suffix, 1, 1) =>
        {
            return Some((Kind::Ssn, Certainty::Likely));
        }
        [a, b, c] if letters(a, 2, 2) && digits(b, 6, 6) && letters(c, 1, 1) => {
            return Some((Kind::Ssn, Certainty::Likely));
        }
        _ => {}
    }
    // In a line of capitals every abbreviation stands beside a number.
    let (first, last) = (row.first()?.first, row.last()?.last);
    let capitals = |at: usize| view.is_word(at) && view.case(at) == Case::Upper && view.bytes(at).len() > 1;
    if first > 0 && view.same_line(first) && capitals(first - 1) || view.same_line(last) && capitals(last) {
        return None;
    }
    // A year before an abbreviation is the year of a study: the 2012 MRI.
    let year = |part: &Part| {
        part.last == part.first + 1 && view.whole(part.first).is_some_and(|value| is_year4(value, part.digits))
    };
    if row.iter().any(year) {
        return None;
    }
    // `062 PS7`, `80L 021`: a number that begins with a zero counts nothing.
    let padded = |part: &Part| part.changes == 0 && view.number(part.first).is_some_and(super::number::Number::padded);
    // Letters on no list at all are no shorthand, whatever the figures beside them could be.
    let nothing =
        |part: &Part| part.letters > 0 && (part.first..part.last).all(|at| !view.is_word(at) || is_nothing(view, at));
    // `18G 500 mL`: a number with a unit behind it is an amount.
    let amount =
        view.is_mark(last, b'%') || view.same_line(last) && view.any(last, CLINICAL) && !view.is(last, Class::Stop);
    let round = |part: &Part| view.bytes(part.last - 1).ends_with(b"00");
    let likely = Some((Kind::Vehicle, Certainty::Likely));
    let weak = Some((Kind::Vehicle, Certainty::Weak));
    match row {
        [a, b, c] if letters(a, 1, 2) && digits(b, 4, 4) && letters(c, 2, 2) && !is_unit(view, c) => likely,
        // 34 AB 1234
        [a, b, c] if digits(a, 2, 2) && letters(b, 1, 3) && digits(c, 4, 5) => likely,
        // 27 HNB 91
        [a, b, c] if digits(a, 2, 2) && letters(b, 3, 3) && digits(c, 2, 2) && nothing(b) && !amount => likely,
        // PF 89 454: no name of a value has two numbers with a blank between.
        [a, b, c]
            if letters(a, 2, 2) && digits(b, 2, 2) && digits(c, 3, 3) && a.clinical && !amount && ends(view, last) =>
        {
            likely
        }
        // AS 20 355
        [a, b, c] if letters(a, 2, 2) && digits(b, 2, 2) && digits(c, 3, 3) && !known(view, a) => weak,
        [a, b] if a.letters == 2 && a.digits == 2 && a.changes == 1 && letters(b, 3, 3) => {
            let marker = view.is(a.first, Class::Marker) && b.clinical;
            if view.is_word(a.first) && !marker && !is_unit(view, b) { likely } else { None }
        }
        // 016 PIS, 062 PS7, 80L 021
        [a, b] if digits(a, 3, 3) && padded(a) && b.letters >= 2 && b.letters + b.digits == 3 && !amount => likely,
        [a, b] if a.changes == 1 && a.letters == 1 && a.digits == 2 && digits(b, 3, 3) && padded(b) && !amount => {
            likely
        }
        // 22V 7487
        [a, b]
            if a.changes == 1
                && view.is_number(a.first)
                && a.letters == 1
                && a.digits == 2
                && digits(b, 4, 4)
                && !round(b)
                && !amount =>
        {
            likely
        }
        // HUK I871, CDQ 48IV: letters that are nothing, and a mixed part.
        [a, b] if letters(a, 3, 3) && b.changes == 1 && b.letters + b.digits == 4 && nothing(a) => likely,
        [a, b] if letters(a, 2, 3) && b.changes == 1 && b.digits == 2 && b.letters == 1 && nothing(a) => likely,
        [a, b] if letters(a, 2, 2) && b.changes == 1 && b.digits == 4 && b.letters == 1 && !a.clinical => likely,
        // 1LI L02: letters that are nothing beside what could be a level.
        [a, b]
            if a.changes == 1
                && a.letters == 2
                && a.digits == 1
                && view.is_number(a.first)
                && nothing(a)
                && b.changes == 1
                && b.letters == 1
                && b.digits == 2 =>
        {
            likely
        }
        // LIW 61F, HDF T827, WZ 2202L: letters and a mixed part.
        [a, b] if letters(a, 2, 3) && b.changes == 1 && b.digits >= 2 && b.letters == 1 && !known(view, a) => weak,
        // DR 56006, TMA 999
        [a, b] if (letters(a, 2, 2) && digits(b, 5, 5) || letters(a, 3, 3) && digits(b, 3, 3)) && !known(view, a) => {
            weak
        }
        // NIH 40222, CM 24549: five figures that are no round number, behind letters that name no value.
        [a, b] if letters(a, 2, 3) && digits(b, 5, 5) && !round(b) && !amount && !names_a_number(view, a) => weak,
        // I 379746
        [a, b] if letters(a, 1, 1) && digits(b, 6, 6) && !round(b) && !amount => weak,
        // KLP 4471 behind its word
        [a, b] if letters(a, 2, 3) && digits(b, 3, 4) && is_announced(view, first) => likely,
        // N75 ESY
        [a, b] if a.letters == 1 && a.digits == 2 && a.changes == 1 && letters(b, 3, 3) && !known(view, b) => likely,
        // Two changes in one part are no level, unit or ordinal.
        [a, b] if a.letters + a.digits == 3 && b.letters + b.digits == 3 && (a.changes == 2 || b.changes == 2) => {
            likely
        }
        [a, b]
            if a.letters + a.digits == 3 && (3..=4).contains(&(b.letters + b.digits)) && a.changes + b.changes > 0 =>
        {
            if a.clinical || b.clinical {
                None
            } else {
                likely
            }
        }
        // 187 BHK, 5997 FDR
        [a, b] if digits(a, 3, 4) && letters(b, 3, 3) && !known(view, b) => weak,
        _ => None,
    }
}

/// Whether a word is on no list of words or shorthand.
fn is_nothing(view: &View<'_>, at: usize) -> bool {
    const MORE: Classes = Classes::of(&[Class::Literature, Class::Clinical, Class::Credential]);
    !view.any(at, LISTED) && !view.any(at, MORE) && !view.any(at, CLINICAL)
}

/// Whether a number of so many figures belongs behind the letters: tests, codes, keywords.
fn names_a_number(view: &View<'_>, part: &Part) -> bool {
    const NAMES: Classes = Classes::of(&[
        Class::Measurement,
        Class::Score,
        Class::CodeSystem,
        Class::IdKeyword,
        Class::PhoneKeyword,
        Class::WardNoun,
        Class::State,
        Class::Month,
        Class::Title,
        Class::NameField,
    ]);
    view.any(part.first, NAMES) && !takes_short(view.word(part.first))
}

/// Whether the word before says that a plate follows.
fn is_announced(view: &View<'_>, first: usize) -> bool {
    let mut before = first;
    while before > 0 && first - before < 2 && view.is_any_mark(before - 1, b":#") {
        before -= 1;
    }
    before > 0 && matches!(view.word(before - 1), "plate" | "plates" | "registration" | "tag" | "rego")
}

/// Whether the clause is over behind the row.
fn ends(view: &View<'_>, at: usize) -> bool {
    view.is_any_mark(at, b".,;)") || view.gap(at) >= Gap::Wide || view.is(at, Class::Stop)
}
