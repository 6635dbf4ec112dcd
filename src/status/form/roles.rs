//! What words may be in forms and denials: most are nothing, and no rule has to ask them.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU16;
use std::sync::atomic::Ordering::Relaxed;

use super::super::cues::CueMatcher;
use super::FormReader;
use super::answers::is_frequency_word;
use super::denials::may_begin_denial_pattern;
use super::function_words::may_deny_subject;
use super::kinds::{Answer, is_negation_word, may_be_answer, parse_answer};
use super::questions::{ASKED_SUBJECTS, QUESTION_OPENERS, is_open_question_word};
use super::records::is_refuting_or_doubting_value;
use super::reply::is_negating_word;
use crate::debug::debug_count;
use crate::text::token::{Kind, Token};
use crate::vocabulary::{Vocabulary, WordId};

/// What a word may be in a form, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WordRoles(u16);

impl WordRoles {
    /// It may answer.
    pub(super) const ANSWER: Self = Self(1 << 0);
    /// A letter that answers, or stands for the empty-set sign.
    pub(super) const LETTER: Self = Self(1 << 1);
    /// An item may negate itself by it.
    const NEGATION: Self = Self(1 << 2);
    /// It is an adverb of frequency.
    pub(super) const FREQUENCY: Self = Self(1 << 3);
    /// It may deny by a pattern.
    const DENIAL: Self = Self(1 << 4);
    /// It may deny what stands before it.
    const DENIES_SUBJECT: Self = Self(1 << 5);
    /// It opens a question by itself.
    pub(super) const QUESTION: Self = Self(1 << 6);
    /// A verb that opens a question before one of those who are asked.
    pub(super) const OPENER: Self = Self(1 << 7);
    pub(super) const ASKED: Self = Self(1 << 8);
    /// Alone in brackets, it refutes or doubts what stands before it.
    pub(super) const STATE: Self = Self(1 << 9);
    /// Its roles were found.
    const COMPUTED: Self = Self(1 << 15);
    /// Any of those by which a piece of a line is more than a word.
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
            (may_deny_subject(word) || is_negating_word(word), Self::DENIES_SUBJECT),
            (is_refuting_or_doubting_value(word), Self::STATE),
        ];
        roles.into_iter().filter(|(has, _)| *has).fold(Self::COMPUTED, |all, (_, role)| Self(all.0 | role.0))
    }

    /// Whether it has one of some roles.
    pub(super) const fn contains_any(self, roles: Self) -> bool {
        self.0 & roles.0 != 0
    }
}

/// The roles of the words of a vocabulary, each found when a text has the word for the first time.
#[derive(Clone)]
pub(in super::super) struct WordRoleCache(Arc<[AtomicU16]>);

debug_count!(WordRoleCache, "words", |it| it.0.len());

impl WordRoleCache {
    /// For texts that a vocabulary looks up.
    pub(in super::super) fn new(vocabulary: &Vocabulary) -> Self {
        Self((0..vocabulary.word_count()).map(|_| AtomicU16::new(0)).collect())
    }

    /// The roles of the tokens of a note; one that is no word has none.
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

    /// The roles of a word that was not asked for before, or that the vocabulary has not.
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
    /// Whether a word may deny what stands before it.
    #[inline]
    pub(super) fn may_deny_subject_at(&self, at: usize) -> bool {
        self.roles[at].contains_any(WordRoles::DENIES_SUBJECT)
    }

    /// Whether a word may answer, by itself or with those after it.
    #[inline]
    pub(super) fn may_answer_at(&self, at: usize) -> bool {
        self.roles[at].contains_any(WordRoles::ANSWER)
    }

    /// Whether a pattern of denial may begin at a token.
    #[inline]
    pub(super) fn may_begin_denial_at(&self, at: usize) -> bool {
        self.roles[at].contains_any(WordRoles::DENIAL)
    }

    /// The answer that a word gives, by itself or with the next.
    #[inline]
    pub(super) fn parse_answer_at(&self, at: usize) -> Option<(Answer, usize)> {
        if self.may_answer_at(at) { parse_answer(self.text, at) } else { None }
    }

    /// Whether a token is a word that neither answers nor negates.
    #[inline]
    pub(super) fn is_plain_word(&self, at: usize) -> bool {
        let roles = self.roles[at];
        roles.contains_any(WordRoles::COMPUTED) && !roles.contains_any(WordRoles::ANSWERS)
    }

    /// Whether a line has an adverb of frequency.
    pub(super) fn has_frequency_word(&self, line: Range<usize>) -> bool {
        self.roles[line].iter().any(|roles| roles.contains_any(WordRoles::FREQUENCY))
    }
}
