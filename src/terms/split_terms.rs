//! Terms that a text writes in parts: "breast and ovarian cancer", "stenosis of the mitral valve".
//!
//! Several terms may share words that are written once, and a modifier may follow what it modifies. The vocabulary has
//! the whole terms ("breast cancer", "mitral valve stenosis"), so the words are combined and looked up; a combination
//! that it lacks is not a term.
//!
//! A list may also be one term itself ("head and neck cancer"), whatever separates its parts ("head/neck cancer"). A
//! term that says whose a disease is ("family history of cancer") is read as the disease; its status says whose it is.

use super::Match;
use crate::note::Note;
use crate::text::token::{Gap, Kind, Token};
use crate::text::words_of_file;
use crate::vocabulary::{Class, EntryFlags, EntryId, Group, Vocabulary, WordId};

/// The maximum length of a part, in tokens.
const MAX_PART_TOKENS: usize = 3;
/// Flags of entries that are too uncertain to be combined from parts.
const UNSURE_FLAGS: [EntryFlags; 2] = [EntryFlags::UPPER_ONLY, EntryFlags::UNRELIABLE_ABBREVIATION];

/// Nouns after a list of diseases that make it hereditary.
const INHERITANCE_NOUNS: &[&str] = words_of_file!("words/inheritance-nouns.txt");

/// The words between the parts of terms, by their ids in one vocabulary.
#[derive(Clone, Copy, Debug)]
pub struct SplitTerms {
    and: WordId,
    or: WordId,
    of: WordId,
    the: WordId,
    history: WordId,
    hereditary: WordId,
    /// Nouns after a list that make it a syndrome: "breast and ovarian cancer families".
    inheritance_nouns: [WordId; 16],
}

/// Finds split terms in a note whose other terms are known.
struct SplitTermFinder<'a, F> {
    words: SplitTerms,
    note: &'a Note<'a>,
    vocabulary: &'a Vocabulary,
    may_be_new: F,
}

impl SplitTerms {
    /// Looks up the words in a vocabulary.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let word = |word: &str| vocabulary.word_id(word.as_bytes());
        let [and, or, of, the, history, hereditary] = ["and", "or", "of", "the", "history", "hereditary"].map(word);
        Self {
            and,
            or,
            of,
            the,
            history,
            hereditary,
            inheritance_nouns: std::array::from_fn(|nth| word(INHERITANCE_NOUNS[nth])),
        }
    }

    /// Adds terms that the text writes in parts. `may_be_new` is whether a token may become part of a term; `terms`
    /// stay sorted.
    pub fn code_split_terms(self, note: &Note<'_>, may_be_new: impl Fn(usize) -> bool, terms: &mut Vec<Match>) {
        let finder = SplitTermFinder { words: self, note, vocabulary: note.vocabulary(), may_be_new };
        let mut at = 0;
        while at < terms.len() {
            if let Some(disease) = finder.condition_in_history_term(terms[at]) {
                terms[at] = disease;
            }
            if let Some(longer) = finder.term_of_inverted_phrase(terms[at], terms) {
                let inside = terms[at..].partition_point(|term| term.first < longer.end);
                terms.splice(at..at + inside, [longer]);
            }
            at += 1;
        }
        let mut new: Vec<Match> = Vec::new();
        for &term in terms.iter() {
            if let Some(whole) =
                finder.term_of_whole_list(term, terms).or_else(|| finder.term_of_inherited_list(term, terms))
            {
                new.push(whole);
                continue;
            }
            finder.add_terms_sharing_end(term, terms, &mut new);
            finder.add_terms_sharing_start(term, terms, &mut new);
        }
        if !new.is_empty() {
            terms.retain(|term| !new.iter().any(|one| one.first <= term.first && term.end <= one.end));
            terms.append(&mut new);
            terms.sort_unstable();
        }
    }
}

