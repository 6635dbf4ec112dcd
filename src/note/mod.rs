//! A note as every step reads it: its text, tokens, words, the lists on which they stand, its numbers, its layout.

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

/// How many tokens share one machine word where facts of tokens are bits.
pub(crate) const GROUP: usize = 64;

use std::ops::Range;

use crate::debug::debug_count;
use crate::text::normalize::Normalized;
use crate::text::span::Span;
use crate::text::token::{Case, Gap, Kind, Token, token_key};
use crate::vocabulary::{Class, Classes, FrequencyRanks, Site, Start, Tables, Usage, Vocabulary, WordId};

/// A note that was read with a vocabulary. Any index may be asked for: outside the note stands [`Token::END`], on no list.
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
    /// Some of the tokens of the note, counted from the first of them. For what looks no further than these: outside stands
    /// [`Token::END`], and rules see numbers of the whole note.
    #[must_use]
    pub(crate) fn slice_of_tokens(&self, tokens: Range<usize>) -> Self {
        let (words, classes) = (&self.words[tokens.clone()], &self.classes[tokens.clone()]);
        let keys = self.keys.get(tokens.clone()).unwrap_or_default();
        Self { tokens: &self.tokens[tokens], words, classes, keys, ..*self }
    }

    /// The text as it was written.
    #[inline]
    pub const fn source(&self) -> &'a str {
        self.source
    }

    /// The folded text, with what leads back to the source.
    #[inline]
    pub const fn normalized(&self) -> &'a Normalized {
        self.normalized
    }

    /// The vocabulary with which the note was read.
    #[inline]
    pub const fn vocabulary(&self) -> &'a Vocabulary {
        self.vocabulary
    }

    /// Lines, sections, fields, tables and the like. Its indices are those of the whole note, also in a part of it.
    #[inline]
    pub const fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// In which column of its line a token of the whole note stands, from 0.
    pub fn column_of_token(&self, at: usize) -> usize {
        let first = self.layout.lines().get(self.layout.line_index_of(at)).map_or(at, Line::first);
        (first + 1..=at).filter(|&at| is_separator(self.token(at))).count()
    }

    /// The folded words among some tokens.
    pub fn words_of(&self, tokens: Range<usize>) -> Vec<&'a str> {
        tokens.filter(|&at| self.is_word(at)).map(|at| self.word(at)).collect()
    }

    /// Where in the source the tokens `first..last` stand, with the gaps between them.
    pub fn source_span(&self, first: usize, last: usize) -> Span {
        self.normalized.source_span(Span::new(self.token(first).start, self.token(last - 1).end))
    }

    /// Where terms may start.
    pub(crate) const fn term_starts(&self) -> &'a [Start] {
        self.starts
    }

    /// The number of tokens.
    pub const fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether the note has no token.
    pub const fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The tokens.
    #[inline]
    pub const fn tokens(&self) -> &'a [Token] {
        self.tokens
    }

    /// The whole folded text.
    #[inline]
    pub const fn text(&self) -> &'a str {
        self.folded
    }

    /// A token.
    #[inline]
    pub fn token(&self, at: usize) -> Token {
        match self.tokens.get(at) {
            Some(token) => *token,
            None => Token::END,
        }
    }

    /// The folded text of a token. Not inlined: rules are many and ask it seldom.
    #[inline(never)]
    pub fn word(&self, at: usize) -> &'a str {
        self.folded.get(self.token(at).span().range()).unwrap_or_default()
    }

    /// The folded bytes of a token.
    #[inline]
    pub fn bytes(&self, at: usize) -> &'a [u8] {
        self.folded.as_bytes().get(self.token(at).span().range()).unwrap_or_default()
    }

    /// Whether the folded text of a token is one of these words. For `word_is!`, which asks it where the first bytes are right
    /// already; apart from the rules, each of which would be longer by it in many places.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_one_of_words(&self, at: usize, words: &[&str]) -> bool {
        let text = self.bytes(at);
        words.iter().map(|word| word.as_bytes()).any(|word| {
            // Two comparisons of eight bytes do for nearly all.
            let ends = word.first_chunk::<8>() == text.first_chunk() && word.last_chunk::<8>() == text.last_chunk();
            word.len() == text.len() && ends && (matches!(text.len(), 8..=16) || word == text)
        })
    }

    /// How many bytes the folded text of a token has.
    #[inline]
    pub fn width(&self, at: usize) -> usize {
        let token = self.token(at);
        (token.end - token.start) as usize
    }

    /// The word as one number, for `word_is!`; 0 outside the note.
    #[inline]
    pub(crate) fn key(&self, at: usize) -> u64 {
        match self.keys.get(at) {
            Some(key) => *key,
            None => self.compute_key(at),
        }
    }

    /// The key of a token outside the note, or of a long note whose keys were given back.
    #[cold]
    #[inline(never)]
    fn compute_key(&self, at: usize) -> u64 {
        self.tokens.get(at).map_or(0, |&token| token_key(self.folded, token))
    }

    /// The keys of all tokens.
    #[inline]
    pub(crate) const fn all_keys(&self) -> &'a [u64] {
        self.keys
    }

    /// The folded text of the tokens `first..last`, with the gaps between them.
    pub fn text_of(&self, first: usize, last: usize) -> &'a str {
        self.folded.get(self.token(first).start as usize..self.token(last - 1).end as usize).unwrap_or_default()
    }

    /// The word's id in the vocabulary.
    #[inline]
    pub fn word_id(&self, at: usize) -> WordId {
        self.words.get(at).copied().unwrap_or(WordId::UNKNOWN)
    }

    /// The ids of all words in the vocabulary, one a token.
    #[inline]
    pub(crate) const fn word_ids(&self) -> &'a [WordId] {
        self.words
    }

    /// The lists on which the words stand, one item a token.
    #[inline]
    pub(crate) const fn all_classes(&self) -> &'a [Classes] {
        self.classes
    }

    /// The lists on which the word stands.
    #[inline]
    pub fn classes(&self, at: usize) -> Classes {
        self.classes.get(at).copied().unwrap_or(Classes::NONE)
    }

    /// Whether the word stands on the list.
    #[inline]
    pub fn is(&self, at: usize, class: Class) -> bool {
        self.classes(at).has(class)
    }

    /// Whether the word stands on one of the lists.
    #[inline]
    pub fn any(&self, at: usize, classes: Classes) -> bool {
        self.classes(at).any(classes)
    }

    /// How common the word is as a surname, as a first name and in text.
    pub fn ranks(&self, at: usize) -> FrequencyRanks {
        self.tables.ranks(self.word_id(at))
    }

    /// Prefetches how general English uses the word.
    #[inline]
    pub(crate) fn prefetch_usage(&self, at: usize) {
        self.tables.prefetch_usage(self.word_id(at));
    }

    /// How general English uses the word.
    pub(crate) fn usage(&self, at: usize) -> Usage {
        self.tables.usage(self.word_id(at))
    }

    /// The lists of the site.
    pub(crate) fn site(&self) -> Option<&'a Site> {
        self.vocabulary.site()
    }

    /// The lists of a word that is no token of the note, such as a part of one.
    pub fn classes_of(&self, folded: &str) -> Classes {
        self.tables.lists_of_word(folded.as_bytes())
    }

    /// Whether the token is a word.
    #[inline]
    pub fn is_word(&self, at: usize) -> bool {
        self.token(at).kind == Kind::Word
    }

    /// Whether the token is a number.
    #[inline]
    pub fn is_number(&self, at: usize) -> bool {
        self.token(at).kind == Kind::Number
    }

    /// Whether the token is this mark.
    #[inline]
    pub fn is_mark(&self, at: usize, mark: u8) -> bool {
        self.key(at) == u64::from(mark)
    }

    /// Whether the token is one of these marks.
    #[inline]
    pub fn is_any_mark(&self, at: usize, marks: &[u8]) -> bool {
        let key = self.key(at);
        // All of them: stopping at the first match would cost a misprediction.
        marks.iter().fold(false, |found, &mark| found | (key == u64::from(mark)))
    }

    /// The white space before the token.
    #[inline]
    pub fn gap(&self, at: usize) -> Gap {
        self.token(at).gap
    }

    /// Whether nothing stands between the token and the one before it.
    #[inline]
    pub fn joined(&self, at: usize) -> bool {
        self.gap(at) == Gap::None
    }

    /// Whether the token follows the one before it in running text: nothing, one blank or one line end between.
    #[inline]
    pub fn follows(&self, at: usize) -> bool {
        matches!(self.gap(at), Gap::None | Gap::Space | Gap::Line)
    }

    /// Whether the token stands on the same line as the one before it.
    #[inline]
    pub fn same_line(&self, at: usize) -> bool {
        !self.ends_line(at)
    }

    /// Whether the line or the note is over before the token.
    #[inline]
    pub fn ends_line(&self, at: usize) -> bool {
        self.gap(at) >= Gap::Line
    }

    /// How the source writes the word.
    #[inline]
    pub fn case(&self, at: usize) -> Case {
        self.token(at).case
    }

    /// Whether the source begins the word with a capital letter.
    #[inline]
    pub fn capitalised(&self, at: usize) -> bool {
        self.token(at).capitalised()
    }

    /// Whether the token is the first of a sentence, line or field.
    #[inline]
    pub fn sentence_start(&self, at: usize) -> bool {
        self.token(at).sentence_start()
    }

    /// Whether a border of a sentence, field or paragraph stands before the token.
    #[inline]
    pub fn border_before(&self, at: usize) -> bool {
        self.token(at).border_before()
    }

    /// The parts of a number.
    #[inline]
    pub fn number(&self, at: usize) -> Option<&'a Number> {
        self.numbers.get(self.tokens.get(at)?.nth_number()?)
    }

    /// The numbers of the note from that of a token on; none if the token is no number.
    #[inline]
    pub(crate) fn numbers_from(&self, at: usize) -> &'a [Number] {
        self.token(at).nth_number().map_or(&[], |nth| self.numbers.numbers_from(nth))
    }

    /// The `nth` number of the note.
    #[inline]
    pub(crate) fn nth_number(&self, nth: usize) -> Option<&'a Number> {
        self.numbers.get(nth)
    }

    /// How many numbers the note has.
    pub(crate) const fn count_of_numbers(&self) -> usize {
        self.numbers.len()
    }

    /// Whether a number stands among the tokens `first..last`; answered at once, which spares a search without result. Right
    /// when it says no.
    #[inline]
    pub fn may_hold_number(&self, first: usize, last: usize) -> bool {
        (self.numbers.from(first).trailing_zeros() as usize) < last.saturating_sub(first)
    }

    /// Which of the 64 tokens from one on are numbers.
    #[inline]
    pub(crate) fn number_bits_from(&self, first: usize) -> u64 {
        self.numbers.from(first)
    }

    /// The value of a number that is digits only, e.g. `42`.
    #[inline]
    pub fn integer(&self, at: usize) -> Option<u64> {
        let number = self.number(at)?;
        (number.len() == 1).then(|| number.value(0))
    }
}
