//! Terms with too little evidence for their meaning: `READ`, `ADC`, and in a line in capitals every acronym that is
//! also a word.

use std::sync::{Arc, PoisonError, RwLock};

use super::Match;
use crate::bits::BitSet;
use crate::debug::debug_count;
use crate::linear::hash::QuickMap;
use crate::text::token::{Case, Kind, Token};
use crate::vocabulary::{Class, Classes, EntryFlags, EntryId, Vocabulary, WordId};

/// The minimum length of a word in a concept's name that is evidence for the concept.
const MIN_NAME_WORD_LETTERS: usize = 5;
/// Classes of ordinary words, which are not evidence for a concept.
const ORDINARY_CLASSES: Classes = Classes::of(&[Class::English, Class::Stop]);
/// Classes of short forms that notes use.
const NOTE_SHORT_FORM_CLASSES: Classes = Classes::of(&[Class::Clinical, Class::Measurement]);
/// The window on each side of a word in which all words must be in capitals, in tokens.
const CAPITALS_WINDOW: usize = 8;
/// A shorter word in capitals may be a short form, whatever the case of the text around it.
const MIN_CAPITAL_LETTERS: u32 = 5;
/// The minimum number of long words in capitals that make a line in capitals.
const MIN_WORDS_IN_CAPITALS: usize = 2;

/// Why a form has no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnclearReason {
    /// There is no evidence for one of its meanings.
    Ambiguous,
    /// Its meaning here is no concept.
    NoConcept,
}

/// Marks terms that only ontologies use ([`EntryFlags::UNRELIABLE_ABBREVIATION`]), and acronyms that are ordinary words
/// where the text is all in capitals. An ordinary word is no concept; another form is ambiguous, unless the text also
/// contains a word of the concept's name. `is_known` is whether the evidence for a term has been weighed already.
pub(super) fn mark_unsure_terms(
    vocabulary: &Vocabulary,
    tokens: &[Token],
    ids: &[WordId],
    (terms, names): (&[Match], &NameWords),
    is_known: impl Fn(&Match) -> bool,
    unclear: &mut Vec<(u32, UnclearReason)>,
) {
    let flags = vocabulary.entry_flags_lookup();
    let mut told = NameWordEvidence {
        vocabulary,
        ids,
        names,
        may_have: BitSet::default(),
        bits: 0,
        of_entries: QuickMap::default(),
    };
    for term in terms {
        let entry = flags(term.entry);
        let first = term.first as usize;
        let is_word = entry.has(EntryFlags::COMMON_WORD);
        if entry.has(EntryFlags::UNRELIABLE_ABBREVIATION) {
            if is_known(term) {
            } else if is_word && (tokens[first].case != Case::Upper || is_surrounded_by_capitals(tokens, first)) {
                unclear.push((term.first, UnclearReason::NoConcept));
            } else if !told.text_has_word_of_name(term.entry) {
                unclear.push((term.first, UnclearReason::Ambiguous));
            }
        } else if is_word
            && entry.has(EntryFlags::UPPER_ONLY)
            && !vocabulary.classes(ids[first]).any(NOTE_SHORT_FORM_CLASSES)
            && is_surrounded_by_capitals(tokens, first)
            && !is_known(term)
            && !told.text_has_word_of_name(term.entry)
        {
            unclear.push((term.first, UnclearReason::NoConcept));
        }
    }
}

/// Returns whether the words around a token are all in capitals.
pub(super) fn is_surrounded_by_capitals(tokens: &[Token], at: usize) -> bool {
    let around = &tokens[at.saturating_sub(CAPITALS_WINDOW)..tokens.len().min(at + CAPITALS_WINDOW + 1)];
    let words = || around.iter().filter(|token| token.kind == Kind::Word && token.end - token.start > 1);
    let is_long = |token: &&Token| token.case == Case::Upper && token.end - token.start >= MIN_CAPITAL_LETTERS;
    words().all(|token| token.case == Case::Upper) && words().filter(is_long).count() >= MIN_WORDS_IN_CAPITALS
}

/// The entries for which a text contains a word of the concept's name.
struct NameWordEvidence<'a> {
    vocabulary: &'a Vocabulary,
    ids: &'a [WordId],
    names: &'a NameWords,
    /// A filter of the words of the text, by the lowest bits of their ids: eight bits per token, at most one per word.
    may_have: BitSet,
    /// How many bits they are; 0 before the words were read.
    bits: usize,
    of_entries: QuickMap<EntryId, bool>,
}

impl NameWordEvidence<'_> {
    fn text_has_word_of_name(&mut self, entry: EntryId) -> bool {
        if self.bits == 0 {
            let all = self.vocabulary.word_count().div_ceil(64).next_power_of_two();
            self.bits = 64 * (self.ids.len() / 8).next_power_of_two().min(all);
            self.may_have = BitSet::with_limit(self.bits);
            self.ids.iter().for_each(|id| self.may_have.insert(id.0 as usize % self.bits));
        }
        let Self { vocabulary, ids, names, may_have, bits, of_entries } = self;
        let may_have = |word: WordId| may_have.contains(word.0 as usize % *bits);
        let read = || names.words_of_entry(vocabulary, entry).iter().any(|&word| may_have(word) && ids.contains(&word));
        *of_entries.entry(entry).or_insert_with(read)
    }
}

/// The words in the names of entries, each computed when a text first needs it.
#[derive(Clone, Default)]
pub(super) struct NameWords(Arc<RwLock<QuickMap<EntryId, Arc<[WordId]>>>>);

debug_count!(NameWords, "readers", |it| Arc::strong_count(&it.0));

impl NameWords {
    fn words_of_entry(&self, vocabulary: &Vocabulary, entry: EntryId) -> Arc<[WordId]> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&entry).cloned();
        known.unwrap_or_else(|| {
            let words: Arc<[WordId]> = words_of_names(vocabulary, entry).collect();
            self.0.write().unwrap_or_else(PoisonError::into_inner).insert(entry, Arc::clone(&words));
            words
        })
    }
}

/// Returns the words in the names of an entry's concepts, without short and ordinary words.
fn words_of_names(vocabulary: &Vocabulary, entry: EntryId) -> impl Iterator<Item = WordId> {
    let name = |id| vocabulary.preferred_name(id).to_lowercase();
    let is_long = |word: &&str| word.chars().count() >= MIN_NAME_WORD_LETTERS;
    let words = move |name: String| {
        let long = name.split(|letter: char| !letter.is_alphanumeric()).filter(is_long);
        long.map(|word| vocabulary.word_id(word.as_bytes())).collect::<Vec<_>>()
    };
    let all = vocabulary.entry_concepts(entry).map(name).flat_map(words);
    all.filter(|&word| word.is_known() && !vocabulary.classes(word).any(ORDINARY_CLASSES))
}
