//! Groups of digits as notes write them, across tokens, white space and one line break.
//!
//! Dates and telephone numbers are groups of digits with almost any separators: `3/4/06`, `3 / 4 / 06`, `3- 4-06`,
//! `3/4/`, line break, `06`. [`DigitGroups`] parses all of them. It also reads letters that OCR puts in place of digits
//! (`O3/l4/2OO6`), so it works on bytes and not on tokens.

use super::word_sets::{WordSet, word_is, word_set};
use super::{Note, Number};

/// A run of digit groups.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct DigitGroups {
    values: [u64; Self::MAX_GROUPS],
    digits: [u8; Self::MAX_GROUPS],
    marks: [u8; Self::MAX_GROUPS],
    spaced: [bool; Self::MAX_GROUPS],
    ends: [u32; Self::MAX_GROUPS],
    closed: [bool; Self::MAX_GROUPS],
    first: u32,
    len: u8,
    scanned: bool,
    glued: bool,
}

impl DigitGroups {
    /// The maximum number of groups; further ones are not read.
    pub(in crate::rules) const MAX_GROUPS: usize = 8;

    /// Reads the groups from the number token `at` on.
    #[inline]
    pub(in crate::rules) fn read(note: &Note<'_>, at: usize) -> Self {
        let bytes = note.text().as_bytes();
        let mut first = at;
        if note.token(at).glued() && at > 0 && note.is_word(at - 1) && is_misscanned_digits(note.bytes(at - 1)) {
            first = at - 1;
        }
        let mut groups = Self {
            values: [0; Self::MAX_GROUPS],
            digits: [0; Self::MAX_GROUPS],
            marks: [0; Self::MAX_GROUPS],
            spaced: [false; Self::MAX_GROUPS],
            ends: [0; Self::MAX_GROUPS],
            closed: [false; Self::MAX_GROUPS],
            first: first as u32,
            len: 0,
            scanned: false,
            glued: note.token(first).glued(),
        };
        let mut token = first;
        let mut position = note.token(first).start as usize;
        if first == at
            && let Some(number) = note.number(at)
        {
            position += groups.take_number_parts(number, at);
        }
        while groups.len() < Self::MAX_GROUPS {
            let Some(end) = groups.push(bytes, position) else { break };
            while (note.token(token).end as usize) < end && token + 1 < note.len() {
                token += 1;
            }
            let at = groups.len() - 1;
            groups.ends[at] = token as u32 + 1;
            groups.closed[at] = note.token(token).end as usize == end;
            let (mark, spaced, next) = separator_after(bytes, end);
            if mark == 0 || !is_group_start(bytes, next) {
                break;
            }
            groups.marks[at] = mark;
            groups.spaced[at] = spaced;
            position = next;
        }
        let last = groups.len().saturating_sub(1);
        groups.marks[last] = 0;
        groups
    }

    /// Copies the parts of the first number except its last, which may continue with letters read as digits. Returns
    /// the number of bytes copied, with the separators.
    fn take_number_parts(&mut self, number: &Number, at: usize) -> usize {
        let mut bytes = 0;
        for part in 0..number.len().min(Self::MAX_GROUPS) - 1 {
            let (digits, mark) = (number.digits(part), number.separator(part));
            // Values of more digits are truncated.
            let whole = (1..=9).contains(&digits) && number.digits(part + 1) > 0;
            if !whole || !matches!(mark, b'/' | b'-' | b'.' | b',' | b':') {
                break;
            }
            self.values[part] = number.value(part);
            self.digits[part] = digits as u8;
            self.marks[part] = mark;
            self.ends[part] = at as u32 + 1;
            self.len += 1;
            bytes += digits + 1;
        }
        bytes
    }

