//! Further values of a name: an enumeration, the value before and after, the next cells of its row.
//!
//! `Glucose 143, 210, 98`, `Cr 1.9 from 1.3`, `BP 152/96, repeat 148/98`, `Na   128   131   134`.

use super::aims::is_aim;
use super::amount;
use super::expected::Expected;
use super::flag::is_bar;
use super::measured::{Value, is_date_or_time, value_with_unit};
use crate::note::{Note, Shape};
use crate::text::token::{Gap, Kind};
use crate::text::words_of_file;
use crate::vocabulary::{Class, Classes};

/// The maximum number of unrelated words between two values.
const MAX_UNRELATED_WORDS: usize = 4;
/// The maximum length of brackets around an aim, in tokens.
const MAX_BRACKET_TOKENS: usize = 9;
/// The maximum ratio of consecutive values in an enumeration; beyond it, the number measures something else.
const MAX_RATIO: f64 = 4.0;
/// The same for a value with its date, because markers may double.
const MAX_DATED_RATIO: f64 = 10.0;
/// Words that may precede a value.
const FILLERS: Classes = Classes::of(&[Class::Link, Class::Month, Class::Duration, Class::Weekday, Class::Stop]);

/// Words that lead to a value at another time or in another state.
const CUES: &[&str] = words_of_file!("words/series-cues.txt");

/// Returns the values after the first value of a name. `is_own` is whether the name may have a value, `is_name` whether
/// another term begins at a token.
pub(super) fn further_values(
    note: &Note<'_>,
    value: &Value,
    expected: &Expected,
    (is_own, is_name): (impl Fn(&Value) -> bool, impl Fn(usize) -> bool),
    kept: impl Fn(usize) -> bool + Copy,
) -> Vec<Value> {
    let read = |at: usize| {
        // `D50`
        if note.token(at).glued() {
            return None;
        }
        let found = value_with_unit(
            note,
            amount::read_amount(note, at, expected.is_pair(), kept)?,
            at,
            (expected, None),
            kept,
        )?;
        let alike = found.number.is_some() && found.text.contains('/') == value.text.contains('/');
        (alike && is_own(&found)).then_some(found)
    };
    let cells = values_in_row(note, value.end, read);
    if !cells.is_empty() {
        return cells;
    }
    let mut found: Vec<Value> = Vec::new();
    let (mut at, mut cued, mut strangers) = (value.end, false, 0);
    while continues_to(note, at) && !is_name(at) && !is_aim(note, at) && strangers <= MAX_UNRELATED_WORDS {
        // `4.6 (target 2-3), 3.1 last week`
        if let Some(close) = end_of_bracketed_aim(note, at) {
            at = close;
            continue;
        }
        // `68,000 on day 3, 41,000 today`
        if note.is_number(at) && matches!(note.word(at - 1), "day" | "week" | "hour" | "month" | "pod") {
            at += 1;
            continue;
        }
        if note.is_number(at) && (is_score(value, note, at) || !is_date_or_time(note, at, kept) && !is_date(note, at)) {
            let before = found.last().unwrap_or(value);
            let Some(next) = read(at).filter(|next| may_follow(note, before, next, cued)) else { break };
            (at, cued, strangers) = (next.end, false, 0);
            found.push(next);
            continue;
        }
        if note.is_word(at) {
            if ends_values(note.word(at)) {
                break;
            }
            let cue = is_cue(note.word(at));
            cued |= cue && note.word(at) != "and";
            strangers += usize::from(!cue && !note.any(at, FILLERS));
        }
        at += 1;
    }
    found
}

/// Returns the end (exclusive) of brackets that open at a token and contain an aim.
fn end_of_bracketed_aim(note: &Note<'_>, at: usize) -> Option<usize> {
    let aimed = note.is_any_mark(at, b"([") && is_aim(note, at + 1);
    let close = (at + 2..at + MAX_BRACKET_TOKENS).find(|&at| note.is_any_mark(at, b")]"))?;
    (aimed && (at..close).all(|at| note.same_line(at + 1))).then_some(close + 1)
}

/// Returns whether the sentence continues at a token, possibly in brackets.
fn continues_to(note: &Note<'_>, at: usize) -> bool {
    let token = note.token(at);
    match token.kind {
        Kind::End => false,
        Kind::Punct if !matches!(token.mark(), b',' | b';' | b'(' | b')' | b'-' | b'>' | b':' | b'=') => false,
        _ => token.gap < Gap::Wide && !token.sentence_start() || token.gap == Gap::Line && !token.border_before(),
    }
}

/// Returns whether a number is a score out of ten like the value before it: `6/10, 3/10`.
fn is_score(value: &Value, note: &Note<'_>, at: usize) -> bool {
    value.text.ends_with("/10")
        && note.number(at).is_some_and(|number| number.has_form(2, b'/') && number.value(1) == 10)
}

/// Returns whether a number is the day of a date.
fn is_date(note: &Note<'_>, at: usize) -> bool {
    let pair = note
        .number(at)
        .is_some_and(|number| number.shape() == Shape::Slash && number.value(0) <= 31 && number.value(1) <= 31);
    pair || note.is(at + 1, Class::Month) || at > 0 && note.is(at - 1, Class::Month)
}

