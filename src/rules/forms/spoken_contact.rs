//! Addresses and handles in words, and network handles: `rose dot brown at gmail dot com`,
//! `rose.brown AT gmail DOT com`, `u/rosebrown`, `Facebook: rose.brown.77`.

use crate::rules::engine::names::{NAMES, name_log_odds};
use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Case;
use crate::vocabulary::{Class, Classes};

/// Words for the marks of an address: `dot`, `underscore`.
static JOINTS: WordSet = word_set!("forms-contact-joints");

/// Networks and services where people have handles.
static PLATFORMS: WordSet = word_set!("forms-contact-platforms");

/// Lists of words that end or begin a sentence, even if the space after the period is missing.
const COMMON: Classes = Classes::of(&[Class::Stop, Class::PersonVerb, Class::Unit, Class::Dose, Class::Term]);

/// The maximum number of tokens of an address in words.
const MAX_ADDRESS_TOKENS: usize = 24;

/// Finds an address at the end of its domain, or a handle at a mark in it or before it.
pub(in crate::rules) fn find_spoken_contact(note: &Note<'_>, at: usize, findings: &mut Findings) {
    match note.bytes(at) {
        b"/" => {
            if let Some(last) = end_of_forum_name(note, at) {
                findings.remove(at + 1, last, Kind::Handle, Certainty::Sure);
            }
        }
        b":" | b"." => {
            if let Some((first, last)) = platform_handle(note, at).or_else(|| two_name_handle(note, at)) {
                findings.remove(first, last, Kind::Handle, Certainty::Sure);
            }
        }
        _ if JOINTS.has(note, at) => {
            if let Some((first, last)) = spoken_handle_around(note, at) {
                findings.remove(first, last, Kind::Handle, Certainty::Sure);
            }
        }
        _ => {
            if let Some(first) = start_of_spoken_address(note, at) {
                findings.remove(first, at + 1, Kind::Email, Certainty::Sure);
            }
        }
    }
}

/// Returns the first token of an address whose domain ends here: `rose underscore brown at yahoo dot com`.
fn start_of_spoken_address(note: &Note<'_>, at: usize) -> Option<usize> {
    let is_at = |at: usize| word_is!(note, at, "at" | "@");
    let dot = at.saturating_sub(1 + usize::from(at > 1 && note.is_any_mark(at - 1, b")]")));
    let said = dot > 0 && word_is!(note, dot, "dot") && note.same_line(at);
    let point = at > 1 && note.is_mark(at - 1, b'.') && note.joined(at);
    let sign =
        (at.saturating_sub(8)..at).rev().find(|&sign| is_at(sign)).filter(|&sign| sign > 0 && sign + 1 < at - 1)?;
    // The local part, before an optional bracket as in `(at)`: words with joints or marks between them.
    let mut first = sign - usize::from(note.is_any_mark(sign - 1, b"([") && sign > 1);
    let mut joints = 0;
    while first > 0 && sign - first < MAX_ADDRESS_TOKENS && note.same_line(first) {
        let before = first - 1;
        let joint =
            first < sign && (JOINTS.has(note, before) || note.is_any_mark(before, b"._-+") && note.joined(first));
        let part =
            first >= sign - 1 || JOINTS.has(note, first) || note.is_any_mark(first, b"._-+") || note.joined(first);
        if !joint && !(part && (note.is_word(before) || note.is_number(before))) {
            break;
        }
        joints += usize::from(joint);
        first = before;
    }
    let written = first < sign && (said || point && joints > 0);
    written.then_some(first)
}

/// Returns the range of a spoken handle, at its first joint: `telegram is rosie dot brown`.
fn spoken_handle_around(note: &Note<'_>, joint: usize) -> Option<(usize, usize)> {
    let part = |at: usize| note.is_word(at) || note.is_number(at);
    let first = joint.checked_sub(1).filter(|&first| part(first) && note.same_line(joint))?;
    let led = (first.saturating_sub(4)..first).any(|at| {
        PLATFORMS.has(note, at) || word_is!(note, at, "handle" | "username" | "login" | "user" | "screenname")
    });
    let mut last = joint;
    while last < first + MAX_ADDRESS_TOKENS && JOINTS.has(note, last) && part(last + 1) && note.same_line(last + 1) {
        last += 2;
    }
    (led && last > joint).then_some((first, last))
}

/// Returns the end (exclusive) of a forum name: `u/rosebrown`. `u/s`, `u/o` and `u/a` are clinical.
fn end_of_forum_name(note: &Note<'_>, at: usize) -> Option<usize> {
    let led =
        at > 0 && word_is!(note, at - 1, "u") && note.joined(at) && note.joined(at + 1) && !note.token(at - 1).glued();
    let name = led && note.is_word(at + 1) && note.width(at + 1) > 3 && !(at > 1 && note.joined(at - 1));
    let end = (at + 2..at + MAX_ADDRESS_TOKENS).find(|&end| !note.joined(end) || !is_address_part(note, end))?;
    name.then_some(end)
}

fn is_address_part(note: &Note<'_>, at: usize) -> bool {
    note.is_word(at) || note.is_number(at) || note.is_any_mark(at, b"._-")
}

/// Returns the range of a user name of two lower-case names joined by a period: `rose.brown`.
fn two_name_handle(note: &Note<'_>, at: usize) -> Option<(usize, usize)> {
    let first = at.checked_sub(1).filter(|_| note.is_mark(at, b'.'))?;
    let name =
        |at: usize| note.is_word(at) && note.case(at) == Case::Lower && note.any(at, NAMES) && note.width(at) > 2;
    let written = name(first) && name(at + 1) && note.joined(at) && note.joined(at + 1);
    // `single.high` lacks the space; nearly every word is also a name.
    let given = name_log_odds(note, first) >= 0 && name_log_odds(note, at + 1) >= 0;
    (written && given && !note.any(first, COMMON) && !note.any(at + 1, COMMON)).then_some((first, at + 2))
}

/// Returns the range of a network handle: `Facebook: rose.brown.77`, `skype rose.brown`.
fn platform_handle(note: &Note<'_>, at: usize) -> Option<(usize, usize)> {
    const KNOWN: Classes = Classes::of(&[Class::Stop, Class::PersonVerb, Class::Clinical]);
    let first = if note.is_mark(at, b':') {
        let led = at > 0
            && (PLATFORMS.has(note, at - 1)
                || at > 1 && word_is!(note, at - 1, "id" | "handle" | "name" | "user") && PLATFORMS.has(note, at - 2));
        led.then_some(at + 1)?
    } else {
        let inside = note.joined(at) && note.joined(at + 1) && at > 0 && note.is_word(at - 1);
        let before = at.checked_sub(2).filter(|_| inside && !note.joined(at - 1))?;
        let passes = word_is!(note, before, "id" | "handle" | "name" | "user" | "as" | "is");
        PLATFORMS.has(note, before - usize::from(passes && before > 0)).then_some(at - 1)?
    };
    let mut last = (first..first + MAX_ADDRESS_TOKENS)
        .find(|&end| end > first && !note.joined(end) || !is_address_part(note, end))?;
    while last > first + 1 && note.is_any_mark(last - 1, b"._-") {
        last -= 1;
    }
    let one = last == first + 1 && note.any(first, KNOWN);
    (last > first && note.same_line(first) && !one).then_some((first, last))
}
