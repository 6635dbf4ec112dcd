//! Short forms of hospitals where only places stand: `transferred to BMGH`, `at MCH`.

use crate::policy;
use crate::rules::clinical::acronym;
use crate::rules::columns::{Around, Fact, Group};
use crate::rules::name::{NAMES, is_shouted, is_unlisted};
use crate::rules::view::{WordSet, says};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Wards and short forms of medicine are written so too: `in the ICU`, `to PACU`.
const SERVICES: Classes = Classes::of(&[Class::WardNoun, Class::Dose, Class::Level, Class::Score]);

/// Words that are no short form in small letters, if they have no vowel.
const WORDS: Classes = Classes::of(&[Class::English, Class::Facility, Class::PersonNoun]);

/// Anchor: `at`, `to` or `from`.
pub(in crate::rules) fn find(view: &View<'_>, cue: usize, findings: &mut Findings) {
    known_short(view, cue, findings);
    let at = cue + 1;
    let length = view.width(at);
    let lower = view.case(at) == Case::Lower;
    let clause_ends = || {
        view.is_any_mark(at + 1, b".,;)")
            || view.ends_line(at + 1)
            || view.is_number(at + 1)
            || view.is(at + 1, Class::Month)
    };
    // In small letters the clause ends behind it: most words are seen here to be no short form.
    let fits = match view.case(at) {
        Case::Lower => (2..=5).contains(&length) && clause_ends(),
        Case::Upper => (2..=6).contains(&length),
        Case::Capital | Case::Mixed => false,
    };
    if !fits || !says!(view, cue, "at" | "to" | "from" | "@") || !view.is_word(at) || view.gap(at) > Gap::Line {
        return;
    }
    let clause_ends = lower || clause_ends();
    let moved = |word: usize| {
        let word = view.bytes(word);
        [&b"transfer"[..], b"txf", b"xfer"].iter().any(|start| word.starts_with(start))
    };
    let came = says!(view, cue, "from") && (cue.saturating_sub(8)..cue).any(moved);
    // `at HR 80`, `to ph 7.4`, `AT AGE 90+`; but `txf'd from MRG 6/25`
    let valued = (view.is_number(at + 1) && !came || says!(view, at + 1, "90+"))
        && view.same_line(at + 1)
        && view.case(at) == Case::Upper;
    if view.is_mark(at + 1, b'=') || view.is_mark(at + 1, b':') || view.token(at + 1).glued() {
        return;
    }
    let plain = lower || is_shouted(view, at);
    // Hospital, medical centre, clinic, health system: how such short forms end.
    let ends_so = [&b"h"[..], b"mc", b"hc", b"hs", b"cc"].iter().any(|end| view.bytes(at).ends_with(end));
    let stay = cue > 0 && is_stay(view, cue - 1);
    // `transferred to BC for further care`
    let over = clause_ends || stay && view.case(at) == Case::Upper && view.is(at + 1, Class::Stop);
    let service = view.any(at, SERVICES) && !(came || stay && over);
    if service || view.is(at, Class::WardNoun) || SERVICE.has(view, at) {
        return;
    }
    let sent = stay || came;
    if plain {
        // In small letters and in lines of capitals a short form has no vowel to be read by, and the clause ends behind it.
        let spelt = view.bytes(at).iter().any(|letter| b"aeiouy".contains(letter));
        let word = view.any(at, WORDS.with(Class::Stop));
        let named = cue > 0 && view.any(cue - 1, NAMES) && !view.is(cue - 1, Class::Stop) && says!(view, cue, "at");
        let short = !spelt && !word || ends_so && length < 4 && says!(view, cue, "at") && !view.is(at, Class::Stop);
        if short && over && length < 6 && (sent || named || ends_so && !says!(view, cue, "to")) {
            findings.remove(at, at + 1, Kind::Hospital, Certainty::Weak);
        }
        return;
    }
    let sent = sent || cue > 0 && view.any(cue - 1, Classes::of(&[Class::PlaceCue, Class::PersonVerb]));
    // `her dentist is Ilonka Hale at MU.`, `a stent in 2004 at UMB.`
    let before = cue.wrapping_sub(1);
    let person = view.case(before) == Case::Capital && (view.any(before, NAMES) || is_unlisted(view, before));
    let year = view.whole(before).is_some_and(|year| (1950..2050).contains(&year));
    let met = says!(view, cue, "at")
        && over
        && (person && !view.is(before, Class::Stop) || year)
        && !view.is(at, Class::Facility);
    // `due to BPH`, `taken to ERCP today`: short forms of medicine lead to no place, unless somebody stays there or comes from there.
    let medicine = || view.any(at, policy::ORDINARY) || acronym::is_one(view, at);
    let sure = says!(view, cue, "at") && ends_so || came || stay && over;
    let told = ends_so || sent && (length > 2 || over);
    if valued || !met && !(told && (sure || !medicine())) {
        return;
    }
    let certainty = if ends_so { Certainty::Likely } else { Certainty::Weak };
    findings.remove(at, at + 1, Kind::Hospital, certainty);
}

/// Words by which many hospitals are called behind another word; all but three of them alone too. Sorted.
#[rustfmt::skip]
pub(in crate::rules) static KNOWN: WordSet = WordSet::new(&[
    "adventist", "baptist", "deaconess", "general", "lutheran", "memorial", "mercy", "methodist", "presby",
    "presbyterian", "regional", "sinai",
]);

