//! Numbers in words: twenty-first, ninety-three, one hundred and two, nineteen ninety-six, two thousand four.

use crate::rules::engine::word_sets::{WordSet, says, word_list, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, View};
use crate::vocabulary::{Class, Classes};

/// How many words and marks stand between `DOB` and the date.
const BETWEEN: usize = 5;

/// How many tokens a date in words has.
const DATE: usize = 16;

/// Words between what says that somebody was born and the day.
static LEADING: WordSet = word_set!("date-spoken-leading");

/// Words between the day, the month and the year of a date in words.
static LINKS: WordSet = word_set!("date-spoken-links");

/// `DOB four three fifty-six`, `born four slash three slash fifty six`: two numbers and more behind what announces a birth.
pub(in crate::rules) fn find_birth(view: &View<'_>, at: usize, findings: &mut Findings) {
    let birth = |at: usize| says!(view, at, "birth" | "birthday");
    // `birth date`, `date of birth`
    let date = says!(view, at, "date") && (at > 0 && birth(at - 1) || birth(at + 2));
    if !(date || birth(at) || says!(view, at, "dob" | "born" | "birthdate")) {
        return;
    }
    let leads = |at: usize| view.same_line(at) && (view.is_any_mark(at, b":.-=(") || LEADING.has(view, at));
    let first = (at + 1..=at + 1 + BETWEEN).find(|&at| !leads(at)).unwrap_or(at + 1);
    let number = |at: usize| view.is_word(at) && (view.any(at, NUMBER) || view.is(at, Class::Month));
    let links = |at: usize| view.is_any_mark(at, b",-/.") || LINKS.has(view, at);
    let (mut end, mut count) = (first, 0);
    for next in first..first + DATE {
        if !view.follows(next) || !(number(next) || count > 0 && links(next)) {
            break;
        }
        if number(next) {
            count += 1;
            end = next + 1;
        }
    }
    if count > 1 {
        findings.remove(first, end, Kind::Date, Certainty::Likely);
    }
}

/// The words that numbers are made of.
pub(in crate::rules) const NUMBER: Classes = Classes::of(&[Class::NumberWord, Class::OrdinalWord]);

/// Numbers in words from zero on; from twenty on by tens.
static CARDINALS: &[&str] = word_list!("date-spoken-cardinals");

/// Days in words from the first on; from the twentieth on by tens.
static ORDINALS: &[&str] = word_list!("date-spoken-ordinals");

/// The value of the word in such a row, whose first has the value `first`.
fn in_row(row: &[&str], first: u64, word: &[u8]) -> Option<u64> {
    let nth = first + row.iter().position(|known| known.as_bytes() == word)? as u64;
    Some(if nth < 20 { nth } else { 10 * (nth - 18) })
}

/// The value of one number word.
fn value(word: &[u8]) -> Option<u64> {
    match word {
        b"oh" => Some(0),
        b"a" => Some(1),
        b"fourty" => Some(40),
        b"ninty" => Some(90),
        _ => in_row(CARDINALS, 0, word),
    }
}

/// The value of one ordinal word up to the thirty-first; tens as in `thirtieth`.
fn ordinal_value(word: &[u8]) -> Option<u64> {
    match word {
        b"ninetieth" => Some(90),
        b"hundredth" => Some(100),
        _ => in_row(ORDINALS, 1, word),
    }
}

/// Where the next word of the number stands: past a hyphen, on the same or the next line.
fn next(view: &View<'_>, at: usize) -> usize {
    if view.is_mark(at, b'-') { at + 1 } else { at }
}

/// A number under one hundred: value and one past its last token.
fn small(view: &View<'_>, at: usize) -> Option<(u64, usize)> {
    if !view.is_word(at) {
        return None;
    }
    let tens = value(view.bytes(at))?;
    if tens >= 20 {
        let unit = next(view, at + 1);
        if view.is_word(unit)
            && view.follows(unit)
            && let Some(units) =
                value(view.bytes(unit)).filter(|&units| (1..10).contains(&units) && !says!(view, unit, "a"))
        {
            return Some((tens + units, unit + 1));
        }
    }
    Some((tens, at + 1))
}

fn is_word(view: &View<'_>, at: usize, word: &[u8]) -> bool {
    view.is_word(at) && view.follows(at) && view.bytes(at) == word
}

