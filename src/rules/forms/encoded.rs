//! Encoded characters, and markup inside a word: `R&#111;se`, `%52ose`, `=52=6F`, `\'e9`, `R**o**se`.
//!
//! Everything joined to such a form is removed: nothing vouches for the decoded text.

use super::insertion::{self, TAGS};
use super::markup::{divides_words, joins_to_name};
use crate::rules::engine::names::NAMES;
use crate::rules::engine::word_sets::{WordSet, word_is, word_list, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::{self, Gap};
use crate::vocabulary::{Class, Classes};

/// The maximum depth of nested escapes.
const MAX_NESTING: usize = 8;

/// The maximum number of joined tokens to remove on each side of a form; a further form extends them.
const MAX_TOKENS_PER_SIDE: usize = 32;

/// The first marks of such forms.
pub(in crate::rules) const MARKS: &[u8] = b"&%=\\*~`<{[(/";

/// Names of character entities other than accented letters.
static NAMED: WordSet = word_set!("forms-encoded-named");

/// Names of entities for blanks, punctuation and line breaks.
pub(super) static LAYOUT: WordSet = word_set!("forms-encoded-layout");

/// Endings of the names of accented letters.
static ACCENTS: &[&str] = word_list!("forms-encoded-accents");

/// RTF control words inside text.
static CONTROLS: WordSet = word_set!("forms-encoded-controls");

/// RTF control words that begin a document, and others that may be joined to words.
static HEAD: WordSet = word_set!("forms-encoded-head");

/// Returns whether an RTF control word follows the backslash, so that the joined text is not a path.
pub(super) fn is_rtf_control_word(note: &Note<'_>, at: usize) -> bool {
    let word = at + 1;
    let rtf = note.text().trim_start().starts_with("{\\rtf");
    rtf && note.joined(word) && (HEAD.has(note, word) || LINES.has(note, word) || CONTROLS.has(note, word))
}

/// Finds a form at its first mark.
pub(in crate::rules) fn find_encoded_characters(note: &Note<'_>, at: usize, findings: &mut Findings) {
    // Three or more asterisks are a placeholder of an earlier scrub.
    let written = note.token(at).kind == token::Kind::Punct && note.width(at) <= 2;
    let Some(&mark) = note.bytes(at).first().filter(|_| written) else { return };
    let found = match mark {
        b'&' => is_hiding_entity(note, at),
        b'%' => is_percent_encoded(bytes_after_mark(note, at)),
        b'=' => is_quoted_printable(note, at),
        b'*' | b'~' | b'`' => is_mark_run_inside_word(note, at, mark),
        b'<' => is_tag_inside(note, at),
        b'\\' => is_character_escape(bytes_after_mark(note, at)),
        _ => false,
    };
    if mark == b'&'
        && !found
        && let Some(end) = end_of_layout_entity(note, at)
    {
        findings.keep(at + 1, end, Certainty::Sure);
        return;
    }
    if mark == b'['
        && let Some(end) = end_of_bracketed_letter(note, at)
    {
        findings.remove(at, end, Kind::Name, Certainty::Sure);
        return;
    }
    let inside =
        if matches!(mark, b'<' | b'{' | b'[' | b'(' | b'/') { insertion::end_of_insertion(note, at) } else { None };
    if let Some(end) = inside.filter(|&end| !breaks_line(note, at, end) || joins_to_name(note, at - 1, end)) {
        remove_with_joined_tokens(note, at - 1, end, findings);
    } else if found {
        remove_with_joined_tokens(note, at, at + 1, findings);
    } else if mark == b'=' {
        remove_soft_line_break(note, at, findings);
    } else if mark == b'\\' {
        remove_word_at_control_word(note, at, findings);
    }
}

/// Returns whether one of the tags `first..last` ends a line and so separates two words: `pain<br/>relief`,
/// `Rose</b><br>Seen`.
fn breaks_line(note: &Note<'_>, first: usize, last: usize) -> bool {
    (first..last).any(|at| {
        let element = at + 1 + usize::from(note.is_mark(at + 1, b'/'));
        note.is_mark(at, b'<') && LINES.has(note, element)
    })
}

/// HTML elements and RTF control words that end a line or a cell.
static LINES: WordSet = word_set!("forms-encoded-lines");

/// Returns the bytes after a mark.
fn bytes_after_mark<'a>(note: &Note<'a>, at: usize) -> &'a [u8] {
    note.text().as_bytes().get(note.token(at).end as usize..).unwrap_or_default()
}

