//! What a full-text index keeps of a document: its words, with the codes of its terms at the places of their words.
//!
//! Before each word there is a slot: slot, word, slot, word ... A slot holds the number of the set of codes of the term
//! that begins at the word (`#17`), or nothing. So a code has a place like a word has, and an index that knows nothing of
//! codes finds phrases and nearness across both.
//!
//! A word is a run of letters and digits of the [folded](notesieve::text::normalize) text. Queries are cut by the same functions, so
//! that what is written the same is found.
//!
//! Numbers are given by one thread, so that they are the same whatever the threads ([`CodeSets`]); what takes time, folding
//! and cutting, needs only the numbers and can be done anywhere ([`Slots::for_each_word`]).

mod code_sets;
pub(crate) mod values;

use std::ops::Range;

use notesieve::text::normalize::Normalized;
use notesieve::text::span::Span;

pub(crate) use code_sets::coded_mentions;
pub use code_sets::{CodeSet, CodeSets};

/// What a slot begins with; no word does.
pub const SLOT: char = '#';

/// A term of a document, as an index keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term {
    /// The number of its set of codes.
    number: u32,
    /// Where it begins, in bytes.
    byte: u32,
    /// Where it stands, in code points.
    span: Span,
}

/// What stands in the slots of one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    terms: Vec<Term>,
    /// For a term that begins in the same word as the one before it: its place among the terms, and the number of the codes
    /// of both.
    shared: Vec<(u32, u32)>,
    /// The values of terms, by their places among the terms, in order.
    values: Vec<(u32, String)>,
}

impl Slots {
    /// Gives each word of the text, as its place in the folded text, with the number in its slot unless that is empty, and the values
    /// of the terms that begin in it. `folded` is room for the folded text.
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

    /// Gives each word of the folded text with the terms that begin in it; a term that begins inside a run of letters and
    /// digits stands where the run begins.
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

    /// The terms as numbers: how far each begins after the one before, how long it is, which set of codes it has; first all
    /// of the one kind, then all of the next.
    ///
    /// The first byte tells how wide the numbers are: `s` for two, one and two bytes, which nearly all notes fit into, `l` for
    /// four. They are little-endian, and offsets are code points.
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

/// The words of a text, with the bytes of the text from which each was made.
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

/// The runs of letters and digits in a folded text.
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
