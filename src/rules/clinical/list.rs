//! Numbers that count off: list numbers `1.` `2)`, `#3`, `x 3`, `q4h`, `every 6`, `a total of 8`.

use super::ANNOUNCES;
use super::amount::{Figure, Shape, in_chain};
use super::follow::Follow;
use super::marker::among_small;
use super::quantity;
use crate::rules::word_sets::{WordSet, says};
use crate::rules::{Certainty, Findings, View};
use crate::token::{Case, Gap, Kind};
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

/// The lists of words that [`led`] looks for before a number, not glued to it.
pub(in crate::rules) const LEADS: Classes = Classes::of(&[Class::Brand, Class::Sized, Class::Clinical, Class::Term]);

/// Words behind which a number is a value in a line full of values.
const SHORTHAND: Classes = Classes::of(&[Class::Clinical, Class::Term]);

/// The other words that it looks for there.
#[rustfmt::skip]
pub(in crate::rules) const LEADING: &[&str] = &[
    "q", "x", "ox", "times", "every", "xs", "approximately", "approx", "nearly", "almost", "roughly",
    "another", "additional", "only", "least", "maximum", "minimum", "than", "about", "between", "per", "normal", "nl",
    "reference", "range", "ref", "limit", "limits", "target", "goal", "no",
];

/// The words that it looks for before `at`, `to`, `from` and `of`.
#[rustfmt::skip]
pub(in crate::rules) const CHANGES: &[&str] = &[
    "up", "down", "high", "low", "normal", "elevated", "dropped", "fell", "rose", "risen", "fallen", "increased",
    "decreased", "improved", "stable", "then", "total", "out", "maximum", "minimum", "average", "series",
];

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

/// The endings of an ordinal in figures.
pub(in crate::rules) const ENDINGS: &[&str] = &["st", "nd", "rd", "th"];

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
    let (most, certainty) = match view.token(before).kind {
        Kind::Word => match view.bytes(before) {
            b"q" => (99, Certainty::Likely),
            // `x347` is an extension; `x 3`, `x10 days` are counts.
            b"x" if view.joined(at) => (99, Certainty::Likely),
            // oriented: A&Ox3
            b"ox" if view.joined(at) => (4, Certainty::Likely),
            // per37 is a name of a user, not a rate.
            word if view.token(at).glued() && word.len() > 1 => return,
            b"at" | b"to" | b"from" if changed(view, before) => (999, Certainty::Weak),
            b"x" | b"times" | b"every" | b"xs" => (999, Certainty::Likely),
            b"approximately" | b"approx" | b"nearly" | b"almost" | b"roughly" | b"another" | b"additional"
            | b"only" | b"least" | b"maximum" | b"minimum" | b"than" | b"about" | b"between" | b"per" => {
                (999, Certainty::Weak)
            }
            b"normal" | b"nl" | b"reference" | b"range" | b"ref" | b"limit" | b"limits" | b"target" | b"goal" => {
                (9999, Certainty::Weak)
            }
            b"of"
                if says!(
                    view,
                    before.wrapping_sub(1),
                    "total" | "out" | "maximum" | "minimum" | "average" | "series"
                ) =>
            {
                (999, Certainty::Weak)
            }
            // Lipitor 20 at bedtime, Percocet 5, dalteparin 5000
            _ if view.is(before, Class::Brand) && !view.token(at).glued() => (most_of_drug(view, at), Certainty::Weak),
            _ if view.is(before, Class::Sized) && !view.token(at).glued() => (99, Certainty::Weak),
            _ if view.is(before, Class::Dose) && view.is(before, Class::Clinical) && !view.token(at).glued() => {
                (999, Certainty::Weak)
            }
            _ if view.any(before, SHORTHAND) && !view.token(at).glued() && is_dense(view, at) => (999, Certainty::Weak),
            _ => return,
        },
        Kind::Punct => match view.bytes(before)[0] {
            b'#' if free_sharp(view, before) || labelled(view, before) => (99, Certainty::Weak),
            // q.4 hours, No. 15 blade
            b'.' if before > 0 && view.joined(before) => match view.bytes(before - 1) {
                b"q" => (99, Certainty::Likely),
                // Tylenol No. 3
                b"no" if before > 1 && view.any(before - 2, DRUG) && !view.is(before - 2, Class::WardNoun) => {
                    (30, Certainty::Weak)
                }
                _ => return,
            },
            _ => return,
        },
        _ => return,
    };
    // # 47, line end, 2.1417: the number goes on.
    let broken = view.gap(at + 1) == Gap::Line
        && view.is_number(at + 1)
        && view.number(at + 1).is_some_and(|rest| rest.len() > 1 || rest.digits(0) > 2);
    if broken || in_chain(view, at) {
        return;
    }
    let Some(figure) = Figure::at(view, at) else { return };
    let Some(amount) = quantity::read(view, at, findings) else { return };
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
    if first < at && view.token(first).glued() {
        return;
    }
    findings.keep_by(before, first, last, certainty);
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