/// Removes the tokens `first..last` and everything joined to them.
fn remove_with_joined_tokens(note: &Note<'_>, first: usize, last: usize, findings: &mut Findings) {
    let start = (first.saturating_sub(MAX_TOKENS_PER_SIDE)..=first).rev().find(|&at| at == 0 || !note.joined(at));
    let end = (last..last + MAX_TOKENS_PER_SIDE).find(|&at| at >= note.len() || !note.joined(at));
    let start = start.unwrap_or(first.saturating_sub(MAX_TOKENS_PER_SIDE));
    findings.remove(start, end.unwrap_or(last + MAX_TOKENS_PER_SIDE), Kind::OtherId, Certainty::Sure);
}

/// Skips repeated escapes of the mark itself: `&amp;amp;#82;` is `&#82;` escaped twice.
fn skip_nested_escapes<'a>(mut bytes: &'a [u8], nested: &[u8]) -> &'a [u8] {
    for _ in 0..MAX_NESTING {
        let Some(rest) = bytes.strip_prefix(nested) else { break };
        bytes = rest;
    }
    bytes
}

/// Returns whether it is a character entity that hides text: `&#111;`, `&#x6F;`, `&eacute;`.
fn is_hiding_entity(note: &Note<'_>, at: usize) -> bool {
    let bytes = bytes_after_mark(note, at);
    let nested = skip_nested_escapes(bytes, b"amp;");
    if nested.len() < bytes.len() && (nested.starts_with(b"#") || is_name_of_character(nested)) {
        return true;
    }
    if let Some(character) = character_of_number(bytes) {
        return character.is_none_or(char::is_alphanumeric) || is_between_numbers(note, at);
    }
    let named = note.is_word(at + 1) && note.joined(at + 1) && note.is_mark(at + 2, b';') && note.joined(at + 2);
    let word = note.bytes(at + 1);
    if !named {
        return false;
    }
    let before = at > 0 && note.joined(at) && is_word_number_or_entity(note, at - 1);
    let behind = note.joined(at + 3) && is_word_number_or_entity(note, at + 3);
    // Entities other than letters hide text only between two joined parts: `pain.&nbsp;` and `BP&nbsp;128/72` hide
    // nothing.
    let hidden = if LAYOUT.has(note, at + 1) {
        is_between_numbers(note, at) || divides_one_name(note, at)
    } else {
        NAMED.has(note, at + 1)
    };
    before && behind && hidden
        || (before || behind) && ACCENTS.iter().any(|end| word.len() <= end.len() + 1 && word.ends_with(end.as_bytes()))
}

/// Returns the character of `#111;` or `#x6f;`, without the `&`: `None` if there is no number, `Some(None)` if no
/// character has the number.
#[allow(clippy::option_option, reason = "a number that stands for no character is something else than no number")]
fn character_of_number(bytes: &[u8]) -> Option<Option<char>> {
    let code = bytes.strip_prefix(b"#")?;
    let (code, radix) = code.strip_prefix(b"x").map_or((code, 10), |code| (code, 16));
    let digits = code.iter().take(8).map_while(|&byte| char::from(byte).to_digit(radix));
    let (count, value) =
        digits.fold((0, 0_u32), |(count, value), digit| (count + 1, value.saturating_mul(radix).saturating_add(digit)));
    (count > 0).then(|| char::from_u32(value))
}

/// Returns the end (exclusive) of a layout entity that hides nothing: `&nbsp;`, `&#10;`.
fn end_of_layout_entity(note: &Note<'_>, at: usize) -> Option<usize> {
    let hash = usize::from(note.is_mark(at + 1, b'#'));
    let name = at + 1 + hash;
    let end = (name + 1..name + 4).find(|&end| !note.token(end).glued())?;
    let named =
        if hash == 1 { character_of_number(bytes_after_mark(note, at)).is_some() } else { LAYOUT.has(note, name) };
    (named && note.joined(name) && note.is_mark(end, b';') && note.joined(end)).then_some(end)
}

