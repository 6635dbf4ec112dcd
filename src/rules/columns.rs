//! A note by columns: what is true of 64 tokens is the 64 bits of one number.
//!
//! Whether a rule has anything to look for at a word depends on what stands around it: a capital letter two words on, a name
//! before it, one of a few words. Token by token that is a chain of branches that are often mispredicted; by columns it is
//! an operation or two for 64 tokens at once. Columns say where a rule may find something, never what it finds.

use std::ops::Range;

use super::View;
pub(super) use super::facts::Fact;
use super::facts::{TABLES, Tables, column_of};
use super::name::{NAMES, ORDINARY};
use super::standing::Standing;
use super::transpose::transpose;
use crate::token::Token;
use crate::vocabulary::{Class, Classes};

/// How many tokens a group has.
pub(crate) const GROUP: usize = 64;

const _: () = assert!(Class::ALL.len() <= GROUP, "a group has one column for each list");

/// The columns of 64 tokens; bit `k` of each is the `k`-th token.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Group {
    /// First of all: to where the commonest of them stand, instructions are short.
    facts: [u64; GROUP],
    lists: [u64; GROUP],
    /// Words on no list of ordinary words.
    unlisted: u64,
}

impl Group {
    /// Of which tokens the fact holds.
    #[inline]
    pub(super) const fn is(&self, fact: Fact) -> u64 {
        self.facts[fact as usize]
    }

    /// Which tokens are this mark, one of those with a column.
    #[inline]
    pub(super) const fn mark(&self, mark: u8) -> u64 {
        self.facts[column_of(mark)]
    }

    /// Which tokens are one of these marks.
    #[inline]
    pub(super) const fn marks<const COUNT: usize>(&self, marks: &[u8; COUNT]) -> u64 {
        let (mut at, mut found) = (0, 0);
        while at < COUNT {
            found |= self.mark(marks[at]);
            at += 1;
        }
        found
    }

    /// Words written in capitals, one letter or several.
    #[inline]
    pub(super) const fn capitals(&self) -> u64 {
        self.is(Fact::Upper) | self.is(Fact::One) & self.capitalised()
    }

    /// Which tokens stand on a list.
    #[inline]
    pub(super) const fn on(&self, class: Class) -> u64 {
        self.lists[class as usize]
    }

    /// Which tokens stand on one of the lists.
    #[inline]
    pub(super) const fn any(&self, classes: Classes) -> u64 {
        let (mut left, mut found) = (classes.0, 0);
        while left != 0 {
            found |= self.lists[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        found
    }

    /// Which words stand on none of the lists.
    #[inline]
    pub(super) const fn none(&self, classes: Classes) -> u64 {
        self.is(Fact::Word) & !self.any(classes)
    }

    /// Words with a capital letter.
    #[inline]
    pub(super) const fn capitalised(&self) -> u64 {
        self.is(Fact::Word) & !self.is(Fact::Lower)
    }

    /// Words with a capital letter and small ones.
    #[inline]
    pub(super) const fn name_like(&self) -> u64 {
        self.capitalised() & !self.is(Fact::Upper)
    }

    /// Words on no list of ordinary words.
    #[inline]
    pub(super) const fn unlisted(&self) -> u64 {
        self.unlisted
    }

    /// Words that may be a name: on a list of names, or on no list of ordinary words.
    #[inline]
    pub(super) const fn maybe_names(&self) -> u64 {
        self.any(NAMES) | self.unlisted
    }
}

impl Group {
    /// What stands outside a note.
    fn outside(tables: &Tables) -> Self {
        let outside = tables.facts(Token::END, 0);
        let facts = std::array::from_fn(|fact| if outside >> fact & 1 != 0 { u64::MAX } else { 0 });
        Self { facts, lists: [0; GROUP], unlisted: 0 }
    }

    /// Reads 64 tokens; behind the last one of a note stands [`Token::END`]. Apart from what calls it: there the loop has all
    /// registers to itself.
    #[inline(never)]
    fn read(&mut self, tables: &Tables, tokens: &[Token; GROUP], keys: &[u64; GROUP], classes: &[Classes; GROUP]) {
        transpose(|row| classes[row].0, &mut self.lists);
        let mut facts = [0; GROUP];
        // Some at a time, that the loop itself takes little.
        let some = tokens.as_chunks::<4>().0.iter().zip(keys.as_chunks::<4>().0);
        for (facts, (tokens, keys)) in facts.as_chunks_mut::<4>().0.iter_mut().zip(some) {
            *facts = std::array::from_fn(|at| tables.facts(tokens[at], keys[at]));
        }
        transpose(|row| facts[row], &mut self.facts);
        self.unlisted = self.none(ORDINARY);
    }
}

/// Some tokens of a note, and those before and behind them.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    left: &'a Group,
    here: &'a Group,
    right: &'a Group,
}

impl Around<'_> {
    /// The tokens themselves.
    #[inline]
    pub(super) const fn here(&self) -> &Group {
        self.here
    }

