//! Numbers that tell a part of something: `page 2 of 3`, `item 9`, `section 24(2)`, `1 in 4`, `(3)`, `3-way`, `2nd look`, and
//! points of a list without a mark: `P: 1 stop fluids 2 diurese`.

#![allow(clippy::items_after_statements, reason = "a list stands where it is asked")]

use super::ANNOUNCES;
use super::amount::in_chain;
use super::count::{is_placed, is_placed_within};
use crate::bits::bits;
use crate::rules::engine::word_sets::{WordSet, says};
use crate::rules::engine::{Certainty, Findings, View};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// What has parts that are counted.
#[rustfmt::skip]
static PARTS: WordSet = WordSet::new(&[
    "act", "appendix", "article", "attempt", "bag", "bipolar", "case", "class", "clause", "concern", "copay", "criterion",
    "cycle", "dive", "dose", "duct", "fig", "figure", "goal", "im", "image", "item", "items", "lvl", "no", "opinion", "p",
    "page", "pages", "para", "paragraph", "part", "pattern", "pg", "pgs", "phase", "pp", "priority", "problem", "q", "question",
    "reg", "regulation", "rule", "sch", "schedule", "se", "sect", "section", "sections", "segment", "series", "sess", "session",
    "slice", "slide", "step", "stressor", "tier", "track", "triage", "trial", "type", "visit", "week", "year",
]);

/// Vouches for a number that tells a part.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    if view.token(at).glued() || in_chain(view, at) {
        return;
    }
    if !is_small(view, at, 3) {
        return;
    }
    if let Some(last) = of_so_many(view, at) {
        findings.keep(at, last, Certainty::Weak);
    } else if let Some((cue, last)) = named(view, at) {
        findings.keep_by(cue, at, last, Certainty::Weak);
    } else if is_bracketed(view, at) || is_adjective(view, at) || is_point(view, at) {
        findings.keep(at, at + 1, Certainty::Weak);
    }
}

/// Whether so many digits at most stand there, and no idle zero.
fn is_small(view: &View<'_>, at: usize, digits: usize) -> bool {
    view.whole(at).is_some() && view.width(at) <= digits && (view.width(at) == 1 || view.bytes(at)[0] != b'0')
}

/// One past `4 of 10`, `1 in 3000`, `2 out of 5`.
fn of_so_many(view: &View<'_>, at: usize) -> Option<usize> {
    let word = at + 1;
    let out = usize::from(says!(view, word, "out"));
    let all = word + out + 1;
    let of = says!(view, word + out, "of");
    let one_in = out == 0 && says!(view, word, "in") && view.width(at) == 1;
    let beside = view.same_line(word) && view.same_line(word + out) && view.same_line(all) && !view.token(word).glued();
    let most = if one_in { 5 } else { 3 };
    let whole = is_small(view, all, most) && !view.token(all + 1).glued() && !view.is_any_mark(all + 1, b"-/");
    let part = view.whole(at)? <= view.whole(all)?;
    // `1 in 2012` may be a year.
    let year = one_in && view.whole(all).is_some_and(|value| (1900..2100).contains(&value));
    let page = at > 0 && PARTS.has(view, at - 1);
    (beside && (of || one_in) && whole && part && !year && (page || !is_placed(view, at))).then_some(all + 1)
}

/// The word that counts parts before the number, and one past the number with its sections: `section 24(2)`, `page 4-6`.
fn named(view: &View<'_>, at: usize) -> Option<(usize, usize)> {
    let mut cue = at.checked_sub(1).filter(|_| view.same_line(at))?;
    // `Page: 1`, `pg. 4`
    if view.is_any_mark(cue, b".:#") && cue > 0 && view.same_line(cue) {
        cue -= 1;
    }
    let known = view.is_word(cue) && PARTS.has(view, cue) && !view.token(cue).glued();
    if !known || view.token(at + 1).glued() || view.is_number(at + 1) && view.same_line(at + 1) {
        return None;
    }
    let mut last = at + 1;
    let bracket =
        view.is_mark(last, b'(') && view.joined(last) && is_small(view, last + 1, 2) && view.is_mark(last + 2, b')');
    let range = view.is_mark(last, b'-') && view.joined(last) && is_small(view, last + 1, 3);
    if bracket {
        last += 3;
    } else if range && view.joined(last + 1) {
        last += 2;
    } else if view.is_any_mark(last, b"-/") && view.joined(last) {
        return None;
    }
    Some((cue, last))
}

