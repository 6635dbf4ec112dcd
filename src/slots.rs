//! What a full-text index keeps of a document: its words, with the codes of its terms at the places of their words.
//!
//! Before each word there is a slot: slot, word, slot, word ... A slot holds the number of the set of codes of the term
//! that begins at the word (`#17`), or nothing (`_`). So a code has a place like a word has, and an index that knows
//! nothing of codes finds phrases and nearness across both.
//!
//! A word is a run of letters and digits of the [folded](crate::normalize) text. Queries are cut by the same functions, so
//! that what is written the same is found.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use crate::Vocabulary;
use crate::document::Mention;
use crate::normalize::Normalized;
use crate::span::{CodePoints, Span};
use crate::vocabulary::EntryId;

/// A slot without a code.
const EMPTY: &str = "_ ";

/// What an index keeps of one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Slots and words in turn, with a space between them.
    pub words: String,
    /// The terms as numbers: how far each begins behind the one before, how long it is, which set of codes it has.
    pub mentions: Vec<u8>,
}

/// Writes documents as words and slots, and gives numbers to the sets of codes that it meets.
///
/// The codes of a term (*pneumonia*: `mesh:D011014`, `hp:0002090` ...) are a set. The number of a set is its place among the
/// sets, in the order in which they were first met.
#[derive(Debug)]
pub struct SlotWriter {
    vocabulary: Vocabulary,
    sets: Vec<Vec<String>>,
    numbers: HashMap<Vec<String>, u32>,
    /// What was looked up before.
    of_entry: HashMap<EntryId, u32>,
    text: Normalized,
}

impl SlotWriter {
    /// A writer that goes on where another stopped: `sets` are those of an index so far.
    #[must_use]
    pub fn new(vocabulary: Vocabulary, sets: Vec<Vec<String>>) -> Self {
        let numbers = sets.iter().cloned().zip(0..).collect();
        Self { vocabulary, sets, numbers, of_entry: HashMap::new(), text: Normalized::default() }
    }

    /// All sets of codes so far.
    pub fn sets(&self) -> &[Vec<String>] {
        &self.sets
    }

    /// Writes a text and the terms in it, which are in order and told by the bytes of `output`.
    pub fn write(&mut self, text: &str, mentions: &[Mention]) -> Written {
        let numbers: Vec<u32> = mentions.iter().map(|mention| self.number_of(mention.entry)).collect();
        let mut points = CodePoints::new(text);
        let spans = mentions.iter().map(|mention| points.convert_span(mention.output));
        let packed = pack(&spans.zip(numbers.iter().copied()).collect::<Vec<_>>());
        let mut out = String::with_capacity(2 * text.len());
        let mut folded = std::mem::take(&mut self.text);
        folded.fold(text);
        let mut waiting = mentions.iter().zip(&numbers).peekable();
        for word in Words::of(&folded) {
            let end = folded.to_source(Span::new(word.start as u32, word.end as u32)).end;
            // A term that begins inside a run of letters and digits stands where the run begins.
            let mut slot = None;
            while let Some((_, &number)) = waiting.next_if(|(mention, _)| mention.output.start < end) {
                slot = Some(slot.map_or(number, |first| self.both(first, number)));
            }
            match slot {
                None => out.push_str(EMPTY),
                // Writing into a `String` does not fail.
                Some(number) => _ = write!(out, "#{number} "),
            }
            out.push_str(&folded.folded()[word]);
            out.push(' ');
        }
        // The last word has no space behind it.
        out.pop();
        self.text = folded;
        Written { words: out, mentions: packed }
    }

    fn number_of(&mut self, entry: EntryId) -> u32 {
        if let Some(&number) = self.of_entry.get(&entry) {
            return number;
        }
        let codes = self.vocabulary.entry_concepts(entry).map(|id| self.vocabulary.curie(id)).collect();
        let number = self.number(codes);
        self.of_entry.insert(entry, number);
        number
    }

    /// The number of the codes of two terms that begin inside one word.
    fn both(&mut self, first: u32, second: u32) -> u32 {
        let mut codes = self.sets[first as usize].clone();
        for code in &self.sets[second as usize] {
            if !codes.contains(code) {
                codes.push(code.clone());
            }
        }
        self.number(codes)
    }

    fn number(&mut self, codes: Vec<String>) -> u32 {
        if let Some(&number) = self.numbers.get(&codes) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(codes.clone());
        self.numbers.insert(codes, number);
        number
    }
}

