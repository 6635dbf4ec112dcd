//! Numbers that enumerate or count: list numbers `1.` `2)`, `#3`, `x 3`, `q4h`, `every 6`, `a total of 8`.

use super::NON_CLINICAL_CUES;
use super::age::may_be_over_89;
use super::amount::{Figure, Shape, in_hyphen_chain};
use super::follow::UnitPhrase;
use super::marker::is_among_lower_case;
use super::measured;
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Note};
use crate::text::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// Vouches for list numbers at the start of a line or of an item.
pub(in crate::rules) fn keep_list_number(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if note.width(at) > 2 || !note.is_any_mark(at + 1, b".)") || !note.joined(at + 1) {
        return;
    }
    let Some(_) = note.integer(at) else { return };
    let after = at + 2;
    let point = note.is_mark(at + 1, b'.');
    let starts = note.token(at).line_start();
    // `1.Normal appendix.`
    let item = !note.joined(after) || note.is_word(after);
    if starts && (!point || item) {
        findings.keep(at, at + 2, Certainty::Likely);
    } else if !point
        && !note.token(at).glued()
        && at > 0
        && !note.is_mark(at - 1, b'(')
        && !closes_open_bracket(note, at)
    {
        // `PMH: 1) hypertension 2)asthma`
        findings.keep(at, at + 2, Certainty::Weak);
    } else if !point && at > 0 && note.is_mark(at - 1, b'(') && note.token(at - 1).line_start() {
        findings.keep(at, at + 2, Certainty::Likely);
    } else if point
        && at > 0
        && note.is_any_mark(at - 1, b".:;")
        && note.gap(at) > Gap::None
        && note.gap(after) > Gap::None
        && note.is_word(after)
    {
        // `PLAN: 1. Chest film. 2. Diuresis.`
        findings.keep(at, at + 2, Certainty::Weak);
    }
}

/// Returns whether the parenthesis after the number closes one that opens before it: `(see Lindgatan 3)`.
fn closes_open_bracket(note: &Note<'_>, at: usize) -> bool {
    const MAX_DISTANCE: usize = 12;
    for before in (at.saturating_sub(MAX_DISTANCE)..at).rev() {
        if note.is_any_mark(before, b")") || !note.same_line(before + 1) {
            return false;
        }
        if note.is_mark(before, b'(') {
            return true;
        }
    }
    false
}

/// Lists of words before a value in a line full of values.
const SHORTHAND: Classes = Classes::of(&[Class::Clinical, Class::Term]);

/// Returns whether the number is among other numbers and clinical words, as in a line of findings:
/// `LAD 90, LCx 40, EF 35`. The line must not name a person or announce an identifier, and the number must not be a
/// possible age over 89.
pub(super) fn is_in_dense_findings(note: &Note<'_>, at: usize) -> bool {
    const MAX_BEFORE: usize = 12;
    const MAX_AFTER: usize = 6;
    const SAID: Classes = Classes::of(&[
        Class::Measurement,
        Class::Score,
        Class::Unit,
        Class::Dose,
        Class::Counted,
        Class::Level,
        Class::Brand,
    ]);
    const NEVER: Classes = NON_CLINICAL_CUES.or(Classes::of(&[
        Class::Relative,
        Class::PersonNoun,
        Class::Weekday,
        Class::NameField,
        Class::PlaceCue,
    ]));
    const NAMES: Classes = Classes::of(&[Class::Surname, Class::FirstName, Class::City]);
    // The number itself is counted too.
    if (note.number_bits_from(at.saturating_sub(MAX_BEFORE)) & ((2 << (MAX_BEFORE + MAX_AFTER)) - 1)).count_ones() <= 3
    {
        return false;
    }
    let old = may_be_over_89(note, at);
    // `sac 54`, `imp 62`, `LAD 2.8`: shorthand in lower case, or in capitals among lower case, is not a name.
    let named = match note.case(at - 1) {
        Case::Capital => true,
        Case::Lower if note.is(at - 1, Class::Clinical) => false,
        Case::Upper if note.is(at - 1, Class::Clinical) && is_among_lower_case(note, at - 1) => false,
        _ => note.any(at - 1, NAMES),
    };
    if old || named || note.any(at - 1, NEVER.with(Class::AgeCue)) {
        return false;
    }
    let (mut numbers, mut said) = (0, 0);
    let before = (at.saturating_sub(MAX_BEFORE)..at).rev().take_while(|&word| note.same_line(word + 1));
    let behind = (at + 1..=at + MAX_AFTER).take_while(|&word| note.same_line(word));
    for word in before.chain(behind) {
        if note.is_number(word) {
            numbers += 1;
        } else if note.any(word, SAID) {
            said += 1;
        } else if note.any(word, NEVER) && !note.token(word).glued() && note.width(word) > 1 {
            // The ending of `91st` is not a street, and the letter of `D1` is not a field.
            return false;
        }
    }
    numbers >= 3 && said >= 2
}

