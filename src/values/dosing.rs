//! Dose, route and frequency of a drug: `metoprolol 25 mg by mouth twice a day`, `5 mg of prednisone`.

use std::sync::LazyLock;

use super::amount;
use super::spelling::{Spellings, rows};
use super::units::Unit;
use crate::note::Note;
use crate::text::token::{Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// How far from the name of a drug its dose, route and frequency may stand, in tokens.
const REACH: usize = 28;
/// How many words that are no part of a prescription may stand in a row.
const STRANGERS: usize = 2;

fn spellings(list: &'static str) -> Spellings<&'static str> {
    let mut spellings = Spellings::default();
    for row in rows(list) {
        row[1].split_whitespace().for_each(|spelling| spellings.add(spelling, row[0]));
    }
    spellings
}

static ROUTES: LazyLock<Spellings<&'static str>> = LazyLock::new(|| spellings(include_str!("routes.txt")));
static FREQUENCIES: LazyLock<Spellings<&'static str>> = LazyLock::new(|| spellings(include_str!("frequencies.txt")));
static AS_NEEDED: LazyLock<Spellings<()>> = LazyLock::new(|| {
    let mut spellings = Spellings::default();
    for spelling in ["prn", "p.r.n", "p.r.n.", "asneeded", "asrequired", "ifneeded"] {
        spellings.add(spelling, ());
    }
    spellings
});

/// The routes as results write them.
pub(super) fn routes() -> impl Iterator<Item = &'static str> {
    rows(include_str!("routes.txt")).map(|row| row[0])
}

/// What a note says of how a drug is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Dosing {
    pub(super) dose: Option<String>,
    pub(super) route: Option<&'static str>,
    pub(super) frequency: Option<String>,
    /// One past the last token that was read.
    pub(super) last: usize,
}

impl Dosing {
    /// Whether it says how the drug is given, and not only how much.
    pub(super) const fn is_prescribed(&self) -> bool {
        self.route.is_some() || self.frequency.is_some()
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.dose.is_none() && self.route.is_none() && self.frequency.is_none()
    }
}

/// How a drug is given whose name has the tokens `first..last`. The next drug begins at `next`; what stands before `free` belongs to
/// the one before. Only tokens that are `kept` are read.
pub(super) fn read(
    note: &Note<'_>,
    (first, last): (usize, usize),
    (free, next): (usize, usize),
    kept: impl Fn(usize) -> bool + Copy,
) -> Dosing {
    let mut found = after(note, last, next, kept);
    if found.dose.is_none() {
        found.dose = before(note, first, free, kept);
    }
    // A number without a unit is a dose only in a prescription, and a time or route without a dose may be anything's.
    found.last = found.last.max(last);
    found
}

/// Reads what follows the name of a drug.
fn after(note: &Note<'_>, from: usize, next: usize, kept: impl Fn(usize) -> bool + Copy) -> Dosing {
    let mut found = Dosing { last: from, ..Dosing::default() };
    let (mut at, mut strangers, mut bare) = (from, 0, None);
    while at < next.min(from + REACH) && goes_on(note, at) && strangers <= STRANGERS {
        if let Some((dose, last)) = dose(note, at, kept) {
            let is_form = dose.1;
            let of_next = last + usize::from(note.word(last) == "of") >= next;
            if of_next || found.dose.is_some() && !is_form {
                break;
            }
            found.dose.get_or_insert(dose.0);
            (at, strangers, found.last) = (last, 0, last);
            continue;
        }
        if found.frequency.is_none()
            && let Some((frequency, last)) = frequency(note, at, kept)
        {
            found.frequency = Some(frequency);
            (at, strangers, found.last) = (last, 0, last);
            continue;
        }
        if let Some((route, last)) = ROUTES.longest(note, at, kept) {
            found.route.get_or_insert(route);
            (at, strangers, found.last) = (last, 0, last);
            continue;
        }
        if let Some(last) = as_needed(note, at, kept) {
            add_as_needed(&mut found.frequency);
            (at, strangers, found.last) = (last, 0, last);
            continue;
        }
        if note.is_number(at) {
            if at == from && kept(at) {
                bare = amount::read(note, at, false, kept);
            } else if found.dose.is_some() {
                strangers += 1;
            }
        } else if note.is_word(at) {
            if ends(note, at) {
                break;
            }
            strangers += usize::from(!is_filler(note, at));
        } else if note.is_mark(at, b';') {
            break;
        }
        at += 1;
    }
    // `metoprolol 25 bid`
    if found.dose.is_none() && !found.is_empty() {
        found.dose = bare.map(|amount| amount.text);
    }
    found
}

/// Whether the text goes on to a token: no sentence, line of a list or paragraph begins there.
fn goes_on(note: &Note<'_>, at: usize) -> bool {
    let token = note.token(at);
    token.kind != Kind::End
        && (!token.border_before() || token.gap == Gap::Wide || token.gap <= Gap::Space && !token.sentence_start())
}

