//! Identifiers by their form alone: long rows of digits, mixed letters and digits, social security and card numbers.

use super::identifier::announces_code;
use super::phone::is_phone_with_area_code;
use super::run::Run;
use crate::rules::engine::columns::ROW_SIDE;
use crate::rules::engine::word_sets::word_is;
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Lists of words that make a number of up to six digits a count: `150000 cells`.
const COUNTED: Classes = Classes::of(&[Class::Unit, Class::Counted]);

/// Removes a word or number in the middle of a long unbroken row of digits, letters and marks, which can be neither an
/// amount nor a date. The tokens at either end of the middle extend the finding to the ends of the row.
pub(in crate::rules) fn find_code_in_long_row(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let side = ROW_SIDE;
    // The middle may end one mark before the last token with a full side.
    let first = (at.saturating_sub(side + 1)..=at.saturating_sub(side)).rev().find(|&first| !note.joined(first));
    let end = (at + side + 1..at + side + 3).find(|&end| !note.joined(end));
    findings.remove(first.unwrap_or(at), end.unwrap_or(at + 1), Kind::OtherId, Certainty::Likely);
}

/// Finds an identifier around a number.
pub(in crate::rules) fn find_code(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if let Some((first, last)) = character_code_around(note, at) {
        findings.remove(first, last, Kind::OtherId, Certainty::Sure);
        return;
    }
    let bytes = note.bytes(at);
    let lonely =
        !note.token(at).glued() && !note.token(at + 1).glued() && !note.is_mark(at + 1, b'-') && !(note.joined(at));
    if bytes.len() < 4 && lonely && !note.is_number(at + 1) {
        return;
    }
    if find_social_security_number(note, at, findings)
        || find_card_number(note, at, findings)
        || find_uuid(note, at, findings)
    {
        return;
    }
    let Some(run) = Run::around(note, at) else { return };
    if run.digits < 3
        || run.date
        || run.foreign
        || run.digits + run.letters < 5
        || announces_code(note, run.first.saturating_sub(1))
    {
        return;
    }
    let unit = note.is_word(run.last)
        && note.same_line(run.last)
        && (note.is(run.last, Class::Unit) || (run.digits <= 6 && note.any(run.last, COUNTED)))
        && !note.is(run.last, Class::Stop);
    // `2800/mm3`
    let rate = note.is_mark(at + 1, b'/') && note.joined(at + 1) && note.is(at + 2, Class::Unit) && run.digits < 7;
    if rate && run.first == at {
        return;
    }
    // The unit may be glued: `500000units`.
    if unit || run.wordy && run.alternations == 1 && note.is_number(run.first) && run.marks == 0 {
        return;
    }
    // `5040cGy`, `RBC18550`
    let unit = |at: usize| note.token(at).glued() && note.is(at, Class::Unit);
    let named = note.any(run.first, Classes::of(&[Class::Unit, Class::Measurement]));
    // `35-40cc/hr`
    let rate = run.last > run.first + 3
        && note.any(run.last - 1, Classes::of(&[Class::Unit, Class::Duration]))
        && note.is_mark(run.last - 2, b'/')
        && unit(run.last - 3);
    let measured =
        run.alternations == 1 && run.marks == 0 && named || run.last > run.first && unit(run.last - 1) || rate;
    if measured && run.digits < 7 {
        return;
    }
    if let Some(certainty) = certainty_of_shape(note, &run) {
        findings.remove(run.first, run.last, kind_of_code(note, &run), certainty);
    }
}

