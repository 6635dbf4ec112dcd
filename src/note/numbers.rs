//! The parts of the numbers of a note and the keys of all its tokens, read once.

use super::GROUP;
use super::number::Number;
use crate::bits::indices_of_bits;
use crate::buffer::release;
use crate::debug::debug_count;
use crate::text::token::{Kind, Token, token_key};

/// The numbers of a note, in the order of the text, and the keys of all its tokens; a buffer that is used again for the next. A
/// dozen rules ask for the parts of each number and the words around it, so they are read beforehand.
#[derive(Default)]
pub struct Numbers {
    items: Vec<Number>,
    /// Which tokens are numbers, 64 in one.
    places: Vec<u64>,
    keys: Vec<u64>,
}

debug_count!(Numbers, "items", |it| it.items.len());

impl Numbers {
    /// Reads the keys of tokens.
    pub(crate) fn read_keys(&mut self, folded: &str, tokens: &[Token]) {
        self.keys.clear();
        self.keys.extend(tokens.iter().map(|&token| token_key(folded, token)));
    }

    /// Where the keys of the tokens stand: the look-up of the words knows them.
    pub(crate) const fn keys_mut(&mut self) -> &mut Vec<u64> {
        &mut self.keys
    }

    /// Reads the numbers of a folded text, and tells each of their tokens which it is. The keys are known.
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

    /// Gives the buffers back that only a long note needed.
    pub(crate) fn release(&mut self) {
        release(&mut self.items);
        self.release_keys();
    }

    /// Gives the keys of a long note back, which are read anew where one is asked for.
    pub(crate) fn release_keys(&mut self) {
        release(&mut self.keys);
    }

    /// How many there are.
    pub(crate) const fn len(&self) -> usize {
        self.items.len()
    }

    /// The `nth` number of the text.
    #[inline]
    pub(crate) fn get(&self, nth: usize) -> Option<&Number> {
        self.items.get(nth)
    }

    /// The numbers from the `nth` of the text on.
    #[inline]
    pub(crate) fn numbers_from(&self, nth: usize) -> &[Number] {
        self.items.get(nth..).unwrap_or_default()
    }

    /// Which of the 64 tokens from one on are numbers.
    #[inline]
    pub(crate) fn from(&self, first: usize) -> u64 {
        let (group, place) = (first / GROUP, first % GROUP);
        let places = |group: usize| self.places.get(group).copied().unwrap_or(0);
        places(group) >> place | places(group + 1) << 1 << (GROUP - 1 - place)
    }

    /// The keys of the tokens.
    #[inline]
    pub(crate) fn keys(&self) -> &[u64] {
        &self.keys
    }
}