    /// Reads one group and returns its end in bytes (exclusive), or `None` if there is no group.
    fn push(&mut self, bytes: &[u8], start: usize) -> Option<usize> {
        let mut end = start;
        let mut value = 0_u64;
        let mut scanned = false;
        while let Some(&byte) = bytes.get(end) {
            let digit = match byte {
                b'0'..=b'9' => byte - b'0',
                b'o' | b'l' | b'i' if is_among_digits(bytes, end, start) => {
                    scanned = true;
                    u8::from(byte != b'o')
                }
                _ => break,
            };
            value = value.saturating_mul(10).saturating_add(u64::from(digit));
            end += 1;
        }
        if end == start {
            return None;
        }
        let at = self.len();
        self.values[at] = value;
        self.digits[at] = (end - start).min(255) as u8;
        self.len += 1;
        self.scanned |= scanned;
        Some(end)
    }

    /// Returns the number of groups.
    pub(in crate::rules) const fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns the value of a group; 0 beyond the last one.
    pub(in crate::rules) const fn value(&self, at: usize) -> u64 {
        if at < Self::MAX_GROUPS { self.values[at] } else { 0 }
    }

    /// Returns the number of digits of a group; 0 beyond the last one.
    pub(in crate::rules) const fn digit_count(&self, at: usize) -> usize {
        if at < Self::MAX_GROUPS { self.digits[at] as usize } else { 0 }
    }

    /// Returns the separator after a group: a mark, a blank or a line break; 0 after the last group.
    pub(in crate::rules) const fn mark_after(&self, at: usize) -> u8 {
        if at < Self::MAX_GROUPS { self.marks[at] } else { 0 }
    }

    /// Returns whether there is white space around the separator after a group.
    pub(in crate::rules) const fn has_space_after(&self, at: usize) -> bool {
        at < Self::MAX_GROUPS && self.spaced[at]
    }

    /// Returns the end (exclusive) of the token in which a group ends.
    pub(in crate::rules) const fn end_of_group(&self, at: usize) -> usize {
        if at < Self::MAX_GROUPS { self.ends[at] as usize } else { 0 }
    }

    /// Returns whether the group ends at a token boundary.
    pub(in crate::rules) const fn ends_token(&self, at: usize) -> bool {
        at < Self::MAX_GROUPS && self.closed[at]
    }

    /// Returns the index of the first token.
    pub(in crate::rules) const fn first(&self) -> usize {
        self.first as usize
    }

    /// Returns whether letters were read as digits.
    pub(in crate::rules) const fn is_misscanned(&self) -> bool {
        self.scanned
    }

    /// Returns whether a letter stands directly before the first digit.
    pub(in crate::rules) const fn is_glued(&self) -> bool {
        self.glued
    }
}

/// The digits one to nine, in words.
pub(in crate::rules) static DIGITS: WordSet = word_set!("engine-digits-said");

/// Returns whether the word is a spoken digit: `two two eight`.
pub(in crate::rules) fn is_spoken_digit(note: &Note<'_>, at: usize) -> bool {
    DIGITS.has(note, at) || word_is!(note, at, "zero")
}

/// Reads a number with letters glued to it that OCR confuses with digits: `2O`, `l5`, `77l`. Returns the intended
/// number and the end of its tokens (exclusive); `None` if there is no such letter, or any other letter.
#[inline]
pub(in crate::rules) fn read_misscanned_number(note: &Note<'_>, first: usize) -> Option<(Number, usize)> {
    let next = first + 1;
    // Fast path: usually nothing is glued to a number, or a unit is.
    let glued = note.token(next).glued() && (note.is_number(next) || is_misscanned_digits(note.bytes(next)));
    if glued { parse_misscanned_number(note, first) } else { None }
}

