//! Numbers with a slash that are a fraction, a share, a strength or an amount, not a day and month: `3/4 of breakfast`,
//! `24 2/7 weeks`, `strength 5/5`, `nodes: 0/13`, `sepsis 2/2 UTI`, `I/O 2300/1800`, `1½ tabs`.

use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note, Number};
use crate::vocabulary::{Class, Classes};

/// Nouns counted in fractions or shares: `3/4 pills`, `3/12 cores`.
static SHARED: WordSet = word_set!("clinical-fraction-shared");

/// Nouns before a strength, a score or a share: `strength`, `pulses`, `nodes`.
static GRADED: WordSet = word_set!("clinical-fraction-graded");

/// Words for results, which follow a test with its day: `CXR 2/2 normal`.
static RESULTS: WordSet = word_set!("clinical-fraction-results");

/// Words that end the search for a graded noun, because a date follows them.
static DATING: WordSet = word_set!("clinical-span-dating");

/// Units divided into sevenths: `weeks`, `weeker`.
static WEEKS: WordSet = word_set!("clinical-fraction-weeks");

/// Labels of a fluid balance.
static BALANCES: WordSet = word_set!("clinical-fraction-balances");

/// What somebody gets around the clock.
static AROUND_THE_CLOCK: WordSet = word_set!("clinical-fraction-around-the-clock");

/// The maximum distance in tokens between a graded noun and its grade: `Strength: L arm 4/5, L leg 3/5`.
const MAX_NOUN_DISTANCE: usize = 10;

/// Vouches for a number with a slash.
pub(in crate::rules) fn keep_fraction(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(number) = note.number(at).filter(|number| number.has_form(2, b'/')) else { return };
    if let Some((first, last)) = weeks_and_sevenths(note, at, number).or_else(|| fluid_balance(note, at)) {
        findings.keep(first, last, Certainty::Sure);
        return;
    }
    if let Some((first, last)) = common_fraction_with_unit(note, at, number) {
        findings.keep_by(at + 1, first, last, Certainty::Sure);
        return;
    }
    let free = !note.token(at).glued()
        && !note.token(at + 1).glued()
        && !(note.joined(at) && at > 0 && note.is_any_mark(at - 1, b"-/."))
        && !(note.is_any_mark(at + 1, b"-/") && note.joined(at + 1));
    if !free || follows_date_word(note, at) {
        return;
    }
    if is_share_of_whole(note, at, number)
        || means_secondary_to(note, at, number)
        || graded_noun_follows(note, at, number)
        || means_around_the_clock(note, at, number)
    {
        findings.keep(at, at + 1, Certainty::Sure);
    } else if let Some(cue) = graded_noun_before(note, at, number) {
        // The graded noun may be far away: if the number may be a date, let the model overrule.
        let certainty = if may_be_month_and_day(number) { Certainty::Likely } else { Certainty::Sure };
        findings.keep_by(cue, at, at + 1, certainty);
    }
}

/// Returns whether the number is `24/7` before what somebody gets around the clock: `24/7 care`.
fn means_around_the_clock(note: &Note<'_>, at: usize, number: &Number) -> bool {
    let (hours, days, next) = (number.value(0), number.value(1), at + 1);
    (hours, days) == (24, 7) && note.same_line(next) && AROUND_THE_CLOCK.has(note, next)
}

/// Returns whether the number is a month and a day more often than a grade: `4/30`, `22/6`, but not `4/5` or `7/10`.
fn may_be_month_and_day(number: &Number) -> bool {
    let (first, second) = (number.value(0), number.value(1));
    let is = |month: u64, day: u64| (1..=12).contains(&month) && (6..=31).contains(&day) && day != 10;
    is(first, second) || is(second, first)
}

/// Returns whether a word that introduces a date directly precedes: `on 3/4`.
fn follows_date_word(note: &Note<'_>, at: usize) -> bool {
    at > 0
        && note.same_line(at)
        && (DATING.has(note, at - 1) || note.any(at - 1, Classes::of(&[Class::Weekday, Class::Month])))
}

