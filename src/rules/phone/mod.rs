//! Telephone, fax and pager numbers: (617) 555-0123, 617.555.0123, 555-0123, 1-800-DOCTORS, x4-5678, +44 20 7946 0958.

pub(super) mod spoken;

use super::date::is_year4;
use super::digits::{Groups, looks_like_digits, scanned};
use super::word_sets::says;
use super::{Certainty, Findings, Kind, View};
use crate::patient::is_near;
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// Finds a telephone number by its form.
pub(super) fn find(view: &View<'_>, at: usize, findings: &mut Findings) {
    let Some(number) = view.number(at) else { return };
    let digits = number.digits(0);
    if !(1..=11).contains(&digits) || (view.token(at).glued() && at > 0 && view.is_word(at - 1)) {
        return;
    }
    let plus = at > 0 && view.is_mark(at - 1, b'+') && view.joined(at);
    // The digits must go on: in this token, behind a mark or a blank, in a letter that a scanner made of a digit.
    let read_wrong = view.token(at + 1).glued() && looks_like_digits(view.bytes(at + 1));
    let goes_on = view.is_any_mark(at + 1, b"-.)/(") || view.is_number(at + 1) || read_wrong;
    if number.len() == 1 && !plus && digits < 10 && !goes_on {
        return;
    }
    if digits == 4 && !plus && is_dated(view, at) {
        return;
    }
    let Some(found) = read(view, at, plus, false) else { return };
    let first = opening(view, at, plus);
    let shape = found.shape();
    let certainty = if plus && (7..=15).contains(&found.total) {
        Certainty::Sure
    } else if plus {
        return;
    } else {
        match shape {
            Shape::Inside | Shape::Groups if found.scanned => return,
            Shape::Full => Certainty::Sure,
            Shape::Local | Shape::International => Certainty::Likely,
            Shape::Inside if !view.joined(at) || (at > 0 && view.is_mark(at - 1, b'(')) => Certainty::Weak,
            Shape::Groups => Certainty::Weak,
            Shape::Inside | Shape::Other => return,
        }
    };
    if before_is_code(view, first) {
        return;
    }
    findings.remove(first, extension(view, found.last), Kind::Phone, certainty);
}

/// Whether a year begins here that only groups of one figure and two follow: `2003-06-23`.
fn is_dated(view: &View<'_>, at: usize) -> bool {
    let mut next = at + 1;
    if !view.whole(at).is_some_and(|year| is_year4(year, 4)) {
        return false;
    }
    loop {
        while view.is_any_mark(next, b"-./)(") {
            next += 1;
        }
        if !view.is_number(next) {
            return !looks_like_digits(view.bytes(next)) || view.width(next) == 0;
        }
        if view.width(next) > 2 {
            return false;
        }
        next += 1;
    }
}

/// A number as it is written: sizes of its first groups, what stands between them.
struct Written {
    sizes: [u8; 8],
    marks: [u8; 8],
    len: usize,
    total: usize,
    last: usize,
    first_value: u64,
    letters: bool,
    scanned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Ten digits with or without a 1 before them, in the American grouping.
    Full,
    /// Seven digits, 3 and 4, behind a hyphen.
    Local,
    /// 4-5678: an extension of a hospital.
    Inside,
    /// Groups with a leading zero, or 9 to 13 digits in three groups and more.
    International,
    /// Eight digits and more in groups; values in a row look like that as well.
    Groups,
    /// Anything else, digits without a mark among them.
    Other,
}

impl Written {
    fn shape(&self) -> Shape {
        let sizes = &self.sizes[..self.len];
        let marks = &self.marks[..self.len.saturating_sub(1)];
        let even = |mark: u8| matches!(mark, b'-' | b'.' | b' ' | b'/' | b')');
        if !marks.iter().all(|&mark| even(mark)) {
            return Shape::Other;
        }
        if self.letters {
            return Shape::Full;
        }
        match sizes {
            [3, 3, 4] | [3, 7] => Shape::Full,
            // (693) 693-1749.2
            [3, 3, 4, _] if marks[2] == b'.' => Shape::Full,
            [1, 3, 3, 4] | [1, 10] | [1, 3, 7] if self.first_value == 1 => Shape::Full,
            [3, 4] if marks[0] == b'-' => Shape::Local,
            // 555-0123/59 mg: whatever stands behind the slash.
            [3, 4, _] if marks == [b'-', b'/'] => Shape::Local,
            [1, 4] if marks[0] == b'-' => Shape::Inside,
            [_] => Shape::Other,
            _ => {
                let hyphens = marks.iter().all(|&mark| mark == b'-');
                let zero = self.sizes[0] >= 2 && self.first_value < 10_u64.pow(u32::from(self.sizes[0]) - 1);
                let small = sizes[1..].iter().all(|&size| size >= 2);
                let year = sizes[0] == 4 && is_year4(self.first_value, 4) && sizes[1..].iter().all(|&size| size <= 2);
                // 09/14/23 0645: a date and a time.
                let stamp = sizes.len() == 4 && marks[0] == b'/' && marks[1] == b'/' && sizes[3] == 4;
                let dates = stamp || year || sizes == [2, 2, 4] || sizes == [3, 2, 4] || sizes == [5, 4];
                if (zero && small && (8..=15).contains(&self.total) && !dates)
                    || (hyphens && small && (9..=13).contains(&self.total) && !dates)
                {
                    Shape::International
                } else if small && sizes[0] >= 2 && (8..=15).contains(&self.total) && sizes.len() > 1 && !dates {
                    Shape::Groups
                } else {
                    Shape::Other
                }
            }
        }
    }
}