/// Whether a value rose, fell or stayed before this preposition: `down to 5.2`, `normal at 941`, `up from 5.4`.
fn changed(view: &View<'_>, preposition: usize) -> bool {
    preposition > 0
        && view.same_line(preposition)
        && matches!(
            view.bytes(preposition - 1),
            b"up"
                | b"down"
                | b"high"
                | b"low"
                | b"normal"
                | b"elevated"
                | b"dropped"
                | b"fell"
                | b"rose"
                | b"risen"
                | b"fallen"
                | b"increased"
                | b"decreased"
                | b"improved"
                | b"stable"
                | b"then"
        )
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

/// What is told by some figures with hyphens between them.
static ITEMS: WordSet =
    WordSet::new(&["apgar", "apgars", "bbps", "boston", "depths", "grbas", "pd", "ppd", "probing", "schober", "wifi"]);

/// `1-0-1`, `1-1-1-1` behind a dose: how many tablets in the morning, at noon, in the evening and at night. Asked at the last figure.
fn times_of_day(view: &View<'_>, at: usize, findings: &mut Findings) -> bool {
    let joint = |mark: usize| view.is_mark(mark, b'-') && view.joined(mark) && view.joined(mark + 1);
    let tablets = |at: usize| view.whole(at).filter(|_| view.width(at) == 1);
    let (mut first, mut none, mut times, mut most) = (at, 0, 0, 0);
    loop {
        let Some(value) = tablets(first) else { return false };
        none += usize::from(value == 0);
        most = most.max(value);
        times += 1;
        if times == 5 || first < 2 || !joint(first - 1) {
            break;
        }
        first -= 2;
    }
    let chained = view.token(first).glued() || view.joined(first) && first > 0 && view.is_any_mark(first - 1, b"-/.");
    if times < 3 || none == times || chained || view.token(at + 1).glued() || joint(at + 1) {
        return false;
    }
    // Depths of the gums at three places of a tooth, `PD 3-2-3`, and scales of some items, `BBPS 3-3-2`, `GRBAS 2-2-1-1-1`.
    let goes_on = view.is_mark(at + 1, b'-') && view.joined(at + 1);
    if first > 0 && view.same_line(first) && ITEMS.has(view, first - 1) && !goes_on {
        // `PD` stands on no list and may go; the depths say nothing without it.
        let cue = if says!(view, first - 1, "pd" | "ppd") { first } else { first - 1 };
        findings.keep_by(cue, first, at + 1, Certainty::Sure);
        return true;
    }
    if most > 4 || times > 4 {
        return false;
    }
    // Three ones may be a day: only behind an amount.
    let dose = first > 0
        && view.same_line(first)
        && (view.is_number(first - 1)
            || view.is(first - 1, Class::Dose)
            || view.is(first - 1, Class::Unit) && first > 1 && view.is_number(first - 2));
    if none == 0 && !dose {
        return false;
    }
    findings.keep(first, at + 1, Certainty::Likely);
    true
}

/// Vouches for sutures: `3-0 Vicryl`, `#2-0`, `0 Prolene`.
pub(in crate::rules) fn suture(view: &View<'_>, at: usize, findings: &mut Findings) {
    if times_of_day(view, at, findings)
        || !says!(view, at, "0")
        || at < 2
        || !view.is_mark(at - 1, b'-')
        || !view.joined(at - 1)
    {
        return;
    }
    let spaced = view.gap(at) > Gap::Space || view.token(at + 1).glued();
    let size = Figure::at(view, at - 2).and_then(|figure| figure.whole(2)).is_some_and(|size| (1..=12).contains(&size));
    let chained = view.is_mark(at + 1, b'-') && view.joined(at + 1) && view.is_number(at + 2);
    if size && !spaced && !chained && !in_chain(view, at) && !view.token(at - 2).glued() {
        findings.keep(at - 2, at + 1, Certainty::Likely);
    }
}
