//! Numbers that count off: list numbers `1.` `2)`, `#3`, `x 3`, `q4h`, `every 6`, `a total of 8`.

use super::ANNOUNCES;
use super::amount::{Figure, Shape, in_chain};
use super::follow::Follow;
use super::marker::among_small;
use super::measured;
use crate::rules::engine::word_sets::{WordSet, says, word_set};
use crate::rules::engine::{Certainty, Findings, View};
use crate::text::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// Vouches for list numbers at the start of a line or of an item.
pub(in crate::rules) fn item(view: &View<'_>, at: usize, findings: &mut Findings) {
    if view.width(at) > 2 || !view.is_any_mark(at + 1, b".)") || !view.joined(at + 1) {
        return;
    }
    let Some(_) = view.whole(at) else { return };
    let after = at + 2;
    let point = view.is_mark(at + 1, b'.');
    let starts = view.token(at).line_start();
    // 1.Normal appendix.
    let item = !view.joined(after) || view.is_word(after);
    if starts && (!point || item) {
        findings.keep(at, at + 2, Certainty::Likely);
    } else if !point && !view.token(at).glued() && at > 0 && !view.is_mark(at - 1, b'(') && !closes(view, at) {
        // PMH: 1) hypertension 2)asthma
        findings.keep(at, at + 2, Certainty::Weak);
    } else if !point && at > 0 && view.is_mark(at - 1, b'(') && view.token(at - 1).line_start() {
        findings.keep(at, at + 2, Certainty::Likely);
    } else if point
        && at > 0
        && view.is_any_mark(at - 1, b".:;")
        && view.gap(at) > Gap::None
        && view.gap(after) > Gap::None
        && view.is_word(after)
    {
        // PLAN: 1. Chest film. 2. Diuresis.
        findings.keep(at, at + 2, Certainty::Weak);
    }
}

/// Whether the bracket behind the number closes one that was opened before it: `(see Lindgatan 3)`.
fn closes(view: &View<'_>, at: usize) -> bool {
    const REACH: usize = 12;
    for before in (at.saturating_sub(REACH)..at).rev() {
        if view.is_any_mark(before, b")") || !view.same_line(before + 1) {
            return false;
        }
        if view.is_mark(before, b'(') {
            return true;
        }
    }
    false
}

/// Words behind which a number is a value in a line full of values.
const SHORTHAND: Classes = Classes::of(&[Class::Clinical, Class::Term]);

/// Whether the number stands among others and among words of medicine, as in a line of findings: `LAD 90, LCx 40, EF 35`. Nobody is
/// named there, nothing is announced, and it could be nobody's age to hide.
pub(super) fn is_dense(view: &View<'_>, at: usize) -> bool {
    const BEFORE: usize = 12;
    const BEHIND: usize = 6;
    const SAID: Classes = Classes::of(&[
        Class::Measurement,
        Class::Score,
        Class::Unit,
        Class::Dose,
        Class::Counted,
        Class::Level,
        Class::Brand,
    ]);
    const NEVER: Classes = ANNOUNCES.or(Classes::of(&[
        Class::Relative,
        Class::PersonNoun,
        Class::Weekday,
        Class::NameField,
        Class::PlaceCue,
    ]));
    const NAMES: Classes = Classes::of(&[Class::Surname, Class::FirstName, Class::City]);
    // The number itself is among them.
    if (view.numbers_near(at.saturating_sub(BEFORE)) & ((2 << (BEFORE + BEHIND)) - 1)).count_ones() <= 3 {
        return false;
    }
    let old = view.whole(at).is_some_and(|value| (90..=130).contains(&value));
    // `sac 54`, `imp 62`, `LAD 2.8`: shorthand in small letters, or in capitals among them, is nobody's name.
    let named = match view.case(at - 1) {
        Case::Capital => true,
        Case::Lower if view.is(at - 1, Class::Clinical) => false,
        Case::Upper if view.is(at - 1, Class::Clinical) && among_small(view, at - 1) => false,
        _ => view.any(at - 1, NAMES),
    };
    if old || named || view.any(at - 1, NEVER.with(Class::AgeCue)) {
        return false;
    }
    let (mut numbers, mut said) = (0, 0);
    let before = (at.saturating_sub(BEFORE)..at).rev().take_while(|&word| view.same_line(word + 1));
    let behind = (at + 1..=at + BEHIND).take_while(|&word| view.same_line(word));
    for word in before.chain(behind) {
        if view.is_number(word) {
            numbers += 1;
        } else if view.any(word, SAID) {
            said += 1;
        } else if view.any(word, NEVER) && !view.token(word).glued() && view.width(word) > 1 {
            // The ending of `91st` is no street, and the letter of `D1` no field.
            return false;
        }
    }
    numbers >= 3 && said >= 2
}