/// Which cues may have the short form of a hospital behind them, or a word by which many are called.
pub(in crate::rules) fn near(around: &Around<'_>, cues: u64) -> u64 {
    let cues = cues & (around.here().is(Fact::ToPlace) | around.here().mark(b'@'));
    let capitals = around.behind(1, |group| group.is(Fact::Upper) & !group.is(Fact::One) & !group.on(Class::WardNoun));
    let capitals = capitals & !around.behind(2, |group| group.is(Fact::Glued));
    let mut near = capitals;
    let small = around.behind(1, |group| {
        let word = group.any(WORDS) & !group.is(Fact::UpToThree) | group.on(Class::Stop);
        group.is(Fact::Lower) & group.is(Fact::UpToFive) & !group.is(Fact::One) & !word
    });
    if small & cues != 0 {
        near |= small
            & around.behind(2, |group| {
                group.marks(b".,;)") | group.is(Fact::NewLine) | group.is(Fact::Number) | group.on(Class::Month)
            });
    }
    let called = around.on_from_here(|group| group.is(Fact::Hospital));
    if called != 0 {
        let capital = |far| around.behind(far, Group::capitalised);
        let pair = |far: u32| capital(far) & capital(far + 1) & (called >> (far + 1)) as u64;
        near |= (called >> 1) as u64 | pair(1) | around.behind(1, |group| group.is(Fact::The)) & pair(2);
    }
    cues & near
}

/// `pt up from mercy via ems`, `seen at Cape Regional`, `AT CAPE REGIONAL WITH`: a hospital by the word that so many are called
/// by, where somebody was treated or is sent.
fn known_short(view: &View<'_>, cue: usize, findings: &mut Findings) {
    let first = cue + 1 + usize::from(says!(view, cue + 1, "the"));
    let (alone, pair) = (KNOWN.has(view, first), KNOWN.has(view, first + 1));
    if !alone && !pair || !says!(view, cue, "at" | "to" | "from" | "@") {
        return;
    }
    let near = |word: usize| view.is_word(word) && view.gap(word) == Gap::Space;
    let over = |next: usize| {
        view.is_any_mark(next, b".,;)")
            || view.ends_line(next)
            || view.is_number(next)
            || says!(
                view,
                next,
                "on" | "via"
                    | "with"
                    | "for"
                    | "by"
                    | "ed"
                    | "er"
                    | "and"
                    | "in"
                    | "today"
                    | "w"
                    | "where"
                    | "last"
                    | "since"
            )
    };
    if !near(first) {
        return;
    }
    let stay =
        cue > 0 && (is_stay(view, cue - 1) || view.any(cue - 1, Classes::of(&[Class::PlaceCue, Class::PersonVerb])));
    let saint = alone && !says!(view, first, "regional" | "memorial" | "general");
    // `taken first to Memorial, where`
    let written = view.case(first) == Case::Capital && view.case(cue) == Case::Lower;
    if alone && (saint && stay || written) && first == cue + 1 && over(first + 1) {
        findings.remove(first, first + 1, Kind::Hospital, Certainty::Weak);
        return;
    }
    let ordinary =
        Classes::of(&[Class::Stop, Class::Clinical, Class::Term, Class::PersonNoun, Class::Level, Class::NumberWord]);
    let capital = view.case(first) == Case::Capital && view.case(first + 1) == Case::Capital;
    let shouted = is_shouted(view, first) && is_shouted(view, first + 1);
    let named = (capital || shouted) && !view.any(first, ordinary);
    if named && near(first + 1) && pair && over(first + 2) {
        findings.remove(first, first + 2, Kind::Hospital, Certainty::Weak);
    }
}

/// Short forms of services, ways of giving and kinds of care. Sorted.
#[rustfmt::skip]
static SERVICE: WordSet = WordSet::new(&[
    "alf", "bed", "bid", "cards", "cath", "ct", "dc", "ecf", "ed", "ent", "er", "er's", "gi", "gu", "gyn", "hd", "ho",
    "home", "hs", "id", "im", "ir", "iv", "lab", "labs", "ltac", "ltach", "mri", "neuro", "ob", "or", "ortho", "osh",
    "ot", "pcp", "po", "prn", "psych", "pt", "ra", "rehab", "sar", "slp", "snf", "st", "surg", "tid", "us",
]);

/// What is said of people who are treated in a place. Sorted.
#[rustfmt::skip]
static STAYS: WordSet = WordSet::new(&[
    "admission", "admitted", "back", "brought", "care", "clinic", "college", "d", "delivered", "done", "evaluated",
    "evaluation", "followed", "hospitalized", "performed", "presented", "records", "referred", "retired", "returned",
    "school", "seen", "sent", "stay", "taken", "transfer", "transfered", "transferred", "treated", "tx", "txf", "txfer",
    "up", "visit", "visits", "worked", "works", "xfer",
]);

/// Words before `at`, `to` or `from` that say where a person is treated or has come from.
fn is_stay(view: &View<'_>, at: usize) -> bool {
    STAYS.has(view, at) || view.token(at).kind == crate::token::Kind::Possessive
}
