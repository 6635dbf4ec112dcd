//! Dates with the name of a month: `March 3rd, 2004`, `3-Mar-04`, `03MAR2004`, `the third of March`, `March of '04`.

use super::beside::{Part, read_after_month, read_before_month};
use super::{Cue, counted_noun_follows, date_cue, month};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{Case, Gap};
use crate::vocabulary::Class;

/// Finds the date around the name of a month, or the month alone.
pub(in crate::rules) fn find_month_date(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if is_marker_name(note, at) {
        return;
    }
    find_around_month(note, at, findings);
}

/// Words for the result of a tissue marker.
static STAINS: WordSet = word_set!("date-words-stains");

/// Returns whether it is a pathology marker with its result, or with another marker next to it: `OCT4 positive`,
/// `SALL4, OCT3/4+`.
fn is_marker_name(note: &Note<'_>, at: usize) -> bool {
    let number = at + 1;
    let (next, before) = (number + 1, at.wrapping_sub(1));
    let named = word_is!(note, at, "oct")
        && note.case(at) == Case::Upper
        && note.token(number).glued()
        && !note.token(next).glued()
        && word_is!(note, number, "4" | "3/4");
    if !named {
        return false;
    }
    let sign = note.is_any_mark(next, b"+-")
        && !(note.joined(next + 1) && (note.is_number(next + 1) || note.is_word(next + 1)));
    let stained = note.same_line(next) && (sign || STAINS.has(note, next));
    let marker =
        |name: usize| note.is(name, Class::Marker) && note.case(name) == Case::Upper && note.token(name + 1).glued();
    stained
        || note.is_any_mark(next, b",/") && marker(next + 1)
        || at > 2 && note.is_any_mark(before, b",/") && marker(at - 3)
}

/// Finds the date around the name of a month.
fn find_around_month(note: &Note<'_>, first: usize, findings: &mut Findings) {
    let last = first + 1;
    let right = read_after_month(note, last);
    let left = read_before_month(note, first);
    let (begin, end) = (left.map_or(first, |left| left.end), right.map_or(last, |right| right.end));
    let has = |part: fn(&Part) -> bool| left.as_ref().is_some_and(part) || right.as_ref().is_some_and(part);
    let (day, year) = (has(|part| part.day), has(|part| part.year));
    if !day && !year {
        month::report_bare_month(note, first, findings);
        return;
    }
    let doubtful = month::is_ambiguous_month(note, first);
    // `12-sep-02` is a date in any case. The line may break before or after a hyphen: `12-mar`, line break, `-97`.
    let joined = |at: usize| note.joined(at) || note.gap(at) == Gap::Line;
    let hyphens = left.is_some()
        && right.is_some()
        && first > 0
        && note.is_any_mark(first - 1, b"-./") == note.is_any_mark(last, b"-./")
        && joined(first)
        && joined(last)
        && (note.joined(first) || note.joined(last));
    // `bloods 11-mar.`; `18 mar`, `mar 23`: not words; `scan 27 may.`: a verb does not end a clause.
    let day_before = left.is_some_and(|left| left.day);
    let joined_before =
        day_before && note.is_mark(first.wrapping_sub(1), b'-') && note.joined(first) && right.is_none();
    let clause = note.is_any_mark(last, b".,;)]") || note.ends_line(last);
    let no_word = word_is!(note, first, "mar" | "feb" | "apr" | "jul" | "nov") && (day_before || day)
        || word_is!(note, first, "may") && day_before && clause;
    let alone = joined_before || no_word && note.case(first) == Case::Lower && !counted_noun_follows(note, end);
    let sure = hyphens || alone || has(|part| part.sure);
    if doubtful && !sure && (counted_noun_follows(note, end) || !is_month_name(note, first, left.is_some())) {
        return;
    }
    // `11-Jun-04`: an apparent second day is the year.
    let two_days = left.is_some_and(|left| left.day) && right.is_some_and(|right| right.day);
    let kind = match (day, year || two_days) {
        (true, true) => Kind::Date,
        (true, false) => Kind::DayMonth,
        _ => Kind::MonthYear,
    };
    let certainty = if doubtful && !sure { Certainty::Likely } else { Certainty::Sure };
    // The day of the week belongs to the date.
    let mut begin = begin;
    let mut weekday = begin;
    for _ in 0..2 {
        if weekday > 0 && note.follows(weekday) {
            weekday -= 1;
            if note.is(weekday, Class::Weekday) {
                begin = weekday;
            } else if !note.is_any_mark(weekday, b",.") && !word_is!(note, weekday, "the") {
                break;
            }
        }
    }
    findings.remove(begin, end, kind, certainty);
}

/// Returns whether an ambiguous name (may, march, dec) next to a number is a month: by its capital letter or the words
/// before it.
fn is_month_name(note: &Note<'_>, at: usize, day_before: bool) -> bool {
    let capital =
        note.capitalised(at) && !(note.sentence_start(at) && note.case(at) == crate::text::token::Case::Capital);
    let before = if day_before { at.saturating_sub(1) } else { at };
    // The verb takes no number: `f/u march 13`.
    capital
        || (word_is!(note, at, "march") && !day_before)
        || date_cue(note, before) == Cue::Strong
        || date_cue(note, at) > Cue::None
        || note.token(at).line_start()
        || note.token(at).glued()
}
