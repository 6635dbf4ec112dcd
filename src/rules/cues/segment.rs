//! Message segments with names and addresses only, `PID|||55120||PINE^HEATHER^ROSE`, and values of keys for names.

use crate::rules::engine::names::{NAMES as PEOPLE, is_unlisted};
use crate::rules::engine::word_sets::{WordSet, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Kind as TokenKind;

/// Segments about the message, the patient, relatives, the visit and the insurance, as opposed to segments for results
/// (`OBX`), codes (`DG1`) and treatments (`RXA`).
static SEGMENTS: WordSet = word_set!("cues-segment-segments");

/// Finds the words of a segment at its first bar. Every word is reported: between `|` and `^` nothing distinguishes a
/// name that is also a word.
pub(in crate::rules) fn find_segment_words(note: &Note<'_>, bar: usize, findings: &mut Findings) {
    let Some(last) = bar.checked_sub(1).filter(|_| note.joined(bar)) else { return };
    let first = if note.token(last).glued() { last - 1 } else { last };
    if note.token(first).line_start() && note.text_of(first, bar) == "obx" {
        keep_result_segment(note, bar, findings);
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

/// Vouches for the numbers of a result, `OBX|1|NM|2345-7^GLUCOSE||182|mg/dL|70-99`, whose second field declares a
/// numeric value. The value in field 5, the reference range in field 7, the count and the test code are measurements in
/// any context.
fn keep_result_segment(note: &Note<'_>, bar: usize, findings: &mut Findings) {
    const MAX_TOKENS: usize = 64;
    let mut field = 0;
    let mut number = false;
    for at in bar..bar + MAX_TOKENS {
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

/// Tags of EDIFACT segments about people, which have plus signs between elements.
static EDIFACT: WordSet = word_set!("cues-segment-edifact");

/// The same for X12, with asterisks.
static X12: WordSet = word_set!("cues-segment-x12");

/// The maximum number of tokens of a segment to read.
const MAX_SEGMENT_TOKENS: usize = 64;

/// The minimum number of elements of a segment.
const MIN_ELEMENTS: usize = 3;

/// Finds names at a plus sign, an asterisk, an equals sign or an angle bracket: all words of the segments
/// `NAD+PAT+++BISHOP:HOPE'`, `NM1*IL*1*BISHOP*HOPE~` up to their terminator, and the value of a name key,
/// `lname='Bishop'`.
pub(in crate::rules) fn find_interchange_segment(note: &Note<'_>, mark: usize, findings: &mut Findings) {
    if note.is_mark(mark, b'<') {
        find_named_element(note, mark + 1, findings);
        return;
    }
    if note.is_mark(mark, b'=') {
        find_key_value(note, mark, findings);
        return;
    }
    if mark == 0 || !note.joined(mark) {
        return;
    }
    let first = mark - 1 - usize::from(note.token(mark - 1).glued());
    let begins = note.token(first).line_start() || first > 0 && note.is_any_mark(first - 1, b"'~");
    let tags = if note.is_mark(mark, b'+') { &EDIFACT } else { &X12 };
    if !begins || !tags.contains(note.text_of(first, mark).as_bytes()) {
        return;
    }
    let end = (mark + 1..mark + MAX_SEGMENT_TOKENS)
        .find(|&at| note.ends_line(at) || note.is_any_mark(at, b"'~"))
        .unwrap_or(mark + MAX_SEGMENT_TOKENS);
    // `NAD+ levels`, `N2+M1`: a message has no blank after the separator, and several elements.
    let elements = (mark..end).filter(|&at| note.key(at) == note.key(mark) && note.joined(at)).count();
    if !note.joined(mark + 1) || elements < MIN_ELEMENTS {
        return;
    }
    for at in (mark + 1..end).filter(|&at| note.is_word(at) && note.width(at) > 1) {
        findings.remove(at, at + 1, Kind::Name, Certainty::Likely);
    }
}

/// Finds the value of a key for part of a name: `lname='Bishop'`, `'lname' => 'Bishop'`, `lname=bishop;`.
fn find_key_value(note: &Note<'_>, equals: usize, findings: &mut Findings) {
    let quoted = equals > 1 && note.is_any_mark(equals - 1, b"'\"`]");
    let Some(key) = equals.checked_sub(1 + usize::from(quoted)) else { return };
    if !NAMES.has(note, key) || !note.same_line(equals) {
        return;
    }
    let mut at = equals + 1;
    at += usize::from(note.is_mark(at, b'>') && note.joined(at));
    let quote = note.is_any_mark(at, b"'\"`");
    at += usize::from(quote);
    // `family = mom Rose`
    if !quote && !(note.joined(equals) && note.joined(at)) {
        return;
    }
    for value in at..at + MAX_NAME_WORDS {
        let inside = note.is_word(value) && note.same_line(value) && (quote || value == at || note.joined(value));
        // `family=supportive`: keys of messages are also ordinary words.
        if !inside || !note.any(value, PEOPLE) && !is_unlisted(note, value) {
            return;
        }
        findings.remove(value, value + 1, Kind::Name, Certainty::Likely);
    }
}

/// The maximum number of words of a name value.
const MAX_NAME_WORDS: usize = 4;

/// Finds the text of an element with such a name: `<lname>Bishop</lname>`.
fn find_named_element(note: &Note<'_>, name: usize, findings: &mut Findings) {
    if !NAMES.has(note, name) || !note.is_mark(name + 1, b'>') {
        return;
    }
    let first = name + 2;
    for at in (first..first + MAX_NAME_WORDS).take_while(|&at| note.is_word(at) && note.same_line(at)) {
        findings.remove(at, at + 1, Kind::Name, Certainty::Likely);
    }
}

/// Keys whose value is a name.
static NAMES: WordSet = word_set!("cues-segment-names");

/// Finds the value of a JSON key for part of a name or an address, at its colon: `"given": ["Nadia", "Hope"]`,
/// `"city": "Hope"`.
pub(in crate::rules) fn find_name_or_place_in_json(note: &Note<'_>, colon: usize, findings: &mut Findings) {
    const MAX_TOKENS: usize = 24;
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
    for at in colon + 1..colon + MAX_TOKENS {
        if note.token(at).kind == TokenKind::End || list && note.is_mark(at, b']') || !list && quotes == 2 {
            return;
        }
        quotes += usize::from(note.is_mark(at, b'"'));
        if note.is_word(at) && quotes % 2 == 1 {
            findings.remove(at, at + 1, kind, Certainty::Likely);
        }
    }
}