/// Returns the certainty of an identifier from its form.
fn certainty_of_shape(note: &Note<'_>, run: &Run) -> Option<Certainty> {
    if run.letters == 0 {
        // One group of digits, or several with hyphens.
        if run.marks == 0 {
            if run.decimal
                || run.longest < 6
                || note.bytes(run.first).contains(&b':')
                || note.bytes(run.first).contains(&b'/')
            {
                return None;
            }
            let round = note.bytes(run.first).ends_with(b"000");
            return Some(if round || run.digits < 6 { Certainty::Weak } else { Certainty::Likely });
        }
        // Values do not have this many digits unless rounded: `5678-9012`, `4000-10000`. Leave telephone numbers to
        // their own rule, since a policy may keep them.
        if run.digits >= 8
            && !run.decimal
            && !note.bytes(run.last - 1).ends_with(b"00")
            && !is_phone_with_area_code(note, run.first, run.last)
        {
            return Some(Certainty::Sure);
        }
        let likely = run.digits >= 7 || (run.digits == 6 && run.longest >= 4);
        return (likely && !run.decimal).then_some(Certainty::Likely);
    }
    if run.decimal && run.digits < 8 {
        return None;
    }
    // `1HGCM82633A004352`
    if run.marks == 0 && run.digits + run.letters == 17 && run.digits >= 5 && !run.wordy {
        return Some(Certainty::Sure);
    }
    let upper = note.is_number(run.first) || note.case(run.first) == Case::Upper;
    if run.longest >= 5 || run.digits >= 6 {
        return Some(if upper || !run.wordy { Certainty::Likely } else { Certainty::Weak });
    }
    if run.digits >= 4 && (run.marks > 0 || upper) && !run.wordy {
        return Some(if run.marks > 0 && run.letters <= 4 { Certainty::Likely } else { Certainty::Weak });
    }
    (run.alternations >= 3 && run.digits >= 3 && run.digits + run.letters >= 6).then_some(Certainty::Weak)
}

/// Returns the most likely kind for the form.
fn kind_of_code(note: &Note<'_>, run: &Run) -> Kind {
    if run.marks == 0 && run.digits + run.letters == 17 && run.letters > 0 {
        Kind::Vehicle
    } else if run.letters > 0 && run.letters <= 4 && run.marks > 0 && note.is_word(run.first) {
        Kind::Accession
    } else {
        Kind::OtherId
    }
}

/// Returns the range of a character written by its code: `0x52`, `U+0052`, `chr(82)`, `fromCharCode(82, 111)`.
fn character_code_around(note: &Note<'_>, at: usize) -> Option<(usize, usize)> {
    let hexadecimal = |at: usize| note.bytes(at).iter().all(u8::is_ascii_hexdigit);
    let digits_end = |first: usize| (first + 1..first + 8).find(|&end| !note.token(end).glued() || !hexadecimal(end));
    if note.bytes(at) == b"0"
        && !note.token(at).glued()
        && note.bytes(at + 1).starts_with(b"x")
        && note.token(at + 1).glued()
    {
        // `0xff` has its letters glued to the x, `0x52` a number.
        let letters = &note.bytes(at + 1)[1..];
        let end = digits_end(at + 1)?;
        let digits = letters.len() + (at + 2..end).map(|at| note.width(at)).sum::<usize>();
        return (letters.iter().all(u8::is_ascii_hexdigit) && digits >= 2).then_some((at, end));
    }
    let before = at.checked_sub(2)?;
    if note.is_mark(at - 1, b'+') && note.joined(at) && note.joined(at - 1) && note.bytes(before) == b"u" {
        let end = digits_end(at)?;
        return (note.width(at) >= 2).then_some((before, end));
    }
    let called = note.is_mark(at - 1, b'(')
        && note.joined(at - 1)
        && word_is!(note, before, "chr" | "char" | "unichr" | "charcode" | "fromcharcode" | "nchar");
    let inside = |at: usize| note.is_number(at) || note.is_mark(at, b',');
    called.then(|| (before, (at..at + ROW_SIDE).find(|&end| !inside(end)).unwrap_or(at + ROW_SIDE)))
}

/// Finds a social security number: `123-45-6789`, `123 45 6789`, `123-45-6789A`.
fn find_social_security_number(note: &Note<'_>, at: usize, findings: &mut Findings) -> bool {
    if note.width(at) != 3 || !note.is_number(at + 1) && !note.is_any_mark(at + 1, b"-.") {
        return false;
    }
    let step = usize::from(!note.is_number(at + 1));
    let (second, third) = (at + 1 + step, at + 2 + 2 * step);
    let sizes = note.is_number(second) && note.is_number(third) && note.width(second) == 2 && note.width(third) == 4;
    let whole = |at: usize| note.bytes(at).iter().all(u8::is_ascii_digit);
    let linked = step == 0 || (note.bytes(at + 1) == note.bytes(second + 1) && note.is_any_mark(second + 1, b"-."));
    let written =
        sizes && linked && [at, second, third].into_iter().all(whole) && (at + 1..=third).all(|at| note.follows(at));
    if !written {
        return false;
    }
    let mut last = third + 1;
    // The suffix of a Medicare claim number.
    if note.is_word(last) && note.width(last) <= 2 && note.token(last).glued() {
        last += 1;
        if note.is_number(last) && note.token(last).glued() && note.width(last) == 1 {
            last += 1;
        }
    }
    let tight = step == 1 && note.joined(second) && note.joined(third);
    findings.remove(at, last, Kind::Ssn, if tight { Certainty::Sure } else { Certainty::Likely });
    true
}

