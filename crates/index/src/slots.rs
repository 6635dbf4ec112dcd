//! What a full-text index keeps of a document: its words, with the codes of its terms at the places of their words.
//!
//! Before each word there is a slot: slot, word, slot, word ... A slot holds the number of the set of codes of the term
//! that begins at the word (`#17`), or nothing. So a code has a place like a word has, and an index that knows nothing of
//! codes finds phrases and nearness across both.
//!
//! A word is a run of letters and digits of the [folded](notesieve::normalize) text. Queries are cut by the same functions, so
//! that what is written the same is found.
//!
//! Numbers are given by one thread, so that they are the same whatever the threads ([`CodeSets`]); what takes time, folding
//! and cutting, needs only the numbers and can be done anywhere ([`Slots::each`]).

use std::collections::HashMap;
use std::ops::Range;

use notesieve::concepts::context::Status;
use notesieve::document::Mention;
use notesieve::normalize::Normalized;
use notesieve::span::Span;
use notesieve::vocabulary::{EntryId, Vocabulary};

use crate::words::Words;

/// What a slot begins with; no word does.
pub const SLOT: char = '#';

/// The number of no set.
const UNKNOWN: u32 = u32::MAX;

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
}

/// A set of codes, and what the text says of them.
pub type CodeSet = (Vec<String>, Status);

/// Gives numbers to the sets of codes that it meets.
///
/// The codes of a term (*pneumonia*: `mesh:D011014`, `hp:0002090` ...) are a set, another one where the term is negated or
/// otherwise not simply said of the patient. The number of a set is its place among the sets, in the order in which they were
/// first met.
#[derive(Debug)]
pub struct CodeSets {
    vocabulary: Vocabulary,
    sets: Vec<CodeSet>,
    numbers: HashMap<CodeSet, u32>,
    /// For each entry of the vocabulary what was looked up before for a simple mention, or [`UNKNOWN`].
    of_entry: Vec<u32>,
    /// The same for mentions of which more is said.
    of_said: HashMap<(EntryId, Status), u32>,
}

impl CodeSets {
    /// Goes on where another stopped: `sets` are those of an index so far.
    #[must_use]
    pub fn new(vocabulary: Vocabulary, sets: Vec<CodeSet>) -> Self {
        let numbers = sets.iter().cloned().zip(0..).collect();
        Self { vocabulary, sets, numbers, of_entry: Vec::new(), of_said: HashMap::new() }
    }

    /// All sets of codes so far.
    pub fn sets(&self) -> &[CodeSet] {
        &self.sets
    }

    /// Numbers the terms in a text, which are in order and told by the code points of `output`.
    pub fn slots(&mut self, text: &str, mentions: &[Mention]) -> Slots {
        let mut bytes = Bytes::of(text);
        let terms: Vec<Term> = mentions
            .iter()
            // Of a short form of which nothing tells what it means nothing is found.
            .filter(|mention| !mention.said.ambiguous)
            .map(|mention| Term {
                number: self.number_of(mention.entry, mention.said.status),
                byte: bytes.of_point(mention.output.start),
                span: mention.output,
            })
            .collect();
        let mut slots = Slots { terms, shared: Vec::new() };
        let near = |pair: &[Term]| may_share(&text.as_bytes()[pair[0].byte as usize..pair[1].byte as usize]);
        if slots.terms.windows(2).any(near) {
            let mut shared = Vec::new();
            slots.each_word(&Normalized::new(text), |_, terms| {
                let mut number = slots.terms.get(terms.start).map_or(0, |term| term.number);
                for at in terms.skip(1) {
                    number = self.both(number, slots.terms[at].number);
                    shared.push((at as u32, number));
                }
            });
            slots.shared = shared;
        }
        slots
    }

    fn number_of(&mut self, entry: EntryId, status: Status) -> u32 {
        if !status.is_affirmed() {
            if let Some(&number) = self.of_said.get(&(entry, status)) {
                return number;
            }
            let number = self.number((self.codes_of(entry), status));
            self.of_said.insert((entry, status), number);
            return number;
        }
        let at = entry.0 as usize;
        if let Some(&number) = self.of_entry.get(at).filter(|&&number| number != UNKNOWN) {
            return number;
        }
        let number = self.number((self.codes_of(entry), status));
        if self.of_entry.len() <= at {
            self.of_entry.resize(at + 1, UNKNOWN);
        }
        self.of_entry[at] = number;
        number
    }

    fn codes_of(&self, entry: EntryId) -> Vec<String> {
        self.vocabulary.entry_concepts(entry).map(|id| self.vocabulary.curie(id)).collect()
    }

    /// The number of the codes of two terms that begin inside one word. What is said of one alone is said of neither.
    fn both(&mut self, first: u32, second: u32) -> u32 {
        let (mut codes, status) = self.sets[first as usize].clone();
        let (others, other) = &self.sets[second as usize];
        for code in others {
            if !codes.contains(code) {
                codes.push(code.clone());
            }
        }
        self.number((codes, status & *other))
    }

