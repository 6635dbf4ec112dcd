//! What becomes of tokens without evidence, of which neither a term nor a rule says anything: most of a note.

use super::Decision;
use crate::bits::bits;
use crate::document::{Action, Reason};
use crate::policy::{Ambiguous, NAMES_AND_PLACES, Numbers, Policy, Unknown};
use crate::rules::{Allowance, Findings, GROUP, Note};
use crate::text::token::{self, Case};
use crate::vocabulary::{Class, Classes};

/// Begins the decisions: what is no mark goes, but for words whose bit says that they are listed.
pub(super) fn begin_out(allowance: &[Allowance], policy: &Policy, tokens: usize, out: &mut Vec<Decision>) {
    out.resize(allowance.len() * GROUP, DEFAULTS[token::Kind::Word as usize]);
    for (out, column) in out.as_chunks_mut::<GROUP>().0.iter_mut().zip(allowance) {
        let (mut marks, mut listed) = (!column.no_marks(), let_out(column, policy));
        for out in out.as_chunks_mut::<2>().0 {
            *out = PAIRS[((marks & 3) << 2 | listed & 3) as usize];
            (marks, listed) = (marks >> 2, listed >> 2);
        }
        for place in bits(column.own()) {
            out[place] = DEFAULTS[token::Kind::Placeholder as usize];
        }
    }
    out.truncate(tokens);
}

/// What becomes of two tokens without evidence: two bits say which of them are marks, two which are listed.
const PAIRS: [[Decision; 2]; 16] = {
    let mut pairs = [[DEFAULTS[token::Kind::Word as usize]; 2]; 16];
    let mut at = 0;
    while at < 2 * pairs.len() {
        let (pair, place) = (at / 2, at % 2);
        if pair >> 2 >> place & 1 != 0 {
            pairs[pair][place] = DEFAULTS[token::Kind::Punct as usize];
        } else if pair >> place & 1 != 0 {
            pairs[pair][place] = LISTED;
        }
        at += 1;
    }
    pairs
};

/// What becomes of a token without evidence, by its kind. Everything goes that is not named here, words
/// first of all; at them, at numbers and at symbols a closer look is taken.
const DEFAULTS: [Decision; 7] = {
    let mut decisions = [Decision::new(Action::Remove, Reason::Unlisted, Decision::NOTHING); 7];
    let keeps = [
        (token::Kind::Punct, Reason::Punctuation),
        (token::Kind::Possessive, Reason::Punctuation),
        (token::Kind::Placeholder, Reason::Own),
    ];
    let mut at = 0;
    while at < keeps.len() {
        decisions[keeps[at].0 as usize] = Decision::new(Action::Keep, keeps[at].1, Decision::NOTHING);
        at += 1;
    }
    decisions
};

/// What becomes of a listed word without evidence.
const LISTED: Decision = Decision::new(Action::Keep, Reason::List, Decision::NOTHING);

/// The words of a group that come out where there is no evidence for or against them.
#[inline]
pub(super) fn let_out(group: &Allowance, policy: &Policy) -> u64 {
    let listed = group.listed(policy);
    if policy.ambiguous == Ambiguous::Always { listed & !group.capitalised() } else { listed }
}

/// What is needed to decide on a token, beside the evidence.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    pub note: &'a Note<'a>,
    pub findings: &'a Findings,
    pub allowed: Classes,
    pub policy: &'a Policy,
}

impl Judge<'_> {
    /// Decides on a token without evidence.
    #[inline(never)]
    pub(super) fn without_evidence(self, at: usize) -> Decision {
        let Self { note, policy, .. } = self;
        let keep = |reason| Decision::new(Action::Keep, reason, Decision::NOTHING);
        let remove = |reason| Decision::new(Action::Remove, reason, Decision::NOTHING);
        let token = note.token(at);
        match token.kind {
            token::Kind::Word if is_listed(token.case, note.classes(at), self.allowed) => {
                if policy.ambiguous == Ambiguous::Always && is_written_as_name(note, at) {
                    remove(Reason::NameList)
                } else {
                    LISTED
                }
            }
            token::Kind::Symbol if is_harmless_symbol(note.word(at)) => keep(Reason::Punctuation),
            token::Kind::Number if number_stays(note, at, policy) => keep(Reason::Policy),
            token::Kind::Word if self.names_nobody(at) => keep(Reason::Judged),
            token::Kind::Word if policy.unknown == Unknown::Keep => {
                let name = note.any(at, NAMES_AND_PLACES) && token.capitalised();
                if name { remove(Reason::NameList) } else { keep(Reason::Policy) }
            }
            token::Kind::Word => remove(Reason::Unlisted),
            kind => DEFAULTS[kind as usize],
        }
    }

    /// Whether the policy keeps a word on no list because the model is sure that it names nobody.
    pub(super) fn names_nobody(self, at: usize) -> bool {
        let Self { note, findings, policy, .. } = self;
        policy.unknown == Unknown::Judged && note.is_word(at) && !note.is(at, Class::Deny) && findings.is_cleared(at)
    }
}

/// Whether the word stands on an allowed list. A name of a person or place that is only listed because it is also a term
/// passes in lower case alone.
#[inline]
pub(super) fn is_listed(case: Case, classes: Classes, allowed: Classes) -> bool {
    let on = classes & allowed;
    if on.is_empty() || classes.has(Class::Deny) {
        return false;
    }
    on != Class::Term.set() || case == Case::Lower || !classes.any(NAMES_AND_PLACES)
}

/// Whether an ordinary word that is a name too has a capital letter.
fn is_written_as_name(note: &Note<'_>, at: usize) -> bool {
    note.capitalised(at) && note.classes(at).any(NAMES_AND_PLACES) && !note.is(at, Class::Stop)
}

/// Whether the policy keeps a number that nothing speaks for or against.
pub(super) fn number_stays(note: &Note<'_>, at: usize, policy: &Policy) -> bool {
    match policy.numbers {
        Numbers::None | Numbers::Strict => false,
        Numbers::All => true,
        Numbers::Wide => note
            .number(at)
            .is_some_and(|number| number.len() <= 2 && (0..number.len()).all(|part| number.digits(part) <= 3)),
    }
}

/// Symbols outside ASCII that identify nobody.
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
