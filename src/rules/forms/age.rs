//! Ages over 89: `93 y/o`, `93F`, `ninety-three years old`, `died at 91`, `in her nineties`, `1,080 months`.

use super::date::{may_be_year, number_words};
use super::decade::is_decade_of_life as decade;
use super::future_age::is_future_age;
use crate::rules::engine::digits::DIGITS;
use crate::rules::engine::digits::{is_misscanned_digits, read_misscanned_number};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// The minimum age that is removed.
const MIN_REMOVED_AGE: u64 = 90;

/// The maximum age of a person.
const MAX_AGE: u64 = 130;

/// Finds an age at a number.
pub(in crate::rules) fn find_age_over_89(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let bytes = note.bytes(at);
    // `died at age 9l`
    if bytes.len() <= 2
        && note.token(at + 1).glued()
        && is_misscanned_digits(note.bytes(at + 1))
        && !note.token(at).glued()
        && let Some((number, last)) = read_misscanned_number(note, at)
        && (MIN_REMOVED_AGE..=MAX_AGE).contains(&number.value(0))
    {
        report_age(note, at, last, findings);
        return;
    }
    if bytes.len() < 2 || bytes.len() > 7 {
        return;
    }
    if note.token(at).glued() && at > 0 && note.is_word(at - 1) {
        // `strength93 y/o`: only the text after the number can mark it as an age. `T2N0123M0` has none.
        if bytes.len() < 4
            && let (Some(MIN_REMOVED_AGE..=MAX_AGE), Some((end, certainty))) =
                (note.integer(at), age_unit_after(note, at + 1))
        {
            findings.remove(at, end, Kind::AgeOver89, certainty);
        }
        return;
    }
    match bytes {
        [b'9', b'0'..=b'9']
        | [b'1', b'0'..=b'3', b'0'..=b'9']
        | [b'9', b'0'..=b'9', b'.' | b'/', ..]
        | [b'1', b'0'..=b'3', b'0'..=b'9', b'.' | b'/', ..] => {}
        _ => return find_long_age(note, at, findings),
    }
    let Some(number) = note.number(at) else { return };
    let value = number.value(0);
    if !(MIN_REMOVED_AGE..=MAX_AGE).contains(&value) {
        return;
    }
    // `92/93 year old`
    if number.has_form(2, b'/') && (MIN_REMOVED_AGE..=MAX_AGE).contains(&number.value(1)) {
        if let Some((end, certainty)) = age_unit_after(note, at + 1) {
            findings.remove(at, end, Kind::AgeOver89, certainty);
        }
        return;
    }
    // `93.5 years old`; `93/F` is 93, a mark and a letter.
    if number.len() > 2 || (number.len() == 2 && number.separator(0) != b'.') {
        return;
    }
    report_age(note, at, at + 1, findings);
}

/// Words that begin the number of an age over 89.
static OLDEST_WORDS: WordSet = word_set!("forms-age-oldest");

/// Finds an age in words: `ninety-three`, `one hundred and two`, `in her nineties`, `centenarian`.
pub(in crate::rules) fn find_spoken_age(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let word = note.bytes(at);
    match word {
        b"nineties" if decade(note, at) => {
            findings.remove(at, at + 1, Kind::AgeOver89, Certainty::Likely);
        }
        b"centenarian" | b"nonagenarian" | b"supercentenarian" | b"centenarians" | b"nonagenarians" => {
            findings.remove(at, at + 1, Kind::AgeOver89, Certainty::Sure);
        }
        _ if DIGITS.has(note, at) && is_unit_glued_to_ninety(note, at) => {
            report_age(note, at - 2, at + 1, findings);
        }
        b"ninety" if end_of_glued_years(note, at).is_some() => {
            let last = end_of_glued_years(note, at).unwrap_or(at + 1);
            findings.remove(at, last, Kind::AgeOver89, Certainty::Sure);
        }
        _ if OLDEST_WORDS.has(note, at) => {
            let first = if matches!(word, b"hundred" | b"hundredth") && at > 0 && word_is!(note, at - 1, "a") {
                at - 1
            } else {
                at
            };
            if let Some((MIN_REMOVED_AGE..=MAX_AGE, end)) = number_words::read_ordinal(note, at)
                && note.follows(end)
                && word_is!(note, end, "birthday" | "year" | "bday" | "decade")
            {
                findings.remove(first, end, Kind::AgeOver89, Certainty::Likely);
            } else if let Some((MIN_REMOVED_AGE..=MAX_AGE, end)) = number_words::read_cardinal(note, at) {
                report_age(note, first, end, findings);
            }
        }
        _ => {}
    }
}

