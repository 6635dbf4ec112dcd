//! Recognises what notesieve itself writes: tags, codes, terms with their code, `90+`.
//!
//! A text may contain the output of an earlier scrub. Each such form becomes one placeholder token, on no list and in
//! no term, before anything reads the words in it: `[NAME]` is no header field, `90+` no age, and a term with its code
//! stays that term. So earlier decisions stand, and scrubbing an output again changes nothing.
//!
//! Only forms that the policy itself writes count, and those that the user names in `placeholders`. A tag of another
//! style, a number in a tag where this policy does not number, and a code after a name are text of the note and are
//! judged as such.

use memchr::{memchr_iter, memchr2};

use crate::finding::Category;
use crate::text::normalize::Normalized;
use crate::text::span::Span;
use crate::text::token::{self, Case, Gap, Kind, Token};
use crate::text::words_of_file;
use crate::vocabulary::{Classes, ConceptId, EntryId, Start, Vocabulary, WordId};

/// The maximum number of tokens between the brackets of a code: `icd10cm:R09.A0`, `mesh:D003920`, `omim:PS123456`.
const MAX_CODE_TOKENS: usize = 16;
/// The maximum number of tokens of a term before its code: eight words, with the hyphens between them.
const MAX_TERM_TOKENS: usize = 24;

/// The maximum number of tokens between `[**` and `**]`.
const MAX_PHRASE_TOKENS: usize = 6;
/// The maximum number of digits of the number of a tag.
const MAX_NUMBER_DIGITS: usize = 5;

/// The folded phrases between `[**` and `**]`.
const PHRASES: &[&str] = words_of_file!("words/placeholder-phrases.txt");

/// Returns whether a folded text is a phrase of a `[**...**]` tag, with or without a number.
pub(crate) fn is_phrase(folded: &str) -> bool {
    let phrase = match folded.rsplit_once(' ') {
        Some((phrase, number))
            if number.len() <= MAX_NUMBER_DIGITS && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            phrase
        }
        _ => folded,
    };
    PHRASES.contains(&phrase) || PHRASES.contains(&folded)
}

/// The forms that a policy writes, and those that its user names.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a form of its own")]
pub struct PlaceholderForms<'a> {
    /// `[NAME]`
    pub square: bool,
    /// `<NAME>`
    pub angle: bool,
    /// `[**Last name**]`
    pub deid: bool,
    /// `[NAME-2]`
    pub numbered: bool,
    /// `[**2010/4/2**]`
    pub shifted: bool,
    /// `asthma [mesh:D001249]`
    pub codes_of_terms: bool,
    /// `[mesh:D001249]`
    pub codes_alone: bool,
    /// The placeholders that the user names.
    pub named: &'a [String],
}

/// Returns the marks around a placeholder that a user names, such as `[**...**]`.
pub(crate) fn placeholder_marks(placeholder: &str) -> Option<(&str, &str)> {
    let (open, close) = placeholder.split_once("...")?;
    let marks = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_punctuation());
    (marks(open) && marks(close)).then_some((open, close))
}

/// The maximum length in bytes of a placeholder that a user names.
const MAX_PLACEHOLDER_BYTES: usize = 80;

/// Merges the tokens of each placeholder into one. `words` and `classes` have one item per token, before and after;
/// `starts` comes from `terms::lookup_words` and loses what is inside a placeholder.
#[allow(clippy::too_many_arguments, reason = "the parts of a note that is read")]
pub fn merge_placeholders(
    vocabulary: &Vocabulary,
    written: PlaceholderForms<'_>,
    source: &str,
    normalized: &Normalized,
    tokens: &mut Vec<Token>,
    words: &mut Vec<WordId>,
    classes: &mut Vec<Classes>,
    starts: &mut Vec<Start>,
) {
    let folded = normalized.folded();
    let bytes = folded.as_bytes();
    if written.named.is_empty()
        && memchr2(b'[', b'<', bytes).is_none()
        && !memchr_iter(b'+', bytes).any(|plus| bytes[..plus].ends_with(b"90"))
    {
        return;
    }
    // Nothing moves before the first placeholder.
    let finder = PlaceholderFinder { vocabulary, written, source, normalized, folded, tokens, words };
    let Some(mut at) = (0..tokens.len()).find(|&at| finder.form_at(at).is_some()) else { return };
    let mut end = at;
    let mut seen = starts.partition_point(|start| (start.at as usize) < at);
    let mut left = seen;
    while at < tokens.len() {
        let finder = PlaceholderFinder { vocabulary, written, source, normalized, folded, tokens, words };
        let (first, last) = match finder.form_at(at) {
            // The tokens of the term before the code were already copied.
            Some(Form::Code(last, concept)) => match finder.start_of_term(end, at, concept) {
                // Only the coded term itself may precede its code.
                first if written.codes_of_terms && first < end || written.codes_alone => (first, last),
                _ => (end, at + 1),
            },
            Some(Form::Whole(last)) => (end, last),
            None => (end, at + 1),
        };
        let head = if first < end { tokens[first] } else { tokens[at] };
        if last > at + 1 || first < end {
            tokens[first] = Token { end: tokens[last - 1].end, kind: Kind::Placeholder, case: Case::Lower, ..head };
            (words[first], classes[first]) = (WordId::UNKNOWN, Classes::NONE);
            left = starts[..left].partition_point(|start| (start.at as usize) < first);
        } else {
            (tokens[first], words[first], classes[first]) = (head, words[at], classes[at]);
            if let Some(&start) = starts.get(seen).filter(|start| start.at as usize == at) {
                starts[left] = Start { at: first as u32, ..start };
                left += 1;
            }
        }
        end = first + 1;
        at = last;
        while starts.get(seen).is_some_and(|start| (start.at as usize) < at) {
            seen += 1;
        }
    }
    starts.truncate(left);
    tokens.truncate(end);
    words.truncate(end);
    classes.truncate(end);
}

