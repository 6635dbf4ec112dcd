//! Notation that mixes letters and digits: spine levels `C5-6`, leads `V1-V6`, heart sounds `S1`, stages `T2N0M0`.

use super::amount::glued_cluster;
use super::value::{ValueKind, keep_values_after};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Vouches for levels, leads, sounds and stages, at the first number of such a cluster.
pub(in crate::rules) fn keep_notation(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if at == 0 || !note.token(at).glued() || !note.is_word(at - 1) {
        return;
    }
    if note.token(at - 1).glued() || keep_stroke_risk_score(note, at, findings) {
        return;
    }
    if is_gene_variant(note, at) {
        findings.keep(at - 1, at + 2, Certainty::Sure);
        return;
    }
    if is_numbered_acronym(note, at) {
        findings.keep(at - 1, at + 1, Certainty::Weak);
        return;
    }
    let letters = note.bytes(at - 1);
    if letters.len() > 4 {
        return;
    }
    if let [letter] = letters
        && !begins_tumour_stage(note, at)
        && let Some(value) = note.integer(at)
        && is_level(*letter, value)
        && !note.token(at + 1).glued()
    {
        let (last, spread) = end_of_levels(note, at, *letter);
        findings.keep(at - 1, last, if spread { Certainty::Likely } else { certainty_of_level(note, at, *letter) });
        return;
    }
    // `C5/6`
    if let [letter] = letters
        && let Some(number) = note.number(at)
        && number.has_form(2, b'/')
        && is_level(*letter, number.value(0))
        && is_level(*letter, number.value(1))
        && !note.token(at + 1).glued()
    {
        findings.keep(at - 1, at + 1, Certainty::Likely);
        return;
    }
    let (first, last) = glued_cluster(note, at);
    if first != at - 1 {
        return;
    }
    let text = note.text_of(first, last).as_bytes();
    if is_known_notation(text) {
        findings.keep(first, last, Certainty::Likely);
        keep_values_after(note, last, ValueKind::Measure, findings);
    } else if is_tumour_stage(text) {
        let (last, spread) = end_of_tumour_stage(note, last);
        findings.keep(first, last, if spread { Certainty::Sure } else { Certainty::Likely });
    } else if is_treatment_cycle(note, first, last) {
        findings.keep(first, last, Certainty::Likely);
    } else if is_coma_scale_response(text)
        && let Some(scale) = coma_scale_before(note, first)
    {
        findings.keep_by(scale, first, last, Certainty::Sure);
    }
}

/// Vouches for the name `CHA2DS2-VASc` with its digits and for the score after it: `CHA2DS2-VASc 4`.
fn keep_stroke_risk_score(note: &Note<'_>, at: usize, findings: &mut Findings) -> bool {
    let glued = (at..at + 3).all(|part| note.token(part).glued());
    let named = word_is!(note, at - 1, "cha")
        && word_is!(note, at, "2")
        && word_is!(note, at + 1, "ds")
        && word_is!(note, at + 2, "2");
    if !named || !glued {
        return false;
    }
    let mut last = at + 3;
    let hyphen = usize::from(note.is_any_mark(last, b"-/ ") && note.joined(last));
    if word_is!(note, last + hyphen, "vasc" | "va") && note.joined(last + hyphen) {
        last += hyphen + 1;
    }
    findings.keep(at - 1, last, Certainty::Sure);
    keep_values_after(note, last, ValueKind::Grade, findings);
    true
}

/// Returns whether it is a clinical abbreviation with a number: `AKI2`, `OPV0`, `IPT3`, `FeSO4`. Rooms and units have
/// numbers too.
fn is_numbered_acronym(note: &Note<'_>, at: usize) -> bool {
    const KNOWN: Classes = Classes::of(&[
        Class::Clinical,
        Class::Measurement,
        Class::Score,
        Class::Marker,
        Class::Term,
        Class::Literature,
    ]);
    const NEVER: Classes = Classes::of(&[
        Class::WardNoun,
        Class::IdKeyword,
        Class::PhoneKeyword,
        Class::StreetType,
        Class::State,
        Class::Title,
        Class::Facility,
        Class::Month,
    ]);
    const NAMES: Classes = Classes::of(&[Class::FirstName, Class::Surname, Class::City]);
    let name = at - 1;
    // In lower case it may be a user name.
    matches!(note.case(name), Case::Upper | Case::Mixed)
        && !(note.case(name) == Case::Mixed && note.any(name, NAMES))
        && (3..=6).contains(&note.width(name))
        && note.width(at) == 1
        && note.is_number(at)
        && !note.token(at + 1).glued()
        && note.any(name, KNOWN)
        && !note.any(name, NEVER)
        && !UNITS.has(note, name)
        && !(note.is_any_mark(at + 1, b"-/") && note.joined(at + 1) && note.joined(at + 2) && note.is_number(at + 2))
}