/// Writes terms as numbers: how far each begins behind the one before, how long it is, the number of its set; first all of
/// the one kind, then all of the next.
///
/// The first byte tells how wide the numbers are: `s` for two, one and two bytes, which nearly all notes fit into, `l` for
/// four. They are little-endian, and offsets are code points.
fn pack(mentions: &[(Span, u32)]) -> Vec<u8> {
    let starts = mentions.iter().map(|(span, _)| span.start);
    let before = std::iter::once(0).chain(starts.clone());
    let steps = || starts.clone().zip(before.clone()).map(|(start, before)| start - before);
    let lengths = || mentions.iter().map(|(span, _)| span.end - span.start);
    let numbers = || mentions.iter().map(|&(_, number)| number);
    let mut packed = Vec::with_capacity(1 + 5 * mentions.len());
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

/// The words of a text, with the bytes of the text from which each was made.
///
/// ```
/// let words = notesieve::slots::words("BP 128/72, Ménière");
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

/// For each byte: 1 if it is a letter or digit of ASCII, 0 if it is other ASCII, 2 if it is part of something longer.
static KINDS: [u8; 256] = {
    let mut kinds = [2; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        kinds[byte as usize] = byte.is_ascii_alphanumeric() as u8;
        byte += 1;
    }
    kinds
};

/// The runs of letters and digits in a folded text.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    fn of(folded: &'a Normalized) -> Self {
        Self { text: folded.folded(), at: 0 }
    }

    /// How many bytes from `at` on are of one kind: in a word, or between words.
    fn run(&self, at: usize, in_word: bool) -> usize {
        let bytes = &self.text.as_bytes()[at..];
        let plain = bytes.iter().position(|&byte| KINDS[usize::from(byte)] != u8::from(in_word));
        match plain {
            Some(plain) if !bytes[plain].is_ascii() => {
                let rest = &self.text[at + plain..];
                plain + rest.find(|letter: char| letter.is_alphanumeric() != in_word).unwrap_or(rest.len())
            }
            _ => plain.unwrap_or(bytes.len()),
        }
    }
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.at + self.run(self.at, false);
        self.at = start + self.run(start, true);
        (start < self.at).then_some(start..self.at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::document::Document;
    use crate::{Policy, Scrubber};

    fn vocabulary() -> Vocabulary {
        Vocabulary::from_static(notesieve_vocabularies::default_bytes()).unwrap()
    }

    fn scrubbed(text: &str) -> Document {
        Scrubber::new(vocabulary(), Policy::default()).scrub(text).unwrap()
    }

    #[test]
    fn a_code_stands_before_the_first_word_of_its_term() {
        let note = scrubbed("Known type 2 diabetes. Fever, fever.");
        let mut writer = SlotWriter::new(vocabulary(), vec![vec!["own:1".to_owned()]]);
        let written = writer.write(&note.text, &note.concepts);
        assert_eq!(written.words, "_ known #1 type _ 2 _ diabetes #2 fever #2 fever");
        assert_eq!(written.mentions[0], b's');
        assert_eq!(written.mentions.len(), 1 + 3 * 5);
        assert!(writer.sets()[1].contains(&"mesh:D003924".to_owned()));
        let again = SlotWriter::new(vocabulary(), writer.sets().to_vec()).write(&note.text, &note.concepts);
        assert_eq!(again, written, "a writer goes on where another stopped");
    }

    #[test]
    fn two_terms_in_one_word_share_its_slot() {
        let note = scrubbed("Fever, cough");
        let inside = |start, end, at: usize| Mention { output: Span::new(start, end), ..note.concepts[at] };
        let mut writer = SlotWriter::new(vocabulary(), Vec::new());
        let written = writer.write("feverx cough", &[inside(0, 2, 0), inside(2, 6, 1)]);
        assert_eq!(written.words, "#2 feverx _ cough");
        assert_eq!(
            written.mentions,
            pack(&[(Span::new(0, 2), 0), (Span::new(2, 6), 1)]),
            "the terms keep their own numbers"
        );
        assert_eq!(writer.sets()[2], [writer.sets()[0].clone(), writer.sets()[1].clone()].concat());
    }

    #[test]
    fn wide_numbers_are_packed_wide() {
        let far = pack(&[(Span::new(70_000, 70_003), 1)]);
        assert_eq!(
            far,
            [b"l".as_slice(), &70_000_u32.to_le_bytes(), &3_u32.to_le_bytes(), &1_u32.to_le_bytes()].concat()
        );
        assert_eq!(pack(&[(Span::new(2, 4), 258), (Span::new(7, 8), 3)]), *b"s\x02\0\x05\0\x02\x01\x02\x01\x03\0");
        assert_eq!(pack(&[]), *b"s");
    }

    proptest! {
        #[test]
        fn words_are_what_letters_and_digits_the_folded_text_has(text in "\\PC{0,40}|[a-zé½ß \u{AD}0-9.]{0,40}") {
            let folded = Normalized::new(&text);
            let expected: Vec<&str> =
                folded.folded().split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            let found = words(&text);
            prop_assert_eq!(found.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>(), expected);
            for (word, span) in &found {
                prop_assert!(Normalized::new(&text[span.range()]).folded().contains(word.as_str()));
            }
        }
    }
}
