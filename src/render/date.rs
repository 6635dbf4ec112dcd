//! Dates written anew: moved by so many days, in the form in which they stood.
//!
//! A rule says that a stretch is a date; what day it is is read here, from its text. What cannot be read without a guess
//! (the order of day and month, a day that no calendar has, words for numbers, letters for digits) is not written anew: the
//! caller puts a tag.

use crate::calendar::Day;
use crate::policy::DateOrder;

/// Years of two digits up to this one are of this century, the others of the last. Notes are older than they are new: they
/// hold dates of birth.
const PIVOT: i32 = 30;

/// One or more dates as a note writes them.
#[derive(Debug, Default)]
pub(super) struct Dates<'t> {
    pieces: Vec<Piece<'t>>,
    read: Vec<Read>,
}

/// Letters, digits, or what stands between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'t> {
    Number(&'t str),
    Word(&'t str),
    Gap(&'t str),
}

/// How a date is written: the numbers are indices of pieces.
#[derive(Clone, Debug, Default)]
struct Read {
    weekday: Option<usize>,
    year: Option<(usize, i32)>,
    month: Option<(usize, u32)>,
    /// Several in a range within a month: `March 3-5`.
    days: Vec<(usize, u32)>,
    /// 20060304: year, month and day in one number, year first or last.
    compact: Option<(usize, bool, Day)>,
    /// Whether numbers keep their leading zeros.
    padded: bool,
    /// Whether the month is a name.
    named: bool,
    /// Whether a name of the month is an abbreviation where it could be either: `may`.
    short: bool,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

impl<'t> Dates<'t> {
    /// Reads the dates of a text; `None` if anything in it cannot be read without a guess.
    pub(super) fn read(text: &'t str, order: Option<DateOrder>) -> Option<Self> {
        let mut dates = Self { pieces: pieces(text), read: Vec::new() };
        let mut at = 0;
        while at < dates.pieces.len() {
            match dates.pieces[at] {
                Piece::Gap(_) => at += 1,
                Piece::Word(word) if !dates.read.is_empty() && is_joiner(word) => at += 1,
                _ => {
                    let (read, end) = Reader { pieces: &dates.pieces, order }.date(at)?;
                    dates.read.push(read);
                    at = end;
                }
            }
        }
        (!dates.read.is_empty()).then_some(dates)
    }

    /// The days of the dates that have a year, a month and a day.
    pub(super) fn days(&self) -> impl Iterator<Item = Day> + '_ {
        self.read.iter().flat_map(|read| {
            let of_month = read.days.iter().filter_map(|&(_, day)| Day::new(read.year?.1, read.month?.1, day));
            read.compact.map(|(_, _, day)| day).into_iter().chain(of_month)
        })
    }

    /// The years of the dates; `None` for a date without one.
    pub(super) fn years(&self) -> impl Iterator<Item = Option<i32>> + '_ {
        self.read.iter().map(|read| read.compact.map(|(_, _, day)| day.year).or(read.year.map(|(_, year)| year)))
    }

    /// The dates so many days later. `year` is that of dates without one. `None` if a range would be torn.
    pub(super) fn shifted(&self, days: i64, year: i32) -> Option<String> {
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

    fn write(&self, read: &Read, days: i64, context: i32, new: &mut [Option<String>]) -> Option<()> {
        if let Some((at, year_first, day)) = read.compact {
            let day = day.plus(days);
            let tail = self.text(at).get(8..).unwrap_or_default();
            new[at] = Some(match year_first {
                true => format!("{:04}{:02}{:02}{tail}", day.year, day.month, day.day),
                false if read.short => format!("{:02}{:02}{:04}{tail}", day.day, day.month, day.year),
                false => format!("{:02}{:02}{:04}{tail}", day.month, day.day, day.year),
            });
            return Some(());
        }
        let year = read.year.map_or(context, |(_, year)| year);
        // A month stands for its middle, a year for its own.
        let month = read.month.map_or(7, |(_, month)| month);
        let middle = if read.month.is_some() { 15 } else { 2 };
        let first = Day::new(year, month, read.days.first().map_or(middle, |&(_, day)| day))?.plus(days);
        for &(at, day) in &read.days {
            let day = Day::new(year, month, day)?.plus(days);
            if (day.year, day.month) != (first.year, first.month) {
                return None;
            }
            new[at] = Some(number(day.day, self.text(at), read.padded));
            // 3rd becomes 24th.
            if let Some(Piece::Word(ending)) = self.pieces.get(at + 1)
                && is_ordinal(ending)
            {
                new[at + 1] = Some(cased(ordinal(day.day), ending));
            }
        }
        if let Some((at, _)) = read.month {
            new[at] = Some(if read.named {
                name(&MONTHS, first.month as usize - 1, self.text(at), read.short)
            } else {
                number(first.month, self.text(at), read.padded)
            });
        }
        if let Some((at, _)) = read.year {
            let short = self.text(at).len() == 2;
            let digits = first.year.rem_euclid(100);
            // Two digits must still stand for the year that is meant.
            if short && century(digits) != first.year {
                return None;
            }
            new[at] = Some(if short { format!("{digits:02}") } else { first.year.to_string() });
        }
        if let (Some(at), Some(_), false) = (read.weekday, read.year, read.days.is_empty()) {
            // Whole weeks keep the day of the week; this puts right what the note had wrong.
            new[at] = Some(name(&WEEKDAYS, first.weekday(), self.text(at), false));
        }
        Some(())
    }

    fn text(&self, at: usize) -> &'t str {
        match self.pieces[at] {
            Piece::Number(text) | Piece::Word(text) | Piece::Gap(text) => text,
        }
    }
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let kind = |letter: char| match letter {
        letter if letter.is_ascii_digit() => 0,
        letter if letter.is_alphabetic() => 1,
        _ => 2,
    };
    let mut pieces = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        let mut end = start + letter.len_utf8();
        while let Some((at, next)) = letters.next_if(|&(_, next)| kind(next) == kind(letter)) {
            end = at + next.len_utf8();
        }
        let piece = &text[start..end];
        pieces.push(match kind(letter) {
            0 => Piece::Number(piece),
            1 => Piece::Word(piece),
            _ => Piece::Gap(piece),
        });
    }
    pieces
}

