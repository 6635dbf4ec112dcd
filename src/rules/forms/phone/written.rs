//! The digit groups of written telephone numbers.

use crate::rules::engine::digits::{is_misscanned_digits, read_misscanned_number};
use crate::rules::engine::{Note, Number};
use crate::rules::forms::date::may_be_year;
use crate::text::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// A parsed number: the sizes of its first groups and the marks between them.
pub(super) struct Written {
    pub sizes: [u8; 8],
    pub marks: [u8; 8],
    pub len: usize,
    pub total: usize,
    pub last: usize,
    pub first_value: u64,
    pub letters: bool,
    pub scanned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PhoneShape {
    /// Ten digits with or without a 1 before them, in the American grouping.
    Full,
    /// Seven digits, 3 and 4, with a hyphen between them.
    Local,
    /// `4-5678`: an extension of a hospital.
    Extension,
    /// Groups with a leading zero, or 9 to 13 digits in at least two hyphenated groups.
    International,
    /// Eight or more digits in groups, which may also be a row of values.
    Groups,
    /// Anything else, including digits without marks.
    Other,
}

impl Written {
    /// Adds the parts of a number; returns whether there was room for them.
    fn add_groups(&mut self, number: &Number) -> bool {
        for part in 0..number.len() {
            if self.len == self.sizes.len() {
                return false;
            }
            self.sizes[self.len] = number.digits(part).min(255) as u8;
            self.marks[self.len] = number.separator(part);
            self.total += number.digits(part);
            self.len += 1;
        }
        true
    }

    /// Adds a dialled word: `1-800-DOCTORS`, `555-CARE`; not `103-YEAR-OLD`.
    fn add_word_if_dialled(&mut self, note: &Note<'_>, at: usize, mark: u8) {
        let word = note.width(at);
        let dialled = note.is_word(at)
            && mark != 0
            && note.joined(at)
            && note.case(at) == Case::Upper
            && self.sizes[self.len - 1] == 3
            && self.len <= 2
            && (4..=8).contains(&word)
            && !note.any(at, Classes::of(&[Class::Duration, Class::AgeCue, Class::Unit]));
        if dialled {
            self.letters = word != 5;
            self.last = at + 1;
            self.total += word;
        }
    }

    pub(super) fn shape(&self) -> PhoneShape {
        let sizes = &self.sizes[..self.len];
        let marks = &self.marks[..self.len.saturating_sub(1)];
        let even = |mark: u8| matches!(mark, b'-' | b'.' | b' ' | b'/' | b')');
        if !marks.iter().all(|&mark| even(mark)) {
            return PhoneShape::Other;
        }
        if self.letters {
            return PhoneShape::Full;
        }
        match sizes {
            [3, 3, 4] | [3, 7] => PhoneShape::Full,
            // `(693) 693-1749.2`
            [3, 3, 4, _] if marks[2] == b'.' => PhoneShape::Full,
            [1, 3, 3, 4] | [1, 10] | [1, 3, 7] if self.first_value == 1 => PhoneShape::Full,
            [3, 4] if marks[0] == b'-' => PhoneShape::Local,
            // `555-0123/59 mg`: the part after the slash does not matter.
            [3, 4, _] if marks == [b'-', b'/'] => PhoneShape::Local,
            [1, 4] if marks[0] == b'-' => PhoneShape::Extension,
            [_] => PhoneShape::Other,
            _ => {
                let hyphens = marks.iter().all(|&mark| mark == b'-');
                let zero = self.sizes[0] >= 2 && self.first_value < 10_u64.pow(u32::from(self.sizes[0]) - 1);
                let small = sizes[1..].iter().all(|&size| size >= 2);
                let year =
                    sizes[0] == 4 && may_be_year(self.first_value, 4) && sizes[1..].iter().all(|&size| size <= 2);
                // `09/14/23 0645`: a date and a time.
                let stamp = sizes.len() == 4 && marks[0] == b'/' && marks[1] == b'/' && sizes[3] == 4;
                let dates = stamp || year || sizes == [2, 2, 4] || sizes == [3, 2, 4] || sizes == [5, 4];
                if (zero && small && (8..=15).contains(&self.total) && !dates)
                    || (hyphens && small && (9..=13).contains(&self.total) && !dates)
                {
                    PhoneShape::International
                } else if small && sizes[0] >= 2 && (8..=15).contains(&self.total) && sizes.len() > 1 && !dates {
                    PhoneShape::Groups
                } else {
                    PhoneShape::Other
                }
            }
        }
    }
}

/// Returns the mark between a group that ends before `end` and the next, with `)` for every bracket and 0 for none, and
/// the position of the next group.
#[inline]
fn mark_between(note: &Note<'_>, end: usize, square: bool) -> (u8, usize) {
    let (mut mark, mut next) = (0, end);
    while next < end + 3
        && note.follows(next)
        && (note.is_any_mark(next, b"-./)(") || square && note.is_mark(next, b']'))
    {
        mark = if note.is_any_mark(next, b"(]") { b')' } else { note.token(next).mark() };
        next += 1;
    }
    (mark, next)
}

/// Reads the groups of a number, including parentheses: `617) 555-0123` as well as `617-555-0123` and
/// `1 (617) 555 0123`. `square`: the number is in square brackets, which only counts after a keyword.
pub(super) fn read_phone_groups(note: &Note<'_>, at: usize, plus: bool, square: bool) -> Option<Written> {
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
        let read_wrong = read_misscanned_number(note, token);
        written.scanned |= read_wrong.is_some();
        let (number, end) = match &read_wrong {
            Some((number, end)) => (number, *end),
            None => (note.number(token)?, token + 1),
        };
        if written.len == 0 {
            written.first_value = number.value(0);
        }
        written.last = end;
        if !written.add_groups(number) {
            return Some(written);
        }
        if number.len() > 5 {
            return None;
        }
        let (mut mark, next) = mark_between(note, end, square);
        if !note.follows(next) || written.total > 15 {
            return Some(written);
        }
        let digits = note.is_number(next)
            || is_misscanned_digits(note.bytes(next)) && read_misscanned_number(note, next).is_some();
        if digits && note.width(next) <= 12 {
            if mark == 0 {
                mark = match note.gap(next) {
                    Gap::Space => b' ',
                    Gap::Line => b'\n',
                    _ => return Some(written),
                };
                // Across a line break a number needs a mark; a blank joins only groups of at least two digits.
                if mark == b'\n' || (note.width(next) < 2 && !plus && !note.token(next + 1).glued()) {
                    return Some(written);
                }
            }
            written.marks[written.len - 1] = mark;
            token = next;
            continue;
        }
        written.add_word_if_dialled(note, next, mark);
        return Some(written);
    }
}
