//! An amount with what follows it, parsed once for each number of a note.

use super::amount::{Amount, Shape};
use super::follow::{UnitKind, UnitPhrase};
use crate::rules::engine::amounts::{AmountForm, Amounts, CacheEntry, Measured};
use crate::rules::engine::word_sets::word_is;
use crate::rules::engine::{Certainty, Findings, Note};

/// Percentages are seldom above this.
pub(super) const MAX_PERCENT: u64 = 2000;

/// The maximum age to vouch for.
const MAX_KEPT_AGE: u64 = 89;

/// Returns the amount that begins with the number `at`, from the cache if possible.
#[inline]
pub(super) fn measured_amount_at(note: &Note<'_>, at: usize, findings: &mut Findings) -> Option<Measured> {
    let nth = note.token(at).nth_number()?;
    match findings.amounts.get(nth) {
        CacheEntry::Read(known) => known,
        CacheEntry::Unread => read_measured_amount(note, at, nth, &mut findings.amounts),
    }
}

#[inline(never)]
fn read_measured_amount(note: &Note<'_>, at: usize, nth: usize, amounts: &mut Amounts) -> Option<Measured> {
    let number = note.nth_number(nth)?;
    let measured = Amount::read(note, at, number)
        .map(|amount| Measured::new(amount.most, amount.form, amount.end, vouched(note, &amount)));
    amounts.set(nth, note.count_of_numbers(), measured);
    measured
}

/// Returns the end (exclusive) of the amount with its unit or noun, and the certainty that it is an amount.
#[inline]
fn vouched(note: &Note<'_>, amount: &Amount) -> Option<(usize, Certainty)> {
    // Fast path: after most other amounts, a mark or a number follows that begins no unit or noun.
    let alone = amount.form != AmountForm::Product && !UnitPhrase::may_begin_at(note, amount.end);
    if alone { None } else { followed(note, amount) }
}

#[inline(never)]
fn followed(note: &Note<'_>, amount: &Amount) -> Option<(usize, Certainty)> {
    let Some(follow) = UnitPhrase::read_after(note, amount.end) else {
        if amount.form == AmountForm::Product && is_small_amount(amount) {
            // `84x41x52`: nothing else has three numbers like that.
            let times = |at: usize| word_is!(note, at, "x");
            let three = amount.first + 5 == amount.end && times(amount.first + 1) && times(amount.first + 3);
            return Some((amount.end, if three { Certainty::Sure } else { Certainty::Likely }));
        }
        let follow = UnitPhrase::read_past_ordinary_words(note, amount.end)?;
        let plausible = amount.most <= 999 && amount.figure.is_plain_measurement() && !amount.figure.looks_like_date();
        return plausible
            .then_some((amount.end, if follow.what == UnitKind::Sized { Certainty::Likely } else { Certainty::Weak }));
    };
    let figure = &amount.figure;
    if matches!(figure.shape, Shape::Slashes | Shape::Other) && !figure.has_short_parts() {
        return None;
    }
    let last = if note.token(amount.end).glued() || !follow.is_separated { follow.last() } else { amount.end };
    let year = figure.is_year();
    let decimal = figure.shape == Shape::Decimal;
    let certainty = match follow.what {
        UnitKind::Letter | UnitKind::Graded if year || figure.has_leading_zero => return None,
        // `578437 L` is a code and a side.
        UnitKind::Letter if figure.number.digits(0) > 4 => return None,
        UnitKind::Unit if is_not_measured(note, amount) => return None,
        UnitKind::Years if amount.most > MAX_KEPT_AGE => return None,
        // `1200000 units` is a dose; `7944479` of anything is an identifier.
        _ if figure.number.digits(0) > 6 && !figure.number.value(0).is_multiple_of(1000) => return None,
        UnitKind::Duration | UnitKind::Dose | UnitKind::Years | UnitKind::Counted | UnitKind::Sized if year => {
            return None;
        }
        UnitKind::Counted | UnitKind::Sized if figure.has_leading_zero => return None,
        UnitKind::Clock if amount.most > 12 || figure.shape != Shape::Integer => return None,
        // `101.2 F` is neither an age nor an initial.
        UnitKind::Letter if decimal && word_is!(note, amount.end, "c" | "f") => Certainty::Sure,
        UnitKind::Letter if !decimal => Certainty::Weak,
        UnitKind::Graded if figure.shape != Shape::Slash => Certainty::Weak,
        _ => Certainty::Likely,
    };
    // `on 3/4 daily`: a date may precede such a word by chance.
    let certainty = if figure.looks_like_date() && !figure.is_fraction() { Certainty::Weak } else { certainty };
    Some((last, certainty))
}

/// Returns whether an amount before an apparent unit is implausible: nothing measures that many.
#[inline]
fn is_not_measured(note: &Note<'_>, amount: &Amount) -> bool {
    let (unit, digits) = (amount.end, amount.figure.number.digits(0));
    // No percentage has five digits.
    if amount.most > MAX_PERCENT && note.is_mark(unit, b'%')
        // Feet and inches never have four digits.
        || amount.most > 999 && note.is_any_mark(unit, b"'\"")
        // `in his 90s`
        || (MAX_KEPT_AGE + 1..=130).contains(&amount.most) && word_is!(note, unit, "s")
    {
        return true;
    }
    if !note.token(unit).glued() {
        return false;
    }
    // Too large for degrees or a size letter: `762C`.
    if word_is!(note, unit, "c" | "f") && amount.most > 250 {
        return true;
    }
    // `57640L` is a code.
    let coded = matches!(note.bytes(unit), [letter] if b"cfhjlmsvw".contains(letter));
    // `53437U`: doses in units are rounder.
    let odd = || {
        word_is!(note, unit, "u")
            && !amount.figure.number.value(0).is_multiple_of(50)
            && !(note.is_mark(unit + 1, b'/') && note.joined(unit + 1))
    };
    digits > 4 && (coded || odd())
}

fn is_small_amount(amount: &Amount) -> bool {
    amount.most <= 999 && amount.figure.is_plain_measurement()
}
