//! Months that stand alone, are misspelt, or are broken over a line end.

use super::columns::{Around, Fact, GROUP, Group};
use super::date::words;
use super::word_sets::says;
use super::{Certainty, Findings, Kind, View};
use crate::calendar::MONTHS;
use crate::patient::is_near;
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// What a misspelt month is on no account.
const KNOWN: Classes = Classes::of(&[Class::Stop, Class::English, Class::Clinical, Class::Term, Class::Month]);

/// The names of all months, for words that are not on the list because they are misspelt or broken.
fn names() -> impl Iterator<Item = &'static [u8]> {
    MONTHS.iter().map(|name| name.as_bytes())
}

/// Whether the name of the month is a word of its own as well: may, march, and the abbreviations.
pub(super) fn is_doubtful(view: &View<'_>, first: usize, last: usize) -> bool {
    let word = view.bytes(first);
    last == first + 1 && (matches!(word, b"may" | b"march") || (word.len() <= 4 && !matches!(word, b"july" | b"june")))
}

/// Reports a month without a day or a year beside it.
pub(super) fn bare(view: &View<'_>, at: usize, findings: &mut Findings) {
    let in_range = range(view, at);
    if !is_doubtful(view, at, at + 1) {
        findings.remove(at, at + 1, Kind::Month, Certainty::Likely);
        return;
    }
    if in_range {
        findings.remove(at, at + 1, Kind::Month, Certainty::Likely);
        return;
    }
    let word = view.bytes(at);
    let before = at.wrapping_sub(1);
    let cue = at > 0
        && view.follows(at)
        && view.is_word(before)
        && matches!(
            view.bytes(before),
            b"in"
                | b"since"
                | b"last"
                | b"until"
                | b"till"
                | b"during"
                | b"late"
                | b"early"
                | b"mid"
                | b"next"
                | b"every"
                | b"through"
                | b"by"
                | b"this"
                | b"of"
                | b"from"
                | b"before"
                | b"after"
                | b"around"
                | b"past"
                | b"thru"
        );
    // "by mar" and "of dec" are too much else in lower case; "since oct" is not. No verb follows a preposition, so that "of may"
    // and "from march" are months in any case.
    let time = cue
        && (matches!(
            view.bytes(before),
            b"in" | b"since" | b"last" | b"until" | b"till" | b"during" | b"early" | b"mid" | b"next"
        ) || matches!(word, b"may" | b"march")
            && matches!(view.bytes(before), b"of" | b"from" | b"by" | b"before" | b"after" | b"through" | b"thru")
            && !eponym_of_march(view, at));
    let after_dash = at >= 2 && view.is_mark(before, b'-') && says!(view, at - 2, "mid" | "early" | "late");
    let capital = matches!(view.case(at), Case::Capital);
    let short = word.len() == 3 && word != b"may";
    let reported = after_dash
        || (cue && capital)
        || (time && !(short && view.case(at) == Case::Upper) && !follows_verb(view, at))
        || (capital && word == b"may" && in_running_text(view, at))
        // `compared with Oct, slightly better`: no word, and no short form is written so.
        || capital
            && matches!(word, b"apr" | b"aug" | b"feb" | b"jul" | b"jun" | b"nov" | b"oct" | b"sep" | b"sept")
            && in_running_text(view, at);
    if reported {
        findings.remove(at, at + 1, Kind::Month, Certainty::Likely);
    }
}

/// March fractures and march haemoglobinuria are of marching; "all of which may", "any of whom may" have a word between.
fn eponym_of_march(view: &View<'_>, at: usize) -> bool {
    says!(view, at + 1, "fracture" | "fractures" | "foot" | "hemoglobinuria" | "haemoglobinuria")
}

/// "in may be" has no month.
fn follows_verb(view: &View<'_>, at: usize) -> bool {
    view.is_word(at + 1)
        && matches!(
            view.bytes(at + 1),
            b"be" | b"have" | b"not" | b"need" | b"also" | b"take" | b"require" | b"benefit" | b"at"
        )
}

/// A capitalised May inside a sentence is a month or a name.
fn in_running_text(view: &View<'_>, at: usize) -> bool {
    let lower = |at: usize| view.is_word(at) && view.case(at) == Case::Lower;
    at > 0 && !view.sentence_start(at) && lower(at - 1) && !(view.is_word(at + 1) && view.capitalised(at + 1))
}

