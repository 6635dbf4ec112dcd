//! Amounts as notes write them: a number, a mixed fraction, a range, dimensions.
//!
//! All modules of the grammar parse their numbers here, so `3-4`, `3 to 4`, `2 x 3.5 x 1`, `24 2/7` and `1,250` are
//! single units to all of them, and one place rejects dates, years and parts of identifiers.

pub(super) use crate::rules::engine::Shape;
use crate::rules::engine::amounts::AmountForm;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Note, Number};
use crate::text::token::{Gap, Kind};

/// A number token and its shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figure<'a> {
    pub(super) number: &'a Number,
    pub(super) shape: Shape,
    /// Whether it begins with a redundant zero: `0800`, `007`.
    pub(super) has_leading_zero: bool,
}

impl<'a> Figure<'a> {
    /// Returns the figure at the token, if it is a number.
    #[inline]
    pub(super) fn at(note: &Note<'a>, at: usize) -> Option<Self> {
        note.number(at).map(Self::of)
    }

    #[inline]
    const fn of(number: &'a Number) -> Self {
        Self { number, shape: number.shape(), has_leading_zero: number.has_leading_zero() }
    }

    /// Returns the value if it is an integer of at most `most` digits.
    pub(super) fn integer_up_to(&self, most: usize) -> Option<u64> {
        (self.shape == Shape::Integer && self.number.digits(0) <= most).then(|| self.number.value(0))
    }

    /// Returns whether it is a bare year of the last or this century.
    pub(super) fn is_year(&self) -> bool {
        self.integer_up_to(4).is_some_and(|value| (1900..2100).contains(&value))
    }

    /// Returns whether it may be a date: `3/4`, `11/06`, `3/4/06`, `2004/3/4`.
    #[inline]
    pub(super) fn looks_like_date(&self) -> bool {
        matches!(self.shape, Shape::Slash | Shape::Slashes) && self.holds_date()
    }

    fn holds_date(&self) -> bool {
        let number = self.number;
        match (self.shape, number.len()) {
            (Shape::Slash, _) => {
                let (a, b) = (number.value(0), number.value(1));
                let year = number.digits(1) == 2 || number.digits(1) == 4 && (1900..2100).contains(&b);
                (1..=31).contains(&a)
                    && number.digits(0) <= 2
                    && ((1..=31).contains(&b) && a.min(b) <= 12 || a <= 12 && year)
            }
            (Shape::Slashes, 3) => {
                (0..3).all(|part| number.separator(part) != b'.')
                    && (0..3).filter(|&part| number.digits(part) <= 2 && (1..=31).contains(&number.value(part))).count()
                        >= 2
            }
            _ => false,
        }
    }

    /// Returns whether it may be a measurement: not too long, not a year, no redundant leading zero.
    pub(super) fn is_plain_measurement(&self) -> bool {
        match self.shape {
            Shape::Integer => self.number.digits(0) <= 4 && !self.has_leading_zero && !self.is_year(),
            Shape::Grouped => self.number.len() <= 3,
            Shape::Decimal => self.number.digits(0) <= 4 && self.number.digits(self.number.len() - 1) <= 4,
            _ => false,
        }
    }

    /// Returns whether its form excludes a date and a part of an identifier.
    #[inline]
    fn is_no_date_or_code(&self) -> bool {
        match self.shape {
            Shape::Integer => self.number.digits(0) <= 7,
            Shape::Other | Shape::Colon => false,
            Shape::Slashes => !self.holds_date(),
            _ => true,
        }
    }

    /// Returns whether every part has at most three digits.
    pub(super) fn has_short_parts(&self) -> bool {
        (0..self.number.len()).all(|part| self.number.digits(part) <= 3)
    }

    /// Returns whether it is a proper fraction: `1/2`, `2/7`.
    pub(super) fn is_fraction(&self) -> bool {
        self.shape == Shape::Slash && self.number.value(0) < self.number.value(1) && self.number.value(1) <= 128
    }
}

/// An amount that ends before the token `end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount<'a> {
    pub(super) first: usize,
    pub(super) end: usize,
    pub(super) form: AmountForm,
    /// The first of its numbers.
    pub(super) figure: Figure<'a>,
    /// The largest of its numbers, rounded down; fractions count as 0.
    pub(super) most: u64,
}

