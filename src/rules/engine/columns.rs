//! A note by columns: what is true of 64 tokens is the 64 bits of one number.
//!
//! Where a rule is asked is for each token a chain of branches that are often
//! mispredicted; by columns it is an operation or two for 64 tokens at once.

use super::Note;
use super::facts::{Fact, GROUP, TABLES};
use super::group::Group;
use crate::debug::debug_count;

/// How many tokens after a letter the next one of its row may stand; forms of letters with something between read no further.
pub(in crate::rules) const LETTERS_APART: usize = 6;

/// How many tokens with nothing between stand before and after the middle of a long row.
pub(in crate::rules) const ROW_SIDE: usize = 16;

/// The steps in which so many are looked over: each doubles the last.
const ROW: [u32; 4] = [1, 2, 4, 8];

/// Words and numbers in the middle of a long row of figures, letters and marks with nothing between, among the tokens of the second
/// of three groups.
fn bits_in_long_rows([left, here, right]: &[Group; 3]) -> u64 {
    // On one side of the middle, the row is in the group.
    if ROW.iter().fold(here.tokens_with_fact(Fact::Joined), |row, far| row & row << far) == 0 {
        return 0;
    }
    let before = |fact| u128::from(here.tokens_with_fact(fact)) << GROUP | u128::from(left.tokens_with_fact(fact));
    let behind = |fact| u128::from(right.tokens_with_fact(fact)) << GROUP | u128::from(here.tokens_with_fact(fact));
    let joined = ROW.iter().fold(before(Fact::Joined), |row, far| row & row << far);
    let goes_on = ROW.iter().fold(behind(Fact::Joined) >> 1, |row, far| row & row >> far);
    let figures = ROW.iter().fold(before(Fact::Number), |near, far| near | near << far) >> GROUP;
    let ahead = ROW.iter().fold(behind(Fact::Number), |near, far| near | near >> far);
    let row = (joined >> GROUP) & goes_on & (figures | ahead);
    row as u64 & (here.tokens_with_fact(Fact::Word) | here.tokens_with_fact(Fact::Number))
}

/// Which of 64 tokens are words; bit `k` is the `k`-th token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordColumns {
    /// Words.
    pub(crate) words: u64,
    /// Words with a capital letter.
    pub(crate) capitalised: u64,
}

/// The columns of a note, read group by group, and what they say of the whole note; a buffer that is used again for the next.
pub(in crate::rules) struct Columns {
    /// The group before, the one that was read last but one, and the one after it.
    groups: [Group; 3],
    /// The words of the note, 64 tokens in one.
    words: Vec<WordColumns>,
}

impl Default for Columns {
    fn default() -> Self {
        Self { groups: [Group::EMPTY; 3], words: Vec::new() }
    }
}

debug_count!(Columns, "groups", |it| it.words.len());

impl Columns {
    /// Begins a note.
    pub(in crate::rules) fn begin_note(&mut self, note: &Note<'_>) {
        self.words.clear();
        self.groups = [Group::EMPTY; 3];
        self.groups[2].read_tokens(&TABLES, note, 0);
    }

    /// Goes on to the next group: its columns, and which of its words and numbers stand in the middle of a long row.
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
        let letters = behind(|group| group.tokens_with_fact(Fact::Word) & group.tokens_with_fact(Fact::One));
        let marks = behind(|group| !(group.tokens_with_fact(Fact::Word) | group.tokens_with_fact(Fact::Number)));
        let soon = (1..=LETTERS_APART).fold(marks >> 1, |soon, far| soon | letters >> far);
        let close = here.tokens_with_fact(Fact::Joined) | !(apart >> 1) as u64;
        let before = |far: usize| {
            here.tokens_with_fact(Fact::Upper) << far | last.tokens_with_fact(Fact::Upper) >> (GROUP - far)
        };
        let by_capitals = (capitals >> 1 | capitals >> 2) as u64 | before(1) | before(2);
        (here.close, here.by_capitals, here.letters) = (close, by_capitals, letters as u64 & soon as u64);
        self.words
            .push(WordColumns { words: here.tokens_with_fact(Fact::Word), capitalised: here.capitalised_words() });
        (&self.groups[1], bits_in_long_rows(&self.groups))
    }

    /// The words of the note, 64 tokens in one.
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
        // The row begins at the second token of each group; the one before its first has white space before it.
        let middle = u64::MAX << 16 & u64::MAX >> 16;
        assert_eq!(rows(!1, u64::MAX) & !middle, 0, "the ends of a row are read as ever");
        assert_ne!(rows(!1, u64::MAX) & middle, 0);
    }
}