#[inline(never)]
fn parse_misscanned_number(note: &Note<'_>, first: usize) -> Option<(Number, usize)> {
    let mut bytes = [0_u8; 12];
    let mut len = 0;
    let mut at = first;
    let (mut letters, mut figures) = (false, false);
    while at < first + 5 && (at == first || note.token(at).glued()) {
        let word = note.bytes(at);
        let look_alike = note.is_word(at) && is_misscanned_digits(word);
        if !(look_alike || note.is_number(at)) || len + word.len() > bytes.len() {
            return None;
        }
        letters |= look_alike;
        figures |= note.is_number(at);
        for &byte in word {
            bytes[len] = match byte {
                b'o' => b'0',
                b'l' | b'i' => b'1',
                _ => byte,
            };
            len += 1;
        }
        at += 1;
    }
    (letters && figures && !note.token(at).glued()).then(|| (Number::parse(&bytes[..len]), at))
}

/// Returns the number that [`read_misscanned_number`] reads and that ends with the token `last`, with its first token.
pub(in crate::rules) fn start_of_misscanned_before(note: &Note<'_>, last: usize) -> Option<(Number, usize)> {
    let mut first = last;
    while first > 0 && last - first < 4 && note.token(first).glued() {
        first -= 1;
    }
    read_misscanned_number(note, first).filter(|&(_, end)| end == last + 1).map(|(number, _)| (number, first))
}

/// Returns whether a word consists of letters that OCR confuses with digits.
pub(in crate::rules) fn is_misscanned_digits(word: &[u8]) -> bool {
    word.len() <= 3 && word.iter().all(|byte| matches!(byte, b'o' | b'l' | b'i'))
}

/// Returns whether the letter at `at` is among digits: its run touches a digit on one side and no other letter.
fn is_among_digits(bytes: &[u8], at: usize, start: usize) -> bool {
    let letter = |byte: Option<&u8>| byte.is_some_and(|&byte| byte.is_ascii_alphabetic() || byte >= 0x80);
    let look_alike = |byte: Option<&u8>| byte.is_some_and(|byte| matches!(byte, b'o' | b'l' | b'i'));
    let mut end = at;
    while end < at + 3 && look_alike(bytes.get(end)) {
        end += 1;
    }
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let between_marks = at == start
        && end == at + 1
        && start > 0
        && matches!(bytes[start - 1], b'/' | b'-')
        && matches!(bytes.get(end), Some(b'/' | b'-'));
    !letter(bytes.get(end)) && (digit(bytes.get(end)) || (at > start && digit(bytes.get(at - 1))) || between_marks)
}

/// Returns whether a group begins here.
fn is_group_start(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        Some(b'0'..=b'9') => true,
        Some(b'o' | b'l' | b'i') => is_among_digits(bytes, at, at),
        _ => false,
    }
}

/// Reads the separator after a group. Returns the mark (a blank or a line break if there is no other), whether white
/// space surrounds it, and the start of the next group. A mark of 0 means that the groups end here.
fn separator_after(bytes: &[u8], start: usize) -> (u8, bool, usize) {
    let (line_before, mut at) = skip_blanks(bytes, start);
    let mut mark = match (at > start, line_before) {
        (true, false) => b' ',
        (true, true) => b'\n',
        _ => 0,
    };
    let mut spaced = at > start;
    if let Some(&byte) = bytes.get(at).filter(|byte| matches!(byte, b'/' | b'-' | b'.' | b',' | b':')) {
        mark = byte;
        let (line, end) = skip_blanks(bytes, at + 1);
        // `1997.`, line break, `11. Rash`: the next line begins with an item number.
        if line && byte == b'.' {
            let digits = bytes[end..].iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
            if digits < 3 && matches!(bytes.get(end + digits..end + digits + 2), Some(b". " | b") ")) {
                return (0, spaced, at);
            }
        }
        spaced |= end > at + 1;
        at = end;
    }
    (mark, spaced, at)
}

/// Skips at most three white-space bytes with at most one line break. Returns whether there was a line break, and the
/// end.
fn skip_blanks(bytes: &[u8], start: usize) -> (bool, usize) {
    let mut at = start;
    let mut line = false;
    while let Some(&byte) = bytes.get(at).filter(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) {
        if at - start == 3 || (byte == b'\n' && line) {
            return (line, start);
        }
        line |= byte == b'\n';
        at += 1;
    }
    (line, at)
}