impl<'a> Amount<'a> {
    /// Parses the amount that begins with the `number` at `first`. Returns `None` if the form of the number is that of
    /// a date or of a part of an identifier.
    #[inline]
    pub(super) fn read(note: &Note<'a>, first: usize, number: &'a Number) -> Option<Self> {
        let figure = Figure::of(number);
        if !figure.is_no_date_or_code() {
            return None;
        }
        let last = first + 1;
        if stands_alone(note, last) {
            return Some(Self { first, end: last, form: AmountForm::Single, figure, most: largest_value(&figure) });
        }
        Self::read_parts(note, first, figure)
    }

    /// Parses an amount that may have parts beyond its first number.
    #[inline(never)]
    fn read_parts(note: &Note<'a>, first: usize, figure: Figure<'a>) -> Option<Self> {
        let mut last = end_of_full_number(note, first, &figure)?;
        let mut amount = Self { first, end: last, form: AmountForm::Single, figure, most: largest_value(&figure) };
        let mut dashes = 0;
        for _ in 0..5 {
            let Some((next, link)) = linked_number_after(note, last) else { break };
            let Some(after) = Figure::at(note, next) else { break };
            if link == Link::Dash {
                dashes += 1;
                // `555-12-3456` and `3/4-3/9` are not ranges.
                if dashes > 1 && amount.form != AmountForm::Product
                    || (figure.looks_like_date() && after.looks_like_date())
                {
                    return None;
                }
                // `555-0162`: the end of a range has no redundant leading zero.
                if after.integer_up_to(9).is_some()
                    && after.number.digits(0) > 2
                    && after.has_leading_zero
                    && !figure.has_leading_zero
                {
                    return None;
                }
                // `824-662`: ranges of three-digit numbers ascend.
                let long = |figure: &Figure| figure.integer_up_to(3).is_some_and(|value| value >= 100);
                if long(&figure) && long(&after) && largest_value(&after) < largest_value(&figure) {
                    return None;
                }
                // `6-2360` is an extension: the ends of a range are of similar magnitude.
                if largest_value(&after) >= 1000 && largest_value(&after) / 50 > largest_value(&figure) {
                    return None;
                }
            } else if link == Link::Word && (figure.looks_like_date() || after.looks_like_date()) {
                break;
            }
            let Some(end) = end_of_full_number(note, next, &after) else { break };
            last = end;
            amount.end = last;
            amount.most = amount.most.max(largest_value(&after));
            amount.form = if link == Link::Times { AmountForm::Product } else { AmountForm::Range };
        }
        Some(amount)
    }
}

/// Fast path: returns whether the token after a number can neither be part of an amount nor join another number to it,
/// as is nearly always the case.
fn stands_alone(note: &Note<'_>, at: usize) -> bool {
    let token = note.token(at);
    let parts = match token.kind {
        Kind::Word => token.gap == Gap::None,
        Kind::Punct => matches!(token.mark(), b'^' | b'+'),
        Kind::Number => true,
        _ => false,
    };
    !parts && !note.is_number(at + 1)
}

#[inline]
fn largest_value(figure: &Figure) -> u64 {
    if figure.shape == Shape::Integer { figure.number.value(0) } else { largest_part(figure) }
}

fn largest_part(figure: &Figure) -> u64 {
    match figure.shape {
        Shape::Grouped | Shape::Decimal => whole_part_with_thousands(figure.number),
        _ if figure.is_fraction() => 0,
        _ => figure.number.value(0).max(figure.number.value(1)),
    }
}

/// Returns the whole part of `1,250.5`.
fn whole_part_with_thousands(number: &Number) -> u64 {
    let mut value = number.value(0);
    for part in 1..number.len() {
        if number.separator(part - 1) == b',' {
            value = value.saturating_mul(1000).saturating_add(number.value(part));
        }
    }
    value
}