/// Vouches for a number by the word or mark right before it: `q4h`, `x 3`, `every 6`, `#4`, `size 7.5`, `total of 8`.
pub(in crate::rules) fn led(view: &View<'_>, at: usize, findings: &mut Findings) {
    if view.token(at + 1).glued() && ordinal(view, at) {
        findings.keep(at, at + 2, Certainty::Likely);
        return;
    }
    let Some(before) = at.checked_sub(1) else { return };
    if !view.follows(at) || view.gap(at) == Gap::Line && view.token(before).kind == Kind::Punct {
        return;
    }
    let cue = match view.token(before).kind {
        Kind::Word => behind_word(view, at, before),
        Kind::Punct => behind_mark(view, before),
        _ => None,
    };
    let Some((most, certainty)) = cue else { return };
    // # 47, line end, 2.1417: the number goes on.
    let broken = view.gap(at + 1) == Gap::Line
        && view.is_number(at + 1)
        && view.number(at + 1).is_some_and(|rest| rest.len() > 1 || rest.digits(0) > 2);
    if broken || in_chain(view, at) {
        return;
    }
    let Some(figure) = Figure::at(view, at) else { return };
    let Some(amount) = measured::read(view, at, findings) else { return };
    // `Norco 5/325`, `sac/val 49/51`: two drugs in one tablet.
    let both = figure.shape == Shape::Slash && figure.short() && !figure.like_date() && view.is(before, Class::Brand);
    let short = both || matches!(figure.shape, Shape::Whole | Shape::Decimal) || figure.fraction();
    if !short || amount.most > most || figure.padded {
        return;
    }
    let mut last = amount.last();
    if view.token(last).glued() {
        // q4h, x3d, q2month; letters that are nothing known make the cluster something else.
        match Follow::read(view, last) {
            Some(follow) if !follow.loose => last = follow.last(),
            _ => return,
        }
    }
    let first = if view.token(at).glued() { before } else { at };
    if first == at || !view.token(first).glued() {
        findings.keep_by(before, first, last, certainty);
    }
}

/// Words that have a count behind them.
static COUNTED: WordSet = word_set!("clinical-list-counted");

/// Words that have a value behind them.
static USUAL: WordSet = word_set!("clinical-list-usual");

/// How much a number may be behind a word that counts or measures, and how sure it is that it does.
fn behind_word(view: &View<'_>, at: usize, before: usize) -> Option<(u64, Certainty)> {
    if view.token(at).glued() {
        // `x347` is an extension, `x10 days` a count; A&Ox3; per37 is a name of a user, not a rate.
        return match () {
            () if says!(view, before, "q" | "x") => Some((99, Certainty::Likely)),
            () if says!(view, before, "ox") => Some((4, Certainty::Likely)),
            () => None,
        };
    }
    let weak = |most| Some((most, Certainty::Weak));
    match () {
        () if says!(view, before, "q") => Some((99, Certainty::Likely)),
        () if says!(view, before, "x" | "times" | "every" | "xs") => Some((999, Certainty::Likely)),
        () if says!(view, before, "at" | "to" | "from") && changed(view, before) => weak(999),
        () if COUNTED.has(view, before) => weak(999),
        () if USUAL.has(view, before) => weak(9999),
        () if says!(view, before, "of") => {
            says!(view, before.wrapping_sub(1), "total" | "out" | "maximum" | "minimum" | "average" | "series")
                .then_some((999, Certainty::Weak))
        }
        // Lipitor 20 at bedtime, Percocet 5, dalteparin 5000
        () if view.is(before, Class::Brand) => weak(most_of_drug(view, at)),
        () if view.is(before, Class::Sized) => weak(99),
        () if view.is(before, Class::Dose) && view.is(before, Class::Clinical) => weak(999),
        () if view.any(before, SHORTHAND) && is_dense(view, at) => weak(999),
        () => None,
    }
}

