//! Short numbers among plain words: `bladder scan 42`, `took 2 baby aspirin`, `residual 60`, `40-60 irregular`,
//! `b/l 1.4`.
//!
//! One or two digits alone do not identify anybody, but a room, a bed, a house or a day does. So the word before the
//! number must be clinical or ordinary and must not name a place or an identifier, and the word after it must not be
//! one that takes a number before it. If the word is removed, so is the number.

#![allow(clippy::match_same_arms, reason = "each arm is a form of its own")]

use std::cell::LazyCell;

use super::NON_CLINICAL_CUES;
use super::amount::{Figure, Shape, in_hyphen_chain};
use super::list::is_in_dense_findings;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::{Case, Kind};
use crate::vocabulary::{Class, Classes};

/// Places and things that numbers tell apart.
static PLACES: WordSet = word_set!("clinical-count-places");

/// Words after which a number may be a day.
static DAYS: WordSet = word_set!("clinical-count-days");

/// Lists of words that may precede a short number.
const LEADS: Classes = Classes::of(&[
    Class::Stop,
    Class::English,
    Class::Literature,
    Class::Clinical,
    Class::Term,
    Class::Measurement,
    Class::Score,
    Class::Dose,
    Class::Counted,
    Class::Unit,
    Class::Link,
    Class::Brand,
    Class::Level,
    Class::Sized,
    Class::PersonVerb,
    Class::Duration,
]);

/// Lists of clinical words.
const MEDICINE: Classes = Classes::of(&[
    Class::Clinical,
    Class::Term,
    Class::Measurement,
    Class::Score,
    Class::Dose,
    Class::Brand,
    Class::Sized,
    Class::Literature,
]);

/// Lists of words that never precede a short number.
const NEVER: Classes = NON_CLINICAL_CUES.or(Classes::of(&[
    Class::NameField,
    Class::Weekday,
    Class::State,
    Class::Holiday,
    Class::Season,
    Class::PersonNoun,
    Class::Credential,
]));

/// Returns whether a word before the number in its clause announces an identifier, a phone number or a place.
pub(in crate::rules) fn follows_id_cue(note: &Note<'_>, at: usize) -> bool {
    follows_id_cue_within(note, at, 4)
}

/// The same within at most `reach` tokens.
pub(super) fn follows_id_cue_within(note: &Note<'_>, at: usize, reach: usize) -> bool {
    const WORDS: Classes = Classes::of(&[Class::WardNoun, Class::IdKeyword, Class::PhoneKeyword, Class::StreetType]);
    let announces = |word: usize| {
        let street = note.is(word, Class::StreetType) && note.case(word) == Case::Lower;
        note.any(word, WORDS)
            && !(street && !note.is(word, Class::WardNoun))
            && !word_is!(note, word, "plan" | "no" | "record")
    };
    (1..=reach.min(at))
        .take_while(|back| note.same_line(at + 1 - back) && !note.is_any_mark(at - back, b".;"))
        .map(|back| at - back)
        .any(|word| note.is_mark(word, b'#') || note.is_word(word) && (announces(word) || PLACES.has(note, word)))
}

/// Vouches for a short number after a plain word, after another number, or before a counted noun.
pub(in crate::rules) fn keep_short_number(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some((last, most)) = short_number_or_range(note, at) else { return };
    let placed = LazyCell::new(|| follows_id_cue(note, at));
    if last == at + 1
        && let Some(other) = previous_in_series(note, at)
    {
        findings.keep_by(other, at, last, Certainty::Weak);
    } else if let Some(last) = end_of_counted_number(note, at, last, most).filter(|_| !*placed) {
        findings.keep(at, last, Certainty::Weak);
    } else if last == at + 1
        && (is_age_of_person(note, at)
            || is_plain_decimal(note, at)
            || is_not_continued(note, last) && is_in_line_of_values(note, at))
        && !*placed
    {
        findings.keep(at, last, Certainty::Weak);
    } else if at > 0
        && note.same_line(at)
        && may_precede_number(note, at - 1, most)
        && is_not_continued(note, last)
        && !*placed
    {
        // The finding depends on the word before the number.
        findings.keep_by(at - 1, at, last, Certainty::Weak);
    }
}

