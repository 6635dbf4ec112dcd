//! Plans dates: shifts them by the patient's offset, or reduces them to years, and hides those that would reveal an age
//! over 89.

use super::{RemovedSpan, ReplacementPlan};
use crate::calendar::{self, Day};
use crate::finding::{Category, Kind};
use crate::policy;
use crate::render::Context;
use crate::render::date::WrittenDates;

/// A date of a note in one reading.
struct WrittenDate {
    /// The day; of a year alone, its first and last day.
    first: Day,
    last: Day,
    /// Whether the year has four digits.
    has_four_digit_year: bool,
    birth: bool,
}

/// Returns the orders in which a date may be read.
fn readable_orders(order: Option<policy::DateOrder>) -> Vec<Option<policy::DateOrder>> {
    use policy::DateOrder::{Dmy, Mdy, Ymd};
    match order {
        Some(order) => vec![Some(order)],
        None => [Mdy, Dmy, Ymd].map(Some).to_vec(),
    }
}

impl ReplacementPlan<'_> {
    pub(super) fn read_dates(&mut self, runs: &[RemovedSpan]) {
        let policy = self.input.policy;
        let Context { key, patient, latest, .. } = self.context;
        if let (policy::Dates::Shift, Some(key), Some(id)) =
            (policy.dates, key, patient.and_then(|patient| patient.draw_id()))
        {
            self.days = Some(calendar::date_shift_days(key, id, policy.season));
        }
        self.order = policy.date_order.or_else(|| self.unambiguous_order(runs));
        let written = self.written_dates(runs);
        // The latest date with a four-digit year dates the note reliably; without one, two-digit years before the
        // doubtful ones do.
        let in_full = written.iter().filter(|date| date.has_four_digit_year).map(|date| date.last).chain(latest).max();
        let plain = || {
            written
                .iter()
                .filter(|date| !date.birth && date.last.year < FIRST_DOUBTFUL_YEAR)
                .map(|date| date.last)
                .max()
        };
        let in_full = in_full.or_else(plain);
        let doubted = |date: &WrittenDate| {
            !date.has_four_digit_year && in_full.is_some_and(|last| date.first.year > last.year + 1)
        };
        let told = written.iter().filter(|date| date.has_four_digit_year || !date.birth && !doubted(date));
        self.last = told.map(|date| date.last).chain(latest).max();
        let aged = runs.iter().any(|run| run.kind == Kind::AgeOver89);
        for date in &written {
            let corrected = if self.may_be_after_note(date) { date.first.years_earlier(100) } else { date.first };
            let old = self.last.is_some_and(|last| corrected.is_ninety_on(last));
            // Where no other date reveals the age, a year that notes hide is hidden.
            let early =
                date.birth && corrected.year < FIRST_SAFE_BIRTH_YEAR && self.last.is_none_or(|last| last == date.last);
            if old || early || aged && date.birth || !date.birth && doubted(date) {
                self.hide_birth_day(corrected);
                self.hidden.extend([date.first, date.last]);
            }
        }
        let born = patient.and_then(|patient| patient.known().birth_date);
        if let (Some(born), Some(last)) = (born.and_then(|(year, month, day)| Day::new(year, month, day)), self.last)
            && born.is_ninety_on(last)
        {
            self.hide_birth_day(born);
        }
    }

    /// Returns all dates, in every reading that is possible with the known order of day and month.
    fn written_dates(&mut self, runs: &[RemovedSpan]) -> Vec<WrittenDate> {
        let runs: Vec<RemovedSpan> = runs.iter().copied().filter(|run| run.kind.category() == Category::Date).collect();
        let mut written = Vec::new();
        for (at, run) in runs.iter().enumerate() {
            let before = at.checked_sub(1).map_or(0, |before| runs[before].end);
            let birth = self.is_birth_date(*run, before, runs.get(at + 1).map_or(usize::MAX, |next| next.first));
            if birth {
                self.births.insert(run.first);
            }
            let text = self.plain_text(*run);
            for order in readable_orders(self.order) {
                let Some(dates) = WrittenDates::parse(&text, order) else { continue };
                let spans = dates.first_and_last_days();
                if let Some((first, ..)) = spans.first() {
                    self.years.push((run.first, first.year));
                }
                written.extend(spans.into_iter().map(|(first, last, has_four_digit_year)| WrittenDate {
                    first,
                    last,
                    has_four_digit_year,
                    birth,
                }));
            }
        }
        written
    }

    /// Returns whether the two-digit year of a birth would put it after the note, or might if the date of the note is
    /// unknown.
    fn may_be_after_note(&self, date: &WrittenDate) -> bool {
        date.birth
            && !date.has_four_digit_year
            && date.first.year > 1999
            && self.last.is_none_or(|last| date.first > last)
    }

    /// Returns the order of the dates that can be read in one way only; `None` if there are none, or if two orders
    /// occur.
    fn unambiguous_order(&self, runs: &[RemovedSpan]) -> Option<policy::DateOrder> {
        let dates = runs.iter().filter(|run| run.kind == Kind::Date);
        let mut orders = dates.flat_map(|run| {
            let text = self.plain_text(*run);
            WrittenDates::parse(&text, None)
                .map(|dates| dates.day_month_orders().collect::<Vec<_>>())
                .unwrap_or_default()
        });
        let first = orders.next()?;
        orders.all(|order| order == first).then_some(first)
    }

    fn hide_birth_day(&mut self, day: Day) {
        self.hidden.insert(day);
        self.hidden_years.insert(day.year);
    }

    /// Returns whether a word before or after the date, or the header of its column, marks it as a date of birth.
    /// `before` is the end of the previous date and `next` the start of the next one: a label belongs to the nearest
    /// date.
    fn is_birth_date(&self, run: RemovedSpan, before: usize, next: usize) -> bool {
        let note = self.note();
        let names = |at: usize| {
            matches!(
                note.bytes(at),
                b"dob" | b"birth" | b"born" | b"birthdate" | b"birthday" | b"bday" | b"yob" | b"geb"
            ) || note.bytes(at) == b"b" && (at + 2 >= run.first || at > 3 && note.bytes(at - 2) == b"o")
        };
        let mut line = run.end..next.min(run.end + MAX_LABEL_DISTANCE_AFTER);
        self.context.birth
            || (before.max(run.first.saturating_sub(MAX_LABEL_DISTANCE_BEFORE))..run.first).any(names)
            || next > run.end + MAX_LABEL_DISTANCE_BEFORE && line.any(|at| note.same_line(at) && names(at))
            || self.column_header(run.first).any(names)
    }

    /// Returns the tokens of the header of a token's table column.
    fn column_header(&self, at: usize) -> std::ops::Range<usize> {
        let (note, layout) = (self.note(), self.note().layout());
        let table = layout.table_of(layout.line_index_of(at));
        table.map_or(0..0, |table| layout.header_cell(table, note.column_of_token(at)))
    }

    /// Parses a date; a birth must precede the last date of the note, so its two-digit year may move back by a century.
    fn read_date<'t>(
        &self,
        run: RemovedSpan,
        text: &'t str,
        order: Option<policy::DateOrder>,
    ) -> Option<WrittenDates<'t>> {
        let dates = WrittenDates::parse(text, order)?;
        let birth = self.births.contains(&run.first);
        Some(if birth { dates.with_years_not_after(self.last.unwrap_or(LAST_CENTURY)) } else { dates })
    }

    /// Returns a date shifted, or its year. `None` means that it gets a tag.
    pub(super) fn shifted_date(&self, run: RemovedSpan) -> Option<String> {
        // A year before 1960 by itself reveals an age over 89, even shifted by a year.
        if run.kind == Kind::EarlyYear {
            return None;
        }
        let policy = self.input.policy;
        let text = self.plain_text(run);
        if policy.dates == policy::Dates::Year {
            return self.year_of_date(run, &text);
        }
        let days = self.days?;
        let dates = self.read_date(run, &text, self.order)?;
        let hidden = dates.days().any(|day| self.hidden.contains(&day))
            || dates.years().flatten().any(|year| self.hidden_years.contains(&year));
        if hidden {
            return None;
        }
        if policy.tags == policy::DEID {
            let mut moved = dates.days();
            let (day, None) = (moved.next()?.plus_days(days), moved.next()) else { return None };
            return Some(format!("[**{}/{}/{}**]", day.year, day.month, day.day));
        }
        // The year of the previous date, or of the first one after it.
        let before = self.years.iter().rev().find(|(first, _)| *first < run.first);
        let context = before.or(self.years.first()).map_or(COMMON_YEAR, |&(_, year)| year);
        dates.shifted_dates(days, context)
    }

    fn year_of_date(&self, run: RemovedSpan, text: &str) -> Option<String> {
        // Without an order, the year may be clear where day and month are not.
        let mut readings = readable_orders(self.order).into_iter().filter_map(|order| {
            let dates = self.read_date(run, text, order)?;
            dates.years().collect::<Option<Vec<i32>>>()
        });
        let first = readings.next()?;
        let years = readings.all(|other| other == first).then_some(first)?;
        if years.iter().any(|year| self.hidden_years.contains(year)) {
            return None;
        }
        let (first, last) = (years.first()?, years.last()?);
        Some(if first == last { first.to_string() } else { format!("{first}-{last}") })
    }
}

/// The maximum distance in tokens of a birth label before a date, and after it.
const MAX_LABEL_DISTANCE_BEFORE: usize = 10;
const MAX_LABEL_DISTANCE_AFTER: usize = 5;

/// Birth years from this one on do not reveal an age over 89 by themselves.
const FIRST_SAFE_BIRTH_YEAR: i32 = 1960;

/// From this year on, a two-digit year is as often a birth in the previous century.
const FIRST_DOUBTFUL_YEAR: i32 = 2027;

/// Births with two-digit years precede this day if the note has no other date.
const LAST_CENTURY: Day = Day { year: 1999, month: 12, day: 31 };

/// The year of dates without one if the note has no other date; not a leap year.
const COMMON_YEAR: i32 = 2005;
