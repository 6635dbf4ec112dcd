//! Names before a credential: `Clarence Gifford, M.D.`, `betty rn`, `GRESHAM MD`.

use super::{NAMES, end_of_credential, is_given, is_mostly_name, is_shouted, is_unlisted, lean};
use crate::rules::columns::{Around, Fact, Group};
use crate::rules::word_sets::{WordSet, says};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Words that no name holds, though they may stand before a credential.
const NOT_NAMES: Classes = Classes::of(&[
    Class::Stop,
    Class::Title,
    Class::PersonNoun,
    Class::Facility,
    Class::NameField,
    Class::Credential,
    Class::Month,
]);

/// Things and people of medicine, which stand beside a credential too.
const THINGS: Classes = Classes::of(&[
    Class::Stop,
    Class::Clinical,
    Class::PersonNoun,
    Class::EponymNoun,
    Class::Measurement,
    Class::WardNoun,
]);

/// What may follow a credential and is not the name of who has it.
const FOLLOWING: Classes =
    Classes::of(&[Class::Weekday, Class::Brand, Class::IdKeyword, Class::PhoneKeyword]).or(THINGS).or(NOT_NAMES);

/// Whether the word belongs to the number before it: `5 mg od`, `2 wk. Cliff Banks, DC`.
fn is_unit(view: &View<'_>, at: usize) -> bool {
    at > 0 && view.is_number(at - 1) && view.any(at, Classes::of(&[Class::Unit, Class::Dose, Class::Duration]))
}

/// Which words may be a credential, and which points stand in one.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let short = |group: &Group| group.is(Fact::Word) & group.is(Fact::UpToTwo);
    // The first point of `M.D.`, `M.D`, `M. D.`; one word with its point stands on the list.
    let point = here.mark(b'.')
        & here.is(Fact::Joined)
        & around.before(1, short)
        & !(around.before(1, |group| group.is(Fact::Joined)) & around.before(2, |group| group.mark(b'.')))
        & (around.before(1, |group| group.on(Class::Credential)) | around.behind(1, short));
    let ordinary = here.is(Fact::Lower) & !here.unlisted();
    let word = here.on(Class::Credential)
        & (!ordinary | around.behind(1, |group| group.mark(b'.')) | around.before(1, |group| group.mark(b',')));
    point | word
}

/// Anchors: a word that is a credential, a point of a dotted one.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let start = if view.is_mark(at, b'.') {
        // The first point of `M.D.`: a short word before it that begins what is written with points.
        let dotted = at > 0 && view.joined(at) && view.width(at - 1) <= 2 && view.is_word(at - 1);
        if !dotted || (at > 1 && view.is_mark(at - 2, b'.') && view.joined(at - 1)) {
            return;
        }
        at - 1
    } else {
        at
    };
    at_credential(view, start, findings);
}

/// What stands before a credential that begins at `start`, if one does.
#[inline(never)]
fn at_credential(view: &View<'_>, start: usize, findings: &mut Findings) {
    // `howard stark, md`: in small letters where nothing else follows a comma.
    let small = start > 0
        && view.is_mark(start - 1, b',')
        && view.case(start) == Case::Lower
        && says!(view, start, "md" | "rn" | "np" | "lpn" | "crna");
    let end = if small { start + 1 } else { end_of_credential(view, start) };
    if is_measured(view, start, end) {
        return;
    }
    if end == start + 1 {
        before_its_name(view, start, findings);
    }
    // `58 Temple Rd.`
    let street = view.case(start) != Case::Upper && view.is(start, Class::StreetType);
    if end == start || start == 0 || street {
        return;
    }
    let comma = view.is_mark(start - 1, b',');
    let last = if comma { start - 1 } else { start };
    if last == 0 || view.gap(start) >= Gap::Paragraph || (!comma && view.gap(start) > Gap::Space) {
        return;
    }
    // One word credentials that are words too (`do`, `pa`, `ma`) need their capitals.
    let word_too = start + 1 == end && view.any(start, Classes::of(&[Class::Stop, Class::English]));
    // `howard mason, md`: in small letters after a first name and a family name.
    let signed = comma && start > 2 && named_before(view, start - 2);
    if word_too && (view.case(start) != Case::Upper || is_shouted(view, start) && !comma) && !signed {
        return;
    }
    // `chest x-ray, CT`, `PET CT`
    if says!(view, start, "ct") && says!(view, last - 1, "ray" | "pet" | "spect" | "rays") {
        return;
    }
    if !comma && are_initials(view, last - 1) {
        findings.remove(last - 1, last, Kind::Initials, Certainty::Likely);
        return;
    }
    // `Gait Training, PT`: a service.
    let degree = end > start + 1 || DEGREES.has(view, start);
    if comma && is_behind_a_thing(view, last - 1, end, degree) {
        return;
    }
    let first = start_of_name(view, last, comma);
    let first = if comma && degree { first.min(start_of_slot(view, last, end)) } else { first };
    if first < last {
        let certainty = if comma || !word_too { Certainty::Sure } else { Certainty::Likely };
        findings.remove(first, last, Kind::Name, certainty);
    }
}

