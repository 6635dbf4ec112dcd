//! Dates: numbers in any order, names of months, years, spoken forms.
//!
//! | file | contents |
//! |---|---|
//! | `numeric` | dates in digits: 3/4/06, 2006-03-04, 4.3.2006, 3/4, 3/06 |
//! | `month_date` | dates with the name of a month: March 3rd, 2004; 03MAR2004; the third of March |
//! | `beside` | the day and the year next to the name of a month |
//! | `month` | months on their own |
//! | `year` | years, decades, quarters, school years |
//! | `number_words` | numbers in words: twenty-first, nineteen ninety-six |
//!
//! The ends of a range are separate dates, except ends that are not dates by themselves (`March 3-5`).

mod beside;
mod month;
pub(in crate::rules) mod month_date;
pub(in crate::rules) mod number_words;
pub(in crate::rules) mod numeric;
pub(in crate::rules) mod year;

use crate::rules::engine::Note;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::text::token::Kind;
use crate::vocabulary::{Class, Classes};

/// Returns whether a group of digits may be a four-digit year.
pub(in crate::rules) const fn may_be_year(value: u64, digits: usize) -> bool {
    digits == 4 && value >= 1850 && value <= 2099
}

/// Returns whether the token may be a four-digit year.
fn is_year_token(note: &Note<'_>, at: usize) -> bool {
    note.integer(at).is_some_and(|year| may_be_year(year, note.width(at)))
}

/// Returns whether a group of digits may be the day of a month.
pub(in crate::rules) const fn may_be_day(value: u64, digits: usize) -> bool {
    digits >= 1 && digits <= 2 && value >= 1 && value <= 31
}

/// Returns whether a group of digits may be a month.
pub(in crate::rules) const fn may_be_month(value: u64, digits: usize) -> bool {
    digits >= 1 && digits <= 2 && value >= 1 && value <= 12
}

/// The strength of the evidence for a date before a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::rules) enum Cue {
    /// No evidence.
    None,
    /// A word that often precedes dates, but also other things: from, to, by.
    Weak,
    /// A word or field label that precedes dates: on, since, dated, DOB.
    Strong,
}

/// Words between a date cue and the date.
static PASSING: WordSet = word_set!("date-passing");

/// Words before dates and many other things.
static LEADING: WordSet = word_set!("date-leading");

/// Words between the two ends of a range of days or months.
static RANGE: WordSet = word_set!("date-range");

/// Returns the evidence for a date before the token `at`.
pub(in crate::rules) fn date_cue(note: &Note<'_>, at: usize) -> Cue {
    let mut before = at;
    let mut field = false;
    for _ in 0..4 {
        if before == 0 || !(note.follows(before) || note.same_line(before) || field) {
            return Cue::None;
        }
        before -= 1;
        match note.token(before).kind {
            Kind::Punct => match note.bytes(before)[0] {
                b':' | b'=' => field = true,
                b'(' | b'[' | b'~' | b'.' | b',' | b'\'' | b'"' | b'#' => {}
                _ => return Cue::None,
            },
            Kind::Word => {
                let word = note.bytes(before);
                if PASSING.has(note, before) {
                    continue;
                }
                if note.is(before, Class::DateCue) {
                    // `D:` and `T:` are labels; a letter alone may be anything.
                    return if word.len() > 2 || field || word == b"on" { Cue::Strong } else { Cue::Weak };
                }
                if note.is(before, Class::Weekday) {
                    return Cue::Strong;
                }
                let weak = LEADING.has(note, before);
                return if weak { Cue::Weak } else { Cue::None };
            }
            _ => return Cue::None,
        }
    }
    Cue::None
}

/// Returns whether a unit follows the number that ends before the token `last`: `3/4 mg`, `2/7 weeks`, `12-14 %`.
pub(in crate::rules) fn unit_follows(note: &Note<'_>, last: usize) -> bool {
    let next = if note.is_mark(last, b'-') && note.joined(last) { last + 1 } else { last };
    if !note.is_word(next) || !note.same_line(next) {
        return note.is_mark(last, b'%');
    }
    // A lone letter may equally begin an abbreviation: `3/4 f/u`, `3/4 d/c`.
    let alone = note.width(next) == 1 && note.is_any_mark(next + 1, b"/'.") && note.joined(next + 1);
    note.is(next, Class::Unit) && !note.is(next, Class::Stop) && !alone
}

/// Returns whether a counted noun or a dose follows: `may 2 tablets`.
pub(in crate::rules) fn counted_noun_follows(note: &Note<'_>, last: usize) -> bool {
    note.is_word(last)
        && note.same_line(last)
        && note.any(last, Classes::of(&[Class::Counted, Class::Dose, Class::Duration]))
        && !note.is(last, Class::Stop)
}

/// Returns whether the word is the ending of an ordinal in digits: `3rd`.
pub(in crate::rules) fn is_ordinal_ending(note: &Note<'_>, at: usize) -> bool {
    note.is_word(at) && word_is!(note, at, "st" | "nd" | "rd" | "th") && note.same_line(at)
}