/// Returns the token range of a common fraction with its unit: `1/2 inch`, `1 3/4 days`, `1½ tabs`, `D5½NS`.
fn common_fraction_with_unit(note: &Note<'_>, at: usize, number: &Number) -> Option<(usize, usize)> {
    const MEASURED: Classes = Classes::of(&[Class::Unit, Class::Dose, Class::Duration, Class::Counted]);
    let common =
        matches!((number.value(0), number.value(1)), (1, 2..=4 | 8) | (2, 3) | (3, 4 | 8)) && number.digits(1) == 1;
    let glued = note.token(at).glued() || note.joined(at) && at > 0 && !note.is_any_mark(at - 1, b"-([");
    let next = at + 1;
    let measured = note.any(next, MEASURED) || SHARED.has(note, next) || word_is!(note, next, "ns" | "lr");
    if !common || !measured || !note.same_line(next) {
        return None;
    }
    let whole =
        at.checked_sub(1).filter(|&whole| note.same_line(at) && note.integer(whole).is_some_and(|whole| whole < 100));
    // `D5 1/2NS`: dextrose in saline.
    let saline = usize::from(note.token(next).glued() || word_is!(note, next, "ns" | "lr"));
    let dextrose = whole.is_some_and(|whole| note.token(whole).glued() && word_is!(note, whole - 1, "d"));
    match whole {
        Some(whole) if !note.token(whole).glued() => Some((whole, next + saline)),
        Some(whole) if dextrose => Some((whole - 1, next + saline)),
        None if !glued => Some((at, next + saline)),
        _ => None,
    }
}

/// Returns the token range of weeks and sevenths: `24 2/7 weeks`, `ex-28 3/7`, `40+3/7 weeks`.
fn weeks_and_sevenths(note: &Note<'_>, at: usize, number: &Number) -> Option<(usize, usize)> {
    let sevenths = number.value(1) == 7 && number.value(0) < 7 && number.digits(0) == 1 && number.digits(1) == 1;
    let plus = usize::from(at > 1 && note.is_mark(at - 1, b'+') && note.joined(at));
    let whole = at.checked_sub(1 + plus).filter(|_| note.same_line(at))?;
    let counted = note.integer(whole).is_some_and(|weeks| (1..=44).contains(&weeks)) && note.width(whole) <= 2;
    let unit = at + 1 + usize::from(note.is_mark(at + 1, b'-') && note.joined(at + 1));
    let named = WEEKS.has(note, unit)
        || whole > 0
            && word_is!(
                note,
                whole - 1 - usize::from(note.is_mark(whole - 1, b'-') && whole > 1),
                "ex" | "ga" | "ega" | "gestation"
            );
    let end = at + 1 + usize::from(unit == at + 1 && note.token(unit).glued());
    (sevenths && counted && named).then_some((whole, end))
}

/// Returns the token range of a fluid balance: `I/O 2300/1800`, `ins/outs 2300/1800`, `UOP 1800/24h`.
fn fluid_balance(note: &Note<'_>, at: usize) -> Option<(usize, usize)> {
    let mut before = at.checked_sub(1).filter(|_| note.same_line(at))?;
    if note.is_any_mark(before, b":=") && before > 0 {
        before -= 1;
    }
    let pair = before > 1 && note.is_any_mark(before - 1, b"/&") && note.same_line(before);
    let both = pair
        && (word_is!(note, before, "o") && word_is!(note, before - 2, "i")
            || word_is!(note, before, "outs" | "out" | "output")
                && word_is!(note, before - 2, "ins" | "in" | "intake"));
    if both {
        return Some((before - 2, at + 1));
    }
    let hours = note.token(at + 1).glued() && word_is!(note, at + 1, "h" | "hr" | "hrs");
    BALANCES.has(note, before).then_some((at, at + 1 + usize::from(hours)))
}