/// Returns the end (exclusive) of the number with its suffixes: `24 2/7`, `1-1/2`, `7 and 1/2`, `10^9`, `1/7th`.
fn end_of_full_number(note: &Note<'_>, at: usize, figure: &Figure) -> Option<usize> {
    let mut end = at + 1;
    if !figure.is_no_date_or_code() {
        return None;
    }
    // Fast path: a word or the end of a clause follows nearly every number.
    let next = note.token(end);
    let over = match next.kind {
        Kind::Word => next.gap != Gap::None && !word_is!(note, end, "and"),
        Kind::Punct => !matches!(next.mark(), b'-' | b'^'),
        Kind::Number => false,
        _ => true,
    };
    if over {
        return Some(end);
    }
    match figure.shape {
        Shape::Integer if figure.number.digits(0) <= 3 => {
            let hyphen = note.is_mark(end, b'-') && note.joined(end) && note.joined(end + 1);
            let start = end + usize::from(hyphen || note.same_line(end + 1) && word_is!(note, end, "and"));
            // `BUN 14 3/12`: a day follows.
            let part = |part: Figure| part.is_fraction() && (part.number.value(1) <= 10 || !part.looks_like_date());
            if note.same_line(start) && Figure::at(note, start).is_some_and(part) {
                end = start + 1;
            } else if note.is_mark(end, b'^') {
                let power = end + 1 + usize::from(note.is_any_mark(end + 1, b"-+"));
                if note.is_number(power) {
                    end = power + 1;
                }
            }
        }
        _ => {}
    }
    if note.joined(end) && word_is!(note, end, "th" | "ths" | "st" | "nd" | "rd") {
        end += 1;
    }
    Some(end)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    Dash,
    Word,
    Times,
}

/// Returns the number joined to the number that ends before `at`, and how they are joined.
#[inline]
fn linked_number_after(note: &Note<'_>, at: usize) -> Option<(usize, Link)> {
    if !(note.is_number(at + 1) || note.is_mark(at, b'+')) || !note.follows(at) {
        return None;
    }
    parse_link(note, at)
}

/// What may join two numbers of one amount, including plus-minus.
static LINKS: WordSet = word_set!("clinical-amount-links");

#[inline(never)]
fn parse_link(note: &Note<'_>, at: usize) -> Option<(usize, Link)> {
    let link = match note.bytes(at) {
        b"-" => Link::Dash,
        _ if LINKS.has(note, at) => Link::Word,
        b"x" | b"by" => Link::Times,
        // `38+4 weeks`
        b"+" if note.joined(at) && note.joined(at + 1) && note.is_number(at + 1) => return Some((at + 1, Link::Word)),
        b"+" if note.is_mark(at + 1, b'/') && note.is_mark(at + 2, b'-') => {
            return note.is_number(at + 3).then_some((at + 3, Link::Word));
        }
        _ => return None,
    };
    (note.is_number(at + 1) && note.follows(at + 1)).then_some((at + 1, link))
}

/// Returns whether the number is one of three or more joined by hyphens, as in `0002-7597-01` and `123-45-6789`.
#[inline]
pub(super) fn in_hyphen_chain(note: &Note<'_>, at: usize) -> bool {
    (note.is_mark(at + 1, b'-') || note.is_mark(at.wrapping_sub(1), b'-')) && is_number_link(note, at)
}

#[inline(never)]
fn is_number_link(note: &Note<'_>, at: usize) -> bool {
    let before = |at: usize| {
        at >= 2 && note.is_mark(at - 1, b'-') && note.joined(at) && note.joined(at - 1) && note.is_number(at - 2)
    };
    let after =
        |at: usize| note.is_mark(at + 1, b'-') && note.joined(at + 1) && note.is_number(at + 2) && note.joined(at + 2);
    let (left, right) = (before(at), after(at));
    left && right || left && before(at - 2) || right && after(at + 2)
}

/// Returns the glued letters and digits around a token, as `first..last`.
pub(in crate::rules) fn glued_cluster(note: &Note<'_>, at: usize) -> (usize, usize) {
    let (mut first, mut last) = (at, at + 1);
    while first > 0 && at - first < 16 && note.token(first).glued() {
        first -= 1;
    }
    while last - at < 16 && note.token(last).glued() {
        last += 1;
    }
    (first, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_dates_and_years() {
        let number = |text: &str| Number::parse(text.as_bytes());
        for date in ["3/4", "11/06", "31/12", "3/4/06", "2004/3/4", "12/2004"] {
            assert!(Figure::of(&number(date)).looks_like_date(), "{date}");
        }
        for other in ["128/72", "20/25", "7.38/42/96", "120/80", "5/500", "42"] {
            assert!(!Figure::of(&number(other)).looks_like_date(), "{other}");
        }
        assert!(Figure::of(&number("2004")).is_year() && !Figure::of(&number("2100")).is_year());
        for (text, plain) in [("0800", false), ("0.8", true), ("1,250", true)] {
            assert_eq!(Figure::of(&number(text)).is_plain_measurement(), plain, "{text}");
        }
    }
}
