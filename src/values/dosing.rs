//! Dose, route and frequency of a drug: `metoprolol 25 mg by mouth twice a day`, `5 mg of prednisone`.

use std::sync::LazyLock;

use super::amount::{self, Amount};
use super::dose::{combined_strength, continues_to, dose_at, dose_before_name, end_of_brackets};
use super::frequency::{AS_NEEDED, as_needed, frequency, time_of_infusion};
use super::spelling::{Spellings, spellings};
use super::units::Unit;
use crate::note::Note;
use crate::text::bundled_list;
use crate::text::lists::BundledList;
use crate::text::token::{Case, Gap, Kind};
use crate::text::words_of_file;
use crate::vocabulary::{Class, Classes};

/// The maximum distance from the name of a drug to its dose, route and frequency, in tokens.
const MAX_PRESCRIPTION_DISTANCE: usize = 28;
/// The maximum distance from one course to the next, in tokens.
const MAX_COURSE_DISTANCE: usize = 10;
/// The maximum distance from the name of a drug to a change of its dose, in tokens.
const MAX_CHANGE_DISTANCE: usize = 4;
/// The maximum number of consecutive words that are not part of a prescription.
const MAX_UNRELATED_WORDS: usize = 2;

const ROUTE_LIST: BundledList = bundled_list!("routes.txt");
static ROUTES: LazyLock<Spellings<&'static str>> = LazyLock::new(|| spellings(ROUTE_LIST));

/// Returns the routes as results show them.
pub(super) fn route_names() -> impl Iterator<Item = &'static str> {
    ROUTE_LIST.rows('|', |[route, _]| Ok(route)).into_iter()
}

/// How a drug is given according to a note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Dosing {
    pub(super) dose: Option<String>,
    pub(super) route: Option<&'static str>,
    pub(super) frequency: Option<String>,
    /// Later courses: `then 20 mg daily`.
    pub(super) further: Vec<Self>,
    /// The duration of an infusion, used if there is no frequency.
    infusion: Option<String>,
    /// The end (exclusive) of what was read, in tokens.
    pub(super) end: usize,
}

impl Dosing {
    /// Returns whether there is only a dose in percent, which may belong to anything.
    pub(super) fn is_only_share(&self) -> bool {
        !self.is_prescribed() && self.dose.as_deref().is_some_and(|dose| dose.ends_with('%'))
    }

    /// Returns whether a route or a frequency is known, and not only an amount.
    pub(super) const fn is_prescribed(&self) -> bool {
        self.route.is_some() || self.frequency.is_some()
    }

    /// Completes a prescription: a number without a unit becomes the dose and an infusion's duration the frequency, if
    /// these are missing. A route after other words, without dose or frequency, is dropped because it may belong to
    /// anything.
    fn fill_gaps_and_drop_stray_route(&mut self, bare: Option<Amount>, stray_route: bool) {
        if stray_route && self.dose.is_none() && self.frequency.is_none() {
            self.route = None;
        }
        // `metoprolol 25 bid`
        if self.dose.is_none() && !self.is_empty() {
            self.dose = bare.map(|amount| amount.text);
        }
        self.frequency = self.frequency.take().or_else(|| self.infusion.take());
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.dose.is_none() && self.route.is_none() && self.frequency.is_none()
    }
}

/// Reads how a drug is given whose name is `first..last`. The next drug begins at `next`; tokens before `free` belong
/// to the previous one. Only tokens that are `kept` are read.
pub(super) fn read_dosing(
    note: &Note<'_>,
    (first, last): (usize, usize),
    (free, next): (usize, usize),
    kept: impl Fn(usize) -> bool + Copy,
) -> Dosing {
    let mut found = read_after_name(note, last, next, kept);
    if found.dose.is_none() {
        found.dose = dose_before_name(note, first, free, kept);
    }
    if found.dose.is_some() {
        read_before_name(note, first, free, &mut found, kept);
    }
    // The name itself counts as read even if nothing follows it.
    found.end = found.end.max(last);
    found
}

/// Reads what follows the name of a drug: the first course, and any later ones.
fn read_after_name(note: &Note<'_>, from: usize, next: usize, kept: impl Fn(usize) -> bool + Copy) -> Dosing {
    let mut found = read_course(note, from, next, kept);
    let Some((mut before, unit)) = found.dose.clone().and_then(|dose| Some((found.end, dose_unit(&dose)?))) else {
        return found;
    };
    while let Some(at) = next_course(note, before, next, unit, kept) {
        let later = read_course(note, at, next, kept);
        before = later.end;
        // `tablet 81 mg, 81 mg, oral, daily`: the strength of the tablet, and then the dose.
        if found.further.is_empty() && !found.is_prescribed() && found.dose == later.dose {
            found = later;
        } else {
            found.further.push(later);
        }
    }
    found.end = before;
    // In `from 300 mg to 600 mg`, the second is the dose.
    let changed = (from..from + MAX_CHANGE_DISTANCE).any(|at| note.word(at) == "from" && note.is_number(at + 1));
    if changed && let [later, ..] = &mut found.further[..] {
        if found.frequency.is_none() {
            found.frequency.clone_from(&later.frequency);
        }
        std::mem::swap(&mut found.dose, &mut later.dose);
        std::mem::swap(&mut found.route, &mut later.route);
        std::mem::swap(&mut found.frequency, &mut later.frequency);
    }
    found
}

