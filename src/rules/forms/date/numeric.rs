//! Dates in digits, in any order: `3/4/06`, `2006-03-04`, `4. 3. 2006`, `3/4`, `3/2006`, `20060304`.

use super::{Cue, date_cue, is_year_token, may_be_day, may_be_month, may_be_year, unit_follows};
use crate::rules::clinical;
use crate::rules::engine::digits::{DigitGroups, is_misscanned_digits};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Gap;
use crate::vocabulary::{Class, Classes};

/// Finds a date that begins at a number.
pub(in crate::rules) fn find_numeric_date(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if !may_begin_date(note, at) {
        return;
    }
    let groups = DigitGroups::read(note, at);
    let first = groups.first();
    if let Some((kind, certainty, last, parts)) = full_date(note, &groups) {
        let last = end_of_time_stamp(note, first, last);
        findings.remove(first, last, kind, certainty);
        // `3/4/04-3/9`: the other end of a range, if it is not a date by itself.
        let open = parts > 0 && groups.mark_after(parts - 1) == b'-' && groups.len() > parts;
        if open && may_be_day(groups.value(parts), groups.digit_count(parts)) {
            let mut ends = parts;
            while ends + 1 < groups.len() && groups.mark_after(ends) == b'/' {
                ends += 1;
            }
            findings.remove(first, groups.end_of_group(ends).max(last), kind, Certainty::Likely);
        }
        return;
    }
    if let Some((kind, certainty, last)) = partial_date(note, &groups) {
        findings.remove(first, last, kind, certainty);
    }
}

/// Fast rejection of most numbers: a date has a mark inside or before its next group, or eight digits.
fn may_begin_date(note: &Note<'_>, at: usize) -> bool {
    let Some(number) = note.number(at) else { return false };
    let digits = number.digits(0);
    if digits == 8 || digits == 14 || digits == 12 {
        return true;
    }
    if !matches!(digits, 1 | 2 | 4) {
        return false;
    }
    let comma = note.is_mark(at + 1, b',');
    number.len() > 1
        || note.is_any_mark(at + 1, b"/-.")
        || comma && !is_pair_only(note, at + 2)
        || note.is_number(at + 1) && !is_row_of_numbers(note, at) && !is_pair_only(note, at + 1)
        || (note.token(at + 1).glued() && note.width(at + 1) <= 3)
}

/// Returns whether the digit groups end with this one, as in `14, 2019`: after a comma or a blank, two groups are not a
/// date.
fn is_pair_only(note: &Note<'_>, second: usize) -> bool {
    let digits = |at: usize| note.is_number(at) || is_misscanned_digits(note.bytes(at));
    let next = second + 1;
    note.integer(second).is_some() && !digits(next) && !(note.is_any_mark(next, b"/-.,:") && digits(next + 1))
}

/// Returns whether three short integers with only white space between them begin here, and are not all of two digits:
/// values of a table.
fn is_row_of_numbers(note: &Note<'_>, at: usize) -> bool {
    let width = |at: usize| if note.integer(at).is_some() { note.width(at) } else { usize::MAX };
    let widths = [width(at), width(at + 1), width(at + 2)];
    // A year may be broken over two lines or have misread digits: `3 4 20`, line break, `06`; `3 4 200l`.
    let whole = note.same_line(at + 3) && !note.token(at + 3).glued();
    whole && widths.iter().all(|&width| width < 4) && widths != [2, 2, 2]
}

