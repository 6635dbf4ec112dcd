//! Compares two ways to look up words and terms: the hash table and the trie of a vocabulary, and FSTs of the same
//! words and terms, as in the dictionaries of tantivy and others.

use fst::raw::{Fst, Output};
use fst::{Map, MapBuilder};
use notesieve::Vocabulary;
use notesieve::terms::{self, Matches, Overlap, Start};
use notesieve::text::normalize::Normalized;
use notesieve::text::token::{Kind, Token, tokenize};
use notesieve::vocabulary::{Classes, WordId};

/// The data structure to use.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lookup {
    HashAndTrie,
    Fst,
}

/// A tokenized note.
pub(crate) struct Tokenized {
    normalized: Normalized,
    tokens: Vec<Token>,
}

impl Tokenized {
    pub(crate) fn new(text: &str) -> Self {
        let (normalized, mut tokens) = (Normalized::new(text), Vec::new());
        tokenize(text, &normalized, &mut tokens);
        Self { normalized, tokens }
    }
}

/// The words and terms of a vocabulary as FSTs; the units of a term are separated by spaces.
pub(crate) struct Automata {
    words: Map<Vec<u8>>,
    terms: Fst<Vec<u8>>,
}

impl Automata {
    pub(crate) fn new(vocabulary: &Vocabulary) -> Self {
        let (mut words, mut terms) = (Vec::new(), Vec::new());
        vocabulary
            .for_each_word(|word| words.push((word.to_owned(), u64::from(vocabulary.word_id(word.as_bytes()).0))));
        vocabulary.for_each_entry(|term, entry| terms.push((term.to_owned(), u64::from(entry.0))));
        Self { words: build_fst_map(words), terms: build_fst_map(terms).into_fst() }
    }

    /// Counts known words, and the longest terms from left to right.
    pub(crate) fn count(&self, note: &Tokenized) -> usize {
        let Tokenized { normalized, tokens } = note;
        let word = |token: &Token| normalized.folded()[token.span().range()].as_bytes();
        let is_unit = |token: &Token| !token.skipped_in_terms();
        let mut found = 0;
        let mut at = 0;
        for token in tokens.iter().filter(|token| token.kind == Kind::Word) {
            found += usize::from(self.words.get(word(token)).is_some());
        }
        while at < tokens.len() {
            let (mut state, mut output, mut last) = (self.terms.root(), Output::zero(), at);
            for (ahead, token) in tokens[at..].iter().enumerate().filter(|(_, token)| is_unit(token)) {
                if ahead > 0 && token.border_before() {
                    break;
                }
                let blank: &[u8] = if ahead > 0 { b" " } else { b"" };
                let step = |before: Option<(fst::raw::Node<'_>, Output)>, byte: &u8| {
                    let (reached, sum) = before?;
                    let transition = reached.transition(reached.find_input(*byte)?);
                    Some((self.terms.node(transition.addr), sum.cat(transition.out)))
                };
                let Some(reached) = blank.iter().chain(word(token)).fold(Some((state, output)), step) else { break };
                (state, output) = reached;
                if state.is_final() {
                    last = at + ahead + 1;
                }
            }
            found += usize::from(last > at);
            at = last.max(at + 1);
        }
        found
    }
}

fn build_fst_map(mut items: Vec<(String, u64)>) -> Map<Vec<u8>> {
    items.sort();
    items.dedup_by(|one, other| one.0 == other.0);
    let mut builder = MapBuilder::memory();
    for (text, value) in items {
        builder.insert(text, value).expect("sorted texts");
    }
    builder.into_map()
}

/// The buffers for lookups in the vocabulary.
#[derive(Default)]
pub(crate) struct Found {
    ids: Vec<WordId>,
    classes: Vec<Classes>,
    starts: Vec<Start>,
    matches: Matches,
}

impl Found {
    /// Counts tokens and terms.
    pub(crate) fn count(&mut self, vocabulary: &Vocabulary, note: &Tokenized) -> usize {
        let Self { ids, classes, starts, matches } = self;
        terms::lookup_words(vocabulary, note.normalized.folded(), &note.tokens, ids, classes, starts);
        terms::find_in_tokens(vocabulary, &note.tokens, ids, starts, Overlap::Longest, matches);
        ids.len() + matches.terms.len()
    }
}
