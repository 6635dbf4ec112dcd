//! Numbers that a sign marks as values: changes (`9 → 8`, `88→2→4`, `4.6 <- 3.1`), differences and estimates (`-20`,
//! `+700`, `~48`), equations (`item 9 = 1`, `corr = 136`), prices (`$385`).

use super::amount::{Figure, Shape};
use super::count::follows_id_cue;
use crate::rules::engine::word_sets::word_is;
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::{Gap, Kind};

/// The maximum number of values to follow a change back.
const MAX_VALUES_BACK: usize = 6;

/// Vouches for a number next to such a sign.
pub(in crate::rules) fn keep_signed_number(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let signed = |at: usize| matches!(note.token(at).kind, Kind::Punct | Kind::Symbol);
    if !(signed(at + 1) || at > 0 && signed(at - 1))
        || note.token(at).glued()
        || !note.same_line(at) && !begins_arrow(note, at + 1)
    {
        return;
    }
    if let Some(last) = end_of_money(note, at) {
        findings.keep(at, last, Certainty::Likely);
        return;
    }
    if !is_short_value(note, at) {
        return;
    }
    let before = start_of_arrow_before(note, at).is_some();
    if before || begins_arrow(note, at + 1) && arrow_leads_to_value(note, at + 1) {
        if !follows_id_cue(note, first_value_of_change(note, at)) {
            findings.keep(at, at + 1, Certainty::Weak);
        }
        return;
    }
    if let Some(first) = start_of_sign_before(note, at)
        && is_not_continued(note, at + 1)
    {
        findings.keep(first, at + 1, Certainty::Weak);
    }
}

/// Returns whether the number is short and does not have the form of a date: `88`, `4.6`, `104/66`, `0930`.
fn is_short_value(note: &Note<'_>, at: usize) -> bool {
    let Some(figure) = Figure::at(note, at) else { return false };
    let hour = note.integer(at).is_some_and(|value| value < 2400 && value % 100 < 60) && note.width(at) == 4;
    match figure.shape {
        Shape::Integer => {
            figure.number.digits(0) <= 3 && (!figure.has_leading_zero || figure.number.digits(0) == 1) || hour
        }
        Shape::Decimal => figure.number.digits(0) <= 3 && figure.number.digits(1) <= 3,
        Shape::Slash => figure.has_short_parts() && !figure.looks_like_date(),
        _ => false,
    }
}

/// Returns whether an arrow begins here, as one character or two marks.
fn begins_arrow(note: &Note<'_>, at: usize) -> bool {
    note.same_line(at) && end_of_arrow(note, at).is_some()
}

/// Returns the end (exclusive) of the arrow that begins at `at`.
fn end_of_arrow(note: &Note<'_>, at: usize) -> Option<usize> {
    let token = note.token(at);
    if token.kind == Kind::Symbol {
        return word_is!(note, at, "→" | "←").then_some(at + 1);
    }
    let mark = |at: usize, mark: u8| note.is_mark(at, mark);
    let (first, second) = (at, at + 1);
    let two =
        (mark(first, b'-') && mark(second, b'>') || mark(first, b'<') && mark(second, b'-')) && note.joined(second);
    two.then_some(second + 1)
}

/// Returns the first token of the arrow directly before the number.
fn start_of_arrow_before(note: &Note<'_>, at: usize) -> Option<usize> {
    let one = at.checked_sub(1)?;
    if end_of_arrow(note, one) == Some(at) {
        return Some(one);
    }
    let two = one.checked_sub(1)?;
    (end_of_arrow(note, two) == Some(at)).then_some(two)
}

/// Returns whether the arrow leads to a value, or to `now`, `today` or `goal`.
fn arrow_leads_to_value(note: &Note<'_>, arrow: usize) -> bool {
    let Some(next) = end_of_arrow(note, arrow) else { return false };
    note.same_line(next)
        && (is_short_value(note, next) && !note.token(next).glued() || word_is!(note, next, "now" | "today" | "goal"))
}

/// Returns the first value of the change that the number belongs to.
fn first_value_of_change(note: &Note<'_>, at: usize) -> usize {
    let mut first = at;
    for _ in 0..MAX_VALUES_BACK {
        let Some(value) = start_of_arrow_before(note, first).and_then(|arrow| arrow.checked_sub(1)) else { break };
        if !note.is_number(value) {
            break;
        }
        first = value;
    }
    first
}

/// Returns the first token of a sign before the number: `+700`, ` -20`, `~48`, `= 136`.
fn start_of_sign_before(note: &Note<'_>, at: usize) -> Option<usize> {
    let before = at.checked_sub(1)?;
    let apart = before > 0 && matches!(note.gap(before), Gap::Space | Gap::Wide)
        || note.is_any_mark(before.wrapping_sub(1), b"(");
    let short = note.number(at).is_some_and(|number| number.digits(0) <= 3);
    if note.joined(at)
        && apart
        && short
        && (note.is_any_mark(before, b"+-~") || word_is!(note, before, "−" | "≈" | "~"))
    {
        return Some(before);
    }
    let equals = note.is_mark(before, b'=') && before > 0 && note.is_number(before - 1) && note.same_line(before);
    (equals && short).then_some(at)
}

/// Returns whether nothing after the number extends it.
fn is_not_continued(note: &Note<'_>, at: usize) -> bool {
    let goes_on = note.is_any_mark(at, b"-/@#*_") && note.joined(at) && note.joined(at + 1);
    let more = note.is_number(at) && note.same_line(at);
    !note.token(at).glued() && !goes_on && !more
}

/// Returns the end (exclusive) of an amount of money: `$385`, `£45`.
fn end_of_money(note: &Note<'_>, at: usize) -> Option<usize> {
    let before = at.checked_sub(1).filter(|_| note.joined(at))?;
    let coin = note.is_mark(before, b'$') || word_is!(note, before, "£" | "€" | "₦" | "₹" | "¥" | "₱");
    let number = note.number(at)?;
    let fits = number.digits(0) <= 6 && (1..number.len()).all(|part| matches!(number.separator(part - 1), b'.' | b','));
    let thousands = note.token(at + 1).glued() && word_is!(note, at + 1, "k" | "m") && !note.token(at + 2).glued();
    (coin && fits && (thousands || !note.token(at + 1).glued())).then_some(at + 1 + usize::from(thousands))
}