/// Returns the kind, the certainty, the end (exclusive) and the number of groups of a full date.
fn full_date(note: &Note<'_>, groups: &DigitGroups) -> Option<(Kind, Certainty, usize, usize)> {
    if let Some(last) = end_of_compact_date(note, groups) {
        let certainty = if date_cue(note, groups.first()) > Cue::None { Certainty::Sure } else { Certainty::Likely };
        return Some((Kind::Date, certainty, last, 0));
    }
    if groups.len() < 3 || (groups.is_glued() && (groups.is_misscanned() || !may_precede_date(note, groups.first()))) {
        return None;
    }
    let (first, marks) = (groups.first(), (groups.mark_after(0), groups.mark_after(1)));
    if !may_separate_date(marks.0) || !may_separate_date(marks.1) {
        return None;
    }
    let part = |at| (groups.value(at), groups.digit_count(at));
    let ((x, xd), (y, yd), (mut z, mut zd)) = (part(0), part(1), part(2));
    let mut last = 3;
    // A year broken over two lines: `3/4/20`, `06`.
    if zd < 4 && groups.mark_after(2) == b'\n' && zd + groups.digit_count(3) == 4 {
        let joined = z * 10_u64.pow(groups.digit_count(3) as u32) + groups.value(3);
        if may_be_year(joined, 4) && is_month_day(x, xd, y, yd) {
            (z, zd, last) = (joined, 4, 4);
        }
    }
    let year_first = may_be_year(x, xd) && is_month_day(y, yd, z, zd);
    let year_last = may_be_year(z, zd) && is_month_day(x, xd, y, yd);
    let end = groups.end_of_group(last - 1);
    if year_first || year_last {
        if is_date_mark(marks.0) && is_date_mark(marks.1) {
            return Some((Kind::Date, Certainty::Sure, end, last));
        }
        // `3 4 2006` and `3,4,2006` may be lists of values.
        let plain = groups.mark_after(last - 1) == 0 && !unit_follows(note, end);
        let wanted = is_date_mark(marks.0) || is_date_mark(marks.1) || xd == 2 || date_cue(note, first) == Cue::Strong;
        let certainty = if wanted { Certainty::Likely } else { Certainty::Weak };
        return plain.then_some((Kind::Date, certainty, end, last));
    }
    if !is_date_mark(marks.0) || !is_date_mark(marks.1) {
        // Blanks alone: only after a date cue, with two digits each.
        let spoken = date_cue(note, first) == Cue::Strong && (xd, yd, zd) == (2, 2, 2) && is_month_day(x, xd, y, yd);
        return spoken.then_some((Kind::Date, Certainty::Likely, end, last));
    }
    let two_digits = zd == 2 && is_month_day(x, xd, y, yd);
    let year_before = (xd, yd, zd) == (2, 2, 2) && marks.0 == marks.1 && is_month_day(y, yd, z, zd);
    if !two_digits && !year_before {
        return None;
    }
    let mark = groups.mark_after(2);
    let more = mark != 0 && is_date_mark(mark) && !groups.has_space_after(2) && mark != b'-';
    let certainty = match marks {
        _ if more || groups.is_misscanned() && marks != (b'/', b'/') => Certainty::Weak,
        (b'/', b'/') if two_digits => Certainty::Sure,
        (b'/', b'/') => Certainty::Likely,
        _ if date_cue(note, first) == Cue::Strong => Certainty::Sure,
        (b'-', b'-') | (b'.', b'.') if xd == 2 || yd == 2 => Certainty::Likely,
        _ if marks.0 == marks.1 => Certainty::Weak,
        _ => Certainty::Likely,
    };
    // `1-2-10` after a score or a level, `3.4.10` of a version: the clinical grammar may vouch for them.
    let certainty = if unit_follows(note, end) { Certainty::Weak } else { certainty };
    Some((Kind::Date, certainty, end, last))
}

/// Returns whether the mark may separate the parts of a date, among other things.
#[inline]
const fn may_separate_date(mark: u8) -> bool {
    is_date_mark(mark) || matches!(mark, b',' | b' ' | b'\n')
}

/// Returns whether the mark separates the parts of a date and little else.
#[inline]
const fn is_date_mark(mark: u8) -> bool {
    matches!(mark, b'/' | b'-' | b'.')
}

/// Returns whether the values may be a month and a day, in either order.
const fn is_month_day(x: u64, xd: usize, y: u64, yd: usize) -> bool {
    (may_be_month(x, xd) && may_be_day(y, yd)) || (may_be_day(x, xd) && may_be_month(y, yd))
}

/// Returns the end (exclusive) of `20060304`, `20060304123000` and `200603041230`.
fn end_of_compact_date(note: &Note<'_>, groups: &DigitGroups) -> Option<usize> {
    if groups.is_glued() || !matches!(groups.digit_count(0), 8 | 12 | 14) || !groups.ends_token(0) {
        return None;
    }
    let date = groups.value(0) / 10_u64.pow(groups.digit_count(0) as u32 - 8);
    let tail = groups.value(0) % 10_u64.pow(groups.digit_count(0) as u32 - 8);
    let (high, low) = (date / 10_000, date % 10_000);
    let year_first = (1900..=2099).contains(&high) && is_month_day(low / 100, 2, low % 100, 2);
    let year_last = (1900..=2099).contains(&low) && is_month_day(high / 100, 2, high % 100, 2);
    let clock = match groups.digit_count(0) {
        8 => true,
        12 => tail / 100 < 24 && tail % 100 < 60,
        _ => tail / 10_000 < 24 && tail / 100 % 100 < 60 && tail % 100 < 60,
    };
    let end = groups.end_of_group(0);
    ((year_first || (year_last && groups.digit_count(0) == 8)) && clock && !unit_follows(note, end)).then_some(end)
}