    /// Which tokens have something `far` before them.
    #[inline]
    pub(super) fn before(&self, far: u32, has: impl Fn(&Group) -> u64) -> u64 {
        has(self.here) << far | has(self.left) >> (GROUP as u32 - far)
    }

    /// Which tokens have something `far` behind them.
    #[inline]
    pub(super) fn behind(&self, far: u32, has: impl Fn(&Group) -> u64) -> u64 {
        has(self.here) >> far | has(self.right) << (GROUP as u32 - far)
    }

    /// Which tokens have something up to `far` before them.
    #[inline]
    pub(super) fn up_to_before(&self, far: u32, has: impl Fn(&Group) -> u64) -> u64 {
        let mut near = self.up_to_here(has) << 1;
        let mut reach = 1;
        while reach < far {
            let step = if 2 * reach > far { far - reach } else { reach };
            near |= near << step;
            reach += step;
        }
        (near >> GROUP) as u64
    }

    /// Which tokens have something up to `far` behind them.
    #[inline]
    pub(super) fn up_to_behind(&self, far: u32, has: impl Fn(&Group) -> u64) -> u64 {
        let mut near = self.on_from_here(has) >> 1;
        let mut reach = 1;
        while reach < far {
            let step = if 2 * reach > far { far - reach } else { reach };
            near |= near >> step;
            reach += step;
        }
        near as u64
    }

    /// At which tokens begins what ends with an end, up to 16 on, and has nothing before it but what passes. The token itself may
    /// be the end. Those behind the group have the bits above it.
    #[inline]
    pub(super) fn leads(&self, passes: impl Fn(&Group) -> u64, ends: u128) -> u128 {
        let (mut passes, mut leads) = (self.on_from_here(passes), ends);
        for far in ROW {
            leads |= passes & leads >> far;
            passes &= passes >> far;
        }
        leads
    }

    /// The tokens before the group and its own, which have the bits above theirs.
    #[inline]
    pub(super) fn up_to_here(&self, has: impl Fn(&Group) -> u64) -> u128 {
        u128::from(has(self.here)) << GROUP | u128::from(has(self.left))
    }

    /// The tokens of the group and those behind it, which have the bits above theirs.
    #[inline]
    pub(super) fn on_from_here(&self, has: impl Fn(&Group) -> u64) -> u128 {
        u128::from(has(self.right)) << GROUP | u128::from(has(self.here))
    }
}

/// How many tokens with nothing between stand before and behind the middle of a long row.
pub(super) const ROW_SIDE: usize = 16;

/// The steps in which so many are looked over: each doubles the last.
pub(super) const ROW: [u32; 4] = [1, 2, 4, 8];

impl Around<'_> {
    /// Words and numbers in the middle of a long row of figures, letters and marks with nothing between.
    pub(super) fn in_long_rows(&self) -> u64 {
        // On one side of the middle, the row is in the group.
        if ROW.iter().fold(self.here.is(Fact::Joined), |row, far| row & row << far) == 0 {
            return 0;
        }
        let before = |fact| self.up_to_here(|group| group.is(fact));
        let behind = |fact| self.on_from_here(|group| group.is(fact));
        let joined = ROW.iter().fold(before(Fact::Joined), |row, far| row & row << far);
        let goes_on = ROW.iter().fold(behind(Fact::Joined) >> 1, |row, far| row & row >> far);
        let figures = ROW.iter().fold(before(Fact::Number), |near, far| near | near << far) >> GROUP;
        let ahead = ROW.iter().fold(behind(Fact::Number), |near, far| near | near >> far);
        let row = (joined >> GROUP) & goes_on & (figures | ahead);
        row as u64 & (self.here.is(Fact::Word) | self.here.is(Fact::Number))
    }
}

/// How many groups are dealt with before the next ones are read.
pub(super) const BLOCK: usize = 16;

/// Where the group outside the note is kept.
const OUTSIDE: usize = BLOCK + 2;

/// The columns of a block of a note; a buffer that is used again for the next block and the next note.
#[derive(Default)]
pub(super) struct Columns {
    /// One more stands before the block, and one behind it; at [`OUTSIDE`] what has no token.
    groups: Vec<Group>,
    /// Which of them are of the note.
    read: Range<usize>,
    /// How the tokens of the whole note stand to what may come out, as far as it was read.
    standing: Vec<Standing>,
}

