//! A note by columns: what is true of 64 tokens is the 64 bits of one number.
//!
//! Where a rule is asked, and how words stand to what may come out, is for each token a chain of branches that are often
//! mispredicted; by columns it is an operation or two for 64 tokens at once.

use super::View;
use super::facts::{Fact, TABLES, Tables, column_of};
use super::looks::{LOOKS, Looks};
use super::standing::Standing;
use super::transpose::transpose;
use crate::bits::bits;
use crate::debug::debug_count;
use crate::text::token::Token;
use crate::vocabulary::{Class, Classes};

/// How many tokens a group has.
pub(crate) const GROUP: usize = 64;

const _: () = assert!(Class::ALL.len() <= GROUP, "a group has one column for each list");

/// The columns of 64 tokens; bit `k` of each is the `k`-th token.
#[derive(Clone, Copy)]
pub(in crate::rules) struct Group {
    facts: [u64; GROUP],
    lists: [u64; GROUP],
    /// The numbers, by what they look like.
    looks: [u64; LOOKS],
    /// See [`Group::close`] and [`Group::by_capitals`].
    close: u64,
    by_capitals: u64,
    /// See [`Group::letters`].
    letters: u64,
}

impl Group {
    /// What stands outside a note.
    const EMPTY: Self =
        Self { facts: [0; GROUP], lists: [0; GROUP], looks: [0; LOOKS], close: 0, by_capitals: 0, letters: 0 };

    /// Of which tokens the fact holds.
    #[inline]
    pub(in crate::rules) const fn is(&self, fact: Fact) -> u64 {
        self.facts[fact as usize]
    }

    /// Which tokens are this mark.
    #[inline]
    pub(in crate::rules) const fn mark(&self, mark: u8) -> u64 {
        self.facts[column_of(mark)]
    }

    /// Which tokens stand on a list.
    #[inline]
    pub(in crate::rules) const fn on(&self, class: Class) -> u64 {
        self.lists[class as usize]
    }

    /// Which tokens stand on one of the lists.
    #[inline]
    pub(in crate::rules) const fn any(&self, classes: Classes) -> u64 {
        any(&self.lists, classes.0)
    }

    /// Which tokens are numbers of these looks.
    #[inline]
    pub(in crate::rules) const fn numbers(&self, looks: Looks) -> u64 {
        any(&self.looks, looks.bits())
    }

    /// Tokens that have something right before them, or something else than white space and a word behind them.
    #[inline]
    pub(in crate::rules) const fn close(&self) -> u64 {
        self.close
    }

    /// Tokens that have a word in capitals beside them, or one token further.
    #[inline]
    pub(in crate::rules) const fn by_capitals(&self) -> u64 {
        self.by_capitals
    }

    /// Words of one letter that may begin a row of them: another one is near behind, or a mark.
    #[inline]
    pub(in crate::rules) const fn letters(&self) -> u64 {
        self.letters
    }

    /// Words with a capital letter.
    #[inline]
    pub(in crate::rules) const fn capitalised(&self) -> u64 {
        self.is(Fact::Word) & !self.is(Fact::Lower)
    }

    /// Reads the tokens of a note from `first` on. Apart from what calls it: there the loops have all registers to themselves.
    #[inline(never)]
    fn read(&mut self, tables: &Tables, view: &View<'_>, first: usize) {
        let last = view.len().min(first + GROUP);
        let (mut tokens, mut keys, mut classes) = ([Token::END; GROUP], [0; GROUP], [Classes::NONE; GROUP]);
        tokens[..last - first].copy_from_slice(&view.tokens()[first..last]);
        keys[..last - first].copy_from_slice(&view.all_keys()[first..last]);
        classes[..last - first].copy_from_slice(&view.all_classes()[first..last]);
        transpose(|row| classes[row].0, &mut self.lists);
        let facts: [u64; GROUP] = std::array::from_fn(|at| tables.facts(tokens[at], keys[at]));
        transpose(|row| facts[row], &mut self.facts);
        self.looks = [0; LOOKS];
        let numbers = self.is(Fact::Number);
        if numbers != 0 {
            let items = view.numbers_from(first + numbers.trailing_zeros() as usize);
            for (place, number) in bits(numbers).zip(items) {
                self.looks[number.look()] |= 1 << place;
            }
        }
    }
}

