//! Numbers in words: `twenty-first`, `ninety-three`, `one hundred and two`, `nineteen ninety-six`, `two thousand four`.

use crate::rules::engine::word_sets::{WordSet, word_is, word_list, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::vocabulary::{Class, Classes};

/// The maximum number of words and marks between `DOB` and the date.
const MAX_TOKENS_TO_DATE: usize = 5;

/// The maximum number of tokens of a date in words.
const MAX_DATE_TOKENS: usize = 16;

/// Words between a birth cue and the day.
static LEADING: WordSet = word_set!("date-spoken-leading");

/// Words between the day, the month and the year of a date in words.
static LINKS: WordSet = word_set!("date-spoken-links");

/// Finds a birth date, two or more numbers after a birth cue: `DOB four three fifty-six`,
/// `born four slash three slash fifty six`.
pub(in crate::rules) fn find_spoken_birth_date(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let birth = |at: usize| word_is!(note, at, "birth" | "birthday");
    // `birth date`, `date of birth`
    let date = word_is!(note, at, "date") && (at > 0 && birth(at - 1) || birth(at + 2));
    if !(date || is_birth_word(note, at)) {
        return;
    }
    let leads = |at: usize| note.same_line(at) && (note.is_any_mark(at, b":.-=(") || LEADING.has(note, at));
    let first = (at + 1..=at + 1 + MAX_TOKENS_TO_DATE).find(|&at| !leads(at)).unwrap_or(at + 1);
    let number = |at: usize| note.is_word(at) && (note.any(at, NUMBER) || note.is(at, Class::Month));
    let point = |at: usize| word_is!(note, at, "point");
    let links = |at: usize| note.is_any_mark(at, b",-/.") || LINKS.has(note, at) || point(at);
    let (mut end, mut count, mut pointed) = (first, 0, false);
    for next in first..first + MAX_DATE_TOKENS {
        if !note.follows(next) || !(number(next) || count > 0 && links(next)) {
            break;
        }
        pointed |= point(next);
        if number(next) {
            count += 1;
            end = next + 1;
        }
    }
    // `born two point four kilograms` is a weight.
    if count > 1 + usize::from(pointed) {
        findings.remove(first, end, Kind::Date, Certainty::Likely);
    }
}

/// Returns whether a word announces a birth.
pub(in crate::rules) fn is_birth_word(note: &Note<'_>, at: usize) -> bool {
    word_is!(note, at, "birth" | "birthday" | "dob" | "born" | "birthdate")
}

/// Lists of number words.
pub(in crate::rules) const NUMBER: Classes = Classes::of(&[Class::NumberWord, Class::OrdinalWord]);

/// Cardinal numbers from zero; by tens from twenty.
static CARDINALS: &[&str] = word_list!("date-spoken-cardinals");

/// Ordinal numbers from first; by tens from twentieth.
static ORDINALS: &[&str] = word_list!("date-spoken-ordinals");

/// Returns the value of the word in such a series, whose first word has the value `first`.
fn value_in_series(row: &[&str], first: u64, word: &[u8]) -> Option<u64> {
    let nth = first + row.iter().position(|known| known.as_bytes() == word)? as u64;
    Some(if nth < 20 { nth } else { 10 * (nth - 18) })
}

/// Returns the value of a cardinal number word.
fn value_of_word(word: &[u8]) -> Option<u64> {
    match word {
        b"oh" => Some(0),
        b"a" => Some(1),
        b"fourty" => Some(40),
        b"ninty" => Some(90),
        _ => value_in_series(CARDINALS, 0, word),
    }
}

/// Returns the value of an ordinal number word, including tens such as `thirtieth`.
fn ordinal_value(word: &[u8]) -> Option<u64> {
    match word {
        b"ninetieth" => Some(90),
        b"hundredth" => Some(100),
        _ => value_in_series(ORDINALS, 1, word),
    }
}

/// Returns the position of the next word of the number, after a hyphen.
fn next_number_word(note: &Note<'_>, at: usize) -> usize {
    if note.is_mark(at, b'-') { at + 1 } else { at }
}

/// Returns a number under one hundred and its end (exclusive).
pub(in crate::rules) fn number_below_hundred(note: &Note<'_>, at: usize) -> Option<(u64, usize)> {
    if !note.is_word(at) {
        return None;
    }
    let tens = value_of_word(note.bytes(at))?;
    if tens >= 20 {
        let unit = next_number_word(note, at + 1);
        if note.is_word(unit)
            && note.follows(unit)
            && let Some(units) =
                value_of_word(note.bytes(unit)).filter(|&units| (1..10).contains(&units) && !word_is!(note, unit, "a"))
        {
            return Some((tens + units, unit + 1));
        }
    }
    Some((tens, at + 1))
}

fn is_word(note: &Note<'_>, at: usize, word: &[u8]) -> bool {
    note.is_word(at) && note.follows(at) && note.bytes(at) == word
}

/// Skips `and` and hyphens before the last part of a number.
fn skip_and(note: &Note<'_>, at: usize) -> usize {
    // `one-hundred-and-two` has hyphens on both sides.
    let and = next_number_word(note, at);
    if is_word(note, and, b"and") { next_number_word(note, and + 1) } else { and }
}

/// Returns the number in words that begins here, and its end (exclusive).
pub(in crate::rules) fn read_cardinal(note: &Note<'_>, at: usize) -> Option<(u64, usize)> {
    let (mut number, mut end) = if is_hundred(note, at) { (1, at) } else { number_below_hundred(note, at)? };
    for (word, times) in [(b"thousand".as_slice(), 1000), (b"hundred", 100)] {
        let unit = next_number_word(note, end);
        let named = note.is_word(unit) && note.bytes(unit) == word && (unit == at || note.follows(unit));
        if !named {
            continue;
        }
        number *= times;
        end = unit + 1;
        let more = skip_and(note, end);
        if let Some((rest, after)) =
            number_below_hundred(note, more).filter(|_| note.follows(more) && !word_is!(note, more, "a"))
        {
            if times == 1000 && is_hundred(note, next_number_word(note, after)) {
                let (hundreds, after) = (rest * 100, next_number_word(note, after) + 1);
                let more = skip_and(note, after);
                let tail = number_below_hundred(note, more).filter(|_| note.follows(more));
                let (rest, after) = tail.unwrap_or((0, after));
                return Some((number + hundreds + rest, after));
            }
            return Some((number + rest, after));
        }
    }
    Some((number, end))
}

fn is_hundred(note: &Note<'_>, at: usize) -> bool {
    note.is_word(at) && word_is!(note, at, "hundred")
}

/// Returns the end (exclusive) of a year in words: `nineteen ninety-six`, `twenty oh four`, `two thousand four`.
pub(in crate::rules) fn end_of_spoken_year(note: &Note<'_>, at: usize) -> Option<usize> {
    let (century, end) = number_below_hundred(note, at)?;
    let more = next_number_word(note, end);
    if matches!(century, 18..=20) && note.is_word(more) && note.follows(more) {
        if is_hundred(note, more) {
            let (number, end) = read_cardinal(note, at)?;
            return (1800..=2099).contains(&number).then_some(end);
        }
        if word_is!(note, more, "oh" | "o") {
            let unit = next_number_word(note, more + 1);
            return number_below_hundred(note, unit).filter(|&(unit, _)| (1..10).contains(&unit)).map(|(_, end)| end);
        }
        return number_below_hundred(note, more).filter(|&(rest, _)| (10..100).contains(&rest)).map(|(_, end)| end);
    }
    let (number, end) = read_cardinal(note, at)?;
    ((1900..=2099).contains(&number) && end > at + 1).then_some(end)
}

/// Returns the end (exclusive) of a day in words that begins here: `third`, `twenty-first`, `twenty one`.
pub(in crate::rules) fn end_of_spoken_day(note: &Note<'_>, at: usize) -> Option<usize> {
    if !note.is_word(at) || !note.any(at, NUMBER) {
        return None;
    }
    if let Some(day) = ordinal_value(note.bytes(at)) {
        return (day <= 31).then_some(at + 1);
    }
    let tens = value_of_word(note.bytes(at))?;
    let unit = next_number_word(note, at + 1);
    if matches!(tens, 20 | 30) && note.is_word(unit) && note.follows(unit) {
        let units = ordinal_value(note.bytes(unit)).or_else(|| value_of_word(note.bytes(unit)));
        if units.is_some_and(|units| (1..10).contains(&units) && tens + units <= 31) {
            return Some(unit + 1);
        }
    }
    ((1..=30).contains(&tens) && !word_is!(note, at, "a")).then_some(at + 1)
}

/// Returns the first token of a day in words that ends with the token `at`.
pub(in crate::rules) fn start_of_spoken_day(note: &Note<'_>, at: usize) -> Option<usize> {
    [at.checked_sub(2), at.checked_sub(1), Some(at)]
        .into_iter()
        .flatten()
        .find(|&first| end_of_spoken_day(note, first) == Some(at + 1))
}

/// Returns the value of an ordinal in words that begins here, and its end (exclusive): `ninety-fifth`, `hundredth`.
pub(in crate::rules) fn read_ordinal(note: &Note<'_>, at: usize) -> Option<(u64, usize)> {
    if !note.is_word(at) {
        return None;
    }
    if let Some(ordinal) = ordinal_value(note.bytes(at)) {
        return Some((ordinal, at + 1));
    }
    let (number, end) = read_cardinal(note, at)?;
    let last = skip_and(note, end);
    let unit = ordinal_value(note.bytes(last)).filter(|&unit| note.follows(last) && unit < 100 && number % 10 == 0)?;
    Some((number + unit, last + 1))
}
