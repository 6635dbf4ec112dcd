//! The possible roles of words in forms and negations. Most words have none, and rules skip them.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU16;
use std::sync::atomic::Ordering::Relaxed;

use super::super::cues::CueMatcher;
use super::FormReader;
use super::answers::is_frequency_word;
use super::denials::may_begin_denial_pattern;
use super::function_words::may_negate_subject;
use super::kinds::{Answer, is_negation_word, may_be_answer, parse_answer};
use super::questions::{ASKED_SUBJECTS, QUESTION_OPENERS, is_open_question_word};
use super::records::is_refuting_or_doubting_value;
use super::reply::is_negating_word;
use crate::debug::debug_count;
use crate::text::token::{Kind, Token};
use crate::vocabulary::{Vocabulary, WordId};

/// The roles that a word may have, as a bit set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WordRoles(u16);

impl WordRoles {
    /// It may be an answer.
    pub(super) const ANSWER: Self = Self(1 << 0);
    /// A letter that is an answer or stands for the empty-set sign.
    pub(super) const LETTER: Self = Self(1 << 1);
    /// It may negate within an item.
    const NEGATION: Self = Self(1 << 2);
    /// An adverb of frequency.
    pub(super) const FREQUENCY: Self = Self(1 << 3);
    /// It may begin a pattern of negation.
    const DENIAL: Self = Self(1 << 4);
    /// It may negate its subject.
    const DENIES_SUBJECT: Self = Self(1 << 5);
    /// It opens a question by itself.
    pub(super) const QUESTION: Self = Self(1 << 6);
    /// A verb that opens a question before a word with the role `ASKED`.
    pub(super) const OPENER: Self = Self(1 << 7);
    pub(super) const ASKED: Self = Self(1 << 8);
    /// Alone in brackets, it refutes or doubts what precedes it.
    pub(super) const STATE: Self = Self(1 << 9);
    /// The roles have been computed.
    const COMPUTED: Self = Self(1 << 15);
    /// The roles of words that are pieces of their own kind.
    const ANSWERS: Self = Self(Self::ANSWER.0 | Self::LETTER.0 | Self::NEGATION.0);

    fn of_word(word: &str) -> Self {
        let roles = [
            (may_be_answer(word), Self::ANSWER),
            (matches!(word, "n" | "y" | "o"), Self::LETTER),
            (is_frequency_word(word), Self::FREQUENCY),
            (word == "any" || is_open_question_word(word), Self::QUESTION),
            (QUESTION_OPENERS.contains(&word), Self::OPENER),
            (ASKED_SUBJECTS.contains(&word) || word == "any", Self::ASKED),
            (may_begin_denial_pattern(word), Self::DENIAL),
            (is_negation_word(word), Self::NEGATION),
            (may_negate_subject(word) || is_negating_word(word), Self::DENIES_SUBJECT),
            (is_refuting_or_doubting_value(word), Self::STATE),
        ];
        roles.into_iter().filter(|(has, _)| *has).fold(Self::COMPUTED, |all, (_, role)| Self(all.0 | role.0))
    }

    /// Returns whether the word has any of some roles.
    pub(super) const fn contains_any(self, roles: Self) -> bool {
        self.0 & roles.0 != 0
    }
}

/// The roles of the words of a vocabulary, each computed when a text first contains the word.
#[derive(Clone)]
pub(in super::super) struct WordRoleCache(Arc<[AtomicU16]>);

debug_count!(WordRoleCache, "words", |it| it.0.len());

impl WordRoleCache {
    /// Creates an empty cache for a vocabulary.
    pub(in super::super) fn new(vocabulary: &Vocabulary) -> Self {
        Self((0..vocabulary.word_count()).map(|_| AtomicU16::new(0)).collect())
    }

    /// Returns the roles of the tokens of a note; tokens that are not words have none.
    pub(super) fn roles_of_tokens(&self, text: CueMatcher<'_>) -> Vec<WordRoles> {
        let of_token = |(at, (token, &id)): (usize, (&Token, &WordId))| {
            if token.kind != Kind::Word {
                return WordRoles::default();
            }
            let known = self.0.get(id.0 as usize);
            match known.map_or(0, |known| known.load(Relaxed)) {
                0 => Self::compute_roles(known, text.folded_text(at)),
                roles => WordRoles(roles),
            }
        };
        text.tokens.iter().zip(text.ids).enumerate().map(of_token).collect()
    }

    /// Computes the roles of a word that is not cached yet, or that the vocabulary lacks.
    #[cold]
    fn compute_roles(known: Option<&AtomicU16>, word: &str) -> WordRoles {
        let roles = WordRoles::of_word(word);
        if let Some(known) = known {
            known.store(roles.0, Relaxed);
        }
        roles
    }
}

impl FormReader<'_> {
    /// Returns whether a word may negate its subject.
    #[inline]
    pub(super) fn may_negate_subject_at(&self, at: usize) -> bool {
        self.roles[at].contains_any(WordRoles::DENIES_SUBJECT)
    }

    /// Returns whether a word may be an answer, by itself or with the words after it.
    #[inline]
    pub(super) fn may_answer_at(&self, at: usize) -> bool {
        self.roles[at].contains_any(WordRoles::ANSWER)
    }

    /// Returns whether a pattern of negation may begin at a token.
    #[inline]
    pub(super) fn may_begin_denial_at(&self, at: usize) -> bool {
        self.roles[at].contains_any(WordRoles::DENIAL)
    }

    /// Returns the answer at a token, of one or more words, and its end (exclusive).
    #[inline]
    pub(super) fn parse_answer_at(&self, at: usize) -> Option<(Answer, usize)> {
        if self.may_answer_at(at) { parse_answer(self.text, at) } else { None }
    }

    /// Returns whether a token is a word that neither answers nor negates.
    #[inline]
    pub(super) fn is_plain_word(&self, at: usize) -> bool {
        let roles = self.roles[at];
        roles.contains_any(WordRoles::COMPUTED) && !roles.contains_any(WordRoles::ANSWERS)
    }

    /// Returns whether a line has an adverb of frequency.
    pub(super) fn has_frequency_word(&self, line: Range<usize>) -> bool {
        self.roles[line].iter().any(|roles| roles.contains_any(WordRoles::FREQUENCY))
    }
}
