//! Names of markers, genes, antigens, gases and tests with their number, `CD34`, `HER2`, `CA 19-9`, `CO2`, and short
//! names of tests and drugs with their value, `LAVI 44`, `fent 75 mcg`.

use super::amount::{Figure, Shape};
use super::follow::{UnitKind, UnitPhrase};
use super::value::{ValueKind, keep_values_after};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::Case;
use crate::vocabulary::Class;

/// Vouches for the number of a marker, gene, antigen, gas or test, and for the value after it.
pub(in crate::rules) fn keep_marker_number(note: &Note<'_>, at: usize, findings: &mut Findings) {
    // `2O10`, `9l`: a letter in place of a digit belongs to a number, not to a marker.
    let inside = note.token(at).glued() || at > 0 && note.joined(at) && note.is_any_mark(at - 1, b"/-");
    if inside && word_is!(note, at, "o" | "l" | "i") {
        return;
    }
    let hyphen = usize::from(note.is_mark(at + 1, b'-') && note.joined(at + 1));
    let number = at + 1 + hyphen;
    if !note.is_number(number) || note.token(at).glued() {
        return;
    }
    if is_short_test_or_drug(note, at) {
        // The name is kept only with its value.
        findings.keep_by(number, at, at + 1, Certainty::Weak);
        keep_values_after(note, at + 1, ValueKind::Measure, findings);
        return;
    }
    let glued = note.joined(number);
    // `They left cat24 at the desk`: these need a value as a separate token, or belong inside a gene variant.
    if glued && (SHORT.has(note, at) || DRUGS.has(note, at) || is_gene_change(note.bytes(at))) {
        return;
    }
    let short =
        note.number(number).is_some_and(|parts| parts.len() <= 2 && (0..parts.len()).all(|at| parts.digits(at) <= 3));
    if !short || !(glued || note.same_line(number) && word_is!(note, at, "ca")) {
        return;
    }
    let mut last = number + 1;
    // `19-9`, `15-3`, `1c`, `2/neu`, `2D6`
    if note.is_mark(last, b'-')
        && note.joined(last)
        && note.joined(last + 1)
        && note.width(last + 1) <= 2
        && note.is_number(last + 1)
    {
        last += 2;
    }
    for _ in 0..3 {
        if note.token(last).glued() && (note.is_number(last) && note.width(last) <= 2 || note.width(last) <= 2) {
            last += 1;
        }
    }
    if note.token(last).glued() {
        return;
    }
    if glued {
        findings.keep(at, last, Certainty::Likely);
    } else {
        findings.keep(number, last, Certainty::Weak);
    }
    keep_values_after(note, last, ValueKind::Measure, findings);
}

/// Three-letter codes of amino acids, and the stop codon.
static AMINO_ACIDS: WordSet = word_set!("clinical-marker-amino-acids");

/// Returns whether the word is a change within a gene variant: bases or amino acids.
fn is_gene_change(word: &[u8]) -> bool {
    let bases = |rest: &[u8]| rest.iter().all(|base| b"acgt".contains(base));
    [&b"del"[..], b"dup", b"ins"].iter().any(|change| word.strip_prefix(*change).is_some_and(bases))
        || AMINO_ACIDS.contains(word.strip_suffix(b"fs").unwrap_or(word))
}

/// Short names of tests that are also names of people; kept only next to a value.
static SHORT: WordSet = word_set!("clinical-marker-short");

/// Short names of drugs, see [`SHORT`].
static DRUGS: WordSet = word_set!("clinical-marker-drugs");

/// Returns whether it is a test in capitals among lower case, or a drug in lower case, with its value: `LAVI 44`,
/// `fent 75 mcg`.
fn is_short_test_or_drug(note: &Note<'_>, at: usize) -> bool {
    let number = at + 1;
    let Some(figure) = Figure::at(note, number).filter(|_| note.same_line(number) && !note.token(number).glued())
    else {
        return false;
    };
    let value = match figure.shape {
        Shape::Integer => figure.number.digits(0) <= 3 && !figure.has_leading_zero,
        Shape::Decimal => figure.number.digits(0) <= 3,
        Shape::Slash => figure.has_short_parts() && !figure.looks_like_date(),
        Shape::Colon => figure.number.value(0) == 1 && figure.number.value(1).is_multiple_of(10),
        _ => false,
    };
    let known = match note.case(at) {
        Case::Lower => DRUGS.has(note, at),
        Case::Upper | Case::Mixed => SHORT.has(note, at) || DRUGS.has(note, at),
        Case::Capital => false,
    };
    if !value || !known {
        return false;
    }
    let follow = UnitPhrase::read_after(note, number + 1).map(|follow| follow.what);
    let today = word_is!(note, number + 1, "today" | "now" | "tonight" | "overnight");
    let aged =
        !today && matches!(follow, Some(UnitKind::Years | UnitKind::Duration | UnitKind::Clock | UnitKind::Counted));
    if aged || note.joined(number + 1) && note.is_any_mark(number + 1, b"-/") {
        return false;
    }
    if note.case(at) == Case::Lower {
        figure.shape == Shape::Decimal || follow.is_some() || is_among_drugs(note, at)
    } else {
        is_among_lower_case(note, at)
    }
}

/// Returns whether another drug is nearby.
fn is_among_drugs(note: &Note<'_>, at: usize) -> bool {
    const MAX_DISTANCE: usize = 6;
    (at.saturating_sub(MAX_DISTANCE)..at + MAX_DISTANCE)
        .any(|word| word != at && note.is_word(word) && (note.is(word, Class::Brand) || DRUGS.has(note, word)))
}

/// Returns whether there are lower-case words nearby: the text is not all in capitals.
pub(super) fn is_among_lower_case(note: &Note<'_>, at: usize) -> bool {
    const MAX_DISTANCE: usize = 12;
    (at.saturating_sub(MAX_DISTANCE)..at + MAX_DISTANCE)
        .any(|word| note.is_word(word) && note.case(word) == Case::Lower && note.width(word) > 1)
}
