//! Dates: moved by a patient's offset, or cut to their year; and which ones would tell an age over 89.

use super::{Plan, Run};
use crate::calendar::{self, Day};
use crate::finding::{Category, Kind};
use crate::policy;
use crate::render::Context;
use crate::render::date::Dates;

impl Plan<'_> {
    pub(super) fn read_dates(&mut self, runs: &[Run]) {
        let policy = self.input.policy;
        let Context { key, patient, latest, .. } = self.context;
        if let (policy::Dates::Shift, Some(key), Some(id)) =
            (policy.dates, key, patient.and_then(|patient| patient.id()))
        {
            self.days = Some(calendar::offset(key, id, policy.season));
        }
        self.order = policy.date_order.or_else(|| self.settled_order(runs));
        let mut all = Vec::new();
        for run in runs.iter().filter(|run| run.kind.category() == Category::Date) {
            let text = self.text(*run);
            let Some(dates) = Dates::read(&text, self.order) else { continue };
            let days: Vec<Day> = dates.days().collect();
            if let Some(day) = days.first() {
                self.years.push((run.first, day.year));
            }
            let birth = self.is_birth(run.first);
            if days.is_empty() {
                all.extend(dates.years().flatten().filter_map(|year| Some((Day::new(year, 12, 31)?, birth))));
            }
            all.extend(days.into_iter().map(|day| (day, birth)));
        }
        let Some(latest) = all.iter().filter(|(_, birth)| !birth).map(|&(day, _)| day).chain(latest).max() else {
            // Nothing to hold a date of birth against but the age itself.
            if self.context.birth || runs.iter().any(|run| run.kind == Kind::AgeOver89) {
                // A message without another date tells no age: a year that notes hide is hidden.
                let birth = self.context.birth;
                let tells = |day: &Day| !birth || day.year < FIRST_YEAR;
                for (day, _) in all.into_iter().filter(|(day, birth)| *birth && tells(day)) {
                    self.hide(day);
                }
            }
            return;
        };
        let aged = runs.iter().any(|run| run.kind == Kind::AgeOver89);
        for (day, birth) in all {
            if day.is_ninety_on(latest) || (aged && birth) {
                self.hide(day);
            }
        }
        let born = patient.and_then(|patient| patient.known().birth_date);
        if let Some(born) =
            born.and_then(|(year, month, day)| Day::new(year, month, day)).filter(|born| born.is_ninety_on(latest))
        {
            self.hide(born);
        }
    }

    /// The order in which the dates are written that can be read in one way only; `None` if there are none, or two orders.
    fn settled_order(&self, runs: &[Run]) -> Option<policy::DateOrder> {
        let dates = runs.iter().filter(|run| run.kind == Kind::Date);
        let mut orders = dates.flat_map(|run| {
            let text = self.text(*run);
            Dates::read(&text, None).map(|dates| dates.orders().collect::<Vec<_>>()).unwrap_or_default()
        });
        let first = orders.next()?;
        orders.all(|order| order == first).then_some(first)
    }

    fn hide(&mut self, day: Day) {
        self.hidden.insert(day);
        self.hidden_years.insert(day.year);
    }

    /// Whether a word before the date says that it is one of birth.
    fn is_birth(&self, first: usize) -> bool {
        let note = self.note();
        self.context.birth
            || (first.saturating_sub(5)..first)
                .any(|at| matches!(note.bytes(at), b"dob" | b"birth" | b"born" | b"birthdate" | b"birthday" | b"bday"))
    }

    /// A date moved, or its year. `None`: it gets a tag.
    pub(super) fn date(&self, run: Run) -> Option<String> {
        let policy = self.input.policy;
        let text = self.text(run);
        if policy.dates == policy::Dates::Year {
            return self.year(&text);
        }
        let days = self.days?;
        let dates = Dates::read(&text, self.order)?;
        let hidden = dates.days().any(|day| self.hidden.contains(&day))
            || dates.years().flatten().any(|year| self.hidden_years.contains(&year));
        if hidden {
            return None;
        }
        if policy.tags == policy::DEID {
            let mut moved = dates.days();
            let (day, None) = (moved.next()?.plus(days), moved.next()) else { return None };
            return Some(format!("[**{}/{}/{}**]", day.year, day.month, day.day));
        }
        // The year of the date before it, or of the first one after.
        let before = self.years.iter().rev().find(|(first, _)| *first < run.first);
        let context = before.or(self.years.first()).map_or(COMMON_YEAR, |&(_, year)| year);
        dates.shifted(days, context)
    }

    fn year(&self, text: &str) -> Option<String> {
        use policy::DateOrder::{Dmy, Mdy, Ymd};
        let years = |order| {
            let dates = Dates::read(text, order)?;
            dates.years().collect::<Option<Vec<i32>>>()
        };
        let order = self.order;
        // Without an order the year may be plain where day and month are not.
        let years = if order.is_some() {
            years(order)?
        } else {
            let mut readings = [Mdy, Dmy, Ymd].into_iter().filter_map(|order| years(Some(order)));
            let first = readings.next()?;
            readings.all(|other| other == first).then_some(first)?
        };
        if years.iter().any(|year| self.hidden_years.contains(year)) {
            return None;
        }
        let (first, last) = (years.first()?, years.last()?);
        Some(if first == last { first.to_string() } else { format!("{first}-{last}") })
    }
}

/// Birth years from this one on tell no age over 89 by themselves.
const FIRST_YEAR: i32 = 1960;

/// The year of dates without one in notes without any: it has no leap day.
const COMMON_YEAR: i32 = 2005;
