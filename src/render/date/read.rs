//! Reads which day a date is, without guessing, and how it is written.

use super::pieces::{Piece, WEEKDAYS, is_joiner, is_ordinal, name_index};
use crate::calendar::{Day, MONTHS};
use crate::policy::DateOrder;

/// Two-digit years up to this one belong to this century, the others to the last. The pivot is low because notes
/// contain dates of birth.
const PIVOT: i32 = 30;

/// A parsed date and its format. Each `usize` is the index of a piece.
#[derive(Clone, Debug, Default)]
pub(super) struct ParsedDate {
    pub(super) weekday: Option<usize>,
    pub(super) year: Option<(usize, i32)>,
    pub(super) month: Option<(usize, u32)>,
    /// Several for a range within a month: `March 3-5`.
    pub(super) days: Vec<(usize, u32)>,
    /// 20060304: year, month and day in one number, in this order.
    pub(super) compact: Option<(usize, DateOrder, Day)>,
    /// The number of years to subtract from the usual reading of a two-digit year.
    pub(super) century_offset: i32,
    /// Whether numbers keep leading zeros.
    pub(super) padded: bool,
    /// Whether the month is a name.
    pub(super) named: bool,
    /// Whether the name of the month is an abbreviation where it could be either: `may`.
    pub(super) short: bool,
}

/// A parser of one date.
#[derive(Clone, Copy)]
pub(super) struct DateReader<'p, 't> {
    pub(super) pieces: &'p [Piece<'t>],
    pub(super) order: Option<DateOrder>,
}