/// Returns whether it is a share of a whole: `3/4 of breakfast`, `3/12 cores`, `3/4 pills`.
fn is_share_of_whole(note: &Note<'_>, at: usize, number: &Number) -> bool {
    let next = at + 1;
    let part = number.value(0) <= number.value(1) && number.value(1) <= 60;
    let of = word_is!(note, next, "of")
        && note.is_word(next + 1)
        && !note.capitalised(next + 1)
        && !word_is!(note, next + 1, "last" | "this" | "next" | "that");
    // `2/4 SIRS criteria`, `2/4 blood cultures`
    let noun = SHARED.has(note, next) || note.is_word(next) && note.same_line(next + 1) && SHARED.has(note, next + 1);
    part && note.same_line(next) && (of || noun)
}

/// Returns whether it means "secondary to": `sepsis 2/2 UTI`. Next to a test it may be a day followed by the result.
fn means_secondary_to(note: &Note<'_>, at: usize, number: &Number) -> bool {
    const MEDICINE: Classes = Classes::of(&[Class::Clinical, Class::Term, Class::Acronym, Class::Organism]);
    const OTHER: Classes = Classes::of(&[Class::Measurement, Class::PersonVerb, Class::HumanVerb, Class::PersonNoun]);
    let two = number.value(0) == 2 && number.value(1) == 2 && number.digits(0) == 1 && number.digits(1) == 1;
    let (before, next) = (at.wrapping_sub(1), at + 1);
    two && note.same_line(at)
        && note.is_word(before)
        && !note.any(before, OTHER)
        && (note.any(before, MEDICINE)
            || note.width(before) > 2 && note.case(before) == crate::text::token::Case::Upper)
        && note.same_line(next)
        && note.is_word(next)
        && !note.is(next, Class::Stop)
        && !RESULTS.has(note, next)
}

/// Returns whether a graded noun follows and no date word precedes: `5/5 strength in all limbs`,
/// `12/12 cranial nerves`, `4/5 power`.
fn graded_noun_follows(note: &Note<'_>, at: usize, number: &Number) -> bool {
    let (part, whole) = (number.value(0), number.value(1));
    let next = at + 1;
    let strength = whole == 5 && part <= 5 && word_is!(note, next, "strength" | "power" | "motor");
    let nerves = part == whole
        && whole == 12
        && word_is!(note, next, "cranial" | "cn" | "cns")
        && (word_is!(note, next, "cn" | "cns") || word_is!(note, next + 1, "nerve" | "nerves"));
    let dated = at > 0 && note.same_line(at) && note.is(at - 1, Class::DateCue);
    note.same_line(next) && !dated && (strength || nerves)
}

/// Returns the graded noun before the number, with no sentence or clause border and no date word in between:
/// `strength: L arm 4/5, leg 3/5`.
fn graded_noun_before(note: &Note<'_>, at: usize, number: &Number) -> Option<usize> {
    let top = number.value(1);
    let scale = number.value(0) <= top && number.digits(1) <= 3 && (matches!(top, 3..=6 | 10 | 100) || top <= 60);
    if !scale {
        return None;
    }
    for before in (at.saturating_sub(MAX_NOUN_DISTANCE)..at).rev() {
        if note.border_before(before + 1) && !note.is_mark(before, b':') || note.is_mark(before, b';') {
            return None;
        }
        if GRADED.has(note, before) {
            // Beyond ten, a day of a month is as likely unless the noun is adjacent: `nodes 0/13`.
            let near = top == 5 || before + 4 >= at;
            let close = before + 2 >= at || before + 3 >= at && note.is_mark(at - 1, b':');
            return (near && matches!(top, 3..=6 | 10 | 100) || close).then_some(before);
        }
        if DATING.has(note, before) && before + 2 >= at {
            return None;
        }
    }
    None
}