/// `pT3`: the stage of a tumour. `CMT 342`, `BC 20/20`: what is measured.
fn is_measured(view: &View<'_>, start: usize, end: usize) -> bool {
    let staged = view.is_number(end) && view.token(end).glued();
    let short = || view.number(end).is_some_and(|number| number.digits(0) <= 3) && view.same_line(end);
    staged || says!(view, start, "bc" | "cmt" | "pt") && short()
}

/// Whether the word before the comma is a thing and nobody: `Continue Lasix, MD aware`, `30 mL/kg, BC x2`.
fn is_behind_a_thing(view: &View<'_>, last: usize, end: usize, degree: bool) -> bool {
    const DRUGS: Classes = Classes::of(&[Class::Brand, Class::Dose, Class::Term]);
    let rate = last > 0 && view.is_mark(last - 1, b'/') && view.is(last, Class::Unit);
    let amount = !degree && (rate || is_unit(view, last));
    if is_unlisted(view, last) {
        return amount;
    }
    let told = says!(view, end, "aware" | "notified" | "paged" | "informed" | "called" | "to");
    let thing = view.any(last, DRUGS) && !view.is(last, Class::FirstName) || lean(view, last) < 0;
    let nobody = !view.any(last, NAMES) && !view.is(last, Class::Eponym);
    told && thing || amount || !degree && nobody
}

/// Credentials that are said before a name as titles are.
static SPOKEN: WordSet = WordSet::new(&[
    "aprn", "arnp", "cmw", "cna", "cnm", "cns", "crna", "emt", "hca", "hv", "lcsw", "lmsw", "lpn", "lvn", "msw", "np",
    "pct", "pharmd", "rd", "rn", "rnc", "rph", "srna", "sw",
]);

/// `RTC w/ NP Early.`, `LPN BUSH`, `flight RN Skye`: the name stands behind the credential.
fn before_its_name(view: &View<'_>, at: usize, findings: &mut Findings) {
    let name = at + 1;
    if !SPOKEN.has(view, at) || view.case(at) != Case::Upper || view.gap(name) != Gap::Space || !view.is_word(name) {
        return;
    }
    // `Hope Rivers RN Monday`: the name may stand before it.
    let before = at.wrapping_sub(1);
    let named = at > 0 && view.gap(at) <= Gap::Space && view.is_word(before) && view.case(before) == Case::Capital;
    let next = name + 1;
    let over = !view.is_word(next) || view.gap(next) >= Gap::Wide;
    let fits = view.case(name) == Case::Capital && (over || view.case(next) == Case::Lower || view.any(next, NAMES));
    if !fits || view.any(name, FOLLOWING) || named || !view.any(name, NAMES) {
        return;
    }
    let end = super::end_of_name(view, name, super::Trust::Capital, 3).max(next);
    findings.remove(name, end, Kind::Name, Certainty::Likely);
}

