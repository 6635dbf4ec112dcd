//! Names in header fields: `Patient Name: ROSE, May B.`, `Dictated by: J. Brown`, `cc: Dr. Field`.

use super::name::{Trust, end_of_credential, end_of_full_name, end_of_name};
use crate::rules::engine::names::{NAMES, is_unlisted, name_log_odds};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Field values that are not names: `Attending: none`, `Patient: Unknown`.
const NOT_VALUES: Classes = Classes::of(&[Class::Stop, Class::PersonNoun, Class::Relative]);

/// The maximum number of values of a field.
const MAX_VALUES: usize = 8;

/// The maximum number of tokens of a field label.
const MAX_LABEL_TOKENS: usize = 6;

/// Finds names in a field at its colon, or in a segment at its bar.
pub(in crate::rules) fn find_names_in_field(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if note.is_mark(at, b'|') {
        super::segment::find_segment_words(note, at, findings);
        return;
    }
    super::segment::find_name_or_place_in_json(note, at, findings);
    // `Eye Contact: Good`
    if at > 1 && word_is!(note, at - 1, "contact") && word_is!(note, at - 2, "eye" | "skin" | "sexual" | "social") {
        return;
    }
    if at == 0 || !note.joined(at) && note.gap(at) > Gap::Space {
        return;
    }
    if at > 1 && word_is!(note, at - 1, "name" | "names") && THINGS.has(note, at - 2) && note.same_line(at - 1) {
        return;
    }
    let Some(mut label) = label_strength(note, at) else { return };
    let mut first = at + 1;
    // `mother: rose`, but not `mother: diabetes`
    let given = note.ranks(first).first_name >= 10 && !note.is(first, Class::Clinical);
    if given && note.is(first, Class::FirstName) && note.is(at - 1, Class::Relative) {
        label = Trust::Any;
    }
    // The value of a field may be on the next line, unless that line begins with the next label.
    let next_label = note.ends_line(first) && (1..=MAX_LABEL_TOKENS).any(|ahead| note.is_mark(first + ahead, b':'));
    if next_label || note.gap(first) >= Gap::Paragraph {
        return;
    }
    for _ in 0..MAX_VALUES {
        let start = skip_titles(note, first);
        let Some(end) = end_of_value(note, start, label) else { return };
        findings.remove(start, end, Kind::Name, Certainty::Sure);
        first = match start_of_next_name(note, end) {
            Some(next) => next,
            None => return,
        };
    }
}

/// Skips the titles at the start of a value.
fn skip_titles(note: &Note<'_>, first: usize) -> usize {
    let mut at = first;
    while note.is(at, Class::Title) && note.is_word(at) {
        at += 1 + usize::from(note.is_mark(at + 1, b'.') && note.joined(at + 1));
    }
    at
}

/// Returns the end (exclusive) of the name at the start of a value; after a name label, anything is a name.
fn end_of_value(note: &Note<'_>, start: usize, label: Trust) -> Option<usize> {
    // `PCP: Garner, Call`, `pt: weaver, priya`: a family name, a comma and a first name, after any label.
    let given = start + 2;
    // `Patient: Yes, my knee` is not a family name and a first name.
    let written_alike = note.capitalised(start) == note.capitalised(given);
    let listed = note.any(start, NAMES)
        && note.is_mark(start + 1, b',')
        && note.same_line(given)
        && note.width(given) > 1
        && (note.any(given, NAMES) && note.case(start) == Case::Capital && note.capitalised(given)
            || written_alike && note.is(given, Class::FirstName) && name_log_odds(note, given) >= 0
            || written_alike && is_unlisted(note, given));
    let trust = match () {
        () if listed && !note.is(start, Class::Stop) => Trust::Any,
        () if (note.any(start, NOT_VALUES) || is_ordinary_value(note, start)) && !listed => Trust::Form,
        () => label,
    };
    // `Dictated: 6/16/98`, `Attending: None`, and sentences that happen to follow a colon.
    let other = word_is!(note, start, "none" | "na" | "not" | "same") || note.is(start, Class::NameField);
    let speech = !listed && begins_speech(note, start);
    if !note.is_word(start) || speech || other && !listed || trust == Trust::Form && !note.capitalised(start) {
        return None;
    }
    let end = end_of_full_name(note, start, trust);
    (end > start).then(|| extend_over_middle_initial(note, end_of_name_on_first_line(note, start, end)))
}

/// Things that have a name: `Test Name:`, `Drug name:`.
static THINGS: WordSet = word_set!("cues-field-things");

/// First words of speech: `Patient: Yes, it hurts`.
static SPOKEN: WordSet = word_set!("cues-field-spoken");

