//! A note as every step reads it: its text, tokens, words, the lists that they are on, its numbers, its layout.

mod buffers;
mod layout;
mod number;
mod number_shape;
mod numbers;

pub use buffers::NoteBuffers;
pub(crate) use layout::is_separator;
pub use layout::{Field, Heading, Layout, Line, LineStyle, Table, Turn};
pub use number::{Number, Shape};
pub use number_shape::NumberShapes;
pub(crate) use number_shape::SHAPES;
pub use numbers::Numbers;

/// The number of tokens per machine word in bitmasks of tokens.
pub(crate) const GROUP: usize = 64;

use std::ops::Range;

use crate::debug::debug_count;
use crate::text::normalize::Normalized;
use crate::text::span::Span;
use crate::text::token::{Case, Gap, Kind, Token, token_key};
use crate::vocabulary::{Class, Classes, FrequencyRanks, Site, Start, Tables, Usage, Vocabulary, WordId};

/// A note read with a vocabulary. Any index is valid: outside the note there is [`Token::END`], on no list.
///
/// ```
/// use notesieve::{Policy, Vocabulary};
/// use notesieve::note::NoteBuffers;
///
/// let vocabulary = Vocabulary::from_static(notesieve_vocabularies::default_bytes())?;
/// let mut buffers = NoteBuffers::default();
/// let note = buffers.read("Seen 3/4/06 for cough.", &vocabulary, Policy::safe().placeholder_forms());
/// assert_eq!(note.word(0), "seen");
/// assert!(note.number(1).is_some() && note.capitalised(0));
/// # Ok::<(), notesieve::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Note<'a> {
    source: &'a str,
    normalized: &'a Normalized,
    folded: &'a str,
    tokens: &'a [Token],
    words: &'a [WordId],
    classes: &'a [Classes],
    keys: &'a [u64],
    starts: &'a [Start],
    numbers: &'a Numbers,
    tables: Tables<'a>,
    vocabulary: &'a Vocabulary,
    layout: &'a Layout,
}

