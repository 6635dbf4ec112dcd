//! Numbering of code sets.

use std::collections::HashMap;

use notesieve::document::{Document, Mention};
use notesieve::status::Status;
use notesieve::text::normalize::Normalized;
use notesieve::vocabulary::{EntryId, Vocabulary};

use super::{Slots, Term, values};

/// A placeholder for a number that was not looked up yet.
const UNKNOWN: u32 = u32::MAX;

/// A set of codes with the statuses of the mention.
pub type CodeSet = (Vec<String>, Status);

/// Assigns numbers to code sets.
///
/// The codes of a term (*pneumonia*: `mesh:D011014`, `hp:0002090` ...) are a set, and the same codes with a status such
/// as negated are another set. The number of a set is its index in order of first appearance.
#[derive(Debug)]
pub struct CodeSets {
    vocabulary: Vocabulary,
    sets: Vec<CodeSet>,
    numbers: HashMap<CodeSet, u32>,
    /// A cache of the number of each entry's set for affirmed mentions, or [`UNKNOWN`].
    of_entry: Vec<u32>,
    /// The same cache for mentions with a status.
    of_said: HashMap<(EntryId, Status), u32>,
}

impl CodeSets {
    /// Continues with the code sets of an existing index.
    #[must_use]
    pub fn new(vocabulary: Vocabulary, sets: Vec<CodeSet>) -> Self {
        let numbers = sets.iter().cloned().zip(0..).collect();
        Self { vocabulary, sets, numbers, of_entry: Vec::new(), of_said: HashMap::new() }
    }

    /// Returns all code sets so far.
    pub fn sets(&self) -> &[CodeSet] {
        &self.sets
    }

    /// Assigns numbers to the mentions in a document, which are in order and located by the code points of `output`.
    pub fn slots_of_document(&mut self, document: &Document) -> Slots {
        let text = &document.text;
        let mut bytes = ByteOffsets::of_text(text);
        let terms: Vec<Term> = coded_mentions(document)
            .map(|mention| Term {
                number: self.number_of_entry(mention.entry, mention.assertion.status),
                byte: bytes.byte_of_point(mention.output.start),
                span: mention.output,
            })
            .collect();
        let attributes = (0..).zip(coded_mentions(document)).filter(|(_, mention)| mention.attributes.is_some());
        let words = |(at, mention): (u32, &Mention)| {
            let found = document.attributes_of(mention);
            let number = terms[at as usize].number;
            std::iter::once(found)
                .chain(&found.further)
                .filter_map(move |one| Some((at, values::word_of_value(number, one)?)))
                .collect::<Vec<_>>()
        };
        let values = attributes.flat_map(words).collect();
        let mut slots = Slots { terms, shared: Vec::new(), values };
        let near = |pair: &[Term]| may_share(&text.as_bytes()[pair[0].byte as usize..pair[1].byte as usize]);
        if slots.terms.windows(2).any(near) {
            let mut shared = Vec::new();
            slots.for_each_folded_word(&Normalized::new(text), |_, terms| {
                let mut number = slots.terms.get(terms.start).map_or(0, |term| term.number);
                for at in terms.skip(1) {
                    number = self.number_of_union(number, slots.terms[at].number);
                    shared.push((at as u32, number));
                }
            });
            slots.shared = shared;
        }
        slots
    }

    pub(super) fn number_of_entry(&mut self, entry: EntryId, status: Status) -> u32 {
        if !status.is_affirmed() {
            if let Some(&number) = self.of_said.get(&(entry, status)) {
                return number;
            }
            let number = self.number_of_set((self.codes_of(entry), status));
            self.of_said.insert((entry, status), number);
            return number;
        }
        let at = entry.0 as usize;
        if let Some(&number) = self.of_entry.get(at).filter(|&&number| number != UNKNOWN) {
            return number;
        }
        let number = self.number_of_set((self.codes_of(entry), status));
        if self.of_entry.len() <= at {
            self.of_entry.resize(at + 1, UNKNOWN);
        }
        self.of_entry[at] = number;
        number
    }

    fn codes_of(&self, entry: EntryId) -> Vec<String> {
        self.vocabulary.entry_concepts(entry).map(|id| self.vocabulary.curie(id)).collect()
    }

    /// Returns the number of the union of two terms that begin inside one word, with only the statuses that both have.
    fn number_of_union(&mut self, first: u32, second: u32) -> u32 {
        let (mut codes, status) = self.sets[first as usize].clone();
        let (others, other) = &self.sets[second as usize];
        for code in others {
            if !codes.contains(code) {
                codes.push(code.clone());
            }
        }
        self.number_of_set((codes, status & *other))
    }

    pub(super) fn number_of_set(&mut self, set: CodeSet) -> u32 {
        if let Some(&number) = self.numbers.get(&set) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }
}

/// Returns the mentions of a document that have a code; ambiguous abbreviations have none.
pub(crate) fn coded_mentions(document: &Document) -> impl Iterator<Item = &Mention> {
    document.concepts.iter().filter(|mention| !mention.assertion.ambiguous)
}

/// Returns whether two terms may begin in one word, given the bytes from the start of the first to the start of the
/// second: `false` if a word certainly ends in between.
fn may_share(between: &[u8]) -> bool {
    let mut in_word = false;
    !between.iter().any(|byte| {
        in_word |= byte.is_ascii_alphanumeric();
        in_word && (byte.is_ascii_punctuation() || byte.is_ascii_whitespace())
    })
}

/// Converts code points to byte offsets, in ascending order.
struct ByteOffsets<'a> {
    text: &'a str,
    is_ascii: bool,
    point: u32,
    byte: u32,
}

impl<'a> ByteOffsets<'a> {
    fn of_text(text: &'a str) -> Self {
        Self { text, is_ascii: text.is_ascii(), point: 0, byte: 0 }
    }

    fn byte_of_point(&mut self, point: u32) -> u32 {
        if self.is_ascii {
            return point.min(self.text.len() as u32);
        }
        let mut letters = self.text[self.byte as usize..].chars();
        if let Some(more) = point.checked_sub(self.point + 1) {
            letters.nth(more as usize);
            self.byte = (self.text.len() - letters.as_str().len()) as u32;
            self.point = point;
        }
        self.byte
    }
}