/// Returns whether a value belongs to the same name: it has the same unit, and a word, its own unit or an enumeration
/// links it.
fn may_follow(note: &Note<'_>, before: &Value, next: &Value, cued: bool) -> bool {
    let last = note.word(next.first - 1);
    let led = !note.is_word(next.first - 1) || is_cue(last) || note.any(next.first - 1, FILLERS);
    if matches!(last, "by" | "up" | "down" | "gained" | "lost" | "another") {
        return false;
    }
    let own_unit = next.unit.is_some() && next.unit == before.unit;
    if next.unit.is_some() && !own_unit || !led {
        return false;
    }
    let ratio = before.number.zip(next.number).map_or(1.0, |(one, other)| (one / other).max(other / one));
    let enumerated = next.first == before.end + 1 && note.is_mark(before.end, b',') || last == "and";
    let pair = next.text.contains('/');
    // `9.8 (12.4 yesterday)`
    let bracketed = note.is_mark(next.first - 1, b'(') && is_cue(note.word(next.end)) && note.is_word(next.end);
    let dated = note.is_mark(next.first - 1, b',') && is_dated(note, next.end);
    cued || bracketed
        || dated && ratio < MAX_DATED_RATIO
        || own_unit
        || pair
        || enumerated && ratio < MAX_RATIO && ends_series(note, next.end)
}

/// Returns whether the time of measurement follows a value: `112 on arrival, 94 now`, `14 at 0800, 9 at noon`.
fn is_dated(note: &Note<'_>, at: usize) -> bool {
    const TIMES: Classes = Classes::of(&[Class::Weekday, Class::Month]);
    let later = note.word(at + 1);
    let is_time = |at: usize| note.any(at, TIMES) || is_cue(note.word(at)) || note.is_number(at);
    match note.word(at) {
        // `0.31 (Apr)`
        "(" => is_time(at + 1),
        "last" => note.any(at + 1, TIMES) || note.is(at + 1, Class::Duration),
        "now" | "today" | "yesterday" | "currently" | "previously" | "initially" | "earlier" | "later" | "od"
        | "os" | "right" | "left" => true,
        "on" => matches!(later, "admission" | "arrival" | "day" | "discharge" | "recheck") || note.any(at + 1, TIMES),
        "at" => matches!(later, "noon" | "midnight" | "baseline" | "rest" | "discharge") || note.is_number(at + 1),
        _ => false,
    }
}

/// Returns whether no counted noun follows a value.
fn ends_series(note: &Note<'_>, at: usize) -> bool {
    let token = note.token(at);
    token.kind != Kind::Word || token.border_before() || note.any(at, FILLERS) || is_cue(note.word(at))
}

/// Returns the values in the next cells of a row, if its columns are times or there are at least three.
fn values_in_row(note: &Note<'_>, from: usize, read: impl Fn(usize) -> Option<Value>) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    let mut at = from;
    loop {
        let barred = is_bar(note, at);
        let cell = at + usize::from(barred);
        let apart = note.gap(at) == Gap::Wide || barred && note.same_line(at);
        let Some(next) =
            Some(cell).filter(|&cell| apart && note.same_line(cell) && note.is_number(cell)).and_then(&read)
        else {
            break;
        };
        at = next.end;
        found.push(next);
    }
    let plain = found.iter().all(|value| value.unit.is_none());
    let timed = || {
        let layout = note.layout();
        let line = layout.line_index_of(from - 1);
        let head = layout.table_of(line).map_or(line, |table| table.lines().start);
        head > 0 && is_header_of_times(note, head - 1) || head < line && is_header_of_times(note, head)
    };
    if plain && (found.len() > 2 || !found.is_empty() && timed()) { found } else { Vec::new() }
}

/// Returns whether a line is the header of columns of times.
fn is_header_of_times(note: &Note<'_>, line: usize) -> bool {
    const TIMES: Classes = Classes::of(&[Class::Month, Class::Duration, Class::Weekday]);
    const WORDS: [&str; 5] = ["today", "yesterday", "admission", "discharge", "baseline"];
    let tokens = note.layout().line_tokens(line);
    // The first cell may be the header of the names.
    let cells =
        tokens.clone().skip(1).find(|&at| note.gap(at) == Gap::Wide || is_bar(note, at)).unwrap_or(tokens.start);
    let is_time = |at: usize| note.is_number(at) || note.any(at, TIMES) || WORDS.contains(&note.word(at));
    let times = (cells..tokens.end).filter(|&at| is_time(at)).count();
    times > 1 && (cells..tokens.end).all(|at| !note.is_word(at) || is_time(at) || at == tokens.start)
}

/// Returns whether a word leads to a value at another time or in another state.
fn is_cue(word: &str) -> bool {
    CUES.binary_search(&word).is_ok()
}

/// Returns whether numbers after a word are not values of the patient.
fn ends_values(word: &str) -> bool {
    matches!(word, "normal" | "range" | "ref" | "reference" | "limit" | "limits" | "by" | "for")
}
