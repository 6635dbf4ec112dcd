//! Identifiers after a keyword: `MRN 1234567`, `accession S84-0816`, `plate 4KX 291`, `user jdoe2`.
//!
//! `code` finds identifiers without a keyword.

use super::run::Run;
use super::secret;
use crate::rules::engine::digits::{is_spoken_digit, read_misscanned_number};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// How specific a keyword is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strength {
    /// It always announces an identifier.
    Plain,
    /// It is also a common word: the value needs a mark or the form of a code.
    Common,
    /// It announces a user name: letters alone may follow.
    User,
}

/// The evidence before an identifier.
#[derive(Clone, Copy)]
struct Announced {
    kind: Kind,
    keyword: Strength,
    /// Whether a mark or a word such as "number" stands between the keyword and the identifier.
    marked: bool,
}

/// The evidence of `s/n` and `p/n`.
const SERIAL: Announced = Announced { kind: Kind::Device, keyword: Strength::Plain, marked: true };

/// Words between a keyword and its identifier that confirm the identifier.
static MARKING: WordSet = word_set!("forms-identifier-marking");

/// Other words between the two.
static JOINING: WordSet = word_set!("forms-identifier-joining");

/// Lists of keywords with the kind of identifier and how specific they are. No keyword is on two lists.
static KEYWORDS: [(WordSet, Kind, Strength); 19] = [
    (word_set!("forms-identifier-records"), Kind::Record, Strength::Plain),
    (word_set!("forms-identifier-record-words"), Kind::Record, Strength::Common),
    (word_set!("forms-identifier-accounts"), Kind::Account, Strength::Plain),
    (word_set!("forms-identifier-account-words"), Kind::Account, Strength::Common),
    (word_set!("forms-identifier-accessions"), Kind::Accession, Strength::Plain),
    (word_set!("forms-identifier-accession-words"), Kind::Accession, Strength::Common),
    (word_set!("forms-identifier-plans"), Kind::HealthPlan, Strength::Plain),
    (word_set!("forms-identifier-plan-words"), Kind::HealthPlan, Strength::Common),
    (word_set!("forms-identifier-licences"), Kind::License, Strength::Plain),
    (word_set!("forms-identifier-licence-words"), Kind::License, Strength::Common),
    (word_set!("forms-identifier-vehicles"), Kind::Vehicle, Strength::Plain),
    (word_set!("forms-identifier-vehicle-words"), Kind::Vehicle, Strength::Common),
    (word_set!("forms-identifier-devices"), Kind::Device, Strength::Plain),
    (word_set!("forms-identifier-device-words"), Kind::Device, Strength::Common),
    (word_set!("forms-identifier-users"), Kind::UserName, Strength::User),
    (word_set!("forms-identifier-user-words"), Kind::UserName, Strength::Common),
    (word_set!("forms-identifier-taxes"), Kind::Ssn, Strength::Plain),
    (word_set!("forms-identifier-tax-words"), Kind::Ssn, Strength::Common),
    (word_set!("forms-identifier-others"), Kind::OtherId, Strength::Plain),
];

/// Returns the kind of identifier that a keyword announces, and how specific the keyword is.
fn announced_by_keyword(note: &Note<'_>, at: usize) -> (Kind, Strength) {
    let known = KEYWORDS.iter().find(|(words, ..)| words.has(note, at));
    known.map_or((Kind::OtherId, Strength::Common), |&(_, kind, keyword)| (kind, keyword))
}

/// Finds the identifier after a keyword.
pub(in crate::rules) fn find_announced_identifier(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if secret::SECRETS.has(note, at) {
        secret::find_password(note, at, findings);
        return;
    }
    let (mut kind, mut keyword) = announced_by_keyword(note, at);
    let mut next = at + 1;
    let mut marked = word_is!(note, at, "no" | "nbr" | "num" | "number" | "id" | "ident") || is_case_heading(note, at);
    // Further keywords, "number", marks.
    for _ in 0..8 {
        if !(note.follows(next) || note.same_line(next)) {
            return;
        }
        if note.is_any_mark(next, b":#=(.-/[") {
            // The hyphen of `case-control` is not a mark; `MRN-123` is MRN and a number.
            marked |= note.is_any_mark(next, b":#=");
        } else if note.is_mark(next, b'|') && !marked && keyword == Strength::Plain && begins_cell(note, at) {
            // `| MRN | 15944V |`: the next cell.
            marked = true;
        } else if note.is_word(next) {
            if MARKING.has(note, next) {
                marked = true;
            } else if JOINING.has(note, next) {
            } else if note.is(next, Class::IdKeyword) && !note.token(next + 1).glued() {
                let (more, strength) = announced_by_keyword(note, next);
                if more != Kind::OtherId {
                    kind = if kind == Kind::OtherId || strength == Strength::Plain || keyword == Strength::Common {
                        more
                    } else {
                        kind
                    };
                }
                if strength != Strength::Common || keyword == Strength::Common {
                    keyword = strength;
                }
            } else {
                break;
            }
        } else {
            break;
        }
        next += 1;
    }
    if keyword != Strength::User && (marked || keyword == Strength::Plain) {
        let end = end_of_spoken_digits(note, next);
        if end >= next + 4 {
            findings.remove(next, end, kind, Certainty::Likely);
            return;
        }
    }
    if next == at + 1 && note.token(next).glued() && keyword == Strength::Common && note.width(at) <= 3 {
        // `pin2`, `tag1`
        return;
    }
    if let Some((first, last, certainty)) = read_identifier(note, next, Announced { kind, keyword, marked })
        && !announces_code(note, at)
    {
        findings.remove(first, last, kind, certainty);
    }
}

