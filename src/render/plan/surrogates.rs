//! Draws surrogates for the names, places and numbers of the note.

use std::collections::HashSet;

use super::{RemovedSpan, ReplacementPlan};
use crate::document::Action;
use crate::finding::{Category, Kind};
use crate::render::surrogate::{NameType, Surrogates};
use crate::render::{Input, date};
use crate::text::token;
use crate::vocabulary::{Class, Classes};

/// Parts of place names that say what kind of place it is.
const GENERIC: Classes = Classes::of(&[
    Class::StreetType,
    Class::Facility,
    Class::Organisation,
    Class::WardNoun,
    Class::PlaceAfter,
    Class::PlaceBefore,
    Class::Stop,
]);

impl<'a> ReplacementPlan<'a> {
    /// Returns the folded words and numbers of the note that are removed.
    pub(super) fn removed_words(&self) -> HashSet<String> {
        let note = self.note();
        (0..note.len())
            .filter(|&at| self.input.decisions[at].action == Action::Remove)
            .filter(|&at| matches!(note.token(at).kind, token::Kind::Word | token::Kind::Number))
            .flat_map(|at| note.word(at).split(|letter: char| !letter.is_alphanumeric()))
            .filter(|part| part.len() > 1)
            .map(str::to_owned)
            .collect()
    }

    pub(super) fn draw_surrogate(&mut self, run: RemovedSpan) -> Option<String> {
        let mut surrogates = self.surrogates.take()?;
        let new = self.surrogate_of(run, &mut surrogates);
        self.surrogates = Some(surrogates);
        new
    }

    fn surrogate_of(&self, run: RemovedSpan, surrogates: &mut Surrogates<'a>) -> Option<String> {
        match run.kind {
            kind if kind.category() == Category::Name => self.surrogate_name(run, surrogates),
            Kind::Zip => surrogates.zip_code(&self.folded_text(run)),
            Kind::State | Kind::Country => None,
            kind if kind.category() == Category::Location => self.surrogate_place(run, surrogates),
            Kind::Network => surrogates.network_address(&self.plain_text(run)),
            Kind::Email | Kind::Url => surrogates.electronic_address(&self.folded_text(run), run.kind == Kind::Url),
            // Without a reserved range, the removal gets a tag: another number could be somebody's.
            Kind::Phone | Kind::Fax | Kind::Pager => surrogates.phone_number(&self.plain_text(run)),
            kind if matches!(kind.category(), Category::Id | Category::Contact) => {
                surrogates.code_of_same_shape(&self.plain_text(run))
            }
            _ => None,
        }
    }

    /// Returns whether a made-up word is on no list and is no name known to the caller.
    fn is_free_word(&self, word: &str) -> bool {
        let vocabulary = self.input.vocabulary;
        vocabulary.classes(vocabulary.word_id(word.as_bytes())).is_empty()
            && !self.context.patient.is_some_and(|patient| patient.has_word(word))
    }

    /// Replaces a span word by word, and keeps the marks and spaces between them.
    fn replace_word_by_word(&self, run: RemovedSpan, mut new: impl FnMut(usize) -> Option<String>) -> Option<String> {
        let Input { normalized, tokens, .. } = self.input;
        let mut text = String::new();
        let mut copied = tokens[run.first].start as usize;
        for (token, at) in tokens[run.first..run.end].iter().zip(run.first..) {
            text.push_str(&normalized.folded()[copied..token.start as usize]);
            text.push_str(&new(at)?);
            copied = token.end as usize;
        }
        Some(text)
    }

    fn surrogate_name(&self, run: RemovedSpan, surrogates: &mut Surrogates<'a>) -> Option<String> {
        let note = self.note();
        let person = self.persons.get(&run.first).copied();
        let gender = self.gender_of_title_before(run.first);
        self.replace_word_by_word(run, |at| {
            let word = note.word(at);
            match note.token(at).kind {
                token::Kind::Punct | token::Kind::Possessive => return Some(word.to_owned()),
                token::Kind::Word => {}
                _ => return None,
            }
            let mut name = |word: &str| {
                let kind = if self.is_first_name(word) {
                    gender.or(self.genders.get(word).copied()).unwrap_or_else(|| gender_by_ending(word))
                } else {
                    NameType::Family
                };
                // Another first letter, so that an initial never equals the original's.
                surrogates
                    .made_up_word(kind, word, |new| new.as_bytes()[0] != word.as_bytes()[0] && self.is_free_word(new))
            };
            if word.chars().count() == 1 {
                // An initial takes the first letter of the surrogate of the name that it stands for.
                let full = person.and_then(|person| self.people.word_of_initial(person, word)).unwrap_or(word);
                let first = name(full)?.chars().next()?;
                return Some(first.to_ascii_uppercase().to_string());
            }
            if run.kind == Kind::Initials {
                // A run of initials is too short to be told from a missed one.
                return None;
            }
            Some(date::match_case(
                &name(word)?,
                &self.input.source[self.input.normalized.source_span(note.token(at).span()).range()],
            ))
        })
    }

    fn surrogate_place(&self, run: RemovedSpan, surrogates: &mut Surrogates<'a>) -> Option<String> {
        let note = self.note();
        let is_generic = |at: usize| {
            note.any(at, GENERIC) && !self.names.contains(note.word(at)) && self.input.policy.lets_out(note.classes(at))
        };
        // A place whose name consists of kinds of places only, such as Forest, must not come out unchanged.
        let only = (run.first..run.end).all(|at| !note.is_word(at) || is_generic(at));
        self.replace_word_by_word(run, |at| {
            let word = note.word(at);
            match note.token(at).kind {
                token::Kind::Punct | token::Kind::Possessive => Some(word.to_owned()),
                token::Kind::Number => surrogates.house_number(word),
                token::Kind::Word => {
                    let source = &self.input.source[self.input.normalized.source_span(note.token(at).span()).range()];
                    if is_generic(at) && !(only && note.capitalised(at)) {
                        return Some(source.to_owned()).filter(|_| !note.token(at).is_foreign());
                    }
                    Some(date::match_case(
                        &surrogates.made_up_word(NameType::Place, word, |new| self.is_free_word(new))?,
                        source,
                    ))
                }
                _ => None,
            }
        })
    }
}

/// Guesses the gender of a first name by its ending: enough to be consistent within one patient's notes where no title
/// tells.
fn gender_by_ending(word: &str) -> NameType {
    let woman = ["a", "ie", "ine", "elle", "ette", "lyn", "lynn", "een", "eth", "ary", "ice", "anne", "ann", "i"];
    if woman.iter().any(|ending| word.ends_with(ending)) { NameType::Woman } else { NameType::Man }
}