/// Reads the groups of a number, brackets included: 617) 555-0123 as well as 617-555-0123 and 1 (617) 555 0123. `square`: it stands
/// in a square bracket, as only behind a keyword.
fn read(view: &View<'_>, at: usize, plus: bool, square: bool) -> Option<Written> {
    let mut written = Written {
        sizes: [0; 8],
        marks: [0; 8],
        len: 0,
        total: 0,
        last: at,
        first_value: 0,
        letters: false,
        scanned: false,
    };
    let mut token = at;
    loop {
        let read_wrong = scanned(view, token);
        written.scanned |= read_wrong.is_some();
        let (number, end) = match &read_wrong {
            Some((number, end)) => (number, *end),
            None => (view.number(token)?, token + 1),
        };
        if written.len == 0 {
            written.first_value = number.value(0);
        }
        written.last = end;
        for part in 0..number.len() {
            if written.len == 8 {
                return Some(written);
            }
            written.sizes[written.len] = number.digits(part).min(255) as u8;
            written.marks[written.len] = number.mark(part);
            written.total += number.digits(part);
            written.len += 1;
        }
        if number.len() > 5 {
            return None;
        }
        let mut next = end;
        let mut mark = 0;
        for _ in 0..3 {
            if !view.follows(next) {
                break;
            }
            if view.is_any_mark(next, b"-./)(") || square && view.is_mark(next, b']') {
                mark = if view.is_any_mark(next, b"(]") { b')' } else { view.token(next).mark() };
                next += 1;
            } else {
                break;
            }
        }
        if !view.follows(next) || written.total > 15 {
            return Some(written);
        }
        let digits = view.is_number(next) || looks_like_digits(view.bytes(next)) && scanned(view, next).is_some();
        if digits && view.width(next) <= 12 {
            if mark == 0 {
                mark = match view.gap(next) {
                    Gap::Space => b' ',
                    Gap::Line => b'\n',
                    _ => return Some(written),
                };
                // A number over a line end needs a mark; a blank joins only groups of two digits and more.
                if mark == b'\n' || (view.width(next) < 2 && !plus && !view.token(next + 1).glued()) {
                    return Some(written);
                }
            }
            written.marks[written.len - 1] = mark;
            token = next;
            continue;
        }
        // 1-800-DOCTORS, 555-CARE
        // 103-YEAR-OLD is none.
        let age = view.any(next, Classes::of(&[Class::Duration, Class::AgeCue, Class::Unit]));
        let word = if age { 0 } else { view.width(next) };
        if view.is_word(next)
            && mark != 0
            && view.joined(next)
            && view.case(next) == Case::Upper
            && written.sizes[written.len - 1] == 3
            && written.len <= 2
            && (4..=8).contains(&word)
        {
            written.letters = word == 4 || word >= 6;
            written.last = next + 1;
            written.total += word;
        }
        return Some(written);
    }
}

/// The first token: the bracket, the plus and the country code before the number.
fn opening(view: &View<'_>, at: usize, plus: bool) -> usize {
    let mut first = at;
    if plus {
        first -= 1;
    }
    if first > 0 && view.is_any_mark(first - 1, b"([") && view.joined(first) {
        first -= 1;
    }
    first
}

/// Whether the digits are a code announced by name.
fn before_is_code(view: &View<'_>, first: usize) -> bool {
    (1..=3.min(first)).any(|back| {
        view.is(first - back, Class::CodeSystem) && view.same_line(first + 1 - back) && view.width(first - back) > 2
    })
}

/// Takes in the extension behind a number: x123, ext. 4567.
fn extension(view: &View<'_>, last: usize) -> usize {
    let mut at = last;
    if view.is_any_mark(at, b",;") && view.same_line(at) {
        at += 1;
    }
    if !view.is_word(at)
        || !view.same_line(at)
        || !(says!(view, at, "x" | "extn" | "extension" | "xt")
            || view.width(at) > 1 && is_near(view.bytes(at), b"ext"))
    {
        return last;
    }
    at += 1;
    while view.is_any_mark(at, b".:#") && view.same_line(at) {
        at += 1;
    }
    if view.is_number(at) && view.same_line(at) && view.width(at) <= 6 {
        // ext. 5, line end, 61
        let rest = view.width(at) < 3 && view.gap(at + 1) == Gap::Line && view.width(at + 1) <= 3;
        if rest && view.whole(at + 1).is_some() {
            return at + 2;
        }
        let dash = view.is_mark(at + 1, b'-') && view.joined(at + 1) && view.is_number(at + 2) && view.joined(at + 2);
        return if dash { at + 3 } else { at + 1 };
    }
    last
}

