//! Bitmask columns of a note: one fact about 64 tokens is one 64-bit integer.
//!
//! Testing token by token whether a rule applies takes a chain of branches that are often mispredicted; with columns it
//! takes an operation or two for 64 tokens at once.

use super::Note;
use super::facts::{Fact, GROUP, TABLES};
use super::group::Group;
use crate::debug::debug_count;

/// The maximum distance in tokens between a letter and the next one of its row; forms of spaced-out letters read no
/// further.
pub(in crate::rules) const MAX_LETTER_DISTANCE: usize = 6;

/// The number of joined tokens that must precede and follow the middle of a long row.
pub(in crate::rules) const ROW_SIDE: usize = 16;

/// The shifts that together cover [`ROW_SIDE`] tokens; each doubles the previous one.
const ROW_SHIFTS: [u32; 4] = [1, 2, 4, 8];

/// Returns the words and numbers of the middle group that are inside a long row: figures, letters and marks without
/// white space between them.
fn bits_in_long_rows([left, here, right]: &[Group; 3]) -> u64 {
    // On one side of its middle, a long row lies within the group.
    if ROW_SHIFTS.iter().fold(here.tokens_with_fact(Fact::Joined), |row, far| row & row << far) == 0 {
        return 0;
    }
    let before = |fact| u128::from(here.tokens_with_fact(fact)) << GROUP | u128::from(left.tokens_with_fact(fact));
    let behind = |fact| u128::from(right.tokens_with_fact(fact)) << GROUP | u128::from(here.tokens_with_fact(fact));
    let joined = ROW_SHIFTS.iter().fold(before(Fact::Joined), |row, far| row & row << far);
    let goes_on = ROW_SHIFTS.iter().fold(behind(Fact::Joined) >> 1, |row, far| row & row >> far);
    let figures = ROW_SHIFTS.iter().fold(before(Fact::Number), |near, far| near | near << far) >> GROUP;
    let ahead = ROW_SHIFTS.iter().fold(behind(Fact::Number), |near, far| near | near >> far);
    let row = (joined >> GROUP) & goes_on & (figures | ahead);
    row as u64 & (here.tokens_with_fact(Fact::Word) | here.tokens_with_fact(Fact::Number))
}

/// Bitmasks of the words among 64 tokens; bit `k` is the `k`-th token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordColumns {
    /// The words.
    pub(crate) words: u64,
    /// The words with a capital letter.
    pub(crate) capitalised: u64,
}

/// The columns of a note, read group by group, and the word bitmasks of the whole note; reused for the next note.
pub(in crate::rules) struct Columns {
    /// The groups before, at and after the current position.
    groups: [Group; 3],
    /// The word bitmasks of the note, 64 tokens per entry.
    words: Vec<WordColumns>,
}

impl Default for Columns {
    fn default() -> Self {
        Self { groups: [Group::EMPTY; 3], words: Vec::new() }
    }
}

debug_count!(Columns, "groups", |it| it.words.len());

impl Columns {
    /// Starts a note.
    pub(in crate::rules) fn begin_note(&mut self, note: &Note<'_>) {
        self.words.clear();
        self.groups = [Group::EMPTY; 3];
        self.groups[2].read_tokens(&TABLES, note, 0);
    }

    /// Advances to the next group. Returns its columns and a bitmask of its words and numbers inside long rows.
    pub(in crate::rules) fn read_next_group(&mut self, note: &Note<'_>) -> (&Group, u64) {
        let behind = (self.words.len() + 1) * GROUP;
        self.groups.rotate_left(1);
        if behind < note.len() {
            self.groups[2].read_tokens(&TABLES, note, behind);
        } else {
            self.groups[2] = Group::EMPTY;
        }
        let [last, here, next] = &mut self.groups;
        let behind = |has: fn(&Group) -> u64| u128::from(has(next)) << GROUP | u128::from(has(here));
        let apart = behind(|group| group.tokens_with_fact(Fact::Word) & !group.tokens_with_fact(Fact::Joined));
        let capitals = behind(|group| group.tokens_with_fact(Fact::Upper));
        let letters = behind(|group| group.tokens_with_fact(Fact::Word) & group.tokens_with_fact(Fact::SingleByte));
        let marks = behind(|group| !(group.tokens_with_fact(Fact::Word) | group.tokens_with_fact(Fact::Number)));
        let soon = (1..=MAX_LETTER_DISTANCE).fold(marks >> 1, |soon, far| soon | letters >> far);
        let close = here.tokens_with_fact(Fact::Joined) | !(apart >> 1) as u64;
        let before = |far: usize| {
            here.tokens_with_fact(Fact::Upper) << far | last.tokens_with_fact(Fact::Upper) >> (GROUP - far)
        };
        let by_capitals = (capitals >> 1 | capitals >> 2) as u64 | before(1) | before(2);
        (here.glued, here.near_capitals, here.letters) = (close, by_capitals, letters as u64 & soon as u64);
        self.words
            .push(WordColumns { words: here.tokens_with_fact(Fact::Word), capitalised: here.capitalised_words() });
        (&self.groups[1], bits_in_long_rows(&self.groups))
    }

    /// Returns the word bitmasks of the note, 64 tokens per entry.
    pub(in crate::rules) fn word_bits(&self) -> &[WordColumns] {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_hold_figures_and_have_ends() {
        let rows = |joined: u64, numbers: u64| {
            let mut group = Group::EMPTY;
            group.facts[Fact::Joined as usize] = joined;
            group.facts[Fact::Number as usize] = numbers;
            group.facts[Fact::Word as usize] = !numbers;
            bits_in_long_rows(&[group; 3])
        };
        assert_eq!(rows(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(rows(u64::MAX, 0), 0, "letters alone are no such row");
        assert_eq!(rows(u64::MAX, 1), 0xFFFF | u64::MAX << 49, "figures are near");
        // The row begins at the second token of each group; white space precedes its first token.
        let middle = u64::MAX << 16 & u64::MAX >> 16;
        assert_eq!(rows(!1, u64::MAX) & !middle, 0, "the ends of a row are read as ever");
        assert_ne!(rows(!1, u64::MAX) & middle, 0);
    }
}