/// Returns whether the letter directly before a date is not part of a code: the T of a time stamp, `D:` written as `D`.
fn may_precede_date(note: &Note<'_>, first: usize) -> bool {
    first > 0 && note.is(first - 1, Class::DateCue)
}

/// Extends the end over the time of a time stamp: `T10:30:00.000Z`, `T10:30+05:00`, `10:30:15` after a blank. Machines
/// write seconds; a time in hours and minutes is kept.
fn end_of_time_stamp(note: &Note<'_>, first: usize, last: usize) -> usize {
    let at = last + usize::from(note.is_any_mark(last, b",@") && note.joined(last));
    if note.is_number(at)
        && (note.same_line(at) && note.gap(at) <= Gap::Space)
        && let Some(clock) = note.number(at)
        && clock.separator(0) == b':'
        && (clock.len() == 2 && is_machine_time(note, first, at + 1) || clock.len() >= 3 && clock.separator(1) == b':')
        && clock.value(0) < 24
        && (1..clock.len().min(3)).all(|part| clock.digits(part) == 2 && clock.value(part) < 60)
    {
        let mut end = at + 1;
        if note.token(end).glued() && word_is!(note, end, "z") {
            end += 1;
        } else if note.is_any_mark(end, b"+-") && note.joined(end) && note.is_number(end + 1) && note.joined(end + 1) {
            end += 2;
        }
        return end;
    }
    if !(note.token(last).glued() && word_is!(note, last, "t") && note.is_number(last + 1) && note.joined(last + 1)) {
        return last;
    }
    let mut end = last + 2;
    if note.is_any_mark(end, b"+-") && note.joined(end) && note.is_number(end + 1) && note.joined(end + 1) {
        end += 2;
    } else if note.token(end).glued() && word_is!(note, end, "z") {
        end += 1;
    }
    end
}

/// Returns whether hours and minutes that end before `end` follow a machine-written date: `2006-03-04 10:30`, not
/// `2006-03-04 9:30 PM`.
fn is_machine_time(note: &Note<'_>, first: usize, end: usize) -> bool {
    let noon = word_is!(note, end, "am" | "pm" | "a" | "p") && note.same_line(end);
    let hyphen = note.is_mark(first + 1, b'-');
    hyphen && !noon && is_year_token(note, first)
}

/// Returns a partial date of two groups: `3/4`, `3/2006`, `2006-03`, `3/06`.
fn partial_date(note: &Note<'_>, groups: &DigitGroups) -> Option<(Kind, Certainty, usize)> {
    if groups.len() < 2 || groups.is_glued() {
        return None;
    }
    let (x, xd, y, yd) = (groups.value(0), groups.digit_count(0), groups.value(1), groups.digit_count(1));
    let (mark, end) = (groups.mark_after(0), groups.end_of_group(1));
    let first = groups.first();
    let ends = groups.ends_token(1) || (groups.len() > 2 && matches!(groups.mark_after(1), b',' | b':'));
    if !ends {
        return None;
    }
    // `5/l3` is a day; `L2/3` and `L3/L4` begin with their letter and are spine levels.
    if groups.is_misscanned() {
        let day = mark == b'/'
            && !groups.has_space_after(0)
            && note.is_number(first)
            && is_month_day(x, xd, y, yd)
            && yd == 2;
        return day.then_some((Kind::DayMonth, Certainty::Likely, end));
    }
    if matches!(mark, b'/' | b'-' | b'.')
        && ((may_be_month(x, xd) && may_be_year(y, yd)) || (may_be_year(x, xd) && may_be_month(y, yd) && yd == 2))
    {
        let certainty = match mark {
            _ if unit_follows(note, end) => Certainty::Weak,
            b'/' if may_be_year(y, yd) => Certainty::Sure,
            b'.' if xd == 1 && date_cue(note, first) == Cue::None => Certainty::Weak,
            b'-' if groups.has_space_after(0) && date_cue(note, first) == Cue::None => Certainty::Weak,
            _ => Certainty::Likely,
        };
        return Some((Kind::MonthYear, certainty, end));
    }
    let day_month = is_month_day(x, xd, y, yd);
    let month_year = may_be_month(x, xd) && yd == 2 && (y > 31 || y == 0);
    if !day_month && !month_year {
        return None;
    }
    let kind = if month_year { Kind::MonthYear } else { Kind::DayMonth };
    let certainty = match mark {
        b'/' => slash_certainty(note, groups, x, y),
        // `2-3` and `12.30` are ranges and decimals unless a date cue precedes.
        b'-' | b'.' if xd + yd >= 3 && !groups.has_space_after(0) && !unit_follows(note, end) => {
            let two = xd == 2 && yd == 2;
            (two && date_cue(note, first) == Cue::Strong && !duration_follows(note, end))
                .then_some(Certainty::Likely)?
        }
        _ => return None,
    };
    Some((kind, certainty, end))
}