/// Returns whether a speaker begins a sentence: with a word of speech, or with a common word before lower-case text.
fn begins_speech(note: &Note<'_>, start: usize) -> bool {
    let ranks = note.ranks(start);
    let common = !is_unlisted(note, start) && ranks.surname.max(ranks.first_name) + 2 <= ranks.frequency;
    let comma = usize::from(note.is_mark(start + 1, b','));
    let goes_on = note.is_word(start + 1 + comma)
        && note.case(start + 1 + comma) == Case::Lower
        && note.same_line(start + 1 + comma);
    // `Contact: Good`
    let alone = note.any(start, NAMES) && note.ends_line(start + 1);
    // `Patient: Hope, Rose` is a name; so is `Patient: Will Young`.
    is_later_turn(note, start) && (goes_on || common || !note.any(start, NAMES))
        || SPOKEN.has(note, start)
            && !alone
            && !(note.capitalised(start + 1 + comma) && note.any(start + 1 + comma, NAMES))
        || common && (goes_on || note.is(start, Class::Stop))
}

/// Returns whether a speaker of a dialogue speaks again here, since a header names a person only once.
fn is_later_turn(note: &Note<'_>, start: usize) -> bool {
    let layout = note.layout();
    let Some(turn) = layout.turn_of(start).filter(|turn| turn.body() == start) else { return false };
    layout
        .turns()
        .iter()
        .take_while(|other| other.first_of_label() < turn.first_of_label())
        .any(|it| it.speaker_index() == turn.speaker_index())
}

/// Returns whether a lower-case value is a word that is rarely a name: `Patient: stable`.
fn is_ordinary_value(note: &Note<'_>, at: usize) -> bool {
    let ranks = note.ranks(at);
    note.case(at) == Case::Lower && !is_unlisted(note, at) && ranks.surname.max(ranks.first_name) <= ranks.frequency
}

/// Extends the end over an initial after a comma: `Prescriber: LOVE, T NPI`.
fn extend_over_middle_initial(note: &Note<'_>, end: usize) -> usize {
    let letter = end + 1;
    let initial = note.is_mark(end, b',')
        && note.is_word(letter)
        && note.width(letter) == 1
        && note.capitalised(letter)
        && note.gap(letter) == Gap::Space
        && !note.token(letter + 1).glued()
        && end_of_credential(note, letter) == letter;
    if initial { letter + 1 } else { end }
}

/// Returns the end (exclusive) of the part of a name on its first line: `Name: Hope Rivers` above `Hope is well`. The
/// next line belongs to it only if the first is incomplete: after a comma, a hyphen, an initial or a single word.
fn end_of_name_on_first_line(note: &Note<'_>, start: usize, end: usize) -> usize {
    let words = |to: usize| (start..to).filter(|&at| note.is_word(at) && note.bytes(at).len() > 1).count();
    let broken = (start + 1..end).find(|&at| note.ends_line(at));
    match broken {
        Some(at) if words(at) > 1 && !note.is_any_mark(at - 1, b",-.") => at,
        _ => end,
    }
}

/// Returns how strongly the label before the colon at `colon` indicates a name; `None` if it does not.
fn label_strength(note: &Note<'_>, colon: usize) -> Option<Trust> {
    let mut at = colon;
    let mut trust = None;
    let mut read = false;
    for _ in 0..MAX_LABEL_TOKENS {
        if at == 0 {
            break;
        }
        at -= 1;
        if note.is_word(at) {
            let last = !read;
            read = true;
            if note.is(at, Class::NameField) {
                // `Dictated by:`, `Attending:`, `Patient Name:`; but `PROCEDURE PERFORMED:`, `CC:`, `To:` and
                // `Primary:` have other values more often.
                let other = last
                    && (note.bytes(at).ends_with(b"ed")
                        || note.width(at) < 3
                        || word_is!(note, at, "primary" | "present" | "team" | "crew" | "consultants" | "from"));
                trust = trust.max(Some(if other {
                    Trust::Form
                } else if last || trust.is_some() {
                    Trust::Any
                } else {
                    Trust::Form
                }));
            } else if last && note.is(at, Class::PersonNoun) {
                trust = trust.max(Some(Trust::Form));
            } else if last {
                // `T/C from Olive: still hoarse`: the value belongs to the last word of the label.
                return None;
            }
        } else if !note.is_any_mark(at, b"()/.-#&") {
            break;
        }
        if note.token(at).line_start() || note.gap(at) >= Gap::Wide {
            break;
        }
    }
    trust
}

/// Returns the start of the next name of a list: after a comma, `and`, `/`, `;` or `&`, with credentials in between.
fn start_of_next_name(note: &Note<'_>, end: usize) -> Option<usize> {
    let mut at = end;
    let mut separated = false;
    for _ in 0..4 {
        if note.is_any_mark(at, b",;/&") {
            at += 1;
            separated = true;
        }
        let credential = end_of_credential(note, at);
        if credential > at {
            at = credential;
            continue;
        }
        break;
    }
    if word_is!(note, at, "and" | "&") {
        at += 1;
        separated = true;
    }
    let begins = separated && note.same_line(at) && note.capitalised(at);
    (begins && end_of_name(note, at, Trust::Capital, 3) > at).then_some(at)
}
