//! Coordinates precise to metres: `42°21'36"N 71°3'32"W`, `42 deg 21 min N`, `geo:42.36,-71.06`, `42.3601, -71.0589`,
//! `///filled.count.soap`.

use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};

/// Words that announce a latitude and a longitude.
static NAMING: WordSet = word_set!("forms-coordinates-naming");

/// Minutes and seconds of arc in words.
static MINUTES: WordSet = word_set!("forms-coordinates-minutes");

/// The maximum number of tokens of degrees, minutes and seconds.
const MAX_TOKENS: usize = 10;

/// Finds coordinates at a degree sign or its word, a colon, a comma or a slash.
pub(in crate::rules) fn find_coordinates(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let found = match note.word(at) {
        "°" | "º" | "deg" | "degree" | "degrees" => degree_coordinates(note, at),
        ":" => geo_uri(note, at),
        "," => decimal_coordinates(note, at),
        "/" | "///" => three_word_address(note, at),
        _ => None,
    };
    if let Some((first, last)) = found {
        findings.remove(first, last, Kind::Street, Certainty::Sure);
    }
}

/// Returns the range of `42°21'36"N`: a number, a degree sign, minutes, and a compass point. A temperature has no
/// minutes.
fn degree_coordinates(note: &Note<'_>, at: usize) -> Option<(usize, usize)> {
    let first = at.checked_sub(1).filter(|&number| note.is_number(number))?;
    let quarter =
        |part: usize| note.width(part) == 1 && word_is!(note, part, "n" | "s" | "e" | "w") && note.capitalised(part);
    let part = |part: usize| {
        note.same_line(part)
            && (note.is_number(part) || !note.is_word(part) || word_is!(note, part, "'s") || MINUTES.has(note, part))
    };
    let end = (at + 1..at + MAX_TOKENS).find(|&end| quarter(end) || !part(end)).filter(|&end| quarter(end))?;
    let exact = end > at + 2 || note.number(first).is_some_and(|number| number.len() == 2 && number.digits(1) > 2);
    exact.then_some((first, end + 1))
}

/// Returns the range of `geo:42.36,-71.06`.
fn geo_uri(note: &Note<'_>, at: usize) -> Option<(usize, usize)> {
    let scheme = at.checked_sub(1).filter(|&scheme| word_is!(note, scheme, "geo"))?;
    let end = (at + 1..at + MAX_TOKENS).find(|&end| !note.joined(end) || end >= note.len())?;
    (end > at + 1).then_some((scheme, end))
}

/// Returns the range of `42.3601, -71.0589`: a decimal latitude and longitude, precise to a house or labelled as such.
fn decimal_coordinates(note: &Note<'_>, at: usize) -> Option<(usize, usize)> {
    let first = at.checked_sub(1)?;
    let second = at + 1 + usize::from(note.is_mark(at + 1, b'-'));
    let exact = |at: usize, most: u64| {
        note.number(at)
            .is_some_and(|number| number.has_form(2, b'.') && number.value(0) <= most && number.digits(1) >= 4)
    };
    let named = (first.saturating_sub(6)..first).any(|at| NAMING.has(note, at));
    let decimal = |at: usize| note.number(at).is_some_and(|number| number.has_form(2, b'.') && number.digits(1) >= 2);
    let pair = exact(first, 90) && exact(second, 180) || named && decimal(first) && decimal(second);
    let sign = usize::from(first > 0 && note.is_mark(first - 1, b'-'));
    (pair && note.same_line(second)).then_some((first - sign, second + 1))
}

/// Returns the range of `///filled.count.soap`: three words for a square of three metres.
fn three_word_address(note: &Note<'_>, at: usize) -> Option<(usize, usize)> {
    let first = if note.width(at) == 3 {
        at
    } else {
        at.checked_sub(2).filter(|&first| note.is_mark(first, b'/') && note.is_mark(at - 1, b'/'))?
    };
    let word = at + 1;
    let three = [word, word + 2, word + 4].iter().all(|&word| note.is_word(word) && note.joined(word))
        && note.is_mark(word + 1, b'.')
        && note.is_mark(word + 3, b'.');
    three.then_some((first, word + 5))
}