/// Returns the number before this one in a row of short ones: `46, 51, 58`, `88 71 38`, `3.1 to 4.8 to 6.2`. The later
/// number is kept only with the earlier one.
fn previous_in_series(note: &Note<'_>, at: usize) -> Option<usize> {
    let before = at.checked_sub(1).filter(|_| note.same_line(at) && !note.joined(at))?;
    let comma = note.is_any_mark(before, b",;") && note.joined(before) && before > 0;
    let to = word_is!(note, before, "to" | "then") && note.same_line(before) && before > 0;
    let other = before - usize::from(comma || to);
    // `March 3, 4`: a day and what follows it are not values.
    let free = !note.any(other.wrapping_sub(1), Classes::of(&[Class::Month, Class::Weekday]));
    let value = short_number_or_range(note, other).is_some_and(|(last, _)| last == other + 1);
    (value && free && is_unglued_after(note, at + 1) && !follows_id_cue(note, other)).then_some(other)
}

/// Returns whether it is a decimal that cannot be a day and month, or that follows a word which no day follows.
fn is_plain_decimal(note: &Note<'_>, at: usize) -> bool {
    let Some(number) = note.number(at).filter(|number| number.has_form(2, b'.')) else { return false };
    if at == 0 || !note.same_line(at) {
        return false;
    }
    let (one, other) = (number.value(0), number.value(1));
    let dated = (1..=31).contains(&one) && (1..=31).contains(&other) && one.min(other) <= 12;
    let word = at - 1;
    let led = note.is_word(word) && note.any(word, LEADS) && !note.is(word, Class::PersonVerb) || note.is_number(word);
    let day = DAYS.has(note, word) || note.any(word, NEVER.with(Class::DateCue));
    let apart = !note.joined(at) || note.is_any_mark(word, b"(=:@~<>");
    apart && !day && (led || !dated) && is_unglued_after(note, at + 1)
}

/// Returns whether a short number is in a line full of values, after a word that is not a name: `TEG R 9 MA 44`.
fn is_in_line_of_values(note: &Note<'_>, at: usize) -> bool {
    let word = at.wrapping_sub(1);
    let free = note.is_word(word) && !note.token(word).glued() && !note.any(word, NEVER.with(Class::DateCue));
    free && !PLACES.has(note, word) && !DAYS.has(note, word) && is_in_dense_findings(note, at)
}

/// Returns whether nothing is joined to the end of the number.
fn is_unglued_after(note: &Note<'_>, at: usize) -> bool {
    let joint = note.is_any_mark(at, b"-/#@*_:") && note.joined(at) && note.joined(at + 1);
    let long = note.is_number(at) && note.same_line(at) && note.width(at) > 5;
    !note.token(at).glued() && !joint && !long
}