impl<'t> DateReader<'_, 't> {
    /// Parses the date that starts at a piece; returns it with the end (exclusive) of its pieces.
    pub(super) fn date_at(self, at: usize) -> Option<(ParsedDate, usize)> {
        let mut at = at;
        let mut weekday = None;
        if let Piece::Word(word) = self.pieces[at]
            && name_index(&WEEKDAYS, word).is_some()
        {
            weekday = Some(at);
            at = self.skip_separators(at + 1);
        }
        if let Some(Piece::Word(word)) = self.pieces.get(at)
            && word.eq_ignore_ascii_case("the")
        {
            at = self.skip_separators(at + 1);
        }
        let (mut read, end) = match *self.pieces.get(at)? {
            Piece::Word(word) => self.month_first_date(at, word)?,
            Piece::Number(digits) => self.day_first_date(at).or_else(|| self.numeric_date(at, digits))?,
            Piece::Gap(_) => return None,
        };
        read.weekday = weekday;
        Some((read, self.skip_clock(end)))
    }

    /// Skips white space, marks and the words between the parts of a date.
    fn skip_separators(self, mut at: usize) -> usize {
        loop {
            match self.pieces.get(at) {
                Some(Piece::Gap(gap)) if gap.chars().all(|mark| mark.is_whitespace() || ".,-/'_’".contains(mark)) => {
                    at += 1;
                }
                Some(Piece::Word(word)) if ["of", "the", "in"].iter().any(|known| word.eq_ignore_ascii_case(known)) => {
                    at += 1;
                }
                _ => return at,
            }
        }
    }

    fn number_at(self, at: usize) -> Option<&'t str> {
        match self.pieces.get(at) {
            Some(Piece::Number(digits)) => Some(digits),
            _ => None,
        }
    }

    /// Returns the mark between two parts: the first that is not white space, or a space; `\0` if there is nothing.
    fn separator_mark(self, at: usize) -> char {
        match self.pieces.get(at) {
            Some(Piece::Gap(gap)) => gap.chars().find(|mark| !mark.is_whitespace()).unwrap_or(' '),
            _ => '\0',
        }
    }

    fn year_at(self, at: usize) -> Option<(usize, i32)> {
        let digits = self.number_at(at)?;
        let value: i32 = digits.parse().ok()?;
        match digits.len() {
            4 if (1850..=2099).contains(&value) => Some((at, value)),
            2 => Some((at, expand_two_digit_year(value))),
            _ => None,
        }
    }

    fn day_at(self, at: usize) -> Option<(usize, u32)> {
        let digits = self.number_at(at).filter(|digits| digits.len() <= 2)?;
        let value: u32 = digits.parse().ok()?;
        (1..=31).contains(&value).then_some((at, value))
    }

    fn month_at(self, at: usize) -> Option<(usize, u32)> {
        match self.pieces.get(at) {
            Some(Piece::Word(word)) => name_index(&MONTHS, word).map(|month| (at, month as u32 + 1)),
            _ => None,
        }
    }

    /// Skips a day and its ordinal suffix: `3`, `3rd`.
    fn skip_day(self, at: usize) -> usize {
        match self.pieces.get(at + 1) {
            Some(Piece::Word(ending)) if is_ordinal(ending) => at + 2,
            _ => at + 1,
        }
    }

    /// Collects more days of a range or a list: `-5`, ` and 7th`. Returns the end (exclusive).
    fn collect_more_days(self, mut end: usize, days: &mut Vec<(usize, u32)>) -> usize {
        loop {
            let mut at = end;
            match self.pieces.get(at) {
                Some(Piece::Gap(gap)) if gap.trim() == "-" || gap.trim() == "&" || gap.trim() == "/" => at += 1,
                Some(Piece::Gap(gap)) if gap.trim().is_empty() => {
                    at += 1;
                    match self.pieces.get(at) {
                        Some(Piece::Word(word)) if is_joiner(word) => at += 1,
                        _ => return end,
                    }
                    match self.pieces.get(at) {
                        Some(Piece::Gap(gap)) if gap.trim().is_empty() => at += 1,
                        _ => return end,
                    }
                }
                _ => return end,
            }
            let Some(day) = self.day_at(at) else { return end };
            // The next number is the day of another date: March 3 and 4/5.
            let after = self.skip_day(at);
            if matches!(self.separator_mark(after), '/' | '-') && self.number_at(after + 1).is_some() {
                return end;
            }
            days.push(day);
            end = after;
        }
    }

    /// Parses `March 3rd, 2004`, `Mar-03-04`, `March 3-5`, `October of 1998`.
    fn month_first_date(self, at: usize, word: &str) -> Option<(ParsedDate, usize)> {
        let (_, month) = self.month_at(at)?;
        let next = self.skip_separators(at + 1);
        let hyphen = self.separator_mark(at + 1) == '-' || next == at + 1;
        let digits = self.number_at(next)?;
        let mut read = ParsedDate {
            month: Some((at, month)),
            named: true,
            short: word.len() == 3 && (hyphen || month != 5),
            padded: hyphen || digits.starts_with('0'),
            ..ParsedDate::default()
        };
        let apostrophe = matches!(self.pieces.get(next - 1), Some(Piece::Gap(gap)) if gap.contains(['\'', '’']));
        let year_alone = digits.len() == 4 || apostrophe || digits.parse::<u32>().is_ok_and(|value| value > 31);
        if year_alone {
            read.year = Some(self.year_at(next)?);
            return Some((read, next + 1));
        }
        read.days.push(self.day_at(next)?);
        let end = self.skip_day(next);
        // Mar-03-04 has the year where March 3-4 has another day.
        let (end, year) = if hyphen && self.separator_mark(end) == '-' {
            (end, self.year_at(end + 1))
        } else {
            let end = self.collect_more_days(end, &mut read.days);
            (end, self.year_after(end))
        };
        if let Some((at, _)) = year {
            read.year = year;
            return Some((read, at + 1));
        }
        // "March 04" is a day or a year.
        if digits.starts_with('0') || hyphen {
            return None;
        }
        Some((read, end))
    }

    /// Returns the year after a day or a month, if there is one.
    fn year_after(self, end: usize) -> Option<(usize, i32)> {
        let at = self.skip_separators(end);
        let (at, year) = self.year_at(at)?;
        // Not the next date: March 3, 4/5/06.
        let goes_on = matches!(self.separator_mark(at + 1), '/' | '-' | '.') && self.number_at(at + 2).is_some();
        (!goes_on).then_some((at, year))
    }

    /// Parses `3rd of March 2004`, `3-Mar-04`, `03MAR2004`, `3-5 March`.
    fn day_first_date(self, at: usize) -> Option<(ParsedDate, usize)> {
        let mut days = vec![self.day_at(at)?];
        let mut end = self.skip_day(at);
        if self.month_at(self.skip_separators(end)).is_none() {
            end = self.collect_more_days(end, &mut days);
        }
        let month = self.skip_separators(end);
        let (_, value) = self.month_at(month)?;
        let Piece::Word(word) = self.pieces[month] else { return None };
        let close = self.separator_mark(end) == '-' || month == end;
        let mut read = ParsedDate {
            month: Some((month, value)),
            named: true,
            short: word.len() == 3 && (close || value != 5),
            padded: close || self.number_at(at)?.starts_with('0'),
            days,
            ..ParsedDate::default()
        };
        read.year = self.year_after(month + 1);
        let end = read.year.map_or(month + 1, |(at, _)| at + 1);
        Some((read, end))
    }

    /// Parses numeric dates.
    fn numeric_date(self, at: usize, digits: &str) -> Option<(ParsedDate, usize)> {
        if matches!(digits.len(), 8 | 10 | 12 | 14) {
            let end = if digits.len() > 8 { self.skip_zone(at + 1) } else { at + 1 };
            return self.compact_date(at, digits).map(|read| (read, end));
        }
        let separates = |mark: char| matches!(mark, '/' | '-' | '.' | ',' | ' ');
        if separates(self.separator_mark(at + 1)) && self.number_at(at + 2).is_some() {
            // The same mark twice means three parts of one date; 3/4-3/9 are two dates.
            if self.separator_mark(at + 1) == self.separator_mark(at + 3) && self.number_at(at + 4).is_some() {
                return self.three_number_date(at).map(|read| (read, at + 5));
            }
            return self.two_number_date(at).map(|read| (read, at + 3));
        }
        // 2004, '04; a decade or a longer number is no year.
        let alone = !matches!(self.pieces.get(at + 1), Some(Piece::Word(word)) if word.eq_ignore_ascii_case("s"));
        let apostrophe = at > 0 && matches!(self.pieces[at - 1], Piece::Gap(gap) if gap.ends_with(['\'', '’']));
        let year = self.year_at(at).filter(|_| alone && (digits.len() == 4 || apostrophe))?;
        Some((ParsedDate { year: Some(year), ..ParsedDate::default() }, at + 1))
    }

    /// Parses 20060304 or 03042006.
    fn compact_date(self, at: usize, digits: &str) -> Option<ParsedDate> {
        let part = |range: std::ops::Range<usize>| digits.get(range).and_then(|part| part.parse::<u32>().ok());
        let year_first = Day::new(part(0..4)?.cast_signed(), part(4..6)?, part(6..8)?)
            .filter(|day| (1900..=2099).contains(&day.year));
        if let Some(day) = year_first {
            return Some(ParsedDate { compact: Some((at, DateOrder::Ymd, day)), ..ParsedDate::default() });
        }
        let (one, other, year) = (part(0..2)?, part(2..4)?, part(4..8)?.cast_signed());
        let (month, day, day_first) = self.month_and_day(one, other)?;
        let day = Day::new(year, month, day).filter(|_| (1900..=2099).contains(&year) && digits.len() == 8)?;
        let order = if day_first { DateOrder::Dmy } else { DateOrder::Mdy };
        Some(ParsedDate { compact: Some((at, order, day)), ..ParsedDate::default() })
    }

    /// Returns the month and the day of two numbers, and whether the day is first. `None` if both orders are possible
    /// and the policy gives none, or if the order of the policy is impossible.
    fn month_and_day(self, one: u32, other: u32) -> Option<(u32, u32, bool)> {
        let is = |month: u32, day: u32| (1..=12).contains(&month) && (1..=31).contains(&day);
        match self.order {
            Some(DateOrder::Dmy) => is(other, one).then_some((other, one, true)),
            Some(DateOrder::Mdy | DateOrder::Ymd) => is(one, other).then_some((one, other, false)),
            None => match (is(one, other), is(other, one)) {
                (true, true) if one == other => Some((one, other, false)),
                (true, false) => Some((one, other, false)),
                (false, true) => Some((other, one, true)),
                _ => None,
            },
        }
    }

    /// Parses three numbers: 3/4/06, 2006-03-04.
    fn three_number_date(self, first: usize) -> Option<ParsedDate> {
        let at = [first, first + 2, first + 4];
        let digits = [self.number_at(at[0])?, self.number_at(at[1])?, self.number_at(at[2])?];
        let value = |part: usize| digits[part].parse::<u32>().ok();
        let lengths = digits.map(str::len);
        let made = |year: (usize, i32), (month, day): ((usize, u32), (usize, u32))| {
            Day::new(year.1, month.1, day.1)?;
            let natural = self.number_at(month.0)?.len() == 1 || self.number_at(day.0)?.len() == 1;
            let days = vec![day];
            Some(ParsedDate { year: Some(year), month: Some(month), days, padded: !natural, ..ParsedDate::default() })
        };
        let short = |part: usize| (1..=2).contains(&lengths[part]);
        if lengths[0] == 4 && short(1) && short(2) {
            return made(self.year_at(at[0])?, ((at[1], value(1)?), (at[2], value(2)?)));
        }
        if lengths[2] == 4 && short(0) && short(1) {
            let (_, _, day_first) = self.month_and_day(value(0)?, value(1)?)?;
            let (month, day) = if day_first { (1, 0) } else { (0, 1) };
            return made(self.year_at(at[2])?, ((at[month], value(month)?), (at[day], value(day)?)));
        }
        if !(short(0) && short(1) && short(2)) {
            return None;
        }
        let orders: &[[usize; 3]] = match self.order {
            Some(DateOrder::Mdy) => &[[2, 0, 1]],
            Some(DateOrder::Dmy) => &[[2, 1, 0]],
            Some(DateOrder::Ymd) => &[[0, 1, 2]],
            None => &[[2, 0, 1], [2, 1, 0], [0, 1, 2]],
        };
        let mut readings = orders.iter().filter_map(|&[year, month, day]| {
            let year = self.year_at(at[year]).filter(|_| lengths[year] == 2)?;
            made(year, ((at[month], value(month)?), (at[day], value(day)?)))
        });
        let read = readings.next()?;
        let date = |read: &ParsedDate| (read.year.map(|year| year.1), read.month.map(|month| month.1), read.days[0].1);
        let first = date(&read);
        readings.all(|other| date(&other) == first).then_some(read)
    }

    /// Parses two numbers: 3/4, 3/2004, 2004-03.
    fn two_number_date(self, first: usize) -> Option<ParsedDate> {
        let at = [first, first + 2];
        let digits = [self.number_at(at[0])?, self.number_at(at[1])?];
        let value = |part: usize| digits[part].parse::<u32>().ok();
        if !matches!(self.separator_mark(first + 1), '/' | '-' | '.') {
            return None;
        }
        let month_year = |month: usize, year: usize| {
            let number =
                value(month).filter(|month| (1..=12).contains(month) && digits[0].len() + digits[1].len() <= 6)?;
            let padded = digits[month].len() == 2;
            let year = self.year_at(at[year])?;
            Some(ParsedDate { month: Some((at[month], number)), year: Some(year), padded, ..ParsedDate::default() })
        };
        match (digits[0].len(), digits[1].len()) {
            (1 | 2, 4) => month_year(0, 1),
            (4, 2) if value(1)? <= 12 => month_year(1, 0),
            (1 | 2, 2) if value(1)? > 31 || value(1)? == 0 => month_year(0, 1),
            // 3/06 is a day of March or a month of 2006.
            (1, 2) if digits[1].starts_with('0') => None,
            (1 | 2, 1 | 2) => {
                let (_, _, day_first) = self.month_and_day(value(0)?, value(1)?)?;
                let (month, day) = if day_first { (1, 0) } else { (0, 1) };
                let padded = digits[0].len() == 2 && digits[1].len() == 2;
                let days = vec![(at[day], value(day)?)];
                Some(ParsedDate { month: Some((at[month], value(month)?)), days, padded, ..ParsedDate::default() })
            }
            _ => None,
        }
    }

    /// Skips the fraction of a second and the time zone of a compact time stamp: `.123+0500`.
    fn skip_zone(self, mut end: usize) -> usize {
        for marks in [".", "+-"] {
            if matches!(self.pieces.get(end), Some(Piece::Gap(gap)) if gap.len() == 1 && marks.contains(gap))
                && self.number_at(end + 1).is_some()
            {
                end += 2;
            }
        }
        end
    }

    /// Skips the clock time of a time stamp: `T10:30:00Z`, ` 10:30:00`.
    fn skip_clock(self, end: usize) -> usize {
        let t = match self.pieces.get(end) {
            Some(Piece::Word(word)) => word.eq_ignore_ascii_case("t"),
            Some(Piece::Gap(" ")) => matches!(self.pieces.get(end + 2), Some(Piece::Gap(":"))),
            _ => false,
        };
        if !(t && self.number_at(end + 1).is_some()) {
            return end;
        }
        let mut at = end + 2;
        while matches!(self.pieces.get(at), Some(Piece::Gap(gap)) if matches!(*gap, ":" | "." | "+" | "-"))
            && self.number_at(at + 1).is_some()
        {
            at += 2;
        }
        match self.pieces.get(at) {
            Some(Piece::Word(word)) if ["z", "h", "hrs"].iter().any(|known| word.eq_ignore_ascii_case(known)) => at + 1,
            Some(Piece::Gap(" ")) if matches!(self.pieces.get(at + 1), Some(Piece::Word("h" | "H"))) => at + 2,
            _ => at,
        }
    }
}

/// Returns the year that two digits stand for.
pub(super) const fn expand_two_digit_year(value: i32) -> i32 {
    if value <= PIVOT { 2000 + value } else { 1900 + value }
}