/// What a keyword announces, and the fewest digits that its number has.
fn announced(view: &View<'_>, at: usize) -> (Kind, usize) {
    if says!(view, at, "fax" | "facsimile" | "f") {
        return (Kind::Fax, 7);
    }
    if says!(view, at, "pager" | "beeper" | "beep" | "pagers" | "ascom" | "vocera" | "spectralink") {
        return (Kind::Pager, 3);
    }
    if says!(view, at, "page" | "paged") {
        return (Kind::Pager, 4);
    }
    if says!(view, at, "ext" | "extension" | "extn") {
        return (Kind::Phone, 2);
    }
    if says!(view, at, "x" | "phone" | "phones" | "tel" | "telephone" | "ph" | "tele") {
        return (Kind::Phone, 4);
    }
    if says!(
        view,
        at,
        "call"
            | "reach"
            | "reached"
            | "reachable"
            | "dial"
            | "number"
            | "line"
            | "home"
            | "office"
            | "work"
            | "contact"
            | "text"
            | "direct"
            | "mobile"
            | "cell"
    ) {
        return (Kind::Phone, 5);
    }
    (Kind::Phone, 6)
}

/// Finds the number behind a keyword: pager 12345, tel: 555 0123, ext. 4567, x4-5678.
pub(super) fn find_keyword(view: &View<'_>, at: usize, findings: &mut Findings) {
    let mut next = at + 1;
    let mut marked = false;
    for _ in 0..6 {
        if !(view.follows(next) || view.same_line(next)) {
            return;
        }
        if view.is_any_mark(next, b":#.(-+=/*)[") {
            marked = true;
        } else if !(view.is_word(next) && passes(view, next)) {
            break;
        }
        next += 1;
    }
    if !view.is_number(next) || !(view.follows(next) || view.same_line(next)) {
        return;
    }
    if says!(view, at, "x") {
        dialled(view, at, next, findings);
        return;
    }
    // A letter or a common word is a keyword only with its mark.
    if view.width(at) == 1 && !marked {
        return;
    }
    let (kind, fewest) = announced(view, at);
    let (plus, square) = (view.is_mark(next - 1, b'+'), view.is_mark(next - 1, b'['));
    let Some(found) = read(view, next, plus, square) else { return };
    let decimal = found.len == 2 && found.marks[0] == b'.' && found.total < 7;
    let clock = found.marks[..found.len.saturating_sub(1)].contains(&b':');
    let date = found.marks[0] == b'/' && found.total <= 8;
    let unit = view.is_word(found.last)
        && view.same_line(found.last)
        && view.is(found.last, Class::Unit)
        && !view.is(found.last, Class::Stop);
    // pH 7.38/42/96 is a blood gas.
    let gas = says!(view, at, "ph") && found.marks[0] == b'.' && found.first_value <= 14 && found.total < 10;
    if gas || found.total < fewest || decimal || clock || date || (unit && found.total < 7) {
        return;
    }
    let first = opening(view, next, view.is_mark(next - 1, b'+'));
    findings.remove(
        first,
        extension(view, found.last),
        kind,
        if found.total >= 7 { Certainty::Sure } else { Certainty::Likely },
    );
}

/// Words between a keyword and its number: phone number is, pager #, cell (mobile).
#[rustfmt::skip]
pub(super) const PASSING: &[&str] = &[
    "no", "number", "is", "at", "to", "num", "nr", "via", "on", "her", "his", "me", "us", "him", "was", "phone", "or", "the", "id",
    "them", "team",
];

fn passes(view: &View<'_>, at: usize) -> bool {
    view.is(at, Class::PhoneKeyword) || PASSING.contains(&view.word(at))
}

/// x4-5678 and x45678, not x 3 days and 3 x 4 cm.
fn dialled(view: &View<'_>, at: usize, next: usize, findings: &mut Findings) {
    if next != at + 1 || !view.same_line(next) || (at > 0 && view.is_number(at - 1) && view.token(at).glued()) {
        return;
    }
    let groups = Groups::read(view, next);
    let dash = groups.len() >= 2
        && groups.mark(0) == b'-'
        && !groups.spaced(0)
        && groups.digits(0) <= 2
        && groups.digits(1) == 4;
    let last = if dash { groups.end(1) } else { groups.end(0) };
    let plain = (4..=6).contains(&groups.digits(0)) && groups.closed(0) && view.joined(next);
    let unit = view.is_word(last)
        && view.same_line(last)
        && view.any(last, Classes::of(&[Class::Unit, Class::Duration]))
        && !view.is(last, Class::Stop);
    if (dash || plain) && !unit {
        findings.remove(at, last, Kind::Phone, Certainty::Likely);
    }
}
