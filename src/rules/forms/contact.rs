//! Electronic addresses: e-mail, web, IP, MAC, user names of social networks.

use crate::rules::engine::word_sets::word_is;
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Gap;
use crate::vocabulary::{Class, Classes};

/// The maximum number of tokens on one side of an address; longer ones are truncated.
const MAX_TOKENS_PER_SIDE: usize = 64;

/// The maximum number of groups of a hexadecimal address: eight, and an empty one at a double colon.
const MAX_HEX_GROUPS: usize = 9;

/// Finds an address or handle around an at sign.
pub(in crate::rules) fn find_at_sign_address(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let next = at + 1;
    if note.joined(at) && note.joined(next) && note.is_word(next)
        || (note.joined(next) && note.is_number(next) && note.token(next + 1).glued())
    {
        let first = start_of_address(note, at);
        let last = end_of_address(note, next, false);
        let letters = (first..at).any(|at| note.is_word(at));
        let dotted = (next..last).any(|at| note.is_mark(at, b'.'));
        if first < at && (letters || dotted) {
            findings.remove(first, last, Kind::Email, if dotted { Certainty::Sure } else { Certainty::Likely });
            return;
        }
    }
    // `j.doe @ example.org`
    if at > 0
        && note.is_word(at - 1)
        && note.same_line(at)
        && note.same_line(next)
        && note.is_word(next)
        && !note.joined(next)
    {
        let last = end_of_address(note, next, false);
        if ends_in_domain(note, next, last) {
            findings.remove(start_of_address(note, at), last, Kind::Email, Certainty::Likely);
        }
        return;
    }
    // `@name`
    let opens = !note.joined(at) || note.is_any_mark(at.wrapping_sub(1), b"(:/\"");
    if opens && (note.is_word(next) || note.is_mark(next, b'_')) && note.joined(next) {
        let mut last = next + 1;
        while last < next + MAX_TOKENS_PER_SIDE
            && note.joined(last)
            && (note.is_word(last) || note.is_number(last) || note.is_any_mark(last, b"_.-"))
        {
            last += 1;
        }
        while note.is_any_mark(last - 1, b".-") {
            last -= 1;
        }
        let known = last == next + 1
            && note.any(next, Classes::of(&[Class::Stop, Class::English, Class::Clinical, Class::Unit, Class::Dose]));
        findings.remove(at, last, Kind::Handle, if known { Certainty::Weak } else { Certainty::Likely });
    }
}

/// Returns the first token of the local part before an at sign.
fn start_of_address(note: &Note<'_>, at: usize) -> usize {
    let mut first = at;
    while first > 0 && at - first < MAX_TOKENS_PER_SIDE && (first == at || note.joined(first)) {
        let before = first - 1;
        if !(note.is_word(before) || note.is_number(before) || note.is_any_mark(before, b"._-+%'")) {
            break;
        }
        first = before;
    }
    while first < at && note.is_any_mark(first, b"._-+%'") {
        first += 1;
    }
    // `rob`, line break, `ert95@example.org`: the first half is alone on its line.
    let half = note.gap(first) == Gap::Line && first < at && first > 0 && note.token(first - 1).line_start();
    if half && note.is_word(first - 1) { first - 1 } else { first }
}

/// Returns the end (exclusive) of an address that begins here. With `path`, everything up to white space, a quotation
/// mark or an angle bracket belongs to it.
fn end_of_address(note: &Note<'_>, first: usize, path: bool) -> usize {
    let mut last = first + 1;
    while last < first + MAX_TOKENS_PER_SIDE && note.joined(last) {
        let part = note.is_word(last)
            || note.is_number(last)
            || note.is_any_mark(last, b".-_")
            || note.token(last).kind == crate::text::token::Kind::Possessive;
        let belongs = part || (path && !note.is_any_mark(last, b"<>\""));
        if !belongs {
            break;
        }
        last += 1;
    }
    while last > first + 1 && note.is_any_mark(last - 1, b".,;:!?)]}'\"-") {
        last -= 1;
    }
    last
}

/// Returns whether the last part of a dotted name is a top-level domain.
fn ends_in_domain(note: &Note<'_>, first: usize, last: usize) -> bool {
    (first + 2..last).any(|at| note.is_mark(at - 1, b'.') && note.is(at, Class::DomainSuffix))
}

/// Finds a web address at its top-level domain: `example.org/path`, `www.example.com`.
pub(in crate::rules) fn find_web_address(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if at < 2 || !note.joined(at) || !note.is_mark(at - 1, b'.') || !note.joined(at - 1) {
        return;
    }
    // `example.org`, not `Done.In the`
    let mut first = at;
    while first > 0
        && at - first < MAX_TOKENS_PER_SIDE
        && note.joined(first)
        && (note.is_word(first - 1) || note.is_number(first - 1) || note.is_any_mark(first - 1, b".-_"))
    {
        first -= 1;
    }
    while first < at && note.is_any_mark(first, b".-_") {
        first += 1;
    }
    if first == at || (first > 0 && note.joined(first) && note.is_any_mark(first - 1, b"@/")) {
        return;
    }
    let mut last = at + 1;
    if note.is_any_mark(last, b"/:.?") && note.joined(last) && note.joined(last + 1) {
        last = end_of_address(note, at, true);
    } else if note.token(last).glued() {
        return;
    }
    let word = note.bytes(at);
    let web = word_is!(note, first, "www");
    let doubtful = (word.len() == 2 || note.is(at, Class::English)) && !web;
    // A sentence without a space before it: `noted.In`.
    if doubtful && (note.capitalised(at) || at - first > 6 || note.is(at, Class::Stop)) && last == at + 1 {
        return;
    }
    findings.remove(first, last, Kind::Url, if doubtful { Certainty::Likely } else { Certainty::Sure });
}