/// Returns whether a keyword and its number form a heading: `Case 542: cough`.
fn is_case_heading(note: &Note<'_>, at: usize) -> bool {
    note.sentence_start(at) && note.is_number(at + 1) && note.is_mark(at + 2, b':')
}

/// Returns whether the keyword begins its cell or line, unlike the unit of `mg/dL|70`.
fn begins_cell(note: &Note<'_>, at: usize) -> bool {
    note.token(at).line_start() || at > 0 && note.is_mark(at - 1, b'|')
}

/// Finds a serial or part number at the slash: `s/n K-88 20147`, `P/N: 4471-20`.
pub(in crate::rules) fn find_device_number(note: &Note<'_>, slash: usize, findings: &mut Findings) {
    let joined = note.joined(slash) && note.joined(slash + 1);
    if !joined || slash == 0 || !word_is!(note, slash - 1, "s" | "p") || !word_is!(note, slash + 1, "n") {
        return;
    }
    let mut next = slash + 2;
    while next < slash + 6 && note.same_line(next) && (note.is_any_mark(next, b":#=.") || MARKING.has(note, next)) {
        next += 1;
    }
    if note.same_line(next)
        && let Some((first, last, certainty)) = read_identifier(note, next, SERIAL)
    {
        findings.remove(first, last, Kind::Device, certainty);
    }
}

/// Returns the end (exclusive) of digits spoken one by one: `medical record number four four one seven nine`.
fn end_of_spoken_digits(note: &Note<'_>, first: usize) -> usize {
    const MAX_TOKENS: usize = 24;
    let mut end = first;
    while end < first + MAX_TOKENS && note.is_word(end) && note.same_line(end) {
        let digit = is_spoken_digit(note, end) || word_is!(note, end, "oh" | "o" | "double" | "dash");
        if !digit {
            break;
        }
        end += 1;
        // `four-four-one, seven`
        end += usize::from(
            note.is_any_mark(end, b"-,")
                && note.joined(end)
                && is_spoken_digit(note, end + 1)
                && note.same_line(end + 1),
        );
    }
    end
}

/// Reads the identifier that begins at `first`. Returns its token range and certainty.
fn read_identifier(note: &Note<'_>, first: usize, announced: Announced) -> Option<(usize, usize, Certainty)> {
    let Announced { kind, keyword, marked } = announced;
    // `VISIT DATE:2021-07-20`: another label follows.
    if note.is_word(first) && note.is_mark(first + 1, b':') {
        return None;
    }
    // `on file is pO2 202`: the number belongs to the test.
    let measured = note.is_word(first) && note.any(first, Classes::of(&[Class::Measurement, Class::Marker]));
    // `lot AP-568354`: no test has such a value.
    let long = note.is_mark(first + 1, b'-') && note.number(first + 2).is_some_and(|number| number.digits(0) > 4);
    if measured && !long && keyword == Strength::Common && !marked {
        return None;
    }
    let run = Run::starting_at(note, first);
    if run.digits == 0 {
        return read_identifier_without_digits(note, first, &run, announced);
    }
    let last = extend_over_digit_groups(note, run.last);
    let more: usize = (run.last..last).filter(|&at| note.is_number(at)).map(|at| note.width(at)).sum();
    let digits = run.digits + more;
    if run.date || run.decimal && digits < 6 {
        return None;
    }
    let unit = note.is_word(last)
        && note.same_line(last)
        && !note.token(last).glued()
        && note.any(last, Classes::of(&[Class::Unit, Class::Duration, Class::Counted]))
        // `lot 578437 L deltoid`: a side, not litres.
        && !(note.width(last) == 1 && digits >= 5)
        && !note.is(last, Class::Stop);
    let certainty = match keyword {
        Strength::Plain | Strength::User if digits >= 4 => Certainty::Sure,
        Strength::Plain | Strength::User if digits >= 2 || (digits >= 1 && run.letters >= 2) => Certainty::Likely,
        _ if marked && digits >= 5 => Certainty::Sure,
        _ if marked && digits >= 3 && !unit => Certainty::Likely,
        _ if marked && run.letters > 0 && digits >= 2 && run.alternations >= 2 && !unit => Certainty::Likely,
        _ if digits >= 5 && !unit => Certainty::Likely,
        _ if run.letters > 0 && digits >= 4 && !unit => Certainty::Likely,
        _ if kind == Kind::Vehicle && run.letters > 0 && digits >= 2 => Certainty::Likely,
        _ => return None,
    };
    Some((first, end_after_line_break(note, last, &run, kind), certainty))
}

