//! Numbers whose form alone is clinical: blood gases and panels with slashes, blood pressures, visual acuity,
//! percentages, comparisons, dilutions, numbers below one.

use super::amount::{Figure, Shape, in_hyphen_chain};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::Kind;
use crate::vocabulary::{Class, Classes};

/// Vouches for a number by its form and the mark before it.
pub(in crate::rules) fn keep_clinical_form(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(figure) = Figure::at(note, at) else { return };
    let compared = at.checked_sub(1).is_some_and(|before| {
        matches!(note.token(before).kind, Kind::Punct | Kind::Symbol) && is_comparison_mark(note, before)
    });
    // A plain integer needs a comparison before it.
    if !compared && figure.shape == Shape::Integer || note.token(at).glued() || in_hyphen_chain(note, at) {
        return;
    }
    if let Some(last) = end_of_fetal_station(note, at, &figure) {
        findings.keep(at, last, Certainty::Sure);
        return;
    }
    if note.token(at + 1).glued() && !compared {
        return;
    }
    let number = &figure.number;
    // `Low back syndrome (724.2)`: an ICD-9 code after its diagnosis.
    let bracketed = at > 1
        && note.is_mark(at - 1, b'(')
        && note.joined(at)
        && note.is_mark(at + 1, b')')
        && note.is_word(at - 2)
        && (number.digits(0), figure.shape) == (3, Shape::Decimal)
        && number.digits(1) <= 2;
    let certainty = match figure.shape {
        // `7.31/48/76`: the pH of blood, then its other gas values.
        Shape::Slashes if is_blood_gas(&figure) => Some(Certainty::Sure),
        Shape::Slashes if figure.looks_like_date() => return,
        Shape::Slashes => certainty_of_panel(&figure),
        Shape::Slash => certainty_of_pair(note, at, &figure),
        Shape::Colon if number.separator(0) == b':' && is_ratio(&figure) => Some(Certainty::Likely),
        // `0.5` and `.5` are below one; no date and no identifier begins like that.
        Shape::Decimal if number.value(0) == 0 && number.digits(0) <= 1 && number.digits(1) <= 4 => {
            Some(Certainty::Likely)
        }
        Shape::Decimal if is_not_date(note, at, &figure) => Some(Certainty::Weak),
        _ if compared && figure.is_plain_measurement() => Some(Certainty::Likely),
        _ if bracketed => Some(Certainty::Weak),
        Shape::Grouped if number.len() == 2 => Some(Certainty::Weak),
        _ => None,
    };
    if let Some(certainty) = certainty {
        findings.keep(at, at + 1, certainty);
    }
}

/// Returns the end (exclusive) of a cervical exam, dilation, effacement and station: `4/80/-1`, `1.5/50/-3`. Dates
/// contain no sign.
fn end_of_fetal_station(note: &Note<'_>, at: usize, figure: &Figure) -> Option<usize> {
    let number = &figure.number;
    let effaced = number.len().checked_sub(1).filter(|&last| last > 0 && number.separator(last - 1) == b'/')?;
    let (slash, sign, head) = (at + 1, at + 2, at + 3);
    let open = number.value(0) <= 10
        && !figure.has_leading_zero
        && (effaced == 1 || effaced == 2 && number.separator(0) == b'.');
    let written = open
        && number.digits(effaced) >= 2
        && number.value(effaced) <= 100
        && number.value(effaced).is_multiple_of(10)
        && note.is_mark(slash, b'/')
        && note.is_any_mark(sign, b"+-")
        && [slash, sign, head].into_iter().all(|part| note.joined(part))
        && note.width(head) == 1
        && note.integer(head).is_some_and(|head| head <= 5)
        && !note.token(head + 1).glued()
        && !(note.joined(head + 1) && note.is_any_mark(head + 1, b"-/") && note.is_number(head + 2));
    written.then_some(head + 1)
}

/// Returns whether it begins with the pH of blood.
fn is_blood_gas(figure: &Figure) -> bool {
    let number = &figure.number;
    let acidity = number.value(0) * 100 + number.value(1);
    number.separator(0) == b'.'
        && number.separator(1) == b'/'
        && number.digits(1) == 2
        && (680..=780).contains(&acidity)
}

/// Returns whether the mark is a comparison: `<`, `>`, `=`, `≤`.
fn is_comparison_mark(note: &Note<'_>, at: usize) -> bool {
    match note.token(at).kind {
        Kind::Punct => match note.token(at).mark() {
            // Not the start of a markup tag.
            b'<' | b'>' => !note.is_mark(at + 2, b'>'),
            b'=' => {
                let Some(name) = at.checked_sub(1) else { return false };
                note.is_any_mark(name, b"<>") || note.is_word(name) && !note.is(name, Class::IdKeyword)
            }
            _ => false,
        },
        Kind::Symbol => matches!(note.word(at), "≤" | "≥" | "≈" | "±"),
        _ => false,
    }
}