/// Vouches for a number by the word or mark before it: `q4h`, `x 3`, `every 6`, `#4`, `size 7.5`, `total of 8`.
pub(in crate::rules) fn keep_counted_number(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if note.token(at + 1).glued() && is_anatomical_ordinal(note, at) {
        findings.keep(at, at + 2, Certainty::Likely);
        return;
    }
    let Some(before) = at.checked_sub(1) else { return };
    if !note.follows(at) || note.gap(at) == Gap::Line && note.token(before).kind == Kind::Punct {
        return;
    }
    let cue = match note.token(before).kind {
        Kind::Word => limit_after_word(note, at, before),
        Kind::Punct => limit_after_mark(note, before),
        _ => None,
    };
    let Some((most, certainty)) = cue else { return };
    // `# 47`, line break, `2.1417`: the number continues.
    let broken = note.gap(at + 1) == Gap::Line
        && note.is_number(at + 1)
        && note.number(at + 1).is_some_and(|rest| rest.len() > 1 || rest.digits(0) > 2);
    if broken || in_hyphen_chain(note, at) {
        return;
    }
    let Some(figure) = Figure::at(note, at) else { return };
    let Some(amount) = measured::measured_amount_at(note, at, findings) else { return };
    // `Norco 5/325`, `sac/val 49/51`: two drugs in one tablet.
    let both = figure.shape == Shape::Slash
        && figure.has_short_parts()
        && !figure.looks_like_date()
        && note.is(before, Class::Brand);
    let short = both || matches!(figure.shape, Shape::Integer | Shape::Decimal) || figure.is_fraction();
    if !short || amount.largest > most || figure.has_leading_zero {
        return;
    }
    let mut last = amount.last();
    if note.token(last).glued() {
        // `q4h`, `x3d`, `q2month`; unknown letters make the cluster something else.
        match UnitPhrase::read_after(note, last) {
            Some(follow) if !follow.is_separated => last = follow.last(),
            _ => return,
        }
    }
    let first = if note.token(at).glued() { before } else { at };
    if first == at || !note.token(first).glued() {
        findings.keep_by(before, first, last, certainty);
    }
}

/// Words before a count.
static COUNT_CUES: WordSet = word_set!("clinical-list-counted");

/// Words before a value.
static VALUE_CUES: WordSet = word_set!("clinical-list-usual");

/// Returns the maximum plausible number after a counting or measuring word, with its certainty.
fn limit_after_word(note: &Note<'_>, at: usize, before: usize) -> Option<(u64, Certainty)> {
    if note.token(at).glued() {
        // `x347` is an extension, `x10 days` a count; `A&Ox3`; `per37` is a user name, not a rate.
        return match () {
            () if word_is!(note, before, "q" | "x") => Some((99, Certainty::Likely)),
            () if word_is!(note, before, "ox") => Some((4, Certainty::Likely)),
            () => None,
        };
    }
    let weak = |most| Some((most, Certainty::Weak));
    match () {
        () if word_is!(note, before, "q") => Some((99, Certainty::Likely)),
        () if word_is!(note, before, "x" | "times" | "every" | "xs") => Some((999, Certainty::Likely)),
        () if word_is!(note, before, "at" | "to" | "from") && follows_change_of_value(note, before) => weak(999),
        () if COUNT_CUES.has(note, before) => weak(999),
        () if VALUE_CUES.has(note, before) => weak(9999),
        () if word_is!(note, before, "of") => {
            word_is!(note, before.wrapping_sub(1), "total" | "out" | "maximum" | "minimum" | "average" | "series")
                .then_some((999, Certainty::Weak))
        }
        // `Lipitor 20 at bedtime`, `Percocet 5`, `dalteparin 5000`
        () if note.is(before, Class::Brand) => weak(largest_dose(note, at)),
        () if note.is(before, Class::Sized) => weak(99),
        () if note.is(before, Class::Dose) && note.is(before, Class::Clinical) => weak(999),
        () if note.any(before, SHORTHAND) && is_in_dense_findings(note, at) => weak(999),
        () => None,
    }
}

