//! Number plates and citizen numbers by their form: short rows of capitals and digits with hyphens or blanks.
//!
//! `code` finds long or mixed rows; this module handles forms whose parts alone could be an abbreviation and a value:
//! `HS-629-GT`, `RG63 LPD`, `CS 7731 CN`, `187 BHK`, `ZZ 43 11 35 T`.

use super::date::may_be_year;
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// The maximum number of parts.
const MAX_PARTS: usize = 5;

/// Lists of words that make capitals next to a number an amount or a value.
const CLINICAL: Classes = Classes::of(&[
    Class::Unit,
    Class::Dose,
    Class::Duration,
    Class::Counted,
    Class::Sized,
    Class::Measurement,
    Class::Score,
    Class::Marker,
    Class::Level,
    Class::CodeSystem,
    Class::AgeCue,
    Class::Month,
    Class::Weekday,
    Class::OrdinalWord,
]);

/// Lists of words that announce or join numbers, and of everyday words.
const NEVER: Classes = Classes::of(&[
    Class::Stop,
    Class::Link,
    Class::NumberWord,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::WardNoun,
    Class::State,
    Class::Title,
    Class::NameField,
    Class::Credential,
]);

/// Words, terms and abbreviations.
const LISTED: Classes = Classes::of(&[Class::English, Class::Term, Class::Brand, Class::Literature, Class::Clinical])
    .or(NEVER)
    .or(CLINICAL);

/// At most six glued letters and digits.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    first: usize,
    end: usize,
    letters: usize,
    digits: usize,
    /// The lists of its letters.
    lists: Classes,
}

/// Returns the part around a token: capitals and integers only.
fn plate_part_at(note: &Note<'_>, at: usize) -> Option<Part> {
    let (mut first, mut last) = (at, at + 1);
    while first > 0 && at - first < MAX_PARTS && note.token(first).glued() {
        first -= 1;
    }
    while last - at < MAX_PARTS && note.token(last).glued() {
        last += 1;
    }
    let mut part = Part { first, end: last, ..Part::default() };
    for token in first..last {
        let len = note.width(token);
        if note.is_word(token) && (note.case(token) == Case::Upper || len == 1 && note.capitalised(token)) {
            part.letters += len;
            part.lists |= note.classes(token);
        } else if note.integer(token).is_some() {
            part.digits += len;
        } else {
            return None;
        }
    }
    (part.letters <= 3 && part.letters + part.digits <= 6).then_some(part)
}

/// Finds a number plate or citizen number, at its first number.
pub(in crate::rules) fn find_plate(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let capitals = |word: usize| note.is_word(word) && note.case(word) == Case::Upper && note.width(word) <= 3;
    let hyphen = note.is_mark(at.wrapping_sub(1), b'-') || note.is_mark(at + 1, b'-');
    let glued = note.token(at).glued() || note.token(at + 1).glued();
    if !(hyphen || glued || capitals(at.wrapping_sub(1)) || capitals(at + 1)) {
        return;
    }
    let Some(here) = plate_part_at(note, at) else { return };
    for hyphen in [true, false] {
        let mut parts = [Part::default(); MAX_PARTS];
        let Some(row) = row_of_parts(note, here, hyphen, &mut parts) else { continue };
        // Each row is read once, at its first number.
        let (first, last) = (row[0].first, row[row.len() - 1].end);
        if (first..at).any(|before| note.is_number(before)) {
            continue;
        }
        if let Some((kind, certainty)) = classify_plate_row(note, row, hyphen) {
            findings.remove(first, last, kind, certainty);
            return;
        }
    }
}

/// Returns the parts joined to this one; `None` if it is alone or the row does not end.
fn row_of_parts<'a>(note: &Note<'_>, here: Part, hyphen: bool, parts: &'a mut [Part; MAX_PARTS]) -> Option<&'a [Part]> {
    let width = usize::from(hyphen);
    let joint = |at: usize| {
        if hyphen {
            note.is_mark(at, b'-') && note.joined(at) && note.joined(at + 1)
        } else {
            note.gap(at) == Gap::Space
        }
    };
    let mut first = here;
    while first.first > width && joint(first.first - width) {
        // Letters alone may precede the first number.
        let Some(other) = plate_part_at(note, first.first - width - 1).filter(|other| other.digits == 0) else { break };
        first = other;
    }
    let (mut len, mut next) = (0, Some(first));
    while let Some(part_here) = next.filter(|_| len < MAX_PARTS) {
        parts[len] = part_here;
        len += 1;
        next = joint(part_here.end).then(|| plate_part_at(note, part_here.end + width)).flatten();
    }
    // `481-57-26` continues.
    let last = parts[len - 1].end;
    let goes_on = note.joined(last) && note.is_any_mark(last, b"-/") && note.joined(last + 1);
    (len > 1 && next.is_none() && !goes_on).then_some(&parts[..len])
}

/// Classifies a row by its form.
fn classify_plate_row(note: &Note<'_>, row: &[Part], hyphen: bool) -> Option<(Kind, Certainty)> {
    let (letters, digits) = row.iter().fold((0, 0), |(l, d), part| (l + part.letters, d + part.digits));
    if let [prefix, .., suffix] = row
        && !hyphen
        && (prefix.letters, prefix.digits, suffix.letters, suffix.digits) == (2, 0, 1, 0)
        && (letters, digits) == (3, 6)
    {
        return Some((Kind::Ssn, Certainty::Likely));
    }
    let plain = |part: &Part| part.letters == 0 || part.digits == 0;
    let announced = row.iter().any(|part| plain(part) && part.lists.any(NEVER));
    let fits = row.len() <= 3 && (5..=8).contains(&(letters + digits)) && letters > 1 && digits > 1;
    if !fits || announced || !hyphen && is_prose_row(note, row) {
        return None;
    }
    let clinical = row.iter().any(|part| part.lists.any(CLINICAL));
    let blank = row.iter().any(|part| part.letters > 1 && !part.lists.any(LISTED));
    // `HS-629-GT`, `CS 7731 CN`, `34 AB 1234`: no value has this form.
    let framed = row.len() == 3 && row.iter().all(plain) && !clinical;
    match () {
        () if (blank || framed) && !(clinical && !hyphen) => Some((Kind::Vehicle, Certainty::Likely)),
        () if !clinical && digits > 2 => Some((Kind::Vehicle, Certainty::Weak)),
        () => None,
    }
}

/// Returns whether the parts are separate values or words of a line in capitals: `the 2012 MRI`, `18G 500 mL`.
fn is_prose_row(note: &Note<'_>, row: &[Part]) -> bool {
    let (first, last) = (row[0].first, row[row.len() - 1].end);
    let capitals = |at: usize| note.is_word(at) && note.case(at) == Case::Upper && note.width(at) > 1;
    let shouted = first > 0 && note.same_line(first) && capitals(first - 1) || note.same_line(last) && capitals(last);
    let amount =
        note.is_mark(last, b'%') || note.same_line(last) && note.any(last, CLINICAL) && !note.is(last, Class::Stop);
    let value = |part: &Part| {
        let value = note.integer(part.first).filter(|_| part.letters == 0);
        // Years, times of day, and round amounts.
        value.is_some_and(|value| {
            may_be_year(value, part.digits)
                || part.digits == 4 && value < 2400 && value % 100 < 60
                || value.is_multiple_of(100)
        })
    };
    shouted || amount || row.iter().any(value)
}