/// Returns the certainty of `138/4.1/102/24`, `7.38/42/96`: three or more parts that are not a date.
fn certainty_of_panel(figure: &Figure) -> Option<Certainty> {
    let number = &figure.number;
    let parts = number.len();
    let points = (0..parts - 1).any(|part| number.separator(part) == b'.');
    let commas = (0..parts - 1).any(|part| number.separator(part) == b',');
    (figure.has_short_parts() && !commas && parts <= 8).then_some(if points || parts > 3 {
        Certainty::Likely
    } else {
        Certainty::Weak
    })
}

/// Returns whether a decimal cannot be a day and month: `36.8`, `1.52`, `4.0`. Other identifiers are not this short
/// unless they continue.
fn is_not_date(note: &Note<'_>, at: usize, figure: &Figure) -> bool {
    let number = &figure.number;
    let (a, b) = (number.value(0), number.value(1));
    let short = number.len() == 2 && number.digits(0) <= 3 && number.digits(1) <= 2 && !figure.has_leading_zero;
    let beside = at > 0 && (note.is_number(at - 1) || note.joined(at) && !note.is_any_mark(at - 1, b"(<>=~+-"));
    let goes_on = note.is_number(at + 1) || note.joined(at + 1) && note.is_any_mark(at + 1, b"-/@");
    short && !beside && !goes_on && (a > 31 || b > 31 || b == 0 || a > 12 && b > 12)
}

/// Lists of things that are taken in parts.
const PARTED: Classes = Classes::of(&[Class::Unit, Class::Dose, Class::Counted, Class::Sized]);

/// Returns the certainty of `118/76`, `20/40`, `1/2`: a blood pressure, an acuity, a fraction.
fn certainty_of_pair(note: &Note<'_>, at: usize, figure: &Figure) -> Option<Certainty> {
    let number = &figure.number;
    let (a, b) = (number.value(0), number.value(1));
    if number.digits(0) > 3 || number.digits(1) > 3 {
        return None;
    }
    if a == 20 && is_visual_acuity(b) {
        return Some(Certainty::Likely);
    }
    // Weeks of a pregnancy; there is no month above twelve.
    if b == 40 && (13..=42).contains(&a) {
        return Some(Certainty::Likely);
    }
    // A titre: 1/128, 1/256.
    if a == 1 && b >= 128 && b.is_power_of_two() {
        return Some(Certainty::Likely);
    }
    if (60..=300).contains(&a) && (20..=200).contains(&b) && a > b {
        return Some(Certainty::Likely);
    }
    // `RT 40/15`: grays over fractions; no day has such a number.
    if (32..=80).contains(&a) && b <= 40 && at > 0 && names_radiotherapy(note, at - 1) {
        return Some(Certainty::Likely);
    }
    if a < b && b <= 4 && word_is!(note, at + 1, "normal" | "ns" | "saline") {
        return Some(Certainty::Sure);
    }
    let one_of = |word: &[u8]| matches!(word, b"of" | b"a" | b"an" | b"inch" | b"strength");
    // `3/4 of an inch`, `1/2 of a tablet`
    let parted = word_is!(note, at + 2, "a" | "an" | "the") && note.any(at + 3, PARTED);
    let certainty = if parted { Certainty::Likely } else { Certainty::Weak };
    (a < b && b <= 16 && one_of(note.bytes(at + 1))).then_some(certainty)
}

/// Returns whether 20 feet over this distance is a line of an eye chart: `20/40`.
#[inline]
const fn is_visual_acuity(feet: u64) -> bool {
    matches!(feet, 10 | 13 | 15 | 16 | 20 | 25 | 30 | 32 | 40 | 50 | 60 | 63 | 70 | 80 | 100 | 125 | 150 | 160 | 200)
        || matches!(feet, 250 | 300 | 400 | 500 | 600 | 640 | 800)
}

/// Radiation treatments, which precede the dose.
static RADIATION: WordSet = word_set!("clinical-panel-radiation");

/// Returns whether the word is a radiation treatment, which precedes the dose.
fn names_radiotherapy(note: &Note<'_>, at: usize) -> bool {
    RADIATION.has(note, at)
}

/// Returns whether it is a ratio: `1:100,000`, `1:40`, `2:1`.
fn is_ratio(figure: &Figure) -> bool {
    let number = &figure.number;
    let (a, b) = (number.value(0), number.value(1));
    // Blood, plasma and platelets, 1:1:1.
    if number.len() == 3 && number.separator(1) == b':' {
        return (0..3).all(|part| number.digits(part) == 1 && number.value(part) > 0);
    }
    if number.len() > 2 {
        return number.separator(1) == b',' && a <= 10 || number.separator(1) == b'.' && figure.has_short_parts();
    }
    // Seven digits may be a telephone number.
    let short = number.digits(1) <= 6;
    a <= 10 && (b <= 10 && number.digits(1) == 1 || b % 10 == 0 && short || b.is_power_of_two() && b < 100_000)
        || b == 1 && a < 1000
}
