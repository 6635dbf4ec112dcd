//! Disambiguation of short forms and words with several meanings: `MS`, `PT`, `cold`.
//!
//! Terms after a prefix and diseases named for their vaccines are resolved first; terms with too little evidence are
//! marked last.
//!
//! A list, `src/terms/senses.txt`, has the meanings of each form and the evidence for each: words in the same sentence,
//! a value or a dose right after, laboratory tests nearby. The meaning with the most evidence is chosen; without any
//! evidence, the one that the text writes out elsewhere. Otherwise the form is ambiguous and has no code.

mod list;

use super::Match;
use super::form_context::{is_glued_token, is_joined_to_number, is_lab_test};
use super::headings::{HeadingTerms, is_study_name};
use super::prefixed::TermPrefixes;
pub use super::unsure::UnclearReason;
use super::unsure::{self, NameWords};
use super::vaccines::Vaccines;
use crate::bits::BitSet;
use crate::linear::hash::QuickMap;
use crate::note::Note;
use crate::text::normalize::Normalized;
use crate::text::token::{Case, Kind, Token};
use crate::vocabulary::{Class, Classes, ConceptId, EntryId, Vocabulary, WordId};
pub use list::expand_short_form;
use list::{FORMS, SHORT_FORMS, Signs, VocabularySense};

/// A plural has more letters than this.
const MIN_LETTERS_OF_PLURAL: usize = 3;
/// The maximum distance of evidence from a form, in tokens.
const MAX_EVIDENCE_DISTANCE: usize = 12;

/// An ambiguous form.
#[derive(Clone, Debug, Default)]
struct AmbiguousForm {
    /// Whether it counts only in capitals.
    upper: bool,
    /// Whether it is the plural of a short form, which may end in a lower-case letter.
    plural: bool,
    /// The vocabulary's own entry for the form. If the text defines the form, its term has another entry.
    own: Option<EntryId>,
    senses: Vec<VocabularySense>,
}

/// The ambiguous forms of one vocabulary.
#[derive(Clone, Debug)]
pub struct Senses {
    forms: QuickMap<WordId, AmbiguousForm>,
    /// Which words are forms.
    form_words: BitSet,
    vaccines: Vaccines,
    prefixes: TermPrefixes,
    /// Terms of several words that are no concept in notes.
    no_concepts: Vec<EntryId>,
    headings: HeadingTerms,
    names: NameWords,
}

/// The meaning of a form in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Term(EntryId),
    NoConcept,
    /// Ambiguous, with one of the possible terms.
    Unknown(EntryId),
}

