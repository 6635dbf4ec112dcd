//! Rewrites dates: shifts them and keeps their format.
//!
//! A rule says that a span is a date; this module reads which day it is. What cannot be read without guessing is not
//! rewritten, and the caller writes a tag: an ambiguous order of day and month, a day that does not exist, number
//! words, letters for digits. `read` reads dates, this module writes them.

mod pieces;
mod read;

use crate::calendar::{Day, MONTHS};
use crate::policy::DateOrder;
use pieces::{Piece, WEEKDAYS, is_joiner, is_ordinal, split_pieces};
use read::{DateReader, ParsedDate, expand_two_digit_year};

/// One or more dates as written in a note.
#[derive(Debug, Default)]
pub(super) struct WrittenDates<'t> {
    pieces: Vec<Piece<'t>>,
    read: Vec<ParsedDate>,
}

impl<'t> WrittenDates<'t> {
    /// Parses the dates of a text; `None` if anything in it is ambiguous or unreadable.
    pub(super) fn parse(text: &'t str, order: Option<DateOrder>) -> Option<Self> {
        let mut dates = Self { pieces: split_pieces(text), read: Vec::new() };
        let mut at = 0;
        while at < dates.pieces.len() {
            match dates.pieces[at] {
                Piece::Gap(_) => at += 1,
                Piece::Word(word) if !dates.read.is_empty() && is_joiner(word) => at += 1,
                _ => {
                    let (read, end) = DateReader { pieces: &dates.pieces, order }.date_at(at)?;
                    dates.read.push(read);
                    at = end;
                }
            }
        }
        (!dates.read.is_empty()).then_some(dates)
    }

    /// Returns the days of the dates that have a year, a month and a day.
    pub(super) fn days(&self) -> impl Iterator<Item = Day> + '_ {
        self.read.iter().flat_map(|read| {
            let of_month = read.days.iter().filter_map(|&(_, day)| Day::new(read.year?.1, read.month?.1, day));
            read.compact.map(|(_, _, day)| day).into_iter().chain(of_month)
        })
    }

    /// Returns the first and last day of each date with a year, and whether its year has four digits. A date without a
    /// day spans its whole year.
    pub(super) fn first_and_last_days(&self) -> Vec<(Day, Day, bool)> {
        let mut spans = Vec::new();
        for read in &self.read {
            if let Some((_, _, day)) = read.compact {
                spans.push((day, day, true));
            }
            let Some((at, year)) = read.year else { continue };
            let in_full = self.text_of_piece(at).len() > 2;
            let of_month = read.days.iter().filter_map(|&(_, day)| Day::new(year, read.month?.1, day));
            let days = spans.len();
            spans.extend(of_month.map(|day| (day, day, in_full)));
            if spans.len() == days {
                spans.extend(
                    Day::new(year, 1, 1).zip(Day::new(year, 12, 31)).map(|(first, last)| (first, last, in_full)),
                );
            }
        }
        spans
    }

    /// Moves two-digit years back by a century where the date would be after `last`.
    pub(super) fn with_years_not_after(mut self, last: Day) -> Self {
        for at in 0..self.read.len() {
            let Some((piece, year)) = self.read[at].year else { continue };
            let day = self.read[at].days.first().map_or(1, |&(_, day)| day);
            let month = self.read[at].month.map_or(1, |(_, month)| month);
            let late = self.text_of_piece(piece).len() == 2 && Day { year, month, day } > last;
            if late {
                self.read[at].year = Some((piece, year - 100));
                self.read[at].century_offset = 100;
            }
        }
        self
    }

    /// Returns the years of the dates; `None` for a date without one.
    pub(super) fn years(&self) -> impl Iterator<Item = Option<i32>> + '_ {
        self.read.iter().map(|read| read.compact.map(|(_, _, day)| day.year).or(read.year.map(|(_, year)| year)))
    }

    /// Returns the order of day and month of each numeric date with a year that can be read in one way only:
    /// `03/25/2001`.
    pub(super) fn day_month_orders(&self) -> impl Iterator<Item = DateOrder> + '_ {
        self.read.iter().filter_map(|read| {
            let ((year, _), (month, number), &[(day, value)]) = (read.year?, read.month?, read.days.as_slice()) else {
                return None;
            };
            let told = !read.named && number != value && year > month.max(day);
            told.then_some(if month < day { DateOrder::Mdy } else { DateOrder::Dmy })
        })
    }

    /// Returns the dates shifted by some days. `year` is used for dates without one. `None` if a range would span two
    /// months.
    pub(super) fn shifted_dates(&self, days: i64, year: i32) -> Option<String> {
        let mut new: Vec<Option<String>> = vec![None; self.pieces.len()];
        for read in &self.read {
            self.write(read, days, year, &mut new)?;
        }
        let old = |piece: &Piece<'t>| match *piece {
            Piece::Number(text) | Piece::Word(text) | Piece::Gap(text) => text,
        };
        Some(self.pieces.iter().zip(new).fold(String::new(), |mut out, (piece, new)| {
            out.push_str(new.as_deref().unwrap_or(old(piece)));
            out
        }))
    }

    fn write(&self, read: &ParsedDate, days: i64, context: i32, new: &mut [Option<String>]) -> Option<()> {
        if let Some((at, order, day)) = read.compact {
            let day = day.plus_days(days);
            let tail = self.text_of_piece(at).get(8..).unwrap_or_default();
            new[at] = Some(match order {
                DateOrder::Ymd => format!("{:04}{:02}{:02}{tail}", day.year, day.month, day.day),
                DateOrder::Dmy => format!("{:02}{:02}{:04}{tail}", day.day, day.month, day.year),
                DateOrder::Mdy => format!("{:02}{:02}{:04}{tail}", day.month, day.day, day.year),
            });
            return Some(());
        }
        let year = read.year.map_or(context, |(_, year)| year);
        // A month without a day is taken as its middle, a year without a month likewise.
        let month = read.month.map_or(7, |(_, month)| month);
        let middle = if read.month.is_some() { 15 } else { 2 };
        let first = Day::new(year, month, read.days.first().map_or(middle, |&(_, day)| day))?.plus_days(days);
        for &(at, day) in &read.days {
            let day = Day::new(year, month, day)?.plus_days(days);
            if (day.year, day.month) != (first.year, first.month) {
                return None;
            }
            new[at] = Some(number_in_style(day.day, self.text_of_piece(at), read.padded));
            // 3rd becomes 24th.
            if let Some(Piece::Word(ending)) = self.pieces.get(at + 1)
                && is_ordinal(ending)
            {
                new[at + 1] = Some(match_case(ordinal_suffix(day.day), ending));
            }
        }
        if let Some((at, _)) = read.month {
            new[at] = Some(if read.named {
                name_in_style(&MONTHS, first.month as usize - 1, self.text_of_piece(at), read.short)
            } else {
                number_in_style(first.month, self.text_of_piece(at), read.padded)
            });
        }
        if let Some((at, _)) = read.year {
            let short = self.text_of_piece(at).len() == 2;
            let digits = first.year.rem_euclid(100);
            // The two digits must still stand for the intended year.
            if short && expand_two_digit_year(digits) - read.century_offset != first.year {
                return None;
            }
            new[at] = Some(if short { format!("{digits:02}") } else { first.year.to_string() });
        }
        if let (Some(at), Some(_), false) = (read.weekday, read.year, read.days.is_empty()) {
            // Whole weeks keep the day of the week, but it may have been wrong in the note.
            new[at] = Some(name_in_style(&WEEKDAYS, first.weekday(), self.text_of_piece(at), false));
        }
        Some(())
    }

    fn text_of_piece(&self, at: usize) -> &'t str {
        match self.pieces[at] {
            Piece::Number(text) | Piece::Word(text) | Piece::Gap(text) => text,
        }
    }
}