/// Finds a UUID of 36 characters: `1b4e28ba-2fa1-41d2-883f-0016d3cca427`. Runs at each number in it until one is found.
fn find_uuid(note: &Note<'_>, at: usize, findings: &mut Findings) -> bool {
    const LEN: usize = 36;
    // Every number in it is joined to a hyphen or a letter.
    if !note.joined(at) && !note.joined(at + 1) {
        return false;
    }
    let bytes = note.text().as_bytes();
    let belongs = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
    let number = note.token(at).start as usize;
    let mut start = number;
    while start > 0 && number - start < LEN && belongs(bytes[start - 1]) {
        start -= 1;
    }
    let Some(text) = bytes.get(start..start + LEN) else { return false };
    let written = text.iter().enumerate().all(|(place, &byte)| {
        let hyphen = matches!(place, 8 | 13 | 18 | 23);
        if hyphen { byte == b'-' } else { byte.is_ascii_hexdigit() }
    });
    if !written || bytes.get(start + LEN).is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    let (mut first, mut last) = (at, at + 1);
    while first > 0 && note.token(first).start as usize > start {
        first -= 1;
    }
    while last < note.len() && (note.token(last).start as usize) < start + LEN {
        last += 1;
    }
    findings.remove(first, last, Kind::OtherId, Certainty::Sure);
    true
}

/// Finds a card number of 13 to 19 digits in groups of four: `4111 1111 1111 1111`. A valid check digit makes it sure.
fn find_card_number(note: &Note<'_>, at: usize, findings: &mut Findings) -> bool {
    if note.width(at) != 4 || note.integer(at).is_none() {
        return false;
    }
    let mut digits = [0_u8; 19];
    let mut count = 0;
    let mut token = at;
    let mut last = at;
    while note.integer(token).is_some() && count + note.width(token) <= digits.len() {
        for &byte in note.bytes(token) {
            digits[count] = byte - b'0';
            count += 1;
        }
        last = token + 1;
        token = last + usize::from(note.is_any_mark(last, b"-."));
        if !note.follows(token) || note.width(token) > 6 {
            break;
        }
    }
    if !(13..=19).contains(&count) {
        return false;
    }
    let certainty = if has_luhn_check_digit(&digits[..count]) { Certainty::Sure } else { Certainty::Likely };
    findings.remove(at, last, Kind::OtherId, certainty);
    true
}

/// Returns whether the digits pass the Luhn check of card numbers and IMEIs.
fn has_luhn_check_digit(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, &digit)| {
            let doubled = u32::from(digit) * if at % 2 == 1 { 2 } else { 1 };
            if doubled > 9 { doubled - 9 } else { doubled }
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Finds a number after a hash sign: `#123456`, `# 555 0123`.
pub(in crate::rules) fn find_number_after_hash(note: &Note<'_>, at: usize, findings: &mut Findings) {
    // `&#160;` is a character.
    if at > 0 && note.is_mark(at - 1, b'&') && note.joined(at) {
        return;
    }
    let mut run = Run::starting_at(note, at + 1);
    let group = |at: usize| note.is_number(at) && note.follows(at) && note.bytes(at).iter().all(u8::is_ascii_digit);
    while run.letters == 0 && run.digits >= 2 && run.digits < 12 && group(run.last) && note.width(run.last) >= 3 {
        run.digits += note.width(run.last);
        run.last += 1;
    }
    if (note.is_number(at + 1) || note.is_word(at + 1))
        && note.same_line(at + 1)
        && (run.longest >= 4 || run.digits >= 6)
        && !run.date
        && !announces_code(note, at)
    {
        findings.remove(at + 1, run.last, Kind::OtherId, Certainty::Likely);
    }
}

#[cfg(test)]
mod tests {
    use super::has_luhn_check_digit;

    #[test]
    fn checks_the_last_digit() {
        assert!(has_luhn_check_digit(&[4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]));
        assert!(!has_luhn_check_digit(&[4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]));
    }
}