/// Returns whether it is the unit of `isninety-two`, with no space before the number.
fn is_unit_glued_to_ninety(note: &Note<'_>, at: usize) -> bool {
    at >= 2
        && note.is_mark(at - 1, b'-')
        && note.joined(at)
        && note.joined(at - 1)
        && note.width(at - 2) > 6
        && note.bytes(at - 2).ends_with(b"ninety")
}

/// Returns the end (exclusive) of `ninety-twoyears` or `ninetytwo-yearold`, with no space after the number.
fn end_of_glued_years(note: &Note<'_>, at: usize) -> Option<usize> {
    let unit = at + 1 + usize::from(note.is_mark(at + 1, b'-'));
    let word = note.bytes(unit);
    let years = |unit: &&str| {
        word.strip_prefix(unit.as_bytes()).is_some_and(|rest| rest.starts_with(b"year") || rest.starts_with(b"yr"))
    };
    (note.is_word(unit) && note.follows(unit) && DIGITS.words().iter().any(years)).then_some(unit + 1)
}

/// Reports the number `first..last`, which is between 90 and 130, if it is an age.
fn report_age(note: &Note<'_>, first: usize, last: usize, findings: &mut Findings) {
    if let Some((end, certainty)) = age_unit_after(note, last) {
        findings.remove(start_of_age_range(note, first), end, Kind::AgeOver89, certainty);
        return;
    }
    if is_not_age(note, last) {
        return;
    }
    // `in his 90s`, `mid-90's`
    if note.is_number(first) && note.joined(last) && word_is!(note, last, "s" | "'s" | "ish") {
        if decade(note, first) {
            findings.remove(first, last + 1, Kind::AgeOver89, Certainty::Likely);
        }
        return;
    }
    if note.is_number(first) && note.follows(last) && word_is!(note, last, "th" | "st" | "nd" | "rd") {
        let birthday = word_is!(note, last + 1, "birthday" | "year" | "bday" | "b'day");
        if birthday && note.follows(last + 1) {
            findings.remove(first, last + 1, Kind::AgeOver89, Certainty::Likely);
        }
        return;
    }
    if has_age_label_before(note, first) {
        findings.remove(start_of_age_range(note, first), last, Kind::AgeOver89, Certainty::Sure);
        return;
    }
    if let Some(certainty) = age_cue_before(note, first, last) {
        findings.remove(start_of_age_range(note, first), last, Kind::AgeOver89, certainty);
    }
}

/// Returns whether the letter is part of `y/o` or `y.o.` after a number; the `o` alone looks like an initial.
pub(in crate::rules) fn is_letter_of_age_unit(note: &Note<'_>, at: usize) -> bool {
    let first = if word_is!(note, at, "o") { at.saturating_sub(2) } else { at };
    let unit = first > 0 && word_is!(note, first, "y") && word_is!(note, first + 2, "o");
    unit && note.is_any_mark(first + 1, b"/.")
        && note.joined(first + 1)
        && note.joined(first + 2)
        && note.is_number(first - 1)
        && note.width(first - 1) <= 3
        && note.same_line(first)
}

/// Returns the first number of `90-95 years`, `90 to 95 years`.
fn start_of_age_range(note: &Note<'_>, first: usize) -> usize {
    let joins =
        first >= 2 && note.follows(first) && (note.is_mark(first - 1, b'-') || word_is!(note, first - 1, "to" | "or"));
    let old = joins && note.integer(first - 2).is_some_and(|value| (MIN_REMOVED_AGE..=MAX_AGE).contains(&value));
    if old { first - 2 } else { first }
}

/// Abbreviations of "years old", optionally with the sex.
static YEARS_OLD: WordSet = word_set!("forms-age-years-old");

/// Years, including misspellings.
static YEARS: WordSet = word_set!("forms-age-years");

/// Words and abbreviations for the sex, optionally with the race.
static SEXES: WordSet = word_set!("forms-age-sexes");

