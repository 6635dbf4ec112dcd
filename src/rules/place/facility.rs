//! Hospitals and other organisations: everything from the first word of the name to `Hospital`, `Clinic`, `Associates`.

use super::employer::is_rare;
use super::kind::{is_kind, is_middle};
use super::{PLACES, is_no_word};
use crate::rules::columns::{Around, Fact, Group};
use crate::rules::name::{NAMES, PARTS, is_shouted, lean};
use crate::rules::view::says;
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{self, Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Words that end a name and make none: `Regional Medical Center` needs another word.
pub(super) const HEADS: Classes = Classes::of(&[Class::Facility, Class::Organisation]);

/// Words that end the search to the left: what stands before a name, never in it.
const BEFORE: Classes = Classes::of(&[
    Class::PersonVerb,
    Class::Title,
    Class::Month,
    Class::Weekday,
    Class::IdKeyword,
    Class::PhoneKeyword,
    Class::Credential,
]);

/// How many words a name may have before its last one.
const MOST: usize = 7;

/// Heads that are ordinary words too: they need a name before them and no article before that.
fn is_weak_head(view: &View<'_>, at: usize) -> bool {
    says!(
        view,
        at,
        "group"
            | "practice"
            | "medicine"
            | "living"
            | "sons"
            | "health"
            | "system"
            | "systems"
            | "district"
            | "imaging"
    ) || says!(view, at, "clinic" | "clinics" | "center" | "centre" | "home" | "homes" | "partners")
}

/// Whether the words up to the head at `at` are no ordinary words: `Medical Center`, `Nursing Home`, `Internal Medicine`.
fn is_strong(view: &View<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).filter(|_| view.gap(at) <= Gap::Space).map_or("", |before| view.word(before));
    !is_weak_head(view, at)
        || match view.word(at) {
            "center" | "centre" | "system" | "systems" | "group" | "clinic" => {
                matches!(before, "medical" | "health" | "med" | "healthcare" | "memorial" | "regional" | "orthopedic")
            }
            "home" | "homes" => matches!(before, "nursing" | "retirement" | "rest"),
            "practice" => before == "family",
            "medicine" => before == "internal",
            "living" => before == "assisted",
            "sons" => matches!(before, "&" | "and"),
            _ => false,
        }
}

/// Which of them are the last of a row, and have before them what may be in a name, or a name behind them.
pub(in crate::rules) fn near(around: &Around<'_>) -> u64 {
    let here = around.here();
    let next = |case: Fact| around.behind(1, |next| next.is(case)) & here.is(case);
    let head = around.behind(1, |next| next.any(HEADS) & (next.is(Fact::Spaced) | next.is(Fact::Joined)));
    let row = head & (next(Fact::Lower) | next(Fact::Capital) | next(Fact::Upper));
    let before = around.before(1, |before| {
        before.is(Fact::Word) | before.marks(b"-'&") | before.is(Fact::Possessive) | before.is(Fact::Symbol)
    });
    // `in hospital`, `of systems`
    let small = |before: &Group| before.is(Fact::Lower) & before.is(Fact::UpToTwo) & before.on(Class::Stop);
    let before = before & !(here.is(Fact::Lower) & around.before(1, small));
    let point = around.before(1, |point| point.mark(b'.')) & around.before(2, |short| short.is(Fact::UpToTwo));
    let pair = around.before(2, |pair| pair.mark(b'&'));
    let capital = |far| around.behind(far, |group| group.is(Fact::Capital));
    // `SNF Golden Years`, `Hospital of Denver`
    let behind = around.behind(2, Group::capitalised)
        & (capital(1) | around.behind(1, |of| of.is(Fact::Word) & of.is(Fact::UpToFive) & !of.is(Fact::One)));
    !row & (before | point | pair | behind)
}

