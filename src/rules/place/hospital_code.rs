//! Short forms of hospitals where only places stand: `transferred to BMGH`, `at MCH`.

use crate::rules::name::{NAMES, is_shouted};
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Wards and short forms of medicine are written so too: `in the ICU`, `to PACU`.
const SERVICES: Classes = Classes::of(&[Class::WardNoun, Class::Dose, Class::Level, Class::Score]);

/// Anchor: `at`, `to` or `from`.
pub(in crate::rules) fn find(view: &View<'_>, cue: usize, findings: &mut Findings) {
    let at = cue + 1;
    let length = view.bytes(at).len();
    let place = matches!(view.word(cue), "at" | "to" | "from" | "@");
    if !place || !view.is_word(at) || !(2..=6).contains(&length) || view.gap(at) > Gap::Line {
        return;
    }
    // `at HR 80`, `to ph 7.4`, `AT AGE 90+`
    let valued = (view.is_number(at + 1) || view.word(at + 1) == "90+")
        && view.same_line(at + 1)
        && view.case(at) == Case::Upper;
    if view.is_mark(at + 1, b'=') || view.is_mark(at + 1, b':') || view.token(at + 1).glued() {
        return;
    }
    let plain = view.case(at) == Case::Lower || is_shouted(view, at);
    if view.case(at) != Case::Upper && !plain {
        return;
    }
    // Hospital, medical centre, clinic, health system: how such short forms end.
    let ends_so = [&b"h"[..], b"mc", b"hc", b"hs", b"cc"].iter().any(|end| view.bytes(at).ends_with(end));
    let over = view.is_any_mark(at + 1, b".,;)")
        || view.gap(at + 1) >= Gap::Line
        || view.is_number(at + 1)
        || view.is(at + 1, Class::Month);
    let stay = cue > 0 && is_stay(view, cue - 1);
    if view.any(at, SERVICES) && !(stay && over && !view.is(at, Class::WardNoun)) || is_service(view.word(at)) {
        return;
    }
    // `transferred to BC for further care`
    let over = over || stay && view.case(at) == Case::Upper && view.is(at + 1, Class::Stop);
    let moved = |word: usize| matches!(view.word(word), "transferred" | "transfer" | "txf" | "txfer" | "xfer");
    let sent = stay || view.word(cue) == "from" && (cue.saturating_sub(8)..cue).any(moved);
    if plain {
        // In small letters and in lines of capitals a short form has no vowel to be read by, and the clause ends behind it.
        let spelt = view.bytes(at).iter().any(|letter| b"aeiouy".contains(letter));
        let word = view.any(at, Classes::of(&[Class::Stop, Class::English, Class::Facility, Class::PersonNoun]));
        let named = cue > 0 && view.any(cue - 1, NAMES) && !view.is(cue - 1, Class::Stop) && view.word(cue) == "at";
        let short = !spelt && !word || ends_so && length < 4 && view.word(cue) == "at" && !view.is(at, Class::Stop);
        if short && over && length < 6 && (sent || named || ends_so && view.word(cue) != "to") {
            findings.remove(at, at + 1, Kind::Hospital, Certainty::Weak);
        }
        return;
    }
    let sent = sent || cue > 0 && view.any(cue - 1, Classes::of(&[Class::PlaceCue, Class::PersonVerb]));
    if valued || !ends_so && !(sent && (length > 2 || over)) {
        return;
    }
    let certainty = if ends_so { Certainty::Likely } else { Certainty::Weak };
    findings.remove(at, at + 1, Kind::Hospital, certainty);
}

/// Short forms of services, ways of giving and kinds of care. Sorted.
#[rustfmt::skip]
const SERVICE: [&str; 43] = [
    "bed", "bid", "cards", "cath", "ct", "dc", "ed", "ent", "er", "er's", "gi", "gu", "gyn", "hd", "ho", "home", "hs",
    "id", "im", "ir", "iv", "lab", "labs", "ltac", "mri", "neuro", "ob", "or", "ortho", "ot", "pcp", "po", "prn",
    "psych", "pt", "ra", "rehab", "slp", "snf", "st", "surg", "tid", "us",
];

/// Services to which patients are sent.
fn is_service(word: &str) -> bool {
    SERVICE.binary_search(&word).is_ok()
}

/// What is said of people who are treated in a place. Sorted.
#[rustfmt::skip]
const STAYS: [&str; 38] = [
    "admission", "admitted", "back", "brought", "care", "clinic", "college", "d", "delivered", "done", "evaluated",
    "evaluation", "followed", "hospitalized", "performed", "presented", "records", "referred", "retired", "returned",
    "school", "seen", "sent", "stay", "taken", "transfer", "transfered", "transferred", "treated", "tx", "txf", "txfer",
    "up", "visit", "visits", "worked", "works", "xfer",
];

/// Words before `at`, `to` or `from` that say where a person is treated or has come from.
fn is_stay(view: &View<'_>, at: usize) -> bool {
    STAYS.binary_search(&view.word(at)).is_ok() || view.token(at).kind == crate::token::Kind::Possessive
}