impl Senses {
    /// Looks up the bundled forms in a vocabulary. A meaning whose term the vocabulary lacks is no concept.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let mut senses = Self {
            forms: QuickMap::default(),
            form_words: BitSet::with_limit(vocabulary.word_count()),
            vaccines: Vaccines::new(vocabulary),
            prefixes: TermPrefixes::new(vocabulary),
            no_concepts: Vec::new(),
            headings: HeadingTerms::new(vocabulary),
            names: NameWords::default(),
        };
        let known_word =
            |name| Some(vocabulary.word_id(Normalized::new(name).folded().as_bytes())).filter(|word| word.is_known());
        for listed in FORMS.iter() {
            let own = vocabulary.entry_of(listed.name);
            senses.no_concepts.extend(own.filter(|_| listed.name.contains(' ')));
            let Some(word) = known_word(listed.name) else { continue };
            senses.form_words.insert(word.0 as usize);
            let form = senses.forms.entry(word).or_default();
            form.upper = listed.name.chars().all(char::is_uppercase);
            form.own = own;
            form.senses.extend(listed.senses.iter().map(|sense| sense.in_vocabulary(vocabulary)));
        }
        let signs = Signs { is_default: true, ..Signs::default() };
        // Unless a form has several meanings.
        for &[name, term] in SHORT_FORMS.iter() {
            let Some((word, entry)) = known_word(name).zip(vocabulary.entry_of(term)) else { continue };
            senses.form_words.insert(word.0 as usize);
            let sense = VocabularySense { term: Some(entry), signs, ..VocabularySense::default() };
            let own = vocabulary.entry_of(name);
            let form = || AmbiguousForm { upper: true, own, senses: vec![sense], ..AmbiguousForm::default() };
            senses.forms.entry(word).or_insert_with(form);
        }
        senses.add_plurals(vocabulary);
        senses
    }

    /// Adds the plurals of short forms with the same meanings, unless the plural is itself a short form.
    fn add_plurals(&mut self, vocabulary: &Vocabulary) {
        let mut plurals = Vec::new();
        for (&word, form) in self.forms.iter().filter(|(_, form)| form.upper) {
            let name = format!("{}s", vocabulary.word_text(word));
            let plural = vocabulary.word_id(name.as_bytes());
            if plural.is_known() && name.len() > MIN_LETTERS_OF_PLURAL {
                plurals.push((plural, AmbiguousForm { plural: true, own: vocabulary.entry_of(&name), ..form.clone() }));
            }
        }
        for (word, form) in plurals {
            self.form_words.insert(word.0 as usize);
            self.forms.entry(word).and_modify(|known| known.plural = known.upper).or_insert(form);
        }
    }

    /// Replaces forms by the terms that they mean here. `may_be_new` is whether a token may become a term; `terms` stay
    /// sorted. The first tokens of terms without a code are listed in `unclear`.
    pub fn code_ambiguous_forms(
        &self,
        note: &Note<'_>,
        may_be_new: impl Fn(usize) -> bool,
        terms: &mut Vec<Match>,
        unclear: &mut Vec<(u32, UnclearReason)>,
    ) {
        let (vocabulary, tokens, ids) = (note.vocabulary(), note.tokens(), note.word_ids());
        unclear.clear();
        self.prefixes.code_prefixed_terms(vocabulary, tokens, ids, terms, unclear);
        self.vaccines.code_vaccines(vocabulary, tokens, ids, terms, unclear);
        self.resolve_forms_by_evidence(note, may_be_new, terms, unclear);
        unclear.extend(
            terms
                .iter()
                .filter(|term| {
                    term.end - term.first > 1 && self.no_concepts.contains(&term.entry)
                        || self.headings.is_whole_heading(note, term)
                        || is_study_name(note, term)
                })
                .map(|term| (term.first, UnclearReason::NoConcept)),
        );
        // The evidence for listed forms has been weighed already.
        let is_form = |term: &Match| {
            let first = term.first as usize;
            term.end - term.first == 1 && self.form_of_word(ids[first], tokens[first].case).is_some()
        };
        unsure::mark_unsure_terms(vocabulary, tokens, ids, (terms, &self.names), is_form, unclear);
    }

    /// Weighs the evidence for each listed form.
    fn resolve_forms_by_evidence(
        &self,
        note: &Note<'_>,
        may_be_new: impl Fn(usize) -> bool,
        terms: &mut Vec<Match>,
        unclear: &mut Vec<(u32, UnclearReason)>,
    ) {
        let (vocabulary, tokens, ids) = (note.vocabulary(), note.tokens(), note.word_ids());
        let mut next = 0;
        let mut new: Vec<Match> = Vec::new();
        let mut written = None;
        for at in 0..tokens.len() {
            if !self.is_ambiguous_form(ids[at]) || is_glued_token(tokens, at) {
                continue;
            }
            let Some(form) = self.form_of_word(ids[at], tokens[at].case) else { continue };
            while terms.get(next).is_some_and(|term| term.end as usize <= at) {
                next += 1;
            }
            let here = terms.get(next).copied().filter(|term| term.first as usize <= at);
            if here.is_some_and(|term| term.end - term.first > 1 || Some(term.entry) != form.own)
                || here.is_none() && (!may_be_new(at) || form.is_ordinary_word_in_capitals(note, at))
            {
                continue;
            }
            let meaning = match form.choose_meaning(note, at) {
                Meaning::Unknown(entry) => {
                    let written = written.get_or_insert_with(|| WrittenTerms::new(vocabulary, terms));
                    form.meaning_written_out(vocabulary, written).map_or(Meaning::Unknown(entry), Meaning::Term)
                }
                known => known,
            };
            let found = |entry| Match { first: at as u32, end: at as u32 + 1, entry };
            match (meaning, here) {
                (Meaning::Term(entry), Some(old)) => {
                    if let Some(written) = &mut written {
                        written.replace_entry(vocabulary, old.entry, entry);
                    }
                    terms[next] = found(entry);
                }
                (Meaning::Term(entry), None) => new.push(found(entry)),
                // It stays a term, so that it may come out, but is not reported.
                (Meaning::NoConcept, Some(_)) => unclear.push((at as u32, UnclearReason::NoConcept)),
                (Meaning::NoConcept, None) => {}
                (Meaning::Unknown(_), Some(_)) => unclear.push((at as u32, UnclearReason::Ambiguous)),
                (Meaning::Unknown(entry), None) => {
                    new.push(found(entry));
                    unclear.push((at as u32, UnclearReason::Ambiguous));
                }
            }
        }
        if !new.is_empty() {
            terms.append(&mut new);
            terms.sort_unstable();
        }
    }

    /// Returns whether a word is a form; a bitmap lookup, because nearly all words are not.
    #[inline]
    fn is_ambiguous_form(&self, word: WordId) -> bool {
        self.form_words.contains(word.0 as usize)
    }

    /// Returns the form of a word in this case.
    fn form_of_word(&self, word: WordId, case: Case) -> Option<&AmbiguousForm> {
        self.forms.get(&word).filter(|form| !form.upper || case == Case::Upper || form.plural && case == Case::Mixed)
    }
}

/// The concepts of the terms of a text, with their entries and counts. It is computed once, so that a text with many
/// forms is not scanned for each.
#[derive(Debug, Default)]
struct WrittenTerms(QuickMap<Option<ConceptId>, Vec<(EntryId, u32)>>);

