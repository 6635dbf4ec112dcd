//! Parses numbers as values: `7.4`, `<0.04`, `120/80`, `4-6`.

use crate::note::{Note, Number, Shape};
use crate::text::token::{Gap, Kind};
use crate::vocabulary::Class;

/// A number that is kept in the output, or a pair or range of numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Amount {
    /// The text as results show it.
    pub(super) text: String,
    /// The number, or the first of a pair; `None` for a range.
    pub(super) number: Option<f64>,
    /// The end (exclusive), in tokens.
    pub(super) end: usize,
}

/// Reads the amount at a token, which may be a range. `pairs` is whether two numbers with a slash are one amount.
pub(super) fn read_amount<K: Fn(usize) -> bool + Copy>(
    note: &Note<'_>,
    at: usize,
    pairs: bool,
    kept: K,
) -> Option<Amount> {
    let one = read_single_amount(note, at, pairs, kept)?;
    if one.end == at + 1
        && let Some(high) = end_of_range(note, at).filter(|&high| kept(high) && kept(high - 1))
        && let (Some((lower, Some(least))), Some((upper, Some(most)))) =
            (plain_amount(note, at, kept), plain_amount(note, high, kept))
        && least < most
        && note.number(at)?.shape() != Shape::Slash
    {
        return Some(Amount { text: format!("{lower}-{upper}"), number: None, end: high + 1 });
    }
    Some(one)
}

/// Reads the number or pair at a token; of a range, only the first number.
pub(super) fn read_single_amount<K: Fn(usize) -> bool + Copy>(
    note: &Note<'_>,
    at: usize,
    pairs: bool,
    kept: K,
) -> Option<Amount> {
    let (text, number) = plain_amount(note, at, kept)?;
    if is_graded(note, at) && kept(at + 1) {
        return Some(Amount { text: format!("{text}+"), number, end: at + 2 });
    }
    if note.number(at)?.shape() == Shape::Slash {
        return pairs.then(|| Amount { text, number, end: at + 1 });
    }
    if pairs && let Some(low) = second_after_slash_or_over(note, at).filter(|&low| kept(low) && kept(low - 1)) {
        return Some(Amount { text: format!("{text}/{}", note.word(low)), number, end: low + 1 });
    }
    if let Some(amount) =
        palpated_pressure(note, at, &text, number).filter(|_| pairs).or_else(|| feet_and_inches(note, at))
    {
        return (at..amount.end).all(kept).then_some(amount);
    }
    let sign = at > 0 && note.is_mark(at - 1, b'-') && note.joined(at) && !note.joined(at - 1) && kept(at - 1);
    let text = if sign { format!("-{text}") } else { text };
    Some(Amount { text, number: number.map(|number| if sign { -number } else { number }), end: at + 1 })
}

/// Reads a single number, or a pair of integers in one token, as results show it.
fn plain_amount(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool) -> Option<(String, Option<f64>)> {
    let number = note.number(at).filter(|_| kept(at))?;
    match number.shape() {
        Shape::Integer | Shape::Grouped | Shape::Decimal
            if !number.has_leading_zero() || number.shape() == Shape::Decimal =>
        {
            let text = note.word(at).replace(',', "");
            let text = if text.starts_with('.') { format!("0{text}") } else { text };
            Some((text, number.decimal()))
        }
        Shape::Slash if number.has_form(2, b'/') && number.digits(0) <= 3 && number.digits(1) <= 3 => {
            Some((note.word(at).to_owned(), Some(number.value(0) as f64)))
        }
        // `1,42,000`: lakhs.
        Shape::Other if is_grouped_by_lakhs(number) => {
            let text = note.word(at).replace(',', "");
            let number = text.parse().ok();
            Some((text, number))
        }
        // `36,8`: a decimal comma; three digits after a comma would be thousands.
        Shape::Other if number.has_form(2, b',') && number.digits(0) <= 3 && matches!(number.digits(1), 1 | 2) => {
            let text = note.word(at).replace(',', ".");
            let number = text.parse().ok();
            Some((text, number))
        }
        _ => None,
    }
}

/// Returns whether a number is the grade of a test strip or a sign: `2+`.
pub(super) fn is_graded(note: &Note<'_>, at: usize) -> bool {
    let grade = note.number(at).filter(|number| number.shape() == Shape::Integer && number.digits(0) == 1);
    let signed = note.word(at + 1) == "+" && note.joined(at + 1);
    grade.is_some_and(|grade| matches!(grade.value(0), 1..=4)) && signed && !note.token(at + 2).glued()
}

/// Returns whether digits are grouped in the Indian style, with two before the last three: `1,42,000`.
fn is_grouped_by_lakhs(number: &Number) -> bool {
    let is_group = |part: usize| match part {
        0 => matches!(number.digits(0), 1 | 2),
        1 => number.digits(1) == 2,
        _ => number.digits(2) == 3,
    };
    number.has_form(3, b',') && (0..3).all(is_group)
}

/// Returns the second number of `120 / 80` and `120 over 80`.
fn second_after_slash_or_over(note: &Note<'_>, at: usize) -> Option<usize> {
    let between = note.is_mark(at + 1, b'/') || note.word(at + 1) == "over";
    let second = note.number(at + 2).is_some_and(|low| low.shape() == Shape::Integer && low.digits(0) <= 3);
    (between && second && note.same_line(at + 1) && note.same_line(at + 2)).then_some(at + 2)
}