/// Past `and` or a hyphen before the last part of a number.
fn past_and(view: &View<'_>, at: usize) -> usize {
    // one-hundred-and-two has hyphens on both sides.
    let and = next(view, at);
    if is_word(view, and, b"and") { next(view, and + 1) } else { and }
}

/// A number in words that begins here: value and one past its last token.
pub(in crate::rules) fn cardinal(view: &View<'_>, at: usize) -> Option<(u64, usize)> {
    let (mut number, mut end) = if is_hundred(view, at) { (1, at) } else { small(view, at)? };
    for (word, times) in [(b"thousand".as_slice(), 1000), (b"hundred", 100)] {
        let unit = next(view, end);
        let named = view.is_word(unit) && view.bytes(unit) == word && (unit == at || view.follows(unit));
        if !named {
            continue;
        }
        number *= times;
        end = unit + 1;
        let more = past_and(view, end);
        if let Some((rest, after)) = small(view, more).filter(|_| view.follows(more) && !says!(view, more, "a")) {
            if times == 1000 && is_hundred(view, next(view, after)) {
                let (hundreds, after) = (rest * 100, next(view, after) + 1);
                let more = past_and(view, after);
                let tail = small(view, more).filter(|_| view.follows(more));
                let (rest, after) = tail.unwrap_or((0, after));
                return Some((number + hundreds + rest, after));
            }
            return Some((number + rest, after));
        }
    }
    Some((number, end))
}

fn is_hundred(view: &View<'_>, at: usize) -> bool {
    view.is_word(at) && says!(view, at, "hundred")
}

/// A year in words: nineteen ninety-six, twenty oh four, two thousand four. One past its last token.
pub(in crate::rules) fn year(view: &View<'_>, at: usize) -> Option<usize> {
    let (century, end) = small(view, at)?;
    let more = next(view, end);
    if matches!(century, 18..=20) && view.is_word(more) && view.follows(more) {
        if is_hundred(view, more) {
            let (number, end) = cardinal(view, at)?;
            return (1800..=2099).contains(&number).then_some(end);
        }
        if says!(view, more, "oh" | "o") {
            let unit = next(view, more + 1);
            return small(view, unit).filter(|&(unit, _)| (1..10).contains(&unit)).map(|(_, end)| end);
        }
        return small(view, more).filter(|&(rest, _)| (10..100).contains(&rest)).map(|(_, end)| end);
    }
    let (number, end) = cardinal(view, at)?;
    ((1900..=2099).contains(&number) && end > at + 1).then_some(end)
}

/// A day in words that begins here: third, twenty-first, twenty one. One past its last token.
pub(in crate::rules) fn day(view: &View<'_>, at: usize) -> Option<usize> {
    if !view.is_word(at) || !view.any(at, NUMBER) {
        return None;
    }
    if let Some(day) = ordinal_value(view.bytes(at)) {
        return (day <= 31).then_some(at + 1);
    }
    let tens = value(view.bytes(at))?;
    let unit = next(view, at + 1);
    if matches!(tens, 20 | 30) && view.is_word(unit) && view.follows(unit) {
        let units = ordinal_value(view.bytes(unit)).or_else(|| value(view.bytes(unit)));
        if units.is_some_and(|units| (1..10).contains(&units) && tens + units <= 31) {
            return Some(unit + 1);
        }
    }
    ((1..=30).contains(&tens) && !says!(view, at, "a")).then_some(at + 1)
}

/// A day in words that ends with the token `at`: its first token.
pub(in crate::rules) fn day_before(view: &View<'_>, at: usize) -> Option<usize> {
    [at.checked_sub(2), at.checked_sub(1), Some(at)]
        .into_iter()
        .flatten()
        .find(|&first| day(view, first) == Some(at + 1))
}

/// The value of an ordinal in words that begins here: ninety-fifth, hundredth. And one past its last token.
pub(in crate::rules) fn ordinal(view: &View<'_>, at: usize) -> Option<(u64, usize)> {
    if !view.is_word(at) {
        return None;
    }
    if let Some(ordinal) = ordinal_value(view.bytes(at)) {
        return Some((ordinal, at + 1));
    }
    let (number, end) = cardinal(view, at)?;
    let last = past_and(view, end);
    let unit = ordinal_value(view.bytes(last)).filter(|&unit| view.follows(last) && unit < 100 && number % 10 == 0)?;
    Some((number + unit, last + 1))
}
