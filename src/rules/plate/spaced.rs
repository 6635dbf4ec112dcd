//! Rows whose parts have blanks between: `ZZ 43 11 35 T`, `RG63 LPD`, `CS 7731 CN`, `187 BHK`.

use super::part::{
    CLINICAL, Part, announces, digits, ends_amount, figures_first, has_round, is_blank, is_nothing, is_padded,
    is_round, is_unit, is_year, known, leads_number, leads_with_zero, letters, letters_first, mixed, names_a_number,
};
use super::{LIKELY, WEAK, by_length};
use crate::rules::word_sets::says;
use crate::rules::{Certainty, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// `ZZ 43 11 35 T`, `RG63 LPD`, `CS 7731 CN`, `GA8 H6X`, `187 BHK`, `WZ 2202L`.
pub(super) fn spaced(view: &View<'_>, row: &[Part]) -> Option<(Kind, Certainty)> {
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
    if row.iter().any(|part| part.changes == 0 && is_year(view, part)) {
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
        _ if letters(a, 2, 3) && mixed(b, 1, 2) && is_blank(view, a) => LIKELY,
        _ if letters(a, 2, 2)
            && mixed(b, 1, 4)
            && (!a.clinical || view.is_number(b.first) && !has_round(view, b) && !names_a_number(view, a)) =>
        {
            LIKELY
        }
        // UJ 243FT
        _ if letters(a, 2, 2) && figures_first(view, b, 2, 3) && !known(view, a) => {
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
            && figures_first(view, b, 1, 2)
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
        _ if mixed(a, 2, 2) && letters(b, 3, 3) => {
            let marker = view.is(a.first, Class::Marker) && b.clinical;
            if view.is_word(a.first) && !marker && !is_unit(view, b) { LIKELY } else { None }
        }
        // 016 PIS, 062 PS7, 80L 021
        _ if digits(a, 3, 3) && is_padded(view, a) && b.letters >= 2 && b.letters + b.digits == 3 && !amount => LIKELY,
        _ if mixed(a, 1, 2)
            && digits(b, 3, 3)
            && !amount
            && (is_padded(view, b)
                || view.is_number(a.first)
                    && (!a.clinical || view.whole(b.first).is_some_and(|value| !value.is_multiple_of(5)))) =>
        {
            LIKELY
        }
        // 20 46BF
        _ if digits(a, 2, 2) && figures_first(view, b, 2, 2) && is_blank(view, b) && !amount => WEAK,
        // 22V 7487
        _ if figures_first(view, a, 1, 2) && digits(b, 4, 4) && !is_round(view, b) && !amount => LIKELY,
        // 1LI L02: letters that are nothing beside what could be a level.
        _ if figures_first(view, a, 2, 1) && is_blank(view, a) && mixed(b, 1, 2) => LIKELY,
        // 9D 43625
        _ if figures_first(view, a, 1, 1) && digits(b, 5, 5) && !is_round(view, b) && !amount => LIKELY,
        _ if is_eircode(view, a, b) => LIKELY,
        // N75 ESY
        _ if mixed(a, 1, 2) && letters(b, 3, 3) && !known(view, b) => LIKELY,
        // CR6 9827, YA0 39F
        _ if letters_first(view, a, 2, 1)
            && view.is_number(b.first)
            && (digits(b, 4, 4) && !is_round(view, b) && !amount || is_blank(view, a) && mixed(b, 1, 2)) =>
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

/// `R95 X7K2`, an Irish postal code; `L45 S1L2`, `C34 T2N0` are levels and stages.
fn is_eircode(view: &View<'_>, a: &Part, b: &Part) -> bool {
    let clinical = |at: usize| view.is_number(at) || says!(view, at, "c" | "t" | "l" | "s" | "n" | "m");
    letters_first(view, a, 1, 2)
        && b.letters + b.digits == 4
        && b.digits > 0
        && view.is_word(b.first)
        && !(a.first..a.last).chain(b.first..b.last).all(clinical)
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
            && figures_first(view, b, 2, 1)
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

/// Small words between two numbers, and halves of the day.
const STEPS: Classes = Classes::of(&[Class::Stop, Class::Clinical, Class::Link, Class::NumberWord]);

/// Whether values of five figures belong behind two letters: enzymes, viral loads, fats.
fn takes_five(name: &str) -> bool {
    matches!(name, "ck" | "vl" | "tg")
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