/// The same after a mark: `#4`, `q.4 hours`, `Tylenol No. 3`.
fn limit_after_mark(note: &Note<'_>, mark: usize) -> Option<(u64, Certainty)> {
    if note.is_mark(mark, b'#') {
        return (may_precede_count(note, mark) || numbers_specimen(note, mark)).then_some((99, Certainty::Weak));
    }
    let word = mark.checked_sub(1).filter(|_| note.is_mark(mark, b'.') && note.joined(mark))?;
    if word_is!(note, word, "q") {
        return Some((99, Certainty::Likely));
    }
    let drug = word > 0 && note.any(word - 1, DRUG) && !note.is(word - 1, Class::WardNoun);
    (drug && word_is!(note, word, "no")).then_some((30, Certainty::Weak))
}

/// Returns the maximum dose of a drug: a round number of units may be large, but must not be a year or a postal code.
fn largest_dose(note: &Note<'_>, at: usize) -> u64 {
    let round = note.integer(at).is_some_and(|value| {
        value.is_multiple_of(100) && !(1900..=2100).contains(&value) && (note.width(at) == 4 || value == 10_000)
    });
    if round { 10_000 } else { 999 }
}

/// Returns whether the number is an ordinal before a numbered clinical noun: `7th nerve`, `5th left rib`; not a street,
/// floor or day.
fn is_anatomical_ordinal(note: &Note<'_>, at: usize) -> bool {
    const NUMBERED: Classes = Classes::of(&[Class::Level, Class::Counted, Class::Score]);
    const NEVER: Classes =
        Classes::of(&[Class::StreetType, Class::WardNoun, Class::Month, Class::Holiday, Class::Facility]);
    let ending = word_is!(note, at + 1, "st" | "nd" | "rd" | "th") && !note.token(at + 2).glued();
    let numbered = |noun: usize| {
        note.same_line(noun)
            && note.case(noun) != Case::Capital
            && note.any(noun, NUMBERED)
            && !note.any(noun, NEVER)
            && !word_is!(note, noun, "floor" | "floors" | "day" | "days")
    };
    let adjective = note.same_line(at + 2)
        && note.is_word(at + 2)
        && note.case(at + 2) != Case::Capital
        && !note.any(at + 2, NEVER)
        && !note.is(at + 2, Class::Stop);
    ending
        && !note.token(at).glued()
        && note.integer(at).is_some_and(|value| {
            let centile = word_is!(note, at + 2, "centile" | "percentile") && note.same_line(at + 2);
            (1..=99).contains(&value) && centile
                || (1..=33).contains(&value) && (numbered(at + 2) || adjective && numbered(at + 3))
        })
}

/// Lists of words for things that carry a number: drugs and sizes.
const DRUG: Classes = Classes::of(&[Class::Brand, Class::Term, Class::Dose, Class::Sized]);

/// Changes of a value before a preposition: `dropped to 8`.
static CHANGES: WordSet = word_set!("clinical-list-changes");

/// Returns whether a value rises, falls or stays before this preposition: `down to 5.2`, `normal at 941`,
/// `up from 5.4`.
fn follows_change_of_value(note: &Note<'_>, preposition: usize) -> bool {
    preposition > 0 && note.same_line(preposition) && CHANGES.has(note, preposition - 1)
}

/// Returns whether the hash sign numbers a specimen, as in pathology: `Specimen #1 labelled`.
fn numbers_specimen(note: &Note<'_>, sharp: usize) -> bool {
    sharp > 0
        && word_is!(note, sharp - 1, "specimen" | "container" | "jar" | "slide" | "cassette")
        && note.width(sharp + 1) <= 2
}

/// Returns whether a size or a count may follow the hash sign: no apartment, room or record precedes it.
fn may_precede_count(note: &Note<'_>, sharp: usize) -> bool {
    sharp == 0 || note.border_before(sharp) || !note.any(sharp - 1, NON_CLINICAL_CUES.with(Class::City))
}
