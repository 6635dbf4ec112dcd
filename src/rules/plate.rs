//! Number plates and numbers of citizens by their shape: short rows of capitals and figures behind hyphens or blanks.
//!
//! `code` finds what is long or mixed; here are the shapes whose parts, each for itself, could be an abbreviation and a
//! value: `HS-629-GT`, `SP-S-51`, `RG63 LPD`, `CS 7731 CN`, `187 BHK`, `ZZ 43 11 35 T`.

use super::clinical::takes_short;
use super::date::is_year4;
use super::stray;
use super::view::says;
use super::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Letters and figures with nothing between them, five at most.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    pub first: usize,
    pub last: usize,
    pub letters: usize,
    pub digits: usize,
    /// How often it changes between letters and figures.
    pub changes: usize,
    /// A unit, a dose, something counted or measured stands in it.
    clinical: bool,
}

/// More parts than this are not read.
const MOST: usize = 6;

/// What makes capitals beside a number an amount or a value.
pub(super) const CLINICAL: Classes = Classes::of(&[
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
pub(super) fn is_unit(view: &View<'_>, part: &Part) -> bool {
    matches!(
        view.bytes(if part.changes > 0 { part.last - 1 } else { part.first }),
        b"mg" | b"ml" | b"cc" | b"kg" | b"cm" | b"mm" | b"iu" | b"gm" | b"hr" | b"mcg" | b"prn"
    )
}

/// Finds a plate or a number of a citizen, at its first number.
pub(super) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let alone = !view.token(at).glued() && !view.token(at + 1).glued();
    let near = |word: usize| view.is_word(word) && view.case(word) == Case::Upper && view.width(word) <= 3;
    let mark = |mark: usize| is_joint(view, mark) && view.joined(mark);
    if alone && !(near(at.wrapping_sub(1)) || near(at + 1) || mark(at + 1) || mark(at.wrapping_sub(1))) {
        return;
    }
    let Some(here) = part(view, at) else { return };
    if let Some(last) = with_four(view, &here) {
        findings.remove(here.first, last, Kind::Vehicle, Certainty::Likely);
        return;
    }
    // `829 7HZ`: the first number has no capitals beside it, and nobody asks there.
    if here.changes == 1 && view.is_number(here.first) && here.first == at && at > 0 && view.gap(at) == Gap::Space {
        let plain = |part: &Part| part.changes == 0 && part.digits > 1;
        if let Some(before) =
            Some(at - 1).filter(|&before| view.is_number(before)).and_then(|before| part(view, before))
            && plain(&before)
            && let Some((kind, certainty)) = judged(view, &[before, here], false)
        {
            findings.remove(before.first, here.last, kind, certainty);
            return;
        }
    }
    let mut parts = [Part::default(); MOST];
    let mut single = true;
    for hyphen in [true, false] {
        let Some((len, number)) = row(view, here, hyphen, &mut parts) else { continue };
        single = false;
        // The row is read once, at the first number in it.
        if parts[..number].iter().any(|part| part.digits > 0) || here.first != parts[number].first {
            continue;
        }
        let row = &parts[..len];
        if hyphen && let Some(first) = district(view, row) {
            findings.remove(first, row[len - 1].last, Kind::Vehicle, Certainty::Likely);
            return;
        }
        if let Some((kind, certainty)) = judged(view, row, hyphen) {
            findings.remove(row[0].first, row[len - 1].last, kind, certainty);
            return;
        }
    }
    if single && stray::is_single(view, &here) {
        findings.remove(here.first, here.last, Kind::Vehicle, Certainty::Likely);
    }
}

/// What a row is by its shape, and by the sentence around it.
fn judged(view: &View<'_>, row: &[Part], hyphen: bool) -> Option<(Kind, Certainty)> {
    let found = if hyphen { hyphenated(view, row) } else { spaced(view, row) };
    if !matches!(found, Some((_, Certainty::Likely))) && stray::is_row(view, row, hyphen) { LIKELY } else { found }
}

/// Where a plate begins whose district is written as a name is: `Do-EU-863`.
fn district(view: &View<'_>, row: &[Part]) -> Option<usize> {
    let [area, number] = row else { return None };
    let first = area.first.checked_sub(2)?;
    let written = letters(area, 1, 2)
        && digits(number, 1, 4)
        && !is_wave(view, area, number)
        && view.is_mark(first + 1, b'-')
        && view.joined(first + 1)
        && view.joined(area.first)
        && view.case(first) == Case::Capital
        && view.width(first) <= 3
        && !says!(view, first, "non" | "pre" | "sub" | "mid" | "ex");
    written.then_some(first)
}

/// One past `51F-RZTP`: a figure or two with a letter, and four letters that are nothing behind a hyphen.
fn with_four(view: &View<'_>, part: &Part) -> Option<usize> {
    let tail = part.last + 1;
    let written = part.letters == 1
        && (1..=2).contains(&part.digits)
        && part.changes == 1
        && view.is_number(part.first)
        && view.is_mark(part.last, b'-')
        && view.joined(part.last)
        && view.joined(tail)
        && view.is_word(tail)
        && view.case(tail) == Case::Upper
        && view.width(tail) == 4
        && !(view.joined(tail + 1) && (view.is_number(tail + 1) || view.is_any_mark(tail + 1, b"-/")))
        && (is_nothing(view, tail) || !says!(view, part.first + 1, "f" | "m" | "y"));
    written.then_some(tail + 1)
}

/// A hyphen, or the point in the middle that some plates have: `03S•582`.
fn is_joint(view: &View<'_>, at: usize) -> bool {
    view.is_mark(at, b'-') || is_bullet(view, at)
}

fn is_bullet(view: &View<'_>, at: usize) -> bool {
    view.token(at).kind == crate::token::Kind::Symbol && matches!(view.word(at), "•" | "·")
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
        let len = view.width(token);
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
    // `2G3OYS`: more letters only where figures stand between them.
    let letters = part.letters <= 3 || part.changes > 1;
    (letters && part.digits <= 6 && part.letters + part.digits <= 6).then_some(part)
}

/// Reads the parts joined to this one; how many they are, and which of them it is. `None` where it stands alone or the row does not end.
fn row(view: &View<'_>, here: Part, hyphen: bool, parts: &mut [Part; MOST]) -> Option<(usize, usize)> {
    let joint = |first: usize| {
        if hyphen {
            is_joint(view, first) && view.joined(first) && view.joined(first + 1)
        } else {
            view.gap(first) == Gap::Space
        }
    };
    let width = usize::from(hyphen);
    let fits = |at: usize| {
        view.is_number(at)
            || view.is_word(at) && (view.case(at) == Case::Upper || view.capitalised(at) && view.width(at) == 1)
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
    if is_bullet(view, row[0].last) {
        let digits: usize = row.iter().map(|part| part.digits).sum();
        let letters: usize = row.iter().map(|part| part.letters).sum();
        return if letters > 0 && digits > 2 && letters + digits >= 5 { LIKELY } else { None };
    }
    let plate = match row {
        [a, b, c] if plain(a) && plain(b) && plain(c) => {
            let german =
                a.letters > 0 && (1..=2).contains(&b.letters) && (1..=4).contains(&c.digits) && !is_wave(view, a, c);
            let odd = b.digits == 3 && !view.bytes(b.first).ends_with(b"0");
            let between = a.letters > 0 && (2..=4).contains(&b.digits) && c.letters > 0 && (odd || !is_unit(view, c));
            // No amount, and no date, has two letters behind a second hyphen: `17-MS-BY`.
            let counts = if c.letters == 2 { is_unit(view, b) } else { is_amount(view, b) };
            let dutch = (1..=2).contains(&a.digits) && b.letters >= 2 && c.digits + c.letters <= 2 && !counts;
            let mexican = (2..=3).contains(&a.letters) && b.digits == 2 && c.digits == 2 && !a.clinical;
            german || between || dutch || mexican
        }
        // `LAR-879`, `471-ZTC`
        [a, b] if a.letters == 3 && b.digits == 3 && plain(a) && plain(b) && !announces(view, a) => {
            return Some((Kind::Vehicle, if is_blank(view, a) { Certainty::Likely } else { Certainty::Weak }));
        }
        [a, b] if a.digits == 3 && b.letters == 3 && plain(a) && plain(b) && !announces(view, b) => {
            return Some((Kind::Vehicle, if is_blank(view, b) { Certainty::Likely } else { Certainty::Weak }));
        }
        // `ROS-543`, `826-SRS`: shorthand, with more figures behind a hyphen than any test or amount has.
        [a, b]
            if plain(a)
                && plain(b)
                && a.letters + b.letters == 3
                && (a.letters == 3 && b.digits == 3 && !a.clinical && !names_a_number(view, a)
                    || a.digits == 3 && b.letters == 3 && !is_amount(view, b)) =>
        {
            return WEAK;
        }
        // `73-5735V`: no range goes from so little to so much.
        [a, b] if plain(a) && (1..=2).contains(&a.digits) && b.letters == 1 && b.digits >= 4 && b.changes == 1 => {
            view.is_number(b.first) && !view.bytes(b.first).ends_with(b"00")
        }
        // `R72-94J`
        [a, b] if a.letters == 1 && b.letters == 1 && a.digits == 2 && b.digits == 2 => {
            a.changes == 1 && b.changes == 1 && view.is_word(a.first) && view.is_number(b.first)
        }
        [a, b] => {
            let mixed = |part: &Part| part.changes > 0 && (3..=4).contains(&(part.letters + part.digits));
            // `B52-FSH`: no level of the spine.
            let initial = a.letters == 1 && a.digits == 2 && a.changes == 1 && plain(b);
            let level = view.is_word(a.first) && says!(view, a.first, "c" | "t" | "l" | "s");
            mixed(a) && b.letters == 3 && (!b.clinical || initial && view.is_word(a.first) && !level)
                || a.letters == 3 && mixed(b) && (!a.clinical || b.changes > 1)
        }
        _ => false,
    };
    if plate {
        return LIKELY;
    }
    match row {
        [a, b] if plain(a) && plain(b) && a.letters + b.letters == 3 && a.digits + b.digits == 3 => {
            by_length(view, row)
        }
        _ => None,
    }
}

/// ST-T-2: changes of two waves.
fn is_wave(view: &View<'_>, part: &Part, number: &Part) -> bool {
    says!(view, part.first, "st" | "t" | "qrs") && number.digits < 3
}

/// Whether the letters name what is counted or measured, or a day: `5-MAR-98`, `10-TAB-30`.
fn is_amount(view: &View<'_>, part: &Part) -> bool {
    const AMOUNTS: Classes =
        Classes::of(&[Class::Unit, Class::Dose, Class::Duration, Class::Month, Class::OrdinalWord, Class::AgeCue]);
    view.any(part.first, AMOUNTS)
}

/// Whether letters beside three figures are clinical shorthand, a small word or what a number is announced with. What is
/// a word or a term of its own announces none: `RAW 531`.
fn announces(view: &View<'_>, part: &Part) -> bool {
    const ANNOUNCING: Classes = Classes::of(&[
        Class::Stop,
        Class::Clinical,
        Class::Brand,
        Class::IdKeyword,
        Class::PhoneKeyword,
        Class::WardNoun,
        Class::State,
        Class::Credential,
    ]);
    part.clinical || view.any(part.first, ANNOUNCING)
}

/// Whether the letters of the part are on no list of words or shorthand.
fn is_blank(view: &View<'_>, part: &Part) -> bool {
    part.letters > 0 && (part.first..part.last).all(|at| !view.is_word(at) || is_nothing(view, at))
}

/// Whether values of five figures belong behind two letters: enzymes, viral loads, fats.
fn takes_five(name: &str) -> bool {
    matches!(name, "ck" | "vl" | "tg")
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
pub(super) fn known(view: &View<'_>, part: &Part) -> bool {
    part.clinical || view.any(part.first, LISTED)
}

/// `ZZ 43 11 35 T`, `RG63 LPD`, `CS 7731 CN`, `GA8 H6X`, `187 BHK`, `WZ 2202L`.
fn spaced(view: &View<'_>, row: &[Part]) -> Option<(Kind, Certainty)> {
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
    let capitals = |at: usize| view.is_word(at) && view.case(at) == Case::Upper && view.width(at) > 1;
    if first > 0 && view.same_line(first) && capitals(first - 1) || view.same_line(last) && capitals(last) {
        return None;
    }
    // `CU 2040 LD`: behind this year no study was made.
    if let [a, b, c] = row
        && letters(a, 1, 2)
        && digits(b, 4, 4)
        && letters(c, 2, 2)
        && view.whole(b.first).is_some_and(|value| (2031..2100).contains(&value))
        && !is_unit(view, c)
    {
        return LIKELY;
    }
    // A year before an abbreviation is the year of a study: the 2012 MRI.
    let year = |part: &Part| {
        part.last == part.first + 1 && view.whole(part.first).is_some_and(|value| is_year4(value, part.digits))
    };
    if row.iter().any(year) {
        return None;
    }
    // `18G 500 mL`: a number with a unit behind it is an amount.
    let amount =
        view.is_mark(last, b'%') || view.same_line(last) && view.any(last, CLINICAL) && !view.is(last, Class::Stop);
    let found = match row {
        [a, b, c] => three(view, a, b, c, amount),
        // GB 7M136, 9D FM452, PI 671VZ: five or six characters, mixed, that are no amount.
        [a, b]
            if a.letters + a.digits == 2
                && a.letters > 0
                && b.letters > 0
                && b.digits > 1
                && b.letters + b.digits >= 5
                && (b.changes > 1 || !b.clinical || view.is_word(b.first) || b.digits == 4 && !has_round(view, b)) =>
        {
            LIKELY
        }
        [a, b] if a.digits == 0 => behind_letters(view, a, b, amount),
        [a, b] => behind_figures(view, a, b, amount),
        _ => None,
    };
    found.or_else(|| if amount { None } else { by_length(view, row) })
}

/// What is left: as many letters and figures as plates have. Weak, so that a name keeps its value and an amount its unit;
/// but where nothing vouches for the figures, the letters beside them go too: `BIW 651`, `68 AD 475`, `5HD 572`.
fn by_length(view: &View<'_>, row: &[Part]) -> Option<(Kind, Certainty)> {
    let letters: usize = row.iter().map(|part| part.letters).sum();
    let digits: usize = row.iter().map(|part| part.digits).sum();
    let plate = row.len() <= 3
        && (6..=8).contains(&(letters + digits))
        && letters > 1
        && (digits > 2 || row.len() == 2 && digits == 2 && letters >= 4 && row[0].letters == 3)
        // `T2 N0 M0`
        && row.iter().all(|part| part.changes == 0 || part.letters + part.digits > 2)
        && !(digits > 3 && row.len() == 2 && names_a_number(view, &row[0]))
        && row.iter().all(|part| part.digits == 0 || !is_round(view, part) && !is_hour(view, part))
        && row.iter().all(|part| part.letters == 0 || part.changes > 0 || !view.any(part.first, NOT_ON_PLATES));
    if plate { WEAK } else { None }
}

/// What announces a number or stands between two.
const NOT_ON_PLATES: Classes = Classes::of(&[
    Class::Stop,
    Class::Link,
    Class::NumberWord,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::WardNoun,
    Class::State,
    Class::Month,
    Class::Title,
    Class::NameField,
    Class::CodeSystem,
]);

/// Four figures that are a time of day.
pub(super) fn is_hour(view: &View<'_>, part: &Part) -> bool {
    part.digits == 4
        && part.changes == 0
        && view.whole(part.first).is_some_and(|value| value < 2400 && value % 100 < 60)
}

const LIKELY: Option<(Kind, Certainty)> = Some((Kind::Vehicle, Certainty::Likely));
const WEAK: Option<(Kind, Certainty)> = Some((Kind::Vehicle, Certainty::Weak));

/// So many letters with so many figures behind them: `V37`.
fn letters_first(view: &View<'_>, part: &Part, letters: usize, digits: usize) -> bool {
    view.is_word(part.first) && (part.letters, part.digits, part.changes) == (letters, digits, 1)
}

/// So many letters with so many figures before them: `5CT`.
fn figures_first(view: &View<'_>, part: &Part, letters: usize, digits: usize) -> bool {
    view.is_number(part.first) && (part.letters, part.digits, part.changes) == (letters, digits, 1)
}

/// So many letters and nothing else.
pub(super) fn letters(part: &Part, least: usize, most: usize) -> bool {
    part.digits == 0 && (least..=most).contains(&part.letters)
}

/// So many figures and nothing else.
pub(super) fn digits(part: &Part, least: usize, most: usize) -> bool {
    part.letters == 0 && (least..=most).contains(&part.digits)
}

/// `062 PS7`, `80L 021`: a number that begins with a zero counts nothing.
fn is_padded(view: &View<'_>, part: &Part) -> bool {
    part.changes == 0 && view.number(part.first).is_some_and(super::number::Number::padded)
}

/// What is counted or measured with many figures ends with zeros.
fn is_round(view: &View<'_>, part: &Part) -> bool {
    view.bytes(part.last - 1).ends_with(b"00")
}

/// Whether the figures of a mixed part end with zeros: `1000M`.
fn has_round(view: &View<'_>, part: &Part) -> bool {
    (part.first..part.last).any(|at| view.is_number(at) && view.bytes(at).ends_with(b"00"))
}

/// Three parts with blanks between: `CS 7731 CN`, `34 AB 1234`, `65 SIM 664`.
fn three(view: &View<'_>, a: &Part, b: &Part, c: &Part, amount: bool) -> Option<(Kind, Certainty)> {
    match (a, b, c) {
        _ if letters(a, 1, 2) && digits(b, 4, 4) && letters(c, 2, 2) && !is_unit(view, c) => LIKELY,
        // BQ 44 TZ: letters that are nothing on one side.
        _ if letters(a, 2, 2)
            && digits(b, 2, 2)
            && letters(c, 2, 2)
            && !amount
            && !is_unit(view, c)
            // `HR 66 SR`: a value and what it is like.
            && !view.is(a.first, Class::Measurement)
            && (is_blank(view, a) || is_blank(view, c)) =>
        {
            LIKELY
        }
        // 34 AB 1234
        _ if digits(a, 2, 2) && letters(b, 1, 3) && digits(c, 4, 5) => LIKELY,
        // 27 HNB 91
        _ if digits(a, 2, 2) && letters(b, 3, 3) && digits(c, 2, 2) && is_blank(view, b) && !amount => LIKELY,
        // 65 SIM 664, 15 TO 023
        _ if digits(a, 2, 2)
            && letters(b, 2, 3)
            && digits(c, 2, 3)
            && !amount
            && (c.digits == 3 && is_padded(view, c) || !b.clinical && !view.any(b.first, STEPS)) =>
        {
            LIKELY
        }
        // 20 HU 444: an amount has no other number behind it that is not round.
        _ if digits(a, 2, 2)
            && letters(b, 2, 2)
            && digits(c, 3, 3)
            && !amount
            && !is_unit(view, b)
            && view.any(b.first, Classes::of(&[Class::Unit, Class::Dose, Class::AgeCue]))
            && !view.any(b.first, Classes::of(&[Class::Measurement, Class::Score, Class::Duration, Class::Stop]))
            && view.whole(c.first).is_some_and(|value| !value.is_multiple_of(5)) =>
        {
            LIKELY
        }
        // PF 89 454, AS 20 355: no name of a value has two numbers with a blank between.
        _ if letters(a, 2, 2)
            && digits(b, 2, 2)
            && digits(c, 3, 3)
            && !amount
            && (!a.clinical || ends(view, c.last)) =>
        {
            LIKELY
        }
        _ => None,
    }
}

/// Letters, a blank, and figures or a mixed part: `NIH 40222`, `WER 2148W`.
fn behind_letters(view: &View<'_>, a: &Part, b: &Part, amount: bool) -> Option<(Kind, Certainty)> {
    match (a, b) {
        // HUK I871, CDQ 48IV: letters that are nothing, and a mixed part.
        _ if letters(a, 3, 3)
            && b.changes == 1
            && b.letters + b.digits == 4
            && (is_blank(view, a) || b.letters == 2 && view.is_word(b.first) && is_nothing(view, b.first)) =>
        {
            LIKELY
        }
        _ if letters(a, 2, 3) && b.changes == 1 && b.digits == 2 && b.letters == 1 && is_blank(view, a) => LIKELY,
        _ if letters(a, 2, 2)
            && b.changes == 1
            && b.digits == 4
            && b.letters == 1
            && (!a.clinical || view.is_number(b.first) && !has_round(view, b) && !names_a_number(view, a)) =>
        {
            LIKELY
        }
        // UJ 243FT
        _ if letters(a, 2, 2)
            && b.changes == 1
            && b.digits == 3
            && b.letters == 2
            && view.is_number(b.first)
            && !known(view, a) =>
        {
            if is_blank(view, a) {
                LIKELY
            } else {
                WEAK
            }
        }
        // WER 2148W, VRE 01F: nothing that a value would stand behind, or a number that begins with a zero.
        _ if letters(a, 2, 3)
            && b.changes == 1
            && b.letters == 1
            && b.digits >= 2
            && view.is_number(b.first)
            && (is_blank(view, a) || letters(a, 3, 3) && leads_with_zero(view, b)) =>
        {
            LIKELY
        }
        // QRS 09L0, FWB 43KM
        _ if letters(a, 3, 3)
            && b.letters + b.digits == 4
            && b.digits > 1
            && view.is_number(b.first)
            && (b.changes > 1 || b.letters == 2 && (is_blank(view, a) || leads_with_zero(view, b))) =>
        {
            LIKELY
        }
        // CPR 92Q: no letter for a time, a dose or a size.
        _ if letters(a, 3, 3)
            && b.changes == 1
            && b.digits == 2
            && view.is_number(b.first)
            && matches!(
                view.bytes(b.last - 1),
                b"v" | b"q" | b"k" | b"r" | b"p" | b"b" | b"j" | b"n" | b"e" | b"o" | b"t" | b"z"
            )
            && !announces(view, a) =>
        {
            LIKELY
        }
        // LIW 61F, HDF T827, WZ 2202L, SMA 24I: letters and a mixed part.
        _ if letters(a, 2, 3)
            && b.changes == 1
            && b.digits >= 2
            && b.letters == 1
            && (!known(view, a) || letters(a, 3, 3) && !announces(view, a) && !b.clinical) =>
        {
            WEAK
        }
        // PSI 087
        _ if letters(a, 3, 3) && digits(b, 3, 3) && is_padded(view, b) && !amount && !names_a_number(view, a) => LIKELY,
        // DR 56006, TMA 999
        _ if letters(a, 2, 2) && digits(b, 5, 5) && !known(view, a)
            || letters(a, 3, 3) && digits(b, 3, 3) && !announces(view, a) && !amount =>
        {
            if is_blank(view, a) {
                LIKELY
            } else {
                WEAK
            }
        }
        // FK 98227: no value of so short a name has five figures.
        _ if letters(a, 2, 2)
            && digits(b, 5, 5)
            && !is_round(view, b)
            && !amount
            && !view.is(a.first, Class::State)
            && !takes_five(view.word(a.first)) =>
        {
            LIKELY
        }
        // NIH 40222, CM 24549: five figures that are no round number, behind letters that name no value.
        _ if letters(a, 2, 3) && digits(b, 5, 5) && !is_round(view, b) && !amount && !names_a_number(view, a) => WEAK,
        // EX 4501: no value behind such a name, and no time of day.
        _ if letters(a, 2, 2)
            && digits(b, 4, 4)
            && !is_round(view, b)
            && !amount
            && !names_a_number(view, a)
            && !view.whole(b.first).is_some_and(|value| value < 2400 && value % 100 < 60 && !is_padded(view, b)) =>
        {
            WEAK
        }
        // I 379746
        _ if letters(a, 1, 1) && digits(b, 6, 6) && !is_round(view, b) && !amount => WEAK,
        // KLP 4471 behind its word
        _ if letters(a, 2, 3) && digits(b, 3, 4) && is_announced(view, a.first) => LIKELY,
        _ => None,
    }
}

/// Figures or a mixed part, a blank, and another part: `RG63 LPD`, `187 BHK`, `35A H91`.
fn behind_figures(view: &View<'_>, a: &Part, b: &Part, amount: bool) -> Option<(Kind, Certainty)> {
    match (a, b) {
        _ if a.letters == 2 && a.digits == 2 && a.changes == 1 && letters(b, 3, 3) => {
            let marker = view.is(a.first, Class::Marker) && b.clinical;
            if view.is_word(a.first) && !marker && !is_unit(view, b) { LIKELY } else { None }
        }
        // 016 PIS, 062 PS7, 80L 021
        _ if digits(a, 3, 3) && is_padded(view, a) && b.letters >= 2 && b.letters + b.digits == 3 && !amount => LIKELY,
        _ if a.changes == 1
            && a.letters == 1
            && a.digits == 2
            && digits(b, 3, 3)
            && !amount
            && (is_padded(view, b)
                || view.is_number(a.first)
                    && (!a.clinical || view.whole(b.first).is_some_and(|value| !value.is_multiple_of(5)))) =>
        {
            LIKELY
        }
        // 20 46BF
        _ if digits(a, 2, 2)
            && b.changes == 1
            && b.digits == 2
            && b.letters == 2
            && view.is_number(b.first)
            && is_blank(view, b)
            && !amount =>
        {
            WEAK
        }
        // 22V 7487
        _ if a.changes == 1
            && view.is_number(a.first)
            && a.letters == 1
            && a.digits == 2
            && digits(b, 4, 4)
            && !is_round(view, b)
            && !amount =>
        {
            LIKELY
        }
        // 1LI L02: letters that are nothing beside what could be a level.
        _ if a.changes == 1
            && a.letters == 2
            && a.digits == 1
            && view.is_number(a.first)
            && is_blank(view, a)
            && b.changes == 1
            && b.letters == 1
            && b.digits == 2 =>
        {
            LIKELY
        }
        // 9D 43625
        _ if a.letters == 1
            && a.digits == 1
            && view.is_number(a.first)
            && digits(b, 5, 5)
            && !is_round(view, b)
            && !amount =>
        {
            LIKELY
        }
        _ if is_eircode(view, a, b) => LIKELY,
        // N75 ESY
        _ if a.letters == 1 && a.digits == 2 && a.changes == 1 && letters(b, 3, 3) && !known(view, b) => LIKELY,
        // CR6 9827, YA0 39F
        _ if letters_first(view, a, 2, 1)
            && view.is_number(b.first)
            && (digits(b, 4, 4) && !is_round(view, b) && !amount
                || is_blank(view, a) && b.letters == 1 && b.digits == 2 && b.changes == 1) =>
        {
            LIKELY
        }
        // 01M QX9, 35A H91: an amount, and letters that go on as no amount, level or frequency does.
        _ if figures_first(view, a, 1, 2)
            && b.letters + b.digits == 3
            && view.is_word(b.first)
            && b.changes == 1
            && (leads_with_zero(view, a)
                || b.letters == 2 && is_nothing(view, b.first)
                || b.digits == 2 && !leads_number(view, b)) =>
        {
            LIKELY
        }
        _ if has_stray_unit(view, a, b) => LIKELY,
        // Two changes in one part are no level, unit or ordinal.
        _ if a.letters + a.digits == 3 && b.letters + b.digits == 3 && (a.changes == 2 || b.changes == 2) => LIKELY,
        _ if a.letters + a.digits == 3 && (3..=4).contains(&(b.letters + b.digits)) && a.changes + b.changes > 0 => {
            if a.clinical || b.clinical { None } else { LIKELY }
        }
        _ if letters(b, 3, 3) && a.letters == 0 => before_letters(view, a, b),
        _ => None,
    }
}

/// `R95 X7K2`, an Irish postal code; `L45 S1L2`, `C34 T2N0` are levels and stages.
fn is_eircode(view: &View<'_>, a: &Part, b: &Part) -> bool {
    let clinical = |at: usize| view.is_number(at) || says!(view, at, "c" | "t" | "l" | "s" | "n" | "m");
    letters_first(view, a, 1, 2)
        && b.letters + b.digits == 4
        && b.digits > 0
        && view.is_word(b.first)
        && !(a.first..a.last).chain(b.first..b.last).all(clinical)
}

/// Whether the part begins with a letter that a number follows: of a frequency, a level, a stage, a dose.
fn leads_number(view: &View<'_>, part: &Part) -> bool {
    matches!(view.bytes(part.first), b"q" | b"t" | b"l" | b"c" | b"s" | b"x" | b"d" | b"p")
}

/// Whether the letters behind a number make an amount, a time or an age of it.
pub(super) fn ends_amount(view: &View<'_>, part: &Part) -> bool {
    is_unit(view, part) || view.any(part.last - 1, Classes::of(&[Class::Dose, Class::Duration, Class::AgeCue]))
}

/// A unit, a level or an age where none belongs: behind another number, behind a letter that is no level.
fn has_stray_unit(view: &View<'_>, a: &Part, b: &Part) -> bool {
    match (a, b) {
        // 829 7HZ, 58 80KB: no value has another with such a unit behind it.
        _ if digits(a, 2, 3)
            && b.letters == 2
            && b.changes == 1
            && view.is_number(b.first)
            && a.digits + b.digits == 4
            && !ends_amount(view, b) =>
        {
            true
        }
        // V37 9NM: no level, no frequency.
        _ if letters_first(view, a, 1, 2)
            && (!leads_number(view, a) || view.whole(a.first + 1).is_some_and(|value| value > 31))
            && b.letters == 2
            && b.digits == 1
            && view.is_number(b.first)
            && !ends_amount(view, b) =>
        {
            true
        }
        // 5CT F63
        _ if figures_first(view, a, 2, 1)
            && !a.clinical
            && letters_first(view, b, 1, 2)
            && !says!(view, b.first, "q" | "x") =>
        {
            true
        }
        _ => false,
    }
}

/// Figures before three letters: `187 BHK`.
fn before_letters(view: &View<'_>, a: &Part, b: &Part) -> Option<(Kind, Certainty)> {
    match (a, b) {
        // 187 BHK, 5997 FDR
        _ if digits(a, 3, 4) && !known(view, b) => {
            if is_blank(view, b) {
                LIKELY
            } else {
                WEAK
            }
        }
        // `has 828 BUN in`: a test has its value behind it; nothing is counted in such letters.
        _ if digits(a, 3, 3)
            && !view.is_any_mark(b.last, b":=")
            && !view.is_number(b.last)
            && view.is_word(a.first.wrapping_sub(1))
            && view.case(a.first - 1) == Case::Lower
            && !view.any(
                b.first,
                Classes::of(&[Class::Unit, Class::Dose, Class::Duration, Class::Counted, Class::Sized]),
            )
            && view.whole(a.first).is_some_and(|value| !value.is_multiple_of(5)) =>
        {
            WEAK
        }
        _ => None,
    }
}

/// Small words between two numbers, and halves of the day.
const STEPS: Classes = Classes::of(&[Class::Stop, Class::Clinical, Class::Link, Class::NumberWord]);

/// Whether the first figure of a part is a zero.
fn leads_with_zero(view: &View<'_>, part: &Part) -> bool {
    view.is_number(part.first) && view.bytes(part.first).first() == Some(&b'0')
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
    before > 0 && says!(view, before - 1, "plate" | "plates" | "registration" | "tag" | "rego")
}

/// Whether the clause is over behind the row.
fn ends(view: &View<'_>, at: usize) -> bool {
    view.is_any_mark(at, b".,;)") || view.gap(at) >= Gap::Wide || view.is(at, Class::Stop)
}
