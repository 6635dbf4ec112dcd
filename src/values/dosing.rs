//! Dose, route and frequency of a drug: `metoprolol 25 mg by mouth twice a day`, `5 mg of prednisone`.

use std::sync::LazyLock;

use super::amount::{self, Amount, number_in_words};
use super::frequency::{AS_NEEDED, as_needed, frequency};
use super::spelling::{Spellings, list_rows, spellings};
use super::units::Unit;
use crate::note::{Note, Number};
use crate::text::token::{Case, Gap, Kind};
use crate::vocabulary::{Class, Classes};

/// How far from the name of a drug its dose, route and frequency may stand, in tokens.
const REACH: usize = 28;
/// How far after a course the next one may begin, in tokens.
const STEPS: usize = 10;
/// How many words that are no part of a prescription may stand in a row.
const STRANGERS: usize = 2;

static ROUTES: LazyLock<Spellings<&'static str>> = LazyLock::new(|| spellings(include_str!("routes.txt")));

/// The routes as results write them.
pub(super) fn route_names() -> impl Iterator<Item = &'static str> {
    list_rows(include_str!("routes.txt")).map(|row| row[0])
}

/// What a note says of how a drug is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Dosing {
    pub(super) dose: Option<String>,
    pub(super) route: Option<&'static str>,
    pub(super) frequency: Option<String>,
    /// The next steps: `then 20 mg daily`.
    pub(super) further: Vec<Self>,
    /// One past the last token that was read.
    pub(super) last: usize,
}

impl Dosing {
    /// Whether its dose is a share, and nothing says how the drug is given: a share may be anything's.
    pub(super) fn is_only_share(&self) -> bool {
        !self.is_prescribed() && self.dose.as_deref().is_some_and(|dose| dose.ends_with('%'))
    }

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
    // A number without a unit is a dose only in a prescription, and a time or route without a dose may be anything's.
    found.last = found.last.max(last);
    found
}

/// Reads what follows the name of a drug: the first course, and those that come after it.
fn read_after_name(note: &Note<'_>, from: usize, next: usize, kept: impl Fn(usize) -> bool + Copy) -> Dosing {
    let mut found = read_course(note, from, next, kept);
    let Some((mut before, unit)) = found.dose.clone().and_then(|dose| Some((found.last, dose_unit(&dose)?))) else {
        return found;
    };
    while let Some(at) = next_course(note, before, next, unit, kept) {
        let later = read_course(note, at, next, kept);
        before = later.last;
        found.further.push(later);
    }
    found.last = before;
    // Of `from 300 mg to 600 mg` the second is the dose.
    let changed = (from..from + STRANGERS).any(|at| note.word(at) == "from" && note.is_number(at + 1));
    if changed && let [later, ..] = &mut found.further[..] {
        std::mem::swap(&mut found.dose, &mut later.dose);
        std::mem::swap(&mut found.route, &mut later.route);
        std::mem::swap(&mut found.frequency, &mut later.frequency);
    }
    found
}

/// The unit of a dose as results write it.
fn dose_unit(dose: &str) -> Option<Unit> {
    Unit::of(dose.split_once(' ')?.1.split('/').next()?)
}