    fn number(&mut self, set: CodeSet) -> u32 {
        if let Some(&number) = self.numbers.get(&set) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }
}

/// Whether what begins at the first of these bytes and what begins behind them can stand in one word: no word surely ends
/// between them.
fn may_share(between: &[u8]) -> bool {
    let mut in_word = false;
    !between.iter().any(|byte| {
        in_word |= byte.is_ascii_alphanumeric();
        in_word && (byte.is_ascii_punctuation() || byte.is_ascii_whitespace())
    })
}

impl Slots {
    /// Gives each word of the text, as its place in the folded text, with the number in its slot unless that is empty.
    /// `folded` is room for the folded text.
    pub fn each(&self, text: &str, folded: &mut Normalized, mut take: impl FnMut(Option<u32>, &str, Range<usize>)) {
        folded.fold(text);
        let mut shared = self.shared.iter();
        self.each_word(folded, |word, terms| {
            let number = match terms.len() {
                0 => None,
                1 => Some(self.terms[terms.start].number),
                // The last of several terms in one word has the codes of all.
                several => shared.nth(several - 2).map(|&(_, number)| number),
            };
            take(number, folded.folded(), word);
        });
    }

    /// Gives each word of the folded text with the terms that begin in it; a term that begins inside a run of letters and
    /// digits stands where the run begins.
    fn each_word(&self, folded: &Normalized, mut take: impl FnMut(Range<usize>, Range<usize>)) {
        let mut next = 0;
        let mut hint = 0;
        for word in Words::of(folded) {
            let first = next;
            if next < self.terms.len() {
                let last = word.end as u32 - 1;
                let end = folded
                    .plain(last, &mut hint)
                    .map_or_else(|| folded.to_source(Span::new(last, last + 1)).end, |(at, _)| at + 1);
                while self.terms.get(next).is_some_and(|term| term.byte < end) {
                    next += 1;
                }
            }
            take(word, first..next);
        }
    }