/// Whether the word at `at` is a family name after a first name or an initial.
fn named_before(view: &View<'_>, at: usize) -> bool {
    let point = usize::from(view.is_mark(at - 1, b'.') && view.joined(at - 1));
    let Some(given) = (at - point).checked_sub(1) else { return false };
    let named = view.any(at, NAMES) && view.is_word(given);
    let first = view.is(given, Class::FirstName)
        && (is_unlisted(view, given) || lean(view, given) >= 4 || named && view.ranks(given).first_name >= 10)
        || view.is_word(given) && view.width(given) == 1
        || is_unlisted(view, given) && !view.is(given, Class::Eponym);
    let family = view.any(at, NAMES) || is_unlisted(view, at);
    view.is_word(at) && family && first && view.gap(at) <= Gap::Line
}

/// `medicated x1. MSK RN`: two or three letters that begin a sentence and stand before a credential.
fn are_initials(view: &View<'_>, at: usize) -> bool {
    let after_stop = view.sentence_start(at) || at > 0 && view.is_mark(at - 1, b'.');
    let letters = view.is_word(at) && (2..=3).contains(&view.width(at)) && view.case(at) != Case::Capital;
    after_stop
        && letters
        && !view.any(at, Classes::of(&[Class::Title, Class::PersonNoun, Class::Stop, Class::Credential]))
}

/// Credentials of one word that are nothing else: no service, no town, no word. Sorted.
#[rustfmt::skip]
static DEGREES: WordSet = WordSet::new(&[
    "aprn", "arnp", "bsn", "cna", "cnm", "crna", "dds", "dmd", "dnp", "dpm", "dpt", "facc", "facp", "facs", "fnp", "frcp", "frcpc",
    "frcs", "lcsw", "lmsw", "lpn", "lvn", "mbbch", "mbbs", "mbchb", "md", "mrcp", "mrcs", "msn", "np", "otr", "pharmd", "phd", "psyd",
    "rn", "rnfa", "rrt",
]);

/// Where the words begin that stand between what a signature follows and the comma `last` of a credential: `By: Friend Cain, M.D.`,
/// `Head C Long, M.D.` at the start of a line. Two to four of them, all written alike, are a name whatever they mean; `last` itself
/// if other words stand there.
fn start_of_slot(view: &View<'_>, last: usize, end: usize) -> usize {
    const LEADS: Classes = Classes::of(&[Class::PersonNoun, Class::NameField, Class::Title]);
    let case = view.case(last - 1);
    let whole = view.ends_line(end);
    let over = whole
        || !view.is_word(end)
        || says!(view, end, "on" | "at" | "dictating")
        || view.any(end, Classes::of(&[Class::Weekday, Class::Month]));
    let written = |at: usize| match case {
        Case::Capital | Case::Mixed => {
            matches!(view.case(at), Case::Capital | Case::Mixed) || view.is(at, Class::NamePrefix)
        }
        _ => view.case(at) == case,
    };
    let is_cue = |at: usize| says!(view, at, "by" | "with" | "to" | "cc" | "from" | "and");
    let (mut first, mut words) = (last, 0);
    let mut leads = [last; 4];
    while over && first > 0 && words < leads.len() {
        let at = first - 1;
        let letter = view.width(at) == 1 && view.capitalised(at);
        let initial = view.is_mark(at, b'.') && view.joined(at) && at > 0 && view.width(at - 1) == 1;
        let double = view.is_mark(at, b'-') && view.joined(at) && view.joined(first) && at > 0;
        if first < last && view.gap(first) > Gap::Space {
            break;
        }
        if initial || double && first < last {
            first = at;
            continue;
        }
        if !view.is_word(at) || !letter && !written(at) || is_cue(at) {
            break;
        }
        first = at;
        if !(view.is_mark(at.wrapping_sub(1), b'-') && view.joined(at)) {
            leads[words] = at;
            words += 1;
        }
    }
    let before = first.wrapping_sub(1);
    let line = view.token(first).line_start();
    // In small letters only a line that holds nothing else, and a family name that is no word.
    let named = case != Case::Lower || is_unlisted(view, last - 1) || lean(view, last - 1) >= 5;
    let begins = line && (case != Case::Lower || whole) || named && (view.is_mark(before, b':') || is_cue(before));
    // `Attending Hope Long, MD`
    let mut lead = words;
    while lead > 2 && view.any(leads[lead - 1], LEADS) {
        lead -= 1;
    }
    if begins && (2..=4).contains(&words) { leads[lead - 1] } else { last }
}

