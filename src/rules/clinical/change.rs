//! Numbers that a sign tells to be values: what changed (`9 → 8`, `88→2→4`, `4.6 <- 3.1`), what is more or less (`-20`, `+700`,
//! `~48`), what something is (`item 9 = 1`, `corr = 136`), what something costs (`$385`).

use super::amount::{Figure, Shape};
use super::count::is_placed;
use crate::rules::engine::word_sets::says;
use crate::rules::engine::{Certainty, Findings, View};
use crate::text::token::{Gap, Kind};

/// How many values a change is followed back over.
const STEPS: usize = 6;

/// Vouches for a number with such a sign beside it.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let signed = |at: usize| matches!(view.token(at).kind, Kind::Punct | Kind::Symbol);
    if !(signed(at + 1) || at > 0 && signed(at - 1))
        || view.token(at).glued()
        || !view.same_line(at) && !is_arrow(view, at + 1)
    {
        return;
    }
    if let Some(last) = money(view, at) {
        findings.keep(at, last, Certainty::Likely);
        return;
    }
    if !is_value(view, at) {
        return;
    }
    let before = arrow_before(view, at).is_some();
    if before || is_arrow(view, at + 1) && reaches_value(view, at + 1) {
        if !is_placed(view, origin(view, at)) {
            findings.keep(at, at + 1, Certainty::Weak);
        }
        return;
    }
    if let Some(first) = sign(view, at)
        && ends(view, at + 1)
    {
        findings.keep(first, at + 1, Certainty::Weak);
    }
}

/// Short, and no date by its form: `88`, `4.6`, `104/66`, `0930`.
fn is_value(view: &View<'_>, at: usize) -> bool {
    let Some(figure) = Figure::at(view, at) else { return false };
    let hour = view.whole(at).is_some_and(|value| value < 2400 && value % 100 < 60) && view.width(at) == 4;
    match figure.shape {
        Shape::Whole => figure.number.digits(0) <= 3 && (!figure.padded || figure.number.digits(0) == 1) || hour,
        Shape::Decimal => figure.number.digits(0) <= 3 && figure.number.digits(1) <= 3,
        Shape::Slash => figure.short() && !figure.like_date(),
        _ => false,
    }
}

/// Whether an arrow begins there, in one character or of two marks.
fn is_arrow(view: &View<'_>, at: usize) -> bool {
    view.same_line(at) && arrow_end(view, at).is_some()
}

/// One past the arrow that begins at `at`.
fn arrow_end(view: &View<'_>, at: usize) -> Option<usize> {
    let token = view.token(at);
    if token.kind == Kind::Symbol {
        return says!(view, at, "→" | "←").then_some(at + 1);
    }
    let mark = |at: usize, mark: u8| view.is_mark(at, mark);
    let (first, second) = (at, at + 1);
    let two =
        (mark(first, b'-') && mark(second, b'>') || mark(first, b'<') && mark(second, b'-')) && view.joined(second);
    two.then_some(second + 1)
}

/// The first token of the arrow right before the number.
fn arrow_before(view: &View<'_>, at: usize) -> Option<usize> {
    let one = at.checked_sub(1)?;
    if arrow_end(view, one) == Some(at) {
        return Some(one);
    }
    let two = one.checked_sub(1)?;
    (arrow_end(view, two) == Some(at)).then_some(two)
}

/// Whether the arrow leads to a value, to `now` or to nothing more on its line.
fn reaches_value(view: &View<'_>, arrow: usize) -> bool {
    let Some(next) = arrow_end(view, arrow) else { return false };
    view.same_line(next)
        && (is_value(view, next) && !view.token(next).glued() || says!(view, next, "now" | "today" | "goal"))
}

/// The first value of the change to which the number belongs.
fn origin(view: &View<'_>, at: usize) -> usize {
    let mut first = at;
    for _ in 0..STEPS {
        let Some(value) = arrow_before(view, first).and_then(|arrow| arrow.checked_sub(1)) else { break };
        if !view.is_number(value) {
            break;
        }
        first = value;
    }
    first
}

/// The first token of a sign before the number: `+700`, ` -20`, `~48`, `= 136`.
fn sign(view: &View<'_>, at: usize) -> Option<usize> {
    let before = at.checked_sub(1)?;
    let apart = before > 0 && matches!(view.gap(before), Gap::Space | Gap::Wide)
        || view.is_any_mark(before.wrapping_sub(1), b"(");
    let short = view.number(at).is_some_and(|number| number.digits(0) <= 3);
    if view.joined(at) && apart && short && (view.is_any_mark(before, b"+-~") || says!(view, before, "−" | "≈" | "~"))
    {
        return Some(before);
    }
    let equals = view.is_mark(before, b'=') && before > 0 && view.is_number(before - 1) && view.same_line(before);
    (equals && short).then_some(at)
}

/// Whether nothing behind the number makes more of it.
fn ends(view: &View<'_>, at: usize) -> bool {
    let goes_on = view.is_any_mark(at, b"-/@#*_") && view.joined(at) && view.joined(at + 1);
    let more = view.is_number(at) && view.same_line(at);
    !view.token(at).glued() && !goes_on && !more
}

/// One past an amount of money: `$385`, `£45`.
fn money(view: &View<'_>, at: usize) -> Option<usize> {
    let before = at.checked_sub(1).filter(|_| view.joined(at))?;
    let coin = view.is_mark(before, b'$') || says!(view, before, "£" | "€" | "₦" | "₹" | "¥" | "₱");
    let number = view.number(at)?;
    let fits = number.digits(0) <= 6 && (1..number.len()).all(|part| matches!(number.mark(part - 1), b'.' | b','));
    let thousands = view.token(at + 1).glued() && says!(view, at + 1, "k" | "m") && !view.token(at + 2).glued();
    (coin && fits && (thousands || !view.token(at + 1).glued())).then_some(at + 1 + usize::from(thousands))
}