/// Reads one date.
#[derive(Clone, Copy)]
struct Reader<'p, 't> {
    pieces: &'p [Piece<'t>],
    order: Option<DateOrder>,
}

impl<'t> Reader<'_, 't> {
    /// The date that begins at a piece, and one past its last piece.
    fn date(self, at: usize) -> Option<(Read, usize)> {
        let mut at = at;
        let mut weekday = None;
        if let Piece::Word(word) = self.pieces[at]
            && index_of(&WEEKDAYS, word).is_some()
        {
            weekday = Some(at);
            at = self.past(at + 1);
        }
        if let Some(Piece::Word(word)) = self.pieces.get(at)
            && word.eq_ignore_ascii_case("the")
        {
            at = self.past(at + 1);
        }
        let (mut read, end) = match *self.pieces.get(at)? {
            Piece::Word(word) => self.month_first(at, word)?,
            Piece::Number(digits) => self.day_first(at).or_else(|| self.figures(at, digits))?,
            Piece::Gap(_) => return None,
        };
        read.weekday = weekday;
        Some((read, self.past_clock(end)))
    }

    /// Past blanks, marks and the words between the parts of a date.
    fn past(self, mut at: usize) -> usize {
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

    fn number(self, at: usize) -> Option<&'t str> {
        match self.pieces.get(at) {
            Some(Piece::Number(digits)) => Some(digits),
            _ => None,
        }
    }

    /// The mark between two parts: the first that is no blank, or a blank; 0 for nothing.
    fn mark(self, at: usize) -> char {
        match self.pieces.get(at) {
            Some(Piece::Gap(gap)) => gap.chars().find(|mark| !mark.is_whitespace()).unwrap_or(' '),
            _ => '\0',
        }
    }

    fn year(self, at: usize) -> Option<(usize, i32)> {
        let digits = self.number(at)?;
        let value: i32 = digits.parse().ok()?;
        match digits.len() {
            4 if (1850..=2099).contains(&value) => Some((at, value)),
            2 => Some((at, century(value))),
            _ => None,
        }
    }

    fn day(self, at: usize) -> Option<(usize, u32)> {
        let digits = self.number(at).filter(|digits| digits.len() <= 2)?;
        let value: u32 = digits.parse().ok()?;
        (1..=31).contains(&value).then_some((at, value))
    }

    fn month(self, at: usize) -> Option<(usize, u32)> {
        match self.pieces.get(at) {
            Some(Piece::Word(word)) => index_of(&MONTHS, word).map(|month| (at, month as u32 + 1)),
            _ => None,
        }
    }

    /// One past a day and its ending: `3`, `3rd`.
    fn past_day(self, at: usize) -> usize {
        match self.pieces.get(at + 1) {
            Some(Piece::Word(ending)) if is_ordinal(ending) => at + 2,
            _ => at + 1,
        }
    }

    /// More days of a range or a list: `-5`, ` and 7th`. One past the last.
    fn more_days(self, mut end: usize, days: &mut Vec<(usize, u32)>) -> usize {
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
            let Some(day) = self.day(at) else { return end };
            // The next number is the day of another date: March 3 and 4/5.
            let after = self.past_day(at);
            if matches!(self.mark(after), '/' | '-') && self.number(after + 1).is_some() {
                return end;
            }
            days.push(day);
            end = after;
        }
    }

    /// `March 3rd, 2004`, `Mar-03-04`, `March 3-5`, `October of 1998`.
    fn month_first(self, at: usize, word: &str) -> Option<(Read, usize)> {
        let (_, month) = self.month(at)?;
        let next = self.past(at + 1);
        let hyphen = self.mark(at + 1) == '-' || next == at + 1;
        let digits = self.number(next)?;
        let mut read = Read {
            month: Some((at, month)),
            named: true,
            short: word.len() == 3 && (hyphen || month != 5),
            padded: hyphen || digits.starts_with('0'),
            ..Read::default()
        };
        let apostrophe = matches!(self.pieces.get(next - 1), Some(Piece::Gap(gap)) if gap.contains(['\'', '’']));
        let year_alone = digits.len() == 4 || apostrophe || digits.parse::<u32>().is_ok_and(|value| value > 31);
        if year_alone {
            read.year = Some(self.year(next)?);
            return Some((read, next + 1));
        }
        read.days.push(self.day(next)?);
        let end = self.past_day(next);
        // Mar-03-04 has the year where March 3-4 has another day.
        let (end, year) = if hyphen && self.mark(end) == '-' {
            (end, self.year(end + 1))
        } else {
            let end = self.more_days(end, &mut read.days);
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

    /// The year after a day or a month, if one follows.
    fn year_after(self, end: usize) -> Option<(usize, i32)> {
        let at = self.past(end);
        let (at, year) = self.year(at)?;
        // Not the next date: March 3, 4/5/06.
        let goes_on = matches!(self.mark(at + 1), '/' | '-' | '.') && self.number(at + 2).is_some();
        (at > end && !goes_on || at == end && !goes_on).then_some((at, year))
    }

    /// `3rd of March 2004`, `3-Mar-04`, `03MAR2004`, `3-5 March`.
    fn day_first(self, at: usize) -> Option<(Read, usize)> {
        let mut days = vec![self.day(at)?];
        let mut end = self.past_day(at);
        if self.month(self.past(end)).is_none() {
            end = self.more_days(end, &mut days);
        }
        let month = self.past(end);
        let (_, value) = self.month(month)?;
        let Piece::Word(word) = self.pieces[month] else { return None };
        let close = self.mark(end) == '-' || month == end;
        let mut read = Read {
            month: Some((month, value)),
            named: true,
            short: word.len() == 3 && (close || value != 5),
            padded: close || self.number(at)?.starts_with('0'),
            days,
            ..Read::default()
        };
        read.year = self.year_after(month + 1);
        let end = read.year.map_or(month + 1, |(at, _)| at + 1);
        Some((read, end))
    }

    /// Dates in figures.
    fn figures(self, at: usize, digits: &str) -> Option<(Read, usize)> {
        if matches!(digits.len(), 8 | 12 | 14) {
            return self.compact(at, digits).map(|read| (read, at + 1));
        }
        let separates = |mark: char| matches!(mark, '/' | '-' | '.' | ',' | ' ');
        if separates(self.mark(at + 1)) && self.number(at + 2).is_some() {
            // The same mark twice makes three parts of one date; 3/4-3/9 are two dates.
            if self.mark(at + 1) == self.mark(at + 3) && self.number(at + 4).is_some() {
                return self.three(at).map(|read| (read, at + 5));
            }
            return self.two(at).map(|read| (read, at + 3));
        }
        // 2004, '04; a decade or anything longer is no year.
        let alone = !matches!(self.pieces.get(at + 1), Some(Piece::Word(word)) if word.eq_ignore_ascii_case("s"));
        let apostrophe = at > 0 && matches!(self.pieces[at - 1], Piece::Gap(gap) if gap.ends_with(['\'', '’']));
        let year = self.year(at).filter(|_| alone && (digits.len() == 4 || apostrophe))?;
        Some((Read { year: Some(year), ..Read::default() }, at + 1))
    }

    /// 20060304, 03042006.
    fn compact(self, at: usize, digits: &str) -> Option<Read> {
        let part = |range: std::ops::Range<usize>| digits.get(range).and_then(|part| part.parse::<u32>().ok());
        let year_first = Day::new(part(0..4)?.cast_signed(), part(4..6)?, part(6..8)?)
            .filter(|day| (1900..=2099).contains(&day.year));
        if let Some(day) = year_first {
            return Some(Read { compact: Some((at, true, day)), ..Read::default() });
        }
        let (one, other, year) = (part(0..2)?, part(2..4)?, part(4..8)?.cast_signed());
        let (month, day, day_first) = self.month_and_day(one, other)?;
        let day = Day::new(year, month, day).filter(|_| (1900..=2099).contains(&year) && digits.len() == 8)?;
        Some(Read { compact: Some((at, false, day)), short: day_first, ..Read::default() })
    }

    /// Month and day of two numbers, and whether the day stands first. `None` if both orders give a date and the policy
    /// does not say which it is, or if the order of the policy gives none.
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

    /// Three numbers: 3/4/06, 2006-03-04.
    fn three(self, first: usize) -> Option<Read> {
        let at = [first, first + 2, first + 4];
        let digits = [self.number(at[0])?, self.number(at[1])?, self.number(at[2])?];
        let value = |part: usize| digits[part].parse::<u32>().ok();
        let lengths = digits.map(str::len);
        let made = |year: (usize, i32), (month, day): ((usize, u32), (usize, u32))| {
            Day::new(year.1, month.1, day.1)?;
            let natural = self.number(month.0)?.len() == 1 || self.number(day.0)?.len() == 1;
            let days = vec![day];
            Some(Read { year: Some(year), month: Some(month), days, padded: !natural, ..Read::default() })
        };
        let short = |part: usize| (1..=2).contains(&lengths[part]);
        if lengths[0] == 4 && short(1) && short(2) {
            return made(self.year(at[0])?, ((at[1], value(1)?), (at[2], value(2)?)));
        }
        if lengths[2] == 4 && short(0) && short(1) {
            let (_, _, day_first) = self.month_and_day(value(0)?, value(1)?)?;
            let (month, day) = if day_first { (1, 0) } else { (0, 1) };
            return made(self.year(at[2])?, ((at[month], value(month)?), (at[day], value(day)?)));
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
            let year = self.year(at[year]).filter(|_| lengths[year] == 2)?;
            made(year, ((at[month], value(month)?), (at[day], value(day)?)))
        });
        let read = readings.next()?;
        let date = |read: &Read| (read.year.map(|year| year.1), read.month.map(|month| month.1), read.days[0].1);
        let first = date(&read);
        readings.all(|other| date(&other) == first).then_some(read)
    }

    /// Two numbers: 3/4, 3/2004, 2004-03.
    fn two(self, first: usize) -> Option<Read> {
        let at = [first, first + 2];
        let digits = [self.number(at[0])?, self.number(at[1])?];
        let value = |part: usize| digits[part].parse::<u32>().ok();
        if !matches!(self.mark(first + 1), '/' | '-' | '.') {
            return None;
        }
        let month_year = |month: usize, year: usize| {
            let number =
                value(month).filter(|month| (1..=12).contains(month) && digits[0].len() + digits[1].len() <= 6)?;
            let padded = digits[month].len() == 2;
            let year = self.year(at[year])?;
            Some(Read { month: Some((at[month], number)), year: Some(year), padded, ..Read::default() })
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
                Some(Read { month: Some((at[month], value(month)?)), days, padded, ..Read::default() })
            }
            _ => None,
        }
    }

    /// Past the clock of a time stamp: T10:30:00Z.
    fn past_clock(self, end: usize) -> usize {
        let t = matches!(self.pieces.get(end), Some(Piece::Word(word)) if word.eq_ignore_ascii_case("t"));
        if !(t && self.number(end + 1).is_some()) {
            return end;
        }
        let mut at = end + 2;
        while matches!(self.pieces.get(at), Some(Piece::Gap(gap)) if matches!(*gap, ":" | "." | "+" | "-"))
            && self.number(at + 1).is_some()
        {
            at += 2;
        }
        match self.pieces.get(at) {
            Some(Piece::Word(word)) if word.eq_ignore_ascii_case("z") => at + 1,
            _ => at,
        }
    }
}

