//! Splits a note into parts, so that the working set stays in the processor cache however long the note is.
//!
//! A part is a number of lines. Features of its tokens depend on some more lines on both sides. What depends on the
//! whole note, the layout and the word counts, is computed first.

use std::ops::Range;

use crate::rules::Note;
use crate::text::token::Gap;

/// The minimum number of tokens of a part, except the last.
pub(super) const MIN_PART_TOKENS: usize = 2048;

/// How many tokens on each side have first-pass scores that matter, and how many more have words that matter.
const CONTEXT_TOKENS: usize = 8;

/// A part of a note, as ranges of tokens. All start and end at line boundaries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotePart {
    /// The tokens that the part is for.
    pub(super) core: Range<usize>,
    /// The tokens whose first-pass scores the core depends on: the line before, and some tokens.
    pub(super) seen: Range<usize>,
    /// The tokens that the first-pass scores depend on.
    pub(super) around: Range<usize>,
}

impl NotePart {
    /// Returns the part that starts with a token and has at least `long` tokens, if that many are left.
    pub(super) fn starting_with(note: &Note<'_>, first: usize, long: usize) -> Self {
        let core = first..line_end_after(note, first, long);
        let seen = line_start_before(note, core.start)..line_end_after(note, core.end, CONTEXT_TOKENS);
        let around = line_start_before(note, seen.start)..line_end_after(note, seen.end, CONTEXT_TOKENS);
        Self { core, seen, around }
    }
}

/// Returns whether a line starts with the token.
fn begins_line(note: &Note<'_>, at: usize) -> bool {
    note.token(at).gap >= Gap::Line
}

/// Returns the end (exclusive) of the line that is at least `tokens` tokens further on, or the end of the note.
fn line_end_after(note: &Note<'_>, from: usize, tokens: usize) -> usize {
    let end = note.len();
    (from.saturating_add(tokens)..end).find(|&at| begins_line(note, at)).unwrap_or(end)
}

/// Returns the start of a line at least [`CONTEXT_TOKENS`] tokens and one line before, or the start of the note.
fn line_start_before(note: &Note<'_>, from: usize) -> usize {
    let line = (0..from).rev().find(|&at| begins_line(note, at)).unwrap_or(0);
    let far = from.saturating_sub(CONTEXT_TOKENS).min(line);
    (0..=far).rev().find(|&at| begins_line(note, at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::names::{Judgement, Model};
    use crate::pipeline::tests::with_read;
    use crate::policy::Policy;

    /// Pieces of notes: headings, tables, rows, names, and sparse lines.
    const PIECES: &[&str] = &[
        "\n",
        "\n",
        "\n",
        "\n\n",
        " ",
        " ",
        ", ",
        ". ",
        "Name: ",
        "PLAN:\n",
        "Seen by: ",
        "| Drug | Dose | By |\n",
        "| aspirin | 5 | Olive |\n",
        "Olive slept well",
        "olive oil",
        "d/w Root",
        "root canal",
        "ROOT",
        "Our Lady of the Lake",
        "New York",
        "White",
        "white cells 7.2",
        "03/04/2006",
        "a",
        "the",
        "x\n",
        "He is a 62 year old man.\n",
        "SMITH, CHANCE",
        "Mercy",
        "at Mercy",
        "......",
        "Dr. Gray",
        "gray matter",
        "1415 seen",
        "room 12",
        "K 4.2",
        "CHANCE\n",
        "....: ",
        "chest pain",
        "MRN 4471182",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]

        #[test]
        fn a_note_in_parts_is_judged_as_a_whole(
            pieces in prop::collection::vec(prop::sample::select(PIECES), 0..160),
            long in 1..60_usize,
        ) {
            let model = Model::from_static(notesieve_models::default_bytes()).unwrap();
            let policy = Policy::default();
            let text = pieces.join(" ");
            with_read(&text, |note, matches, findings| {
                let (mut whole, mut parted) = (Judgement::default(), Judgement::default());
                whole.score_in_parts(&model, note, (matches, findings), policy.allowed(), usize::MAX);
                parted.score_in_parts(&model, note, (matches, findings), policy.allowed(), long);
                assert_eq!(whole.judged, parted.judged);
                // A reused buffer gives the same result.
                whole.score_in_parts(&model, note, (matches, findings), policy.allowed(), long);
                assert_eq!(whole.judged, parted.judged);
            });
        }
    }
}
