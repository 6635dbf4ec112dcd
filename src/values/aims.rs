//! Numbers that are not measurements: aims, conditions and orders.

use crate::note::Note;

/// How far before a name the word of a condition may be, in tokens.
const MAX_CONDITION_DISTANCE: usize = 12;

/// Returns whether a word marks a number as an aim.
pub(super) fn is_aim(note: &Note<'_>, at: usize) -> bool {
    matches!(
        note.word(at),
        "goal" | "goals" | "target" | "targets" | "threshold" | "keep" | "maintain" | "aim" | "until"
    )
}

/// Returns whether the number of a name is a condition, an order or an aim: `call if T >38.5`, `hold for SBP < 100`,
/// `goal INR 2.5`.
pub(super) fn is_condition(note: &Note<'_>, first: usize, compared: bool) -> bool {
    const CONDITIONS: [&str; 16] = [
        "if", "when", "whenever", "unless", "hold", "call", "notify", "page", "titrate", "titrated", "alert", "once",
        "keep", "maintain", "until", "prn",
    ];
    let before =
        (first.saturating_sub(MAX_CONDITION_DISTANCE)..first).rev().take_while(|&at| !note.border_before(at + 1));
    let aimed = first > 0 && !note.border_before(first) && is_aim(note, first - 1);
    let conditional = |at: usize| CONDITIONS.contains(&note.word(at)) || is_aim(note, at);
    aimed || compared && before.into_iter().any(conditional)
}