/// Finds an address with a colon: a scheme (`https://`), IPv6 and MAC addresses.
pub(in crate::rules) fn find_address_with_colon(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let next = at + 1;
    if !note.joined(next) {
        return;
    }
    if note.is_mark(next, b'/')
        && note.is_mark(next + 1, b'/')
        && note.joined(next + 1)
        && note.joined(at)
        && at > 0
        && note.is_word(at - 1)
    {
        let last = end_of_address(note, next, true);
        if last > next + 1 {
            findings.remove(at - 1, last, Kind::Url, Certainty::Sure);
        }
        return;
    }
    if word_is!(note, at.wrapping_sub(1), "mailto") {
        findings.remove(at - 1, end_of_address(note, next, true), Kind::Email, Certainty::Sure);
        return;
    }
    find_hexadecimal_address(note, at, b':', findings);
}

/// Finds a numeric address: `10.20.30.40`, and MAC addresses with hyphens or periods.
pub(in crate::rules) fn find_numeric_address(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let bytes = note.bytes(at);
    if bytes.len() >= 7 {
        let Some(number) = note.number(at) else { return };
        let ports = number.len() == 4 || (number.len() == 5 && matches!(number.separator(3), b':' | b'/'));
        if ports
            && (0..3).all(|part| number.separator(part) == b'.')
            && (0..4).all(|part| number.value(part) < 256 && number.digits(part) > 0)
        {
            let mut last = at + 1;
            if note.is_any_mark(last, b"/:") && note.joined(last) && note.joined(last + 1) {
                last = end_of_address(note, at, true);
            }
            findings.remove(at, last, Kind::Network, Certainty::Sure);
            return;
        }
        // `00:11:22:33:44:55`, digits only.
        if number.has_form(6, b':') && (0..6).all(|part| number.digits(part) == 2) {
            findings.remove(at, at + 1, Kind::Network, Certainty::Sure);
            return;
        }
    }
    let mark = (at + 1..at + 3).find(|&mark| note.is_any_mark(mark, b"-.") && note.joined(mark));
    if let Some(mark) = mark.filter(|&mark| mark == at + 1 || note.token(at + 1).glued()) {
        // `3-4` is not one: hyphenated addresses have at least six groups of two characters.
        let hyphen = |at: usize| note.is_mark(at, b'-');
        let lone = hyphen(mark)
            && !(hyphen(mark + 2) || hyphen(mark + 3) || hyphen(mark.wrapping_sub(2)) || hyphen(mark.wrapping_sub(3)));
        if !lone {
            find_hexadecimal_address(note, mark, note.bytes(mark)[0], findings);
        }
    }
}

/// Finds an address of hexadecimal groups around the mark at `at`: `00:1A:2B:3C:4D:5E`, `fe80::1ff:fe23:4567:890a`,
/// `001a.2b3c.4d5e`.
fn find_hexadecimal_address(note: &Note<'_>, at: usize, mark: u8, findings: &mut Findings) {
    let hex = |at: usize| {
        (note.is_word(at) || note.is_number(at))
            && note.bytes(at).iter().all(|byte| byte.is_ascii_hexdigit() || *byte == mark)
    };
    let part = |at: usize| note.is_mark(at, mark) || hex(at);
    // Bounds the number of marks, so that a long row of them is not read again from each one.
    let mut left = MAX_HEX_GROUPS;
    let mut first = at;
    while first > 0 && at - first < MAX_TOKENS_PER_SIDE && note.joined(first) && part(first - 1) && left > 0 {
        first -= 1;
        left -= usize::from(note.is_mark(first, mark));
    }
    let mut last = at + 1;
    while last < at + MAX_TOKENS_PER_SIDE && note.joined(last) && part(last) && left > 0 {
        left -= usize::from(note.is_mark(last, mark));
        last += 1;
    }
    if left == 0 {
        return;
    }
    if note.token(last).glued() || (first > 0 && note.token(first).glued()) {
        return;
    }
    // Count the groups by size.
    let (mut groups, mut group, mut twos, mut fours, mut letters, mut short) = (0, 0, 0, 0, false, false);
    let start = note.token(first).start as usize;
    let end = note.token(last - 1).end as usize;
    for &byte in note.text().as_bytes()[start..end].iter().chain(std::iter::once(&mark)) {
        if byte == mark {
            groups += 1;
            twos += usize::from(group == 2);
            fours += usize::from(group == 4);
            short |= group > 4;
            group = 0;
        } else {
            letters |= byte.is_ascii_alphabetic();
            group += 1;
        }
    }
    let mac = (groups == 6 && twos == 6 && (letters || mark != b'-'))
        || (groups == 8 && twos == 8 && letters)
        || (groups == 3 && fours == 3 && mark == b'.' && letters);
    let doubled = (first..last - 1).any(|at| note.is_mark(at, mark) && note.is_mark(at + 1, mark));
    let v6 =
        mark == b':' && !short && ((groups == 8 && fours > 0) || (doubled && groups >= 3 && (letters || groups > 3)));
    if mac || v6 {
        findings.remove(first, last, Kind::Network, Certainty::Sure);
    }
}
