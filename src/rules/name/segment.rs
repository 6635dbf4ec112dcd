//! Segments of HL7 messages that hold who and where and nothing else: `PID|||55120||PINE^HEATHER^ROSE`.

use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Gap, Kind as TokenKind};

/// Segments about the message, the patient, the relatives, the visit, the insurance. What was measured (`OBX`), coded (`DG1`)
/// or given (`RXA`) stands in others.
const SEGMENTS: [&str; 17] = [
    "msh", "evn", "pid", "pd1", "nk1", "pv1", "pv2", "gt1", "in1", "in2", "in3", "mrg", "rol", "acc", "ctd", "prd",
    "zpi",
];

/// Anchor: a bar, the first of its line. Every word of such a segment goes: between `|` and `^` nothing tells a name that is a
/// word from a word.
pub(super) fn find(view: &View<'_>, bar: usize, findings: &mut Findings) {
    let Some(last) = bar.checked_sub(1).filter(|_| view.joined(bar)) else { return };
    let first = if view.token(last).glued() { last - 1 } else { last };
    if !view.token(first).line_start() || !SEGMENTS.contains(&view.text_of(first, bar)) {
        return;
    }
    let mut at = bar + 1;
    while view.gap(at) < Gap::Line && view.token(at).kind != TokenKind::End {
        if view.is_word(at) && (view.bytes(at).len() > 1 || view.is_mark(at - 1, b'^')) {
            findings.remove(at, at + 1, Kind::Name, Certainty::Weak);
        }
        at += 1;
    }
}

/// Anchor: a colon. `"given": ["Nadia", "Hope"]`, `"city": "Hope"`: the value of a key in JSON that holds a part of a name or an
/// address.
pub(super) fn find_key(view: &View<'_>, colon: usize, findings: &mut Findings) {
    const LONGEST: usize = 24;
    if colon < 2 || !view.is_mark(colon - 1, b'"') || !view.joined(colon - 1) {
        return;
    }
    let kind = match view.word(colon - 2) {
        "given" | "family" | "firstname" | "lastname" | "middlename" | "surname" | "maidenname" | "patientname"
        | "givenname" | "familyname" | "fullname" => Kind::Name,
        "city" | "district" | "line" | "street" | "county" | "town" => Kind::City,
        _ => return,
    };
    let list = view.is_mark(colon + 1, b'[');
    let mut quotes = 0;
    for at in colon + 1..colon + LONGEST {
        if view.token(at).kind == TokenKind::End || list && view.is_mark(at, b']') || !list && quotes == 2 {
            return;
        }
        quotes += usize::from(view.is_mark(at, b'"'));
        if view.is_word(at) && quotes % 2 == 1 {
            findings.remove(at, at + 1, kind, Certainty::Likely);
        }
    }
}