/// What one of the columns of a set has.
#[inline]
const fn any(columns: &[u64], set: u64) -> u64 {
    let (mut left, mut found) = (set, 0);
    while left != 0 {
        found |= columns[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    found
}

/// How many tokens behind a letter the next one of its row may stand; forms of letters with something between read no further.
pub(in crate::rules) const LETTERS_APART: usize = 6;

/// How many tokens with nothing between stand before and behind the middle of a long row.
pub(in crate::rules) const ROW_SIDE: usize = 16;

/// The steps in which so many are looked over: each doubles the last.
const ROW: [u32; 4] = [1, 2, 4, 8];

/// Words and numbers in the middle of a long row of figures, letters and marks with nothing between, among the tokens of the second
/// of three groups.
fn in_long_rows([left, here, right]: &[Group; 3]) -> u64 {
    // On one side of the middle, the row is in the group.
    if ROW.iter().fold(here.is(Fact::Joined), |row, far| row & row << far) == 0 {
        return 0;
    }
    let before = |fact| u128::from(here.is(fact)) << GROUP | u128::from(left.is(fact));
    let behind = |fact| u128::from(right.is(fact)) << GROUP | u128::from(here.is(fact));
    let joined = ROW.iter().fold(before(Fact::Joined), |row, far| row & row << far);
    let goes_on = ROW.iter().fold(behind(Fact::Joined) >> 1, |row, far| row & row >> far);
    let figures = ROW.iter().fold(before(Fact::Number), |near, far| near | near << far) >> GROUP;
    let ahead = ROW.iter().fold(behind(Fact::Number), |near, far| near | near >> far);
    let row = (joined >> GROUP) & goes_on & (figures | ahead);
    row as u64 & (here.is(Fact::Word) | here.is(Fact::Number))
}

/// The columns of a note, read group by group, and what they say of the whole note; a buffer that is used again for the next.
pub(in crate::rules) struct Columns {
    /// The group before, the one that was read last but one, and the one behind it.
    groups: [Group; 3],
    /// How the tokens of the note stand to what may come out, 64 in one.
    standing: Vec<Standing>,
}

impl Default for Columns {
    fn default() -> Self {
        Self { groups: [Group::EMPTY; 3], standing: Vec::new() }
    }
}

debug_count!(Columns, "groups", |it| it.standing.len());

impl Columns {
    /// Begins a note.
    pub(in crate::rules) fn begin(&mut self, view: &View<'_>) {
        self.standing.clear();
        self.groups = [Group::EMPTY; 3];
        self.groups[2].read(&TABLES, view, 0);
    }

    /// Goes on to the next group: its columns, and which of its words and numbers stand in the middle of a long row.
    pub(in crate::rules) fn next(&mut self, view: &View<'_>) -> (&Group, u64) {
        let behind = (self.standing.len() + 1) * GROUP;
        self.groups.rotate_left(1);
        if behind < view.len() {
            self.groups[2].read(&TABLES, view, behind);
        } else {
            self.groups[2] = Group::EMPTY;
        }
        let [last, here, next] = &mut self.groups;
        let behind = |has: fn(&Group) -> u64| u128::from(has(next)) << GROUP | u128::from(has(here));
        let apart = behind(|group| group.is(Fact::Word) & !group.is(Fact::Joined));
        let capitals = behind(|group| group.is(Fact::Upper));
        let letters = behind(|group| group.is(Fact::Word) & group.is(Fact::One));
        let marks = behind(|group| !(group.is(Fact::Word) | group.is(Fact::Number)));
        let soon = (1..=LETTERS_APART).fold(marks >> 1, |soon, far| soon | letters >> far);
        let close = here.is(Fact::Joined) | !(apart >> 1) as u64;
        let before = |far: usize| here.is(Fact::Upper) << far | last.is(Fact::Upper) >> (GROUP - far);
        let by_capitals = (capitals >> 1 | capitals >> 2) as u64 | before(1) | before(2);
        (here.close, here.by_capitals, here.letters) = (close, by_capitals, letters as u64 & soon as u64);
        self.standing.push(Standing::of(here));
        (&self.groups[1], in_long_rows(&self.groups))
    }

    /// How the tokens of the note stand to what may come out, 64 in one.
    pub(in crate::rules) fn standing(&self) -> &[Standing] {
        &self.standing
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
            in_long_rows(&[group; 3])
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