impl WrittenTerms {
    fn new(vocabulary: &Vocabulary, terms: &[Match]) -> Self {
        let mut written = Self::default();
        for term in terms {
            written.add_entry(vocabulary, term.entry);
        }
        written
    }

    fn add_entry(&mut self, vocabulary: &Vocabulary, entry: EntryId) {
        let entries = self.0.entry(vocabulary.entry_concepts(entry).next()).or_default();
        match entries.iter_mut().find(|(known, _)| *known == entry) {
            Some((_, count)) => *count += 1,
            None => entries.push((entry, 1)),
        }
    }

    fn replace_entry(&mut self, vocabulary: &Vocabulary, old: EntryId, new: EntryId) {
        if let Some(entries) = self.0.get_mut(&vocabulary.entry_concepts(old).next()) {
            entries.iter_mut().filter(|(entry, _)| *entry == old).for_each(|(_, count)| *count -= 1);
        }
        self.add_entry(vocabulary, new);
    }

    /// Returns whether a term has the first concept of an entry, by an entry other than `but`.
    fn has_concept_of(&self, vocabulary: &Vocabulary, entry: EntryId, but: Option<EntryId>) -> bool {
        let entries = self.0.get(&vocabulary.entry_concepts(entry).next());
        entries.is_some_and(|entries| entries.iter().any(|&(entry, count)| count > 0 && Some(entry) != but))
    }
}

impl AmbiguousForm {
    /// Returns whether a form that counts only in capitals is an ordinary word on a line in capitals.
    fn is_ordinary_word_in_capitals(&self, note: &Note<'_>, at: usize) -> bool {
        let ordinary = note.any(at, Classes::of(&[Class::English, Class::Stop]));
        self.upper && ordinary && unsure::is_surrounded_by_capitals(note.tokens(), at)
    }

    /// Returns the only meaning that another term of the text has: within one text, a form mostly keeps one sense (Gale
    /// and others 1992).
    fn meaning_written_out(&self, vocabulary: &Vocabulary, written: &WrittenTerms) -> Option<EntryId> {
        let entries = self.senses.iter().filter_map(|sense| sense.term);
        let mut found = entries.filter(|&entry| written.has_concept_of(vocabulary, entry, self.own));
        found.next().filter(|_| found.next().is_none())
    }

    fn choose_meaning(&self, note: &Note<'_>, at: usize) -> Meaning {
        let (tokens, ids, classes) = (note.tokens(), note.word_ids(), note.all_classes());
        let ends = |token: &Token| token.sentence_start() || token.kind == Kind::End;
        let first = (at.saturating_sub(MAX_EVIDENCE_DISTANCE)..=at)
            .rev()
            .find(|&at| ends(&tokens[at]))
            .unwrap_or(at.saturating_sub(MAX_EVIDENCE_DISTANCE));
        let behind = at + 1..tokens.len().min(at + 1 + MAX_EVIDENCE_DISTANCE);
        let last = behind.clone().find(|&at| ends(&tokens[at])).unwrap_or(behind.end);
        let value =
            (at + 1..last.min(at + 4)).any(|at| tokens[at].kind == Kind::Number && !is_joined_to_number(tokens, at));
        let range = at + 1 < last && tokens[at + 1].kind == Kind::Number && is_joined_to_number(tokens, at + 1);
        let near = first.max(at.saturating_sub(4))..last.min(at + 5);
        let lab = near.clone().any(|other| other != at && is_lab_test(other, tokens, classes));
        let dose =
            near.into_iter().any(|at| at > 0 && classes[at].has(Class::Unit) && tokens[at - 1].kind == Kind::Number);
        let is = |words: &[WordId], at: Option<usize>| at.is_some_and(|at| words.contains(&ids[at]));
        let before = at.checked_sub(1).filter(|_| !note.border_before(at));
        let after = Some(at + 1).filter(|&at| at < last);
        let person = after.is_some_and(|at| classes[at].has(Class::HumanVerb));
        let mut best: Option<(usize, &VocabularySense)> = None;
        for sense in &self.senses {
            let words = (first..last).filter(|&other| other != at && sense.words.contains(&ids[other])).count();
            let beside = usize::from(is(&sense.before, before)) + usize::from(is(&sense.after, after));
            let found = words
                + 3 * (beside + usize::from(sense.signs.person && person))
                + 2 * usize::from(sense.signs.value && value)
                + usize::from(sense.signs.lab && lab)
                + 3 * usize::from(sense.signs.range && range)
                + 2 * usize::from(sense.signs.dose && dose);
            if found > best.map_or(0, |(most, _)| most) {
                best = Some((found, sense));
            }
        }
        let best = best.or_else(|| self.senses.iter().find(|sense| sense.signs.is_default).map(|sense| (0, sense)));
        match best {
            Some((_, sense)) => sense.term.map_or(Meaning::NoConcept, Meaning::Term),
            None => self.senses.iter().find_map(|sense| sense.term).map_or(Meaning::NoConcept, Meaning::Unknown),
        }
    }
}
