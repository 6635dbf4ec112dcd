//! Passwords and other secrets.

use crate::rules::engine::word_sets::{WordSet, word_is, word_set};
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token::Gap;
use crate::vocabulary::{Class, Classes};

/// Keywords for passwords and other secrets.
pub(in crate::rules) static SECRETS: WordSet = word_set!("forms-secret-secrets");

/// Words between a keyword and the password.
static PASSING: WordSet = word_set!("forms-secret-passing");

/// Removes everything up to the next white space after a word for a password: `pwd reset to Maple!44`,
/// `password: tulip`.
pub(in crate::rules) fn find_password(note: &Note<'_>, at: usize, findings: &mut Findings) {
    const MAX_TOKENS: usize = 24;
    let mut first = at + 1;
    let (mut marked, mut made) = (false, false);
    for _ in 0..6 {
        let key = note.key(first);
        let named = word_is!(note, first, key, "to" | "is" | "was" | "as");
        let passes = PASSING.has(note, first);
        if note.is_any_mark(first, b":=") {
            marked = true;
        } else if named {
            made = true;
        } else if !passes
            && !(note.is_mark(first, b'-') && note.gap(first + 1) > Gap::None)
            && !note.is_any_mark(first, b"\"'")
        {
            break;
        }
        first += 1;
    }
    if note.gap(first) > Gap::Space {
        return;
    }
    let mut last = first + 1;
    while last < first + MAX_TOKENS && note.joined(last) {
        last += 1;
    }
    let mixed = (first..last).any(|at| note.is_number(at)) || last > first + 2;
    while last > first + 1 && note.is_any_mark(last - 1, b".,;)\"'") {
        last -= 1;
    }
    // `password is required`, `password to the portal`
    let said = note.any(first, Classes::of(&[Class::Stop, Class::PersonVerb, Class::HumanVerb]))
        || note.bytes(first).ends_with(b"ed");
    if mixed || marked && !note.is(first, Class::Stop) || made && !said {
        findings.remove(first, last, Kind::OtherId, Certainty::Sure);
    }
}