debug_count!(Note<'_>, "tokens", |it| it.tokens.len());

impl<'a> Note<'a> {
    /// Returns a part of the note whose indices start at its first token. For code that looks no further: outside the
    /// part there is [`Token::END`], while numbers and layout are those of the whole note.
    #[must_use]
    pub(crate) fn slice_of_tokens(&self, tokens: Range<usize>) -> Self {
        let (words, classes) = (&self.words[tokens.clone()], &self.classes[tokens.clone()]);
        let keys = self.keys.get(tokens.clone()).unwrap_or_default();
        Self { tokens: &self.tokens[tokens], words, classes, keys, ..*self }
    }

    /// Returns the original text.
    #[inline]
    pub const fn source(&self) -> &'a str {
        self.source
    }

    /// Returns the folded text with the map back to the source.
    #[inline]
    pub const fn normalized(&self) -> &'a Normalized {
        self.normalized
    }

    /// Returns the vocabulary that the note was read with.
    #[inline]
    pub const fn vocabulary(&self) -> &'a Vocabulary {
        self.vocabulary
    }

    /// Returns the layout: lines, sections, fields, tables and the like. Its indices are those of the whole note, also
    /// in a part.
    #[inline]
    pub const fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// Returns the column of a token of the whole note within its line, from 0.
    pub fn column_of_token(&self, at: usize) -> usize {
        let first = self.layout.lines().get(self.layout.line_index_of(at)).map_or(at, Line::first);
        (first + 1..=at).filter(|&at| is_separator(self.token(at))).count()
    }

    /// Returns the folded words among some tokens.
    pub fn words_of(&self, tokens: Range<usize>) -> Vec<&'a str> {
        tokens.filter(|&at| self.is_word(at)).map(|at| self.word(at)).collect()
    }

    /// Returns the span in the source of the tokens `first..last`, with the gaps between them.
    pub fn source_span(&self, first: usize, last: usize) -> Span {
        self.normalized.source_span(Span::new(self.token(first).start, self.token(last - 1).end))
    }

    /// Returns the places where terms may start.
    pub(crate) const fn term_starts(&self) -> &'a [Start] {
        self.starts
    }

    /// Returns the number of tokens.
    pub const fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Returns whether the note has no tokens.
    pub const fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Returns the tokens.
    #[inline]
    pub const fn tokens(&self) -> &'a [Token] {
        self.tokens
    }

    /// Returns the whole folded text.
    #[inline]
    pub const fn text(&self) -> &'a str {
        self.folded
    }

    /// Returns a token, or [`Token::END`] outside the note.
    #[inline]
    pub fn token(&self, at: usize) -> Token {
        match self.tokens.get(at) {
            Some(token) => *token,
            None => Token::END,
        }
    }

    /// Returns the folded text of a token. Not inlined: many rules call it, each rarely.
    #[inline(never)]
    pub fn word(&self, at: usize) -> &'a str {
        self.folded.get(self.token(at).span().range()).unwrap_or_default()
    }

    /// Returns the folded bytes of a token.
    #[inline]
    pub fn bytes(&self, at: usize) -> &'a [u8] {
        self.folded.as_bytes().get(self.token(at).span().range()).unwrap_or_default()
    }

    /// Returns whether the folded text of a token is one of these words. `word_is!` calls it when the first bytes
    /// match; kept out of line so that rules stay small.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_one_of_words(&self, at: usize, words: &[&str]) -> bool {
        let text = self.bytes(at);
        words.iter().map(|word| word.as_bytes()).any(|word| {
            // Two comparisons of eight bytes suffice for nearly all words.
            let ends = word.first_chunk::<8>() == text.first_chunk() && word.last_chunk::<8>() == text.last_chunk();
            word.len() == text.len() && ends && (matches!(text.len(), 8..=16) || word == text)
        })
    }

    /// Returns the length of the folded text of a token in bytes.
    #[inline]
    pub fn width(&self, at: usize) -> usize {
        let token = self.token(at);
        (token.end - token.start) as usize
    }

    /// Returns the key of a token, its first bytes as one number, for `word_is!`; 0 outside the note.
    #[inline]
    pub(crate) fn key(&self, at: usize) -> u64 {
        match self.keys.get(at) {
            Some(key) => *key,
            None => self.compute_key(at),
        }
    }

    /// Returns the key of a token outside the note, or of a long note whose keys were freed.
    #[cold]
    #[inline(never)]
    fn compute_key(&self, at: usize) -> u64 {
        self.tokens.get(at).map_or(0, |&token| token_key(self.folded, token))
    }

    /// Returns the keys of all tokens.
    #[inline]
    pub(crate) const fn all_keys(&self) -> &'a [u64] {
        self.keys
    }

    /// Returns the folded text of the tokens `first..last`, with the gaps between them.
    pub fn text_of(&self, first: usize, last: usize) -> &'a str {
        self.folded.get(self.token(first).start as usize..self.token(last - 1).end as usize).unwrap_or_default()
    }

    /// Returns the id of the word in the vocabulary.
    #[inline]
    pub fn word_id(&self, at: usize) -> WordId {
        self.words.get(at).copied().unwrap_or(WordId::UNKNOWN)
    }

    /// Returns the vocabulary ids of all words, one per token.
    #[inline]
    pub(crate) const fn word_ids(&self) -> &'a [WordId] {
        self.words
    }

    /// Returns the lists that the words are on, one item per token.
    #[inline]
    pub(crate) const fn all_classes(&self) -> &'a [Classes] {
        self.classes
    }

    /// Returns the lists that the word is on.
    #[inline]
    pub fn classes(&self, at: usize) -> Classes {
        self.classes.get(at).copied().unwrap_or(Classes::NONE)
    }

    /// Returns whether the word is on the list.
    #[inline]
    pub fn is(&self, at: usize, class: Class) -> bool {
        self.classes(at).has(class)
    }

    /// Returns whether the word is on any of the lists.
    #[inline]
    pub fn any(&self, at: usize, classes: Classes) -> bool {
        self.classes(at).any(classes)
    }

    /// Returns how common the word is as a surname, as a first name and in text.
    pub fn ranks(&self, at: usize) -> FrequencyRanks {
        self.tables.ranks(self.word_id(at))
    }

    /// Prefetches the usage of the word in general English.
    #[inline]
    pub(crate) fn prefetch_usage(&self, at: usize) {
        self.tables.prefetch_usage(self.word_id(at));
    }

    /// Returns the usage of the word in general English.
    pub(crate) fn usage(&self, at: usize) -> Usage {
        self.tables.usage(self.word_id(at))
    }

    /// Returns the lists of the site.
    pub(crate) fn site(&self) -> Option<&'a Site> {
        self.vocabulary.site()
    }

    /// Returns the lists of a word that is not a token of the note, such as a part of one.
    pub fn classes_of(&self, folded: &str) -> Classes {
        self.tables.lists_of_word(folded.as_bytes())
    }

    /// Returns whether the token is a word.
    #[inline]
    pub fn is_word(&self, at: usize) -> bool {
        self.token(at).kind == Kind::Word
    }

    /// Returns whether the token is a number.
    #[inline]
    pub fn is_number(&self, at: usize) -> bool {
        self.token(at).kind == Kind::Number
    }

    /// Returns whether the token is this punctuation mark.
    #[inline]
    pub fn is_mark(&self, at: usize, mark: u8) -> bool {
        self.key(at) == u64::from(mark)
    }

    /// Returns whether the token is one of these punctuation marks.
    #[inline]
    pub fn is_any_mark(&self, at: usize, marks: &[u8]) -> bool {
        let key = self.key(at);
        // No early exit: it would cost a misprediction.
        marks.iter().fold(false, |found, &mark| found | (key == u64::from(mark)))
    }

    /// Returns the white space before the token.
    #[inline]
    pub fn gap(&self, at: usize) -> Gap {
        self.token(at).gap
    }

    /// Returns whether no white space precedes the token.
    #[inline]
    pub fn joined(&self, at: usize) -> bool {
        self.gap(at) == Gap::None
    }

    /// Returns whether the token continues running text: after no white space, one space or one line break.
    #[inline]
    pub fn follows(&self, at: usize) -> bool {
        matches!(self.gap(at), Gap::None | Gap::Space | Gap::Line)
    }

    /// Returns whether the token is on the same line as the one before it.
    #[inline]
    pub fn same_line(&self, at: usize) -> bool {
        !self.ends_line(at)
    }

    /// Returns whether the line or the note ends before the token.
    #[inline]
    pub fn ends_line(&self, at: usize) -> bool {
        self.gap(at) >= Gap::Line
    }

    /// Returns the letter case of the word in the source.
    #[inline]
    pub fn case(&self, at: usize) -> Case {
        self.token(at).case
    }

    /// Returns whether the word starts with a capital letter in the source.
    #[inline]
    pub fn capitalised(&self, at: usize) -> bool {
        self.token(at).capitalised()
    }

    /// Returns whether the token is the first of a sentence, line or field.
    #[inline]
    pub fn sentence_start(&self, at: usize) -> bool {
        self.token(at).sentence_start()
    }

    /// Returns whether a sentence, field or paragraph ends before the token.
    #[inline]
    pub fn border_before(&self, at: usize) -> bool {
        self.token(at).border_before()
    }

    /// Returns the parsed number of a token, if it is one.
    #[inline]
    pub fn number(&self, at: usize) -> Option<&'a Number> {
        self.numbers.get(self.tokens.get(at)?.nth_number()?)
    }

    /// Returns the numbers of the note from that of a token on; none if the token is not a number.
    #[inline]
    pub(crate) fn numbers_from(&self, at: usize) -> &'a [Number] {
        self.token(at).nth_number().map_or(&[], |nth| self.numbers.numbers_from(nth))
    }

    /// Returns the `nth` number of the note.
    #[inline]
    pub(crate) fn nth_number(&self, nth: usize) -> Option<&'a Number> {
        self.numbers.get(nth)
    }

    /// Returns the number of numbers in the note.
    pub(crate) const fn count_of_numbers(&self) -> usize {
        self.numbers.len()
    }

    /// Returns whether the tokens `first..last` may contain a number. Constant time, to avoid fruitless searches.
    /// `false` is exact; `true` may be wrong for more than 64 tokens.
    #[inline]
    pub fn may_hold_number(&self, first: usize, last: usize) -> bool {
        (self.numbers.number_bits_from(first).trailing_zeros() as usize) < last.saturating_sub(first)
    }

    /// Returns a bitmask of the 64 tokens from `first` on that are numbers.
    #[inline]
    pub(crate) fn number_bits_from(&self, first: usize) -> u64 {
        self.numbers.number_bits_from(first)
    }

    /// Returns the value of a number that is digits only, such as `42`.
    #[inline]
    pub fn integer(&self, at: usize) -> Option<u64> {
        let number = self.number(at)?;
        (number.len() == 1).then(|| number.value(0))
    }
}
