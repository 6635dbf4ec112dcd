//! Greek letters and isotopes: `β-blocker`, `TNF-α`, `ε4 allele`; `I-131`, `Tc-99m`, `18F-FDG`, `Ga-68 DOTATATE`.

use crate::rules::engine::patterns::Patterns;
use crate::rules::engine::word_sets::{WordSet, word_is, word_list, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::{Case, word_key};

/// Elements with the mass numbers of their medical isotopes: `i 123 124 125 131`.
pub(in crate::rules) const ISOTOPES: &[&str] = word_list!("clinical-symbol-isotopes");
static BY_ELEMENT: Patterns<{ Patterns::<0>::slots_needed(ISOTOPES) }> = Patterns::new(ISOTOPES);

/// Words near an isotope: `scan`, `fdg`, `uptake`.
static RADIOLOGY: WordSet = word_set!("clinical-symbol-radiology");

/// Vouches for a single Greek letter with the digits glued to it, which is not part of a name.
pub(in crate::rules) fn keep_greek_letter(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let word = note.word(at);
    let mut letters = word.chars();
    let one = letters.next().is_some_and(|letter| matches!(letter, 'α'..='ω' | 'Α'..='Ω')) && letters.next().is_none();
    if !one || is_greek_word(note, at.wrapping_sub(1)) || is_greek_word(note, at + 1) {
        return;
    }
    // `IL-1β`, `β2`
    let first =
        at - usize::from(note.token(at).glued() && note.is_number(at.wrapping_sub(1)) && note.width(at - 1) <= 2);
    let last = at + 1 + usize::from(note.token(at + 1).glued() && note.is_number(at + 1) && note.width(at + 1) <= 2);
    // `TGF-β`, `IL-1β`, `TNF-α`: the abbreviation before it.
    let name = first.wrapping_sub(2);
    let named = first > 1
        && note.is_mark(first - 1, b'-')
        && note.joined(first)
        && note.joined(first - 1)
        && matches!(note.case(name), Case::Upper | Case::Mixed)
        && (2..=4).contains(&note.width(name))
        && !note.token(name).glued();
    // `γ-GT`
    let short = last + 1;
    let joined_to_short = note.is_mark(last, b'-')
        && note.joined(last)
        && note.joined(short)
        && note.case(short) == Case::Upper
        && note.width(short) <= 4;
    let last = if joined_to_short && !note.token(short + 1).glued() { short + 1 } else { last };
    findings.keep(if named { name } else { first }, last, Certainty::Sure);
}

/// Returns whether it is a word of Greek letters: in Greek text, letters are not symbols.
fn is_greek_word(note: &Note<'_>, at: usize) -> bool {
    note.is_word(at)
        && note.word(at).chars().next().is_some_and(|letter| matches!(letter, 'α'..='ω' | 'Α'..='Ω'))
        && note.width(at) > 2
}

/// Vouches for an isotope, at its mass number.
pub(in crate::rules) fn keep_isotope(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(mass) = note.integer(at).filter(|_| (2..=3).contains(&note.width(at)) || word_is!(note, at, "3")) else {
        return;
    };
    // `99mTc` is a number and one word.
    let glued = note.token(at + 1).glued();
    let meta = glued
        && (word_is!(note, at + 1, "m")
            || note.bytes(at + 1).first() == Some(&b'm') && is_known_isotope(&note.word(at + 1)[1..], mass));
    let end = at + 1 + usize::from(meta);
    let before = at
        .checked_sub(1)
        .filter(|_| note.same_line(at))
        .map(|before| before - usize::from(note.is_mark(before, b'-') && before > 0));
    let found = if let Some(element) =
        before.filter(|&element| is_known_isotope(note.word(element), mass) && !note.token(end).glued())
    {
        Some((element, end))
    } else if meta && note.width(at + 1) > 1 {
        Some((at, end))
    } else {
        let element = end + usize::from(note.is_mark(end, b'-') && note.joined(end));
        (note.joined(element) && is_known_isotope(note.word(element), mass)).then_some((at, element + 1))
    };
    let Some((first, last)) = found else { return };
    if note.token(first).glued() || note.token(last).glued() {
        return;
    }
    // `P-32` and `F-18` may be rooms: elements of one letter, except iodine, need a word of radiology nearby.
    let element = if note.is_word(first) { first } else { last - 1 };
    let sure =
        note.width(element) > 1 && note.case(element) != Case::Lower || word_is!(note, element, "i") && mass > 100;
    let near = (first.saturating_sub(4)..first).chain(last..last + 5).any(|at| RADIOLOGY.has(note, at));
    if sure || near {
        findings.keep(first, last, Certainty::Sure);
    }
}

/// Returns whether the element has a medical isotope of this mass.
fn is_known_isotope(word: &str, mass: u64) -> bool {
    let lines = BY_ELEMENT.starting_with(word_key(word.as_bytes()));
    lines.iter().any(|line| line.split(' ').skip(1).any(|known| known.parse() == Ok(mass)))
}
