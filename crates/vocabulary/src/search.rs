//! Lookup of terms and words by text: exact, by prefix, and fuzzy.
//!
//! These lookups are for people and tools, not for notes. An automaton searches the FST of words for the first words of
//! terms, then continues over the trie, which contains every term: letters first, then words.

use fst::automaton::{Automaton, Str};
use fst::{IntoStreamer, Streamer};
use levenshtein_automata::{DFA, SINK_STATE};

use super::Vocabulary;
use super::edits::{StartsWith, distance_of, levenshtein_automaton};
use super::entry::{ConceptId, EntryId};
use super::format::Section;
use super::trie::Node;
use notesieve_text::normalize::Normalized;
use notesieve_text::token::tokenize;

/// A term or word similar to the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuzzyMatch {
    /// The number of insertions, deletions and substitutions.
    pub distance: u8,
    /// The units of the term, joined by spaces, or the word.
    pub text: String,
    /// The entry of the term; `None` for a word.
    pub entry: Option<EntryId>,
}

/// Returns the key of a text: its units, joined by spaces.
pub fn key_of_text(text: &str) -> String {
    let normalized = Normalized::new(text);
    let mut tokens = Vec::new();
    tokenize(text, &normalized, &mut tokens);
    let folded = normalized.folded();
    let mut key = String::with_capacity(folded.len());
    for token in tokens.iter().filter(|token| !token.skipped_in_terms()) {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(&folded[token.span().range()]);
    }
    while key.ends_with(" .") {
        key.truncate(key.len() - 2);
    }
    key
}

impl Vocabulary {
    /// Returns the FST of words, or `None` if it is damaged. An altered FST can panic, so its bytes are checked before
    /// the first use.
    fn word_set(&self) -> Option<fst::Set<&[u8]>> {
        let bytes = self.section(Section::WordSet);
        let is_whole = || fst::raw::Fst::new(bytes).is_ok_and(|fst| fst.verify().is_ok());
        self.0.word_set.get_or_init(is_whole).then(|| fst::Set::new(bytes).ok())?
    }

    /// Returns whether a word is on a list or part of a term. The word table also contains numbers and punctuation of
    /// terms.
    fn is_searchable_word(&self, word: &str) -> bool {
        word.chars().next().is_some_and(char::is_alphabetic) && !self.classes(self.word_id(word.as_bytes())).is_empty()
    }

    /// Returns the words that can follow a node, in alphabetical order.
    fn following_words(&self, node: Node) -> Vec<(String, Node)> {
        let mut words: Vec<(String, Node)> =
            self.tables().trie.children(node).map(|(word, child)| (self.word_text(word), child)).collect();
        words.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        words
    }

    /// Calls `each` with the terms at and below a node in alphabetical order, until it returns `false`.
    fn walk_below_node(&self, node: Node, key: &mut String, each: &mut impl FnMut(&str, EntryId) -> bool) -> bool {
        if let Some(entry) = self.entry(node)
            && !each(key, entry)
        {
            return false;
        }
        let len = key.len();
        self.following_words(node).into_iter().all(|(word, child)| {
            key.push(' ');
            key.push_str(&word);
            let goes_on = child.0 > node.0 && self.walk_below_node(child, key, each);
            key.truncate(len);
            goes_on
        })
    }

    /// Calls `each` with the terms whose first word starts with `start`, in alphabetical order.
    fn walk_from_prefix(&self, start: &str, each: &mut impl FnMut(&str, EntryId) -> bool) {
        let Some(words) = self.word_set() else { return };
        let mut stream = words.search(Str::new(start).starts_with()).into_stream();
        while let Some(word) = stream.next() {
            if let Some(root) = self.root_of_word(self.word_id(word))
                && !self.walk_below_node(root, &mut String::from_utf8_lossy(word).into_owned(), each)
            {
                return;
            }
        }
    }

    /// Returns the concepts of a term in any case, best source first.
    ///
    /// # Examples
    ///
    /// See the compiler in `notesieve-vocabulary-build`.
    pub fn lookup(&self, text: &str) -> Vec<ConceptId> {
        self.entry_of(text).map_or_else(Vec::new, |entry| self.entry_concepts(entry).collect())
    }

    /// Returns the concepts of a term whose words may be in any order, with the term as the vocabulary has it: a
    /// fallback for people where [`lookup`](Self::lookup) finds nothing ("infarction myocardial"), never used for
    /// notes. Terms of more than six words are not tried.
    pub fn lookup_reordered(&self, text: &str) -> Option<(String, Vec<ConceptId>)> {
        const MAX_WORDS: usize = 6;
        let key = key_of_text(text);
        let mut units: Vec<&str> = key.split(' ').collect();
        if units.len() > MAX_WORDS {
            return None;
        }
        let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..units.len() {
            let longer = |order: Vec<usize>| {
                let rest = (0..units.len()).filter(|at| !order.contains(at)).collect::<Vec<_>>();
                rest.into_iter().map(move |at| [&order[..], &[at]].concat())
            };
            orders = orders.into_iter().flat_map(longer).collect();
        }
        // Start from the alphabetical order, so that every order of the query finds the same term.
        units.sort_unstable();
        orders.into_iter().find_map(|order| {
            let words: Vec<&str> = order.into_iter().map(|at| units[at]).collect();
            let term = words.join(" ");
            let concepts: Vec<ConceptId> = self.entry_concepts(self.entry_of_key(&term)?).collect();
            (!concepts.is_empty()).then_some((term, concepts))
        })
    }

