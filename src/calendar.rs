//! Calendar days as numbers, and the date shift of a patient.

use crate::key::Key;

/// The smallest shift in weeks, either way, unless the season is kept: a month and a year without a day change too.
pub const MIN_SHIFT_WEEKS: u64 = 5;

/// The number of possible shifts each way, one week apart: the largest is 56 weeks.
pub const SHIFTS_PER_SIDE: u64 = 52;

/// The largest number of years that a season-keeping shift goes each way; a year counts as 364 days, 52 weeks.
pub const SEASON_YEARS: u64 = 4;

/// The largest deviation of a season-keeping shift from whole years, in weeks each way.
pub const SEASON_WEEKS: u64 = 3;

/// The English names of the months; notes also write their first three letters.
pub(crate) const MONTHS: [&str; 12] = [
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

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    /// The year.
    pub year: i32,
    /// The month, from 1.
    pub month: u32,
    /// The day of the month, from 1.
    pub day: u32,
}

impl Day {
    /// Returns the day, or `None` if the calendar does not have it.
    #[must_use]
    pub fn new(year: i32, month: u32, day: u32) -> Option<Self> {
        let exists =
            (1..=12).contains(&month) && day >= 1 && day <= days_in_month(year, month) && (1..=9999).contains(&year);
        exists.then_some(Self { year, month, day })
    }

    /// Returns the number of days since 1 March of the year 0 in the proleptic Gregorian calendar.
    pub const fn number(self) -> i64 {
        // The year starts in March, so that the leap day is its last day.
        let year = (self.year - (self.month <= 2) as i32) as i64;
        let month = ((self.month + 9) % 12) as i64;
        365 * year + year.div_euclid(4) - year.div_euclid(100)
            + year.div_euclid(400)
            + (153 * month + 2) / 5
            + self.day as i64
            - 1
    }

    /// Returns the day with that number.
    #[must_use]
    #[allow(clippy::cast_sign_loss, reason = "a month and a day are never negative")]
    pub const fn from_number(number: i64) -> Self {
        let era = number.div_euclid(146_097);
        let of_era = number.rem_euclid(146_097);
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + (month <= 2) as i64;
        Self { year: year as i32, month: month as u32, day: day as u32 }
    }

    /// Returns the day that many days later.
    #[must_use]
    pub const fn plus_days(self, days: i64) -> Self {
        Self::from_number(self.number() + days)
    }

    /// Returns the same day that many years earlier.
    #[must_use]
    pub const fn years_earlier(self, years: i32) -> Self {
        Self { year: self.year - years, ..self }
    }

    /// Returns the day of the week: 0 is Monday.
    pub const fn weekday(self) -> usize {
        // 1 March of the year 0 was a Wednesday.
        (self.number() + 2).rem_euclid(7) as usize
    }

    /// Returns whether somebody born on this day is 90 or older on `other`.
    pub const fn is_ninety_on(self, other: Self) -> bool {
        let years = other.year - self.year;
        let birthday = other.month > self.month || (other.month == self.month && other.day >= self.day);
        years > 90 || (years == 90 && birthday)
    }
}

/// Returns the number of days of a month.
#[must_use]
pub const fn days_in_month(year: i32, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the shift of all dates of a patient, in days: whole weeks, so that the day of the week stays, and never
/// zero.
///
/// Drawn from the HMAC-SHA256 of the key and the patient's number by rejection sampling, so that every shift is equally
/// likely. With `season`, the shift is one to four times 364 days either way, plus or minus at most three weeks: at
/// most four weeks from the same day of the year.
pub fn date_shift_days(key: &Key, patient: &str, season: bool) -> i64 {
    // A draw below 2 n maps to n values each way; 0 is not among them.
    let sided = |draw: u64, most: u64| {
        let draw = draw.cast_signed();
        let most = most.cast_signed();
        if draw < most { draw - most } else { draw - most + 1 }
    };
    if season {
        let each = 2 * SEASON_WEEKS + 1;
        let draw = key.draw_below(2 * SEASON_YEARS * each, "shift within the season", &[patient]);
        364 * sided(draw / each, SEASON_YEARS) + 7 * ((draw % each).cast_signed() - SEASON_WEEKS.cast_signed())
    } else {
        let weeks = sided(key.draw_below(2 * SHIFTS_PER_SIDE, "shift", &[patient]), SHIFTS_PER_SIDE);
        7 * (weeks + weeks.signum() * (MIN_SHIFT_WEEKS - 1).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_numbered_without_a_gap() {
        let mut day = Day { year: 1799, month: 12, day: 31 };
        let mut number = day.number();
        for year in 1800..=2200 {
            for month in 1..=12 {
                for of_month in 1..=days_in_month(year, month) {
                    let next = Day::new(year, month, of_month).expect("a day of the calendar");
                    number += 1;
                    assert_eq!((next.number(), Day::from_number(number)), (number, next));
                    assert_eq!(next.weekday(), (day.weekday() + 1) % 7);
                    day = next;
                }
            }
        }
        assert_eq!(Day::new(2000, 2, 30), None);
        assert_eq!(Day { year: 2004, month: 3, day: 3 }.weekday(), 2, "a Wednesday");
        assert_eq!(Day { year: 1970, month: 1, day: 1 }.weekday(), 3, "a Thursday");
    }

    #[test]
    fn ninety_years() {
        let born = Day { year: 1910, month: 5, day: 7 };
        assert!(!born.is_ninety_on(Day { year: 2000, month: 5, day: 6 }));
        assert!(born.is_ninety_on(Day { year: 2000, month: 5, day: 7 }));
        assert!(born.is_ninety_on(Day { year: 2000, month: 6, day: 1 }));
        assert!(!born.is_ninety_on(Day { year: 2000, month: 4, day: 30 }));
    }

    fn key() -> Key {
        Key::from_hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f").expect("a key")
    }

    #[test]
    fn ten_thousand_patients() {
        let key = key();
        let mut plain = std::collections::BTreeMap::new();
        let mut seasonal = std::collections::BTreeMap::new();
        for number in 0..10_000_i64 {
            let patient = format!("patient {number}");
            // Any day of two centuries.
            let day = Day::from_number(Day { year: 1850, month: 1, day: 1 }.number() + number * 7919 % 73_000);
            for season in [false, true] {
                let days = date_shift_days(&key, &patient, season);
                assert_eq!(days, date_shift_days(&key, &patient, season), "always the same");
                assert_ne!(days, 0);
                assert_eq!(days % 7, 0);
                let moved = day.plus_days(days);
                assert_eq!(moved.weekday(), day.weekday());
                if season {
                    *seasonal.entry(days).or_insert(0_u32) += 1;
                    let of_year = |day: Day| day.number() - Day { year: day.year, month: 1, day: 1 }.number();
                    let apart = (of_year(moved) - of_year(day)).rem_euclid(365);
                    assert!(apart.min(365 - apart) <= 28, "{day:?} to {moved:?}");
                } else {
                    *plain.entry(days).or_insert(0_u32) += 1;
                    assert!((35..=392).contains(&days.unsigned_abs()));
                    assert_ne!((moved.year, moved.month), (day.year, day.month));
                }
            }
        }
        // The chi-square of a one-in-a-thousand event, for 103 and 55 degrees of freedom; these runs are deterministic.
        for (counts, values, critical) in [(plain, 2 * SHIFTS_PER_SIDE, 151.9), (seasonal, 56, 93.2)] {
            assert_eq!(counts.len() as u64, values);
            let expected = 10_000.0 / values as f64;
            let chi: f64 = counts.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
            assert!(chi < critical, "chi-square {chi}");
        }
    }
}
