//! Number plates and numbers of citizens by their shape: short rows of capitals and figures behind hyphens or blanks.
//!
//! `code` finds what is long or mixed; here are the shapes whose parts, each for itself, could be an abbreviation and a
//! value: `HS-629-GT`, `SP-S-51`, `RG63 LPD`, `CS 7731 CN`, `187 BHK`, `ZZ 43 11 35 T`.

mod hyphenated;
mod part;
mod spaced;
mod stray;

use super::{Certainty, Findings, Kind, View};
use crate::token::{self, Case, Gap};
use crate::vocabulary::{Class, Classes};
use hyphenated::{district, hyphenated, with_four};
use part::{LABELS, Part, is_hour, is_round, names_a_number, part};
use spaced::spaced;

/// Finds a plate or a number of a citizen, at its first number.
pub(super) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let alone = !view.token(at).glued() && !view.token(at + 1).glued();
    let near = |word: usize| view.is_word(word) && view.case(word) == Case::Upper && view.width(word) <= 3;
    let mark = |mark: usize| is_joint(view, mark) && view.joined(mark);
    if alone && !(near(at.wrapping_sub(1)) || near(at + 1) || mark(at + 1) || mark(at.wrapping_sub(1))) {
        return;
    }
    let Some(here) = part(view, at) else { return };
    if let Some(last) = with_four(view, &here) {
        findings.remove(here.first, last, Kind::Vehicle, Certainty::Likely);
        return;
    }
    // `829 7HZ`: the first number has no capitals beside it, and the rule is not asked there.
    if here.changes == 1 && view.is_number(here.first) && here.first == at && at > 0 && view.gap(at) == Gap::Space {
        let plain = |part: &Part| part.changes == 0 && part.digits > 1;
        if let Some(before) =
            Some(at - 1).filter(|&before| view.is_number(before)).and_then(|before| part(view, before))
            && plain(&before)
            && let Some((kind, certainty)) = judged(view, &[before, here], false)
        {
            findings.remove(before.first, here.last, kind, certainty);
            return;
        }
    }
    let mut parts = [Part::default(); MOST];
    let mut single = true;
    for hyphen in [true, false] {
        let Some((len, number)) = row(view, here, hyphen, &mut parts) else { continue };
        single = false;
        // The row is read once, at the first number in it.
        if parts[..number].iter().any(|part| part.digits > 0) || here.first != parts[number].first {
            continue;
        }
        let row = &parts[..len];
        if hyphen && let Some(first) = district(view, row) {
            findings.remove(first, row[len - 1].last, Kind::Vehicle, Certainty::Likely);
            return;
        }
        if let Some((kind, certainty)) = judged(view, row, hyphen) {
            findings.remove(row[0].first, row[len - 1].last, kind, certainty);
            return;
        }
    }
    if single && stray::is_single(view, &here) {
        findings.remove(here.first, here.last, Kind::Vehicle, Certainty::Likely);
    }
}

/// What a row is by its shape, and by the sentence around it.
fn judged(view: &View<'_>, row: &[Part], hyphen: bool) -> Option<(Kind, Certainty)> {
    let found = if hyphen { hyphenated(view, row) } else { spaced(view, row) };
    if !matches!(found, Some((_, Certainty::Likely))) && stray::is_row(view, row, hyphen) { LIKELY } else { found }
}

/// More parts than this are not read.
const MOST: usize = 6;

/// A hyphen, or the point in the middle that some plates have: `03S•582`.
fn is_joint(view: &View<'_>, at: usize) -> bool {
    view.is_mark(at, b'-') || is_bullet(view, at)
}

fn is_bullet(view: &View<'_>, at: usize) -> bool {
    view.token(at).kind == token::Kind::Symbol && matches!(view.word(at), "•" | "·")
}

/// Reads the parts joined to this one; how many they are, and which of them it is. `None` where it stands alone or the row does not end.
fn row(view: &View<'_>, here: Part, hyphen: bool, parts: &mut [Part; MOST]) -> Option<(usize, usize)> {
    let joint = |first: usize| {
        if hyphen {
            is_joint(view, first) && view.joined(first) && view.joined(first + 1)
        } else {
            view.gap(first) == Gap::Space
        }
    };
    let width = usize::from(hyphen);
    let fits = |at: usize| {
        view.is_number(at)
            || view.is_word(at) && (view.case(at) == Case::Upper || view.capitalised(at) && view.width(at) == 1)
    };
    let before = here.first > width && joint(here.first - width) && fits(here.first - width - 1);
    if !before && !(joint(here.last) && fits(here.last + width)) {
        return None;
    }
    let mut before = 0;
    let mut first = here;
    // Two parts may stand before the first number.
    while before < 2 && first.first > width && joint(first.first - width) {
        let Some(other) = part(view, first.first - width - 1).filter(|other| other.digits == 0) else { break };
        first = other;
        before += 1;
        parts[2 - before] = other;
    }
    parts.copy_within(2 - before..2, 0);
    let mut len = before;
    let mut last = here;
    parts[len] = here;
    len += 1;
    while len < MOST && joint(last.last) {
        let Some(other) = part(view, last.last + width) else { break };
        last = other;
        parts[len] = other;
        len += 1;
    }
    // 481-57-26 goes on.
    let goes_on = view.joined(last.last) && view.is_any_mark(last.last, b"-/") && view.joined(last.last + 1);
    (len > 1 && !goes_on).then_some((len, before))
}

/// What is left: as many letters and figures as plates have. Weak, so that a name keeps its value and an amount its unit;
/// but where nothing vouches for the figures, the letters beside them go too: `BIW 651`, `68 AD 475`, `5HD 572`.
fn by_length(view: &View<'_>, row: &[Part]) -> Option<(Kind, Certainty)> {
    let letters: usize = row.iter().map(|part| part.letters).sum();
    let digits: usize = row.iter().map(|part| part.digits).sum();
    let plate = row.len() <= 3
        && (6..=8).contains(&(letters + digits))
        && letters > 1
        && (digits > 2 || row.len() == 2 && digits == 2 && letters >= 4 && row[0].letters == 3)
        // `T2 N0 M0`
        && row.iter().all(|part| part.changes == 0 || part.letters + part.digits > 2)
        && !(digits > 3 && row.len() == 2 && names_a_number(view, &row[0]))
        && row.iter().all(|part| part.digits == 0 || !is_round(view, part) && !is_hour(view, part))
        && row.iter().all(|part| part.letters == 0 || part.changes > 0 || !view.any(part.first, NOT_ON_PLATES));
    if plate { WEAK } else { None }
}

/// What announces a number or stands between two.
const NOT_ON_PLATES: Classes = LABELS.or(Classes::of(&[Class::Stop, Class::Link, Class::NumberWord]));

const LIKELY: Option<(Kind, Certainty)> = Some((Kind::Vehicle, Certainty::Likely));

const WEAK: Option<(Kind, Certainty)> = Some((Kind::Vehicle, Certainty::Weak));