/// Tells how much was read and nothing of what it says.
impl std::fmt::Debug for Columns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Columns").field("groups", &self.standing.len()).finish_non_exhaustive()
    }
}

impl Columns {
    /// Forgets the note before: the next may have no tokens, so that nothing of it is read.
    pub(super) fn begin(&mut self) {
        self.standing.clear();
    }

    /// Reads the block that begins with the group `start`; blocks are read one after the other, from the first on.
    pub(super) fn read(&mut self, view: &View<'_>, start: usize) {
        let tables = &*TABLES;
        if self.groups.is_empty() {
            self.groups.resize(OUTSIDE + 1, Group::outside(tables));
        }
        if start != 0 {
            self.groups.copy_within(BLOCK..OUTSIDE, 0);
        }
        let read = self.standing.len();
        let next = read + 1 - start;
        let (tokens, last_tokens) = view.tokens().as_chunks();
        let (keys, last_keys) = view.all_keys().as_chunks();
        let (classes, last_classes) = view.all_classes().as_chunks();
        let whole = tokens.iter().zip(keys).zip(classes).skip(read);
        for (group, ((tokens, keys), classes)) in self.groups[next..OUTSIDE].iter_mut().zip(whole) {
            group.read(tables, tokens, keys, classes);
            self.standing.push(Standing::of(group));
        }
        let mut next = self.standing.len() + 1 - start;
        if let Some(group) = self.groups[..OUTSIDE].get_mut(next)
            && self.standing.len() == tokens.len()
            && !last_tokens.is_empty()
        {
            let (mut tokens, mut keys, mut classes) = ([Token::END; GROUP], [0; GROUP], [Classes::NONE; GROUP]);
            tokens[..last_tokens.len()].copy_from_slice(last_tokens);
            keys[..last_keys.len()].copy_from_slice(last_keys);
            classes[..last_classes.len()].copy_from_slice(last_classes);
            group.read(tables, &tokens, &keys, &classes);
            self.standing.push(Standing::of(group));
            next += 1;
        }
        self.read = usize::from(start == 0)..next;
    }

    /// How the tokens of the note stand to what may come out, 64 in one.
    pub(super) fn standing(&self) -> &[Standing] {
        &self.standing
    }

    /// The tokens of a group of the block and what stands around them.
    #[inline]
    pub(super) fn around(&self, nth: usize) -> Around<'_> {
        let group = |nth| &self.groups[if self.read.contains(&nth) { nth } else { OUTSIDE }];
        Around { left: group(nth), here: &self.groups[nth + 1], right: group(nth + 2) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_hold_figures_and_have_ends() {
        let rows = |joined: u64, numbers: u64| {
            let mut groups = [Group { lists: [0; GROUP], facts: [0; GROUP], unlisted: 0 }; 3];
            for group in &mut groups {
                group.facts[Fact::Joined as usize] = joined;
                group.facts[Fact::Number as usize] = numbers;
                group.facts[Fact::Word as usize] = !numbers;
            }
            Around { left: &groups[0], here: &groups[1], right: &groups[2] }.in_long_rows()
        };
        assert_eq!(rows(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(rows(u64::MAX, 0), 0, "letters alone are no such row");
        assert_eq!(rows(u64::MAX, 1), 0xFFFF | u64::MAX << 49, "figures are near");
        // The row begins at the second token of each group; the one before its first has white space before it.
        let middle = u64::MAX << 16 & u64::MAX >> 16;
        assert_eq!(rows(!1, u64::MAX) & !middle, 0, "the ends of a row are read as ever");
        assert_ne!(rows(!1, u64::MAX) & middle, 0);
    }

    #[test]
    fn neighbours_are_found_over_the_border_of_a_group() {
        let group = |first: bool, last: bool| {
            let mut group = Group { lists: [0; GROUP], facts: [0; GROUP], unlisted: 0 };
            group.facts[Fact::Word as usize] = u64::from(first) | u64::from(last) << 63;
            group
        };
        let (left, here, right) = (group(false, true), group(false, false), group(true, false));
        let around = Around { left: &left, here: &here, right: &right };
        assert_eq!(around.before(1, |group| group.is(Fact::Word)), 1);
        assert_eq!(around.before(3, |group| group.is(Fact::Word)), 1 << 2);
        assert_eq!(around.behind(1, |group| group.is(Fact::Word)), 1 << 63);
        assert_eq!(around.behind(3, |group| group.is(Fact::Word)), 1 << 61);
    }
}