/// Reads an identifier that begins with letters alone: a user name, or letters separated from their digits.
fn read_identifier_without_digits(
    note: &Note<'_>,
    first: usize,
    run: &Run,
    announced: Announced,
) -> Option<(usize, usize, Certainty)> {
    let Announced { kind, keyword, marked } = announced;
    // `user: jsmith`; `workstation ICUNORTH`
    let name = keyword == Strength::User || (kind == Kind::UserName && marked);
    if name && note.is_word(first) && !note.is(first, Class::Stop) {
        return Some((first, run.last, Certainty::Likely));
    }
    // `MD-`, line break, `85904`
    let end = end_after_line_break(note, run.last, run, kind);
    if end > run.last && (run.last..end).any(|at| note.is_number(at)) && (marked || keyword == Strength::Plain) {
        return Some((first, end, Certainty::Likely));
    }
    // Letters, then digits after a blank: `C 28 811`, `MA 4KX 291`
    let unknown = matches!(kind, Kind::Vehicle | Kind::License)
        && !note.any(first, Classes::of(&[Class::Stop, Class::English, Class::Clinical, Class::Term]));
    let apart = note.is_word(first)
        && run.last == first + 1
        && note.width(first) <= 4
        && (note.case(first) == Case::Upper || unknown)
        && note.is_number(run.last)
        && note.same_line(run.last);
    if !apart {
        return None;
    }
    let rest = Run::starting_at(note, run.last);
    let enough = rest.digits >= 3 && (marked || keyword == Strength::Plain);
    enough.then(|| (first, extend_over_digit_groups(note, rest.last), Certainty::Likely))
}

/// Returns the end (exclusive) of an identifier with its continuation on the next line: after a hyphen, or if a vehicle
/// number is short of its seventeen characters.
fn end_after_line_break(note: &Note<'_>, end: usize, run: &Run, kind: Kind) -> usize {
    let hyphen = note.is_mark(end, b'-') && note.joined(end);
    let next = end + usize::from(hyphen);
    if note.gap(next) != Gap::Line || !(note.is_word(next) || note.is_number(next)) {
        return end;
    }
    let rest = Run::starting_at(note, next);
    let short = rest.letters <= 4 && (rest.digits > 0 || note.case(next) == Case::Upper);
    let vehicle = kind == Kind::Vehicle && run.digits + run.letters + rest.digits + rest.letters == 17;
    if !rest.date && (hyphen && short || vehicle && rest.digits > 0) { rest.last } else { end }
}

/// Extends the end over groups of digits after single blanks: `28 811 402`, `4KX 291`.
fn extend_over_digit_groups(note: &Note<'_>, last: usize) -> usize {
    let mut end = last;
    // `204 118 773K`: a check letter.
    let checks = |at: usize| {
        at > last + 1
            && note.is_word(at)
            && note.token(at).glued()
            && note.width(at) == 1
            && !note.token(at + 1).glued()
    };
    for _ in 0..5 {
        let group = note.is_number(end)
            && note.same_line(end)
            && note.gap(end) <= crate::text::token::Gap::Space
            && note.width(end) >= 2
            && note.bytes(end).iter().all(u8::is_ascii_digit)
            && (checks(end + 1)
                || !note.any(end + 1, Classes::of(&[Class::Unit, Class::Duration, Class::Counted, Class::AgeCue])));
        let letters = note.is_word(end)
            && note.same_line(end)
            && note.case(end) == Case::Upper
            && note.width(end) <= 3
            && note.token(end + 1).glued()
            && note.is_number(end + 1);
        // `2428 77813 2`: the last digit of a grouped number.
        let last_figure = end > last
            && note.is_number(end - 1)
            && note.is_number(end.wrapping_sub(2))
            && note.width(end - 1) + note.width(end - 2) >= 8
            && note.integer(end).is_some_and(|_| note.width(end) == 1)
            && note.gap(end) == Gap::Space
            && (note.is_any_mark(end + 1, b".,;)") || note.gap(end + 1) >= Gap::Wide);
        if group || last_figure {
            end += 1;
        } else if let Some((_, last)) = read_misscanned_number(note, end).filter(|_| note.same_line(end)) {
            end = last;
        } else if letters {
            end = Run::starting_at(note, end).last;
        } else {
            break;
        }
    }
    end + usize::from(checks(end))
}

/// Returns whether the keyword belongs to a code system that does not identify a person: `CPT code`, `ICD number`.
pub(in crate::rules) fn announces_code(note: &Note<'_>, at: usize) -> bool {
    (0..=4.min(at)).any(|back| {
        let before = at - back;
        names_code_system(note, before) && (back == 0 || note.follows(before + 1))
    })
}

/// Code systems whose name is also a common word before other numbers.
static VAGUE_SYSTEMS: WordSet = word_set!("forms-identifier-vague-systems");

/// Returns whether the word names a code system.
fn names_code_system(note: &Note<'_>, at: usize) -> bool {
    note.is(at, Class::CodeSystem) && note.width(at) >= 3 && !VAGUE_SYSTEMS.has(note, at)
}