/// Returns whether there are digits on both sides: `123&nbsp;45&nbsp;6789` is one number.
fn is_between_numbers(note: &Note<'_>, at: usize) -> bool {
    let end = (at + 1..at + 6).find(|&end| note.is_mark(end, b';'));
    at > 0
        && note.joined(at)
        && note.is_number(at - 1)
        && end.is_some_and(|end| note.joined(end + 1) && note.is_number(end + 1))
}

/// Returns whether the words on both sides join to a name: `Ro&nbsp;se`.
fn divides_one_name(note: &Note<'_>, at: usize) -> bool {
    let end = (at + 1..at + 6).find(|&end| note.is_mark(end, b';'));
    let both = at > 0 && note.joined(at) && note.is_word(at - 1);
    both && end.is_some_and(|end| note.joined(end + 1) && note.is_word(end + 1) && joins_to_name(note, at - 1, end + 1))
}

/// Returns the end (exclusive) of a name with its first letter in brackets, `[R]ose`; `[S]he` is a quotation.
fn end_of_bracketed_letter(note: &Note<'_>, at: usize) -> Option<usize> {
    let (letter, rest) = (at + 1, at + 3);
    let written = note.is_word(letter)
        && note.width(letter) == 1
        && note.is_mark(at + 2, b']')
        && note.is_word(rest)
        && (letter..=rest).all(|part| note.joined(part));
    let mut buffer = [0; 24];
    let joined = buffer.get_mut(..=note.width(rest)).filter(|_| written)?;
    joined[0] = note.bytes(letter)[0];
    joined[1..].copy_from_slice(note.bytes(rest));
    let classes = note.classes_of(std::str::from_utf8(joined).ok()?);
    (classes.any(NAMES) && !classes.has(Class::Stop)).then_some(rest + 1)
}

/// Returns whether the bytes are the name of a character: `eacute;`, `nbsp;`.
fn is_name_of_character(bytes: &[u8]) -> bool {
    let name = bytes.iter().take(12).position(|&byte| byte == b';').map_or(&[][..], |end| &bytes[..end]);
    let accent = ACCENTS.iter().any(|end| name.len() <= end.len() + 1 && name.ends_with(end.as_bytes()));
    accent || NAMED.words().iter().any(|word| word.as_bytes() == name)
}

fn is_word_number_or_entity(note: &Note<'_>, at: usize) -> bool {
    note.is_word(at) || note.is_number(at) || note.is_mark(at, b'&')
}

fn hexadecimal_byte(bytes: &[u8]) -> Option<u8> {
    let digit = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    Some((16 * digit(0)? + digit(1)?) as u8)
}

/// Returns whether it is a percent-encoded printable character, or two bytes of a multi-byte one: `%52`, `%C3%A9`.
fn is_percent_encoded(bytes: &[u8]) -> bool {
    match hexadecimal_byte(bytes) {
        Some(0x20..=0x7E) => true,
        Some(0xC2..=0xF4) => bytes.get(2) == Some(&b'%') && hexadecimal_byte(&bytes[3..]).is_some(),
        _ => false,
    }
}

/// Returns whether it is quoted-printable text, not the value of a test: `=52=6F`, `=C3=A9`, `R=6Fse`, `Ros=65`.
fn is_quoted_printable(note: &Note<'_>, at: usize) -> bool {
    let written = bytes_after_mark(note, at);
    let bytes = skip_nested_escapes(written, b"3d");
    let Some(code) = hexadecimal_byte(bytes) else { return false };
    if bytes.len() < written.len() && (0x20..=0x7E).contains(&code) {
        return true;
    }
    let again = bytes.get(2) == Some(&b'=') && hexadecimal_byte(&bytes[3..]).is_some();
    if again {
        return true;
    }
    let word = at > 0 && note.joined(at) && note.is_word(at - 1);
    if !word || !code.is_ascii_alphabetic() || note.any(at - 1, Classes::of(&[Class::Measurement, Class::Score])) {
        return false;
    }
    let goes_on = bytes.get(2).is_some_and(u8::is_ascii_alphabetic);
    let mut buffer = [0; 16];
    let before = note.bytes(at - 1);
    let joined = buffer.get_mut(..=before.len()).is_some_and(|joined| {
        joined[..before.len()].copy_from_slice(before);
        joined[before.len()] = code.to_ascii_lowercase();
        std::str::from_utf8(joined).is_ok_and(|joined| note.classes_of(joined).any(NAMES))
    });
    goes_on || joined
}