/// Reads a blood pressure by palpation, which has only the first number: `70/palp`.
fn palpated_pressure(note: &Note<'_>, at: usize, text: &str, number: Option<f64>) -> Option<Amount> {
    let felt = note.is_mark(at + 1, b'/') && matches!(note.word(at + 2), "palp" | "p" | "doppler");
    felt.then(|| Amount { text: format!("{text}/{}", note.word(at + 2)), number, end: at + 3 })
}

/// Reads feet and inches: `5'6"`, `5 ft 6 in`. The number is in inches.
fn feet_and_inches(note: &Note<'_>, at: usize) -> Option<Amount> {
    let words =
        matches!(note.word(at + 1), "ft" | "feet" | "foot") && matches!(note.word(at + 3), "in" | "inches" | "inch");
    let whole = |at: usize| note.number(at).filter(|number| number.shape() == Shape::Integer && number.digits(0) <= 2);
    let marked = note.is_mark(at + 1, b'\'') && note.joined(at + 1);
    let (feet, inches) = (whole(at)?, whole(at + 2).filter(|_| marked || words)?);
    let last = at + 3 + usize::from(words || note.is_mark(at + 3, b'"'));
    let text = format!("{}'{}\"", feet.value(0), inches.value(0));
    Some(Amount { text, number: Some((12 * feet.value(0) + inches.value(0)) as f64), end: last })
}

/// Returns the second number of `4-6` and `4 to 6`.
fn end_of_range(note: &Note<'_>, at: usize) -> Option<usize> {
    let dash = note.is_mark(at + 1, b'-') && note.joined(at + 1) == note.joined(at + 2)
        || note.token(at + 1).kind == Kind::Symbol && note.word(at + 1) == "–"
        || note.word(at + 1) == "to";
    let close = note.gap(at + 1) <= Gap::Space && note.gap(at + 2) <= Gap::Space;
    (dash && close && note.number(at + 2).and_then(Number::decimal).is_some()).then_some(at + 2)
}

/// Reads a comparison before a value, with its end (exclusive).
pub(super) fn comparator(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool) -> Option<(&'static str, usize)> {
    let words = |second: &str| note.word(at + 1) == second && note.same_line(at + 1);
    let (found, last) = match note.word(at) {
        "<" | ">" if note.is_mark(at + 1, b'=') && note.joined(at + 1) => {
            (if note.is_mark(at, b'<') { "<=" } else { ">=" }, at + 2)
        }
        "≤" => ("<=", at + 1),
        "≥" => (">=", at + 1),
        "less" if words("than") => ("<", at + 2),
        "greater" | "more" if words("than") => (">", at + 2),
        "<" | "below" | "under" => ("<", at + 1),
        ">" | "above" => (">", at + 1),
        _ => return None,
    };
    // `->` is an arrow.
    let arrow = note.is_mark(at, b'>') && at > 0 && note.is_mark(at - 1, b'-') && note.joined(at);
    (!arrow && (at..last).all(kept)).then_some((found, last))
}

/// Reads a number in words: `two`, `half a`, `forty`, `eighty-one`, `two hundred and fifty`.
pub(super) fn number_in_words(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool + Copy) -> Option<Amount> {
    let amount = |number: f64, last: usize| {
        (at..last).all(kept).then(|| Amount { text: number.to_string(), number: Some(number), end: last })
    };
    if note.word(at) == "half" {
        let article =
            (at + 1..at + 3).take_while(|&at| note.is_word(at) && matches!(note.word(at), "a" | "of")).count();
        return amount(0.5, at + 1 + article);
    }
    let (mut number, mut last) = below_hundred(note, at)?;
    for (word, factor) in [("hundred", 100), ("thousand", 1000)] {
        if note.word(last) == word && note.same_line(last) {
            let rest = last + 1 + usize::from(note.word(last + 1) == "and");
            let (more, end) = below_hundred(note, rest).filter(|_| note.same_line(rest)).unwrap_or((0, last + 1));
            (number, last) = (number * factor + more, end);
        }
    }
    amount(f64::from(number), last)
}

/// Reads a number below a hundred in words, with its end (exclusive).
fn below_hundred(note: &Note<'_>, at: usize) -> Option<(u32, usize)> {
    const ONES: [&str; 19] = [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let place = |words: &[&str], at: usize| words.iter().position(|&word| word == note.word(at));
    if !note.is(at, Class::NumberWord) {
        return None;
    }
    if let Some(one) = place(&ONES, at) {
        return Some((one as u32 + 1, at + 1));
    }
    let ten = (place(&TENS, at)? as u32 + 2) * 10;
    let next = at + 1 + usize::from(note.is_mark(at + 1, b'-'));
    let one = place(&ONES[..9], next).filter(|_| note.same_line(next));
    Some(one.map_or((ten, at + 1), |one| (ten + one as u32 + 1, next + 1)))
}

/// Returns whether a point is one of several that lead to the next cell.
pub(super) fn is_leader(note: &Note<'_>, at: usize) -> bool {
    let joined = |first: usize| note.is_mark(first, b'.') && note.is_mark(first + 1, b'.') && note.joined(first + 1);
    joined(at) || at > 0 && joined(at - 1)
}
