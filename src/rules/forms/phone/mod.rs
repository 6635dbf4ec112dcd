//! Telephone, fax and pager numbers: `(617) 555-0123`, `617.555.0123`, `555-0123`, `1-800-DOCTORS`, `x4-5678`,
//! `+44 20 7946 0958`.

pub(in crate::rules) mod spoken;
mod written;

use crate::patient::is_misspelling_of;
use crate::rules::engine::digits::{DigitGroups, is_misscanned_digits};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::rules::forms::date::may_be_year;
use crate::text::token::Gap;
use crate::vocabulary::{Class, Classes};
use written::{PhoneShape, read_phone_groups};

/// Finds a telephone number by its form.
pub(in crate::rules) fn find_phone(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let Some(number) = note.number(at) else { return };
    let digits = number.digits(0);
    if !(1..=11).contains(&digits) || (note.token(at).glued() && at > 0 && note.is_word(at - 1)) {
        return;
    }
    let plus = at > 0 && note.is_mark(at - 1, b'+') && note.joined(at);
    // The digits must continue: in this token, after a mark or a blank, or with a letter misread for a digit.
    let read_wrong = note.token(at + 1).glued() && is_misscanned_digits(note.bytes(at + 1));
    let goes_on = note.is_any_mark(at + 1, b"-.)/(") || note.is_number(at + 1) || read_wrong;
    if number.len() == 1 && !plus && digits < 10 && !goes_on {
        return;
    }
    if digits == 4 && !plus && begins_iso_date(note, at) {
        return;
    }
    let Some(found) = read_phone_groups(note, at, plus, false) else { return };
    let first = start_of_number(note, at, plus);
    let shape = found.shape();
    let certainty = if plus && (7..=15).contains(&found.total) {
        Certainty::Sure
    } else if plus {
        return;
    } else {
        match shape {
            PhoneShape::Extension | PhoneShape::Groups if found.scanned => return,
            PhoneShape::Full => Certainty::Sure,
            PhoneShape::Local | PhoneShape::International => Certainty::Likely,
            PhoneShape::Extension if !note.joined(at) || (at > 0 && note.is_mark(at - 1, b'(')) => Certainty::Weak,
            PhoneShape::Groups => Certainty::Weak,
            PhoneShape::Extension | PhoneShape::Other => return,
        }
    };
    if follows_code_name(note, first) {
        return;
    }
    findings.remove(first, extend_over_extension(note, found.last), Kind::Phone, certainty);
}

/// Returns whether the tokens are the groups of a full number with area code: `617-555-0123`.
pub(in crate::rules) fn is_phone_with_area_code(note: &Note<'_>, first: usize, last: usize) -> bool {
    read_phone_groups(note, first, false, false)
        .is_some_and(|found| found.last == last && matches!(found.shape(), PhoneShape::Full))
}

/// Returns whether a year begins here, followed only by groups of one or two digits: `2003-06-23`.
fn begins_iso_date(note: &Note<'_>, at: usize) -> bool {
    let mut next = at + 1;
    if !note.integer(at).is_some_and(|year| may_be_year(year, 4)) {
        return false;
    }
    loop {
        while note.is_any_mark(next, b"-./)(") {
            next += 1;
        }
        if !note.is_number(next) {
            return !is_misscanned_digits(note.bytes(next)) || note.width(next) == 0;
        }
        if note.width(next) > 2 {
            return false;
        }
        next += 1;
    }
}

/// Returns the first token of the number, including an opening bracket or a plus sign.
fn start_of_number(note: &Note<'_>, at: usize, plus: bool) -> usize {
    let mut first = at;
    if plus {
        first -= 1;
    }
    if first > 0 && note.is_any_mark(first - 1, b"([") && note.joined(first) {
        first -= 1;
    }
    first
}

/// Returns whether the digits are a code after the name of its system.
fn follows_code_name(note: &Note<'_>, first: usize) -> bool {
    (1..=3.min(first)).any(|back| {
        note.is(first - back, Class::CodeSystem) && note.same_line(first + 1 - back) && note.width(first - back) > 2
    })
}

/// Extends the end over the extension after a number: `x123`, `ext. 4567`.
fn extend_over_extension(note: &Note<'_>, last: usize) -> usize {
    let mut at = last;
    if note.is_any_mark(at, b",;") && note.same_line(at) {
        at += 1;
    }
    if !note.is_word(at)
        || !note.same_line(at)
        || !(word_is!(note, at, "x" | "extn" | "extension" | "xt")
            || note.width(at) > 1 && is_misspelling_of(note.bytes(at), b"ext"))
    {
        return last;
    }
    at += 1;
    while note.is_any_mark(at, b".:#") && note.same_line(at) {
        at += 1;
    }
    if note.is_number(at) && note.same_line(at) && note.width(at) <= 6 {
        // `ext. 5`, line break, `61`
        let rest = note.width(at) < 3 && note.gap(at + 1) == Gap::Line && note.width(at + 1) <= 3;
        if rest && note.integer(at + 1).is_some() {
            return at + 2;
        }
        let dash = note.is_mark(at + 1, b'-') && note.joined(at + 1) && note.is_number(at + 2) && note.joined(at + 2);
        return if dash { at + 3 } else { at + 1 };
    }
    last
}

