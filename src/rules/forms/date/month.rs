//! Months that stand alone: since October, March to June.

use super::RANGE;
use crate::rules::engine::word_sets::{WordSet, says, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, View};
use crate::text::token::Case;
use crate::vocabulary::Class;

/// Whether the name of the month is a word of its own as well: may, march, and the abbreviations.
pub(super) fn is_doubtful(view: &View<'_>, at: usize) -> bool {
    says!(view, at, "may" | "march") || view.width(at) <= 4 && !says!(view, at, "july" | "june")
}

/// Words before a month, and before nothing else that is called like one.
static CLEAR: WordSet = word_set!("date-month-clear");

/// Words before a month, and before much else.
static VAGUE: WordSet = word_set!("date-month-vague");

/// Months in short that are no word.
static SHORT: WordSet = word_set!("date-month-short");

/// Reports a month without a day or a year beside it.
pub(super) fn bare(view: &View<'_>, at: usize, findings: &mut Findings) {
    if !is_doubtful(view, at) || range(view, at) {
        findings.remove(at, at + 1, Kind::Month, Certainty::Likely);
        return;
    }
    let word = view.bytes(at);
    let before = at.wrapping_sub(1);
    let led = at > 0 && view.follows(at);
    let clear = led && CLEAR.has(view, before);
    let vague = led && VAGUE.has(view, before);
    let cue = clear || vague || led && says!(view, before, "late" | "every" | "this" | "around" | "past");
    // "by mar" and "of dec" are too much else in lower case; "since oct" is not. No verb follows a preposition, so that "of may"
    // and "from march" are months in any case.
    let time = clear || vague && says!(view, at, "may" | "march") && !eponym_of_march(view, at);
    let after_dash = at >= 2 && view.is_mark(before, b'-') && says!(view, at - 2, "mid" | "early" | "late");
    let capital = matches!(view.case(at), Case::Capital);
    let short = word.len() == 3 && word != b"may";
    let reported = after_dash
        || (cue && capital)
        || (time && !(short && view.case(at) == Case::Upper) && !follows_verb(view, at))
        || (capital && word == b"may" && in_running_text(view, at))
        // `compared with Oct, slightly better`: no word, and no short form is written so.
        || capital
            && SHORT.has(view, at)
            && in_running_text(view, at);
    if reported {
        findings.remove(at, at + 1, Kind::Month, Certainty::Likely);
    }
}

/// March fractures and march haemoglobinuria are of marching; "all of which may", "any of whom may" have a word between.
fn eponym_of_march(view: &View<'_>, at: usize) -> bool {
    says!(view, at + 1, "fracture" | "fractures" | "foot" | "hemoglobinuria" | "haemoglobinuria")
}

/// What stands behind `may`, and behind no month.
static BEHIND_VERB: WordSet = word_set!("date-month-behind-verb");

/// "in may be" has no month.
fn follows_verb(view: &View<'_>, at: usize) -> bool {
    view.is_word(at + 1) && BEHIND_VERB.has(view, at + 1)
}

/// A capitalised May inside a sentence is a month or a name.
fn in_running_text(view: &View<'_>, at: usize) -> bool {
    let lower = |at: usize| view.is_word(at) && view.case(at) == Case::Lower;
    at > 0 && !view.sentence_start(at) && lower(at - 1) && !(view.is_word(at + 1) && view.capitalised(at + 1))
}

/// Whether the month is an end of a range of months: March to June, Mar-Jun, May/June, May and June.
fn range(view: &View<'_>, at: usize) -> bool {
    let joins = |at: usize| view.is_any_mark(at, b"-/&") || (view.is_word(at) && RANGE.has(view, at));
    let other = |other: usize| {
        view.is(other, Class::Month) && view.case(other) == view.case(at) && view.bytes(other) != view.bytes(at)
    };
    let after = joins(at + 1) && view.follows(at + 1) && other(at + 2) && view.follows(at + 2);
    let before = at >= 2 && joins(at - 1) && view.follows(at) && other(at - 2) && view.follows(at - 1);
    (after || before) && (view.capitalised(at) || !says!(view, at, "may") || before)
}