/// Anchor: a word for a hospital or an organisation.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    // The last such word of a row is the anchor: `Medical Center` at `Center`.
    let after = at + 1;
    let row = view.any(after, HEADS) && view.gap(after) <= Gap::Space && view.case(after) == view.case(at);
    if row || view.token(at).kind != token::Kind::Word {
        return;
    }
    // `Pre-hospital care`
    let hyphen = at > 1 && view.is_mark(at - 1, b'-') && view.joined(at - 1) && view.joined(at);
    if hyphen && says!(view, at - 2, "pre" | "post" | "inter" | "intra" | "in" | "non") {
        return;
    }
    let lower = view.case(at) == Case::Lower;
    let shouted = is_shouted(view, at);
    // `Disorders of the Autonomic Nervous System`, `Activities of Daily Living`; but `Clear Health System`, `Banner System`
    let before = at.wrapping_sub(1);
    let body =
        says!(view, at, "system" | "systems") && !is_strong(view, at) && !names_something(view, before, lower, shouted);
    if body || says!(view, at, "living") && says!(view, before, "daily") {
        return;
    }
    if let Some(end) = called(view, at).filter(|_| !shouted) {
        findings.remove(after, end, Kind::Hospital, Certainty::Weak);
        return;
    }
    // `HE MAY GO HOME WHEN STABLE`
    let home = at > 0
        && matches!(view.word(at), "home" | "homes")
        && matches!(
            view.word(at - 1),
            "go" | "goes"
                | "went"
                | "gone"
                | "going"
                | "return"
                | "returned"
                | "sent"
                | "discharged"
                | "back"
                | "at"
                | "come"
        );
    if home && (shouted || lower) {
        return;
    }
    let first = start(view, at, lower, shouted);
    let last = after_of(view, after, lower);
    let named = (first..at).any(|word| names_something(view, word, lower, shouted))
        || first < at && !lower && stands_as_a_name(view, first, at, shouted);
    // In small letters and in lines of capitals, and before a word that only such names end with, the whole run is the name.
    let run = if lower || shouted || is_strong(view, at) { run(view, at, lower) } else { at };
    let run = if run < at && is_run_a_name(view, run, at, lower, shouted) { run } else { at };
    let first = first.min(run);
    if !named && last == after && run == at {
        // `May PLC`, `Carry Inc`: no word but a name stands before a legal form.
        let legal = says!(view, at, "inc" | "llc" | "plc" | "ltd" | "llp" | "pllc" | "corp" | "gmbh") && at > 0;
        if legal && view.case(at - 1) == Case::Capital && view.gap(at) == Gap::Space && !shouted {
            findings.remove(at - 1, at + 1, Kind::Organisation, Certainty::Likely);
        }
        return;
    }
    // `St. Agnes's Hospital - DGH`, `Medical Center Bismarck`: a branch after the name.
    let last = if !lower && last == after { branch(view, last) } else { last };
    let kind = if view.is(at, Class::Facility) { Kind::Hospital } else { Kind::Organisation };
    let first = whole_first(view, first, lower, shouted);
    let certainty = if lower && !view.capitalised(first) || shouted { Certainty::Weak } else { Certainty::Likely };
    // In lines of capitals the terms of medicine are written so too, and a certain name beats them.
    let certain = shouted && view.token(first).line_start() && view.ends_line(last);
    findings.remove(first, last, kind, if certain { Certainty::Likely } else { certainty });
}

/// `SNF Golden Years pending`, `funeral home Gentle Rest`: where the name of a home ends that stands behind what it is. One of its
/// words is one that medicine has no use for.
fn called(view: &View<'_>, at: usize) -> Option<usize> {
    if !says!(view, at, "snf" | "alf" | "ltac" | "ltach" | "hospice" | "shelter" | "home" | "rehab" | "nh") {
        return None;
    }
    let part = |word: usize| {
        view.is_word(word)
            && view.case(word) == Case::Capital
            && view.gap(word) == Gap::Space
            && !view.border_before(word)
            && !is_kind(view, word)
            && !view.any(word, BEFORE)
            && !view.any(word, Classes::of(&[Class::Clinical, Class::PersonNoun, Class::Relative, Class::Stop]))
    };
    let end = (at + 1..at + 4).find(|&word| !part(word)).unwrap_or(at + 4);
    let over = !view.is_word(end) || view.ends_line(end) || view.case(end) == Case::Lower;
    let rare = (at + 1..end).any(|word| is_rare(view, word));
    (end > at + 2 && over && rare && !view.is_mark(end, b':')).then_some(end)
}