/// Whether the month is an end of a range of months: March to June, Mar-Jun, May/June, May and June.
fn range(view: &View<'_>, at: usize) -> bool {
    let joins = |at: usize| {
        view.is_any_mark(at, b"-/&")
            || (view.is_word(at)
                && matches!(view.bytes(at), b"to" | b"and" | b"or" | b"through" | b"thru" | b"until" | b"till"))
    };
    let other = |other: usize| {
        view.is(other, Class::Month) && view.case(other) == view.case(at) && view.bytes(other) != view.bytes(at)
    };
    let after = joins(at + 1) && view.follows(at + 1) && other(at + 2) && view.follows(at + 2);
    let before = at >= 2 && joins(at - 1) && view.follows(at) && other(at - 2) && view.follows(at - 1);
    (after || before) && (view.capitalised(at) || !says!(view, at, "may") || before)
}

/// Finds a misspelt or broken month beside a number that may be a day or a year, and one that begins with a capital and is
/// broken over a line end.
pub(super) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let bytes = view.bytes(at);
    if view.is_word(at) {
        // the Fourth of Julyand
        if view.is(at, Class::OrdinalWord) && says!(view, at + 1, "of") && runs_on(view, at + 2) {
            findings.remove(at, at + 3, Kind::DayMonth, Certainty::Likely);
        }
        if let Some(last) = broken(view, at).filter(|_| view.capitalised(at)) {
            findings.remove(at, last, Kind::Month, Certainty::Likely);
        }
        return;
    }
    if bytes.len() > 4 && !matches!(bytes.get(1..3), Some([b',' | b'.', _] | [_, b',' | b'.'])) {
        return;
    }
    let after = behind(view, at);
    if let Some(last) = guessed(view, after) {
        words::around(view, after, last, true, findings);
    }
    let Some(before) = before(view, at) else { return };
    // The longest first: the second half of a broken name may look like the whole of it.
    for first in [before.checked_sub(3), before.checked_sub(2), before.checked_sub(1)].into_iter().flatten() {
        if guessed(view, first) == Some(before) {
            words::around(view, first, before, true, findings);
            return;
        }
    }
}

/// What stands after the number, perhaps behind its ordinal ending and "of".
#[inline]
fn behind(view: &View<'_>, at: usize) -> usize {
    let mut after = at + 1;
    for _ in 0..3 {
        let passes = view.follows(after)
            && (view.is_any_mark(after, b"-/.,")
                || (view.is_word(after) && says!(view, after, "st" | "nd" | "rd" | "th" | "of")));
        if !passes {
            break;
        }
        after += 1;
    }
    after
}

/// One past the word before the number, perhaps with marks and "the" between.
#[inline]
fn before(view: &View<'_>, at: usize) -> Option<usize> {
    let mut before = at;
    for _ in 0..2 {
        if before > 0
            && view.follows(before)
            && (view.is_any_mark(before - 1, b"-/.,") || (view.is_word(before - 1) && says!(view, before - 1, "the")))
        {
            before -= 1;
        }
    }
    (before > 0 && view.follows(before) && view.is_word(before - 1)).then_some(before)
}

/// Words that are on no list of what a misspelt month is on no account.
fn unknown(group: &Group) -> u64 {
    group.is(Fact::Word) & !group.is(Fact::UpToThree) & !group.any(KNOWN)
}

/// Words behind the end of a line.
fn second_halves(group: &Group) -> u64 {
    group.is(Fact::Word) & group.is(Fact::NewLine) & group.is(Fact::Follows)
}

/// Which numbers have a word beside them that may be a misspelt month or the half of a broken one, over what `behind` and
/// `before` pass.
pub(super) fn near(around: &Around<'_>) -> u64 {
    let on = |has: fn(&Group) -> u64| around.on_from_here(has);
    let (half, hyphen) = (on(second_halves), on(|group| group.mark(b'-') & group.is(Fact::Joined)));
    let broken = on(|group| group.is(Fact::Word)) & (half >> 1 | hyphen >> 1 & half >> 2);
    let month = on(unknown) | broken;
    let passes = on(|group| {
        let word = group.is(Fact::Word) & (group.is(Fact::Ordinal) | group.is(Fact::OfPlace)) & group.is(Fact::UpToTwo);
        group.is(Fact::Follows) & (group.marks(b"-/.,") | word)
    });
    let right = (0..3).fold(month, |reach, _| month | passes & reach >> 1) >> 1;
    let back = |has: fn(&Group) -> u64| around.up_to_here(has);
    let (follows, month) = (back(|group| group.is(Fact::Follows)), back(|group| unknown(group) | second_halves(group)));
    let passes = back(|group| group.marks(b"-/.,") | group.is(Fact::Word) & group.is(Fact::The));
    let left = (0..2).fold(month, |reach, _| month | passes & follows & reach << 1) << 1 & follows;
    right as u64 | (left >> GROUP) as u64
}