/// Returns the vocabulary entry of a placeholder that is a code or a term with its code; `None` for a tag.
pub(crate) fn entry_of_placeholder(vocabulary: &Vocabulary, folded: &str) -> Option<EntryId> {
    let (term, code) = folded.strip_suffix(']')?.rsplit_once('[')?;
    let concept = concept_of_code(vocabulary, code)?;
    let term = term.trim_end();
    if term.is_empty() { vocabulary.entry_of(&vocabulary.preferred_name(concept)) } else { vocabulary.entry_of(term) }
}

/// Returns the concept of a folded code.
fn concept_of_code(vocabulary: &Vocabulary, folded: &str) -> Option<ConceptId> {
    // Folding lowercased the code, but most systems write their codes in capitals.
    let (system, local) = folded.split_once(':')?;
    vocabulary
        .concept_of_curie(folded)
        .or_else(|| vocabulary.concept_of_curie(&format!("{system}:{}", local.to_uppercase())))
}

enum Form {
    /// A tag or an age, with its end (exclusive).
    Whole(usize),
    /// A code, with its end (exclusive).
    Code(usize, ConceptId),
}

/// Finds placeholders in tokenised text that is not a note yet.
struct PlaceholderFinder<'a> {
    vocabulary: &'a Vocabulary,
    written: PlaceholderForms<'a>,
    source: &'a str,
    normalized: &'a Normalized,
    folded: &'a str,
    tokens: &'a [Token],
    words: &'a [WordId],
}

