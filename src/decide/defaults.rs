//! Decides on tokens without evidence, of which there is neither a term nor a finding: most of a note.

use super::Decision;
use crate::document::{Action, Reason};
use crate::policy::{Ambiguous, NAMES_AND_PLACES, Numbers, Policy, Unknown};
use crate::rules::{self, Findings, Note, Number};
use crate::text::token::{self, Case};
use crate::vocabulary::{Class, Classes};

/// What decisions need apart from the evidence.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub note: &'a Note<'a>,
    pub findings: &'a Findings,
    pub allowed: Classes,
    pub policy: &'a Policy,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(note: &'a Note<'a>, findings: &'a Findings, policy: &'a Policy) -> Self {
        Self { note, findings, allowed: policy.allowed(), policy }
    }
}

impl Judge<'_> {
    /// Decides on a token without evidence. Removes it unless a case here keeps it.
    pub(crate) fn decide_without_evidence(self, at: usize) -> Decision {
        let Self { note, policy, .. } = self;
        let keep = |reason| Decision::new(Action::Keep, reason, Decision::NOTHING);
        let remove = |reason| Decision::new(Action::Remove, reason, Decision::NOTHING);
        let token = note.token(at);
        match token.kind {
            token::Kind::Punct | token::Kind::Possessive => keep(Reason::Punctuation),
            token::Kind::Placeholder => keep(Reason::Own),
            token::Kind::Symbol if is_harmless_symbol(note.word(at)) => keep(Reason::Punctuation),
            token::Kind::Number if self.is_harmless_number(at) => keep(Reason::Judged),
            token::Kind::Number if is_number_allowed(note, at, policy) => keep(Reason::Policy),
            token::Kind::Word if is_listed(token.case, note.classes(at), self.allowed) => {
                let name = policy.ambiguous == Ambiguous::Always && is_written_as_name(note, at);
                if name { remove(Reason::NameList) } else { keep(Reason::List) }
            }
            token::Kind::Word if self.names_nobody(at) => keep(Reason::Judged),
            token::Kind::Word if policy.unknown == Unknown::Keep => {
                let name = note.any(at, NAMES_AND_PLACES) && token.capitalised();
                if name { remove(Reason::NameList) } else { keep(Reason::Policy) }
            }
            _ => remove(Reason::Unlisted),
        }
    }

    /// Returns whether the policy keeps a short number because the model is sure that it identifies nobody.
    pub(super) fn is_harmless_number(self, at: usize) -> bool {
        let Self { note, findings, policy, .. } = self;
        policy.numbers == Numbers::Judged
            && findings.is_harmless(at)
            && (is_short_number(note, at) || is_clock(note, at))
            && !rules::may_be_over_89(note, at)
            && !is_in_row(note, at)
    }

    /// Returns whether the policy keeps a number, or a letter attached to one, because the model is sure that it
    /// identifies nobody: `E11.65`.
    pub(super) fn is_harmless_part(self, at: usize) -> bool {
        let Self { note, findings, policy, .. } = self;
        let letter = note.width(at) == 1 && is_glued_to_number(note, at);
        policy.numbers == Numbers::Judged && letter && findings.is_harmless(at) || self.is_harmless_number(at)
    }

    /// Returns whether the policy keeps an unlisted word because the model is sure that it names nobody.
    pub(super) fn names_nobody(self, at: usize) -> bool {
        let Self { note, findings, policy, .. } = self;
        policy.unknown == Unknown::Judged
            && note.is_word(at)
            && !note.is(at, Class::Deny)
            && findings.is_judged_harmless(at)
    }
}

/// Returns whether a word is on an allow-list. A name of a person or place that is listed only because it is also a
/// term passes in lower case only.
#[inline]
pub(super) fn is_listed(case: Case, classes: Classes, allowed: Classes) -> bool {
    let on = classes & allowed;
    if on.is_empty() || classes.has(Class::Deny) {
        return false;
    }
    on != Class::Term.as_set() || case == Case::Lower || !classes.any(NAMES_AND_PLACES)
}

/// Returns whether an ordinary word that is also a name is capitalised.
fn is_written_as_name(note: &Note<'_>, at: usize) -> bool {
    note.capitalised(at) && note.classes(at).any(NAMES_AND_PLACES) && !note.is(at, Class::Stop)
}

/// Returns whether the policy keeps a number without evidence for or against it.
pub(super) fn is_number_allowed(note: &Note<'_>, at: usize, policy: &Policy) -> bool {
    match policy.numbers {
        Numbers::None | Numbers::Strict | Numbers::Judged => false,
        Numbers::All => true,
        Numbers::Wide => is_short_number(note, at),
    }
}

/// Returns whether a number has one or two parts of up to three digits, and is not written like a day and a month:
/// `03.04`.
fn is_short_number(note: &Note<'_>, at: usize) -> bool {
    let is_short = |number: &Number| (0..number.len()).all(|part| number.digits(part) <= 3);
    note.number(at).is_some_and(|number| {
        number.len() <= 2 && is_short(number) && !(number.len() == 2 && number.has_leading_zero())
    })
}

/// Returns whether a word is attached to a number: `E11`, `x1`.
fn is_glued_to_number(note: &Note<'_>, at: usize) -> bool {
    let after = note.token(at).glued() && note.is_number(at - 1);
    note.is_word(at) && (after || note.token(at + 1).glued() && note.is_number(at + 1))
}

/// Returns whether one mark joins the number to another, as in a date or a telephone number: `555-0142`.
fn is_in_row(note: &Note<'_>, at: usize) -> bool {
    let joins = |mark: usize| note.token(mark).kind == token::Kind::Punct && note.joined(mark) && note.joined(mark + 1);
    let after = joins(at + 1) && note.is_number(at + 2);
    // `card 652 / 828`: not a blood pressure, which a rule would have found.
    let long = |at: usize| note.number(at).is_some_and(|number| number.len() == 1 && number.digits(0) >= 3);
    let spaced = |mark: usize| note.is_mark(mark, b'/') && note.same_line(mark) && note.same_line(mark + 1);
    let group = long(at) && (spaced(at + 1) && long(at + 2) || at >= 2 && spaced(at - 1) && long(at - 2));
    group || after || at >= 2 && joins(at - 1) && note.is_number(at - 2)
}

/// Returns whether four digits can be a time of day: `0800`, `2359`.
fn is_clock(note: &Note<'_>, at: usize) -> bool {
    let four = note.number(at).is_some_and(|number| number.len() == 1 && number.digits(0) == 4);
    four && note.integer(at).is_some_and(|time| time < 2400 && time % 100 < 60)
}

/// Returns whether a symbol outside ASCII identifies nobody.
fn is_harmless_symbol(symbol: &str) -> bool {
    matches!(
        symbol,
        "°" | "±"
            | "≥"
            | "≤"
            | "≠"
            | "≈"
            | "•"
            | "·"
            | "→"
            | "←"
            | "↑"
            | "↓"
            | "§"
            | "¶"
            | "√"
            | "∞"
            | "~"
            | "✓"
            | "✔"
            | "✗"
            | "✘"
            | "☐"
            | "☑"
            | "☒"
            | "□"
            | "■"
            | "▪"
            | "◦"
            | "✱"
            | "★"
            | "†"
            | "‡"
            | "£"
            | "€"
            | "¥"
            | "¢"
            | "↔"
            | "⇒"
            | "⇐"
            | "⇔"
            | "⇑"
            | "⇓"
            | "⬆"
            | "⬇"
            | "↗"
            | "↘"
            | "♀"
            | "♂"
    )
}