/// Removes a word broken by `=` and a line break.
fn remove_soft_line_break(note: &Note<'_>, at: usize, findings: &mut Findings) {
    let broken =
        at > 0 && note.joined(at) && note.is_word(at - 1) && note.gap(at + 1) == Gap::Line && note.is_word(at + 1);
    if broken && !note.capitalised(at + 1) {
        remove_with_joined_tokens(note, at - 1, at + 2, findings);
    }
}

/// Returns whether a markup mark stands inside a word: `R**o**se`, `Ro~~se`.
fn is_mark_run_inside_word(note: &Note<'_>, at: usize, mark: u8) -> bool {
    let behind = (at + 1..at + 4).find(|&at| !note.is_mark(at, mark) || !note.joined(at)).unwrap_or(at + 1);
    let inside = at > 0 && note.joined(at) && note.is_word(at - 1) && note.joined(behind) && note.is_word(behind);
    // An apostrophe: `pt`s`, `O`Brien`.
    inside
        && !divides_words(note, at - 1, behind)
        && !(mark == b'`' && (note.width(at - 1) == 1 || word_is!(note, behind, "s" | "t" | "d" | "ll" | "re" | "ve")))
}

/// Returns whether a tag stands inside a word: `R<b>o</b>se`.
fn is_tag_inside(note: &Note<'_>, at: usize) -> bool {
    let closing = usize::from(note.is_mark(at + 1, b'/'));
    let tag = at + 1 + closing;
    let end = tag + 1;
    let written =
        note.joined(at + 1) && TAGS.has(note, tag) && note.joined(tag) && note.is_mark(end, b'>') && note.joined(end);
    // Text between tags is plain text: `<i>asthma</i>.`
    let inside = at > 0 && note.joined(at) && note.is_word(at - 1) && note.joined(end + 1) && note.is_word(end + 1);
    written && inside && (!breaks_line(note, at, end) || joins_to_name(note, at - 1, end + 1))
}

/// Returns whether the bytes are a character escape: `\'e9`, `\x52`, `\u0052`, `\u233?`.
fn is_character_escape(bytes: &[u8]) -> bool {
    match bytes {
        [b'\'' | b'x', code @ ..] => hexadecimal_byte(code).is_some(),
        [b'u', code @ ..] => code.len() >= 2 && code[..2].iter().all(u8::is_ascii_hexdigit) && code[0].is_ascii_digit(),
        _ => false,
    }
}

/// Removes a word with an RTF control word inside: `Ro\b se`, `{\b R}ose`.
fn remove_word_at_control_word(note: &Note<'_>, at: usize, findings: &mut Findings) {
    if !CONTROLS.has(note, at + 1) || !note.joined(at + 1) {
        return;
    }
    let mut end = at + 2;
    while note.joined(end) && (note.token(end).glued() || note.is_number(end)) {
        end += 1;
    }
    let is_part = |at: usize| note.is_word(at) || note.is_any_mark(at, b"{}\\");
    // `\ansi\b Diagnosis`: one control word after another.
    let control = at > 1 && note.is_mark(at - 2, b'\\');
    let before = at > 0 && note.joined(at) && is_part(at - 1) && !control;
    let behind = end + usize::from(note.is_word(end) && note.gap(end) == Gap::Space);
    let ends_line = note.is_mark(behind, b'\\') && LINES.has(note, behind + 1);
    let inside = note.joined(behind)
        && !ends_line
        && matches!(note.token(behind).kind, token::Kind::Punct)
        && note.is_any_mark(behind, b"{}\\")
        || before && at > 0 && note.is_word(at - 1);
    // `Cellulitis\par Treated`
    let divided = LINES.has(note, at + 1) && at > 0 && note.is_word(at - 1) && !joins_to_name(note, at - 1, behind);
    if inside && !divided {
        remove_with_joined_tokens(note, at, behind, findings);
    }
}