    /// Returns the entry of a term or phrase in any case.
    pub fn entry_of(&self, text: &str) -> Option<EntryId> {
        self.entry_of_key(&key_of_text(text))
    }

    /// Returns the entry of a key, that is, of units joined by spaces.
    pub fn entry_of_key(&self, key: &str) -> Option<EntryId> {
        self.entry(self.node_of_key(key)?)
    }

    fn node_of_key(&self, key: &str) -> Option<Node> {
        let mut words = key.split(' ').map(|word| self.word_id(word.as_bytes()));
        let root = self.root_of_word(words.next()?)?;
        words.try_fold(root, |node, word| self.step(node, word))
    }

    /// Returns the units of an entry, joined by spaces.
    pub fn entry_text(&self, entry: EntryId) -> Option<String> {
        let trie = self.tables().trie;
        let mut words = Vec::new();
        let mut node = trie.node_of(entry)?;
        while let Some((before, word)) = trie.step_to_node(node) {
            words.push(self.word_text(word));
            node = before;
        }
        words.reverse();
        Some(words.join(" "))
    }

    /// Returns the first `limit` terms that start with a text, in alphabetical order.
    pub fn entries_with_prefix(&self, text: &str, limit: usize) -> Vec<(String, EntryId)> {
        let key = key_of_text(text);
        let mut found = Vec::new();
        let mut take = |text: &str, entry| {
            if found.len() < limit {
                found.push((text.to_owned(), entry));
            }
            found.len() < limit
        };
        match key.rsplit_once(' ') {
            None => self.walk_from_prefix(&key, &mut take),
            // All words except the last must match completely.
            Some((whole, start)) => {
                let words = self.node_of_key(whole).map_or_else(Vec::new, |node| self.following_words(node));
                let mut going_on = words.into_iter().filter(|(word, _)| word.starts_with(start));
                going_on.all(|(word, node)| self.walk_below_node(node, &mut format!("{whole} {word}"), &mut take));
            }
        }
        found
    }

    /// Returns the terms within an edit distance of a text, nearest first. A distance above 2 counts as 2.
    pub fn near_entries(&self, text: &str, distance: u8, limit: usize) -> Vec<FuzzyMatch> {
        let key = key_of_text(text);
        let (Some(automaton), Some(words)) = (levenshtein_automaton(&key, distance), self.word_set()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut stream = words.search_with_state(StartsWith(&automaton)).into_stream();
        while let Some((word, state)) = stream.next() {
            if let Some(root) = self.root_of_word(self.word_id(word)) {
                self.collect_near_below(
                    &automaton,
                    root,
                    state,
                    &mut String::from_utf8_lossy(word).into_owned(),
                    &mut found,
                );
            }
        }
        nearest_first(found, limit)
    }

    /// Adds the terms at and below a node that the automaton accepts when it continues from a state.
    fn collect_near_below(
        &self,
        automaton: &DFA,
        node: Node,
        state: u32,
        key: &mut String,
        found: &mut Vec<FuzzyMatch>,
    ) {
        found.extend(
            self.entry(node).and_then(|entry| near_match(key.as_bytes(), distance_of(automaton, state), Some(entry))),
        );
        let len = key.len();
        let between = automaton.transition(state, b' ');
        for (word, child) in self.tables().trie.children(node).filter(|(_, child)| child.0 > node.0) {
            key.push(' ');
            key.push_str(&self.word_text(word));
            let bytes = &key.as_bytes()[len + 1..];
            let state = bytes.iter().try_fold(between, |state, &byte| {
                let next = automaton.transition(state, byte);
                (next != SINK_STATE).then_some(next)
            });
            if let Some(state) = state {
                self.collect_near_below(automaton, child, state, key, found);
            }
            key.truncate(len);
        }
    }

    /// Returns the listed words within an edit distance of a folded word, nearest first. A distance above 2 counts as
    /// 2.
    pub fn near_words(&self, word: &str, distance: u8, limit: usize) -> Vec<FuzzyMatch> {
        let (Some(automaton), Some(words)) = (levenshtein_automaton(word, distance), self.word_set()) else {
            return Vec::new();
        };
        let mut stream = words.search_with_state(&automaton).into_stream();
        let mut found = Vec::new();
        while let Some((word, state)) = stream.next() {
            found.extend(near_match(word, distance_of(&automaton, state), None));
        }
        found.retain(|near| self.is_searchable_word(&near.text));
        nearest_first(found, limit)
    }

    /// Calls `each` with the key of every term, in alphabetical order.
    pub fn for_each_entry(&self, mut each: impl FnMut(&str, EntryId)) {
        self.walk_from_prefix("", &mut |text, entry| {
            each(text, entry);
            true
        });
    }

    /// Calls `each` with every listed word, in alphabetical order.
    pub fn for_each_word(&self, mut each: impl FnMut(&str)) {
        let Some(words) = self.word_set() else { return };
        let mut stream = words.into_stream();
        while let Some(word) = stream.next() {
            let word = String::from_utf8_lossy(word);
            if self.is_searchable_word(&word) {
                each(&word);
            }
        }
    }
}

fn near_match(key: &[u8], distance: Option<u8>, entry: Option<EntryId>) -> Option<FuzzyMatch> {
    Some(FuzzyMatch { distance: distance?, text: String::from_utf8_lossy(key).into_owned(), entry })
}

fn nearest_first(mut found: Vec<FuzzyMatch>, limit: usize) -> Vec<FuzzyMatch> {
    found.sort_unstable_by(|a, b| (a.distance, &a.text).cmp(&(b.distance, &b.text)));
    found.truncate(limit);
    found
}