/// Abbreviations of hospital units and rooms, and other words that take a number.
static UNITS: WordSet = word_set!("clinical-notation-units");

/// Tests, grades, strengths and stains whose names mix letters and digits.
static NAMED: WordSet = word_set!("clinical-notation-named");

/// Returns whether it is a test, grade or strength whose name mixes letters and digits.
fn is_known_notation(text: &[u8]) -> bool {
    match text {
        _ if NAMED.contains(text) => true,
        // Retinopathy and maculopathy; hepatitis C genotypes.
        [b'r', b'0'..=b'3', b'm', b'0' | b'1'] | [b'g', b't', b'1'..=b'6'] | [b'g', b't', b'1'..=b'6', b'a'..=b'c'] => {
            true
        }
        // Kidney lesions in IgA nephropathy; Barrett's oesophagus in centimetres.
        [b'm', b'0' | b'1', b'e', b'0' | b'1', b's', b'0' | b'1', b't', b'0'..=b'2', rest @ ..] => {
            matches!(rest, [] | [b'c', b'0'..=b'2'])
        }
        [b'c', around @ b'0'..=b'9', b'm', most @ b'0'..=b'9'] => around <= most,
        _ => false,
    }
}

/// Returns the name of the coma scale within a few tokens before: `GCS 12 (E3V4M5)`. Without it, the form may be a
/// Canadian postal code.
fn coma_scale_before(note: &Note<'_>, at: usize) -> Option<usize> {
    const MAX_DISTANCE: usize = 5;
    (at.saturating_sub(MAX_DISTANCE)..at).rev().find(|&word| word_is!(note, word, "gcs" | "coma"))
}

/// Returns whether it is `e3v4m5`, `e1vtm4`: the best eye, verbal (`t` with a tube) and motor response.
fn is_coma_scale_response(text: &[u8]) -> bool {
    matches!(text, [b'e', b'1'..=b'4', b'v', b'1'..=b'5' | b't', b'm', b'1'..=b'6'])
}

/// Returns whether the letter before the number begins the first part of a spaced stage: `N0 MX`.
fn begins_tumour_stage(note: &Note<'_>, at: usize) -> bool {
    is_tumour_stage(note.text_of(at - 1, at + 1).as_bytes()) && end_of_tumour_stage(note, at + 1).1
}

/// Returns the end (exclusive) of the stage parts after one that ends before `last`, `pT3b N0 MX`, and whether there
/// are any.
fn end_of_tumour_stage(note: &Note<'_>, mut last: usize) -> (usize, bool) {
    let mut spread = false;
    for _ in 0..2 {
        let next = last + usize::from(note.is_mark(last, b','));
        let end = if note.is_number(next + 1) && note.token(next + 1).glued() {
            glued_cluster(note, next + 1).1
        } else {
            next + 1
        };
        if !note.is_word(next) || !note.same_line(next) || !is_tumour_stage(note.text_of(next, end).as_bytes()) {
            break;
        }
        (last, spread) = (end, true);
    }
    (last, spread)
}

/// Returns whether there is such a vertebra, nerve, lead, sound or pulley.
fn is_level(letter: u8, value: u64) -> bool {
    let most = match letter {
        b'c' => 8,
        b't' | b'd' => 12,
        b'l' => 6,
        b'v' => 9,
        b's' | b'a' | b'p' | b'm' | b'n' | b'q' => 5,
        _ => 0,
    };
    (1..=most).contains(&value) || value == 0 && matches!(letter, b't' | b'n' | b'm')
}

fn certainty_of_level(note: &Note<'_>, at: usize, letter: u8) -> Certainty {
    // Letters of the spine, the heart and magnetic resonance; other letters are ambiguous.
    let room = at >= 2 && note.any(at - 2, Classes::of(&[Class::WardNoun, Class::IdKeyword, Class::StreetType]));
    if matches!(letter, b'c' | b't' | b'l' | b's' | b'v') && !room { Certainty::Likely } else { Certainty::Weak }
}