/// The year that two digits stand for.
const fn century(value: i32) -> i32 {
    if value <= PIVOT { 2000 + value } else { 1900 + value }
}

/// Which of the names a word is: in full, by its first three letters, `sept`, or in full with one typing error.
fn index_of(names: &[&str], word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    if word.len() < 3 {
        return None;
    }
    let short = |name: &&str| {
        name.starts_with(&word) && (word.len() == 3 || matches!(word.as_str(), "sept" | "tues" | "thur" | "thurs"))
    };
    names.iter().position(|name| *name == word || short(name)).or_else(|| {
        let near = |name: &&str| word.len() >= 5 && crate::patient::is_near(name.as_bytes(), word.as_bytes());
        names.iter().position(near)
    })
}

fn is_joiner(word: &str) -> bool {
    ["to", "and", "through", "thru", "until", "till", "or", "from", "between"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}

fn is_ordinal(word: &str) -> bool {
    ["st", "nd", "rd", "th"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

const fn ordinal(day: u32) -> &'static str {
    match (day % 10, day / 10) {
        (_, 1) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

/// A number as wide as the old one was, or as it is said.
fn number(value: u32, old: &str, padded: bool) -> String {
    if padded || old.starts_with('0') { format!("{value:0width$}", width = old.len()) } else { value.to_string() }
}

/// A name as the old one was written: in full or not, in capitals or not.
fn name(names: &[&str], index: usize, old: &str, short: bool) -> String {
    let in_full = !short && (names.iter().any(|name| name.eq_ignore_ascii_case(old)) || old.len() > 5);
    let name = if in_full { names[index] } else { &names[index][..3] };
    cased(name, old)
}

/// A word in the case of another.
pub(super) fn cased(word: &str, like: &str) -> String {
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
        Dates::read(text, order)?.shifted(days, 2005)
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
            let moved = day.plus(days);
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
                let dates = Dates::read(&old, Some(order)).expect("a date");
                assert_eq!(dates.days().collect::<Vec<_>>(), [day]);
                let written = dates.shifted(days, 2005).expect("a date");
                let again: Vec<Day> = Dates::read(&written, Some(order)).expect("a date").days().collect();
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
