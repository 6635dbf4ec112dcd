//! Substances that are given, by the verb before them or the form after them.

use super::measured::LEVELS;
use crate::note::Note;
use crate::vocabulary::Class;

/// How far before a substance the verb of giving may stand, in tokens.
const REACH: usize = 2;
/// Verbs of giving and taking.
const GIVING: [&str; 20] = [
    "administer",
    "administered",
    "gave",
    "give",
    "given",
    "giving",
    "prescribed",
    "received",
    "receives",
    "receiving",
    "replace",
    "replaced",
    "replete",
    "repleted",
    "supplement",
    "supplemented",
    "take",
    "takes",
    "taking",
    "took",
];
/// Forms in which substances are given.
const FORMS: [&str; 24] = [
    "bolus",
    "capsule",
    "capsules",
    "cream",
    "drip",
    "drops",
    "gel",
    "gtt",
    "infusion",
    "infusions",
    "injection",
    "injections",
    "ointment",
    "pill",
    "pills",
    "replacement",
    "repletion",
    "supplement",
    "supplementation",
    "supplements",
    "syrup",
    "tablet",
    "tablets",
    "tabs",
];

/// Liquids and devices in which drugs are given, and which the vocabulary has as drugs of their own.
const PREPARATIONS: [&str; 16] = [
    "cream",
    "drops",
    "elixir",
    "gel",
    "injection",
    "lotion",
    "ointment",
    "powder",
    "solution",
    "solutions",
    "spray",
    "suspension",
    "syrup",
    "capsule",
    "tablet",
    "tablets",
];

/// Whether a name that ends before `last` is that of a preparation: `morphine oral solution`, `latanoprost eye drops`.
pub(super) fn is_preparation(note: &Note<'_>, last: usize) -> bool {
    last > 0 && PREPARATIONS.contains(&note.word(last - 1))
}

/// Whether a substance is given: a verb of giving stands before it, or the form in which it is given after it.
pub(super) fn is_given(note: &Note<'_>, first: usize, last: usize) -> bool {
    let before = (first.saturating_sub(REACH)..first).rev().take_while(|&at| !note.border_before(at + 1));
    let verb = || before.filter(|&at| note.is_word(at)).any(|at| GIVING.contains(&note.word(at)));
    let next = if note.border_before(last) { "" } else { note.word(last) };
    FORMS.contains(&next) || verb() && !LEVELS.contains(&next) && !note.is(last, Class::Measurement)
}