/// Words before a contact number that also precede other numbers.
static REACHED: WordSet = word_set!("forms-phone-reached");

/// Words that announce a pager number.
static PAGERS: WordSet = word_set!("forms-phone-pagers");

/// Words that announce a telephone number.
static PHONES: WordSet = word_set!("forms-phone-phones");

/// Returns the kind that a keyword announces, and the minimum number of digits.
fn number_announced_by_keyword(note: &Note<'_>, at: usize) -> (Kind, usize) {
    if word_is!(note, at, "fax" | "facsimile" | "f") {
        return (Kind::Fax, 7);
    }
    if PAGERS.has(note, at) {
        return (Kind::Pager, 3);
    }
    if word_is!(note, at, "page" | "paged") {
        return (Kind::Pager, 4);
    }
    if word_is!(note, at, "ext" | "extension" | "extn") {
        return (Kind::Phone, 2);
    }
    if PHONES.has(note, at) {
        return (Kind::Phone, 4);
    }
    if REACHED.has(note, at) {
        return (Kind::Phone, 5);
    }
    (Kind::Phone, 6)
}

/// Finds the number after a keyword: `pager 12345`, `tel: 555 0123`, `ext. 4567`, `x4-5678`.
pub(in crate::rules) fn find_phone_after_keyword(note: &Note<'_>, at: usize, findings: &mut Findings) {
    // `Medical Record Number: 00829113`
    let labelled = at > 0 && note.is(at - 1, Class::IdKeyword) && !note.is(at - 1, Class::PhoneKeyword);
    if word_is!(note, at, "number") && labelled && note.follows(at) {
        return;
    }
    let mut next = at + 1;
    let mut marked = false;
    for _ in 0..6 {
        if !(note.follows(next) || note.same_line(next)) {
            return;
        }
        if note.is_any_mark(next, b":#.(-+=/*)[") {
            marked = true;
        } else if !(note.is_word(next) && may_precede_phone(note, next)) {
            break;
        }
        next += 1;
    }
    if !note.is_number(next) || !(note.follows(next) || note.same_line(next)) {
        return;
    }
    if word_is!(note, at, "x") {
        find_dialled_extension(note, at, next, findings);
        return;
    }
    // A single letter is a keyword only with a mark.
    if note.width(at) == 1 && !marked {
        return;
    }
    // `Surgery on call: 4471`
    let on_call = word_is!(note, at, "call")
        && at > 0
        && word_is!(note, at - 1 - usize::from(at > 1 && note.is_mark(at - 1, b'-')), "on");
    let (kind, fewest) = match number_announced_by_keyword(note, at) {
        _ if on_call && note.is_any_mark(next - 1, b":#=") => (Kind::Pager, 4),
        announced => announced,
    };
    let (plus, square) = (note.is_mark(next - 1, b'+'), note.is_mark(next - 1, b'['));
    let Some(found) = read_phone_groups(note, next, plus, square) else { return };
    let decimal = found.len == 2 && found.marks[0] == b'.' && found.total < 7;
    let clock = found.marks[..found.len.saturating_sub(1)].contains(&b':');
    let date = found.marks[0] == b'/' && found.total <= 8;
    let unit = note.is_word(found.last)
        && note.same_line(found.last)
        && note.is(found.last, Class::Unit)
        && !note.is(found.last, Class::Stop);
    // `pH 7.38/42/96` is a blood gas.
    let gas = word_is!(note, at, "ph") && found.marks[0] == b'.' && found.first_value <= 14 && found.total < 10;
    if gas || found.total < fewest || decimal || clock || date || (unit && found.total < 7) {
        return;
    }
    let first = start_of_number(note, next, note.is_mark(next - 1, b'+'));
    findings.remove(
        first,
        extend_over_extension(note, found.last),
        kind,
        if found.total >= 7 { Certainty::Sure } else { Certainty::Likely },
    );
}

/// Words between a keyword and its number: `phone number is`, `pager #`, `cell (mobile)`.
static PASSING: WordSet = word_set!("forms-phone-passing");

fn may_precede_phone(note: &Note<'_>, at: usize) -> bool {
    note.is(at, Class::PhoneKeyword) || PASSING.has(note, at)
}

/// Finds a dialled extension: `x4-5678` and `x45678`, not `x 3 days` and `3 x 4 cm`.
fn find_dialled_extension(note: &Note<'_>, at: usize, next: usize, findings: &mut Findings) {
    if next != at + 1 || !note.same_line(next) || (at > 0 && note.is_number(at - 1) && note.token(at).glued()) {
        return;
    }
    let groups = DigitGroups::read(note, next);
    let dash = groups.len() >= 2
        && groups.mark_after(0) == b'-'
        && !groups.has_space_after(0)
        && groups.digit_count(0) <= 2
        && groups.digit_count(1) == 4;
    let last = if dash { groups.end_of_group(1) } else { groups.end_of_group(0) };
    let plain = (4..=6).contains(&groups.digit_count(0)) && groups.ends_token(0) && note.joined(next);
    let unit = note.is_word(last)
        && note.same_line(last)
        && note.any(last, Classes::of(&[Class::Unit, Class::Duration]))
        && !note.is(last, Class::Stop);
    if (dash || plain) && !unit {
        findings.remove(at, last, Kind::Phone, Certainty::Likely);
    }
}
