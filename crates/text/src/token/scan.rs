//! Scans a folded text one token at a time: the kind and the end of the token at a byte.

use wide::{CmpGt, CmpLt, i8x16};

use super::{Gap, Kind};

/// The class of a byte of the folded text, by the token that it begins.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum ByteClass {
    Punct,
    Letter,
    Digit,
    Space,
    LineEnd,
    Control,
    Wide,
}

/// The class of each byte.
pub(super) const BYTES: [ByteClass; 256] = {
    let mut table = [ByteClass::Wide; 256];
    let mut at = 0;
    while at < 128 {
        let byte = at as u8;
        table[at] = match byte {
            b'a'..=b'z' | b'A'..=b'Z' => ByteClass::Letter,
            b'0'..=b'9' => ByteClass::Digit,
            b' ' | b'\t' => ByteClass::Space,
            b'\n' | b'\r' | 0x0B | 0x0C => ByteClass::LineEnd,
            0..=0x1F | 0x7F => ByteClass::Control,
            _ => ByteClass::Punct,
        };
        at += 1;
    }
    table
};

/// Returns the white space at `at` and its end; `None` at the end of the text.
#[inline]
pub(super) fn skip_gap(bytes: &[u8], at: usize, first: bool) -> Option<(Gap, usize)> {
    // Nearly every token follows a single blank or no white space.
    if !first && let Some(&[byte, next]) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let is_gap = |byte: u8| matches!(BYTES[byte as usize], ByteClass::Space | ByteClass::LineEnd);
        if !is_gap(byte) {
            return Some((Gap::None, at));
        }
        if byte == b' ' && !is_gap(next) {
            return Some((Gap::Space, at + 1));
        }
    }
    let mut start = at;
    let mut lines = 0;
    while let Some(&byte) = bytes.get(start) {
        match BYTES[byte as usize] {
            ByteClass::Space => {}
            // CR LF is one line break.
            ByteClass::LineEnd => lines += usize::from(byte != b'\r' || bytes.get(start + 1) != Some(&b'\n')),
            _ => {
                let gap = match (lines, start - at) {
                    _ if first => Gap::Paragraph,
                    (0, 0) => Gap::None,
                    (0, 1) if bytes[at] == b' ' => Gap::Space,
                    (0, _) => Gap::Wide,
                    (1, _) => Gap::Line,
                    _ => Gap::Paragraph,
                };
                return Some((gap, start));
            }
        }
        start += 1;
    }
    None
}

/// Returns the kind and the end of the token at `start`.
#[inline]
pub(super) fn scan_token(text: &str, start: usize, gap: Gap) -> (Kind, usize) {
    let bytes = text.as_bytes();
    match BYTES[bytes[start] as usize] {
        ByteClass::Letter => (Kind::Word, scan_word(text, start)),
        ByteClass::Digit => (Kind::Number, scan_number(bytes, start)),
        ByteClass::Wide => {
            let letter = text[start..].chars().next().unwrap_or(' ');
            if letter.is_alphabetic() {
                (Kind::Word, scan_word(text, start))
            } else {
                (Kind::Symbol, start + letter.len_utf8())
            }
        }
        ByteClass::Control => (Kind::Symbol, start + 1),
        ByteClass::Punct | ByteClass::Space | ByteClass::LineEnd => match bytes[start] {
            b'.' if gap > Gap::None && bytes.get(start + 1).is_some_and(u8::is_ascii_digit) => {
                (Kind::Number, scan_number(bytes, start + 1))
            }
            b'\'' if gap == Gap::None && is_possessive(text, start) => (Kind::Possessive, start + 2),
            b'*' => {
                (Kind::Punct, start + bytes[start..].iter().position(|&b| b != b'*').unwrap_or(bytes.len() - start))
            }
            _ => (Kind::Punct, start + 1),
        },
    }
}

/// Returns the end of the letters that begin at `start`.
fn end_of_letters(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    loop {
        at = ascii_letters(bytes, at);
        if at < bytes.len() && BYTES[bytes[at] as usize] == ByteClass::Wide {
            let letter = text[at..].chars().next().unwrap_or(' ');
            if letter.is_alphabetic() {
                at += letter.len_utf8();
                continue;
            }
        }
        return at;
    }
}

/// Returns the end of the ASCII letters that begin at `start`.
pub(super) fn ascii_letters(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    loop {
        // Zeros pad the end of the text and are not letters.
        let (small, capital) = letter_bits_at(bytes, at);
        let len = (!(small | capital)).trailing_zeros();
        if len < 16 {
            return at + len as usize;
        }
        at += 16;
    }
}

/// Returns whether `'s` without a further letter is at `start`.
fn is_possessive(text: &str, start: usize) -> bool {
    text.as_bytes().get(start + 1) == Some(&b's') && end_of_letters(text, start + 1) == start + 2
}

/// Returns the end of the word that begins at `start`.
fn scan_word(text: &str, start: usize) -> usize {
    let mut end = end_of_letters(text, start);
    while text.as_bytes().get(end) == Some(&b'\'') && !is_possessive(text, end) {
        let more = end_of_letters(text, end + 1);
        if more == end + 1 {
            break;
        }
        end = more;
    }
    end
}

fn scan_number(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        let inside = byte.is_ascii_digit()
            || (matches!(byte, b'.' | b',' | b'/' | b':')
                && at > start
                && bytes[at - 1].is_ascii_digit()
                && bytes.get(at + 1).is_some_and(u8::is_ascii_digit));
        if !inside {
            break;
        }
        at += 1;
    }
    at
}

/// Returns which of the sixteen bytes from `at` on are lower-case letters, and which are capitals, as bitmasks.
#[inline]
fn letter_bits_at(bytes: &[u8], at: usize) -> (u32, u32) {
    let sixteen = match bytes.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
        Some(sixteen) => *sixteen,
        None => last_sixteen(bytes, at),
    };
    let sixteen: i8x16 = bytemuck::cast(sixteen);
    let between = |first: u8, last: u8| {
        let from = sixteen.cmp_gt(i8x16::splat(first.cast_signed() - 1));
        (from & sixteen.cmp_lt(i8x16::splat(last.cast_signed() + 1))).move_mask().cast_unsigned()
    };
    (between(b'a', b'z'), between(b'A', b'Z'))
}

#[cold]
fn last_sixteen(bytes: &[u8], at: usize) -> [u8; 16] {
    let mut sixteen = [0; 16];
    let rest = bytes.get(at..).unwrap_or_default();
    let len = rest.len().min(16);
    sixteen[..len].copy_from_slice(&rest[..len]);
    sixteen
}