/// Returns the end (exclusive) of a number or a range at the start of a clause, before a counted noun in lower case:
/// `. 2 staff in room`, `(45-60 all week`.
fn end_of_counted_number(note: &Note<'_>, at: usize, last: usize, most: u64) -> Option<usize> {
    const THINGS: Classes =
        Classes::of(&[Class::English, Class::Clinical, Class::Literature, Class::Counted, Class::Term]);
    const BESIDE: Classes = NON_CLINICAL_CUES.or(Classes::of(&[
        Class::NameField,
        Class::Weekday,
        Class::State,
        Class::Holiday,
        Class::Season,
        Class::Credential,
        Class::Stop,
        Class::Surname,
        Class::FirstName,
        Class::City,
        Class::DateCue,
        Class::PlacePart,
        Class::HumanVerb,
    ]));
    if most > 89 && !note.is_mark(at + 1, b'-') && !begins_list_of_numbers(note, last) {
        return None;
    }
    let begins = note.token(at).line_start()
        || at > 0 && (note.is_any_mark(at - 1, b".:;,") && !note.joined(at) || note.is_any_mark(at - 1, b"(\""));
    let thing =
        note.is_word(last) && !note.token(last).glued() && note.same_line(last) && note.case(last) == Case::Lower;
    let known = note.width(last) > 1
        && (note.is(last, Class::Clinical) && !note.is(last, Class::PersonVerb)
            || note.any(last, THINGS)
                && !note.any(last, BESIDE)
                && !PLACES.has(note, last)
                && is_countable_noun(note, last)
            || word_is!(note, last, "staff" | "more" | "other" | "others" | "new" | "left"));
    let plain = note.number(at).is_some_and(|number| number.len() == 1) || last > at + 1;
    // `Found 2 metoprolols`: counted things are plural.
    let several = note.width(last) > 3 && note.bytes(last).ends_with(b"s") && most > 1 && note.same_line(at);
    // `148/70, 44-60 irregular`: a range of two short numbers alone is not a date.
    if begins && last > at + 1 && most > 31 && is_not_continued(note, last) {
        return Some(last);
    }
    if begins && plain && most < 1000 && begins_list_of_numbers(note, last) {
        return Some(last);
    }
    ((begins || several) && thing && known && plain && most > 0).then_some(last)
}

/// Returns whether the word is not a verb, since an action may follow the number of a bed; `2 bends`, `3 calls` are
/// nouns.
fn is_countable_noun(note: &Note<'_>, at: usize) -> bool {
    !note.is(at, Class::PersonVerb) || note.bytes(at).ends_with(b"s")
}

/// Returns whether two more short numbers follow after commas: `(46, 51, 58)`.
fn begins_list_of_numbers(note: &Note<'_>, last: usize) -> bool {
    let more = |comma: usize| {
        note.is_mark(comma, b',') && short_number_or_range(note, comma + 1).is_some_and(|(end, _)| end == comma + 2)
    };
    more(last) && more(last + 2)
}

/// Returns whether it is the age of a person after a name or a sex: `Adaeze Obi, 31, teacher`, `Chidi (7, in school)`,
/// `F 44,`. House numbers do not have commas on both sides.
fn is_age_of_person(note: &Note<'_>, at: usize) -> bool {
    const NEVER: Classes =
        NON_CLINICAL_CUES.or(Classes::of(&[Class::Weekday, Class::State, Class::PlaceAfter, Class::Season]));
    let young =
        note.width(at) <= 2 && note.integer(at).is_some_and(|age| (1..90).contains(&age)) && note.bytes(at)[0] != b'0';
    if !young || at < 2 || !note.same_line(at) {
        return false;
    }
    let closed = note.is_any_mark(at + 1, b",;)(|") || note.is_mark(at + 1, b'.') && !note.joined(at + 2);
    if word_is!(note, at - 1, "f" | "m")
        && note.case(at - 1) != Case::Lower
        && !note.joined(at)
        && !note.token(at - 1).glued()
    {
        return closed && !note.is_number(at + 2) && !note.is_any_mark(at - 2, b"#-/");
    }
    let bracket = note.is_mark(at - 1, b'(') && note.joined(at) && !note.joined(at - 1) && note.same_line(at - 1);
    if !(bracket || note.is_mark(at - 1, b',') && !note.joined(at)) {
        return false;
    }
    let name = at - 2;
    // In a list of numbers or days, another one follows the comma.
    let more = note.is_number(at + 2) || note.any(at + 2, Classes::of(&[Class::Month]));
    let person =
        note.is_word(name) && note.case(name) == Case::Capital && !note.any(name, NEVER) && !PLACES.has(note, name)
            || note.any(name, Classes::of(&[Class::Relative]))
            || note.width(name) == 1 && word_is!(note, name, "f" | "m");
    closed && !more && person
}