/// Returns the end (exclusive) and certainty of an age by its unit after the number: `y/o`, `years old`, `F`.
fn age_unit_after(note: &Note<'_>, last: usize) -> Option<(usize, Certainty)> {
    let mut at = last;
    for _ in 0..3 {
        let passes = note.follows(at)
            && (note.is_any_mark(at, b"-+")
                || (note.is_word(at) && word_is!(note, at, "plus" | "odd" | "or" | "full" | "some")));
        if !passes {
            break;
        }
        at += 1;
    }
    if !note.is_word(at) || !(note.follows(at) || note.gap(at) == Gap::Wide) {
        // `93/F`, `(93, F)`
        let letter = note.is_any_mark(last, b"/,")
            && note.is_word(last + 1)
            && note.same_line(last + 1)
            && word_is!(note, last + 1, "f" | "m" | "female" | "male");
        // `A/S/R: 93/F/W`
        let race = note.is_mark(last + 2, b'/')
            && note.is_word(last + 3)
            && note.joined(last + 3)
            && note.capitalised(last + 3);
        return (letter && (race || !note.is_mark(last + 2, b'/'))).then_some((last, Certainty::Likely));
    }
    let next = |offset: usize| {
        if note.follows(at + offset) || note.joined(at + offset) { note.bytes(at + offset) } else { b"" }
    };
    match note.bytes(at) {
        _ if YEARS_OLD.has(note, at) => Some((last, Certainty::Sure)),
        b"y" => match (next(1), next(2)) {
            (b"/" | b"." | b"-" | b"o" | b"/o" | b"old", _) => Some((last, Certainty::Sure)),
            _ => Some((last, Certainty::Likely)),
        },
        _ if YEARS.has(note, at) => {
            // Any ninety years of a person imply the age: `smoked for 90 years`.
            let old = matches!(next(1), b"old" | b"of" | b"young" | b"-" | b"." | b"o");
            Some((last, if old { Certainty::Sure } else { Certainty::Likely }))
        }
        _ if SEXES.has(note, at) => sex_after(note, at),
        _ => None,
    }
}

/// Words after the sex of a person.
static AFTER_SEX: WordSet = word_set!("forms-age-behind-sex");

/// Words before a temperature.
static TEMPERATURE_CUES: WordSet = word_set!("forms-age-warmth");

/// Returns the same for a sex after the age: `93F`, `93 M`, `93 female`, `93 wm`; not `98.6 F`, `95 am`, `100 m walk`.
fn sex_after(note: &Note<'_>, at: usize) -> Option<(usize, Certainty)> {
    let word = note.bytes(at);
    let written_out = word.len() > 2;
    let capital = note.case(at) == Case::Upper;
    let temperature = at >= 2
        && (TEMPERATURE_CUES.has(note, at - 2) || note.any(at - 2, Classes::of(&[Class::Measurement, Class::Unit])));
    let degrees = note.is_any_mark(at.wrapping_sub(2), b":=") || note.is_any_mark(at + 1, b"/");
    if !written_out && (temperature || degrees || (word.len() == 2 && !capital)) {
        return None;
    }
    let person_follows = note.follows(at + 1) && (AFTER_SEX.has(note, at + 1) || note.is_any_mark(at + 1, b",;.)"));
    let glued = note.token(at).glued();
    (written_out
        || (capital && (glued || person_follows || note.token(at - 1).line_start()))
        || (glued && person_follows))
        .then_some((at, if written_out { Certainty::Sure } else { Certainty::Likely }))
}

/// Returns whether the number is a value: `90 degrees`, `93 mg`, `92 %`, `95/60`.
fn is_not_age(note: &Note<'_>, last: usize) -> bool {
    let unit = note.is_word(last) && note.same_line(last) && note.is(last, Class::Unit) && !note.is(last, Class::Stop);
    unit || note.is_any_mark(last, b"%/*^=") && note.same_line(last)
}

/// Words that may stand between an age cue and the age.
static PASSING: WordSet = word_set!("forms-age-passing");

/// Words that announce an age.
static NAMING: WordSet = word_set!("forms-age-naming");

/// Words for a death.
static DYING: WordSet = word_set!("forms-age-dying");

/// Other words that may stand between a person and the age.
static LIVING: WordSet = word_set!("forms-age-living");

