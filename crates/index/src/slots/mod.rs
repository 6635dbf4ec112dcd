//! The content of a document for a full-text index: its words, with the codes of its terms at the positions of their
//! words.
//!
//! Before each word there is a slot: slot, word, slot, word ... A slot contains the number of the code set of the term
//! that begins at the word (`#17`), or nothing. So a code has a position like a word, and an index that knows nothing
//! about codes supports phrase and proximity queries across both.
//!
//! A word is a run of letters and digits of the [folded](notesieve::text::normalize) text. The same functions tokenize
//! queries, so that equal spellings match.
//!
//! One thread assigns the numbers, so that they do not depend on the number of threads ([`CodeSets`]). The expensive
//! part, folding and tokenizing, needs only the numbers and can run in any thread ([`Slots::for_each_word`]).

mod code_sets;
pub(crate) mod values;

use std::ops::Range;

use notesieve::text::normalize::Normalized;
use notesieve::text::span::Span;

pub(crate) use code_sets::coded_mentions;
pub use code_sets::{CodeSet, CodeSets};

/// The first character of a slot; no word begins with it.
pub const SLOT: char = '#';

/// A term of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term {
    /// The number of its code set.
    number: u32,
    /// Its start in bytes.
    byte: u32,
    /// Its span in code points.
    span: Span,
}

/// The content of the slots of one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    terms: Vec<Term>,
    /// For each term that begins in the same word as the previous one: its index, and the number of the union of the
    /// codes so far.
    shared: Vec<(u32, u32)>,
    /// The values of terms as pairs of the term's index and a value word, in order.
    values: Vec<(u32, String)>,
}

impl Slots {
    /// Calls `take` with each word of the text: the number in its slot, if any, the values of the terms that begin in
    /// it, the folded text, and the range of the word in it. `folded` is a buffer for the folded text.
    pub fn for_each_word(
        &self,
        text: &str,
        folded: &mut Normalized,
        mut take: impl FnMut(Option<u32>, &[(u32, String)], &str, Range<usize>),
    ) {
        folded.fold(text);
        let mut shared = self.shared.iter();
        self.for_each_folded_word(folded, |word, terms| {
            let place = |term: usize| self.values.partition_point(|&(of, _)| (of as usize) < term);
            let values = if terms.is_empty() { &[] } else { &self.values[place(terms.start)..place(terms.end)] };
            let number = match terms.len() {
                0 => None,
                1 => Some(self.terms[terms.start].number),
                // The last of several terms in one word has the codes of all.
                several => shared.nth(several - 2).map(|&(_, number)| number),
            };
            take(number, values, folded.folded(), word);
        });
    }

    /// Calls `take` with each word of the folded text and the terms that begin in it. A term that begins inside a run
    /// of letters and digits belongs to that run.
    fn for_each_folded_word(&self, folded: &Normalized, mut take: impl FnMut(Range<usize>, Range<usize>)) {
        let mut next = 0;
        let mut hint = 0;
        for word in folded_words(folded.folded()) {
            let first = next;
            if next < self.terms.len() {
                let last = word.end as u32 - 1;
                let end = folded
                    .plain_offset(last, &mut hint)
                    .map_or_else(|| folded.source_span(Span::new(last, last + 1)).end, |(at, _)| at + 1);
                while self.terms.get(next).is_some_and(|term| term.byte < end) {
                    next += 1;
                }
            }
            take(word, first..next);
        }
    }

    /// Packs the terms as three arrays: the distance of each start from the previous one, the lengths, and the numbers
    /// of the code sets.
    ///
    /// The first byte gives the width of the numbers: `s` for two, one and two bytes, which suffices for nearly all
    /// notes, `l` for four. They are little-endian, and offsets are code points.
    pub fn pack_mentions(&self) -> Vec<u8> {
        let starts = || self.terms.iter().map(|term| term.span.start);
        let steps = || starts().zip(std::iter::once(0).chain(starts())).map(|(start, before)| start - before);
        let lengths = || self.terms.iter().map(|term| term.span.end - term.span.start);
        let numbers = || self.terms.iter().map(|term| term.number);
        let mut packed = Vec::with_capacity(1 + 5 * self.terms.len());
        let is_small = steps().chain(numbers()).all(|wide| u16::try_from(wide).is_ok())
            && lengths().all(|length| u8::try_from(length).is_ok());
        if is_small {
            packed.push(b's');
            packed.extend(steps().flat_map(|step| (step as u16).to_le_bytes()));
            packed.extend(lengths().map(|length| length as u8));
            packed.extend(numbers().flat_map(|number| (number as u16).to_le_bytes()));
        } else {
            packed.push(b'l');
            packed.extend(steps().chain(lengths()).chain(numbers()).flat_map(u32::to_le_bytes));
        }
        packed
    }
}

/// Returns the words of a text, each with its span in bytes of the source.
///
/// ```
/// let words = notesieve_index::slots::words_with_spans("BP 128/72, Ménière");
/// let found: Vec<_> = words.iter().map(|(word, span)| (word.as_str(), span.start)).collect();
/// assert_eq!(found, [("bp", 0), ("128", 3), ("72", 7), ("meniere", 11)]);
/// ```
pub fn words_with_spans(text: &str) -> Vec<(String, Span)> {
    let folded = Normalized::new(text);
    let spanned = |word: Range<usize>| {
        let source = folded.source_span(Span::new(word.start as u32, word.end as u32));
        (folded.folded()[word].to_owned(), source)
    };
    folded_words(folded.folded()).map(spanned).collect()
}

/// Iterates over the runs of letters and digits in a folded text.
fn folded_words(folded: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + folded[at..].find(char::is_alphanumeric)?;
        let rest = &folded[start..];
        at = start + rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        Some(start..at)
    })
}

#[cfg(test)]
mod tests;