/// Words after which nothing is said of the drug before them.
fn ends(note: &Note<'_>, at: usize) -> bool {
    matches!(note.word(at), "and" | "but" | "because" | "which" | "who" | "she" | "he" | "then" | "since" | "plus")
}

/// Words of prescriptions that say nothing of dose, route or frequency.
fn is_filler(note: &Note<'_>, at: usize) -> bool {
    const FILLERS: Classes = Classes::of(&[Class::Dose, Class::Unit, Class::Duration, Class::NumberWord, Class::Stop]);
    note.any(at, FILLERS)
}

/// The dose at a token, whether it counts tablets and the like, and one past its last token.
fn dose(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool + Copy) -> Option<((String, bool), usize)> {
    let amount = amount::read(note, at, false, kept)?;
    // `25-mg tablets`
    let unit_at = amount.last + usize::from(note.is_mark(amount.last, b'-') && note.joined(amount.last));
    let (unit, mut last) = Unit::read(note, unit_at, kept).filter(|&(unit, _)| unit.is_dose())?;
    let mut text = format!("{} {}", amount.text, unit.name());
    // `5 mg/kg/h`
    while note.is_mark(last, b'/') && note.joined(last) {
        let Some((per, end)) = per(note, last + 1).filter(|&(_, end)| (last..end).all(kept)) else { break };
        text.push('/');
        text.push_str(per);
        last = end;
    }
    Some(((text, unit.is_form()), last))
}

/// What a dose is counted by, after a slash.
fn per(note: &Note<'_>, at: usize) -> Option<(&'static str, usize)> {
    let per = match note.word(at) {
        "kg" => "kg",
        "h" | "hr" | "hour" => "h",
        "min" | "minute" => "min",
        "d" | "day" => "day",
        "dose" => "dose",
        "ml" => "mL",
        "m" if note.word(at + 1) == "2" && note.token(at + 1).glued() => return Some(("m2", at + 2)),
        _ => return None,
    };
    (!note.token(at + 1).glued()).then_some((per, at + 1))
}

/// The dose before the name of a drug: `81 mg aspirin`, `2 units of insulin`.
fn before(note: &Note<'_>, first: usize, free: usize, kept: impl Fn(usize) -> bool + Copy) -> Option<String> {
    let mut end = first;
    let joins = |at: usize| {
        matches!(note.word(at), "of" | "tablet" | "tablets" | "capsule" | "capsules" | "oral" | "iv" | "po")
    };
    while end > free && first - end < 3 && joins(end - 1) && note.follows(end) {
        end -= 1;
    }
    (free..end).rev().take(8).filter(|&at| note.is_number(at)).find_map(|at| {
        let ((text, _), last) = dose(note, at, kept)?;
        (last == end && (at + 1..first).all(|at| goes_on(note, at)) && !note.border_before(first)).then_some(text)
    })
}

/// The frequency at a token, and one past its last token.
fn frequency(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool + Copy) -> Option<(String, usize)> {
    let listed = FREQUENCIES.longest(note, at, kept);
    let counted = every(note, at).filter(|&(_, last)| (at..last).all(kept));
    let (text, last) = match (listed, counted) {
        (Some((listed, last)), Some((_, later))) if last >= later => (listed.to_owned(), last),
        (_, Some((text, later))) => (text, later),
        (Some((listed, last)), None) => (listed.to_owned(), last),
        (None, None) => return None,
    };
    Some((text, last))
}

/// `q6h`, `every 4-6 hours`, `q 3 days`
fn every(note: &Note<'_>, at: usize) -> Option<(String, usize)> {
    if !matches!(note.word(at), "q" | "every" | "each") {
        return None;
    }
    let amount = amount::read(note, at + 1, false, |_| true)?;
    let unit_at = amount.last + usize::from(note.is_mark(amount.last, b'-'));
    let unit = match note.word(unit_at) {
        "h" | "hr" | "hrs" | "hour" | "hours" | "hourly" => "hours",
        "d" | "day" | "days" => "days",
        "min" | "mins" | "minute" | "minutes" => "minutes",
        "w" | "wk" | "wks" | "week" | "weeks" => "weeks",
        "month" | "months" | "mo" => "months",
        _ => return None,
    };
    (!note.token(unit_at + 1).glued()).then(|| (format!("every {} {unit}", amount.text), unit_at + 1))
}

/// One past `prn` or `as needed`.
fn as_needed(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool) -> Option<usize> {
    AS_NEEDED.longest(note, at, kept).map(|((), last)| last)
}

fn add_as_needed(frequency: &mut Option<String>) {
    let text = frequency.take().unwrap_or_default();
    *frequency = Some(if text.is_empty() { "as needed".to_owned() } else { format!("{text} as needed") });
}