const fn ordinal_suffix(day: u32) -> &'static str {
    match (day % 10, day / 10) {
        (_, 1) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

/// Formats a number as wide as the old one if that was padded.
fn number_in_style(value: u32, old: &str, padded: bool) -> String {
    if padded || old.starts_with('0') { format!("{value:0width$}", width = old.len()) } else { value.to_string() }
}

/// Returns a name in the style of the old one: in full or abbreviated, with the same letter case.
fn name_in_style(names: &[&str], index: usize, old: &str, short: bool) -> String {
    let in_full = !short && (names.iter().any(|name| name.eq_ignore_ascii_case(old)) || old.len() > 5);
    let name = if in_full { names[index] } else { &names[index][..3] };
    match_case(name, old)
}

/// Returns a word in the letter case of another.
pub(super) fn match_case(word: &str, like: &str) -> String {
    let mut letters = like.chars();
    let first = letters.next().is_some_and(char::is_uppercase);
    let rest = letters.clone().next().is_some() && letters.all(char::is_uppercase);
    match (first, rest) {
        (true, true) => word.to_uppercase(),
        (true, false) => {
            let mut letters = word.chars();
            letters.next().map(|letter| letter.to_uppercase().chain(letters).collect()).unwrap_or_default()
        }
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shifted(text: &str, days: i64, order: Option<DateOrder>) -> Option<String> {
        WrittenDates::parse(text, order)?.shifted_dates(days, 2005)
    }

    #[test]
    fn the_written_form_is_kept() {
        let forms = [
            ("3/4/06", "3/25/06"),
            ("03/04/06", "03/25/06"),
            ("12/25/2005", "01/15/2006"),
            ("3-4-2006", "3-25-2006"),
            ("3 / 4 / 06", "3 / 25 / 06"),
            ("2006-03-04", "2006-03-25"),
            ("2006-03-14T10:30:00.000Z", "2006-04-04T10:30:00.000Z"),
            ("2006-03-14 10:30:00", "2006-04-04 10:30:00"),
            ("2006031410", "2006040410"),
            ("20060314103000.123+0500", "20060404103000.123+0500"),
            ("20060314", "20060404"),
            ("03142006", "04042006"),
            ("March 14, 2004", "April 4, 2004"),
            ("MARCH 14, 2004", "APRIL 4, 2004"),
            ("mar. 14 2004", "apr. 4 2004"),
            ("Sept 14, 2004", "Oct 5, 2004"),
            ("14-Mar-04", "04-Apr-04"),
            ("14MAR2004", "04APR2004"),
            ("Mar-14-04", "Apr-04-04"),
            ("the 3rd of March 2004", "the 24th of March 2004"),
            ("March 1ST, 2004", "March 22ND, 2004"),
            ("Sunday, March 14, 2004", "Sunday, April 4, 2004"),
            ("Mon March 14, 2004", "Sun April 4, 2004"),
            ("May 5", "May 26"),
            ("3/4", "3/25"),
            ("3/4-3/9", "3/25-3/30"),
            ("March 3-5, 2004", "March 24-26, 2004"),
            ("3rd and 5th of March", "24th and 26th of March"),
            ("March of '04", "April of '04"),
            ("3/2004", "4/2004"),
            ("12/99", "01/00"),
            ("2003", "2003"),
            ("Febuary 3, 2004", "February 24, 2004"),
            ("from 3/4/06", ""),
        ];
        for (old, new) in forms {
            let written = shifted(old, 21, Some(DateOrder::Mdy));
            assert_eq!(written.as_deref().unwrap_or_default(), new, "{old}");
        }
    }

    #[test]
    fn nothing_is_guessed() {
        for text in ["3/4/2006", "3/4/06", "3/4", "03042006"] {
            assert_eq!(shifted(text, 21, None), None, "{text}");
        }
        assert_eq!(shifted("3/14/2006", 7, None).as_deref(), Some("3/21/2006"));
        assert_eq!(shifted("14/3/2006", 7, None).as_deref(), Some("21/3/2006"));
        assert_eq!(shifted("3/3/2006", 7, None).as_deref(), Some("3/10/2006"));
        let impossible = [
            ("14/3/2006", DateOrder::Mdy),
            ("3/14/2006", DateOrder::Dmy),
            ("2/30/2006", DateOrder::Mdy),
            ("2006-14-03", DateOrder::Mdy),
            ("3/06", DateOrder::Mdy),
            ("March 04", DateOrder::Mdy),
            ("1990s", DateOrder::Mdy),
            ("March 30-April", DateOrder::Mdy),
            ("O3/l4/2OO6", DateOrder::Mdy),
            ("the third of March", DateOrder::Mdy),
        ];
        for (text, order) in impossible {
            assert_eq!(shifted(text, 7, Some(order)), None, "{text}");
        }
        assert_eq!(shifted("March 3-12, 2004", 21, None), None, "the range would be torn");
        assert_eq!(shifted("1/15/31", -35, Some(DateOrder::Mdy)), None, "1930 would be read as 2030");
    }

    #[test]
    fn the_order_is_the_policys() {
        assert_eq!(shifted("3/4/06", 7, Some(DateOrder::Dmy)).as_deref(), Some("10/4/06"));
        assert_eq!(shifted("06/03/04", 7, Some(DateOrder::Ymd)).as_deref(), Some("06/03/11"));
        assert_eq!(shifted("3.4.2006", 35, Some(DateOrder::Dmy)).as_deref(), Some("8.5.2006"));
    }

    #[test]
    fn every_day_keeps_its_distance() {
        let first = Day { year: 1920, month: 1, day: 1 }.number();
        for step in 0..10_000_i64 {
            let day = Day::from_number(first + step * 5);
            let days = (step * 7919 % 729 - 364) / 7 * 7;
            let moved = day.plus_days(days);
            for (old, new, order) in [
                (
                    format!("{}/{}/{}", day.month, day.day, day.year),
                    format!("{}/{}/{}", moved.month, moved.day, moved.year),
                    DateOrder::Mdy,
                ),
                (
                    format!("{:02}.{:02}.{}", day.day, day.month, day.year),
                    format!("{:02}.{:02}.{}", moved.day, moved.month, moved.year),
                    DateOrder::Dmy,
                ),
            ] {
                let dates = WrittenDates::parse(&old, Some(order)).expect("a date");
                assert_eq!(dates.days().collect::<Vec<_>>(), [day]);
                let written = dates.shifted_dates(days, 2005).expect("a date");
                let again: Vec<Day> = WrittenDates::parse(&written, Some(order)).expect("a date").days().collect();
                assert_eq!(again, [moved], "{old} by {days}: {written}");
                if day.month > 9 && day.day > 9 || order == DateOrder::Dmy {
                    assert_eq!(written.len(), old.len(), "{old}: {written}");
                } else {
                    assert_eq!(written, new);
                }
            }
        }
    }
}