/// The first word of `The Meadows of Denver Orthopedic Group`, `Splint and Relay Associates`: a name goes on before a small word.
fn whole_first(view: &View<'_>, first: usize, lower: bool, shouted: bool) -> usize {
    let Some(joint) = first.checked_sub(1).filter(|_| view.gap(first) == Gap::Space && !lower && !shouted) else {
        return first;
    };
    let before = joint.wrapping_sub(1);
    let led = says!(view, joint, "of")
        && view.capitalised(before)
        && view.is_word(before)
        && !view.any(before, BEFORE)
        && joint > 1
        && says!(view, joint - 2, "the" | "at")
        && view.gap(joint) == Gap::Space;
    if led { before } else { first }
}

/// Where the words begin that may be the name before a head: back to a stop word, a mark, a verb or the line's start.
fn run(view: &View<'_>, at: usize, lower: bool) -> usize {
    let mut first = at;
    let mut next = at;
    for _ in 0..MOST * 2 {
        if next == 0 || view.gap(next) > Gap::Line || view.border_before(next) && view.gap(next) != Gap::Line {
            break;
        }
        // A line end inside a name stands between words of small letters only: above a line of capitals is another line.
        if view.gap(next) == Gap::Line && (!lower || view.token(next).line_start() && view.border_before(next)) {
            break;
        }
        let word = next - 1;
        let point = view.is_mark(word, b'.') && word > 0 && view.width(word - 1) <= 2 && view.joined(word);
        let mark = view.is_any_mark(word, b"-'&") || view.token(word).kind == token::Kind::Possessive || point;
        if mark {
            next = word;
            continue;
        }
        let cue = Classes::of(&[Class::PersonVerb, Class::HumanVerb, Class::Month, Class::Title, Class::PlaceCue]);
        let name = view.any(word, PLACES) || view.is(word, Class::Surname);
        // `good & love associates`: beside this mark stand names.
        let paired = view.is_word(word)
            && (view.is_mark(word + 1, b'&') || view.is_mark(word.wrapping_sub(1), b'&'))
            && view.any(word, NAMES)
            && !view.any(word, PARTS);
        if paired && lower {
            first = word;
            next = word;
            continue;
        }
        let ends = !view.is_word(word)
            || !is_middle(view, word)
                && (view.is(word, Class::Stop)
                    || view.any(word, cue)
                        && !(name && next < at && view.any(next, PLACES) || view.is(word, Class::City))
                    || view.is(word, Class::PersonNoun)
                        && !view.is(word, Class::Title)
                        && view.token(word + 1).kind != token::Kind::Possessive)
            || !lower && !view.capitalised(word);
        if ends {
            break;
        }
        first = word;
        next = word;
    }
    // Kinds of places at the front belong to no name: `local christian hospital`; but `high stone hospital`.
    while first < at
        && is_kind(view, first)
        && view.case(first) == Case::Lower
        && !view.is(first + 1, Class::PlaceAfter)
    {
        first += 1;
    }
    while first < at && !view.is_word(first) {
        first += 1;
    }
    first
}

