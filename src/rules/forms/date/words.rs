//! Dates with the name of a month: March 3rd, 2004; 3-Mar-04; 03MAR2004; the third of March; March of '04.

use super::beside::{Part, left, right};
use super::{Cue, counted_after, cue, month};
use crate::rules::engine::word_sets::{WordSet, says, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, View};
use crate::text::token::{Case, Gap};
use crate::vocabulary::Class;

/// Finds the date around the name of a month, or the month alone.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if is_marker(view, at) {
        return;
    }
    around(view, at, findings);
}

/// What is said of a marker in a tissue.
static STAINS: WordSet = word_set!("date-words-stains");

/// `OCT4 positive`, `SALL4, OCT3/4+`: a marker that pathologists stain, with its result behind it or another marker beside it.
fn is_marker(view: &View<'_>, at: usize) -> bool {
    let number = at + 1;
    let (next, before) = (number + 1, at.wrapping_sub(1));
    let named = says!(view, at, "oct")
        && view.case(at) == Case::Upper
        && view.token(number).glued()
        && !view.token(next).glued()
        && says!(view, number, "4" | "3/4");
    if !named {
        return false;
    }
    let sign = view.is_any_mark(next, b"+-")
        && !(view.joined(next + 1) && (view.is_number(next + 1) || view.is_word(next + 1)));
    let stained = view.same_line(next) && (sign || STAINS.has(view, next));
    let marker =
        |name: usize| view.is(name, Class::Marker) && view.case(name) == Case::Upper && view.token(name + 1).glued();
    stained
        || view.is_any_mark(next, b",/") && marker(next + 1)
        || at > 2 && view.is_any_mark(before, b",/") && marker(at - 3)
}

/// Finds the date around the name of a month.
fn around(view: &View<'_>, first: usize, findings: &mut Findings) {
    let last = first + 1;
    let right = right(view, last);
    let left = left(view, first);
    let (begin, end) = (left.map_or(first, |left| left.end), right.map_or(last, |right| right.end));
    let has = |part: fn(&Part) -> bool| left.as_ref().is_some_and(part) || right.as_ref().is_some_and(part);
    let (day, year) = (has(|part| part.day), has(|part| part.year));
    if !day && !year {
        month::bare(view, first, findings);
        return;
    }
    let doubtful = month::is_doubtful(view, first);
    // 12-sep-02 can be nothing else, whatever the case of its letters.
    // Its line may end before or after a hyphen: 12-mar, line end, -97.
    let joined = |at: usize| view.joined(at) || view.gap(at) == Gap::Line;
    let hyphens = left.is_some()
        && right.is_some()
        && first > 0
        && view.is_any_mark(first - 1, b"-./") == view.is_any_mark(last, b"-./")
        && joined(first)
        && joined(last)
        && (view.joined(first) || view.joined(last));
    // `bloods 11-mar.`; `18 mar`, `mar 23`: no word; `scan 27 may.`: no verb ends a clause.
    let day_before = left.is_some_and(|left| left.day);
    let joined_before =
        day_before && view.is_mark(first.wrapping_sub(1), b'-') && view.joined(first) && right.is_none();
    let clause = view.is_any_mark(last, b".,;)]") || view.ends_line(last);
    let no_word = says!(view, first, "mar" | "feb" | "apr" | "jul" | "nov") && (day_before || day)
        || says!(view, first, "may") && day_before && clause;
    let alone = joined_before || no_word && view.case(first) == Case::Lower && !counted_after(view, end);
    let sure = hyphens || alone || has(|part| part.sure);
    if doubtful && !sure && (counted_after(view, end) || !named(view, first, left.is_some())) {
        return;
    }
    // 11-Jun-04: what looks like a second day is the year.
    let two_days = left.is_some_and(|left| left.day) && right.is_some_and(|right| right.day);
    let kind = match (day, year || two_days) {
        (true, true) => Kind::Date,
        (true, false) => Kind::DayMonth,
        _ => Kind::MonthYear,
    };
    let certainty = if doubtful && !sure { Certainty::Likely } else { Certainty::Sure };
    // The day of the week belongs to its date.
    let mut begin = begin;
    let mut weekday = begin;
    for _ in 0..2 {
        if weekday > 0 && view.follows(weekday) {
            weekday -= 1;
            if view.is(weekday, Class::Weekday) {
                begin = weekday;
            } else if !view.is_any_mark(weekday, b",.") && !says!(view, weekday, "the") {
                break;
            }
        }
    }
    findings.remove(begin, end, kind, certainty);
}

/// Whether a doubtful name (may, march, dec) with a number beside it is a month: by its capital or what stands before it.
fn named(view: &View<'_>, at: usize, day_before: bool) -> bool {
    let capital =
        view.capitalised(at) && !(view.sentence_start(at) && view.case(at) == crate::text::token::Case::Capital);
    let before = if day_before { at.saturating_sub(1) } else { at };
    // Nobody marches by numbers: f/u march 13.
    capital
        || (says!(view, at, "march") && !day_before)
        || cue(view, before) == Cue::Strong
        || cue(view, at) > Cue::None
        || view.token(at).line_start()
        || view.token(at).glued()
}
