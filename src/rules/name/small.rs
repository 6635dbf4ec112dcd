//! Names in small letters in a field that holds a person: `Patient: rose brown.`, `mother - amber long, 45 yo`.
//!
//! Each of their words may be a word of every day. What tells is that the field holds nothing else: two to four words up to its end,
//! all of which people bear, one of them as a given name.

use super::field::ROLES;
use super::{NAMES, is_unlisted};
use crate::rules::columns::{Around, Fact};
use crate::rules::word_sets::says;
use crate::rules::{Certainty, Findings, Kind, View};
use crate::token::{Case, Gap};
use crate::vocabulary::{Class, Classes};

/// The most words of such a name.
const MOST: usize = 4;

/// Words that such a field is called by.
const LABELS: Classes = Classes::of(&[Class::NameField, Class::PersonNoun, Class::Relative]);

/// Which dashes stand between such a label and a word in small letters.
pub(super) fn near_dash(around: &Around<'_>) -> u64 {
    let here = around.here();
    let apart = here.is(Fact::Spaced) & around.behind(1, |next| next.is(Fact::Spaced) & next.is(Fact::Lower));
    here.mark(b'-') & apart & around.before(1, |left| left.any(LABELS))
}

/// Finds a name behind the colon or the dash at `at`, and the titles there.
pub(super) fn find(view: &View<'_>, at: usize, first: usize, findings: &mut Findings) {
    let Some(label) = at.checked_sub(1).filter(|&label| view.is_word(label)) else { return };
    let role = ROLES.has(view, label);
    let fits = if view.is_mark(at, b'-') { is_line_label(view, label) } else { view.any(label, LABELS) || role };
    if !fits {
        return;
    }
    if let Some(end) = end(view, first, role) {
        findings.remove(first, end, Kind::Name, Certainty::Sure);
    }
}

/// Whether the word ends a label of up to three words that begins its line or sentence, and no sentence: `came to - `; with a dash
/// behind it that stands alone.
fn is_line_label(view: &View<'_>, label: usize) -> bool {
    let apart = view.gap(label + 1) == Gap::Space && view.gap(label + 2) == Gap::Space;
    let first = (label.saturating_sub(2)..=label).rev().find(|&at| view.sentence_start(at));
    apart
        && view.case(label + 2) == Case::Lower
        && first.is_some_and(|first| (first..label).all(|at| view.is_word(at)))
        && view.any(label, LABELS)
        && !view.is(label, Class::Stop)
        && !view.bytes(label).ends_with(b"ed")
}

/// One past such a name at the beginning of a field; of one for what somebody did, where a `role` is not always a person's.
fn end(view: &View<'_>, first: usize, role: bool) -> Option<usize> {
    if !view.is_word(first) || view.case(first) != Case::Lower || view.gap(first) >= Gap::Paragraph {
        return None;
    }
    let (mut at, mut words) = (first, 0);
    while words < MOST && view.is_word(at) && (at == first || view.gap(at) <= Gap::Space) {
        let letter = view.width(at) == 1;
        if words > 1 && begins_next(view, at) || !letter && !is_borne(view, at) {
            break;
        }
        words += usize::from(!letter);
        at += 1;
        let joint = view.is_any_mark(at, b"-'") && view.joined(at) && view.joined(at + 1)
            || letter && view.is_mark(at, b'.') && view.joined(at);
        at += usize::from(joint);
    }
    (words > 1 && is_over(view, at) && is_name(view, first, at, role)).then_some(at)
}

/// Whether people bear the word.
fn is_borne(view: &View<'_>, at: usize) -> bool {
    view.any(at, NAMES) || is_unlisted(view, at) || view.is(at, Class::NamePrefix)
}

/// Whether the word begins the next field: `rose brown dob 3/4/56`.
fn begins_next(view: &View<'_>, at: usize) -> bool {
    const NEXT: Classes = Classes::of(&[Class::PhoneKeyword, Class::IdKeyword, Class::DateCue, Class::AgeCue]);
    view.any(at, NEXT.with(Class::Credential)) && view.width(at) > 1
}

/// Whether the field is over.
fn is_over(view: &View<'_>, at: usize) -> bool {
    view.gap(at) >= Gap::Wide
        || view.is_any_mark(at, b",;(|/")
        || view.is_mark(at, b'.') && !view.joined(at + 1)
        || view.is_mark(at, b'-') && !view.joined(at)
        || view.is_number(at)
        || begins_next(view, at)
        || (1..3).any(|ahead| view.is_mark(at + ahead, b':'))
        || says!(view, at, "and" | "is")
}

/// Whether the words `first..end` are a name: one of the two at its ends is mostly given to people, the other is borne by some.
/// `will call`, `young male`, `colon cancer`, `son gus` are none.
fn is_name(view: &View<'_>, first: usize, end: usize, role: bool) -> bool {
    const SAID: Classes = Classes::of(&[Class::Stop, Class::PersonNoun, Class::Relative]);
    let last = (first..end).rev().find(|&at| view.is_word(at) && view.width(at) > 1).unwrap_or(first);
    let given = |at: usize| {
        let ranks = view.ranks(at);
        is_unlisted(view, at) || ranks.first_name >= GIVEN && ranks.first_name >= ranks.frequency + MORE
    };
    let family = |at: usize, least: u8| is_unlisted(view, at) || view.ranks(at).surname >= least;
    let does = says!(view, first, "will" | "may" | "can") && view.is(last, Class::PersonVerb);
    let said = does || view.any(first, SAID) || view.any(last, SAID.with(Class::HumanVerb));
    !said && (given(first) && family(last, SOME) || !role && family(first, GIVEN) && given(last))
}

/// How common a word is as a given name that is mostly one, see `View::ranks`.
const GIVEN: u8 = 12;
/// How much more common than as a word of text.
const MORE: u8 = 4;
/// How common a word is as a family name that may be one.
const SOME: u8 = 8;
