//! Postal codes: after a state or a city, ZIP+4, after their keyword, British and Canadian forms.

use crate::rules::engine::word_sets::says;
use crate::rules::engine::{Certainty, Findings, Kind, View};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Finds a postal code at its first number.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if view.token(at).glued() {
        mixed(view, at, findings);
        return;
    }
    if view.whole(at).is_none() || view.width(at) != 5 {
        return;
    }
    let figures = |at: usize| view.is_number(at) && view.joined(at);
    let plus_four = view.is_mark(at + 1, b'-') && view.joined(at + 1) && figures(at + 2) && view.width(at + 2) == 4;
    let last = at + 1 + 2 * usize::from(plus_four);
    if view.token(last).glued() || (view.is_mark(last, b'-') && view.joined(last) && view.joined(last + 1)) {
        return;
    }
    let certainty = led(view, at).or_else(|| plus_four.then_some(Certainty::Likely));
    if let Some(certainty) = certainty {
        findings.remove(at, last, Kind::Zip, certainty);
    }
}

/// Whether a keyword, a state or a town stands before five figures.
fn led(view: &View<'_>, at: usize) -> Option<Certainty> {
    let passes = |at: usize| view.is_any_mark(at, b",.:#-(") || says!(view, at, "code" | "is" | "usa" | "us");
    let before =
        (at.saturating_sub(4)..at).rev().take_while(|&before| view.gap(before + 1) <= crate::text::token::Gap::Line);
    let before = before.into_iter().find(|&before| !passes(before))?;
    if says!(view, before, "zip" | "zipcode" | "postal" | "postcode" | "plz") {
        return Some(Certainty::Sure);
    }
    // CA is calcium and a state, PA a projection; five digits decide.
    let capital = view.capitalised(before);
    let comma = before > 0 && view.is_mark(before - 1, b',') && view.width(before) == 2;
    let state = view.is(before, Class::State) && (capital || comma || view.width(before) > 3);
    let city = view.is(before, Class::City) && !view.any(before, Classes::of(&[Class::Unit, Class::IdKeyword]));
    let part = view.is(before, Class::PlacePart) && !view.is(before, Class::Stop);
    let known = (state || capital && (city || part)) && !view.is(before, Class::CodeSystem);
    (known || comma && state).then_some(Certainty::Likely)
}

/// K1A 0B1, SW1A 1AA: asked at their first number.
fn mixed(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some(first) = at.checked_sub(1).filter(|&first| view.is_word(first) && view.width(first) <= 2) else { return };
    let digits = view.width(at);
    if digits > 2 || view.case(first) != Case::Upper {
        return;
    }
    let letter = |at: usize| view.is_word(at) && view.token(at).glued() && view.width(at) == 1;
    let lettered = letter(at + 1);
    let mut next = at + 1 + usize::from(lettered);
    let spaced = !view.joined(next);
    let dash = view.is_mark(next, b'-') && view.joined(next);
    next += usize::from(dash);
    let tail = next + 1;
    if !view.is_number(next) || !view.same_line(next) || view.width(next) != 1 || !view.token(tail).glued() {
        return;
    }
    let canadian = lettered
        && (spaced || dash)
        && digits == 1
        && view.width(first) == 1
        && letter(tail)
        && view.is_number(tail + 1)
        && view.token(tail + 1).glued()
        && view.width(tail + 1) == 1
        && !view.token(tail + 2).glued();
    let british = view.is_word(tail)
        && view.width(tail) == 2
        && spaced
        && view.case(tail) == Case::Upper
        && !view.is(tail, Class::Unit)
        && !view.token(tail + 1).glued();
    if canadian || british {
        findings.remove(first, tail + 1 + usize::from(canadian), Kind::Zip, Certainty::Likely);
    }
}