impl PlaceholderFinder<'_> {
    fn token(&self, at: usize) -> Token {
        self.tokens.get(at).copied().unwrap_or(Token::END)
    }

    fn word(&self, at: usize) -> &str {
        &self.folded[self.token(at).span().range()]
    }

    /// Returns the source text of the tokens `first..last`.
    fn text_of(&self, first: usize, last: usize) -> &str {
        let span = Span::new(self.token(first).start, self.token(last - 1).end);
        &self.source[self.normalized.source_span(span).range()]
    }

    /// Returns whether no white space precedes the token.
    fn is_joined(&self, at: usize) -> bool {
        self.token(at).gap == Gap::None
    }

    /// Returns the placeholder that starts at a token. It is copied to the output as written, so it must be plain
    /// ASCII.
    #[inline]
    fn form_at(&self, at: usize) -> Option<Form> {
        let token = self.token(at);
        let may_be_one = matches!(token.mark(), b'[' | b'<') || token.kind == Kind::Number && token.span().len() == 2;
        let named = if self.written.named.is_empty() { None } else { self.end_of_own_placeholder(at).map(Form::Whole) };
        if named.is_none() && may_be_one { self.form_of_token(at) } else { named }
    }

    /// Returns the end (exclusive) of a placeholder that the user names: text on one line between its marks.
    fn end_of_own_placeholder(&self, at: usize) -> Option<usize> {
        let start = self.token(at).start as usize;
        let rest = &self.folded.as_bytes()[start..];
        let rest = &rest[..rest.len().min(MAX_PLACEHOLDER_BYTES)];
        let line = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let length = self.written.named.iter().filter_map(|placeholder| {
            let (open, close) = placeholder_marks(placeholder)?;
            let inner = rest[..line].strip_prefix(open.as_bytes())?;
            let end = inner.windows(close.len()).position(|window| window == close.as_bytes())?;
            (end > 0).then_some(open.len() + end + close.len())
        });
        let end = start + length.max()?;
        (at + 1..=self.tokens.len())
            .find(|&last| self.token(last - 1).end as usize >= end)
            .filter(|&last| self.token(last - 1).end as usize == end)
    }

    #[inline(never)]
    fn form_of_token(&self, at: usize) -> Option<Form> {
        let form = match self.word(at) {
            "[" => self.bracketed_form(at),
            "<" if self.written.angle => self.end_of_tag(at + 1, ">").map(Form::Whole),
            "90" => self.is_age_over_89(at).then_some(Form::Whole(at + 2)),
            _ => None,
        };
        form.filter(|&(Form::Whole(last) | Form::Code(last, _))| {
            self.text_of(at, last).bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
        })
    }

    fn bracketed_form(&self, at: usize) -> Option<Form> {
        let word = at + 1;
        if self.word(word) == "**" && self.is_joined(word) {
            return if self.written.deid { self.end_of_starred(word + 1).map(Form::Whole) } else { None };
        }
        if self.token(word).kind != Kind::Word || !self.is_joined(word) || !self.is_joined(word + 1) {
            return None;
        }
        if self.written.square
            && let Some(last) = self.end_of_tag(word, "]")
        {
            return Some(Form::Whole(last));
        }
        if !self.written.codes_of_terms && !self.written.codes_alone {
            return None;
        }
        let close =
            (word + 1..=word + MAX_CODE_TOKENS).find(|&close| !self.is_joined(close) || self.word(close) == "]")?;
        if !self.is_joined(close) {
            return None;
        }
        // Only a code of the vocabulary counts: anything else in brackets is text of the note.
        let code = &self.folded[self.token(word).start as usize..self.token(close).start as usize];
        concept_of_code(self.vocabulary, code).map(|concept| Form::Code(close + 1, concept))
    }

    /// Returns the end (exclusive) of a tag whose category is the token `word`: `NAME]`, `NAME-2]`.
    fn end_of_tag(&self, word: usize, close: &str) -> Option<usize> {
        let is_key = |category: &Category| category.key().eq_ignore_ascii_case(self.word(word));
        if !self.is_joined(word) || self.token(word).case != Case::Upper || !Category::ALL.iter().any(is_key) {
            return None;
        }
        let digits = self.word(word + 2);
        let numbered = self.written.numbered
            && self.word(word + 1) == "-"
            && self.is_joined(word + 1)
            && self.is_joined(word + 2)
            && (1..=MAX_NUMBER_DIGITS).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        let end = if numbered { word + 3 } else { word + 1 };
        (self.word(end) == close && self.is_joined(end)).then_some(end + 1)
    }

    /// Returns the end (exclusive) of `Last name**]` or `2010/4/2**]`.
    fn end_of_starred(&self, first: usize) -> Option<usize> {
        let stars = (first + 1..=first + MAX_PHRASE_TOKENS).find(|&at| self.word(at) == "**")?;
        if !(self.is_joined(first) && self.is_joined(stars) && self.word(stars + 1) == "]" && self.is_joined(stars + 1))
        {
            return None;
        }
        let folded = &self.folded[self.token(first).start as usize..self.token(stars).start as usize];
        let mut parts = folded.split('/').map(|part| (part.len(), part.bytes().all(|byte| byte.is_ascii_digit())));
        let date = parts.next() == Some((4, true))
            && parts.clone().count() == 2
            && parts.all(|(length, digits)| digits && matches!(length, 1 | 2));
        (date && self.written.shifted || is_phrase(folded)).then_some(stars + 2)
    }

    /// Returns whether `90+`, which replaces ages over 89, starts at the token.
    fn is_age_over_89(&self, at: usize) -> bool {
        let next = self.token(at + 2);
        !self.token(at).glued()
            && self.word(at + 1) == "+"
            && self.is_joined(at + 1)
            && (next.gap > Gap::None || !matches!(next.kind, Kind::Word | Kind::Number))
    }

    /// Returns the first token of the term that ends before `end` and has the concept, or `end` if there is none.
    /// `code` is the first token of the code.
    fn start_of_term(&self, end: usize, code: usize, concept: ConceptId) -> usize {
        if self.token(code).gap != Gap::Space {
            return end;
        }
        (end.saturating_sub(MAX_TERM_TOKENS)..end)
            .find(|&first| {
                let inside = first + 1..end;
                !self.token(first).glued()
                    && token::is_written_plainly(self.text_of(first, code + 1))
                    && inside.into_iter().all(|at| !self.token(at).border_before())
                    && self
                        .entry_of_tokens(first, end)
                        .is_some_and(|entry| self.vocabulary.entry_concepts(entry).any(|other| other == concept))
            })
            .unwrap_or(end)
    }

    /// Returns the entry whose units are the tokens `first..end`.
    fn entry_of_tokens(&self, first: usize, end: usize) -> Option<EntryId> {
        // A full stop at the end is not part of an entry.
        let last = (first..end).rev().find(|&at| self.word(at) != ".")? + 1;
        let mut units = (first..last).filter(|&at| self.words[at] != WordId::SKIPPED);
        if units.next()? != first {
            return None;
        }
        let mut node = self.vocabulary.root_of_word(self.words[first])?;
        for unit in units {
            node = self.vocabulary.step(node, self.words[unit])?;
        }
        self.vocabulary.entry(node)
    }
}