/// Returns the certainty of an age from the words before the number: `age 93`, `turned 90`, `died at 91`, `mother, 94`.
fn age_cue_before(note: &Note<'_>, first: usize, last: usize) -> Option<Certainty> {
    let mut at = first;
    let mut passed = false;
    let mut comma = false;
    let mut preposition = false;
    for _ in 0..7 {
        // A line may break between `age` and its number.
        let led = at == first
            && at > 0
            && note.gap(at) == Gap::Line
            && word_is!(note, at - 1, "age" | "aged" | "turned" | "at");
        if at == 0 || (note.ends_line(at) && note.border_before(at)) && !led {
            return None;
        }
        at -= 1;
        if note.is_any_mark(at, b":=~>(-,.") {
            comma |= note.is_any_mark(at, b",(");
            continue;
        }
        if !note.is_word(at) {
            return None;
        }
        let word = note.bytes(at);
        let names = match word {
            _ if NAMING.has(note, at) => true,
            _ if DYING.has(note, at) => {
                // `mother d. 91`
                preposition || comma || passed || word == b"d" && at + 2 == first && note.is_mark(at + 1, b'.')
            }
            b"he" | b"she" if passed && is_future_age(note, at + 1, last, ends_clause(note, last)) => true,
            b"he" | b"she" => passed && word_is!(note, at + 1, "is" | "was" | "turned") && ends_clause(note, last),
            b"patient" | b"pt" => passed && word_is!(note, at + 1, "is" | "was") && ends_clause(note, last),
            _ => false,
        };
        if names {
            return Some(Certainty::Likely);
        }
        // `a grandmother of ninety-nine`
        let of = at + 2 == first && word_is!(note, at + 1, "of");
        let told = || {
            (comma || passed || at + 1 == first) && ends_clause(note, last) || is_future_age(note, at + 1, last, false)
        };
        if note.is(at, Class::Relative) && (of || told()) {
            return Some(Certainty::Likely);
        }
        preposition |= matches!(word, b"at" | b"of" | b"to" | b"until");
        let goes_on = PASSING.has(note, at) || (note.is(at, Class::AgeCue) && word.len() > 2) || LIVING.has(note, at);
        if !goes_on {
            return is_apposition(note, first, last, at).then_some(Certainty::Likely);
        }
        if matches!(word, b"passed" | b"alive" | b"living") && (comma || preposition || at + 1 == first) {
            return Some(Certainty::Likely);
        }
        passed = true;
    }
    None
}

/// Words between the label of an age and the number, such as the event.
static EVENTS: WordSet = word_set!("forms-age-events");

/// Returns whether an age label precedes, maybe with an event: `Age at time of diagnosis: 94`, `age_years: 93.4`.
fn has_age_label_before(note: &Note<'_>, first: usize) -> bool {
    const MAX_DISTANCE: usize = 12;
    let before = (first.saturating_sub(MAX_DISTANCE)..first).rev().take_while(|&at| note.same_line(at + 1));
    before.into_iter().find(|&at| !EVENTS.has(note, at)).is_some_and(|at| word_is!(note, at, "age" | "aged" | "ages"))
}

/// Returns whether it is an apposition, `Smith, 93, was`: a capitalised word, a comma, the number, a comma.
fn is_apposition(note: &Note<'_>, first: usize, last: usize, at: usize) -> bool {
    first == at + 2
        && note.is_mark(at + 1, b',')
        && note.is_mark(last, b',')
        && note.case(at) != Case::Lower
        && !note.any(
            at,
            Classes::of(&[Class::Measurement, Class::Unit, Class::Stop, Class::Term, Class::Clinical, Class::Score]),
        )
        && note.is_word(last + 1)
}

/// Returns whether the clause ends or a word follows that never follows an amount.
fn ends_clause(note: &Note<'_>, last: usize) -> bool {
    let next = note.token(last);
    next.gap >= Gap::Line || note.is_any_mark(last, b".,;()") || CLOSING.has(note, last)
}

/// Words that follow an age but not an amount.
static CLOSING: WordSet = word_set!("forms-age-closing");

/// Finds an age in months or weeks, or a year of birth: `1,080 months`, `4,700 weeks`, `born in 1912`.
fn find_long_age(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(number) = note.number(at) else { return };
    let thousands = number.len() == 2 && number.separator(0) == b',' && number.digits(1) == 3;
    if number.len() > 1 && !thousands {
        return;
    }
    let value = if thousands { number.value(0) * 1000 + number.value(1) } else { number.value(0) };
    let skip = usize::from(note.is_mark(at + 1, b'-'));
    if note.is_word(at + 1 + skip) && note.same_line(at + 1 + skip) {
        let days = match note.bytes(at + 1 + skip) {
            b"months" | b"month" | b"mos" | b"mo" => 30,
            b"weeks" | b"week" | b"wks" | b"wk" => 7,
            b"days" | b"day" => 1,
            _ => 0,
        };
        if days > 0 && value >= MIN_REMOVED_AGE * 360 / days && value <= MAX_AGE * 370 / days {
            let old = matches!(note.bytes(at + 2 + skip), b"old" | b"of" | b"-");
            findings.remove(at, at + 1, Kind::AgeOver89, if old { Certainty::Sure } else { Certainty::Likely });
            return;
        }
    }
    if may_be_year(value, number.digits(0)) && value <= 1936 && is_birth_year(note, at) {
        findings.remove(at, at + 1, Kind::AgeOver89, Certainty::Likely);
    }
}

/// Returns whether it is the year of somebody's birth.
fn is_birth_year(note: &Note<'_>, at: usize) -> bool {
    (1..=4.min(at)).any(|back| word_is!(note, at - back, "born" | "birth" | "dob" | "yob" | "birthdate"))
}