/// Where a name that ends before `last` begins; `last` itself if none does.
fn start_of_name(view: &View<'_>, last: usize, comma: bool) -> usize {
    let mut first = last;
    let mut words = 0;
    while first > 0 && words < 4 {
        let at = first - 1;
        if first < last && !matches!(view.gap(first), Gap::None | Gap::Space | Gap::Line) {
            break;
        }
        if view.is_mark(at, b'.') && view.joined(at) && at > 0 && view.is_word(at - 1) && view.width(at - 1) <= 2 {
            // An initial, or `St.`; but `2 wk. Cliff Banks, DC`
            if !view.capitalised(at - 1) && (!comma || is_unit(view, at - 1)) {
                break;
            }
            first = at - 1;
            words += 1;
            continue;
        }
        if view.is_mark(at, b'-') && view.joined(at) && first < last && at > 0 && view.is_word(at - 1) {
            first = at;
            continue;
        }
        // `P Green RN`
        let letter = first < last && words == 1 && view.width(at) == 1 && view.is_word(at) && view.capitalised(at);
        if letter && view.gap(first) == Gap::Space && !matches!(view.bytes(at), b"a" | b"i" | b"x") {
            first = at;
            break;
        }
        let suffix = first == last && view.is(at, Class::NameSuffix);
        // `Ada van den Berg, PA-C`
        if words > 0
            && view.is(at, Class::NamePrefix)
            && view.gap(first) == Gap::Space
            && at > 0
            && view.is_word(at - 1)
        {
            first = at;
            continue;
        }
        if !suffix && !is_part(view, at, words == 0 && comma, comma) {
            break;
        }
        first = at;
        if !(view.is_mark(at.wrapping_sub(1), b'-') && view.joined(at)) {
            words += 1;
        }
        if view.sentence_start(at) && !view.is_mark(at.wrapping_sub(1), b'.') {
            break;
        }
    }
    // A hyphen alone is no name.
    while first < last && view.is_mark(first, b'-') {
        first += 1;
    }
    first
}

fn is_part(view: &View<'_>, at: usize, sure: bool, comma: bool) -> bool {
    // `June Bright, R.N.`, `Ada Bishop, R.N.`, `j. may, MD`, `HARRIET MAJOR, RN`
    let named = view.any(at, NAMES) && (sure || comma && view.is(at, Class::Month) && !view.is_number(at + 1));
    let closes = sure && at > 0 && named_before(view, at);
    let spared = view.case(at) == Case::Capital && (named || sure && at > 0 && is_given(view, at - 1)) || closes;
    if !view.is_word(at) || view.any(at, NOT_NAMES) && !spared || is_unit(view, at) && view.case(at) == Case::Lower {
        return false;
    }
    if sure && view.is(at, Class::Eponym) && view.capitalised(at) {
        return true;
    }
    // `Veyna Rhoksti, M.D.` at the start of a line.
    if comma && !sure && view.token(at).line_start() && view.case(at) == Case::Capital && is_unlisted(view, at + 1) {
        return true;
    }
    if is_unlisted(view, at) {
        return true;
    }
    if view.case(at) == Case::Lower || is_shouted(view, at) {
        // `LEONARD FOREST, M.D.`: what stands before the comma is a name whatever it looks like.
        let least = if sure { -8 } else { 4 };
        return is_mostly_name(view, at) || comma && lean(view, at) >= least;
    }
    let least = if comma { -8 } else { 4 };
    view.capitalised(at) && (sure || lean(view, at) >= least)
}
