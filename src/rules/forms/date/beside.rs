//! The day and the year before and after the name of a month.

use super::{RANGE, is_ordinal_ending, is_year_token, may_be_day, may_be_year, month, number_words, unit_follows};
use crate::rules::engine::Note;
use crate::rules::engine::digits::{read_misscanned_number, start_of_misscanned_before};
use crate::rules::engine::word_sets::word_is;
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// The part of a date on one side of a month.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The outer boundary: the end (exclusive) on the right, the first token on the left.
    pub end: usize,
    pub day: bool,
    pub year: bool,
    /// Whether it can only be part of a date: an ordinal, a four-digit year.
    pub sure: bool,
}

/// Reads the day and the year after a month.
pub(super) fn read_after_month(note: &Note<'_>, last: usize) -> Option<Part> {
    let mut at = last;
    let mut apostrophe = false;
    let mut separator = 0;
    for _ in 0..4 {
        if !is_near_enough(note, at) {
            return None;
        }
        if note.is_any_mark(at, b".,-/'_") {
            apostrophe = note.is_mark(at, b'\'');
            separator = note.bytes(at)[0];
        } else if !(note.is_word(at) && word_is!(note, at, "the" | "of" | "in")) {
            break;
        }
        at += 1;
    }
    // `december l5`, `April 3O, 2016`
    if let Some((number, end)) =
        read_misscanned_number(note, at).filter(|(number, _)| may_be_day(number.value(0), number.digits(0)))
    {
        let plain = Part { end, day: true, year: false, sure: number.digits(0) == 2 };
        return (number.len() == 1).then(|| year_after_day(note, end, false).unwrap_or(plain));
    }
    if is_list_number(note, at) {
        return None;
    }
    if note.is_number(at) {
        return number_after_month(note, at, apostrophe, separator);
    }
    let word_day = number_words::end_of_spoken_day(note, at);
    if let Some(end) = number_words::end_of_spoken_year(note, at)
        && end > at + 1
    {
        return Some(Part { end, day: false, year: true, sure: true });
    }
    let day = word_day.filter(|_| !note.is(at, Class::NumberWord) || note.any(at, number_words::NUMBER))?;
    let ordinal = note.is(day - 1, Class::OrdinalWord);
    let plain = !ordinal && (unit_follows(note, day) || note.is(day, Class::Duration));
    if plain {
        return None;
    }
    Some(year_after_day(note, day, false).unwrap_or(Part { end: day, day: true, year: false, sure: ordinal }))
}

/// Returns whether the number begins a list item on the next line: `since June.`, line break, `3. Pain`.
fn is_list_number(note: &Note<'_>, at: usize) -> bool {
    note.is_number(at)
        && note.token(at).line_start()
        && note.width(at) <= 2
        && note.is_any_mark(at + 1, b".)")
        && note.is_word(at + 2)
        && at > 0
        && note.is_any_mark(at - 1, b".,;:")
}

/// Returns whether the token is close enough to belong to the date: at most one line break or a wide gap before it.
fn is_near_enough(note: &Note<'_>, at: usize) -> bool {
    note.follows(at) || (note.gap(at) == Gap::Wide && at < note.len())
}

/// Reads the number after a month: `3`, `3,2004`, `2004`, `04`.
fn number_after_month(note: &Note<'_>, at: usize, apostrophe: bool, separator: u8) -> Option<Part> {
    let number = note.number(at)?;
    let (value, digits) = (number.value(0), number.digits(0));
    if number.len() == 2 && matches!(number.separator(0), b',' | b'.' | b'/') && may_be_day(value, digits) {
        let (year, year_digits) = (number.value(1), number.digits(1));
        let sure = may_be_year(year, year_digits);
        if sure || (year_digits == 2 && number.separator(0) != b'.') {
            // `March 12,13 and 14` are three days; two digits may also be a year. Both are removed.
            return Some(Part { end: at + 1, day: true, year: true, sure });
        }
        return None;
    }
    // `2004,5` and `2004:10`: the tokeniser joins the year to the next number.
    if may_be_year(value, digits) && (number.len() == 1 || number.separator(0) == b':' || number.separator(0) == b',') {
        return Some(Part { end: at + 1, day: false, year: true, sure: true });
    }
    if number.len() > 1 {
        // `March 3:30` is a time; in `March 3: ` no digit follows the mark, so the number has one part.
        return None;
    }
    if digits == 2 && (apostrophe || value > 31 || value == 0) {
        return (!unit_follows(note, at + 1)).then_some(Part { end: at + 1, day: false, year: true, sure: apostrophe });
    }
    if digits == 6 && may_be_day(value / 10_000, 2) && may_be_year(value % 10_000, 4) {
        return Some(Part { end: at + 1, day: true, year: true, sure: true });
    }
    if !may_be_day(value, digits) {
        return None;
    }
    let mut end = at + 1;
    let mut ordinal = false;
    // `October 26h, 2017`: half of an ordinal ending, with a year after it.
    let half = note.token(end).glued()
        && word_is!(note, end, "t" | "h" | "s" | "n" | "r" | "d")
        && note.is_mark(end + 1, b',')
        && is_year_token(note, end + 2);
    if half || is_ordinal_ending(note, end) {
        ordinal = true;
        end += 1;
    }
    if !ordinal && unit_follows(note, end) && separator != b'-' {
        return None;
    }
    Some(extend_over_days(note, end, ordinal, separator))
}