/// Returns the end (exclusive) of a short number or a range of two, with the larger value; `None` if anything is glued
/// to it.
fn short_number_or_range(note: &Note<'_>, at: usize) -> Option<(usize, u64)> {
    let one = |at: usize| {
        let figure = Figure::at(note, at)?;
        let number = figure.number;
        let fits = match figure.shape {
            Shape::Integer => number.digits(0) <= 3 && (!figure.has_leading_zero || number.digits(0) == 1),
            // `03.04` is a day, or a part of an identifier.
            Shape::Decimal => {
                number.len() == 2 && !number.has_leading_zero() && number.digits(0) <= 3 && number.digits(1) <= 2
            }
            // `Lungs 410/440`, `18/18`: two values side by side.
            Shape::Slash => {
                let (one, other) = (number.digits(0), number.digits(1));
                one == other && (2..=3).contains(&one) && !figure.looks_like_date() && number.len() == 2
            }
            _ => false,
        };
        fits.then(|| number.value(0))
    };
    let first = one(at)?;
    if note.token(at).glued() || in_hyphen_chain(note, at) {
        return None;
    }
    let dash = at + 1;
    if note.is_mark(dash, b'-') && note.joined(dash) && note.joined(dash + 1) {
        let second = one(dash + 1)?;
        return (second > first).then_some((dash + 2, second));
    }
    Some((dash, first))
}

/// Returns whether such a number may follow the word.
fn may_precede_number(note: &Note<'_>, word: usize, most: u64) -> bool {
    if note.token(word).kind != Kind::Word
        || note.any(word, NEVER)
        || PLACES.has(note, word)
        || note.token(word).glued()
    {
        return false;
    }
    // `b/l 1.4`, `w/ 4`
    let slash = word > 0 && word_is!(note, word, "l" | "w") && note.is_mark(word - 1, b'/') && note.joined(word);
    // `K from 2.3`, `weaned to 1`: the word before the preposition names the value.
    let changed =
        word > 0 && word_is!(note, word, "from" | "to" | "was" | "now" | "at") && note.any(word - 1, MEDICINE);
    if slash || changed && !note.any(word - 1, NEVER.with(Class::DateCue)) {
        return most < 1000;
    }
    let medicine = note.any(word, MEDICINE);
    let named = note.any(word, Classes::of(&[Class::Surname, Class::FirstName, Class::City]));
    match note.case(word) {
        Case::Capital | Case::Mixed if named || !note.any(word, LEADS) => return false,
        _ if named
            && !note.any(word, Classes::of(&[Class::Clinical, Class::Measurement, Class::Stop, Class::Score])) =>
        {
            return false;
        }
        _ => {}
    }
    // A day has at most two digits; ages over 89 and rooms may have more.
    let day = (1..=31).contains(&most);
    if most > 89 {
        return medicine && !note.is(word, Class::AgeCue) && !note.is(word, Class::Stop);
    }
    note.any(word, LEADS) && !(day && (DAYS.has(note, word) || note.is(word, Class::DateCue)))
}

/// Returns whether nothing after the number extends it: a street, a month, more digits, letters.
fn is_not_continued(note: &Note<'_>, at: usize) -> bool {
    let token = note.token(at);
    if note.ends_line(at) {
        return true;
    }
    match token.kind {
        Kind::Number => false,
        Kind::Word if token.glued() => false,
        Kind::Word => {
            let known = note.any(at, Classes::of(&[Class::Clinical, Class::Measurement, Class::Brand, Class::Unit]));
            // `reamed to 53 under`, `breast at 41 and`: stop words are parts of some place names.
            let small = note.is(at, Class::Stop) && note.case(at) == Case::Lower;
            (small
                || !note.any(at, NON_CLINICAL_CUES.or(Classes::of(&[Class::Holiday, Class::PlacePart, Class::State]))))
                && !word_is!(note, at, "of" | "at" | "th" | "st" | "nd" | "rd")
                && (note.case(at) == Case::Lower || known && note.case(at) == Case::Upper)
        }
        Kind::Punct => {
            let more = note.joined(at) && note.joined(at + 1) && (note.is_number(at + 1) || note.is_word(at + 1));
            !more && !note.is_any_mark(at, b"-/#@*&_") || note.is_mark(at, b'-') && !note.joined(at)
        }
        Kind::Symbol => true,
        _ => true,
    }
}
