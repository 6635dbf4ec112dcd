//! Segments of HL7 messages that hold who and where and nothing else: `PID|||55120||PINE^HEATHER^ROSE`.

use crate::rules::engine::word_sets::{WordSet, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, View};
use crate::text::token::Kind as TokenKind;

/// Segments about the message, the patient, the relatives, the visit, the insurance. What was measured (`OBX`), coded (`DG1`)
/// or given (`RXA`) stands in others.
static SEGMENTS: WordSet = word_set!("cues-segment-segments");

/// Anchor: a bar, the first of its line. Every word of such a segment goes: between `|` and `^` nothing tells a name that is a
/// word from a word.
pub(in crate::rules) fn find(view: &View<'_>, bar: usize, findings: &mut Findings) {
    let Some(last) = bar.checked_sub(1).filter(|_| view.joined(bar)) else { return };
    let first = if view.token(last).glued() { last - 1 } else { last };
    if view.token(first).line_start() && view.text_of(first, bar) == "obx" {
        result(view, bar, findings);
        return;
    }
    if !view.token(first).line_start() || !SEGMENTS.contains(view.text_of(first, bar).as_bytes()) {
        return;
    }
    let mut at = bar + 1;
    while !view.ends_line(at) {
        if view.is_word(at) && (view.bytes(at).len() > 1 || view.is_mark(at - 1, b'^')) {
            findings.remove(at, at + 1, Kind::Name, Certainty::Weak);
        }
        at += 1;
    }
}

/// A result, `OBX|1|NM|2345-7^GLUCOSE||182|mg/dL|70-99`: a segment whose second field says that its fifth is a number. That number,
/// the range of what is usual in the seventh, the count and the code of the test are measurements, whatever stands around them.
fn result(view: &View<'_>, bar: usize, findings: &mut Findings) {
    const LONGEST: usize = 64;
    let mut field = 0;
    let mut number = false;
    for at in bar..bar + LONGEST {
        if at > bar && view.ends_line(at) || field > 7 {
            return;
        }
        if view.is_mark(at, b'|') {
            field += 1;
        } else if field == 2 {
            number |= matches!(view.bytes(at), b"nm" | b"sn");
        } else if view.is_number(at) && (matches!(field, 1 | 3) || number && matches!(field, 5 | 7)) {
            let short = view.number(at).is_some_and(|number| number.digits(0) <= 5);
            if short {
                findings.keep(at, at + 1, Certainty::Likely);
            }
        }
    }
}

/// Keys of JSON whose value is a name.
static NAMES: WordSet = word_set!("cues-segment-names");

/// Anchor: a colon. `"given": ["Nadia", "Hope"]`, `"city": "Hope"`: the value of a key in JSON that holds a part of a name or an
/// address.
pub(in crate::rules) fn find_key(view: &View<'_>, colon: usize, findings: &mut Findings) {
    const LONGEST: usize = 24;
    if colon < 2 || !view.is_mark(colon - 1, b'"') || !view.joined(colon - 1) {
        return;
    }
    let kind = match view.word(colon - 2) {
        _ if NAMES.has(view, colon - 2) => Kind::Name,
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