/// Extends a day that ends before `end` over further days and a year: `3-5`, `3 to 5`, `3rd and 5th`, `3 through 5`.
fn extend_over_days(note: &Note<'_>, mut end: usize, mut ordinal: bool, separator: u8) -> Part {
    for _ in 0..3 {
        let mut more = end;
        if !note.same_line(more) && !note.follows(more) {
            break;
        }
        let joins = note.is_any_mark(more, b"-&/+") || (note.is_word(more) && RANGE.has(note, more));
        if !joins {
            break;
        }
        more += 1;
        let Some(other) = note.number(more).filter(|_| note.follows(more)) else { break };
        let comma_year = other.len() == 2 && other.separator(0) == b',' && may_be_year(other.value(1), other.digits(1));
        if !may_be_day(other.value(0), other.digits(0))
            || !(other.len() == 1 || comma_year)
            || note.is(more + 1, Class::Month)
        {
            break;
        }
        if comma_year {
            return Part { end: more + 1, day: true, year: true, sure: true };
        }
        // `Mar-03-04`: the second number is the year, which `year_after_day` reads.
        if separator == b'-' && note.is_mark(end, b'-') || unit_follows(note, more + 1) {
            break;
        }
        end = more + 1;
        if is_ordinal_ending(note, end) {
            ordinal = true;
            end += 1;
        }
    }
    let plain = Part { end, day: true, year: false, sure: ordinal };
    year_after_day(note, end, separator == b'-' || separator == b'/').unwrap_or(plain)
}

/// Reads the year after a day: `, 2004`, ` 2004`, `-04`, ` '04`, `, two thousand four`.
fn year_after_day(note: &Note<'_>, day_end: usize, marked: bool) -> Option<Part> {
    let mut at = day_end;
    let mut mark = 0;
    for _ in 0..3 {
        if !is_near_enough(note, at) {
            return None;
        }
        if note.is_any_mark(at, b",.-/'_") {
            mark = note.bytes(at)[0];
        } else if !(note.is_word(at) && word_is!(note, at, "of" | "in" | "the" | "year")) {
            break;
        }
        at += 1;
    }
    // `Sun Nov 09 07:45:00 UTC 1975`
    if let Some(clock) = note.number(at).filter(|clock| clock.separator(0) == b':') {
        let zone = usize::from(note.is_word(at + 1) && note.case(at + 1) == Case::Upper && note.width(at + 1) <= 4);
        let year = at + 1 + zone;
        let known = clock.digits(1) == 2 && is_year_token(note, year);
        return (known && note.same_line(year)).then_some(Part { end: year + 1, day: true, year: true, sure: true });
    }
    // `9-Aug-l5`, `March 3, 2OO4`
    if let Some((number, end)) = read_misscanned_number(note, at) {
        let (value, digits) = (number.value(0), number.digits(0));
        let year = number.len() == 1 && (may_be_year(value, digits) || digits == 2 && (mark == b'\'' || marked));
        return year.then_some(Part { end, day: true, year: true, sure: true });
    }
    if note.is_number(at) {
        let number = note.number(at)?;
        let (value, digits) = (number.value(0), number.digits(0));
        let whole = number.len() == 1;
        if is_list_number(note, at) {
            return None;
        }
        if may_be_year(value, digits) && (whole || matches!(number.separator(0), b':' | b',')) {
            return Some(Part { end: at + 1, day: true, year: true, sure: true });
        }
        // A year broken over two lines.
        if whole && digits < 4 && note.is_number(at + 1) && note.gap(at + 1) == Gap::Line {
            let rest = note.number(at + 1)?;
            let joined = value * 10_u64.pow(rest.digits(0) as u32) + rest.value(0);
            if rest.len() == 1 && digits + rest.digits(0) == 4 && may_be_year(joined, 4) {
                return Some(Part { end: at + 2, day: true, year: true, sure: true });
            }
        }
        let short = whole && digits == 2 && !unit_follows(note, at + 1) && !note.is_mark(at + 1, b':');
        let wanted = mark == b'\''
            || mark == b'/'
            || (mark == b'-' && marked)
            || (mark == b',' && !note.is(at + 1, Class::Duration));
        let glued = note.token(at).glued();
        let linked = wanted || ((glued || mark == 0) && !note.is(at + 1, Class::Duration));
        if short && linked {
            return Some(Part { end: at + 1, day: true, year: true, sure: mark == b'\'' });
        }
        return None;
    }
    let end = number_words::end_of_spoken_year(note, at).filter(|&end| end > at + 1)?;
    Some(Part { end, day: true, year: true, sure: true })
}