impl<F: Fn(usize) -> bool> SplitTermFinder<'_, F> {
    /// Returns the term of an inverted phrase: "stenosis of the mitral valve" as "mitral valve stenosis".
    fn term_of_inverted_phrase(&self, term: Match, terms: &[Match]) -> Option<Match> {
        let of = term.end as usize;
        let first = self.token_after_of(of)?;
        let head = self.word_units(term.tokens());
        let found = |last: usize| {
            let entry = self.entry_of_units(self.word_units(first..last).chain(head.clone()))?;
            Some(Match { first: term.first, end: last as u32, entry })
        };
        let may_end = |last: usize| !self.ends_like_adjective(last - 1) || self.no_noun_follows(last);
        let lasts = (1..=MAX_PART_TOKENS).rev().map(|len| first + len);
        lasts.filter(|&last| self.may_be_part(first, last, terms) && may_end(last)).find_map(found)
    }

    /// Returns whether a word has an adjective's ending, so that it belongs to a noun after it, if there is one.
    fn ends_like_adjective(&self, at: usize) -> bool {
        let word = self.note.word(at);
        ["al", "ic", "ar", "ous", "ary"].iter().any(|end| word.ends_with(end))
    }

    /// Returns the condition in a history term: "cancer" in "family history of cancer".
    fn condition_in_history_term(&self, term: Match) -> Option<Match> {
        let is_history = |at: usize| self.note.word_id(at) == self.words.history;
        let of = term.tokens().skip(1).find(|&at| self.note.word_id(at) == self.words.of && is_history(at - 1))?;
        let entry = self.entry_of_units(self.word_units(of + 1..term.end as usize))?;
        (!self.is_shown_in_tables(term.entry)).then_some(Match { first: of as u32 + 1, entry, ..term })
    }

    /// Returns the term of a whole list: "head/neck cancer", which the vocabulary has with "and".
    fn term_of_whole_list(&self, term: Match, terms: &[Match]) -> Option<Match> {
        let end = self.end_of_part_before(term.first as usize, false)?;
        let found = |first: usize| {
            let list = self.word_units(first..end).chain([self.words.and]).chain(self.word_units(term.tokens()));
            let entry = self
                .entry_of_units(list)
                .filter(|&list| self.group_of_entry(list) == self.group_of_entry(term.entry))?;
            Some(Match { first: first as u32, end: term.end, entry })
        };
        self.longest_part_before(end, terms).find_map(found)
    }

    /// Returns the term of a list that implies an inherited disease: "breast-ovarian cancer", "breast and ovarian
    /// cancer families".
    fn term_of_inherited_list(&self, term: Match, terms: &[Match]) -> Option<Match> {
        let before = (term.first as usize).checked_sub(1)?;
        let is_joined = self.note.token(before).mark() == b'-' && self.note.token(before).gap == Gap::None;
        let end = if is_joined { before } else { self.end_of_part_before(before + 1, false)? };
        let next = term.end as usize;
        let names_heirs =
            self.words.inheritance_nouns.contains(&self.note.word_id(next)) && !self.note.border_before(next);
        if !is_joined && !names_heirs {
            return None;
        }
        let found = |first: usize| {
            let list = [self.words.hereditary].into_iter().chain(self.word_units(first..end)).chain([self.words.and]);
            let entry = self.entry_of_units(list.chain(self.word_units(term.tokens())))?;
            (self.group_of_entry(entry) == self.group_of_entry(term.entry)).then_some(Match {
                first: first as u32,
                entry,
                ..term
            })
        };
        self.longest_part_before(end, terms).find_map(found)
    }

    /// Where parts begin that end at a token, the longest first.
    fn longest_part_before(&self, end: usize, terms: &[Match]) -> impl Iterator<Item = usize> {
        let firsts = (1..=MAX_PART_TOKENS).rev().filter_map(move |len| end.checked_sub(len));
        firsts.filter(move |&first| self.may_be_part(first, end, terms))
    }

    /// Returns the token after "of" or "of the".
    fn token_after_of(&self, of: usize) -> Option<usize> {
        let is = |at: usize, word: WordId| self.note.word_id(at) == word && !self.note.border_before(at);
        is(of, self.words.of).then(|| of + 1 + usize::from(is(of + 1, self.words.the)))
    }

    /// Adds the terms that share the last words of a term: "breast" in "breast and ovarian cancer".
    fn add_terms_sharing_end(&self, term: Match, terms: &[Match], new: &mut Vec<Match>) {
        let end = self.end_of_part_before(term.first as usize, false);
        for head in (term.first + 1..term.end).map(|head| head as usize..term.end as usize) {
            let (mut end, known) = (end, new.len());
            while let Some(found) = end.and_then(|end| self.term_of_part_before(end, head.clone(), terms)) {
                new.push(found);
                end = self.end_of_part_before(found.first as usize, true);
            }
            if end.is_none() || new.len() > known {
                return;
            }
        }
    }

    /// Returns the term of a part that ends at `end` (exclusive), combined with a head elsewhere.
    fn term_of_part_before(&self, end: usize, head: std::ops::Range<usize>, terms: &[Match]) -> Option<Match> {
        let found = |first: usize| {
            let entry = self.entry_of_units(self.word_units(first..end).chain(self.word_units(head.clone())))?;
            Some(Match { first: first as u32, end: end as u32, entry })
        };
        self.longest_part_before(end, terms).find_map(found)
    }

    /// Adds a term that shares the first words of a term: "ovary" in "cancer of the breast and ovary".
    fn add_terms_sharing_start(&self, term: Match, terms: &[Match], new: &mut Vec<Match>) {
        let Some(of) = term.tokens().find(|&at| self.note.word_id(at) == self.words.of) else { return };
        let (and, last) = (term.end as usize, self.note.len());
        if !self.is_conjunction(self.note.word_id(and)) || self.note.border_before(and) {
            return;
        }
        let first = and + 1 + usize::from(self.note.word_id(and + 1) == self.words.the);
        let head = || self.word_units(term.first as usize..of);
        for end in (1..=MAX_PART_TOKENS).rev().map(|len| first + len).filter(|&end| end <= last) {
            if !self.may_be_part(first, end, terms) || !self.no_noun_follows(end) {
                continue;
            }
            let reordered = || self.entry_of_units(self.word_units(first..end).chain(head()));
            let straight =
                || self.entry_of_units(self.word_units(term.first as usize..of + 1).chain(self.word_units(first..end)));
            if let Some(entry) = reordered().or_else(straight) {
                new.push(Match { first: first as u32, end: end as u32, entry });
                return;
            }
        }
    }

    /// Returns whether no noun follows that the part might belong to.
    fn no_noun_follows(&self, end: usize) -> bool {
        !self.note.is_word(end) || self.note.border_before(end) || self.note.is(end, Class::Stop)
    }

    fn is_conjunction(&self, word: WordId) -> bool {
        word == self.words.and || word == self.words.or
    }

    /// Returns the end (exclusive) of the part before the one at a token: before "and", "or", "and/or", a slash, "&"
    /// or, inside the list, a comma.
    fn end_of_part_before(&self, at: usize, inside: bool) -> Option<usize> {
        let mark = |at: usize| self.note.token(at).mark();
        let mut end = at.checked_sub(1)?;
        if self.is_conjunction(self.note.word_id(end)) {
            let slash = end
                .checked_sub(2)
                .filter(|&other| mark(end - 1) == b'/' && self.is_conjunction(self.note.word_id(other)));
            end = slash.unwrap_or(end);
            end -= usize::from(end > 0 && mark(end - 1) == b',');
        } else if !b"/&".contains(&mark(end)) && !(inside && mark(end) == b',') {
            return None;
        }
        (end..=at).all(|at| !self.note.border_before(at)).then_some(end)
    }

    /// Returns whether tokens may be a part: words of one phrase, in which any term is complete and of a group that
    /// tables do not show, such as a place.
    fn may_be_part(&self, first: usize, end: usize, terms: &[Match]) -> bool {
        let Some(tokens) = self.note.tokens().get(first..end) else { return false };
        let is_word = |token: &Token| matches!(token.kind, Kind::Word | Kind::Number) || token.skipped_in_terms();
        let glued = |at: usize| self.note.token(at).glued();
        let next = terms.partition_point(|term| term.end as usize <= first);
        let mut inside = terms[next..].iter().take_while(|term| (term.first as usize) < end);
        tokens.iter().all(is_word)
            && tokens[0].kind != Kind::Punct
            && !tokens[1..].iter().any(|token| token.border_before())
            && !glued(first)
            && !glued(end)
            && inside.all(|term| {
                term.first as usize >= first && term.end as usize <= end && !self.is_shown_in_tables(term.entry)
            })
            && (first..end).all(&self.may_be_new)
    }

    fn word_units(&self, tokens: std::ops::Range<usize>) -> impl Iterator<Item = WordId> + Clone {
        self.note.word_ids()[tokens].iter().copied().filter(|&word| word != WordId::SKIPPED)
    }

    /// Returns the entry of these units, if it is certain and of a group that tables show.
    fn entry_of_units(&self, mut units: impl Iterator<Item = WordId>) -> Option<EntryId> {
        let root = self.vocabulary.root_of_word(units.next()?)?;
        let entry = self.vocabulary.entry(units.try_fold(root, |node, word| self.vocabulary.step(node, word))?)?;
        let flags = self.vocabulary.entry_flags(entry);
        let is_term = self.vocabulary.entry_concepts(entry).next().is_some();
        (is_term && !UNSURE_FLAGS.iter().any(|&flag| flags.has(flag)) && self.is_shown_in_tables(entry))
            .then_some(entry)
    }

    fn group_of_entry(&self, entry: EntryId) -> Group {
        self.vocabulary.entry_group(entry)
    }

    /// Returns whether tables show the group of an entry.
    fn is_shown_in_tables(&self, entry: EntryId) -> bool {
        Group::SHOWN.contains(&self.group_of_entry(entry))
    }
}