/// Whether a run of words before a head is a name: it holds a word that is no kind of place, and stands where a name does.
fn is_run_a_name(view: &View<'_>, first: usize, at: usize, lower: bool, shouted: bool) -> bool {
    let own =
        |word: usize| view.is_word(word) && !view.any(word, HEADS) && !is_kind(view, word) && view.width(word) > 1;
    // `sent to the patient's pharmacy`
    let whose = lower
        && view.is(first, Class::PersonNoun)
        && view.token(first + 1).kind == token::Kind::Possessive
        && first > 0
        && says!(view, first - 1, "the" | "his" | "her" | "their" | "my" | "this");
    if !(first..at).any(own) || whose {
        return false;
    }
    let strong = is_strong(view, at);
    let place = |word: usize| own(word) && (view.any(word, PLACES) || view.any(word, NAMES) || is_no_word(view, word));
    let before = first.wrapping_sub(1);
    let line = view.token(first).line_start() && view.ends_line(at + 1);
    let cue = view.is_mark(before, b':')
        || says!(view, before, "at" | "to" | "from" | "of" | "in" | "by" | "with" | "for" | "and" | "via")
        || says!(view, before, "called" | "contacted" | "phoned" | "paged" | "faxed");
    let article = says!(view, before, "the" | "this");
    if !lower && !shouted {
        // `a client of the Central Medical Center`
        return strong && (cue || article || line) && view.capitalised(first);
    }
    // Two brothers and a technically limited study are no firms.
    let head = view.is(at, Class::Facility) || at > 0 && is_middle(view, at - 1) || says!(view, at, "associates");
    let led = view.is_mark(before, b':')
        || !says!(view, before, "of" | "by" | "with" | "for" | "and")
        || (first..at).any(place);
    if strong && head {
        return cue && led
            || line
            || (first..at).any(place)
                && (article || view.token(first).line_start() || view.any(before, HEADS) || shouted);
    }
    // `the cherry hollow clinic`, `retired from drill associates`; but `the pulmonary clinic`, `to the treatment center`
    let named =
        (first..at).all(|word| !view.is_word(word) || place(word)) && (first..at).any(|word| view.any(word, PLACES));
    let sure = (first..at).any(|word| own(word) && view.any(word, NAMES) && lean(view, word) >= -4);
    let firm = says!(view, at, "associates" | "clinic" | "practice" | "partners" | "group" | "center");
    // `knight & sons`, `gates & moody llc`: names beside the mark, and nothing of medicine.
    let pair = (first..at).any(|mark| view.is_mark(mark, b'&'))
        && (first..at).any(place)
        && !(first..at).any(|word| view.any(word, PARTS));
    let single = sure && first + 1 == at;
    (cue || article || line) && (firm && (named || single) || pair) || line && strong && single
}

/// Whether a word makes a name of what is otherwise a kind of place.
fn names_something(view: &View<'_>, at: usize, lower: bool, shouted: bool) -> bool {
    if !view.is_word(at) || view.width(at) < 2 || view.any(at, HEADS) || view.is(at, Class::Stop) {
        return false;
    }
    if is_middle(view, at) || view.is(at, Class::WardNoun) {
        return false;
    }
    if view.case(at) == Case::Lower {
        return is_no_word(view, at) && view.any(at, Classes::of(&[Class::City, Class::Surname, Class::PlacePart]));
    }
    if lower {
        // `the Bell clinic`, but `the Coumadin clinic`, `the ENT clinic`.
        let name = view.any(at, NAMES) && lean(view, at) >= 0 || view.is(at, Class::City) || is_rare(view, at);
        return name && view.case(at) != Case::Upper && !view.is(at, Class::Brand);
    }
    let least = if shouted { 8 } else { 3 };
    is_no_word(view, at)
        || lean(view, at) >= least
        || !shouted && view.is(at, Class::City)
        || view.is(at, Class::State) && view.width(at) > 2
}

/// Whether words that name nothing by themselves stand where only a name does: a line of its own, the value of a field,
/// after `at` or `from` without an article. `returns to the Pain Management Clinic` is none.
fn stands_as_a_name(view: &View<'_>, first: usize, at: usize, shouted: bool) -> bool {
    let plain = |word: usize| view.is_word(word) && !is_middle(view, word) && !view.any(word, HEADS);
    let own = (first..at).any(|word| plain(word) && !view.is(word, Class::Stop) && view.width(word) > 1);
    if !own {
        return false;
    }
    let line = view.token(first).line_start() && view.ends_line(at + 1);
    if line || shouted {
        let place = |word: usize| plain(word) && (view.any(word, PLACES) || view.any(word, NAMES));
        let named = !is_weak_head(view, at) || (first..at).any(place);
        return line && !view.any(at, Classes::of(&[Class::WardNoun])) && named || line && !shouted;
    }
    let Some(before) = first.checked_sub(1) else { return false };
    let article = says!(view, before, "the" | "a" | "an" | "our" | "this" | "his" | "her" | "your" | "my");
    if article {
        // `the Clear Community Hospital`, but not `the Pulmonary Clinic`.
        return !is_weak_head(view, at);
    }
    view.is_mark(before, b':') || says!(view, before, "at" | "to" | "from" | "of" | "in" | "with" | "by" | "and")
}

