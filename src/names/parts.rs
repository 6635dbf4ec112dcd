//! Where a note is divided, so that what is kept of a word stays near the processor however long the note is.
//!
//! A part is some lines. What is seen of its tokens depends on some lines more, on both sides; what depends on more of the note
//! is read before: its layout, and which words stand elsewhere.

use std::ops::Range;

use crate::rules::Note;
use crate::text::token::Gap;

/// How many tokens a part has at least, but for the last.
pub(super) const MIN_PART_TOKENS: usize = 2048;

/// How many tokens on, on both sides, the first-pass scores of others count, and how far on their words.
const CONTEXT_TOKENS: usize = 8;

/// A part of a note, in numbers of tokens. All begin and end with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotePart {
    /// The tokens that it is there for.
    pub(super) core: Range<usize>,
    /// Those whose first-pass scores count in the core: the line before, and some tokens.
    pub(super) seen: Range<usize>,
    /// Those that are looked at to judge them.
    pub(super) around: Range<usize>,
}

impl NotePart {
    /// The part that begins with a token and has at least so many, if there are as many.
    pub(super) fn starting_with(note: &Note<'_>, first: usize, long: usize) -> Self {
        let core = first..line_end_after(note, first, long);
        let seen = line_start_before(note, core.start)..line_end_after(note, core.end, CONTEXT_TOKENS);
        let around = line_start_before(note, seen.start)..line_end_after(note, seen.end, CONTEXT_TOKENS);
        Self { core, seen, around }
    }
}

/// Whether a line begins with the token.
fn begins_line(note: &Note<'_>, at: usize) -> bool {
    note.token(at).gap >= Gap::Line
}

/// The end of the line that is so many tokens on, or the end.
fn line_end_after(note: &Note<'_>, from: usize, tokens: usize) -> usize {
    let end = note.len();
    (from.saturating_add(tokens)..end).find(|&at| begins_line(note, at)).unwrap_or(end)
}

/// The beginning of the line that is some tokens and at least one line before, or the beginning.
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

    /// What notes are made of: headings, tables, rows, names, and lines with little in them.
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
                // A buffer that was used before says the same.
                whole.score_in_parts(&model, note, (matches, findings), policy.allowed(), long);
                assert_eq!(whole.judged, parted.judged);
            });
        }
    }
}