/// Reads the day, or the year, before a month.
pub(super) fn read_before_month(note: &Note<'_>, first: usize) -> Option<Part> {
    let mut at = first;
    let mut of = false;
    for _ in 0..3 {
        if at == 0 || !note.follows(at) {
            return None;
        }
        let joined = note.joined(at);
        at -= 1;
        if note.is_any_mark(at, b"-/,_")
            || (note.is_mark(at, b'.') && (joined || !month::is_ambiguous_month(note, first)))
        {
            continue;
        }
        if note.is_word(at) && word_is!(note, at, "of" | "day") {
            of = true;
            continue;
        }
        break;
    }
    if let Some((number, begin)) = start_of_misscanned_before(note, at) {
        let day = number.len() == 1 && may_be_day(number.value(0), number.digits(0));
        return day.then_some(Part { end: begin, day: true, year: false, sure: number.digits(0) == 2 });
    }
    if is_ordinal_ending(note, at) && at > 0 && note.is_number(at - 1) {
        let value = note
            .number(at - 1)
            .filter(|number| may_be_day(number.value(number.len() - 1), number.digits(number.len() - 1)));
        value?;
        return Some(Part { end: start_of_days_before(note, at - 1), day: true, year: false, sure: true });
    }
    if let Some(number) = note.number(at) {
        let last = number.len() - 1;
        let (value, digits) = (number.value(last), number.digits(last));
        if number.len() == 1 && may_be_year(value, digits) {
            return Some(Part { end: at, day: false, year: true, sure: true });
        }
        let days = (0..number.len()).all(|part| may_be_day(number.value(part), number.digits(part)));
        // `On7-May-00`: the space is missing.
        let inside = note.token(at).glued()
            && note.is_word(at.wrapping_sub(1))
            && !(note.width(at - 1) > 1 && note.any(at - 1, Classes::of(&[Class::DateCue, Class::Stop])));
        if !days || number.len() > 3 || inside && !of {
            return None;
        }
        return Some(Part { end: start_of_days_before(note, at), day: true, year: false, sure: of });
    }
    if note.is_word(at) && note.any(at, number_words::NUMBER) {
        let begin = number_words::start_of_spoken_day(note, at)?;
        // `one may` and `second may` are not dates.
        let ordinal = note.is(at, Class::OrdinalWord);
        return (of || ordinal).then_some(Part { end: begin, day: true, year: false, sure: of && ordinal });
    }
    None
}

/// Returns the first token of a list of days that ends with the number `at`: `3-5 March`, `3rd and 5th of March`,
/// `3 to 5 March`.
fn start_of_days_before(note: &Note<'_>, at: usize) -> usize {
    let mut first = at;
    for _ in 0..3 {
        if first < 2 || !note.follows(first) {
            break;
        }
        let joins = note.is_any_mark(first - 1, b"-&/,")
            || (note.is_word(first - 1)
                && word_is!(note, first - 1, "to" | "and" | "or" | "through" | "thru" | "until"));
        if !joins || !note.follows(first - 1) {
            break;
        }
        let mut other = first - 2;
        if is_ordinal_ending(note, other) && other > 0 {
            other -= 1;
        }
        let day =
            note.number(other).is_some_and(|number| number.len() == 1 && may_be_day(number.value(0), number.digits(0)));
        let inside =
            other > 0 && note.joined(other) && (note.is_word(other - 1) || note.is_any_mark(other - 1, b"-/."));
        if !day || inside {
            break;
        }
        first = other;
    }
    first
}