fn start(view: &View<'_>, at: usize, lower: bool, shouted: bool) -> usize {
    let mut first = at;
    let mut next = at;
    for _ in 0..MOST * 2 {
        let near =
            matches!(view.gap(next), Gap::None | Gap::Space) || view.gap(next) == Gap::Line && !lower && !shouted;
        if next == 0 || !near || view.border_before(next) {
            break;
        }
        let word = next - 1;
        let kind = view.token(word).kind;
        let hyphen = view.is_mark(word, b'-') && view.joined(word) && view.joined(next);
        if kind == token::Kind::Possessive || hyphen || view.is_mark(word, b'\'') || view.is_mark(word, b'&') {
            next = word;
            continue;
        }
        if view.is_mark(word, b'.') {
            // `St.`, `Ft.`, `N.`: a point inside a name.
            if word == 0 || view.width(word - 1) > 2 || !view.capitalised(word - 1) {
                break;
            }
            next = word;
            continue;
        }
        if kind != token::Kind::Word || view.any(word, BEFORE) && !view.any(word, NAMES) && !view.any(word, PLACES) {
            break;
        }
        if says!(view, word, "of" | "and" | "the" | "or") && view.case(word) == Case::Lower {
            // `University of`, `Clinic and`, `Sisters of the`, `Rinne and`; but `Dr. Adams of Barlow Industries`.
            let of = if says!(view, word, "the") && word > 0 { word - 1 } else { word };
            let joins = of > 0 && (view.any(of - 1, HEADS) || !says!(view, of, "of") && view.capitalised(of - 1));
            if !joins || lower || says!(view, word, "the") && of == word {
                break;
            }
            next = word;
            continue;
        }
        let part = match view.case(word) {
            Case::Lower => lower && (names_something(view, word, true, false) || is_middle(view, word)),
            _ if lower => view.case(word) != Case::Upper && !view.sentence_start(word) && !view.is(word, Class::Stop),
            _ => !view.is(word, Class::Stop) || is_middle(view, word),
        };
        if !part {
            break;
        }
        first = word;
        next = word;
    }
    first
}

/// Where `of` and a name after `University` or `Hospital` ends.
fn after_of(view: &View<'_>, at: usize, lower: bool) -> usize {
    // In lines of capitals `HOSPITAL FOR OLD RECORDS` is written so too.
    let small = view.case(at) == Case::Lower || says!(view, at, "of");
    if lower || !small || !says!(view, at, "of" | "for" | "at") || !view.capitalised(at + 1) || !view.same_line(at + 1)
    {
        return at;
    }
    let end = super::end_of_place(view, at + 1, 4);
    if end > at + 1 { end } else { at }
}

/// Where a branch after the name ends.
fn branch(view: &View<'_>, at: usize) -> usize {
    let mut first = at;
    let dash = view.is_any_mark(first, b"-@") && view.gap(first) == Gap::Space;
    if dash {
        first += 1;
    }
    if view.gap(at) > Gap::Space || !view.capitalised(first) || !view.same_line(first) || view.border_before(first) {
        return at;
    }
    if dash && view.width(first) <= 4 {
        return first + 1;
    }
    // `Health System Red Cedar`, `Health Shreveport - Bossier`
    let part = Classes::of(&[Class::PlacePart, Class::County, Class::Surname, Class::PlaceBefore]);
    let never =
        Classes::of(&[Class::Facility, Class::WardNoun, Class::Stop, Class::Title, Class::Month, Class::PersonNoun]);
    let named = view.any(first, part) && !view.any(first, never) && view.case(first) != Case::Upper;
    if !(is_no_word(view, first) || view.is(first, Class::City) || named) {
        return at;
    }
    let end = super::end_of_place(view, first, 3);
    if end > first { end } else { at }
}