/// Returns the end (exclusive) of `C5-6`, `L5-S1`, `V1-V6`, and whether there is more than one level.
fn end_of_levels(note: &Note<'_>, at: usize, letter: u8) -> (usize, bool) {
    let mut last = at + 1;
    let mut spread = false;
    for _ in 0..3 {
        if !(note.is_any_mark(last, b"-/") && note.joined(last)) {
            break;
        }
        let word = usize::from(note.is_word(last + 1));
        let number = last + 1 + word;
        let [next] = (if word == 1 { note.bytes(last + 1) } else { &[letter] }) else { break };
        let written = note.joined(number) && (word == 0 || note.joined(last + 1));
        let known = note.integer(number).is_some_and(|value| is_level(*next, value) || word == 0 && value <= 5);
        if !(written && known) || note.token(number + 1).glued() {
            break;
        }
        last = number + 1;
        spread = true;
    }
    (last, spread)
}

/// Returns whether it is the cycle and day of a drug treatment: `C3D15`.
fn is_treatment_cycle(note: &Note<'_>, first: usize, last: usize) -> bool {
    let few =
        |at: usize, most: u64| note.integer(at).is_some_and(|value| (1..=most).contains(&value)) && note.width(at) <= 2;
    last == first + 4
        && word_is!(note, first, "c")
        && word_is!(note, first + 2, "d")
        && few(first + 1, 40)
        && few(first + 3, 42)
}

/// Returns whether it is a tumour stage: `t2n0m0`, `pt1c`, `ypt3n2bmx`.
fn is_tumour_stage(text: &[u8]) -> bool {
    let mut rest = text;
    let take = |rest: &mut &[u8], set: &[u8]| {
        let found = rest.first().is_some_and(|letter| set.contains(letter));
        if found {
            *rest = &rest[1..];
        }
        found
    };
    while rest.len() > 2 && take(&mut rest, b"ypcra") {}
    let mut parts = 0;
    if take(&mut rest, b"t") {
        if !take(&mut rest, b"01234x") {
            return false;
        }
        take(&mut rest, b"abcd");
        parts += 1;
    }
    while take(&mut rest, b"pc") {}
    if take(&mut rest, b"n") {
        if !take(&mut rest, b"0123x") {
            return false;
        }
        take(&mut rest, b"abc");
        parts += 1;
    }
    while take(&mut rest, b"pc") {}
    if take(&mut rest, b"m") {
        if !take(&mut rest, b"01x") {
            return false;
        }
        take(&mut rest, b"abc");
        parts += 1;
    }
    parts > 0 && rest.is_empty()
}

/// Returns whether it is an amino acid substitution after the name of a gene on the same line: `BRAF V600E`. Alone it
/// may be any code.
fn is_gene_variant(note: &Note<'_>, at: usize) -> bool {
    const MAX_DISTANCE: usize = 8;
    let amino = |at: usize| {
        matches!(note.bytes(at), [letter] if b"acdefghiklmnpqrstvwxy".contains(letter)) && note.case(at) == Case::Upper
    };
    let gene = |at: usize| note.is(at, Class::Marker) && note.case(at) == Case::Upper && note.width(at) > 2;
    amino(at - 1)
        && amino(at + 1)
        && note.token(at + 1).glued()
        && !note.token(at + 2).glued()
        && (2..=4).contains(&note.width(at))
        && note.integer(at).is_some_and(|place| place > 9)
        && (at.saturating_sub(MAX_DISTANCE)..at - 1)
            .rev()
            .take_while(|&word| note.same_line(word + 1) && !note.is_any_mark(word, b".;:"))
            .any(gene)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_stages_of_tumours() {
        for stage in ["t2n0m0", "pt1c", "ypt3n2bmx", "t2", "n1b", "pt2apn1", "t4an2cm1b"] {
            assert!(is_tumour_stage(stage.as_bytes()), "{stage}");
        }
        for other in ["t", "t5", "n0x", "room3", "t22", "m2", "a1"] {
            assert!(!is_tumour_stage(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn knows_the_responses_of_the_coma_scale() {
        assert!(is_coma_scale_response(b"e3v4m5") && is_coma_scale_response(b"e1vtm4"));
        assert!(
            !is_coma_scale_response(b"e5v4m5")
                && !is_coma_scale_response(b"e3v4")
                && !is_coma_scale_response(b"e3v4m7")
        );
    }

    #[test]
    fn knows_which_levels_there_are() {
        assert!(is_level(b'c', 7) && is_level(b't', 12) && is_level(b'l', 5) && is_level(b'v', 6));
        assert!(!is_level(b'c', 9) && !is_level(b't', 13) && !is_level(b'b', 2) && !is_level(b's', 0));
    }
}
