//! The columns of 64 tokens: word lists, facts and number shapes.

use super::Note;
use super::facts::{Fact, FactTables, GROUP, column_of_mark};
use crate::bits::indices_of_bits;
use crate::note::{NumberShapes, SHAPES};
use crate::text::token::Token;
use crate::transpose::transpose;
use crate::vocabulary::{Class, Classes};

const _: () = assert!(Class::ALL.len() <= GROUP, "a group has one column for each list");

/// The columns of 64 tokens; bit `k` of each is the `k`-th token.
#[derive(Clone, Copy)]
pub(in crate::rules) struct Group {
    pub(super) facts: [u64; GROUP],
    lists: [u64; GROUP],
    /// The numbers, by shape.
    number_shapes: [u64; SHAPES],
    /// See [`Group::glued_tokens`] and [`Group::beside_capitals`].
    pub(super) glued: u64,
    pub(super) near_capitals: u64,
    /// See [`Group::single_letters`].
    pub(super) letters: u64,
}

impl Group {
    /// The group outside a note.
    pub(super) const EMPTY: Self = Self {
        facts: [0; GROUP],
        lists: [0; GROUP],
        number_shapes: [0; SHAPES],
        glued: 0,
        near_capitals: 0,
        letters: 0,
    };

    /// Returns the tokens for which the fact holds.
    #[inline]
    pub(in crate::rules) const fn tokens_with_fact(&self, fact: Fact) -> u64 {
        self.facts[fact as usize]
    }

    /// Returns the tokens that are this mark.
    #[inline]
    pub(in crate::rules) const fn tokens_with_mark(&self, mark: u8) -> u64 {
        self.facts[column_of_mark(mark)]
    }

    /// Returns the tokens on one of the lists.
    #[inline]
    pub(in crate::rules) const fn any(&self, classes: Classes) -> u64 {
        any(&self.lists, classes.0)
    }

    /// Returns the numbers of these shapes.
    #[inline]
    pub(in crate::rules) const fn number_tokens(&self, shapes: NumberShapes) -> u64 {
        any(&self.number_shapes, shapes.bits())
    }

    /// Returns the tokens that follow another without white space, or that anything but white space and a word follows.
    #[inline]
    pub(in crate::rules) const fn glued_tokens(&self) -> u64 {
        self.glued
    }

    /// Returns the tokens with a word in capitals at most two tokens away.
    #[inline]
    pub(in crate::rules) const fn beside_capitals(&self) -> u64 {
        self.near_capitals
    }

    /// Returns the one-letter words that may begin a row of them: another one, or a mark, follows closely.
    #[inline]
    pub(in crate::rules) const fn single_letters(&self) -> u64 {
        self.letters
    }

    /// Returns the words with a capital letter.
    #[inline]
    pub(in crate::rules) const fn capitalised_words(&self) -> u64 {
        self.tokens_with_fact(Fact::Word) & !self.tokens_with_fact(Fact::Lower)
    }

    /// Reads the tokens of a note from `first` on. Not inlined, so that its loops have all registers.
    #[inline(never)]
    pub(super) fn read_tokens(&mut self, tables: &FactTables, note: &Note<'_>, first: usize) {
        let last = note.len().min(first + GROUP);
        let (mut tokens, mut keys, mut classes) = ([Token::END; GROUP], [0; GROUP], [Classes::NONE; GROUP]);
        tokens[..last - first].copy_from_slice(&note.tokens()[first..last]);
        keys[..last - first].copy_from_slice(&note.all_keys()[first..last]);
        classes[..last - first].copy_from_slice(&note.all_classes()[first..last]);
        transpose(|row| classes[row].0, &mut self.lists);
        let facts: [u64; GROUP] = std::array::from_fn(|at| tables.facts_of_token(tokens[at], keys[at]));
        transpose(|row| facts[row], &mut self.facts);
        self.number_shapes = [0; SHAPES];
        let numbers = self.tokens_with_fact(Fact::Number);
        if numbers != 0 {
            let items = note.numbers_from(first + numbers.trailing_zeros() as usize);
            for (place, number) in indices_of_bits(numbers).zip(items) {
                self.number_shapes[number.shape_index()] |= 1 << place;
            }
        }
    }
}

/// Returns the union of the columns in a set.
#[inline]
const fn any(columns: &[u64], set: u64) -> u64 {
    let (mut left, mut found) = (set, 0);
    while left != 0 {
        found |= columns[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    found
}
