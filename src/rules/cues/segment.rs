//! Segments of HL7 messages that hold who and where and nothing else: `PID|||55120||PINE^HEATHER^ROSE`.

use crate::rules::engine::word_sets::{WordSet, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Kind as TokenKind;

/// Segments about the message, the patient, the relatives, the visit, the insurance. What was measured (`OBX`), coded (`DG1`)
/// or given (`RXA`) stands in others.
static SEGMENTS: WordSet = word_set!("cues-segment-segments");

/// Anchor: a bar, the first of its line. Every word of such a segment goes: between `|` and `^` nothing tells a name that is a
/// word from a word.
pub(in crate::rules) fn find(note: &Note<'_>, bar: usize, findings: &mut Findings) {
    let Some(last) = bar.checked_sub(1).filter(|_| note.joined(bar)) else { return };
    let first = if note.token(last).glued() { last - 1 } else { last };
    if note.token(first).line_start() && note.text_of(first, bar) == "obx" {
        find_result(note, bar, findings);
        return;
    }
    if !note.token(first).line_start() || !SEGMENTS.contains(note.text_of(first, bar).as_bytes()) {
        return;
    }
    let mut at = bar + 1;
    while !note.ends_line(at) {
        if note.is_word(at) && (note.bytes(at).len() > 1 || note.is_mark(at - 1, b'^')) {
            findings.remove(at, at + 1, Kind::Name, Certainty::Weak);
        }
        at += 1;
    }
}

/// A result, `OBX|1|NM|2345-7^GLUCOSE||182|mg/dL|70-99`: a segment whose second field says that its fifth is a number. That number,
/// the range of what is usual in the seventh, the count and the code of the test are measurements, whatever stands around them.
fn find_result(note: &Note<'_>, bar: usize, findings: &mut Findings) {
    const LONGEST: usize = 64;
    let mut field = 0;
    let mut number = false;
    for at in bar..bar + LONGEST {
        if at > bar && note.ends_line(at) || field > 7 {
            return;
        }
        if note.is_mark(at, b'|') {
            field += 1;
        } else if field == 2 {
            number |= matches!(note.bytes(at), b"nm" | b"sn");
        } else if note.is_number(at) && (matches!(field, 1 | 3) || number && matches!(field, 5 | 7)) {
            let short = note.number(at).is_some_and(|number| number.digits(0) <= 5);
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
pub(in crate::rules) fn find_key(note: &Note<'_>, colon: usize, findings: &mut Findings) {
    const LONGEST: usize = 24;
    if colon < 2 || !note.is_mark(colon - 1, b'"') || !note.joined(colon - 1) {
        return;
    }
    let kind = match note.word(colon - 2) {
        _ if NAMES.has(note, colon - 2) => Kind::Name,
        "city" | "district" | "line" | "street" | "county" | "town" => Kind::City,
        _ => return,
    };
    let list = note.is_mark(colon + 1, b'[');
    let mut quotes = 0;
    for at in colon + 1..colon + LONGEST {
        if note.token(at).kind == TokenKind::End || list && note.is_mark(at, b']') || !list && quotes == 2 {
            return;
        }
        quotes += usize::from(note.is_mark(at, b'"'));
        if note.is_word(at) && quotes % 2 == 1 {
            findings.remove(at, at + 1, kind, Certainty::Likely);
        }
    }
}
