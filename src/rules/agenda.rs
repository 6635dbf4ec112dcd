//! Which rule is asked at which tokens, for a block of a note at a time.

use super::beside::Figures;
use super::columns::{BLOCK, Columns, GROUP};
use super::table::{COUNT, plan};
use super::{CODE_ROW, View};

/// Where each rule is to be asked in a block of tokens. One rule is asked at all of its places before the next rule is: the machine
/// has room for the instructions of some rules, not of all.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    pub(super) columns: Columns,
    /// The numbers by group of the block.
    figures: Vec<Figures>,
    /// By group of the block and rule; one bit a token.
    places: Vec<[u64; COUNT]>,
    /// Where rules are asked, in the order of the rules, then of the groups.
    pub(super) asks: Vec<Ask>,
}

/// A rule is asked at some of the tokens of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask {
    /// One bit a token; those still to come.
    pub(super) places: u64,
    /// The first token of the group.
    pub(super) first: u32,
    pub(super) rule: u16,
}

/// For each rule some of the groups of a block, one bit each: four rules in one number.
pub(super) type Fours = [u64; FOURS];

/// How many numbers that takes.
pub(super) const FOURS: usize = COUNT.div_ceil(4);

const _: () = assert!(4 * BLOCK == GROUP, "the groups of four rules are 64 bits");

impl Agenda {
    /// Reads the block of `groups` groups that begins with the group `start`.
    pub(super) fn read(&mut self, view: &View<'_>, start: usize, groups: usize) {
        self.columns.read(view, start);
        self.places.resize(BLOCK, [0; COUNT]);
        self.figures.resize_with(BLOCK, Figures::default);
        // All groups one after the other, then again: there is no room for the instructions of both.
        for (nth, figures) in self.figures.iter_mut().enumerate().take(groups) {
            figures.read(view, (start + nth) * GROUP, &self.columns.around(nth));
        }
        let mut asked = [0; FOURS];
        for (nth, (places, figures)) in self.places.iter_mut().zip(&self.figures).enumerate().take(groups) {
            let around = self.columns.around(nth);
            // No other rule has anything to say there, and each would read the row again from each of its tokens.
            let rows = around.in_long_rows();
            let mut some = plan(&around, figures, rows, places);
            if rows != 0 {
                let rule = usize::from(CODE_ROW);
                places[rule] = rows;
                some[rule / 4] |= 1 << (rule % 4 * BLOCK);
            }
            for (asked, some) in asked.iter_mut().zip(some) {
                *asked |= some << nth;
            }
        }
        self.list(start, asked);
    }

    /// Lists what is asked in the groups from `start` on.
    fn list(&mut self, start: usize, mut asked: Fours) {
        const NOTHING: Ask = Ask { places: 0, first: 0, rule: 0 };
        self.asks.resize(BLOCK * COUNT + 1, NOTHING);
        let Some(places) = self.places.first_chunk::<BLOCK>() else { return };
        // One loop over all numbers and their bits. Where a number is empty, the next one writes over what is written.
        let (mut four, mut count) = (0, 0);
        while let Some(left) = asked.get_mut(four) {
            let bit = left.trailing_zeros() as usize % GROUP;
            let (rule, nth) = (4 * four + bit / BLOCK, bit % BLOCK);
            self.asks[count] =
                Ask { places: places[nth][rule], first: ((start + nth) * GROUP) as u32, rule: rule as u16 };
            count += usize::from(*left != 0);
            *left &= left.wrapping_sub(1);
            four += usize::from(*left == 0);
        }
        self.asks[count] = NOTHING;
    }
}