/// The same behind a mark: `#4`, `q.4 hours`, `Tylenol No. 3`.
fn behind_mark(view: &View<'_>, mark: usize) -> Option<(u64, Certainty)> {
    if view.is_mark(mark, b'#') {
        return (free_sharp(view, mark) || labelled(view, mark)).then_some((99, Certainty::Weak));
    }
    let word = mark.checked_sub(1).filter(|_| view.is_mark(mark, b'.') && view.joined(mark))?;
    if says!(view, word, "q") {
        return Some((99, Certainty::Likely));
    }
    let drug = word > 0 && view.any(word - 1, DRUG) && !view.is(word - 1, Class::WardNoun);
    (drug && says!(view, word, "no")).then_some((30, Certainty::Weak))
}

/// The most that is taken of a drug: a round number of units may be large, but it is no year and no postal code.
fn most_of_drug(view: &View<'_>, at: usize) -> u64 {
    let round = view.whole(at).is_some_and(|value| {
        value.is_multiple_of(100) && !(1900..=2100).contains(&value) && (view.width(at) == 4 || value == 10_000)
    });
    if round { 10_000 } else { 999 }
}

/// Whether the number is an ordinal before what medicine counts off: `7th nerve`, `5th left rib`; no street, floor or day.
fn ordinal(view: &View<'_>, at: usize) -> bool {
    const NUMBERED: Classes = Classes::of(&[Class::Level, Class::Counted, Class::Score]);
    const NEVER: Classes =
        Classes::of(&[Class::StreetType, Class::WardNoun, Class::Month, Class::Holiday, Class::Facility]);
    let ending = says!(view, at + 1, "st" | "nd" | "rd" | "th") && !view.token(at + 2).glued();
    let numbered = |noun: usize| {
        view.same_line(noun)
            && view.case(noun) != Case::Capital
            && view.any(noun, NUMBERED)
            && !view.any(noun, NEVER)
            && !says!(view, noun, "floor" | "floors" | "day" | "days")
    };
    let adjective = view.same_line(at + 2)
        && view.is_word(at + 2)
        && view.case(at + 2) != Case::Capital
        && !view.any(at + 2, NEVER)
        && !view.is(at + 2, Class::Stop);
    ending
        && !view.token(at).glued()
        && view.whole(at).is_some_and(|value| {
            let centile = says!(view, at + 2, "centile" | "percentile") && view.same_line(at + 2);
            (1..=99).contains(&value) && centile
                || (1..=33).contains(&value) && (numbered(at + 2) || adjective && numbered(at + 3))
        })
}

/// What is written with a number of its own: drugs and sizes.
const DRUG: Classes = Classes::of(&[Class::Brand, Class::Term, Class::Dose, Class::Sized]);

/// What a value does, before the word that leads to where: `dropped to 8`.
static CHANGES: WordSet = word_set!("clinical-list-changes");

/// Whether a value rose, fell or stayed before this preposition: `down to 5.2`, `normal at 941`, `up from 5.4`.
fn changed(view: &View<'_>, preposition: usize) -> bool {
    preposition > 0 && view.same_line(preposition) && CHANGES.has(view, preposition - 1)
}

/// Whether the sharp counts specimens, which pathologists number: `Specimen #1 labelled`.
fn labelled(view: &View<'_>, sharp: usize) -> bool {
    sharp > 0
        && says!(view, sharp - 1, "specimen" | "container" | "jar" | "slide" | "cassette")
        && view.width(sharp + 1) <= 2
}

/// Whether the sharp may stand before a size or a count: no apartment, room or record before it.
fn free_sharp(view: &View<'_>, sharp: usize) -> bool {
    sharp == 0 || view.border_before(sharp) || !view.any(sharp - 1, ANNOUNCES.with(Class::City))
}