/// Returns the unit of a dose.
fn dose_unit(dose: &str) -> Option<Unit> {
    Unit::of(dose.split_once(' ')?.1.split('/').next()?)
}

/// Returns the start of the next course after one that ends before `from`: a dose in a compatible unit, after a word or
/// mark that leads to it.
fn next_course(
    note: &Note<'_>,
    from: usize,
    next: usize,
    unit: Unit,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<usize> {
    let (mut led, mut strangers) = (false, 0);
    for at in from..next.min(from + MAX_COURSE_DISTANCE) {
        if !continues_to(note, at) || strangers > MAX_UNRELATED_WORDS {
            return None;
        }
        if let Some(((dose, _), last)) = dose_at(note, at, kept) {
            let of_next = last + usize::from(note.word(last) == "of") >= next;
            let alike = dose_unit(&dose).is_some_and(|other| other.is_convertible(unit) && other.is_given());
            // The word before the dose may be a drug that the vocabulary lacks.
            let before = at - 1;
            let named = note.is_word(before) && !leads_to_next_course(note.word(before)) && !is_filler(note, before);
            let summed = note.word(before) == "total";
            return (led && alike && !of_next && !named && !summed).then_some(at);
        }
        if at > from && note.word(at - 1) == "then" && frequency(note, at, false, kept).is_some() {
            return Some(at);
        }
        let joined = leads_to_next_course(note.word(at)) || note.is_mark(at, b',') || note.is_mark(at, b'>');
        led |= joined;
        strangers += usize::from(note.is_word(at) && !joined && !is_filler(note, at));
    }
    None
}

/// Returns whether a word leads to the next course.
fn leads_to_next_course(word: &str) -> bool {
    matches!(
        word,
        "then"
            | "and"
            | "plus"
            | "to"
            | "by"
            | "thereafter"
            | "with"
            | "reduce"
            | "reduced"
            | "increase"
            | "increased"
            | "repeat"
            | "repeated"
            | "was"
            | "previously"
            | "tomorrow"
            | "today"
            | "followed"
            | "puis"
            | "luego"
            | "dann"
            | "poi"
    )
}

/// Reads dose, route and frequency up to the next dose or drug.
fn read_course(note: &Note<'_>, from: usize, next: usize, kept: impl Fn(usize) -> bool + Copy) -> Dosing {
    let mut found = Dosing { end: from, ..Dosing::default() };
    let (mut at, mut strangers, mut bare, mut strength) = (from, 0, None, false);
    let (mut skipped, mut skipped_before_route) = (0, 0);
    while at < next.min(from + MAX_PRESCRIPTION_DISTANCE)
        && (continues_to(note, at) || begins_field(note, at))
        && strangers <= MAX_UNRELATED_WORDS
    {
        if let Some(((dose, is_form), last)) = dose_at(note, at, kept) {
            // `1 tablet (25 mg total)`
            if let Some(close) = found.dose.as_ref().and_then(|_| end_of_brackets(note, at, last)) {
                (at, strangers) = (close, 0);
                continue;
            }
            let of_next = last + usize::from(note.word(last) == "of") >= next;
            if of_next || found.dose.is_some() && !is_form && !strength {
                break;
            }
            // A percentage or concentration is the strength of the drug if an amount follows.
            if strength {
                found.dose = None;
            }
            let by_volume = |at: usize| note.is_mark(at, b'/') && note.is_number(at + 1);
            strength = found.dose.is_none() && (dose.ends_with('%') || (at + 1..last).any(by_volume));
            found.dose.get_or_insert(dose);
            (at, strangers, found.end) = (last, 0, last);
            continue;
        }
        if is_of_next(note, at, next, kept) {
            break;
        }
        let no_route = found.route.is_none();
        if let Some(last) = read_route_or_frequency(note, at, &mut found, kept) {
            skipped_before_route = if no_route { skipped } else { skipped_before_route };
            (at, strangers, found.end) = (last, 0, last);
            continue;
        }
        if note.is_number(at) {
            // `increased to 80 twice a day`
            let changed = || note.word(at - 1) == "to" && frequency(note, at + 1, false, kept).is_some();
            if kept(at) && (at == from || bare.is_none() && changed()) {
                bare = amount::read_amount(note, at, false, kept).or_else(|| combined_strength(note, at));
            } else if found.dose.is_some() {
                strangers += 1;
            }
        } else if note.is_word(at) {
            if ends_dosing(note, at) {
                break;
            }
            let stranger = usize::from(!is_filler(note, at));
            (strangers, skipped) = (strangers + stranger, skipped + stranger);
        } else if note.is_mark(at, b';') && !is_label(note, at + 1) {
            break;
        }
        at += 1;
    }
    found.fill_gaps_and_drop_stray_route(bare, skipped_before_route > 0);
    found
}

/// Returns whether a route or frequency belongs to the next drug: it is right before it, and after a mark or word that
/// begins an item: `, IV cefepime`.
fn is_of_next(note: &Note<'_>, at: usize, next: usize, kept: impl Fn(usize) -> bool + Copy) -> bool {
    let begins = note.is_any_mark(at - 1, b".,;") || matches!(note.word(at - 1), "and" | "of" | "with" | "to" | "on");
    let ends = || ROUTES.longest_spelling(note, at, kept).map(|(_, last)| last);
    begins && next < at + 4 && ends().or_else(|| Some(frequency(note, at, false, kept)?.1)) == Some(next)
}

/// Reads the route and frequency right before the name of a drug: `IV furosemide 40 mg`, `daily aspirin 81 mg`.
fn read_before_name(
    note: &Note<'_>,
    first: usize,
    free: usize,
    found: &mut Dosing,
    kept: impl Fn(usize) -> bool + Copy,
) {
    let starts =
        (free.max(first.saturating_sub(3))..first).filter(|&at| (at + 1..=first).all(|at| !note.border_before(at)));
    for at in starts {
        if let Some((route, _)) = ROUTES.longest_spelling(note, at, kept).filter(|&(_, last)| last == first) {
            found.route.get_or_insert(route);
        } else if let Some((frequency, _)) = frequency(note, at, false, kept).filter(|&(_, last)| last == first) {
            found.frequency.get_or_insert(frequency);
        }
    }
}

/// Reads a route, a frequency or `as needed` at a token into `found`. Returns its end (exclusive).
fn read_route_or_frequency(
    note: &Note<'_>,
    at: usize,
    found: &mut Dosing,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<usize> {
    // `od` means daily, but with drops the right eye.
    let in_eye = |dose: &str| dose.ends_with("drop") || dose.ends_with('%');
    let is_daily = note.word(at) == "od" && !found.dose.as_deref().is_some_and(in_eye);
    let is_nightly = || found.dose.is_some() && is_at_night(note, at);
    let abbreviated = is_daily.then_some("daily").or_else(|| is_nightly().then_some("at bedtime"));
    if found.frequency.is_none()
        && let Some((frequency, last)) = match abbreviated.filter(|_| kept(at)) {
            Some(meant) => Some((meant.to_owned(), at + 1)),
            None => frequency(note, at, found.dose.is_some() || found.route.is_some(), kept),
        }
    {
        found.frequency = Some(frequency);
        return Some(last);
    }
    // The `ng` of `310 ng/dL` is not a route.
    let is_quotient =
        |last: usize| note.is_mark(last, b'/') && note.joined(last) && frequency(note, last, false, kept).is_none();
    if let Some((route, last)) = ROUTES.longest_spelling(note, at, kept).filter(|&(_, last)| !is_quotient(last)) {
        found.route.get_or_insert(route);
        return Some(last);
    }
    if let Some((over, last)) = time_of_infusion(note, at, kept).filter(|_| found.dose.is_some()) {
        found.infusion.get_or_insert(over);
        return Some(last);
    }
    let last = as_needed(note, at, kept)?;
    add_as_needed(&mut found.frequency);
    Some(last)
}

/// Returns whether `ON` in capitals ends a prescription, where it means every night.
fn is_at_night(note: &Note<'_>, at: usize) -> bool {
    let ends = note.border_before(at + 1) || note.is_any_mark(at + 1, b".,;()") || note.token(at + 1).kind == Kind::End;
    note.word(at) == "on" && note.case(at) == Case::Upper && (ends || note.word(at + 1) == "prn")
}

/// Returns whether a field or a line of directions begins: `Dose: 40 mg`, a line `Sig: take 1 tablet by mouth daily`.
fn begins_field(note: &Note<'_>, at: usize) -> bool {
    let directs = matches!(note.word(at), "sig" | "take" | "inject" | "inhale" | "apply" | "instill" | "place");
    note.gap(at) == Gap::Line && directs || is_label(note, at)
}

/// Returns whether a field of a prescription begins: `Dose: 40 mg`, `Route: IV`.
fn is_label(note: &Note<'_>, at: usize) -> bool {
    const LABELS: &[&str] = words_of_file!("words/prescription-labels.txt");
    note.is_mark(at + 1, b':') && LABELS.contains(&note.word(at)) && note.gap(at) < Gap::Paragraph
}

/// Returns whether a word ends what belongs to the drug before it.
fn ends_dosing(note: &Note<'_>, at: usize) -> bool {
    matches!(note.word(at), "and" | "but" | "because" | "which" | "who" | "she" | "he" | "then" | "since" | "plus")
}

/// Returns whether a word is part of prescriptions without being a dose, route or frequency.
fn is_filler(note: &Note<'_>, at: usize) -> bool {
    const FILLERS: Classes = Classes::of(&[Class::Dose, Class::Unit, Class::Duration, Class::NumberWord, Class::Stop]);
    note.any(at, FILLERS)
}

fn add_as_needed(frequency: &mut Option<String>) {
    let text = frequency.take().unwrap_or_default();
    *frequency = Some(if text.is_empty() { AS_NEEDED.to_owned() } else { format!("{text} {AS_NEEDED}") });
}