/// Which words may be the half of a month that a line end breaks, or have one behind them that the next word is joined to.
pub(super) fn near_word(around: &Around<'_>) -> u64 {
    let hyphen = around.behind(1, |next| next.mark(b'-') & next.is(Fact::Joined));
    let broken = around.behind(1, second_halves) | hyphen & around.behind(2, second_halves);
    let of = around.behind(1, |next| next.is(Fact::OfPlace) & next.is(Fact::UpToTwo));
    around.here().capitalised() & broken | of & around.behind(2, |month| unknown(month) & !month.is(Fact::NewLine))
}

/// Whether the word is a month and a word with the blank between them missing: `julyand`.
fn runs_on(view: &View<'_>, at: usize) -> bool {
    let word = view.bytes(at);
    let begins = |name: &[u8]| name.len() > 3 && word.starts_with(name) && word.len() > name.len();
    view.same_line(at) && !view.any(at, KNOWN) && names().any(begins)
}

/// The second half of a word that a line end breaks, perhaps behind a hyphen.
fn second_half(view: &View<'_>, at: usize) -> Option<usize> {
    let half = if view.is_mark(at + 1, b'-') && view.joined(at + 1) { at + 2 } else { at + 1 };
    (view.gap(half) == Gap::Line && view.is_word(half)).then_some(half)
}

/// Whether the whole name of a month, broken over a line end, begins here: one past its last token.
fn broken(view: &View<'_>, at: usize) -> Option<usize> {
    let half = second_half(view, at)?;
    let (word, other) = (view.bytes(at), view.bytes(half));
    if word.len() + other.len() > 9 {
        return None;
    }
    let whole = |name: &[u8]| name.len() == word.len() + other.len() && name.starts_with(word) && name.ends_with(other);
    names().any(whole).then_some(half + 1)
}

/// The same for the three letters that names are cut to.
fn broken_abbreviation(view: &View<'_>, at: usize) -> Option<usize> {
    let half = second_half(view, at)?;
    let (word, other) = (view.bytes(at), view.bytes(half));
    let cut = |name: &[u8]| name.starts_with(word) && name[word.len()..].starts_with(other);
    (word.len() + other.len() == 3 && names().any(cut)).then_some(half + 1)
}

/// Whether a month, misspelt or broken over a line end, begins here: one past its last token.
fn guessed(view: &View<'_>, at: usize) -> Option<usize> {
    if !view.is_word(at) {
        return None;
    }
    // Nearly every word beside a number is a known one in the middle of its line.
    let ends = view.token(at + 1).line_start() || view.is_mark(at + 1, b'-');
    if !ends && view.any(at, KNOWN) {
        return None;
    }
    let word = view.bytes(at);
    if (ends || view.gap(at + 1) == Gap::Line)
        && let Some(last) = broken(view, at).or_else(|| broken_abbreviation(view, at))
    {
        return Some(last);
    }
    if word.len() < 4 || word.len() > 14 || view.any(at, KNOWN) {
        return None;
    }
    // The blank before the month is missing: onOct 9.
    let glued = |name: &[u8]| word.ends_with(name) || word.ends_with(&name[..3]);
    if view.case(at) == Case::Mixed && names().any(glued) {
        return Some(at + 1);
    }
    // 4-Jaan-22
    let between = view.is_mark(at + 1, b'-')
        && view.joined(at + 1)
        && view.joined(at)
        && at > 1
        && view.is_number(at - 2)
        && view.is_number(at + 2)
        && view.joined(at + 2);
    let near = |name: &[u8]| is_near(word, name) || between && is_near(word, &name[..3]);
    names().any(|name| name.len() >= 4 && near(name)).then_some(at + 1)
}
