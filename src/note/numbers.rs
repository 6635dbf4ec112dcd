//! The parsed numbers of a note and the keys of all its tokens, computed once.

use super::GROUP;
use super::number::Number;
use crate::bits::indices_of_bits;
use crate::buffer::release;
use crate::debug::debug_count;
use crate::text::token::{Kind, Token, token_key};

/// The numbers of a note in text order, and the keys of all its tokens; a buffer that is reused from note to note.
/// Computed in advance because a dozen rules read each number and the words around it.
#[derive(Default)]
pub struct Numbers {
    items: Vec<Number>,
    /// A bitmask of the tokens that are numbers, 64 per item.
    places: Vec<u64>,
    keys: Vec<u64>,
}

debug_count!(Numbers, "items", |it| it.items.len());

impl Numbers {
    /// Computes the keys of tokens.
    pub(crate) fn read_keys(&mut self, folded: &str, tokens: &[Token]) {
        self.keys.clear();
        self.keys.extend(tokens.iter().map(|&token| token_key(folded, token)));
    }

    /// Returns the buffer of the keys, which the word lookup fills.
    pub(crate) const fn keys_mut(&mut self) -> &mut Vec<u64> {
        &mut self.keys
    }

    /// Parses the numbers of a folded text, and stores in each of their tokens which number it is. The keys must be
    /// known.
    pub(crate) fn read_numbers(&mut self, folded: &str, tokens: &mut [Token]) {
        debug_assert!(tokens.iter().map(|&token| token_key(folded, token)).eq(self.keys.iter().copied()));
        let Self { items, places, keys: _ } = self;
        items.clear();
        places.clear();
        for group in tokens.chunks_mut(GROUP) {
            let numbers =
                group.iter().rev().fold(0, |numbers, token| numbers << 1 | u64::from(token.kind == Kind::Number));
            places.push(numbers);
            for place in indices_of_bits(numbers) {
                let token = &mut group[place];
                token.set_number(items.len());
                let span = token.span().range();
                let text = folded.as_bytes().get(span.start..).unwrap_or_default();
                let nth = items.len();
                items.push(Number::EMPTY);
                let number = &mut items[nth];
                if !text.first_chunk().is_some_and(|head| number.read_short(*head, span.len())) {
                    number.read(text.get(..span.len()).unwrap_or_default());
                }
            }
        }
    }

    /// Frees buffers that only a long note needs.
    pub(crate) fn release(&mut self) {
        release(&mut self.items);
        self.release_keys();
    }

    /// Frees the keys of a long note, which are recomputed on demand.
    pub(crate) fn release_keys(&mut self) {
        release(&mut self.keys);
    }

    /// Returns the number of numbers.
    pub(crate) const fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns the `nth` number of the text.
    #[inline]
    pub(crate) fn get(&self, nth: usize) -> Option<&Number> {
        self.items.get(nth)
    }

    /// Returns the numbers of the text from the `nth` on.
    #[inline]
    pub(crate) fn numbers_from(&self, nth: usize) -> &[Number] {
        self.items.get(nth..).unwrap_or_default()
    }

    /// Returns a bitmask of the 64 tokens from `first` on that are numbers.
    #[inline]
    pub(crate) fn number_bits_from(&self, first: usize) -> u64 {
        let (group, place) = (first / GROUP, first % GROUP);
        let places = |group: usize| self.places.get(group).copied().unwrap_or(0);
        places(group) >> place | places(group + 1) << 1 << (GROUP - 1 - place)
    }

    /// Returns the keys of the tokens.
    #[inline]
    pub(crate) fn keys(&self) -> &[u64] {
        &self.keys
    }
}
