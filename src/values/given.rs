//! Substances that are given, recognised by the verb before or the dose form after.

use super::measured::LEVEL_WORDS;
use crate::note::Note;
use crate::text::words_of_file;
use crate::vocabulary::Class;

/// The maximum distance from a verb of giving to the substance, in tokens.
const MAX_SUBSTANCE_DISTANCE: usize = 2;
/// Verbs of giving and taking.
const GIVING_VERBS: &[&str] = words_of_file!("words/giving.txt");
/// Dose forms.
const DOSE_FORMS: &[&str] = words_of_file!("words/given-forms.txt");

/// Liquids and devices in which drugs are given, and which the vocabulary lists as drugs.
const PREPARATIONS: &[&str] = words_of_file!("words/preparations.txt");

/// Returns whether the name that ends at `last` (exclusive) is a preparation: `morphine oral solution`,
/// `latanoprost eye drops`.
pub(super) fn is_preparation(note: &Note<'_>, last: usize) -> bool {
    last > 0 && PREPARATIONS.contains(&note.word(last - 1))
}

/// Returns whether a substance is given: a verb of giving precedes it, or a dose form follows.
pub(super) fn is_given(note: &Note<'_>, first: usize, last: usize) -> bool {
    let before =
        (first.saturating_sub(MAX_SUBSTANCE_DISTANCE)..first).rev().take_while(|&at| !note.border_before(at + 1));
    let verb = || before.filter(|&at| note.is_word(at)).any(|at| GIVING_VERBS.contains(&note.word(at)));
    let next = if note.border_before(last) { "" } else { note.word(last) };
    DOSE_FORMS.contains(&next) || verb() && !LEVEL_WORDS.contains(&next) && !note.is(last, Class::Measurement)
}