/// `(3)`, `(9)`: a point, an age, what a value was before.
fn is_bracketed(view: &View<'_>, at: usize) -> bool {
    let brackets = at > 0
        && view.is_any_mark(at - 1, b"([")
        && view.joined(at)
        && view.is_any_mark(at + 1, b")]")
        && view.joined(at + 1);
    let small = view.number(at).is_some_and(|number| {
        number.value(0) < 90
            && (number.len() == 1 && number.digits(0) < 3 || number.is(2, b'.') && number.digits(1) < 3)
    });
    // An area code has three figures and more behind it.
    let value = view.is_number(at.wrapping_sub(2))
        && view.gap(at - 1) != crate::text::token::Gap::None
        && !view.is_number(at + 2);
    // `ROB(13)`: no point and no value stands right behind a word.
    let apart = at > 1 && !view.joined(at - 1) || at == 1;
    let short =
        is_small(view, at, 3) || view.number(at).is_some_and(|number| number.is(2, b'.') && number.digits(1) < 3);
    brackets && apart && (small || value && short) && !view.is_number(at + 2) && !is_placed_within(view, at, 2)
}

/// `3-way`, `4-strand`: a number and a word in small letters that are one.
fn is_adjective(view: &View<'_>, at: usize) -> bool {
    let word = at + 2;
    const KNOWN: Classes = Classes::of(&[Class::English, Class::Literature, Class::Clinical, Class::Term]);
    view.width(at) <= 2
        && view.is_mark(at + 1, b'-')
        && view.joined(at + 1)
        && view.joined(word)
        && view.case(word) == Case::Lower
        && view.width(word) > 2
        && view.any(word, KNOWN)
        && (says!(view, word, "way") || !view.any(word, ANNOUNCES.or(Classes::of(&[Class::City, Class::Surname]))))
        && !(at > 0 && view.joined(at))
}

/// Whether the word is one that nobody is called by: a list of beds has names behind its numbers.
fn is_ordinary(view: &View<'_>, at: usize) -> bool {
    const KNOWN: Classes = Classes::of(&[
        Class::Clinical,
        Class::Stop,
        Class::English,
        Class::Literature,
        Class::Term,
        Class::Brand,
        Class::Score,
    ]);
    const NAMES: Classes = Classes::of(&[Class::Surname, Class::FirstName, Class::City]);
    let short =
        view.case(at) == Case::Upper && view.any(at, Classes::of(&[Class::Measurement, Class::Acronym, Class::Dose]));
    short || view.any(at, KNOWN) && (view.any(at, Classes::of(&[Class::Clinical, Class::Stop])) || !view.any(at, NAMES))
}

/// A point of a list without a mark behind its number, with the one before or after it near: `1 stop fluids 2 diurese`.
fn is_point(view: &View<'_>, at: usize) -> bool {
    const REACH: usize = 32;
    let starts = |at: usize| {
        let begins = view.token(at).line_start()
            || at > 0 && view.is_any_mark(at - 1, b".:;,") && view.gap(at) > crate::text::token::Gap::None;
        let word = view.is_word(at + 1) && view.same_line(at + 1) && !view.token(at + 1).glued();
        let free = !view.any(at + 1, ANNOUNCES) || says!(view, at + 1, "no");
        view.width(at) <= 2 && begins && word && free && is_ordinary(view, at + 1)
    };
    if !starts(at) || is_placed_within(view, at, 2) {
        return false;
    }
    let Some(nth) = view.whole(at).filter(|nth| (1..=30).contains(nth)) else { return false };
    let first = at.saturating_sub(REACH);
    bits(view.numbers_near(first)).map(|place| first + place).any(|other| {
        let next = if other < at { nth.checked_sub(1).filter(|&before| before > 0) } else { Some(nth + 1) };
        other != at && view.whole(other) == next && starts(other)
    })
}
