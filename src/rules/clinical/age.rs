//! Ages up to 89: `age 70`, `AGE: 34`, `45M`, `45 F`, `aged 45`, `died at 67`; and the sex field. The quantity rule
//! handles `45-year-old`.

use super::amount::Figure;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::{Case, Gap};
use crate::vocabulary::Class;

const MAX_KEPT_AGE: u64 = 89;

/// Returns whether a number may be an age over 89.
pub(crate) fn may_be_over_89(note: &Note<'_>, at: usize) -> bool {
    note.integer(at).is_some_and(|age| (MAX_KEPT_AGE + 1..=130).contains(&age))
}

/// The maximum distance in tokens of a word that announces an age.
pub(in crate::rules) const MAX_CUE_DISTANCE: u32 = 5;

/// Events at an age.
static EVENTS: WordSet = word_set!("clinical-age-events");

/// Words that may stand between the word for an age and the age.
static PASSING: WordSet = word_set!("clinical-age-passing");

/// Words before a decade of life: `mid 60's`.
static DECADES: WordSet = word_set!("clinical-age-decades");

/// Words and abbreviations for the sex, also with the race.
static SEXES: WordSet = word_set!("clinical-age-sexes");

/// Years, months, weeks or days with the sex, in one word: `yom`, `mof`.
static UNITS_AND_SEXES: WordSet = word_set!("clinical-age-units-and-sexes");

/// Returns whether it is the value of a sex field, up to a gap, a mark or the end of the line: `SEX: M`.
pub(in crate::rules) fn is_sex_field_value(note: &Note<'_>, at: usize) -> bool {
    let ends = note.gap(at + 1) >= Gap::Wide || note.is_any_mark(at + 1, b",;|/");
    let named = at >= 2 && note.is_any_mark(at - 1, b":=") && word_is!(note, at - 2, "sex" | "gender");
    ends && named && note.same_line(at) && note.same_line(at - 1) && word_is!(note, at, "m" | "f" | "male" | "female")
}

/// Returns whether it is the label of an age or sex field, before a mark or the age itself: `AGE: 34`, `Age 35`.
pub(in crate::rules) fn is_age_or_sex_label(note: &Note<'_>, at: usize) -> bool {
    let value = at + 1 + usize::from(note.is_any_mark(at + 1, b":="));
    let marked = value > at + 1 && note.same_line(at + 1);
    word_is!(note, at, "age" | "sex" | "gender") && (marked || note.is_number(value) && note.same_line(value))
}

/// Vouches for an age, at its number.
pub(in crate::rules) fn keep_age(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if note.width(at) > 2 || note.token(at).glued() {
        return;
    }
    let age =
        |figure: Figure| figure.integer_up_to(2).filter(|&value| !figure.has_leading_zero && value <= MAX_KEPT_AGE);
    let Some(value) = Figure::at(note, at).and_then(age) else { return };
    // `in her 70's`
    let decade = note.joined(at + 1)
        && word_is!(note, at + 1, "'s")
        && value >= 20
        && value.is_multiple_of(10)
        && at > 0
        && DECADES.has(note, at - 1);
    if decade {
        findings.keep(at, at + 2, Certainty::Likely);
        return;
    }
    let sex = SEXES.has(note, at + 1);
    // `AGE/SEX: 43/F`
    let slash = note.is_mark(at + 1, b'/')
        && note.joined(at + 1)
        && note.joined(at + 2)
        && word_is!(note, at + 2, "m" | "f")
        && (note.case(at + 2) != Case::Lower || at > 0 && note.is_mark(at - 1, b':'))
        && !note.token(at + 3).glued();
    if slash {
        findings.keep_by(at + 2, at, at + 1, Certainty::Weak);
        return;
    }
    // `36YOM FELL`, `17MOF`: the unit and the sex, glued.
    if UNITS_AND_SEXES.has(note, at + 1) && note.token(at + 1).glued() && !note.token(at + 2).glued() {
        findings.keep(at, at + 2, Certainty::Sure);
        return;
    }
    if sex && note.token(at + 1).glued() && !note.token(at + 2).glued() {
        findings.keep(at, at + 2, Certainty::Likely);
    } else if sex && note.same_line(at + 1) && (note.width(at + 1) > 1 || note.case(at + 1) == Case::Upper) {
        findings.keep_by(at + 1, at, at + 1, Certainty::Weak);
    } else if let Some((certainty, cue)) = age_cue_before(note, at) {
        findings.keep_by(cue, at, at + 1, certainty);
    }
}

/// Returns the certainty and the token of a word before the number that marks it as an age.
fn age_cue_before(note: &Note<'_>, at: usize) -> Option<(Certainty, usize)> {
    let mut before = at;
    // `Her father is 84, also with gout.`
    let clause = note.is_any_mark(at + 1, b".,;)") || word_is!(note, at + 1, "and" | "with" | "who");
    if clause
        && at > 1
        && note.follows(at)
        && word_is!(note, at - 1, "is" | "was")
        && (note.is(at - 2, Class::Relative) || word_is!(note, at - 2, "he" | "she"))
    {
        return Some((Certainty::Weak, at - 2));
    }
    for distance in 0..MAX_CUE_DISTANCE {
        before = before.checked_sub(1)?;
        let key = note.key(before);
        if word_is!(note, before, key, "age" | "aged" | "ages" | "aet" | "aetat") {
            return Some((Certainty::Likely, before));
        }
        if distance == 0 && word_is!(note, before, key, "at" | "@") && before > 0 {
            let event = EVENTS.has(note, before - 1);
            return event.then_some((Certainty::Weak, before - 1));
        }
        if word_is!(note, before, key, "turned" | "turning" | "turns") {
            return (distance == 0).then_some((Certainty::Likely, before));
        }
        if !PASSING.has(note, before) && !(note.is_number(before) && note.width(before) <= 2) {
            return None;
        }
    }
    None
}