/// Where the next course begins after one that ends before `from`: a dose in a like unit after a word or a mark that leads to it.
fn next_course(
    note: &Note<'_>,
    from: usize,
    next: usize,
    unit: Unit,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<usize> {
    let (mut led, mut strangers) = (false, 0);
    for at in from..next.min(from + STEPS) {
        if !continues_to(note, at) || strangers > STRANGERS {
            return None;
        }
        if let Some(((dose, _), last)) = dose_at(note, at, kept) {
            let of_next = last + usize::from(note.word(last) == "of") >= next;
            let alike = dose_unit(&dose).is_some_and(|other| other.is_convertible(unit) && other.is_given());
            // The word before it may be a drug that the vocabulary does not know.
            let before = at - 1;
            let named = note.is_word(before) && !leads_to_next_course(note.word(before)) && !is_filler(note, before);
            return (led && alike && !of_next && !named).then_some(at);
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

/// Whether a word leads to the next course.
fn leads_to_next_course(word: &str) -> bool {
    matches!(
        word,
        "then"
            | "and"
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
    )
}

/// Reads dose, route and frequency up to the next dose or drug.
fn read_course(note: &Note<'_>, from: usize, next: usize, kept: impl Fn(usize) -> bool + Copy) -> Dosing {
    let mut found = Dosing { last: from, ..Dosing::default() };
    let (mut at, mut strangers, mut bare, mut strength) = (from, 0, None, false);
    let (mut skipped, mut skipped_before_route) = (0, 0);
    while at < next.min(from + REACH) && (continues_to(note, at) || is_direction(note, at)) && strangers <= STRANGERS {
        if let Some((dose, last)) = dose_at(note, at, kept) {
            let is_form = dose.1;
            let of_next = last + usize::from(note.word(last) == "of") >= next;
            if of_next || found.dose.is_some() && !is_form && !strength {
                break;
            }
            // A share or a concentration is how strong the drug is, where an amount of it follows.
            if strength {
                found.dose = None;
            }
            let by_volume = |at: usize| note.is_mark(at, b'/') && note.is_number(at + 1);
            strength = found.dose.is_none() && (dose.0.ends_with('%') || (at + 1..last).any(by_volume));
            found.dose.get_or_insert(dose.0);
            (at, strangers, found.last) = (last, 0, last);
            continue;
        }
        if is_of_next(note, at, next, kept) {
            break;
        }
        let no_route = found.route.is_none();
        if let Some(last) = read_route_or_frequency(note, at, &mut found, kept) {
            skipped_before_route = if no_route { skipped } else { skipped_before_route };
            (at, strangers, found.last) = (last, 0, last);
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
        } else if note.is_mark(at, b';') {
            break;
        }
        at += 1;
    }
    // A route after other words and nothing else may be anything's.
    if skipped_before_route > 0 && found.dose.is_none() && found.frequency.is_none() {
        return Dosing { last: from, ..Dosing::default() };
    }
    // `metoprolol 25 bid`
    if found.dose.is_none() && !found.is_empty() {
        found.dose = bare.map(|amount| amount.text);
    }
    found
}

/// Whether a route or a frequency stands right before the next drug and after a mark or a word that begins an item: `, IV cefepime`.
fn is_of_next(note: &Note<'_>, at: usize, next: usize, kept: impl Fn(usize) -> bool + Copy) -> bool {
    let begins = note.is_any_mark(at - 1, b".,;") || matches!(note.word(at - 1), "and" | "of" | "with" | "to" | "on");
    let ends = || ROUTES.longest_spelling(note, at, kept).map(|(_, last)| last);
    begins && next < at + 4 && ends().or_else(|| Some(frequency(note, at, false, kept)?.1)) == Some(next)
}

/// The route and the frequency right before the name of a drug: `IV furosemide 40 mg`, `daily aspirin 81 mg`.
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

/// Reads a route, a frequency or `as needed` at a token into what was found. One past its last token.
fn read_route_or_frequency(
    note: &Note<'_>,
    at: usize,
    found: &mut Dosing,
    kept: impl Fn(usize) -> bool + Copy,
) -> Option<usize> {
    // `od` is daily, but of drops the right eye.
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
    // `310 ng/dL` is given by no tube.
    let is_quotient = |last: usize| note.is_mark(last, b'/') && note.joined(last);
    if let Some((route, last)) = ROUTES.longest_spelling(note, at, kept).filter(|&(_, last)| !is_quotient(last)) {
        found.route.get_or_insert(route);
        return Some(last);
    }
    let last = as_needed(note, at, kept)?;
    add_as_needed(&mut found.frequency);
    Some(last)
}

/// The strengths of two drugs in one tablet: `5/325`. What can be a date is none.
fn combined_strength(note: &Note<'_>, at: usize) -> Option<Amount> {
    let strong = |number: &&Number| number.has_form(2, b'/') && number.value(0).max(number.value(1)) > 31;
    note.number(at).filter(strong).map(|_| Amount { text: note.word(at).to_owned(), number: None, last: at + 1 })
}

/// Whether `ON` in capitals ends a prescription: there it is the abbreviation of every night, and no preposition.
fn is_at_night(note: &Note<'_>, at: usize) -> bool {
    let ends = note.border_before(at + 1) || note.is_any_mark(at + 1, b".,;()") || note.token(at + 1).kind == Kind::End;
    note.word(at) == "on" && note.case(at) == Case::Upper && (ends || note.word(at + 1) == "prn")
}

/// Whether the text goes on to a token: no sentence, line of a list or paragraph begins there.
fn continues_to(note: &Note<'_>, at: usize) -> bool {
    let token = note.token(at);
    token.kind != Kind::End
        && (!token.border_before() || token.gap == Gap::Wide || token.gap <= Gap::Space && !token.sentence_start())
}

/// Whether a line begins that says how to take the drug of the line before it: `Sig: take 1 tablet by mouth daily`.
fn is_direction(note: &Note<'_>, at: usize) -> bool {
    let directs = matches!(note.word(at), "sig" | "take" | "inject" | "inhale" | "apply" | "instill" | "place");
    note.gap(at) == Gap::Line && directs
}

/// Words after which nothing is said of the drug before them.
fn ends_dosing(note: &Note<'_>, at: usize) -> bool {
    matches!(note.word(at), "and" | "but" | "because" | "which" | "who" | "she" | "he" | "then" | "since" | "plus")
}

/// Words of prescriptions that say nothing of dose, route or frequency.
fn is_filler(note: &Note<'_>, at: usize) -> bool {
    const FILLERS: Classes = Classes::of(&[Class::Dose, Class::Unit, Class::Duration, Class::NumberWord, Class::Stop]);
    note.any(at, FILLERS)
}

/// The dose at a token, whether it counts tablets and the like, and one past its last token.
fn dose_at(note: &Note<'_>, at: usize, kept: impl Fn(usize) -> bool + Copy) -> Option<((String, bool), usize)> {
    let single = |number: &&Number| number.has_form(2, b'/');
    let pair = || note.number(at).filter(single).and_then(|_| amount::read_amount(note, at, true, kept));
    let worded = amount::read_amount(note, at, false, kept).or_else(pair).map(|amount| (amount, false));
    let (amount, is_word) = worded.or_else(|| number_in_words(note, at, kept).map(|amount| (amount, true)))?;
    // `25-mg tablets`
    let unit_at = amount.last + usize::from(note.is_mark(amount.last, b'-') && note.joined(amount.last));
    let (unit, mut last) =
        Unit::read(note, unit_at, kept).filter(|&(unit, _)| unit.is_dose() && (unit.is_dose_form() || !is_word))?;
    let mut text = format!("{} {}", amount.text, unit.name());
    // `2.5 mg/3 mL` is how strong what is given is.
    if note.is_mark(last, b'/')
        && note.joined(last)
        && amount::read_single_amount(note, last + 1, false, kept).is_some()
        && let Some((_, end)) = Unit::read(note, last + 2, kept)
    {
        last = end;
    }
    // `5 mg/kg/h`
    while note.is_mark(last, b'/') && note.joined(last) {
        let Some((per, end)) = dose_denominator(note, last + 1).filter(|&(_, end)| (last..end).all(kept)) else {
            break;
        };
        text.push('/');
        text.push_str(per);
        last = end;
    }
    Some(((text, unit.is_dose_form()), last))
}

/// What a dose is counted by, after a slash.
fn dose_denominator(note: &Note<'_>, at: usize) -> Option<(&'static str, usize)> {
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
fn dose_before_name(note: &Note<'_>, first: usize, free: usize, kept: impl Fn(usize) -> bool + Copy) -> Option<String> {
    let mut end = first;
    let joins = |at: usize| {
        matches!(note.word(at), "of" | "tablet" | "tablets" | "capsule" | "capsules" | "oral" | "iv" | "po")
    };
    while end > free && first - end < 3 && joins(end - 1) && note.follows(end) {
        end -= 1;
    }
    (free..end).rev().take(8).filter(|&at| note.is_number(at)).find_map(|at| {
        let ((text, _), last) = dose_at(note, at, kept)?;
        (last == end && (at + 1..first).all(|at| continues_to(note, at)) && !note.border_before(first)).then_some(text)
    })
}

fn add_as_needed(frequency: &mut Option<String>) {
    let text = frequency.take().unwrap_or_default();
    *frequency = Some(if text.is_empty() { AS_NEEDED.to_owned() } else { format!("{text} {AS_NEEDED}") });
}
