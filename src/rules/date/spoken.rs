//! Numbers in words: twenty-first, ninety-three, one hundred and two, nineteen ninety-six, two thousand four.

use crate::rules::View;
use crate::rules::columns::{Around, Fact};
use crate::rules::view::says;
use crate::vocabulary::{Class, Classes};

/// Which words may have `hundred` or `thousand` behind them, perhaps behind a hyphen.
pub(in crate::rules) fn near_large(around: &Around<'_>) -> u64 {
    let large = |far| around.behind(far, |group| group.is(Fact::Lettered) & !group.is(Fact::UpToFive));
    large(1) | around.behind(1, |group| group.mark(b'-')) & large(2)
}

/// The words that numbers are made of.
pub(in crate::rules) const NUMBER: Classes = Classes::of(&[Class::NumberWord, Class::OrdinalWord]);

/// The value of one number word.
fn value(word: &[u8]) -> Option<u64> {
    Some(match word {
        b"zero" | b"oh" => 0,
        b"one" | b"a" => 1,
        b"two" => 2,
        b"three" => 3,
        b"four" => 4,
        b"five" => 5,
        b"six" => 6,
        b"seven" => 7,
        b"eight" => 8,
        b"nine" => 9,
        b"ten" => 10,
        b"eleven" => 11,
        b"twelve" => 12,
        b"thirteen" => 13,
        b"fourteen" => 14,
        b"fifteen" => 15,
        b"sixteen" => 16,
        b"seventeen" => 17,
        b"eighteen" => 18,
        b"nineteen" => 19,
        b"twenty" => 20,
        b"thirty" => 30,
        b"forty" | b"fourty" => 40,
        b"fifty" => 50,
        b"sixty" => 60,
        b"seventy" => 70,
        b"eighty" => 80,
        b"ninety" | b"ninty" => 90,
        _ => return None,
    })
}

/// The value of one ordinal word up to the thirty-first; tens as in `thirtieth`.
fn ordinal_value(word: &[u8]) -> Option<u64> {
    Some(match word {
        b"first" => 1,
        b"second" => 2,
        b"third" => 3,
        b"fourth" => 4,
        b"fifth" => 5,
        b"sixth" => 6,
        b"seventh" => 7,
        b"eighth" => 8,
        b"ninth" => 9,
        b"tenth" => 10,
        b"eleventh" => 11,
        b"twelfth" => 12,
        b"thirteenth" => 13,
        b"fourteenth" => 14,
        b"fifteenth" => 15,
        b"sixteenth" => 16,
        b"seventeenth" => 17,
        b"eighteenth" => 18,
        b"nineteenth" => 19,
        b"twentieth" => 20,
        b"thirtieth" => 30,
        b"ninetieth" => 90,
        b"hundredth" => 100,
        _ => return None,
    })
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