    /// The terms as numbers: how far each begins behind the one before, how long it is, which set of codes it has; first all
    /// of the one kind, then all of the next.
    ///
    /// The first byte tells how wide the numbers are: `s` for two, one and two bytes, which nearly all notes fit into, `l` for
    /// four. They are little-endian, and offsets are code points.
    pub fn mentions(&self) -> Vec<u8> {
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

/// From code points to bytes, in ascending order.
struct Bytes<'a> {
    text: &'a str,
    is_ascii: bool,
    point: u32,
    byte: u32,
}

impl<'a> Bytes<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, is_ascii: text.is_ascii(), point: 0, byte: 0 }
    }

    fn of_point(&mut self, point: u32) -> u32 {
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

/// The words of a text, with the bytes of the text from which each was made.
///
/// ```
/// let words = notesieve_index::slots::words("BP 128/72, Ménière");
/// let found: Vec<_> = words.iter().map(|(word, span)| (word.as_str(), span.start)).collect();
/// assert_eq!(found, [("bp", 0), ("128", 3), ("72", 7), ("meniere", 11)]);
/// ```
pub fn words(text: &str) -> Vec<(String, Span)> {
    let folded = Normalized::new(text);
    let spanned = |word: Range<usize>| {
        let source = folded.to_source(Span::new(word.start as u32, word.end as u32));
        (folded.folded()[word].to_owned(), source)
    };
    Words::of(&folded).map(spanned).collect()
}

#[cfg(test)]
mod tests {
    use notesieve::concepts::context::Said;
    use notesieve::span::CodePoints;
    use notesieve::{Document, Policy, Scrubber};
    use proptest::prelude::*;

    use super::*;

    fn vocabulary() -> Vocabulary {
        Vocabulary::from_static(notesieve_vocabularies::default_bytes()).unwrap()
    }

    fn scrubbed(text: &str) -> Document {
        Scrubber::new(vocabulary(), Policy::default()).scrub(text).unwrap()
    }

    /// The words of the text with a space between them, each behind its slot unless that is empty.
    fn words_of(slots: &Slots, text: &str) -> String {
        let mut words = Vec::new();
        slots.each(text, &mut Normalized::default(), |number, folded, word| {
            words.extend(number.map(|number| format!("{SLOT}{number}")));
            words.push(folded[word].to_owned());
        });
        words.join(" ")
    }

    fn packed(terms: &[(Span, u32)]) -> Vec<u8> {
        let terms = terms.iter().map(|&(span, number)| Term { number, byte: span.start, span }).collect();
        Slots { terms, shared: Vec::new() }.mentions()
    }

    #[test]
    fn a_code_stands_before_the_first_word_of_its_term() {
        let note = scrubbed("Known type 2 diabetes. Fever, fever.");
        let mut sets = CodeSets::new(vocabulary(), vec![(vec!["own:1".to_owned()], Status::default())]);
        let slots = sets.slots(&note.text, &note.concepts);
        assert_eq!(words_of(&slots, &note.text), "known #1 type 2 diabetes #2 fever #2 fever");
        assert_eq!(slots.mentions()[0], b's');
        assert_eq!(slots.mentions().len(), 1 + 3 * 5);
        assert!(sets.sets()[1].0.contains(&"mesh:D003924".to_owned()));
        let again = CodeSets::new(vocabulary(), sets.sets().to_vec()).slots(&note.text, &note.concepts);
        assert_eq!(again, slots, "numbers go on where another stopped");
    }

    #[test]
    fn what_is_said_of_a_term_makes_another_set() {
        let note = scrubbed("Fever. No fever. Mother had fever. Fever.");
        let mut sets = CodeSets::new(vocabulary(), Vec::new());
        let slots = sets.slots(&note.text, &note.concepts);
        let words = words_of(&slots, &note.text);
        assert!(words.starts_with("#0 fever no #1 fever") && words.ends_with("#0 fever"), "{words}");
        assert!(sets.sets()[1].1 == Status::NEGATED && sets.sets()[1].0 == sets.sets()[0].0);
    }

    #[test]
    fn two_terms_in_one_word_share_its_slot() {
        let note = scrubbed("Fever, cough");
        let inside = |start, end, at: usize| Mention { output: Span::new(start, end), ..note.concepts[at] };
        let mut sets = CodeSets::new(vocabulary(), Vec::new());
        let text = "é feverx cough, fever cough";
        let terms = [(2, 4, 0), (4, 8, 1), (16, 21, 0), (22, 27, 1)].map(|(start, end, at)| inside(start, end, at));
        let slots = sets.slots(text, &terms);
        assert_eq!(words_of(&slots, text), "e #2 feverx cough #0 fever #1 cough");
        assert_eq!(
            slots.mentions(),
            packed(&[(Span::new(2, 4), 0), (Span::new(4, 8), 1), (Span::new(16, 21), 0), (Span::new(22, 27), 1)]),
            "the terms keep their own numbers"
        );
        assert_eq!(sets.sets()[2].0, [sets.sets()[0].0.clone(), sets.sets()[1].0.clone()].concat());
    }

    #[test]
    fn wide_numbers_are_packed_wide() {
        let far = packed(&[(Span::new(70_000, 70_003), 1)]);
        assert_eq!(
            far,
            [b"l".as_slice(), &70_000_u32.to_le_bytes(), &3_u32.to_le_bytes(), &1_u32.to_le_bytes()].concat()
        );
        assert_eq!(packed(&[(Span::new(2, 4), 258), (Span::new(7, 8), 3)]), *b"s\x02\0\x05\0\x02\x01\x02\x01\x03\0");
        assert_eq!(packed(&[]), *b"s");
    }

    proptest! {
        #[test]
        fn words_are_what_letters_and_digits_the_folded_text_has(text in "\\PC{0,40}|[a-zé½ß \u{AD}0-9.]{0,40}") {
            let folded = Normalized::new(&text);
            let expected: Vec<&str> =
                folded.folded().split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            let found = words(&text);
            prop_assert_eq!(found.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>(), expected.clone());
            for (word, span) in &found {
                prop_assert!(Normalized::new(&text[span.range()]).folded().contains(word.as_str()));
            }
            prop_assert_eq!(words_of(&Slots::default(), &text), expected.join(" "));
        }

        // Each slot stands before the word in which its terms begin, and no term is lost, wherever terms begin.
        #[test]
        fn every_term_has_a_slot(text in "[a-cé½ß \u{AD}\u{1}0-1.]{1,30}", starts in proptest::collection::btree_set(0_u32..30, 0..6)) {
            let entries: Vec<EntryId> = scrubbed("Fever, cough, asthma.").concepts.iter().map(|found| found.entry).collect();
            let points = text.chars().count() as u32;
            let mentions: Vec<Mention> = starts
                .into_iter()
                .filter(|&start| start < points)
                .zip(entries.into_iter().cycle())
                .map(|(start, entry)| Mention {
                    source: Span::new(0, 1),
                    output: Span::new(start, start + 1),
                    entry,
                    said: Said::default(),
                })
                .collect();
            let mut sets = CodeSets::new(vocabulary(), Vec::new());
            let slots = sets.slots(&text, &mentions);
            let mut points = CodePoints::new(&text);
            let mut expected: Vec<String> = Vec::new();
            let mut waiting = mentions.iter().peekable();
            for (word, span) in words(&text) {
                let end = points.convert_span(span).end;
                let mut codes: Vec<String> = Vec::new();
                while let Some(mention) = waiting.next_if(|mention| mention.output.start < end) {
                    let own = sets.number_of(mention.entry, Status::default());
                    for code in &sets.sets()[own as usize].0 {
                        if !codes.contains(code) {
                            codes.push(code.clone());
                        }
                    }
                }
                if !codes.is_empty() {
                    expected.push(format!("#{}", sets.number((codes, Status::default()))));
                }
                expected.push(word);
            }
            prop_assert_eq!(words_of(&slots, &text), expected.join(" "));
        }
    }
}
