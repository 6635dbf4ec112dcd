//! Words spelled with the same separator between their letters: `1) R 2) o 3) s 4) e`, `R and o and s and e`,
//! `R dash o dash s`.
//!
//! A row of single letters, see `split`. The separator is one or two constant words or a number that counts up,
//! optionally with marks. A real enumeration has few letters, or letters in alphabetical order.

use super::letters::{LetterRow, is_separating_mark, is_single_letter, single_letter};
use crate::rules::engine::columns::MAX_LETTER_DISTANCE;
use crate::rules::engine::{Certainty, Findings, Kind, Note};
use crate::text::token;
use crate::vocabulary::{Class, Classes};

/// The maximum number of tokens between two letters, including marks.
const MAX_TOKENS_BETWEEN: usize = MAX_LETTER_DISTANCE - 1;

/// The exclusive maximum of a counter; excludes years.
const COUNTER_LIMIT: u64 = 1000;

/// The separator between two letters, without marks.
#[derive(Clone, Copy, Default)]
struct LetterSeparator {
    words: [u64; 2],
    number: Option<u64>,
    /// Whether the number is glued to the letter before it: `R1 o2 s3 e4`.
    glued: bool,
}

impl LetterSeparator {
    /// Replaces the key of a number word, so that all of them match.
    const NUMBER_WORD_KEY: u64 = 1;

    /// Returns the separator after the letter at `at`, and the position of the next letter.
    fn between_and_next(note: &Note<'_>, at: usize) -> Option<(Self, usize)> {
        const NUMBERS: Classes = Classes::of(&[Class::NumberWord, Class::OrdinalWord]);
        let mut between = Self::default();
        for next in at + 1..=at + 1 + MAX_TOKENS_BETWEEN {
            if is_single_letter(note, next) {
                return (between.words[0] != 0 || between.number.is_some()).then_some((between, next));
            }
            match note.token(next).kind {
                token::Kind::Word => {
                    let place = between.words.iter_mut().find(|word| **word == 0)?;
                    *place = if note.any(next, NUMBERS) { Self::NUMBER_WORD_KEY } else { note.key(next) };
                }
                token::Kind::Number if between.number.is_none() => {
                    between.number = Some(note.integer(next).filter(|&number| number < COUNTER_LIMIT)?);
                    between.glued = note.token(next).glued();
                }
                _ if is_separating_mark(note, next) => {}
                _ => return None,
            }
        }
        None
    }

    /// Returns whether the next separator is the same, or the next number.
    fn is_continued_by(self, next: Self) -> bool {
        self.words == next.words
            && self.glued == next.glued
            && self.number.map(|number| number.wrapping_add(1)) == next.number
    }
}

/// Returns whether the letter continues a row that began before it.
fn continues_row(note: &Note<'_>, at: usize, between: LetterSeparator) -> bool {
    let before = (at.saturating_sub(1 + MAX_TOKENS_BETWEEN)..at).rev().find(|&before| is_single_letter(note, before));
    before
        .and_then(|before| LetterSeparator::between_and_next(note, before))
        .is_some_and(|(other, next)| next == at && other.is_continued_by(between))
}

/// Finds such a row, at its first letter.
pub(in crate::rules) fn find_spelled_row(note: &Note<'_>, first: usize, findings: &mut Findings) {
    if !is_single_letter(note, first) {
        return;
    }
    let Some((mut between, mut last)) = LetterSeparator::between_and_next(note, first) else { return };
    if continues_row(note, first, between) {
        return;
    }
    // `H0 E1 A2 R1 T0` is a score with five parts.
    let fewest = if between.glued { 4 } else { 3 };
    if between.glued && between.number != Some(1) {
        return;
    }
    let mut row = LetterRow::default();
    row.push(single_letter(note, first).unwrap_or_default());
    row.push(single_letter(note, last).unwrap_or_default());
    while let Some((more, next)) =
        LetterSeparator::between_and_next(note, last).filter(|(more, _)| between.is_continued_by(*more))
    {
        row.push(single_letter(note, next).unwrap_or_default());
        (between, last) = (more, next);
    }
    if row.len() >= fewest && !row.is_short_form(note, true) && !row.is_list(note) {
        findings.remove(first, last + 1, Kind::Name, Certainty::Sure);
    }
}
