//! Months on their own: `since October`, `March to June`.

use super::RANGE;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Case;
use crate::vocabulary::Class;

/// Returns whether the name of the month is also a word: `may`, `march`, and the abbreviations.
pub(super) fn is_ambiguous_month(note: &Note<'_>, at: usize) -> bool {
    word_is!(note, at, "may" | "march") || note.width(at) <= 4 && !word_is!(note, at, "july" | "june")
}

/// Words before a month, and not before its homographs.
static CLEAR: WordSet = word_set!("date-month-clear");

/// Words before a month and many other words.
static VAGUE: WordSet = word_set!("date-month-vague");

/// Abbreviations of months that are not words.
static SHORT: WordSet = word_set!("date-month-short");

/// Reports a month without a day or a year.
pub(super) fn report_bare_month(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if !is_ambiguous_month(note, at) || is_end_of_month_range(note, at) {
        findings.remove(at, at + 1, Kind::Month, Certainty::Likely);
        return;
    }
    let word = note.bytes(at);
    let before = at.wrapping_sub(1);
    let led = at > 0 && note.follows(at);
    let clear = led && CLEAR.has(note, before);
    let vague = led && VAGUE.has(note, before);
    let cue = clear || vague || led && word_is!(note, before, "late" | "every" | "this" | "around" | "past");
    // In lower case, `by mar` and `of dec` are ambiguous, `since oct` is not. No verb follows a preposition, so
    // `of may` and `from march` are months in any case.
    let time = clear || vague && word_is!(note, at, "may" | "march") && !is_march_eponym(note, at);
    let after_dash = at >= 2 && note.is_mark(before, b'-') && word_is!(note, at - 2, "mid" | "early" | "late");
    let capital = matches!(note.case(at), Case::Capital);
    let short = word.len() == 3 && word != b"may";
    let reported = after_dash
        || (cue && capital)
        || (time && !(short && note.case(at) == Case::Upper) && !follows_verb(note, at))
        || (capital && word == b"may" && is_in_running_text(note, at))
        // `compared with Oct, slightly better`: neither a word nor another abbreviation.
        || capital
            && SHORT.has(note, at)
            && is_in_running_text(note, at);
    if reported {
        findings.remove(at, at + 1, Kind::Month, Certainty::Likely);
    }
}

/// Returns whether it is a march fracture or march haemoglobinuria, named after marching. In `all of which may` and
/// `any of whom may`, a word precedes `may`.
fn is_march_eponym(note: &Note<'_>, at: usize) -> bool {
    word_is!(note, at + 1, "fracture" | "fractures" | "foot" | "hemoglobinuria" | "haemoglobinuria")
}

/// Words that follow `may` but not a month.
static BEHIND_VERB: WordSet = word_set!("date-month-behind-verb");

/// Returns whether a verb phrase follows, so that `in may be` has no month.
fn follows_verb(note: &Note<'_>, at: usize) -> bool {
    note.is_word(at + 1) && BEHIND_VERB.has(note, at + 1)
}

/// Returns whether a capitalised word is inside a lower-case sentence, where `May` is a month or a name.
fn is_in_running_text(note: &Note<'_>, at: usize) -> bool {
    let lower = |at: usize| note.is_word(at) && note.case(at) == Case::Lower;
    at > 0 && !note.sentence_start(at) && lower(at - 1) && !(note.is_word(at + 1) && note.capitalised(at + 1))
}

/// Returns whether the month is an end of a range: `March to June`, `Mar-Jun`, `May/June`, `May and June`.
fn is_end_of_month_range(note: &Note<'_>, at: usize) -> bool {
    let joins = |at: usize| note.is_any_mark(at, b"-/&") || (note.is_word(at) && RANGE.has(note, at));
    let other = |other: usize| {
        note.is(other, Class::Month) && note.case(other) == note.case(at) && note.bytes(other) != note.bytes(at)
    };
    let after = joins(at + 1) && note.follows(at + 1) && other(at + 2) && note.follows(at + 2);
    let before = at >= 2 && joins(at - 1) && note.follows(at) && other(at - 2) && note.follows(at - 1);
    (after || before) && (note.capitalised(at) || !word_is!(note, at, "may") || before)
}
