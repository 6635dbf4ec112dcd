//! Short forms of hospitals where only places stand: `transferred to BMGH`, `at MCH`.

use crate::rules::name::is_shouted;
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::Case;
use crate::vocabulary::{Class, Classes};

/// Wards and services are written so too, and stay: `in the ICU`, `to PACU`.
const SERVICES: Classes = Classes::of(&[Class::WardNoun, Class::Dose, Class::Level, Class::Score]);

/// Anchor: a word in capitals.
pub(in crate::rules) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let length = view.bytes(at).len();
    if view.case(at) != Case::Upper || !(2..=6).contains(&length) || at == 0 || view.any(at, SERVICES) {
        return;
    }
    // `at HR 80`, `to ph 7.4`
    if view.is_number(at + 1) || view.is_mark(at + 1, b'=') || view.is_mark(at + 1, b':') {
        return;
    }
    if !matches!(view.word(at - 1), "at" | "to" | "from" | "@") || !view.follows(at) || view.token(at + 1).glued() {
        return;
    }
    // Hospital, medical centre, clinic, health system: how such short forms end.
    let ends_so = [&b"h"[..], b"mc", b"hc", b"hs", b"cc"].iter().any(|end| view.bytes(at).ends_with(end));
    let sent = at > 1 && view.any(at - 2, Classes::of(&[Class::PlaceCue, Class::PersonVerb]));
    if is_shouted(view, at) && !sent || !ends_so && !(sent && length > 2) {
        return;
    }
    let certainty = if ends_so { Certainty::Likely } else { Certainty::Weak };
    findings.remove(at, at + 1, Kind::Hospital, certainty);
}