/// Returns the certainty that `3/4` is a date.
fn slash_certainty(note: &Note<'_>, groups: &DigitGroups, x: u64, y: u64) -> Certainty {
    let (first, end) = (groups.first(), groups.end_of_group(1));
    // `5/8 chest xray`, but not `AKI 2/2 CT contrast`: secondary to.
    let scale = matches!(y, 4 | 5 | 6 | 10) && x <= y;
    if study_follows(note, end) && (x, y) != (2, 2) && !(scale && follows_score(note, first)) {
        return if scale { Certainty::Likely } else { Certainty::Sure };
    }
    if unit_follows(note, end) || duration_follows(note, end) {
        return Certainty::Weak;
    }
    if clinical::duration::is_duration_fraction(note, first) {
        return Certainty::Weak;
    }
    let range_end = groups.mark_after(1) == b'-' && groups.len() >= 4 && groups.mark_after(2) == b'/';
    let range_start = first >= 2
        && note.is_mark(first - 1, b'-')
        && note.number(first - 2).is_some_and(|number| number.has_form(2, b'/') || number.has_form(3, b'/'));
    if range_end || range_start {
        return Certainty::Likely;
    }
    let fraction = matches!((x, y), (1, 2 | 3 | 4 | 8) | (2, 3) | (3, 4));
    match date_cue(note, first) {
        Cue::Strong => Certainty::Likely,
        Cue::Weak if !fraction && !scale => Certainty::Likely,
        // A list item that begins with its date: `3/14: afebrile`.
        Cue::None
            if note.token(first).line_start()
                && (note.is_any_mark(end, b":-") || note.gap(end) > Gap::Space)
                && !fraction
                && !scale =>
        {
            Certainty::Likely
        }
        // Dates may have a leading zero, scores do not. `Cafe 2/18 6-8 pm`: a time of day follows.
        _ if !fraction && !scale && clock_follows(note, end) && !follows_score(note, first) => Certainty::Likely,
        _ if (groups.digit_count(0) == 2 && x < 10) || (groups.digit_count(1) == 2 && y < 10) => Certainty::Likely,
        _ => Certainty::Weak,
    }
}

/// Studies that lists show with dates.
static STUDIES: WordSet = word_set!("date-studies");

/// Body parts before a study.
static STUDIED: WordSet = word_set!("date-studied");

/// Returns whether a study follows: `chest xray`, `CT head`.
fn study_follows(note: &Note<'_>, end: usize) -> bool {
    let study = end + usize::from(STUDIED.has(note, end) && note.is_word(end));
    (end..=study).all(|at| note.is_word(at) && note.gap(at) == Gap::Space) && STUDIES.has(note, study)
}

/// Returns whether a time of day follows: `10:30`, `6 pm`, `6-8 pm`.
fn clock_follows(note: &Note<'_>, end: usize) -> bool {
    let hours = |at: usize| note.integer(at).is_some_and(|hour| hour < 13) && note.gap(at) <= Gap::Space;
    let noon = |at: usize| word_is!(note, at, "am" | "pm") && note.gap(at) <= Gap::Space;
    let clock =
        note.number(end).is_some_and(|clock| clock.has_form(2, b':') && clock.value(0) < 24 && clock.digits(1) == 2);
    let range = note.is_mark(end + 1, b'-') && hours(end + 2) && noon(end + 3);
    note.same_line(end) && (clock || hours(end) && (noon(end + 1) || range))
}

/// Returns whether a test or a scale directly precedes.
fn follows_score(note: &Note<'_>, first: usize) -> bool {
    const TESTS: Classes = Classes::of(&[Class::Score, Class::Measurement, Class::Level]);
    let Some(before) = first.checked_sub(1) else { return false };
    let linked = note.is_any_mark(before, b":=") || word_is!(note, before, "of" | "is" | "was" | "at");
    note.any(before, TESTS) || linked && before > 0 && note.any(before - 1, TESTS)
}

/// Returns whether a duration follows: `2/7 weeks`, `3-4 days`.
fn duration_follows(note: &Note<'_>, end: usize) -> bool {
    let next = if note.is_mark(end, b'-') { end + 1 } else { end };
    note.is_word(next) && note.same_line(next) && note.is(next, Class::Duration)
}
